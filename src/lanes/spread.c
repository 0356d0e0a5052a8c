// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: spread, several ways for each pair
 *
 * With LMC a port has several LIDs, and traffic that is spread over all of them
 * gets most where its ways share no cable and all cables carry alike.  The
 * trees of base LIDs stay.  Each further tree grows from its root, switch by
 * switch, the nearest first: a switch takes the cable by which its way is
 * lightest.  A cable weighs the load of all LIDs, plus a share of the mean load
 * for each other LID of the port that this switch reaches by it.  Only the
 * switch's own ways count there: near the root all trees of a port must share
 * cables, as they are few.
 *
 * Where shortest ways are few, as on Slim Flies and dragonflies, some switches
 * had better take a longer one.  So a switch may send to one that is no nearer
 * than itself, as long as the way exceeds the shortest by no more than longer
 * cables.  The switches of one distance join in random order, different for
 * each tree: the first ones go straight, and some of the others by these.  A
 * way costs more than a shortest one by the load of its additional cables and
 * less by what it does not share.
 *
 * Lanes: each pair of switches has one, and every way of the pair must be legal
 * there (lane_masks.h).  Switches that find no such way wait for others to
 * join.  Where some wait forever, those on their base ways take these, and the
 * tree grows again; base ways are legal whatever the others do.
 *
 * The trees that grow first do not know what the others carry; hence several
 * passes.
 */
#include "lanes/spread.h"

#include "core/arena.h"
#include "lanes/assignment.h"

#include <errno.h>
#include <string.h>

#define COUNT_BITS 8 /* of others[], for LIDs of a port */
#define TRIES 16     /* to grow a tree with more and more base ways */

struct spreader {
	struct weft__lane_masks *masks;
	const struct weft_fabric *f;
	const struct weft__turns *turns;
	struct weft__balance *b;
	const struct weft__spread_spec *spec;
	uint32_t *tree_of; /* [max_lid + 1] of each LID of an endport */
	uint64_t penalty;  /* for each other LID */

	/* of the current tree */
	const struct weft__tree *t;
	const struct weft_endport *port;
	uint16_t *allowed;	   /* [nsw] lanes for the pair */
	uint16_t *legal;	   /* [nsw] lanes in which the way is legal */
	uint16_t *near;		   /* [nsw] hops of a shortest way */
	uint16_t *hops;		   /* [nsw] hops of the way */
	uint64_t *distance;	   /* [nsw] load of the way */
	uint8_t *next;		   /* [nsw] position of the cable */
	bool *joined;		   /* [nsw] */
	bool *based;		   /* [nsw] switches that keep the base way */
	uint32_t cable[UINT8_MAX]; /* by which a switch may join */
	uint32_t *level;	   /* [nsw] switches of one distance */
	uint32_t *waiting;	   /* [nsw] */
	uint32_t nwaiting;
	/* Ways to other LIDs of the switch at work, plus the round. */
	uint64_t *by_cable;  /* [edges] */
	uint64_t *by_switch; /* [nsw] */
	uint64_t round;	     /* goes up by more than there are LIDs */
};

static uint32_t edge_of(const struct spreader *g, const struct weft__tree *t,
			uint32_t s)
{
	return g->f->adj_first[s] + t->choice[s];
}

static const struct weft__tree *tree_of(const struct spreader *g, unsigned lid)
{
	return &g->masks->trees->tree[g->tree_of[lid]];
}

/* Adds to the loads what endports send along the tree, or subtracts it with
 * sign -1. */
static void load_tree(struct spreader *g, uint64_t sign)
{
	struct weft__balance *b = g->b;
	const uint32_t *sorted = weft__masks_sort(g->masks, g->t);

	memcpy(b->through, b->sources, g->f->nsw * sizeof(*b->through));
	for (uint32_t i = g->f->nsw - 1; i > 0; i--) {
		uint32_t s = sorted[i], e = edge_of(g, g->t, s);

		b->weight[e] += sign * g->t->weight * b->through[s] *
				b->scale[e];
		b->through[b->head[e]] += b->through[s];
	}
}

/* Loads all trees, and finds the penalty by the mean load.  Those that are to
 * grow are forgotten again, if they grow afresh. */
static void load_all(struct spreader *g)
{
	const struct weft__trees *trees = g->masks->trees;
	uint32_t nedges = g->f->adj_first[g->f->nsw];
	uint64_t sum = 0;

	weft__balance_reset(g->b);
	for (uint32_t d = 0; d < trees->nendports; d++) {
		g->t = &trees->tree[d];
		load_tree(g, 1);
	}
	for (uint32_t e = 0; e < nedges; e++)
		sum += g->b->weight[e] >> 8;
	if (nedges)
		g->penalty = (uint64_t)(g->spec->apart * (double)sum / nedges)
			     << 8;
	for (uint32_t d = g->spec->from; d < trees->nendports; d++) {
		g->t = &trees->tree[d];
		if (g->spec->afresh)
			load_tree(g, -UINT64_C(1));
	}
}

/* Adds one to a count of the current round. */
static void add_one(struct spreader *g, uint64_t *count)
{
	if (*count < g->round)
		*count = g->round;
	++*count;
}

/* Counts the ways of s to the other LIDs of the port by each cable, and through
 * each switch between the ends. */
static void count_others(struct spreader *g, uint32_t s)
{
	unsigned first = g->port->lid, end = first + (1u << g->port->lmc);

	g->round += UINT64_C(1) << COUNT_BITS;
	for (unsigned lid = first; lid < end; lid++) {
		const struct weft__tree *x = tree_of(g, lid);

		for (uint32_t u = s; x != g->t && u != x->root;) {
			uint32_t e = edge_of(g, x, u);

			u = g->b->head[e];
			add_one(g, &g->by_cable[e]);
			add_one(g, &g->by_switch[u]);
		}
	}
}

static uint64_t others(const struct spreader *g, uint64_t count)
{
	return count < g->round ? 0 : count - g->round;
}

/* Returns what the way by edge e costs for what it shares with other LIDs. */
static uint64_t shared_cost(const struct spreader *g, uint32_t e)
{
	uint64_t n = others(g, g->by_cable[e]);

	for (uint32_t u = g->b->head[e]; u != g->t->root; u = g->b->head[e]) {
		e = g->f->adj_first[u] + g->next[u];
		n += others(g, g->by_cable[e]);
		if (g->spec->switches)
			n += others(g, g->by_switch[u]);
	}
	return n * g->penalty;
}

static uint16_t lanes_by(const struct spreader *g, uint32_t e)
{
	uint32_t u = g->b->head[e];

	return g->legal[u] & weft__turns_from(g->turns, e)[g->next[u]];
}

static void join_by(struct spreader *g, uint32_t s, uint32_t e)
{
	uint32_t u = g->b->head[e];

	g->legal[s] = lanes_by(g, e);
	g->next[s] = e - g->f->adj_first[s];
	g->hops[s] = g->hops[u] + 1;
	g->distance[s] = (g->distance[u] + g->b->weight[e]) & ~UINT64_C(0xff);
	g->joined[s] = true;
}

/* Lists the cables by which s has legal ways of at most so many hops; of the
 * shortest ones if asked for.  Returns how many. */
static unsigned list_cables(struct spreader *g, uint32_t s, unsigned most,
			    bool shortest)
{
	const uint32_t *first = g->f->adj_first;
	unsigned n = 0;

	for (uint32_t e = first[s]; e < first[s + 1]; e++) {
		uint32_t u = g->b->head[e];

		if (!g->joined[u] || g->hops[u] >= most ||
		    !(lanes_by(g, e) & g->allowed[s]))
			continue;
		if (shortest && g->hops[u] + 1u < most) {
			most = g->hops[u] + 1;
			n = 0;
		}
		g->cable[n++] = e;
	}
	return n;
}

/* Has s join by the lightest of such ways.  Returns false if there is none. */
static bool join_tree(struct spreader *g, uint32_t s, unsigned most,
		      bool shortest)
{
	unsigned n = list_cables(g, s, most, shortest);
	uint64_t least = UINT64_MAX;
	uint32_t best = g->cable[0];

	if (n > 1)
		count_others(g, s);
	for (unsigned i = 0; n > 1 && i < n; i++) {
		uint32_t e = g->cable[i];
		uint64_t cost = g->distance[g->b->head[e]] + g->b->weight[e];

		if (cost >= least)
			continue;
		cost += shared_cost(g, e);
		if (cost >= least)
			continue;
		least = cost;
		best = e;
	}
	if (n)
		join_by(g, s, best);
	return n;
}

/* Has s join by its base way, after the switches on that. */
static void join_base(struct spreader *g, uint32_t s)
{
	const struct weft__tree *base = tree_of(g, g->port->lid);
	uint32_t n = 0;

	for (; !g->joined[s]; s = g->b->head[edge_of(g, base, s)])
		g->level[n++] = s;
	while (n) {
		s = g->level[--n];
		join_by(g, s, edge_of(g, base, s));
	}
}

/* Lets the switches that wait try again. */
static void retry_waiting(struct spreader *g)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < g->nwaiting; k++)
		if (!join_tree(g, g->waiting[k], WEFT__FAR, true))
			g->waiting[n++] = g->waiting[k];
	g->nwaiting = n;
}

/* Shuffles n switches, by the number of the tree. */
static void shuffle(const struct spreader *g, uint32_t n)
{
	uint64_t state = g->t->number;

	for (uint32_t i = n; i > 1; i--) {
		uint32_t s = g->level[i - 1], k;

		state = state * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
		k = (state >> 33) % i;
		g->level[i - 1] = g->level[k];
		g->level[k] = s;
	}
}

/* Finds the lanes that s may use to the current tree: the pair's one, or those
 * that all of its other ways have. */
static uint16_t find_allowed(const struct spreader *g, uint32_t s)
{
	const struct weft__lane_masks *m = g->masks;
	uint32_t root = g->t->root, end = m->first[root + 1] - m->first[root];
	uint32_t own = m->position[g->t->number] - m->first[root];
	unsigned lane = g->spec->lane[(size_t)s * g->f->nsw + root];
	const uint16_t *way = weft__masks_of(m, s, root);
	uint16_t lanes;

	if (lane != WEFT__NO_LANE)
		return 1u << lane;
	lanes = m->all & weft__masks_common(weft__masks_of(m, root, s),
					    m->first[s + 1] - m->first[s]);
	for (uint32_t i = 0; i < end; i++)
		lanes &= i == own ? m->all : way[i];
	return lanes;
}

static void begin_tree(struct spreader *g)
{
	uint32_t root = g->t->root;

	memset(g->joined, 0, g->f->nsw * sizeof(*g->joined));
	g->joined[root] = true;
	g->legal[root] = g->masks->all;
	g->hops[root] = 0;
	g->distance[root] = 0;
	g->next[root] = weft__turns_end(g->turns, root);
	g->nwaiting = 0;
	for (uint32_t s = 0; s < g->f->nsw; s++)
		if (g->based[s])
			join_base(g, s);
}

/* Grows the tree.  Returns false if switches are left, which wait. */
static bool try_tree(struct spreader *g, const struct weft__plan *plan)
{
	uint32_t i = 1, before;

	begin_tree(g);
	while (i <= plan->n) {
		unsigned h = g->near[plan->order[i]];
		uint32_t n = 0;

		for (; i <= plan->n && g->near[plan->order[i]] == h; i++)
			if (!g->joined[plan->order[i]])
				g->level[n++] = plan->order[i];
		if (g->spec->longer)
			shuffle(g, n);
		for (uint32_t k = 0; k < n; k++)
			if (!join_tree(g, g->level[k], h + g->spec->longer,
				       false))
				g->waiting[g->nwaiting++] = g->level[k];
		retry_waiting(g);
	}
	do {
		before = g->nwaiting;
		retry_waiting(g);
	} while (g->nwaiting && g->nwaiting < before);
	return !g->nwaiting;
}

/* Has the switches on the base ways of those that wait keep these. */
static void keep_base_ways(struct spreader *g)
{
	const struct weft__tree *base = tree_of(g, g->port->lid);

	for (uint32_t k = 0; k < g->nwaiting; k++) {
		uint32_t s = g->waiting[k];

		for (; s != base->root && !g->based[s];
		     s = g->b->head[edge_of(g, base, s)])
			g->based[s] = true;
	}
}

static void take_tree(struct spreader *g)
{
	weft__masks_write(g->masks, g->t->number, g->legal);
	for (uint32_t s = 0; s < g->f->nsw; s++)
		if (s != g->t->root)
			g->t->choice[s] = g->next[s];
}

/* loaded: it counts among the loads. */
static void grow_tree(struct spreader *g, const struct weft__tree *t,
		      bool loaded)
{
	const struct weft__plan *plan = weft__ways_to(g->masks->ways, t->root);
	bool grown = false;

	g->t = t;
	g->port = &g->f->ep[weft_lid_owner(g->f, t->lid) & ~WEFT_ENDPORT];
	if (loaded)
		load_tree(g, -UINT64_C(1));
	weft__ways_hops(g->masks->ways, plan, g->near);
	for (uint32_t s = 0; s < g->f->nsw; s++)
		g->allowed[s] = find_allowed(g, s);
	memset(g->based, 0, g->f->nsw * sizeof(*g->based));
	for (unsigned i = 0; i < TRIES && !grown; i++) {
		grown = try_tree(g, plan);
		keep_base_ways(g);
	}
	if (grown)
		take_tree(g);
	load_tree(g, 1);
}

/* Grows all trees of further LIDs: afresh, those of a port one after the other;
 * else all LIDs of one offset one after the other. */
static void grow_all(struct spreader *g, bool loaded)
{
	const struct weft__trees *trees = g->masks->trees;
	uint32_t nports = g->spec->afresh ? g->spec->from : 0;

	for (uint32_t d = 0; d < nports; d++) {
		const struct weft__tree *base = &trees->tree[d];
		unsigned lmc = g->f->ep[weft_lid_owner(g->f, base->lid) &
					~WEFT_ENDPORT]
				       .lmc;

		for (unsigned k = 1; k < 1u << lmc; k++)
			grow_tree(g, tree_of(g, base->lid + k), loaded);
	}
	for (uint32_t d = g->spec->from; d < trees->nendports && !nports; d++)
		grow_tree(g, &trees->tree[d], loaded);
}

static bool alloc(struct spreader *g, struct weft_arena *a)
{
	uint32_t nsw = g->f->nsw;

	g->tree_of =
		weft__arena_alloc(a, g->f->max_lid + 1ull, sizeof(*g->tree_of));
	g->by_cable = weft__arena_zalloc(a, g->f->adj_first[nsw] + 1ull,
					 sizeof(*g->by_cable));
	g->by_switch = weft__arena_zalloc(a, nsw, sizeof(*g->by_switch));

	g->allowed = weft__arena_alloc(a, nsw, sizeof(*g->allowed));
	g->legal = weft__arena_alloc(a, nsw, sizeof(*g->legal));
	g->near = weft__arena_zalloc(a, nsw, sizeof(*g->near));
	g->hops = weft__arena_alloc(a, nsw, sizeof(*g->hops));
	g->distance = weft__arena_alloc(a, nsw, sizeof(*g->distance));
	g->next = weft__arena_alloc(a, nsw, 1);
	g->joined = weft__arena_alloc(a, nsw, sizeof(*g->joined));
	g->based = weft__arena_alloc(a, nsw, sizeof(*g->based));
	g->level = weft__arena_alloc(a, nsw, sizeof(*g->level));
	g->waiting = weft__arena_alloc(a, nsw, sizeof(*g->waiting));
	return g->tree_of && g->by_cable && g->by_switch && g->allowed &&
	       g->legal && g->near && g->hops && g->distance && g->next &&
	       g->joined && g->based && g->level && g->waiting;
}

int weft__spread_grow(struct weft__lane_masks *masks,
		      const struct weft__spread_spec *spec)
{
	const struct weft__trees *trees = masks->trees;
	struct weft_arena *arena = weft__arena_new();
	struct spreader g = {
		.masks = masks,
		.f = masks->fabric,
		.spec = spec,
		.turns = &masks->orders->turns,
		.b = masks->balance,
	};

	if (!arena || !alloc(&g, arena)) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	for (uint32_t d = 0; d < trees->nendports; d++)
		g.tree_of[trees->tree[d].lid] = d;
	load_all(&g);
	for (unsigned i = 0; i < spec->passes; i++)
		grow_all(&g, i || !spec->afresh);
	weft__arena_free(arena);
	return 0;
}

double weft__spread_work(const struct weft_fabric *f, uint32_t nports,
			 unsigned lids, double hops)
{
	double tree = 2.0 * f->adj_first[f->nsw] +
		      f->nsw * (40 + 8 * (lids - 1) * hops);

	return tree * nports * (lids - 1);
}
