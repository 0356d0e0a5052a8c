// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-worst: how long WORST takes, on one thread.
 */
#include "bench.h"

#include <weft/weft.h>

#include <stdio.h>

static const struct {
	const char *name, *spec, *engine;
	int lmc;
} runs[] = {
	{ "T(24+24,48)", "pgft:2;24,48;1,24;1,1", "dmodk", 0 },
	{ "T(24+24,48)", "pgft:2;24,48;1,24;1,1", "opt", 3 },
	{ "T(24+24,48)", "pgft:2;24,48;1,24;1,1", "random", 4 },
	{ "3,456-host tree", "pgft:3;12,12,24;1,12,12;1,1,1", "psssp", 0 },
	{ "11,664-host tree", "pgft:3;18,18,36;1,18,18;1,1,1", "dmodk", 0 },
	{ "random, 640 hosts", "random:64,12,10,seed=1", "psssp", 0 },
};

static struct weft_diag diag = {
	.emit = weft_diag_stderr, .context = "bench-worst",
};

static int route(unsigned i, struct weft_fabric **fabric,
		 struct weft_routes *routes)
{
	const struct weft_engine *engine = weft_engine_find(runs[i].engine);
	struct weft_options *options = NULL;
	struct weft_fabric *plain = NULL;
	int err = weft_gen(runs[i].spec, &plain, &diag);

	if (!err)
		err = weft_fabric_assign_lids(plain, runs[i].lmc, fabric,
					      &diag);
	if (!err)
		err = weft_options_new(&options, engine->options);
	if (!err)
		err = engine->route(*fabric, options, routes, &diag);
	weft_options_free(options);
	weft_fabric_free(plain);
	return err;
}

static int bench(unsigned i, bool links)
{
	struct weft_fabric *f = NULL;
	struct weft_routes routes = { 0 };
	struct weft_worst_spec spec = { .links = links };
	struct weft_worst worst;
	double start;
	int err = route(i, &f, &routes);

	if (runs[i].lmc && !routes.lid_offset)
		spec.lids = WEFT_LID_RANDOM;
	start = bench_now();
	if (!err)
		err = weft_worst_run(f, &routes, &spec, &worst, &diag);
	if (!err) {
		printf("%-18s %-7s %3d %6u %8.3f s%s\n", runs[i].name,
		       runs[i].engine, runs[i].lmc, worst.load,
		       bench_now() - start, links ? "  every channel" : "");
		weft_worst_free(&worst);
	}
	weft_routes_free(&routes);
	weft_fabric_free(f);
	return err;
}

int main(void)
{
	printf("%-18s %-7s %3s %6s %10s\n", "fabric", "engine", "LMC", "WORST",
	       "time");
	for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		if (bench(i, false) || bench(i, true))
			return 1;
	return 0;
}
