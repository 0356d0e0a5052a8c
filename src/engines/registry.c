// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The list of engines, from engines.def. */
#include <weft/engine.h>

#include <stdlib.h>
#include <string.h>

#define WEFT_ENGINE(name) extern const struct weft_engine weft__engine_##name;
#include "engines.def"
#undef WEFT_ENGINE

static const struct weft_engine *const engines[] = {
#define WEFT_ENGINE(name) &weft__engine_##name,
#include "engines.def"
#undef WEFT_ENGINE
	NULL
};

const struct weft_engine *const *weft_engines(void)
{
	return engines;
}

const struct weft_engine *weft_engine_find(const char *name)
{
	for (size_t i = 0; engines[i]; i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	return NULL;
}

void weft_routes_free(struct weft_routes *routes)
{
	weft_lft_free(&routes->lft);
	weft_layers_free(&routes->layers);
	free(routes->lid_offset);
	routes->lid_offset = NULL;
}
