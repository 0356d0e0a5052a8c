// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: regrow, other ways while a tree grows
 *
 * Rerouting a tree for a pair of switches without a lane (settle.c) takes a
 * search for each pair and changes the lanes of all switches behind.  Most
 * pairs do not need that: while a tree grows from its root, a switch that is
 * given another way has no switch behind it yet, and switches that join later
 * adapt.
 *
 * One tree after the other is removed and grows again.  A switch keeps its
 * cable if the way by it is legal in a lane that all other ways of the switch
 * and the root have.  Otherwise it takes a cable to any switch already in the
 * tree by which it is legal: the shortest way, then the least loaded.  Where
 * there is none it waits for others to join.  When only waiting switches are
 * left, some of them join without a lane, by the cable they had.
 *
 * Pairs without a lane may move to a lane that most of their ways do not have:
 * in each pass the first way of a pair decides.  The second pass goes through
 * the trees in the opposite order.
 *
 * Relief: once all pairs have a lane, peaks of load are lowered as in
 * trees/relief.c, but within the lanes.  A tree that passes a peak grows again,
 * around the channels above a target wherever there is another way.  It is
 * restored if a switch would lack a lane or a peak would be higher.  So no pair
 * loses its lane, and the highest load never rises.
 */
#include "lanes/regrow.h"

#include "core/arena.h"
#include "lanes/others.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#define AVOIDED (UINT64_C(1) << 56)	/* weight of an edge to avoid */
#define AVOIDED_RANK (1 << 24)	/* rank below all ways that avoid peaks */
#define EVEN_PASSES 2	/* passes that even out the loads */
#define STEP 8		/* peaks exceed 1 - 1/step of the highest load; */
#define FALL 200	/* step doubles if a round lowers that by less than
			 * 1/FALL, */
#define LAST_STEP 256	/* but not beyond this */
#define STRANDED_SHARE 64	/* of so many, one joins without a lane */

#define AHEAD 12	/* switches for which turns are fetched beforehand */
#define GROW_WORK 30	/* edges that growing a tree by a switch counts for,
			 * beside those that are looked at */

enum state { NEW, WAITING, DONE };

/* A switch in the tree, or none as long as it has no lanes. */
struct place {
	uint64_t distance;	/* weight of the way */
	uint32_t row;		/* turns into the edge it takes */
	uint16_t legal;		/* lanes in which the way is legal */
	uint16_t hops;
};

struct grower {
	struct weft__lane_masks *masks;
	const struct weft_fabric *f;
	const struct weft__turns_into *into;
	const uint32_t *head;	/* [edges] */
	struct weft__legal_counts counts;
	struct weft__others others;
	unsigned min_common_lanes; /* lanes that a way should leave, if it
				    * can */
	bool fresh;		/* trees do not keep their edges */
	bool alike;		/* trees to one switch take the same ways */
	uint64_t hot;		/* edges of more weight are to be avoided */
	bool stranded;		/* a switch joined without a lane */

	/* of the current tree */
	const struct weft__tree *t;
	uint16_t *allowed;	/* [nsw] lanes that all other ways of the pair
				 * have; every lane where these have none */
	struct place *at;	/* [nsw] */
	uint8_t *state;		/* [nsw] */
	uint32_t *stack;	/* [nsw] */
	uint32_t *waiting;	/* [nsw] */
	uint32_t nwaiting;
	bool *again;		/* [nsw] some neighbour has joined since a waiting
				 * switch was tried */
	const struct weft__run **run;	/* [nsw] minimal ways, */
	uint8_t *nruns;		/* [nsw] none where they are not known, */
	uint16_t *minimal;	/* [nsw] and their hops */
	bool *lacking;		/* [nsw] some pair has no lane */
	bool *bent;		/* [nsw] it left its edge, in the tree before */
	uint32_t *joined;	/* [njoined] switches, as they joined; of the */
	uint32_t njoined;	/* tree before until begin_tree() */
	const struct weft__tree *before;	/* that tree; NULL: none */
};

static uint16_t lanes_by(const struct grower *g, uint32_t e)
{
	const struct place *at = &g->at[g->head[e]];

	return at->legal & weft__turn_of_row(g->into, at->row, e);
}

/* Returns the weight of an edge on a way, which exceeds that of any way without
 * such edges if it is to be avoided. */
static uint64_t weight(const struct grower *g, uint32_t e)
{
	uint64_t w = g->masks->balance->weight[e];

	return w > g->hot ? w + AVOIDED : w;
}

/* Has those that wait next to s, which has joined, be tried again. */
static void tell_waiting(struct grower *g, uint32_t s)
{
	for (uint32_t e = g->f->adj_first[s]; e < g->f->adj_first[s + 1]; e++)
		g->again[g->head[e]] = true;
}

/* Has switch s join the tree by an edge, in those lanes. */
static inline void join_by(struct grower *g, uint32_t s, uint32_t e,
			   uint16_t lanes)
{
	const struct place *next = &g->at[g->head[e]];
	uint8_t k = e - g->f->adj_first[s];

	g->bent[s] = g->t->choice[s] != k;
	g->t->choice[s] = k;
	g->at[s] = (struct place){
		.distance = next->distance + weight(g, e),
		.row = weft__turns_row(g->into, s, k),
		.legal = lanes,
		.hops = next->hops + 1,
	};
	g->state[s] = DONE;
	g->joined[g->njoined++] = s;
	if (g->nwaiting)
		tell_waiting(g, s);
}

static void take_edge(struct grower *g, uint32_t s, uint32_t e)
{
	join_by(g, s, e, lanes_by(g, e));
}

/* Ranks a way: fewer hops first, then more lanes left, of which at most
 * min_common_lanes count. */
static int rank_of(const struct grower *g, unsigned hops, uint16_t lanes)
{
	unsigned n = 0;

	for (; lanes && n < g->min_common_lanes; lanes &= lanes - 1)
		n++;
	return n - hops * WEFT__LEGAL_LANES;
}

/* The best edge so far. */
struct choice {
	uint32_t edge;
	uint64_t cost;
	int rank;
};

/* Looks at the edges from e up to end, which lead on from s, for better ones
 * into the tree that have a lane. */
static void look_at_edges(struct grower *g, uint32_t s, uint32_t e,
			  uint32_t end, struct choice *c)
{
	g->masks->balance->looked += 4 * (end - e);
	for (; e < end; e++) {
		const struct place *at = &g->at[g->head[e]];
		uint16_t lanes = at->legal & g->allowed[s];
		uint64_t cost;
		int rank;

		/* turns are far away, and most edges are out of question
		 * whatever these allow */
		if (!lanes || rank_of(g, at->hops, lanes) < c->rank)
			continue;
		lanes &= weft__turn_of_row(g->into, at->row, e);
		if (!lanes)
			continue;
		cost = at->distance + weight(g, e);
		rank = rank_of(g, at->hops, lanes) -
		       (cost < AVOIDED ? 0 : AVOIDED_RANK);
		if (rank > c->rank || (rank == c->rank && cost < c->cost))
			*c = (struct choice){ e, cost, rank };
	}
}

/* True if no edge that is not among the minimal ways of s can be better. */
static bool is_minimal(const struct grower *g, uint32_t s,
		       const struct choice *c)
{
	return c->edge != WEFT_NONE && c->cost < AVOIDED &&
	       g->at[g->head[c->edge]].hops + 1 == g->minimal[s];
}

/*
 * Returns the best edge into the tree that has a lane, the least loaded one of
 * equals, or WEFT_NONE.  Fewer hops come first, so that minimal ways are looked
 * at alone unless none of them has a lane.
 */
static uint32_t best_edge(struct grower *g, uint32_t s)
{
	const uint32_t *first = g->f->adj_first;
	const struct weft__run *run = g->run[s], *end = run + g->nruns[s];
	struct choice c = { WEFT_NONE, UINT64_MAX, INT_MIN };

	for (; run < end; run++)
		look_at_edges(g, s, first[s] + run->start,
			      first[s] + run->start + run->length, &c);
	if (is_minimal(g, s, &c))
		return c.edge;
	c = (struct choice){ WEFT_NONE, UINT64_MAX, INT_MIN };
	look_at_edges(g, s, first[s], first[s + 1], &c);
	return c.edge;
}

static uint32_t old_edge(const struct grower *g, uint32_t s)
{
	return g->f->adj_first[s] + g->t->choice[s];
}

/* Has switch s join by the edge it had.  Returns false if that has no lane, or
 * is to be avoided. */
static bool keep_edge(struct grower *g, uint32_t s)
{
	uint32_t e = old_edge(g, s);
	uint16_t lanes;

	if (g->fresh || g->state[g->head[e]] != DONE)
		return false;
	lanes = lanes_by(g, e);
	if (!(lanes & g->allowed[s]) ||
	    g->at[g->head[e]].distance + weight(g, e) >= AVOIDED)
		return false;
	join_by(g, s, e, lanes);
	return true;
}

/* Has switch s join the tree with a lane.  Returns false if it cannot. */
static bool join_tree(struct grower *g, uint32_t s)
{
	uint32_t e;

	if (keep_edge(g, s))
		return true;
	e = best_edge(g, s);
	if (e != WEFT_NONE)
		take_edge(g, s, e);
	return e != WEFT_NONE;
}

/* Has switch s join after all switches on its old way. */
static void join_after_way(struct grower *g, uint32_t s)
{
	uint32_t n = 0;

	for (; g->state[s] == NEW && !keep_edge(g, s);
	     s = g->head[old_edge(g, s)]) {
		g->state[s] = WAITING;
		g->stack[n++] = s;
	}
	while (n) {
		s = g->stack[--n];
		if (join_tree(g, s))
			continue;
		g->again[s] = false;
		g->waiting[g->nwaiting++] = s;
	}
}

/* Tries the waiting switches again; so many of them may join without a lane.
 * Returns true if any switch has joined.  The old way of each leads over a
 * waiting switch whose next switch is in the tree, so that one can always
 * join. */
static bool retry_waiting(struct grower *g, uint32_t without)
{
	uint32_t n = 0, before = g->nwaiting;

	for (uint32_t i = 0; i < before; i++) {
		uint32_t s = g->waiting[i], e = old_edge(g, s);

		if (g->again[s] && join_tree(g, s))
			continue;
		g->again[s] = false;
		if (without && g->state[g->head[e]] == DONE) {
			take_edge(g, s, e);
			g->stranded = true;
			without--;
		} else {
			g->waiting[n++] = s;
		}
	}
	g->nwaiting = n;
	return n < before;
}

/* Reads the minimal ways off a plan.  Those to a switch without endports may
 * follow an order instead (weave/lanes.c). */
static void read_plan(struct grower *g, const struct weft__plan *plan)
{
	const uint32_t *first = g->f->adj_first;
	const struct weft__run *run = plan->run;
	uint32_t root = plan->order[0];
	bool known = !g->masks->ways->place &&
		     g->f->sw_ep_first[root] != g->f->sw_ep_first[root + 1];

	g->minimal[root] = 0;
	for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++]) {
		uint32_t s = plan->order[i + 1];

		g->run[s] = run;
		g->nruns[s] = known ? plan->nruns[i] : 0;
		g->minimal[s] = g->minimal[g->head[first[s] + run->start]] + 1;
	}
}

static void begin_tree(struct grower *g, uint32_t d)
{
	const struct weft__turns *turns = &g->masks->orders->turns;
	uint32_t root = g->t->root;

	weft__others_find(&g->others, d, g->allowed);
	for (uint32_t s = 0; s < g->f->nsw; s++) {
		if (!g->allowed[s])
			g->allowed[s] = g->masks->all;
		g->at[s].legal = 0;
	}
	memset(g->state, NEW, g->f->nsw);
	g->nwaiting = 0;
	g->stranded = false;
	g->state[root] = DONE;
	g->at[root] = (struct place){
		.row = weft__turns_row(g->into, root,
				       weft__turns_end(turns, root)),
		.legal = g->masks->all,
	};
}

/* Adds to the loads what endports send along the tree, or subtracts it with
 * sign -1. list: all switches but the root, each behind the one it sends to. */
static void load_list(struct grower *g, const uint32_t *list, uint64_t sign)
{
	struct weft__balance *b = g->masks->balance;
	uint64_t weight = sign * g->t->weight;

	memcpy(b->through, b->sources, g->f->nsw * sizeof(*b->through));
	for (uint32_t i = g->f->nsw - 1; i-- > 0;) {
		uint32_t s = list[i], e = old_edge(g, s);

		b->weight[e] += weight * b->through[s] * b->scale[e];
		b->through[g->head[e]] += b->through[s];
	}
}

/* The same for tree d, which is the current one; those of the switches' own
 * LIDs load nothing. */
static void load_tree(struct grower *g, uint32_t d, uint64_t sign)
{
	if (d < g->masks->trees->nendports)
		load_list(g, weft__masks_sort(g->masks, g->t) + 1, sign);
}

static bool has_lane(const struct grower *g, uint32_t s, uint32_t e)
{
	return g->state[g->head[e]] == DONE &&
	       lanes_by(g, e) & g->allowed[s];
}

/* Has switches join by their own edges, in the order of the tree before; those
 * that left theirs there join by its edges.  Only as far as they find a
 * lane. */
static void join_alike(struct grower *g)
{
	uint32_t n = g->njoined;

	g->njoined = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = g->joined[i], e = old_edge(g, s);
		bool bent = g->bent[s];

		if (bent)
			e = g->f->adj_first[s] + g->before->choice[s];
		if (has_lane(g, s, e)) {
			take_edge(g, s, e);
			g->bent[s] = bent;
		}
	}
}

/* Has the turns fetched that switch s will look at if all trees begin afresh. */
static void fetch_turns(const struct grower *g, uint32_t s)
{
	const struct weft__run *run = g->run[s], *end = run + g->nruns[s];

	for (; run < end; run++) {
		uint32_t e = g->f->adj_first[s] + run->start;

		for (uint32_t last = e + run->length; e < last; e++)
			weft__turn_fetch(g->into, g->at[g->head[e]].row, e);
	}
}

/* Keeps the masks of the tree. */
static void keep_masks(const struct grower *g, uint32_t d)
{
	uint32_t root = g->t->root;
	uint32_t n = g->masks->first[root + 1] - g->masks->first[root];
	uint16_t *to = weft__mask_of(g->masks, d, 0);

	for (uint32_t s = 0; s < g->f->nsw; s++, to += n)
		*to = g->at[s].legal;
}

static void grow_tree(struct grower *g, uint32_t d)
{
	const struct weft__plan *plan;

	g->t = &g->masks->trees->tree[d];
	g->masks->balance->looked += GROW_WORK * g->f->nsw;
	load_tree(g, d, -UINT64_C(1));
	plan = weft__ways_to(g->masks->ways, g->t->root);
	if (!g->before || g->before->root != g->t->root)
		read_plan(g, plan);
	begin_tree(g, d);
	if (g->alike && g->before && g->before->root == g->t->root)
		join_alike(g);
	else
		g->njoined = 0;
	g->before = g->t;
	for (uint32_t i = 1; i <= plan->n; i++) {
		if (g->fresh && i + AHEAD <= plan->n)
			fetch_turns(g, plan->order[i + AHEAD]);
		join_after_way(g, plan->order[i]);
	}
	while (g->nwaiting)
		if (!retry_waiting(g, 0))
			retry_waiting(g, g->nwaiting / STRANDED_SHARE + 1);
	keep_masks(g, d);
	if (d < g->masks->trees->nendports)
		load_list(g, g->joined, 1);
}

static void free_way(struct grower *g, uint32_t a, uint32_t b)
{
	uint16_t *mask = weft__masks_of(g->masks, a, b);

	for (uint32_t i = 0; i < g->counts.ntrees[b]; i++)
		mask[i] = g->masks->all;
}

/* Lets pairs without a lane choose any, and marks the switches of these.
 * Returns true if there are such pairs. */
static bool free_pairs(struct grower *g)
{
	bool any = false;

	memset(g->lacking, 0, g->f->nsw);
	weft__others_forget(&g->others);
	for (uint32_t a = 0; a < g->f->nsw; a++) {
		for (uint32_t b = 0; b < a; b++) {
			weft__masks_fetch(g->masks, a, b + AHEAD);
			if (!weft__legal_missing(&g->counts, a, b))
				continue;
			free_way(g, a, b);
			free_way(g, b, a);
			g->lacking[a] = g->lacking[b] = any = true;
		}
	}
	return any;
}

/* Grows trees again; unless all begin afresh, one to a switch without such
 * pairs would stay as it is. */
static void grow_all(struct grower *g, bool backward)
{
	uint32_t n = g->masks->trees->n;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t d = backward ? n - 1 - i : i;

		if (weft__legal_shared(&g->counts, d) == d &&
		    (g->fresh || g->lacking[g->masks->trees->tree[d].root]))
			grow_tree(g, d);
	}
}

static bool alloc(struct grower *g, struct weft_arena *arena)
{
	size_t nsw = g->f->nsw;

	g->allowed = weft__arena_alloc(arena, nsw, sizeof(*g->allowed));
	g->at = weft__arena_zalloc(arena, nsw, sizeof(*g->at));
	g->state = weft__arena_alloc(arena, nsw, 1);
	g->stack = weft__arena_alloc(arena, nsw, sizeof(*g->stack));
	g->waiting = weft__arena_alloc(arena, nsw, sizeof(*g->waiting));
	g->again = weft__arena_alloc(arena, nsw, sizeof(*g->again));
	g->run = weft__arena_zalloc(arena, nsw, sizeof(*g->run));
	g->nruns = weft__arena_zalloc(arena, nsw, 1);
	g->joined = weft__arena_alloc(arena, nsw, sizeof(*g->joined));
	g->lacking = weft__arena_zalloc(arena, nsw, sizeof(*g->lacking));
	g->bent = weft__arena_zalloc(arena, nsw, sizeof(*g->bent));
	g->minimal = weft__arena_zalloc(arena, nsw, sizeof(*g->minimal));
	weft__masks_turns(g->masks);
	return weft__legal_init(&g->counts, g->masks, arena) &&
	       weft__others_init(&g->others, &g->counts, arena) &&
	       g->allowed && g->at && g->state &&
	       g->stack && g->waiting && g->again && g->run && g->nruns &&
	       g->minimal && g->joined && g->lacking && g->bent;
}

/* Has each pair begin with the lanes given, or with all if there are none. */
static void reset_masks(struct grower *g, const uint16_t *first)
{
	struct weft__lane_masks *masks = g->masks;

	for (uint32_t a = 0; a < g->f->nsw; a++) {
		for (uint32_t b = 0; b < g->f->nsw; b++) {
			uint16_t *mask = weft__masks_of(masks, a, b);
			uint16_t lanes =
				first ? first[(size_t)b * g->f->nsw + a] :
					masks->all;

			for (uint32_t i = 0;
			     i < masks->first[b + 1] - masks->first[b]; i++)
				mask[i] = lanes ? lanes : masks->all;
		}
	}
}

/* Grows each tree again in so many passes, or all of them afresh if that is
 * none. */
static int regrow_trees(struct weft__lane_masks *masks,
			unsigned min_common_lanes, unsigned passes,
			const uint16_t *first)
{
	struct grower g = {
		.masks = masks,
		.f = masks->fabric,
		.into = &masks->into,
		.head = masks->ways->head,
		.min_common_lanes = min_common_lanes,
		.fresh = !passes,
		.alike = passes,
		.hot = UINT64_MAX,
	};
	struct weft_arena *arena = weft__arena_new();

	if (!arena || !alloc(&g, arena)) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	if (g.fresh) {
		reset_masks(&g, first);
		grow_all(&g, false);
		masks->along = false;
	}
	for (unsigned i = 0; i < passes && free_pairs(&g); i++) {
		grow_all(&g, i % 2);
		masks->along = false;
	}
	weft__legal_share(&g.counts);
	weft__arena_free(arena);
	return 0;
}

int weft__regrow(struct weft__lane_masks *masks, unsigned passes)
{
	return regrow_trees(masks, 1, passes, NULL);
}

int weft__regrow_all(struct weft__lane_masks *masks, unsigned min_common_lanes,
		     const uint16_t *first)
{
	return regrow_trees(masks, min_common_lanes, 0, first);
}

/* Loads the balance with the trees as they are. */
static void count_loads(struct grower *g)
{
	weft__balance_reset(g->masks->balance);
	for (uint32_t d = 0; d < g->masks->trees->nendports; d++) {
		g->t = &g->masks->trees->tree[d];
		load_tree(g, d, 1);
	}
}

/* A copy of a tree and its masks. */
struct copy {
	uint8_t *choice;	/* [nsw] */
	uint16_t *mask;		/* [nsw] */
};

static void save(const struct grower *g, uint32_t d, struct copy *c)
{
	memcpy(c->choice, g->masks->trees->tree[d].choice, g->f->nsw);
	weft__masks_read(g->masks, d, c->mask);
}

static void restore(struct grower *g, uint32_t d, const struct copy *c)
{
	load_tree(g, d, -UINT64_C(1));
	memcpy(g->masks->trees->tree[d].choice, c->choice, g->f->nsw);
	weft__masks_write(g->masks, d, c->mask);
	load_tree(g, d, 1);
}

static bool passes_peak(const struct grower *g, uint32_t d)
{
	const struct weft__tree *t = &g->masks->trees->tree[d];

	for (uint32_t s = 0; s < g->f->nsw; s++)
		if (s != t->root &&
		    g->masks->balance->weight[g->f->adj_first[s] +
					      t->choice[s]] > g->hot)
			return true;
	return false;
}

/* True if the limit allows for all trees that pass a peak to grow again.  Where
 * some keep passing it, it stays as high as it is, whatever the others give up
 * for it. */
static bool is_affordable(const struct grower *g)
{
	const struct weft__trees *trees = g->masks->trees;
	struct weft__balance *b = g->masks->balance;
	uint32_t nedges = g->f->adj_first[g->f->nsw];
	uint64_t work = 0;

	for (uint32_t d = 0; d < trees->nendports; d++)
		if (passes_peak(g, d))
			work += GROW_WORK * g->f->nsw + nedges;
	b->looked += (uint64_t)trees->nendports * g->f->nsw;
	return b->looked + work <= b->limit;
}

/* Regrows trees that pass a peak, and restores those that would cost a pair its
 * lane or raise the highest load. */
static void relieve_peaks(struct grower *g, struct copy *c)
{
	const struct weft__trees *trees = g->masks->trees;
	struct weft__balance *b = g->masks->balance;
	uint32_t nedges = g->f->adj_first[g->f->nsw];
	uint64_t most = weft__balance_peak(b);

	for (uint32_t d = 0; d < trees->nendports; d++) {
		if (b->looked > b->limit)
			return;
		b->looked += g->f->nsw;
		if (!passes_peak(g, d))
			continue;
		b->looked += nedges / 4;
		save(g, d, c);
		grow_tree(g, d);
		if (g->stranded || weft__balance_peak(b) > most)
			restore(g, d, c);
	}
}

/* Regrows each tree by the least loaded ways that leave all pairs a lane. */
static void even_out(struct grower *g, struct copy *c)
{
	g->fresh = true;
	g->hot = UINT64_MAX;
	for (uint32_t d = 0; d < g->masks->trees->nendports; d++) {
		if (g->masks->balance->looked > g->masks->balance->limit)
			break;
		save(g, d, c);
		grow_tree(g, d);
		if (g->stranded)
			restore(g, d, c);
	}
	g->fresh = false;
}

int weft__regrow_relieve(struct weft__lane_masks *masks, bool evened,
			 unsigned rounds)
{
	struct grower g = {
		.masks = masks,
		.f = masks->fabric,
		.into = &masks->into,
		.head = masks->ways->head,
		.min_common_lanes = 1,
	};
	struct weft_arena *arena = weft__arena_new();
	struct copy c = { NULL, NULL };
	uint64_t most, before, step = STEP;

	if (arena && alloc(&g, arena)) {
		c.choice = weft__arena_alloc(arena, g.f->nsw, 1);
		c.mask = weft__arena_alloc(arena, g.f->nsw, sizeof(*c.mask));
	}
	if (!c.choice || !c.mask) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	count_loads(&g);
	masks->along = false;
	for (unsigned i = 0; evened && i < EVEN_PASSES; i++)
		even_out(&g, &c);
	most = weft__balance_peak(masks->balance);
	while (rounds-- && step <= LAST_STEP &&
	       masks->balance->looked <= masks->balance->limit) {
		before = most;
		g.hot = most - most / step;
		if (!is_affordable(&g)) {
			step *= 2;
			continue;
		}
		relieve_peaks(&g, &c);
		most = weft__balance_peak(masks->balance);
		if (before - most < before / FALL)
			step *= 2;
	}
	weft__legal_share(&g.counts);
	weft__arena_free(arena);
	return 0;
}
