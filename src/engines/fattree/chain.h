/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Converging routes: for each destination a chain of switches leads from its
 * own switch up to a root and is chosen by counters; all other switches go to
 * the chain by the shortest way and down along it.
 */
#ifndef WEFT_ENGINES_FATTREE_CHAIN_H
#define WEFT_ENGINES_FATTREE_CHAIN_H

#include "engines/fattree/engine.h"

enum weft__chain_rack { WEFT__RACK_AUTO, WEFT__RACK_ON, WEFT__RACK_OFF };

/* The rule by which links of the chain are chosen. */
struct weft__chain_rule {
	bool above;		/* the counter of the switch above counts, too
				 * (BEFT) */
	bool capacity;		/* counters are per capacity, so that a switch
				 * that has lost cables gets less */
	bool dummies;		/* leaves count as if all had as many hosts
				 * (EFT) */
	bool sides;		/* racks between parts of the fabric send by
				 * both parts (sides.h) */
	bool mirror;		/* of several ways to the chain, a switch takes
				 * the one with the number that the chain's has
				 * above the destination */
	bool load;		/* loads run->balance */
	enum weft__chain_rack rack;	/* of several ways to the chain, a
					 * switch takes one that others take,
					 * else the least used (BEFT's rack
					 * step) */
};

/* Routes to follow where the counters leave a choice. */
struct weft__chain_model {
	const uint32_t *chain;	/* [n] */
	uint32_t n;		/* 0: no chain */
	uint32_t number;	/* of its second switch among those right above
				 * the first one */
};

struct weft__chains {
	struct weft__fattree_run *run;
	struct weft__chain_rule rule;
	const struct weft__ways *ways;
	uint32_t *back;		/* [edges] entry of the opposite direction */
	uint32_t *down;		/* [edges] destinations routed down a cable, at
				 * the upper switch's entry */
	uint32_t *beside;	/* [edges] the same for switches above a
				 * destination that are not in its chain */
	uint32_t *up;		/* [edges] destinations routed up, at the lower
				 * switch's entry */
	uint32_t *served;	/* [edges] destinations among up[] that an
				 * endport sends to by it */
	uint32_t *above;	/* [nsw] destinations with the switch in their
				 * chain */
	uint32_t *forwards;	/* [nsw] destinations that others send up to
				 * the switch */
	uint64_t *room;		/* [nsw] capacity downwards */
	uint8_t *has_ends;	/* [nsw] there are endports on it */
	uint8_t *is_lowest;	/* [nsw] no cable of it leads down */
	uint32_t weight;	/* of the current destination */
	uint32_t nends;

	/* of the current root, the switch of a destination */
	const struct weft__plan *plan;
	uint16_t *hops;		/* [nsw] */
	uint8_t *cone;		/* [nsw] 1: has a way down to the root */
	uint32_t *cone_list;	/* [ncone] the cone by hops, without the root */
	uint32_t *cone_run;	/* [ncone] position in the plan */
	uint8_t *cone_only;	/* [ncone] its only way down; WEFT__UNFIXED: it
				 * has several */
	uint32_t *plan_run;	/* [plan->n] index of the first run */
	uint32_t ncone;
	uint32_t *idle;		/* [nidle] positions in the plan of switches
				 * that are not in the cone and have no
				 * endports */
	uint32_t nidle;
	uint32_t cone_ends;	/* switches with endports in the cone, root
				 * included */
	uint32_t plan_ends;	/* the same in the whole plan */

	/* of the current destination */
	uint32_t *chain;	/* [nchain] from its switch up */
	uint32_t nchain;
	uint32_t number;	/* of its second switch among those right above
				 * the first one */
	uint32_t second;	/* the switch that the model would have there */
	uint32_t *queue;	/* [nsw] */
	uint32_t *entry;	/* [nsw] entry by which it joins; WEFT_NONE:
				 * there are several */
	uint32_t *seen;		/* [nsw] stamp: has joined the chain */
	uint32_t *used;		/* [nsw] stamp: another switch goes up to it */
	uint32_t *passes;	/* [nsw] stamp: traffic of an endport passes
				 * it */
	uint32_t stamp;

	/* of the current node */
	uint32_t *taken;	/* [nsw] stamp: on routes to the node's other
				 * ports */
	uint32_t node;		/* the stamp for taken[] */
	bool shares;		/* may have used a taken switch */
	struct weft__chain_model model;
};

/* Prepares, with all counts at 0.  Returns false without memory. */
bool weft__chains_init(struct weft__chains *c, struct weft__fattree_run *run,
		       struct weft__chain_rule rule);

/* Prepares for the destinations on a switch.  O(switches). */
void weft__chains_root(struct weft__chains *c, uint32_t root);

/*
 * Routes one destination on the switch prepared for, around taken switches
 * where other ways are as short.  The chain is in c->chain afterwards.
 * O(switches + cables of those that join the chain).
 */
void weft__chains_tree(struct weft__chains *c, const struct weft__tree *tree);

/* Marks as taken the switches that routes of endports by a tree pass through.
 * O(switches). */
void weft__chains_mark_taken(struct weft__chains *c,
			     const struct weft__tree *tree);

/* Routes the trees of all endports, in their order, dummies included. */
void weft__chains_endports(struct weft__chains *c);

/* Routes all endports by the rule; a fat-tree engine may call this to
 * choose. */
int weft__chains_run(struct weft__fattree_run *run,
		     struct weft__chain_rule rule);

#define WEFT__RACK_OPTION \
	{ .name = "rack", .type = WEFT_OPT_ENUM, .preset = "auto", \
	  .choices = "auto|on|off", \
	  .help = "who has several ways to the chain takes the one that " \
		  "others take" }

/* Return the rules of eft and of beft. */
struct weft__chain_rule weft__chains_eft(void);
struct weft__chain_rule weft__chains_beft(const struct weft_options *options);

#endif
