/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Converging routes: declarations that climb.c, join.c and chain.c share. */
#ifndef WEFT_ENGINES_FATTREE_CHAIN_PARTS_H
#define WEFT_ENGINES_FATTREE_CHAIN_PARTS_H

#include "engines/fattree/chain.h"

static inline bool weft__chain_above(const struct weft__chains *c, uint32_t a,
				     uint32_t b)
{
	return c->ways->place[a] < c->ways->place[b];
}

/* Returns the first entry of run r of the plan, which is one of switch s. */
static inline uint32_t weft__chain_run_entry(const struct weft__chains *c,
					     uint32_t s, uint32_t r)
{
	return c->run->fabric->adj_first[s] + c->plan->run[r].start;
}

/* Climbs from the root and counts (climb.c).  choice NULL: only counts. */
void weft__chain_climb(struct weft__chains *c, uint32_t root, uint8_t *choice);

/* Returns the switch with that number among those on higher levels right above
 * s, in the order of its adjacency, or WEFT_NONE if there are fewer. */
uint32_t weft__chain_with_number(const struct weft__chains *c, uint32_t s,
				 uint32_t number);
/* Returns the number of switch above among these, or WEFT_NONE if it is
 * none. */
uint32_t weft__chain_number_of(const struct weft__chains *c, uint32_t s,
			       uint32_t above);

/* Has all other switches follow the chain (join.c). */
void weft__chain_join(struct weft__chains *c, const struct weft__tree *tree);
#endif
