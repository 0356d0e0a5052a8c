// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, easing what strategies make
 *
 * Strategies choose among the ways that they have planned, and give out lanes
 * then.  What remains uneven is eased afterwards, whatever made it: entries move
 * to any way within one cable of the shortest whose lanes allow it
 * (loads/ease.c).  The judge decides between both.  In the tables that win entries
 * move at last where streams of shifts meet less often so (loads/shifts.c).
 */
#include "engines/weave/weave.h"

#include "core/tables/routes.h"
#include "loads/ease.h"
#include "loads/shifts.h"
#include "proof/folded.h"

#include <errno.h>

/* Who judges tables that are being eased. */
struct step {
	struct weft__weave *w;
	const struct weft__weave_easing *easing;
};

/* Returns -EALREADY if lanes that cables share close a loop. */
static int check(const struct weft__weave *w, const struct weft_routes *routes)
{
	bool loops = false;
	int err = w->vls.of ? weft__folded_loops(w->f, routes, &loops, w->diag) :
		0;

	return err ? err : loops ? -EALREADY : 0;
}

/* Hands over a copy of tables that are being eased. */
static int step(void *whom, const struct weft_routes *routes)
{
	const struct step *s = whom;
	struct weft_routes copy = { 0 };
	int err = check(s->w, routes);

	if (!err)
		err = weft__routes_copy(routes, &copy);
	if (!err)
		err = s->easing->judge(s->easing->whom, &copy);
	weft_routes_free(&copy);
	return err;
}

int weft__weave_ease(struct weft__weave *w, const struct weft_routes *routes,
		     const struct weft__weave_easing *easing, bool *cut)
{
	struct weft_routes copy = { 0 };
	double left = w->easing - easing->judging;
	struct step s = { w, easing };
	struct weft__ease_spec spec = {
		.ask = step, .whom = &s, .falls = easing->falls,
		.asking = easing->judging,
	};
	struct weft__eased eased = { .moved = 0 };
	int err;

	*cut = false;
	/* shifts of each kind are free of contention in a whole tree, and stay so */
	if (w->is_root || (w->facts.whole_tree && w->f->ngroups > 1))
		return 0;
	spec.work = left > 0 ? left : 0;
	err = weft__routes_copy(routes, &copy);
	if (!err)
		err = weft__ease(w->f, &copy, &spec, &eased);
	w->easing -= eased.looked;
	*cut = eased.cut;
	weft_routes_free(&copy);
	return err == -EALREADY ? 0 : err;
}

int weft__weave_shift(struct weft__weave *w, const struct weft_routes *routes,
		      struct weft_routes *out)
{
	const struct weft__shifts_spec spec = {
		.rank = w->facts.rank, .work = w->shifting,
		/* in several lanes new dependencies would take the room that pairs
		 * need when cables fail */
		.closed = routes->layers.nvl > 1,
	};
	struct weft__shifts_done done = { .moved = 0 };
	struct weft_routes copy = { 0 };
	int err;

	if (w->is_root || spec.work < weft__shifts_least(w->f))
		return -EALREADY;
	err = weft__routes_copy(routes, &copy);
	if (!err)
		err = weft__shifts(w->f, &copy, &spec, &done);
	if (!err)
		err = done.moved ? check(w, &copy) : -EALREADY;
	if (err)
		weft_routes_free(&copy);
	else
		*out = copy;
	return err;
}
