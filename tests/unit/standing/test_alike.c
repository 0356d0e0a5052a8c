// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tables that were routed anew, with equal switches and hosts in the roles that
 * change least.
 */
#include "../model_util.h"
#include "../route.h"

#include "core/arena.h"
#include "standing/alike.h"

#include <stdlib.h>
#include <string.h>

#define SEED 20261126u

/* --- who takes which role ------------------------------------------------- */

static uint64_t sum_of(const uint64_t *gain, uint32_t n, const uint32_t *who)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += gain[i * n + who[i]];
	return sum;
}

/* The highest sum of all permutations that begin like that. */
static uint64_t best_of(const uint64_t *gain, uint32_t n, uint32_t *who,
			uint32_t done)
{
	uint64_t best = done == n ? sum_of(gain, n, who) : 0;

	for (uint32_t i = done; i < n; i++) {
		uint32_t here = who[done];
		uint64_t sum;

		who[done] = who[i];
		who[i] = here;
		sum = best_of(gain, n, who, done + 1);
		best = sum > best ? sum : best;
		who[i] = who[done];
		who[done] = here;
	}
	return best;
}

TEST(test_assign)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned k = 0; k < 300; k++) {
		struct weft_arena *arena = weft__arena_new();
		uint32_t n = 1 + k % 6, who[6], all[6], seen = 0;
		uint64_t gain[36];

		for (uint32_t i = 0; i < n * n; i++)
			gain[i] = weft_rng_below(rng, 1 + k);
		for (uint32_t i = 0; i < n; i++)
			all[i] = i;
		ASSERT(weft__assign(gain, n, who, arena));
		for (uint32_t i = 0; i < n; i++)
			seen |= 1u << who[i];
		EXPECT_EQ(seen, (1u << n) - 1);
		EXPECT_EQ(sum_of(gain, n, who),
				best_of(gain, n, all, 0));
		weft__arena_free(arena);
	}
	weft_rng_free(rng);
}

/* Most that stay who they are, of all permutations with that sum. */
static uint32_t most_stay(const uint64_t *gain, uint32_t n, uint32_t *who,
			  uint32_t done, uint64_t sum)
{
	uint32_t most = 0;

	if (done == n) {
		for (uint32_t i = 0; i < n; i++)
			most += who[i] == i;
		return sum_of(gain, n, who) == sum ? most : 0;
	}
	for (uint32_t i = done; i < n; i++) {
		uint32_t here = who[done], stay;

		who[done] = who[i];
		who[i] = here;
		stay = most_stay(gain, n, who, done + 1, sum);
		most = stay > most ? stay : most;
		who[i] = who[done];
		who[done] = here;
	}
	return most;
}

/* Of equal sums, that in which most stay who they are. */
TEST(test_stay)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned k = 0; k < 100; k++) {
		struct weft_arena *arena = weft__arena_new();
		uint32_t n = 5, who[5], all[5] = { 0, 1, 2, 3, 4 }, stay = 0;
		uint64_t gain[25];

		for (uint32_t i = 0; i < n * n; i++)
			gain[i] = weft_rng_below(rng, 3);
		ASSERT(weft__assign(gain, n, who, arena));
		for (uint32_t i = 0; i < n; i++)
			stay += who[i] == i;
		EXPECT_EQ(stay, most_stay(gain, n, all, 0,
						sum_of(gain, n, who)));
		weft__arena_free(arena);
	}
	weft_rng_free(rng);
}

/* --- tables --------------------------------------------------------------- */

/* Which of the cables of a switch to that neighbour a port has. */
static unsigned which_cable(const struct weft_fabric *f, uint32_t s,
			    unsigned port)
{
	uint32_t to = f->peer[weft_channel(f, s, port)];
	unsigned n = 0;

	for (unsigned p = 1; p < port; p++)
		n += f->peer[weft_channel(f, s, p)] == to;
	return n;
}

static unsigned port_to(const struct weft_fabric *f, uint32_t s, uint32_t to,
			unsigned which)
{
	for (unsigned p = 1; p <= f->sw[s].nports; p++)
		if (f->peer[weft_channel(f, s, p)] == to && !which--)
			return p;
	return WEFT_NO_PORT;
}

static bool same_neighbours(const struct weft_fabric *f, uint32_t a, uint32_t b)
{
	uint32_t n = f->adj_first[a + 1] - f->adj_first[a];

	if (n != f->adj_first[b + 1] - f->adj_first[b] ||
	    f->sw_ep_first[a] != f->sw_ep_first[a + 1] ||
	    f->sw_ep_first[b] != f->sw_ep_first[b + 1])
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (f->peer[f->adj[f->adj_first[a] + i]] !=
		    f->peer[f->adj[f->adj_first[b] + i]])
			return false;
	return true;
}

/* Puts switches with the same neighbours in a random order. */
static uint32_t *shuffle(const struct weft_fabric *f, struct weft_rng *rng)
{
	uint32_t *role = malloc(f->nsw * sizeof(*role));

	for (uint32_t s = 0; s < f->nsw; s++)
		role[s] = s;
	for (unsigned k = 0; k < 20 * f->nsw; k++) {
		uint32_t a = weft_rng_below(rng, f->nsw);
		uint32_t b = weft_rng_below(rng, f->nsw), was = role[a];

		if (!same_neighbours(f, a, b))
			continue;
		role[a] = role[b];
		role[b] = was;
	}
	return role;
}

/* The tables that come of these when switches have other roles. */
static struct weft_lft played(const struct weft_fabric *f,
			      const struct weft_lft *lft, const uint32_t *role)
{
	struct weft_lft out;

	ASSERT_EQ(weft_lft_init(&out, f->nsw, f->max_lid), 0);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			uint32_t owner = weft_lid_owner(f, lid), to;
			unsigned port = weft_lft_get(lft, s, lid), as = lid;

			if (owner == WEFT_NONE || port == WEFT_NO_PORT)
				continue;
			if (weft_is_switch(owner))
				as = f->sw[role[owner]].lid;
			to = port ? f->peer[weft_channel(f, s, port)] :
				    WEFT_NONE;
			if (weft_is_switch(to))
				port = port_to(f, role[s], role[to],
					       which_cable(f, s, port));
			weft_lft_row(&out, role[s])[as] = port;
		}
	return out;
}

static uint64_t differ(const struct weft_lft *a, const struct weft_lft *b)
{
	struct weft_lft_diff d;

	weft_lft_compare(a, b, &d);
	return d.entries;
}

/* Twins in other roles find back to their own, all at once. */
TEST(test_twins)
{
	static const char *const tree[] = {
		"pgft:2;4,6;1,4;1,1", "pgft:2;6,4;1,3;1,2",
		"pgft:3;3,4,4;1,3,3;1,1,1", "switch648",
	};
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < sizeof(tree) / sizeof(*tree); i++) {
		struct weft_fabric *f = route_fabric(tree[i], 0);
		struct weft_routes standing = { .lid_offset = NULL };
		struct weft_routes anew = { .lid_offset = NULL };
		const struct weft_diff_side side = { f, &standing };
		struct weft_likeness like;
		uint32_t *role = shuffle(f, rng);

		ASSERT_EQ(route_by("eftree", NULL, f, &standing,
					       NULL), 0);
		weft_layers_init(&anew.layers);
		anew.lft = played(f, &standing.lft, role);
		EXPECT(differ(&standing.lft, &anew.lft) > 0);
		ASSERT_EQ(weft_standing_liken(f, &side, false,
							  &anew, &like), 0);
		EXPECT(like.before > 0);
		EXPECT_EQ(like.after, 0);
		EXPECT_EQ(differ(&standing.lft, &anew.lft), 0);
		free(role);
		weft_routes_free(&anew);
		weft_routes_free(&standing);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Two leaves with four hosts each, and four spines, of which two have slow
 * cables. */
static struct weft_fabric *uneven(void)
{
	const struct weft_rate fast = { 4, WEFT_QDR }, slow = { 4, WEFT_DDR };
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL, *out = NULL;
	uint32_t leaf[2], spine;

	for (unsigned i = 0; i < 2; i++)
		leaf[i] = weft_builder_node(b, WEFT_NODE_SWITCH, 1 + i, 8);
	for (unsigned i = 0; i < 4; i++) {
		spine = weft_builder_node(b, WEFT_NODE_SWITCH, 11 + i, 2);
		for (unsigned k = 0; k < 2; k++) {
			uint32_t host = weft_builder_node(b, WEFT_NODE_CA,
							  21 + 2 * i + k, 1);

			weft_builder_link(b, leaf[k], 1 + i, spine, 1 + k,
					  i < 2 ? fast : slow);
			weft_builder_link(b, host, 1, leaf[k], 5 + i, fast);
		}
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	ASSERT_EQ(weft_fabric_assign_lids(f, 0, &out, NULL), 0);
	weft_fabric_free(f);
	return out;
}

/* Entries that send by a slow cable. */
static unsigned slow_entries(const struct weft_fabric *f,
			     const struct weft_lft *lft)
{
	unsigned n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			unsigned port = weft_lft_get(lft, s, lid);

			n += port && port <= f->sw[s].nports &&
			     f->capacity[weft_channel(f, s, port)] ==
				     weft_speed_capacity(4, WEFT_DDR);
		}
	return n;
}

/* Who has slower cables is no twin. */
TEST(test_uneven)
{
	struct weft_fabric *f = uneven();
	struct weft_routes standing = { .lid_offset = NULL };
	struct weft_routes anew = { .lid_offset = NULL };
	const struct weft_diff_side side = { f, &standing };
	/* fast ones are slow ones in the tables in force */
	uint32_t role[6] = { 0, 1, 4, 5, 2, 3 };
	unsigned slow;

	ASSERT_EQ(route_by("psssp", NULL, f, &anew, NULL), 0);
	weft_layers_init(&standing.layers);
	standing.lft = played(f, &anew.lft, role);
	slow = slow_entries(f, &anew.lft);
	EXPECT(slow != slow_entries(f, &standing.lft));
	ASSERT_EQ(weft_standing_liken(f, &side, false, &anew,
						  NULL), 0);
	EXPECT_EQ(slow_entries(f, &anew.lft), slow);
	weft_routes_free(&anew);
	weft_routes_free(&standing);
	weft_fabric_free(f);
}

/* Exchanges what two LIDs have in a row. */
static void exchange(uint8_t *row, unsigned a, unsigned b)
{
	uint8_t was = row[a];

	row[a] = row[b];
	row[b] = was;
}

/* Hosts whose trees are one another's take their own, in the smallest of trees,
 * too, where the root's own entries are as many as those that can change. */
TEST(test_exchanged)
{
	struct weft_fabric *f = route_fabric("pgft:2;2,2;1,2;1,1", 0);
	struct weft_routes standing = { .lid_offset = NULL };
	struct weft_routes anew = { .lid_offset = NULL };
	const struct weft_diff_side side = { f, &standing };
	struct weft_likeness like;

	ASSERT_EQ(route_by("eftree", NULL, f, &standing, NULL), 0);
	ASSERT_EQ(route_by("eftree", NULL, f, &anew, NULL), 0);
	for (uint32_t s = 0; s < f->nsw; s++) {
		ASSERT_EQ(f->ep[0].sw, f->ep[1].sw);
		if (s != f->ep[0].sw)
			exchange(weft_lft_row(&anew.lft, s), f->ep[0].lid,
				 f->ep[1].lid);
	}
	ASSERT_EQ(weft_standing_liken(f, &side, true, &anew, &like), 0);
	EXPECT(like.before > 0);
	EXPECT_EQ(like.after, 0);
	weft_routes_free(&anew);
	weft_routes_free(&standing);
	weft_fabric_free(f);
}

static double worth_of(const struct weft_fabric *f,
		       const struct weft_routes *routes)
{
	const struct weft_basket_spec spec = { .seed = 1 };

	return test_basket_worth(f, routes, &spec);
}

/* Trees that patterns need where they are stay there. */
TEST(test_worth)
{
	struct weft_fabric *f = route_fabric("pgft:2;8,8;1,8;1,1", 0);
	struct weft_routes standing = { .lid_offset = NULL };
	struct weft_routes anew = { .lid_offset = NULL };
	const struct weft_diff_side side = { f, &standing };
	struct weft_likeness like;
	double before;

	ASSERT_EQ(route_by("random", NULL, f, &standing, NULL), 0);
	ASSERT_EQ(route_by("dmodk", NULL, f, &anew, NULL), 0);
	before = worth_of(f, &anew);
	ASSERT_EQ(weft_standing_liken(f, &side, true, &anew,
						  &like), 0);
	EXPECT(worth_of(f, &anew) >= before * .995);
	weft_routes_free(&anew);
	weft_routes_free(&standing);
	weft_fabric_free(f);
}

static uint64_t sum_of_squares(const struct weft_proof *p, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t ch = 0; ch < n; ch++)
		sum += p->channel_load[ch] * p->channel_load[ch];
	return sum;
}

/* Tables of a fabric with less cables become more like those before; all that is
 * proven of them, and all loads, stay. */
static void expect_as_good(const char *tree, const char *less,
			   const char *engine, const char *option, int lmc)
{
	const struct weft_proof_spec spec = {
		.all_hosts = true, .credit_loops = true, .loads = true,
	};
	struct weft_fabric *was = route_fabric(tree, lmc), *f = NULL, *plain;
	struct weft_routes standing = { .lid_offset = NULL };
	struct weft_routes anew = { .lid_offset = NULL };
	const struct weft_diff_side side = { was, &standing };
	struct weft_proof before, after;
	struct weft_likeness like;

	plain = route_fabric(less, lmc);
	ASSERT_EQ(weft_fabric_take_lids(plain, was, &f, NULL), 0);
	ASSERT_EQ(route_by(engine, option, was, &standing, NULL),
			      0);
	ASSERT_EQ(route_by(engine, option, f, &anew, NULL), 0);
	ASSERT_EQ(weft_proof_run(f, &anew, &spec, &before, NULL),
			      0);
	ASSERT_EQ(weft_standing_liken(f, &side, true, &anew,
						  &like), 0);
	ASSERT_EQ(weft_proof_run(f, &anew, &spec, &after, NULL), 0);
	EXPECT(like.after <= like.before);
	EXPECT_EQ(after.unreachable, before.unreachable);
	EXPECT_EQ(after.loops, 0);
	EXPECT_EQ(after.cyclic_vls, before.cyclic_vls);
	EXPECT_EQ(after.load_max, before.load_max);
	EXPECT_EQ(sum_of_squares(&after, f->first_injection),
			sum_of_squares(&before, f->first_injection));
	weft_proof_free(&after);
	weft_proof_free(&before);
	weft_routes_free(&anew);
	weft_routes_free(&standing);
	weft_fabric_free(f);
	weft_fabric_free(plain);
	weft_fabric_free(was);
}

TEST(test_as_good)
{
	expect_as_good("pgft:2;4,6;1,4;1,1", "pgft:2;4,6;1,4;1,1,fail-links=2",
		       "eftree", NULL, 0);
	expect_as_good("pgft:3;3,4,4;1,3,3;1,1,1",
		       "pgft:3;3,4,4;1,3,3;1,1,1,fail-links=5%", "psssp", NULL,
		       1);
	expect_as_good("torus:4x4,hosts=3", "torus:4x4,hosts=3,fail-links=2",
		       "weave", "lanes=4", 0);
	expect_as_good("dragonfly:4,2,2,9", "dragonfly:4,2,2,9,fail-links=3",
		       "weave", "lanes=8", 1);
	expect_as_good("random:20,5,3", "random:20,5,3,fail-links=2", "psssp",
		       NULL, 0);
}

/* Service levels go along with the trees that endports exchange, of each LID, from
 * wherever these trees lead; their own switch's stay, as its entries do. */
static void expect_levels_back(enum weft_sl_form form, int lmc)
{
	struct weft_fabric *f = route_fabric("pgft:2;3,4;1,3;1,1", lmc);
	struct weft_rng *rng = weft_rng_new(SEED);
	struct weft_routes standing = { .lid_offset = NULL };
	struct weft_routes anew = { .lid_offset = NULL };
	const struct weft_diff_side side = { f, &standing };
	struct weft_layers *y = &anew.layers;
	uint32_t root = f->ep[0].sw, rows, other = WEFT_NONE;
	uint8_t *levels;
	size_t n;

	for (uint32_t e = 1; e < f->nep; e++)
		if (f->ep[e].sw == root)
			other = e;
	ASSERT(other != WEFT_NONE);
	ASSERT_EQ(route_by("dmodk", NULL, f, &standing, NULL), 0);
	ASSERT_EQ(route_by("dmodk", NULL, f, &anew, NULL), 0);
	weft_layers_free(y);
	weft_layers_init(y);
	y->form = form;
	y->nvl = 8;
	y->nep = f->nep;
	y->max_lid = f->max_lid;
	rows = form == WEFT_SL_ENDPORT_LID ? f->nep : 1;
	n = rows * (f->max_lid + 1ull);
	y->table = malloc(n);
	levels = malloc(n);
	for (size_t i = 0; i < n; i++)
		levels[i] = y->table[i] = weft_rng_below(rng, 8);
	for (unsigned o = 0; o < 1u << f->ep[0].lmc; o++) {
		unsigned a = f->ep[0].lid + o, b = f->ep[other].lid + o;

		for (uint32_t s = 0; s < f->nsw; s++)
			if (s != root)
				exchange(weft_lft_row(&anew.lft, s), a, b);
		for (uint32_t r = 0; r < rows; r++)
			if (rows == 1 || f->ep[r].sw != root)
				exchange(y->table + r * (f->max_lid + 1ull), a,
					 b);
	}
	EXPECT(differ(&standing.lft, &anew.lft) > 0);
	ASSERT_EQ(weft_standing_liken(f, &side, true, &anew, NULL), 0);
	EXPECT_EQ(differ(&standing.lft, &anew.lft), 0);
	ASSERT_MEM(y->table, levels, n);
	free(levels);
	weft_routes_free(&anew);
	weft_routes_free(&standing);
	weft_rng_free(rng);
	weft_fabric_free(f);
}

TEST(test_levels)
{
	for (int lmc = 0; lmc < 2; lmc++) {
		suite_case("LMC %d", lmc);
		expect_levels_back(WEFT_SL_DESTINATION, lmc);
		expect_levels_back(WEFT_SL_ENDPORT_LID, lmc);
	}
}
