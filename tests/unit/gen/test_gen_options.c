// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Options of synthetic fabrics: hosts, failures, GUIDs, LIDs, names. */
#include "gen_suite.h"

TEST(test_hosts_even_odd)
{
	struct weft_fabric *f = gen_make("gft:18+18,36,hosts=17:1");
	char name[32];

	for (uint32_t i = 0; i < 36; i++) {
		snprintf(name, sizeof(name), "leaf-%03u", i);
		EXPECT_EQ(gen_hosts_on(f, gen_named(f, name)), i % 2 ? 1 : 17);
	}
	weft_fabric_free(f);
	f = gen_make("rack648,hosts=22:1");
	EXPECT_EQ(gen_hosts_on(f, gen_named(f, "rack-000a")), 11);
	EXPECT_EQ(gen_hosts_on(f, gen_named(f, "rack-000b")), 11);
	EXPECT_EQ(gen_hosts_on(f, gen_named(f, "rack-001a")), 1);
	EXPECT_EQ(gen_hosts_on(f, gen_named(f, "rack-001b")), 0);
	weft_fabric_free(f);
}

/* Both ports of a host on leaves 2i and 2i + 1; as many ports on each leaf as
 * without dual=yes. */
static void check_dual(const char *spec, const char *single, uint32_t row)
{
	struct weft_fabric *f = gen_make(spec), *s = gen_make(single);
	uint32_t *leaf = malloc(f->nsw * sizeof(*leaf)), leaves = 0;
	bool good = f->nep == s->nep && f->nnodes < s->nnodes;

	for (uint32_t i = 0; i < f->nsw; i++) {
		good = good && gen_hosts_on(f, i) == gen_hosts_on(s, i);
		leaf[i] = leaves;
		leaves += f->sw[i].role == WEFT_ROLE_LEAF;
	}
	for (uint32_t i = 0; i < f->nnodes; i++) {
		const struct weft_node *n = &f->node[i];
		const uint32_t *e = f->node_endport + n->first_endport;
		uint32_t at = leaf[f->ep[e[0]].sw];

		good = good && n->nports == n->nendports;
		if (n->nports == 1)
			continue;
		good = good && n->nports == 2 && at % row % 2 == 0 &&
		       leaf[f->ep[e[1]].sw] == at + 1 &&
		       f->ep[e[0]].guid != f->ep[e[1]].guid;
	}
	EXPECT(good);
	free(leaf);
	weft_fabric_free(f);
	weft_fabric_free(s);
}

TEST(test_dual)
{
	struct weft_fabric *f;

	check_dual("switch648,dual=yes", "switch648", 36);
	check_dual("rack648,dual=yes", "rack648", 2);
	check_dual("torus:3x4,hosts=2,dual=yes", "torus:3x4,hosts=2", 3);
	check_dual("gft:4+2,5,dual=yes,hosts=4:2", "gft:4+2,5,hosts=4:2", 5);
	check_dual("deimos,dual=yes", "deimos", 24);
	f = gen_make("switch648,dual=yes");
	EXPECT_EQ(f->nnodes, 324);
	weft_fabric_free(f);
	/* last of three in a row: hosts with one port */
	f = gen_make("torus:3x4,hosts=2,dual=yes");
	EXPECT_EQ(f->nnodes, 4 * (2 + 2));
	weft_fabric_free(f);
}

/* Whether each line of a is a line of b; both are sorted. */
static bool subset(const char *a, const char *b)
{
	while (*a) {
		size_t n = strcspn(a, "\n") + 1;

		while (*b && strncmp(a, b, n))
			b += strcspn(b, "\n") + 1;
		if (!*b)
			return false;
		a += n;
	}
	return true;
}

/* What is left after failures is the whole fabric less some cables, with the
 * same GUIDs and LIDs. */
static void check_subset(const char *spec, const char *whole)
{
	char *a = gen_text_of(spec, true), *b = gen_text_of(whole, true);

	EXPECT(strlen(a) < strlen(b));
	EXPECT(subset(a, b));
	free(a);
	free(b);
}

static void check_links(const char *family, const char *option,
			uint32_t switches, uint32_t cables)
{
	struct weft_fabric *f;
	char spec[120];

	for (int seed = 0; seed < 20; seed++) {
		snprintf(spec, sizeof(spec), "%s,%s,seed=%d", family, option,
			 seed);
		f = gen_make(spec);
		EXPECT_EQ(f->nsw, switches);
		EXPECT_EQ(gen_cables(f), cables);
		EXPECT(gen_connected(f));
		weft_fabric_free(f);
	}
	snprintf(spec, sizeof(spec), "%s,%s", family, option);
	check_subset(spec, family);
}

TEST(test_fail_links)
{
	check_links("torus:4x4", "fail-links=5", 16, 32 - 5);
	/* as many as there can be: a spanning tree is left */
	check_links("torus:4x4", "fail-links=17", 16, 15);
	check_links("switch648", "fail-links=10%", 54, 648 - 65);
	check_links("switch648", "fail-links=0.1%", 54, 648 - 1);
	check_links("ring:5", "fail-links=1", 5, 4);
	check_links("full:6,links=2", "fail-links=50%", 6, 15);
	EXPECT(!gen_same("switch648,fail-links=9,seed=1",
	       "switch648,fail-links=9,seed=2", true));
	EXPECT(gen_same("switch648,fail-links=9,seed=7",
	       "switch648,seed=7,fail-links=9", true));
	EXPECT(gen_same("switch648,fail-links=0%", "switch648", true));
}

/* Every cable that is no bridge fails equally often. */
TEST(test_fail_links_uniform)
{
	enum { SEEDS = 500, N = 6 };
	uint32_t left[N][N] = { 0 };
	char spec[60];

	for (unsigned seed = 0; seed < SEEDS; seed++) {
		struct weft_fabric *f;

		snprintf(spec, sizeof(spec), "ring:6,fail-links=1,seed=%u",
			 seed);
		f = gen_make(spec);
		for (uint32_t s = 0; s < N; s++)
			left[s][(s + 1) % N] +=
				gen_between(f, s, (s + 1) % N);
		weft_fabric_free(f);
	}
	/* mean 416.7, standard deviation 8.3: five of them */
	for (uint32_t s = 0; s < N; s++)
		EXPECT(left[s][(s + 1) % N] > 374 && left[s][(s + 1) % N] < 459);
}

TEST(test_fail_switches)
{
	struct weft_fabric *f;
	char spec[80];

	for (int seed = 0; seed < 20; seed++) {
		/* no leaf fails where others can */
		snprintf(spec, sizeof(spec),
			 "switch648,fail-switches=7,seed=%d", seed);
		f = gen_make(spec);
		EXPECT_EQ(f->nsw, 54 - 7);
		EXPECT_EQ(f->nhosts, 648);
		EXPECT_EQ(gen_cables(f), 648 - 7 * 36);
		EXPECT(gen_connected(f));
		weft_fabric_free(f);
		/* hosts go with their switch */
		snprintf(spec, sizeof(spec),
			 "torus:5x5,hosts=2,fail-switches=12,seed=%d", seed);
		f = gen_make(spec);
		EXPECT_EQ(f->nsw, 13);
		EXPECT_EQ(f->nhosts, 26);
		EXPECT(gen_connected(f));
		weft_fabric_free(f);
		/* from the ends inward only */
		snprintf(spec, sizeof(spec),
			 "chain:9,fail-switches=8,seed=%d", seed);
		f = gen_make(spec);
		EXPECT_EQ(f->nsw, 1);
		weft_fabric_free(f);
	}
	check_subset("torus:5x5,hosts=2,fail-switches=5",
		     "torus:5x5,hosts=2");
	check_subset("switch648,fail-switches=50%,lids=guid,guids=shuffle",
		     "switch648,lids=guid,guids=shuffle");
	check_subset("juropa,fail-switches=3%,fail-links=2%,lmc=1",
		     "juropa,lmc=1");
}

/* Both ports of a host with a leaf on either side: one of them is left. */
TEST(test_fail_dual)
{
	struct weft_fabric *f =
		gen_make("ring:4,hosts=1,dual=yes,fail-switches=1");

	EXPECT_EQ(f->nsw, 3);
	EXPECT_EQ(f->nnodes, 2);
	EXPECT_EQ(f->nep, 3);
	weft_fabric_free(f);
}

TEST(test_fail_disconnected)
{
	struct weft_fabric *f =
		gen_make("ring:6,fail-links=4,keep-connected=no");

	EXPECT_EQ(gen_cables(f), 2);
	EXPECT(!gen_connected(f));
	weft_fabric_free(f);
	f = gen_make("star:4,fail-switches=1,keep-connected=no");
	EXPECT_EQ(f->nsw, 4);
	EXPECT_EQ(gen_cables(f), 0);
	weft_fabric_free(f);
}

static int compare_guids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Sorted port GUIDs. */
static uint64_t *port_guids(const struct weft_fabric *f)
{
	uint64_t *guid = malloc(f->nep * sizeof(*guid));

	for (uint32_t i = 0; i < f->nep; i++)
		guid[i] = f->ep[i].guid;
	qsort(guid, f->nep, sizeof(*guid), compare_guids);
	return guid;
}

/* Shuffled GUIDs: the same cables by name, the same set of GUIDs, in an order
 * that has nothing to do with the tree's. */
TEST(test_shuffle)
{
	struct weft_fabric *a = gen_make("switch648");
	struct weft_fabric *b = gen_make("switch648,guids=shuffle");
	uint64_t *ga = port_guids(a), *gb = port_guids(b);
	char *ta = gen_text(a, false), *tb = gen_text(b, false);
	uint32_t ascents = 0;

	EXPECT_STR(ta, tb);
	EXPECT_EQ(memcmp(ga, gb, a->nep * sizeof(*ga)), 0);
	for (uint32_t i = 0; i < a->nsw; i++)
		EXPECT_EQ(a->sw[i].guid, b->sw[i].guid);
	/* endports are in GUID order; their switches are now in none */
	for (uint32_t i = 1; i < b->nep; i++) {
		EXPECT(a->ep[i - 1].sw <= a->ep[i].sw);
		ascents += b->ep[i - 1].sw <= b->ep[i].sw;
	}
	EXPECT(ascents > 250 && ascents < 420);
	EXPECT(!gen_same("switch648,guids=shuffle,seed=1",
	       "switch648,guids=shuffle,seed=2", true));
	EXPECT(gen_same("switch648,guids=shuffle,seed=3",
	       "switch648,guids=shuffle,seed=3", true));
	free(ga);
	free(gb);
	free(ta);
	free(tb);
	weft_fabric_free(a);
	weft_fabric_free(b);
}

/* LIDs 1, 2, 3 ... : switches, then hosts in the order asked for; the names
 * hold the order of building. */
TEST(test_lids)
{
	struct weft_fabric *f =
		gen_make("switch648,guids=shuffle,lids=order");

	for (uint32_t i = 0; i < f->nep; i++) {
		char name[32];

		snprintf(name, sizeof(name), "host-%04u",
			 f->ep[i].lid - 55u);
		EXPECT_STR(f->node[f->ep[i].node].name, name);
	}
	weft_fabric_free(f);
	f = gen_make("switch648,guids=shuffle,lids=guid");
	for (uint32_t i = 0; i < f->nep; i++)
		EXPECT_EQ(f->ep[i].lid, 55 + i);
	for (uint32_t i = 0; i < f->nsw; i++)
		EXPECT_EQ(f->sw[i].lid, 1 + i);
	weft_fabric_free(f);
}

TEST(test_lmc)
{
	struct weft_fabric *f = gen_make("ring:5,hosts=3,lmc=3,dual=yes");

	for (uint32_t i = 0; i < f->nep; i++) {
		EXPECT_EQ(f->ep[i].lmc, 3);
		EXPECT_EQ(f->ep[i].lid, 8 + 8 * i);
	}
	EXPECT_EQ(f->max_lid, 8 + 8 * 15 - 1);
	weft_fabric_free(f);
}

TEST(test_rate)
{
	struct weft_fabric *f = gen_make("ring:3,speed=hdr,width=2x");
	uint32_t ch = weft_channel(f, 0, 1);

	EXPECT_EQ(f->speed[ch], WEFT_HDR);
	EXPECT_EQ(f->width[ch], 2);
	weft_fabric_free(f);
	f = gen_make("ring:3");
	EXPECT_EQ(f->speed[ch], WEFT_QDR);
	EXPECT_EQ(f->width[ch], 4);
	weft_fabric_free(f);
}

TEST(test_names)
{
	struct weft_fabric *f = gen_make("ring:3,names=same");

	EXPECT_STR(f->sw[0].name, f->sw[2].name);
	EXPECT_STR(f->node[0].name, f->node[2].name);
	EXPECT(strcmp(f->sw[0].name, ""));
	weft_fabric_free(f);
	f = gen_make("ring:3,names=none");
	EXPECT_STR(f->sw[1].name, "");
	EXPECT_STR(f->node[1].name, "");
	weft_fabric_free(f);
}
