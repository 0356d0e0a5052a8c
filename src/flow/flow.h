/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What any routing could carry: the maximum concurrent flow, from below and
 * from above, and what a channel is worth to it.
 *
 * Traffic may split over as many ways as it likes here, lanes are no matter,
 * and no cable carries more than its capacity.  The share at which all demands
 * are met together is at most `most', and a flow that meets them at `least' is
 * known.  No tables do better than `most'; see flow.c for how both are found.
 *
 * All demands are between switches: what their hosts send each other.  Links of
 * hosts have no choice of ways, so that they bound the share as a whole.
 */
#ifndef WEFT_FLOW_FLOW_H
#define WEFT_FLOW_FLOW_H

#include <weft/fabric.h>

struct weft_arena;

/*
 * Who sends how much to whom, in Mbit/s at a share of 1.  What is sent to
 * goal[g] by switch source[i] is scale[g] * amount[i], for each i of the row
 * row[g]: first[row] .. first[row + 1].  Goals have rows in common where they
 * can, as all have in uniform traffic.  What a switch sends to itself does not
 * count.
 */
struct weft__flow_demand {
	uint32_t ngoals, nrows;
	const uint32_t *goal;	/* [ngoals] switches, which may occur twice */
	const double *scale;	/* [ngoals] > 0 */
	const uint32_t *row;	/* [ngoals] */
	const uint32_t *first;	/* [nrows + 1] */
	const uint32_t *source;	/* [first[nrows]] switches */
	const double *amount;	/* [first[nrows]] > 0 */
	double hosts_allow;	/* the share that the links of hosts allow */
};

/*
 * Uniform traffic, as weft__uniform() has it: each host sends to all others
 * alike, at most what the slower one of the two links carries.  hosts_allow is
 * 1.  Memory of the arena; -ENOMEM.  O(switches x different rates of hosts).
 */
int weft__flow_uniform(const struct weft_fabric *f, bool all_hosts,
		       struct weft_arena *arena,
		       struct weft__flow_demand *demand);

/* What the slower one of two hosts' links carries, Mbit/s; 1 if that is not
 * known. */
uint32_t weft__flow_rate(const struct weft_fabric *f, uint32_t from,
			 uint32_t to);

/* One host sends to another one. */
struct weft__flow_pair {
	uint32_t from, to;	/* endports */
	double weight;		/* how often, or its part of a link; > 0 */
};

/*
 * Pairs, each of which sends weight times what the slower one of the two links
 * carries.  Memory of the arena; -ENOMEM.  O(n log n + endports).
 */
int weft__flow_pairs(const struct weft_fabric *f,
		     const struct weft__flow_pair *pair, uint32_t n,
		     struct weft_arena *arena,
		     struct weft__flow_demand *demand);

/* When to stop. */
struct weft__flow_budget {
	double gap;		/* most <= (1 + gap) * least is enough */
	uint64_t work;		/* edges looked at, about, but once over all
				 * goals in any case; an edge is all the cables
				 * from one switch to another */
	size_t memory;		/* bytes for the flows of goals; with less,
				 * goals share theirs: that takes more rounds */
	double known;		/* a bound that is known, as of
				 * weft__flow_cut(); 0: none.  Prices may be
				 * less good with it */
};
#define WEFT__FLOW_MEMORY ((size_t)256 << 20)

struct weft__flow {
	double least, most;	/* shares, at most hosts_allow */
	/*
	 * [first_injection] prices of the channels for each Mbit/s, 0 where no
	 * other switch is behind.  The sum of capacity x price is 1, and of any
	 * prices of that kind 1 / (sum of demand x cheapest way) is a bound;
	 * with these it is `most', unless less was known.  What is crowded in
	 * every good routing is dear, and a route is good if it is not much
	 * dearer than the cheapest one: these are weights to route by.
	 */
	double *price;
	/* [first_injection] part of a channel's capacity in use at `least' */
	double *load;
	double lost;		/* part of the demand that has no way; the rest
				 * is what the shares are about */
	uint32_t rounds;	/* over all goals, */
	uint64_t work;		/* and the edges they looked at */
};

/*
 * Finds them.  One thread, no random numbers.  Arrays of *out are of the arena,
 * and all 0 if there is no demand, or none has a way: then both shares are
 * hosts_allow.  -ENOMEM.  A round is O(goals x (edges + switches x log
 * switches)); a gap of 1 % takes from 1 round to about 100, 2 % half of that.
 */
int weft__flow_solve(const struct weft_fabric *f,
		     const struct weft__flow_demand *demand,
		     const struct weft__flow_budget *budget,
		     struct weft_arena *arena, struct weft__flow *out);

/*
 * Bounds the share by cables alone, without any flow: those on ways with the
 * fewest, and those between sets of switches; see cut.c.  Never below what a
 * flow has.  -ENOMEM.  O((goals + switches) x edges + entries of rows).
 */
int weft__flow_cut(const struct weft_fabric *f,
		   const struct weft__flow_demand *demand, double *share);

/*
 * Bounds the share that pairs get in the mean, each weighing its weight and
 * getting that at most, where others may get less for it: by prices as
 * weft__flow_solve() finds them, though any are right.  What has no way gets
 * nothing.  -ENOMEM.
 * O(switches sent to x (edges + switches x log switches) + n).
 */
int weft__flow_mean(const struct weft_fabric *f,
		    const struct weft__flow_pair *pair, uint32_t n,
		    const double *price, double *share);

#endif
