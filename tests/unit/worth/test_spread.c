// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Streams that use all LIDs of their destination at once, against a computation
 * by the letter: hosts with different LMCs, holes in the tables, unequal links.
 */
#include "../route.h"

#include <math.h>
#include <stdlib.h>

enum { LEAVES = 4, SPINES = 3, HOSTS = 3, SEED = 20271, MAX_PARTS = 8 };

/* Leaves with hosts of LMC 0, 1, 2, 3, 0 ..., each on all spines, one by a slow
 * cable. */
static struct weft_fabric *draw(bool even)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	unsigned lid = 1;

	for (unsigned s = 0; s < LEAVES + SPINES; s++)
		weft_builder_port(b, weft_builder_node(b, WEFT_NODE_SWITCH,
				  0x10 + s, 20), 0)->lid = lid++;
	lid = 16;
	for (unsigned i = 0; i < LEAVES * HOSTS; i++, lid += 8) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x100 + i, 1);

		weft_builder_port(b, h, 1)->lid = lid;
		weft_builder_port(b, h, 1)->lmc = i % 4;
		weft_builder_link(b, h, 1, i / HOSTS, 1 + i % HOSTS,
				  (struct weft_rate){ 4, WEFT_QDR });
	}
	for (unsigned s = 0; s < LEAVES; s++)
		for (unsigned k = 0; k < SPINES; k++)
			weft_builder_link(b, s, 10 + k, LEAVES + k, 1 + s,
				(struct weft_rate){ k || even ? 4 : 1,
						    WEFT_QDR });
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

/* The channels of each part of a stream; -1: no route. */
struct ways {
	uint32_t ch[MAX_PARTS][16];
	int hops[MAX_PARTS];
	unsigned parts;
};

static void find_ways(const struct weft_fabric *f, const struct weft_lft *lft,
		      struct weft_pair p, bool ends, struct ways *w)
{
	w->parts = 1u << f->ep[p.to].lmc;
	for (unsigned o = 0; o < w->parts; o++) {
		size_t hops;
		bool good = weft_lft_walk(f, lft, f->ep[p.from].sw,
				f->ep[p.to].lid + o,
				(struct weft_walk_path){ w->ch[o], 15 },
				&hops) == WEFT_ARRIVED;

		/* The last channel leads to the host. */
		w->hops[o] = !good ? -1 : ends ? (int)hops + 1 : (int)hops - 1;
		if (good && ends)
			w->ch[o][hops] = f->first_injection + p.from;
	}
}

struct outcome {
	double streams, slowest;
	uint64_t lost, partial;
};

static struct outcome by_letter(const struct weft_fabric *f,
				const struct weft_lft *lft,
				const struct weft_pair *pair, uint64_t n,
				bool ends)
{
	struct outcome out = { .slowest = 1 };
	struct ways *w = malloc(n * sizeof(*w));
	double *load = calloc(f->nch, sizeof(*load));

	for (uint64_t i = 0; i < n; i++) {
		find_ways(f, lft, pair[i], ends, &w[i]);
		for (unsigned o = 0; o < w[i].parts; o++)
			for (int k = 0; k < w[i].hops[o]; k++)
				load[w[i].ch[o][k]] += 1.0 / w[i].parts;
	}
	for (uint64_t i = 0; i < n; i++) {
		double full = f->capacity[f->first_injection + pair[i].from];
		double got = 0;
		unsigned holes = 0;

		for (unsigned o = 0; o < w[i].parts; o++) {
			double most = 1;

			holes += w[i].hops[o] < 0;
			for (int k = 0; k < w[i].hops[o]; k++)
				most = fmax(most, load[w[i].ch[o][k]] * full /
					    f->capacity[w[i].ch[o][k]]);
			if (w[i].hops[o] >= 0)
				got += 1 / most / w[i].parts;
		}
		out.streams += got / n;
		out.slowest = fmin(out.slowest, got);
		out.lost += holes == w[i].parts;
		out.partial += holes && holes < w[i].parts;
	}
	free(w);
	free(load);
	return out;
}

static void compare(const struct weft_fabric *f, const struct weft_routes *r,
		    struct weft_rng *rng, bool ends)
{
	const struct weft_mapping_spec spec = { .order = WEFT_ORDER_GUID };
	struct weft_pair_list list = { .nranks = f->nep, .nrounds = 1 };
	uint64_t n = 1 + weft_rng_below(rng, 60);
	struct weft_traffic *traffic;
	struct weft_mapping mapping;
	struct weft_model one, many;
	struct outcome o;

	list.first = calloc(2, sizeof(*list.first));
	list.pair = malloc(n * sizeof(*list.pair));
	list.first[1] = n;
	for (uint64_t i = 0; i < n; i++) {
		list.pair[i].from = weft_rng_below(rng, f->nep);
		list.pair[i].to = (list.pair[i].from + 1 +
				   weft_rng_below(rng, f->nep - 1)) % f->nep;
	}
	o = by_letter(f, &r->lft, list.pair, n, ends);
	ASSERT_EQ(weft_mapping_init(&mapping, f, &spec, NULL), 0);
	ASSERT_EQ(weft_traffic_from_list(&list, mapping.nranks, &traffic, NULL),
		  0);
	for (unsigned threads = 1; threads <= 2; threads++)
		ASSERT_EQ(weft_model_run(f, r, &(struct weft_model_spec){
			  .traffic = traffic, .mapping = &mapping, .lids =
			  WEFT_LID_ALL, .endpoints = ends, .samples = 1,
			  .threads = threads, }, threads == 1 ? &one : &many,
			  NULL), 0);
	EXPECT(fabs(one.measure[WEFT_STREAMS].mean - o.streams) < 1e-9);
	EXPECT(fabs(one.slowest - o.slowest) < 1e-9);
	EXPECT_EQ(one.lost, o.lost);
	EXPECT_EQ(one.partial, o.partial);
	EXPECT_EQ(one.unit, 8);
	EXPECT_EQ(one.measure[WEFT_STREAMS].mean,
		  many.measure[WEFT_STREAMS].mean);
	weft_model_free(&one);
	weft_model_free(&many);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
}

TEST(test_by_letter)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 200; i++) {
		struct weft_fabric *f = draw(i % 2);
		struct weft_routes r = { 0 };
		char option[32];

		snprintf(option, sizeof(option), "seed=%u", i);
		ASSERT_EQ(route_by("random", option, f, &r, NULL), 0);
		for (unsigned k = 0; k < i % 5; k++)
			weft_lft_row(&r.lft, weft_rng_below(rng, LEAVES))
				[16 + weft_rng_below(rng, 96)] = WEFT_NO_PORT;
		compare(f, &r, rng, i / 2 % 2);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* One LID each: whole streams, in parts of one. */
TEST(test_without_lmc)
{
	struct weft_fabric *f = route_fabric("torus:4x4,hosts=2", -1);
	struct weft_routes r = { 0 };
	struct weft_basket_spec spec = { .seed = 1 };
	struct weft_basket *b;
	struct weft_worth whole, spread;

	ASSERT_EQ(route_by("psssp", NULL, f, &r, NULL), 0);
	ASSERT_EQ(weft_basket_new(f, &spec, &b, NULL), 0);
	ASSERT_EQ(weft_basket_judge(b, &r, &whole), 0);
	weft_basket_free(b);
	spec.spread = true;
	ASSERT_EQ(weft_basket_new(f, &spec, &b, NULL), 0);
	ASSERT_EQ(weft_basket_judge(b, &r, &spread), 0);
	EXPECT_EQ(whole.mean, spread.mean);
	weft_basket_free(b);
	weft_worth_free(&whole);
	weft_worth_free(&spread);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* Two LIDs over two cables, half of the load on each: all-to-all is even where
 * one LID puts everything on one cable. */
TEST(test_uniform)
{
	struct weft_fabric *f = route_fabric("pgft:2;2,2;1,2;1,1", 1);
	struct weft_basket_spec spec = { .seed = 1, .spread = true };
	struct weft_routes r = { 0 };
	struct weft_basket *b;
	struct weft_worth w;

	ASSERT_EQ(route_by("null", NULL, f, &r, NULL), 0);
	/* Second LIDs go by the second spine. */
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = 0; e < f->nep && f->sw[s].name[0] == 'l'; e++)
			if (f->ep[e].sw != s) {
				unsigned lid = f->ep[e].lid;

				weft_lft_row(&r.lft, s)[lid] = 3;
				weft_lft_row(&r.lft, s)[lid + 1] = 4;
			}
	ASSERT_EQ(weft_basket_new(f, &spec, &b, NULL), 0);
	ASSERT_EQ(weft_basket_judge(b, &r, &w), 0);
	for (unsigned i = 0; i < weft_basket_parts(b); i++)
		if (!strcmp(weft_basket_part_name(b, i), "uniform"))
			EXPECT_EQ(w.part[i], 1);
	weft_worth_free(&w);
	weft_basket_free(b);
	spec.spread = false;
	ASSERT_EQ(weft_basket_new(f, &spec, &b, NULL), 0);
	ASSERT_EQ(weft_basket_judge(b, &r, &w), 0);
	for (unsigned i = 0; i < weft_basket_parts(b); i++)
		if (!strcmp(weft_basket_part_name(b, i), "uniform"))
			EXPECT(fabs(w.part[i] - .75) < 1e-12);
	weft_worth_free(&w);
	weft_basket_free(b);
	weft_routes_free(&r);
	weft_fabric_free(f);
}
