// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lanes of an output in turn, by the tables of VL arbitration (InfiniBand
 * Architecture Specification, volume 1, chapter 7).
 *
 * Each table is a list of lanes with weights in blocks, gone round in order: an
 * entry sends until its weight is used up, or its lane has nothing to send.
 * The high table goes first, until it has sent as much as the limit says while
 * the low one had something to send.  Lanes that are in no table do not send
 * while those of the tables can.
 */
#include "sim/net/net.h"

#define LIMIT (4096 / WEFT_SIM_BLOCK) /* blocks that limits count in */

/* Returns the lane of a table that is next, or -1; *at and *left become where
 * the table is then. */
static int from_table(const struct weft_sim_vlarb *table, uint32_t can,
		      uint8_t *at, int16_t *left)
{
	if (!table->n)
		return -1;
	if (*left > 0 && can >> table->entry[*at].vl & 1)
		return table->entry[*at].vl;
	for (unsigned i = 1; i <= table->n; i++) {
		unsigned next = (*at + i) % table->n;

		if (!table->entry[next].weight ||
		    !(can >> table->entry[next].vl & 1))
			continue;
		*at = next;
		*left = table->entry[next].weight;
		return table->entry[next].vl;
	}
	return -1;
}

/* Returns the lane after the last one, in turn. */
static unsigned in_turn(uint32_t can, uint8_t *at)
{
	uint32_t later = can & ~0u << (*at + 1);

	*at = __builtin_ctz(later ? later : can);
	return *at;
}

static uint32_t lanes_of(const struct weft_sim_vlarb *table)
{
	uint32_t lanes = 0;

	for (unsigned i = 0; i < table->n; i++)
		if (table->entry[i].weight)
			lanes |= 1u << table->entry[i].vl;
	return lanes;
}

/* Returns the lane that is next, or -1: none of the high table, or the low one
 * has its turn. */
static int from_high(const struct weft_sim_spec *spec, struct weft__out *out,
		     uint32_t can, const uint8_t *blocks)
{
	bool waits = can & (spec->low.n ? lanes_of(&spec->low) : ~0u);
	int vl;

	if (waits && out->limit_left <= 0 && spec->limit < 255)
		return -1;
	vl = from_table(&spec->high, can, &out->high, &out->high_left);
	if (vl < 0)
		return vl;
	out->high_left -= blocks[vl];
	if (waits)
		out->limit_left -= blocks[vl];
	return vl;
}

unsigned weft__vlarb_choose(const struct weft_sim_spec *spec,
			    struct weft__out *out, uint32_t can,
			    const uint8_t *blocks)
{
	int vl = from_high(spec, out, can, blocks);

	if (vl >= 0)
		return vl;
	out->limit_left = spec->limit ? spec->limit * LIMIT : 1;
	vl = from_table(&spec->low, can, &out->low, &out->low_left);
	if (vl < 0)
		return in_turn(can, &out->low_turn);
	out->low_left -= blocks[vl];
	return vl;
}
