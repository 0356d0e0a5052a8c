// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Several LIDs and one failure: weft_redundancy_lids() against cutting each
 * cable and taking out each switch, routes as they are.
 */
#include "../proof_random.h"
#include "../route.h"

#include <stdlib.h>

/* --- by brute force ------------------------------------------------------- */

/* One failure: a cable, by one of its channels, or a switch. */
struct failure {
	uint32_t cable, sw;
};

/* Whether a packet from switch s to that LID arrives, after a failure. */
static bool arrives(const struct weft_fabric *f, const struct weft_lft *lft,
		    uint32_t s, unsigned lid, struct failure failed)
{
	for (uint32_t steps = 0; steps < f->nsw && s != failed.sw; steps++) {
		unsigned port = weft_lft_get(lft, s, lid);
		uint32_t ch;

		if (!port || port > f->sw[s].nports)
			return false;
		ch = weft_channel(f, s, port);
		if (f->peer[ch] == WEFT_NONE)
			return false;
		if (!weft_is_switch(f->peer[ch]))
			return f->peer[ch] == weft_lid_owner(f, lid);
		if (ch == failed.cable || f->reverse[ch] == failed.cable)
			return false;
		s = f->peer[ch];
	}
	return false;
}

/* Whether any LID of the endport still works from switch s. */
static bool works(const struct weft_fabric *f, const struct weft_lft *lft,
		  uint32_t s, uint32_t e, struct failure failed)
{
	for (unsigned o = 0; o < 1u << f->ep[e].lmc; o++)
		if (arrives(f, lft, s, f->ep[e].lid + o, failed))
			return true;
	return false;
}

/* Hosts on a switch. */
static uint32_t hosts_of(const struct weft_fabric *f, uint32_t s)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < f->nep; e++)
		n += f->ep[e].sw == s && f->ep[e].kind == WEFT_HOST;
	return n;
}

/* Whether a single cable, or a switch other than the first and the last one,
 * can part them. */
static void part(const struct weft_fabric *f, const struct weft_lft *lft,
		 uint32_t s, uint32_t e, struct weft_lid_redundancy *out)
{
	struct failure failed = { WEFT_NONE, WEFT_NONE };
	bool cable = !works(f, lft, s, e, failed), sw = cable;
	uint32_t hosts = hosts_of(f, s);

	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		failed.cable = f->adj[i];
		cable |= !works(f, lft, s, e, failed);
	}
	failed.cable = WEFT_NONE;
	for (failed.sw = 0; failed.sw < f->nsw; failed.sw++)
		if (failed.sw != s && failed.sw != f->ep[e].sw)
			sw |= !works(f, lft, s, e, failed);
	out->pairs += hosts;
	out->cable += cable ? hosts : 0;
	out->sw += sw ? hosts : 0;
}

static struct weft_lid_redundancy brute(const struct weft_fabric *f,
					const struct weft_lft *lft)
{
	struct weft_lid_redundancy out = { 0 };

	for (uint32_t e = 0; e < f->nep; e++)
		for (uint32_t s = 0; s < f->nsw; s++)
			if (f->ep[e].lmc && f->ep[e].lid &&
			    f->ep[e].kind == WEFT_HOST && f->ep[e].sw != s)
				part(f, lft, s, e, &out);
	return out;
}

static struct weft_lid_redundancy found(const struct weft_fabric *f,
					const struct weft_lft *lft)
{
	struct weft_lid_redundancy out;

	ASSERT_EQ(weft_redundancy_lids(f, lft, &out), 0);
	return out;
}

TEST(test_brute)
{
	uint64_t cables = 0, switches = 0, pairs = 0;

	for (uint32_t seed = 1; seed <= 300; seed++) {
		struct weft_rng *rng = weft_rng_new(seed);
		struct weft_fabric *f = random_fabric(rng, seed % SHAPES,
						      3 + seed % 8);
		struct weft_lid_redundancy a, b;
		struct weft_routes r = { 0 };

		random_routes(rng, f, seed / SHAPES % TABLES, &r);
		a = found(f, &r.lft);
		b = brute(f, &r.lft);
		EXPECT_EQ(a.pairs, b.pairs);
		EXPECT_EQ(a.cable, b.cable);
		EXPECT_EQ(a.sw, b.sw);
		pairs += a.pairs;
		cables += a.cable;
		switches += a.sw;
		weft_routes_free(&r);
		weft_fabric_free(f);
		weft_rng_free(rng);
	}
	EXPECT(switches < cables && cables < pairs);
}

/* --- by hand -------------------------------------------------------------- */

/*
 * Two ways that take one cable against each other:
 *
 *   source - a - b - destination        a to b, or b to a
 *      |     \ / |        |
 *      +------ b a -------+
 */
TEST(test_both_directions)
{
	static const unsigned cable[][2] = {
		{ 0, 1 }, { 0, 2 }, { 1, 2 }, { 1, 3 }, { 2, 3 },
	};
	struct weft_fabric *bare = plain_fabric(4, 4, cable, 5), *f;
	struct weft_lid_redundancy r;
	struct weft_lft lft;
	uint32_t e = 0;
	unsigned lid;

	ASSERT_EQ(weft_fabric_assign_lids(bare, 1, &f, NULL), 0);
	ASSERT_EQ(weft_lft_init(&lft, f->nsw, f->max_lid), 0);
	while (f->ep[e].sw != 3)
		e++;
	lid = f->ep[e].lid;
	for (unsigned o = 0; o < 2; o++) {
		const uint32_t way[] = { 0, 1 + o, 2 - o, 3 };

		for (unsigned i = 0; i < 3; i++)
			for (uint32_t k = f->adj_first[way[i]];
			     k < f->adj_first[way[i] + 1]; k++)
				if (f->peer[f->adj[k]] == way[i + 1])
					weft_lft_row(&lft, way[i])[lid + o] =
						f->adj[k] -
						f->first_channel[way[i]];
		weft_lft_row(&lft, 3)[lid + o] = f->ep[e].sw_port;
	}
	EXPECT(!works(f, &lft, 0, e, (struct failure){ weft_channel(f, 1,
	       weft_lft_get(&lft, 1, lid)), WEFT_NONE }));
	r = found(f, &lft);
	/* 3 sources to each of 4 hosts; to 3 of these there are no routes.
	 * From 1 and 2 one LID goes straight, the other by the other one. */
	EXPECT_EQ(r.pairs, 12);
	EXPECT_EQ(r.cable, 9 + 1);
	EXPECT_EQ(r.sw, 9 + 1);
	weft_lft_free(&lft);
	weft_fabric_free(f);
	weft_fabric_free(bare);
}

/* Routes of any length. */
TEST(test_long_routes)
{
	struct weft_fabric *f = route_fabric("ring:200,hosts=1", 1);
	struct weft_routes r = { 0 };
	struct weft_lid_redundancy all;

	ASSERT_EQ(route_by("minhop", NULL, f, &r, NULL), 0);
	all = found(f, &r.lft);
	/* half-way round a ring there are two ways, elsewhere one */
	EXPECT_EQ(all.pairs, 200 * 199);
	EXPECT(all.cable >= 200 * 198);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* --- a tree of 648 ports, LMC 1 ------------------------------------------- */

/* Cuts every cable between switches in turn, routes as they are.  Returns how
 * many pairs of hosts on different switches are left without a LID that works,
 * over all of them. */
static uint64_t cut_all(const struct weft_fabric *f, const struct weft_lft *lft,
			uint32_t *cables)
{
	uint32_t *hosts = need(calloc(f->nsw, sizeof(*hosts)));
	uint64_t lost = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		hosts[s] = hosts_of(f, s);
	*cables = 0;
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		struct failure cut = { f->adj[i], WEFT_NONE };

		if (f->reverse[cut.cable] < cut.cable)
			continue;
		++*cables;
		for (uint32_t e = 0; e < f->nep; e++)
			for (uint32_t s = 0; s < f->nsw; s++)
				if (hosts[s] && s != f->ep[e].sw &&
				    !works(f, lft, s, e, cut))
					lost += hosts[s];
	}
	free(hosts);
	return lost;
}

TEST(test_tree_of_648)
{
	static const char *const engine[] = { "weave", "psssp", "eftree" };
	for (unsigned lmc = 0; lmc < 2; lmc++) {
		struct weft_fabric *f = route_fabric("switch648", (int)lmc);

		for (unsigned i = 0; i < 3; i++) {
			struct weft_routes r = { 0 };
			uint64_t lost, pairs = 648 * 630;
			uint32_t cables;

			ASSERT_EQ(route_by(engine[i], NULL, f, &r, NULL), 0);
			lost = cut_all(f, &r.lft, &cables);
			EXPECT_EQ(cables, 648);
			/* With one LID both cables of each pair count. */
			EXPECT_EQ(lost, lmc ? 0 : 2 * pairs);
			EXPECT_EQ(found(f, &r.lft).cable, 0);
			EXPECT_EQ(found(f, &r.lft).pairs, lmc ? pairs : 0);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}
