// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-sim: how fast packets move, in seconds of one core, or with several
 * threads in those that pass, of as many cores: uniform random traffic of
 * packets of 2 kB on links of 4x QDR, tables by dmodk or weave, and long
 * messages that shift around the tree.  Hops are switches that packets pass;
 * memory is the most that the process had until then.
 *
 * Below, what a dragonfly gets beside what booksim2 gets on the same one, as it
 * was recorded: dragonflynew with k=2, packets of 32 flits, buffers of 256
 * flits for each of 3 lanes, injection rate 1; its UGAL leaves the short way for
 * 30 flits, which is a packet.  Its routers have one queue a lane, ours one for each
 * output: with a crossbar four times as fast as cables (internal speedup 4) fewest
 * wait there for others, with one as fast 56 % get through.
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
	unsigned threads;
} runs[] = {
	{ "648-port tree", "switch648", "dmodk", .1, 1000, WEFT_SIM_FIFO, 1 },
	{ "648-port tree", "switch648", "dmodk", .5, 1000, WEFT_SIM_FIFO, 1 },
	{ "648-port tree", "switch648", "dmodk", 1, 1000, WEFT_SIM_FIFO, 1 },
	{ "648-port tree", "switch648", "dmodk", 1, 1000, WEFT_SIM_VOQ, 1 },
	{ "648-port tree", "switch648", "dmodk", 0, 1000, WEFT_SIM_FIFO, 1 },
	{ "torus 8x8x8", "torus:8x8x8", "weave", 1, 1000, WEFT_SIM_FIFO, 1 },
	{ "3,456-host tree", "pgft:3;12,12,24;1,12,12;1,1,1", "dmodk", 1, 200,
	  WEFT_SIM_FIFO, 1 },
	{ "11,664-host tree", "pgft:3;18,18,36;1,18,18;1,1,1", "dmodk", 1, 100,
	  WEFT_SIM_FIFO, 1 },
	{ "11,664-host tree", "pgft:3;18,18,36;1,18,18;1,1,1", "dmodk", 1, 100,
	  WEFT_SIM_FIFO, 2 },
};

#define DRAGONFLY "dragonfly:4,2,2,9"
#define GROUP 8 /* hosts */

static const struct row {
	const char *name;
	enum weft_sim_paths paths;
	uint32_t bias;
	bool next;	/* all of a group send to the next one, else anywhere */
	double booksim; /* per cent; 0: it stands still */
} rows[] = {
	{ "short ways, anywhere", WEFT_SIM_UGAL_L, 1000000, false, 87.9 },
	{ "short ways, next group", WEFT_SIM_UGAL_L, 1000000, true, 12.5 },
	{ "UGAL-L, anywhere", WEFT_SIM_UGAL_L, 1, false, 84.3 },
	{ "UGAL-L, next group", WEFT_SIM_UGAL_L, 1, true, 0 },
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
	printf("%-16s %-7s %5s %-4s %7u %8.3f s %6.2f %7.2f %6ld %7.1f ",
	       run->name, run->engine, load, run->queues ? "voq" : "fifo",
	       run->threads, seconds, r->hops / seconds / 1e6, events / r->hops,
	       bench_peak_mb(), bench_peak_mb() * 1024. / r->hosts);
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
	double start = run->threads > 1 ? bench_now() : bench_cpu();

	if (weft_sim_run(f, routes, spec, &result, &diag))
		return 1;
	print(run, &result,
	      (run->threads > 1 ? bench_now() : bench_cpu()) - start);
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
	spec.threads = run->threads;
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

/* All hosts of each group to all of the next one, in turn. */
static struct weft_traffic *next_group(uint32_t hosts)
{
	struct weft_pair_list list = {
		.nranks = hosts,
		.nrounds = GROUP,
		.first = malloc((GROUP + 1) * sizeof(*list.first)),
		.pair = malloc((size_t)GROUP * hosts * sizeof(*list.pair)),
	};
	struct weft_traffic *traffic = NULL;

	for (uint32_t r = 0; r <= GROUP && list.first; r++)
		list.first[r] = (uint64_t)r * hosts;
	for (uint32_t i = 0; i < GROUP * hosts && list.pair; i++) {
		uint32_t from = i % hosts;

		list.pair[i] = (struct weft_pair){
			from,
			((from / GROUP + 1) * GROUP +
			 (from + i / hosts) % GROUP) %
				hosts,
		};
	}
	if (!list.first || !list.pair ||
	    weft_traffic_from_list(&list, hosts, &traffic, &diag))
		weft_pair_list_free(&list);
	return traffic;
}

static int run_row(const struct row *row, const struct weft_fabric *f,
		   const struct weft_routes *routes, struct weft_sim_spec *spec)
{
	struct weft_traffic *next = NULL;
	struct weft_sim result;

	if (row->next && !(next = next_group(f->nep)))
		return 1;
	spec->sequence = next;
	spec->paths = row->paths;
	spec->bias = row->bias;
	if (weft_sim_run(f, routes, spec, &result, &diag)) {
		weft_traffic_free(next);
		return 1;
	}
	printf("%-26s %8.1f %% ", row->name, 100 * result.throughput.mean);
	if (row->booksim > 0)
		printf("%8.1f %%\n", row->booksim);
	else
		printf("%10s\n", "stands");
	weft_sim_free(&result);
	weft_traffic_free(next);
	return 0;
}

/* The dragonfly beside booksim2. */
static int compare(void)
{
	static const struct run run = { "",   DRAGONFLY,    "minhop", 1,
					1000, WEFT_SIM_VOQ, 1 };
	const struct weft_mapping_spec guid = { .order = WEFT_ORDER_GUID };
	struct weft_routes routes = { 0 };
	struct weft_fabric *f = NULL;
	struct weft_mapping mapping;
	struct weft_sim_spec spec;
	struct weft_shape shape;
	int err = route(&run, &f, &routes);

	if (err || weft_mapping_init(&mapping, f, &guid, &diag) ||
	    weft_shape_find(f, &shape, &diag))
		return 1;
	weft_sim_preset(&spec);
	spec.mapping = &mapping;
	spec.time = run.us * 1000000;
	spec.queues = run.queues;
	spec.group = shape.group;
	printf("\n%-26s %10s %10s\n", DRAGONFLY, "weft", "booksim2");
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]) && !err; i++)
		err = run_row(&rows[i], f, &routes, &spec);
	weft_shape_free(&shape);
	weft_mapping_free(&mapping);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	return err;
}

/* bench-sim [NAME]: the runs whose fabric's name has that in it. */
int main(int argc, char **argv)
{
	printf("%-16s %-7s %5s %-4s %7s %10s %6s %7s %6s %7s  %s\n", "fabric",
	       "engine", "load", "", "threads", "time", "Mhop/s", "per hop",
	       "MB", "kB/host", "events");
	for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		if ((argc < 2 || strstr(runs[i].name, argv[1])) &&
		    bench(&runs[i]))
			return 1;
	return argc < 2 || strstr("dragonfly", argv[1]) ? compare() : 0;
}
