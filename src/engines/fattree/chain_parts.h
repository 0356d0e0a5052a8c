/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Converging routes from the inside: what their parts know of each other. */
#ifndef WEFT_ENGINES_FATTREE_CHAIN_PARTS_H
#define WEFT_ENGINES_FATTREE_CHAIN_PARTS_H
#include "engines/fattree/chain.h"

static inline bool weft__chain_above(const struct weft__chains *c, uint32_t a,
				     uint32_t b)
{
	return c->ways->place[a] < c->ways->place[b];
}

/* A plan's first entry for a run. */
static inline uint32_t weft__chain_run_entry(const struct weft__chains *c,
					     uint32_t s, uint32_t r)
{
	return c->run->fabric->adj_first[s] + c->plan->run[r].start;
}

/* climb.c: climbs from the root, counting; choice NULL: only that. */
void weft__chain_climb(struct weft__chains *c, uint32_t root, uint8_t *choice);

/* The switch with a number among those on higher levels right above s, in the
 * order of its adjacency; WEFT_NONE: there are not so many. */
uint32_t weft__chain_with_number(const struct weft__chains *c, uint32_t s,
				 uint32_t number);
/* The other way around; WEFT_NONE: it is none of these. */
uint32_t weft__chain_number_of(const struct weft__chains *c, uint32_t s,
			       uint32_t above);

/* join.c: has all others follow the chain. */
void weft__chain_join(struct weft__chains *c, const struct weft__tree *tree);
#endif
