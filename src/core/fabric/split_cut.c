// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Takes the parts' shares out of routes for a whole fabric; see split.h. */
#include "core/fabric/split.h"

#include "core/tables/layers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int weft__split_cut_lft(struct weft__part *part, const struct weft_lft *lft)
{
	const struct weft_fabric *f = part->fabric;
	int err = weft_lft_init(&part->routes.lft, f->nsw, f->max_lid);

	for (uint32_t s = 0; s < f->nsw && !err; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			if (weft_lid_owner(f, lid) != WEFT_NONE)
				weft_lft_row(&part->routes.lft, s)[lid] =
					weft_lft_get(lft, part->sw[s], lid);
	return err;
}

static void cut_switch_pairs(const struct weft__part *part,
			     const struct weft_layers *from, uint8_t *table)
{
	uint32_t n = part->fabric->nsw;

	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			table[(size_t)a * n + b] =
				from->table[(size_t)part->sw[a] * from->nsw +
					    part->sw[b]];
}

/* Rows as long as the part's LIDs; those beyond the tables have the default. */
static void cut_row(const struct weft__part *part,
		    const struct weft_layers *from, const uint8_t *row,
		    uint8_t *to)
{
	uint32_t max = part->fabric->max_lid;

	memset(to, from->sl, max + 1ull);
	memcpy(to, row, (max < from->max_lid ? max : from->max_lid) + 1ull);
}

static int cut_table(const struct weft__part *part,
		     const struct weft_layers *from, struct weft_layers *to)
{
	const struct weft_fabric *f = part->fabric;
	size_t size = weft__layers_size(to);

	to->table = size ? malloc(size) : NULL;
	if (size && !to->table)
		return -ENOMEM;
	if (to->form == WEFT_SL_DESTINATION)
		cut_row(part, from, from->table, to->table);
	else if (to->form == WEFT_SL_SWITCH_PAIR)
		cut_switch_pairs(part, from, to->table);
	for (uint32_t e = 0; to->form == WEFT_SL_ENDPORT_LID && e < f->nep; e++)
		cut_row(part, from, from->table + (size_t)part->ep[e] *
			(from->max_lid + 1ull),
			to->table + (size_t)e * (f->max_lid + 1ull));
	return 0;
}

/* Rows of SL2VL of a switch: one for each output, or each pair of ports. */
static size_t count_rows(const struct weft_layers *layers,
			 const struct weft_fabric *f, uint32_t sw)
{
	size_t ports = f->sw[sw].nports + 1u;

	return layers->base ? ports * ports : ports;
}

static int cut_sl2vl(const struct weft__split *p, const struct weft__part *part,
		     const struct weft_layers *from, struct weft_layers *to)
{
	const struct weft_fabric *f = part->fabric;
	size_t at = 0;

	if (!from->sl2vl)
		return 0;
	for (uint32_t s = 0; s < f->nsw; s++)
		at += count_rows(from, f, s);
	to->sl2vl = malloc((at + 1) * WEFT_NSL);
	if (from->base)
		to->base = malloc((f->nsw + 1ull) * sizeof(*to->base));
	if (!to->sl2vl || (from->base && !to->base))
		return -ENOMEM;
	at = 0;
	for (uint32_t s = 0; s < f->nsw; s++) {
		size_t n = count_rows(from, f, s);
		size_t was = from->base ? from->base[part->sw[s]] :
			     weft_channel(p->f, part->sw[s], 0);

		if (to->base)
			to->base[s] = at;
		memcpy(to->sl2vl + at * WEFT_NSL, from->sl2vl + was * WEFT_NSL,
		       n * WEFT_NSL);
		at += n;
	}
	return 0;
}

static int cut_layers(const struct weft__split *p, struct weft__part *part,
		      const struct weft_layers *from)
{
	struct weft_layers *to = &part->routes.layers;
	int err;

	weft_layers_init(to);
	to->form = from->form;
	to->sl = from->sl;
	to->nvl = from->nvl;
	to->one_way = from->one_way;
	to->nsw = part->fabric->nsw;
	to->nep = part->fabric->nep;
	to->max_lid = part->fabric->max_lid;
	err = cut_table(part, from, to);
	return err ? err : cut_sl2vl(p, part, from, to);
}

static int cut_offsets(struct weft__part *part, const uint8_t *offset)
{
	uint32_t nep = part->fabric->nep;

	if (!offset)
		return 0;
	part->routes.lid_offset = malloc(nep + (size_t)1);
	if (!part->routes.lid_offset)
		return -ENOMEM;
	for (uint32_t e = 0; e < nep; e++)
		part->routes.lid_offset[e] = offset[part->ep[e]];
	return 0;
}

int weft__split_cut(struct weft__split *p, const struct weft_routes *routes)
{
	int err = 0;

	for (uint32_t i = 0; i < p->n && !err; i++) {
		struct weft__part *part = &p->part[i];

		memcpy(part->routes.how, routes->how,
		       sizeof(part->routes.how));
		err = weft__split_cut_lft(part, &routes->lft);
		if (!err)
			err = cut_layers(p, part, &routes->layers);
		if (!err)
			err = cut_offsets(part, routes->lid_offset);
	}
	return err;
}
