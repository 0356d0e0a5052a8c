/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lanes on what is left of a product of rings and paths; see damaged.c. */
#ifndef WEFT_ENGINES_WEAVE_DAMAGED_H
#define WEFT_ENGINES_WEAVE_DAMAGED_H
#include "engines/weave/weave.h"

const char *weft__damaged_refuses(const struct weft__weave *w);
/* Dimensions of long rings, each of which doubles the lanes. */
unsigned weft__damaged_datelines(const struct weft__weave *w);
double weft__damaged_work(const struct weft__weave *w);

/* Chooses minimal trees, over ways that are there, and loads them.  0 or
 * -ENOMEM. */
typedef int weft__damaged_trees(struct weft__weave *w,
				struct weft__tree_routes *out);

/* From such trees; keep: they keep what they have wherever that has a lane, or
 * else they all grow anew. */
int weft__damaged_build(struct weft__weave *w, weft__damaged_trees *trees,
			bool keep, struct weft_routes *out);

#endif
