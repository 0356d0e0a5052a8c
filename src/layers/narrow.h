/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes that need fewer lanes; see narrow.c.
 *
 * The base is one tree of shortest ways for each switch, with a lane for each
 * pair of switches, the same in both directions.  All LIDs on a switch could
 * share its tree; refit.c gives them other trees that the same lanes hold as
 * well.
 */
#ifndef WEFT_LAYERS_NARROW_H
#define WEFT_LAYERS_NARROW_H

#include "graph/bfs.h"
#include "layers/job.h"
#include "layers/packing.h"

/* The hops between switches, and the order of nearness. */
struct weft__near {
	uint32_t nsw;
	uint16_t *hops;		/* [to][from]; WEFT__FAR: no way */
	uint32_t *order;	/* [to][from], nearest first, then by id */
};

/* Makes it in O(switches x cables) time; 6 bytes for each pair of switches.
 * -ENOMEM. */
int weft__near_init(struct weft__near *w, const struct weft_fabric *f);
void weft__near_free(struct weft__near *w);

/* Returns true if a channel of switch s is on a shortest way to switch b. */
static inline bool weft__is_nearer(const struct weft__near *w,
				   const struct weft_fabric *f, uint32_t ch,
				   uint32_t s, uint32_t b)
{
	const uint16_t *hops = w->hops + (size_t)b * w->nsw;

	return hops[f->peer[ch]] + 1u == hops[s];
}

struct weft__base {
	struct weft__job job;	/* a job of its own; tree i of its traffic leads
				 * to switch i */
	const struct weft__near *ways;
	struct weft__packing packing;	/* all pairs that are placed */
	struct weft__lanes_found found;
};

/* Finds places for pairs without one by other ways of the same length, until
 * the effort is spent. -ENOMEM. */
int weft__repair(struct weft__base *base);

/*
 * Gives every tree of job->traffic the least loaded shortest ways that base's
 * lanes hold; in the worst case base's own.  Pairs without a lane follow base.
 * -ENOMEM.
 */
int weft__refit(struct weft__job *job, struct weft__base *base);

struct weft__narrow_spec {
	const struct weft__near *ways;
	unsigned limit;		/* lanes that may be used */
	bool spread;		/* use all lanes */
};

/*
 * Makes new trees in job->traffic from those that are there, and gives a lane
 * to each pair, the same in both directions.  Where pairs without one are left,
 * which *out counts, the trees are as they were.  *value: the worth of the routes
 * if all have a place, see traffic.h. -ENOMEM.
 */
int weft__narrow(struct weft__job *job, const struct weft__narrow_spec *spec,
		 struct weft__lanes_found *out, double *value);

#endif
