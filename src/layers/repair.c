// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: repair, other ways for pairs that find no lane
 *
 * Where several ways are shortest, one may fit into a lane where another does
 * not.  For a pair without a lane each switch on its two routes is tried: it
 * sends on by another port on a shortest way, and all pairs that this moves,
 * those whose route to the same switch passes there, are removed and placed
 * again.  The change is kept if more of them find a place than before.
 *
 * Complexity: O(pairs without a lane x hops x ports) tries, each O(pairs moved
 * x lanes x hops).
 */
#include "layers/narrow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS 3	/* over all pairs */

struct repair {
	struct weft__base *base;
	const struct weft_fabric *f;
	uint32_t n;
	uint8_t *passes;	/* [n] its route passes the current switch */
	uint32_t *moved;	/* [n] switches whose routes pass it */
	uint32_t nmoved;
	uint8_t *old;		/* [n] their lanes before */
	uint64_t limit;		/* of work */
};

static uint8_t lane_of(const struct repair *r, uint32_t a, uint32_t b)
{
	return r->base->found.lane[(size_t)a * r->n + b];
}

static void set_lane(struct repair *r, uint32_t a, uint32_t b, uint8_t lane)
{
	weft__pair_set(&r->base->job, r->base->found.lane, a, b, lane);
}

/* Finds the switches whose route to b passes v, v first. */
static void find_moved(struct repair *r, uint32_t b, uint32_t v)
{
	const struct weft__near *w = r->base->ways;
	const uint32_t *order = w->order + (size_t)b * r->n;
	const uint8_t *tree = weft__tree_ports(&r->base->job.traffic, b);

	memset(r->passes, 0, r->n);
	r->passes[v] = 1;
	r->nmoved = 0;
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t s = order[i];

		if (tree[s])
			r->passes[s] |= r->passes[r->f->peer[
				weft_channel(r->f, s, tree[s])]];
		if (r->passes[s])
			r->moved[r->nmoved++] = s;
	}
}

static void remove_moved(struct repair *r, uint32_t b)
{
	for (uint32_t i = 0; i < r->nmoved; i++) {
		uint32_t a = r->moved[i];
		uint8_t lane = lane_of(r, a, b);

		if (lane != WEFT__UNPLACED)
			weft__packing_remove_pair(&r->base->packing, a, b,
						  lane);
	}
}

/* Places the moved pairs anew.  Returns how many find no place. */
static uint32_t place_moved(struct repair *r, uint32_t b)
{
	struct weft__packing *p = &r->base->packing;
	unsigned nlanes = p->order.cdg.nlanes;
	uint32_t unplaced = 0;

	for (uint32_t i = 0; i < r->nmoved; i++) {
		uint32_t a = r->moved[i];
		unsigned lane = 0;

		while (lane < nlanes &&
		       !weft__packing_add_pair(p, a, b, lane))
			lane++;
		if (lane == nlanes) {
			lane = WEFT__UNPLACED;
			unplaced++;
		}
		set_lane(r, a, b, lane);
	}
	return unplaced;
}

/* Puts the moved pairs back where they were, which is always possible. */
static void put_back(struct repair *r, uint32_t b)
{
	for (uint32_t i = 0; i < r->nmoved; i++) {
		uint32_t a = r->moved[i];

		set_lane(r, a, b, r->old[i]);
		if (r->old[i] != WEFT__UNPLACED)
			weft__packing_add_pair(&r->base->packing, a, b,
					       r->old[i]);
	}
}

/* Has v send by other ports to b. Returns true if that placed more pairs. */
static bool try_ports(struct repair *r, uint32_t b, uint32_t v)
{
	uint8_t *port = &weft__tree_ports(&r->base->job.traffic, b)[v],
		old = *port;
	uint32_t unplaced = 0;

	find_moved(r, b, v);
	for (uint32_t i = 0; i < r->nmoved; i++) {
		r->old[i] = lane_of(r, r->moved[i], b);
		unplaced += r->old[i] == WEFT__UNPLACED;
	}
	for (uint32_t e = r->f->adj_first[v]; e < r->f->adj_first[v + 1]; e++) {
		uint32_t ch = r->f->adj[e], now;

		if (ch == weft_channel(r->f, v, old) ||
		    !weft__is_nearer(r->base->ways, r->f, ch, v, b))
			continue;
		remove_moved(r, b);
		*port = ch - r->f->first_channel[v];
		now = place_moved(r, b);
		if (now < unplaced) {
			r->base->found.unplaced -= 2ull * (unplaced - now);
			return true;
		}
		remove_moved(r, b);
		*port = old;
		put_back(r, b);
	}
	return false;
}

static bool try_route(struct repair *r, uint32_t a, uint32_t b)
{
	const uint8_t *tree = weft__tree_ports(&r->base->job.traffic, b);

	for (uint32_t v = a; tree[v];
	     v = r->f->peer[weft_channel(r->f, v, tree[v])]) {
		if (r->base->packing.order.work > r->limit)
			return false;
		if (try_ports(r, b, v))
			return true;
	}
	return false;
}

static bool one_round(struct repair *r)
{
	bool better = false;

	for (uint32_t a = 0; a < r->n && r->base->found.unplaced; a++)
		for (uint32_t b = a + 1; b < r->n; b++)
			if (lane_of(r, a, b) == WEFT__UNPLACED)
				better |= try_route(r, a, b) ||
					try_route(r, b, a);
	return better && r->base->packing.order.work <= r->limit;
}

int weft__repair(struct weft__base *base)
{
	size_t n = base->job.fabric->nsw;
	struct repair r = {
		.base = base, .f = base->job.fabric, .n = n,
		.passes = malloc(n + 1), .old = malloc(n + 1),
		.moved = malloc((n + 1) * sizeof(*r.moved)),
		.limit = base->packing.order.work + base->job.effort,
	};
	int err = r.passes && r.old && r.moved ? 0 : -ENOMEM;

	for (unsigned i = 0; !err && i < MAX_ROUNDS && one_round(&r); i++)
		;
	free(r.passes);
	free(r.old);
	free(r.moved);
	return err;
}
