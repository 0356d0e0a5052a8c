// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Switches that all legal ways to a root pass, against taking each switch away
 * and looking who has a way left. */
#include "../route.h"

#include "engines/fattree/chain.h"
#include "engines/fattree/narrows.h"
#include "engines/fattree/separate.h"

#include <stdlib.h>

enum {
	STEP = 7, /* trees looked at: every STEP-th */
	LITTLE = 2000, /* edges and switches to look at */
};

static uint32_t found; /* narrows of all trees */

/* Marks the switches that have a way to the root around one. */
static void mark_ways(const struct weft__fattree_run *run,
		      const struct weft__tree *tree, uint32_t without,
		      bool *has_way)
{
	const struct weft_fabric *f = run->fabric;
	bool more = true;

	memset(has_way, 0, f->nsw * sizeof(*has_way));
	has_way[tree->root] = true;
	while (more) {
		more = false;
		for (uint32_t s = 0; s < f->nsw; s++)
			for (uint32_t e = f->adj_first[s];
			     e < f->adj_first[s + 1] && !has_way[s]; e++) {
				uint32_t t = run->tree.ways.head[e];

				has_way[s] = t != without && has_way[t] &&
					     weft__may_send(run, tree, s, e);
				more |= has_way[s];
			}
	}
}

static bool is_behind(const uint32_t *narrow, uint32_t root, uint32_t s,
		      uint32_t x)
{
	while (s != root) {
		s = narrow[s];
		if (s == x)
			return true;
	}
	return false;
}

/* Compares for a tree; returns how many narrows there are but the root. */
static uint32_t compare_tree(const struct weft__fattree_run *run,
			     const struct weft__tree *tree)
{
	uint32_t nsw = run->fabric->nsw, n = 0;
	uint32_t *narrow = malloc(nsw * sizeof(*narrow));
	bool *any = malloc(nsw), *around = malloc(nsw);

	ASSERT(narrow && any && around);
	weft__narrows_find(run, tree, narrow);
	mark_ways(run, tree, WEFT_NONE, any);
	for (uint32_t s = 0; s < nsw; s++)
		EXPECT_EQ(narrow[s] != WEFT_NONE, any[s]);
	for (uint32_t x = 0; x < nsw; x++) {
		if (x == tree->root)
			continue;
		mark_ways(run, tree, x, around);
		for (uint32_t s = 0; s < nsw; s++) {
			bool cut = any[s] && !around[s];

			if (s == x || !any[s])
				continue;
			EXPECT_EQ(is_behind(narrow, tree->root, s, x), cut);
			n += cut;
		}
	}
	free(narrow);
	free(any);
	free(around);
	return n;
}

static int choose(struct weft__fattree_run *run)
{
	int err = weft__chains_run(run, weft__chains_eft());

	for (uint32_t d = 0; !err && d < run->trees.nendports; d += STEP)
		found += compare_tree(run, &run->trees.tree[d]);
	return err;
}

TEST(test_narrows)
{
	static const char *const specs[] = {
		"pgft:3;3,3,4;1,3,3;1,1,1",
		"rack216",
		"rack216,dual=yes,fail-links=20%,seed=2",
		"pgft:3;4,4,6;1,4,4;1,1,1,fail-links=20%,seed=4",
	};
	const struct weft_engine *eft = weft_engine_find("eft");

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = route_with_hosts(specs[i], "spine", 64);
		struct weft_routes routes = { 0 };
		struct weft_options *o = NULL;

		ASSERT(eft && !weft_options_new(&o, eft->options));
		EXPECT_EQ(weft__fattree_route(f, o, choose, &routes, NULL), 0);
		weft_routes_free(&routes);
		weft_options_free(o);
		weft_fabric_free(f);
	}
	EXPECT(found > 0);
}

/* Lists the trees to the ports of a machine.  Returns how many they are. */
static uint32_t list_trees(const struct weft__fattree_run *run, uint32_t machine,
			   const struct weft__tree **tree)
{
	const struct weft_fabric *f = run->fabric;
	uint32_t n = 0;

	for (uint32_t d = 0; d < run->trees.nendports; d++) {
		uint32_t owner = weft_lid_owner(f, run->trees.tree[d].lid);

		if (f->ep[owner & ~WEFT_ENDPORT].machine == machine)
			tree[n++] = &run->trees.tree[d];
	}
	return n;
}

/* Separates the routes to each machine with what work there is.  Returns from how
 * many switches they still meet. */
static uint32_t separate_all(struct weft__fattree_run *run,
			     struct weft__separator *m)
{
	const struct weft__tree *tree[8];
	uint32_t bad = 0;

	for (uint32_t k = 0; k < run->fabric->nmachines; k++) {
		uint32_t n = list_trees(run, k, tree);

		ASSERT(n <= 8);
		if (n > 1)
			bad += weft__separate_node(m, tree, n);
	}
	return bad;
}

/* Of balanced routes many meet.  Without work nothing changes, and they are counted all
 * the same; with little, some are separated; with enough, all are. */
static int choose_separated(struct weft__fattree_run *run)
{
	uint32_t bad[3];
	uint64_t enough, before;
	struct weft__separator m;

	ASSERT(weft__separator_init(&m, run));
	enough = m.limit;
	weft__balance_endports(&run->balance, &run->tree.ways, &run->trees, 1);
	before = weft__balance_peak(&run->balance);
	m.limit = 0;
	bad[0] = separate_all(run, &m);
	weft__balance_load_anew(&run->balance, &run->tree.ways, &run->trees);
	EXPECT_EQ(weft__balance_peak(&run->balance), before);
	m.limit = m.looked + LITTLE;
	bad[1] = separate_all(run, &m);
	EXPECT(m.looked > m.limit);
	/* what has run out is not given out again */
	weft__separator_go_on(&m, 1);
	EXPECT(m.looked > m.limit);
	m.limit = m.looked + enough;
	bad[2] = separate_all(run, &m);
	EXPECT(m.looked < m.limit);
	EXPECT(bad[0] > bad[1] && bad[1] > bad[2]);
	EXPECT_EQ(bad[2], 0);
	return 0;
}

TEST(test_separate)
{
	static const char *const specs[] = {
		"pgft:2;6,8;1,6;1,1,dual=yes",
		"pgft:3;4,4,6;1,4,4;1,1,1,dual=yes,fail-links=4%",
	};
	const struct weft_engine *beft = weft_engine_find("beft");

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = route_fabric(specs[i], -1);
		struct weft_routes routes = { 0 };
		struct weft_options *o = NULL;

		suite_case("%s", specs[i]);
		ASSERT(beft && !weft_options_new(&o, beft->options));
		EXPECT_EQ(weft__fattree_route(f, o, choose_separated, &routes,
					      NULL), 0);
		weft_routes_free(&routes);
		weft_options_free(o);
		weft_fabric_free(f);
	}
}
