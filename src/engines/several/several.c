// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, LIDs used together
 *
 * Base LIDs are routed as if there were no others, and keep their routes.  For
 * the others there are two ways, and the basket of streams that use all LIDs of
 * a host at once decides:
 *	rotated		they take the routes of the base LIDs of other
 *			endports on the switch (lids.c): on regular trees
 *			shifts stay free of contention
 *	spread		their trees grow with the loads of all LIDs in view,
 *			and keep apart from the other trees of their port
 *			(lanes/spread.c); some switches go longer ways, if
 *			that is worth more
 *
 * Lanes: trees grow within turns that each lane allows, and each pair of
 * switches keeps to one lane in both directions, with all of its LIDs, so that
 * no lane has a credit loop.  Shortest ways take the lanes that base LIDs need
 * anyway; lanes beyond these get orders that leave pairs many ways
 * (lanes/orders_wide.c).  For longer ways all lanes get such orders, if the
 * base ways of all pairs are legal then, except for a few that are rerouted;
 * base LIDs must not lose by that.  Where cables have fewer lanes than others,
 * trees that close a loop through these are not taken.
 */
#include "engines/several/parts.h"

#include "core/arena.h"
#include "core/tables/routes.h"
#include "lanes/assignment.h"
#include "lanes/spread.h"
#include "loads/ease.h"
#include "proof/folded.h"

#include <weft/diag.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIE 0.005 /* of worth: so much less is made up for by ways apart, */
#define FEWER 0.1 /* if so many fewer pairs depend on one cable */
#define PASSES 3  /* of trees, where the budget allows that */
#define EASINGS 8 /* falls of the peak, at most */
#define EASING 4  /* part of the budget that these may take; more gains nothing */
#define MIN_WORK                                                               \
	5e7 /* for each further LID of a port, in edges                        \
	     * looked at, even if the base LIDs took less */

/* Steps of rotation that are tried, beside 1. */
static const int rotations[] = { 3, 5, WEFT__EVENLY };

#define NROTATIONS (sizeof(rotations) / sizeof(rotations[0]))

/* What spread trees are to be like. */
struct trial {
	double apart; /* for all other LIDs of the port together */
	unsigned longer;
	bool afresh, switches;
};

/* Longer ways come first; if the first ones do not pay, others are not
 * tried. */
static const struct trial trials[] = {
	{ 1.2, 1, true, false },  { 3, 1, true, false },
	{ 0.1, 0, false, false }, { 0.3, 0, true, false },
	{ 1.2, 0, false, false },
};

/* Those for ways that have nothing in common, however long. */
static const struct trial redundant[] = {
	{ 12, 1, true, true },
	{ 12, 2, true, true },
	{ 12, 3, true, true },
};

#define NTRIALS (sizeof(trials) / sizeof(trials[0]))
#define NREDUNDANT (sizeof(redundant) / sizeof(redundant[0]))

/* Lists the lanes of all pairs, those that are chosen and those of others. */
static int make_layers(const struct weft__several *v,
		       const struct weft__lane_masks *masks, uint8_t *lane,
		       struct weft_layers *layers)
{
	struct weft__lane_assignment pairs = { .masks = masks, .lane = lane };
	uint32_t nsw = v->spec->fabric->nsw;

	for (uint32_t s = 0; s < nsw; s++)
		for (uint32_t t = 0; t < s; t++)
			if (lane[(size_t)s * nsw + t] == WEFT__NO_LANE)
				weft__assignment_set(
					&pairs, s, t,
					__builtin_ctz(
						weft__masks_pair(masks, s, t)));
	return weft__assignment_layers(&pairs, layers);
}

/* Grows the trees of the other LIDs. */
static int spread(struct weft__several *v, const struct weft__held *h,
		  const struct trial *trial, struct weft_routes *out)
{
	struct weft_arena *arena = v->arena;
	uint8_t *lane = weft__arena_alloc(arena, v->spec->fabric->nsw,
					  v->spec->fabric->nsw);
	struct weft__ways ways = v->ways;
	struct weft__trees trees;
	struct weft__balance balance;
	struct weft__lane_masks masks;
	struct weft__spread_spec spec = {
		.from = h->trees.nbase,
		.apart = trial->apart / (v->lids - 1),
		.longer = trial->longer,
		.afresh = trial->afresh,
		.switches = trial->switches,
		.passes = v->passes,
		.lane = lane,
	};
	int err = weft__trees_fill(v->spec->base, &h->trees, &out->lft);

	if (err)
		return err;
	ways.fabric = v->spec->fabric;
	if (!lane ||
	    !weft__other_lids(v->spec->fabric, v->step, arena, &out->lft) ||
	    !weft__trees_list(v->spec->fabric, arena, v->spec->order, &trees) ||
	    !weft__balance_init(&balance, v->spec->fabric, arena) ||
	    !weft__masks_init(&masks, &h->orders, &ways, &trees, &balance,
			      arena))
		return -ENOMEM;
	weft__trees_read(v->spec->fabric, &out->lft, &trees);
	weft_lft_free(&out->lft);
	weft__masks_look(&masks, trees.n);
	if (!weft__spread_lanes(&masks, trial->longer, lane, arena))
		return -ENOMEM;
	err = weft__spread_grow(&masks, &spec);
	if (!err)
		err = weft__trees_fill(v->spec->fabric, &trees, &out->lft);
	return err ? err : make_layers(v, &masks, lane, &out->layers);
}

/* Candidates for the best routes. */
struct candidate {
	struct weft_routes *routes;
	struct weft_worth worth;
	struct weft_lid_redundancy depends;
	bool may_tie; /* it may win by its ways if it is worth as much */
};

/* Counts the pairs that depend on one cable or switch, by a candidate and by
 * the best routes so far. */
static int count_dependent(struct weft__several *v, struct candidate *c)
{
	int err = 0;

	if (!v->counted && v->best.lft.port)
		err = weft_redundancy_lids(v->spec->fabric, &v->best.lft,
					   &v->depends);
	v->counted = true;
	return err ? err :
		     weft_redundancy_lids(v->spec->fabric, &c->routes->lft,
					  &c->depends);
}

/* Finds out whether a candidate that is not worth more than the best routes so
 * far takes their place because fewer pairs depend on one cable.  It may be
 * worth a little less, but no less than one path for each pair. */
static int compare_ways(struct weft__several *v, struct candidate *c,
			bool *better)
{
	int err;

	if (!c->may_tie || c->worth.mean < v->most * (1 - TIE))
		return 0;
	err = weft__judge_base(v);
	if (err ||
	    c->worth.mean < v->base_worth.mean * (1 - WEFT__WORTH_MARGIN))
		return err;
	err = count_dependent(v, c);
	*better = c->depends.cable < (1 - FEWER) * v->depends.cable;
	return err;
}

/* Finds out whether a candidate has ways that have less in common than those
 * of the best routes so far. */
static int compare_redundancy(struct weft__several *v, struct candidate *c,
			      bool *better)
{
	int err = count_dependent(v, c);

	if (err || !v->worth.round)
		return err;
	if (c->depends.cable != v->depends.cable)
		*better = c->depends.cable < v->depends.cable;
	else if (c->depends.sw != v->depends.sw)
		*better = c->depends.sw < v->depends.sw;
	return 0;
}

/* Finds out whether a candidate is better than the best routes so far. */
static int compare(struct weft__several *v, struct candidate *c, bool *better)
{
	double gain, error;

	*better = !v->worth.round;
	if (!*better) {
		gain = weft_worth_gain(v->basket, &v->worth, &c->worth, &error);
		*better = gain > WEFT__WORTH_MARGIN && gain > 2 * error;
	}
	if (v->redundancy)
		return compare_redundancy(v, c, better);
	return *better ? 0 : compare_ways(v, c, better);
}

static void explain(const struct weft__several *v, const char *name,
		    const struct candidate *c, bool better)
{
	char parts[8 * WEFT_WORTH_PARTS];

	weft__explain_parts(v->basket, &c->worth, parts, sizeof(parts));
	weft_diag_explain(v->spec->diag, "%-26s %s  %.4f%s", name, parts,
			  c->worth.mean, better ? " taken" : "");
	if (c->depends.pairs)
		weft_diag_explain(v->spec->diag,
				  "  pairs that depend on one cable %" PRIu64
				  ", on one switch %" PRIu64 ", of %" PRIu64,
				  c->depends.cable, c->depends.sw,
				  c->depends.pairs);
}

/* Judges routes and keeps them if they are better. */
static int judge(struct weft__several *v, struct weft_routes *routes,
		 const char *name, bool may_tie, bool *better)
{
	struct candidate c = { .routes = routes, .may_tie = may_tie };
	struct weft_worth worse = v->worth;
	struct weft_routes before = v->best;
	int err = weft_basket_judge(v->basket, routes, &c.worth);

	if (!err)
		err = compare(v, &c, better);
	if (!err)
		explain(v, name, &c, *better);
	if (!err && c.worth.mean > v->most)
		v->most = c.worth.mean;
	if (!err && *better) {
		v->best = *routes;
		*routes = before;
		v->worth = c.worth;
		v->depends = c.depends;
		v->counted = c.depends.pairs;
		c.worth = worse;
	}
	weft_worth_free(&c.worth);
	return err;
}

/* Returns the mean hops from a switch to a host. */
static double mean_hops(const struct weft__closeness *close)
{
	uint32_t nsw = close->fabric->nsw;
	double hops = 0, hosts = 0;

	for (uint32_t s = 0; s < nsw; s++) {
		hops += close->remoteness[s];
		hosts += close->hosts[s];
	}
	return hosts > 0 ? hops / hosts / nsw : 0;
}

/* Returns how often trees may grow within the budget; 0: not at all. */
static unsigned affordable_passes(const struct weft__several *v, double *work)
{
	double pass = weft__spread_work(v->spec->fabric, v->spec->base->nep,
					v->lids, mean_hops(v->spec->close));
	double left = v->budget - v->spent - v->judging;
	unsigned passes = left < PASSES * pass ? left / pass : PASSES;

	*work = passes * pass + v->judging;
	return left < pass ? 0 : passes;
}

/* Refuses routes that close a loop where layers share lanes (graph/vls.h).
 * Those of base LIDs do not. */
static int prove_folded(const struct weft__several *v,
			const struct weft_routes *routes)
{
	bool loops;
	int err = weft__folded_loops(v->spec->fabric, routes, &loops,
				     v->spec->diag);

	return err ? err : loops ? -ENOTSUP : 0;
}

static int try_trial(struct weft__several *v, const struct trial *trial,
		     bool *better)
{
	struct weft_routes routes = { 0 };
	struct weft__held h;
	char name[64];
	double work;
	int err;

	v->passes = affordable_passes(v, &work);
	*better = false;
	if (!v->passes)
		return 0;
	v->spent += work;
	weft_layers_init(&routes.layers);
	v->arena = weft__arena_new();
	err = v->arena ? 0 : -ENOMEM;
	if (!err && !weft__ways_init(&v->ways, v->spec->base, v->arena, NULL))
		err = -ENOMEM;
	if (!err)
		err = weft__held_find(v, trial->longer, &h);
	if (!err)
		err = spread(v, &h, trial, &routes);
	weft__arena_free(v->arena);
	if (!err)
		err = prove_folded(v, &routes);
	if (err == -ENOTSUP) {
		weft_routes_free(&routes);
		return 0;
	}
	snprintf(name, sizeof(name), "spread, %.2f apart, +%u%s", trial->apart,
		 trial->longer, trial->afresh ? "" : ", again");
	if (!err)
		err = judge(v, &routes, name, true, better);
	weft_routes_free(&routes);
	return err;
}

/* Makes a copy of the base LIDs' routes with the other LIDs rotated. */
static int rotate(const struct weft__several *v, int step,
		  struct weft_routes *out)
{
	int err = weft__routes_copy(v->base, out);

	if (err)
		return err;
	return weft__other_lids(v->spec->fabric, step, v->spec->arena,
				&out->lft) ?
		       0 :
		       -ENOMEM;
}

static int try_rotation(struct weft__several *v, int step)
{
	struct weft_routes routes = { 0 };
	char name[64];
	bool better = false;
	int err = rotate(v, step, &routes);

	v->spent += v->judging;
	snprintf(name, sizeof(name),
		 step == WEFT__EVENLY ? "rotated evenly" : "rotated by %d",
		 step);
	if (!err)
		err = judge(v, &routes, name, false, &better);
	v->step = better ? step : v->step;
	weft_routes_free(&routes);
	return err;
}

/* Tries trees that are worth much. */
static int try_spread(struct weft__several *v)
{
	bool longer_pays = false, better;
	double worth;
	int err = 0;

	for (unsigned i = 0;
	     !err && i < NTRIALS && !weft__worth_is_full(v->basket, &v->worth);
	     i++) {
		if (i && trials[i].longer && !longer_pays)
			continue;
		worth = v->worth.mean;
		err = try_trial(v, &trials[i], &better);
		if (!i)
			longer_pays = v->worth.mean > worth;
	}
	return err;
}

/* Tries trees whose ways have little in common. */
static int try_redundant(struct weft__several *v)
{
	bool better;
	int err = 0;

	for (unsigned i = 0; !err && i < NREDUNDANT; i++)
		if (v->depends.cable + v->depends.sw)
			err = try_trial(v, &redundant[i], &better);
	return err;
}

/* Judges routes that are being eased.  Returns -EALREADY unless they are better. */
static int judge_eased(void *whom, struct weft_routes *eased)
{
	struct weft__several *v = whom;
	bool better = false;
	int err = prove_folded(v, eased);

	if (!err)
		err = judge(v, eased, "eased", false, &better);
	return err ? err : better ? 0 : -EALREADY;
}

/* Eases the best routes, as long as they are worth more then: each fall of
 * the peak carries more uniform traffic, and at last everything else less. */
static int try_eased(struct weft__several *v)
{
	const struct weft__ease_spec spec = {
		.work = v->budget / EASING, .keep_base = true,
		.ask = judge_eased, .whom = v, .falls = EASINGS,
		.asking = v->judging,
	};
	struct weft_routes routes = { 0 };
	struct weft__eased eased = { 0 };
	int err = weft__routes_copy(&v->best, &routes);

	if (!err)
		err = weft__ease(v->spec->fabric, &routes, &spec, &eased);
	v->spent += eased.looked;
	weft_routes_free(&routes);
	return err == -ENOTSUP || err == -EALREADY ? 0 : err;
}

static int try_all(struct weft__several *v)
{
	int err = try_rotation(v, 1);

	for (unsigned i = 0; !err && i < NROTATIONS; i++)
		if (v->spent + v->judging <= v->budget)
			err = try_rotation(v, rotations[i]);
	if (!err)
		err = v->redundancy ? try_redundant(v) : try_spread(v);
	if (!err && !v->redundancy)
		err = try_eased(v);
	return err;
}

/* Finds out whether redundancy is asked for. */
static int read_objective(struct weft__several *v)
{
	const struct weft_objective *objective = NULL;
	int err = 0;

	if (v->spec->options)
		err = weft_options_objective(v->spec->options, "objective",
					     &objective, v->spec->diag);
	v->redundancy = objective && objective->redundancy;
	return err;
}

int weft__several_lids(const struct weft__several_spec *spec,
		       struct weft_routes *routes)
{
	struct weft__several v = {
		.spec = spec,
		.base = routes,
		.lids = weft__most_lids(spec->fabric),
	};
	int err;

	if (v.lids < 2 || spec->fabric->nsw < 2)
		return 0;
	err = read_objective(&v);
	if (!err)
		err = weft__engine_basket(spec->fabric, spec->options, true,
					  &v.basket, &v.judging, spec->diag);
	if (err || !v.basket)
		return err;
	v.budget = (spec->spent > MIN_WORK ? spec->spent : MIN_WORK) *
		   (v.lids - 1);
	err = try_all(&v);
	if (!err) {
		struct weft_routes before = *routes;

		memcpy(v.best.how, before.how, sizeof(before.how));
		*routes = v.best;
		v.best = before;
	}
	weft_routes_free(&v.best);
	weft_worth_free(&v.worth);
	weft_worth_free(&v.base_worth);
	weft_basket_free(v.basket);
	weft_basket_free(v.base_basket);
	return err;
}
