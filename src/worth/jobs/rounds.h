/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rounds in which all jobs communicate, each within itself. */
#ifndef WEFT_WORTH_JOBS_ROUNDS_H
#define WEFT_WORTH_JOBS_ROUNDS_H

#include <weft/jobs.h>
#include <weft/pattern.h>

/* Ranks are numbered through all jobs. */
struct weft__jobs_rounds {
	uint32_t njobs, nrounds, nranks;
	uint32_t *rank;		/* [njobs + 1] the first of each job */
	uint32_t *endport;	/* [nranks] */
	uint64_t *first;	/* [nrounds x njobs + 1] pairs of job j in round
				 * r begin at first[r x njobs + j] */
	struct weft_pair *pair;
	uint64_t max_pairs;	/* of all jobs in one round */
};

/*
 * Draws rounds of the pattern of each job, one of npatterns, or the only one:
 * each of its rounds, or random stretches of them where there are more, in an
 * order that depends on (seed, job) alone.  Jobs of one rank send nothing.
 * Returns 0, or -errno after an error.
 */
int weft__jobs_rounds_make(struct weft__jobs_rounds *rounds,
			   const struct weft_fabric *f,
			   const struct weft_jobs *jobs,
			   const char *const *pattern, uint32_t npatterns,
			   uint32_t nrounds, uint32_t seed,
			   struct weft_diag *diag);
void weft__jobs_rounds_free(struct weft__jobs_rounds *rounds);

#endif
