/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What layering has found. */
#ifndef WEFT_LAYERS_OUTCOME_H
#define WEFT_LAYERS_OUTCOME_H
#include "layers/job.h"

struct weft__outcome {
	enum weft_layering_method method;
	struct weft__lanes_found found;
	bool shared;		/* trees are new, and of shortest ways */
	uint32_t root;		/* of Up*Down*, WEFT_NONE = not used */
};

/*
 * Fills in routes and *out; everything that can fail comes first.  The table of
 * pairs is taken over.  -ENOMEM and what weft__traffic_init() says.
 */
int weft__outcome_finish(struct weft__job *job, struct weft__outcome *o,
			 struct weft_routes *routes, struct weft_layering *out,
			 struct weft_diag *diag);

#endif
