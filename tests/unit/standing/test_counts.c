// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What standing tables say became of their entries, against a look at each entry
 * before and after.
 */
#include "../route.h"
#include "thinned.h"

#include <weft/standing.h>

#define SEED 20261128u
#define EVENTS 8

static const struct {
	const char *spec, *engine, *option;
	unsigned lanes;
} families[] = {
	{ "pgft:2;6,6;1,4;1,1", "eftree", NULL, 1 },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "psssp", NULL, 1 },
	{ "torus:4x4,hosts=2", "weave", "lanes=4", 8 },
	{ "dragonfly:4,2,2,9", "weave", "lanes=8", 8 },
	{ "random:20,5,3", "psssp", NULL, 1 },
};
#define NFAMILIES (sizeof(families) / sizeof(*families))

/* The way from a switch in other tables, as far as its cables are here: whether it
 * does not arrive. */
static bool is_broken(const struct weft_diff_side *was, uint32_t s,
		      const struct weft_fabric *f, unsigned lid)
{
	for (uint32_t n = 0; n <= was->fabric->nsw; n++) {
		uint8_t port = weft_lft_get(&was->routes->lft, s, lid);
		uint32_t here = switch_in(was->fabric, s, f), to;

		if (here == WEFT_NONE || port == WEFT_NO_PORT ||
		    !same_cable(was->fabric, s, f, here, port))
			return true;
		to = port ? was->fabric->peer[weft_channel(was->fabric, s,
							   port)] : WEFT_NONE;
		if (!weft_is_switch(to))
			return false;
		s = to;
	}
	return true;
}

struct counts {
	uint64_t all, kept, dead, changed;
	uint64_t fresh;		/* of those that changed, there was none, */
	uint64_t broken;	/* their way was, */
	uint64_t home;		/* are what they are at home */
	uint32_t lids;		/* with an entry that is another one */
	bool lost;		/* some switch has no way to some LID */
};

/* Adds the entry of a switch; returns whether it is another one now. */
static bool look(const struct weft_standing_spec *spec,
		 const struct weft_fabric *f, const struct weft_routes *now,
		 uint32_t s, unsigned lid, struct counts *n)
{
	const struct weft_diff_side *old = &spec->standing;
	const struct weft_diff_side *home = &spec->home;
	uint32_t there = switch_in(f, s, old->fabric);
	uint32_t at_home = switch_in(f, s, home->fabric);
	uint8_t is = weft_lft_get(&now->lft, s, lid);
	uint8_t was = there == WEFT_NONE ? WEFT_NO_PORT :
		weft_lft_get(&old->routes->lft, there, lid);

	n->all++;
	n->lost |= is == WEFT_NO_PORT;
	if (was != WEFT_NO_PORT && !same_cable(old->fabric, there, f, s, was)) {
		n->dead++;
		return true;
	}
	if (was == is) {
		n->kept++;
		return false;
	}
	if (was == WEFT_NO_PORT)
		n->fresh++;
	else
		n->broken += is_broken(old, there, f, lid);
	n->changed++;
	n->home += at_home != WEFT_NONE &&
		is == weft_lft_get(&home->routes->lft, at_home, lid);
	return true;
}

static unsigned ncounted;	/* changes of which all was counted */

/* Goes from some tables to those for another fabric; every entry counts once, for
 * a reason that it has. */
static void expect_counts(const struct weft_standing_spec *spec,
			  const struct weft_fabric *f, struct weft_routes *now)
{
	struct weft_standing what;
	struct counts n = { 0 };

	ASSERT_EQ(weft_standing_run(f, spec, now, &what, NULL), 0);
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		bool changed = false;

		for (uint32_t s = 0; s < f->nsw; s++)
			if (weft_lid_owner(f, lid) != WEFT_NONE)
				changed |= look(spec, f, now, s, lid, &n);
		n.lids += changed;
	}
	if (n.lost || what.unmended)
		return;
	ncounted++;
	EXPECT_EQ(what.dead, n.dead);
	EXPECT(what.fresh <= n.fresh);
	EXPECT_EQ(what.kept + what.dead + what.given_way + what.returned +
		  what.moved + what.fresh, n.all);
	/* balance may take an entry back to where it was, or away from home */
	EXPECT(what.kept <= n.kept);
	EXPECT(what.returned <= n.home + what.moved);
	if (spec->changes)
		return;
	EXPECT_EQ(what.moved, 0);
	EXPECT_EQ(what.kept, n.kept);
	EXPECT(what.given_way <= n.broken);
	EXPECT(what.returned <= n.home);
	EXPECT_EQ(what.lids, n.lids);
}

/* Parts go, others go while these come back, and all comes back; then the same with
 * a home that has less than there is in the end. */
static void go_round(const struct weft_fabric *home, struct weft_rng *rng,
		     struct weft_standing_spec spec)
{
	struct weft_fabric *less = thin_out(home, rng, 1);
	struct weft_fabric *other = thin_out(home, rng, 2);
	struct weft_fabric *least = thin_out(less, rng, 2);
	struct weft_routes one, two, last;

	suite_case("%u switches, parts go", home->nsw);
	expect_counts(&spec, less, &one);
	spec.standing = (struct weft_diff_side){ less, &one };
	suite_case("%u switches, parts go and come", home->nsw);
	expect_counts(&spec, other, &two);
	spec.standing = (struct weft_diff_side){ other, &two };
	suite_case("%u switches, all is back", home->nsw);
	expect_counts(&spec, home, &last);
	weft_routes_free(&last);
	weft_routes_free(&two);
	spec.standing = spec.home = (struct weft_diff_side){ less, &one };
	suite_case("%u switches, more parts go", home->nsw);
	expect_counts(&spec, least, &two);
	spec.standing = (struct weft_diff_side){ least, &two };
	suite_case("%u switches, all is back and more", home->nsw);
	expect_counts(&spec, home, &last);
	weft_routes_free(&last);
	weft_routes_free(&two);
	weft_routes_free(&one);
	weft_fabric_free(least);
	weft_fabric_free(other);
	weft_fabric_free(less);
}

TEST(test_counts)
{
	for (unsigned i = 0; i < NFAMILIES * EVENTS; i++) {
		unsigned k = i / EVENTS;
		struct weft_fabric *f = route_fabric(families[k].spec, 0);
		struct weft_rng *rng = weft_rng_new(SEED + i);
		struct weft_routes routes = { .lid_offset = NULL };
		const struct weft_standing_spec spec = {
			.standing = { f, &routes }, .home = { f, &routes },
			.lanes = families[k].lanes,
			.changes = i % 2 ? WEFT_STANDING_CHANGES : 0,
		};

		ASSERT_EQ(route_by(families[k].engine, families[k].option, f,
				   &routes, NULL), 0);
		go_round(f, rng, spec);
		weft_routes_free(&routes);
		weft_fabric_free(f);
		weft_rng_free(rng);
	}
	EXPECT(ncounted > NFAMILIES * EVENTS * 3);
}
