// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SL2VL and VL arbitration tables.
 *
 * The lane of an SL is the same at all ports that have lanes enough, whatever
 * port a packet came in by.  A link with fewer of them has its layers folded
 * together, level by level as long as each level can have a lane of its own.
 * From the next switch on the packet is in its lane again: a switch goes by the
 * SL, not by the lane a packet came in on.
 */
#include "plugins/lanes/osm_layers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * An SL that the administrator drops (VL 15) stays dropped; weft__qos_plan()
 * has seen to it that no path has such an SL.  An SL that no path has, but that
 * an application may use all the same, shares a layer.
 */
static void fill_strides(const struct weft__sm_paths *p, unsigned there,
			 ib_slvl_table_t *table)
{
	unsigned stride = weft__stride(&p->lanes);

	for (unsigned sl = 0; sl < WEFT_NSL; sl++) {
		unsigned level = sl / stride;
		unsigned layer = sl % stride % p->used;

		if (ib_slvl_table_get(table, sl) == WEFT_VL_DROP)
			continue;
		if (level >= p->lanes.levels)
			level = p->lanes.levels - 1;
		ib_slvl_table_set(table, sl, weft__lane_of(&p->lanes, level,
							   layer, there));
	}
}

/* The lane of an SL that is not one of the administrator's own. */
static unsigned layer_lane(const struct weft__sm_paths *p, unsigned sl,
			   unsigned there, bool keeps,
			   const ib_slvl_table_t *table)
{
	const struct weft__own_sls *own = &p->lanes.own_sls;
	unsigned level = own->level[sl], layer = own->layer[sl];

	if (layer == WEFT__NO_LAYER && (keeps || weft__qos_given(own)))
		return ib_slvl_table_get(table, sl);
	if (keeps || layer >= p->used ||
	    !(layer % weft__lanes_room(&p->lanes, there)))
		return ib_slvl_table_get(table, own->sl[level][0]);
	return weft__lane_of(&p->lanes, level, layer, there);
}

/*
 * What the administrator says of the SLs in use stays, and of all others that
 * no layer takes; without a word on them these are in the first level.  Lanes
 * are cut to those that there are: OpenSM itself does so only once both ends of
 * a link have agreed on them.
 */
static void fill_own(const struct weft__sm_paths *p, unsigned there, bool keeps,
		     ib_slvl_table_t *table)
{
	const struct weft__own_sls *own = &p->lanes.own_sls;

	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		if (own->layer[sl])
			ib_slvl_table_set(table, sl,
					  layer_lane(p, sl, there, keeps,
						     table));
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		ib_slvl_table_set(table, sl,
				  weft__lane_cut(ib_slvl_table_get(table, sl),
						 there));
}

void weft__sl2vl(const struct weft__sm_paths *p, const osm_subn_t *subnet,
		 const osm_physp_t *port, ib_slvl_table_t *table)
{
	unsigned there = weft__port_lanes(subnet, port);

	if (p->lanes.own)
		fill_own(p, there, weft__qos_keeps(&p->lanes.own_sls, port),
			 table);
	else
		fill_strides(p, there, table);
}

/* The lanes of the first level's layers at a port between switches. */
static void read_lanes(const struct weft__sm_paths *p, osm_subn_t *subnet,
		       const osm_physp_t *port, const uint8_t usual[WEFT_NSL],
		       uint8_t *vl)
{
	ib_slvl_table_t table;

	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		ib_slvl_table_set(&table, sl, usual[sl]);
	weft__sl2vl(p, subnet, port, &table);
	for (unsigned layer = 0; layer < p->used; layer++) {
		unsigned sl = p->lanes.own ? p->lanes.own_sls.sl[0][layer] :
					     layer;

		vl[layer] = ib_slvl_table_get(&table, sl);
	}
}

int weft__lanes_real(const struct weft__lanes *lanes, osm_subn_t *subnet,
		     const struct weft__snapshot *snapshot,
		     struct weft_layers *layers)
{
	const struct weft__sm_paths p = { .lanes = *lanes,
					  .used = layers->nvl };
	const struct weft_fabric *f = snapshot->fabric;
	uint8_t usual[WEFT_NSL];

	free(layers->sl2vl);
	layers->sl2vl = NULL;
	if (!f->vls || layers->nvl < 2)
		return 0;
	layers->sl2vl = calloc(f->first_injection, WEFT_NSL);
	if (!layers->sl2vl)
		return -ENOMEM;
	weft__qos_table(&subnet->opt, usual);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned port = 1; port <= f->sw[s].nports; port++) {
			osm_physp_t *physp = osm_node_get_physp_ptr(
				snapshot->sw[s]->p_node, port);
			size_t ch = weft_channel(f, s, port);

			if (physp && f->peer[ch] != WEFT_NONE)
				read_lanes(&p, subnet, physp, usual,
					   &layers->sl2vl[ch * WEFT_NSL]);
		}
	return 0;
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

/* The lane that the administrator weighs a level by. */
static unsigned weighed_lane(const struct weft__lanes *l, unsigned level)
{
	return l->own ? l->own_sls.vl[level] : level;
}

/*
 * Levels take turns, so that a table that is cut off short still has something
 * of each.  A lane that layers share gets its weight once.  Lanes of levels of
 * the administrator's own that no path uses come last.
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
		unsigned vl = weft__lane_of(&p->lanes, level,
					    i / p->lanes.levels, there);
		unsigned by = weighed_lane(&p->lanes, level);

		if (!weight[by] || done >> vl & 1)
			continue;
		done |= 1u << vl;
		block->vl_entry[n].vl = vl;
		block->vl_entry[n++].weight = weight[by];
	}
	for (unsigned vl = 0; p->lanes.own && vl < there && n < length; vl++) {
		if (!weight[vl] || done >> vl & 1)
			continue;
		block->vl_entry[n].vl = vl;
		block->vl_entry[n++].weight = weight[vl];
	}
}
