// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rail-optimised clusters: sizes, who hangs where, faults of cabling. */
#include "gen_suite.h"

/* Parts: groups of switches that no cable joins. */
static const struct {
	const char *spec;
	uint32_t leaves, spines, cores, adapters, up, parts;
} sizes[] = {
	/* up: cables upward from a leaf */
	{ "rails:gpus=8,hosts=32,radix=64", 8, 4, 0, 256, 32, 1 },
	{ "rails:gpus=8,hosts=128,radix=64", 32, 16, 0, 1024, 32, 1 },
	{ "rails:gpus=8,hosts=512,radix=64", 128, 128, 64, 4096, 32, 1 },
	{ "rails:hosts=512,between=no", 128, 64, 0, 4096, 32, 8 },
	{ "rails:hosts=32,between=no", 8, 0, 0, 256, 0, 8 },
	{ "rails:hosts=32,between=core", 8, 8, 4, 256, 32, 1 },
	{ "rails:hosts=128,spines=8", 32, 8, 0, 1024, 16, 1 },
	{ "rails:hosts=128,oversub=2", 32, 8, 0, 1024, 16, 1 },
	{ "rails:hosts=512,oversub=2", 128, 128, 32, 4096, 32, 1 },
	/* a last unit with few machines, one GPU, units off the power of 2 */
	{ "rails:gpus=4,hosts=20,radix=16", 12, 8, 0, 80, 8, 1 },
	{ "rails:gpus=4,hosts=20,radix=16,between=core", 12, 16, 8, 80, 8, 1 },
	{ "rails:gpus=1,hosts=4,radix=4", 2, 1, 0, 4, 2, 1 },
	{ "rails:gpus=3,hosts=30,radix=20,unit=10", 9, 5, 0, 90, 10, 1 },
	{ "rails:hosts=4", 8, 1, 0, 32, 4, 1 },
	{ "rails:", 8, 4, 0, 256, 32, 1 },
};

static uint32_t count_parts(const struct weft_fabric *f)
{
	uint32_t *hops = malloc(f->nsw * sizeof(*hops)), parts = 0;
	bool *seen = calloc(f->nsw, sizeof(*seen));

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (seen[s])
			continue;
		parts++;
		gen_bfs(f, s, hops, NULL);
		for (uint32_t t = 0; t < f->nsw; t++)
			seen[t] |= hops[t] != WEFT_NONE;
	}
	free(hops);
	free(seen);
	return parts;
}

static uint32_t count_role(const struct weft_fabric *f, uint32_t role)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		n += f->sw[s].role == role;
	return n;
}

TEST(test_sizes)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct weft_fabric *f;
		uint32_t leaf;

		suite_case("%s", sizes[i].spec);
		f = gen_make(sizes[i].spec);
		ASSERT(f != NULL);
		leaf = gen_named(f, "su01-rail0");
		EXPECT_EQ(count_role(f, WEFT_ROLE_LEAF), sizes[i].leaves);
		EXPECT_EQ(f->nsw, sizes[i].leaves + sizes[i].spines +
				  sizes[i].cores);
		EXPECT_EQ(count_role(f, WEFT_ROLE_ROOT), sizes[i].cores ?
			  sizes[i].cores : sizes[i].spines);
		EXPECT_EQ(f->nhosts, sizes[i].adapters);
		EXPECT_EQ(gen_degree(f, leaf), sizes[i].up);
		EXPECT_EQ(count_parts(f), sizes[i].parts);
		weft_fabric_free(f);
	}
}

/* What the name of an adapter says: "gpu012 mlx5_3" is adapter 3 of 12. */
static bool parse_name(const struct weft_fabric *f, uint32_t ep,
		       unsigned *machine, unsigned *adapter)
{
	return sscanf(f->node[f->ep[ep].node].name, "gpu%u mlx5_%u", machine,
		      adapter) == 2;
}

/* Adapters that are not on the leaf of their rail and unit. */
static uint32_t count_astray(const struct weft_fabric *f, unsigned unit)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < f->nep; e++) {
		unsigned machine = 0, adapter = 0, su = 0, rail = 0;

		EXPECT(parse_name(f, e, &machine, &adapter));
		EXPECT_EQ(sscanf(f->sw[f->ep[e].sw].name, "su%u-rail%u", &su,
				 &rail), 2);
		n += rail != adapter || su != (machine - 1) / unit + 1;
	}
	return n;
}

static uint32_t astray(const char *spec, unsigned unit)
{
	struct weft_fabric *f = gen_make(spec);
	uint32_t n = f ? count_astray(f, unit) : UINT32_MAX;

	weft_fabric_free(f);
	return n;
}

TEST(test_rails)
{
	EXPECT_EQ(astray("rails:hosts=70", 32), 0);
	EXPECT_EQ(astray("rails:gpus=4,hosts=33,radix=16,guids=shuffle", 8), 0);
	EXPECT_EQ(astray("rails:hosts=70,between=core", 32), 0);
	EXPECT_EQ(astray("rails:hosts=70,missing=5%", 32), 0);
	/* both ends of each exchange are astray */
	EXPECT_EQ(astray("rails:hosts=70,swap=3", 32), 6);
	EXPECT_EQ(astray("rails:hosts=70,swap=3,seed=2,missing=4", 32), 6);
	EXPECT_EQ(astray("rails:hosts=64,swap=10%", 32), 52);
	EXPECT(gen_same("rails:hosts=70,swap=3", "rails:hosts=70,swap=3",
			true));
	EXPECT(!gen_same("rails:hosts=70,swap=3",
			 "rails:hosts=70,swap=3,seed=2", true));
}

/* Adapters of a machine have one system image GUID, and nobody else has it. */
TEST(test_machines)
{
	struct weft_fabric *f = gen_make("rails:hosts=40,guids=shuffle");

	ASSERT(f != NULL);
	for (uint32_t a = 0; a < f->nep; a++)
		for (uint32_t b = 0; b < a; b++) {
			unsigned ma = 0, mb = 0, adapter;
			uint64_t sa = f->node[f->ep[a].node].system_guid;
			uint64_t sb = f->node[f->ep[b].node].system_guid;

			if (!parse_name(f, a, &ma, &adapter) ||
			    !parse_name(f, b, &mb, &adapter) ||
			    (sa == sb) != (ma == mb))
				EXPECT_NEVER("a GUID of another machine");
		}
	weft_fabric_free(f);
}

TEST(test_missing)
{
	struct weft_fabric *f = gen_make("rails:hosts=32,missing=10");

	ASSERT(f != NULL);
	EXPECT_EQ(f->nhosts, 246);
	weft_fabric_free(f);
}

TEST(test_names)
{
	struct weft_fabric *f = gen_make("ring:3,names=hca");

	EXPECT_STR(f->node[2].name, "host-0002 HCA-1");
	EXPECT_STR(f->sw[2].name, "sw-2");
	weft_fabric_free(f);
	f = gen_make("rails:gpus=2,hosts=2,radix=4,names=hca");
	EXPECT_STR(f->node[3].name, "gpu002 HCA-2");
	weft_fabric_free(f);
}

TEST(test_refused)
{
	static const struct {
		const char *spec;
		int err;
		const char *says;
	} bad[] = {
		{ "rails", EINVAL, "rails:gpus=G,hosts=H,radix=R is expected" },
		{ "rails:8", EINVAL, "'8' is no option of rails" },
		{ "rails:hosts=0", EINVAL, "one at least" },
		{ "rails:hosts=2:1", EINVAL, "number of machines" },
		{ "rails:hosts=60000", ERANGE, "60000 machines are too many" },
		{ "rails:hosts=9000", ERANGE, "do not fit below spines" },
		{ "rails:gpus=1,hosts=49000,radix=254,spines=127", ERANGE,
		  "leaves do not fit" },
		{ "rails:gpus=64,hosts=900", ERANGE, "LIDs end at" },
		{ "rails:hosts=100,unit=65", ERANGE, "leaves of as many ports" },
		{ "rails:hosts=100,unit=64", ERANGE, "a smaller unit=" },
		{ "rails:hosts=512,between=spines", ERANGE, "between=core" },
		{ "rails:hosts=32,between=no,spines=2", EINVAL, "has none" },
		{ "rails:hosts=32,spines=0", ERANGE, "0 spines" },
		{ "rails:hosts=32,spines=33", ERANGE, "32 cables upward" },
		{ "rails:hosts=32,total=9", EINVAL, "no option of rails" },
		{ "rails:hosts=32,dual=yes", EINVAL, "no option of rails" },
		{ "rails:gpus=8,gpus=8", EINVAL, "given twice" },
		{ "rails:gpus=65", EINVAL, "from 1 to 64" },
		{ "rails:gpus=1,hosts=4,swap=1", EINVAL, "after 0 no adapter" },
		{ "rails:hosts=4,missing=33", EINVAL, "there are 32" },
		{ "rails:gpus=20,radix=16,between=core", ERANGE,
		  "cannot join 20 rails" },
		{ "ring:4,swap=1", EINVAL, "no option of ring" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct suite_words words = { 0 };
		struct weft_diag diag = { .emit = suite_hear,
					  .context = &words };
		struct weft_fabric *f = NULL;

		suite_case("%s", bad[i].spec);
		EXPECT_EQ(weft_gen(bad[i].spec, &f, &diag), -bad[i].err);
		EXPECT(strstr(words.text, bad[i].says) != NULL);
		weft_fabric_free(f);
	}
}
