// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Levels of QoS on links: the lane of each layer of a level, on links with
 * enough of them and on others.
 *
 * Levels that share a lane on a cable do not make it worse: all have the same
 * layers on the same routes.  A credit loop through several levels, in which
 * each level is taken for the first one, is a loop of the first level on a
 * cable where all layers share a lane, and that is what weft__lanes_room() says
 * of such cables.  So the proof of the first level is one of all.
 */
#include "plugins/lanes/osm_layers.h"

/* --- levels by strides ------------------------------------------------- */

static unsigned stride_room(const struct weft__lanes *l, unsigned there)
{
	if (there >= l->levels * l->each)
		return l->each;
	return there < l->levels ? 1 : there / l->levels;
}

/* The lane of a layer of a level, on a cable with that many data lanes. */
static unsigned stride_lane(const struct weft__lanes *l, unsigned level,
			    unsigned layer, unsigned there)
{
	if (there >= l->levels * l->each)
		return level * l->each + layer;
	if (there < l->levels)
		return level % there;
	there /= l->levels;
	return level * there + layer % there;
}

/* --- levels of the administrator's own --------------------------------- */

static bool has_lane(const struct weft__lanes *l, unsigned level,
		     unsigned there)
{
	return l->own_sls.vl[level] < there;
}

static unsigned own_room(const struct weft__lanes *l, unsigned there)
{
	unsigned room = 1, left;

	left = there - __builtin_popcount(l->own_sls.taken &
					  ((1u << there) - 1));
	for (unsigned level = 0; level < l->levels; level++)
		if (!has_lane(l, level, there))
			return 1;
	room += left / l->levels;
	return room < l->each ? room : l->each;
}

/* The nth lane that the administrator does not use. */
static unsigned free_lane(const struct weft__lanes *l, unsigned n)
{
	unsigned vl = 0;

	for (;; vl++)
		if (!(l->own_sls.taken >> vl & 1) && !n--)
			return vl;
}

/* The first layer has the administrator's lane, cut to those there are. */
static unsigned own_lane(const struct weft__lanes *l, unsigned level,
			 unsigned layer, unsigned there)
{
	layer %= own_room(l, there);
	return layer ? free_lane(l, (layer - 1) * l->levels + level) :
		       weft__lane_cut(l->own_sls.vl[level], there);
}

/* --- both -------------------------------------------------------------- */

unsigned weft__lanes_room(const struct weft__lanes *l, unsigned there)
{
	return l->own ? own_room(l, there) : stride_room(l, there);
}

unsigned weft__lane_of(const struct weft__lanes *l, unsigned level,
		       unsigned layer, unsigned there)
{
	return l->own ? own_lane(l, level, layer, there) :
			stride_lane(l, level, layer, there);
}
