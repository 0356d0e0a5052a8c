// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weave in one lane where closeness is no good order: trees by levels, and what is
 * no tree below the best of several roots. */
#include "model_util.h"
#include "rebuild.h"
#include "suite.h"
#include "weave_util.h"

#include <inttypes.h>

enum { SEED = 40417 };

/*
 * Two trees, joined by cables between two spines of each.  These are so close to
 * all hosts that leaves next to them are closer than the other spines, over which
 * few routes would go: levels are the better order.
 */
static void test_levels(void)
{
	enum { SPINES = 9, LEAVES = 12, ONE = SPINES + LEAVES };
	unsigned hosts[2 * ONE] = { 0 }, cable[4 * SPINES * LEAVES + 4][2];
	unsigned n = 0, used = 0;
	struct weft_routes r = { 0 };
	struct weft_fabric *f;

	for (unsigned s = 0; s < 2 * ONE; s++) {
		if (s % ONE < SPINES)
			continue;
		hosts[s] = 18;
		for (unsigned k = 0; k < 2 * SPINES; k++, n++) {
			cable[n][0] = s;
			cable[n][1] = s / ONE * ONE + k / 2;
		}
	}
	for (unsigned k = 0; k < 4; k++, n++) {
		cable[n][0] = k / 2;
		cable[n][1] = ONE + k / 2;
	}
	f = test_fabric(2 * ONE, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(weave_route(f, 1, NULL, &r, NULL), 0);
	weave_judge("two trees", f, &r, 1);
	for (unsigned lid = 1; lid <= LEAVES * 18; lid++)
		used += f->peer[weft_channel(f, SPINES, weft_lft_get(&r.lft,
				SPINES, lid))] == SPINES - 1;
	CU_ASSERT(used > LEAVES);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* An orthogonal tree of more than 1000 hosts: leaves are the points of a
 * projective plane, twice, spines its lines.  One lane, by its levels, where the
 * order by closeness makes detours. */
static void test_large_levels(void)
{
	static const unsigned line[] = { 1, 5, 11, 24, 25, 27 };
	enum { LINES = 31, LEAVES = 2 * LINES, DEGREE = 6 };
	unsigned hosts[LINES + LEAVES] = { 0 }, cable[LEAVES * DEGREE][2];
	struct weft_routes r = { 0 };
	struct weft_fabric *f;
	unsigned n = 0;

	for (unsigned s = 0; s < LEAVES; s++) {
		hosts[LINES + s] = 17;
		for (unsigned k = 0; k < DEGREE; k++)
			n += weave_join(cable + n, LINES + s,
				  (s + line[k]) % LINES, 1);
	}
	f = test_fabric(LINES + LEAVES, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(weave_route(f, 1, "effort=-1", &r, NULL), 0);
	weave_judge("orthogonal tree", f, &r, 1);
	CU_ASSERT(weave_worth(f, &r.lft) > weave_worth_of_psssp(f) * 0.98);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

static double bandwidth(const struct weft_fabric *f,
			const struct weft_routes *r)
{
	struct weft_ebb_spec spec = { .patterns = 200, .seed = SEED };
	struct weft_ebb e;

	CU_ASSERT_EQUAL_FATAL(weft_ebb_run(f, r, &spec, &e, NULL), 0);
	return e.mean;
}

/* 12 racks of two leaves, each below a tree of its own, as eftree has them: in
 * one lane no less than by that. */
static void test_racks(void)
{
	enum { SPINES = 8, LEAVES = 24, ALL = SPINES + LEAVES };
	unsigned hosts[ALL] = { 0 }, cable[4 * 12 + 8 * LEAVES + 8][2], n = 0;
	const struct weft_engine *eftree = weft_engine_find("eftree");
	struct weft_routes r = { 0 }, other = { 0 };
	struct weft_options *o;
	struct weft_fabric *f;

	for (unsigned i = 0; i < LEAVES; i++) {
		hosts[SPINES + i] = 24;
		for (unsigned k = 0; k < 4; k++)
			n += weave_join(cable + n, SPINES + i, i % 2 * 4 + k,
					2);
	}
	for (unsigned i = 0; i < LEAVES; i += 2)
		n += weave_join(cable + n, SPINES + i, SPINES + i + 1, 4);
	for (unsigned i = 0; i < SPINES; i += 2)
		n += weave_join(cable + n, i, i + 1, 2);
	f = test_fabric(ALL, hosts, cable, n, 0);
	CU_ASSERT_EQUAL_FATAL(weave_route(f, 1, NULL, &r, NULL), 0);
	weave_judge("racks", f, &r, 1);
	if (eftree) {
		CU_ASSERT_EQUAL_FATAL(weft_options_new(&o, eftree->options), 0);
		CU_ASSERT_EQUAL_FATAL(eftree->route(f, o, &other, NULL), 0);
		CU_ASSERT(bandwidth(f, &r) > bandwidth(f, &other) * 0.99);
		weft_options_free(o);
	}
	weft_routes_free(&r);
	weft_routes_free(&other);
	weft_fabric_free(f);
}

/* Below a switch that is as good as any by closeness is less than below the best
 * of several, which is the same for any order of discovery. */
static void test_roots(void)
{
	static const char *const direct[] = {
		"dragonfly:4,2,2,9", "random:84x12,15,seed=340",
	};
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < sizeof(direct) / sizeof(direct[0]); i++) {
		struct weft_routes given = { 0 }, best = { 0 }, other = { 0 };
		struct weft_fabric *f = weave_fabric(direct[i]), *g;
		char root[32];

		g = rebuild_shuffled(f, rng);
		CU_ASSERT_PTR_NOT_NULL_FATAL(g);
		snprintf(root, sizeof(root), "roots=0x%016" PRIx64,
			 f->sw[0].guid);
		CU_ASSERT_EQUAL_FATAL(weave_route(f, 1, root, &given, NULL), 0);
		CU_ASSERT_EQUAL_FATAL(weave_route(f, 1, NULL, &best, NULL), 0);
		CU_ASSERT_EQUAL_FATAL(weave_route(g, 1, NULL, &other, NULL), 0);
		weave_judge(direct[i], f, &best, 1);
		CU_ASSERT(weave_worth(f, &best.lft) >
			  weave_worth(f, &given.lft) * 1.01);
		CU_ASSERT(weave_same(f, &best, &other));
		weft_routes_free(&given);
		weft_routes_free(&best);
		weft_routes_free(&other);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "levels where spines are not central", test_levels },
		{ "the same above 1000 hosts", test_large_levels },
		{ "racks below two trees", test_racks },
		{ "the best of several roots", test_roots },
		{ NULL, NULL },
	};

	printf("seed %d\n", SEED);
	return suite_run("weave by levels", tests);
}
