/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What any tables could be worth: bounds of what the models of weft/model.h and
 * weft/worth.h say of them, in the same units.
 *
 * Each bound is named for what it allows.  Tables have one way for a LID, lanes
 * that no loop may close, and the same ways for all traffic; a bound lets go of
 * most of that, so that it is above what any tables reach, and how much it is
 * above is not known.
 */
#ifndef WEFT_BOUND_H
#define WEFT_BOUND_H

#include <weft/fabric.h>
#include <weft/pattern.h>
#include <weft/worth.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A flow to be found: all demands at the same share of themselves, as large as
 * can be, over edges that carry no more than their capacity.  An edge is all
 * cables from one switch to another; those from switch s are first[s] ..
 * first[s + 1].
 */
struct weft_bound_problem {
	uint32_t nsw, nedges, ngoals;
	const uint32_t *first;	/* [nsw + 1] */
	const uint32_t *head;	/* [nedges] switch at the far end */
	const double *capacity;	/* [nedges] */
	const uint32_t *goal;	/* [ngoals] different switches */
	const double *send;	/* [ngoals][nsw] what each switch sends there at
				 * a share of 1; all of it has a way */
	double most;		/* share that something else allows */
};

struct weft_bound_spec {
	bool all_hosts;		/* aggregation nodes and routers are hosts */
	bool endpoints;		/* count channels at hosts, too, where a host
				 * has several streams */
	unsigned lmc;		/* of several ways: 2^lmc */
	uint32_t rounds;	/* at most, of each pattern; >= 1 */
	uint32_t seed;
	double gap;		/* between both sides of a flow, as .01, */
	uint64_t work;		/* or this many edges looked at for it, about */
	/* Solves such problems, as by linear programs: 0, -ENOTSUP where one is
	 * too large, or -ENOMEM.  NULL: nobody does. */
	int (*solve)(void *context, const struct weft_bound_problem *problem,
		     double *share);
	uint64_t solvable;	/* goals x edges of those it is asked for */
	void *context;
};

/* Shares of full bandwidth, 1 at most. */
struct weft_bound {
	uint32_t hosts;
	uint64_t rounds, all;	/* looked at, and how many there are; 0, 0: no
				 * rounds */
	double cables;		/* cables alone: cuts, and cables on ways */
	double most;		/* flows that split over all ways */
	double least;		/* a flow that was found has this */
	double whole;		/* a stream has one way; of uniform traffic all
				 * that a switch sends to a LID */
	double ways;		/* it is cut into parts, one for each of 2^lmc
				 * ways */
	double mean;		/* what streams get in the mean, where some may
				 * get less for it; NAN: no streams */
	bool exact;		/* most is the share of the best flow */
};

/* Uniform traffic, as weft_saturation.even.  -ENOMEM.  By cables alone, with
 * work 0, O(switches x cables). */
int weft_bound_uniform(const struct weft_fabric *fabric,
		       const struct weft_bound_spec *spec,
		       struct weft_bound *out);

/*
 * The same to go beside figures of tables: most, within 1 % or what a second or
 * two allow.  NAN: it would take longer, as where some thousand switches have
 * hosts, or there is no memory.
 */
double weft_bound_of_uniform(const struct weft_fabric *fabric, bool all_hosts);

/*
 * A pattern of ranks on endports: the slowest stream as WEFT_LOWER of
 * weft_model_run(), and mean as WEFT_STREAMS.  -ENOMEM.
 */
int weft_bound_traffic(const struct weft_fabric *fabric,
		       const struct weft_bound_spec *spec,
		       const struct weft_traffic *traffic,
		       const uint32_t *endport, struct weft_bound *out);

/*
 * A permutation whose streams have far to go, as few permutations as bad are
 * known (Jyothi, Singla, Godfrey, Kolla, "Measuring and Understanding
 * Throughput of Network Topologies", SC 2016).  What tables have in their worst
 * permutation is at most this.  -ENOMEM.
 */
int weft_bound_longest(const struct weft_fabric *fabric,
		       const struct weft_bound_spec *spec,
		       struct weft_bound *out);

/* The parts of a basket, by the rounds that it judges by, and the worth: means
 * alone count there.  part: [weft_basket_parts()].  -ENOMEM. */
int weft_bound_basket(const struct weft_basket *basket,
		      const struct weft_bound_spec *spec, double *part,
		      double *worth);

#ifdef __cplusplus
}
#endif
#endif
