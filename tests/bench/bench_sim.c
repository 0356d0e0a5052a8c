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
 * 30 flits, which is a packet.  Cables and switches of ours take as long as its
 * do, since UGAL counts packets on a cable, and those whose credits are on their
 * way back, as those that wait.  Its routers have one queue a lane, ours one
 * for each output: with a crossbar four times as fast as cables (internal speedup
 * 4) fewest wait there for others, with one as fast 56 % get through.
 *
 * Its rules are not ours, though: over a third group it goes to a drawn switch
 * of it, in lanes that go round in circles, and knows neither Valiant's rule
 * nor UGAL-G nor PAR.  So below these rows both have the same rules, lanes and
 * a queue for each output (tests/bench/booksim2.diff), and buffers of 512
 * flits, 16 packets: credits here are of whole packets, which 8 packets are
 * hardly enough for on a cable of 100 flits.
 *
 * With the program in the variable BOOKSIM it is run, too, instead of what was
 * recorded, and tells how many switches packets pass in a second of the processor.
 */
#include "bench.h"

#include <weft/weft.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
#define HOSTS 72
#define GROUP 8 /* hosts */
#define FLIT 16203 /* ps that a 32th of a packet is on a cable of 4x QDR */

#define SHORT 1000000 /* packets that no output has: no way is longer */

/* Of booksim2 as in booksim2.diff: lanes, each with a queue for 7 ports. */
#define SAME_3                                                                 \
	"noq=1 buffer_policy=shared num_vcs=21 private_bufs=3 buf_size=1536 "  \
	"private_buf_size=512 vc_buf_size=512 routing_function=longer "
#define SAME_4                                                                 \
	"noq=1 buffer_policy=shared num_vcs=28 private_bufs=4 buf_size=2048 "  \
	"private_buf_size=512 vc_buf_size=512 routing_function=longer "

static const struct row {
	const char *name;
	enum weft_sim_paths paths;
	uint32_t bias;
	unsigned packets; /* of a buffer */
	bool next;	/* all of a group send to the next one, else anywhere */
	double booksim; /* per cent; 0: it stands still */
	const char *options; /* of booksim2 */
} rows[] = {
	{ "short ways, anywhere", WEFT_SIM_UGAL_L, SHORT, 8, false, 87.7,
	  "routing_function=min traffic=uniform" },
	{ "short ways, next group", WEFT_SIM_UGAL_L, SHORT, 8, true, 12.5,
	  "routing_function=min traffic=bad_dragon" },
	{ "UGAL-L, anywhere", WEFT_SIM_UGAL_L, 1, 8, false, 84.9,
	  "routing_function=ugal traffic=uniform" },
	{ "UGAL-L, next group", WEFT_SIM_UGAL_L, 1, 8, true, 0, NULL },
}, same[] = {
	{ "short ways, anywhere", WEFT_SIM_UGAL_L, SHORT, 16, false, 96.6,
	  SAME_3 "longer=short traffic=uniform" },
	{ "short ways, next group", WEFT_SIM_UGAL_L, SHORT, 16, true, 12.5,
	  SAME_3 "longer=short traffic=bad_dragon" },
	{ "Valiant, anywhere", WEFT_SIM_VALIANT, 1, 16, false, 55.9,
	  SAME_3 "longer=valiant traffic=uniform" },
	{ "Valiant, next group", WEFT_SIM_VALIANT, 1, 16, true, 44.1,
	  SAME_3 "longer=valiant traffic=bad_dragon" },
	{ "UGAL-L, anywhere", WEFT_SIM_UGAL_L, 1, 16, false, 96.7,
	  SAME_3 "longer=ugal_l traffic=uniform" },
	{ "UGAL-L, next group", WEFT_SIM_UGAL_L, 1, 16, true, 52.7,
	  SAME_3 "longer=ugal_l traffic=bad_dragon" },
	{ "UGAL-G, anywhere", WEFT_SIM_UGAL_G, 1, 16, false, 96.3,
	  SAME_3 "longer=ugal_g traffic=uniform" },
	{ "UGAL-G, next group", WEFT_SIM_UGAL_G, 1, 16, true, 54.9,
	  SAME_3 "longer=ugal_g traffic=bad_dragon" },
	{ "PAR, anywhere", WEFT_SIM_PAR, 1, 16, false, 96.9,
	  SAME_4 "longer=par traffic=uniform" },
	{ "PAR, next group", WEFT_SIM_PAR, 1, 16, true, 54.8,
	  SAME_4 "longer=par traffic=bad_dragon" },
};

static const char booksim_config[] =
	"topology = dragonflynew; k = 2; n = 1; num_vcs = 3; vc_buf_size = 256; "
	"packet_size = 32; injection_rate_uses_flits = 1; injection_rate = 1.0; "
	"wait_for_tail_credit = 0; priority = none; "
	"vc_allocator = separable_input_first; "
	"sw_allocator = separable_input_first; alloc_iters = 1; "
	"credit_delay = 2; routing_delay = 0; vc_alloc_delay = 1; "
	"sw_alloc_delay = 1; st_final_delay = 1; input_speedup = 1; "
	"output_speedup = 1; internal_speedup = 4.0; sim_type = throughput; "
	"warmup_periods = 3; sample_period = 4000; sim_count = 1;\n";

/* What booksim2 got. */
struct booksim {
	double cycles, flits, hops; /* of each host a cycle; of a packet */
	double seconds;		    /* of the processor */
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

/* Runs it with a file of its configuration. */
static void run_booksim(const char *program, const char *config,
			const char *options, struct booksim *got)
{
	char line[512];
	double before = bench_children();
	FILE *out;

	snprintf(line, sizeof(line), "'%s' %s %s", program, config, options);
	out = popen(line, "r");
	while (out && fgets(line, sizeof(line), out)) {
		sscanf(line, "Time taken is %lf", &got->cycles);
		sscanf(line, "Accepted flit rate average = %lf", &got->flits);
		sscanf(line, "Hops average = %lf", &got->hops);
	}
	if (out)
		pclose(out);
	got->seconds = bench_children() - before;
}

/* Whether booksim2 is there, stands for the row and went well. */
static bool ask_booksim(const struct row *row, struct booksim *got)
{
	const char *program = getenv("BOOKSIM");
	char config[] = "/tmp/bench-sim.XXXXXX";
	int fd;

	*got = (struct booksim){ 0 };
	if (!program || !row->options)
		return false;
	fd = mkstemp(config);
	if (fd < 0)
		return false;
	if (write(fd, booksim_config, sizeof(booksim_config) - 1) > 0)
		run_booksim(program, config, row->options, got);
	close(fd);
	unlink(config);
	return got->hops > 0;
}

static void print_row(const struct row *row, const struct weft_sim *r,
		      double seconds)
{
	struct booksim got;

	printf("%-26s %8.1f %% %6.2f ", row->name, 100 * r->throughput.mean,
	       r->hops / seconds / 1e6);
	if (ask_booksim(row, &got))
		printf("%8.1f %% %8.4f\n", 100 * got.flits,
		       got.cycles * HOSTS * got.flits / 32 * got.hops /
			       got.seconds / 1e6);
	else if (row->booksim > 0)
		printf("%8.1f %% %8s\n", row->booksim, "recorded");
	else
		printf("%10s\n", "stands");
	fflush(stdout);
}

static int run_row(const struct row *row, const struct weft_fabric *f,
		   const struct weft_routes *routes, struct weft_sim_spec *spec)
{
	struct weft_traffic *next = NULL;
	struct weft_sim result;
	double start;
	int err;

	if (row->next && !(next = next_group(f->nep)))
		return 1;
	spec->sequence = next;
	spec->paths = row->paths;
	spec->bias = row->bias;
	spec->buffer = row->packets * 33 * WEFT_SIM_BLOCK;
	start = bench_cpu();
	err = weft_sim_run(f, routes, spec, &result, &diag);
	if (!err) {
		print_row(row, &result, bench_cpu() - start);
		weft_sim_free(&result);
	}
	weft_traffic_free(next);
	return err;
}

/* What cables of booksim2's dragonfly take; NULL without memory. */
static uint64_t *lengths(const struct weft_fabric *f, const uint32_t *group)
{
	uint64_t *cable = calloc(f->nch, sizeof(*cable));

	for (uint32_t ch = 0; ch < f->nch && cable; ch++) {
		uint32_t to = f->peer[ch], from;

		if (to == WEFT_NONE)
			continue;
		from = f->peer[f->reverse[ch]];
		if (!weft_is_switch(to) || !weft_is_switch(from))
			cable[ch] = FLIT;
		else
			cable[ch] = (group[from] == group[to] ? 10 : 100) * FLIT;
	}
	return cable;
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
	uint64_t *cable;
	int err = route(&run, &f, &routes);

	if (err || weft_mapping_init(&mapping, f, &guid, &diag) ||
	    weft_shape_find(f, &shape, &diag))
		return 1;
	cable = lengths(f, shape.group);
	if (!cable)
		return 1;
	weft_sim_preset(&spec);
	spec.mapping = &mapping;
	spec.time = run.us * 1000000;
	spec.queues = run.queues;
	spec.group = shape.group;
	spec.cable_of = cable;
	spec.relay = 3 * FLIT;
	printf("\n%-26s %10s %6s %10s %8s\n", DRAGONFLY, "weft", "Mhop/s",
	       "booksim2", "Mhop/s");
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]) && !err; i++)
		err = run_row(&rows[i], f, &routes, &spec);
	puts("with the same rules, lanes and queues");
	for (unsigned i = 0; i < sizeof(same) / sizeof(same[0]) && !err; i++)
		err = run_row(&same[i], f, &routes, &spec);
	free(cable);
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
