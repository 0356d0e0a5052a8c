// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-topology [INPUT...]: loading topologies, one core, the best of some
 * runs, beside wc -l over the same file (its start included).  Descriptions are
 * written to a file first.  Without arguments: the selene capture, where
 * $WEFT_FABRICS has it, and a tree of 11,664 hosts.
 */
#include "bench.h"

#include <weft/weft.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define CAPTURE "selene-compute.ibnetdiscover"
#define TREE "pgft:3;18,18,36;1,18,18;1,1,1"
#define REPEATS 10

static struct weft_diag diag = {
	.emit = weft_diag_stderr, .context = "bench-topology", .limit = 3,
};

/* Seconds of one load; negative: failed. */
static double load(const char *path, struct weft_fabric **f)
{
	double begin = bench_now();

	return weft_io_read_fabric(path, f, &diag) ? -1 : bench_now() - begin;
}

static double count_lines(const char *path, struct weft_fabric **f)
{
	char command[4200];
	double begin = bench_now();

	(void)f;
	snprintf(command, sizeof(command), "wc -l '%s' >/dev/null", path);
	return system(command) ? -1 : bench_now() - begin;
}

static double best_of(const char *path,
		      double (*run)(const char *, struct weft_fabric **))
{
	double best = 1e9;

	for (int i = 0; i < REPEATS; i++) {
		struct weft_fabric *f = NULL;
		double t = run(path, &f);

		weft_fabric_free(f);
		if (t < 0)
			return -1;
		best = t < best ? t : best;
	}
	return best;
}

static int bench(const char *name, const char *path)
{
	double best = best_of(path, load);
	double lines = best_of(path, count_lines);
	struct weft_fabric *f;
	struct stat st;

	if (best < 0 || lines < 0 || stat(path, &st) || load(path, &f) < 0)
		return 1;
	printf("%s\n  %u switches, %u endports, %u links, %.1f MB: %.1f ms, "
	       "%.0f MB/s; wc -l %.1f ms\n", name, f->nsw, f->nep, f->nlinks,
	       st.st_size / 1e6, best * 1e3, st.st_size / 1e6 / best,
	       lines * 1e3);
	weft_fabric_free(f);
	return 0;
}

static int bench_description(const char *spec)
{
	char path[] = "/tmp/weft-bench-XXXXXX";
	int fd = mkstemp(path), err = 1;
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	struct weft_fabric *f;

	if (!out)
		return 1;
	if (!weft_gen(spec, &f, &diag)) {
		err = weft_io_write_ibnetdiscover(out, f, &diag) != 0;
		weft_fabric_free(f);
	}
	fclose(out);
	if (!err)
		err = bench(spec, path);
	unlink(path);
	return err;
}

static int bench_input(const char *input)
{
	return weft_gen_is_spec(input) ? bench_description(input) :
					 bench(input, input);
}

int main(int argc, char **argv)
{
	const char *captures = getenv("WEFT_FABRICS");
	char path[4096];
	int err = 0;

	for (int i = 1; i < argc; i++)
		err |= bench_input(argv[i]);
	if (argc > 1)
		return err;
	snprintf(path, sizeof(path), "%s/" CAPTURE, captures ? captures : ".");
	if (!access(path, R_OK))
		err = bench(CAPTURE, path);
	return err | bench_description(TREE);
}
