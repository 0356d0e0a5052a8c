/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lanes on a damaged product of rings and paths; see damaged.c. */
#ifndef WEFT_ENGINES_WEAVE_DAMAGED_H
#define WEFT_ENGINES_WEAVE_DAMAGED_H

#include "engines/weave/weave.h"

/* Callbacks of strategies. */
const char *weft__damaged_refuses(const struct weft__weave *w);
double weft__damaged_work(const struct weft__weave *w);

/* True if there is a lane for each set of datelines.  Each dimension of long rings
 * doubles these, and all minimal ways have a lane then. */
bool weft__damaged_tells_all(const struct weft__weave *w);

/* Chooses minimal trees among the ways in *out, and loads them.  Returns 0 or
 * -ENOMEM. */
typedef int weft__damaged_trees(struct weft__weave *w,
				struct weft__tree_routes *out);

/* Builds tables from such trees.  keep: trees keep the ways that have a lane;
 * else they all grow anew. */
int weft__damaged_build(struct weft__weave *w, weft__damaged_trees *trees,
			bool keep, struct weft_routes *out);

#endif
