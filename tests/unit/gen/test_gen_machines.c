// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The machines of the papers: the figures that are published about them, and
 * the structure that was chosen.
 */
#include "gen_suite.h"

/* Switches, hosts and cables between switches; longest way between hosts in
 * such cables. */
static const struct {
	const char *spec;
	uint32_t switches, hosts, cables, diameter;
} sizes[] = {
	{ "switch648", 54, 648, 648, 2 },
	{ "rack648", 108, 648, 1296 + 27 * 12, 4 },
	{ "rack432", 78, 432, 864 + 18 * 12, 4 },
	{ "rack216", 48, 216, 432 + 9 * 12, 4 },
	{ "rack144", 38, 144, 288 + 6 * 12, 4 },
	{ "switch3456", 720, 3456, 6912, 4 },
	{ "dual4608", 1440, 4608, 3 * 4608, 6 },
	{ "ranger", 1440, 3936, 3 * 4608, 6 },
	{ "juropa", 864, 5184, 2 * 5184 + 216 * 12, 5 },
	{ "deimos", 108, 724, 3 * 288 + 60, 4 },
	{ "odin", 18, 128, 144, 2 },
	{ "chic", 44 + 2 * 36, 528, 528 + 2 * 288, 4 },
	{ "atlas", 96 + 4 * 36, 1142, 4 * 2 * 288, 4 },
	{ "thunderbird", 280 + 8 * 36, 4390, 280 * 8 + 8 * 288, 4 },
	{ "myrinet512", 48, 512, 512, 2 },
	/* Bogdanski, tables of node distributions */
	{ "switch648,hosts=9:9", 54, 324, 648, 2 },
	{ "switch648,hosts=11:7", 54, 324, 648, 2 },
	{ "switch648,hosts=13:5", 54, 324, 648, 2 },
	{ "switch648,hosts=17:1", 54, 324, 648, 2 },
	{ "switch3456,hosts=6:6", 720, 1728, 6912, 4 },
	{ "switch3456,hosts=11:1", 720, 1728, 6912, 4 },
	{ "rack648,hosts=12:12", 108, 324, 1620, 4 },
	{ "rack648,hosts=22:1", 108, 321, 1620, 4 },
	{ "juropa,hosts=12:12", 864, 2592, 12960, 5 },
	{ "juropa,hosts=23:1", 864, 2592, 12960, 5 },
	/* half of the spines removed */
	{ "switch648,oversub=2", 45, 648, 324, 2 },
	{ "odin,oversub=2", 15, 128, 72, 2 },
	{ "switch3456,oversub=2", 648, 3456, 3456 * 3 / 2, 4 },
};

TEST(test_sizes)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct weft_fabric *f = gen_make(sizes[i].spec);
		bool good = f && f->nsw == sizes[i].switches &&
			    f->nhosts == sizes[i].hosts &&
			    gen_cables(f) == sizes[i].cables &&
			    gen_diameter(f) == sizes[i].diameter &&
			    gen_connected(f);

		EXPECT(good);
		if (!good && f)
			fprintf(stderr,
				"%s: %u switches, %u hosts, %u cables, diameter %u\n",
				sizes[i].spec,
				f->nsw, f->nhosts, gen_cables(f),
				gen_diameter(f));
		weft_fabric_free(f);
	}
}

/* Chips of one size, all ports of the full machines in use. */
TEST(test_chips)
{
	static const struct {
		const char *spec;
		uint32_t radix;
		bool full;
	} chips[] = {
		{ "switch648", 36, true }, { "rack648", 36, true },
		{ "switch3456", 24, true }, { "juropa", 36, true },
		{ "myrinet512", 32, true }, { "chic", 24, false },
		{ "atlas", 24, false }, { "thunderbird", 24, false },
		{ "deimos", 24, false }, { "odin", 24, false },
		{ "dual4608", 24, false },
	};

	for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++) {
		struct weft_fabric *f = gen_make(chips[i].spec);
		bool good = true, full = true;

		for (uint32_t s = 0; s < f->nsw; s++) {
			good = good && f->sw[s].nports == chips[i].radix;
			full = full && gen_degree(f, s) + gen_hosts_on(f, s) ==
			       chips[i].radix;
		}
		EXPECT(good);
		EXPECT_EQ(full, chips[i].full);
		weft_fabric_free(f);
	}
}

/* Switches of f that sw is cabled to by exactly n cables; their ids. */
static uint32_t joined(const struct weft_fabric *f, uint32_t sw, uint32_t n,
		       uint32_t *ids)
{
	uint32_t count = 0;

	for (uint32_t t = 0; t < f->nsw; t++)
		if (gen_between(f, sw, t) == n)
			ids[count++] = t;
	return count;
}

/* Both switches of a unit: 12 cross-cables, and three cables to each of the
 * same four leaves. */
TEST(test_rack_units)
{
	struct weft_fabric *f = gen_make("rack648");
	uint32_t up[2][108], cross[108];
	char name[32];

	for (uint32_t u = 0; u < 27; u++) {
		for (int i = 0; i < 2; i++) {
			uint32_t s;

			snprintf(name, sizeof(name), "rack-%03u%c", u,
				 "ab"[i]);
			s = gen_named(f, name);
			EXPECT_EQ(gen_hosts_on(f, s), 12);
			EXPECT_EQ(joined(f, s, 3, up[i]), 4);
			EXPECT_EQ(joined(f, s, 12, cross), 1);
		}
		EXPECT_STR(f->sw[cross[0]].name, (snprintf(name, sizeof(name),
			   "rack-%03ua", u), name));
		EXPECT_EQ(memcmp(up[0], up[1], 4 * sizeof(up[0][0])), 0);
	}
	/* a leaf of the chassis serves three units */
	EXPECT_EQ(joined(f, gen_named(f, "leaf-17"), 3, up[0]), 6);
	EXPECT_EQ(joined(f, gen_named(f, "leaf-17"), 1, up[0]), 18);
	weft_fabric_free(f);
}

/* Switch a of a unit reaches four of the chassis, switch b the other four. */
TEST(test_juropa_units)
{
	struct weft_fabric *f = gen_make("juropa");
	uint32_t up[864];
	char name[32];

	for (uint32_t i = 0; i < 432; i++) {
		bool good = true;

		snprintf(name, sizeof(name), "rack-%03u%c", i / 2,
			 "ab"[i % 2]);
		EXPECT_EQ(joined(f, gen_named(f, name), 3, up), 4);
		for (uint32_t j = 0; j < 4; j++) {
			snprintf(name, sizeof(name), "sw%u-leaf-", i % 2 * 4 +
				 j);
			good = good && !strncmp(f->sw[up[j]].name, name,
						strlen(name));
		}
		EXPECT(good);
	}
	weft_fabric_free(f);
}

/* Each rack switch has six cables to each core, three to a leaf; each core has
 * 16 line cards. */
TEST(test_dual_core)
{
	struct weft_fabric *f = gen_make("dual4608");
	uint32_t up[1440], counts[2] = { 0, 0 };
	bool good = true;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t n = joined(f, s, 3, up);

		counts[0] += !strncmp(f->sw[s].name, "core-a-", 7);
		counts[1] += !strncmp(f->sw[s].name, "core-b-", 7);
		if (!strncmp(f->sw[s].name, "rack-", 5))
			good = good && n == 4 &&
			       !strncmp(f->sw[up[0]].name, "core-a-leaf", 11) &&
			       !strncmp(f->sw[up[1]].name, "core-a-leaf", 11) &&
			       !strncmp(f->sw[up[2]].name, "core-b-leaf", 11) &&
			       !strncmp(f->sw[up[3]].name, "core-b-leaf", 11);
		else if (strstr(f->sw[s].name, "leaf"))
			good = good && n == 4;
	}
	EXPECT(good);
	EXPECT_EQ(counts[0], 528);
	EXPECT_EQ(counts[1], 528);
	weft_fabric_free(f);
}

/* 30 cables between neighbours of the chain, none between its ends, spread so
 * that no leaf has more than three; 9 hosts at least on every leaf. */
TEST(test_deimos_chain)
{
	struct weft_fabric *f = gen_make("deimos");
	uint32_t between[3][3] = { 0 };
	bool good = true;

	for (uint32_t s = 0; s < f->nsw; s++) {
		int box = f->sw[s].name[0] - 'a';
		uint32_t out = 0;

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			int peer = f->sw[f->peer[f->adj[i]]].name[0] - 'a';

			between[box][peer]++;
			out += peer != box;
		}
		good = good && out <= 3;
		if (f->sw[s].role == WEFT_ROLE_LEAF)
			good = good && out >= 1 && gen_hosts_on(f, s) >= 9;
		else
			good = good && !out && !gen_hosts_on(f, s);
	}
	EXPECT(good);
	EXPECT_EQ(between[0][1], 30);
	EXPECT_EQ(between[1][2], 30);
	EXPECT_EQ(between[0][2], 0);
	EXPECT_EQ(between[1][1], 2 * 288);
	weft_fabric_free(f);
}

/* Each of that many leaves has the same number of cables to one chip of each of
 * the tops. */
static void check_edges(const char *spec, uint32_t leaves, uint32_t tops,
			uint32_t cables)
{
	struct weft_fabric *f = gen_make(spec);
	uint32_t up[568];
	char name[32];

	for (uint32_t i = 0; i < leaves; i++) {
		snprintf(name, sizeof(name), "leaf-%0*u", leaves > 100 ? 3 : 2,
			 i);
		EXPECT_EQ(joined(f, gen_named(f, name), cables, up), tops);
		for (uint32_t t = 0; t < tops; t++) {
			snprintf(name, sizeof(name), "top-%c-leaf-", 'a' + t);
			EXPECT_EQ(strncmp(f->sw[up[t]].name, name,
				  strlen(name)), 0);
		}
	}
	weft_fabric_free(f);
}

TEST(test_edges)
{
	check_edges("chic", 44, 2, 6);
	check_edges("atlas", 96, 4, 3);
	check_edges("thunderbird", 280, 8, 1);
}

/* Hosts are spread over the leaves with a difference of one at most where
 * nothing but their number is given. */
TEST(test_spread)
{
	static const char *const specs[] = {
		"odin", "ranger", "atlas", "switch648,total=100",
		"torus:4x4,total=37", "rack648,total=200",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = gen_make(specs[i]);
		uint32_t min = UINT32_MAX, max = 0;

		for (uint32_t s = 0; s < f->nsw; s++) {
			uint32_t n = gen_hosts_on(f, s);

			if (f->sw[s].role != WEFT_ROLE_LEAF)
				continue;
			min = n < min ? n : min;
			max = n > max ? n : max;
		}
		EXPECT(max - min <= 1);
		weft_fabric_free(f);
	}
}
