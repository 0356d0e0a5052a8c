// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parts of a fabric that are alike: one failure stands for all of them. */
#include "../route.h"
#include "sets.h"

#include "core/sets.h"
#include "faults/symmetry.h"

#include <stdlib.h>

static uint32_t count_classes(const struct weft_fabric *f, unsigned kinds)
{
	uint32_t *part, *like, n, classes = 0;

	ASSERT_EQ(weft_fault_parts(f, kinds, &part, &n), 0);
	like = malloc((n + 1ull) * sizeof(*like));
	ASSERT_EQ(weft_fault_alike(f, part, n, like), 0);
	for (uint32_t i = 0; i < n; i++) {
		classes += like[i] == i;
		EXPECT(like[i] <= i && like[like[i]] == like[i]);
	}
	free(part);
	free(like);
	return classes;
}

/* What everybody sees: how many kinds of cables, links and switches. */
TEST(test_classes)
{
	static const struct {
		const char *fabric;
		unsigned cables, links, switches;
	} known[] = {
		{ "pgft:2;4,4;1,4;1,1", 1, 1, 2 },
		{ "pgft:2;4,4;1,2;1,2", 1, 1, 2 },
		{ "pgft:3;3,4,5;1,3,2;1,1,1", 2, 1, 3 },
		{ "switch3456", 2, 1, 3 },
		{ "ring:7,hosts=2", 1, 1, 1 },
		{ "torus:4x4,hosts=1", 1, 1, 1 },
		{ "torus:6x5,hosts=1", 2, 1, 1 },
		{ "torus:3x4x5,hosts=1", 3, 1, 1 },
		{ "mesh:3x3,hosts=1", 2, 3, 3 },
		{ "mesh:2x5,hosts=1", 5, 3, 3 },
		{ "hypercube:4,hosts=1", 1, 1, 1 },
		{ "full:6,hosts=2", 1, 1, 1 },
		/* the cable that fails, and three kinds around it */
		{ "pgft:2;4,4;1,4;1,1,fail-links=1", 3, 2, 4 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct weft_fabric *f = route_fabric(known[i].fabric, -1);

		EXPECT_EQ(count_classes(f, WEFT_PARTS_CABLES), known[i].cables);
		EXPECT_EQ(count_classes(f, WEFT_PARTS_LINKS), known[i].links);
		EXPECT_EQ(count_classes(f, WEFT_PARTS_SWITCHES),
			  known[i].switches);
		weft_fabric_free(f);
	}
}

/* A spine and four leaves with two ports of hosts on each.  On the first two
 * they are of nodes that have one port on either, on the others both are of one
 * node; a router is on the spine. */
static struct weft_fabric *make_pairs(void)
{
	struct weft_builder *b = weft_builder_new();
	const struct weft_rate rate = { 4, WEFT_QDR };
	struct weft_fabric *f = NULL;
	uint32_t sw[5], node[4], router;

	for (uint32_t s = 0; s < 5; s++) {
		sw[s] = weft_builder_node(b, WEFT_NODE_SWITCH, 1 + s, 8);
		weft_builder_port(b, sw[s], 0)->lid = 1 + s;
	}
	for (uint32_t n = 0; n < 4; n++) {
		node[n] = weft_builder_node(b, WEFT_NODE_CA, 100 + 10 * n, 2);
		for (unsigned p = 1; p < 3; p++) {
			weft_builder_port(b, node[n], p)->guid =
				100 + 10 * n + p;
			weft_builder_port(b, node[n], p)->lid = 10 + 2 * n + p;
		}
	}
	router = weft_builder_node(b, WEFT_NODE_ROUTER, 900, 1);
	weft_builder_port(b, router, 1)->lid = 30;
	weft_builder_link(b, router, 1, sw[0], 8, rate);
	for (uint32_t n = 0; n < 2; n++) {
		weft_builder_link(b, node[n], 1 + n, sw[1], 2 + n, rate);
		weft_builder_link(b, node[n], 2 - n, sw[2], 2 + n, rate);
		weft_builder_link(b, node[2 + n], 1, sw[3 + n], 2, rate);
		weft_builder_link(b, node[2 + n], 2, sw[3 + n], 3, rate);
	}
	for (unsigned s = 1; s < 5; s++)
		weft_builder_link(b, sw[0], s, sw[s], 1, rate);
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

/* Nodes with several ports tell their switches apart. */
TEST(test_pairs)
{
	struct weft_fabric *f = make_pairs();
	uint32_t part[1], *node, n;

	EXPECT_EQ(count_classes(f, WEFT_PARTS_CABLES), 2);
	EXPECT_EQ(count_classes(f, WEFT_PARTS_SWITCHES), 3);
	/* first and second ports differ, and the router's cable */
	EXPECT_EQ(count_classes(f, WEFT_PARTS_LINKS), 5);
	for (uint32_t s = 1; s < 5; s++) {
		part[0] =
			weft_fabric_switch_by_guid(f, 1 + s) | WEFT_PART_SWITCH;
		weft_fault_cut(f, part, 1, false, &node, &n);
		EXPECT_EQ(n, s > 2);
		free(node);
	}
	weft_fabric_free(f);
}

/* A spine and two groups of n leaves with n ports of hosts on each.  In the
 * first group nodes have a port on each leaf, another one in turn, in the second
 * all on one; mixed: one leaf of the second has nodes of one port each instead. */
static struct weft_fabric *make_groups(unsigned n, bool mixed)
{
	struct weft_builder *b = weft_builder_new();
	const struct weft_rate rate = { 4, WEFT_QDR };
	uint32_t spine = weft_builder_node(b, WEFT_NODE_SWITCH, 1, 16);
	struct weft_fabric *f = NULL;

	for (unsigned i = 0; i < 2 * n; i++)
		weft_builder_link(b, spine, 1 + i,
				  weft_builder_node(b, WEFT_NODE_SWITCH, 2 + i,
						    16), 16, rate);
	for (unsigned i = 0; i < 2 * n; i++) {
		bool split = mixed && i == 2 * n - 1;
		uint32_t node = WEFT_NONE;

		for (unsigned p = 0; p < n; p++) {
			if (!p || split)
				node = weft_builder_node(b, WEFT_NODE_CA,
							 100 + 10 * i + p,
							 split ? 1 : n);
			weft_builder_link(b, node, split ? 1 : 1 + p,
					  1 + (i < n ? (i + p) % n : i),
					  1 + (i < n ? i : p), rate);
		}
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

/* However many ports nodes have, they tell apart who shares them. */
TEST(test_groups)
{
	for (unsigned n = 2; n <= 5; n++) {
		struct weft_fabric *f = make_groups(n, false);

		suite_case("%u ports", n);
		EXPECT_EQ(count_classes(f, WEFT_PARTS_CABLES), 2);
		EXPECT_EQ(count_classes(f, WEFT_PARTS_SWITCHES), 3);
		weft_fabric_free(f);
		f = make_groups(n, true);
		EXPECT_EQ(count_classes(f, WEFT_PARTS_CABLES), 3);
		EXPECT_EQ(count_classes(f, WEFT_PARTS_SWITCHES), 4);
		weft_fabric_free(f);
	}
}

/* Routers are hosts only where they are to count. */
TEST(test_routers)
{
	struct weft_fabric *f = make_pairs();
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_through x;
	uint32_t spine = weft_fabric_switch_by_guid(f, 1) | WEFT_PART_SWITCH;

	ASSERT_EQ(route_by("minhop", NULL, f, &routes, NULL), 0);
	weft_through_find(f, &routes, spine, false, &x);
	/* from the two ports on each leaf to the six on others */
	EXPECT_EQ(x.pairs, 48);
	weft_through_free(&x);
	weft_through_find(f, &routes, spine, true, &x);
	EXPECT_EQ(x.pairs, 48 + 16);
	weft_through_free(&x);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

#define SMALL 6

/* A small graph of which all 720 permutations can be tried. */
struct small {
	uint8_t cables[SMALL][SMALL], hosts[SMALL];
	uint32_t orbit[SMALL][SMALL];
};

static struct weft_fabric *random_small(struct weft_rng *rng, struct small *g)
{
	struct weft_builder *b = weft_builder_new();
	const struct weft_rate rate = { 4, WEFT_QDR };
	struct weft_fabric *f = NULL;
	unsigned port[SMALL] = { 0 };

	*g = (struct small){ .hosts = { 0 } };
	for (uint32_t s = 0; s < SMALL; s++)
		weft_builder_node(b, WEFT_NODE_SWITCH, 1 + s, 20);
	for (uint32_t s = 0; s < SMALL; s++) {
		g->hosts[s] = weft_rng_below(rng, 2);
		if (!g->hosts[s])
			continue;
		weft_builder_link(
			b, weft_builder_node(b, WEFT_NODE_CA, 100 + s, 1), 1, s,
			++port[s], rate);
	}
	for (uint32_t a = 0; a < SMALL; a++)
		for (uint32_t c = 0; c < a; c++) {
			unsigned n = weft_rng_below(rng, 5);

			n = n > 2 ? 0 : n;
			g->cables[a][c] = g->cables[c][a] = n;
			for (; n; n--)
				weft_builder_link(b, a, ++port[a], c, ++port[c],
						  rate);
		}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

static bool is_symmetry(const struct small *g, const uint8_t *to)
{
	for (unsigned a = 0; a < SMALL; a++) {
		if (g->hosts[a] != g->hosts[to[a]])
			return false;
		for (unsigned b = 0; b < a; b++)
			if (g->cables[a][b] != g->cables[to[a]][to[b]])
				return false;
	}
	return true;
}

/* Tries all permutations that begin with n chosen ones. */
static void permute(struct small *g, uint8_t *to, unsigned n, uint32_t *root)
{
	if (n == SMALL) {
		if (!is_symmetry(g, to))
			return;
		for (unsigned a = 0; a < SMALL; a++)
			for (unsigned b = 0; b < SMALL; b++) {
				sets_join(root, a * SMALL + b,
					  to[a] * SMALL + to[b]);
				sets_join(root, a * SMALL + b, b * SMALL + a);
			}
		return;
	}
	for (uint8_t v = 0; v < SMALL; v++) {
		bool used = false;

		for (unsigned i = 0; i < n; i++)
			used |= to[i] == v;
		to[n] = v;
		if (!used)
			permute(g, to, n + 1, root);
	}
}

/* Parts are alike exactly where one of all permutations says so. */
TEST(test_permutations)
{
	struct weft_rng *rng = weft_rng_new(3);
	uint32_t root[SMALL * SMALL], together = 0;

	for (unsigned n = 0; n < 60; n++) {
		struct small g;
		struct weft_fabric *f = random_small(rng, &g);
		uint32_t *part, *like, parts;
		uint8_t to[SMALL];

		for (uint32_t i = 0; i < SMALL * SMALL; i++)
			root[i] = i;
		permute(&g, to, 0, root);
		weft_fault_parts(f, WEFT_PARTS_CABLES, &part, &parts);
		like = malloc((parts + 1ull) * sizeof(*like));
		weft_fault_alike(f, part, parts, like);
		for (uint32_t i = 0; i < parts; i++)
			for (uint32_t k = 0; k < i; k++) {
				uint32_t a = part[i], b = part[k];
				uint32_t x = weft_channel_switch(f, a) * SMALL +
					     f->peer[a];
				uint32_t y = weft_channel_switch(f, b) * SMALL +
					     f->peer[b];

				EXPECT_EQ(sets_top(root, x) == sets_top(root,
					  y), like[i] == like[k]);
				together += like[i] == like[k];
			}
		free(part);
		free(like);
		weft_fabric_free(f);
	}
	EXPECT(together > 100);
	weft_rng_free(rng);
}

/* --- labelled graphs ------------------------------------------------------ */

enum { VERTICES = 6, EDGES = 4 * VERTICES * VERTICES };

/* A graph with some labels, and parallel edges. */
struct labelled {
	struct weft__labelled g;
	uint64_t label[VERTICES];
	uint32_t first[VERTICES + 1];
	struct weft__edge edge[EDGES];
	uint32_t tail[EDGES];
	uint8_t much[VERTICES][VERTICES][3];	/* edges with each label */
};

static void random_labelled(struct weft_rng *rng, unsigned labels,
			    struct labelled *x)
{
	uint32_t n = 0;

	*x = (struct labelled){ .g = { .n = VERTICES } };
	for (unsigned a = 0; a < VERTICES; a++) {
		x->label[a] = weft_rng_below(rng, 1 + weft_rng_below(rng, 2));
		for (unsigned b = 0; b < a; b++)
			for (unsigned k = weft_rng_below(rng, 5); k-- > 2; ) {
				unsigned l = weft_rng_below(rng, labels);

				x->much[a][b][l]++;
				x->much[b][a][l]++;
			}
	}
	for (unsigned a = 0; a < VERTICES; a++) {
		x->first[a] = n;
		for (unsigned l = 3; l--; )
			for (unsigned b = 0; b < VERTICES; b++)
				for (unsigned k = x->much[a][b][l]; k--; ) {
					x->tail[n] = a;
					x->edge[n++] = (struct weft__edge){
						b, l };
				}
	}
	x->first[VERTICES] = n;
	x->g.label = x->label;
	x->g.first = x->first;
	x->g.edge = x->edge;
	weft__labelled_sort(&x->g);
}

/* Whether edges of a vertex come by end, then label. */
static void expect_edges_sorted(const struct labelled *x)
{
	for (unsigned a = 0; a < VERTICES; a++)
		for (uint32_t e = x->first[a] + 1; e < x->first[a + 1]; e++) {
			const struct weft__edge *p = &x->edge[e - 1];

			EXPECT(p->to < p[1].to || (p->to == p[1].to &&
						   p->label <= p[1].label));
		}
}

/* Whether to[] is a symmetry. */
static bool keeps(const struct labelled *x, const uint8_t *to)
{
	for (unsigned a = 0; a < VERTICES; a++) {
		if (x->label[a] != x->label[to[a]])
			return false;
		for (unsigned b = 0; b < VERTICES; b++)
			if (memcmp(x->much[a][b], x->much[to[a]][to[b]], 3))
				return false;
	}
	return true;
}

/* Joins what all symmetries that begin with n chosen vertices map onto each other:
 * vertices, and edges as (a, b, label). */
static void join_labelled(const struct labelled *x, uint8_t *to, unsigned n,
			  uint32_t *vertex, uint32_t *edge)
{
	if (n == VERTICES && keeps(x, to))
		for (unsigned a = 0; a < VERTICES; a++) {
			sets_join(vertex, a, to[a]);
			for (unsigned b = 0; b < VERTICES; b++)
				for (unsigned l = 0; l < 3; l++) {
					unsigned at = a * VERTICES + b;
					unsigned is = to[a] * VERTICES + to[b];
					unsigned back = b * VERTICES + a;

					sets_join(edge, 3 * at + l, 3 * is + l);
					sets_join(edge, 3 * at + l,
						  3 * back + l);
				}
		}
	for (uint8_t v = 0; n < VERTICES && v < VERTICES; v++) {
		bool used = false;

		for (unsigned i = 0; i < n; i++)
			used |= to[i] == v;
		to[n] = v;
		if (!used)
			join_labelled(x, to, n + 1, vertex, edge);
	}
}

static uint32_t edge_number(const struct labelled *x, uint32_t e)
{
	return 3 * (x->tail[e] * VERTICES + x->edge[e].to) + x->edge[e].label;
}

/* Edges are alike exactly where one of all permutations says so; vertices only
 * where it does.  Without steps nothing is but an edge and itself. */
TEST(test_labelled)
{
	struct weft_rng *rng = weft_rng_new(4);
	unsigned together = 0, vertices = 0;

	for (unsigned k = 0; k < 150; k++) {
		uint32_t vertex[VERTICES], edge[3 * VERTICES * VERTICES];
		uint32_t is_vertex[VERTICES], is_edge[EDGES], n;
		uint64_t steps = k % 5 ? 1 << 28 : k % 2 * 200;
		struct labelled x;
		uint8_t to[VERTICES];

		random_labelled(rng, 1 + k % 3, &x);
		suite_case("round %u", k);
		expect_edges_sorted(&x);
		for (uint32_t i = 0; i < VERTICES; i++)
			vertex[i] = is_vertex[i] = i;
		for (uint32_t i = 0; i < 3 * VERTICES * VERTICES; i++)
			edge[i] = i;
		join_labelled(&x, to, 0, vertex, edge);
		n = x.first[VERTICES];
		for (uint32_t i = 0; i < n; i++)
			is_edge[i] = i;
		ASSERT_EQ(weft__symmetries(&x.g, steps, is_vertex, is_edge), 0);
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t j = 0; j < i; j++) {
				bool is = weft__sets_find(is_edge, i) ==
					weft__sets_find(is_edge, j);
				bool may = sets_top(edge, edge_number(&x, i)) ==
					sets_top(edge, edge_number(&x, j));

				EXPECT(is == may || (may && k % 5 == 0));
				together += is;
			}
		for (uint32_t i = 0; i < VERTICES; i++)
			for (uint32_t j = 0; j < i; j++) {
				bool is = weft__sets_find(is_vertex, i) ==
					weft__sets_find(is_vertex, j);

				EXPECT(!is || sets_top(vertex, i) ==
					      sets_top(vertex, j));
				vertices += is;
			}
	}
	EXPECT(together > 500);
	EXPECT(vertices > 5);
	weft_rng_free(rng);
}

/* Twins have the same label and the same edges to others, and none to each other. */
TEST(test_twins)
{
	struct weft_rng *rng = weft_rng_new(5);
	unsigned found = 0;

	for (unsigned k = 0; k < 200; k++) {
		uint32_t twin[VERTICES];
		struct labelled x;

		random_labelled(rng, 1 + k % 3, &x);
		suite_case("round %u", k);
		ASSERT_EQ(weft__twins(&x.g, twin), 0);
		for (unsigned a = 0; a < VERTICES; a++) {
			unsigned b = 0;

			for (; b < a; b++)
				if (x.label[a] == x.label[b] &&
				    !memcmp(x.much[a], x.much[b],
					    sizeof(x.much[a])))
					break;
			EXPECT_EQ(twin[a], b);
			found += b < a;
		}
	}
	EXPECT(found > 20);
	weft_rng_free(rng);
}
