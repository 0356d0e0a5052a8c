// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave on damaged hypercubes
 *
 * Where no ring closes cycles, routing one dimension after the other keeps all
 * pairs that still have such a way in one lane, and it is regular, which is
 * good for shifts.  Minimal trees take the lowest dimension that they can;
 * pairs that this leaves without a lane get other ways, in the lanes of
 * damaged.c.
 */
#include "engines/weave/damaged.h"

#include <errno.h>
#include <limits.h>

/* Returns the first dimension in which two neighbours differ. */
static unsigned first_dimension(const struct weft__rings *r, uint32_t a,
				uint32_t b)
{
	const uint32_t *x = r->at + (size_t)a * r->n;
	const uint32_t *y = r->at + (size_t)b * r->n;
	unsigned i = 0;

	while (i < r->n && x[i] == y[i])
		i++;
	return i;
}

/* Returns the position of a cable of s in the lowest dimension that the runs
 * have; parallel cables take turns. */
static uint8_t choose_cable(const struct weft__weave *w,
			    const struct weft__tree_routes *routes, uint32_t s,
			    const struct weft__run *run, unsigned nruns,
			    uint32_t turn)
{
	unsigned lowest = UINT_MAX, n = 0;
	uint8_t list[UINT8_MAX];

	for (; nruns; nruns--, run++) {
		for (unsigned k = 0; k < run->length; k++) {
			uint32_t e = w->f->adj_first[s] + run->start + k;
			unsigned i = first_dimension(&w->facts.product, s,
						     routes->ways.head[e]);

			if (i > lowest)
				continue;
			n = i < lowest ? 0 : n;
			lowest = i;
			list[n++] = run->start + k;
		}
	}
	return list[turn % n];
}

/* Chooses minimal trees by the lowest dimensions. */
static int choose_trees(struct weft__weave *w, struct weft__tree_routes *out)
{
	int err = weft__route_begin(w, out);

	if (err)
		return err;
	for (uint32_t d = 0; d < out->trees.n; d++) {
		const struct weft__tree *t = &out->trees.tree[d];
		const struct weft__plan *plan =
			weft__ways_to(&out->ways, t->root);
		const struct weft__run *run = plan->run;

		for (uint32_t i = 0; i < plan->n; i++) {
			uint32_t s = plan->order[i + 1];

			t->choice[s] =
				choose_cable(w, out, s, run, plan->nruns[i], d);
			run += plan->nruns[i];
		}
		if (d < out->trees.nendports || out->balance.switches)
			weft__balance_load(&out->balance, plan, t->choice,
					   t->weight);
	}
	return 0;
}

static int build(struct weft__weave *w, struct weft_routes *out)
{
	return weft__damaged_build(w, choose_trees, true, out);
}

/* Promises less where there are datelines, as it is of less use there. */
static double promise(const struct weft__weave *w)
{
	return weft__rings_count_long(&w->facts.product) ? 5 : 12;
}

const struct weft__strategy weft__strategy_ecube = {
	.name = "ecube",
	.about = "hypercubes with failures, and few lanes",
	.promise = promise,
	.refuses = weft__damaged_refuses,
	.work = weft__damaged_work,
	.build = build,
	.limits = true,
};
