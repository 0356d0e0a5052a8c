/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hops between switches, and whether cables connect all of them. */
#ifndef WEFT_GRAPH_BFS_H
#define WEFT_GRAPH_BFS_H

#include <weft/diag.h>
#include <weft/fabric.h>

#define WEFT__FAR UINT16_MAX	/* hops: not reached */

/*
 * Searches the cables between switches breadth-first. hops[nsw]: cables from
 * switch root, WEFT__FAR where there is no way. order[nsw]: the switches
 * reached, nearest first; those equally near in the order in which their
 * neighbours were met, hence by id.  Returns how many were reached.  O(switches
 * + cables).
 */
uint32_t weft__bfs(const struct weft_fabric *fabric, uint32_t root,
		   uint16_t *hops, uint32_t *order);
/* Likewise, without switches for which avoid[nsw] is true; NULL: with all. */
uint32_t weft__bfs_around(const struct weft_fabric *fabric, uint32_t root,
			  const bool *avoid, uint16_t *hops, uint32_t *order);
/* Likewise, from the nearest of all switches for which roots[nsw] is true. */
uint32_t weft__bfs_many(const struct weft_fabric *fabric, const uint8_t *roots,
			uint16_t *hops, uint32_t *order);

/* How many searches are made at once; each has a bit. */
#define WEFT__BFS_BLOCK 64

/*
 * Finds the hops from up to WEFT__BFS_BLOCK switches at once, which takes a
 * small part of the time: hops[n * nsw], WEFT__FAR where there is no way.
 * scratch: [3 * nsw].
 */
void weft__bfs_block(const struct weft_fabric *fabric, const uint32_t *roots,
		     unsigned n, uint16_t *hops, uint64_t *scratch);

/*
 * Returns 0 if every switch can reach every other one by cable, else
 * -ENETUNREACH, with an error that names one switch of each of two parts.
 */
int weft__require_connected(const struct weft_fabric *fabric,
			    struct weft_diag *diag);

#endif
