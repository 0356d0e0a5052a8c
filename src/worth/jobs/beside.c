// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Jobs as what runs beside another one; see weft/jobs.h. */
#include "worth/jobs/rounds.h"

#include <weft/diag.h>

#include <stdlib.h>
#include <string.h>

#define ROUNDS 64

void weft_beside_free(struct weft_beside *beside)
{
	free(beside->endport);
	weft_pair_list_free(&beside->pairs);
	*beside = (struct weft_beside){ .endport = NULL };
}

/* How many rounds there are, one if all of them are the first one again. */
static uint32_t count_rounds(const struct weft__jobs_rounds *r)
{
	uint64_t n = r->first[r->njobs] - r->first[0];

	for (uint32_t k = 1; k < r->nrounds; k++) {
		const uint64_t *first = r->first + (uint64_t)k * r->njobs;

		if (first[r->njobs] - first[0] != n ||
		    memcmp(r->pair + first[0], r->pair, n * sizeof(*r->pair)))
			return r->nrounds;
	}
	return 1;
}

int weft_jobs_beside(const struct weft_fabric *fabric,
		     const struct weft_jobs *jobs, const char *pattern,
		     uint32_t rounds, uint32_t seed, struct weft_beside *out,
		     struct weft_diag *diag)
{
	struct weft__jobs_rounds r;
	struct weft_beside beside = { .endport = NULL };
	int err = weft__jobs_rounds_make(&r, fabric, jobs, &pattern, 1,
					 rounds ? rounds : ROUNDS, seed, diag);
	uint32_t n;

	if (err)
		return err;
	n = count_rounds(&r);
	beside.pairs.nranks = r.nranks;
	beside.pairs.nrounds = n;
	beside.pairs.first = malloc((n + 1ull) * sizeof(uint64_t));
	for (uint32_t k = 0; beside.pairs.first && k <= n; k++)
		beside.pairs.first[k] = r.first[(uint64_t)k * r.njobs];
	beside.pairs.pair = r.pair;
	beside.endport = r.endport;
	r.pair = NULL;
	r.endport = NULL;
	weft__jobs_rounds_free(&r);
	if (!beside.pairs.first) {
		weft_beside_free(&beside);
		return weft_no_memory(diag);
	}
	*out = beside;
	return 0;
}
