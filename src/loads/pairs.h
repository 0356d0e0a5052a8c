/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pairs of switches change lanes where that closes no credit loop. */
#ifndef WEFT_LOADS_PAIRS_H
#define WEFT_LOADS_PAIRS_H

#include "loads/loads.h"

struct weft_routes;

/* Has each pair of switches have a service level of its own, where all have
 * the same one.  Returns false without memory. */
bool weft__pairs_tell_apart(struct weft_layers *layers, size_t switches);

/* Has what two switches send each other, or the first one the second where
 * directions may differ, use a service level. */
void weft__pair_set(struct weft_layers *layers, const struct weft_fabric *fabric,
		    uint32_t s, uint32_t root, uint8_t sl);

/*
 * Puts what s and the column's switch send each other into another lane, the
 * lowest below lanes in which all of it can go: by the entries of routes, and by
 * the column for its LID.  Returns false, and changes nothing, if there is none.
 * O(lanes x LIDs of both x hops).
 */
bool weft__pair_move(struct weft__loads *t, struct weft_routes *routes,
		     const struct weft__column *c, uint32_t s, unsigned lanes);

#endif
