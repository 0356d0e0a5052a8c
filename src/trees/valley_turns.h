/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The turns of Up*Down* ways and of a valley by themselves, without the ways.
 *
 * All turns that an order of the switches allows are few to list, while ways to
 * all destinations take long to plan.  Every destination counts, switches, too,
 * so that nearly each of these turns is on some way.  What is acyclic with all
 * of them is acyclic with those that are; where it is not, the ways tell.
 */
#ifndef WEFT_TREES_VALLEY_TURNS_H
#define WEFT_TREES_VALLEY_TURNS_H

#include "graph/order.h"
#include "trees/ways.h"

/* Adds edges from a channel to ports of the switch behind it, a bit for each, to
 * the bits of a graph alone. */
void weft__turns_add(struct weft__cdg *graph, uint32_t channel,
		     const uint64_t *ports);

/* Does so to the order, one by one.  Returns false where one closes a cycle. */
bool weft__turns_try(struct weft__order *order, uint32_t channel,
		     const uint64_t *ports);

/* Adds all turns but those from down to up.  O(switches x ports^2 / 64). */
void weft__turns_of_order(const struct weft__ways *ways,
			  struct weft__cdg *graph);

/* Adds the turns from down to up within the valley. */
void weft__turns_of_valley(const struct weft__ways *ways,
			   struct weft__cdg *graph);

/*
 * Adds the turns from down to up of switches in the valley that climb wherever
 * they like towards root, which is among loose[]; careful: one by one.  Returns
 * false if that closes a cycle.  No cables may be kept (own[]), and hops must fit
 * into a byte (trees/hops.h).
 */
bool weft__turns_of_loose(struct weft__ways *ways, uint32_t root,
			  struct weft__order *order, bool careful);

#endif
