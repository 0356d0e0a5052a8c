// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Service levels and lanes of a set of routes; see weft/layers.h. */
#include <weft/layers.h>

#include <stdlib.h>

void weft_layers_init(struct weft_layers *layers)
{
	*layers = (struct weft_layers){ .form = WEFT_SL_ONE, .nvl = 1 };
}

void weft_layers_free(struct weft_layers *layers)
{
	free(layers->table);
	free(layers->sl2vl);
	free(layers->base);
	weft_layers_init(layers);
}
