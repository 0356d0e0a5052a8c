// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Proofs of what changed: they hold for mended tables, and never for tables
 * that a whole proof finds a defect in.
 */
#include "../model_util.h"
#include "../route.h"

#include "standing/proven.h"

#include <stdlib.h>

#define SEED 20261125u
#define EVENTS 8
#define SPOILT 12
enum { RING = 6 };

static const struct {
	const char *spec, *engine, *option;
	bool lanes;		/* of tables of ours, told by pairs */
} families[] = {
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "eftree", NULL, false },
	{ "pgft:2;6,6;1,4;1,1", "weave", "lanes=1", false },
	{ "torus:4x4,hosts=2", "weave", "lanes=4", true },
	{ "dragonfly:4,2,2,9", "weave", "lanes=8", true },
	{ "ring:7,hosts=2", "updn", NULL, false },
};

static bool holds_whole(const struct weft_fabric *f,
			const struct weft_routes *r)
{
	struct weft__proven p;
	bool holds;

	ASSERT_EQ(weft__prove(f, r, &p, NULL), 0);
	holds = p.holds;
	weft__proven_free(&p);
	return holds;
}

/* Entry by entry, which must say what LID by LID does. */
static bool holds_again(const struct weft__proven *p,
			const struct weft_fabric *f,
			const struct weft_routes *r, uint32_t *lids)
{
	struct weft__proven plain = *p;
	bool holds, by_lids;

	plain.rank = NULL;
	ASSERT_EQ(weft__prove_again(p, f, r, &holds, lids), 0);
	ASSERT_EQ(weft__prove_again(&plain, f, r, &by_lids, lids), 0);
	EXPECT_EQ(holds, by_lids);
	return holds;
}

/* Changes an entry here and there: defects, mostly. */
static void spoil(const struct weft__proven *p, const struct weft_fabric *f,
		  const struct weft_routes *r, struct weft_rng *rng)
{
	for (unsigned i = 0; i < SPOILT; i++) {
		uint32_t s = weft_rng_below(rng, f->nsw), lids;
		unsigned lid = 1 + weft_rng_below(rng, f->max_lid);
		uint8_t *entry = weft_lft_row(&r->lft, s) + lid, was = *entry;

		*entry = weft_rng_below(rng, f->sw[s].nports + 2u);
		if (holds_again(p, f, r, &lids))
			EXPECT(holds_whole(f, r));
		*entry = was;
	}
}

/* Counts the LIDs of switches to which others send in another lane than before. */
static uint32_t in_other_lanes(const struct weft_fabric *f,
			       const struct weft_layers *was,
			       const struct weft_layers *now)
{
	uint32_t n = 0;

	if (now->form != WEFT_SL_SWITCH_PAIR || was->form != now->form)
		return 0;
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(f, lid), d, s = 0;

		if (owner == WEFT_NONE)
			continue;
		d = weft_vertex_switch(f, owner);
		while (s < f->nsw && was->table[(size_t)s * f->nsw + d] ==
					     now->table[(size_t)s * f->nsw + d])
			s++;
		n += s < f->nsw;
	}
	return n;
}

TEST(test_again)
{
	unsigned held = 0, n = 0;

	for (unsigned i = 0; i < sizeof(families) / sizeof(*families); i++) {
		struct weft_fabric *f = route_fabric(families[i].spec, 0);
		struct weft_rng *rng = weft_rng_new(SEED + i);
		struct weft__proven p;
		struct weft_routes routes = { .lid_offset = NULL };
		uint32_t lids;

		ASSERT_EQ(route_by(families[i].engine, families[i].option, f,
			  &routes, NULL), 0);
		ASSERT_EQ(weft__prove(f, &routes, &p, NULL), 0);
		ASSERT(p.holds);
		weft__proven_rank(&p, NULL);
		EXPECT(holds_again(&p, f, &routes, &lids));
		EXPECT_EQ(lids, 0);
		for (unsigned k = 0; k < EVENTS; k++) {
			const struct weft_standing_spec spec = {
				.standing = { f, &routes },
				.changes = WEFT_STANDING_CHANGES,
				.lanes = families[i].lanes ? 8 : 1,
			};
			uint32_t ch = f->adj[weft_rng_below(rng,
						f->adj_first[f->nsw])];
			struct weft_standing what;
			struct weft_fabric *less;
			struct weft_routes mended;
			bool again;

			ASSERT_EQ(weft_fabric_without(f, &ch, 1, &less, NULL),
				  0);
			ASSERT_EQ(weft_standing_run(less, &spec, &mended, &what,
				  NULL), 0);
			again = holds_again(&p, less, &mended, &lids);
			EXPECT(lids <= what.lids + what.moved +
			       in_other_lanes(f, &routes.layers,
					      &mended.layers));
			n++;
			held += again;
			if (again)
				EXPECT(holds_whole(less, &mended));
			spoil(&p, less, &mended, rng);
			/* the dead cable's entries are still there */
			EXPECT(!holds_again(&p, less, &routes, &lids));
			weft_routes_free(&mended);
			weft_fabric_free(less);
		}
		weft__proven_free(&p);
		weft_routes_free(&routes);
		weft_rng_free(rng);
		weft_fabric_free(f);
	}
	EXPECT(4 * held >= 3 * n);
}

/* Other lanes of pairs, and the same entries: all LIDs of the switches that are
 * sent to in others are proven again, and what closes a credit loop never
 * holds. */
TEST(test_lanes)
{
	static const char *const specs[] = {
		"dragonfly:4,2,2,9", "torus:5x5,hosts=1", "ring:9,hosts=1",
	};
	unsigned looped = 0, held = 0;

	for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = route_fabric(specs[i], 0);
		struct weft_rng *rng = weft_rng_new(SEED + i);
		struct weft_routes now, was;
		struct weft__proven p;
		size_t pairs = (size_t)f->nsw * f->nsw;

		/* shortest ways, which need lanes */
		ASSERT_EQ(route_by("minhop", NULL, f, &was, NULL), 0);
		ASSERT_EQ(route_by("minhop", NULL, f, &now, NULL), 0);
		ASSERT_EQ(weft_layering_if_cyclic(f, &was, 8, NULL, NULL), 0);
		ASSERT_EQ(weft_layering_if_cyclic(f, &now, 8, NULL, NULL), 0);
		ASSERT_EQ(now.layers.form, WEFT_SL_SWITCH_PAIR);
		ASSERT_EQ(weft__prove(f, &was, &p, NULL), 0);
		for (unsigned k = 0; k < 40; k++) {
			unsigned changes = 1u << k % 12;
			uint32_t lids;
			bool holds, whole;

			memcpy(now.layers.table, was.layers.table, pairs);
			/* many, of which most are of the first lane */
			while (changes--)
				now.layers.table[weft_rng_below(rng, pairs)] =
					weft_rng_below(rng, 8) ?
					0 : weft_rng_below(rng, now.layers.nvl);
			ASSERT_EQ(weft__prove_again(&p, f, &now, &holds, &lids),
				  0);
			whole = holds_whole(f, &now);
			suite_case("%s, round %u", specs[i], k);
			EXPECT_EQ(lids, in_other_lanes(f, &was.layers,
				  &now.layers));
			EXPECT(!holds || whole);
			looped += !whole;
			held += holds;
		}
		weft__proven_free(&p);
		weft_routes_free(&was);
		weft_routes_free(&now);
		weft_rng_free(rng);
		weft_fabric_free(f);
	}
	EXPECT(looped > 5 && held > 5);
}

/* --- detours -------------------------------------------------------------- */

/* Whether the way from a switch to a LID passes another one. */
static bool passes(const struct weft_fabric *f, const struct weft_lft *lft,
		   uint32_t s, uint32_t by, unsigned lid)
{
	for (uint32_t n = 0; n <= f->nsw && s != by; n++) {
		uint8_t port = weft_lft_get(lft, s, lid);

		if (!port || !weft_is_switch(f->peer[weft_channel(f, s, port)]))
			return false;
		s = f->peer[weft_channel(f, s, port)];
	}
	return true;
}

/* Has a switch send to a LID by any neighbour whose way does not come back: all
 * arrive still. */
static void take_detour(const struct weft_fabric *f, struct weft_lft *lft,
			struct weft_rng *rng)
{
	uint32_t s = weft_rng_below(rng, f->nsw);
	unsigned lid = 1 + weft_rng_below(rng, f->max_lid);
	uint32_t ch = f->adj[f->adj_first[s] + weft_rng_below(
		rng, f->adj_first[s + 1] - f->adj_first[s])];
	uint32_t owner = weft_lid_owner(f, lid);

	if (weft_vertex_switch(f, owner) != s &&
	    !passes(f, lft, f->peer[ch], s, lid))
		weft_lft_row(lft, s)[lid] = ch - f->first_channel[s];
}

/* A ring whose switches are joined by their first ports, a host on each. */
static struct weft_fabric *plain_ring(void)
{
	const struct weft_rate rate = { 4, WEFT_QDR };
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL, *out = NULL;

	for (uint32_t i = 0; i < RING; i++)
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x100 + i, 3);
	for (uint32_t i = 0; i < RING; i++) {
		weft_builder_link(b, i, 1, (i + 1) % RING, 2, rate);
		weft_builder_link(b, i, 3, weft_builder_node(
			b, WEFT_NODE_CA, 0x200 + i, 1), 1, rate);
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	ASSERT_EQ(weft_fabric_assign_lids(f, 0, &out, NULL), 0);
	weft_builder_free(b);
	weft_fabric_free(f);
	return out;
}

/* Ways that arrive, and may close a credit loop: proofs of what changed hold where
 * whole ones do, as far as they are known to, and never else. */
TEST(test_detours)
{
	static const char *const specs[][2] = {
		{ "torus:3x3,hosts=1", "updn" }, { "ring:5,hosts=2", "updn" },
		{ "random:8,3,2", "updn" }, { "full:5,hosts=2", "minhop" },
		{ NULL, "updn" },
	};
	unsigned held = 0, looped = 0;

	for (unsigned i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct weft_fabric *f = specs[i][0] ?
			route_fabric(specs[i][0], 0) : plain_ring();
		struct weft_rng *rng = weft_rng_new(SEED + i);
		struct weft_routes was = { .lid_offset = NULL };
		struct weft_routes now = { .lid_offset = NULL };
		struct weft__proven p;

		ASSERT_EQ(route_by(specs[i][1], NULL, f, &was, NULL), 0);
		ASSERT_EQ(route_by(specs[i][1], NULL, f, &now, NULL), 0);
		ASSERT_EQ(weft__prove(f, &was, &p, NULL), 0);
		ASSERT(p.holds);
		weft__proven_rank(&p, NULL);
		ASSERT(p.rank);
		for (unsigned k = 0; k < 400; k++) {
			size_t size = (size_t)was.lft.nsw * was.lft.stride;
			uint32_t lids;
			bool again, whole;

			memcpy(now.lft.port, was.lft.port, size);
			for (unsigned n = 0; n <= k % 4; n++)
				take_detour(f, &now.lft, rng);
			suite_case("case %u, round %u", i, k);
			again = holds_again(&p, f, &now, &lids);
			whole = holds_whole(f, &now);
			EXPECT(whole || !again);
			held += again;
			looped += !whole;
		}
		weft__proven_free(&p);
		weft_routes_free(&was);
		weft_routes_free(&now);
		weft_rng_free(rng);
		weft_fabric_free(f);
	}
	EXPECT(held > 300 && looped > 300);
}

/* --- new sources ---------------------------------------------------------- */

/* Sends all by the ports to the next switch of a ring, but what is for the host
 * on switch 3 by those to the one before. */
static void route_round(const struct weft_fabric *f, struct weft_routes *r)
{
	*r = (struct weft_routes){ .lid_offset = NULL };
	ASSERT_EQ(weft_lft_init(&r->lft, f->nsw, f->max_lid), 0);
	weft_layers_init(&r->layers);
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(f, lid);
		uint32_t to = weft_vertex_switch(f, owner);
		bool back = !weft_is_switch(owner) && to == 3;

		for (uint32_t s = 0; s < RING; s++) {
			uint32_t next = (s + (back ? RING - 1 : 1)) % RING;
			uint8_t port = 1;

			while (f->peer[weft_channel(f, s, port)] != next)
				port++;
			weft_lft_row(&r->lft, s)[lid] = s != to ? port :
				weft_is_switch(owner) ? 0 :
				f->ep[owner & ~WEFT_ENDPORT].sw_port;
		}
	}
}

/* The first host on a switch sends by entries that are as before, and what it sends
 * waits for what others do: only a whole proof finds the credit loop. */
TEST(test_first_host)
{
	static const unsigned hosts[RING] = { 2, 0, 0, 1 };
	static const unsigned cable[RING][2] = {
		{ 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 0 },
	};
	struct weft_fabric *f = test_fabric(RING, hosts, cable, RING, 0);
	uint32_t host = f->sw_endport[f->sw_ep_first[3]], lids;
	uint32_t channel = f->first_injection + host;
	struct weft_fabric *less = NULL;
	struct weft_routes r;
	struct weft__proven p;

	ASSERT_EQ(weft_fabric_without(f, &channel, 1, &less, NULL), 0);
	route_round(f, &r);
	EXPECT(!holds_whole(f, &r));
	ASSERT_EQ(weft__prove(less, &r, &p, NULL), 0);
	ASSERT(p.holds);
	weft__proven_rank(&p, NULL);
	EXPECT(holds_again(&p, less, &r, &lids));
	EXPECT_EQ(lids, 0);
	EXPECT(!holds_again(&p, f, &r, &lids));
	weft__proven_free(&p);
	weft_routes_free(&r);
	weft_fabric_free(less);
	weft_fabric_free(f);
}
