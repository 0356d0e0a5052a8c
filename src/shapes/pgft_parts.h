/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How the form of a fat tree is found: what its files have in common. */
#ifndef WEFT_SHAPES_PGFT_PARTS_H
#define WEFT_SHAPES_PGFT_PARTS_H

#include "shapes/pgft.h"

/* --- pgft.c --------------------------------------------------------------- */

struct weft__pgft_degree {
	uint32_t down, up; /* switches */
	uint32_t cables;   /* to each of the upper ones, the most; 0 = none */
};

struct weft__pgft_search {
	const struct weft_fabric *f;
	struct weft__pgft_form form;
	struct weft_arena *arena;
	struct weft_diag *diag;
	bool torn;			  /* cables may be missing */
	struct weft__pgft_degree *degree; /* [nsw] */
	uint32_t *low;			  /* [nsw] lowest leaf below a switch */
	/* [l][nsw] by a subtree of level l, the subtree that it is part of */
	uint32_t *above[WEFT__PGFT_LEVELS + 1];
	uint32_t *mark;	     /* [nsw] scratch */
	uint32_t *nchildren; /* [nsw] subtrees of a subtree */
};

/* Finds levels and degrees; 0, -ENOTSUP or -ENOMEM. */
int weft__pgft_begin(struct weft__pgft_search *x);
/* Numbers subtrees and hosts, once m, w, p and above[] are known. */
void weft__pgft_number(struct weft__pgft_search *x);

/* --- pgft_places.c -------------------------------------------------------- */

struct weft__pgft_places {
	const struct weft_fabric *f;
	struct weft__pgft_form *form;
	struct weft_diag *diag;
	uint32_t *known; /* [nsw] top switch that the place is known by */
	/* [l][nsw] by a place of level l + 1, the place below it */
	uint32_t *below[WEFT__PGFT_LEVELS + 1];
	uint32_t *number; /* [nsw] by place, of the current level */
	uint32_t *next;	  /* [nsw] */
	uint32_t *mark;	  /* [nsw] */
};

/* Makes room, where each switch is known by itself; false without memory. */
bool weft__pgft_places_init(struct weft__pgft_places *x,
			    const struct weft_fabric *f,
			    struct weft__pgft_form *form,
			    struct weft_arena *arena);
/* Returns the next switch from *i on in the adjacency of s that is one level up
 * (or down), or WEFT_NONE at the end.  Passes over parallel cables. */
uint32_t weft__pgft_next_peer(const struct weft__pgft_places *x, uint32_t s,
			      bool up, uint32_t *i);
/* Numbers the places that are known, and lists the ports to parents and
 * children. */
void weft__pgft_places_number(struct weft__pgft_places *x);

#endif
