// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Steps from some tables to others: each mixture of old and new blocks reaches
 * everyone without a credit loop, and the others are reached in the end.
 */
#include "../route.h"

#include <weft/standing.h>

#include <stdlib.h>
#include <string.h>

#define SEED 20261125u
#define MIXTURES 6
#define MAX_STEPS 400

static const struct {
	const char *spec, *from, *from_option, *to, *to_option;
	unsigned blocks;
	bool arrives;
} families[] = {
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "psssp", NULL, "eftree", NULL, 40,
	  true },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "eftree", NULL, "weave", "lanes=1", 1,
	  true },
	{ "pgft:2;12,8;1,6;1,1", "eftree", NULL, "random", NULL, 15, false },
	{ "rack216", "updn", NULL, "weave", "lanes=1", 1000, true },
	{ "torus:4x4,hosts=2", "updn", NULL, "weave", "lanes=1", 30, false },
	{ "random:20,5,3", "updn", NULL, "weave", "lanes=1", 30, false },
};

struct change {
	const struct weft_fabric *f;
	struct weft_routes now, to;
	struct weft_rng *rng;
};

static unsigned cyclic(const struct weft_fabric *f, const struct weft_routes *r)
{
	static const struct weft_proof_spec spec = {
		.all_hosts = true, .switches = true, .credit_loops = true,
	};
	struct weft_proof p;
	unsigned n;

	ASSERT_EQ(weft_proof_run(f, r, &spec, &p, NULL), 0);
	EXPECT_EQ(p.unreachable, 0);
	n = p.cyclic_vls;
	weft_proof_free(&p);
	return n;
}

/* Some blocks of old tables are new ones already. */
static void mix(const struct change *c, const struct weft_routes *new)
{
	const struct weft_diff_side side = { c->f, &c->now };
	struct weft_routes mixed;

	ASSERT_EQ(weft_routes_carry(&side, c->f, &mixed), 0);
	for (uint32_t s = 0; s < c->f->nsw; s++)
		for (unsigned lid = 0; lid <= c->f->max_lid;
		     lid += WEFT_LFT_BLOCK)
			if (weft_rng_below(c->rng, 2))
				memcpy(weft_lft_row(&mixed.lft, s) + lid,
				       weft_lft_row(&new->lft, s) + lid,
				       WEFT_LFT_BLOCK);
	EXPECT_EQ(cyclic(c->f, &mixed), 0);
	weft_routes_free(&mixed);
}

/* Makes a step.  Returns how many entries it changed. */
static uint64_t step(struct change *c, unsigned blocks, uint64_t *left)
{
	const struct weft_standing_spec spec = {
		.standing = { c->f, &c->now }, .lanes = 1,
	};
	struct weft_standing_move what;
	struct weft_lft_diff d;
	struct weft_routes new;

	ASSERT_EQ(weft_standing_step(&spec, &c->to, blocks, &new, &what, NULL),
		  0);
	weft_lft_compare(&c->now.lft, &new.lft, &d);
	EXPECT_EQ(d.entries, what.entries);
	EXPECT(d.blocks <= blocks);
	EXPECT_EQ(d.blocks, what.blocks);
	EXPECT(!what.lanes);
	weft_lft_compare(&new.lft, &c->to.lft, &d);
	EXPECT_EQ(d.entries, what.entries_left);
	EXPECT_EQ(cyclic(c->f, &new), 0);
	for (unsigned i = 0; i < MIXTURES; i++)
		mix(c, &new);
	weft_routes_free(&c->now);
	c->now = new;
	*left = what.entries_left;
	return what.entries;
}

static void test_steps(void)
{
	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++) {
		struct weft_fabric *f = route_fabric(families[i].spec, 0);
		struct change c = { .f = f, .rng = weft_rng_new(SEED + i) };
		uint64_t left = 1;
		unsigned n = 0;

		ASSERT_EQ(route_by(families[i].from, families[i].from_option, f,
			  &c.now, NULL), 0);
		ASSERT_EQ(route_by(families[i].to, families[i].to_option, f,
			  &c.to, NULL), 0);
		ASSERT_EQ(cyclic(f, &c.now), 0);
		while (left && n < MAX_STEPS &&
		       step(&c, families[i].blocks, &left))
			n++;
		printf("%s: %u steps, %llu left\n", families[i].spec, n,
		       (unsigned long long)left);
		EXPECT(!left || !families[i].arrives);
		weft_routes_free(&c.now);
		weft_routes_free(&c.to);
		weft_rng_free(c.rng);
		weft_fabric_free(f);
	}
}

int main(void)
{
	static const struct suite_test tests[] = {
		TEST_NAMED("steps", test_steps),
		TESTS_END
	};

	return suite_run(tests);
}
