/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The subtree of fattree_complete.c while it grows. */
#ifndef WEFT_ENGINES_FATTREE_JOINER_H
#define WEFT_ENGINES_FATTREE_JOINER_H

#include "engines/fattree_complete.h"

struct weft__joiner {
	struct weft__joints *j;
	const struct weft__fattree *t;
	const struct weft_fabric *f;
	uint32_t keep_off;
	bool high_first;	/* turns on higher levels first */
	uint32_t *part;		/* [nsw] union-find: tops that are or can be
				 * joined by cables right below them */
	uint32_t *set;		/* [nsw] union-find: what the subtree joins */
	uint32_t *queue;	/* [nsw] */
	uint32_t *mark;		/* [nsw] */
	uint32_t *seen;		/* [nsw] */
	uint32_t marks, sights;
};

/* Whether nobody is above s. */
static inline bool weft__joiner_top(const struct weft__joiner *w, uint32_t s)
{
	return weft__fattree_is_top(w->t, s);
}

/* The set of a switch. */
uint32_t weft__joiner_find(uint32_t *parent, uint32_t s);
/* Whether that joined two sets. */
bool weft__joiner_unite(uint32_t *parent, uint32_t a, uint32_t b);

/* Parts that s would join: different ones among the tops above it. */
uint32_t weft__joiner_parts(struct weft__joiner *w, uint32_t s);

/* All cables between the two join the subtree. */
void weft__joiner_cable(struct weft__joiner *w, uint32_t a, uint32_t b);

/* Cables of s upwards, as few as join all parts above it; first to where the
 * subtree is already. */
void weft__joiner_turn(struct weft__joiner *w, uint32_t s);

#endif
