/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Converging routes: for each destination a chain of switches from its own up
 * to a root, chosen by counters; everybody else goes to the chain by the
 * shortest way and down along it.
 */
#ifndef WEFT_ENGINES_FATTREE_CHAIN_H
#define WEFT_ENGINES_FATTREE_CHAIN_H
#include "engines/fattree/engine.h"

enum weft__chain_rack { WEFT__RACK_AUTO, WEFT__RACK_ON, WEFT__RACK_OFF };

/* How links of the chain are chosen. */
struct weft__chain_rule {
	bool above;		/* looks at the counter of the switch above,
				 * too (BEFT) */
	bool capacity;		/* counters are per capacity, so that who has
				 * lost cables is given less */
	bool dummies;		/* leaves count as if all had as many hosts
				 * (EFT) */
	bool sides;		/* racks between parts of the fabric send by
				 * both (sides.h) */
	bool mirror;		/* who chooses among several ways to the chain
				 * takes the one with the number that its end
				 * has for the destination */
	bool load;		/* loads run->balance */
	enum weft__chain_rack rack;	/* who chooses among several ways to the
				 * chain: takes one that others take, else
				 * the least used (BEFT's rack step) */
};

/* Routes to follow where the counters leave a choice. */
struct weft__chain_model {
	const uint32_t *chain;	/* [n] */
	uint32_t n;		/* 0: no chain */
	uint32_t number;	/* of its second switch among those right above
				 * the first */
};

struct weft__chains {
	struct weft__fattree_run *run;
	struct weft__chain_rule rule;
	const struct weft__ways *ways;
	uint32_t *back;		/* [edges] entry of the other direction */
	uint32_t *down;		/* [edges] destinations routed down a cable, at
				 * the upper switch's entry */
	uint32_t *up;		/* [edges] those routed up, at the lower's */
	uint32_t *served;	/* [edges] of these, with an endport to send */
	uint32_t *above;	/* [nsw] destinations with the switch in their
				 * chain */
	uint32_t *forwards;	/* [nsw] destinations that others send up to
				 * the switch */
	uint64_t *room;		/* [nsw] capacity downwards */
	uint8_t *has_ends;	/* [nsw] there are endports on it */
	uint8_t *is_lowest;	/* [nsw] no cable of it leads down */
	uint32_t nends;

	/* of the root at hand */
	const struct weft__plan *plan;
	uint16_t *hops;		/* [nsw] */
	uint8_t *cone;		/* [nsw] goes down to the root */
	uint32_t *cone_list;	/* [ncone] but for the root, by hops */
	uint32_t *cone_run;	/* [ncone] index of its first run in the plan */
	uint8_t *cone_only;	/* [ncone] its only way down, WEFT__UNFIXED */
	uint32_t *plan_run;	/* [plan->n] index of the first run */
	uint32_t ncone;
	uint32_t *idle;		/* [nidle] place in the plan of who is not in
				 * the cone and has no endports */
	uint32_t nidle;
	uint32_t cone_ends;	/* of it and the root, how many have endports */
	uint32_t plan_ends;	/* of the plan and the root */

	/* of the destination at hand */
	uint32_t *chain;	/* [nchain] from the root up */
	uint32_t nchain;
	uint32_t number;	/* of its second among those above the first */
	uint32_t second;	/* what the model would have there */
	uint32_t *queue;	/* [nsw] */
	uint32_t *entry;	/* [nsw] it joins by; WEFT_NONE: several */
	uint32_t *seen;		/* [nsw] stamp: joins the chain */
	uint32_t *used;		/* [nsw] stamp: somebody goes up to it */
	uint32_t *passes;	/* [nsw] stamp: some endport's traffic does */
	uint32_t stamp;

	/* of the node at hand */
	uint32_t *taken;	/* [nsw] stamp: on routes to its other ports */
	uint32_t node;		/* the stamp */
	bool shares;		/* may have taken what was taken */
	struct weft__chain_model model;
};

/* No counts yet.  false without memory. */
bool weft__chains_init(struct weft__chains *c, struct weft__fattree_run *run,
		       struct weft__chain_rule rule);

/* Prepares for destinations on a switch. O(switches). */
void weft__chains_root(struct weft__chains *c, uint32_t root);

/*
 * Routes one destination on the switch prepared for, around taken switches
 * where there are other ways as short.  The chain is in c->chain afterwards.
 * O(switches + cables of those that join the chain).
 */
void weft__chains_tree(struct weft__chains *c, const struct weft__tree *tree);

/* Takes what routes from endports by a tree pass through.  O(switches). */
void weft__chains_take(struct weft__chains *c, const struct weft__tree *tree);

/* All endports' trees, in their order, dummies included. */
void weft__chains_endports(struct weft__chains *c);

/* Routes all endports by that rule: what a fat-tree engine may do to choose. */
int weft__chains_run(struct weft__fattree_run *run,
		     struct weft__chain_rule rule);

#define WEFT__RACK_OPTION \
	{ .name = "rack", .type = WEFT_OPT_ENUM, .preset = "auto", \
	  .choices = "auto|on|off", \
	  .help = "who has several ways to the chain takes the one that " \
		  "others take" }

/* The rules of eft, and those of beft. */
struct weft__chain_rule weft__chains_eft(void);
struct weft__chain_rule weft__chains_beft(const struct weft_options *options);

#endif
