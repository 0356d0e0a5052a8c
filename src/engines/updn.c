// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: updn, up/down routing for reference
 *
 * Idea (Schroeder et al., Autonet, 1991): switches are ranked by their distance
 * from the roots, ties by GUID; a route first climbs, then descends, and never
 * climbs again, so that no cycle of channels can close.  A switch that has a
 * way down to the destination takes the shortest one; all others climb to where
 * the rest is shortest.
 *
 * Roots: option roots=, else the switches closest to all endports (least sum of
 * hops), which on a tree are its top.  Several roots may leave two leaves
 * without a common ancestor; then one root is taken, which always reaches
 * everyone.  Roots' own LIDs may have no legal way to one another; these few
 * routes take the shortest illegal one, as OpenSM does with connect_roots.
 *
 * Structures: place[] orders the switches (place 0 is the top); hops[] are those
 * of the legal route to the current destination.
 * Deadlock: free of credit loops between endports, in one lane.
 * Complexity: O(switches x cables + LIDs x cables) time, O(cables) memory.
 * Limits: reference only; balanced by each switch for itself.
 * Paper: section II of Hoefler, Schneider, Lumsdaine, HOTI 2009.
 */
#include "engines/common.h"
#include "engines/local_balance.h"

#include "core/arena.h"

#include <errno.h>
#include <string.h>

enum way { WAY_NONE, WAY_DOWN, WAY_UP, WAY_ILLEGAL };

struct updn {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	uint8_t *is_root;	/* [nsw] */
	uint16_t *rank;		/* [nsw] hops from the nearest root */
	uint32_t *by_place;	/* [nsw] switches from the top down */
	uint32_t *place;	/* [nsw] its inverse */
	uint16_t *hops;		/* [nsw] of the route */
	uint8_t *way;		/* [nsw] enum way */
	uint32_t *queue;	/* [nsw] */
};

static bool alloc(struct updn *u)
{
	uint32_t n = u->f->nsw;

	u->is_root = weft__arena_zalloc(u->arena, n, 1);
	u->rank = weft__arena_alloc(u->arena, n, sizeof(*u->rank));
	u->by_place = weft__arena_alloc(u->arena, n, sizeof(*u->by_place));
	u->place = weft__arena_alloc(u->arena, n, sizeof(*u->place));
	u->hops = weft__arena_alloc(u->arena, n, sizeof(*u->hops));
	u->way = weft__arena_alloc(u->arena, n, 1);
	u->queue = weft__arena_alloc(u->arena, n, sizeof(*u->queue));
	return u->is_root && u->rank && u->by_place && u->place && u->hops &&
	       u->way && u->queue;
}

/* Sum of hops from switch s to all endports. */
static uint64_t remoteness(struct updn *u, uint32_t s)
{
	const struct weft_fabric *f = u->f;
	uint64_t sum = 0;

	weft__bfs(f, s, u->hops, u->queue);
	for (uint32_t t = 0; t < f->nsw; t++)
		sum += (uint64_t)u->hops[t] *
		       (f->sw_ep_first[t + 1] - f->sw_ep_first[t]);
	return sum;
}

/* Marks the closest switches (all of them, or the first alone). */
static void central_roots(struct updn *u, bool one)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t s = 0; s < u->f->nsw; s++) {
		uint64_t r = remoteness(u, s);

		if (r < least) {
			least = r;
			memset(u->is_root, 0, u->f->nsw);
		}
		if (r < least || (r == least && !one) ||
		    (r == least && !memchr(u->is_root, 1, u->f->nsw)))
			u->is_root[s] = 1;
	}
}

/* Ranks from the roots, and the order that follows. */
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
	for (uint32_t rank = 0; n < f->nsw; rank++) {
		for (uint32_t s = 0; s < f->nsw; s++) {
			if (u->rank[s] != rank)
				continue;
			u->place[s] = n;
			u->by_place[n++] = s;
		}
	}
}

/* Everyone above root: ways down to it, by breadth-first search upwards. */
static void find_down(struct updn *u, uint32_t root)
{
	const struct weft_fabric *f = u->f;
	uint32_t head = 0, tail = 0;

	memset(u->hops, 0xff, f->nsw * sizeof(*u->hops));
	memset(u->way, WAY_NONE, f->nsw);
	u->hops[root] = 0;
	u->way[root] = WAY_DOWN;
	u->queue[tail++] = root;
	while (head < tail) {
		uint32_t s = u->queue[head++];

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (u->place[t] > u->place[s] || u->way[t])
				continue;
			u->hops[t] = u->hops[s] + 1;
			u->way[t] = WAY_DOWN;
			u->queue[tail++] = t;
		}
	}
}

/* The others, from the top down: over the neighbour above with least hops. */
static void find_up(struct updn *u)
{
	const struct weft_fabric *f = u->f;

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t s = u->by_place[i];

		if (u->way[s])
			continue;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = f->peer[f->adj[e]];

			if (u->place[t] > u->place[s] || !u->way[t] ||
			    u->hops[t] + 1 >= u->hops[s])
				continue;
			u->hops[s] = u->hops[t] + 1;
			u->way[s] = WAY_UP;
		}
	}
}

/* Who is still cut off goes to any neighbour that is not; nearest first. */
static void find_rest(struct updn *u)
{
	const struct weft_fabric *f = u->f;
	bool found = true;

	for (uint32_t hops = 0; found; hops++) {
		found = false;
		for (uint32_t s = 0; s < f->nsw; s++) {
			found = found || (u->way[s] && u->hops[s] > hops);
			if (!u->way[s] || u->hops[s] != hops)
				continue;
			for (uint32_t e = f->adj_first[s];
			     e < f->adj_first[s + 1]; e++) {
				uint32_t t = f->peer[f->adj[e]];

				if (u->way[t])
					continue;
				u->way[t] = WAY_ILLEGAL;
				u->hops[t] = hops + 1;
				found = true;
			}
		}
	}
}

static bool may_send(const struct updn *u, uint32_t s, uint32_t t)
{
	if (u->hops[t] + 1 != u->hops[s])
		return false;
	switch (u->way[s]) {
	case WAY_DOWN:
		return u->way[t] == WAY_DOWN && u->place[t] > u->place[s];
	case WAY_UP:
		return u->place[t] < u->place[s];
	default:
		return true;
	}
}

static void allow_legal(void *rule, uint32_t root, uint8_t *allowed)
{
	struct updn *u = rule;
	const struct weft_fabric *f = u->f;

	find_down(u, root);
	find_up(u);
	find_rest(u);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			allowed[e] = may_send(u, s, f->peer[f->adj[e]]);
}

/* Whether two switches with endports have no legal way to each other. */
static bool cuts_off_endports(struct updn *u)
{
	const struct weft_fabric *f = u->f;

	for (uint32_t d = 0; d < f->nsw; d++) {
		if (f->sw_ep_first[d] == f->sw_ep_first[d + 1])
			continue;
		find_down(u, d);
		find_up(u);
		for (uint32_t s = 0; s < f->nsw; s++)
			if (!u->way[s] &&
			    f->sw_ep_first[s] != f->sw_ep_first[s + 1])
				return true;
	}
	return false;
}

static int choose_roots(struct updn *u, const struct weft_options *options,
			struct weft_diag *diag)
{
	bool any;
	int err = weft__listed_switches(u->f, options, "roots", u->is_root,
					&any, diag);

	if (err)
		return err;
	if (!any)
		central_roots(u, false);
	rank_switches(u);
	if (cuts_off_endports(u)) {
		weft_diag_say(diag, WEFT_WARNING,
			      "with these roots some endports have no "
			      "legal way to each other; the most central "
			      "switch becomes the only root");
		central_roots(u, true);
		rank_switches(u);
	}
	return 0;
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
		err = weft_fail(diag, ENOMEM, "out of memory");
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
	.needs = WEFT_OFFLINE,
	.options = updn_options,
	.route = updn_route,
};
