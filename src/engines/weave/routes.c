// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trees, as several strategies choose them; see weave.h. */
#include "engines/weave/weave.h"

#include "core/arena.h"

#include <errno.h>

#define RELIEF_ROUNDS 64	/* of peaks */
#define RELIEF_WORK 30.0	/* edges it looks at for a switch and LID */
#define FILL_WORK 2	/* edges that an entry of the tables counts for */
#define FEW_RELIEF_ROUNDS 8	/* the same where more would undo even shares */

uint64_t weft__planning_work(const struct weft__weave *w)
{
	return (uint64_t)w->facts.homes *
	       (w->facts.edges * 3 + WEFT__SWITCH_WORK * w->f->nsw);
}

uint64_t weft__weave_left(const struct weft__weave *w, double reserve)
{
	double left = (double)w->limit - w->looked - reserve;

	return left > 0 ? left : 0;
}

/* Returns the share of endports that can have trees of their own, if something
 * follows the balance that takes time for each tree. */
static double own_share(const struct weft__weave *w,
			const struct weft__tree_routes *routes)
{
	double left = weft__weave_left(w, 0);
	double need = routes->reserve + w->facts.lids *
		(w->facts.minimal + 2.0 * WEFT__SWITCH_WORK * w->f->nsw);

	return routes->reserve > 0 && !routes->apart && left < need ?
		       left / need : 1;
}

int weft__route_begin(struct weft__weave *w, struct weft__tree_routes *out)
{
	struct weft__balance *b = &out->balance;
	double own = own_share(w, out);

	out->reserve *= own;
	if (!weft__trees_list_shared(w->f, w->arena, w->order, own,
				     &out->trees) ||
	    !weft__balance_init(b, w->f, w->arena))
		return -ENOMEM;
	b->switches = weft_options_bool(w->options, "switches");
	b->limit = weft__weave_left(w, out->reserve);
	b->looked = out->ways.looked;
	out->ways.looked = 0;
	return 0;
}

void weft__route_end(struct weft__weave *w, struct weft__tree_routes *routes)
{
	w->looked += routes->balance.looked + routes->ways.looked;
	routes->balance.looked = routes->ways.looked = 0;
}

int weft__route_balanced(struct weft__weave *w, struct weft__tree_routes *out)
{
	int err = weft__route_begin(w, out);

	if (err)
		return err;
	weft__balance_endports(&out->balance, &out->ways, &out->trees,
			       w->passes);
	if (!out->unrelieved)
		weft__balance_relieve(&out->balance, &out->ways, &out->trees,
				      RELIEF_ROUNDS);
	weft__balance_switches(&out->balance, &out->ways, &out->trees);
	return 0;
}

/* Returns the edge of all runs of a switch that has the fewest destinations. */
static uint32_t least_used_edge(const struct weft__run *run, unsigned nruns,
				uint32_t first, const uint32_t *count)
{
	uint32_t best = first + run->start;

	for (; nruns; nruns--, run++) {
		uint32_t e = first + run->start, end = e + run->length;

		for (; e < end; e++)
			best = count[e] < count[best] ? e : best;
	}
	return best;
}

int weft__route_shared_out(struct weft__weave *w, struct weft__tree_routes *out)
{
	const struct weft_fabric *f = w->f;
	uint32_t *count = weft__arena_zalloc(w->arena, w->facts.edges + 1ull,
					     sizeof(*count));
	int err = weft__route_begin(w, out);

	if (err || !count)
		return -ENOMEM;
	for (uint32_t d = 0; d < out->trees.nendports; d++) {
		const struct weft__tree *t = &out->trees.tree[d];
		const struct weft__plan *plan =
			weft__ways_to(&out->ways, t->root);
		const struct weft__run *run = plan->run;

		for (uint32_t i = 0; i < plan->n; run += plan->nruns[i++]) {
			uint32_t s = plan->order[i + 1];
			uint32_t first = f->adj_first[s];
			uint32_t e = least_used_edge(run, plan->nruns[i], first,
						     count);

			count[e]++;
			t->choice[s] = e - first;
		}
		out->balance.looked +=
			plan->edges + WEFT__SWITCH_WORK * plan->n;
		weft__balance_load(&out->balance, plan, t->choice,
				   t->weight);
	}
	out->shared = true;
	weft__balance_relieve(&out->balance, &out->ways, &out->trees,
			      FEW_RELIEF_ROUNDS);
	weft__balance_switches(&out->balance, &out->ways, &out->trees);
	return 0;
}

double weft__route_work(const struct weft__weave *w)
{
	return w->facts.lids *
	       ((w->facts.edges / 2.0 + 2.0 * w->f->nsw) * (w->passes + 1) +
		RELIEF_WORK * w->f->nsw);
}

int weft__route_ordered(struct weft__weave *w, const uint32_t *place,
			struct weft__tree_routes *out, bool *complete)
{
	uint64_t had_none, missing;

	if (!weft__ways_init(&out->ways, w->f, w->arena, place) ||
	    !weft__ways_complete(&out->ways, &had_none, &missing))
		return -ENOMEM;
	*complete = !missing;
	return 0;
}

int weft__route_tables(struct weft__weave *w, struct weft__tree_routes *routes,
		       struct weft_routes *out)
{
	int err = weft__trees_fill(w->f, &routes->trees, &out->lft);

	weft_layers_init(&out->layers);
	routes->balance.looked += FILL_WORK * (uint64_t)w->facts.lids *
				  w->f->nsw;
	weft__route_end(w, routes);
	return err;
}
