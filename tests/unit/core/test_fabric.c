// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Builder, fabric, LIDs, and walking routes. */
#include "core/listed.h"
#include "../suite.h"

#include <weft/fabric.h>
#include <weft/lft.h>
#include <weft/rng.h>

#include <errno.h>

enum { LEAVES = 3, HOSTS = 2, SPINES = 2 };
#define LEAF_GUID(l) (0x1000 + (l))
#define SPINE_GUID(s) (0x2000 + (s))
#define HOST_GUID(l, h) (0x100 + 16 * (l) + (h))

static uint32_t add_switch(struct weft_builder *b, uint64_t guid,
			   unsigned nports, unsigned lid)
{
	uint32_t n = weft_builder_node(b, WEFT_NODE_SWITCH, guid, nports);

	weft_builder_port(b, n, 0)->lid = lid;
	return n;
}

static uint32_t add_host(struct weft_builder *b, uint64_t guid, unsigned lid)
{
	uint32_t n = weft_builder_node(b, WEFT_NODE_CA, guid, 1);

	weft_builder_port(b, n, 1)->lid = lid;
	return n;
}

/*
 * Three leaves with two hosts each under two spines:
 *   leaf ports 1,2 hosts; 3,4 spines.  spine ports 1..3 leaves.
 * LIDs: leaf l 1+l, spine s 4+s, host h of leaf l 10+2l+h.
 * Nodes are added in the order of perm[] (of 11).
 */
static struct weft_builder *small_tree(const uint32_t *perm)
{
	struct weft_builder *b = weft_builder_new();

	for (unsigned k = 0; k < LEAVES + SPINES + LEAVES * HOSTS; k++) {
		unsigned i = perm ? perm[k] : k;

		if (i < LEAVES)
			add_switch(b, LEAF_GUID(i), 4, 1 + i);
		else if (i < LEAVES + SPINES)
			add_switch(b, SPINE_GUID(i - LEAVES), 3, 1 + i);
		else
			add_host(b, HOST_GUID((i - 5) / 2, (i - 5) % 2),
				 10 + i - 5);
	}
	for (unsigned l = 0; l < LEAVES; l++) {
		uint32_t leaf = weft_builder_find(b, LEAF_GUID(l));

		for (unsigned h = 0; h < HOSTS; h++)
			EXPECT_EQ(weft_builder_link(b, leaf, 1 + h,
				  weft_builder_find(b, HOST_GUID(l, h)), 1,
				  (struct weft_rate){ 4, WEFT_EDR }), 0);
		for (unsigned s = 0; s < SPINES; s++)
			EXPECT_EQ(weft_builder_link(b, leaf, 3 + s,
				  weft_builder_find(b, SPINE_GUID(s)), 1 + l,
				  (struct weft_rate){ 4, WEFT_HDR }), 0);
	}
	return b;
}

static struct weft_fabric *finish(struct weft_builder *b,
				  struct suite_words *w)
{
	struct weft_diag d = { .emit = suite_hear, .context = w };
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_builder_finish(b, &f, w ? &d : NULL), 0);
	EXPECT_EQ(weft_fabric_check(f, NULL), 0);
	weft_builder_free(b);
	return f;
}

TEST(test_small_tree)
{
	struct weft_fabric *f = finish(small_tree(NULL), NULL);

	EXPECT_EQ(f->nsw, 5);
	EXPECT_EQ(f->nep, 6);
	EXPECT_EQ(f->nlinks, 12);
	EXPECT_EQ(f->nhosts, 6);
	EXPECT_EQ(f->adj_first[5], 12);
	EXPECT_EQ(f->max_lid, 15);
	EXPECT_EQ(weft_lid_owner(f, 9), WEFT_NONE);
	EXPECT_EQ(weft_lid_owner(f, 16), WEFT_NONE);
	EXPECT_EQ(weft_lid_owner(f, 15), 5 | WEFT_ENDPORT);
	EXPECT_EQ(f->capacity[weft_channel(f, 0, 3)], 200000);
	EXPECT_EQ(f->capacity[weft_channel(f, 0, 1)], 100000);
	EXPECT_EQ(weft_fabric_switch_by_guid(f, SPINE_GUID(1)), 4);
	EXPECT_EQ(weft_fabric_switch_by_guid(f, 3), WEFT_NONE);
	EXPECT_EQ(weft_fabric_endport_by_guid(f, HOST_GUID(2, 1)), 5);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 0; p <= f->sw[s].nports; p++)
			EXPECT_EQ(weft_channel_switch(f, weft_channel(f, s, p)),
				  s);
	EXPECT_EQ(weft_channel_switch(f, f->first_injection), WEFT_NONE);
	weft_fabric_free(f);
}

/* Everything but the order of discovery must come out the same. */
TEST(test_order_is_canonical)
{
	struct weft_fabric *f = finish(small_tree(NULL), NULL);
	struct weft_rng *rng = weft_rng_new(3);
	uint32_t perm[11];

	for (unsigned i = 0; i < 11; i++)
		perm[i] = i;
	for (int round = 0; round < 20; round++) {
		struct weft_fabric *g;

		weft_rng_shuffle(rng, perm, 11);
		g = finish(small_tree(perm), NULL);
		ASSERT_EQ(g->nch, f->nch);
		EXPECT(!memcmp(g->peer, f->peer, f->nch * 4));
		EXPECT(!memcmp(g->reverse, f->reverse, f->nch * 4));
		EXPECT(!memcmp(g->adj, f->adj, f->adj_first[5] * 4));
		EXPECT(!memcmp(g->lid_owner, f->lid_owner, (f->max_lid + 1) *
		       4));
		for (uint32_t e = 0; e < f->nep; e++)
			EXPECT_EQ(g->ep[e].guid, f->ep[e].guid);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
	weft_fabric_free(f);
}

TEST(test_link_conflicts)
{
	struct weft_builder *b = weft_builder_new();
	uint32_t x = add_switch(b, 1, 4, 1), y = add_switch(b, 2, 4, 2);
	uint32_t h = add_host(b, 3, 3);

	EXPECT_EQ(weft_builder_link(b, x, 1, y, 1, (struct weft_rate){ 4,
		  WEFT_SDR }), 0);
	EXPECT_EQ(weft_builder_link(b, y, 1, x, 1, (struct weft_rate){ 4,
		  WEFT_SDR }), 0);
	EXPECT_EQ(weft_builder_link(b, x, 1, y, 2, (struct weft_rate){ 4, 1 }),
		  -EEXIST);
	EXPECT_EQ(weft_builder_link(b, x, 2, y, 1, (struct weft_rate){ 4, 1 }),
		  -EEXIST);
	EXPECT_EQ(weft_builder_link(b, x, 5, y, 2, (struct weft_rate){ 4, 1 }),
		  -EINVAL);
	EXPECT_EQ(weft_builder_link(b, x, 0, y, 2, (struct weft_rate){ 4, 1 }),
		  -EINVAL);
	EXPECT_EQ(weft_builder_link(b, x, 3, x, 3, (struct weft_rate){ 4, 1 }),
		  -EINVAL);
	EXPECT_EQ(weft_builder_link(b, x, 3, x, 4, (struct weft_rate){ 4, 1 }),
		  0);
	EXPECT_EQ(weft_builder_link(b, h, 2, x, 2, (struct weft_rate){ 4, 1 }),
		  -EINVAL);
	EXPECT_EQ(weft_builder_link(b, h, 1, x, 2, (struct weft_rate){ 4, 1 }),
		  0);
	struct weft_fabric *f = finish(b, NULL);

	EXPECT_EQ(f->nlinks, 3);
	EXPECT_EQ(f->adj_first[2], 2);	/* the loop cable is no way */
	weft_fabric_free(f);
}

TEST(test_bad_lids)
{
	struct weft_builder *b = small_tree(NULL);
	struct suite_words w = { 0 };
	struct weft_fabric *f;
	uint32_t h = weft_builder_find(b, HOST_GUID(2, 1));

	weft_builder_port(b, h, 1)->lid = 0xC000;
	f = finish(b, &w);
	EXPECT(strstr(w.text, "no unicast LID"));
	EXPECT_EQ(f->ep[5].lid, 0);
	weft_fabric_free(f);

	b = small_tree(NULL);
	weft_builder_port(b, h, 1)->lid = 4;
	f = finish(b, &w);
	EXPECT(strstr(w.text, "LID 4 "));
	EXPECT_EQ(f->ep[5].lid, 0);
	EXPECT_EQ(weft_lid_owner(f, 4), 3);
	weft_fabric_free(f);
}

TEST(test_duplicate_guids)
{
	struct weft_builder *b = small_tree(NULL);
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_fabric *f = NULL;

	add_switch(b, LEAF_GUID(1), 4, 0);
	EXPECT_EQ(weft_builder_finish(b, &f, &d), -EINVAL);
	EXPECT(!f);
	EXPECT(strstr(w.text, "two switches"));
	weft_builder_free(b);

	b = small_tree(NULL);
	for (unsigned h = 0; h < 2; h++)
		weft_builder_port(b, weft_builder_find(b, HOST_GUID(0, h)),
				  1)->guid = 77;
	EXPECT_EQ(weft_builder_finish(b, &f, &d), -EINVAL);
	EXPECT(strstr(w.text, "two ports"));
	weft_builder_free(b);
}

/* A CA with two cabled ports is one node with two endports; a third port that
 * leads to another CA is left out. */
TEST(test_multi_homed)
{
	struct weft_builder *b = weft_builder_new();
	uint32_t x = add_switch(b, 1, 4, 1), y = add_switch(b, 2, 4, 2);
	uint32_t two = weft_builder_node(b, WEFT_NODE_CA, 0x50, 3);
	uint32_t one = add_host(b, 0x10, 9);
	uint32_t agg = weft_builder_node(b, WEFT_NODE_CA, 0x60, 1);
	struct suite_words w = { 0 };
	struct weft_fabric *f;

	weft_builder_name(b, agg, "Mellanox Technologies Aggregation Node xx",
			  38);
	EXPECT_EQ(weft_builder_link(b, two, 1, x, 1, (struct weft_rate){ 0, 0
		  }), 0);
	EXPECT_EQ(weft_builder_link(b, two, 2, y, 1, (struct weft_rate){ 0, 0
		  }), 0);
	EXPECT_EQ(weft_builder_link(b, two, 3, one, 1, (struct weft_rate){ 0, 0
		  }), 0);
	EXPECT_EQ(weft_builder_link(b, agg, 1, y, 4, (struct weft_rate){ 0, 0
		  }), 0);
	f = finish(b, &w);
	EXPECT(strstr(w.text, "and 1 other port are not cabled to a switch"));
	EXPECT_EQ(f->nnodes, 3);
	EXPECT_EQ(f->nep, 3);
	EXPECT_EQ(f->nhosts, 2);
	EXPECT_EQ(f->node[1].nendports, 2);
	EXPECT_EQ(f->ep[0].guid, 0x51);
	EXPECT_EQ(f->ep[1].guid, 0x52);
	EXPECT_EQ(f->ep[2].kind, WEFT_AGGREGATION);
	EXPECT_EQ(weft_fabric_endport_by_guid(f, 0x50), 0);
	EXPECT_EQ(weft_fabric_endport_by_guid(f, 0x10), WEFT_NONE);
	weft_fabric_free(f);
}

/* A node's endports are in the order of its ports, whatever their GUIDs. */
TEST(test_port_order)
{
	struct weft_builder *b = weft_builder_new();
	uint32_t x = add_switch(b, 1, 4, 1);
	uint32_t node = weft_builder_node(b, WEFT_NODE_CA, 0x50, 4);
	struct suite_words w = { 0 };
	struct weft_fabric *f;

	for (unsigned port = 1; port <= 4; port++) {
		weft_builder_port(b, node, port)->guid = 0x60 + (port * 3) % 5;
		EXPECT_EQ(weft_builder_link(b, node, port, x, port, (struct
			  weft_rate){ 0, 0 }), 0);
	}
	f = finish(b, &w);
	EXPECT_EQ(weft_fabric_check(f, NULL), 0);
	for (unsigned i = 0; i < 4; i++)
		EXPECT_EQ(f->ep[f->node_endport[i]].port, i + 1);
	weft_fabric_free(f);
}

TEST(test_assign_lids)
{
	struct weft_fabric *f = finish(small_tree(NULL), NULL), *g, *h;
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };

	ASSERT_EQ(weft_fabric_assign_lids(f, -1, &g, NULL), 0);
	EXPECT(!memcmp(f->lid_owner, g->lid_owner, 16 * 4));
	ASSERT_EQ(weft_fabric_assign_lids(f, 2, &h, NULL), 0);
	EXPECT_EQ(weft_fabric_check(h, NULL), 0);
	for (uint32_t e = 0; e < h->nep; e++) {
		EXPECT_EQ(h->ep[e].lmc, 2);
		EXPECT(h->ep[e].lid && h->ep[e].lid % 4 == 0);
	}
	EXPECT_EQ(h->sw[2].lid, f->sw[2].lid);
	EXPECT_EQ(weft_fabric_assign_lids(f, 8, &g, &d), -EINVAL);
	weft_fabric_free(f);
	EXPECT_STR(h->sw[0].name, "");
	weft_fabric_free(g);
	weft_fabric_free(h);
}

TEST(test_lids_run_out)
{
	struct weft_builder *b = weft_builder_new();
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_fabric *f, *g = NULL;

	for (unsigned s = 0; s < 2; s++) {
		uint32_t sw = add_switch(b, 1 + s, 250, 0);

		for (unsigned i = 1; i <= 200; i++)
			weft_builder_link(b, sw, i,
					  add_host(b, 1000 * (s + 1) + i, 0), 1,
					  (struct weft_rate){ 0, 0 });
	}
	f = finish(b, NULL);
	EXPECT_EQ(weft_fabric_assign_lids(f, 7, &g, &d), -ENOSPC);
	EXPECT(!g);
	/* 49,152 / 128 ranges, the first of which has LIDs of switches */
	EXPECT(strstr(w.text,
	       "with LMC 7 there is room for 383 ports beside 2 switches, with LMC 6 for 767"));
	ASSERT_EQ(weft_fabric_assign_lids(f, 6, &g, &d), 0);
	EXPECT_EQ(weft_fabric_check(g, NULL), 0);
	weft_fabric_free(g);
	weft_fabric_free(f);
}

/* One route of each kind of end. */
TEST(test_walk)
{
	struct weft_fabric *f = finish(small_tree(NULL), NULL);
	struct weft_lft t;
	uint32_t ch[8];
	size_t n;

	ASSERT_EQ(weft_lft_init(&t, f->nsw, f->max_lid), 0);
	weft_lft_row(&t, 0)[15] = 3;	/* leaf 0 -> spine 0 */
	weft_lft_row(&t, 3)[15] = 3;	/* spine 0 -> leaf 2 */
	weft_lft_row(&t, 2)[15] = 2;	/* leaf 2 -> host 1 */
	EXPECT_EQ(weft_lft_walk(f, &t, 0, 15, (struct weft_walk_path){ ch, 8 },
		  &n), WEFT_ARRIVED);
	EXPECT_EQ(n, 3);
	EXPECT_EQ(ch[0], weft_channel(f, 0, 3));
	EXPECT_EQ(ch[2], weft_channel(f, 2, 2));
	EXPECT_EQ(weft_lft_walk(f, &t, 0, 15, (struct weft_walk_path){ ch, 1 },
		  &n), WEFT_ARRIVED);
	EXPECT_EQ(n, 3);
	EXPECT_EQ(weft_lft_walk(f, &t, 1, 15, (struct weft_walk_path){ 0 }, &n),
		  WEFT_NO_ROUTE);
	weft_lft_row(&t, 1)[15] = 5;
	EXPECT_EQ(weft_lft_walk(f, &t, 1, 15, (struct weft_walk_path){ 0 }, &n),
		  WEFT_BAD_PORT);
	weft_lft_row(&t, 1)[15] = 1;
	EXPECT_EQ(weft_lft_walk(f, &t, 1, 15, (struct weft_walk_path){ 0 }, &n),
		  WEFT_WRONG_END);
	weft_lft_row(&t, 1)[15] = 0;
	EXPECT_EQ(weft_lft_walk(f, &t, 1, 15, (struct weft_walk_path){ 0 }, &n),
		  WEFT_WRONG_END);
	weft_lft_row(&t, 1)[2] = 0;
	EXPECT_EQ(weft_lft_walk(f, &t, 1, 2, (struct weft_walk_path){ 0 }, &n),
		  WEFT_ARRIVED);
	weft_lft_row(&t, 1)[15] = 4;
	weft_lft_row(&t, 4)[15] = 2;
	EXPECT_EQ(weft_lft_walk(f, &t, 1, 15, (struct weft_walk_path){ ch, 8 },
		  &n), WEFT_LOOP);
	weft_lft_free(&t);
	weft_fabric_free(f);
}

/* A field of the fabric, or of the elements of an array. */
struct field {
	const char *name;
	const void *at;
	size_t n, size, step;
	bool cabled;		/* of channels: says nothing of ports without
				 * a cable */
};

/* The check notices each element that is one more or one less. */
static void spoil(const struct weft_fabric *f, const struct field *field)
{
	for (size_t i = 0; i < field->n; i++) {
		unsigned char *p = (unsigned char *)field->at + i * field->step;

		if (field->cabled && f->peer[i] == WEFT_NONE)
			continue;
		for (int by = -1; by <= 1; by += 2) {
			uint64_t before = 0, now;
			int err;

			memcpy(&before, p, field->size);
			now = before + by;
			memcpy(p, &now, field->size);
			err = weft_fabric_check(f, NULL);
			memcpy(p, &before, field->size);
			if (err == -EINVAL)
				continue;
			printf("\n%s[%zu] by %d", field->name, i, by);
			EXPECT_NEVER("broken, and not noticed");
		}
	}
	EXPECT_EQ(weft_fabric_check(f, NULL), 0);
}

/* Whatever is off by one is noticed. */
TEST(test_check)
{
	struct weft_builder *b = small_tree(NULL);
	uint32_t ca = weft_builder_node(b, WEFT_NODE_CA, 0x999, 2);
	const struct weft_rate edr = { 4, WEFT_EDR };
	struct weft_fabric *f;
	uint32_t *adj;

	weft_builder_link(b, ca, 1, add_switch(b, 0x3000, 4, 30), 1, edr);
	weft_builder_link(b, ca, 2, weft_builder_find(b, 0x3000), 2, edr);
	weft_builder_link(b, weft_builder_find(b, 0x3000), 3,
			  weft_builder_find(b, 0x3000), 4, edr);
	f = finish(b, NULL);
#define ARRAY(a, number) \
	{ #a, f->a, number, sizeof(*f->a), sizeof(*f->a), false }
#define CABLED(a) { #a, f->a, f->nch, sizeof(*f->a), sizeof(*f->a), true }
#define MEMBER(a, m, number) \
	{ #a "." #m, &f->a->m, number, sizeof(f->a->m), sizeof(*f->a), false }
#define SINGLE(a) { #a, &f->a, 1, sizeof(f->a), 0, false }
	const struct field fields[] = {
		SINGLE(nlinks), SINGLE(nhosts), SINGLE(first_injection),
		SINGLE(nch),
		ARRAY(first_channel, f->nsw + 1),
		MEMBER(sw, nports, f->nsw), MEMBER(sw, lid, f->nsw),
		MEMBER(ep, node, f->nep), MEMBER(ep, sw, f->nep),
		MEMBER(ep, sw_port, f->nep), MEMBER(ep, port, f->nep),
		MEMBER(ep, kind, f->nep),
		MEMBER(node, nendports, f->nnodes),
		MEMBER(node, first_endport, f->nnodes),
		ARRAY(node_endport, f->nep),
		ARRAY(peer, f->nch), ARRAY(reverse, f->nch),
		ARRAY(capacity, f->nch),
		CABLED(peer_port), CABLED(width), CABLED(speed),
		ARRAY(adj_first, f->nsw + 1), ARRAY(adj, f->adj_first[f->nsw]),
		ARRAY(sw_ep_first, f->nsw + 1), ARRAY(sw_endport, f->nep),
		ARRAY(lid_owner, f->max_lid + 1), SINGLE(max_lid),
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		spoil(f, &fields[i]);
	/* Cables of another leaf, which lead to the same spines. */
	adj = (uint32_t *)f->adj;
	for (unsigned i = 0; i < SPINES; i++) {
		uint32_t ch = adj[i];

		adj[i] = adj[f->adj_first[1] + i];
		EXPECT_EQ(weft_fabric_check(f, NULL), -EINVAL);
		adj[i] = ch;
	}
	weft_fabric_free(f);
}

/* Each switch that an option lists is marked, and nothing else. */
TEST(test_listed)
{
	static const struct weft_option table[] = {
		{ .name = "roots", .type = WEFT_OPT_LIST, .help = "some" },
		{ .type = WEFT_OPT_END },
	};
	struct weft_fabric *f = finish(small_tree(NULL), NULL);
	uint8_t member[LEAVES + SPINES + 1] = { 0 };
	struct weft_options *o;
	bool any = true;

	ASSERT_EQ(weft_options_new(&o, table), 0);
	EXPECT_EQ(weft__listed_switches(f, o, "roots", member, &any, NULL), 0);
	EXPECT(!any);
	EXPECT_EQ(weft_options_parse(o, "roots=0x2000+0x1001", NULL), 0);
	EXPECT_EQ(weft__listed_switches(f, o, "roots", member, &any, NULL), 0);
	EXPECT(any);
	for (uint32_t s = 0; s < f->nsw; s++)
		EXPECT_EQ(member[s],
			  f->sw[s].guid == 0x2000 || f->sw[s].guid == 0x1001);
	EXPECT_EQ(member[f->nsw], 0);
	weft_options_free(o);
	weft_fabric_free(f);
}

TEST(test_empty)
{
	struct weft_fabric *f = finish(weft_builder_new(), NULL), *g;

	EXPECT_EQ(f->nsw, 0);
	EXPECT_EQ(f->max_lid, 0);
	ASSERT_EQ(weft_fabric_assign_lids(f, -1, &g, NULL), 0);
	weft_fabric_free(g);
	weft_fabric_free(f);
	weft_fabric_free(NULL);
}

TEST(test_capacity)
{
	EXPECT_EQ(weft_speed_capacity(4, WEFT_HDR), 200000);
	EXPECT_EQ(weft_speed_capacity(1, WEFT_SDR), 2000);
	EXPECT_EQ(weft_speed_capacity(12, WEFT_QDR), 96000);
	EXPECT_EQ(weft_speed_capacity(4, WEFT_SPEED_UNKNOWN), 0);
	EXPECT_STR(weft_speed_name(WEFT_FDR10), "FDR10");
}
