// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-ebb [SECONDS]: random bisections per second by one thread and by two,
 * beside what ORCS 2.0, the field's simulator, was measured to do (built -O3,
 * on the same routes).
 */
#include "bench.h"

#include <weft/weft.h>

#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *name, *spec;
	const char *orcs;	/* bisections per second */
} fabrics[] = {
	{ "648-port switch", "switch648", "26" },
	{ "3,456-host tree", "pgft:3;12,12,24;1,12,12;1,1,1", "0.7" },
	{ "11,664-host tree", "pgft:3;18,18,36;1,18,18;1,1,1", "-" },
};

static struct weft_diag diag = {
	.emit = weft_diag_stderr, .context = "bench-ebb",
};

/* Doubles the number of patterns until a run takes long enough. */
static int measure(const struct weft_fabric *f,
		   const struct weft_routes *routes, unsigned threads,
		   double seconds, struct weft_ebb *ebb, double *rate)
{
	struct weft_ebb_spec spec = {
		.patterns = 256, .seed = 1, .threads = threads,
	};
	double took;

	for (;;) {
		double start = bench_now();

		if (weft_ebb_run(f, routes, &spec, ebb, &diag))
			return -1;
		took = bench_now() - start;
		if (took >= seconds)
			break;
		spec.patterns *= 2;
	}
	*rate = spec.patterns / took;
	return 0;
}

static int bench(unsigned i, double seconds)
{
	const struct weft_engine *engine = weft_engine_find("psssp");
	struct weft_options *options = NULL;
	struct weft_fabric *f = NULL;
	struct weft_routes routes = { 0 };
	struct weft_ebb e;
	double rate, twice;
	int err = -1;

	if (!weft_options_new(&options, engine->options) &&
	    !weft_gen(fabrics[i].spec, &f, &diag) &&
	    !engine->route(f, options, &routes, &diag))
		err = measure(f, &routes, 2, seconds, &e, &twice) ||
		      measure(f, &routes, 1, seconds, &e, &rate) ? -1 : 0;
	if (!err)
		printf("%-17s %6u %9u %9llu   %.4f %12.0f %10.0f %6.2f %9s\n",
		       fabrics[i].name, e.hosts, f->nsw,
		       (unsigned long long)e.patterns, e.mean, rate, twice,
		       twice / rate, fabrics[i].orcs);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	weft_options_free(options);
	return err;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;

	printf("%-17s %6s %9s %9s %8s %12s %10s %6s %9s\n", "fabric", "hosts",
	       "switches", "patterns", "ebb", "patterns/s", "2 threads",
	       "times", "ORCS 2.0");
	for (unsigned i = 0; i < sizeof(fabrics) / sizeof(fabrics[0]); i++)
		if (bench(i, seconds))
			return 1;
	return 0;
}
