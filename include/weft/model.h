/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The static congestion model: streams over fixed routes.
 *
 * All streams of a round send at once.  The congestion of a channel is the
 * number of streams over it; directions of a cable are separate channels.  A
 * stream gets the capacity of a channel divided by its congestion, the least of
 * all on its route (Hoefler, Schneider, Lumsdaine, CLUSTER 2008 and HOTI 2009),
 * and never more than the slower one of its two hosts' links carries, which is
 * its full bandwidth.  The congestion of a stream is its full bandwidth divided
 * by what it gets, 1 or more: where all links are equally fast, the largest
 * number of streams on a channel of its route.
 *
 * Channels between hosts and switches are counted only when asked for.  A
 * stream that stays within a switch has full bandwidth; one without a route
 * gets nothing, its congestion is infinite, and it loads no channel.
 */
#ifndef WEFT_MODEL_H
#define WEFT_MODEL_H

#include <weft/diag.h>
#include <weft/mapping.h>
#include <weft/pattern.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- which LID ----------------------------------------------------------- */

/* A destination with LMC n answers to 2^n LIDs, base + offset; offsets count
 * modulo 2^n. */
enum weft_lid_rule {
	WEFT_LID_ROUTES,	/* what the routes tell each source
				 * (weft_routes.lid_offset) */
	WEFT_LID_FIRST,		/* offset 0 */
	WEFT_LID_RANDOM,	/* drawn for each message */
	WEFT_LID_ROUND_ROBIN,	/* all in turn, from message to message of a
				 * source; the first is drawn for each source
				 * and sample */
	WEFT_LID_ALL,		/* all at once: a stream is cut into equal
				 * parts, one for each LID of its destination,
				 * and has the sum of what they get */
};

/* --- sampling ------------------------------------------------------------ */

/* Measures that each sample yields, as shares of full bandwidth, 0..1. */
enum weft_measure {
	/* Mean of the streams' bandwidth. */
	WEFT_STREAMS,
	/* 1 / mean over rounds of the largest congestion: everybody waits for
	 * the slowest (CLUSTER 2008, section 5.1, strategy 1).  For patterns of
	 * one round its mean over bisections, permutations and dissemination
	 * pairs is ABB, AFPB, ADB of Nienaber, Mahapatra and Yuan. */
	WEFT_LOWER,
	/* 1 / mean over rounds of the mean congestion: nobody waits
	 * (strategy 2). */
	WEFT_UPPER,
	/* With sizes of pairs, a round counts with its largest size.
	 * LOWER: time that the rounds take without congestion over that with
	 * it; UPPER: the mean congestion of a round is that of a byte.  Then,
	 * and only then, LOWER may be above UPPER. */
	WEFT_MEASURES
};
const char *weft_measure_name(enum weft_measure measure);

struct weft_statistic {
	double mean, stddev;
	double ci99;		/* half width of the 99 % interval of the mean
				 * (Student's t); 1 = unknown, one sample of
				 * many; 0 if there is only one */
	double min, max;	/* of the samples */
	uint64_t *histogram;	/* [bins]: bin i holds i/bins <= x <
				 * (i+1)/bins, the last one 1.0, too */
};

/*
 * Several processes that share the samples of one run, each with the same
 * inputs; all of them get the same result.  Both functions are collective and
 * return 0 or -errno.
 */
struct weft_crew {
	unsigned rank, size;	/* size 0 or 1: alone */
	/* Puts together what each has: block r, of n doubles, comes from
	 * process r; mine is at all[rank * n]. */
	int (*gather)(void *context, double *all, uint64_t n);
	/* value[i] becomes the sum of all processes' value[i], or the largest
	 * of them. */
	int (*reduce)(void *context, uint64_t *value, uint64_t n,
		      bool largest);
	void *context;
};

/*
 * Traffic of others, which counts on channels and in no measure.  Round k of
 * all that are run, sample after sample, has its round k modulo nrounds beside
 * it.  A pattern that is not drawn and has fewer rounds begins again until all
 * of these were beside it.
 */
struct weft_beside {
	uint32_t *endport;	/* [pairs.nranks] of each rank */
	struct weft_pair_list pairs;	/* >= 1 round; sizes do not count */
};
void weft_beside_free(struct weft_beside *beside);	/* zeroed is fine */
/* Rounds of a sample; beside may be NULL. */
uint64_t weft_model_rounds(const struct weft_traffic *traffic,
			   const struct weft_beside *beside);

struct weft_model_spec {
	const struct weft_traffic *traffic;
	const struct weft_mapping *mapping;	/* as many ranks */
	const struct weft_beside *beside;	/* NULL = nobody else */
	enum weft_lid_rule lids;
	bool endpoints;		/* count channels to and from hosts, too */
	bool links;		/* fill in weft_model.link */
	unsigned bins;		/* of histograms, 0 = 100 */

	uint64_t samples;	/* >= 1; patterns and mappings without anything
				 * random have only one sample */
	/* The stopping rule of Nienaber, Mahapatra and Yuan: samples are
	 * doubled until the 99 % interval of a measure (from end to end) is
	 * below this share of its mean; 0 = no rule. */
	double precision;
	enum weft_measure precise;
	uint64_t max_samples;	/* where doubling ends; 0 = 2^24 */
	uint32_t seed;		/* sample i depends on (seed, i) alone */
	unsigned threads;	/* 0 = OpenMP's choice; no influence on the
				 * result */
	struct weft_crew crew;	/* nor has this */
	/* Called now and then from one thread; may be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *progress_context;
};

#define WEFT_MAX_CONGESTION 255	/* histogram bins; the last one is "more" */

/* Load of a channel over all rounds, in parts of streams: weft_model.unit of
 * them are one. */
struct weft_link_load {
	uint64_t streams;	/* of all rounds of all samples */
	uint64_t peak;		/* the most in one round */
};

struct weft_model {
	struct weft_statistic measure[WEFT_MEASURES];
	unsigned bins;
	uint64_t samples;
	bool exact;		/* nothing is random: one sample is all */
	bool precise;		/* the stopping rule was met (or none given) */
	uint32_t seed;
	uint32_t hosts;		/* places for ranks */
	uint32_t ranks;
	uint64_t rounds;	/* of one sample */
	uint64_t streams;	/* all streams of all samples */
	uint64_t lost;		/* streams without a route */
	uint64_t partial;	/* streams without one for some of their parts
				 * (WEFT_LID_ALL) */
	unsigned unit;		/* parts of a stream that links count in; 1
				 * unless streams are cut */
	double slowest, fastest;	/* share of full bandwidth of a stream,
					 * of all samples; 0, 0 without any */
	double beside;		/* mean of the streams beside, 0..1; 1 without
				 * any */
	/* Streams by congestion, rounded up; congestion[0] = lost. */
	uint64_t congestion[WEFT_MAX_CONGESTION + 1];
	struct weft_link_load *link;	/* [nch], NULL unless asked for */
	/* Hosts of the mapping that at least one other host of it has no route
	 * to, by the LIDs in use. */
	uint32_t unreached;
};

/*
 * Runs a pattern over many samples.  A warning tells of hosts that others
 * cannot reach.  -EINVAL: no samples, mapping and traffic differ in ranks, the
 * pattern sends nothing; -ENOMEM.  *out is set on success only; to be freed.
 * Time O(slots x LIDs used x switches) once, then O(streams x hops + ranks) per
 * round; memory O(slots x LIDs used x switches) bytes, and O(streams x hops +
 * channels) per thread.
 */
int weft_model_run(const struct weft_fabric *fabric,
		   const struct weft_routes *routes,
		   const struct weft_model_spec *spec, struct weft_model *out,
		   struct weft_diag *diag);
void weft_model_free(struct weft_model *model);	/* zeroed is fine */

/* The n channels with the most congestion, hottest first: streams over a
 * channel / its capacity, ties by channel.  Returns how many were put into
 * channel[n]; channels without streams are left out. */
uint32_t weft_model_hottest(const struct weft_fabric *fabric,
			    const struct weft_model *model, uint32_t n,
			    uint32_t *channel);

/* --- applications -------------------------------------------------------- */

/* A part of a program's running time, and what its pattern gets. */
struct weft_communication {
	double share;		/* of the running time, 0..1 */
	double bandwidth;	/* of its pattern as share of full bandwidth */
};

/*
 * Running time over full bandwidth as a share of the present one (CLUSTER 2008,
 * section 5.2): what a part takes shrinks in proportion to its bandwidth.
 */
double weft_model_application_time(const struct weft_communication *part,
				   unsigned n);

/* --- effective bisection bandwidth --------------------------------------- */

struct weft_ebb_spec {
	uint64_t patterns;	/* random bisections, >= 1 */
	uint32_t seed;		/* pattern i depends on (seed, i) alone */
	bool all_hosts;		/* aggregation nodes and routers are hosts */
	unsigned threads;	/* 0 = OpenMP's choice; no influence on the
				 * result */
	/* Called now and then from one thread; may be NULL. */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *progress_context;
};

#define WEFT_EBB_BINS 100

struct weft_ebb {
	double mean;		/* share of full bandwidth, 0..1 */
	double stddev;		/* of the patterns' means */
	double ci99;		/* half width of the 99 % interval of the mean
				 * (Student's t); 1 = unknown, one pattern */
	double min, max;	/* worst and best pattern */
	uint64_t patterns;
	uint32_t seed;
	uint32_t hosts;		/* that took part; one sits out if odd */
	uint64_t streams;	/* all streams of all patterns */
	uint64_t lost;		/* streams without a route: bandwidth 0 */
	/* Streams by the largest congestion on their route;
	 * congestion[0] = lost. */
	uint64_t congestion[WEFT_MAX_CONGESTION + 1];
	/* Patterns by their mean: bin i holds i/100 <= mean < (i+1)/100, the
	 * last one 1.0, too. */
	uint64_t bandwidth[WEFT_EBB_BINS];
};

/*
 * Effective bisection bandwidth: hosts are split at random into two halves and
 * paired; each host of the first half sends to its partner.  The paper's
 * Lambda(G, R) as a share of full bandwidth.  A stream within one switch has
 * full bandwidth.  A stream without a route loads no channel.  Of several LIDs
 * of a destination a source takes the one that the routes tell it.
 * -EINVAL with fewer than two hosts or no pattern; -ENOMEM.
 * Time O(hosts x switches) once, then O(hosts x hops + channels) per pattern.
 */
int weft_ebb_run(const struct weft_fabric *fabric,
		 const struct weft_routes *routes,
		 const struct weft_ebb_spec *spec, struct weft_ebb *out,
		 struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
