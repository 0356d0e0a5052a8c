// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weave with several lanes, above 1000 endports and on what is no torus. */
#include "model_util.h"
#include "rebuild.h"
#include "suite.h"
#include "weave_util.h"

enum { SEED = 40417 };

/* Above 1000 endports, where time counts: several lanes, and routes in them that
 * are minimal but for some of the pairs that had no lane, few with more than two
 * lanes, and with one lane by the order. */
static void test_large(void)
{
	static const struct weft_proof_spec spec = { .minimal = true };
	static const char *const large[] = {
		"random:60x20,24,seed=1", "dragonfly:8,4,4,33",
	};

	for (unsigned i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		struct weft_fabric *f = weave_fabric(large[i]);

		for (unsigned k = 0; k < WEAVE_COUNTS; k++) {
			unsigned lanes = weave_lanes[k];
			struct weft_routes r = { 0 };
			struct weft_proof p;

			CU_ASSERT_EQUAL_FATAL(weave_route(f, lanes,
						"effort=-1", &r, NULL), 0);
			weave_judge(large[i], f, &r, lanes);
			CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &r, &spec, &p,
							     NULL), 0);
			CU_ASSERT_EQUAL(r.layers.nvl > 1, lanes > 1);
			CU_ASSERT_EQUAL(p.nonminimal >
					p.pairs / (lanes > 2 ? 20 : 7),
					lanes == 1);
			weft_proof_free(&p);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

/* The same tables where pairs without a lane get other ways, with two lanes by
 * orders that follow those in use. */
static void test_mended(void)
{
	static const struct weft_proof_spec spec = { .minimal = true };
	struct weft_rng *rng = weft_rng_new(SEED);
	struct weft_fabric *f = weave_fabric("random:60x20,24,seed=1");
	struct weft_fabric *g = rebuild_shuffled(f, rng);

	CU_ASSERT_PTR_NOT_NULL_FATAL(g);
	for (unsigned lanes = 4; lanes > 1; lanes -= 2) {
		struct weft_routes a = { 0 }, b = { 0 };
		struct weft_proof p;

		CU_ASSERT_EQUAL_FATAL(weave_route(f, lanes, "effort=-1", &a,
						  NULL), 0);
		CU_ASSERT_EQUAL_FATAL(weave_route(g, lanes, "effort=-1", &b,
						  NULL), 0);
		CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &a, &spec, &p, NULL),
				      0);
		CU_ASSERT(a.layers.nvl > 1);
		CU_ASSERT(p.nonminimal > 0);
		CU_ASSERT(weave_same(f, &a, &b));
		weft_proof_free(&p);
		weft_routes_free(&a);
		weft_routes_free(&b);
	}
	weft_fabric_free(f);
	weft_fabric_free(g);
	weft_rng_free(rng);
}

/* Two lanes promise more than one there, and bisections deny it. */
static void test_no_gain(void)
{
	struct weft_fabric *f = weave_fabric("deimos,fail-links=1%");
	struct weft_routes r = { 0 };

	CU_ASSERT_EQUAL_FATAL(weave_route(f, 2, NULL, &r, NULL), 0);
	CU_ASSERT_EQUAL(r.layers.nvl, 1);
	weave_judge("deimos,fail-links=1%", f, &r, 2);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* The Hoffman-Singleton graph: 50 switches, no two of them more than two hops
 * apart, of more than 1000 hosts.  Two lanes hold minimal routes, though many
 * pairs have none by two orders. */
static void test_near(void)
{
	static const struct weft_proof_spec spec = { .minimal = true };
	enum { NSW = 50, NCABLES = 175 };
	unsigned hosts[NSW], cable[NCABLES][2], n = 0;
	struct weft_routes r = { 0 };
	struct weft_fabric *f;
	struct weft_proof p;

	for (unsigned s = 0; s < NSW; s++) {
		unsigned five = s / 5 * 5, step = s < 25 ? 1 : 2;

		hosts[s] = 21;
		n += weave_join(cable + n, s, five + (s + step) % 5, 1);
		for (unsigned i = 0; i < 5 && s < 25; i++)
			n += weave_join(cable + n, s,
				  25 + 5 * i + (s / 5 * i + s) % 5, 1);
	}
	f = test_fabric(NSW, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(weave_route(f, 2, "effort=-1", &r, NULL), 0);
	weave_judge("Hoffman-Singleton", f, &r, 2);
	CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &r, &spec, &p, NULL), 0);
	CU_ASSERT_EQUAL(p.nonminimal, 0);
	weft_proof_free(&p);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* A hypercube of 7 dimensions without its last 28 switches, two of the dimensions
 * by double cables, and more than 1000 hosts.  The order makes few detours, and
 * with eight lanes care finds all pairs one. */
static void test_care(void)
{
	enum { NSW = 100, DIMENSIONS = 7, DOUBLE = 5, HOSTS = 12 };
	unsigned hosts[NSW], cable[NSW * DIMENSIONS][2], n = 0;
	struct weft_routes r = { 0 };
	struct weft_fabric *f;

	for (unsigned s = 0; s < NSW; s++) {
		hosts[s] = HOSTS;
		for (unsigned d = 0; d < DIMENSIONS; d++) {
			unsigned t = s ^ 1u << d;

			if (s < t && t < NSW)
				n += weave_join(cable + n, s, t,
						1 + (d >= DOUBLE));
		}
	}
	f = test_fabric(NSW, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(weave_route(f, 8, "effort=-1", &r, NULL), 0);
	weave_judge("part of a hypercube", f, &r, 8);
	CU_ASSERT(r.layers.nvl > 1);
	CU_ASSERT(weave_worth(f, &r.lft) > weave_worth_of_psssp(f) * 0.99);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Two lanes where nearly half of the pairs have none at first, with more and
 * with less than 1000 hosts: better than one all the same, and the same for
 * any order of discovery. */
static void test_settled(void)
{
	static const char *const few[] = {
		"random:100x11,16,seed=1", "torus:8x8,hosts=2,fail-links=10%",
	};
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < sizeof(few) / sizeof(few[0]); i++) {
		struct weft_fabric *f = weave_fabric(few[i]), *g;
		struct weft_routes one = { 0 }, two = { 0 }, other = { 0 };

		g = rebuild_shuffled(f, rng);
		CU_ASSERT_PTR_NOT_NULL_FATAL(g);
		CU_ASSERT_EQUAL_FATAL(weave_route(f, 1, "effort=-1", &one,
						  NULL), 0);
		CU_ASSERT_EQUAL_FATAL(weave_route(f, 2, "effort=-1", &two,
						  NULL), 0);
		CU_ASSERT_EQUAL_FATAL(weave_route(g, 2, "effort=-1", &other,
						  NULL), 0);
		weave_judge(few[i], f, &two, 2);
		CU_ASSERT_EQUAL(two.layers.nvl, 2);
		CU_ASSERT(weave_worth(f, &two.lft) >
			  weave_worth(f, &one.lft) * 1.1);
		CU_ASSERT(weave_same(f, &two, &other));
		weft_routes_free(&one);
		weft_routes_free(&two);
		weft_routes_free(&other);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "more than 1000 hosts", test_large },
		{ "pairs that get other ways", test_mended },
		{ "lanes that gain nothing", test_no_gain },
		{ "switches all near each other", test_near },
		{ "two lanes for many who have none", test_settled },
		{ "care where one order makes few detours", test_care },
		{ NULL, NULL },
	};

	printf("seed %d\n", SEED);
	return suite_run("weave in lanes", tests);
}
