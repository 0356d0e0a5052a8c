// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Aliases of all that tells whose a fabric is, by kind: systems, routers,
 * columns of values; and lanes, which go along. */
#include "../io/io_tables_util.h"

#include <stdio.h>

static struct weft_aliases *aliases_of(const struct weft_fabric *f)
{
	static const char key[] = "a key of some length";
	struct weft_aliases *a = NULL;

	ASSERT_EQ(weft_aliases_new(f, weft_alias_key_of(key, strlen(key)), &a,
		  NULL), 0);
	return a;
}

static void name(struct weft_builder *b, uint32_t node, const char *text)
{
	weft_builder_name(b, node, text, strlen(text));
}

/* Two switches of one system, each with a node of another kind. */
static struct weft_fabric *make_kinds(void)
{
	const struct weft_rate rate = { 4, WEFT_EDR };
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	uint32_t sw[2], node[2];

	for (unsigned i = 0; i < 2; i++) {
		sw[i] = weft_builder_node(b, WEFT_NODE_SWITCH, 0x20 + i, 4);
		weft_builder_spec(b, sw[i])->system_guid = 0x7777;
		weft_builder_port(b, sw[i], 0)->lid = 1 + i;
		name(b, sw[i], i ? "right" : "left");
		node[i] = weft_builder_node(b, i ? WEFT_NODE_ROUTER :
					    WEFT_NODE_CA, 0x30 + i, 1);
		weft_builder_spec(b, node[i])->system_guid = 0x8888 + i;
		weft_builder_port(b, node[i], 1)->lid = 3 + i;
		weft_builder_link(b, node[i], 1, sw[i], 1, rate);
	}
	name(b, node[0], "The AGGREGATION Node");
	name(b, node[1], "gateway");
	weft_builder_link(b, sw[0], 2, sw[1], 2, rate);
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

TEST(systems)
{
	struct weft_fabric *f = make_kinds(), *g = NULL;
	struct weft_aliases *a = aliases_of(f);

	ASSERT_EQ(weft_alias_fabric(a, &g, NULL), 0);
	/* the fabric's own, so that their order stays */
	EXPECT_EQ(weft_alias_guid(a, 0x7777) >> 56, 2);
	EXPECT(weft_alias_guid(a, 0x31) < weft_alias_guid(a, 0x7777));
	EXPECT(weft_alias_guid(a, 0x7777) < weft_alias_guid(a, 0x8888));
	for (uint32_t s = 0; s < 2; s++)
		EXPECT(g->sw[s].system_guid == weft_alias_guid(a, 0x7777));
	for (uint32_t n = 0; n < f->nnodes; n++)
		EXPECT(g->node[n].system_guid ==
		       weft_alias_guid(a, f->node[n].system_guid));
	weft_fabric_free(g);
	weft_aliases_free(a);
	weft_fabric_free(f);
}

/* Names tell the kind; by theirs aggregation nodes are known, however they are
 * written. */
TEST(kinds)
{
	struct weft_fabric *f = make_kinds(), *g = NULL;
	struct weft_aliases *a = aliases_of(f);

	ASSERT_EQ(weft_alias_fabric(a, &g, NULL), 0);
	for (uint32_t s = 0; s < 2; s++)
		EXPECT(!strncmp(g->sw[s].name, "switch-", 7));
	for (uint32_t n = 0; n < f->nnodes; n++)
		if (f->node[n].guid == 0x30)
			EXPECT_STR(g->node[n].name, "The AGGREGATION Node");
		else if (f->node[n].guid == 0x31)
			EXPECT(!strncmp(g->node[n].name, "router-", 7));
	weft_fabric_free(g);
	weft_aliases_free(a);
	weft_fabric_free(f);
}

/* All of a key counts. */
TEST(keys)
{
	const char one[] = "sixteen bytes of it, and then one";
	const char other[] = "sixteen bytes of it, and then two";
	struct weft_alias_key a = weft_alias_key_of(one, strlen(one));
	struct weft_alias_key b = weft_alias_key_of(other, strlen(other));

	EXPECT(a.word[0] != b.word[0] && a.word[1] != b.word[1]);
	EXPECT(a.word[0] != a.word[1]);
}

/* LIDs of as many are dealt among those who have as many, so that few keep
 * theirs, and whose is whose is another key's business. */
TEST(lids)
{
	struct weft_rng *rng = weft_rng_new(11);
	unsigned all = 0, kept = 0, alike = 0;

	for (unsigned i = 0; i < 30; i++) {
		struct weft_fabric *f = random_named_fabric(rng, i % 3);
		struct weft_aliases *a = aliases_of(f), *b = NULL;
		bool *taken = calloc(f->max_lid + 1ull, sizeof(*taken));

		ASSERT_EQ(weft_aliases_new(f, weft_alias_key_of("other", 5), &b,
			  NULL), 0);
		for (unsigned lid = 0; lid <= f->max_lid; lid++) {
			unsigned to = weft_alias_lid(a, lid);

			ASSERT(to <= f->max_lid && !taken[to]);
			taken[to] = true;
			if (weft_lid_owner(f, lid) == WEFT_NONE) {
				EXPECT_EQ(to, lid);
				continue;
			}
			all++;
			kept += to == lid;
			alike += to == weft_alias_lid(b, lid);
		}
		free(taken);
		weft_aliases_free(a);
		weft_aliases_free(b);
		weft_fabric_free(f);
	}
	EXPECT(all > 300);
	EXPECT(kept < all / 4);
	EXPECT(alike < all / 4);
	weft_rng_free(rng);
}

/* Ports keep their lanes, and hosts the LIDs that they choose. */
static void check_lanes(bool per_input)
{
	struct weft_rng *rng = weft_rng_new(3);
	struct weft_fabric *f = random_named_fabric(rng, 1), *g = NULL;
	struct weft_aliases *a = aliases_of(f);
	struct weft_routes r = { 0 }, to = { 0 };
	size_t rows = f->first_injection;

	ASSERT_EQ(weft_alias_fabric(a, &g, NULL), 0);
	weft_layers_init(&r.layers);
	ASSERT_EQ(weft_io_lft_init(f, &r.lft), 0);
	if (per_input) {
		r.layers.base = malloc(f->nsw * sizeof(*r.layers.base));
		rows = 0;
		for (uint32_t s = 0; s < f->nsw; s++) {
			r.layers.base[s] = rows;
			rows += (f->sw[s].nports + 1) * (f->sw[s].nports + 1);
		}
	}
	r.layers.sl2vl = malloc(rows * WEFT_NSL);
	for (size_t i = 0; i < rows * WEFT_NSL; i++)
		r.layers.sl2vl[i] = 1 + weft_rng_below(rng, 7);
	r.lid_offset = malloc(f->nep);
	for (uint32_t e = 0; e < f->nep; e++)
		r.lid_offset[e] = 1 + weft_rng_below(rng, 200);
	ASSERT_EQ(weft_alias_routes(a, &r, &to, NULL), 0);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned k = 0; k < 37 * 37 * 16; k++)
			ASSERT_EQ(weft_layers_vl(&to.layers, g, s, k / 37 / 16,
						 k / 16 % 37, k % 16),
				  weft_layers_vl(&r.layers, f, s, k / 37 / 16,
						 k / 16 % 37, k % 16));
	ASSERT_MEM(to.lid_offset, r.lid_offset, f->nep);
	weft_routes_free(&r);
	weft_routes_free(&to);
	weft_aliases_free(a);
	weft_fabric_free(f);
	weft_fabric_free(g);
	weft_rng_free(rng);
}

TEST(lanes)
{
	check_lanes(false);
	check_lanes(true);
}

static int alias_text(const struct weft_aliases *a, const char *text,
		      char **got)
{
	size_t size;
	FILE *out = open_memstream(got, &size);
	int err = weft_io_alias_text(text, strlen(text), a, out, NULL);

	fclose(out);
	return err;
}

/* Every column of a GUID or LID that files of values have. */
TEST(columns)
{
	struct weft_fabric *f = make_kinds();
	struct weft_aliases *a = aliases_of(f);
	char *got, expected[256];

	ASSERT_EQ(alias_text(a, "guid,port_guid,lid,dlid,sm_lid,activity\n"
				"0x20,0x30,3,4,1,3\n", &got), 0);
	snprintf(expected, sizeof(expected),
		 "guid,port_guid,lid,dlid,sm_lid,activity\n"
		 "0x%016llx,0x%016llx,%u,%u,%u,3\n",
		 (unsigned long long)weft_alias_guid(a, 0x20),
		 (unsigned long long)weft_alias_guid(a, 0x30),
		 weft_alias_lid(a, 3), weft_alias_lid(a, 4),
		 weft_alias_lid(a, 1));
	EXPECT_STR(got, expected);
	free(got);
	/* nothing is passed on of what is no number throughout */
	EXPECT_EQ(alias_text(a, "lid,x\n3secret,1\n", &got), -22);
	EXPECT(!strstr(got, "secret"));
	free(got);
	EXPECT_EQ(alias_text(a, "lid,x\n3 secret,1\n", &got), -22);
	free(got);
	EXPECT_EQ(alias_text(a, "guid,x\n0x20secret,1\n", &got), -22);
	EXPECT(!strstr(got, "secret"));
	free(got);
	weft_aliases_free(a);
	weft_fabric_free(f);
}

/* 64 columns are read, one more is refused. */
TEST(many_columns)
{
	struct weft_fabric *f = make_kinds();
	struct weft_aliases *a = aliases_of(f);
	char text[200] = "a", *got;

	for (unsigned i = 1; i < 64; i++)
		strcat(text, ",a");
	strcat(text, "\n");
	EXPECT_EQ(alias_text(a, text, &got), 0);
	free(got);
	text[strlen(text) - 1] = '\0';
	strcat(text, ",a\n");
	EXPECT_EQ(alias_text(a, text, &got), -22);
	free(got);
	weft_aliases_free(a);
	weft_fabric_free(f);
}
