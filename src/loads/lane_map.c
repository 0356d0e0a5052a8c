// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds which lane each service level is; see lane_map.h. */
#include "loads/lane_map.h"

#include "core/tables/layers.h"

#include <string.h>

/* The lanes of all service levels on a way through a switch; false: nobody told
 * them. */
static bool read_row(const struct weft_layers *layers,
		     const struct weft_fabric *f, uint32_t s, unsigned in,
		     unsigned out, uint8_t row[WEFT_NSL])
{
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		row[sl] = weft_layers_vl(layers, f, s, in, out, sl);
	return row[0] != WEFT_VL_UNTOLD;
}

/* Whether the ways from all ports to the cable of a channel have the lanes of
 * the map, or those of the first way that is looked at. */
static bool agrees(struct weft__lane_map *map, const struct weft_layers *layers,
		   const struct weft_fabric *f, uint32_t s, uint32_t channel,
		   bool *first)
{
	unsigned out = channel - f->first_channel[s];
	unsigned ins = layers->base ? f->sw[s].nports : 0;
	uint8_t row[WEFT_NSL];

	for (unsigned in = 0; in <= ins; in++) {
		if (in == out ||
		    (in && f->peer[weft_channel(f, s, in)] == WEFT_NONE) ||
		    !read_row(layers, f, s, in, out, row))
			continue;
		if (*first)
			memcpy(map->lane, row, sizeof(row));
		*first = false;
		if (memcmp(map->lane, row, sizeof(row)))
			return false;
	}
	return true;
}

/* Whether pairs can have service levels above those that are lanes now, each of
 * which is a lane of its own then. */
static bool can_extend(const struct weft_layers *layers)
{
	unsigned used = layers->nvl > 1 ? layers->nvl : 1;
	size_t size = weft__layers_size(layers);

	if (layers->sl2vl || layers->sl >= used ||
	    layers->form == WEFT_SL_DESTINATION)
		return false;
	for (size_t i = 0; i < size; i++)
		if (layers->table[i] >= used)
			return false;
	return true;
}

void weft__lane_map_make(struct weft__lane_map *map,
			 const struct weft_layers *layers,
			 const struct weft_fabric *f, unsigned lanes)
{
	bool first = true;

	map->uniform = true;
	map->n = layers->nvl > 1 ? layers->nvl : 1;
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		map->lane[sl] = layers->nvl > 1 ? sl % layers->nvl : 0;
	for (uint32_t s = 0; layers->sl2vl && s < f->nsw; s++)
		for (uint32_t i = f->adj_first[s];
		     i < f->adj_first[s + 1] && map->uniform; i++)
			map->uniform = agrees(map, layers, f, s, f->adj[i],
					      &first);
	memset(map->level, WEFT__NO_LEVEL, sizeof(map->level));
	for (unsigned sl = WEFT_NSL; sl--; )
		if (map->lane[sl] < WEFT_VL_DROP)
			map->level[map->lane[sl]] = sl;
	if (lanes <= map->n || !can_extend(layers))
		return;
	for (; map->n < lanes && map->n < WEFT_MAX_LANES; map->n++) {
		map->lane[map->n] = map->n;
		map->level[map->n] = map->n;
	}
}
