/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One run of layering: the routes, and the lanes given out so far.
 *
 * Traffic is placed in units: all that two switches send each other, in both
 * directions; with one_way, all that one switch sends another; with method
 * destination, all that is sent along one tree.
 */
#ifndef WEFT_LAYERS_JOB_H
#define WEFT_LAYERS_JOB_H

#include "layers/updown.h"

#include <weft/layering.h>

#define WEFT__UNPLACED 255	/* no lane would take it */

struct weft__job {
	const struct weft_fabric *fabric;
	const struct weft_layering_spec *spec;
	struct weft__traffic traffic;
	uint64_t effort;	/* work that each step may spend */
	bool one_way;		/* as in the spec; false if not made use of */
	bool first_gap_ends;	/* methods give up at the first unit without a
				 * place, as nothing else is asked for then */
	const uint8_t *urgent;	/* [nsw][nsw] pairs that lash places first;
				 * NULL: none */
	struct weft__updown updown;	/* zeroed before its first use */
	uint64_t work;		/* units of effort spent */
};

/* The result of a method. */
struct weft__lanes_found {
	/*
	 * lane[a * nsw + b] is the lane from switch a to switch b, or with
	 * by_tree lane[tree] that of a tree; WEFT__UNPLACED if there is none.
	 */
	uint8_t *lane;
	bool by_tree;
	unsigned nlanes;	/* in use */
	uint64_t unplaced;	/* pairs, or trees */
};

/*
 * The methods; each is explained in its file.  They use at most limit lanes, 0
 * and up, and leave unplaced whatever fits into none or was not reached when
 * the effort was spent. -ENOMEM.
 */
int weft__lash(struct weft__job *job, unsigned limit,
	       struct weft__lanes_found *out);
int weft__offline(struct weft__job *job, unsigned limit,
		  struct weft__lanes_found *out);
int weft__by_destination(struct weft__job *job, unsigned limit,
			 struct weft__lanes_found *out);

/* Counts the entries without a place among the n of l->lane. */
void weft__count_unplaced(struct weft__lanes_found *l, size_t n);

/* Returns true if a method that has come to this point should stop. */
static inline bool weft__gives_up(const struct weft__job *job, uint64_t work,
				  uint64_t unplaced)
{
	return work > job->effort || (job->first_gap_ends && unplaced);
}

/*
 * Adds the traffic between switches a and b (with one_way: from a to b) to a
 * lane.  Returns false, and changes nothing, if that would close a cycle.
 */
bool weft__pair_add(const struct weft__job *job, uint32_t a, uint32_t b,
		    struct weft__order *o, uint32_t lane);
/* Sets the lane of both directions (with one_way: of a to b). */
static inline void weft__pair_set(const struct weft__job *job, uint8_t *table,
				  uint32_t a, uint32_t b, uint8_t lane)
{
	table[(size_t)a * job->fabric->nsw + b] = lane;
	if (!job->one_way)
		table[(size_t)b * job->fabric->nsw + a] = lane;
}

/*
 * Routes thin LIDs anew where one lane is enough for all traffic then; see
 * management.c. *done tells if it is; if not, trees are as before.
 */
int weft__route_management(struct weft__job *job, bool *done);

/* Has thin LIDs on switches with hosts share the routes to one of these, so
 * that they need no lanes of their own.  Hops stay as they are. */
void weft__share_thin(struct weft__job *job);

/*
 * Routes management traffic without a place again with Up*Down*; see fallback.c.
 * *l must be what a method left for pairs, in both directions, when it had
 * spec->lanes - 1 lanes, at least one; all is placed afterwards. -ENOMEM.
 */
int weft__fall_back(struct weft__job *job, struct weft__lanes_found *l,
		    uint32_t *root);

/* Spreads pairs or trees, all of which have a place, over nlanes lanes; see
 * balance.c. */
void weft__balance(const struct weft__job *job, struct weft__lanes_found *l,
		   unsigned nlanes);

#endif
