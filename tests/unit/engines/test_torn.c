// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fat trees of which little is missing: most routes are those of the whole tree,
 * which is worth more than routes that are balanced anew, and machines with
 * several ports stay independent of single switches.
 */
#include "../model_util.h"
#include "../route.h"
#include "../suite.h"
#include "weave_util.h"

static double worth_of(const struct weft_fabric *f, const struct weft_routes *r)
{
	const struct weft_basket_spec spec = { .seed = 7, .rounds = 64 };

	return test_basket_worth(f, r, &spec);
}

/* Worth of what weave makes in one lane, with options. */
static double worth_of_weave(const struct weft_fabric *f, const char *options)
{
	struct weft_routes r = { 0 };
	double worth;

	ASSERT_EQ(weave_route(f, 1, options, &r, NULL), 0);
	weave_judge(options, f, &r, 1);
	worth = worth_of(f, &r);
	weft_routes_free(&r);
	return worth;
}

/* Cables, switches and leaves that are missing; ports of machines. */
TEST(test_worth)
{
	static const char *const torn[] = {
		"pgft:3;6,6,12;1,6,6;1,1,1,fail-links=3%",
		"pgft:3;6,6,12;1,6,6;1,1,1,fail-switches=2,seed=5",
		"pgft:4;3,3,3,4;1,3,3,3;1,1,1,1,fail-links=3%",
		"pgft:3;8,4,6;1,4,4;1,2,2,fail-links=3%,guids=shuffle",
		"pgft:3;4,4,8;1,4,4;1,1,1,dual=yes,fail-links=2%",
	};

	for (unsigned i = 0; i < sizeof(torn) / sizeof(torn[0]); i++) {
		struct weft_fabric *f = weave_fabric(torn[i]);
		double numbers = worth_of_weave(f, "strategy=residue");
		double evened = worth_of_weave(f, "strategy=evened");

		printf("%.4f %.4f ", numbers, evened);
		EXPECT(numbers > 1.005 * evened);
		EXPECT(worth_of_weave(f, NULL) > .995 * numbers);
		weft_fabric_free(f);
	}
}

/* Returns the share of entries that differ between two fabrics with the same
 * switches and LIDs. */
static double share_changed(const struct weft_fabric *f,
			    const struct weft_routes *a,
			    const struct weft_routes *b)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			n += weft_lft_get(&a->lft, s, lid) !=
			     weft_lft_get(&b->lft, s, lid);
	return (double)n / f->nsw / f->max_lid;
}

/* One cable fails: most of the tables are as they were. */
TEST(test_near)
{
	static const char *const trees[] = { "pgft:3;6,6,12;1,6,6;1,1,1",
					     "pgft:2;18,36;1,18;1,1" };

	for (unsigned i = 0; i < 2; i++) {
		struct weft_routes r[2] = { 0 };
		struct weft_fabric *f[2];
		char spec[64];

		snprintf(spec, sizeof(spec), "%s,fail-links=1@up", trees[i]);
		f[0] = weave_fabric(trees[i]);
		f[1] = weave_fabric(spec);
		for (unsigned k = 0; k < 2; k++)
			ASSERT_EQ(weave_route(f[k], 1, "strategy=residue",
					      &r[k], NULL),
				  0);
		EXPECT(share_changed(f[0], &r[0], &r[1]) < .1);
		for (unsigned k = 0; k < 2; k++) {
			weft_routes_free(&r[k]);
			weft_fabric_free(f[k]);
		}
	}
}

/* Routes of eftree to the ports of machines stay apart, and are worth nearly what
 * they are in the whole tree. */
TEST(test_ports_of_machines)
{
	static const char *const torn[] = { "", ",fail-links=1@up",
					    ",fail-links=1%,seed=3" };
	double whole = 0;

	for (unsigned i = 0; i < 3; i++) {
		struct weft_routes routes = { 0 };
		struct weft_redundancy r;
		struct weft_fabric *f;
		char spec[96];
		double worth;

		snprintf(spec, sizeof(spec),
			 "pgft:3;4,4,8;1,4,4;1,1,1,dual=yes%s", torn[i]);
		f = weave_fabric(spec);
		ASSERT_EQ(route_by("eftree", NULL, f, &routes, NULL), 0);
		ASSERT_EQ(weft_redundancy_find(f, &routes.lft, &r), 0);
		EXPECT_EQ(r.needless_machines, 0);
		worth = worth_of(f, &routes);
		whole = i ? whole : worth;
		printf("%.4f ", worth);
		EXPECT(worth > .91 * whole);
		weft_redundancy_free(&r);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
}

/* Routes that were planned apart close a loop, balanced ones were led back to ways
 * that close none: whichever is taken is looked at. */
TEST(test_led_back)
{
	struct weft_fabric *f = weave_fabric(
		"pgft:4;2,5,5,4;1,1,4,1;1,1,1,1,fail-links=10%,fail-switches=3,guids=shuffle,dual=yes,seed=934039");
	struct weft_routes r = { 0 };

	ASSERT_EQ(weave_route(f, 1, "strategy=convergent", &r, NULL), 0);
	weave_judge("two ports", f, &r, 1);
	weft_routes_free(&r);
	weft_fabric_free(f);
}
