// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Aliases: the hash is the one of the paper, ids and routes stay, names go. */
#include "../io/io_tables_util.h"

#include "core/siphash.h"
#include "core/text/names.h"

#include <stdio.h>

#define SEED 20120918u

static struct weft_aliases *aliases_of(const struct weft_fabric *f,
				       const char *key)
{
	struct weft_aliases *a = NULL;

	ASSERT_EQ(weft_aliases_new(f, weft_alias_key_of(key, strlen(key)), &a,
		  NULL), 0);
	return a;
}

static struct weft_fabric *alias_of(const struct weft_aliases *a)
{
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_alias_fabric(a, &f, NULL), 0);
	ASSERT_EQ(weft_fabric_check(f, NULL), 0);
	return f;
}

/* The test vectors in the paper's appendix and reference code: key 00..0f,
 * input 00, 00 01, ... */
TEST(vectors)
{
	const uint64_t key[2] = { 0x0706050403020100, 0x0f0e0d0c0b0a0908 };
	uint8_t input[15];

	for (unsigned i = 0; i < sizeof(input); i++)
		input[i] = (uint8_t)i;
	ASSERT(weft__siphash(key, input, 0) == 0x726fdb47dd0e0e31);
	ASSERT(weft__siphash(key, input, 8) == 0x93f5f5799a932462);
	ASSERT(weft__siphash(key, input, 15) == 0xa129ca6149be45e5);
}

static void check_switch(const struct weft_aliases *a,
			 const struct weft_fabric *f,
			 const struct weft_fabric *g, uint32_t s)
{
	ASSERT(g->sw[s].guid == weft_alias_guid(a, f->sw[s].guid));
	ASSERT(g->sw[s].guid != f->sw[s].guid);
	ASSERT(g->sw[s].port_guid == weft_alias_guid(a, f->sw[s].port_guid));
	ASSERT_EQ(g->sw[s].lid, weft_alias_lid(a, f->sw[s].lid));
	ASSERT_EQ(g->sw[s].nports, f->sw[s].nports);
	ASSERT(strcmp(g->sw[s].name, f->sw[s].name));
}

/* Ids, cables and the order of names and GUIDs are those of before. */
static void check_same(const struct weft_aliases *a,
		       const struct weft_fabric *f,
		       const struct weft_fabric *g)
{
	ASSERT_EQ(g->nsw, f->nsw);
	ASSERT_EQ(g->nep, f->nep);
	ASSERT_EQ(g->max_lid, f->max_lid);
	ASSERT_MEM(g->peer, f->peer, f->nch * sizeof(*f->peer));
	ASSERT_MEM(g->peer_port, f->peer_port, f->nch);
	ASSERT_MEM(g->speed, f->speed, f->nch);
	for (uint32_t s = 0; s < f->nsw; s++) {
		check_switch(a, f, g, s);
		ASSERT(!s || g->sw[s - 1].guid < g->sw[s].guid);
	}
	for (uint32_t e = 0; e < f->nep; e++) {
		ASSERT(g->ep[e].guid == weft_alias_guid(a, f->ep[e].guid));
		ASSERT_EQ(g->ep[e].lmc, f->ep[e].lmc);
		ASSERT_EQ(g->ep[e].lid % (1 << g->ep[e].lmc), 0);
	}
	for (uint32_t lid = 0; lid <= f->max_lid; lid++)
		ASSERT_EQ(g->lid_owner[weft_alias_lid(a, lid)],
			  f->lid_owner[lid]);
	for (uint32_t n = 0; n < f->nnodes; n++)
		for (uint32_t m = 0; m < n; m++) {
			int x = weft__compare_names(f->node[m].name,
						    f->node[n].name);
			int y = weft__compare_names(g->node[m].name,
						    g->node[n].name);

			ASSERT((x > 0) - (x < 0) == (y > 0) - (y < 0));
		}
}

TEST(fabrics)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 60; i++) {
		struct weft_fabric *f = random_named_fabric(rng, i % 4), *g, *h;
		struct weft_aliases *a = aliases_of(f, "a key of some length");
		struct weft_aliases *b = aliases_of(f, "another key");

		g = alias_of(a);
		check_same(a, f, g);
		h = alias_of(b);
		check_same(b, f, h);
		ASSERT(g->sw[0].guid != h->sw[0].guid);
		ASSERT(strcmp(g->sw[0].name, h->sw[0].name));
		weft_fabric_free(g);
		weft_fabric_free(h);
		weft_aliases_free(b);
		b = aliases_of(f, "a key of some length");
		ASSERT(weft_alias_guid(a, f->sw[0].guid) == weft_alias_guid(b,
		       f->sw[0].guid));
		weft_aliases_free(a);
		weft_aliases_free(b);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Other GUIDs, 0, and LIDs that nobody has. */
TEST(others)
{
	struct weft_fabric *f = small_fabric();
	struct weft_aliases *a = aliases_of(f, "a key of some length");

	ASSERT(weft_alias_guid(a, 0) == 0);
	ASSERT(weft_alias_guid(a, 0x99) >> 56 == 6);
	ASSERT(weft_alias_guid(a, 0x10) >> 56 == 2);
	ASSERT_EQ(weft_alias_lid(a, 40000), 40000);
	weft_aliases_free(a);
	weft_fabric_free(f);
}

static void fill(struct weft_rng *rng, uint8_t *p, size_t n, unsigned below)
{
	while (n--)
		p[n] = (uint8_t)weft_rng_below(rng, below);
}

/* What a table says of a LID it says of its alias. */
TEST(routes)
{
	static const enum weft_sl_form forms[] = {
		WEFT_SL_ONE, WEFT_SL_DESTINATION, WEFT_SL_SWITCH_PAIR,
		WEFT_SL_ENDPORT_LID,
	};
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 40; i++) {
		struct weft_fabric *f = random_named_fabric(rng, i % 3), *g;
		struct weft_aliases *a = aliases_of(f, "a key of some length");
		struct weft_routes r = { 0 }, to = { 0 };
		struct weft_layers *l = &r.layers;
		size_t lids = f->max_lid + 1;
		size_t size[] = { 0, lids, (size_t)f->nsw * f->nsw,
				  f->nep * lids };

		g = alias_of(a);
		weft_layers_init(l);
		ASSERT_EQ(weft_io_lft_init(f, &r.lft), 0);
		for (uint32_t s = 0; s < f->nsw; s++)
			fill(rng, weft_lft_row(&r.lft, s), lids, 37);
		l->form = forms[i % 4];
		l->nsw = f->nsw;
		l->nep = f->nep;
		l->max_lid = f->max_lid;
		if (size[i % 4]) {
			l->table = malloc(size[i % 4]);
			fill(rng, l->table, size[i % 4], 16);
		}
		ASSERT_EQ(weft_alias_routes(a, &r, &to, NULL), 0);
		for (uint32_t s = 0; s < f->nsw; s++)
			for (uint32_t lid = 0; lid < lids; lid++)
				ASSERT_EQ(weft_lft_get(&to.lft, s,
					  weft_alias_lid(a, lid)),
					  weft_lft_get(&r.lft, s, lid));
		for (uint32_t e = 0; e < f->nep; e++)
			for (uint32_t lid = 0; lid < lids; lid++)
				ASSERT_EQ(weft_layers_sl(&to.layers, g, e |
					  WEFT_ENDPORT, weft_alias_lid(a, lid)),
					  weft_layers_sl(l, f, e | WEFT_ENDPORT,
					  lid));
		weft_routes_free(&r);
		weft_routes_free(&to);
		weft_aliases_free(a);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

static char *values(const struct weft_aliases *a, const char *text, int expect,
		    struct heard *heard)
{
	char *got = NULL;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	heard_init(heard);
	ASSERT_EQ(weft_io_alias_text(text, strlen(text), a, out, &heard->diag),
		  expect);
	fclose(out);
	return got;
}

TEST(texts)
{
	struct weft_fabric *f = small_fabric();
	struct weft_aliases *a = aliases_of(f, "a key of some length");
	struct heard heard;
	char expected[256];
	char *got = values(a, "# of host secret\nport,guid,sm_lid,x\n"
			      "3,0x10,5,<b>\n4,,,0x10\n1,0x20,6,cut", 0, &heard);

	snprintf(expected, sizeof(expected), "port,guid,sm_lid,x\n"
		 "3,0x%016llx,%u,<b>\n4,,,0x10\n",
		 (unsigned long long)weft_alias_guid(a, 0x10),
		 weft_alias_lid(a, 5));
	ASSERT_STR(got, expected);
	free(got);
	/* what is no GUID may be a name */
	free(values(a, "guid,port\nsecret,1\n", -22, &heard));
	assert_heard(&heard, WEFT_ERROR, 2, "cannot be read");
	free(values(a, "guid,port\n0x10,1,secret\n", -22, &heard));
	assert_heard(&heard, WEFT_ERROR, 2, "cannot be read");
	weft_aliases_free(a);
	weft_fabric_free(f);
}
