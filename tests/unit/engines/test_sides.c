// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Racks whose two switches hang on different parts of a fabric, under eftree
 * and beft: everybody crosses in the rack he is in, for as long as nearly
 * everybody is in such a rack.
 *
 *	3 spines of part A	3 spines of part B	each on all
 *	    |				|		its leaves
 *	leaf a of a rack == 4 ==  leaf b of it		8 racks
 *	lone leaf						0 to 8, of A
 */
#include "../rebuild.h"
#include "../route.h"

#include <stdlib.h>

enum { RACKS = 8, SPINES = 3, ACROSS = 4, HOSTS = 3, SEED = 20267 };

/* Switches by name: a spines, b spines, a leaves, b leaves, lone leaves. */
struct drawing {
	struct weft_builder *b;
	unsigned lid;
};

static uint32_t add_switch(struct drawing *g, const char *name, unsigned i)
{
	char text[16];
	uint32_t s = weft_builder_node(g->b, WEFT_NODE_SWITCH,
				       0x100 + g->lid, 36);

	snprintf(text, sizeof(text), "%s%u", name, i);
	weft_builder_name(g->b, s, text, strlen(text));
	weft_builder_port(g->b, s, 0)->lid = ++g->lid;
	return s;
}

/* A leaf with hosts on its first ports, then the spines from the first one. */
static uint32_t add_leaf(struct drawing *g, const char *name, unsigned i,
			 uint32_t spine, unsigned port)
{
	uint32_t s = add_switch(g, name, i);

	for (unsigned k = 0; k < HOSTS; k++) {
		uint32_t h = weft_builder_node(g->b, WEFT_NODE_CA,
					       0x10000 + g->lid, 1);

		weft_builder_port(g->b, h, 1)->lid = ++g->lid;
		weft_builder_link(g->b, h, 1, s, k + 1,
				  (struct weft_rate){ 4, WEFT_QDR });
	}
	for (unsigned k = 0; k < SPINES; k++)
		weft_builder_link(g->b, s, HOSTS + k + 1, spine + k, port,
				  (struct weft_rate){ 4, WEFT_QDR });
	return s;
}

static struct weft_fabric *draw(unsigned lone)
{
	struct drawing g = { .b = weft_builder_new() };
	struct weft_fabric *f = NULL;
	uint32_t a = 0, b = SPINES;

	for (unsigned k = 0; k < 2 * SPINES; k++)
		add_switch(&g, k < SPINES ? "top a" : "top b", k);
	for (unsigned r = 0; r < RACKS; r++) {
		uint32_t s = add_leaf(&g, "a", r, a, r + 1);
		uint32_t t = add_leaf(&g, "b", r, b, r + 1);

		for (unsigned k = 0; k < ACROSS; k++)
			weft_builder_link(g.b, s, 20 + k, t, 20 + k,
					  (struct weft_rate){ 4, WEFT_QDR });
	}
	for (unsigned r = 0; r < lone; r++)
		add_leaf(&g, "lone", r, a, RACKS + r + 1);
	ASSERT_EQ(weft_builder_finish(g.b, &f, NULL), 0);
	weft_builder_free(g.b);
	return f;
}

/* Which of the hops from switch s to a LID, from 1, leads from part to part;
 * 0: none, or several do. */
static unsigned crossing(const struct weft_fabric *f,
			 const struct weft_routes *r, uint32_t s, unsigned lid)
{
	uint32_t path[64];
	unsigned at = 0;
	size_t hops;

	ASSERT_EQ(weft_lft_walk(f, &r->lft, s, lid, (struct weft_walk_path){
		  path, 64 }, &hops), WEFT_ARRIVED);
	for (size_t k = 0; k + 1 < hops; k++) {
		const char *from = k ? f->sw[f->peer[path[k - 1]]].name :
				       f->sw[s].name;
		const char *to = f->sw[f->peer[path[k]]].name;

		if (!(from[0] == 'a' && to[0] == 'b') &&
		    !(from[0] == 'b' && to[0] == 'a'))
			continue;
		if (at)
			return 0;
		at = k + 1;
	}
	return at;
}

/* Of the pairs of a switch and a host elsewhere: how many cross at once, and
 * how many later. */
struct crossings {
	unsigned first, later;
};

static struct crossings count(const struct weft_fabric *f,
			      const struct weft_routes *r, const char *from,
			      const char *to)
{
	struct crossings c = { 0 };

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (strncmp(f->sw[s].name, from, strlen(from)))
			continue;
		for (uint32_t e = 0; e < f->nep; e++) {
			const char *there = f->sw[f->ep[e].sw].name;

			if (strncmp(there, to, strlen(to)) ||
			    !strcmp(there + 1, f->sw[s].name + 1))
				continue;
			if (crossing(f, r, s, f->ep[e].lid) == 1)
				c.first++;
			else
				c.later++;
		}
	}
	return c;
}

/* Everybody reaches everybody without a loop of any kind; the largest load. */
static uint64_t prove(const struct weft_fabric *f, const struct weft_routes *r)
{
	struct weft_proof_spec spec = { .all_hosts = true, .switches = true,
					.between_switches = true,
					.credit_loops = true, .loads = true };
	struct weft_proof p;
	uint64_t most = 0;

	ASSERT_EQ(weft_proof_run(f, r, &spec, &p, NULL), 0);
	EXPECT_EQ(p.unreachable, 0);
	EXPECT_EQ(p.cyclic_vls, 0);
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		if (p.channel_load[f->adj[e]] > most)
			most = p.channel_load[f->adj[e]];
	weft_proof_free(&p);
	return most;
}

/* Without, b crosses at once and a at the other end, but in the one rack where
 * the parts are joined for upper switches; with it, both cross at once. */
TEST(test_racks)
{
	struct weft_fabric *f = draw(0);
	struct weft_routes off = { 0 }, on = { 0 };
	unsigned pairs = RACKS * (RACKS - 1) * HOSTS;
	uint64_t most;

	ASSERT_EQ(route_by("eftree", "sides=no", f, &off, NULL), 0);
	EXPECT(count(f, &off, "b", "a").first >= (RACKS - 1) * (RACKS - 1) *
	       HOSTS);
	EXPECT_EQ(count(f, &off, "a", "b").later, pairs);
	most = prove(f, &off);
	ASSERT_EQ(route_by("eftree", NULL, f, &on, NULL), 0);
	EXPECT_EQ(count(f, &on, "b", "a").first, pairs);
	EXPECT(count(f, &on, "a", "b").first >= (RACKS - 1) * (RACKS - 1) *
	       HOSTS);
	EXPECT(prove(f, &on) < most);
	weft_routes_free(&off);
	weft_routes_free(&on);
	ASSERT_EQ(route_by("beft", NULL, f, &on, NULL), 0);
	EXPECT_EQ(count(f, &on, "b", "a").first, pairs);
	EXPECT(prove(f, &on) < most);
	weft_routes_free(&on);
	weft_fabric_free(f);
}

/* Where others have to cross as well, racks share their cables with them. */
TEST(test_lone)
{
	struct weft_fabric *f = draw(8);
	struct weft_routes r = { 0 };
	struct crossings c;

	ASSERT_EQ(route_by("eftree", NULL, f, &r, NULL), 0);
	c = count(f, &r, "a", "b");
	EXPECT(c.first > 0);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = 0; e < f->nep && f->sw[s].name[0] == 'l'; e++)
			if (f->sw[f->ep[e].sw].name[0] == 'b')
				EXPECT_EQ(crossing(f, &r, s, f->ep[e].lid), 3);
	prove(f, &r);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Upper switches turn in one rack, and use all of its cables. */
TEST(test_turns)
{
	struct weft_fabric *f = draw(0);
	struct weft_routes r = { 0 };
	bool used[RACKS * ACROSS] = { false };
	unsigned n = 0;

	ASSERT_EQ(route_by("eftree", NULL, f, &r, NULL), 0);
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t path[64];
		size_t hops;

		if (f->sw[f->ep[e].sw].name[0] != 'b')
			continue;
		ASSERT_EQ(weft_lft_walk(f, &r.lft, 0, f->ep[e].lid, (struct
			  weft_walk_path){ path, 64 }, &hops), WEFT_ARRIVED);
		for (size_t k = 1; k + 1 < hops; k++) {
			uint32_t s = f->peer[path[k - 1]];
			unsigned port = path[k] - f->first_channel[s];

			if (f->sw[s].name[0] == 'a' && port >= 20)
				used[atoi(f->sw[s].name + 1) * ACROSS + port -
				     20] = true;
		}
	}
	for (unsigned i = 0; i < RACKS * ACROSS; i++)
		n += used[i];
	EXPECT_EQ(n, ACROSS);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Switches on both sides of cables that are kept are maxima of the order: what
 * joins these has to go by other cables. */
TEST(test_kept_apart)
{
	static const char *const engine[] = { "eftree", "beft" };
	struct weft_fabric *f = route_fabric("random:27x3,7,hosts=1:0,seed=262057", -1);

	for (unsigned i = 0; i < 2; i++) {
		struct weft_routes r = { 0 };

		ASSERT_EQ(route_by(engine[i], NULL, f, &r, NULL), 0);
		prove(f, &r);
		weft_routes_free(&r);
	}
	weft_fabric_free(f);
}

TEST(test_deterministic)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned lone = 0; lone <= 8; lone += 4) {
		struct weft_fabric *f = draw(lone);
		struct weft_fabric *g = rebuild_shuffled(f, rng);
		struct weft_routes a = { 0 }, b = { 0 };
		struct weft_lft_diff diff;

		ASSERT_EQ(route_by("eftree", NULL, f, &a, NULL), 0);
		ASSERT_EQ(route_by("eftree", NULL, g, &b, NULL), 0);
		weft_lft_compare(&a.lft, &b.lft, &diff);
		EXPECT_EQ(diff.entries, 0);
		weft_routes_free(&a);
		weft_routes_free(&b);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}
