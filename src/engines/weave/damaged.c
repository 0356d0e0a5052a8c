// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on damaged tori
 *
 * Where something is missing of a product of rings and paths, or hosts hang
 * unevenly, lanes are given turns such that nearly all minimal ways are legal
 * in one, and every pair has some way in each of them (rings_lanes.c). Minimal
 * trees are balanced, grow anew such that pairs find a lane, and are bent for
 * those that are left (lanes.c).
 */
#include "engines/weave/damaged.h"

#include "core/arena.h"
#include "engines/weave/rings_lanes.h"
#include "graph/entries.h"

#include <errno.h>

#define MIN_COMMON_LANES 16		/* lanes that are better than fewer */
#define LITTLE_CARE 2	/* without datelines there are plenty */

/* Whether as many hosts are on each switch. */
static bool is_even(const struct weft_fabric *f)
{
	uint32_t n = weft__hosts_on(f, 0, !f->nhosts), s = 1;

	while (s < f->nsw && weft__hosts_on(f, s, !f->nhosts) == n)
		s++;
	return s >= f->nsw;
}

unsigned weft__damaged_datelines(const struct weft__weave *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->facts.product.n; i++)
		n += weft__rings_is_long(&w->facts.product, i);
	return n;
}

const char *weft__damaged_refuses(const struct weft__weave *w)
{
	if (w->is_root)
		return "roots are given";
	if (!w->facts.rings)
		return "no part of a product of rings and paths";
	if (w->facts.product.whole && !w->facts.product.ngaps && is_even(w->f))
		return "nothing is missing";
	return 1u << weft__damaged_datelines(w) > w->lanes ? "too few lanes" : NULL;
}

double weft__damaged_work(const struct weft__weave *w)
{
	return weft__route_work(w) + weft__fit_work(w) +
	       (double)w->f->nsw * w->f->nsw * w->facts.product.n * 4;
}

int weft__damaged_build(struct weft__weave *w, weft__damaged_trees *trees,
			bool keep, struct weft_routes *out)
{
	struct weft__tree_routes routes = { .trees = { 0 } };
	struct weft__lanes_held held;
	struct weft__rings_lanes lanes;
	struct weft__orders orders;
	bool found;
	int err;

	if (!weft__rings_lanes(&lanes, &w->facts.product, w->lanes, w->arena,
			       &found))
		return -ENOMEM;
	if (!found)
		return -ENOTSUP;
	if (!weft__ways_init(&routes.ways, w->f, w->arena, NULL))
		return -ENOMEM;
	err = trees(w, &routes);
	if (err)
		return err;
	orders = (struct weft__orders){
		.fabric = w->f, .n = w->lanes, .turns = lanes.turns,
	};
	held = (struct weft__lanes_held){
		.up = lanes.up,
		.first = lanes.common,
		.keep = keep,
		.min_common_lanes =
			lanes.nlong ? MIN_COMMON_LANES : LITTLE_CARE,
	};
	err = weft__fit(w, &routes, &orders, &held, out, &found);
	return err ? err : found ? 0 : -ENOTSUP;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	return weft__damaged_build(w, weft__route_balanced, false, out);
}

static double promise(const struct weft__weave *w)
{
	(void)w;
	return 9;
}

const struct weft__strategy weft__strategy_damaged = {
	.name = "damaged",
	.about = "tori and meshes with failures",
	.promise = promise,
	.refuses = weft__damaged_refuses,
	.work = weft__damaged_work,
	.build = build,
};
