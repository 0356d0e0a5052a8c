/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which lane each service level is, where that is the same on all cables. */
#ifndef WEFT_LOADS_LANE_MAP_H
#define WEFT_LOADS_LANE_MAP_H

#include <weft/layers.h>

#define WEFT__NO_LEVEL 255

struct weft__lane_map {
	uint8_t lane[WEFT_NSL];		/* of a service level */
	uint8_t level[WEFT_NSL];	/* lowest one that is that lane;
					 * WEFT__NO_LEVEL: none is */
	bool uniform;	/* false: it depends on where a packet is */
	unsigned n;	/* lanes, 1 or more */
};

/* lanes: that there may be, if pairs can change to them; those of the layers
 * are there in any case.  O(size of the SL2VL tables and of the levels). */
void weft__lane_map_make(struct weft__lane_map *map,
			 const struct weft_layers *layers,
			 const struct weft_fabric *fabric, unsigned lanes);

#endif
