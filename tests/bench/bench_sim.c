// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-sim: how fast packets move, in seconds of one core: uniform random
 * traffic of packets of 2 kB on links of 4x QDR, tables by dmodk or weave, and
 * long messages that shift around the tree.  Hops are switches that packets
 * pass.
 */
#include "bench.h"

#include <weft/weft.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct run {
	const char *name, *spec, *engine;
	double load; /* 0: shift by half of the hosts */
	uint64_t us;
	enum weft_sim_queues queues;
} runs[] = {
	{ "648-port tree", "switch648", "dmodk", .1, 1000, WEFT_SIM_FIFO },
	{ "648-port tree", "switch648", "dmodk", .5, 1000, WEFT_SIM_FIFO },
	{ "648-port tree", "switch648", "dmodk", 1, 1000, WEFT_SIM_FIFO },
	{ "648-port tree", "switch648", "dmodk", 1, 1000, WEFT_SIM_VOQ },
	{ "648-port tree", "switch648", "dmodk", 0, 1000, WEFT_SIM_FIFO },
	{ "torus 8x8x8", "torus:8x8x8", "weave", 1, 1000, WEFT_SIM_FIFO },
	{ "3,456-host tree", "pgft:3;12,12,24;1,12,12;1,1,1", "dmodk", 1, 200,
	  WEFT_SIM_FIFO },
	{ "11,664-host tree", "pgft:3;18,18,36;1,18,18;1,1,1", "dmodk", 1, 100,
	  WEFT_SIM_FIFO },
};

static struct weft_diag diag = {
	.emit = weft_diag_stderr,
	.context = "bench-sim",
};

static int route(const struct run *run, struct weft_fabric **fabric,
		 struct weft_routes *routes)
{
	const struct weft_engine *engine = weft_engine_find(run->engine);
	struct weft_options *options = NULL;
	int err = weft_gen(run->spec, fabric, &diag);

	if (!err)
		err = weft_options_new(&options, engine->options);
	if (!err)
		err = weft_io_read_objectives(options, &diag);
	if (!err)
		err = engine->route(*fabric, options, routes, &diag);
	weft_options_free(options);
	return err;
}

static void print(const struct run *run, const struct weft_sim *r,
		  double seconds)
{
	char load[16] = "shift";
	double events = 0;

	if (run->load > 0)
		snprintf(load, sizeof(load), "%.0f %%", 100 * run->load);
	for (unsigned i = 0; i < WEFT_SIM_EVENTS; i++)
		events += r->events[i];
	printf("%-16s %-7s %5s %-4s %8.3f s %6.2f %7.2f %6ld ", run->name,
	       run->engine, load, run->queues ? "voq" : "fifo", seconds,
	       r->hops / seconds / 1e6, events / r->hops, bench_peak_mb());
	for (unsigned i = 0; i < WEFT_SIM_EVENTS; i++)
		printf(" %s %.0f %%", weft_sim_event_name(i),
		       100 * r->events[i] / events);
	putchar('\n');
	fflush(stdout);
}

static int simulate(const struct run *run, const struct weft_fabric *f,
		    const struct weft_routes *routes,
		    struct weft_sim_spec *spec)
{
	struct weft_sim result;
	double start = bench_cpu();

	if (weft_sim_run(f, routes, spec, &result, &diag))
		return 1;
	print(run, &result, bench_cpu() - start);
	weft_sim_free(&result);
	return 0;
}

static int bench(const struct run *run)
{
	const struct weft_mapping_spec guid = { .order = WEFT_ORDER_GUID };
	struct weft_traffic *shift = NULL;
	struct weft_routes routes = { 0 };
	struct weft_fabric *f = NULL;
	struct weft_mapping mapping;
	struct weft_sim_spec spec;
	char text[32];
	int err = route(run, &f, &routes);

	if (err || weft_mapping_init(&mapping, f, &guid, &diag))
		return 1;
	weft_sim_preset(&spec);
	spec.mapping = &mapping;
	spec.time = run->us * 1000000;
	spec.load = run->load;
	spec.queues = run->queues;
	if (run->load <= 0) {
		snprintf(text, sizeof(text), "shift:distance=%u",
			 mapping.nranks / 2);
		err = weft_traffic_new(text, mapping.nranks, &shift, &diag);
		spec.traffic = shift;
		spec.bytes = 1ull << 40;
	}
	err = err || simulate(run, f, &routes, &spec);
	weft_traffic_free(shift);
	weft_mapping_free(&mapping);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	return err;
}

/* bench-sim [NAME]: the runs whose fabric's name has that in it. */
int main(int argc, char **argv)
{
	printf("%-16s %-7s %5s %-4s %10s %6s %7s %6s  %s\n", "fabric", "engine",
	       "load", "", "time", "Mhop/s", "per hop", "MB", "events");
	for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		if ((argc < 2 || strstr(runs[i].name, argv[1])) &&
		    bench(&runs[i]))
			return 1;
	return 0;
}
