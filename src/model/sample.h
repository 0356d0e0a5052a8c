/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One sample of a run: ranks are placed, rounds are drawn and their congestion
 * is summed up.
 */
#ifndef WEFT_MODEL_SAMPLE_H
#define WEFT_MODEL_SAMPLE_H
#include "worth/congestion.h"

#include <weft/model.h>

/* What all threads share. */
struct weft__plan {
	const struct weft_traffic *traffic;
	const struct weft_mapping *mapping;
	struct weft__paths paths;
	struct weft__network network;
	enum weft_lid_rule lids;
	const uint8_t *source_offset;	/* [nep] with WEFT_LID_ROUTES; or
					 * NULL */
	uint32_t seed;
	uint32_t *slot_host;	/* [nslots] host of each slot */
	bool draws_subset, draws_order;	/* for each sample */
};

/* Sums over some rounds of a sample. */
struct weft__sum {
	double bandwidth;	/* of all streams */
	double streams;
	/* of rounds, weighted with the largest size in them: */
	double weight;
	double most;		/* largest congestion times size */
	double mean;		/* mean congestion, by size */
	double slowest, fastest;	/* stream */
};

/* All that one thread writes to. */
struct weft__sampler {
	const struct weft__plan *plan;
	struct weft_draw draw;
	struct weft__congestion congestion;
	uint32_t *slot;		/* [nslots] being shuffled */
	uint32_t *host;		/* [nranks], where ranks are placed anew */
	struct weft_pair *pair;	/* [max_pairs] */
	uint8_t *offset;	/* [max_pairs] unless LIDs are base LIDs */
	uint8_t *next;		/* [nranks] offset, WEFT_LID_ROUND_ROBIN */
	uint64_t tally[WEFT_MAX_CONGESTION + 1];	/* of streams */
};

/* Whether there was memory; to be freed in any case. */
bool weft__sampler_init(struct weft__sampler *s, const struct weft__plan *plan,
			bool loads);
void weft__sampler_free(struct weft__sampler *s);

/* Rounds first .. end - 1 of a sample.  They may be split only if nothing is
 * random. */
struct weft__sum weft__sampler_run(struct weft__sampler *s, uint64_t sample,
				   uint64_t first, uint64_t end);

/* a + b; the order of additions matters in the last bits. */
struct weft__sum weft__sum_add(struct weft__sum a, struct weft__sum b);
struct weft__sum weft__sum_zero(void);
/* Fills in value[WEFT_MEASURES] from the sum over a whole sample. */
void weft__sum_measure(const struct weft__sum *sum, double *value);

#endif
