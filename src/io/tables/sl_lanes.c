// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How many lanes the SLs in use lead to; see tables.h. */
#include "io/tables/tables.h"

#include "core/tables/layers.h"

/* Bit i is set when SL i is in use. */
static unsigned used_sls(const struct weft_layers *layers)
{
	size_t size = weft__layers_size(layers);
	unsigned used = 1u << layers->sl;

	for (size_t i = 0; i < size; i++)
		used |= 1u << layers->table[i];
	return used;
}

/* Rows of 16 in layers->sl2vl. */
static size_t sl2vl_rows(const struct weft_layers *layers,
			 const struct weft_fabric *f)
{
	size_t last;

	if (!layers->base || !f->nsw)
		return f->first_injection;
	last = f->sw[f->nsw - 1].nports + 1u;
	return layers->base[f->nsw - 1] + last * last;
}

void weft__count_lanes(struct weft_layers *layers,
		       const struct weft_fabric *fabric)
{
	unsigned used = used_sls(layers), highest = 0;
	size_t rows = layers->sl2vl ? sl2vl_rows(layers, fabric) : 0;

	for (size_t i = 0; i < rows * WEFT_NSL; i++) {
		unsigned vl = layers->sl2vl[i];

		if (used >> i % WEFT_NSL & 1 && vl < WEFT_VL_DROP &&
		    vl > highest)
			highest = vl;
	}
	if (rows)
		layers->nvl = (uint8_t)(highest + 1);
}
