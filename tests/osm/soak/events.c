// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * events FABRIC EVENTS SEED MIDST RESTARTS STOCK: prints commands for osm-run
 * -i, so many events at random, each with a sweep and a line "run sh STEP KIND
 * HOSTS SWITCHES", where STEP is $SOAK_STEP and the two numbers are what the
 * subnet manager should see then.
 *
 * Of a hundred events that many as MIDST happen in the midst of a sweep, several
 * of them, and as many as RESTARTS to the subnet manager: stopped or killed and
 * started again, with its cache, without, with a file that is cut or another
 * fabric's ($SOAK_FOREIGN), after OpenSM's engine STOCK ("-": never), and once
 * in a run a standby takes over on another host.
 */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PENDING 5	/* events that were not undone, at most */
#define UP "SUBNET UP\\|ERRORS DURING INITIALIZATION"

/* Cables or a host that shall come back. */
struct pending {
	char kind[16];
	uint32_t *cable, n;
	uint32_t host;
};

struct soak {
	struct model m;
	struct pending pending[PENDING + 1];
	unsigned npending;
	uint32_t sm;		/* its plug */
	const char *stock;
};

static bool chance(struct soak *x, unsigned percent)
{
	return model_below(&x->m, 100) < percent;
}

/* --- events of the fabric --------------------------------------------- */

/* Takes the chosen cables away until they are to come back. */
static void cut(struct soak *x, const char *kind, const bool *chosen)
{
	struct pending *p = &x->pending[x->npending++];

	snprintf(p->kind, sizeof(p->kind), "%s", kind);
	p->n = 0;
	p->cable = calloc(x->m.ncables + 1, sizeof(*p->cable));
	if (!p->cable)
		exit(99);
	for (uint32_t i = 0; i < x->m.ncables; i++)
		if (chosen[i] && x->m.cable[i].up) {
			p->cable[p->n++] = i;
			model_set(&x->m, i, false);
		}
}

static void undo(struct soak *x, char kind[32])
{
	unsigned i = model_below(&x->m, x->npending);
	struct pending p = x->pending[i];

	snprintf(kind, 32, "%s-back", p.kind);
	for (uint32_t k = 0; k < p.n; k++)
		model_set(&x->m, p.cable[k], true);
	if (!p.cable)
		model_set_host(&x->m, p.host, true);
	free(p.cable);
	x->pending[i] = x->pending[--x->npending];
}

/* Chooses that many of the cables that are there. */
static void choose(struct soak *x, bool *chosen, uint32_t n)
{
	for (uint32_t tries = 0; n && tries < 50 * x->m.ncables; tries++) {
		uint32_t i = model_below(&x->m, x->m.ncables);

		if (!x->m.cable[i].up || chosen[i])
			continue;
		chosen[i] = true;
		n--;
	}
}

/* Chooses the cables of switches, but for the subnet manager's own; or those
 * from these to all others. */
static void choose_switches(struct soak *x, bool *chosen, const bool *sw,
			    bool border)
{
	uint32_t leaf = x->m.plug[x->sm].sw;

	for (uint32_t i = 0; i < x->m.ncables; i++) {
		const uint32_t *node = x->m.cable[i].node;

		chosen[i] = border ? sw[node[0]] != sw[node[1]] :
			    (sw[node[0]] && node[0] != leaf) ||
			    (sw[node[1]] && node[1] != leaf);
	}
}

/* Another host than the subnet manager's. */
static uint32_t some_host(struct soak *x)
{
	uint32_t h;

	do
		h = model_below(&x->m, x->m.nplugs);
	while (h == x->sm || !x->m.plug[h].up);
	return h;
}

static void lose_host(struct soak *x)
{
	struct pending *p = &x->pending[x->npending++];

	*p = (struct pending){ .kind = "host", .host = some_host(x) };
	model_set_host(&x->m, p->host, false);
}

static const char *move_host(struct soak *x)
{
	uint32_t h = some_host(x), g;

	if (model_move(&x->m, h, x->m.sw[model_below(&x->m, x->m.nsw)]))
		return "move";
	do
		g = some_host(x);
	while (g == h);
	model_swap(&x->m, h, g);
	return "swap";
}

/* What may happen, and how often of a hundred times. */
static const struct {
	const char *kind;
	unsigned percent;
} kinds[] = {
	{ "cable", 30 }, { "cables5%", 12 }, { "switch", 14 },
	{ "chassis", 8 }, { "random20%", 6 }, { "all", 4 }, { "split", 6 },
	{ "move", 6 }, { "guid", 6 }, { "host", 8 },
};

static const char *draw(struct soak *x)
{
	unsigned at = model_below(&x->m, 100), k = 0;

	while (at >= kinds[k].percent)
		at -= kinds[k++].percent;
	return kinds[k].kind;
}

static void happen_to_switches(struct soak *x, const char *kind, bool *chosen)
{
	struct model *m = &x->m;
	bool *sw = calloc(m->nnodes, sizeof(*sw));
	uint32_t first = model_below(m, m->nsw), n = 1;

	if (!sw)
		exit(99);
	if (!strcmp(kind, "chassis"))
		n = m->nsw / 12 > 4 ? m->nsw / 12 : 4;
	else if (!strcmp(kind, "split"))
		n = m->nsw / 2;
	else if (!strcmp(kind, "all"))
		n = m->nsw;
	for (uint32_t i = 0; i < n; i++)
		sw[m->sw[(first + i) % m->nsw]] = true;
	choose_switches(x, chosen, sw, !strcmp(kind, "split"));
	free(sw);
	cut(x, kind, chosen);
}

/* Prints one event; its name is kind. */
static void happen(struct soak *x, char kind[32])
{
	bool *chosen = calloc(x->m.ncables + 1, sizeof(*chosen));
	const char *what = draw(x);

	if (!chosen)
		exit(99);
	if (x->npending == PENDING || (x->npending && chance(x, 45))) {
		undo(x, kind);
		free(chosen);
		return;
	}
	if (!strcmp(what, "move"))
		what = move_host(x);
	else if (!strcmp(what, "guid"))
		model_guid(&x->m, some_host(x));
	else if (!strcmp(what, "host"))
		lose_host(x);
	else if (strncmp(what, "cable", 5) && strncmp(what, "random", 6))
		happen_to_switches(x, what, chosen);
	else {
		choose(x, chosen, !strcmp(what, "cable") ? 1 :
		       !strcmp(what, "cables5%") ? x->m.ncables / 20 + 1 :
						   x->m.ncables / 5);
		cut(x, what, chosen);
	}
	snprintf(kind, 32, "%s", what);
	free(chosen);
}

static void event(struct soak *x, char kind[32])
{
	printf("sim");
	happen(x, kind);
	printf("\n");
}

/* --- events of the subnet manager ------------------------------------- */

static const char *sm_node(const struct soak *x)
{
	return x->m.node[x->m.plug[x->sm].node].id;
}

static void step(const struct soak *x, const char *kind)
{
	uint32_t hosts, switches;

	model_count(&x->m, x->sm, &hosts, &switches);
	printf("run sh \"$SOAK_STEP\" %s %u %u\n", kind, hosts, switches);
}

static void start(const struct soak *x, const char *line)
{
	printf("start %s%s\nawait " UP "\n", sm_node(x), line);
}

/* A standby on another host takes over, once it is one, which its log tells at
 * this level.  A master that sweeps just then hands over to a lower GUID before that
 * one is a standby. */
static bool take_over(struct soak *x)
{
	const char *first = sm_node(x);
	uint32_t other = x->sm;

	for (unsigned tries = 0; other == x->sm && tries < 100; tries++) {
		uint32_t host = some_host(x);

		if (model_joined(&x->m, x->sm, host))
			other = host;
	}
	if (other == x->sm)
		return false;
	x->sm = other;
	printf("start %s log_flags 0x47\n"
	       "await SM State 2\\|ENTERING SM MASTER STATE\n"
	       "kill %s\nawait " UP "\n", sm_node(x), first);
	return true;
}

#define TAKE_OVER 6
static void restart(struct soak *x, char kind[32])
{
	static const char *const names[] = {
		"restart", "killed", "no-cache", "file-cut", "file-foreign",
		"from-stock",
	};
	unsigned what = model_below(&x->m, TAKE_OVER + 1);
	char file[80], fault[32] = "";

	if (what == TAKE_OVER && take_over(x)) {
		snprintf(kind, 32, "standby");
		return;
	}
	if (what == TAKE_OVER || (what == 5 && !strcmp(x->stock, "-")))
		what = 1;
	snprintf(kind, 32, "%s", names[what]);
	snprintf(file, sizeof(file), "\"$OSM_TMP_DIR/%s/cache/weft-standing\"",
		 sm_node(x));
	puts(what == 1 ? "kill" : "stop");
	if (what == 2)
		printf("run rm -f %s\n", file);
	else if (what == 3)
		printf("run if [ -f %s ]; then truncate -s 500 %s; fi\n", file,
		       file);
	else if (what == 4)
		printf("run cp \"$SOAK_FOREIGN\" %s\n", file);
	if (what == 5) {
		char line[64];

		snprintf(line, sizeof(line), " routing_engine %s", x->stock);
		start(x, line);
		step(x, "to-stock");
		puts("stop");
	}
	if (chance(x, 40)) {
		event(x, fault);
		snprintf(kind, 32, "%s+fault", names[what]);
	}
	start(x, "");
}

/* --- all ------------------------------------------------------------ */

/* Several events while opensm sweeps, and requests for more sweeps. */
static void midst(struct soak *x, char kind[32])
{
	unsigned n = 2 + model_below(&x->m, 3);

	puts("run kill -HUP $OSM_PID");
	for (unsigned i = 0; i < n; i++) {
		printf("run sleep 0.%03u\n", model_below(&x->m, 120));
		event(x, kind);
		if (chance(x, 30))
			puts("run kill -HUP $OSM_PID");
	}
	puts("sweep " UP);
	snprintf(kind, 32, "midst");
}

int main(int argc, char **argv)
{
	struct soak x = { .npending = 0 };
	unsigned long events;
	unsigned percent_midst, percent_restarts;
	char kind[32];

	if (argc != 7) {
		fputs("usage: events FABRIC EVENTS SEED MIDST RESTARTS STOCK\n",
		      stderr);
		return 99;
	}
	model_read(&x.m, argv[1]);
	events = strtoul(argv[2], NULL, 10);
	x.m.state = strtoull(argv[3], NULL, 10) * 0x9e3779b97f4a7c15ull + 1;
	percent_midst = atoi(argv[4]);
	percent_restarts = atoi(argv[5]);
	x.stock = argv[6];
	step(&x, "start");
	for (unsigned long i = 0; i < events; i++) {
		bool sweeps = true;

		if (chance(&x, percent_restarts)) {
			restart(&x, kind);
			sweeps = false;
		} else if (chance(&x, percent_midst)) {
			midst(&x, kind);
		} else {
			event(&x, kind);
		}
		if (sweeps)
			puts("sweep " UP);
		step(&x, kind);
	}
	while (x.npending) {
		printf("sim");
		undo(&x, kind);
		puts("\nsweep " UP);
		step(&x, kind);
	}
	puts("sweep " UP);
	step(&x, "end");
	return 0;
}
