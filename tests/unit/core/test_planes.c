// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ports of several planes: who has the LID, and planes taken apart. */
#include "../route.h"

#include <stdlib.h>

static struct weft_fabric *make(const char *spec)
{
	return route_fabric(spec, -1);
}

TEST(test_first)
{
	struct weft_fabric *f = make("pgft:2;3,4;3,2;1,1,one-port=yes");

	ASSERT(f != NULL);
	EXPECT_EQ(weft_fabric_check(f, NULL), 0);
	EXPECT_EQ(f->nep, 36);
	for (uint32_t e = 0; e < f->nep; e++) {
		EXPECT_EQ(weft_plane_first(f, e), e / 3 * 3);
		EXPECT_EQ(weft_is_plane(f, e), e % 3 != 0);
		EXPECT_EQ(f->ep[e].lid != 0, e % 3 == 0);
	}
	weft_fabric_free(f);
	f = make("pgft:2;3,4;3,2;1,1");
	for (uint32_t e = 0; f && e < f->nep; e++)
		EXPECT(!weft_is_plane(f, e));
	weft_fabric_free(f);
}

static uint32_t no_planes(const char *spec)
{
	struct weft_fabric *f = make(spec);
	struct weft_planes planes = { 0 };
	uint32_t n;

	EXPECT_EQ(weft_planes_find(f, NULL, &planes), 0);
	n = planes.n + planes.joined;
	weft_planes_free(&planes);
	weft_fabric_free(f);
	return n;
}

TEST(test_none)
{
	EXPECT_EQ(no_planes("ring:4"), 0);
	/* several ports, several parts, but LIDs for each */
	EXPECT_EQ(no_planes("pgft:2;3,4;3,2;1,1"), 0);
	EXPECT_EQ(no_planes("rails:hosts=64,between=no"), 0);
}

/* Tables for all, by an engine, are proven plane by plane, and each plane has
 * the tables that the engine makes for it alone. */
static void check_engine(const struct weft_fabric *f, const char *name)
{
	const struct weft_engine *engine = weft_engine_find(name);
	struct weft_options *options;
	const struct weft_proof_spec spec = {
		.credit_loops = true, .switches = true,
		.minimal = strcmp(name, "weave") && strcmp(name, "updn"),
	};
	struct weft_routes routes = { 0 };
	struct weft_planes planes;
	uint64_t pairs = 0, hops = 0;
	struct weft_proof whole;

	suite_case("%s", name);
	ASSERT(engine != NULL);
	ASSERT_EQ(weft_options_new(&options, engine->options), 0);
	ASSERT_EQ(weft_route(engine, f, options, &routes, NULL), 0);
	ASSERT_EQ(weft_planes_find(f, &routes, &planes), 0);
	EXPECT_EQ(planes.n, 2);
	EXPECT_EQ(planes.joined, 0);
	for (uint32_t i = 0; i < planes.n; i++) {
		const struct weft_plane *p = &planes.plane[i];
		struct weft_routes alone = { 0 };
		struct weft_proof proof;

		EXPECT_EQ(weft_fabric_check(p->fabric, NULL), 0);
		EXPECT_EQ(p->fabric->nhosts, f->nhosts / 2);
		EXPECT_EQ(weft_proof_run(p->fabric, &p->routes, &spec, &proof,
					 NULL), 0);
		EXPECT(weft_proof_holds(&proof));
		EXPECT_EQ(proof.no_lid, 0);
		pairs += proof.pairs;
		hops += proof.hops_sum;
		weft_proof_free(&proof);
		EXPECT_EQ(weft_route(engine, p->fabric, options, &alone, NULL),
			  0);
		for (uint32_t e = 0; e < p->fabric->nep; e++)
			for (uint32_t s = 0; s < p->fabric->nsw; s++) {
				unsigned lid = p->fabric->ep[e].lid;

				EXPECT_EQ(weft_lft_get(&alone.lft, s, lid),
					  weft_lft_get(&p->routes.lft, s, lid));
			}
		EXPECT_EQ(weft_layers_sl(&alone.layers, p->fabric, WEFT_ENDPORT,
					 p->fabric->ep[1].lid),
			  weft_layers_sl(&p->routes.layers, p->fabric,
					 WEFT_ENDPORT, p->fabric->ep[1].lid));
		weft_routes_free(&alone);
	}
	/* all planes at once are the same */
	EXPECT_EQ(weft_proof_run(f, &routes, &spec, &whole, NULL), 0);
	EXPECT(weft_proof_holds(&whole));
	EXPECT_EQ(whole.pairs, pairs);
	EXPECT_EQ(whole.hops_sum, hops);
	EXPECT_EQ(whole.nonminimal, 0);
	weft_proof_free(&whole);
	weft_planes_free(&planes);
	weft_routes_free(&routes);
	weft_options_free(options);
}

TEST(test_engines)
{
	static const char *const engines[] = {
		"minhop", "weave", "eftree", "updn", "beft",
	};
	static const char *const specs[] = {
		"pgft:2;4,4;2,2;1,1,one-port=yes",
		"pgft:2;4,4;2,2;1,1,one-port=yes,guids=shuffle",
		"pgft:2;4,4;2,2;1,1,one-port=yes,lmc=2",
		"pgft:2;4,4;2,2;1,1,one-port=yes,fail-links=3,seed=4",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct weft_fabric *f = make(specs[i]);

		ASSERT(f != NULL);
		for (size_t k = 0; k < sizeof(engines) / sizeof(engines[0]);
		     k++)
			check_engine(f, engines[k]);
		weft_fabric_free(f);
	}
}

/* Service levels by destination, pair or source differ from plane to plane. */
TEST(test_layers)
{
	struct weft_fabric *f = make("pgft:2;4,4;2,2;1,1,one-port=yes");
	static const enum weft_sl_form forms[] = {
		WEFT_SL_ONE, WEFT_SL_DESTINATION, WEFT_SL_SWITCH_PAIR,
		WEFT_SL_ENDPORT_LID,
	};

	ASSERT(f != NULL);
	for (unsigned k = 0; k < 4; k++) {
		struct weft_routes routes = { 0 };
		struct weft_planes planes;
		struct weft_layers *l = &routes.layers;
		size_t n = (size_t)(f->nep + f->nsw) * (f->max_lid + 1);

		ASSERT_EQ(weft_lft_init(&routes.lft, f->nsw, f->max_lid), 0);
		weft_layers_init(l);
		l->form = forms[k];
		l->nvl = 2;
		l->nsw = f->nsw;
		l->nep = f->nep;
		l->max_lid = f->max_lid;
		l->table = k ? malloc(n) : NULL;
		for (size_t i = 0; k && i < n; i++)
			l->table[i] = i % 7 % 2;
		l->sl2vl = malloc((size_t)f->first_injection * WEFT_NSL);
		for (size_t i = 0; i < (size_t)f->first_injection * WEFT_NSL;
		     i++)
			l->sl2vl[i] = i % 5 % 2;
		ASSERT_EQ(weft_planes_find(f, &routes, &planes), 0);
		ASSERT_EQ(planes.n, 2);
		for (uint32_t e = 0; e < 16; e++)
			for (uint32_t d = 0; d < 16; d++) {
				const struct weft_plane *p = &planes.plane[0];
				unsigned lid = f->ep[2 * d].lid;

				EXPECT_EQ(p->fabric->ep[d].lid, lid);
				EXPECT_EQ(weft_layers_sl(l, f, (2 * e) |
							 WEFT_ENDPORT, lid),
					  weft_layers_sl(&p->routes.layers,
							 p->fabric,
							 e | WEFT_ENDPORT, lid));
			}
		for (uint32_t s = 0; s < planes.plane[1].fabric->nsw; s++) {
			const struct weft_plane *p = &planes.plane[1];
			uint32_t was = weft_fabric_switch_by_guid(f,
				p->fabric->sw[s].guid);

			EXPECT_EQ(weft_layers_vl(l, f, was, 1, 2, 3),
				  weft_layers_vl(&p->routes.layers, p->fabric,
						 s, 1, 2, 3));
		}
		weft_planes_free(&planes);
		weft_routes_free(&routes);
	}
	weft_fabric_free(f);
}

/* A plane in parts stays one; one host has the first plane's cable out, and
 * another plane then has the LID. */
TEST(test_broken)
{
	struct weft_fabric *f = make("pgft:2;2,2;2,1;1,1,one-port=yes"), *g;
	struct weft_planes planes;
	uint32_t out[2];

	ASSERT(f != NULL);
	/* both cables between the switches of one plane */
	for (uint32_t s = 0, n = 0; s < f->nsw && n < 2; s++)
		for (uint32_t i = f->adj_first[s];
		     i < f->adj_first[s + 1] && n < 2; i++)
			if (f->adj_first[s + 1] - f->adj_first[s] == 2)
				out[n++] = f->adj[i];
	ASSERT_EQ(weft_fabric_without(f, out, 2, &g, NULL), 0);
	ASSERT_EQ(weft_planes_find(g, NULL, &planes), 0);
	EXPECT_EQ(planes.n, 2);
	EXPECT_EQ(planes.plane[0].fabric->nhosts, 4);
	EXPECT_EQ(planes.plane[1].fabric->nhosts, 4);
	weft_planes_free(&planes);
	weft_fabric_free(g);

	out[0] = f->first_injection;
	ASSERT_EQ(weft_fabric_without(f, out, 1, &g, NULL), 0);
	EXPECT_EQ(g->nep, f->nep - 1);
	EXPECT_EQ(g->ep[0].lid, f->ep[0].lid);
	EXPECT_EQ(g->ep[0].port, 2);
	weft_fabric_free(g);
	weft_fabric_free(f);
}

/* Each plane keeps its LIDs where others get new ones. */
TEST(test_assign)
{
	struct weft_fabric *f = make("pgft:2;3,4;2,2;1,1,one-port=yes"), *g;

	ASSERT(f != NULL);
	ASSERT_EQ(weft_fabric_assign_lids(f, 2, &g, NULL), 0);
	for (uint32_t e = 0; e < g->nep; e++) {
		EXPECT_EQ(g->ep[e].lid != 0, e % 2 == 0);
		EXPECT_EQ(g->ep[e].lmc, 2);
	}
	weft_fabric_free(g);
	weft_fabric_free(f);
}

/* What is wrong in one plane is wrong in the whole, as often. */
TEST(test_wrong)
{
	const struct weft_proof_spec spec = { .minimal = true, .loads = true,
					      .max_examples = 4 };
	struct weft_fabric *f = make("pgft:2;4,4;2,2;1,1,one-port=yes");
	struct weft_routes routes = { 0 };
	struct weft_planes planes;
	struct weft_proof whole, one;
	uint64_t unreachable = 0;
	uint32_t e = f->nep - 1;	/* the last adapter's second plane */

	ASSERT_EQ(weft_route(weft_engine_find("minhop"), f, NULL, &routes,
			     NULL), 0);
	weft_lft_row(&routes.lft, f->ep[e].sw)[f->ep[e - 1].lid] =
		f->ep[e].sw_port == 1 ? 2 : 1;
	ASSERT_EQ(weft_planes_find(f, &routes, &planes), 0);
	for (uint32_t i = 0; i < planes.n; i++) {
		ASSERT_EQ(weft_proof_run(planes.plane[i].fabric,
					 &planes.plane[i].routes, &spec, &one,
					 NULL), 0);
		EXPECT_EQ(one.unreachable != 0, i == 1);
		unreachable += one.unreachable;
		weft_proof_free(&one);
	}
	ASSERT_EQ(weft_proof_run(f, &routes, &spec, &whole, NULL), 0);
	EXPECT_EQ(whole.unreachable, unreachable);
	EXPECT_EQ(whole.unreachable, 15);
	EXPECT_EQ(whole.nfindings, 4);
	EXPECT_EQ(whole.finding[0].dest, e | WEFT_ENDPORT);
	EXPECT_EQ(whole.finding[0].sw, f->ep[e].sw);
	weft_proof_free(&whole);
	weft_planes_free(&planes);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}
