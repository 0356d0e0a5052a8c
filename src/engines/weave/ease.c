// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, easing what strategies make
 *
 * Strategies choose among the ways that they have planned, and give out lanes
 * then.  What remains uneven is eased afterwards, whatever made it: entries move
 * to any way within one cable of the shortest whose lanes allow it
 * (loads/ease.c).  The judge decides between both.  If the tables that win have
 * one lane, entries move at last where streams of shifts meet less often so
 * (loads/shifts.c).
 */
#include "engines/weave/weave.h"

#include "core/routes.h"
#include "loads/ease.h"
#include "loads/shifts.h"
#include "proof/folded.h"

#include <errno.h>

/* Hands over a copy in which so many entries moved.  Returns err, or -EALREADY if
 * none did, or if lanes that cables share closed a loop; the copy is freed then. */
static int hand_over(struct weft__weave *w, int err, uint64_t moved,
		     struct weft_routes *copy, struct weft_routes *out)
{
	bool loops = false;

	if (!err && moved && w->vls.of)
		err = weft__folded_loops(w->f, copy, &loops, w->diag);
	if (!err && (loops || !moved))
		err = -EALREADY;
	if (err)
		weft_routes_free(copy);
	else
		*out = *copy;
	return err;
}

int weft__weave_ease(struct weft__weave *w, const struct weft_routes *routes,
		     unsigned falls, double judging, struct weft_routes *out)
{
	struct weft_routes copy = { 0 };
	double left = w->easing - judging;
	struct weft__ease_spec spec = { .falls = falls };
	struct weft__eased eased = { .moved = 0 };
	int err;

	/* shifts of each kind are free of contention in a whole tree, and stay so */
	if (w->is_root || (w->facts.whole_tree && w->f->ngroups > 1) ||
	    left < weft__ease_least(w->f))
		return -EALREADY;
	spec.work = left;
	err = weft__routes_copy(routes, &copy);
	if (!err)
		err = weft__ease(w->f, &copy, &spec, &eased);
	w->easing -= eased.looked;
	err = hand_over(w, err, eased.moved, &copy, out);
	if (!err)
		w->easing -= judging;
	return err;
}

int weft__weave_shift(struct weft__weave *w, const struct weft_routes *routes,
		      struct weft_routes *out)
{
	const struct weft__shifts_spec spec = {
		.rank = w->facts.rank, .work = w->shifting,
	};
	struct weft__shifts_done done = { .moved = 0 };
	struct weft_routes copy = { 0 };
	int err;

	/* moves would take the room in lanes that pairs need when cables fail */
	if (w->is_root || routes->layers.nvl > 1 ||
	    spec.work < weft__shifts_least(w->f))
		return -EALREADY;
	err = weft__routes_copy(routes, &copy);
	if (!err)
		err = weft__shifts(w->f, &copy, &spec, &done);
	return hand_over(w, err, done.moved, &copy, out);
}
