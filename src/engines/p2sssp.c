// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: p2sssp, shortest paths balanced pair by pair
 *
 * Idea (Hoefler, Schneider, Lumsdaine: Optimized Routing for Large-Scale
 * InfiniBand Networks, HOTI 2009, section III.B): the engine routes pair by
 * pair instead of destination by destination.  Each pair takes the least loaded
 * shortest path from the source to the destination, and then loads the edges of
 * this path.  Tables hold one port for each destination, so a pair is bound to
 * what earlier pairs to the same destination have fixed.  As the paper found,
 * this gives less bandwidth than psssp even where the edge-forwarding index is
 * lower, as it balances routes to one destination, which are never in use at
 * the same time.
 *
 * The paper leaves some points open.  Here they are:
 * - Order: sources in the outer loop, destinations in the inner one, both as
 *   psssp orders them (order=switch|guid).  Endports on one switch have the
 *   same way to a destination: the first one fixes it, the others only load it.
 * - Ties: the way whose opposite directions are less loaded wins (this yields
 *   the paper's routes in its figure 3b), then the lowest GUID and port.
 * - Paths are minimal: hops decide first, as in psssp.
 * - initial=N: the paper's first variant starts at weight 1.  A route then
 *   takes the way of least weight that what is fixed allows, however long.  It
 *   ends all the same: a way of least weight meets no switch twice, as every
 *   cable weighs something, and from the first switch on whose way is fixed it
 *   goes by routes that end at the destination.
 * - Switches without endports take their way last and load nothing, and neither
 *   do any ways to switches' own LIDs.
 * - Unequal links: as in psssp, a route weighs the more the slower the link.
 *
 * Structures, all owned by one run (struct p2sssp): edges are adjacency
 * entries; choice[] holds what is fixed for each destination; visit_between()
 * collects the switches between a source and a destination, nearest to the
 * source first.
 *
 * Deadlock: not addressed, as in psssp.
 * Complexity: O(switches x LIDs x (switches and cables between a pair) +
 * endports x LIDs x hops) time; one byte per switch and LID of memory.  With
 * initial all cables are between a pair, times their logarithm.  OpenSM waits
 * for its tables under a lock, so that in a subnet manager the engine refuses
 * large fabrics unless told otherwise (slow).
 */
#include "core/arena.h"
#include "graph/bfs.h"
#include "graph/entries.h"
#include "graph/heap.h"
#include "trees/trees.h"

#include <weft/engine.h>

#include <errno.h>

/* Endports that are routed in about a second, and with longer routes. */
#define MANY 1000
#define MANY_LONGER 500

/* The load on a way to the destination, and in the opposite direction. */
struct cost {
	uint64_t along, against;
};

struct p2sssp {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	uint64_t initial;	/* routes that an edge weighs at first; 0:
				 * minimal routes */
	struct weft__heap heap;	/* room for the edges + 1, if initial */
	uint16_t **hops;	/* [nsw] hops to that switch; NULL: not
				 * needed, none if initial */
	struct weft__trees trees;
	uint32_t *head;		/* [edges] switch an edge leads to */
	uint32_t *opposite;	/* [edges] edge of the other direction */
	uint64_t *weight;	/* [edges] */
	uint32_t *scale;	/* [edges] what one route weighs */
	struct cost *cost;	/* [nsw] of visited switches */
	uint8_t *best;		/* [nsw] their best edge, within their
				 * adjacency */
	uint32_t *queue;	/* [nsw] */
	uint32_t *stamp;	/* [nsw] the last visit that saw a switch */
	uint32_t now;
};

static bool prepare_edges(struct p2sssp *p)
{
	const struct weft_fabric *f = p->f;
	uint32_t n = f->adj_first[f->nsw];

	p->opposite = weft__back_entries(f, p->arena);
	p->weight = weft__arena_zalloc(p->arena, n, sizeof(*p->weight));
	return p->opposite && p->weight &&
	       weft__edges_list(f, p->arena, &p->head, &p->scale);
}

static bool prepare_switches(struct p2sssp *p)
{
	uint32_t n = p->f->nsw;

	p->cost = weft__arena_alloc(p->arena, n, sizeof(*p->cost));
	p->best = weft__arena_alloc(p->arena, n, 1);
	p->queue = weft__arena_alloc(p->arena, n, sizeof(*p->queue));
	p->stamp = weft__arena_zalloc(p->arena, n, sizeof(*p->stamp));
	return p->cost && p->best && p->queue && p->stamp;
}

/* Finds the hops to every switch that is, or has, a destination. */
static bool find_hops(struct p2sssp *p)
{
	p->hops = weft__arena_zalloc(p->arena, p->f->nsw, sizeof(*p->hops));
	if (!p->hops)
		return false;
	for (uint32_t d = 0; d < p->trees.n; d++) {
		uint32_t root = p->trees.tree[d].root;

		if (p->hops[root])
			continue;
		p->hops[root] = weft__arena_alloc(p->arena, p->f->nsw,
						  sizeof(*p->hops[root]));
		if (!p->hops[root])
			return false;
		weft__bfs(p->f, root, p->hops[root], p->queue);
	}
	return true;
}

static bool prepare_heap(struct p2sssp *p)
{
	p->heap.item = weft__arena_alloc(p->arena,
					 p->f->adj_first[p->f->nsw] + 1ull,
					 sizeof(*p->heap.item));
	return p->heap.item;
}

/* True if a route to the destination may use edge e of switch s. */
static bool may_use(const struct p2sssp *p, const struct weft__tree *dest,
		    uint32_t s, uint32_t e)
{
	const uint16_t *hops = p->hops[dest->root];

	if (dest->choice[s] != WEFT__UNFIXED)
		return e == p->f->adj_first[s] + dest->choice[s];
	return hops[p->head[e]] < hops[s];
}

/* Lists the switches on allowed shortest paths from a source, the source first.
 * Returns how many there are. */
static uint32_t visit_between(struct p2sssp *p, const struct weft__tree *dest,
			      uint32_t source)
{
	const struct weft_fabric *f = p->f;
	uint32_t n = 0;

	p->now++;
	p->queue[n++] = source;
	p->stamp[source] = p->now;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = p->queue[i];

		if (s == dest->root)
			continue;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = p->head[e];

			if (p->stamp[t] == p->now || !may_use(p, dest, s, e))
				continue;
			p->stamp[t] = p->now;
			p->queue[n++] = t;
		}
	}
	return n;
}

/* Chooses the best edge of a switch; its nearer neighbours have their costs. */
static void choose_edge(struct p2sssp *p, const struct weft__tree *dest,
			uint32_t s)
{
	const struct weft_fabric *f = p->f;
	struct cost best = { UINT64_MAX, UINT64_MAX };

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		struct cost c;

		if (!may_use(p, dest, s, e))
			continue;
		c.along = p->cost[p->head[e]].along + p->weight[e];
		c.against = p->cost[p->head[e]].against +
			    p->weight[p->opposite[e]];
		if (c.along < best.along ||
		    (c.along == best.along && c.against < best.against)) {
			best = c;
			p->best[s] = e - f->adj_first[s];
		}
	}
	p->cost[s] = best;
}

static void find_minimal(struct p2sssp *p, const struct weft__tree *dest,
			 uint32_t source)
{
	uint32_t n = visit_between(p, dest, source);

	p->cost[dest->root] = (struct cost){ 0 };
	while (n-- > 0)
		if (p->queue[n] != dest->root)
			choose_edge(p, dest, p->queue[n]);
}

static bool is_less(struct cost a, struct cost b)
{
	return a.along < b.along || (a.along == b.along && a.against < b.against);
}

static void put(struct p2sssp *p, uint32_t s, struct cost c)
{
	p->cost[s] = c;
	weft__heap_push(&p->heap, (struct weft__heap_item){
				  c.along, c.against, s });
}

/* Looks whether the way from switch s by its edge e is the best so far; the
 * edge's head has its cost. */
static void try_edge(struct p2sssp *p, uint32_t s, uint32_t e)
{
	const struct cost *rest = &p->cost[p->head[e]];
	uint32_t back = p->opposite[e], place = e - p->f->adj_first[s];
	const struct cost c = {
		rest->along + p->weight[e] + p->initial * p->scale[e],
		rest->against + p->weight[back] + p->initial * p->scale[back],
	};
	bool seen = p->stamp[s] == p->now;

	if (seen && !is_less(c, p->cost[s])) {
		if (!is_less(p->cost[s], c) && place < p->best[s])
			p->best[s] = place;
		return;
	}
	p->stamp[s] = p->now;
	p->best[s] = place;
	put(p, s, c);
}

/*
 * Finds the way of least weight from a source, of any length: Dijkstra's
 * algorithm from the destination backwards.  Heads of equally good edges have
 * all been there when a switch is, since every edge weighs something.
 */
static void find_lightest(struct p2sssp *p, const struct weft__tree *dest,
			  uint32_t source)
{
	const uint32_t *first = p->f->adj_first;
	uint32_t t;

	p->now++;
	p->stamp[dest->root] = p->now;
	p->heap.n = 0;
	put(p, dest->root, (struct cost){ 0 });
	do {
		struct weft__heap_item i = weft__heap_pop(&p->heap);

		t = i.vertex;
		if (is_less(p->cost[t], (struct cost){ i.distance, i.second }))
			continue;
		for (uint32_t e = first[t]; e < first[t + 1]; e++) {
			uint32_t s = p->head[e], back = p->opposite[e];

			if (dest->choice[s] == WEFT__UNFIXED ||
			    back == first[s] + dest->choice[s])
				try_edge(p, s, back);
		}
	} while (t != source);
}

/* Fixes the route from a switch to a destination. */
static void fix_route(struct p2sssp *p, const struct weft__tree *dest,
		      uint32_t source)
{
	if (p->initial)
		find_lightest(p, dest, source);
	else
		find_minimal(p, dest, source);
	for (uint32_t s = source;
	     s != dest->root && dest->choice[s] == WEFT__UNFIXED;
	     s = p->head[p->f->adj_first[s] + dest->choice[s]])
		dest->choice[s] = p->best[s];
}

/* Loads the edges of a route once more, by the weight of its source and that of
 * its destination. */
static void load_route(struct p2sssp *p, const struct weft__tree *dest,
		       uint32_t s, unsigned weight)
{
	while (s != dest->root) {
		uint32_t e = p->f->adj_first[s] + dest->choice[s];

		p->weight[e] += (uint64_t)weight * dest->weight * p->scale[e];
		s = p->head[e];
	}
}

/* True if no route from switch s to the destination is fixed yet. */
static bool is_open(const struct weft__tree *dest, uint32_t s)
{
	return s != dest->root && dest->choice[s] == WEFT__UNFIXED;
}

/* Routes pairs of endports, then what is left of all trees. */
static void route_all(struct p2sssp *p, const uint32_t *order)
{
	const struct weft_fabric *f = p->f;

	for (uint32_t i = 0; i < f->nep; i++) {
		const struct weft_endport *ep = &f->ep[order ? order[i] : i];
		uint32_t s = ep->sw;

		for (uint32_t d = 0; d < p->trees.nendports; d++) {
			const struct weft__tree *dest = &p->trees.tree[d];

			if (is_open(dest, s))
				fix_route(p, dest, s);
			load_route(p, dest, s, ep->weight);
		}
	}
	for (uint32_t d = 0; d < p->trees.n; d++)
		for (uint32_t s = 0; s < f->nsw; s++)
			if (is_open(&p->trees.tree[d], s))
				fix_route(p, &p->trees.tree[d], s);
}

static int p2sssp_route(const struct weft_fabric *f,
			const struct weft_options *options,
			struct weft_routes *out, struct weft_diag *diag)
{
	const uint32_t *order;
	struct p2sssp p = {
		.f = f, .initial = weft_options_int(options, "initial"),
	};
	uint32_t many = p.initial ? MANY_LONGER : MANY;
	struct weft_lft lft;
	int err = weft__require_connected(f, diag);

	if (err)
		return err;
	if (f->nep > many && !weft_options_bool(options, "slow"))
		return weft_fail(diag, ENOTSUP,
				 "%u endports would be routed pair by pair, while the subnet waits: more than %u take slow=yes",
				 f->nep, many);
	p.arena = weft__arena_new();
	if (!p.arena || !prepare_edges(&p) || !prepare_switches(&p) ||
	    !weft__endport_order(f, options, p.arena, &order) ||
	    !weft__trees_list(f, p.arena, order, &p.trees) ||
	    !(p.initial ? prepare_heap(&p) : find_hops(&p))) {
		err = -ENOMEM;
	} else {
		route_all(&p, order);
		err = weft__trees_fill(f, &p.trees, &lft);
	}
	weft__arena_free(p.arena);
	if (err)
		return weft_fail(diag, -err, "out of memory");
	out->lft = lft;
	weft_layers_init(&out->layers);
	return 0;
}

static const struct weft_option p2sssp_options[] = {
	WEFT__ORDER_OPTION,
	WEFT__INITIAL_OPTION,
	{ .name = "slow", .type = WEFT_OPT_BOOL, .preset = "yes",
	  .help = "routes more than 1,000 endports, 500 with initial, which takes long"
		  },
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_p2sssp = {
	.name = "p2sssp",
	.summary = "shortest paths balanced pair by pair (P2-SSSP, 2009)",
	.needs = WEFT_REFERENCE,
	.minimal = true,
	.options = p2sssp_options,
	.sm_preset = "slow=no",
	.route = p2sssp_route,
};
