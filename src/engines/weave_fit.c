// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave where its orders do not do
 *
 * Where trees cannot be bent to fit the lanes (weave_bend.c), these are given
 * out by weft_layering_run(), which looks for a lane pair by pair, makes routes
 * that need fewer, and sends what is left by one order; where only the traffic
 * of switches themselves lacks lanes, it routes that alone.
 * Where nothing but one order for all comes of it, w->ordered does that better.
 *
 * What comes out is compared with the ordered routes by random bisections, as
 * its trees are not of the ways that the model of improve.c goes by; on large
 * fabrics only where routes to endports are new, or the model does not promise
 * 5 % more.  (juropa in one lane: .680 and .590; to improve the ordered routes
 * for that comparison, and to try both, took 0.6 s.)
 */
#include "engines/weave.h"

#include "trees/worth.h"

#include <weft/layering.h>

#include <errno.h>

#define SURE 1.005	/* bisections tried do not tell less */
#define CLEAR 1.05	/* more than improving the ordered routes gives, or the
			 * model errs */

/* The tables of trees, those to switches' own LIDs included. */
static int fill(struct weft__weave *w, struct weft__woven *out,
		struct weft_lft *lft)
{
	weft__balance_switches(&out->balance, &out->ways, &out->trees);
	return weft__trees_fill(w->f, &out->trees, lft);
}

/* Position of a channel in its switch's adjacency. */
static uint8_t position(const struct weft_fabric *f, uint32_t s, uint32_t ch)
{
	const uint32_t *adj = f->adj + f->adj_first[s];
	uint8_t k = 0;

	while (adj[k] != ch)
		k++;
	return k;
}

void weft__weave_read(const struct weft_fabric *f, const struct weft_lft *lft,
		      struct weft__trees *trees)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		const uint8_t *row = lft->port + (size_t)s * lft->stride;

		for (uint32_t i = 0; i < trees->n; i++) {
			struct weft__tree *t = &trees->tree[i];

			if (t->root != s)
				t->choice[s] = position(f, s, weft_channel(f, s,
								row[t->lid]));
		}
	}
}

int weft__weave_compare(struct weft__weave *w, const struct weft__trees *old,
			const struct weft__trees *new, bool *better)
{
	double old_worth, worth;
	int err = weft__trees_worth(w->f, old, &old_worth);

	if (!err)
		err = weft__trees_worth(w->f, new, &worth);
	if (err)
		return err;
	*better = worth > old_worth * SURE;
	weft_explain(w->diag, "bisections tried: bandwidth %.4f, %.4f before: "
		     "%s", worth, old_worth, *better ? "better" : "not better");
	return 0;
}

int weft__weave_beats_order(struct weft__weave *w,
			    const struct weft__trees *new, bool *better)
{
	int err = weft__weave_route_ordered(w);

	return err ? err : weft__weave_compare(w, &w->ordered.trees, new,
					       better);
}

/* Whether the new trees are worth more than the ordered ones are by then.  Of
 * trees that were kept the model knows, and may leave no doubt. */
static int compare(struct weft__weave *w, struct weft__woven *out,
		   const struct weft__trees *new, bool kept, bool *better)
{
	int err = 0;

	if (kept && weft__weave_is_large(w->f)) {
		err = weft__weave_judge_ordered(w);
		if (!err && !out->judged)
			err = weft__weave_improve(w, out, 0, NULL);
		*better = !err && out->predicted >
			w->ordered.predicted * CLEAR;
	}
	if (!err && !*better)
		err = weft__weave_improve_ordered(w);
	if (!err && !*better)
		err = weft__weave_beats_order(w, new, better);
	return err;
}

/* Takes over what layering has found if it is worth more. */
static int take(struct weft__weave *w, struct weft__woven *out, bool kept,
		struct weft_routes *routes, struct weft_layers *layers,
		bool *found)
{
	struct weft__trees trees;
	int err;

	if (!weft__trees_list(w->f, w->arena, w->order, &trees))
		return -ENOMEM;
	weft__weave_read(w->f, &routes->lft, &trees);
	err = compare(w, out, &trees, kept, found);
	if (err || !*found)
		return err;
	out->trees = trees;
	*layers = routes->layers;
	weft_layers_init(&routes->layers);
	return 0;
}

int weft__weave_fit(struct weft__weave *w, struct weft__woven *out,
		    struct weft_layers *layers, bool *found)
{
	const struct weft_layering_spec spec = {
		.method = WEFT_LAYERING_AUTO, .lanes = w->lanes, .keep = true,
		.effort = UINT64_C(1) <<
			(weft__weave_is_large(w->f) ? 21 : 24),
	};
	struct weft_routes routes = { 0 };
	struct weft_layering laid;
	int err = fill(w, out, &routes.lft);

	if (err)
		return err;
	weft_layers_init(&routes.layers);
	err = weft_layering_run(w->f, &routes, &spec, &laid, NULL);
	if (!err) {
		weft_explain(w->diag, "%u lanes, pair by pair: %u in use, "
			     "%s routes to endports are new", w->lanes,
			     laid.lanes, laid.shared ? "all" :
			     laid.rerouted ? "some" : "no");
		if (laid.lanes > 1 || !laid.rerouted)
			err = take(w, out, !laid.rerouted && !laid.shared,
				   &routes, layers, found);
	}
	weft_routes_free(&routes);
	return err;
}
