// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-load [FABRIC [DIRECTORY]]: reading and writing forwarding tables, one
 * core, beside cat and wc -l over the same file.  The entries are random ports;
 * nothing depends on them but that they are read back as they were written.
 */
#include "bench.h"

#include <weft/weft.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FABRIC "pgft:3;12,12,24;1,12,12;1,1,1"
#define REPEATS 3

static struct weft_diag diag = {
	.emit = weft_diag_stderr, .context = "bench-load",
};

static long resident_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static int random_tables(const struct weft_fabric *f, struct weft_lft *lft)
{
	struct weft_rng *rng = weft_rng_new(1);

	if (!rng || weft_io_lft_init(f, lft))
		return -1;
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			weft_lft_row(lft, s)[lid] = (uint8_t)
				weft_rng_below(rng, f->sw[s].nports + 1u);
	weft_rng_free(rng);
	return 0;
}

/* The layout of opensm.fdbs. */
static int write_fdbs(FILE *out, const struct weft_fabric *f,
		      const struct weft_lft *lft)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		fprintf(out, "dump_ucast_routes: Switch 0x%016" PRIx64
			"\nLID    : Port : Hops : Optimal\n", f->sw[s].guid);
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			fprintf(out, "0x%04X : %03u  : 03   : yes\n", lid,
				(unsigned)weft_lft_get(lft, s, lid));
	}
	return ferror(out);
}

static void print_rate(const char *what, const char *name, double bytes,
		       double seconds)
{
	printf("%-16s %-8s %8.1f MB %8.3f s %8.0f MB/s\n", what, name,
	       bytes / 1e6, seconds, bytes / 1e6 / seconds);
	fflush(stdout);
}

/* The best of some runs of a command over the file. */
static void peer(const char *what, const char *command, const char *path,
		 const char *name, double bytes)
{
	double best = 1e9;
	char line[600];

	snprintf(line, sizeof(line), "%s '%s' >/dev/null", command, path);
	for (int i = 0; i < REPEATS; i++) {
		double start = bench_now();

		if (system(line))
			return;
		best = bench_now() - start < best ? bench_now() - start : best;
	}
	print_rate(what, name, bytes, best);
}

static int bench_read(const struct weft_fabric *f, const struct weft_lft *lft,
		      const char *path, const char *name, double bytes)
{
	long before = resident_kib();
	struct weft_lft_diff diff;
	struct weft_lft read;
	double best = 1e9;

	for (int i = 0; i < REPEATS; i++) {
		double start, took;

		if (weft_io_lft_init(f, &read))
			return -1;
		start = bench_now();
		if (weft_io_read_lft(path, f, &read, &diag))
			return -1;
		took = bench_now() - start;
		best = took < best ? took : best;
		weft_lft_compare(lft, &read, &diff);
		weft_lft_free(&read);
		if (diff.entries) {
			fprintf(stderr, "bench-load: not read as written\n");
			return -1;
		}
	}
	print_rate("weft read", name, bytes, best);
	printf("%-16s %-8s %8.1f MB\n", "  memory added", name,
	       (resident_kib() - before) / 1e3);
	return 0;
}

static int bench_format(const struct weft_fabric *f,
			const struct weft_lft *lft, const char *path, bool fdbs)
{
	const char *name = fdbs ? "fdbs" : "lfts";
	FILE *out = fopen(path, "w");
	double start = bench_now(), bytes;
	int err;

	if (!out)
		return -1;
	err = fdbs ? write_fdbs(out, f, lft) :
		weft_io_write_lfts(out, f, lft, &diag);
	bytes = (double)ftell(out);
	if (fclose(out) || err)
		return -1;
	if (!fdbs)
		print_rate("weft write", name, bytes, bench_now() - start);
	peer("cat", "cat", path, name, bytes);
	peer("wc -l", "wc -l", path, name, bytes);
	return bench_read(f, lft, path, name, bytes);
}

int main(int argc, char **argv)
{
	const char *spec = argc > 1 ? argv[1] : FABRIC;
	const char *dir = argc > 2 ? argv[2] : "/tmp";
	struct weft_lft lft = { 0 };
	struct weft_input in;
	char path[512];
	int err;

	snprintf(path, sizeof(path), "%s/bench-load-%ld", dir, (long)getpid());
	if (weft_input_open(spec, false, &in, &diag))
		return 2;
	printf("%s: %u hosts, %u switches, LIDs up to %u\n", spec,
	       in.fabric->nhosts, in.fabric->nsw, in.fabric->max_lid);
	err = random_tables(in.fabric, &lft);
	for (int fdbs = 0; fdbs < 2 && !err; fdbs++)
		err = bench_format(in.fabric, &lft, path, fdbs);
	if (err)
		perror("bench-load");
	unlink(path);
	weft_lft_free(&lft);
	weft_input_close(&in);
	return err ? 1 : 0;
}
