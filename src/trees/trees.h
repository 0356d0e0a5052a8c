/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Destination trees: what engines choose for each LID, and how that becomes
 * tables.
 */
#ifndef WEFT_TREES_TREES_H
#define WEFT_TREES_TREES_H
#include <weft/lft.h>
#include <weft/options.h>

struct weft_arena;

#define WEFT__UNFIXED 255	/* no choice was made */

/* The way of every switch to one LID. */
struct weft__tree {
	uint16_t lid;
	uint8_t delivery;	/* port of the root that leads to its owner */
	uint32_t root;		/* the owner's switch */
	uint32_t number;	/* in the list: for who takes turns */
	uint8_t *choice;	/* [nsw] position in the switch's adjacency */
};

struct weft__trees {
	struct weft__tree *tree;
	uint32_t n;		/* endports' LIDs first, then switches' */
	uint32_t nendports;	/* how many are endports' */
};

/* The option that says how weft__trees_list() orders endports. */
#define WEFT__ORDER_OPTION \
	{ .name = "order", .type = WEFT_OPT_ENUM, .preset = "switch", \
	  .choices = "switch|guid", \
	  .help = "endports switch by switch, or by port GUID alone" }

/*
 * Endports switch by switch, by ascending GUID of the switch, then by its port,
 * [nep]: in that order neighbours on one switch are next to each other, whatever
 * their GUIDs are.  NULL without memory.
 */
const uint32_t *weft__endports_by_port(const struct weft_fabric *fabric,
				       struct weft_arena *arena);

/* *order: as that option asks for; NULL stands for port GUIDs alone (ids are in
 * that order).  false without memory. */
bool weft__endport_order(const struct weft_fabric *fabric,
			 const struct weft_options *options,
			 struct weft_arena *arena, const uint32_t **order);

/*
 * Lists every LID of the fabric, all choices unfixed: the endports' base LIDs
 * in that order, then all base LIDs + 1, and so on (LMC), then the switches'.
 * false without memory.  Memory: switches bytes for each LID, from the arena.
 */
bool weft__trees_list(const struct weft_fabric *fabric,
		      struct weft_arena *arena, const uint32_t *order,
		      struct weft__trees *out);

/*
 * For each adjacency entry: head, the switch it leads to, and scale, what one
 * route over it weighs: 16 on the fastest links, in proportion more on slower
 * ones.  false without memory.
 */
bool weft__edges_list(const struct weft_fabric *fabric,
		      struct weft_arena *arena, uint32_t **head,
		      uint32_t **scale);

/* Makes the tables of the trees.  0 or -ENOMEM. */
int weft__trees_fill(const struct weft_fabric *fabric,
		     const struct weft__trees *trees, struct weft_lft *lft);

#endif
