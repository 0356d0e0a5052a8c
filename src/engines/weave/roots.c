// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, below one switch
 *
 * If switches are ordered by the hops from one switch, every pair has a common
 * switch above, so that no valley is needed and routes are always found.  On
 * fabrics that are no trees, one switch is as close to the hosts as another,
 * but the order below one of them may be far better than below the next.  So
 * several roots are variants for the judge, taken evenly from the closest
 * switch to the last one.
 */
#include "engines/weave/weave.h"

#include "core/arena.h"

#include <weft/diag.h>

#include <errno.h>
#include <inttypes.h>

#define VARIANTS 8

static double work(const struct weft__weave *w)
{
	return weft__route_work(w);
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	uint8_t *is_root = weft__arena_zalloc(w->arena, w->f->nsw + 1ull, 1);
	struct weft__closeness close;
	struct weft__tree_routes routes = { .trees = { 0 } };
	uint32_t root = w->close.by_place[(uint64_t)w->variant * w->f->nsw /
					  VARIANTS];
	int err;

	if (w->variant && (w->is_root || w->f->nsw < VARIANTS))
		return -ENOTSUP;
	if (!is_root)
		return -ENOMEM;
	is_root[root] = 1;
	if (!weft__closeness_init(&close, w->f, w->arena, is_root) ||
	    !weft__ways_init(&routes.ways, w->f, w->arena, close.place))
		return -ENOMEM;
	err = weft__route_balanced(w, &routes);
	weft_diag_explain(w->diag, "below 0x%016" PRIx64 " %s", w->f->sw[root].guid,
			  w->f->sw[root].name);
	return err ? err : weft__route_tables(w, &routes, out);
}

static double promise(const struct weft__weave *w)
{
	if (w->facts.whole_tree)
		return 2 * weft__tree_promise(w);
	return w->facts.bare ? (1 + w->facts.straight) *
				       (1 - 0.9 * weft__over_without_order(w)) :
			       0.5;
}

const struct weft__strategy weft__strategy_roots = {
	.name = "roots",
	.about = "trees of racks, meshes; finds routes for sure",
	.promise = promise,
	.work = work,
	.build = build,
	.variants = VARIANTS,
};
