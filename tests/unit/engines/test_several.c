// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Several LIDs for each port, used together: worth more than rotated ones where
 * that can be, without a credit loop, and base LIDs do not lose.
 */
#include "../model_util.h"
#include "../route.h"
#include "weave_util.h"

enum { LMC = 2, LIDS = 1 << LMC };

static const struct {
	const char *spec;
	double gain;	/* of weave with 8 lanes over rotated LIDs, at least */
} cases[] = {
	{ "slimfly:5,hosts=2", .03 },
	{ "hyperx:4x4,hosts=4", .08 },
	{ "dragonfly:4,2,2,9", .05 },
	{ "torus:4x4,hosts=2,fail-links=2", 0 },
	{ "pgft:2;4,6;1,4;1,1", 0 },
	{ "pgft:3;4,4,4;1,4,4;1,1,1,fail-links=8%,seed=3", 0 },
	{ "random:16x4,8,seed=5", 0 },
	{ "ring:6,hosts=0:2", 0 },
};
enum { NCASES = sizeof(cases) / sizeof(cases[0]) };

static double worth(const struct weft_fabric *f, const struct weft_routes *r,
		    bool spread)
{
	const struct weft_basket_spec spec = {
		.rounds = 64, .seed = 3, .spread = spread,
	};

	return test_basket_worth(f, r, &spec);
}

static void route(const struct weft_fabric *f, unsigned lanes,
		  const char *option, struct weft_routes *out)
{
	*out = (struct weft_routes){ 0 };
	ASSERT_EQ(weave_route(f, lanes, option, out, NULL), 0);
}

TEST(test_worth)
{
	for (unsigned i = 0; i < NCASES * 2; i++) {
		const char *spec = cases[i / 2].spec;
		unsigned lanes = i % 2 ? 1 : 8;
		double least = i % 2 ? 0 : cases[i / 2].gain;
		struct weft_fabric *plain = route_fabric(spec, 0);
		struct weft_fabric *f = route_fabric(spec, LMC);
		struct weft_routes without, rotated, best;

		route(plain, lanes, NULL, &without);
		route(f, lanes, "lids=apart", &rotated);
		route(f, lanes, NULL, &best);
		weave_judge(spec, f, &best, lanes);
		EXPECT(worth(f, &best, true) >= (1 + least) * worth(f, &rotated,
		       true) * .998);
		EXPECT(worth(f, &best, false) >= .985 * worth(plain, &without,
		       false));
		weft_routes_free(&without);
		weft_routes_free(&rotated);
		weft_routes_free(&best);
		weft_fabric_free(plain);
		weft_fabric_free(f);
	}
}

/* Puts the channels between switches on the way from s to a LID into way[];
 * returns how many. */
static unsigned walk(const struct weft_fabric *f, const struct weft_routes *r,
		     uint32_t s, unsigned lid, uint32_t *way)
{
	uint32_t end = weft_vertex_switch(f, weft_lid_owner(f, lid));
	unsigned n = 0;

	while (s != end && n < 8) {
		way[n] = weft_channel(f, s, weft_lft_get(&r->lft, s, lid));
		s = f->peer[way[n++]];
	}
	return n;
}

/* True if two ways have a channel in common. */
static bool meet(const uint32_t *a, unsigned na, const uint32_t *b, unsigned nb)
{
	for (unsigned i = 0; i < na; i++)
		for (unsigned k = 0; k < nb; k++)
			if (a[i] == b[k])
				return true;
	return false;
}

/* On a Slim Fly there is one shortest way between switches two hops apart.  All
 * ways have at most three hops, and most pairs that are no neighbours have one that
 * shares no cable with that of the base LID, which is a shortest one mostly. */
TEST(test_longer)
{
	struct weft_fabric *f = route_fabric("slimfly:5,hosts=2", LMC);
	struct weft_routes r;
	unsigned pairs = 0, apart = 0, longer = 0;

	route(f, 8, NULL, &r);
	for (uint32_t s = 0; s < f->nsw; s++) {
		for (uint32_t e = 0; e < f->nep; e++) {
			uint32_t base[8], way[8];
			unsigned n = walk(f, &r, s, f->ep[e].lid, base);
			bool own = false;

			EXPECT(n <= 3);
			for (unsigned k = 1; k < LIDS; k++) {
				unsigned m = walk(f, &r, s, f->ep[e].lid + k,
						  way);

				EXPECT(m <= 3);
				own |= !meet(base, n, way, m);
			}
			pairs += n >= 2;
			apart += n >= 2 && own;
			longer += n > 2;
		}
	}
	EXPECT(apart > .9 * pairs);
	EXPECT(longer < .1 * pairs);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* The fat-tree engines do so, too, in one lane; psssp keeps LIDs apart. */
TEST(test_engines)
{
	static const char *const names[] = { "eftree", "mftree", "psssp" };
	static const char spec[] = "pgft:3;4,4,4;1,4,4;1,1,1,fail-links=5%";

	for (unsigned i = 0; i < 3; i++) {
		const struct weft_engine *engine = weft_engine_find(names[i]);
		struct weft_options *o = NULL;
		struct weft_fabric *plain = route_fabric(spec, 0);
		struct weft_fabric *f = route_fabric(spec, LMC);
		struct weft_routes without = { 0 }, r = { 0 };

		ASSERT_EQ(weft_options_new(&o, engine->options), 0);
		ASSERT_EQ(weft_route(engine, plain, o, &without, NULL), 0);
		ASSERT_EQ(weft_route(engine, f, o, &r, NULL), 0);
		if (engine->loopfree)
			weave_judge(names[i], f, &r, 1);
		EXPECT_NEAR(worth(f, &r, false), worth(plain, &without, false),
			    1e-6);
		EXPECT(worth(f, &r, true) > 1.04 * worth(f, &r, false));
		weft_routes_free(&without);
		weft_routes_free(&r);
		weft_options_free(o);
		weft_fabric_free(plain);
		weft_fabric_free(f);
	}
}

/* Everyone is reached; counts ways to further LIDs that are longer than those
 * to base LIDs. */
static void check_layers(const struct weft_fabric *f,
			 const struct weft_routes *r, bool almost,
			 unsigned *longer)
{
	struct weft_proof proof;

	ASSERT_EQ(weft_proof_run(f, r, &weave_everything, &proof, NULL), 0);
	EXPECT_EQ(proof.unreachable, 0);
	weft_proof_free(&proof);
	for (uint32_t s = 0; s < f->nsw; s++) {
		for (uint32_t e = 0; e < f->nep; e++) {
			uint32_t way[8];
			unsigned n = walk(f, r, s, f->ep[e].lid, way);

			for (unsigned k = 1; k < 1u << f->ep[e].lmc; k++) {
				unsigned m = walk(f, r, s, f->ep[e].lid + k,
						  way);

				EXPECT(m >= n && (!almost || m <= n + 1));
				*longer += m > n;
			}
		}
	}
}

/* Layers of links: the first one has shortest ways, others longer ones, and
 * those that are almost shortest are one cable longer at most. */
TEST(test_layers)
{
	static const char *const specs[] = {
		"slimfly:5,hosts=1", "dragonfly:4,2,2,9", "hyperx:4x3,hosts=2",
		"random:16x4,8,seed=5", "torus:5x5,hosts=2", "mesh:2x2,hosts=1",
		"pgft:2;4,4;1,4;1,1,fail-links=10%,seed=3",
	};
	const struct weft_engine *engine = weft_engine_find("fatpaths");

	for (unsigned i = 0; i < 2 * sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = route_fabric(specs[i / 2], LMC);
		struct weft_options *o = NULL;
		struct weft_routes r = { 0 };
		unsigned longer = 0;

		ASSERT_EQ(weft_options_new(&o, engine->options), 0);
		EXPECT_EQ(weft_options_parse(o, i % 2 ? "layers=almost" :
			  "density=0.5", NULL), 0);
		ASSERT_EQ(weft_route(engine, f, o, &r, NULL), 0);
		check_layers(f, &r, i % 2, &longer);
		/* The last ones have no ways that are one cable longer. */
		EXPECT(longer || i / 2 >= 5);
		weft_routes_free(&r);
		weft_options_free(o);
		weft_fabric_free(f);
	}
}
