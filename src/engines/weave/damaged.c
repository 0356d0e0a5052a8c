// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on damaged tori
 *
 * Where switches or cables of a product of rings and paths are missing, or
 * hosts are spread unevenly, each lane is given turns such that nearly all
 * minimal ways are legal in one lane, if there is a lane for each set of
 * datelines, and every pair has some way in each lane (rings_lanes.c).  Minimal
 * trees are balanced, grow anew such that pairs find a lane, and are rerouted
 * for pairs that are left (lanes.c).
 */
#include "engines/weave/damaged.h"

#include "core/arena.h"
#include "engines/weave/rings_lanes.h"
#include "graph/entries.h"

#include <errno.h>

/* Lanes that a way had better leave to a pair: with datelines, and without. */
#define MIN_COMMON_LANES 16
#define MIN_COMMON_LANES_MESH 2

/* True if all switches have equally many hosts, or endports if there are no
 * hosts. */
static bool is_even(const struct weft_fabric *f)
{
	uint32_t n = weft__hosts_on(f, 0, !f->nhosts), s = 1;

	while (s < f->nsw && weft__hosts_on(f, s, !f->nhosts) == n)
		s++;
	return s >= f->nsw;
}

bool weft__damaged_tells_all(const struct weft__weave *w)
{
	return 1u << weft__rings_count_long(&w->facts.product) <= w->lanes;
}

const char *weft__damaged_refuses(const struct weft__weave *w)
{
	if (w->is_root)
		return "roots are given";
	if (!w->facts.rings)
		return "no part of a product of rings and paths";
	if (w->facts.product.whole && !w->facts.product.ngaps && is_even(w->f))
		return "nothing is missing";
	return NULL;
}

double weft__damaged_work(const struct weft__weave *w)
{
	return weft__route_work(w) + weft__assign_lanes_work(w) +
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

	if (!weft__rings_lanes(&lanes, &w->facts.product, w->lanes, w->arena))
		return -ENOMEM;
	if (!weft__ways_init(&routes.ways, w->f, w->arena, NULL))
		return -ENOMEM;
	routes.reserve = weft__assign_lanes_least(w);
	routes.apart = true;	/* few pairs lack a lane, and what takes most
				 * of the time is to find one for these */
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
			lanes.ntold ? MIN_COMMON_LANES : MIN_COMMON_LANES_MESH,
	};
	err = weft__assign_lanes(w, &routes, &orders, &held, out, &found);
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
	.limits = true,
};
