/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parts of a fabric that no cable joins. */
#ifndef WEFT_CORE_COMPONENTS_H
#define WEFT_CORE_COMPONENTS_H

#include <weft/fabric.h>

/*
 * Fills in part[nsw], the number of the part that each switch is in: 0, 1, ...
 * by the lowest switch of each.  Returns how many parts there are. queue[nsw]
 * is scratch.  O(switches + cables).
 */
uint32_t weft__components(const struct weft_fabric *fabric, uint32_t *part,
			  uint32_t *queue);
/* Likewise, as if switches for which avoid[nsw] is true were not there: these
 * are in no part, WEFT_NONE; NULL: all are. */
uint32_t weft__components_around(const struct weft_fabric *fabric,
				 const bool *avoid, uint32_t *part,
				 uint32_t *queue);

/*
 * Fills in plane[nsw], the plane of weft/planes.h that each switch is in: 0, 1,
 * ...; parts that share no port are in one.  Returns how many there are, 0
 * without memory.  O(endports + cables).
 */
uint32_t weft__planes(const struct weft_fabric *fabric, uint32_t *plane);

/*
 * Returns one part as a fabric of its own, with all GUIDs, LIDs and port
 * numbers as they are.  A node with ports in several parts has those of this
 * one.  Returns NULL without memory.  O(size of the fabric + n log n of the
 * part).
 */
struct weft_fabric *weft__component(const struct weft_fabric *fabric,
				    const uint32_t *part, uint32_t which);

/*
 * Copies a fabric without switches for which dead[nsw] is set, and cables of
 * channels for which gone[nch] is, both directions.  Switches keep their order.
 * *out is set on success only; -ENOMEM.  O(n log n).
 */
int weft__fabric_less(const struct weft_fabric *fabric, const bool *dead,
		      const bool *gone, struct weft_fabric **out);

/*
 * Adds a switch, or the port of a node, to a builder as it is in a fabric; the
 * node, too, if the builder does not have it yet.  Returns the handle of the
 * switch or node; WEFT_NONE: the builder has run out of memory.
 */
uint32_t weft__copy_switch(struct weft_builder *b,
			   const struct weft_switch *sw);
uint32_t weft__copy_endport(struct weft_builder *b,
			    const struct weft_fabric *f,
			    const struct weft_endport *ep);

/* Takes the LIDs from all ports of a builder, so that they are given anew. */
void weft__forget_lids(struct weft_builder *b);

#endif
