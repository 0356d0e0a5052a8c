/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What routes are worth, by trial: see worth.c. */
#ifndef WEFT_TREES_WORTH_H
#define WEFT_TREES_WORTH_H

#include "trees/trees.h"

/* Routes to one LID of each endport. */
struct weft__columns {
	const struct weft_fabric *fabric;
	const uint8_t **to;	/* [nep] [nsw] how each switch sends there;
				 * NULL = the endport has no LID */
	bool ports;		/* by port, 0 = no further; else by the position
				 * in its adjacency */
	bool both_ways;		/* who sends receives at the same time */
};

/*
 * The mean share of bandwidth of the streams of random bisections, always the
 * same ones.  0 or -ENOMEM.
 */
int weft__columns_worth(const struct weft__columns *columns, double *worth);

/* The same for trees, and one way. */
int weft__trees_worth(const struct weft_fabric *fabric,
		      const struct weft__trees *trees, double *worth);

#endif
