/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ways that an engine may choose from: for each destination switch, the
 * cables by which each other switch may send to it.
 *
 * Minimal ways use all cables that lead one hop nearer.  Up*Down* ways follow
 * an order of the switches: a switch that has a way down to the destination
 * takes the shortest ways down; all others climb to where the rest is shortest.
 * Either way every cable of a switch leads to one whose hops are one fewer.  So
 * any choice of one cable per switch is a tree, and one pass in the order of
 * hops serves both.  Up*Down* ways, of all destinations together, have no cycle
 * of dependencies whatever is chosen.
 *
 * Cables may be kept (own[]) for traffic of a switch itself to a neighbour
 * below it, if both switches have nothing else below them.  No packet waits for
 * such a channel while it holds another one, so that it closes no cycle, and
 * the neighbour may send on upwards.
 *
 * Use:
 * 	weft__ways_init(&ways, fabric, arena, NULL or a place for each switch);
 * 	plan = weft__ways_to(&ways, tree->root);
 * 	const struct weft__run *run = plan->run;
 * 	for (i = 0; i < plan->n; i++) {
 * 		s = plan->order[i + 1];
 * 		for (n = plan->nruns[i]; n; n--, run++)
 * 			for (k = 0; k < run->length; k++)
 * 				adj_first[s] + run->start + k may be chosen:
 * 				tree->choice[s] = run->start + k;
 * 	}
 * A switch that order[] lacks has no legal way to that destination.  After a
 * successful weft__ways_complete() there is no such switch.
 */
#ifndef WEFT_TREES_WAYS_H
#define WEFT_TREES_WAYS_H

#include "graph/bfs.h"
#include "trees/hops.h"

#include <weft/fabric.h>

struct weft_arena;
struct weft__cdg;
struct weft__closeness;

/* Cables next to each other in a switch's adjacency. */
struct weft__run {
	uint8_t start, length;
};

/* True if the runs of a switch have the cable at a position. */
static inline bool weft__runs_have(const struct weft__run *run, unsigned n,
				   uint32_t position)
{
	for (; n; n--, run++)
		if (position - run->start < run->length)
			return true;
	return false;
}

/* The ways to one switch, the root. */
struct weft__plan {
	uint32_t n;		/* switches with a way, without the root */
	uint32_t *order;	/* [n + 1] the root, then each switch behind
				 * those it may send to */
	uint8_t *nruns;		/* [n] runs of order[i + 1], at least 1 */
	struct weft__run *run;	/* [total] runs of all switches, in their
				 * order */
	uint32_t total;
	uint32_t edges;		/* in all runs */
};

/* The kinds of ways that are not minimal. */
enum weft__way {
	WEFT__UP,
	WEFT__DOWN,
	WEFT__VALLEY,		/* to a neighbour in the valley */
	WEFT__OUT,		/* by cables kept for its own traffic */
};

/* Cables kept for traffic of the upper of two switches itself. */
enum weft__own {
	WEFT__COMMON,
	WEFT__OWN,		/* the direction down, kept */
	WEFT__FOREIGN,		/* the direction up, free to all */
};

/* The rules by which cables are legal. */
enum weft__rule {
	WEFT__MINIMAL,
	WEFT__ORDERED,		/* down if possible, else up */
	WEFT__DETOURS,		/* as ORDERED, and anywhere in the valley */
};

struct weft__ways {
	const struct weft_fabric *fabric;
	struct weft_arena *arena;
	const uint32_t *place;	/* [nsw] 0 = the top; NULL: minimal ways */
	uint32_t *by_place;	/* [nsw] its inverse */
	uint32_t *head;		/* [edges] switch that the entry leads to */
	struct weft__plan *plan;	/* [nsw] order == NULL: no endports
					 * there */
	const uint8_t *own;	/* [edges] enum weft__own; NULL: none.  Whoever
				 * sets it must call weft__ways_replan() */

	struct weft__hops known;	/* Up*Down* hops if there is no own[] */
	struct weft__run *up_run;	/* runs of all cables upwards */
	uint32_t *up_first;	/* [nsw] first run of a switch in up_run[] */
	uint8_t *up_nruns;	/* [nsw] */

	/* A tree of switches where ways may turn up again; see
	 * weft__ways_complete(). */
	uint32_t *valley;	/* [nvalley] root first, each behind its
				 * parent */
	uint32_t nvalley;	/* 0: no valley */
	uint32_t keep_off;	/* switch not to be its root, or WEFT_NONE */
	uint32_t *valley_parent;	/* [nsw] WEFT_NONE: not in it; the root
					 * is its own parent */
	uint8_t *cut;		/* [nsw] destinations that some switch reaches
				 * only by the valley */
	uint8_t *loose;		/* [nsw] destinations towards which switches in
				 * the valley climb wherever they like */

	struct weft__plan scratch;	/* the plan made last */
	uint64_t looked;	/* edges and switches looked at so far, in units
				 * of balance.h */

	/* search for the last plan, where hops are not known */
	enum weft__rule rule;
	uint16_t *hops;		/* [nsw] WEFT__FAR: no way */
	uint8_t *way;		/* [nsw] enum weft__way */
	uint32_t *queue;	/* [nsw] */
};

/*
 * Makes the plans of all switches that have endports. place (a permutation;
 * NULL: minimal ways) must outlive the ways.  Returns false without memory.
 * O(switches with endports x cables) time at worst, O(switches x cables / 64 +
 * switches x switches with endports) on a whole tree.  A plan takes 5 bytes for
 * each switch and 2 for each run.
 */
bool weft__ways_init(struct weft__ways *ways, const struct weft_fabric *fabric,
		     struct weft_arena *arena, const uint32_t *place);

/* Makes the stored plans anew, without a valley; switches may have no way then.
 * Returns false without memory. */
bool weft__ways_replan(struct weft__ways *ways);

/*
 * Returns the plan for a switch: the stored one, or for a switch without
 * endports one that is valid until the next call of weft__ways_to() or
 * weft__ways_make().
 */
const struct weft__plan *weft__ways_to(struct weft__ways *ways, uint32_t root);

/* Finds the hops of each switch that a plan has, [nsw]; others are left
 * alone. */
void weft__ways_hops(const struct weft__ways *ways,
		     const struct weft__plan *plan, uint16_t *hops);

/* Makes a plan in ways->scratch.  O(cables) at worst; O(switches) where nothing
 * is irregular. */
const struct weft__plan *weft__ways_make(struct weft__ways *ways,
					 uint32_t root);
/* Copies a plan into the arena.  Returns false without memory. */
bool weft__ways_keep(struct weft__ways *ways, const struct weft__plan *plan,
		     struct weft__plan *out);

/*
 * Finds a valley (valleys.c) for switches without a way, which are upper
 * switches for the most part, such that the dependencies of all ways of all
 * destinations stay acyclic. *had_none: pairs of switches without a way of
 * their own; *missing: as many if no valley was found, else 0. Returns false
 * without memory.  O(switches x cables) for each valley that is tried.
 */
bool weft__ways_complete(struct weft__ways *ways, uint64_t *had_none,
			 uint64_t *missing);

/*
 * Finds Up*Down* ways from all switches to all others by closeness: over a
 * valley if one closes no cycle, else below the closest switch alone, as
 * *close, which must outlive the ways, then says.  Returns false without
 * memory.
 */
bool weft__ways_by_closeness(struct weft__ways *ways,
			     struct weft__closeness *close,
			     struct weft_arena *arena);

/* Adds the dependencies of all ways to all switches to a lane of a graph,
 * cyclic or not.  Returns false without memory.  O(switches x cables x ports /
 * 64). */
bool weft__ways_collect(struct weft__ways *ways, struct weft__cdg *graph,
			uint32_t lane);

#endif
