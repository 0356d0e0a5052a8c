/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An order of the switches for Up*Down*: the closer to all hosts, the higher.
 */
#ifndef WEFT_GRAPH_CLOSENESS_H
#define WEFT_GRAPH_CLOSENESS_H

#include <weft/fabric.h>

struct weft_arena;

struct weft__closeness {
	const struct weft_fabric *fabric;
	uint32_t *hosts;	/* [nsw] hosts on a switch */
	uint64_t *remoteness;	/* [nsw] sum of hops to all hosts */
	uint32_t *place;	/* [nsw] 0 = the top */
	uint32_t *by_place;	/* [nsw] its inverse */
	bool measured;
};

/*
 * Orders the switches by the sum of their hops to all hosts (endports of other
 * kinds count where there are no hosts), ties by GUID.  If is_root, [nsw], is
 * not NULL, the hops from the nearest root come first.
 *
 * The fabric must be connected.  All memory is of the arena.  Returns false
 * without memory.  O(switches with hosts x cables) time.
 */
bool weft__closeness_init(struct weft__closeness *c,
			  const struct weft_fabric *fabric,
			  struct weft_arena *arena, const uint8_t *is_root);

/* Orders the switches anew, by the hops from the first one, then as before, so
 * that it is above all others.  Returns false without memory. */
bool weft__closeness_one_root(struct weft__closeness *c,
			      struct weft_arena *arena);

#endif
