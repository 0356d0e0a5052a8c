// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What standing tables are worth without a cable, beside those that the engine
 * makes anew, and what that takes. */
#include "../model_util.h"
#include "../route.h"

#include <weft/standing.h>
#include <weft/worth.h>

#define SEED 20261126u
#define EVENTS 2

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
	struct weft_routes anew;
	struct weft_fabric *f;

	ASSERT_EQ(weft_fabric_without(home, &channel, 1, &f, NULL), 0);
	mend(f, spec, 0, &alone);
	what = mend(f, spec, WEFT_STANDING_CHANGES, &relieved);
	EXPECT(relieved >= alone * 0.99);
	EXPECT(what.given_way + what.moved <= 2 * what.dead ||
	       what.moved <= what.dead / 2);
	ASSERT_EQ(route_by(families[family].engine, families[family].option, f,
			   &anew, NULL), 0);
	*ratio += relieved / worth_of(f, &anew) / EVENTS;
	weft_routes_free(&anew);
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
