// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A fabric gets a switch with its hosts, or a cable, that it never had: all are
 * reached at once, by tables that stand and in their lanes, and what is new is
 * used as far as the budget goes.
 */
#include "../route.h"

#include "standing/budget.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *spec, *engine, *option;
} families[] = {
	{ "pgft:2;6,8;1,6;1,1", "eftree", NULL },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "weave", "lanes=1" },
	{ "torus:4x4,hosts=2", "weave", "lanes=4" },
	{ "dragonfly:4,2,2,9", "weave", "lanes=8" },
	{ "random:20,5,3", "weave", "lanes=8" },
	{ "slimfly:5", "weave", "lanes=4" },
};

/* The fabric before a switch came with its hosts, or (WEFT_NONE) a cable. */
static struct weft_fabric *before(const struct weft_fabric *f, uint32_t without,
				  uint32_t channel)
{
	const struct weft_rate rate = { 4, WEFT_QDR };
	struct weft_builder *b = weft_builder_new();
	uint32_t *node = calloc(f->nsw + 1ull, sizeof(*node));
	struct weft_fabric *out = NULL;

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (s == without)
			continue;
		node[s] = weft_builder_node(b, WEFT_NODE_SWITCH, f->sw[s].guid,
					    f->sw[s].nports);
		weft_builder_port(b, node[s], 0)->lid = f->sw[s].lid;
	}
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i], s = f->peer[f->reverse[ch]];

		if (ch < f->reverse[ch] && s != without &&
		    f->peer[ch] != without && ch != channel &&
		    f->reverse[ch] != channel)
			weft_builder_link(b, node[s], ch - f->first_channel[s],
					  node[f->peer[ch]], f->peer_port[ch],
					  rate);
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t h;

		if (f->ep[e].sw == without)
			continue;
		h = weft_builder_node(b, WEFT_NODE_CA, f->ep[e].guid, 1);
		weft_builder_port(b, h, 1)->lid = f->ep[e].lid;
		weft_builder_link(b, h, 1, node[f->ep[e].sw],
				  f->ep[e].sw_port, rate);
	}
	ASSERT_EQ(weft_builder_finish(b, &out, NULL), 0);
	weft_builder_free(b);
	free(node);
	return out;
}

/* Entries of the tables before that are other ones now. */
static uint64_t changed(const struct weft_fabric *was,
			const struct weft_lft *a, const struct weft_fabric *f,
			const struct weft_lft *b)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < was->nsw; s++) {
		uint32_t is = weft_fabric_switch_by_guid(f, was->sw[s].guid);

		for (unsigned lid = 1; lid <= was->max_lid; lid++)
			n += weft_lid_owner(was, lid) != WEFT_NONE &&
			     weft_lft_get(a, s, lid) !=
				     weft_lft_get(b, is, lid);
	}
	return n;
}

/* Has tables tell the lane of each service level on each cable, as dumps do; those
 * that are not in use have the last lane. */
static void tell_lanes(const struct weft_fabric *f, struct weft_layers *layers)
{
	uint8_t last = layers->nvl > 1 ? layers->nvl - 1 : 0;

	layers->sl2vl = malloc(f->nch * (size_t)WEFT_NSL + 1);
	for (uint32_t ch = 0; ch < f->nch; ch++)
		for (unsigned sl = 0; sl < WEFT_NSL; sl++)
			layers->sl2vl[ch * (size_t)WEFT_NSL + sl] =
				sl < last ? sl : last;
}

static void expect_grown(unsigned family, const struct weft_fabric *f,
			 const struct weft_fabric *was, bool told)
{
	const struct weft_proof_spec prove = {
		.all_hosts = true, .switches = true, .credit_loops = true,
	};
	struct weft_routes standing = { .lid_offset = NULL };
	struct weft_routes now = { .lid_offset = NULL };
	const struct weft_standing_spec spec = {
		.standing = { was, &standing },
		.changes = WEFT_STANDING_CHANGES, .lanes = 8,
	};
	struct weft_standing what;
	struct weft_proof then, proof;

	suite_case("%s", families[family].spec);
	ASSERT_EQ(route_by(families[family].engine, families[family].option,
			   was, &standing, NULL), 0);
	if (told)
		tell_lanes(was, &standing.layers);
	ASSERT_EQ(weft_standing_run(f, &spec, &now, &what, NULL), 0);
	EXPECT_EQ(what.unmended, 0);
	EXPECT_EQ(what.dead, 0);
	EXPECT(changed(was, &standing.lft, f, &now.lft) <= what.moved);
	ASSERT_EQ(weft_proof_run(was, &standing, &prove, &then, NULL), 0);
	ASSERT_EQ(weft_proof_run(f, &now, &prove, &proof, NULL), 0);
	EXPECT_EQ(proof.unreachable, 0);
	EXPECT_EQ(proof.cyclic_vls, then.cyclic_vls);
	weft_proof_free(&proof);
	weft_proof_free(&then);
	weft_routes_free(&now);
	weft_routes_free(&standing);
}

TEST(test_switches)
{
	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++) {
		struct weft_fabric *f = route_fabric(families[i].spec, 0);

		for (uint32_t s = 0; s < f->nsw; s += 1 + f->nsw / 5) {
			struct weft_fabric *was = before(f, s, WEFT_NONE);

			expect_grown(i, f, was, false);
			expect_grown(i, f, was, true);
			weft_fabric_free(was);
		}
		weft_fabric_free(f);
	}
}

TEST(test_cables)
{
	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++) {
		struct weft_fabric *f = route_fabric(families[i].spec, 0);

		for (uint32_t k = 0; k < 5; k++) {
			struct weft_fabric *was = before(
				f, WEFT_NONE, f->adj[k * f->adj_first[f->nsw] /
						     5]);

			expect_grown(i, f, was, false);
			expect_grown(i, f, was, true);
			weft_fabric_free(was);
		}
		weft_fabric_free(f);
	}
}

/* New spines take traffic over. */
TEST(test_used)
{
	struct weft_fabric *f = route_fabric("pgft:3;4,8,12;1,4,6;1,1,1", 0);
	struct weft_fabric *was = before(f, f->nsw - 1, WEFT_NONE);
	struct weft_routes standing = { .lid_offset = NULL };
	struct weft_routes now = { .lid_offset = NULL };
	const struct weft_standing_spec spec = {
		.standing = { was, &standing },
		.changes = WEFT_STANDING_CHANGES,
	};
	struct weft_standing what;

	ASSERT_EQ(route_by("eftree", NULL, was, &standing, NULL), 0);
	ASSERT_EQ(weft_standing_run(f, &spec, &now, &what, NULL), 0);
	EXPECT(what.moved > 0);
	weft_routes_free(&now);
	weft_routes_free(&standing);
	weft_fabric_free(was);
	weft_fabric_free(f);
}

/* What is at stake: a share of all entries for what is new, nothing for what was
 * at home. */
TEST(test_stake)
{
	struct weft_fabric *f = route_fabric("torus:4x4,hosts=2", 0);
	struct weft_fabric *was = before(f, 3, WEFT_NONE);
	struct weft__match standing, home;
	uint64_t grown;

	ASSERT_EQ(weft__match_make(&standing, was, f), 0);
	ASSERT_EQ(weft__match_make(&home, f, f), 0);
	grown = weft__stake_grown(&standing, NULL);
	EXPECT_EQ(grown, 8 * 16 * f->max_lid / f->adj_first[f->nsw]);
	EXPECT_EQ(weft__stake_grown(&standing, &home), 0);
	EXPECT_EQ(weft__stake_grown(&home, NULL), 0);
	EXPECT_EQ(weft__stake_missing(&standing), 0);
	EXPECT_EQ(weft__stake_missing(&home), 0);
	weft__match_free(&standing);
	ASSERT_EQ(weft__match_make(&standing, f, was), 0);
	EXPECT_EQ(weft__stake_missing(&standing), 4);
	EXPECT_EQ(weft__stake_grown(&standing, NULL), 0);
	weft__match_free(&home);
	weft__match_free(&standing);
	weft_fabric_free(was);
	weft_fabric_free(f);
}

/* Changes are as many as keep the whole at three for each entry at stake, less
 * those that were made already, and half of one for each in any case; whoever is
 * asked for a number of them has that. */
TEST(test_budget)
{
	struct weft__stake s = {
		.changes = WEFT_STANDING_CHANGES,
		.dead = 100, .given_way = 20, .grown = 50,
	};

	EXPECT_EQ(weft__budget(&s).changes, 3 * 150 - 120);
	s.more = 7;
	EXPECT_EQ(weft__budget(&s).changes, 3 * 150 - 120 + 7);
	s.given_way = 1000;
	EXPECT_EQ(weft__budget(&s).changes, 150 / 2 + 7);
	s.changes = 5;
	EXPECT_EQ(weft__budget(&s).changes, 5);
	s.changes = 0;
	EXPECT_EQ(weft__budget(&s).changes, 0);
}

/* Blocks to compare those with that are sent for balance alone: those that are sent
 * anyway, one for each change that was owed and each four entries that new cables
 * are good for, twenty for each cable that went before; and a quarter of a block for
 * each entry at stake, from 256 of these on, less for less. */
TEST(test_anyway)
{
	struct weft__stake s = { .changes = 0, .blocks = 7 };

	EXPECT_EQ(weft__budget(&s).anyway, 7);
	s.more = 3;
	EXPECT_EQ(weft__budget(&s).anyway, 10);
	s.earlier = 2;
	EXPECT_EQ(weft__budget(&s).anyway, 50);
	s.dead = 1024;
	EXPECT_EQ(weft__budget(&s).anyway, 50 + 256);
	s.dead = 128;
	EXPECT_EQ(weft__budget(&s).anyway, 50 + 16);
	s.grown = 128;
	EXPECT_EQ(weft__budget(&s).anyway, 50 + 32 + 64);
	s.given_way = 500;
	EXPECT_EQ(weft__budget(&s).anyway, 50 + 32 + 64);
}

/* Hosts of a leaf whose trees the others have exchanged exchange them, too, unless
 * one of them weighs more. */
TEST(test_weights_stay)
{
	struct weft_fabric *f = route_fabric("pgft:2;2,3;1,2;1,1", 0);
	struct weft_routes standing = { .lid_offset = NULL };
	struct weft_routes anew = { .lid_offset = NULL };
	const struct weft_diff_side side = { f, &standing };
	struct weft_lft_diff d;
	struct weft_lft before = { .port = NULL };
	uint32_t one = f->sw_endport[f->sw_ep_first[f->ep[0].sw]];
	uint32_t other = f->sw_endport[f->sw_ep_first[f->ep[0].sw] + 1];

	ASSERT_EQ(route_by("dmodk", NULL, f, &standing, NULL), 0);
	ASSERT_EQ(route_by("dmodk", NULL, f, &anew, NULL), 0);
	/* the other leaves send to both hosts by each other's spine */
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint8_t *row = weft_lft_row(&standing.lft, s), was;

		if (s == f->ep[0].sw || f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			continue;
		was = row[f->ep[one].lid];
		row[f->ep[one].lid] = row[f->ep[other].lid];
		row[f->ep[other].lid] = was;
	}
	weft_fabric_weigh(f, one, 5);
	ASSERT_EQ(weft_lft_init(&before, anew.lft.nsw, anew.lft.max_lid), 0);
	memcpy(before.port, anew.lft.port,
	       (size_t)anew.lft.nsw * anew.lft.stride);
	ASSERT_EQ(weft_standing_liken(f, &side, true, &anew, NULL), 0);
	weft_lft_compare(&before, &anew.lft, &d);
	EXPECT_EQ(d.entries, 0);
	weft_fabric_weigh(f, one, 1);
	ASSERT_EQ(weft_standing_liken(f, &side, true, &anew, NULL), 0);
	weft_lft_compare(&standing.lft, &anew.lft, &d);
	EXPECT_EQ(d.entries, 0);
	weft_lft_free(&before);
	weft_routes_free(&anew);
	weft_routes_free(&standing);
	weft_fabric_free(f);
}
