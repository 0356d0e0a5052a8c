/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes that need one lane: Up*Down* by closeness to all hosts, balanced over
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
	struct weft__balance balance;	/* loads of trees made so far */
	uint64_t *loads;	/* [first_injection] scratch */
};

/*
 * Finds the ways from all switches to all others in a fabric that is in one
 * part.  If *u has them already (a zeroed one has not), forgets the loads
 * instead. -ENOMEM.  O(switches x cables), more where valleys are needed.
 */
int weft__updown_init(struct weft__updown *u,
		      const struct weft_fabric *fabric);
void weft__updown_free(struct weft__updown *u);	/* a zeroed one is fine */

/* Returns the switch at the top of the order. */
static inline uint32_t weft__updown_root(const struct weft__updown *u)
{
	return u->close.by_place[0];
}

/* Adds all traffic along tree k to the loads, wherever it leads (sign 1), or
 * subtracts it (-1, modulo 2^64).  New trees avoid loads. */
void weft__updown_load(struct weft__updown *u, const struct weft__traffic *t,
		       uint32_t k, uint64_t sign);

/*
 * Makes n trees of t anew over the least loaded ways, in a few passes.
 * relieved: lowers peaks of load after that, which is useful if these trees are
 * all that there are. -ENOMEM; the trees are void then.  O(n x cables).
 */
int weft__updown_trees(struct weft__updown *u, struct weft__traffic *t,
		       const uint32_t *list, uint32_t n, bool relieved);

/* Makes one tree like that, in one pass. */
void weft__updown_tree(struct weft__updown *u, struct weft__traffic *t,
		       uint32_t k);

/* Adds all dependencies that ways may have to a lane.  Returns false without
 * memory. */
bool weft__updown_turns(struct weft__updown *u, struct weft__cdg *g,
			uint32_t lane);

#endif
