/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Bandwidth that pairs of hosts had on a real machine, round by round, beside
 * what the static model (weft/model.h) says of the same pairs on given routes.
 *
 * A pair of a round has a share of full bandwidth: its rate over the full rate;
 * by the model, the least capacity over streams on its route, hosts' links
 * included, over the slower one of its two hosts' links.  What counts is how
 * many times as much a pair had as the model says, in units of the median of
 * all: flow control and hosts take their part of everybody.
 */
#ifndef WEFT_MEASURED_H
#define WEFT_MEASURED_H

#include <weft/fabric.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;

struct weft_measured_pair {
	uint32_t from, to;	/* endports */
	double rate;		/* > 0, any unit */
};

struct weft_measured {
	uint32_t nrounds;	/* >= 1, none of them empty */
	uint64_t *first;	/* [nrounds + 1]: pairs of round r are
				 * pair[first[r]] .. pair[first[r + 1] - 1] */
	struct weft_measured_pair *pair;
	double best;		/* the highest rate */
};
void weft_measured_free(struct weft_measured *measured); /* zeroed is fine */

/* A pair beside the model. */
struct weft_measured_stream {
	double measured, model;	/* shares; model 0: the pair has no route */
	double off;		/* measured / model over the median of that;
				 * NAN without a route */
	uint32_t channel;	/* between switches, where the model has it
				 * least, the first one of its route; WEFT_NONE:
				 * none is shared */
	uint32_t streams;	/* that share it */
};

struct weft_measured_round {
	double measured, model;	/* mean shares */
	double correlation;	/* of ranks (Spearman); NAN: all are alike */
};

/* A channel between switches. */
struct weft_measured_channel {
	uint32_t channel;
	uint64_t streams;	/* of all rounds that took it */
	double off;		/* their mean */
};

struct weft_measured_result {
	uint64_t pairs, lost;	/* lost: without a route */
	double full;		/* rate that is a share of 1 */
	double scale;		/* the median of measured / model; 0: no pair
				 * has a route */
	struct weft_measured_round all;		/* all pairs as one round */
	struct weft_measured_round *round;	/* [nrounds] */
	struct weft_measured_stream *stream;	/* [pairs] as they come */
	/* Channels that least streams took, the slowest first. */
	uint32_t nchannels;
	struct weft_measured_channel *channel;
};

/* Streams that a channel must have had, to be told. */
#define WEFT_MEASURED_LEAST 3

/*
 * full: the rate of a share of 1; 0: the best one.  0, or -ENOMEM; *out is set
 * on success only, to be freed.  O(pairs x (hops + log pairs)).
 */
int weft_measured_judge(const struct weft_fabric *fabric,
			const struct weft_routes *routes,
			const struct weft_measured *measured, double full,
			struct weft_measured_result *out);
void weft_measured_result_free(struct weft_measured_result *result);

/* How the ranks of x and y go together, -1..1, those of equal values shared;
 * NAN where all of one are equal.  0 or -ENOMEM.  O(n log n). */
int weft_measured_correlation(const double *x, const double *y, uint64_t n,
			      double *out);

#ifdef __cplusplus
}
#endif
#endif
