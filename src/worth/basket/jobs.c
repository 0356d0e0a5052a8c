// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The part of a basket that jobs are, all at once; see weft/worth.h. */
#include "worth/basket/basket.h"
#include "worth/jobs/rounds.h"

#include <weft/diag.h>

#include <stdlib.h>
#include <string.h>

static const char *const pattern = "shift";

/* Numbers the endports by their place in the basket; NULL without memory. */
static uint32_t *find_slots(const struct weft_basket *b)
{
	uint32_t *slot = malloc((b->fabric->nep + 1ull) * sizeof(*slot));

	if (!slot)
		return NULL;
	memset(slot, 0xff, b->fabric->nep * sizeof(*slot));
	for (uint32_t i = 0; i < b->mapping.nslots; i++)
		slot[b->mapping.endport[i]] = i;
	return slot;
}

/* Lists the pairs as those of ranks of the basket; what is no host of it is
 * left aside. */
static int list_pairs(const struct weft_basket *b,
		      const struct weft__jobs_rounds *r,
		      struct weft_pair_list *out)
{
	uint64_t npairs = r->first[(uint64_t)r->nrounds * r->njobs], n = 0;
	uint32_t *slot = find_slots(b);

	*out = (struct weft_pair_list){
		.nranks = b->mapping.nslots, .nrounds = r->nrounds,
		.first = calloc(r->nrounds + 1ull, sizeof(*out->first)),
		.pair = malloc((npairs + 1) * sizeof(*out->pair)),
	};
	for (uint32_t k = 0; slot && out->first && out->pair && k < r->nrounds;
	     k++) {
		uint64_t i = r->first[(uint64_t)k * r->njobs];

		for (; i < r->first[(k + 1ull) * r->njobs]; i++) {
			uint32_t from = slot[r->endport[r->pair[i].from]];
			uint32_t to = slot[r->endport[r->pair[i].to]];

			if (from != WEFT_NONE && to != WEFT_NONE)
				out->pair[n++] = (struct weft_pair){ from, to };
		}
		out->first[k + 1] = n;
	}
	free(slot);
	return slot && out->first && out->pair ? 0 : -ENOMEM;
}

int weft__basket_add_jobs(struct weft_basket *b, const struct weft_jobs *jobs,
			  double weight, struct weft_diag *diag)
{
	struct weft__jobs_rounds rounds;
	struct weft_pair_list list;
	int err = weft__jobs_rounds_make(&rounds, b->fabric, jobs, &pattern,
					 1, b->rounds, b->seed, diag);

	if (err)
		return err;
	err = list_pairs(b, &rounds, &list) ? weft_no_memory(diag) :
	      weft__basket_add_pairs(b, WEFT__JOBS, &list, weight, diag);
	weft_pair_list_free(&list);
	weft__jobs_rounds_free(&rounds);
	return err;
}
