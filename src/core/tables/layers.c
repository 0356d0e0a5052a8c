// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Handles service levels and lanes of a set of routes; see weft/layers.h. */
#include "core/tables/layers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

uint8_t weft_layers_sl(const struct weft_layers *layers,
		       const struct weft_fabric *fabric, uint32_t source,
		       unsigned dlid)
{
	uint32_t owner = weft_lid_owner(fabric, dlid);
	size_t row;

	if (layers->form == WEFT_SL_ONE || owner == WEFT_NONE)
		return layers->sl;
	if (layers->form == WEFT_SL_DESTINATION)
		return layers->table[dlid];
	if (layers->form == WEFT_SL_SWITCH_PAIR) {
		row = weft_vertex_switch(fabric, source);
		return layers->table[row * layers->nsw +
				     weft_vertex_switch(fabric, owner)];
	}
	if (weft_is_switch(source))
		return layers->sl;
	row = source & ~WEFT_ENDPORT;
	return layers->table[row * (layers->max_lid + 1) + dlid];
}

uint8_t weft_layers_vl(const struct weft_layers *layers,
		       const struct weft_fabric *fabric, uint32_t sw,
		       unsigned in, unsigned out, unsigned sl)
{
	size_t at;

	if (!layers->sl2vl)
		return layers->nvl > 1 ? sl % layers->nvl : 0;
	if (!layers->base)
		at = weft_channel(fabric, sw, out);
	else
		at = layers->base[sw] + in * (fabric->sw[sw].nports + 1u) + out;
	return layers->sl2vl[at * WEFT_NSL + sl];
}

size_t weft__layers_size(const struct weft_layers *layers)
{
	size_t lids = layers->max_lid + 1ull;

	switch (layers->form) {
	case WEFT_SL_DESTINATION:
		return lids;
	case WEFT_SL_SWITCH_PAIR:
		return (size_t)layers->nsw * layers->nsw;
	case WEFT_SL_ENDPORT_LID:
		return layers->nep * lids;
	default:
		return 0;
	}
}

int weft__layers_copy(const struct weft_layers *layers,
		      struct weft_layers *out)
{
	size_t size = weft__layers_size(layers);
	struct weft_layers copy = *layers;

	copy.sl2vl = NULL;
	copy.base = NULL;
	copy.table = size ? malloc(size) : NULL;
	if (size && !copy.table)
		return -ENOMEM;
	if (size)
		memcpy(copy.table, layers->table, size);
	*out = copy;
	return 0;
}
