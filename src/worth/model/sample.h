/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One sample of a run: ranks are placed, rounds are drawn and their congestion
 * is added up.
 */
#ifndef WEFT_MODEL_SAMPLE_H
#define WEFT_MODEL_SAMPLE_H

#include "worth/model/congestion.h"

#include <weft/model.h>

/* The data that all threads share. */
struct weft__sample_plan {
	const struct weft_traffic *traffic;
	const struct weft_mapping *mapping;
	struct weft__paths paths;
	struct weft__network network;
	enum weft_lid_rule lids;
	const uint8_t *source_offset;	/* [nep] with WEFT_LID_ROUTES, or
					 * NULL */
	uint32_t seed;
	uint64_t rounds;	/* of a sample */
	const struct weft_beside *beside;	/* or NULL */
	uint32_t nbeside;	/* ranks of it; they are numbered from nslots
				 * on */
	uint64_t max_beside;	/* streams of one round of it */
	uint32_t *slot_host;	/* [nslots + nbeside] host of each in paths */
	bool draws_subset, draws_order;	/* for each sample */
};

/* Lists n endports, and then those of the ranks beside, which may be NULL.
 * Returns NULL without memory. */
uint32_t *weft__sample_endports(const uint32_t *endport, uint32_t n,
				const struct weft_beside *beside);

/* Finds the routes of all hosts, those beside, too: paths, slot_host and what
 * the plan has of them.  0 or -ENOMEM. */
int weft__sample_plan_hosts(struct weft__sample_plan *plan,
			    const struct weft_fabric *fabric,
			    const struct weft_lft *lft, enum weft__rows rows);

/* Sums over rounds of a sample. */
struct weft__sum {
	double bandwidth;	/* of all streams */
	double streams;
	/* sums over rounds, weighted with the largest size in a round */
	double weight;
	double most;		/* largest congestion times size */
	double mean;		/* mean congestion, by size */
	double slowest, fastest;	/* of any stream */
	double beside, nbeside;	/* bandwidth of the streams beside, and how
				 * many they are */
};

/* The data that one thread writes. */
struct weft__sampler {
	const struct weft__sample_plan *plan;
	struct weft_draw draw;
	struct weft__congestion congestion;
	uint32_t *slot;		/* [nslots] scratch to shuffle */
	uint32_t *host;		/* [nslots + nbeside] hosts of ranks, where
				 * these are drawn */
	struct weft_pair *pair;	/* [max_pairs + max_beside] */
	uint8_t *offset;	/* [the same] offsets of LIDs */
	uint8_t *next;		/* [nslots + nbeside] next offset,
				 * WEFT_LID_ROUND_ROBIN */
	uint64_t tally[WEFT_MAX_CONGESTION + 1];	/* streams by
							 * congestion */
};

/* Returns false without memory.  Must be freed in any case. */
bool weft__sampler_init(struct weft__sampler *s,
			const struct weft__sample_plan *plan, bool loads);
void weft__sampler_free(struct weft__sampler *s);

/* Runs rounds first .. end - 1 of a sample, which may be split only if nothing
 * is random. */
struct weft__sum weft__sampler_run(struct weft__sampler *s, uint64_t sample,
				   uint64_t first, uint64_t end);

/* Returns a + b. The order of additions matters in the last bits. */
struct weft__sum weft__sum_add(struct weft__sum a, struct weft__sum b);
struct weft__sum weft__sum_zero(void);
/* Fills in value[WEFT_MEASURES] from the sum over a whole sample. */
void weft__sum_measure(const struct weft__sum *sum, double *value);

#endif
