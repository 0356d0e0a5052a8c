// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: updn, up/down routing for reference
 *
 * Idea (Schroeder et al., Autonet, 1991): switches are ranked by their distance
 * from the roots, ties by GUID.  A route first climbs, then descends, and never
 * climbs again, so that no cycle of channels can close.  A switch that has a
 * way down to the destination takes the shortest one; all others climb to where
 * the rest is shortest.
 *
 * Roots: option roots=, else the switches closest to all endports (least sum of
 * hops), which on a tree are its top.  Several roots may leave two leaves
 * without a common ancestor; then a single root is taken, which always reaches
 * all switches.  Roots have no legal way to one another; routes between them
 * turn in a valley (trees/valleys.c).
 *
 * Structures: place[] orders the switches (place 0 is the top); trees/ways.h
 * has the legal ways.
 * Deadlock: free of credit loops, in one lane.
 * Complexity: O(switches x cables + LIDs x cables) time; for memory see
 * trees/ways.h.
 * Limits: for reference only, as each switch balances for itself.
 * Paper: section II of Hoefler, Schneider, Lumsdaine, HOTI 2009.
 */
#include "core/arena.h"
#include "core/listed.h"
#include "graph/bfs.h"
#include "trees/local_balance.h"
#include "trees/ways.h"

#include <weft/engine.h>

#include <string.h>

struct updn {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	uint8_t *is_root;	/* [nsw] */
	uint16_t *rank;		/* [nsw] hops from the nearest root */
	uint32_t *place;	/* [nsw] 0 = the top */
	struct weft__ways ways;	/* Up*Down* over place[] */
	uint16_t *hops;		/* [nsw] scratch */
	uint32_t *queue;	/* [nsw] scratch */
};

static bool alloc(struct updn *u)
{
	uint32_t n = u->f->nsw;

	u->is_root = weft__arena_zalloc(u->arena, n, 1);
	u->rank = weft__arena_alloc(u->arena, n, sizeof(*u->rank));
	u->place = weft__arena_alloc(u->arena, n, sizeof(*u->place));
	u->hops = weft__arena_alloc(u->arena, n, sizeof(*u->hops));
	u->queue = weft__arena_alloc(u->arena, n, sizeof(*u->queue));
	return u->is_root && u->rank && u->place && u->hops && u->queue;
}

/* Returns the sum of hops from switch s to all endports. */
static uint64_t sum_hops(struct updn *u, uint32_t s)
{
	const struct weft_fabric *f = u->f;
	uint64_t sum = 0;

	weft__bfs(f, s, u->hops, u->queue);
	for (uint32_t t = 0; t < f->nsw; t++)
		sum += (uint64_t)u->hops[t] *
		       (f->sw_ep_first[t + 1] - f->sw_ep_first[t]);
	return sum;
}

/* Marks the switches closest to all endports: all of them, or only the
 * first. */
static void mark_central(struct updn *u, bool one)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t s = 0; s < u->f->nsw; s++) {
		uint64_t r = sum_hops(u, s);

		if (r < least) {
			least = r;
			memset(u->is_root, 0, u->f->nsw);
		}
		if (r < least || (r == least && !one) ||
		    (r == least && !memchr(u->is_root, 1, u->f->nsw)))
			u->is_root[s] = 1;
	}
}

/* Ranks the switches by hops from the roots, and orders them by rank. */
static void rank_switches(struct updn *u)
{
	const struct weft_fabric *f = u->f;
	uint32_t head = 0, tail = 0, n = 0;

	memset(u->rank, 0xff, f->nsw * sizeof(*u->rank));
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (u->is_root[s]) {
			u->rank[s] = 0;
			u->queue[tail++] = s;
		}
	}
	while (head < tail) {
		uint32_t s = u->queue[head++];

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (u->rank[t] == UINT16_MAX) {
				u->rank[t] = u->rank[s] + 1;
				u->queue[tail++] = t;
			}
		}
	}
	for (uint32_t rank = 0; n < f->nsw; rank++)
		for (uint32_t s = 0; s < f->nsw; s++)
			if (u->rank[s] == rank)
				u->place[s] = n++;
}

static void allow_legal(void *rule, uint32_t root, uint8_t *allowed)
{
	struct updn *u = rule;
	const struct weft_fabric *f = u->f;
	const struct weft__plan *plan = weft__ways_to(&u->ways, root);
	const struct weft__run *run = plan->run;

	memset(allowed, 0, f->adj_first[f->nsw]);
	for (uint32_t i = 0; i < plan->n; i++)
		for (unsigned n = plan->nruns[i]; n; n--, run++)
			memset(allowed + f->adj_first[plan->order[i + 1]] +
			       run->start, 1, run->length);
}

/* True if a switch with endports has no legal way to another one. */
static bool cuts_off_endports(const struct updn *u)
{
	const struct weft_fabric *f = u->f;
	uint32_t with_endports = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		with_endports += f->sw_ep_first[s] != f->sw_ep_first[s + 1];
	for (uint32_t d = 0; d < f->nsw; d++) {
		const struct weft__plan *plan = &u->ways.plan[d];
		uint32_t n = 0;

		for (uint32_t i = 0; plan->order && i <= plan->n; i++)
			n += f->sw_ep_first[plan->order[i]] !=
			     f->sw_ep_first[plan->order[i] + 1];
		if (plan->order && n < with_endports)
			return true;
	}
	return false;
}

/* Orders the switches below the roots and finds the ways. */
static bool order_by_roots(struct updn *u)
{
	rank_switches(u);
	return weft__ways_init(&u->ways, u->f, u->arena, u->place);
}

/* Chooses the roots; falls back to a single one if they leave switches without
 * a legal way to each other. */
static int choose_roots(struct updn *u, const struct weft_options *options,
			struct weft_diag *diag)
{
	uint64_t had_none, missing;
	bool any;
	int err = weft__listed_switches(u->f, options, "roots", u->is_root,
					&any, diag);

	if (err)
		return err;
	if (!any)
		mark_central(u, false);
	if (!order_by_roots(u))
		return weft_no_memory(diag);
	if (!cuts_off_endports(u)) {
		if (!weft__ways_complete(&u->ways, &had_none, &missing))
			return weft_no_memory(diag);
		if (!missing)
			return 0;
	}
	weft_diag_say(diag, WEFT_WARNING,
		      "with these roots some switches have no legal way to each other; the most central switch becomes the only root");
	mark_central(u, true);
	return order_by_roots(u) ? 0 : weft_no_memory(diag);
}

static int updn_route(const struct weft_fabric *f,
		      const struct weft_options *options,
		      struct weft_routes *out, struct weft_diag *diag)
{
	struct updn u = { .f = f };
	struct weft_lft lft;
	int err = weft__require_connected(f, diag);

	if (err)
		return err;
	u.arena = weft__arena_new();
	if (!u.arena || !alloc(&u))
		err = weft_no_memory(diag);
	if (!err && f->nsw)
		err = choose_roots(&u, options, diag);
	if (!err) {
		err = weft__local_balance(f, allow_legal, &u, &lft);
		if (err)
			weft_diag_say(diag, WEFT_ERROR, "out of memory");
	}
	weft__arena_free(u.arena);
	if (err)
		return err;
	out->lft = lft;
	weft_layers_init(&out->layers);
	return 0;
}

static const struct weft_option updn_options[] = {
	WEFT__ROOTS_OPTION,
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_updn = {
	.name = "updn",
	.summary = "Up*/Down*, no credit loops (like OpenSM's)",
	.needs = WEFT_REFERENCE,
	.loopfree = WEFT_LOOPFREE_ENDPORTS,
	.options = updn_options,
	.osm_name = "weft-updn",
	.route = updn_route,
};
