// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The measures of listed pairs against brute force: routes are walked one by
 * one, by hand, on tiny fabrics with links of equal and of different speeds.
 */
#include "../model_util.h"
#include "../suite.h"

#include <math.h>
#include <stdlib.h>

#define SEED 20080929u
#define MAX_HOPS 64

/* What to compare: random pairs on a fabric, ranks in the order of GUIDs. */
struct trial {
	struct weft_fabric *f;
	struct weft_routes routes;
	struct weft_pair_list list;
	bool endpoints;
	enum weft_lid_rule lids;
};

/* What brute force finds. */
struct naive {
	double measure[WEFT_MEASURES], slowest, fastest;
	uint64_t streams, lost, *load, *peak;
	/* sums over rounds */
	double bandwidth, weight, most, mean;
};

static unsigned lid_offset(const struct trial *t, uint32_t from, uint32_t to)
{
	unsigned mask = (1u << t->f->ep[to].lmc) - 1;

	if (t->lids == WEFT_LID_ROUTES && t->routes.lid_offset)
		return t->routes.lid_offset[from] & mask;
	return 0;
}

/* Channels that count on the way of a pair, or -1 if it is lost. */
static int channels(const struct trial *t, const struct weft_pair *pair,
		    uint32_t *ch)
{
	const struct weft_fabric *f = t->f;
	unsigned lid = f->ep[pair->to].lid +
		       lid_offset(t, pair->from, pair->to);
	size_t hops;

	if (weft_lft_walk(f, &t->routes.lft, f->ep[pair->from].sw, lid,
			  (struct weft_walk_path){ ch, MAX_HOPS },
			  &hops) != WEFT_ARRIVED)
		return -1;
	if (!t->endpoints)
		return hops - 1;
	ch[hops] = f->first_injection + pair->from;
	return hops + 1;
}

static double congestion(const struct trial *t, const struct weft_pair *pair,
			 const uint32_t *ch, int hops, const uint64_t *count)
{
	const struct weft_fabric *f = t->f;
	double full = fmin(f->capacity[f->first_injection + pair->from],
			   f->capacity[f->first_injection + pair->to]);
	double get = full;

	for (int i = 0; i < hops; i++)
		get = fmin(get, (double)f->capacity[ch[i]] / count[ch[i]]);
	return full / get;
}

static void naive_round(const struct trial *t, struct naive *n, uint64_t r)
{
	const struct weft_pair_list *l = &t->list;
	uint64_t first = l->first[r], pairs = l->first[r + 1] - first;
	uint32_t (*ch)[MAX_HOPS] = need(malloc((pairs + 1) * sizeof(*ch)));
	int *hops = need(malloc((pairs + 1) * sizeof(*hops)));
	uint64_t *count = need(calloc(t->f->nch, sizeof(*count)));
	double most = 0, all = 0, sizes = 0, heaviest = 0;

	for (uint64_t i = 0; i < pairs; i++) {
		hops[i] = channels(t, &l->pair[first + i], ch[i]);
		for (int k = 0; k < hops[i]; k++)
			count[ch[i][k]]++;
	}
	for (uint64_t i = 0; i < pairs; i++) {
		double size = l->size ? l->size[first + i] : 1, x = INFINITY;

		if (hops[i] >= 0)
			x = congestion(t, &l->pair[first + i], ch[i], hops[i],
				       count);
		n->lost += hops[i] < 0;
		n->streams++;
		n->bandwidth += 1 / x;
		n->slowest = fmin(n->slowest, 1 / x);
		n->fastest = fmax(n->fastest, 1 / x);
		most = fmax(most, size * x);
		all += size * x;
		sizes += size;
		heaviest = fmax(heaviest, size);
	}
	n->weight += heaviest;
	n->most += most;
	n->mean += pairs ? heaviest * all / sizes : 0;
	for (uint32_t c = 0; c < t->f->nch; c++) {
		n->load[c] += count[c];
		n->peak[c] = count[c] > n->peak[c] ? count[c] : n->peak[c];
	}
	free(ch);
	free(hops);
	free(count);
}

static struct naive brute(const struct trial *t)
{
	struct naive n = { .slowest = 1 };

	n.load = need(calloc(t->f->nch, sizeof(*n.load)));
	n.peak = need(calloc(t->f->nch, sizeof(*n.peak)));
	for (uint32_t r = 0; r < t->list.nrounds; r++)
		naive_round(t, &n, r);
	n.measure[WEFT_STREAMS] = n.bandwidth / n.streams;
	n.measure[WEFT_LOWER] = n.weight / n.most;
	n.measure[WEFT_UPPER] = n.weight / n.mean;
	return n;
}

/* A copy of the list: traffic takes its own over. */
static struct weft_pair_list copy(const struct weft_pair_list *l)
{
	struct weft_pair_list c = *l;
	uint64_t n = l->first[l->nrounds];

	c.first = need(malloc((l->nrounds + 1) * sizeof(*c.first)));
	c.pair = need(malloc((n + 1) * sizeof(*c.pair)));
	memcpy(c.first, l->first, (l->nrounds + 1) * sizeof(*c.first));
	memcpy(c.pair, l->pair, n * sizeof(*c.pair));
	if (l->size) {
		c.size = need(malloc((n + 1) * sizeof(*c.size)));
		memcpy(c.size, l->size, n * sizeof(*c.size));
	}
	return c;
}

static struct weft_model run(const struct trial *t, unsigned threads)
{
	const struct weft_mapping_spec spec = { .order = WEFT_ORDER_GUID };
	struct weft_pair_list list = copy(&t->list);
	struct weft_traffic *traffic;
	struct weft_mapping mapping;
	struct weft_model model = { 0 };

	ASSERT_EQ(weft_mapping_init(&mapping, t->f, &spec, NULL), 0);
	ASSERT_EQ(weft_traffic_from_list(&list, mapping.nranks, &traffic, NULL),
		  0);
	ASSERT_EQ(weft_model_run(t->f, &t->routes, &(struct weft_model_spec){
		  .traffic = traffic, .mapping = &mapping, .endpoints =
		  t->endpoints, .links = true, .lids = t->lids, .samples = 7,
		  .seed = SEED, .threads = threads, }, &model, NULL), 0);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	return model;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static void compare(const struct trial *t)
{
	struct naive n = brute(t);
	struct weft_model m = run(t, 2);

	EXPECT(m.exact && m.precise);
	EXPECT_EQ(m.samples, 1);
	EXPECT_EQ(m.streams, n.streams);
	EXPECT_EQ(m.lost, n.lost);
	EXPECT(near(m.slowest, n.slowest) && near(m.fastest, n.fastest));
	for (unsigned i = 0; i < WEFT_MEASURES; i++) {
		EXPECT(near(m.measure[i].mean, n.measure[i]));
		EXPECT_EQ(m.measure[i].ci99, 0);
	}
	EXPECT(t->list.size || m.measure[WEFT_LOWER].mean <=
	       m.measure[WEFT_UPPER].mean * (1 + 1e-12));
	for (uint32_t ch = 0; ch < t->f->nch; ch++) {
		EXPECT_EQ(m.link[ch].streams, n.load[ch]);
		EXPECT_EQ(m.link[ch].peak, n.peak[ch]);
	}
	weft_model_free(&m);
	free(n.load);
	free(n.peak);
}

static void draw_list(struct trial *t, struct weft_rng *rng, uint32_t most)
{
	struct weft_pair_list *l = &t->list;
	uint64_t n = 0;

	l->nranks = t->f->nep;
	l->nrounds = 1 + weft_rng_below(rng, 40);
	l->first = need(calloc(l->nrounds + 1, sizeof(*l->first)));
	for (uint32_t r = 0; r < l->nrounds; r++) {
		n += weft_rng_below(rng, most);
		l->first[r + 1] = n;
	}
	if (!n)
		n = l->first[l->nrounds] = 1;
	l->pair = need(calloc(n, sizeof(*l->pair)));
	if (weft_rng_below(rng, 2))
		l->size = need(calloc(n, sizeof(*l->size)));
	for (uint64_t i = 0; i < n; i++) {
		l->pair[i].from = weft_rng_below(rng, l->nranks);
		l->pair[i].to = (l->pair[i].from + 1 +
				 weft_rng_below(rng, l->nranks - 1)) %
				l->nranks;
		if (l->size)
			l->size[i] = 1 + weft_rng_below(rng, 9);
	}
}

/* Other speeds for some cables. */
static void draw_speeds(struct weft_fabric *f, struct weft_rng *rng)
{
	uint32_t *capacity = (uint32_t *)f->capacity;

	for (uint32_t ch = 0; ch < f->nch; ch++)
		if (capacity[ch] && !weft_rng_below(rng, 3))
			capacity[ch] = capacity[f->reverse[ch]] =
				weft_speed_capacity(4, WEFT_SDR +
						    weft_rng_below(rng, 6));
}

static void punch_holes(struct trial *t, struct weft_rng *rng)
{
	for (unsigned k = weft_rng_below(rng, 4); k; k--)
		weft_lft_row(&t->routes.lft, weft_rng_below(rng, t->f->nsw))
			[1 + weft_rng_below(rng, t->f->max_lid)] =
				weft_rng_below(rng, 9);
}

static struct trial make_trial(struct weft_rng *rng, unsigned lmc)
{
	static const unsigned cable[][2] = {
		{ 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 0, 2 }, { 0, 1 },
	};
	struct trial t = { .endpoints = weft_rng_below(rng, 2) };

	t.f = test_fabric(4, (unsigned[]){ 2, 1, 3, 2 }, cable, 6, lmc);
	test_route(t.f, weft_rng_u32(rng) % 16, &t.routes);
	return t;
}

static void release(struct trial *t)
{
	weft_pair_list_free(&t->list);
	weft_routes_free(&t->routes);
	weft_fabric_free(t->f);
}

TEST(test_even)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	for (unsigned i = 0; i < 300; i++) {
		struct trial t = make_trial(rng, 0);

		draw_list(&t, rng, 30);
		if (i % 3 == 0)
			punch_holes(&t, rng);
		compare(&t);
		release(&t);
	}
	weft_rng_free(rng);
}

TEST(test_speeds)
{
	struct weft_rng *rng = need(weft_rng_new(SEED + 1));

	for (unsigned i = 0; i < 300; i++) {
		struct trial t = make_trial(rng, 0);

		draw_speeds(t.f, rng);
		draw_list(&t, rng, 30);
		compare(&t);
		release(&t);
	}
	weft_rng_free(rng);
}

/* More streams than are walked at a time. */
TEST(test_many)
{
	struct weft_rng *rng = need(weft_rng_new(SEED + 2));

	for (unsigned i = 0; i < 2; i++) {
		struct trial t = make_trial(rng, 0);

		if (i)
			draw_speeds(t.f, rng);
		draw_list(&t, rng, 20000);
		/* all in one round */
		t.list.first[1] = t.list.first[t.list.nrounds];
		t.list.nrounds = 1;
		EXPECT(t.list.first[1] > 70000);
		compare(&t);
		release(&t);
	}
	weft_rng_free(rng);
}

TEST(test_lids)
{
	static const enum weft_lid_rule rules[] = {
		WEFT_LID_ROUTES, WEFT_LID_FIRST,
	};
	struct weft_rng *rng = need(weft_rng_new(SEED + 3));

	for (unsigned i = 0; i < 150; i++) {
		struct trial t = make_trial(rng, 2);

		t.lids = rules[i % 2];
		if (i % 3) {
			t.routes.lid_offset = need(malloc(t.f->nep));
			for (uint32_t e = 0; e < t.f->nep; e++)
				t.routes.lid_offset[e] =
					weft_rng_below(rng, 8);
		}
		draw_list(&t, rng, 30);
		compare(&t);
		release(&t);
	}
	weft_rng_free(rng);
}

/* Of LIDs drawn at random, or of turns that begin at random, the expectation
 * over all choices there are. */
static void check_random_lids(enum weft_lid_rule rule)
{
	struct weft_rng *rng = need(weft_rng_new(SEED + 4));
	struct trial t = make_trial(rng, 1);
	const struct weft_mapping_spec order = { .order = WEFT_ORDER_GUID };
	struct weft_traffic *traffic;
	struct weft_mapping mapping;
	struct weft_model m;
	double sum = 0;

	t.routes.lid_offset = need(malloc(t.f->nep));
	t.list = (struct weft_pair_list){ .nranks = 8, .nrounds = 1 };
	t.list.first = need(calloc(2, sizeof(*t.list.first)));
	t.list.pair = need(calloc(8, sizeof(*t.list.pair)));
	t.list.first[1] = 8;
	for (uint32_t i = 0; i < 8; i++)
		t.list.pair[i] = (struct weft_pair){ i, (i + 3) % 8 };
	for (unsigned choice = 0; choice < 256; choice++) {
		struct naive n;

		for (unsigned i = 0; i < 8; i++)
			t.routes.lid_offset[i] = choice >> i & 1;
		n = brute(&t);
		sum += n.measure[WEFT_STREAMS];
		free(n.load);
		free(n.peak);
	}
	ASSERT_EQ(weft_mapping_init(&mapping, t.f, &order, NULL), 0);
	ASSERT_EQ(weft_traffic_new("shift:distance=3", 8, &traffic, NULL), 0);
	ASSERT_EQ(weft_model_run(t.f, &t.routes, &(struct weft_model_spec){
		  .traffic = traffic, .mapping = &mapping, .endpoints =
		  t.endpoints, .lids = rule, .samples = 20000, .seed = SEED },
		  &m, NULL), 0);
	EXPECT(!m.exact && m.measure[0].stddev > 0);
	EXPECT(fabs(m.measure[0].mean - sum / 256) < 5 * m.measure[0].stddev /
	       sqrt(m.samples));
	weft_model_free(&m);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	release(&t);
	weft_rng_free(rng);
}

TEST(test_random_lids)
{
	check_random_lids(WEFT_LID_RANDOM);
	check_random_lids(WEFT_LID_ROUND_ROBIN);
}

/* Four messages in turn to one of four LIDs each: the load is that of one to
 * each, wherever the turns begin. */
TEST(test_turns)
{
	struct weft_rng *rng = need(weft_rng_new(SEED + 5));
	struct trial t = make_trial(rng, 2);
	struct weft_model m;
	struct naive n;

	t.endpoints = false;
	t.routes.lid_offset = need(malloc(t.f->nep));
	t.list = (struct weft_pair_list){ .nranks = 8, .nrounds = 4 };
	t.list.first = need(calloc(5, sizeof(*t.list.first)));
	t.list.pair = need(calloc(32, sizeof(*t.list.pair)));
	for (uint32_t i = 0; i < 32; i++) {
		t.list.first[i / 8 + 1] = i + 1;
		t.list.pair[i] = (struct weft_pair){ i % 8, (i + 3) % 8 };
	}
	t.lids = WEFT_LID_ROUND_ROBIN;
	m = run(&t, 1);
	EXPECT_EQ(m.samples, 7);
	t.lids = WEFT_LID_ROUTES;
	for (unsigned offset = 0; offset < 4; offset++) {
		memset(t.routes.lid_offset, offset, t.f->nep);
		n = brute(&t);
		for (uint32_t ch = 0; ch < t.f->nch; ch++)
			m.link[ch].streams -= 7 * n.load[ch] / 4;
		free(n.load);
		free(n.peak);
	}
	for (uint32_t ch = 0; ch < t.f->nch; ch++)
		EXPECT_EQ(m.link[ch].streams, 0);
	weft_model_free(&m);
	release(&t);
	weft_rng_free(rng);
}

/* Figure 1 of the CLUSTER 2008 paper: 16 nodes, four leaves and two top
 * switches of 8 ports, every node's packets over the uplink that its number
 * gives it; and the pattern of section 2.2.1. */
TEST(test_paper)
{
	static const uint32_t pairs[8][2] = {
		{ 1, 5 }, { 2, 9 }, { 3, 13 }, { 4, 6 }, { 7, 8 }, { 10, 11 },
		{ 12, 14 }, { 15, 16 },
	};
	static const unsigned expected[8] = { 3, 3, 3, 1, 1, 1, 1, 1 };
	unsigned hosts[6] = { 4, 4, 4, 4, 0, 0 }, cable[16][2];
	struct trial t = { 0 };
	struct weft_model m;

	for (unsigned i = 0; i < 16; i++) {
		cable[i][0] = i / 4;
		cable[i][1] = 4 + i % 4 / 2;
	}
	t.f = test_fabric(6, hosts, cable, 16, 0);
	ASSERT_EQ(weft_lft_init(&t.routes.lft, 6, 16), 0);
	weft_layers_init(&t.routes.layers);
	for (uint32_t e = 0; e < 16; e++)
		for (uint32_t s = 0; s < 6; s++) {
			/* a leaf's ports: 4 hosts, then the uplinks; a top
			 * switch's: two for each leaf */
			unsigned up = 5 + e % 4, down = 1 + e / 4 * 2 + e % 2;

			weft_lft_row(&t.routes.lft, s)[e + 1] =
				s >= 4 ? down : s == e / 4 ? e % 4 + 1 : up;
		}
	t.list = (struct weft_pair_list){ .nranks = 16, .nrounds = 1 };
	t.list.first = need(calloc(2, sizeof(*t.list.first)));
	t.list.pair = need(calloc(8, sizeof(*t.list.pair)));
	t.list.first[1] = 8;
	for (unsigned i = 0; i < 8; i++)
		t.list.pair[i] = (struct weft_pair){ pairs[i][0] - 1,
						     pairs[i][1] - 1 };
	compare(&t);
	m = run(&t, 1);
	EXPECT_EQ(m.congestion[3], 3);
	EXPECT_EQ(m.congestion[1], 5);
	EXPECT(near(m.measure[WEFT_LOWER].mean, 1 / 3.0));
	EXPECT(near(m.measure[WEFT_UPPER].mean, 8 / 14.0));
	EXPECT(near(m.measure[WEFT_STREAMS].mean, 6 / 8.0));
	weft_model_free(&m);
	/* stream by stream: one whose size outweighs all others */
	t.list.size = need(calloc(8, sizeof(double)));
	for (unsigned i = 0; i < 8; i++) {
		for (unsigned k = 0; k < 8; k++)
			t.list.size[k] = k == i ? 1e9 : 1;
		m = run(&t, 1);
		EXPECT(near(1 / m.measure[WEFT_LOWER].mean, expected[i]));
		weft_model_free(&m);
	}
	release(&t);
}
