// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-route [THOUSANDS | FABRIC]...: what engines take to route fabrics of
 * about 1, 4, 12 and 40 thousand hosts, or of those sizes that are named: a
 * tree, the same with fewer cables at the top (2:1, 3:1) and with cables
 * missing, a torus, a HyperX, a dragonfly, a Dragonfly+, a Slim Fly and a
 * random graph.  FABRIC: a description, compared with psssp alone.
 *
 * A row for each engine and fabric: processor seconds of weft_route(), the least
 * of several runs where one is short; nanoseconds for each entry of the tables;
 * times as much as psssp; MB that the process had at most; the highest number
 * of routes over one channel; and what is wrong.  That is if weave takes more
 * than 4 times psssp's time, or more than 30 s.  Rows that take more than 3 times
 * what the median of their size does, for each entry and by the same engine, are
 * listed at the end: there is a cliff.  The exit status is 1 if anything is wrong.
 *
 * ENGINES: psssp eftree beft weave unless set, with options as psssp:passes=3.
 * The default takes about an hour, "1 4" about two minutes.
 */
#include "bench.h"

#include <weft/weft.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENGINES "psssp eftree beft weave"
#define MAX_ROWS 512
#define CLIFF 3		/* times the median */
#define MOST_TIMES_PSSSP 4	/* that weave takes */
#define MOST_SECONDS 30
#define SHORT 0.2	/* seconds; runs that are shorter together go on */
#define MOST_RUNS 9

struct size {
	const char *thousands;
	const char *fabric[11];
};

static const struct size sizes[] = {
	{ "1", {
		"pgft:3;8,8,16;1,8,8;1,1,1",
		"pgft:3;8,8,16;1,8,4;1,1,1",
		"pgft:3;9,9,12;1,9,3;1,1,1",
		"pgft:3;8,8,16;1,8,8;1,1,1,fail-links=3%",
		"pgft:3;8,8,16;1,8,8;1,1,1,dual=yes",
		"torus:8x8x4,hosts=4",
		"hyperx:8x8x4,hosts=4",
		"dragonfly:8,4,4,32",
		"dragonfly+:8,8,8,4,16",
		"slimfly:11,hosts=4",
		"jellyfish:256,16,12",
	} },
	{ "4", {
		"pgft:3;16,16,16;1,16,16;1,1,1",
		"pgft:3;16,16,16;1,16,8;1,1,1",
		"pgft:3;12,18,18;1,12,6;1,1,1",
		"pgft:3;16,16,16;1,16,16;1,1,1,fail-links=3%",
		"pgft:3;16,16,16;1,16,16;1,1,1,dual=yes",
		"torus:10x10x10,hosts=4",
		"hyperx:10x10x10,hosts=4",
		"dragonfly:12,5,6,68",
		"dragonfly+:8,8,8,8,64",
		"slimfly:17,hosts=7",
		"jellyfish:1000,20,16",
	} },
	{ "12", {
		"pgft:3;18,18,36;1,18,18;1,1,1",
		"pgft:3;18,18,36;1,18,9;1,1,1",
		"pgft:3;18,18,36;1,18,6;1,1,1",
		"pgft:3;18,18,36;1,18,18;1,1,1,fail-links=3%",
		"pgft:3;18,18,36;1,18,18;1,1,1,dual=yes",
		"torus:14x14x14,hosts=4",
		"hyperx:14x14x14,hosts=4",
		"dragonfly:16,8,6,92",
		"dragonfly+:16,16,16,3,45",
		"slimfly:27,hosts=8",
		"jellyfish:1458,28,20",
	} },
	{ "40", {
		"pgft:3;32,40,32;1,32,40;1,1,1",
		"pgft:3;32,40,32;1,32,20;1,1,1",
		"pgft:3;32,39,33;1,32,13;1,1,1",
		"pgft:3;32,40,32;1,32,40;1,1,1,fail-links=3%",
		"pgft:3;32,40,32;1,32,40;1,1,1,dual=yes",
		"torus:20x20x20,hosts=5",
		"hyperx:16x16x16,hosts=10",
		"dragonfly:20,10,10,201",
		"dragonfly+:32,32,32,2,40",
		"slimfly:43,hosts=11",
		"jellyfish:4096,42,32",
	} },
};

struct row {
	char engine[64];
	const char *size, *fabric;
	uint32_t hosts, nsw;
	double seconds, entries, psssp;
	uint64_t most;
	long mb;
};

static struct weft_diag diag = {
	.emit = weft_diag_stderr, .context = "bench-route",
};
static struct row rows[MAX_ROWS];
static unsigned nrows;

/* Finds the engine of a word as psssp:passes=3, and its options. */
static const struct weft_engine *find_engine(const char *word,
					     struct weft_options **options)
{
	char text[64], *next = text;
	const struct weft_engine *engine;

	snprintf(text, sizeof(text), "%s", word);
	engine = weft_engine_find(strsep(&next, ":"));
	if (!engine || weft_options_new(options, engine->options))
		return NULL;
	while (next)
		if (weft_options_parse(*options, strsep(&next, ","), &diag))
			return NULL;
	return engine;
}

/* Finds the highest number of routes over a channel, by proving that all
 * hosts are reached. */
static int prove(const struct weft_fabric *f, const struct weft_routes *routes,
		 struct row *r)
{
	const struct weft_proof_spec spec = { .loads = true };
	struct weft_proof proof;
	int err = weft_proof_run(f, routes, &spec, &proof, &diag);

	if (err)
		return err;
	r->most = proof.load_max;
	err = proof.unreachable ? -1 : 0;
	weft_proof_free(&proof);
	return err;
}

/* Routes a fabric, again while that is short, and keeps the least time. */
static int route_often(const struct weft_fabric *f,
		       const struct weft_engine *engine,
		       const struct weft_options *options, struct row *r,
		       struct weft_routes *routes)
{
	double spent = 0;
	int err = 0;

	for (unsigned i = 0; !err && i < MOST_RUNS && spent < SHORT; i++) {
		double begin = bench_cpu(), seconds;

		weft_routes_free(routes);
		*routes = (struct weft_routes){ 0 };
		err = weft_route(engine, f, options, routes, &diag);
		seconds = bench_cpu() - begin;
		spent += seconds;
		if (!i || seconds < r->seconds)
			r->seconds = seconds;
	}
	return err;
}

static int route(const struct weft_fabric *f, struct row *r)
{
	struct weft_options *options = NULL;
	const struct weft_engine *engine = find_engine(r->engine, &options);
	struct weft_routes routes = { 0 };
	int err = engine ? route_often(f, engine, options, r, &routes) : -1;

	r->mb = bench_peak_mb();
	r->hosts = f->nhosts;
	r->nsw = f->nsw;
	r->entries = (double)f->nsw * (f->nep + f->nsw);
	if (!err)
		err = prove(f, &routes, r);
	weft_routes_free(&routes);
	weft_options_free(options);
	return err;
}

static int generate_and_route(struct row *r)
{
	struct weft_fabric *plain = NULL, *f = NULL;
	int err = weft_gen(r->fabric, &plain, &diag);

	if (!err)
		err = weft_fabric_assign_lids(plain, 0, &f, &diag);
	if (!err)
		err = route(f, r);
	weft_fabric_free(f);
	weft_fabric_free(plain);
	return err;
}

/* Fills in a row, in a process of its own, so that its memory counts alone. */
static int run(struct row *r)
{
	int fd[2], status;
	pid_t pid = pipe(fd) ? -1 : fork();

	if (pid < 0)
		return -1;
	if (!pid)
		_exit(generate_and_route(r) ||
		      write(fd[1], r, sizeof(*r)) != sizeof(*r));
	close(fd[1]);
	status = read(fd[0], r, sizeof(*r)) == sizeof(*r) ? 0 : -1;
	close(fd[0]);
	return waitpid(pid, NULL, 0) < 0 ? -1 : status;
}

static double per_entry(const struct row *r)
{
	return r->seconds / r->entries * 1e9;
}

/* Returns what is wrong about the time of a row by itself; NULL: nothing. */
static const char *what_is_wrong(const struct row *r)
{
	if (strncmp(r->engine, "weave", strlen("weave")))
		return NULL;
	if (r->seconds > MOST_SECONDS)
		return "more than 30 s";
	return r->psssp > 0 && r->seconds > r->psssp * MOST_TIMES_PSSSP ?
		       "more than 4 times psssp" : NULL;
}

static void print_row(const struct row *r)
{
	const char *wrong = what_is_wrong(r);

	printf("  %-16s %9.3f %9.2f", r->engine, r->seconds, per_entry(r));
	if (r->psssp > 0)
		printf(" %7.2f", r->seconds / r->psssp);
	else
		printf(" %7s", "");
	printf(" %6ld %12llu  %s\n", r->mb, (unsigned long long)r->most,
	       wrong ? wrong : "ok");
	fflush(stdout);
}

/* Runs the engines of a list, between blanks, on a fabric. */
static int bench(const char *size, const char *fabric, const char *engines)
{
	char text[512], *next = text, *word;
	double psssp = 0;
	int err = 0;

	snprintf(text, sizeof(text), "%s", engines);
	for (bool first = true; (word = strsep(&next, " ")); first = false) {
		struct row *r = &rows[nrows];

		if (!*word || nrows == MAX_ROWS)
			continue;
		*r = (struct row){ .size = size, .fabric = fabric };
		snprintf(r->engine, sizeof(r->engine), "%s", word);
		if (run(r)) {
			printf("%s\n  %-16s fails\n", fabric, word);
			err = 1;
			continue;
		}
		if (first)
			printf("%s: %u hosts, %u switches\n", fabric, r->hosts,
			       r->nsw);
		if (!strcmp(word, "psssp"))
			psssp = r->seconds;
		r->psssp = psssp;
		print_row(r);
		err |= what_is_wrong(r) != NULL;
		nrows++;
	}
	return err;
}

static bool is_alike(const struct row *a, const struct row *b)
{
	return a->size == b->size && !strcmp(a->engine, b->engine);
}

static int by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return a < b ? -1 : a > b;
}

/* Returns the median of a row's size and engine, for each entry. */
static double median(const struct row *r)
{
	double value[MAX_ROWS];
	unsigned n = 0;

	for (unsigned i = 0; i < nrows; i++)
		if (is_alike(r, &rows[i]))
			value[n++] = per_entry(&rows[i]);
	qsort(value, n, sizeof(*value), by_value);
	return (value[(n - 1) / 2] + value[n / 2]) / 2;
}

/* Prints the medians, and the rows far above theirs.  Returns 1 if there are
 * any. */
static int report(void)
{
	int cliffs = 0;

	printf("\nmedian of a size, ns for each entry\n");
	for (unsigned i = 0; i < nrows; i++) {
		bool first = true;

		for (unsigned k = 0; k < i; k++)
			first &= !is_alike(&rows[i], &rows[k]);
		if (first)
			printf("  %5s %-16s %9.2f\n", rows[i].size,
			       rows[i].engine, median(&rows[i]));
	}
	for (unsigned i = 0; i < nrows; i++) {
		double times = per_entry(&rows[i]) / median(&rows[i]);

		if (times <= CLIFF)
			continue;
		printf("%s: %.1f times the median: %s\n", rows[i].engine, times,
		       rows[i].fabric);
		cliffs = 1;
	}
	return cliffs;
}

static const struct size *find_size(const char *word)
{
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (!strcmp(word, sizes[i].thousands))
			return &sizes[i];
	return NULL;
}

static int bench_argument(const char *word, const char *engines)
{
	const struct size *size = find_size(word);
	int err = 0;

	if (!size)
		return bench("given", word, engines);
	for (unsigned i = 0; i < sizeof(size->fabric) / sizeof(char *); i++)
		err |= bench(size->thousands, size->fabric[i], engines);
	return err;
}

int main(int argc, char **argv)
{
	const char *engines = getenv("ENGINES");
	int err = 0;

	engines = engines ? engines : ENGINES;
	printf("  %-16s %9s %9s %7s %6s %12s\n", "", "seconds", "ns/entry",
	       "/ psssp", "MB", "most routes");
	for (int i = 1; i < argc; i++)
		err |= bench_argument(argv[i], engines);
	for (unsigned i = 0; argc < 2 && i < sizeof(sizes) / sizeof(sizes[0]);
	     i++)
		err |= bench_argument(sizes[i].thousands, engines);
	return err | report();
}
