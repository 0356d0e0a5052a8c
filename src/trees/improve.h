/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Improving destination trees by what streams expect of each other, not by
 * load alone.  How, and what was tried: the DOC chapter of improve.c.
 */
#ifndef WEFT_TREES_IMPROVE_H
#define WEFT_TREES_IMPROVE_H

#include "trees/legal.h"
#include "trees/trees.h"
#include "trees/ways.h"

/*
 * Effort is counted in cables looked at, once for each destination that may
 * take them; some 5 to 10 ns each.  The default is 3 passes for 4,300 hosts
 * below 670 switches, which take about a second.
 */
#define WEFT__EFFORT 120000000

struct weft__improve {
	uint64_t effort;	/* in: 0 = only find out `before` */
	uint32_t seed;		/* in: of the noise */
	struct weft__legal *legal;	/* in: lanes that pairs are to have;
				 * NULL = any, and trees only get better */
	bool hosts_only;	/* in: aggregation nodes and routers neither
				 * send nor receive; their trees are left */
	bool blind;		/* in: with legal, `before` and `after` are not
				 * asked for, nor set */

	/* out: the share of bandwidth that a stream of a random bisection
	 * expects by the model: 0 to 5 % more than what is measured where hosts
	 * are all of one speed. */
	double before, after;
	unsigned passes;	/* out: over all destinations */
};

/*
 * Improves the trees of endports, all of which must be routed by the ways (as
 * weft__balance_endports() leaves them, one pass of it suffices) and stay so.
 * The trees of switches' own LIDs are left alone, and so are trees that the
 * model does not find better afterwards.
 * Passes are made as far as the effort goes, but one at least, and 24 at most,
 * or until nothing changes.  Same input, same trees.
 * Returns 0 or -ENOMEM, trees untouched.
 * Time: `effort`, and twice O(LIDs x switches).  Memory: 4 bytes for each pair
 * of cables that meet in a switch, and while it runs a copy of the trees:
 * switches bytes for each LID.
 *
 *	struct weft__improve run = { .effort = WEFT__EFFORT, .seed = 1 };
 *	weft__balance_endports(&balance, &ways, &trees, 1);
 *	err = weft__improve_trees(&ways, &trees, &run);
 *	weft__balance_switches(&balance, &ways, &trees);
 */
int weft__improve_trees(struct weft__ways *ways,
			const struct weft__trees *trees,
			struct weft__improve *run);

/*
 * The same in steps, where trees are judged first and improved later, if at
 * all: an improver knows what it has found out about them.  Between runs nobody
 * else may change trees, or it is to forget that; ways, trees and the arena live
 * as long as it is used.
 * What trees are worth is estimated from one in so many where that saves time;
 * 1: from all.  cheap: first prices, too, which does where each cable carries
 * many trees, as where all switches have hosts.  NULL without memory.
 */
struct weft__improver;

struct weft__improver *weft__improver_new(const struct weft_fabric *fabric,
					  struct weft_arena *arena,
					  bool hosts_only, unsigned one_in,
					  bool cheap);
void weft__improver_forget(struct weft__improver *improver);
/* As weft__improve_trees(), but that run->hosts_only goes for nothing. */
int weft__improver_run(struct weft__improver *improver,
		       struct weft__ways *ways,
		       const struct weft__trees *trees,
		       struct weft__improve *run);

#endif
