// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Options of synthetic fabrics: hosts, failures, GUIDs, LIDs, names. */
#include "gen_suite.h"

static void test_hosts_even_odd(void)
{
	struct weft_fabric *f = gen_make("gft:18+18,36,hosts=17:1");
	char name[32];

	for (uint32_t i = 0; i < 36; i++) {
		snprintf(name, sizeof(name), "leaf-%03u", i);
		CU_ASSERT_EQUAL(gen_hosts_on(f, gen_named(f, name)),
				i % 2 ? 1 : 17);
	}
	weft_fabric_free(f);
	f = gen_make("rack648,hosts=22:1");
	CU_ASSERT_EQUAL(gen_hosts_on(f, gen_named(f, "rack-000a")), 11);
	CU_ASSERT_EQUAL(gen_hosts_on(f, gen_named(f, "rack-000b")), 11);
	CU_ASSERT_EQUAL(gen_hosts_on(f, gen_named(f, "rack-001a")), 1);
	CU_ASSERT_EQUAL(gen_hosts_on(f, gen_named(f, "rack-001b")), 0);
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
	CU_ASSERT(good);
	free(leaf);
	weft_fabric_free(f);
	weft_fabric_free(s);
}

static void test_dual(void)
{
	struct weft_fabric *f;

	check_dual("switch648,dual=yes", "switch648", 36);
	check_dual("rack648,dual=yes", "rack648", 2);
	check_dual("torus:3x4,hosts=2,dual=yes", "torus:3x4,hosts=2", 3);
	check_dual("gft:4+2,5,dual=yes,hosts=4:2", "gft:4+2,5,hosts=4:2", 5);
	check_dual("deimos,dual=yes", "deimos", 24);
	f = gen_make("switch648,dual=yes");
	CU_ASSERT_EQUAL(f->nnodes, 324);
	weft_fabric_free(f);
	/* last of three in a row: hosts with one port */
	f = gen_make("torus:3x4,hosts=2,dual=yes");
	CU_ASSERT_EQUAL(f->nnodes, 4 * (2 + 2));
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

	CU_ASSERT(strlen(a) < strlen(b));
	CU_ASSERT(subset(a, b));
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
		CU_ASSERT_EQUAL(f->nsw, switches);
		CU_ASSERT_EQUAL(gen_cables(f), cables);
		CU_ASSERT(gen_connected(f));
		weft_fabric_free(f);
	}
	snprintf(spec, sizeof(spec), "%s,%s", family, option);
	check_subset(spec, family);
}

static void test_fail_links(void)
{
	check_links("torus:4x4", "fail-links=5", 16, 32 - 5);
	/* as many as there can be: a spanning tree is left */
	check_links("torus:4x4", "fail-links=17", 16, 15);
	check_links("switch648", "fail-links=10%", 54, 648 - 65);
	check_links("switch648", "fail-links=0.1%", 54, 648 - 1);
	check_links("ring:5", "fail-links=1", 5, 4);
	check_links("full:6,links=2", "fail-links=50%", 6, 15);
	CU_ASSERT(!gen_same("switch648,fail-links=9,seed=1",
			    "switch648,fail-links=9,seed=2", true));
	CU_ASSERT(gen_same("switch648,fail-links=9,seed=7",
			   "switch648,seed=7,fail-links=9", true));
	CU_ASSERT(gen_same("switch648,fail-links=0%", "switch648", true));
}

/* Every cable that is no bridge fails equally often. */
static void test_fail_links_uniform(void)
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
		CU_ASSERT(left[s][(s + 1) % N] > 374 &&
			  left[s][(s + 1) % N] < 459);
}

static void test_fail_switches(void)
{
	struct weft_fabric *f;
	char spec[80];

	for (int seed = 0; seed < 20; seed++) {
		/* no leaf fails where others can */
		snprintf(spec, sizeof(spec),
			 "switch648,fail-switches=7,seed=%d", seed);
		f = gen_make(spec);
		CU_ASSERT_EQUAL(f->nsw, 54 - 7);
		CU_ASSERT_EQUAL(f->nhosts, 648);
		CU_ASSERT_EQUAL(gen_cables(f), 648 - 7 * 36);
		CU_ASSERT(gen_connected(f));
		weft_fabric_free(f);
		/* hosts go with their switch */
		snprintf(spec, sizeof(spec),
			 "torus:5x5,hosts=2,fail-switches=12,seed=%d", seed);
		f = gen_make(spec);
		CU_ASSERT_EQUAL(f->nsw, 13);
		CU_ASSERT_EQUAL(f->nhosts, 26);
		CU_ASSERT(gen_connected(f));
		weft_fabric_free(f);
		/* from the ends inward only */
		snprintf(spec, sizeof(spec),
			 "chain:9,fail-switches=8,seed=%d", seed);
		f = gen_make(spec);
		CU_ASSERT_EQUAL(f->nsw, 1);
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
static void test_fail_dual(void)
{
	struct weft_fabric *f =
		gen_make("ring:4,hosts=1,dual=yes,fail-switches=1");

	CU_ASSERT_EQUAL(f->nsw, 3);
	CU_ASSERT_EQUAL(f->nnodes, 2);
	CU_ASSERT_EQUAL(f->nep, 3);
	weft_fabric_free(f);
}

static void test_fail_disconnected(void)
{
	struct weft_fabric *f =
		gen_make("ring:6,fail-links=4,keep-connected=no");

	CU_ASSERT_EQUAL(gen_cables(f), 2);
	CU_ASSERT(!gen_connected(f));
	weft_fabric_free(f);
	f = gen_make("star:4,fail-switches=1,keep-connected=no");
	CU_ASSERT_EQUAL(f->nsw, 4);
	CU_ASSERT_EQUAL(gen_cables(f), 0);
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
static void test_shuffle(void)
{
	struct weft_fabric *a = gen_make("switch648");
	struct weft_fabric *b = gen_make("switch648,guids=shuffle");
	uint64_t *ga = port_guids(a), *gb = port_guids(b);
	char *ta = gen_text(a, false), *tb = gen_text(b, false);
	uint32_t ascents = 0;

	CU_ASSERT_STRING_EQUAL(ta, tb);
	CU_ASSERT_EQUAL(memcmp(ga, gb, a->nep * sizeof(*ga)), 0);
	for (uint32_t i = 0; i < a->nsw; i++)
		CU_ASSERT_EQUAL(a->sw[i].guid, b->sw[i].guid);
	/* endports are in GUID order; their switches are now in none */
	for (uint32_t i = 1; i < b->nep; i++) {
		CU_ASSERT(a->ep[i - 1].sw <= a->ep[i].sw);
		ascents += b->ep[i - 1].sw <= b->ep[i].sw;
	}
	CU_ASSERT(ascents > 250 && ascents < 420);
	CU_ASSERT(!gen_same("switch648,guids=shuffle,seed=1",
			    "switch648,guids=shuffle,seed=2", true));
	CU_ASSERT(gen_same("switch648,guids=shuffle,seed=3",
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
static void test_lids(void)
{
	struct weft_fabric *f =
		gen_make("switch648,guids=shuffle,lids=order");

	for (uint32_t i = 0; i < f->nep; i++) {
		char name[32];

		snprintf(name, sizeof(name), "host-%04u",
			 f->ep[i].lid - 55u);
		CU_ASSERT_STRING_EQUAL(f->node[f->ep[i].node].name, name);
	}
	weft_fabric_free(f);
	f = gen_make("switch648,guids=shuffle,lids=guid");
	for (uint32_t i = 0; i < f->nep; i++)
		CU_ASSERT_EQUAL(f->ep[i].lid, 55 + i);
	for (uint32_t i = 0; i < f->nsw; i++)
		CU_ASSERT_EQUAL(f->sw[i].lid, 1 + i);
	weft_fabric_free(f);
}

static void test_lmc(void)
{
	struct weft_fabric *f = gen_make("ring:5,hosts=3,lmc=3,dual=yes");

	for (uint32_t i = 0; i < f->nep; i++) {
		CU_ASSERT_EQUAL(f->ep[i].lmc, 3);
		CU_ASSERT_EQUAL(f->ep[i].lid, 8 + 8 * i);
	}
	CU_ASSERT_EQUAL(f->max_lid, 8 + 8 * 15 - 1);
	weft_fabric_free(f);
}

static void test_rate(void)
{
	struct weft_fabric *f = gen_make("ring:3,speed=hdr,width=2x");
	uint32_t ch = weft_channel(f, 0, 1);

	CU_ASSERT_EQUAL(f->speed[ch], WEFT_HDR);
	CU_ASSERT_EQUAL(f->width[ch], 2);
	weft_fabric_free(f);
	f = gen_make("ring:3");
	CU_ASSERT_EQUAL(f->speed[ch], WEFT_QDR);
	CU_ASSERT_EQUAL(f->width[ch], 4);
	weft_fabric_free(f);
}

static void test_names(void)
{
	struct weft_fabric *f = gen_make("ring:3,names=same");

	CU_ASSERT_STRING_EQUAL(f->sw[0].name, f->sw[2].name);
	CU_ASSERT_STRING_EQUAL(f->node[0].name, f->node[2].name);
	CU_ASSERT_STRING_NOT_EQUAL(f->sw[0].name, "");
	weft_fabric_free(f);
	f = gen_make("ring:3,names=none");
	CU_ASSERT_STRING_EQUAL(f->sw[1].name, "");
	CU_ASSERT_STRING_EQUAL(f->node[1].name, "");
	weft_fabric_free(f);
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "hosts on even and odd leaves", test_hosts_even_odd },
		{ "hosts with two ports", test_dual },
		{ "failed cables", test_fail_links },
		{ "failed cables are uniform", test_fail_links_uniform },
		{ "failed switches", test_fail_switches },
		{ "failed leaf of a dual-ported host", test_fail_dual },
		{ "failures that cut the fabric", test_fail_disconnected },
		{ "shuffled GUIDs", test_shuffle },
		{ "order of LIDs", test_lids },
		{ "LMC", test_lmc },
		{ "speed and width", test_rate },
		{ "names", test_names },
		{ NULL, NULL },
	};

	return suite_run("options of synthetic fabrics", tests);
}
