/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ways that an engine may choose from: for each destination switch, the
 * cables by which each other switch may send to it.
 *
 * Minimal: all cables that lead one hop nearer.  Up*Down* over an order of the
 * switches: a switch that has a way down to the destination takes the shortest
 * ways down; the others climb to where the rest is shortest.  Either way every
 * cable of a switch leads to one whose hops are one fewer, so that any choice
 * of one cable per switch is a tree, and one pass in the order of hops serves
 * both.  Up*Down* ways, of all destinations together, have no cycle of
 * dependencies whatever is chosen.
 *
 * Cables may be kept (own[]) for what a switch itself sends to a neighbour
 * below it, both with nothing else below them.  Nobody waits for such a channel
 * while holding another one, so that it closes no cycle, and the neighbour may
 * send on upwards.
 *
 * Use:
 *	weft__ways_init(&ways, fabric, arena, NULL or a place for each switch);
 *	plan = weft__ways_to(&ways, tree->root);
 *	const struct weft__run *run = plan->run;
 *	for (i = 0; i < plan->n; i++) {
 *		s = plan->order[i + 1];
 *		for (n = plan->nruns[i]; n; n--, run++)
 *			for (k = 0; k < run->length; k++)
 *				adj_first[s] + run->start + k may be chosen:
 *				tree->choice[s] = run->start + k;
 *	}
 * A switch that order[] lacks has no legal way to that destination; after a
 * successful weft__ways_complete() there is none.
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

/* The ways to one switch, the root. */
struct weft__plan {
	uint32_t n;		/* switches with a way, but for the root */
	uint32_t *order;	/* [n + 1] the root, then each switch behind
				 * those it may send to */
	uint8_t *nruns;		/* [n] runs of order[i + 1], at least 1 */
	struct weft__run *run;	/* [total] of all, one after the other */
	uint32_t total;
};

/* How a switch sends, where ways are not minimal. */
enum weft__way {
	WEFT__UP,
	WEFT__DOWN,
	WEFT__VALLEY,		/* to a neighbour in the valley */
	WEFT__OUT,		/* by cables that are its own */
};

/* Cables kept for what the upper of two switches sends itself. */
enum weft__own {
	WEFT__COMMON,
	WEFT__OWN,		/* down such a cable */
	WEFT__FOREIGN,		/* the same cable, upwards: as any other */
};

/* What makes a cable legal. */
enum weft__rule {
	WEFT__MINIMAL,
	WEFT__ORDERED,		/* down if possible, else up */
	WEFT__DETOURS,		/* the same, and anywhere in the valley */
};

struct weft__ways {
	const struct weft_fabric *fabric;
	struct weft_arena *arena;
	const uint32_t *place;	/* [nsw] 0 = the top; NULL: minimal ways */
	uint32_t *by_place;	/* [nsw] its inverse */
	uint32_t *head;		/* [edges] switch an adjacency entry leads to */
	struct weft__plan *plan;	/* [nsw] order == NULL: no endports */
	const uint8_t *own;	/* [edges] enum weft__own; NULL: none.  Set by
				 * who then calls weft__ways_replan() */

	struct weft__hops known;	/* Up*Down* without own[] */
	struct weft__run *up_run;	/* of all cables upwards */
	uint32_t *up_first;	/* [nsw] a switch's first in up_run[] */
	uint8_t *up_nruns;	/* [nsw] */

	/* Where ways may turn up again, a tree of switches; see
	 * weft__ways_complete(). */
	uint32_t *valley;	/* [nvalley] root first, parents first */
	uint32_t nvalley;	/* 0 = no need of one */
	uint32_t keep_off;	/* no switch for its root; WEFT_NONE */
	uint32_t *valley_parent;	/* [nsw] WEFT_NONE = not in it; its
					 * root's is itself */
	uint8_t *cut;		/* [nsw] destinations that somebody has no way
				 * to but over the valley */
	uint8_t *loose;		/* [nsw] destinations to which those in the
				 * valley climb wherever they like */

	struct weft__plan scratch;	/* the plan made last */

	/* of the plan made last, where hops are not known */
	enum weft__rule rule;
	uint16_t *hops;		/* [nsw] WEFT__FAR: no way */
	uint8_t *way;		/* [nsw] enum weft__way */
	uint32_t *queue;	/* [nsw] */
};

/*
 * Makes the plans of all switches that have endports.  place (a permutation;
 * NULL = minimal ways) must outlive the ways.  false without memory.
 * O(switches with endports x cables) time at worst, O(switches x cables / 64
 * + switches x switches with endports) on a whole tree; memory of a plan: 5
 * bytes for each switch and 2 for each run.
 */
bool weft__ways_init(struct weft__ways *ways, const struct weft_fabric *fabric,
		     struct weft_arena *arena, const uint32_t *place);

/* Makes the stored plans anew, without a valley; switches may be left without a
 * way.  false without memory. */
bool weft__ways_replan(struct weft__ways *ways);

/*
 * The plan for a switch: the stored one, or for a switch without endports one
 * that is valid until the next call of weft__ways_to() or weft__ways_make().
 */
const struct weft__plan *weft__ways_to(struct weft__ways *ways, uint32_t root);

/* Hops of each switch that a plan has, [nsw]; others are left alone. */
void weft__ways_hops(const struct weft__ways *ways,
		     const struct weft__plan *plan, uint16_t *hops);

/* Makes a plan in ways->scratch.  O(cables) at worst; with nothing that is
 * irregular O(switches). */
const struct weft__plan *weft__ways_make(struct weft__ways *ways,
					 uint32_t root);
/* Stores a plan, of the arena.  false without memory. */
bool weft__ways_keep(struct weft__ways *ways, const struct weft__plan *plan,
		     struct weft__plan *out);

/*
 * Gives ways to those that have none, upper switches for the most part, over a
 * valley (valleys.c), one with which the dependencies of all ways of all
 * destinations stay acyclic.  *had_none: pairs of switches without a way of
 * their own; *missing: as many if no valley was found, else 0.  false without
 * memory.
 * O(switches x cables) for each valley that is tried.
 */
bool weft__ways_complete(struct weft__ways *ways, uint64_t *had_none,
			 uint64_t *missing);

/*
 * Up*Down* ways of everybody to everybody by closeness: over a valley where one
 * closes no cycle, else below the closest switch alone; *close, which must
 * outlive the ways, then says so.  false without memory.
 */
bool weft__ways_by_closeness(struct weft__ways *ways,
			     struct weft__closeness *close,
			     struct weft_arena *arena);

/* Adds the dependencies of all ways to all switches to a lane of a graph,
 * cyclic or not.  false without memory.  O(switches x cables x ports / 64). */
bool weft__ways_collect(struct weft__ways *ways, struct weft__cdg *graph,
			uint32_t lane);

#endif
