// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Steps from some tables to others: each mixture of old and new blocks, and of
 * old and new service levels, reaches everyone without a credit loop, and the
 * others are reached in the end.
 */
#include "../route.h"

#include <weft/standing.h>

#include <stdlib.h>
#include <string.h>

#define SEED 20261125u
#define MIXTURES 6
#define MAX_STEPS 400
#define IDLE 8			/* steps in a row that move pairs alone */

static const struct {
	const char *spec, *from, *from_option, *to, *to_option;
	unsigned lanes, blocks;
	bool arrives;
} families[] = {
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "psssp", NULL, "eftree", NULL, 1, 40,
	  true },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "eftree", NULL, "weave", "lanes=1", 1, 1,
	  true },
	{ "pgft:2;12,8;1,6;1,1", "eftree", NULL, "random", NULL, 1, 15, false },
	{ "rack216", "updn", NULL, "weave", "lanes=1", 1, 1000, true },
	{ "torus:4x4,hosts=2", "updn", NULL, "weave", "lanes=1", 1, 30, true },
	{ "random:20,5,3", "updn", NULL, "weave", "lanes=1", 1, 30, false },
	/* pairs of switches change lanes, to get there or for a while */
	{ "random:20,5,3", "updn", NULL, "weave", "lanes=1", 8, 30, false },
	{ "random:20,5,3", "updn", NULL, "weave", "lanes=8", 8, 30, true },
	{ "random:20,5,3", "minhop", NULL, "weave", "lanes=8", 8, 2, true },
	{ "random:20,5,3", "weave", "lanes=8", "updn", NULL, 8, 30, true },
	{ "random:20,5,3", "psssp", NULL, "minhop", NULL, 2, 30, false },
	{ "random:40,6,4", "psssp", NULL, "weave", "lanes=8", 8, 100, true },
	{ "torus:4x4x4", "psssp", NULL, "weave", "lanes=4", 4, 100, true },
	{ "dragonfly:4,2,2,9", "minhop", NULL, "weave", "lanes=4", 8, 100,
	  true },
	{ "dragonfly:4,2,2,9", "minhop", NULL, "weave", "lanes=8", 8, 10,
	  true },
	{ "dragonfly:4,2,2,9", "psssp", NULL, "weave", "lanes=8", 8, 100,
	  true },
	{ "dragonfly:4,2,2,9", "weave", "lanes=8", "psssp", NULL, 8, 100,
	  true },
	{ "dragonfly:4,2,2,9", "updn", NULL, "weave", "lanes=8", 8, 100,
	  true },
	/* where old and new ways in any mixture have no room, they have one after
	 * the other */
	{ "dragonfly:4,2,2,9", "weave", "lanes=1", "weave", "lanes=8", 8, 60,
	  true },
	{ "dragonfly:4,1,2,9", "psssp", NULL, "weave", "lanes=8", 8, 60, true },
	{ "dragonfly:4,1,2,9", "weave", "lanes=8", "psssp", NULL, 8, 60, true },
	{ "random:40,6,3", "updn", NULL, "weave", "lanes=8", 8, 60, true },
	{ "torus:4x4x4,fail-links=3%", "minhop", NULL, "weave", "lanes=2", 2, 60,
	  true },
};

struct change {
	const struct weft_fabric *f;
	unsigned lanes;
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

static uint8_t level_of(const struct weft_layers *y, uint32_t s, uint32_t d)
{
	ASSERT(y->form == WEFT_SL_ONE || y->form == WEFT_SL_SWITCH_PAIR);
	return y->form == WEFT_SL_ONE ? y->sl :
					y->table[(size_t)s * y->nsw + d];
}

/* Some have asked for the service level of a path again, others not yet. */
static void mix_levels(const struct change *c, const struct weft_routes *new,
		       struct weft_routes *mixed)
{
	const struct weft_layers *a = &c->now.layers, *b = &new->layers;
	uint32_t n = c->f->nsw;
	struct weft_layers y = {
		.form = WEFT_SL_SWITCH_PAIR, .nsw = n,
		.nvl = a->nvl > b->nvl ? a->nvl : b->nvl,
		.table = malloc((size_t)n * n),
	};

	for (uint32_t s = 0; s < n; s++)
		for (uint32_t d = 0; d < n; d++)
			y.table[(size_t)s * n + d] =
				level_of(weft_rng_below(c->rng, 2) ? a : b, s,
					 d);
	weft_layers_free(&mixed->layers);
	mixed->layers = y;
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
	mix_levels(c, new, &mixed);
	EXPECT_EQ(cyclic(c->f, &mixed), 0);
	weft_routes_free(&mixed);
}

/* Pairs of switches that have another service level in one direction at
 * least. */
static uint64_t pairs_apart(const struct change *c, const struct weft_routes *x,
			    const struct weft_routes *y)
{
	bool one_way = x->layers.one_way || y->layers.one_way;
	uint64_t n = 0;

	for (uint32_t s = 0; s < c->f->nsw; s++)
		for (uint32_t d = one_way ? 0 : s; d < c->f->nsw; d++)
			n += level_of(&x->layers, s, d) !=
			     level_of(&y->layers, s, d);
	return n;
}

/* Makes a step. */
static struct weft_standing_move step(struct change *c, unsigned blocks)
{
	const struct weft_standing_spec spec = {
		.standing = { c->f, &c->now }, .lanes = c->lanes,
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
	EXPECT_EQ(pairs_apart(c, &new, &c->to), what.pairs_left);
	EXPECT(pairs_apart(c, &new, &c->now) <= what.pairs);
	EXPECT(what.pairs <= 64 * blocks);
	EXPECT(new.layers.nvl <= c->lanes);
	EXPECT_EQ(cyclic(c->f, &new), 0);
	for (unsigned i = 0; i < MIXTURES; i++)
		mix(c, &new);
	weft_routes_free(&c->now);
	c->now = new;
	return what;
}

/* Makes steps while they lead on.  Returns how many. */
static unsigned go(struct change *c, unsigned blocks,
		   struct weft_standing_move *last)
{
	unsigned n = 0, idle = 0;
	uint64_t least = 0;

	do {
		*last = step(c, blocks);
		n++;
		idle = last->entries || last->pairs_left < least ? 0 : idle + 1;
		if (!idle)
			least = last->pairs_left;
	} while ((last->entries_left || last->pairs_left) &&
		 (last->entries || last->pairs) && idle < IDLE &&
		 n < MAX_STEPS);
	return n;
}

static bool same_layers(const struct change *c)
{
	const struct weft_layers *x = &c->now.layers, *y = &c->to.layers;

	return x->form == y->form && x->nvl == y->nvl &&
	       x->one_way == y->one_way && !pairs_apart(c, &c->now, &c->to);
}

TEST(test_steps)
{
	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++) {
		struct weft_fabric *f = route_fabric(families[i].spec, 0);
		struct change c = {
			.f = f, .lanes = families[i].lanes,
			.rng = weft_rng_new(SEED + i),
		};
		struct weft_standing_move last;
		unsigned n;

		ASSERT_EQ(route_by(families[i].from, families[i].from_option, f,
			  &c.now, NULL), 0);
		ASSERT_EQ(route_by(families[i].to, families[i].to_option, f,
			  &c.to, NULL), 0);
		ASSERT_EQ(weft_layering_if_cyclic(f, &c.now, c.lanes, NULL,
						 NULL), 0);
		ASSERT_EQ(weft_layering_if_cyclic(f, &c.to, c.lanes, NULL,
						 NULL), 0);
		ASSERT_EQ(cyclic(f, &c.now), 0);
		n = go(&c, families[i].blocks, &last);
		printf("%s, %u lanes: %u steps, %llu entries and %llu pairs left\n",
		       families[i].spec, c.lanes, n,
		       (unsigned long long)last.entries_left,
		       (unsigned long long)last.pairs_left);
		EXPECT(!families[i].arrives ||
		       (!last.entries_left && same_layers(&c)));
		weft_routes_free(&c.now);
		weft_routes_free(&c.to);
		weft_rng_free(c.rng);
		weft_fabric_free(f);
	}
}

/* Of blocks that gain as much, in each of which one entry changes, the first
 * one is sent first: two leaves with 80 hosts send by two spines, half of them by
 * either, and entries for some go to the other spine. */
TEST(test_ties)
{
	struct weft_fabric *f = route_fabric("pgft:2;80,2;1,2;1,1", 0);
	struct change c = { .f = f, .lanes = 1, .rng = weft_rng_new(SEED) };
	struct weft_standing_move last;
	uint32_t far, leaf = 0;
	unsigned up[2], n = 0, blocks = 0;

	ASSERT_EQ(route_by("dmodk", NULL, f, &c.now, NULL), 0);
	ASSERT_EQ(route_by("dmodk", NULL, f, &c.to, NULL), 0);
	while (f->sw_ep_first[leaf] == f->sw_ep_first[leaf + 1])
		leaf++;
	far = leaf + 1;
	while (f->sw_ep_first[far] == f->sw_ep_first[far + 1])
		far++;
	for (uint32_t i = f->adj_first[leaf]; i < f->adj_first[leaf + 1]; i++)
		up[n++] = f->adj[i] - f->first_channel[leaf];
	ASSERT_EQ(n, 2);
	/* one entry of each block, all of them from the same spine */
	for (unsigned first = 0; first <= f->max_lid; first += 64)
		for (unsigned lid = first; lid < first + 64; lid++) {
			uint32_t owner = weft_lid_owner(f, lid);

			if (owner == WEFT_NONE || weft_is_switch(owner) ||
			    f->ep[owner & ~WEFT_ENDPORT].sw != far ||
			    weft_lft_get(&c.now.lft, leaf, lid) != up[0])
				continue;
			weft_lft_row(&c.to.lft, leaf)[lid] = up[1];
			break;
		}
	last.blocks_left = 99;
	for (; last.blocks_left && blocks < 10; blocks++) {
		const uint8_t *was, *is;
		struct weft_routes before = { .lid_offset = NULL };
		size_t size = (size_t)c.now.lft.nsw * c.now.lft.stride;

		ASSERT_EQ(weft_lft_init(&before.lft, f->nsw, f->max_lid), 0);
		memcpy(before.lft.port, c.now.lft.port, size);
		last = step(&c, 1);
		EXPECT_EQ(last.blocks, 1);
		EXPECT_EQ(last.entries, 1);
		was = weft_lft_row(&before.lft, leaf);
		is = weft_lft_row(&c.now.lft, leaf);
		/* the first that differs from the target is done, no other */
		n = 0;
		while (was[n] == weft_lft_get(&c.to.lft, leaf, n))
			n++;
		for (unsigned lid = 0; lid <= f->max_lid; lid++)
			EXPECT_EQ(is[lid] != was[lid], lid == n);
		weft_routes_free(&before);
	}
	ASSERT_WITHIN(blocks, 2, 3); /* of up to 164 LIDs */
	EXPECT_EQ(last.entries_left, 0);
	weft_routes_free(&c.now);
	weft_routes_free(&c.to);
	weft_rng_free(c.rng);
	weft_fabric_free(f);
}

/* What no step changes: the LIDs that hosts choose, and service levels that are not
 * those of pairs of switches, or need more lanes than there are.  None is made. */
static void expect_none(const struct weft_fabric *f, const struct weft_routes *now,
			const struct weft_routes *to, unsigned lanes)
{
	const struct weft_standing_spec spec = {
		.standing = { f, now }, .lanes = lanes,
	};
	struct weft_standing_move what;
	struct weft_routes new;
	struct weft_lft_diff d;

	ASSERT_EQ(weft_standing_step(&spec, to, 100, &new, &what, NULL), 0);
	EXPECT(what.lanes);
	EXPECT_EQ(what.entries + what.blocks + what.pairs, 0);
	weft_lft_compare(&now->lft, &to->lft, &d);
	EXPECT_EQ(what.entries_left, d.entries);
	EXPECT_EQ(what.blocks_left, d.blocks);
	weft_lft_compare(&now->lft, &new.lft, &d);
	EXPECT_EQ(d.entries, 0);
	weft_routes_free(&new);
}

TEST(test_no_step)
{
	struct weft_fabric *f = route_fabric("torus:5x5,hosts=1", 0);
	struct weft_routes now = { .lid_offset = NULL };
	struct weft_routes to = { .lid_offset = NULL };
	struct weft_layers *y = &to.layers;
	size_t pairs = (size_t)f->nsw * f->nsw;

	ASSERT_EQ(route_by("updn", NULL, f, &now, NULL), 0);
	ASSERT_EQ(route_by("minhop", NULL, f, &to, NULL), 0);
	ASSERT_EQ(weft_layering_if_cyclic(f, &to, 8, NULL, NULL), 0);
	ASSERT(y->form == WEFT_SL_SWITCH_PAIR && y->nvl > 1);
	suite_case("too many lanes");
	expect_none(f, &now, &to, y->nvl - 1);
	suite_case("a level that is no lane");
	y->table[pairs - 2] += y->nvl;
	expect_none(f, &now, &to, 8);
	y->table[pairs - 2] -= y->nvl;
	y->sl = y->nvl;
	expect_none(f, &now, &to, 8);
	y->sl = 0;
	suite_case("levels by destination");
	y->form = WEFT_SL_DESTINATION;
	y->max_lid = f->max_lid;
	ASSERT(f->max_lid < pairs);
	expect_none(f, &now, &to, 8);
	y->form = WEFT_SL_SWITCH_PAIR;
	suite_case("LIDs that hosts choose");
	now.lid_offset = calloc(f->nep, 1);
	expect_none(f, &now, &to, 8);
	to.lid_offset = calloc(f->nep, 1);
	to.lid_offset[f->nep - 1] = 1;
	expect_none(f, &now, &to, 8);
	weft_routes_free(&now);
	weft_routes_free(&to);
	weft_fabric_free(f);
}
