// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Families of synthetic fabrics: sizes, degrees and distances against closed
 * forms; the structure that makes each family what it is.
 */
#include "gen_suite.h"

/* Sizes that formulas of the literature give, and the longest way between
 * hosts in cables between switches. */
static const struct {
	const char *spec;
	uint32_t switches, hosts, cables, diameter;
} sizes[] = {
	/* PGFT: level l has prod(m_i, i > l) * prod(w_i, i <= l) switches */
	{ "pgft:1;8;1;1", 1, 8, 0, 0 },
	{ "pgft:2;4,4;1,2;1,2", 4 + 2, 16, 4 * 2 * 2, 2 },
	{ "pgft:3;12,12,24;1,12,12;1,1,1", 720, 3456, 6912, 4 },
	{ "pgft:3;2,3,4;1,3,2;1,2,1", 12 + 12 + 6, 24, 12 * 6 + 12 * 2, 4 },
	{ "xgft:3;4,4,4;1,2,2", 16 + 8 + 4, 64, 32 + 16, 4 },
	/* k-ary n-tree: n * k^(n-1) switches, k^n hosts */
	{ "kary:2;4", 4 * 8, 16, 3 * 16, 6 },
	{ "kary:4;3", 3 * 16, 64, 2 * 64, 4 },
	{ "kary:5;1", 1, 5, 0, 0 },
	/* m-port n-tree: (2n-1) * (m/2)^(n-1) switches, 2 * (m/2)^n hosts */
	{ "mport:4;3", 5 * 4, 16, 2 * 16, 4 },
	{ "mport:8;2", 3 * 4, 32, 32, 2 },
	{ "mport:6;1", 1, 6, 0, 0 },
	/* RLFT: as many cables at every stage as hosts */
	{ "rlft:24;3", 720, 3456, 6912, 4 },
	{ "rlft:24;2;12", 12 + 6, 144, 144, 2 },
	{ "rlft:36;2", 54, 648, 648, 2 },
	/* T(n+m,r): r * m cables */
	{ "gft:12+16,28", 44, 12 * 28, 28 * 16, 2 },
	{ "gft:16+9,24", 24 + 9, 16 * 24, 24 * 9, 2 },
	/* torus: n cables per switch in n dimensions, sum of k/2 hops */
	{ "torus:4x4x4,hosts=4", 64, 256, 3 * 64, 6 },
	{ "torus:3x5", 15, 15, 30, 1 + 2 },
	{ "torus:2x4", 8, 8, 4 + 8, 1 + 2 },
	{ "torus:6x6x6x6", 1296, 1296, 4 * 1296, 12 },
	{ "torus:5x5,links=3", 25, 25, 150, 4 },
	{ "mesh:3x4", 12, 12, 2 * 4 + 3 * 3, 2 + 3 },
	{ "mesh:4x4x4", 64, 64, 3 * 48, 9 },
	{ "hypercube:1", 2, 2, 1, 1 },
	{ "hypercube:7", 128, 128, 7 * 64, 7 },
	{ "ring:3", 3, 3, 3, 1 },
	{ "ring:9,hosts=2", 9, 18, 9, 4 },
	{ "chain:2", 2, 2, 1, 1 },
	{ "chain:6,hosts=0:2,links=2", 6, 6, 10, 4 },
	{ "star:5,hosts=3", 6, 15, 5, 2 },
	{ "full:8,hosts=2", 8, 16, 28, 1 },
	{ "full:5,links=2", 5, 5, 20, 1 },
	/* dragonfly: complete groups; a*h/(g-1) cables between two groups */
	{ "dragonfly:8,4,4,9", 72, 288, 9 * 28 + 36 * 4, 3 },
	{ "dragonfly:4,2,2,9", 36, 72, 9 * 6 + 36, 3 },
	{ "dragonfly:4,2,2,4", 16, 32, 4 * 6 + 6 * 2, 3 },
	{ "dragonfly:6,3,0,1", 6, 18, 15, 1 },
	/* megafly: up, to the other group, down */
	{ "megafly:4,4,4,4,17", 136, 272, 17 * 16 + 136, 3 },
	{ "dragonfly+:2,3,4,2,5", 30, 30, 5 * 8 + 10 * 2, 3 },
	/* HyperX: a hop for each dimension */
	{ "hyperx:6x6,hosts=6", 36, 216, 180, 2 },
	{ "hyperx:4x3x2,trunk=2", 24, 24, 144, 3 },
	/* Slim Fly: 2 q^2 switches, diameter 2, the published concentration */
	{ "slimfly:3", 18, 54, 45, 2 },
	{ "slimfly:4", 32, 96, 96, 2 },
	{ "slimfly:5", 50, 200, 175, 2 },
	{ "slimfly:7", 98, 588, 539, 2 },
	{ "slimfly:8", 128, 768, 768, 2 },
	{ "slimfly:9", 162, 1134, 1053, 2 },
	{ "slimfly:11,hosts=6", 242, 1452, 2057, 2 },
	{ "slimfly:13", 338, 3380, 3211, 2 },
	{ "slimfly:16", 512, 6144, 6144, 2 },
	{ "slimfly:25,hosts=1", 1250, 1250, 23125, 2 },
	{ "slimfly:27,hosts=1", 1458, 1458, 29889, 2 },
	{ "slimfly:32,hosts=1", 2048, 2048, 49152, 2 },
};

TEST(test_sizes)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct weft_fabric *f = gen_make(sizes[i].spec);

		if (!f)
			continue;
		EXPECT_EQ(f->nsw, sizes[i].switches);
		EXPECT_EQ(f->nnodes, sizes[i].hosts);
		EXPECT_EQ(gen_cables(f), sizes[i].cables);
		EXPECT_EQ(f->nlinks, sizes[i].cables + f->nep);
		EXPECT_EQ(gen_diameter(f), sizes[i].diameter);
		EXPECT(gen_connected(f));
		if (f->nsw != sizes[i].switches ||
		    gen_cables(f) != sizes[i].cables ||
		    gen_diameter(f) != sizes[i].diameter)
			fprintf(stderr,
				"%s: %u switches, %u cables, diameter %u\n",
				sizes[i].spec, f->nsw,
				gen_cables(f), gen_diameter(f));
		weft_fabric_free(f);
	}
}

/* Every switch has this degree. */
static const struct {
	const char *spec;
	uint32_t degree;
} regular[] = {
	{ "torus:3x4x5", 6 }, { "torus:4x4,links=2", 8 }, { "torus:2x2x2", 3 },
	{ "torus:2x5", 3 }, { "hypercube:6", 6 }, { "ring:7", 2 },
	{ "full:9", 8 }, { "random:43,12,12", 12 }, { "random:43x12,24", 12 },
	{ "random:250,12,12,seed=5", 12 }, { "random:10,9,1", 9 },
	{ "random:10,8,1", 8 }, { "random:20,2,1", 2 }, { "random:6,3,1", 3 },
	{ "random:2,1,3", 1 }, { "random:1,0,3", 0 },
	{ "dragonfly:4,2,2,9", 5 }, { "dragonfly:4,2,2,9,global=absolute", 5 },
	{ "slimfly:3", 5 }, { "slimfly:4", 6 }, { "slimfly:5", 7 },
	{ "slimfly:7", 11 }, { "slimfly:8", 12 }, { "slimfly:9", 13 },
	{ "slimfly:16", 24 }, { "slimfly:25", 37 }, { "slimfly:27", 41 },
	{ "hyperx:6x6", 10 }, { "hyperx:4x3x2,trunk=2", 12 },
	{ "megafly:4,2,4,0,1", 4 }, { "jellyfish:43,24,12", 12 },
	{ "xpander:7,8,5", 7 }, { "xpander:3,1,1", 3 },
	{ "xpander:3,2,1,seed=9", 3 },
};

TEST(test_regular)
{
	for (size_t i = 0; i < sizeof(regular) / sizeof(regular[0]); i++) {
		struct weft_fabric *f = gen_make(regular[i].spec);
		bool same = true;

		for (uint32_t s = 0; f && s < f->nsw; s++)
			same = same && gen_degree(f, s) == regular[i].degree;
		EXPECT(same);
		EXPECT(f && gen_connected(f));
		weft_fabric_free(f);
	}
}

/*
 * Ways between two leaves whose nearest common ancestors are of level l:
 * w_2 p_2^2 ... w_l p_l^2, and 2 (l - 1) hops.  The level follows from the
 * numbers of the leaves' subtrees alone.
 */
struct tree {
	const char *spec;
	uint32_t h, m[4], w[4], p[4];
};

static const struct tree trees[] = {
	{ "pgft:2;4,6;1,3;1,1", 2, { 4, 6 }, { 1, 3 }, { 1, 1 } },
	{ "pgft:2;4,6;1,3;1,2", 2, { 4, 6 }, { 1, 3 }, { 1, 2 } },
	{ "pgft:3;2,3,4;1,3,2;1,2,3", 3, { 2, 3, 4 }, { 1, 3, 2 },
	  { 1, 2, 3 } },
	{ "pgft:4;2,2,3,2;1,2,2,2;1,1,2,1", 4, { 2, 2, 3, 2 },
	  { 1, 2, 2, 2 }, { 1, 1, 2, 1 } },
	{ "pgft:3;12,12,24;1,12,12;1,1,1", 3, { 12, 12, 24 }, { 1, 12, 12 },
	  { 1, 1, 1 } },
};

static void check_ways(const struct weft_fabric *f, const struct tree *t)
{
	uint32_t *hops = malloc(f->nsw * sizeof(*hops));
	uint64_t *paths = malloc(f->nsw * sizeof(*paths));
	uint32_t leaves = 1;
	char name[32];
	bool good = true;

	for (uint32_t l = 1; l < t->h; l++)
		leaves *= t->m[l];
	gen_bfs(f, gen_named(f, "leaf-000"), hops, paths);
	for (uint32_t leaf = 1; leaf < leaves; leaf++) {
		uint32_t level = 1, other, at = leaf;
		uint64_t ways = 1;

		for (; at; at /= t->m[level], level++)
			ways *= t->w[level] * t->p[level] * t->p[level];
		snprintf(name, sizeof(name), "leaf-%03u", leaf);
		other = gen_named(f, name);
		good = good && hops[other] == 2 * (level - 1) &&
		       paths[other] == ways;
	}
	EXPECT(good);
	free(hops);
	free(paths);
}

TEST(test_tree_ways)
{
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct weft_fabric *f = gen_make(trees[i].spec);

		if (f)
			check_ways(f, &trees[i]);
		weft_fabric_free(f);
	}
}

/* Roles and level sizes of a tree; children below, parents above. */
TEST(test_tree_levels)
{
	struct weft_fabric *f = gen_make("pgft:3;2,3,4;1,3,2;1,2,1");
	uint32_t n[4] = { 0 };
	bool good = true;

	for (uint32_t s = 0; s < f->nsw; s++) {
		n[f->sw[s].role]++;
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			int up = f->sw[f->peer[f->adj[i]]].role -
				 f->sw[s].role;

			good = good && (up == 1 || up == -1);
		}
		good = good && gen_hosts_on(f, s) ==
		       (f->sw[s].role == WEFT_ROLE_LEAF ? 2 : 0);
	}
	EXPECT(good);
	EXPECT_EQ(n[WEFT_ROLE_LEAF], 12);
	EXPECT_EQ(n[WEFT_ROLE_MIDDLE], 12);
	EXPECT_EQ(n[WEFT_ROLE_ROOT], 6);
	weft_fabric_free(f);
}

/* Equal trees, written in different ways. */
TEST(test_tree_special_cases)
{
	static const char *const same[][2] = {
		{ "xgft:3;4,4,4;1,2,2", "pgft:3;4,4,4;1,2,2;1,1,1" },
		{ "kary:4;3", "pgft:3;4,4,4;1,4,4;1,1,1" },
		{ "mport:8;3", "pgft:3;4,4,8;1,4,4;1,1,1" },
		{ "rlft:8;3", "mport:8;3" },
		{ "rlft:24;2;12", "pgft:2;12,12;1,6;1,2" },
		{ "rlft:24;2;24", "rlft:24;2" },
		{ "gft:3+2,5", "xgft:2;3,5;1,2" },
		{ "rlft:36;2", "switch648" },
		{ "pgft:2;18,36;1,18;1,1,oversub=2", "pgft:2;18,36;1,9;1,1" },
		{ "pgft:2;6,4;1,1;1,6,oversub=3", "pgft:2;6,4;1,1;1,2" },
		{ "rlft:32;2", "myrinet512" },
		{ "pgft:2;12,12;1,6;1,2,total=128", "odin" },
		{ "torus:7", "ring:7" }, { "mesh:7", "chain:7" },
		{ "mesh:2x2x2", "hypercube:3" }, { "torus:2x2", "ring:4" },
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		struct weft_fabric *a = gen_make(same[i][0]);
		struct weft_fabric *b = gen_make(same[i][1]);
		bool good = a->nsw == b->nsw && a->nep == b->nep &&
			    a->nch <= b->nch + b->nsw * 2 &&
			    gen_cables(a) == gen_cables(b);

		/* The same switch has the same number in both, but for the
		 * ring of four, whose numbering goes round. */
		for (uint32_t s = 0; s < a->nsw && good && a->nsw != 4; s++)
			for (uint32_t t = 0; t < a->nsw && t < 80; t++)
				good = good && gen_between(a, s, t) ==
				       gen_between(b, s, t);
		EXPECT(good);
		if (!good)
			fprintf(stderr, "%s is not %s\n", same[i][0],
				same[i][1]);
		weft_fabric_free(a);
		weft_fabric_free(b);
	}
}

/* Hosts with several parents, w_1 > 1, and several cables to each; the planes
 * that these parents belong to meet in the hosts only. */
TEST(test_tree_many_ports)
{
	struct weft_fabric *f = gen_make("pgft:2;3,4;2,2;2,1");
	uint32_t hops[12];

	EXPECT_EQ(f->nnodes, 12);
	EXPECT_EQ(f->nep, 12 * 2 * 2);
	ASSERT_EQ(f->nsw, 8 + 4);
	EXPECT_EQ(gen_bfs(f, 0, hops, NULL), 12 / 2);
	for (uint32_t i = 0; i < f->nnodes; i++) {
		const struct weft_node *n = &f->node[i];
		uint32_t leaf[4];

		EXPECT_EQ(n->nports, 4);
		EXPECT_EQ(n->nendports, 4);
		for (uint32_t k = 0; k < 4; k++)
			leaf[k] = f->ep[f->node_endport[n->first_endport + k]]
				  .sw;
		EXPECT_EQ(leaf[0], leaf[1]);
		EXPECT_EQ(leaf[2], leaf[3]);
		EXPECT_EQ(leaf[0] + 1, leaf[2]);
	}
	weft_fabric_free(f);
}

/* Neighbours in a torus differ by one in one coordinate; which port leads
 * where follows from the dimension and the direction. */
TEST(test_torus_coordinates)
{
	struct weft_fabric *f = gen_make("torus:3x4x5,hosts=2");
	bool good = true;

	for (unsigned i = 0; i < 60; i++) {
		unsigned at[3] = { i % 3, i / 3 % 4, i / 12 };
		static const unsigned size[3] = { 3, 4, 5 };
		char name[32];
		uint32_t s;

		snprintf(name, sizeof(name), "sw-%u-%u-%u", at[0], at[1],
			 at[2]);
		s = gen_named(f, name);
		for (unsigned d = 0; d < 6; d++) {
			unsigned to[3] = { at[0], at[1], at[2] };
			unsigned n = size[d / 2];
			uint32_t ch = weft_channel(f, s, 2 + d + 1);

			to[d / 2] = (at[d / 2] + (d % 2 ? n - 1 : 1)) % n;
			snprintf(name, sizeof(name), "sw-%u-%u-%u", to[0],
				 to[1], to[2]);
			good = good && f->peer[ch] == gen_named(f, name) &&
			       f->peer_port[ch] == 2 + (d ^ 1) + 1;
		}
	}
	EXPECT(good);
	weft_fabric_free(f);
}

/* A random graph has no two cables between two switches, depends on its seed,
 * and not on what else is random. */
TEST(test_random_graph)
{
	struct weft_fabric *f = gen_make("random:60,7,3,seed=9");
	bool simple = true;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t t = 0; t < f->nsw; t++)
			simple = simple &&
				 gen_between(f, s, t) <= (s == t ? 0 : 1);
	EXPECT(simple);
	weft_fabric_free(f);
	EXPECT(gen_same("random:60,7,3,seed=9", "random:60,7,3,seed=9", true));
	EXPECT(!gen_same("random:60,7,3,seed=9", "random:60,7,3,seed=10",
	       false));
	EXPECT(gen_same("random:60,7,3,seed=9",
	       "random:60,7,3,seed=9,guids=shuffle", false));
	EXPECT(gen_same("random:43x12,24", "random:43,12,12", true));
}

/*
 * Edges of a random graph are uniform: over many seeds each pair of 8
 * switches is cabled in 3/7 of the graphs of degree 3.
 */
TEST(test_random_uniform)
{
	enum { SEEDS = 400, N = 8 };
	uint32_t count[N][N] = { 0 };
	char spec[40];

	for (unsigned seed = 0; seed < SEEDS; seed++) {
		struct weft_fabric *f;

		snprintf(spec, sizeof(spec), "random:8,3,1,seed=%u", seed);
		f = gen_make(spec);
		for (uint32_t s = 0; s < N; s++)
			for (uint32_t t = 0; t < N; t++)
				count[s][t] += gen_between(f, s, t);
		weft_fabric_free(f);
	}
	/* mean 171, standard deviation 9.9: five of them */
	for (uint32_t s = 0; s < N; s++)
		for (uint32_t t = 0; t < N; t++)
			EXPECT(s == t || (count[s][t] > 121 && count[s][t] <
			       222));
}

/* Where each global port leads, from the definitions of both arrangements. */
static void check_dragonfly(uint32_t a, uint32_t p, uint32_t h, bool palmtree)
{
	uint32_t g = a * h + 1;
	struct weft_fabric *f;
	char spec[80], name[32];
	bool good = true;

	snprintf(spec, sizeof(spec), "dragonfly:%u,%u,%u,%u,global=%s", a, p,
		 h, g, palmtree ? "palmtree" : "absolute");
	f = gen_make(spec);
	for (uint32_t i = 0; i < g * a * h; i++) {
		uint32_t group = i / (a * h), sw = i / h % a, k = i % h, to;
		uint32_t peer;

		snprintf(name, sizeof(name), "g%02u-sw%02u", group, sw);
		peer = f->peer[weft_channel(f, gen_named(f, name),
					    p + a - 1 + k + 1)];
		if (palmtree)
			to = (group + g - (sw * h + k + 1)) % g;
		else
			to = sw * h + k + (sw * h + k >= group);
		snprintf(name, sizeof(name), "g%02u-", to);
		good = good && weft_is_switch(peer) &&
		       !strncmp(f->sw[peer].name, name, strlen(name));
	}
	EXPECT(good);
	weft_fabric_free(f);
}

TEST(test_dragonfly)
{
	check_dragonfly(4, 2, 2, true);
	check_dragonfly(4, 2, 2, false);
	check_dragonfly(3, 1, 4, true);
	check_dragonfly(3, 1, 4, false);
}

/* With fewer groups than ports, all pairs of groups get equally many cables. */
TEST(test_dragonfly_small)
{
	static const char *const specs[] = {
		"dragonfly:8,4,4,9", "dragonfly:8,4,4,9,global=absolute",
		"dragonfly:4,2,3,5",
	};
	static const uint32_t groups[] = { 9, 9, 5 }, size[] = { 8, 8, 4 },
			      each[] = { 4, 4, 3 };

	for (int i = 0; i < 3; i++) {
		struct weft_fabric *f = gen_make(specs[i]);
		uint32_t between[9][9] = { 0 };
		bool good = true;

		for (uint32_t s = 0; s < f->nsw; s++)
			for (uint32_t t = 0; t < f->nsw; t++)
				between[s / size[i]][t / size[i]] +=
					gen_between(f, s, t);
		for (uint32_t x = 0; x < groups[i]; x++)
			for (uint32_t y = 0; y < groups[i]; y++)
				good = good && (x == y ||
						between[x][y] == each[i]);
		EXPECT(good);
		weft_fabric_free(f);
	}
}
