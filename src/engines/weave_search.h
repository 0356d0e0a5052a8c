/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The search for lanes that hold minimal trees; see weave_lanes.c. */
#ifndef WEFT_ENGINES_WEAVE_SEARCH_H
#define WEFT_ENGINES_WEAVE_SEARCH_H

#include "engines/weave.h"

struct weft__search {
	struct weft__weave *w;
	struct weft__woven *out;	/* minimal trees, balanced */
	bool few_detours;	/* the order makes: what is to be had by minimal
				 * trees is little, */
	bool many_detours;	/* or so many that one lane cannot hold them */

	struct weft__orders orders;
	struct weft__legal legal;
	struct weft__trial trial;	/* .found: lanes by the orders */
	bool careful;		/* improvement minds the orders from the start */
	bool fitted;		/* lanes were found pair by pair */
	bool doubtful;		/* the order may be better than what was found */
};

/* Improves the trees, and finds lanes for them, or for others that need fewer.
 * trial.layers is set by the caller.  0 or -ENOMEM. */
int weft__search_lanes(struct weft__search *search);

#endif
