/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The worth of tables, by a basket of patterns.
 *
 * No single pattern tells what a network gives to those who use it, and tables
 * made for one lose at others.  The worth of tables is therefore the geometric
 * mean of parts, each the mean share that a host gets, for all its streams
 * together, of what the links of hosts allow, as if the network were one big
 * switch:
 *
 *	bisect		random bisections: half of the hosts send to the other
 *	uniform		all-to-all at saturation: the share at which the most
 *			loaded channel is full when every host sends as much to
 *			each other one; at most 1
 *	shift		rank i sends to rank i + d, for all d
 *	doubling	recursive doubling, all its rounds
 *	stencil		six neighbours in a grid of three dimensions at once
 *	fragments	shifts among the ranks of a random half of the hosts, as
 *			a job gets that is given what others left; five halves
 *
 * A stream without a route counts 0, and tables with a part of 0 are worth 0.
 * Streams share channels as in weft/model.h, those at hosts, too, in rounds in
 * which a host sends or receives several.  Ranks stand on hosts in the order
 * of the nodes' names, numbers by value, where these tell all nodes apart, else
 * by switch and port.
 *
 * A basket is made once for a fabric and judges many tables by the same rounds
 * (common random numbers), so that tables are compared far better than they are
 * measured.
 */
#ifndef WEFT_WORTH_H
#define WEFT_WORTH_H

#include <weft/diag.h>
#include <weft/jobs.h>
#include <weft/options.h>
#include <weft/pattern.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * That is the basket "hpc", which "basket" is another name for.  Another one,
 * "ai", is made of what training jobs send:
 *
 *	all-reduce	a ring on each rail
 *	double-tree	all-reduce on two trees on each rail
 *	sharded		reduce-scatter by recursive halving on each rail
 *	experts		all-to-all in groups of 64, by the nearest adapter
 *	stages		eight stages of a model, each with the next one and back
 *	incast		all send to storage hosts, or to one rank in 16
 *
 * with equal weights.  What stays in machines does not count.
 */
#define WEFT_USUAL_OBJECTIVE "hpc"	/* where nothing else is asked for */
#define WEFT_WORTH_PARTS 16	/* at most */

/* One part of an objective. */
struct weft_objective_part {
	char *pattern;		/* as of weft_traffic_seated(), by rank, or
				 * "uniform" (the part of the basket, not the
				 * pattern), or "fragments" */
	double weight;		/* parts weigh in proportion */
};

/*
 * An objective: the traffic that a site wants its tables to be good at.  Its
 * maker owns it and releases it by weft_objective_free().
 */
struct weft_objective {
	struct weft_objective_part part[WEFT_WORTH_PARTS];
	unsigned nparts;
	/* Pairs of ranks, in rounds, beside the parts; nrounds == 0: none.
	 * They weigh alike: sizes do not count.  Those of ranks that no host
	 * is left for are left aside. */
	struct weft_pair_list pairs;
	double pairs_weight;
	/* Where hosts have several LIDs: that not all ways to a host share a
	 * cable or a switch counts first, before what the parts say. */
	bool redundancy;
};
/* Zeroed is fine. */
void weft_objective_free(struct weft_objective *objective);

/*
 * Adds a pattern: a description of it, one of the names of parts above, or
 * "hpc" or "ai", whose parts share the weight; or sets redundancy, by that
 * name.
 * What is there already weighs as much more.  -EINVAL: no such pattern, too
 * many of them, or one that would weigh less than 1e-9 or more than 1e9;
 * -ENOMEM.  It may be added in part then.
 */
int weft_objective_add(struct weft_objective *objective, const char *pattern,
		       double weight, struct weft_diag *diag);

/* One pattern, or a basket; "redundancy" is with the basket "hpc".  *out is set
 * on success only; errors likewise. */
int weft_objective_parse(const char *text, struct weft_objective *out,
			 struct weft_diag *diag);

/* Whether that is what a name stands for, which "basket" does as well. */
bool weft_objective_is_usual(const char *name);

/*
 * Gets the objective of an option of the type WEFT_OPT_OBJECTIVE; NULL in
 * *objective is the basket, also for an option that is unset.  The options own
 * it.  -EINVAL after an error: weft_io_read_objectives() has not read it.
 */
int weft_options_objective(const struct weft_options *options,
			   const char *name,
			   const struct weft_objective **objective,
			   struct weft_diag *diag);

struct weft_basket_spec {
	const struct weft_objective *objective;	/* NULL = the basket */
	uint32_t rounds;	/* of each part at most; 0 = 256.  Patterns with
				 * more rounds are sampled, one round of each
				 * stretch of as many */
	uint32_t seed;
	bool all_hosts;		/* aggregation nodes and routers are hosts */
	bool spread;		/* a stream uses all LIDs of its destination at
				 * once, as by WEFT_LID_ALL */
	/* Jobs that all do shifts among their own ranks at once: a part called
	 * "jobs", which weighs as much as all others together; NULL: none. */
	const struct weft_jobs *jobs;
};

struct weft_basket;

/*
 * Makes the rounds.  The fabric must outlive the basket.  -EINVAL: fewer than
 * two hosts, a pattern that cannot be made for them, no pair that is left,
 * or nothing to judge by; -ENOMEM.  *out is set on success only.
 * O(parts x rounds + hosts log hosts).
 */
int weft_basket_new(const struct weft_fabric *fabric,
		    const struct weft_basket_spec *spec,
		    struct weft_basket **out, struct weft_diag *diag);
void weft_basket_free(struct weft_basket *basket);	/* NULL is fine */

uint32_t weft_basket_hosts(const struct weft_basket *basket);
unsigned weft_basket_parts(const struct weft_basket *basket);
const char *weft_basket_part_name(const struct weft_basket *basket,
				  unsigned part);
/* All of them add up to 1. */
double weft_basket_part_weight(const struct weft_basket *basket, unsigned part);
/* Rounds that a part is judged by, and those that its pattern has; the same
 * where nothing is sampled.  0, 0: what is not made of rounds. */
void weft_basket_part_rounds(const struct weft_basket *basket, unsigned part,
			     uint64_t *judged, uint64_t *all);
/* Whether ranks stand in the order of names; else by switch and port. */
bool weft_basket_by_name(const struct weft_basket *basket);
/* Table entries that one judgement reads: what it costs.  O(1). */
uint64_t weft_basket_work(const struct weft_basket *basket);

struct weft_worth {
	double part[WEFT_WORTH_PARTS];	/* 0..1 */
	double error[WEFT_WORTH_PARTS];	/* standard error, of sampling; 0 =
					 * exact */
	double mean;		/* weighted geometric mean of the parts */
	double mean_error;	/* standard error of that */
	uint64_t lost;		/* streams without a route */
	double *round;		/* what each round gave, for comparing */
};
void weft_worth_free(struct weft_worth *worth);	/* zeroed is fine */

/*
 * Judges tables.  Of several LIDs of a destination a source takes the one that
 * the routes tell it.  *out is set on success only.  -ENOMEM.
 * O(hosts x switches) for copying tables and for uniform, then O(hosts x hops)
 * for each round; hosts x switches bytes.
 */
int weft_basket_judge(const struct weft_basket *basket,
		      const struct weft_routes *routes, struct weft_worth *out);
/* What uniform traffic has of a worth; NAN where the basket is without. */
double weft_basket_uniform(const struct weft_basket *basket,
			   const struct weft_worth *worth);

/*
 * By what share b is worth more than a (ln b / a), and the standard error of
 * that, which is less than that of either as both had the same rounds.
 */
double weft_worth_gain(const struct weft_basket *basket,
		       const struct weft_worth *a, const struct weft_worth *b,
		       double *error);

struct weft_saturation_spec {
	bool all_hosts;		/* aggregation nodes and routers are hosts */
	bool spread;		/* a stream uses all LIDs of its destination at
				 * once, as by WEFT_LID_ALL */
};

/* All-to-all traffic: every host sends equally to all others. */
struct weft_saturation {
	uint32_t hosts;
	double even;		/* share of full bandwidth at which the first
				 * channel is full */
	/* All sending at full bandwidth: what is sent to a host counts as much
	 * as the most crowded channel of its route lets through. */
	double mean;		/* share that a host gets through */
	double least;		/* of any host */
	uint32_t least_endport;	/* that one */
	uint64_t lost;		/* pairs without a route, which count 0 */
};

/* One host of these. */
struct weft_saturation_host {
	double got;		/* share that it gets through; < 0: endport that
				 * does not count as a host */
	uint32_t channel;	/* between switches, that takes most from the
				 * hosts of its switch; WEFT_NONE: none does */
};

/*
 * Bounds of what uniform traffic gets: saturation throughput, which a simulator
 * comes near but does not exceed.  0 or -ENOMEM.
 * O(LIDs of hosts x (hosts + switches x hops)).
 */
int weft_saturation_run(const struct weft_fabric *fabric,
			const struct weft_routes *routes,
			const struct weft_saturation_spec *spec,
			struct weft_saturation *out, struct weft_diag *diag);
/* The same, and host[nep] for each endport.  Twice the time. */
int weft_saturation_hosts(const struct weft_fabric *fabric,
			  const struct weft_routes *routes,
			  const struct weft_saturation_spec *spec,
			  struct weft_saturation *out,
			  struct weft_saturation_host *host,
			  struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
