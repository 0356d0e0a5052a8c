/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Destination trees: the choices that engines make for each LID, and the tables
 * made of them.
 */
#ifndef WEFT_TREES_TREES_H
#define WEFT_TREES_TREES_H

#include <weft/lft.h>
#include <weft/options.h>

struct weft_arena;

#define WEFT__UNFIXED 255	/* no choice was made */

/* The ways of all switches to one LID. */
struct weft__tree {
	uint16_t lid;
	uint8_t delivery;	/* port of the root that leads to its owner */
	uint32_t root;		/* the owner's switch */
	uint32_t number;	/* position in the list, for turn-taking */
	uint32_t weight;	/* of the owner, see weft_fabric_weigh() */
	uint32_t group;		/* of the owner */
	bool fixed;		/* relief leaves it as it is */
	uint8_t *choice;	/* [nsw] position in the switch's adjacency */
};

struct weft__trees {
	struct weft__tree *tree;
	uint32_t n;		/* endports' LIDs first, then switches' */
	uint32_t nendports;	/* how many are endports' */
	uint32_t nbase;		/* how many of these are of base LIDs, which
				 * come first */
	struct weft__tree *twin;	/* of LIDs that have the choices of
					 * another */
	uint32_t ntwins;
	uint32_t ngroups;	/* that are balanced by themselves, if the
				 * endports were listed group by group; else
				 * 1 */
};

/* The option for the order in which weft__trees_list() lists endports. */
#define WEFT__ORDER_OPTION \
	{ .name = "order", .type = WEFT_OPT_ENUM, .preset = "switch", \
	  .choices = "switch|guid", \
	  .help = "endports switch by switch, or by port GUID alone" }

/* The option for routes that may be longer than the shortest ones. */
#define WEFT__INITIAL_OPTION \
	{ .name = "initial", .type = WEFT_OPT_INT, .preset = "0", \
	  .min = 0, .max = 1000000, \
	  .help = "what a cable weighs at first, in routes: routes may be " \
		  "longer; 0: so much that none is" }

/* The option for routes to switches, see weft__balance_switches(). */
#define WEFT__SWITCHES_OPTION \
	{ .name = "switches", .type = WEFT_OPT_BOOL, .preset = "no", \
	  .help = "routes to switches' own LIDs count in the balance, too" }

/* Returns endports in that order, but group by group: [nep].  Those of a group
 * then share the ways as if the others were not there, and the others find what
 * is left.  Returns NULL without memory. */
uint32_t *weft__by_group(const struct weft_fabric *fabric,
			 const uint32_t *order, struct weft_arena *arena);

/*
 * Returns the endports group by group, in each switch by switch, by ascending
 * GUID of the switch, then by its port: [nep].  Endports of one switch are next
 * to each other then, whatever their GUIDs are.  Returns NULL without memory.
 */
const uint32_t *weft__endports_by_port(const struct weft_fabric *fabric,
				       struct weft_arena *arena);

/* Sets *order as the option says; NULL stands for port GUIDs alone, which ids
 * follow.  Returns false without memory. */
bool weft__endport_order(const struct weft_fabric *fabric,
			 const struct weft_options *options,
			 struct weft_arena *arena, const uint32_t **order);

/*
 * Lists every LID of the fabric, with all choices unfixed: the endports' base
 * LIDs in that order, then all base LIDs + 1, and so on (LMC), then the
 * switches' LIDs.  Returns false without memory.  Takes a byte of the arena for
 * each LID and switch.
 */
bool weft__trees_list(const struct weft_fabric *fabric,
		      struct weft_arena *arena, const uint32_t *order,
		      struct weft__trees *out);

/*
 * Does so, but only that share of endports has trees of their own, evenly; the
 * others of a switch have the tree of one before them, which has the weight of
 * all.  Each switch with endports has a tree at least.
 */
bool weft__trees_list_shared(const struct weft_fabric *fabric,
			     struct weft_arena *arena, const uint32_t *order,
			     double own, struct weft__trees *out);

/*
 * Finds for each adjacency entry its head, the switch it leads to, and its
 * scale, the weight of one route over it: 16 on the fastest links, in
 * proportion more on slower ones.  Returns false without memory.
 */
bool weft__edges_list(const struct weft_fabric *fabric,
		      struct weft_arena *arena, uint32_t **head,
		      uint32_t **scale);

/* Reads the choices of the trees off tables; those of switches that send by no
 * cable to another switch are left alone.  O(trees x switches). */
void weft__trees_read(const struct weft_fabric *fabric,
		      const struct weft_lft *lft,
		      const struct weft__trees *trees);

/* Has endports that are next to each other, on one switch and of one group, share
 * a tree where they have the same choices.  O(trees x switches). */
void weft__trees_share(const struct weft_fabric *fabric,
		       struct weft__trees *trees);

/* Makes the tables of the trees.  Returns 0 or -ENOMEM. */
int weft__trees_fill(const struct weft_fabric *fabric,
		     const struct weft__trees *trees, struct weft_lft *lft);

#endif
