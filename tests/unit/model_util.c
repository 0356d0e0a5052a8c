// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "model_util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_HOPS 64

static struct weft_port_spec *set_lid(struct weft_builder *b, uint32_t node,
				      unsigned port, unsigned lid)
{
	struct weft_port_spec *p = need(weft_builder_port(b, node, port));

	p->lid = lid;
	return p;
}

static void add_host(struct weft_builder *b, uint32_t sw, unsigned port,
		     unsigned number, unsigned lmc)
{
	uint32_t ca = weft_builder_node(b, WEFT_NODE_CA, 0x10000 + number, 1);
	struct weft_port_spec *p = set_lid(b, ca, 1, (number + 1) << lmc);

	p->guid = 0x20000 + number;
	p->lmc = lmc;
	if (weft_builder_link(b, ca, 1, sw, port,
			      (struct weft_rate){ 4, WEFT_QDR }))
		abort();
}

struct weft_fabric *test_fabric(unsigned nsw, const unsigned *hosts,
				const unsigned (*cable)[2], unsigned n,
				unsigned lmc)
{
	struct weft_builder *b = need(weft_builder_new());
	unsigned *used = need(calloc(nsw, sizeof(*used))), number = 0;
	struct weft_fabric *f;

	for (unsigned s = 0; s < nsw; s++)
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x100 + s, 254);
	for (unsigned s = 0; s < nsw; s++)
		while (used[s] < hosts[s])
			add_host(b, s, ++used[s], number++, lmc);
	for (unsigned s = 0; s < nsw; s++)
		set_lid(b, s, 0, ++number << lmc);
	for (unsigned i = 0; i < n; i++) {
		unsigned x = cable[i][0], y = cable[i][1];
		unsigned px = ++used[x], py = ++used[y];

		if (weft_builder_link(b, x, px, y, py,
				      (struct weft_rate){ 4, WEFT_QDR }))
			abort();
	}
	if (weft_builder_finish(b, &f, NULL))
		abort();
	weft_builder_free(b);
	free(used);
	return f;
}

/* Hops from every switch to goal, by relaxing until nothing changes. */
static void flood(const struct weft_fabric *f, uint32_t goal, uint32_t *hops)
{
	bool changed = true;

	memset(hops, 0xff, f->nsw * sizeof(*hops));
	hops[goal] = 0;
	while (changed) {
		changed = false;
		for (uint32_t s = 0; s < f->nsw; s++)
			for (uint32_t i = f->adj_first[s];
			     i < f->adj_first[s + 1]; i++) {
				uint32_t peer = f->peer[f->adj[i]];

				if (hops[peer] != UINT32_MAX &&
				    hops[peer] + 1 < hops[s]) {
					hops[s] = hops[peer] + 1;
					changed = true;
				}
			}
	}
}

static uint8_t choose_port(const struct weft_fabric *f, uint32_t s,
			   const uint32_t *hops, unsigned pick)
{
	unsigned n = 0;

	for (int round = 0; round < 2; round++) {
		unsigned k = 0;

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t ch = f->adj[i];

			if (hops[f->peer[ch]] + 1 != hops[s])
				continue;
			if (round && k == pick % n)
				return ch - f->first_channel[s];
			k++;
		}
		n = k;
		if (!n)
			break;
	}
	return WEFT_NO_PORT;
}

void test_route(const struct weft_fabric *f, unsigned salt,
		struct weft_routes *routes)
{
	uint32_t *hops = need(malloc(f->nsw * sizeof(*hops)));

	if (weft_lft_init(&routes->lft, f->nsw, f->max_lid))
		abort();
	weft_layers_init(&routes->layers);
	routes->lid_offset = NULL;
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_endport *ep = &f->ep[e];

		flood(f, ep->sw, hops);
		for (unsigned l = ep->lid; l < ep->lid + (1u << ep->lmc); l++)
			for (uint32_t s = 0; s < f->nsw; s++)
				weft_lft_row(&routes->lft, s)[l] =
					s == ep->sw ? ep->sw_port :
					choose_port(f, s, hops, l + s + salt);
	}
	free(hops);
}

struct brute {
	const struct weft_fabric *f;
	const struct weft_routes *routes;
	uint32_t *order;	/* permutation of the endports */
	unsigned *count;	/* [nch] */
	double sum, squares;
	uint64_t patterns;
};

static bool walk(const struct brute *b, uint32_t i, uint32_t *ch, size_t *n)
{
	const struct weft_fabric *f = b->f;
	uint32_t from = b->order[i], to = b->order[f->nep / 2 + i];

	return weft_lft_walk(f, &b->routes->lft, f->ep[from].sw, f->ep[to].lid,
			     (struct weft_walk_path){ ch, MAX_HOPS },
			     n) == WEFT_ARRIVED;
}

static double pattern(struct brute *b)
{
	uint32_t half = b->f->nep / 2, ch[MAX_HOPS];
	double sum = 0;
	size_t n;

	memset(b->count, 0, b->f->nch * sizeof(*b->count));
	for (uint32_t i = 0; i < half; i++)
		if (walk(b, i, ch, &n))
			for (size_t k = 0; k + 1 < n; k++)
				b->count[ch[k]]++;
	for (uint32_t i = 0; i < half; i++) {
		unsigned worst = 1;

		if (!walk(b, i, ch, &n))
			continue;
		for (size_t k = 0; k + 1 < n; k++)
			if (b->count[ch[k]] > worst)
				worst = b->count[ch[k]];
		sum += 1.0 / worst;
	}
	return sum / half;
}

static void permute(struct brute *b, uint32_t k)
{
	if (k == b->f->nep) {
		double share = pattern(b);

		b->sum += share;
		b->squares += share * share;
		b->patterns++;
		return;
	}
	for (uint32_t i = k; i < b->f->nep; i++) {
		uint32_t t = b->order[k];

		b->order[k] = b->order[i];
		b->order[i] = t;
		permute(b, k + 1);
		b->order[i] = b->order[k];
		b->order[k] = t;
	}
}

struct test_exact test_exact_ebb(const struct weft_fabric *f,
				 const struct weft_routes *routes)
{
	struct test_exact e;
	struct brute b = {
		.f = f, .routes = routes,
		.order = need(malloc(f->nep * sizeof(uint32_t))),
		.count = need(malloc(f->nch * sizeof(unsigned))),
	};

	for (uint32_t i = 0; i < f->nep; i++)
		b.order[i] = i;
	permute(&b, 0);
	free(b.order);
	free(b.count);
	e.mean = b.sum / b.patterns;
	e.stddev = sqrt(b.squares / b.patterns - e.mean * e.mean);
	return e;
}

double test_basket_worth(const struct weft_fabric *f,
			 const struct weft_routes *routes,
			 const struct weft_basket_spec *spec)
{
	struct weft_basket *basket = NULL;
	struct weft_worth worth = { .mean = 0 };
	double mean;

	ASSERT_EQ(weft_basket_new(f, spec, &basket, NULL), 0);
	ASSERT_EQ(weft_basket_judge(basket, routes, &worth), 0);
	mean = worth.mean;
	weft_worth_free(&worth);
	weft_basket_free(basket);
	return mean;
}
