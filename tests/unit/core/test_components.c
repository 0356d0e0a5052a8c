// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parts of a fabric that no cable joins: nothing is lost when they are taken
 * apart, routes of the parts are those of the whole once put together, and
 * leaving out bad cables makes no more of them.
 */
#include "../proof_random.h"
#include "../suite.h"
#include "core/fabric/components.h"
#include "core/fabric/resort.h"
#include "core/fabric/split.h"

#include <stdlib.h>

#define SEED 83u

/* Switches and endports of two fabrics that have one GUID. */
static uint32_t find_switch(const struct weft_fabric *f, uint64_t guid)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw[s].guid == guid)
			return s;
	return WEFT_NONE;
}

static uint32_t find_endport(const struct weft_fabric *f, uint64_t guid,
			     unsigned port)
{
	for (uint32_t e = 0; e < f->nep; e++)
		if (f->node[f->ep[e].node].guid == guid &&
		    f->ep[e].port == port)
			return e;
	return WEFT_NONE;
}

static void same_endport(const struct weft_fabric *f, uint32_t e,
			 const struct weft_fabric *g, uint32_t other)
{
	const struct weft_endport *a = &f->ep[e], *b = &g->ep[other];
	const struct weft_node *m = &f->node[a->node], *n = &g->node[b->node];

	EXPECT(a->guid == b->guid && a->lid == b->lid && a->lmc == b->lmc);
	EXPECT(a->kind == b->kind && a->sw_port == b->sw_port);
	EXPECT(m->system_guid == n->system_guid && m->kind == n->kind);
	EXPECT(m->vendor == n->vendor && m->device == n->device);
	EXPECT(m->nports == n->nports);
	EXPECT_STR(m->name, n->name);
}

/* What is at the other end of a cable is the same in both. */
static void same_cable(const struct weft_fabric *f, uint32_t ch,
		       const struct weft_fabric *g, uint32_t other)
{
	uint32_t a = f->peer[ch], b = g->peer[other];

	ASSERT_EQ(a == WEFT_NONE, b == WEFT_NONE);
	if (a == WEFT_NONE)
		return;
	ASSERT_EQ(weft_is_switch(a), weft_is_switch(b));
	EXPECT(f->peer_port[ch] == g->peer_port[other]);
	EXPECT(f->width[ch] == g->width[other] && f->speed[ch] ==
	       g->speed[other]);
	if (!weft_is_switch(a)) {
		same_endport(f, a & ~WEFT_ENDPORT, g, b & ~WEFT_ENDPORT);
	} else {
		EXPECT_EQ(f->sw[a].guid, g->sw[b].guid);
	}
}

static void same_switch(const struct weft_fabric *f, uint32_t s,
			const struct weft_fabric *g, uint32_t t)
{
	const struct weft_switch *a = &f->sw[s], *b = &g->sw[t];

	EXPECT(a->port_guid == b->port_guid && a->lid == b->lid && a->lmc ==
	       b->lmc && a->system_guid == b->system_guid);
	EXPECT(a->vendor == b->vendor && a->device == b->device);
	EXPECT(a->enhanced == b->enhanced && a->role == b->role);
	ASSERT_EQ(a->nports, b->nports);
	EXPECT_STR(a->name, b->name);
	for (unsigned p = 1; p <= a->nports; p++)
		same_cable(f, weft_channel(f, s, p), g, weft_channel(g, t, p));
}

/* Whether cables lead from a switch to another. */
static bool is_joined(const struct weft_fabric *f, uint32_t from, uint32_t to,
		      bool *met)
{
	met[from] = true;
	for (uint32_t e = f->adj_first[from]; e < f->adj_first[from + 1]; e++) {
		uint32_t s = f->peer[f->adj[e]];

		if (!met[s] && is_joined(f, s, to, met))
			return true;
	}
	return met[to];
}

static void check_numbers(const struct weft_fabric *f, const uint32_t *part,
			  uint32_t n)
{
	bool met[64];
	uint32_t next = 0;

	ASSERT(f->nsw <= 64);
	for (uint32_t s = 0; s < f->nsw; s++) {
		EXPECT(part[s] <= next);
		next += part[s] == next;
		for (uint32_t t = 0; t < f->nsw; t++) {
			memset(met, 0, sizeof(met));
			EXPECT_EQ(is_joined(f, s, t, met), part[s] == part[t]);
		}
	}
	EXPECT_EQ(next, n);
}

static unsigned kinds[4];

static void check_components(const struct weft_fabric *f)
{
	uint32_t *part = need(calloc(f->nsw + 1, sizeof(*part)));
	uint32_t *queue = need(calloc(f->nsw + 1, sizeof(*queue)));
	uint32_t n = weft__components(f, part, queue), nsw = 0, nep = 0;

	check_numbers(f, part, n);
	for (uint32_t i = 0; i < n; i++) {
		struct weft_fabric *g = need(weft__component(f, part, i));

		EXPECT_EQ(weft_fabric_check(g, NULL), 0);
		nsw += g->nsw;
		nep += g->nep;
		for (uint32_t s = 0; s < g->nsw; s++) {
			uint32_t t = find_switch(f, g->sw[s].guid);

			ASSERT(t != WEFT_NONE);
			EXPECT_EQ(part[t], i);
			same_switch(g, s, f, t);
		}
		weft_fabric_free(g);
	}
	EXPECT(nsw == f->nsw && nep == f->nep);
	for (uint32_t e = 0; e < f->nep; e++)
		kinds[f->ep[e].kind]++;
	free(part);
	free(queue);
}

/* Every third switch is left aside: the others are in one part where cables
 * join them without it. */
static void check_around(const struct weft_fabric *f)
{
	uint32_t *part = need(calloc(f->nsw + 1, sizeof(*part)));
	uint32_t *queue = need(calloc(f->nsw + 1, sizeof(*queue)));
	uint32_t n, next = 0;
	bool avoid[64], met[64];

	ASSERT(f->nsw <= 64);
	for (uint32_t s = 0; s < f->nsw; s++)
		avoid[s] = s % 3 == 1;
	n = weft__components_around(f, avoid, part, queue);
	for (uint32_t s = 0; s < f->nsw; s++) {
		EXPECT_EQ(part[s] == WEFT_NONE, avoid[s]);
		EXPECT(avoid[s] || part[s] <= next);
		next += part[s] == next;
		for (uint32_t t = 0; t < f->nsw && !avoid[s]; t++) {
			memcpy(met, avoid, sizeof(met));
			if (!avoid[t])
				EXPECT_EQ(is_joined(f, s, t, met),
					  part[s] == part[t]);
		}
	}
	EXPECT_EQ(next, n);
	free(part);
	free(queue);
}

/* Random fabrics have no names and no makers. */
static void name_all(struct weft_fabric *f)
{
	struct weft_switch *sw = (struct weft_switch *)f->sw;
	struct weft_node *node = (struct weft_node *)f->node;

	for (uint32_t s = 0; s < f->nsw; s++) {
		sw[s].name = s % 2 ? "odd" : "even";
		sw[s].system_guid = sw[s].guid + 77;
		sw[s].vendor = 100 + s;
		sw[s].device = 200 + s;
		sw[s].enhanced = s % 3 == 1;
		sw[s].role = s % 3;
	}
	for (uint32_t n = 0; n < f->nnodes; n++) {
		node[n].name = n % 2 ? "odd host" : "even host";
		node[n].system_guid = node[n].guid + 78;
		node[n].vendor = 300 + n;
		node[n].device = 400 + n;
	}
}

TEST(test_components)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	for (unsigned round = 0; round < 60; round++) {
		struct weft_fabric *f = random_fabric(rng, round % 2 ?
				SHAPE_PARTS : SHAPE_TREE, 2 + round % 9);

		name_all(f);
		check_components(f);
		check_around(f);
		weft_fabric_free(f);
	}
	EXPECT(kinds[WEFT_HOST] > 0 && kinds[WEFT_AGGREGATION] > 0 &&
	       kinds[WEFT_ROUTER] > 0);
	weft_rng_free(rng);
}

/* The whole has the entries of each part, and no others. Where SLs are those of
 * endports, all that switches send has one. */
static void check_part(const struct weft_fabric *f,
		       const struct weft__part *part,
		       const struct weft_routes *r)
{
	const struct weft_fabric *g = part->fabric;
	const struct weft_routes *own = &part->routes;

	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		bool inside = weft_lid_owner(g, lid) != WEFT_NONE;

		for (uint32_t s = 0; s < g->nsw; s++) {
			EXPECT_EQ(weft_lft_get(&r->lft, part->sw[s], lid),
				  weft_lft_get(&own->lft, s, lid));
			if (inside && r->layers.form != WEFT_SL_ENDPORT_LID)
				EXPECT_EQ(weft_layers_sl(&r->layers, f,
					  part->sw[s], lid),
					  weft_layers_sl(&own->layers, g, s,
					  lid));
		}
		for (uint32_t e = 0; e < g->nep && inside; e++)
			EXPECT_EQ(weft_layers_sl(&r->layers, f, part->ep[e] |
				  WEFT_ENDPORT, lid),
				  weft_layers_sl(&own->layers, g, e |
				  WEFT_ENDPORT, lid));
	}
	EXPECT(r->layers.nvl >= own->layers.nvl);
}

/* Any table of a part, of which entries for LIDs of others are not set. */
static void route_part(struct weft_rng *rng, struct weft__part *part,
		       enum weft_sl_form form)
{
	const struct weft_fabric *g = part->fabric;

	random_routes(rng, g, TABLES_MINIMAL, &part->routes);
	weft_layers_free(&part->routes.layers);
	random_layers(rng, g, form, SL2VL_NONE, &part->routes.layers);
}

static unsigned several;

static void check_join(struct weft_rng *rng, const struct weft_fabric *f,
		       unsigned forms)
{
	static const enum weft_sl_form form[] = {
		WEFT_SL_ONE, WEFT_SL_DESTINATION, WEFT_SL_SWITCH_PAIR,
	};
	struct weft__split split;
	struct weft_routes r = { 0 };

	ASSERT_EQ(weft__split_init(&split, f), 0);
	ASSERT(weft__split_make(&split));
	for (uint32_t i = 0; i < split.n; i++) {
		struct weft__part *part = &split.part[i];

		for (uint32_t s = 0; s < part->fabric->nsw; s++)
			EXPECT_EQ(f->sw[part->sw[s]].guid,
				  part->fabric->sw[s].guid);
		for (uint32_t e = 0; e < part->fabric->nep; e++)
			EXPECT_EQ(find_endport(f, part->fabric->node[
				  part->fabric->ep[e].node].guid,
				  part->fabric->ep[e].port), part->ep[e]);
		route_part(rng, part, form[i ? forms / 3 : forms % 3]);
	}
	ASSERT_EQ(weft__split_join(&split, &r), 0);
	for (uint32_t i = 0; i < split.n; i++)
		check_part(f, &split.part[i], &r);
	several += split.n > 1;
	weft_routes_free(&r);
	weft__split_free(&split);
}

TEST(test_join)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	for (unsigned round = 0; round < 90; round++) {
		struct weft_fabric *f = random_fabric(rng, SHAPE_PARTS,
						      2 + round % 9);

		check_join(rng, f, round % 9);
		weft_fabric_free(f);
	}
	EXPECT(several > 40);
	weft_rng_free(rng);
}

/* Whether cables of lower kinds lead from a switch to another. */
static bool is_joined_below(const struct weft_fabric *f, const uint8_t *resort,
			    unsigned kind, uint32_t from, uint32_t to,
			    bool *met)
{
	met[from] = true;
	for (uint32_t e = f->adj_first[from]; e < f->adj_first[from + 1]; e++) {
		uint32_t s = f->peer[f->adj[e]];

		if (resort[f->adj[e]] < kind && !met[s] &&
		    is_joined_below(f, resort, kind, s, to, met))
			return true;
	}
	return met[to];
}

static unsigned spared, kept;

/* A cable goes if and only if less bad ones lead from end to end. */
static void check_gone(const struct weft_fabric *f, const uint8_t *resort,
		       const bool *gone, uint32_t n)
{
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned p = 1; p <= f->sw[s].nports; p++) {
			uint32_t ch = weft_channel(f, s, p);
			bool met[64] = { false };

			if (!weft_is_switch(f->peer[ch])) {
				EXPECT(!gone[ch]);
				continue;
			}
			EXPECT_EQ(gone[ch], resort[ch] && is_joined_below(f,
				  resort, resort[ch], s, f->peer[ch], met));
			EXPECT_EQ(gone[ch], gone[f->reverse[ch]]);
			kept += resort[ch] && !gone[ch];
			spared += gone[ch];
			n -= gone[ch] && f->reverse[ch] > ch;
		}
	EXPECT_EQ(n, 0);
}

static void check_left_out(struct weft_rng *rng, const struct weft_fabric *f,
			   unsigned worst)
{
	uint8_t *resort = need(calloc(f->nch + 1, 1));
	bool *gone = need(calloc(f->nch + 1, sizeof(*gone)));
	uint32_t *part = need(calloc(2 * f->nsw + 2, sizeof(*part)));
	uint32_t *after = part + f->nsw + 1, *queue, n;
	struct weft_fabric *less;

	queue = need(calloc(f->nsw + 1, sizeof(*queue)));
	ASSERT(f->nsw <= 64);
	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		if (weft_is_switch(f->peer[ch]) && f->reverse[ch] > ch)
			resort[ch] = resort[f->reverse[ch]] =
				weft_rng_below(rng, worst + 1);
	n = weft__leave_out(f, resort, gone, part);
	check_gone(f, resort, gone, n);
	ASSERT_EQ(weft__fabric_less(f, NULL, gone, &less), 0);
	EXPECT_EQ(weft__components(f, part, queue),
		  weft__components(less, after, queue));
	for (uint32_t s = 0; s < f->nsw; s++)
		EXPECT_EQ(part[s], after[s]);
	EXPECT_EQ(less->nep, f->nep);
	weft_fabric_free(less);
	free(resort);
	free(gone);
	free(part);
	free(queue);
}

TEST(test_left_out)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	for (unsigned round = 0; round < 200; round++) {
		struct weft_fabric *f = random_fabric(rng, SHAPE_PARTS,
						      2 + round % 19);

		check_left_out(rng, f, round % 5);
		weft_fabric_free(f);
	}
	EXPECT(spared > 500 && kept > 500);
	weft_rng_free(rng);
}
