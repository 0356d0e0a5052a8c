// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "core/tables/routes.h"

#include "core/tables/layers.h"
#include "core/tables/lft.h"

#include <stdlib.h>
#include <string.h>

void weft_routes_free(struct weft_routes *routes)
{
	weft_lft_free(&routes->lft);
	weft_layers_free(&routes->layers);
	free(routes->lid_offset);
	routes->lid_offset = NULL;
}

int weft__routes_copy(const struct weft_routes *routes,
		      struct weft_routes *out)
{
	int err = weft__lft_copy(&routes->lft, &out->lft);

	if (!err)
		err = weft__layers_copy(&routes->layers, &out->layers);
	memcpy(out->how, routes->how, sizeof(out->how));
	return err;
}
