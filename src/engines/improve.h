/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Improving destination trees by what streams expect of each other, not by
 * load alone.  How, and what was tried: the DOC chapter of improve.c.
 */
#ifndef WEFT_ENGINES_IMPROVE_H
#define WEFT_ENGINES_IMPROVE_H

#include "engines/trees.h"
#include "engines/ways.h"

/*
 * Effort is counted in cables looked at, once for each destination that may
 * take them; some 3 to 5 ns each.
 */
#define WEFT__EFFORT 150000000

struct weft__improve {
	uint64_t effort;	/* in: 0 = only find out `before` */
	uint32_t seed;		/* in: of the noise */

	/* out: the share of bandwidth that a stream of a random bisection
	 * expects by the model, which says less than is measured (by 2 to 5 %),
	 * but orders tables of one fabric as measuring them does. */
	double before, after;
	unsigned passes;	/* out: over all destinations */
};

/*
 * Improves the trees of endports, all of which must be routed by the ways (as
 * weft__balance_endports() leaves them) and stay so; all endports are sources
 * and destinations.  The trees of switches' own LIDs are left alone.  Passes are
 * made as far as the effort goes, one at least, MAX_PASSES (improve.c) at most,
 * or until nothing changes.  A result that the model does not find better than
 * the trees given is thrown away.
 * Same input, same trees.  Returns 0 or -ENOMEM, trees untouched.
 * Time: `effort` and O(LIDs x switches) more, twice.
 * Memory: 4 bytes for each pair of cables that meet in a switch, and while it
 * runs a copy of the trees: switches bytes for each LID.
 */
int weft__improve_trees(struct weft__ways *ways,
			const struct weft__trees *trees,
			struct weft__improve *run);

#endif
