/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hops between switches, and the ports by which they send. */
#ifndef WEFT_TREES_BFS_H
#define WEFT_TREES_BFS_H

#include <weft/fabric.h>

#define WEFT__FAR UINT16_MAX	/* hops: not reached */

/*
 * Breadth-first search over the cables between switches.
 * hops[nsw]: cables from switch root, WEFT__FAR where there is no way.
 * order[nsw]: the switches reached, nearest first; those equally near in the
 * order in which their neighbours were met, hence by id.  Returns how many
 * were reached.  O(switches + cables).
 */
uint32_t weft__bfs(const struct weft_fabric *fabric, uint32_t root,
		   uint16_t *hops, uint32_t *order);

/* The port by which a vertex's own switch delivers to it. */
static inline uint8_t weft__delivery_port(const struct weft_fabric *f,
					  uint32_t vertex)
{
	return weft_is_switch(vertex) ? 0 :
		f->ep[vertex & ~WEFT_ENDPORT].sw_port;
}

/* Port number of a channel that leaves switch sw. */
static inline uint8_t weft__port(const struct weft_fabric *f, uint32_t sw,
				 uint32_t channel)
{
	return channel - f->first_channel[sw];
}

#endif
