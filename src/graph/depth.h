/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A depth-first search of the cables between switches, which tells what each
 * switch keeps together. */
#ifndef WEFT_GRAPH_DEPTH_H
#define WEFT_GRAPH_DEPTH_H

#include <weft/fabric.h>

struct weft_arena;

struct weft__depth {
	const struct weft_fabric *fabric;
	uint32_t *order;	/* [nsw] switches, as they were met: part by
				 * part, and from each one all that hangs on it */
	uint32_t *met;		/* [nsw] place of a switch in order[], */
	uint32_t *last;		/* [nsw] and of the last one met from there */
	uint32_t *up;		/* [nsw] channel by which it was met; WEFT_NONE:
				 * its part begins with it */
	uint32_t *top;		/* [nsw] the switch that its part begins with */
	uint32_t *low;		/* [nsw] the earliest place that a cable, but for
				 * that one, leads to from there or from what was
				 * met from there; its own place if none is
				 * earlier */
	uint32_t *first_child;	/* [nsw + 1] switches that were met from one: */
	uint32_t *child;	/* first_child[s] to first_child[s + 1], in
				 * order */
};

/* Searches, in the order of ids.  Returns false without memory.  O(switches +
 * cables) (Hopcroft and Tarjan, CACM 1973). */
bool weft__depth_init(struct weft__depth *d, const struct weft_fabric *f,
		      struct weft_arena *arena);

/* Returns the switch from which s was met, or WEFT_NONE. */
static inline uint32_t weft__depth_parent(const struct weft__depth *d,
					  uint32_t s)
{
	return d->up[s] == WEFT_NONE ? WEFT_NONE :
		weft_channel_switch(d->fabric, d->up[s]);
}

/* Returns whether no cables join a and b, which are other switches than sw, once
 * that fails.  O(log cables of sw). */
bool weft__depth_parts(const struct weft__depth *d, uint32_t sw, uint32_t a,
		       uint32_t b);

#endif
