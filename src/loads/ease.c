// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: easing loads by prices
 *
 * What all-to-all traffic gets is decided by the most loaded channel.  How much
 * that can fall is a question of flows: among flows that may split, the best
 * ones follow shortest ways where each channel has a price that rises
 * exponentially with its load (Garg and Konemann, "Faster and Simpler
 * Algorithms for Multicommodity Flow", 1998).  Tables cannot split flows, but
 * the prices tell the same for them (Aspnes, Azar, Fiat, Plotkin and Waarts,
 * "On-line Routing of Virtual Circuits", 1997): an entry whose traffic is
 * cheaper by another way moves there.  The sum of prices falls with every move,
 * so that moves end.  Here a price is a high power of the load, which is close
 * to the exponential near the peak, and nearly nothing elsewhere: what does not
 * pass a hot channel stays as it is, and with it what is good for other traffic.
 *
 * Where all ways to an owner meet early, the switches nearby that carry nothing
 * lead to the same hot channel.  So these are taken to send by their cheapest
 * way, and do so as soon as an entry moves there.
 *
 * A way may be one cable longer than the shortest, and where prices hardly fall any
 * more, LONGEST: in trees, even tori and wherever else all circles are even no way
 * is longer by one.  It must close no cycle among the dependencies of the lanes of
 * all pairs that take it; dependencies of ways that were left stay in the graph,
 * which is safe, and costs nothing.  Where the peak does not fall so, it is for a
 * few pairs that cannot leave the busiest channel in their lane: the traffic of a
 * single switch may go on in another one of those in use then.
 *
 * Rounds go through the LIDs that hot channels carry, unless the peak cannot fall
 * whatever ways are taken (ease_bound.c).  They end when the sum of
 * prices hardly falls any more.  What was moved after the peak fell last is moved
 * back then, as it gains nothing.
 */
#include "loads/ease.h"

#include "core/arena.h"
#include "core/tables/routes.h"
#include "loads/easing.h"
#include "loads/gather.h"

#include <errno.h>
#include <stdlib.h>

#define HOT 0.95	/* channels from this share of the peak on are hot */
#define STALE 2		/* rounds in which the prices may hardly fall */
#define FALL 0.02	/* share by which they should */
#define LONGEST 4	/* cables that a way may have more than the shortest once
			 * they did not */
#define MOST_FALLS 64	/* of the peak: after these there is little left */
#define PATIENCE 8	/* part of the work after which nothing moves any more,
			 * if nothing did */
#define GATHER_WORK 12	/* edges that a look at an entry and its lanes counts
			 * for */

struct run {
	struct weft__easing z;
	const struct weft__ease_spec *spec;
	uint64_t moved_at;	/* looked when an entry moved last */
	uint64_t least;		/* peak: what host links carry */
	bool whole;		/* all LIDs arrive everywhere */
	struct weft__eased *out;
};

/* Returns the sum of all prices. */
static double sum_prices(const struct weft__easing *z)
{
	const struct weft_fabric *f = z->f;
	double sum = 0;

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		sum += weft__ease_price(z, f->adj[i], 0);
	return sum;
}

/* Whether there is work left, and hope. */
static bool goes_on(const struct run *r)
{
	return !r->z.err && r->z.looked < r->spec->work &&
	       r->z.looked - r->moved_at < r->spec->work / PATIENCE;
}

static bool may_change(const struct run *r, unsigned lid)
{
	const struct weft_fabric *f = r->z.f;
	uint32_t owner = weft_lid_owner(f, lid);

	return weft_is_endport(owner) &&
	       (!r->spec->keep_base || f->ep[owner & ~WEFT_ENDPORT].lid != lid);
}

/* Goes through all LIDs once.  Returns by what share the prices fall. */
static double run_round(struct run *r, uint64_t peak)
{
	double before;

	weft__ease_begin(&r->z, peak, HOT);
	before = sum_prices(&r->z);
	for (unsigned lid = 1; lid <= r->z.f->max_lid && goes_on(r); lid++)
		if (may_change(r, lid))
			weft__ease_lid(&r->z, lid, r->spec->work, &r->moved_at);
	return 1 - sum_prices(&r->z) / before;
}

/* Asks about the tables as they are. */
static void ask(struct run *r)
{
	const struct weft__ease_spec *spec = r->spec;
	struct weft_routes copy = { 0 };

	if (r->z.err || !spec->ask)
		return;
	r->z.err = weft__routes_copy(r->z.routes, &copy);
	if (!r->z.err)
		r->z.err = spec->ask(spec->whom, &copy);
	weft_routes_free(&copy);
	r->z.looked += spec->asking;
	r->moved_at += spec->asking;
}

/* Finds out whether no ways at all make the peak lower. */
static bool is_least(struct run *r, uint64_t peak)
{
	bool least = peak <= r->least;

	if (!least && r->whole && !r->z.err)
		r->z.err = weft__ease_is_least(&r->z, peak, &least);
	return least;
}

static void run_rounds(struct run *r)
{
	uint64_t peak = weft__loads_peak(r->z.loads), lowest = peak;
	unsigned stale = 0, falls = 0;
	size_t gained = 0;

	r->moved_at = r->z.looked;
	while (falls < MOST_FALLS && stale < STALE && goes_on(r)) {
		r->z.most_longer = stale ? LONGEST : WEFT__EASE_LONGER;
		stale = run_round(r, peak) < FALL ? stale + 1 : 0;
		peak = weft__loads_peak(r->z.loads);
		r->z.lanes = peak < lowest ? 0 : r->z.loads->nlanes;
		if (peak < lowest) {
			lowest = peak;
			gained = r->z.nwas;
			if (falls++ < r->spec->falls)
				ask(r);
			if (is_least(r, peak))
				break;
		}
	}
	r->out->cut = r->z.looked >= r->spec->work;
	weft__ease_back(&r->z, gained);
	if (falls > r->spec->falls)
		ask(r);
	r->out->moved = gained;
}

/* Whether all LIDs arrive everywhere. */
static bool is_whole(const struct weft_fabric *f, const uint8_t *lost)
{
	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		if (lost[lid])
			return false;
	return true;
}

/* Eases loads that are known, if there is room. */
static int ease_known(struct run *r, uint8_t *lost)
{
	struct weft__loads *loads = r->z.loads;
	int err;

	r->least = weft__loads_host_peak(loads);
	r->whole = is_whole(r->z.f, lost);
	if (!loads->map.uniform || is_least(r, weft__loads_peak(loads)) ||
	    r->z.err)
		return 0;
	err = weft__gather_order(loads, r->z.lft, lost);
	if (!err && loads->kinds == WEFT__KINDS)
		run_rounds(r);
	return err;
}

/* Finds the loads and eases them. */
static int ease(struct run *r, const struct weft_layers *layers,
		struct weft_arena *arena)
{
	struct weft__easing *z = &r->z;
	uint8_t *lost = weft__arena_zalloc(arena, z->f->max_lid + 1ull,
					   sizeof(*lost));
	int err = weft__ease_init(z, arena);

	if (!err)
		err = weft__loads_init(z->loads, z->f, layers, 1, arena);
	if (!err)
		err = weft__gather_loads(z->loads, z->lft, lost);
	z->looked = weft__ease_least(z->f);
	if (!err)
		err = ease_known(r, lost);
	r->out->looked = z->looked;
	weft__loads_free(z->loads);
	free(z->was);
	return err ? err : z->err;
}

uint64_t weft__ease_least(const struct weft_fabric *f)
{
	uint64_t lids = 0;

	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		lids += f->lid_owner[lid] != WEFT_NONE;
	return GATHER_WORK * lids * f->nsw;
}

int weft__ease(const struct weft_fabric *f, struct weft_routes *routes,
	       const struct weft__ease_spec *spec, struct weft__eased *out)
{
	struct weft__loads loads = { .fabric = NULL };
	struct run r = {
		.z = { .f = f, .routes = routes, .lft = &routes->lft,
		       .loads = &loads },
		.spec = spec, .out = out,
	};
	struct weft_arena *arena;
	int err = -ENOMEM;

	*out = (struct weft__eased){ 0 };
	if (spec->work < weft__ease_least(f))
		return 0;
	arena = weft__arena_new();
	if (arena)
		err = ease(&r, &routes->layers, arena);
	weft__arena_free(arena);
	return err;
}
