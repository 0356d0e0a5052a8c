/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tree in a fabric, as far as there is one: the level of each switch, and
 * an order of all switches that follows from the levels.  It is found once for
 * every fat-tree engine.
 *
 * Every connected fabric can be routed with the outcome: by Up*Down* ways over
 * place[] (trees/ways.h) for pairs that have a common switch above them, and
 * through a valley for the rest, see weft__fattree_complete().
 */
#ifndef WEFT_SHAPES_FATTREE_H
#define WEFT_SHAPES_FATTREE_H

#include "core/listed.h"
#include "trees/ways.h"

#include <weft/diag.h>
#include <weft/fabric.h>
#include <weft/options.h>

struct weft_arena;

#define WEFT__FATTREE_NO_LEVEL UINT16_MAX

/* Where the level of a switch comes from, in ascending order of trust. */
enum weft__fattree_source {
	WEFT__FATTREE_FOUND,	/* discovery alone */
	WEFT__FATTREE_DESCRIBED,	/* role= in its node description */
	WEFT__FATTREE_LISTED,	/* options roots and roles */
};

struct weft__fattree {
	const struct weft_fabric *fabric;
	bool is_tree;		/* false: place[] is by closeness */
	uint16_t *level;	/* [nsw] 0 = the lowest */
	uint16_t nlevels;	/* highest level + 1 */
	uint8_t *role;		/* [nsw] enum weft_role given from outside */
	uint8_t *source;	/* [nsw] source of role[] */
	uint8_t *stub;		/* [nsw] not a leaf, and on no shortest way
				 * between leaves: a leaf without hosts, or a
				 * spare */
	uint32_t *place;	/* [nsw] 0 = the top, a permutation */
	uint32_t *by_place;	/* [nsw] its inverse */
	struct weft__ways ways;	/* Up*Down* over place[] */

	/*
	 * The result of the check of the order: the pairs of hosts that were
	 * looked at, those among them without a shortest way up and down, and
	 * the switches of the first of these.
	 */
	uint64_t judged, misfits;
	uint32_t misfit_from, misfit_to;
};

/* The options that say what is known about the tree. */
#define WEFT__FATTREE_OPTIONS \
	WEFT__ROOTS_OPTION, \
	{ .name = "roles", .type = WEFT_OPT_LIST, \
	  .choices = "leaf|middle|root|RANK", .min = 1, \
	  .help = "roles of switches, SWITCH=leaf|middle|root or a rank, 0 " \
		  "for roots, separated by blanks or '+', or a file that " \
		  "lists them" }

/*
 * Finds the tree.  Options (NULL: none) win over node descriptions, and these
 * over discovery; contradictions are warned about.  Never fails on a connected
 * fabric, but for: -EINVAL if the options do not parse or name none of its
 * switches; -ENOMEM.  Everything is in arena.  O(switches with hosts x cables)
 * time, switches with hosts x switches bytes.
 */
int weft__fattree_find(const struct weft_fabric *fabric,
		       const struct weft_options *options,
		       struct weft_arena *arena, struct weft__fattree *out,
		       struct weft_diag *diag);

/* True if it is a tree in which hardly any pair, one in a hundred at most, lacks a
 * shortest way up and down. */
static inline bool weft__fattree_fits(const struct weft__fattree *tree)
{
	return tree->is_tree && tree->misfits * 100 <= tree->judged;
}

/*
 * Gives up the tree: orders the switches by closeness below the first one
 * alone, which is then above all others, and finds the ways anew.  Returns
 * false without memory.
 */
bool weft__fattree_one_root(struct weft__fattree *tree,
			    struct weft_arena *arena);

/* Reports through weft_diag_explain() what was found. */
void weft__fattree_explain(const struct weft__fattree *tree,
			   struct weft_diag *diag);

/* The cables of a switch by where they lead: to higher, lower, the same level,
 * and of these those that pass one by. */
struct weft__level_cables {
	uint32_t up, down, across, past;
};
struct weft__level_cables weft__level_cables(const struct weft__fattree *tree,
					     uint32_t s);

/* Parts of weft__fattree_find(). */

/* Fills in role[] and source[] from descriptions and options. */
int weft__fattree_roles(struct weft__fattree *tree,
			const struct weft_options *options,
			struct weft_diag *diag);
/*
 * Fills in level[] and stub[], and sets is_tree: true if a switch half-way
 * between leaves was found, or roots are told.  Returns false without memory.
 */
bool weft__fattree_levels(struct weft__fattree *tree, struct weft_arena *arena);
/* Fills in place[] and by_place[].  Returns false without memory. */
bool weft__fattree_order(struct weft__fattree *tree, struct weft_arena *arena);

#endif
