/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The result of layering. */
#ifndef WEFT_LAYERS_OUTCOME_H
#define WEFT_LAYERS_OUTCOME_H

#include "layers/job.h"

struct weft__outcome {
	enum weft_layering_method method;
	struct weft__lanes_found found;
	bool shared;		/* trees are new, and of shortest ways */
	uint32_t root;		/* root of Up*Down*; WEFT_NONE: not used */
};

/*
 * Fills in routes and *out; both are unchanged on errors.  Takes over the table
 * of pairs.  Returns -ENOMEM or the errors of weft__traffic_init().
 */
int weft__outcome_finish(struct weft__job *job, struct weft__outcome *o,
			 struct weft_routes *routes, struct weft_layering *out,
			 struct weft_diag *diag);

#endif
