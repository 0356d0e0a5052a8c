// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, by closeness
 *
 * Up*Down* need not cost bandwidth if "up" means towards the middle of the
 * fabric as its hosts see it: switches are ordered by the sum of their hops to
 * all hosts (graph/closeness.c).  Pairs without a common switch above them turn
 * in a valley (trees/valleys.c).  Where every valley closes a cycle, as on
 * large trees with gaps, this strategy finds nothing; one root serves then
 * (roots.c).
 */
#include "engines/weave/weave.h"

#include <errno.h>

static double work(const struct weft__weave *w)
{
	return weft__route_work(w) + 2.0 * w->f->nsw * w->facts.edges;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	struct weft__tree_routes routes = { .trees = { 0 } };
	bool complete;
	int err = weft__route_ordered(w, w->close.place, &routes, &complete);

	if (!err && !complete)
		return -ENOTSUP;
	if (!err)
		err = weft__route_balanced(w, &routes);
	return err ? err : weft__route_tables(w, &routes, out);
}

static double promise(const struct weft__weave *w)
{
	return (w->facts.bare ? 3 : 1) * weft__tree_promise(w);
}

const struct weft__strategy weft__strategy_closeness = {
	.name = "closeness",
	.about = "irregular trees in one lane",
	.promise = promise,
	.work = work,
	.build = build,
	.orders = true,
};
