/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What streams may expect of each other where routes go along given trees, and
 * what would be best for one tree among the others: the model of improve.c.
 */
#ifndef WEFT_TREES_EXPECT_H
#define WEFT_TREES_EXPECT_H

#include "trees/crowds.h"
#include "trees/legal.h"
#include "trees/trees.h"
#include "trees/ways.h"

#define WEFT__RATES 8		/* rates of hosts told apart */
#define WEFT__NOISE 4096	/* random numbers, used over and over */

/* A cable of a switch, in the order of the fabric's adjacency. */
struct weft__edge {
	uint32_t head;		/* switch it leads to */
	uint32_t load;		/* pairs (source, LID) routed over it */
	uint32_t rows;		/* first row of its speed, for the rate of the
				 * destination at hand */
	uint32_t price;		/* what one more stream costs all others, per
				 * quarter of a pair of theirs */
	uint16_t uses;		/* trees that take it */
	uint16_t entry;		/* its other direction, as position there */
};

/* What those who may send to a switch must know of its way to the destination
 * at hand. */
struct weft__rest {
	int16_t gain[WEFT__LEVELS];	/* times the chances on the way */
	int64_t price;		/* what a stream costs others on the way */
	uint32_t *turn;		/* from each edge that enters by to the edge
				 * that is taken; zeroes at the destination */
};

/* What else is known of a switch. */
struct weft__sender {
	uint32_t through;	/* sources that send by it */
	uint32_t own;		/* of these, those of the switch itself: a
				 * share, << 16, less one */
	uint32_t crowd;		/* fresh streams on its edge */
	uint32_t worth[WEFT__LEVELS];	/* gains summed over through */
};

/* A cable that a switch may take to the root at hand. */
struct weft__cable {
	uint32_t edge;
	uint32_t head;		/* switch it leads to */
	uint32_t sw;		/* switch it is of */
	uint16_t noise;		/* which number */
	uint8_t position;	/* in its adjacency */
	bool fresh;		/* the first one of the switch */
};

/* Switches with as many hops, the ways of which lead to the level before. */
struct weft__level {
	uint32_t sw;		/* the first one, in the plan's order */
	uint32_t cable;		/* its first one */
};

/* What one more stream on an edge would do to those of the trees visited. */
struct weft__harm {
	uint64_t fall;		/* of bandwidth, summed over pairs */
	uint64_t pairs;
};

struct weft__expect {
	const struct weft_fabric *fabric;
	struct weft__crowds *tables;
	struct weft__edge *edge;
	uint64_t *first_turn;	/* [nsw] of the edges that leave a switch, for
				 * each the pairs that come by each edge */
	uint32_t *turn;		/* [nturns] */
	uint64_t nturns;
	uint32_t *no_turn;	/* [radix] zeroes */
	struct weft__harm *harm;	/* [edges] since the last prices */
	struct weft__rest *way;	/* [nsw] */
	struct weft__sender *sender;	/* [nsw] */
	uint32_t *sources;	/* [nsw] endports that count */
	uint32_t *busy;		/* [nbusy] switches that the sources send by to
				 * the root at hand, farthest first */
	uint32_t nbusy;
	bool hosts_only;
	uint32_t rate[WEFT__RATES];	/* [nrates] that hosts send at */
	double mean[WEFT__RATES];	/* of streams to a host of that rate */
	uint32_t nrates;
	uint32_t at;		/* the destination's, WEFT_NONE = none yet */
	uint32_t *fastest;	/* [nsw] of its own hosts; 0 = it has none */
	uint32_t *rows;		/* [nrates][edges] */
	uint64_t crowds;	/* rows for each quarter of a pair, << 32 */
	double chance;		/* that a pair sends */
	double most_streams, most_congestion;	/* that the tables are for */
	double streams;		/* expected for each quarter of a pair, in
				 * bundles */
	uint64_t worth;		/* of the trees visited, in gains */
	struct weft__legal *legal;	/* NULL = any lanes will do */

	/* The plan at hand, cable by cable. */
	uint32_t unfolded;	/* its root; trees of one root share it */
	struct weft__cable *cable;
	struct weft__level *level;	/* [nlevels + 1] */
	uint32_t nlevels;
	uint32_t *hops;		/* [nsw] */
	int64_t *best;		/* [nsw] worth of the best cable */
};

/* false without memory. */
bool weft__expect_init(struct weft__expect *x, const struct weft_fabric *fabric,
		       struct weft_arena *arena, bool hosts_only);

/* Whether a tree is of an endport that counts. */
bool weft__expect_counts(const struct weft__expect *x,
			 const struct weft__tree *tree);

/* Whether a tree is of a sample of one in so many, spread by the golden ratio:
 * there is one among any few in a row, as the trees to a switch are. */
static inline bool weft__expect_sampled(uint32_t d, unsigned one_in)
{
	return d * UINT32_C(2654435769) <= UINT32_MAX / one_in;
}

/* No loads.  O(cables x ports of a switch). */
void weft__expect_reset(struct weft__expect *x);

/* A tree's own pairs join the loads.  O(switches). */
void weft__expect_load(struct weft__expect *x, const struct weft__plan *plan,
		       const uint8_t *choice);

/* Makes the tables, when the loads of all trees have been counted: of so many
 * LIDs. */
void weft__expect_ready(struct weft__expect *x, uint32_t nlids);

/* Makes them anew if loads have outgrown them: crowds beyond the last row would
 * count as that one. */
void weft__expect_renew(struct weft__expect *x);

/* Trees that are weighed or chosen from now on are to the endport of this one.
 * O(cables) if its rate is another one than that before. */
void weft__expect_toward(struct weft__expect *x, const struct weft__tree *tree);

/* Weighs a tree among the others, which adds to x->worth and x->harm.
 * O(switches). */
void weft__expect_weigh(struct weft__expect *x, const struct weft__plan *plan,
			const uint8_t *choice);

/*
 * Chooses a tree anew, and weighs it: with noise (WEFT__NOISE numbers, added to
 * the worth of each choice, in units of 1 >> WEFT__WHOLE_BITS; may be all zero),
 * and by ways that leave a lane to each pair, where there are any, if x->legal
 * is set.  Returns how many choices changed.  O(cables of the plan).
 */
uint32_t weft__expect_choose(struct weft__expect *x,
			     const struct weft__plan *plan, uint8_t *choice,
			     const int32_t *noise);

/* Sets the edges' prices by the trees that were visited, all of them or a
 * sample; or leaves them as they are. */
void weft__expect_prices(struct weft__expect *x);
void weft__expect_forget(struct weft__expect *x);

#endif
