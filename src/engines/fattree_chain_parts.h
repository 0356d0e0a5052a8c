/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Converging routes from the inside: what their parts know of each other. */
#ifndef WEFT_ENGINES_FATTREE_CHAIN_PARTS_H
#define WEFT_ENGINES_FATTREE_CHAIN_PARTS_H

#include "engines/fattree_chain.h"

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

/* fattree_climb.c: climbs from the root, counting; choice NULL: only that. */
void weft__chain_climb(struct weft__chains *c, uint32_t root, uint8_t *choice);

/* The switch with a number among those on higher levels right above s, in the
 * order of its adjacency; WEFT_NONE: there are not so many. */
uint32_t weft__chain_with_number(const struct weft__chains *c, uint32_t s,
				 uint32_t number);
/* The other way around; WEFT_NONE: it is none of these. */
uint32_t weft__chain_number_of(const struct weft__chains *c, uint32_t s,
			       uint32_t above);

/* fattree_join.c: has all others follow the chain. */
void weft__chain_join(struct weft__chains *c, const struct weft__tree *tree);
/* Of these, those above the destination and not in the chain. */
void weft__chain_descend(struct weft__chains *c, uint8_t *choice);

/* fattree_crown.c: false without memory. */
bool weft__crowns_init(struct weft__chains *c);
/* Does the same where what hangs on the end of the chain is
 * known; else false, and nothing is done. */
bool weft__crown_join(struct weft__chains *c, const struct weft__tree *tree);
/* Adds what was counted once for several destinations to the counters. */
void weft__crown_count(struct weft__chains *c);
/* Loads balance, if there is one, with what weft__crown_join() did not. */
void weft__crown_load(struct weft__chains *c, const struct weft__tree *tree);
/* Loads the rest of what weft__crown_join() did. */
void weft__crown_load_all(struct weft__chains *c);

#endif
