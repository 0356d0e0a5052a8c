// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Relieves channels after tables were mended; see rest.h. */
#include "standing/rest.h"

#include "core/arena.h"
#include "standing/relieve.h"

#include <stdlib.h>

int weft__rest_do(struct weft__rest *rest, const struct weft_routes *mended,
		  const atomic_bool *stop, struct weft_routes *routes,
		  struct weft_standing_move *moved)
{
	const struct weft_diff_side side = { rest->fabric, mended };
	struct weft__relief relief = {
		.loads = &rest->loads, .changes = rest->changes, .stop = stop,
		.blocks = &rest->blocks, .anyway = rest->anyway,
	};
	struct weft_routes out;
	int err = weft_routes_carry(&side, rest->fabric, &out);

	if (err)
		return err;
	rest->loads.layers = &out.layers;
	relief.routes = &out;
	err = weft__relieve(&relief, rest->arena);
	if (err) {
		weft_routes_free(&out);
		return err;
	}
	*routes = out;
	*moved = (struct weft_standing_move){
		.entries = relief.moved, .pairs = relief.pairs,
	};
	return 0;
}

void weft__rest_free(struct weft__rest *rest)
{
	if (!rest)
		return;
	weft__loads_free(&rest->loads);
	weft__arena_free(rest->arena);
	free(rest);
}
