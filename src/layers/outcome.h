/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The result of layering. */
#ifndef WEFT_LAYERS_OUTCOME_H
#define WEFT_LAYERS_OUTCOME_H

#include "layers/job.h"

/* Least worth, as a share, of routes that have other merits than those beside. */
#define WEFT__MIN_WORTH 0.98

struct weft__outcome {
	enum weft_layering_method method;
	struct weft__lanes_found found;
	bool hosts;		/* all routes to hosts may be new, */
	bool shared;		/* and are no Up*Down*, */
	double worth;		/* and are worth that much, */
	double uniform;		/* and all-to-all traffic gets that; see traffic.h */
	uint32_t root;		/* root of Up*Down*; WEFT_NONE: not used */
};

/* Finds what routes are worth.  -ENOMEM. */
int weft__outcome_measure(const struct weft__traffic *t, struct weft__outcome *o);

/* Returns what routes that have been measured are worth to the patterns of the
 * basket. */
double weft__outcome_value(const struct weft__outcome *o);

/*
 * Evens out the loads of new routes to hosts, in a copy of the tables that were given;
 * lanes of pairs follow.  -ENOMEM.  See even.c.
 */
int weft__outcome_even(struct weft__job *job, const struct weft_lft *given,
		       struct weft__outcome *o);

/* Makes SLs of lanes. -ENOMEM. */
int weft__outcome_layers(const struct weft__job *job,
			 const struct weft__lanes_found *found,
			 struct weft_layers *out);

/*
 * Fills in routes and *out; both are unchanged on errors.  Returns -ENOMEM or the
 * errors of weft__traffic_init().
 */
int weft__outcome_finish(struct weft__job *job, struct weft__outcome *o,
			 struct weft_routes *routes, struct weft_layering *out,
			 struct weft_diag *diag);

#endif
