// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Credit loops that the proof finds lock up in the simulator, under no more
 * traffic than the proof names: a flow for each dependency of a loop.
 */
#include "sim_util.h"

#define US 1000000ull /* ps */
#define HOSTS 3	      /* of a switch that send */

static uint32_t rank_of(const struct sim_case *c, uint32_t vertex)
{
	for (uint32_t r = 0; r < c->mapping.nranks; r++)
		if (c->mapping.endport[r] == (vertex & ~WEFT_ENDPORT))
			return r;
	return WEFT_NONE;
}

/* Adds the flow of a dependency, and the same from the next host of the switch,
 * as one alone has no more than its turn at each output, which the next switch
 * can pass on.  Returns how many there are then. */
static uint32_t add_flows(struct sim_case *c, const struct weft_flow *by,
			  struct weft_pair *pair, uint32_t n)
{
	uint32_t sw = c->f->ep[by->source & ~WEFT_ENDPORT].sw, more = 0;

	for (uint32_t r = 0; r < c->mapping.nranks && more < HOSTS; r++) {
		uint32_t ep = c->mapping.endport[r];

		if (c->f->ep[ep].sw != sw)
			continue;
		pair[n] = (struct weft_pair){ r, rank_of(c, by->dest) };
		ASSERT(pair[n].to != WEFT_NONE);
		n += pair[n].from != pair[n].to;
		more++;
	}
	return n;
}

/* Has the traffic of a loop send; whether it ends in a deadlock. */
static bool locks_up(struct sim_case *c, const struct weft_cycle *cycle)
{
	struct weft_pair *pair = malloc(HOSTS * cycle->n * sizeof(*pair));
	struct weft_sim out;
	uint32_t n = 0;
	bool dead;

	ASSERT(pair != NULL);
	for (uint32_t i = 0; i < cycle->n; i++)
		n = add_flows(c, &cycle->by[i], pair, n);
	c->spec.endless = true;
	c->spec.time = 3000 * US;
	c->spec.buffer = 2 * 2112;
	out = sim_pairs(c, pair, n, 2048);
	dead = out.deadlocked;
	if (dead) {
		EXPECT(out.deadlock.n >= 2);
		EXPECT(out.deadlock.n <= cycle->n);
	}
	weft_sim_free(&out);
	free(pair);
	return dead;
}

/* Runs the loops that are found, at most that many; returns how many lock up. */
static unsigned run_loops(const char *fabric, const char *engine, uint32_t most,
			  uint32_t *tried)
{
	const struct weft_proof_spec prove = { .credit_loops = true,
					       .explain = true };
	struct sim_case c = sim_make(fabric, engine);
	struct weft_proof proof;
	unsigned dead = 0;

	ASSERT_EQ(weft_proof_run(c.f, &c.routes, &prove, &proof, NULL), 0);
	*tried = proof.ncycles < most ? proof.ncycles : most;
	for (uint32_t i = 0; i < *tried; i++)
		dead += locks_up(&c, &proof.cycle[i]);
	weft_proof_free(&proof);
	sim_free(&c);
	return dead;
}

TEST(test_loops)
{
	static const struct {
		const char *fabric, *engine;
	} runs[] = {
		{ "ring:4,hosts=2", "minhop" },
		{ "ring:6,hosts=2", "minhop" },
		{ "torus:5x5,hosts=3", "minhop" },
		{ "dragonfly:4,2,2,9", "minhop" },
		{ "random:8,4,3,seed=5", "psssp" },
		{ "deimos", "psssp" },
	};
	unsigned all = 0, dead = 0;

	for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		uint32_t tried;
		unsigned here =
			run_loops(runs[i].fabric, runs[i].engine, 8, &tried);

		printf("%s %u/%u ", runs[i].fabric, here, tried);
		EXPECT(here > 0);
		all += tried;
		dead += here;
	}
	EXPECT(2 * dead >= all);
}
