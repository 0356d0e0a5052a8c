/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes that need fewer lanes: see narrow.c.
 *
 * The heart is one tree for each switch, of shortest ways, with a lane for each
 * pair of switches, both ways: the base.  All LIDs on a switch could share its
 * tree; refit.c gives them others that the same lanes hold, too.
 */
#ifndef WEFT_LAYERS_NARROW_H
#define WEFT_LAYERS_NARROW_H
#include "graph/bfs.h"
#include "layers/job.h"
#include "layers/packing.h"

/* Cables between switches and who is near whom. */
struct weft__near {
	uint32_t nsw;
	uint16_t *hops;		/* [to][from], WEFT__FAR = no way */
	uint32_t *order;	/* [to][from], nearest first, then by id */
};

/* O(switches x cables) time, 6 bytes for each pair of switches.  -ENOMEM. */
int weft__near_init(struct weft__near *w, const struct weft_fabric *f);
void weft__near_free(struct weft__near *w);

/* Whether a channel of switch s is on a shortest way to switch b. */
static inline bool weft__is_nearer(const struct weft__near *w,
				   const struct weft_fabric *f, uint32_t ch,
				   uint32_t s, uint32_t b)
{
	const uint16_t *hops = w->hops + (size_t)b * w->nsw;

	return hops[f->peer[ch]] + 1u == hops[s];
}

struct weft__base {
	struct weft__job job;	/* its traffic is the trees, tree i to switch i,
				 * and its own */
	const struct weft__near *ways;
	struct weft__packing packing;	/* with everything that is placed */
	struct weft__lanes_found found;
};

/* Finds places for pairs without one by other ways of the same length, until
 * the effort is spent.  -ENOMEM. */
int weft__repair(struct weft__base *base);

/*
 * Gives every tree of job->traffic the least loaded shortest ways that base's
 * lanes hold; at worst base's own.  Pairs without a lane follow base.  -ENOMEM.
 */
int weft__refit(struct weft__job *job, struct weft__base *base);

struct weft__narrow_spec {
	const struct weft__near *ways;
	unsigned limit;		/* lanes that there are */
	bool spread;		/* use all of them */
	bool partly;		/* also when some pairs have no lane; otherwise
				 * trees are of no use then */
};

/*
 * New trees in job->traffic, made after those that are there, and a lane for
 * each pair, both ways.  What has no place is counted in *out.  *value: of the
 * routes, see traffic.h.  -ENOMEM.
 */
int weft__narrow(struct weft__job *job, const struct weft__narrow_spec *spec,
		 struct weft__lanes_found *out, double *value);

#endif
