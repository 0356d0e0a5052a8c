// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <weft/routes.h>

#include <stdlib.h>

void weft_routes_free(struct weft_routes *routes)
{
	weft_lft_free(&routes->lft);
	weft_layers_free(&routes->layers);
	free(routes->lid_offset);
	routes->lid_offset = NULL;
}
