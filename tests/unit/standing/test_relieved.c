// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What standing tables are worth without a cable, beside those that the engine
 * makes anew, and what that takes. */
#include "../model_util.h"
#include "../route.h"

#include "core/arena.h"
#include "loads/gather.h"
#include "standing/rest.h"

#include <weft/proof.h>
#include <weft/standing.h>
#include <weft/worth.h>

#include <stdio.h>
#include <stdlib.h>

#define SEED 20261126u
#define EVENTS 2
#define DRAWS 3

static const struct {
	const char *spec, *engine, *option;
	unsigned lanes;
} families[] = {
	{ "dragonfly:4,2,2,9", "weave", "lanes=8", 8 },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "weave", "lanes=1", 1 },
};

static double worth_of(const struct weft_fabric *f, const struct weft_routes *r)
{
	const struct weft_basket_spec spec = { .seed = 1, .rounds = 16 };

	return test_basket_worth(f, r, &spec);
}

/* What tables that the engine of a family makes anew are worth. */
static double worth_anew(const struct weft_fabric *f, unsigned family)
{
	struct weft_routes anew;
	double worth;

	ASSERT_EQ(route_by(families[family].engine, families[family].option, f,
			   &anew, NULL), 0);
	worth = worth_of(f, &anew);
	weft_routes_free(&anew);
	return worth;
}

/* Mends, with that many further changes; *out is what that is worth. */
static struct weft_standing mend(const struct weft_fabric *f,
				 struct weft_standing_spec spec,
				 uint64_t changes, double *out)
{
	struct weft_standing what;
	struct weft_routes routes;

	spec.changes = changes;
	ASSERT_EQ(weft_standing_run(f, &spec, &routes, &what, NULL), 0);
	*out = worth_of(f, &routes);
	weft_routes_free(&routes);
	return what;
}

static void take_cable(const struct weft_fabric *home, unsigned family,
		       const struct weft_routes *routes, uint32_t channel,
		       double *ratio)
{
	const struct weft_standing_spec spec = {
		.standing = { home, routes }, .home = { home, routes },
		.lanes = families[family].lanes,
	};
	double alone, relieved;
	struct weft_standing what;
	struct weft_fabric *f;

	ASSERT_EQ(weft_fabric_without(home, &channel, 1, &f, NULL), 0);
	mend(f, spec, 0, &alone);
	what = mend(f, spec, WEFT_STANDING_CHANGES, &relieved);
	EXPECT(relieved >= alone * 0.99);
	EXPECT(what.given_way + what.moved <= 2 * what.dead ||
	       what.moved <= what.dead / 2);
	*ratio += relieved / worth_anew(f, family) / EVENTS;
	weft_fabric_free(f);
}

TEST(test_worth)
{
	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++) {
		struct weft_fabric *f = route_fabric(families[i].spec, -1);
		struct weft_rng *rng = weft_rng_new(SEED);
		struct weft_routes routes;
		double ratio = 0;

		ASSERT_EQ(route_by(families[i].engine, families[i].option, f,
				   &routes, NULL), 0);
		for (unsigned n = 0; n < EVENTS; n++)
			take_cable(f, i, &routes,
				   f->adj[weft_rng_below(rng,
							 f->adj_first[f->nsw])],
				   &ratio);
		EXPECT(ratio >= 0.96);
		weft_routes_free(&routes);
		weft_rng_free(rng);
		weft_fabric_free(f);
	}
}

/* What relief knows afterwards is what a look at its tables finds: loads, and the
 * blocks to send. */
static void expect_known(const struct weft_fabric *f,
			 const struct weft_diff_side *standing,
			 const struct weft__rest *rest,
			 const struct weft_routes *now)
{
	struct weft_arena *arena = weft__arena_new();
	uint8_t *lost = calloc(f->max_lid + 1ull, sizeof(*lost));
	struct weft__loads loads;
	struct weft_routes was;
	struct weft_lft_diff d;

	ASSERT_EQ(weft__loads_init(&loads, f, &now->layers, 8, arena), 0);
	ASSERT_EQ(weft__gather_loads(&loads, &now->lft, lost), 0);
	ASSERT_MEM(rest->loads.load, loads.load,
		   f->nch * sizeof(*loads.load));
	ASSERT_EQ(weft_routes_carry(standing, f, &was), 0);
	weft_lft_compare(&was.lft, &now->lft, &d);
	EXPECT_EQ(d.blocks, rest->blocks.n);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			EXPECT(weft_lft_get(&was.lft, s, lid) ==
				       weft_lft_get(&now->lft, s, lid) ||
			       weft__blocks_changes(&rest->blocks, s, lid));
	weft_routes_free(&was);
	weft__loads_free(&loads);
	weft__arena_free(arena);
	free(lost);
}

/* Relief that comes later makes the same tables, and counts what it changed. */
static void expect_same_later(const struct weft_fabric *f,
			      const struct weft_standing_spec *spec,
			      const struct weft_routes *at_once,
			      const struct weft_standing *what)
{
	struct weft__terms later = { .when = WEFT__BALANCE_LATER };
	struct weft_standing_move moved;
	struct weft_routes mended, relieved;
	struct weft_standing before;
	struct weft_lft_diff d;

	ASSERT_EQ(weft__standing_run(f, spec, &later, &mended, &before, NULL),
		  0);
	ASSERT(later.rest);
	ASSERT_EQ(weft__rest_do(later.rest, &mended, NULL, &relieved, &moved),
		  0);
	EXPECT(moved.pairs > 0);
	EXPECT_EQ(before.pairs + moved.pairs, what->pairs);
	expect_known(f, &spec->standing, later.rest, &relieved);
	weft_lft_compare(&relieved.lft, &at_once->lft, &d);
	EXPECT_EQ(d.entries, 0);
	weft__rest_free(later.rest);
	weft_routes_free(&mended);
	weft_routes_free(&relieved);
}

/* Takes one in twenty cables of a dragonfly out.  Pairs leave the peak by other lanes, and
 * nobody's traffic closes a credit loop, not even that of switches. */
static double take_many(const struct weft_fabric *home,
			const struct weft_routes *routes, unsigned seed)
{
	const struct weft_proof_spec prove = {
		.all_hosts = true, .switches = true, .credit_loops = true,
	};
	const struct weft_standing_spec spec = {
		.standing = { home, routes }, .home = { home, routes },
		.lanes = families[0].lanes, .changes = WEFT_STANDING_CHANGES,
	};
	struct weft_routes mended;
	struct weft_standing what;
	struct weft_proof proof;
	struct weft_fabric *f;
	char name[64];
	double ratio;

	snprintf(name, sizeof(name), "%s,fail-links=5%%,seed=%u",
		 families[0].spec, seed);
	f = route_fabric(name, -1);
	ASSERT_EQ(weft_standing_run(f, &spec, &mended, &what, NULL), 0);
	ASSERT_EQ(weft_proof_run(f, &mended, &prove, &proof, NULL), 0);
	EXPECT_EQ(proof.unreachable, 0);
	EXPECT_EQ(proof.cyclic_vls, 0);
	EXPECT(what.pairs > 0);
	expect_same_later(f, &spec, &mended, &what);
	ratio = worth_of(f, &mended) / worth_anew(f, 0);
	weft_proof_free(&proof);
	weft_routes_free(&mended);
	weft_fabric_free(f);
	return ratio;
}

TEST(test_lanes)
{
	struct weft_fabric *home = route_fabric(families[0].spec, -1);
	struct weft_routes routes;
	double ratio = 0;

	ASSERT_EQ(route_by(families[0].engine, families[0].option, home,
			   &routes, NULL), 0);
	for (unsigned seed = 1; seed <= DRAWS; seed++)
		ratio += take_many(home, &routes, seed) / DRAWS;
	EXPECT(ratio >= 0.98);
	weft_routes_free(&routes);
	weft_fabric_free(home);
}

/* Whether relief without a cable is left for later. */
static bool is_later(const struct weft_fabric *home, const struct weft_routes *r,
		     enum weft__balance_when when, enum weft_standing_order order,
		     uint64_t changes)
{
	struct weft__terms terms = { .when = when };
	const struct weft_standing_spec spec = {
		.standing = { home, r }, .home = { home, r }, .lanes = 1,
		.changes = changes, .order = order,
	};
	struct weft_fabric *f = NULL;
	struct weft_routes mended;
	struct weft_standing what;
	bool later;

	ASSERT_EQ(weft_fabric_without(home, home->adj, 1, &f, NULL), 0);
	ASSERT_EQ(weft__standing_run(f, &spec, &terms, &mended, &what, NULL),
		  0);
	later = terms.rest;
	EXPECT(!later || (!what.moved && terms.rest->changes));
	weft__rest_free(terms.rest);
	weft_routes_free(&mended);
	weft_fabric_free(f);
	return later;
}

/* On small fabrics relief is done at once unless it is told to wait, on large ones
 * later; where entries have to wait for others, or none may change, there is nothing
 * to do later. */
TEST(test_when)
{
	static const char *const specs[] = {
		"pgft:3;3,4,4;1,3,3;1,1,1", "pgft:3;8,16,12;1,8,8;1,1,1",
	};

	for (unsigned i = 0; i < 2; i++) {
		struct weft_fabric *f = route_fabric(specs[i], -1);
		struct weft_routes r = { .lid_offset = NULL };

		suite_case("%s", specs[i]);
		ASSERT_EQ(route_by("eftree", NULL, f, &r, NULL), 0);
		EXPECT_EQ(is_later(f, &r, WEFT__BALANCE_AUTO,
				   WEFT_STANDING_UNORDERED, 2000), i);
		EXPECT(!is_later(f, &r, WEFT__BALANCE_NOW,
				 WEFT_STANDING_UNORDERED, 2000));
		EXPECT(is_later(f, &r, WEFT__BALANCE_LATER,
				WEFT_STANDING_UNORDERED, WEFT_STANDING_CHANGES));
		EXPECT(is_later(f, &r, WEFT__BALANCE_LATER,
				WEFT_STANDING_HOME_IN_ORDER,
				WEFT_STANDING_CHANGES));
		EXPECT(!is_later(f, &r, WEFT__BALANCE_LATER,
				 WEFT_STANDING_IN_ORDER, WEFT_STANDING_CHANGES));
		EXPECT(!is_later(f, &r, WEFT__BALANCE_LATER,
				 WEFT_STANDING_UNORDERED, 0));
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* --- shifts --------------------------------------------------------------- */

enum { LEAVES = 4, EACH = 4 };	/* and as many spines as hosts on a leaf */

/* The leaf that an endport is on, by the order of ids, and its place there. */
static unsigned leaf_of(const struct weft_fabric *f, uint32_t e)
{
	unsigned leaf = 0;

	for (uint32_t s = 0; s < f->ep[e].sw; s++)
		leaf += f->sw_ep_first[s] < f->sw_ep_first[s + 1];
	return leaf;
}

static unsigned place_of(const struct weft_fabric *f, uint32_t e)
{
	uint32_t s = f->ep[e].sw, i = f->sw_ep_first[s];

	while (f->sw_endport[i] != e)
		i++;
	return i - f->sw_ep_first[s];
}

/* The n-th port of a switch to another one, and the one that leads there. */
static unsigned up_port(const struct weft_fabric *f, uint32_t s, unsigned n)
{
	return f->adj[f->adj_first[s] + n] - f->first_channel[s];
}

static unsigned port_to(const struct weft_fabric *f, uint32_t s, uint32_t to)
{
	for (unsigned n = 0;; n++)
		if (f->peer[weft_channel(f, s, up_port(f, s, n))] == to)
			return up_port(f, s, n);
}

/*
 * Each cable of a tree has as many ways, three hosts for each of four, but where
 * leaves send to the next ones, or the ones after these, four hosts take two
 * spines: in shifts by a leaf streams meet that need not.
 */
static void route_by_pairs(const struct weft_fabric *f, struct weft_routes *r)
{
	static const unsigned spine[LEAVES][EACH] = {
		{ 0 }, { 0, 0, 1, 1 }, { 2, 2, 3, 3 }, { 0, 1, 2, 3 },
	};

	*r = (struct weft_routes){ .lid_offset = NULL };
	ASSERT_EQ(weft_lft_init(&r->lft, f->nsw, f->max_lid), 0);
	weft_layers_init(&r->layers);
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(f, lid);
		uint32_t e = owner & ~WEFT_ENDPORT, to;

		to = weft_vertex_switch(f, owner);
		for (uint32_t s = 0; s < f->nsw; s++) {
			bool leaf = f->sw_ep_first[s] < f->sw_ep_first[s + 1];
			unsigned by = 0;

			if (leaf && !weft_is_switch(owner))
				by = spine[(leaf_of(f, e) + LEAVES -
					    leaf_of(f, f->sw_endport[
						    f->sw_ep_first[s]])) %
					   LEAVES][place_of(f, e)];
			weft_lft_row(&r->lft, s)[lid] =
				s == to ? (weft_is_switch(owner) ? 0 :
					   f->ep[e].sw_port) :
				leaf && f->sw_ep_first[to] ==
					f->sw_ep_first[to + 1] ?
					port_to(f, s, to) :
				leaf ? up_port(f, s, by) :
				f->sw_ep_first[to] < f->sw_ep_first[to + 1] ?
					port_to(f, s, to) :
					up_port(f, s, 0);
		}
	}
}

/* Counts pairs of streams that meet on a cable between switches in all shifts
 * of the hosts in their order, and the most ways over one. */
static unsigned count_meetings(const struct weft_fabric *f,
			       const struct weft_lft *lft, unsigned *most)
{
	unsigned *ways = calloc(f->nch, sizeof(*ways)), meetings = 0;
	unsigned *streams = calloc(f->nch, sizeof(*streams));
	uint32_t rank[LEAVES * EACH];

	*most = 0;
	for (uint32_t e = 0; e < f->nep; e++)
		rank[leaf_of(f, e) * EACH + place_of(f, e)] = e;
	for (unsigned by = 1; by < f->nep; by++) {
		memset(streams, 0, f->nch * sizeof(*streams));
		for (uint32_t i = 0; i < f->nep; i++) {
			uint32_t to = rank[(i + by) % f->nep];
			uint32_t s = f->ep[rank[i]].sw;

			while (s != f->ep[to].sw) {
				uint32_t ch = weft_channel(
					f, s, weft_lft_get(lft, s,
							   f->ep[to].lid));

				meetings += streams[ch]++;
				ways[ch]++;
				*most = ways[ch] > *most ? ways[ch] : *most;
				s = f->peer[ch];
			}
		}
	}
	free(ways);
	free(streams);
	return meetings;
}

/* The tables without a cable, with those terms; returns the meetings. */
static unsigned mend_shifts(const struct weft_fabric *home,
			    const struct weft_routes *r, uint32_t cable,
			    uint64_t changes, unsigned *most)
{
	struct weft__terms terms = { .when = WEFT__BALANCE_NOW, .more = 300 };
	const struct weft_standing_spec spec = {
		.standing = { home, r }, .lanes = 1, .changes = changes,
	};
	struct weft_routes mended;
	struct weft_standing what;
	struct weft_fabric *f;
	unsigned n;

	ASSERT_EQ(weft_fabric_without(home, &cable, 1, &f, NULL), 0);
	ASSERT_EQ(weft__standing_run(f, &spec, &terms, &mended, &what, NULL),
		  0);
	n = count_meetings(f, &mended.lft, most);
	weft_routes_free(&mended);
	weft_fabric_free(f);
	return n;
}

/* What may change beyond what must has streams of shifts meet less often, and
 * nothing is loaded more by it. */
TEST(test_shifts)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,4;1,4;1,1", -1);
	unsigned before, after, most, peak;
	struct weft_routes r;

	route_by_pairs(f, &r);
	count_meetings(f, &r.lft, &most);
	EXPECT_EQ(most, 3 * EACH);
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i += 5) {
		before = mend_shifts(f, &r, f->adj[i], 0, &most);
		after = mend_shifts(f, &r, f->adj[i], WEFT_STANDING_CHANGES,
				    &peak);
		EXPECT(after < before);
		EXPECT(peak <= most);
	}
	weft_routes_free(&r);
	weft_fabric_free(f);
}
