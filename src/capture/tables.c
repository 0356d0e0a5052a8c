// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Forwarding tables and SL2VL tables, put together from their pieces. */
#include "capture/inside.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t switch_of(const struct weft__capture *c,
			  const struct weft__item *item)
{
	return weft_fabric_switch_by_guid(c->fabric, c->node[item->node]->guid);
}

static void fill_block(struct weft__capture *c, uint32_t s, unsigned block,
		       const uint8_t *ports)
{
	struct weft_lft *lft = &c->routes.lft;
	unsigned first = block * WEFT_LFT_BLOCK;

	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++)
		if (first + i <= lft->max_lid)
			weft_lft_row(lft, s)[first + i] = ports[i];
}

/* Sixteen lanes in eight bytes. */
static void fill_row(struct weft__capture *c, uint32_t s, unsigned ports,
		     const uint8_t *lanes)
{
	struct weft_layers *layers = &c->routes.layers;
	unsigned nports = c->fabric->sw[s].nports;
	unsigned in = ports >> 8, out = ports & 255;
	uint8_t *row;

	if (in > nports || out > nports)
		return;
	row = layers->sl2vl +
	      (layers->base[s] + in * (nports + 1) + out) * WEFT_NSL;
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		row[sl] = sl % 2 ? lanes[sl / 2] & 15 : lanes[sl / 2] >> 4;
	c->has_sl2vl = true;
}

static int prepare_sl2vl(struct weft__capture *c)
{
	const struct weft_fabric *f = c->fabric;
	struct weft_layers *layers = &c->routes.layers;
	uint64_t rows = 0;

	layers->base = calloc(f->nsw + 1ull, sizeof(*layers->base));
	if (!layers->base)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++) {
		layers->base[s] = rows;
		rows += (f->sw[s].nports + 1u) * (f->sw[s].nports + 1u);
	}
	layers->sl2vl = malloc(rows * WEFT_NSL + 1);
	if (!layers->sl2vl)
		return -ENOMEM;
	memset(layers->sl2vl, WEFT_VL_UNTOLD, rows * WEFT_NSL);
	return 0;
}

int weft__fill_routes(struct weft__capture *c)
{
	int err = weft_io_lft_init(c->fabric, &c->routes.lft);

	if (!err)
		err = prepare_sl2vl(c);
	if (err)
		return weft_no_memory(c->diag);
	for (size_t i = 0; i < c->nitems; i++) {
		const struct weft__item *item = &c->item[i];
		const uint8_t *data = weft__answer_of(c, item);
		uint32_t s = data ? switch_of(c, item) : WEFT_NONE;

		if (s == WEFT_NONE)
			continue;
		if (item->kind == WEFT__KIND_LFT)
			fill_block(c, s, item->modifier, data);
		else if (item->kind == WEFT__KIND_SL2VL)
			fill_row(c, s, item->modifier, data);
	}
	return 0;
}
