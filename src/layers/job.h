/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One run of layering: the routes, and the lanes given out so far.
 *
 * What is placed at a time is all that two switches send each other, both ways;
 * with one_way, what one switch sends another; with method destination, all
 * that is sent along one tree.
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
	uint64_t effort;	/* that each step may spend */
	bool one_way;		/* as in the spec, or not made use of */
	bool first_gap_ends;	/* methods give up when something finds no
				 * place, as nothing else is asked for */
	const uint8_t *urgent;	/* [nsw][nsw] pairs for lash to place first;
				 * NULL = none */
	struct weft__updown updown;	/* once it was asked for */
	uint64_t work;		/* units of effort spent */
};

/* The outcome of a method. */
struct weft__lanes_found {
	/*
	 * Lane of what switch a sends switch b, lane[a * nsw + b], or with
	 * by_tree lane[tree]; WEFT__UNPLACED.
	 */
	uint8_t *lane;
	bool by_tree;
	unsigned nlanes;	/* in use */
	uint64_t unplaced;	/* pairs, or trees */
};

/*
 * The methods; each explains itself.  At most limit lanes, 0 and up; what fits
 * into none, or was not come to when the effort was spent, is left unplaced.
 * -ENOMEM.
 */
int weft__lash(struct weft__job *job, unsigned limit,
	       struct weft__lanes_found *out);
int weft__offline(struct weft__job *job, unsigned limit,
		  struct weft__lanes_found *out);
int weft__by_destination(struct weft__job *job, unsigned limit,
			 struct weft__lanes_found *out);

/* Counts the entries without a place among the n of l->lane. */
void weft__count_unplaced(struct weft__lanes_found *l, size_t n);

/* Whether a method that has come to this point should go no further. */
static inline bool weft__gives_up(const struct weft__job *job, uint64_t work,
				  uint64_t unplaced)
{
	return work > job->effort || (job->first_gap_ends && unplaced);
}

/*
 * Adds what switches a and b send each other (with one_way: what a sends b) to
 * a lane; false, and nothing is changed, if that closed a cycle.
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
 * Routes thin LIDs anew where that lets one lane do for everything;
 * see management.c.  *done tells whether it does; if not, trees are as before.
 */
int weft__route_management(struct weft__job *job, bool *done);

/* Has thin LIDs on switches with hosts share the routes to one of these, so
 * that they take no lanes of their own.  Hops stay as they are. */
void weft__share_thin(struct weft__job *job);

/*
 * What has no place is routed anew with Up*Down*; see fallback.c.  *l, as a
 * method left it when it had spec->lanes - 1 lanes, has everything placed
 * afterwards.  -ENOMEM.
 */
int weft__fall_back(struct weft__job *job, struct weft__lanes_found *l,
		    uint32_t *root);

/* Spreads pairs or trees, all of which have a place, over nlanes lanes; see
 * balance.c. */
void weft__balance(const struct weft__job *job, struct weft__lanes_found *l,
		   unsigned nlanes);

#endif
