// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SL2VL and VL arbitration tables.
 *
 * The lane of an SL is the same at all ports that have lanes enough, whatever
 * port a packet came in by.  A link with fewer of them, to an adapter or a
 * router, has its layers folded together, level by level as long as each level
 * can have a lane of its own.  Such a link cannot be part of a credit loop (see
 * osm_lanes.c), and from the next switch on the packet is in its lane again: a
 * switch goes by the SL, not by the lane a packet came in on.
 */
#include "osm_layers.h"

#include <string.h>

/* The lane of a layer of a level, on a link with so many data lanes. */
static unsigned lane_of(const struct weft__lanes *l, unsigned level,
			unsigned layer, unsigned there)
{
	if (there >= l->levels * l->each)
		return level * l->each + layer;
	if (there < l->levels)
		return level % there;
	there /= l->levels;
	return level * there + layer % there;
}

/*
 * An SL that the administrator drops (VL 15) stays dropped; weft__qos_check()
 * has seen to it that no path has such an SL.  An SL that no path has, but that
 * an application may use all the same, shares a layer.
 */
void weft__sl2vl(const struct weft__sm_paths *p, const osm_subn_t *subnet,
		 const osm_physp_t *port, ib_slvl_table_t *table)
{
	unsigned stride = weft__stride(&p->lanes);
	unsigned there = weft__port_lanes(subnet, port);

	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		unsigned level = sl / stride;
		unsigned layer = sl % stride % p->used;

		if (ib_slvl_table_get(table, sl) == WEFT_VL_DROP)
			continue;
		if (level >= p->lanes.levels)
			level = p->lanes.levels - 1;
		ib_slvl_table_set(table, sl,
				  lane_of(&p->lanes, level, layer, there));
	}
}

/* Levels' weights in a block, each capped to what an entry can hold. */
static void weigh(const ib_vl_arb_table_t *block, unsigned length,
		  unsigned weight[WEFT_NSL])
{
	memset(weight, 0, WEFT_NSL * sizeof(*weight));
	for (unsigned i = 0; i < length; i++)
		weight[block->vl_entry[i].vl & 0xf] +=
			block->vl_entry[i].weight;
	for (unsigned vl = 0; vl < WEFT_NSL; vl++)
		if (weight[vl] > UINT8_MAX)
			weight[vl] = UINT8_MAX;
}

/*
 * Levels take turns, so that a table that is cut off short still has something
 * of each.  A lane that layers share gets its weight once.
 */
void weft__vlarb(const struct weft__sm_paths *p, const osm_subn_t *subnet,
		 const osm_physp_t *port, ib_vl_arb_table_t *block,
		 unsigned length)
{
	unsigned there = weft__port_lanes(subnet, port), done = 0, n = 0;
	unsigned weight[WEFT_NSL];

	weigh(block, length, weight);
	memset(block->vl_entry, 0, length * sizeof(*block->vl_entry));
	for (unsigned i = 0; i < p->used * p->lanes.levels && n < length;
	     i++) {
		unsigned level = i % p->lanes.levels;
		unsigned vl = lane_of(&p->lanes, level, i / p->lanes.levels,
				      there);

		if (!weight[level] || done >> vl & 1)
			continue;
		done |= 1u << vl;
		block->vl_entry[n].vl = vl;
		block->vl_entry[n++].weight = weight[level];
	}
}
