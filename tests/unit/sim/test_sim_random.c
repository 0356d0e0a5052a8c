// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The packet simulator on random fabrics, tables and lanes: its invariants
 * hold, and what the proof finds free of credit loops never deadlocks.
 */
#include "../proof_random.h"
#include "../suite.h"

#include <stdlib.h>

#define ROUNDS 400

struct tally {
	unsigned runs, cyclic, deadlocks, lost;
};

/* All endports with LIDs, whatever they are; false: there are too few. */
static bool all_hosts(const struct weft_fabric *f, struct weft_mapping *out)
{
	uint32_t *given = need(malloc((f->nep + 1) * sizeof(*given)));
	struct weft_mapping_spec spec = { .order = WEFT_ORDER_GIVEN,
					  .given = given,
					  .all_hosts = true };

	for (uint32_t i = 0; i < f->nep; i++)
		if (f->ep[i].lid)
			given[spec.ngiven++] = i;
	if (spec.ngiven > 1)
		ASSERT_EQ(weft_mapping_init(out, f, &spec, NULL), 0);
	free(given);
	return spec.ngiven > 1;
}

static void simulate(struct weft_rng *rng, const struct weft_fabric *f,
		     const struct weft_routes *routes, struct tally *tally)
{
	const struct weft_proof_spec prove = { .all_hosts = true,
					       .credit_loops = true };
	struct weft_mapping mapping;
	struct weft_sim_spec spec;
	struct weft_proof proof;
	struct weft_sim out;

	if (!all_hosts(f, &mapping))
		return;
	ASSERT_EQ(weft_proof_run(f, routes, &prove, &proof, NULL), 0);
	weft_sim_preset(&spec);
	spec.mapping = &mapping;
	spec.mtu = 256;
	spec.buffer = 320u << weft_rng_below(rng, 3);
	spec.outstanding = 1 + weft_rng_below(rng, 4);
	spec.bytes = 1 + weft_rng_below(rng, 1000);
	spec.time = 30000000;
	spec.seed = weft_rng_u32(rng);
	spec.queues = weft_rng_below(rng, 2);
	spec.check = true;
	ASSERT_EQ(weft_sim_run(f, routes, &spec, &out, NULL), 0);
	EXPECT_EQ(out.violations, 0);
	if (out.deadlocked)
		EXPECT(proof.cyclic_vls > 0);
	tally->runs++;
	tally->cyclic += proof.cyclic_vls > 0;
	tally->deadlocks += out.deadlocked;
	tally->lost += out.injected > out.delivered + out.queued;
	weft_sim_free(&out);
	weft_proof_free(&proof);
	weft_mapping_free(&mapping);
}

TEST(test_random)
{
	struct weft_rng *rng = weft_rng_new(5);
	struct tally tally = { 0 };

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct weft_fabric *f = random_fabric(
			rng, i % SHAPES, 2 + weft_rng_below(rng, 12));
		struct weft_routes routes = { .how = "" };

		random_routes(rng, f, i / SHAPES % TABLES, &routes);
		random_any_layers(rng, f, SL2VLS, &routes.layers);
		simulate(rng, f, &routes, &tally);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
	printf("%u runs, %u with credit loops, %u deadlocks, %u lost packets ",
	       tally.runs, tally.cyclic, tally.deadlocks, tally.lost);
	EXPECT(tally.runs >= 300);
	EXPECT(tally.cyclic < tally.runs - 50);
	EXPECT(tally.deadlocks > 20);
	EXPECT(tally.lost > 50);
	weft_rng_free(rng);
}
