/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Hubs: dependencies that would close a cycle, known without a search.
 *
 * Most ways that a mended tree might take are refused, and for one reason: the
 * few places where traffic turns up again after it went down.  The cycles go by
 * channels there.  Such a channel is a hub once a search has met it, and it is
 * known then which vertices lead to it and which it leads to.  An edge from one
 * that it leads to back to one that leads to it closes a cycle.
 *
 * Where ways are refused for various reasons, as on a torus, the hubs are soon
 * spent; each dependency that was refused is remembered besides (loads.h).
 */
#ifndef WEFT_LOADS_HUBS_H
#define WEFT_LOADS_HUBS_H

#include "graph/order.h"

#define WEFT__HUBS 32

struct weft__hubs {
	unsigned n;
	uint32_t *to, *from;	/* [nv] hubs, a bit each, that a vertex leads
				 * to; that lead to it */
	uint64_t *ahead, *back;	/* [nv bits] scratch */
	uint32_t *list, *narrow;	/* [nv] scratch */
};

/* Begins without hubs.  0 or -ENOMEM; memory is the arena's. */
int weft__hubs_init(struct weft__hubs *h, const struct weft__cdg *g,
		    struct weft_arena *arena);

/* Whether an edge from vertex v to vertex w is known to close a cycle. */
static inline bool weft__hubs_refuse(const struct weft__hubs *h, uint32_t v,
				     uint32_t w)
{
	return h->from[v] & h->to[w];
}

/* Whether there may be more hubs: until then searches pay. */
static inline bool weft__hubs_has_room(const struct weft__hubs *h)
{
	return h->n < WEFT__HUBS;
}

/*
 * Whether an edge from v to w closes a cycle in a graph in order.  keep: none
 * of its edges will be taken away, so that the next one of the kind is known
 * to.  O(vertices between the two x words of a row).
 */
bool weft__hubs_search(struct weft__hubs *h, const struct weft__order *o,
		       uint32_t v, uint32_t w, bool keep);

#endif
