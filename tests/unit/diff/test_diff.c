// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Two sets of tables, compared pair by pair along their routes. */
#include "../route.h"

#include <stdlib.h>

#define N(a) (sizeof(a) / sizeof((a)[0]))

static void route(const struct weft_fabric *f, const char *name,
		  struct weft_routes *out)
{
	const struct weft_engine *engine = weft_engine_find(name);
	struct weft_options *o = NULL;

	ASSERT_EQ(weft_options_new(&o, engine->options), 0);
	*out = (struct weft_routes){ .lid_offset = NULL };
	ASSERT_EQ(weft_route(engine, f, o, out, NULL), 0);
	weft_options_free(o);
}

static struct weft_diff compare(const struct weft_diff_side *a,
				const struct weft_diff_side *b)
{
	struct weft_diff d;

	ASSERT_EQ(weft_diff_run(a, b, &d, NULL), 0);
	return d;
}

/* --- brute force ---------------------------------------------------------- */

/* GUID of what an entry of a switch leads to, and the port there; 0: nothing. */
static uint64_t far_end(const struct weft_fabric *f, uint32_t s, unsigned port,
			unsigned *there)
{
	uint32_t peer;

	*there = 0;
	if (!port || port > f->sw[s].nports)
		return 0;
	peer = f->peer[weft_channel(f, s, port)];
	if (peer == WEFT_NONE)
		return 0;
	*there = f->peer_port[weft_channel(f, s, port)];
	return weft_is_switch(peer) ? f->sw[peer].guid :
		f->ep[peer & ~WEFT_ENDPORT].guid;
}

/* Whether packets from an endport go the same way on both sides. */
static bool same_way(const struct weft_diff_side *a, uint32_t from_a,
		     unsigned lid_a, const struct weft_diff_side *b,
		     uint32_t from_b, unsigned lid_b)
{
	uint32_t s = a->fabric->ep[from_a].sw, r = b->fabric->ep[from_b].sw;

	if (a->fabric->ep[from_a].sw_port != b->fabric->ep[from_b].sw_port)
		return false;
	for (uint32_t n = 0; n <= a->fabric->nsw; n++) {
		unsigned p = weft_lft_get(&a->routes->lft, s, lid_a), x;
		unsigned q = weft_lft_get(&b->routes->lft, r, lid_b), y;
		uint32_t next;

		if (a->fabric->sw[s].guid != b->fabric->sw[r].guid || p != q)
			return false;
		if (far_end(a->fabric, s, p, &x) !=
		    far_end(b->fabric, r, q, &y) || x != y)
			return false;
		if (!p || p > a->fabric->sw[s].nports)
			return true;
		next = a->fabric->peer[weft_channel(a->fabric, s, p)];
		if (!weft_is_switch(next))
			return true;
		s = next;
		r = b->fabric->peer[weft_channel(b->fabric, r, q)];
	}
	return true;
}

static void count_pairs(const struct weft_diff_side *a,
			const struct weft_diff_side *b, struct weft_diff *out)
{
	const struct weft_fabric *f = b->fabric;

	for (uint64_t i = 0; i < (uint64_t)f->nep * f->nep; i++) {
		uint32_t e = i % f->nep, d = i / f->nep;
		uint32_t was = weft_fabric_endport_by_guid(a->fabric,
							   f->ep[e].guid);
		uint32_t to = weft_fabric_endport_by_guid(a->fabric,
							  f->ep[d].guid);
		unsigned lmc;

		if (e == d || was == WEFT_NONE || to == WEFT_NONE)
			continue;
		lmc = a->fabric->ep[to].lmc;
		if (f->ep[d].lmc < lmc)
			lmc = f->ep[d].lmc;
		for (unsigned k = 0; k < 1u << lmc; k++) {
			unsigned lid_a = a->fabric->ep[to].lid + k;
			unsigned lid_b = f->ep[d].lid + k;

			out->pairs++;
			out->routes += !same_way(a, was, lid_a, b, e, lid_b);
			out->sls += weft_layers_sl(&a->routes->layers,
						   a->fabric,
						   was | WEFT_ENDPORT,
						   lid_a) !=
				weft_layers_sl(&b->routes->layers, f,
					       e | WEFT_ENDPORT, lid_b);
		}
	}
}

/* GUID of what owns a LID; 0: nobody. */
static uint64_t owner_guid(const struct weft_fabric *f, unsigned lid)
{
	uint32_t owner = weft_lid_owner(f, lid);

	if (owner == WEFT_NONE)
		return 0;
	return weft_is_switch(owner) ? f->sw[owner].guid :
				       f->ep[owner & ~WEFT_ENDPORT].guid;
}

/* Whether the route that A's tables have from a switch of B to a LID comes, over
 * cables that both have, to the switch of who has the LID in both. */
static bool still_arrives(const struct weft_diff_side *a,
			  const struct weft_diff_side *b, uint32_t s,
			  unsigned lid)
{
	const struct weft_fabric *f = a->fabric, *g = b->fabric;
	uint32_t end;

	if (!owner_guid(g, lid) || owner_guid(f, lid) != owner_guid(g, lid))
		return false;
	end = weft_vertex_switch(g, weft_lid_owner(g, lid));
	if (f->sw[weft_vertex_switch(f, weft_lid_owner(f, lid))].guid !=
	    g->sw[end].guid)
		return false;
	for (uint32_t n = 0; n <= g->nsw && s != end; n++) {
		uint32_t was = weft_fabric_switch_by_guid(f, g->sw[s].guid);
		unsigned p = was == WEFT_NONE ? 0 :
			weft_lft_get(&a->routes->lft, was, lid), x, y;
		uint64_t far = was == WEFT_NONE ? 0 : far_end(f, was, p, &x);

		if (!far || far != far_end(g, s, p, &y) || x != y)
			return false;
		s = weft_fabric_switch_by_guid(g, far);
		if (s == WEFT_NONE)
			return false;
	}
	return s == end;
}

static bool ends_at(const struct weft_fabric *f, uint32_t s, unsigned lid)
{
	return weft_lid_owner(f, lid) != WEFT_NONE &&
	       weft_vertex_switch(f, weft_lid_owner(f, lid)) == s;
}

static void count_entries(const struct weft_diff_side *a,
			  const struct weft_diff_side *b, struct weft_diff *out)
{
	for (uint32_t s = 0; s < b->fabric->nsw; s++) {
		uint32_t was = weft_fabric_switch_by_guid(
			a->fabric, b->fabric->sw[s].guid);
		unsigned before = 0;
		uint64_t last = UINT64_MAX;

		if (was == WEFT_NONE)
			continue;
		for (unsigned lid = 0; lid < 49152; lid++) {
			if (weft_lft_get(&a->routes->lft, was, lid) ==
			    weft_lft_get(&b->routes->lft, s, lid))
				continue;
			out->entries++;
			out->needless += !ends_at(b->fabric, s, lid) &&
					 still_arrives(a, b, s, lid);
			out->blocks += last != lid / WEFT_LFT_BLOCK;
			last = lid / WEFT_LFT_BLOCK;
			before++;
		}
		out->nsw += before > 0;
	}
}

static void check(const struct weft_diff_side *a,
		  const struct weft_diff_side *b)
{
	struct weft_diff d = compare(a, b), brute = { .switches = 0 };
	uint64_t sw = 0, lids = 0, blocks = 0;

	count_pairs(a, b, &brute);
	count_entries(a, b, &brute);
	EXPECT_EQ(d.pairs, brute.pairs);
	EXPECT_EQ(d.routes, brute.routes);
	EXPECT_EQ(d.sls, brute.sls);
	EXPECT_EQ(d.entries, brute.entries);
	EXPECT_EQ(d.blocks, brute.blocks);
	EXPECT_EQ(d.needless, brute.needless);
	EXPECT_EQ(d.nsw, brute.nsw);
	for (uint32_t i = 0; i < d.nsw; i++) {
		sw += d.sw[i].entries;
		blocks += d.sw[i].blocks;
		EXPECT(!i || d.sw[i - 1].entries >= d.sw[i].entries);
	}
	for (uint32_t i = 0; i < d.nlids; i++)
		lids += d.lid[i].entries;
	EXPECT_EQ(sw, d.entries);
	EXPECT_EQ(lids, d.entries);
	EXPECT_EQ(blocks, d.blocks);
	weft_diff_free(&d);
}

static const char *const engines[] = { "minhop", "updn", "weave", "psssp" };

/* Engines on one fabric. */
TEST(test_engines)
{
	static const char *const spec[] = {
		"ring:5,hosts=2", "torus:3x4,hosts=2", "random:12x2,6,seed=1",
		"pgft:3;3,3,3;1,3,3;1,1,1,fail-links=10%,seed=2",
	};

	for (unsigned i = 0; i < N(spec) * 2; i++) {
		struct weft_fabric *f = route_fabric(spec[i / 2], i % 2);
		struct weft_routes r[N(engines)];
		struct weft_diff_side side[N(engines)];

		for (unsigned k = 0; k < N(engines); k++) {
			route(f, engines[k], &r[k]);
			side[k] = (struct weft_diff_side){ f, &r[k] };
		}
		for (unsigned k = 0; k < N(engines) * N(engines); k++)
			check(&side[k / N(engines)], &side[k % N(engines)]);
		for (unsigned k = 0; k < N(engines); k++)
			weft_routes_free(&r[k]);
		weft_fabric_free(f);
	}
}

/* --- two states of a fabric ----------------------------------------------- */

/* The fabric without every n-th cable, and, renumber, with other LIDs. */
static struct weft_fabric *changed(const struct weft_fabric *f, uint32_t n,
				   bool renumber)
{
	uint32_t *gone = malloc(f->nch * sizeof(*gone)), k = 0;
	struct weft_fabric *less = NULL, *out = NULL;

	for (uint32_t c = n / 2; c < f->nch; c += n)
		if (f->peer[c] != WEFT_NONE)
			gone[k++] = c;
	ASSERT_EQ(weft_fabric_without(f, gone, k, &less, NULL), 0);
	free(gone);
	if (!renumber)
		return less;
	ASSERT_EQ(weft_fabric_assign_lids(less, 1, &out, NULL), 0);
	weft_fabric_free(less);
	return out;
}

TEST(test_states)
{
	static const char *const spec[] = { "torus:4x4,hosts=3",
					    "random:16x3,8,seed=2",
					    "pgft:2;6,6;1,6;1,1" };

	for (unsigned i = 0; i < N(spec) * 4; i++) {
		struct weft_fabric *f = route_fabric(spec[i / 4], 0);
		struct weft_fabric *g = changed(f, 23 + i, i % 2);
		struct weft_routes a, b, carried;
		struct weft_diff_side from = { f, &a }, to = { g, &b }, old;
		struct weft_diff d;

		route(f, i & 2 ? "minhop" : "psssp", &a);
		route(g, "minhop", &b);
		check(&from, &to);
		check(&to, &from);
		d = compare(&from, &to);
		EXPECT_EQ(d.switches + d.nswitches_only[0], f->nsw);
		EXPECT_EQ(d.endports + d.nendports_only[0], f->nep);
		EXPECT_EQ(d.endports + d.nendports_only[1], g->nep);
		EXPECT(d.nendports_only[0] > 0);
		EXPECT(!weft_diff_same(&d));
		weft_diff_free(&d);
		/* The old tables in the new fabric differ as much. */
		ASSERT_EQ(weft_routes_carry(&from, g, &carried), 0);
		old = (struct weft_diff_side){ g, &carried };
		d = compare(&old, &to);
		{
			struct weft_diff direct = compare(&from, &to);

			EXPECT_EQ(d.entries, direct.entries);
			EXPECT_EQ(d.blocks, direct.blocks);
			weft_diff_free(&direct);
		}
		weft_diff_free(&d);
		weft_routes_free(&carried);
		weft_routes_free(&a);
		weft_routes_free(&b);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
}

/* --- service levels and lanes --------------------------------------------- */

/* Random SLs in a form, and SL2VL tables in one. */
static void random_layers(const struct weft_fabric *f, unsigned form,
			  unsigned tables, struct weft_rng *rng,
			  struct weft_layers *y)
{
	size_t n[] = { 0, f->max_lid + 1ull, (size_t)f->nsw * f->nsw,
		       (size_t)f->nep * (f->max_lid + 1ull) };
	size_t rows = f->nch;

	weft_layers_free(y);
	y->form = form;
	y->sl = 3;
	y->nsw = f->nsw;
	y->nep = f->nep;
	y->max_lid = f->max_lid;
	y->nvl = 8;
	y->table = malloc(n[form] + 1);
	for (size_t i = 0; i < n[form]; i++)
		y->table[i] = weft_rng_below(rng, 16);
	if (tables == 2) {
		y->base = malloc(f->nsw * sizeof(*y->base));
		rows = 0;
		for (uint32_t s = 0; s < f->nsw; s++) {
			y->base[s] = rows;
			rows += (f->sw[s].nports + 1) * (f->sw[s].nports + 1);
		}
	}
	if (!tables)
		return;
	y->sl2vl = malloc(rows * WEFT_NSL);
	for (size_t i = 0; i < rows * WEFT_NSL; i++)
		y->sl2vl[i] = weft_rng_below(rng, 8);
}

/* SLs and lanes of the carried routes are those of the former ones. */
static void check_layers(const struct weft_diff_side *a,
			 const struct weft_diff_side *b)
{
	const struct weft_fabric *f = b->fabric;

	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t was = weft_fabric_endport_by_guid(a->fabric,
							   f->ep[e].guid);

		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			uint32_t owner = weft_lid_owner(f, lid);

			if (owner == WEFT_NONE)
				continue;
			EXPECT_EQ(weft_layers_sl(&a->routes->layers, a->fabric,
				  was | WEFT_ENDPORT, lid),
				  weft_layers_sl(&b->routes->layers, f, e |
				  WEFT_ENDPORT, lid));
		}
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned k = 0; k < (f->sw[s].nports + 1u) *
		     (f->sw[s].nports + 1u) * 16; k++) {
			unsigned sl = k % 16;
			unsigned out = k / 16 % (f->sw[s].nports + 1u);
			unsigned in = k / 16 / (f->sw[s].nports + 1u);

			EXPECT_EQ(weft_layers_vl(&a->routes->layers, a->fabric,
				  s, in, out, sl),
				  weft_layers_vl(&b->routes->layers, f, s, in,
				  out, sl));
		}
}

TEST(test_layers)
{
	struct weft_rng *rng = weft_rng_new(3);

	for (unsigned i = 0; i < 24; i++) {
		struct weft_fabric *f = route_fabric("torus:3x3,hosts=2", 0);
		struct weft_fabric *g = changed(f, 29 + i, false);
		struct weft_routes a, b, carried;
		struct weft_diff_side from = { f, &a }, to = { g, &b }, old;
		struct weft_diff d;

		route(f, "minhop", &a);
		route(g, "minhop", &b);
		random_layers(f, i % 4, i / 4 % 3, rng, &a.layers);
		random_layers(g, i / 2 % 4, i / 8 % 3, rng, &b.layers);
		check(&from, &to);
		ASSERT_EQ(weft_routes_carry(&from, g, &carried), 0);
		old = (struct weft_diff_side){ g, &carried };
		check_layers(&from, &old);
		d = compare(&from, &from);
		EXPECT(weft_diff_same(&d));
		weft_diff_free(&d);
		weft_routes_free(&carried);
		weft_routes_free(&a);
		weft_routes_free(&b);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

/* Fabrics without a switch in common. */
TEST(test_strangers)
{
	struct weft_fabric *f = route_fabric("ring:4,hosts=1", 0);
	struct weft_fabric *g = NULL;
	struct weft_builder *builder = weft_builder_new();
	struct suite_words words = { .text = "" };
	struct weft_diag diag = { .emit = suite_hear, .context = &words };
	struct weft_routes a, b = { .lid_offset = NULL };
	struct weft_diff_side from = { f, &a }, to;
	struct weft_diff d;

	weft_builder_node(builder, WEFT_NODE_SWITCH, 0x77, 4);
	ASSERT_EQ(weft_builder_finish(builder, &g, NULL), 0);
	ASSERT_EQ(weft_lft_init(&b.lft, 1, 8), 0);
	weft_layers_init(&b.layers);
	route(f, "minhop", &a);
	to = (struct weft_diff_side){ g, &b };
	EXPECT(weft_diff_run(&from, &to, &d, &diag) < 0);
	EXPECT(strstr(words.text, "no switch is in both"));
	weft_builder_free(builder);
	weft_routes_free(&a);
	weft_routes_free(&b);
	weft_fabric_free(f);
	weft_fabric_free(g);
}
