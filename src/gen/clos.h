/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Director switches: Clos networks of equal chips, the parts of machines. */
#ifndef WEFT_GEN_CLOS_H
#define WEFT_GEN_CLOS_H

#include "gen/families.h"

/* Leaves and spines of one chassis, and the cables from each leaf to each
 * spine. */
struct weft__clos {
	const char *prefix;		/* of the names */
	uint32_t leaves, spines, parallel;
	uint32_t radix;			/* of every chip */
	uint32_t first_leaf, first_spine;	/* set by ..._switches() */
};

static inline uint64_t weft__clos_size(const struct weft__clos *c)
{
	return c->leaves + c->spines;
}

static inline uint64_t weft__clos_ncables(const struct weft__clos *c)
{
	return (uint64_t)c->leaves * c->spines * c->parallel;
}

/* Adds the chips.  role is that of the leaves: WEFT_ROLE_LEAF when hosts hang
 * on them, WEFT_ROLE_MIDDLE when switches do. */
void weft__clos_switches(struct weft__clos *c, enum weft_role role,
			 struct weft__net *net);
/* Adds the cables inside the chassis: to each spine in turn, then again. */
void weft__clos_cables(const struct weft__clos *c, struct weft__net *net);

/*
 * The core of a 3456-port switch with some of its 24 line cards: a line card
 * has 12 leaves and 12 middle chips, all cabled to each other; middle chip j
 * of every line card is cabled to each of the 12 chips of fabric card j.
 */
struct weft__core {
	const char *prefix;
	uint32_t cards;			/* line cards, 1..24 */
	uint32_t spines;		/* chips of a fabric card, 12 or less */
	uint32_t first_leaf, first_middle, first_spine;
};

#define WEFT__CORE_CHIPS 12		/* leaves of a card; also middles, and
					 * fabric cards */
#define WEFT__CORE_RADIX 24

uint64_t weft__core_size(const struct weft__core *c);
uint64_t weft__core_ncables(const struct weft__core *c);
void weft__core_switches(struct weft__core *c, enum weft_role role,
			 struct weft__net *net);
void weft__core_cables(const struct weft__core *c, struct weft__net *net);

#endif
