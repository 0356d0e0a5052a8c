// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on fat trees, by residue
 *
 * On an exact generalized fat tree D-mod-K has no contention under any shift, if
 * hosts are numbered as programs count them: in a row or, in a variant, with each
 * subtree anew, which suits ranks that are dealt out to leaves in turns.  Where
 * cables are missing the rest goes on as if they were not (engines/pgft/follow.c).
 *
 * D-mod-K has shortest ways for traffic of upper switches, which could close
 * cycles.  Here these are Up*Down* ways by an order that follows the levels, so that
 * all routes that climb and then descend stay the same.
 */
#include "engines/weave/weave.h"

#include "engines/pgft/follow.h"

#include <errno.h>

#define RELIEF_ROUNDS 64	/* of peaks, where leaves have fewer hosts */

/* Variants.  In all but the first, every subtree begins with its first way up; the
 * second one leaves peaks alone, as relief breaks up shifts, and the last one
 * shares parallel cables up. */
enum { IN_A_ROW, AS_NUMBERED, ALIGNED, SHARED_CABLES, VARIANTS };

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root)
		return "roots are given";
	return w->facts.tree ? NULL : "no fat tree that is nearly whole";
}

static double work(const struct weft__weave *w)
{
	return (double)w->facts.lids * w->f->nsw * 4 +
	       2.0 * w->f->nsw * w->facts.edges;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	const struct weft__follow_spec spec = {
		.fabric = w->f,
		.form = &w->facts.form,
		.how = { .rank = w->facts.rank,
			 .aligned = w->variant != IN_A_ROW },
		.share = w->variant == SHARED_CABLES,
		.other = w->variant != IN_A_ROW,
		.arena = w->arena,
	};
	struct weft__tree_routes routes = { .trees = { 0 } };
	bool complete;
	int err = weft__route_ordered(w, w->close.place, &routes, &complete);

	if (err)
		return err;
	if (!complete)
		return -ENOTSUP;
	err = weft__route_begin(w, &routes);
	if (!err)
		err = weft__pgft_follow(&spec, &routes.ways, &routes.trees,
					&routes.balance);
	if (err)
		return err;
	weft__balance_switches(&routes.balance, &routes.ways, &routes.trees);
	if (w->variant != AS_NUMBERED)
		weft__balance_relieve(&routes.balance, &routes.ways,
				      &routes.trees, RELIEF_ROUNDS);
	return weft__route_tables(w, &routes, out);
}

static double promise(const struct weft__weave *w)
{
	(void)w;
	return 20;
}

const struct weft__strategy weft__strategy_residue = {
	.name = "residue",
	.about = "fat trees: shifts and all-to-all without contention if whole",
	.promise = promise,
	.refuses = refuses,
	.work = work,
	.build = build,
	.variants = VARIANTS,
};
