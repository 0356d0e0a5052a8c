// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Routes several LIDs for each port (LMC); see engine.h. */
#include "core/arena.h"
#include "engines/fattree/homes.h"
#include "engines/several/several.h"

#include <errno.h>

#define PASSES 4	/* of base LIDs, about */

/* Routes the base LIDs, then the others. */
static int route_lids(const struct weft_fabric *f,
		      const struct weft_options *options,
		      weft__fattree_choose_fn *choose,
		      struct weft_arena *arena, struct weft_routes *routes,
		      struct weft_diag *diag)
{
	struct weft_fabric base;
	struct weft__closeness close;
	struct weft__several_spec spec = {
		.fabric = f,
		.base = &base,
		.close = &close,
		.lanes = 1,
		.arena = arena,
		.diag = diag,
	};
	int err;

	if (!weft__base_lids(f, arena, &base))
		return weft_no_memory(diag);
	err = weft__fattree_route_groups(&base, options, choose, routes, diag);
	if (err)
		return err;
	spec.order = weft__endports_by_port(&base, arena);
	if (!spec.order || !weft__other_lids(f, 1, arena, &routes->lft) ||
	    !weft__closeness_init(&close, &base, arena, NULL))
		return weft_no_memory(diag);
	spec.place = close.place;
	spec.spent = (double)PASSES * f->nep * f->adj_first[f->nsw];
	spec.budget = spec.spent;
	err = weft__several_lids(&spec, routes);
	return err == -ENOMEM ? weft_no_memory(diag) : err;
}

int weft__fattree_route_lids(const struct weft_fabric *f,
			     const struct weft_options *options,
			     weft__fattree_choose_fn *choose,
			     struct weft_routes *out, struct weft_diag *diag)
{
	struct weft_routes routes = { 0 };
	struct weft_arena *arena;
	int err;

	if (weft__most_lids(f) < 2 || weft__homes_any(f))
		return weft__fattree_route_groups(f, options, choose, out,
						  diag);
	arena = weft__arena_new();
	err = arena ? route_lids(f, options, choose, arena, &routes, diag) :
		      weft_no_memory(diag);
	weft__arena_free(arena);
	if (err)
		weft_routes_free(&routes);
	else
		*out = routes;
	return err;
}
