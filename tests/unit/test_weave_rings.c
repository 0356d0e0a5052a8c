// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weave on tori and the like, whole and damaged, up to 1000 endports. */
#include "suite.h"
#include "weave_util.h"

#define GAIN 1.015

/* Tori: by dimensions, shortest ways, 2 lanes for each ring of 5 and more. */
static void test_rings(void)
{
	static const struct {
		const char *spec;
		unsigned lanes;
		bool gap;	/* one of 20 rings or fewer */
	} torus[] = {
		{ "torus:4x4x4,hosts=1", 1, false },
		{ "torus:4x2x3,hosts=2", 1, false },
		{ "torus:6x4,hosts=2", 2, false },
		{ "ring:9,hosts=2", 2, false },
		{ "torus:5x6,hosts=2,links=2", 4, false },
		{ "torus:8x6x5,hosts=1", 8, false },
		{ "hypercube:5,hosts=1", 1, false },
		{ "mesh:6x3,hosts=1", 1, false },
		{ "torus:5x6,hosts=2,links=2,fail-links=4", 4, false },
		{ "torus:6x5x4,hosts=1,fail-links=2", 4, true },
		{ "torus:4x4x4,hosts=2,fail-links=3", 1, true },
	};
	struct weft_proof_spec spec = weave_everything;

	spec.minimal = true;
	for (unsigned i = 0; i < sizeof(torus) / sizeof(torus[0]); i++) {
		struct weft_fabric *f = weave_fabric(torus[i].spec);

		for (unsigned k = 0; k < WEAVE_COUNTS; k++) {
			unsigned lanes = weave_lanes[k];
			struct weft_routes r = { 0 };
			struct weft_proof p;

			CU_ASSERT_EQUAL_FATAL(weave_route(f, lanes, NULL, &r,
							  NULL), 0);
			weave_judge(torus[i].spec, f, &r, lanes);
			CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &r, &spec, &p,
							     NULL), 0);
			CU_ASSERT_EQUAL(r.layers.nvl, lanes < torus[i].lanes ?
					lanes : torus[i].lanes);
			CU_ASSERT_EQUAL(p.nonminimal > 0, torus[i].gap ||
					lanes < torus[i].lanes);
			weft_proof_free(&p);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

/* Where many rings have gaps, minimal routes but for a few that are bent, and
 * with 8 lanes more bandwidth than without care for credit loops. */
static void test_damaged(void)
{
	static const char *const damaged[] = {
		"torus:8x8,hosts=2,fail-links=10%",
		"torus:10x10,hosts=1,fail-links=20%,seed=3",
		"torus:6x5x4,hosts=1,fail-links=15%,guids=shuffle,seed=2",
		"torus:6x6x6,hosts=1,fail-links=20%",
		"mesh:8x8,hosts=2,fail-links=10%",
		"hypercube:6,hosts=2,fail-switches=3",
	};
	struct weft_proof_spec spec = weave_everything;

	spec.minimal = true;
	for (unsigned i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		struct weft_fabric *f = weave_fabric(damaged[i]);
		double psssp = weave_worth_of_psssp(f);

		for (unsigned k = 0; k < WEAVE_COUNTS; k++) {
			unsigned lanes = weave_lanes[k];
			struct weft_routes r = { 0 };
			struct weft_proof p;

			CU_ASSERT_EQUAL_FATAL(weave_route(f, lanes,
						"effort=90", &r, NULL), 0);
			weave_judge(damaged[i], f, &r, lanes);
			CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, &r, &spec, &p,
							     NULL), 0);
			CU_ASSERT(lanes < 8 ||
				  weave_worth(f, &r.lft) > psssp * GAIN);
			if (lanes > 2) {
				CU_ASSERT(r.layers.nvl > 1);
				CU_ASSERT(p.nonminimal < p.pairs / 20);
			}
			weft_proof_free(&p);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "tori by dimensions", test_rings },
		{ "few detours around gaps", test_damaged },
		{ NULL, NULL },
	};

	return suite_run("weave on rings", tests);
}
