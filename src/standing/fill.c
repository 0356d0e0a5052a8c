// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds ways for what tables of an engine leave without one; see fill.h. */
#include "standing/fill.h"

#include "core/arena.h"
#include "loads/ease.h"
#include "loads/gather.h"
#include "standing/rest.h"

#include <errno.h>

/* Finds out whether all traffic is in order, that of switches, too. */
static int prove(const struct weft_fabric *f, const struct weft_routes *routes,
		 struct weft__filled *out)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft__loads loads = { .fabric = NULL };
	uint8_t *lost = NULL;
	int err = -ENOMEM;

	if (arena)
		lost = weft__arena_zalloc(arena, f->max_lid + 1ull, sizeof(*lost));
	if (lost)
		err = weft__loads_init(&loads, f, &routes->layers, 1, arena);
	if (!err)
		err = weft__gather_order(&loads, &routes->lft, lost);
	out->in_order = loads.kinds == WEFT__KINDS;
	out->looked = weft__ease_least(f);
	weft__loads_free(&loads);
	weft__arena_free(arena);
	return err;
}

int weft__standing_fill(const struct weft_fabric *f, struct weft_routes *routes,
			const struct weft__fill_spec *spec,
			struct weft__filled *out, struct weft_diag *diag)
{
	const struct weft_standing_spec standing = {
		.standing = { f, routes }, .lanes = spec->lanes,
	};
	struct weft__terms terms = {
		.when = WEFT__BALANCE_NOW, .brief = spec->brief,
		.order = spec->order,
	};
	struct weft_standing what;
	struct weft_routes filled;
	int err = weft__standing_run(f, &standing, &terms, &filled, &what, diag);

	*out = (struct weft__filled){ 0 };
	if (err)
		return err;
	weft_routes_free(routes);
	*routes = filled;
	out->left = what.unmended;
	out->in_order = terms.in_order;
	if (!out->left && !out->in_order)
		err = prove(f, routes, out);
	return err ? weft_no_memory(diag) : 0;
}
