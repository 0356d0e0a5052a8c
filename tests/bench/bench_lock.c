// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench-lock [-n EVENTS] [FABRIC [ENGINE [OPTION=VALUE]...]]: for how long a
 * plugin holds OpenSM's lock, in a stand-in for OpenSM with a subnet that was
 * made up, so of any size (milliseconds of processor time): in the first sweep
 * of all, when a cable between switches is out, when tables are improved after
 * that, if it is a sweep of its own, and when the cable is back.  Then the way
 * to better tables, if the first ones were not the engine's: how many sweeps and
 * blocks.  Without FABRIC: trees of 3,456, 11,664 and 40,960 hosts.  The peer,
 * an engine that computes nothing, takes no time here; what OpenSM does itself
 * is in bench-osm.
 */
#include "bench/bench.h"
#include "../unit/plugins/shim_util.h"

#include <weft/weft.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEED 36

static const char *const trees[] = {
	"pgft:3;12,12,24;1,12,12;1,1,1", "pgft:3;18,18,36;1,18,18;1,1,1",
	"pgft:3;32,40,32;1,32,20;1,1,1",
};

struct world {
	struct weft_fabric *f;
	struct shim_subnet *s;
	struct osm_routing_engine re;
	struct weft_rng *rng;
};

static void die(const char *what)
{
	fprintf(stderr, "bench-lock: %s\n", what);
	exit(2);
}

/* Seconds that this thread has computed. */
static double own_cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* A heavy sweep.  Returns for how many ms it held the lock, less those in which
 * other processes had the processor. */
static double sweep(struct world *w, unsigned long *blocks)
{
	double begin;

	weft__shim_idle(w->re.context);
	shim_log_clear();
	shim_subnet_prepare(w->s);
	begin = own_cpu();
	if (w->re.build_lid_matrices(w->re.context) ||
	    w->re.ucast_build_fwd_tables(w->re.context))
		die("the sweep was refused");
	begin = own_cpu() - begin;
	*blocks = shim_send(w->s);
	return begin * 1000;
}

static void open_world(struct world *w, const char *fabric, const char *engine,
		       const char *conf)
{
	static char words[256];
	struct weft_input in;

	*w = (struct world){ .rng = weft_rng_new(SEED) };
	if (weft_input_open(fabric, true, &in, NULL) ||
	    weft_fabric_assign_lids(in.fabric, -1, &w->f, NULL))
		die(fabric);
	weft_input_close(&in);
	w->s = shim_subnet_new(w->f);
	w->s->osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	snprintf(words, sizeof(words), "weft.conf=%s", conf);
	w->s->osm->subn.opt.event_plugin_options = words;
	w->re.context = (void *)weft_engine_find(engine);
	if (!w->re.context || weft__shim_setup(&w->re, w->s->osm))
		die(engine);
}

static void close_world(struct world *w)
{
	w->re.destroy(w->re.context);
	shim_subnet_free(w->s);
	weft_fabric_free(w->f);
	weft_rng_free(w->rng);
}

/* Sweeps for which the plugin asks, until it asks no more. */
static void improve(struct world *w)
{
	unsigned long blocks, all = 0, most = 0;
	unsigned n = 0, asked = 0;
	double begin = bench_now(), ms = 0, last = begin;

	while (bench_now() - last < 600) {
		double now;

		if (shim_asked == asked) {
			usleep(10000);
			continue;
		}
		asked = shim_asked;
		now = sweep(w, &blocks);
		ms = now > ms ? now : ms;
		all += blocks;
		most = blocks > most ? blocks : most;
		n++;
		last = bench_now();
		if (strstr(shim_log, " 0 are left"))
			break;
	}
	printf("  better tables: %u sweeps, %lu blocks, %lu at most, %.1f ms at most, after %.1f s\n",
	       n, all, most, ms, last - begin);
}

/* Figures of sweeps of a kind. */
struct figures {
	unsigned n;
	double ms, most;
	unsigned long blocks;
};

static void measure(struct world *w, struct figures *f)
{
	unsigned long blocks;
	double ms = sweep(w, &blocks);

	f->n++;
	f->ms += ms;
	f->most = ms > f->most ? ms : f->most;
	f->blocks += blocks;
}

static void print_figures(const char *what, const struct figures *f)
{
	if (f->n)
		printf("  %-11s %8.1f, at most %8.1f; %.1f blocks\n", what,
		       f->ms / f->n, f->most, (double)f->blocks / f->n);
}

/* Takes a cable out, has tables be improved, and puts it back. */
static void break_cable(struct world *w, struct figures f[3])
{
	uint32_t ch = w->f->adj[weft_rng_below(w->rng,
					       w->f->adj_first[w->f->nsw])];
	unsigned asked = shim_asked;

	shim_set_cable(w->s, w->f, ch, false);
	measure(w, &f[0]);
	weft__shim_idle(w->re.context);
	if (shim_asked != asked)
		measure(w, &f[1]);
	shim_set_cable(w->s, w->f, ch, true);
	measure(w, &f[2]);
}

static void bench(const char *fabric, const char *engine, const char *conf,
		  unsigned n)
{
	struct figures f[3] = { { .n = 0 } };
	unsigned long blocks;
	struct world w;
	double first;

	open_world(&w, fabric, engine, conf);
	first = sweep(&w, &blocks);
	printf("%s, %s: %u hosts, %u switches; ms under the lock\n"
	       "  first sweep %8.1f\n", fabric, engine, w.f->nhosts, w.f->nsw,
	       first);
	fflush(stdout);
	if (strstr(shim_log, "first_budget"))
		improve(&w);
	for (unsigned i = 0; i < n; i++)
		break_cable(&w, f);
	print_figures("a cable out", &f[0]);
	print_figures("improved", &f[1]);
	print_figures("back", &f[2]);
	fflush(stdout);
	close_world(&w);
}

int main(int argc, char **argv)
{
	const char *engine = "weave";
	char conf[] = "/tmp/bench-lock.XXXXXX";
	unsigned n = 10;
	int option, fd;
	FILE *file;

	while ((option = getopt(argc, argv, "n:")) != -1)
		if (option != 'n' || !(n = atoi(optarg)))
			die("usage: bench-lock [-n EVENTS] [FABRIC [ENGINE [OPTION=VALUE]...]]");
	fd = mkstemp(conf);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		die(conf);
	fprintf(file, "[weft]\nrebalance_pause = 0\nsweeps_size = 0\n");
	for (int i = optind + 2; i < argc; i++)
		fprintf(file, "%s\n", argv[i]);
	fclose(file);
	if (optind + 1 < argc)
		engine = argv[optind + 1];
	if (optind < argc)
		bench(argv[optind], engine, conf, n);
	for (size_t i = 0; optind >= argc && i < 3; i++)
		bench(trees[i], engine, conf, n);
	unlink(conf);
	return 0;
}
