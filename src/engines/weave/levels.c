// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, by the levels of a tree
 *
 * The top of a tree need not be close to the hosts: it is no closer than a leaf
 * where each of its switches sees few leaves, and a cable between two spines
 * draws these down.  The order is that of the fat-tree engines (fattree.h) here,
 * from the hosts upwards; all else is as by closeness.
 */
#include "engines/weave/weave.h"

#include "engines/fattree.h"

#include <errno.h>

static const char *refuses(const struct weft__weave *w)
{
	if (w->is_root)
		return "roots are given";
	return w->facts.bare ? NULL : "all switches have hosts";
}

static double work(const struct weft__weave *w)
{
	return weft__woven_work(w) + 2.0 * w->f->nsw * w->facts.edges;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__woven woven = { .trees = { 0 } };
	struct weft__fattree tree;
	bool complete;
	int err = weft__fattree_find(w->f, NULL, w->arena, &tree, NULL);

	if (!err && !tree.is_tree)
		return -ENOTSUP;
	if (!err)
		err = weft__woven_ordered(w, tree.place, &woven, &complete);
	if (!err && !complete)
		return -ENOTSUP;
	if (!err)
		err = weft__woven_balance(w, &woven);
	return err ? err : weft__woven_tables(w, &woven, out);
}

const struct weft__strategy weft__strategy_levels = {
	.name = "levels",
	.about = "trees whose top is far from the hosts",
	.promise = 1,
	.refuses = refuses,
	.work = work,
	.build = build,
};
