/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes that one lane holds: Up*Down* by closeness to all hosts, balanced over
 * all ways that it allows, as engine weave makes them (trees/ways.h).  The
 * dependencies of all its ways together are acyclic.
 */
#ifndef WEFT_LAYERS_UPDOWN_H
#define WEFT_LAYERS_UPDOWN_H
#include "graph/closeness.h"
#include "layers/traffic.h"
#include "trees/balance.h"

struct weft__updown {
	const struct weft_fabric *fabric;
	struct weft_arena *arena;
	struct weft__closeness close;
	struct weft__ways ways;
	struct weft__balance balance;	/* the loads of trees made so far */
	uint64_t *loads;	/* [first_injection] scratch */
};

/*
 * Finds the ways of everyone to everyone in a fabric that is in one part; of one
 * that has them (a zeroed one has none), forgets the loads.  -ENOMEM.
 * O(switches x cables), more where valleys are needed.
 */
int weft__updown_init(struct weft__updown *u,
		      const struct weft_fabric *fabric);
void weft__updown_free(struct weft__updown *u);	/* of a zeroed one is fine */

/* The switch at the top of the order. */
static inline uint32_t weft__updown_root(const struct weft__updown *u)
{
	return u->close.by_place[0];
}

/* Counts all that is sent along tree k, wherever it leads (sign 1), or takes it
 * out (-1, modulo 2^64): new trees keep away from it. */
void weft__updown_load(struct weft__updown *u, const struct weft__traffic *t,
		       uint32_t k, uint64_t sign);

/*
 * Makes n trees of t anew over the least loaded ways, in a few passes.  relieved:
 * peaks of loads are taken down after that, which is of use where these trees are
 * all that there is.  -ENOMEM, trees void.
 * O(n x cables).
 */
int weft__updown_trees(struct weft__updown *u, struct weft__traffic *t,
		       const uint32_t *list, uint32_t n, bool relieved);

/* The same for one tree, in one pass. */
void weft__updown_tree(struct weft__updown *u, struct weft__traffic *t,
		       uint32_t k);

/* Adds every dependency there can be to a lane.  false without memory. */
bool weft__updown_turns(struct weft__updown *u, struct weft__cdg *g,
			uint32_t lane);

#endif
