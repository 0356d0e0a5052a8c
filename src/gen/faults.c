// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Failures: switches first, then cables of what is left.
 *
 * Candidates are gone through in random order.  Which cables a connected
 * fabric can do without in that order is known at once: not those of the
 * spanning tree that Kruskal's algorithm builds in the opposite order.  A
 * switch may fail when its neighbours reach each other without it.
 */
#include "gen/net.h"

#include "core/sets.h"
#include "core/text/number.h"

#include <weft/rng.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool keeps_connected(const struct weft__gen_spec *spec)
{
	return weft__gen_get(spec, WEFT__GEN_CONNECTED) == WEFT__GEN_YES;
}

static bool cable_lives(const struct weft__net *net,
			const struct weft__net_cable *c)
{
	return !c->dead && !net->sw[c->a].dead && !net->sw[c->b].dead;
}

/* Switches as a graph: cables of switch s are cable[first[s] ..]. */
struct graph {
	uint32_t *first, *cable;
	uint32_t *seen;		/* stamp of the search that met a switch */
	uint32_t *stack;
	uint32_t stamp;
};

static void graph_free(struct graph *g)
{
	free(g->first);
	free(g->cable);
	free(g->seen);
	free(g->stack);
}

static bool graph_build(const struct weft__net *net, struct graph *g)
{
	size_t n = net->nsw, m = net->ncables;

	*g = (struct graph){
		.first = calloc(n + 2, sizeof(uint32_t)),
		.cable = malloc((2 * m + 1) * sizeof(uint32_t)),
		.seen = calloc(n + 1, sizeof(uint32_t)),
		.stack = malloc((n + 1) * sizeof(uint32_t)),
	};
	if (!g->first || !g->cable || !g->seen || !g->stack)
		return false;
	for (size_t i = 0; i < m; i++) {
		g->first[net->cable[i].a + 2]++;
		g->first[net->cable[i].b + 2]++;
	}
	for (size_t s = 2; s <= n; s++)
		g->first[s] += g->first[s - 1];
	for (size_t i = 0; i < m; i++) {
		g->cable[g->first[net->cable[i].a + 1]++] = i;
		g->cable[g->first[net->cable[i].b + 1]++] = i;
	}
	return true;
}

static uint32_t far_end(const struct weft__net *net, uint32_t cable,
			uint32_t sw)
{
	const struct weft__net_cable *c = &net->cable[cable];

	return c->a == sw ? c->b : c->a;
}

/*
 * True if the living neighbours of sw reach each other without it, or there are
 * none.  The search from one of them stops as soon as all are met.
 */
static bool dispensable(const struct weft__net *net, struct graph *g,
			uint32_t sw)
{
	uint32_t top = 0, wanted = 0, seen = ++g->stamp;

	for (uint32_t i = g->first[sw]; i < g->first[sw + 1]; i++) {
		uint32_t peer = far_end(net, g->cable[i], sw);

		if (!net->sw[peer].dead && g->seen[peer] != seen) {
			g->seen[peer] = seen;
			g->stack[0] = peer;
			wanted++;
		}
	}
	if (!wanted)
		return true;
	/* Neighbours carry the stamp before this one until they are met. */
	g->seen[sw] = ++g->stamp;
	g->seen[g->stack[top++]] = g->stamp;
	for (wanted--; top && wanted;) {
		uint32_t s = g->stack[--top];

		for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
			uint32_t peer = far_end(net, g->cable[i], s);

			if (net->sw[peer].dead || g->seen[peer] == g->stamp)
				continue;
			wanted -= g->seen[peer] == seen;
			g->seen[peer] = g->stamp;
			g->stack[top++] = peer;
		}
	}
	return !wanted;
}

/* Switches that may fail: those without hosts, or all if all have hosts. */
static uint32_t switch_candidates(const struct weft__net *net, uint32_t *list)
{
	uint32_t n = 0;
	bool *leaf = calloc(net->nsw + 1, sizeof(*leaf));

	if (!leaf)
		return UINT32_MAX;
	for (uint32_t i = 0; i < net->nleaves; i++)
		leaf[net->leaf[i].sw] = true;
	for (uint32_t i = 0; i < net->nsw; i++)
		if (!leaf[i] || net->nleaves == net->nsw)
			list[n++] = i;
	free(leaf);
	return n;
}

/* Marks up to wanted switches of list[] dead, in that order, as many rounds
 * as help: what could not be spared may be once others are gone. */
static uint32_t kill_switches(struct weft__net *net, struct graph *g,
			      const uint32_t *list, uint32_t n,
			      uint32_t wanted)
{
	uint32_t killed = 0, before;

	do {
		before = killed;
		for (uint32_t i = 0; i < n && killed < wanted; i++) {
			struct weft__net_switch *sw = &net->sw[list[i]];

			if (sw->dead || (g && !dispensable(net, g, list[i])))
				continue;
			sw->dead = true;
			killed++;
		}
	} while (killed < wanted && killed > before);
	return killed;
}

static int too_few(const struct weft__gen_spec *spec, const char *option,
		   uint32_t wanted, uint32_t possible, struct weft_diag *diag)
{
	if (keeps_connected(spec))
		return weft__gen_error(spec, diag, EINVAL,
			"%s asks for %" PRIu32 ", but after %" PRIu32
			" the fabric would fall apart; keep-connected=no allows that",
			option, wanted, possible);
	return weft__gen_error(spec, diag, EINVAL,
			       "%s asks for %" PRIu32 ", but %" PRIu32
			       " is all there is to fail", option, wanted,
			       possible);
}

static int fail_switches(struct weft__net *net,
			 const struct weft__gen_spec *spec,
			 struct weft_rng *rng, struct weft_diag *diag)
{
	uint32_t *list = malloc((net->nsw + 1) * sizeof(*list));
	uint32_t n = list ? switch_candidates(net, list) : UINT32_MAX;
	bool connected = keeps_connected(spec);
	uint32_t wanted, killed;
	struct graph g = { 0 };
	int err = 0;

	if (n == UINT32_MAX || (connected && !graph_build(net, &g))) {
		err = weft_no_memory(diag);
		goto free_all;
	}
	wanted = weft__gen_amount(spec, WEFT__GEN_FAIL_SWITCHES, n);
	weft_rng_shuffle(rng, list, n);
	killed = kill_switches(net, connected ? &g : NULL, list, n, wanted);
	if (killed < wanted || (killed && killed == net->nsw))
		err = too_few(spec, "fail-switches", wanted,
			      killed == net->nsw ? killed - 1 : killed, diag);
free_all:
	graph_free(&g);
	free(list);
	return err;
}

/* Takes the cables of a spanning forest, preferring late ones, out of list[];
 * the others keep their order.  Returns how many are left. */
static uint32_t spare_tree(const struct weft__net *net, uint32_t *list,
			   uint32_t n, uint32_t *root)
{
	uint32_t left = n;

	weft__sets_begin(root, net->nsw);
	for (uint32_t i = n; i-- > 0;) {
		const struct weft__net_cable *c = &net->cable[list[i]];

		if (!weft__sets_join(root, c->a, c->b))
			list[--left] = list[i];
	}
	memmove(list, list + left, (n - left) * sizeof(*list));
	return n - left;
}

/* Finds how far each switch is from hosts.  False without memory. */
static bool find_levels(const struct weft__net *net, uint32_t *level)
{
	struct graph g;
	uint32_t head = 0, n = 0;

	if (!graph_build(net, &g)) {
		graph_free(&g);
		return false;
	}
	memset(level, 0xff, net->nsw * sizeof(*level));
	for (uint32_t i = 0; i < net->nleaves; i++)
		if (level[net->leaf[i].sw]) {
			level[net->leaf[i].sw] = 0;
			g.stack[n++] = net->leaf[i].sw;
		}
	while (head < n) {
		uint32_t s = g.stack[head++];

		for (uint32_t i = g.first[s]; i < g.first[s + 1]; i++) {
			uint32_t peer = far_end(net, g.cable[i], s);

			if (level[peer] != UINT32_MAX)
				continue;
			level[peer] = level[s] + 1;
			g.stack[n++] = peer;
		}
	}
	graph_free(&g);
	return true;
}

/* Lists the cables that may fail; UINT32_MAX without memory. */
static uint32_t cable_candidates(const struct weft__net *net,
				 enum weft__gen_among among, uint32_t *list)
{
	uint32_t *level = malloc((net->nsw + 1) * sizeof(*level)), n = 0;

	if (!level || !find_levels(net, level)) {
		free(level);
		return UINT32_MAX;
	}
	for (uint32_t i = 0; i < net->ncables; i++) {
		const struct weft__net_cable *c = &net->cable[i];
		bool up = level[c->a] != level[c->b];

		if (cable_lives(net, c) &&
		    (among == WEFT__GEN_ANY || (among == WEFT__GEN_UP) == up))
			list[n++] = i;
	}
	free(level);
	return n;
}

static int fail_links(struct weft__net *net, const struct weft__gen_spec *spec,
		      struct weft_rng *rng, struct weft_diag *diag)
{
	const struct weft__gen_value *v = &spec->option[WEFT__GEN_FAIL_LINKS];
	uint32_t *list = malloc((net->ncables + 1) * sizeof(*list));
	uint32_t *root = malloc((net->nsw + 1) * sizeof(*root));
	uint32_t n = list && root ? cable_candidates(net, v->b >> 1, list) :
				    UINT32_MAX;
	uint32_t wanted;
	int err = 0;

	if (n == UINT32_MAX) {
		err = weft_no_memory(diag);
		goto free_all;
	}
	wanted = weft__gen_amount(spec, WEFT__GEN_FAIL_LINKS, n);
	weft_rng_shuffle(rng, list, n);
	if (keeps_connected(spec))
		n = spare_tree(net, list, n, root);
	if (wanted > n)
		err = too_few(spec, "fail-links", wanted, n, diag);
	else
		for (uint32_t i = 0; i < wanted; i++)
			net->cable[list[i]].dead = true;
free_all:
	free(root);
	free(list);
	return err;
}

/* Finds the cable at "switch:port"; NULL: there is none. */
static struct weft__net_cable *cable_at(struct weft__net *net, const char *text,
					size_t length)
{
	const char *colon = memchr(text, ':', length);
	size_t name = colon ? (size_t)(colon - text) : length;
	const char *end = text + length;
	uint64_t port = 0;

	if (!colon || weft__number_digits(colon + 1, end, WEFT_MAX_PORTS,
					  &port) != end)
		return NULL;
	for (uint32_t i = 0; i < net->ncables; i++) {
		struct weft__net_cable *c = &net->cable[i];
		const char *a = net->sw[c->a].name, *b = net->sw[c->b].name;

		if ((c->port_a == port && strlen(a) == name &&
		     !memcmp(a, text, name)) ||
		    (c->port_b == port && strlen(b) == name &&
		     !memcmp(b, text, name)))
			return c;
	}
	return NULL;
}

/* Returns how many cables a spanning forest of what lives has. */
static uint32_t forest_size(const struct weft__net *net, uint32_t *root)
{
	uint32_t n = 0;

	weft__sets_begin(root, net->nsw);
	for (uint32_t i = 0; i < net->ncables; i++) {
		const struct weft__net_cable *c = &net->cable[i];

		n += cable_lives(net, c) && weft__sets_join(root, c->a, c->b);
	}
	return n;
}

static int kill_named(struct weft__net *net, const struct weft__gen_spec *spec,
		      struct weft_diag *diag)
{
	const struct weft__gen_value *v = &spec->option[WEFT__GEN_FAIL_LINKS];
	const char *p = spec->text + v->a, *end = p + (v->b >> 4);

	while (p < end) {
		const char *plus = memchr(p, '+', end - p);
		size_t length = (plus ? plus : end) - p;
		struct weft__net_cable *c = cable_at(net, p, length);

		if (!c)
			return weft__gen_error(spec, diag, EINVAL,
				"fail-links: there is no cable between switches at '%.*s'",
				(int)length, p);
		c->dead = true;
		p += length + 1;
	}
	return 0;
}

/* Takes out the cables that are named by one of their ends. */
static int fail_named(struct weft__net *net, const struct weft__gen_spec *spec,
		      struct weft_diag *diag)
{
	uint32_t *root = malloc((net->nsw + 1) * sizeof(*root)), before;
	int err;

	if (!root)
		return weft_no_memory(diag);
	before = forest_size(net, root);
	err = kill_named(net, spec, diag);
	if (!err && keeps_connected(spec) && forest_size(net, root) < before)
		err = weft__gen_error(spec, diag, EINVAL,
				      "without the cables of fail-links the fabric falls apart; keep-connected=no allows that");
	free(root);
	return err;
}

int weft__net_fail(struct weft__net *net, const struct weft__gen_spec *spec,
		   struct weft_diag *diag)
{
	struct weft_rng *rng;
	int err = 0;

	if (!weft__gen_get(spec, WEFT__GEN_FAIL_SWITCHES) &&
	    !weft__gen_get(spec, WEFT__GEN_FAIL_LINKS))
		return 0;
	rng = weft__net_rng(spec, WEFT__NET_FAULTS);
	if (!rng)
		return weft_no_memory(diag);
	if (weft__gen_get(spec, WEFT__GEN_FAIL_SWITCHES))
		err = fail_switches(net, spec, rng, diag);
	if (err)
		;
	else if (spec->option[WEFT__GEN_FAIL_LINKS].b & WEFT__GEN_NAMED)
		err = fail_named(net, spec, diag);
	else
		err = fail_links(net, spec, rng, diag);
	weft_rng_free(rng);
	return err;
}
