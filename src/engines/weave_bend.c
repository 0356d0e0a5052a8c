// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, trees bent to fit the lanes
 *
 * Where rings have gaps, or lanes are few, minimal trees leave some pairs of
 * switches without a lane.  Up to a tenth of them are mended at once (mend.c);
 * where it is more, trees with care for lanes leave fewer first.  They are
 * improved within their lanes then (polish.c), and what comes out is compared
 * with the ordered routes by random bisections; up to 1000
 * endports these are improved for that.
 *
 * Effective bisection bandwidth, 100 patterns: psssp, whose routes have credit
 * loops; one lane by the order; and this with 8, 4 and 2 lanes:
 *
 *				psssp	order	8	4	2
 *	torus:12x12,hosts=2
 *	  fail-links=5%		.300	.221	.311	.305	.221
 *	  fail-links=20%	.242	.155	.250	.241	.155
 *	  fail-switches=3	.310	.252	.332	.328	.308
 *	torus:16x16,hosts=1
 *	  fail-links=10%	.339	.239	.356	.342	.239
 *	torus:6x6x6,fail-links=20%
 *				.571	.454	.586	.572	.540
 *	torus:4x4x4,hosts=4,fail-links=10%
 *				.434	.402	.454	.449	.436
 *	hypercube:6,hosts=8,fail-links=20%
 *				.250	.227	.258	.254	.248
 *	dragonfly:6,3,3,19,fail-links=10%
 *				.587	.449	.600	.600	.572
 *
 * Before, layering looked for lanes (weave_fit.c), and found none on most of
 * these: .155 on 12x12 with 20 % failed and 8 lanes, after 2.2 s (now .3 s).
 * Tried: trees with care for lanes before everything is mended, however few
 * lack one: .286 instead of .291 on 12x12 with 10 %, and .288 instead of .296
 * on 16x16 with 20 %.  To mend 8x8x8 with one host per switch at once, where a
 * third of the pairs lack a lane: .482 instead of .515 with 3 %.  Single steps,
 * one switch of a way sending elsewhere, leave 5 to 10 of 10296 pairs on 12x12
 * whatever the weights.  Orders by dimensions, another one in each lane and
 * rings cut at another place: fewer pairs share a lane by them from the start
 * (61883 of 130816 on 8x8x8 with 2 hosts per switch, not 99207).
 * Without polish: .575 on 6x6x6, .513 instead of .525 on 8x8x8 with 3 %.
 */
#include "engines/weave.h"

#include "core/arena.h"
#include "engines/mend.h"
#include "engines/pairs.h"
#include "engines/polish.h"
#include "engines/regrow.h"
#include "engines/settle.h"

#include <errno.h>

#define PASSES 2	/* of polish: more give nothing */
#define MANY_LEFT 0.01	/* pairs for which trees grow anew at once */

/* Whether they are worth more than the ordered ones are by then. */
static int compare(struct weft__weave *w, const struct weft__trees *trees,
		   bool *better)
{
	int err = weft__weave_is_large(w->f) ? 0 :
		weft__weave_improve_ordered(w);

	return err ? err : weft__weave_beats_order(w, trees, better);
}

int weft__weave_bend(struct weft__weave *w, struct weft__spread *spread,
		     uint64_t patience, bool *done)
{
	const struct weft__trees *trees = spread->trees;
	uint8_t *copy = weft__arena_alloc(w->arena,
					  (size_t)trees->n * w->f->nsw, 1);
	uint64_t left;
	int err;

	*done = false;
	if (!copy)
		return -ENOMEM;
	weft__trees_save(trees, trees->n, w->f->nsw, copy);
	weft__spread_look(spread, trees->n);
	err = weft__mend(spread, patience, &left);
	if (!err && !left)
		err = weft__polish(spread, PASSES, false);
	if (!err && !left)
		err = compare(w, trees, done);
	if (!*done)
		weft__trees_restore(trees, trees->n, w->f->nsw, copy);
	return err;
}

int weft__weave_bend_left(struct weft__pairs *pairs,
			  struct weft__spread *spread, const uint32_t *up,
			  uint64_t patience)
{
	uint64_t left;
	int err = 0;

	if (pairs->left > MANY_LEFT * pairs->npairs)
		err = weft__regrow(spread);
	if (!err)
		err = up ? weft__settle_pairs(spread, up, patience) :
			weft__mend(spread, patience, &left);
	if (!err)
		pairs->bent = true;
	return err;
}
