// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Evens out the loads of routes that are new: entries leave the busiest channels
 * within the lanes that pairs have (loads/ease.h).  All-to-all traffic gets more by
 * that, up to twice as much, and bisections hardly less; if that is worth less
 * together, nothing moves.
 */
#include "layers/outcome.h"

#include "core/tables/lft.h"
#include "loads/ease.h"

#include <errno.h>
#include <string.h>

#define EASING 2	/* times the effort */

/* Makes tables of the trees and the lanes of pairs. */
static int make_tables(const struct weft__job *job, const struct weft_lft *given,
		       const struct weft__outcome *o, struct weft_routes *out)
{
	uint32_t changed = 0, thin = 0;
	int err = weft__lft_copy(given, &out->lft);

	if (!err)
		err = weft__outcome_layers(job, &o->found, &out->layers);
	if (!err)
		weft__traffic_store(&job->traffic, &out->lft, &changed, &thin);
	return err;
}

/* Takes over trees of tables, and lanes, unless they are worth less. */
static int take_over(struct weft__job *job, struct weft_routes *routes,
		     struct weft__outcome *o)
{
	size_t n = (size_t)job->fabric->nsw * job->fabric->nsw;
	struct weft__traffic now, old = job->traffic;
	struct weft__outcome evened;
	int err = weft__traffic_init(&now, job->fabric, &routes->lft, NULL);

	if (err)
		return err;
	err = weft__outcome_measure(&now, &evened);
	if (!err && weft__outcome_value(&evened) >=
			    weft__outcome_value(o) * WEFT__MIN_WORTH) {
		job->traffic = now;
		now = old;
		if (routes->layers.table)
			memcpy(o->found.lane, routes->layers.table, n);
	}
	weft__traffic_free(&now);
	return err;
}

int weft__outcome_even(struct weft__job *job, const struct weft_lft *given,
		       struct weft__outcome *o)
{
	const struct weft__ease_spec spec = { .work = job->effort * EASING };
	struct weft_routes routes = { 0 };
	struct weft__eased eased = { .moved = 0 };
	int err;

	/* where cables have fewer lanes, a way that joins others there may close a
	 * loop in a lane that they share */
	if (!o->hosts || job->fabric->vls)
		return 0;
	err = make_tables(job, given, o, &routes);
	if (!err)
		err = weft__ease(job->fabric, &routes, &spec, &eased);
	job->work += eased.looked;
	if (!err && eased.moved)
		err = take_over(job, &routes, o);
	weft_routes_free(&routes);
	return err;
}
