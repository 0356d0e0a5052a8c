// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds ways for what tables of an engine leave without one; see fill.h. */
#include "standing/fill.h"

#include "standing/rest.h"

int weft__standing_fill(const struct weft_fabric *f, struct weft_routes *routes,
			const struct weft__fill_spec *spec, uint64_t *left,
			struct weft_diag *diag)
{
	const struct weft_standing_spec standing = {
		.standing = { f, routes }, .lanes = spec->lanes,
	};
	struct weft__terms terms = {
		.when = WEFT__BALANCE_NOW, .brief = spec->brief,
	};
	struct weft_standing what;
	struct weft_routes filled;
	int err = weft__standing_run(f, &standing, &terms, &filled, &what, diag);

	if (err)
		return err;
	weft_routes_free(routes);
	*routes = filled;
	*left = what.unmended;
	return 0;
}
