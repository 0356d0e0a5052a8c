// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which of several ways a switch takes when its own is gone. */
#include "../route.h"

#include <weft/standing.h>

#include <stdlib.h>

enum { ROOT, SOURCE, GONE, FIRST, SECOND, ASIDE, SWITCHES };
enum { PORTS = 40 };

/*
 * Three ways lead from the source to the root: by GONE, by FIRST and by SECOND.
 * ASIDE is next to SECOND and to the root.
 */
static const unsigned cables[][4] = {
	{ SOURCE, 1, GONE, 1 },	  { GONE, 2, ROOT, 1 },
	{ SOURCE, 2, FIRST, 1 },  { FIRST, 2, ROOT, 2 },
	{ SOURCE, 3, SECOND, 1 }, { SECOND, 2, ROOT, 3 },
	{ SECOND, 3, ASIDE, 1 },  { ASIDE, 2, ROOT, 4 },
};
enum { CABLES = sizeof(cables) / sizeof(cables[0]) };

static struct weft_fabric *make(const unsigned hosts[SWITCHES])
{
	const struct weft_rate rate = { 4, WEFT_EDR };
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	unsigned lid = SWITCHES;

	for (unsigned s = 0; s < SWITCHES; s++) {
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x10 + s, PORTS);
		weft_builder_port(b, s, 0)->lid = 1 + s;
	}
	for (unsigned i = 0; i < CABLES; i++)
		weft_builder_link(b, cables[i][0], cables[i][1], cables[i][2],
				  cables[i][3], rate);
	for (unsigned s = 0; s < SWITCHES; s++)
		for (unsigned i = 0; i < hosts[s]; i++) {
			uint32_t h = weft_builder_node(
				b, WEFT_NODE_CA, 0x1000 + 100 * s + i, 1);

			weft_builder_port(b, h, 1)->lid = ++lid;
			weft_builder_link(b, h, 1, s, 5 + i, rate);
		}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

/* The port of a switch to another one next to it. */
static unsigned port_to(unsigned from, unsigned to)
{
	for (unsigned i = 0; i < CABLES; i++) {
		if (cables[i][0] == from && cables[i][2] == to)
			return cables[i][1];
		if (cables[i][2] == from && cables[i][0] == to)
			return cables[i][3];
	}
	return WEFT_NO_PORT;
}

/* Where each switch sends to the endports of the one behind; itself: there. */
static const unsigned next[SWITCHES][SWITCHES] = {
	/* to:	   ROOT	  SOURCE  GONE	  FIRST	 SECOND	 ASIDE */
	[ROOT] = { ROOT, GONE, GONE, FIRST, SECOND, ASIDE },
	[SOURCE] = { GONE, SOURCE, GONE, FIRST, SECOND, SECOND },
	[GONE] = { ROOT, SOURCE, GONE, ROOT, ROOT, ROOT },
	[FIRST] = { ROOT, SOURCE, ROOT, FIRST, ROOT, ROOT },
	[SECOND] = { ROOT, SOURCE, ROOT, ROOT, SECOND, ASIDE },
	[ASIDE] = { ROOT, SECOND, ROOT, ROOT, SECOND, ASIDE },
};

static void fill(const struct weft_fabric *f, struct weft_routes *r)
{
	*r = (struct weft_routes){ .lid_offset = NULL };
	ASSERT_EQ(weft_lft_init(&r->lft, f->nsw, f->max_lid), 0);
	weft_layers_init(&r->layers);
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(f, lid);
		uint32_t to = weft_vertex_switch(f, owner);

		for (uint32_t s = 0; s < SWITCHES; s++)
			weft_lft_row(&r->lft, s)[lid] =
				next[s][to] != s ? port_to(s, next[s][to]) :
				weft_is_switch(owner) ? 0 :
				f->ep[owner & ~WEFT_ENDPORT].sw_port;
	}
}

/* Counts entries by what became of them: what changed was dead where its own
 * cable is gone, else it gave way. */
static void check_counts(const struct weft_fabric *less,
			 const struct weft_routes *r,
			 const struct weft_routes *mended,
			 const struct weft_standing *what)
{
	uint64_t kept = 0, dead = 0, given_way = 0;
	uint32_t lids = 0;

	for (unsigned lid = 1; lid <= less->max_lid; lid++) {
		bool changed = false;

		if (weft_lid_owner(less, lid) == WEFT_NONE)
			continue;
		for (uint32_t s = 0; s < SWITCHES; s++) {
			unsigned was = weft_lft_get(&r->lft, s, lid);
			bool same = was == weft_lft_get(&mended->lft, s, lid);
			bool gone = was && less->peer[weft_channel(
						less, s, was)] == WEFT_NONE;

			kept += same;
			dead += !same && gone;
			given_way += !same && !gone;
			changed |= !same;
		}
		lids += changed;
	}
	EXPECT_EQ(what->kept, kept);
	EXPECT_EQ(what->dead, dead);
	EXPECT_EQ(what->given_way, given_way);
	EXPECT_EQ(what->lids, lids);
	EXPECT_EQ(what->returned + what->moved + what->fresh, 0);
	EXPECT_EQ(what->pairs + what->waiting + what->unmended, 0);
}

/* Takes the cable away; returns how many of the root's LIDs of endports the
 * source sends to by FIRST, and by SECOND. */
static void mend(const unsigned hosts[SWITCHES], unsigned by[2])
{
	struct weft_fabric *f = make(hosts), *less = NULL;
	struct weft_standing_spec spec = { .lanes = 1 };
	struct weft_routes r, mended;
	struct weft_standing what;
	uint32_t gone = weft_channel(f, SOURCE, port_to(SOURCE, GONE));

	fill(f, &r);
	spec.standing = (struct weft_diff_side){ f, &r };
	ASSERT_EQ(weft_fabric_without(f, &gone, 1, &less, NULL), 0);
	ASSERT_EQ(weft_standing_run(less, &spec, &mended, &what, NULL), 0);
	check_counts(less, &r, &mended, &what);
	by[0] = by[1] = 0;
	for (uint32_t e = 0; e < less->nep; e++) {
		unsigned port = weft_lft_get(&mended.lft, SOURCE,
					     less->ep[e].lid);

		if (less->ep[e].sw != ROOT)
			continue;
		by[0] += port == port_to(SOURCE, FIRST);
		by[1] += port == port_to(SOURCE, SECOND);
	}
	EXPECT_EQ(by[0] + by[1], hosts[ROOT]);
	weft_routes_free(&r);
	weft_routes_free(&mended);
	weft_fabric_free(less);
	weft_fabric_free(f);
}

/*
 * Pairs of hosts on the cables of the two ways, with one host on the source,
 * ten on the root, one on FIRST, two on SECOND and 25 ASIDE: 1 and 37 by FIRST
 * (10 to the root, 2 to SECOND, 25 ASIDE), 27 (2 and 25 ASIDE) and 22 (20 to the
 * root, 2 to FIRST) by SECOND.  The sum is less by FIRST, the most by SECOND,
 * which is what counts, even if all ten come to it.
 */
TEST(test_most)
{
	static const unsigned hosts[SWITCHES] = { 10, 1, 0, 1, 2, 25 };
	unsigned by[2];

	mend(hosts, by);
	EXPECT_EQ(by[0], 0);
	EXPECT_EQ(by[1], 10);
}

/* Where nothing else is on the ways, each takes as many. */
TEST(test_shared)
{
	static const unsigned hosts[SWITCHES] = { 8, 1, 0, 0, 0, 0 };
	unsigned by[2];

	mend(hosts, by);
	EXPECT_EQ(by[0], 4);
	EXPECT_EQ(by[1], 4);
}

/* A host on one of the ways sends twelve streams to the root by its second
 * cable; the twelve of the source, as many, go by the other one. */
TEST(test_uneven)
{
	static const unsigned hosts[2][SWITCHES] = {
		{ 12, 1, 0, 0, 1, 0 },
		{ 12, 1, 0, 1, 0, 0 },
	};

	for (unsigned i = 0; i < 2; i++) {
		unsigned by[2];

		suite_case("hosts on the %s", i ? "first" : "second");
		mend(hosts[i], by);
		EXPECT_EQ(by[!i], 0);
		EXPECT_EQ(by[i ? 1 : 0], 12);
	}
}

/* Any two cables that leave all joined: every entry counts once, and the cable
 * that more entries are away from comes first. */
TEST(test_two_cables)
{
	static const unsigned hosts[SWITCHES] = { 6, 2, 3, 1, 2, 5 };
	struct weft_fabric *f = make(hosts), *less = NULL;
	unsigned n = 0, turned = 0, counted = 0;
	struct weft_routes r;

	fill(f, &r);
	for (unsigned k = 0; k < CABLES * CABLES; k++) {
		const unsigned *one = cables[k / CABLES];
		const unsigned *other = cables[k % CABLES];
		const struct weft_diff_side home = { f, &r };
		uint32_t gone[] = { weft_channel(f, one[0], one[1]),
				    weft_channel(f, other[0], other[1]) };
		struct weft_standing_spec spec = { .standing = home,
						   .lanes = 1 };
		struct weft_standing what;
		struct weft_routes mended;
		struct weft_diff_side is;
		struct weft_away away;

		/* two of one switch that has no others cut it off */
		if (one == other || one[0] == other[0] || one[0] == other[2] ||
		    one[2] == other[0])
			continue;
		suite_case("cables %u and %u", k / CABLES, k % CABLES);
		ASSERT_EQ(weft_fabric_without(f, gone, 2, &less, NULL), 0);
		ASSERT_EQ(weft_standing_run(less, &spec, &mended, &what, NULL),
			  0);
		/* a ring may be left, in which one lane does not do for all */
		if (!what.unmended) {
			check_counts(less, &r, &mended, &what);
			counted++;
		}
		is = (struct weft_diff_side){ less, &mended };
		ASSERT_EQ(weft_away_find(&is, &home, &away), 0);
		EXPECT_EQ(away.nparts, 2);
		EXPECT_EQ(away.away, what.dead + what.given_way);
		if (away.nparts == 2) {
			const struct weft_away_part *p = away.part;

			EXPECT(p[0].entries >= p[1].entries);
			EXPECT_EQ(p[0].entries + p[1].entries, away.missing);
			turned += p[0].channel > p[1].channel;
		}
		weft_away_free(&away);
		weft_routes_free(&mended);
		weft_fabric_free(less);
		n++;
	}
	EXPECT(n > 10 && counted > n / 2 && turned && turned < n);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Up to six cables go at once in one lane, where any ring that is left may lack ways:
 * the columns that could not be mended, and no others, come first in the next attempt,
 * which mends most. */
TEST(test_attempts)
{
	static const struct {
		const char *spec;
		unsigned most;	/* of 80 events, that are not mended */
	} cases[] = {
		{ "torus:4x4,hosts=2", 2 }, { "random:20,5,3", 20 },
	};

	for (unsigned i = 0; i < 2; i++) {
		struct weft_fabric *f = route_fabric(cases[i].spec, 0);
		struct weft_rng *rng = weft_rng_new(12);
		struct weft_routes r = { .lid_offset = NULL };
		unsigned left = 0;

		ASSERT_EQ(route_by("weave", "lanes=1", f, &r, NULL), 0);
		for (unsigned k = 0; k < 80; k++) {
			const struct weft_standing_spec spec = {
				.standing = { f, &r }, .home = { f, &r },
				.lanes = 1,
			};
			struct weft_standing what;
			struct weft_fabric *less = NULL;
			struct weft_routes out;
			uint32_t gone[6];

			for (unsigned n = 0; n <= k % 6; n++)
				gone[n] = f->adj[weft_rng_below(
					rng, f->adj_first[f->nsw])];
			ASSERT_EQ(weft_fabric_without(f, gone, 1 + k % 6, &less,
						      NULL), 0);
			ASSERT_EQ(weft_standing_run(less, &spec, &out, &what,
						    NULL), 0);
			left += what.unmended > 0;
			weft_routes_free(&out);
			weft_fabric_free(less);
		}
		suite_case("%s", cases[i].spec);
		EXPECT(left <= cases[i].most);
		weft_routes_free(&r);
		weft_rng_free(rng);
		weft_fabric_free(f);
	}
}
