/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Trees of traffic as those of src/trees, which hold positions in the adjacency
 * instead of ports.  Both are a byte for each switch, so that the one takes the
 * place of the other.
 */
#ifndef WEFT_LAYERS_CHOICES_H
#define WEFT_LAYERS_CHOICES_H

#include "layers/traffic.h"
#include "trees/trees.h"

struct weft_arena;

/* Lists n trees, those with traffic first, as endports'; thin ones follow.  Their
 * choices are where the ports are.  Returns false without memory. */
bool weft__choices_list(const struct weft__traffic *t, const uint32_t *list,
			uint32_t n, struct weft_arena *arena,
			struct weft__trees *out);

/* Replaces the ports of a tree by choices; a port that leads to no switch becomes
 * the first one that does. */
void weft__choices_of_ports(const struct weft__traffic *t, uint32_t k);

/* Replaces choices by ports; all switches but the tree's home send to others. */
void weft__choices_to_ports(const struct weft__traffic *t, uint32_t k);

#endif
