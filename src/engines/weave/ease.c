// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, easing what strategies make
 *
 * Strategies choose among the ways that they have planned, and give out lanes
 * then.  What remains uneven is eased afterwards, whatever made it: entries move
 * to any way that is hardly longer than the shortest and whose lanes allow it
 * (loads/ease.c).  The judge decides between both.  In the tables that win entries
 * move at last where streams of shifts meet less often so (loads/shifts.c).
 */
#include "engines/weave/weave.h"

#include "core/tables/routes.h"
#include "loads/ease.h"
#include "proof/folded.h"

#include <errno.h>

int weft__weave_prove(const struct weft__weave *w, const struct weft_routes *routes)
{
	bool loops = false;
	int err = w->vls.of ? weft__folded_loops(w->f, routes, &loops, w->diag) :
		0;

	return err ? err : loops ? -EALREADY : 0;
}

int weft__weave_ease(struct weft__weave *w, const struct weft_routes *routes,
		     struct weft__ease_spec *spec, bool *cut)
{
	struct weft_routes copy = { 0 };
	double left = w->easing - spec->asking;
	struct weft__eased eased = { .moved = 0 };
	int err;

	*cut = false;
	/* shifts of each kind are free of contention in a whole tree, and stay so */
	if (w->is_root || (w->facts.whole_tree && w->f->ngroups > 1))
		return 0;
	*cut = left < weft__ease_least(w->f);
	if (*cut)
		return 0;
	if (spec->work > left)
		spec->work = left;
	err = weft__routes_copy(routes, &copy);
	if (!err)
		err = weft__ease(w->f, &copy, spec, &eased);
	w->easing -= eased.looked;
	*cut = eased.cut;
	weft_routes_free(&copy);
	return err == -EALREADY ? 0 : err;
}

int weft__weave_shift(struct weft__weave *w, const struct weft_routes *routes,
		      enum weft__longer longer, bool other_lanes,
		      struct weft_routes *out, bool *cut)
{
	unsigned used = routes->layers.nvl > 1 ? routes->layers.nvl : 1;
	const struct weft__shifts_spec spec = {
		.rank = w->facts.rank, .work = w->finishing,
		.longer = longer,
		/* in several lanes new dependencies would take the room that pairs
		 * need when cables fail; longer ways may have that of lanes that are
		 * not in use, but for one */
		.closed = used > 1 && !(longer && used < w->lanes),
		.lanes = other_lanes && used < w->lanes ? w->lanes - 1 : 0,
	};
	struct weft__shifts_done done = { .moved = 0 };
	struct weft_routes copy = { 0 };
	int err;

	*cut = false;
	if (w->is_root || spec.work < weft__shifts_least(w->f) ||
	    (other_lanes && spec.lanes < 2))
		return -EALREADY;
	err = weft__routes_copy(routes, &copy);
	if (!err)
		err = weft__shifts(w->f, &copy, &spec, &done);
	*cut = done.cut;
	if (!err)
		err = done.moved ? weft__weave_prove(w, &copy) : -EALREADY;
	if (err)
		weft_routes_free(&copy);
	else
		*out = copy;
	return err;
}
