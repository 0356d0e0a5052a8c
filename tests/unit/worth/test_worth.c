// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The basket against brute force and against the congestion model: routes are
 * walked one by one, by hand, on small fabrics with links of equal and of
 * different speeds; what is drawn is compared with all that could be.
 */
#include "../model_util.h"
#include "../route.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define SEED 20101123u
#define MAX_HOPS 64
#define MAX_HOSTS 4096

enum { BISECT, UNIFORM, SHIFT, DOUBLING, STENCIL, FRAGMENTS, PARTS };

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static struct weft_basket *basket_of(const struct weft_fabric *f,
				     const struct weft_objective *objective,
				     uint32_t rounds, uint32_t seed)
{
	const struct weft_basket_spec spec = {
		.objective = objective, .rounds = rounds, .seed = seed,
	};
	struct weft_basket *b = NULL;

	ASSERT_EQ(weft_basket_new(f, &spec, &b, NULL), 0);
	return b;
}

static struct weft_worth judge(const struct weft_basket *b,
			       const struct weft_routes *routes)
{
	struct weft_worth w = { .mean = 0 };

	ASSERT_EQ(weft_basket_judge(b, routes, &w), 0);
	return w;
}

/* What the basket says with that many rounds; without the rounds. */
static struct weft_worth worth_of(const struct weft_fabric *f,
				  const struct weft_routes *routes,
				  uint32_t rounds, uint32_t seed)
{
	struct weft_basket *b = basket_of(f, NULL, rounds, seed);
	struct weft_worth w = judge(b, routes);

	free(w.round);
	w.round = NULL;
	weft_basket_free(b);
	return w;
}

/* What one pattern's part says. */
static double worth_by(const struct weft_fabric *f,
		       const struct weft_routes *routes, const char *pattern)
{
	struct weft_objective o;
	struct weft_basket *b;
	struct weft_worth w;
	double share;

	ASSERT_EQ(weft_objective_parse(pattern, &o, NULL), 0);
	b = basket_of(f, &o, MAX_HOSTS, SEED);
	EXPECT_EQ(weft_basket_parts(b), 1);
	w = judge(b, routes);
	EXPECT(near(w.mean, w.part[0]));
	share = w.part[0];
	weft_worth_free(&w);
	weft_basket_free(b);
	weft_objective_free(&o);
	return share;
}

static void release(struct weft_fabric *f, struct weft_routes *routes)
{
	weft_routes_free(routes);
	weft_fabric_free(f);
}

/* --- beside the model ----------------------------------------------------- */

static double modelled(const struct weft_fabric *f,
		       const struct weft_routes *routes, const char *pattern,
		       enum weft_order order, bool endpoints)
{
	const struct weft_mapping_spec spec = { .order = order };
	struct weft_traffic *traffic;
	struct weft_mapping mapping;
	struct weft_model model;
	double share;

	ASSERT_EQ(weft_mapping_init(&mapping, f, &spec, NULL), 0);
	ASSERT_EQ(weft_traffic_new(pattern, mapping.nranks, &traffic, NULL), 0);
	ASSERT_EQ(weft_model_run(f, routes, &(struct weft_model_spec){ .traffic
		  = traffic, .mapping = &mapping, .endpoints = endpoints,
		  .samples = 1, }, &model, NULL), 0);
	share = model.measure[WEFT_STREAMS].mean;
	weft_model_free(&model);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	return share;
}

/* For as many hosts as a power of two: all rounds of recursive doubling have as
 * many streams then, and the model has the mean of streams. */
static void check_model(const char *spec, const char *engine, bool by_name)
{
	struct weft_fabric *f = route_fabric(spec, -1);
	struct weft_basket *b = basket_of(f, NULL, MAX_HOSTS, SEED);
	enum weft_order order = by_name ? WEFT_ORDER_NAME : WEFT_ORDER_LEAF;
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_worth w;
	uint64_t judged, all;

	ASSERT_EQ(route_by(engine, NULL, f, &routes, NULL), 0);
	w = judge(b, &routes);
	EXPECT_EQ(weft_basket_by_name(b), by_name);
	EXPECT_EQ(weft_basket_hosts(b), f->nhosts);
	weft_basket_part_rounds(b, SHIFT, &judged, &all);
	EXPECT(judged == all && all == f->nhosts - 1);
	EXPECT(near(w.part[SHIFT], modelled(f, &routes, "shift", order, false)));
	EXPECT(near(w.part[DOUBLING], modelled(f, &routes, "recursive-doubling",
	       order, false)));
	EXPECT(near(w.part[STENCIL], 6 * modelled(f, &routes, "stencil", order,
	       true)));
	EXPECT(w.error[UNIFORM] + w.error[SHIFT] + w.error[DOUBLING] +
	       w.error[STENCIL] == 0);
	EXPECT(w.error[BISECT] > 0 && w.error[FRAGMENTS] > 0);
	weft_worth_free(&w);
	weft_basket_free(b);
	release(f, &routes);
}

TEST(test_model)
{
	check_model("hypercube:4,hosts=4", "minhop", true);
	check_model("hypercube:4,hosts=4,guids=shuffle", "psssp", true);
	check_model("torus:4x4,hosts=2,names=same", "psssp", false);
	check_model("torus:4x4,hosts=2,guids=shuffle,names=none", "psssp",
		    false);
	check_model("random:16x4,10", "psssp", true);
	check_model("odin", "minhop", true);
	check_model("mesh:4x4x4", "updn", true);
}

/* --- beside brute force --------------------------------------------------- */

/* Tables, and the hosts by rank. */
struct trial {
	struct weft_fabric *f;
	struct weft_routes routes;
	uint32_t rank[MAX_HOSTS], n;
};

static int by_place(const void *x, const void *y, void *fabric)
{
	const struct weft_fabric *f = fabric;
	const struct weft_endport *a = &f->ep[*(const uint32_t *)x];
	const struct weft_endport *b = &f->ep[*(const uint32_t *)y];

	return a->sw != b->sw ? (a->sw > b->sw) - (a->sw < b->sw) :
		(a->sw_port > b->sw_port) - (a->sw_port < b->sw_port);
}

static void rank_hosts(struct trial *t)
{
	t->n = 0;
	for (uint32_t e = 0; e < t->f->nep; e++)
		if (weft_endport_is_host(&t->f->ep[e], false))
			t->rank[t->n++] = e;
	qsort_r(t->rank, t->n, sizeof(*t->rank), by_place, t->f);
}

/* Channels between switches on the way, or -1 if it is lost. */
static int channels(const struct trial *t, struct weft_pair pair, uint32_t *ch)
{
	uint32_t from = t->rank[pair.from], to = t->rank[pair.to];
	size_t hops;

	if (weft_lft_walk(t->f, &t->routes.lft, t->f->ep[from].sw,
			  weft_routes_lid(t->f, &t->routes, from, to),
			  (struct weft_walk_path){ ch, MAX_HOPS },
			  &hops) != WEFT_ARRIVED)
		return -1;
	return hops - 1;
}

static double host_link(const struct trial *t, uint32_t rank)
{
	return t->f->capacity[t->f->first_injection + t->rank[rank]];
}

/* The same with those at the hosts, if these count. */
static int all_channels(const struct trial *t, struct weft_pair pair,
			bool ends, uint32_t *ch)
{
	int n = channels(t, pair, ch);
	uint32_t to = t->rank[pair.to];

	if (n < 0 || !ends)
		return n;
	ch[n++] = t->f->first_injection + t->rank[pair.from];
	ch[n++] = weft_channel(t->f, t->f->ep[to].sw, t->f->ep[to].sw_port);
	return n;
}

/* What a stream gets of the full bandwidth of its hosts. */
static double share(const struct trial *t, struct weft_pair pair,
		    const uint32_t *ch, int n, const unsigned *count)
{
	double full = fmin(host_link(t, pair.from), host_link(t, pair.to));
	double get = full;

	for (int i = 0; i < n; i++)
		get = fmin(get, (double)t->f->capacity[ch[i]] / count[ch[i]]);
	return n < 0 ? 0 : get / full;
}

/* Whether somebody sends or hears several. */
static bool crowded(const struct weft_pair *pair, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		for (uint64_t k = 0; k < i; k++)
			if (pair[i].from == pair[k].from ||
			    pair[i].to == pair[k].to)
				return true;
	return false;
}

/* What a pair would get if there were nothing but the links of hosts, whose
 * other pairs share them. */
static double alone(const struct trial *t, const struct weft_pair *pair,
		    uint64_t n, uint64_t which)
{
	double a = host_link(t, pair[which].from);
	double b = host_link(t, pair[which].to), full = fmin(a, b);
	unsigned sends = 0, hears = 0;

	for (uint64_t i = 0; i < n; i++) {
		sends += pair[i].from == pair[which].from;
		hears += pair[i].to == pair[which].to;
	}
	return fmin(a / sends, b / hears) / full;
}

/* What all streams get, of what the links of hosts allow. */
static double naive_round(const struct trial *t, const struct weft_pair *pair,
			  uint64_t n)
{
	unsigned *count = need(calloc(t->f->nch, sizeof(*count)));
	bool ends = crowded(pair, n);
	uint32_t ch[MAX_HOPS + 2];
	double sum = 0, most = 0;

	for (uint64_t i = 0; i < n; i++)
		for (int k = all_channels(t, pair[i], ends, ch); k-- > 0; )
			count[ch[k]]++;
	for (uint64_t i = 0; i < n; i++) {
		int hops = all_channels(t, pair[i], ends, ch);

		sum += share(t, pair[i], ch, hops, count);
		most += alone(t, pair, n, i);
	}
	free(count);
	return n ? sum / most : 1;
}

/* The mean over all rounds of a pattern that is not random, on some ranks. */
static double naive(const struct trial *t, const char *pattern,
		    const uint32_t *some, uint32_t n)
{
	struct weft_draw draw = { .rng = NULL };
	struct weft_traffic *traffic;
	struct weft_pair *pair;
	uint64_t rounds;
	double sum = 0;

	ASSERT_EQ(weft_traffic_new(pattern, n, &traffic, NULL), 0);
	pair = need(malloc((weft_traffic_max_pairs(traffic) + 1) *
			   sizeof(*pair)));
	draw.scratch = need(malloc((weft_traffic_scratch(traffic) + 1) *
				   sizeof(*draw.scratch)));
	rounds = weft_traffic_rounds(traffic);
	for (uint64_t r = 0; r < rounds; r++) {
		uint64_t pairs = weft_traffic_round(traffic, r, &draw, pair);

		for (uint64_t i = 0; some && i < pairs; i++)
			pair[i] = (struct weft_pair){ some[pair[i].from],
						      some[pair[i].to] };
		sum += naive_round(t, pair, pairs);
	}
	free(draw.scratch);
	free(pair);
	weft_traffic_free(traffic);
	return sum / rounds;
}

/* Everybody sends 1 / (n - 1) of what the slower link of two hosts carries to
 * everybody: the least of capacity / load, times the share that arrives. */
static double naive_uniform(const struct trial *t)
{
	double *load = need(calloc(t->f->nch, sizeof(*load))), least = 1;
	uint32_t ch[MAX_HOPS], lost = 0;

	for (uint32_t i = 0; i < t->n; i++)
		for (uint32_t k = 0; k < t->n; k++) {
			double full = fmin(host_link(t, i), host_link(t, k));
			int n = i == k ? 0 : channels(
				t, (struct weft_pair){ i, k }, ch);

			lost += n < 0;
			while (n-- > 0)
				load[ch[n]] += full / (t->n - 1);
		}
	for (uint32_t c = 0; c < t->f->nch; c++)
		if (load[c] > 0)
			least = fmin(least, t->f->capacity[c] / load[c]);
	free(load);
	return least * (1 - lost / (t->n * (t->n - 1.0)));
}

static void check_parts(const struct trial *t)
{
	struct weft_worth w = worth_of(t->f, &t->routes, MAX_HOSTS, SEED);
	double logs = 0;

	EXPECT(near(w.part[UNIFORM], naive_uniform(t)));
	EXPECT(near(w.part[SHIFT], naive(t, "shift", NULL, t->n)));
	EXPECT(near(w.part[DOUBLING], naive(t, "recursive-doubling", NULL,
	       t->n)));
	EXPECT(near(w.part[STENCIL], naive(t, "stencil", NULL, t->n)));
	for (unsigned i = 0; i < PARTS; i++) {
		EXPECT(w.part[i] >= 0 && w.part[i] <= 1 + 1e-12);
		logs += log(w.part[i]) / PARTS;
	}
	EXPECT(near(w.mean, exp(logs)));
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
	struct trial t = { .n = 0 };

	t.f = test_fabric(4, (unsigned[]){ 2, 1, 3, 2 }, cable, 6, lmc);
	test_route(t.f, weft_rng_u32(rng) % 16, &t.routes);
	rank_hosts(&t);
	return t;
}

TEST(test_brute)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	for (unsigned i = 0; i < 300; i++) {
		struct trial t = make_trial(rng, i % 3);

		if (i % 2)
			draw_speeds(t.f, rng);
		if (i % 5 == 0)
			punch_holes(&t, rng);
		if (i % 4 < 2) {
			t.routes.lid_offset = need(malloc(t.f->nep));
			for (uint32_t e = 0; e < t.f->nep; e++)
				t.routes.lid_offset[e] =
					weft_rng_below(rng, 8);
		}
		check_parts(&t);
		release(t.f, &t.routes);
	}
	weft_rng_free(rng);
}

/* The mean of shifts over all halves of the hosts, ranks in the same order, and
 * of bisections, over all there are, within 5 standard errors of the mean that
 * many seeds give. */
TEST(test_drawn)
{
	struct weft_rng *rng = need(weft_rng_new(SEED + 1));
	struct trial t = make_trial(rng, 0);
	struct test_exact exact = test_exact_ebb(t.f, &t.routes);
	double sum = 0, got = 0, squares = 0, bisect = 0;
	unsigned halves = 0, seeds = 3000;

	for (unsigned set = 0; set < 1u << t.n; set++) {
		uint32_t some[8], n = 0;

		for (uint32_t i = 0; i < t.n; i++)
			if (set >> i & 1)
				some[n++ % 8] = i;
		if (n != t.n / 2)
			continue;
		sum += naive(&t, "shift", some, n);
		halves++;
	}
	for (unsigned seed = 0; seed < seeds; seed++) {
		struct weft_worth w = worth_of(t.f, &t.routes, 5, seed);

		got += w.part[FRAGMENTS] / seeds;
		squares += w.part[FRAGMENTS] * w.part[FRAGMENTS] / seeds;
		bisect += w.part[BISECT] / seeds;
	}
	EXPECT_EQ(halves, 70);
	EXPECT(fabs(got - sum / halves) < 5 * sqrt((squares - got * got) /
	       seeds));
	EXPECT(fabs(bisect - exact.mean) < 5 * exact.stddev / sqrt(5.0 * seeds));
	release(t.f, &t.routes);
	weft_rng_free(rng);
}

/* (hosts - 1) / EFI where all links are alike, up to 1. */
TEST(test_uniform)
{
	static const char *const specs[] = {
		"torus:5x4,hosts=3", "deimos", "random:20x6,14",
		"pgft:2;8,6;1,4;1,1", "switch648,fail-links=5%",
		"pgft:2;2,6;1,8;1,1",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct weft_fabric *f = route_fabric(specs[i], -1);
		const struct weft_proof_spec spec = { .loads = true };
		struct weft_routes routes = { .lid_offset = NULL };
		struct weft_proof proof;
		struct weft_worth w;

		ASSERT_EQ(route_by("minhop", NULL, f, &routes, NULL), 0);
		w = worth_of(f, &routes, 1, SEED);
		ASSERT_EQ(weft_proof_run(f, &routes, &spec, &proof, NULL), 0);
		EXPECT(near(w.part[UNIFORM], fmin(1, (f->nhosts - 1.0) /
		       proof.load_max)));
		weft_proof_free(&proof);
		release(f, &routes);
	}
}

/* --- what must be --------------------------------------------------------- */

/* Whole trees carry shifts and all-to-all in full, those of two
 * levels whatever the GUIDs. */
TEST(test_trees)
{
	static const char *const specs[] = {
		"switch648", "switch648,guids=shuffle", "pgft:2;4,4;1,4;1,1",
		"pgft:2;8,6;1,4;1,2", "kary:4;3", "pgft:3;4,4,3;1,4,2;1,1,2",
		"myrinet512",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct weft_fabric *f = route_fabric(specs[i], -1);
		struct weft_routes routes = { .lid_offset = NULL };
		struct weft_worth w;

		ASSERT_EQ(route_by("dmodk", NULL, f, &routes, NULL), 0);
		w = worth_of(f, &routes, 64, SEED);
		EXPECT_EQ(w.part[SHIFT], 1);
		EXPECT_EQ(w.part[UNIFORM], 1);
		EXPECT_EQ(w.error[SHIFT], 0);
		EXPECT(w.part[BISECT] < 1 && w.mean < 1);
		EXPECT_EQ(w.lost, 0);
		release(f, &routes);
	}
}

/* One host that nobody has a route to, then all of them. */
TEST(test_lost)
{
	struct weft_fabric *f = route_fabric("ring:6", -1);
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_worth whole, less, none;

	ASSERT_EQ(route_by("minhop", NULL, f, &routes, NULL), 0);
	whole = worth_of(f, &routes, MAX_HOSTS, SEED);
	for (uint32_t s = 0; s < f->nsw; s++)
		weft_lft_row(&routes.lft, s)[f->ep[2].lid] = WEFT_NO_PORT;
	less = worth_of(f, &routes, MAX_HOSTS, SEED);
	for (uint32_t s = 0; s < f->nsw; s++)
		memset(weft_lft_row(&routes.lft, s), WEFT_NO_PORT,
		       f->max_lid + 1);
	none = worth_of(f, &routes, MAX_HOSTS, SEED);
	EXPECT_EQ(whole.lost, 0);
	/* bisect, uniform and shift have 5 of 30 pairs or as often */
	EXPECT(less.lost > 0 && less.lost < none.lost);
	EXPECT(near(less.part[UNIFORM], whole.part[UNIFORM] * 25 / 30) ||
	       less.part[UNIFORM] > whole.part[UNIFORM] * 25 / 30);
	for (unsigned i = 0; i < PARTS; i++) {
		EXPECT(less.part[i] < 1 && less.part[i] > 0);
		EXPECT_EQ(none.part[i], 0);
	}
	EXPECT(less.mean < whole.mean);
	EXPECT_EQ(none.mean, 0);
	release(f, &routes);
}

/* Two hosts have no fragments, three one of a single host; one has nothing. */
TEST(test_few)
{
	for (unsigned n = 2; n <= 3; n++) {
		static const unsigned cable[][2] = { { 0, 1 } };
		struct weft_fabric *f = test_fabric(
			2, (unsigned[]){ n - 1, 1 }, cable, 1, 0);
		struct weft_routes routes;
		struct weft_worth w;

		test_route(f, 0, &routes);
		w = worth_of(f, &routes, 0, SEED);
		for (unsigned i = 0; i < PARTS; i++)
			EXPECT(w.part[i] > 0.6 && w.part[i] <= 1);
		EXPECT_EQ(w.part[FRAGMENTS], 1);
		EXPECT_EQ(w.part[BISECT], 1);
		EXPECT(n > 2 || w.mean == 1);
		EXPECT_EQ(w.lost, 0);
		release(f, &routes);
	}
}

TEST(test_refused)
{
	struct suite_words words = { .line = 0 };
	struct weft_diag diag = { .emit = suite_hear, .context = &words };
	struct weft_fabric *f = test_fabric(1, (unsigned[]){ 1 }, NULL, 0, 0);
	struct weft_basket_spec spec = { .seed = SEED };
	struct weft_basket *b = NULL;
	struct weft_objective o;

	EXPECT_EQ(weft_basket_new(f, &spec, &b, &diag), -EINVAL);
	EXPECT(strstr(words.text, "fewer than two hosts"));
	weft_fabric_free(f);
	f = route_fabric("ring:4", -1);
	/* what there is no such pattern of, and what is not for four hosts */
	EXPECT_EQ(weft_objective_parse("shift:distance=x", &o, &diag), -EINVAL);
	EXPECT(strstr(words.text, "distance"));
	ASSERT_EQ(weft_objective_parse("neighbours:sides=5x5", &o, NULL), 0);
	spec.objective = &o;
	EXPECT_EQ(weft_basket_new(f, &spec, &b, &diag), -EINVAL);
	EXPECT(strstr(words.text, "5x5"));
	weft_objective_free(&o);
	EXPECT_EQ(weft_basket_new(f, &spec, &b, &diag), -EINVAL);
	EXPECT(strstr(words.text, "1 to 16 parts, not 0"));
	EXPECT(!b);
	weft_fabric_free(f);
}

/* The same tables where GUIDs, and so all ids, are other ones. */
static uint32_t switch_named(const struct weft_fabric *f, const char *name)
{
	uint32_t s = 0;

	while (strcmp(f->sw[s].name, name))
		s++;
	return s;
}

static uint32_t host_named(const struct weft_fabric *f, const char *name)
{
	uint32_t e = 0;

	while (strcmp(f->node[f->ep[e].node].name, name))
		e++;
	return e;
}

static void carry_over(const struct weft_fabric *f, const struct weft_lft *lft,
		       const struct weft_fabric *to, struct weft_routes *out)
{
	ASSERT_EQ(weft_lft_init(&out->lft, to->nsw, to->max_lid), 0);
	weft_layers_init(&out->layers);
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t host = host_named(to, f->node[f->ep[e].node].name);

		for (uint32_t s = 0; s < f->nsw; s++) {
			uint32_t sw = switch_named(to, f->sw[s].name);

			weft_lft_row(&out->lft, sw)[to->ep[host].lid] =
				weft_lft_get(lft, s, f->ep[e].lid);
		}
	}
}

static void check_shuffled(const char *spec, const char *shuffled)
{
	struct weft_fabric *f = route_fabric(spec, -1);
	struct weft_fabric *g = route_fabric(shuffled, -1);
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_routes same = { .lid_offset = NULL };
	struct weft_worth a, b;

	ASSERT_EQ(route_by("psssp", NULL, f, &routes, NULL), 0);
	carry_over(f, &routes.lft, g, &same);
	EXPECT(strcmp(f->sw[0].name, g->sw[0].name) || strcmp(f->sw[1].name,
	       g->sw[1].name));
	a = worth_of(f, &routes, 100, SEED);
	b = worth_of(g, &same, 100, SEED);
	for (unsigned i = 0; i < PARTS; i++)
		EXPECT(near(a.part[i], b.part[i]));
	EXPECT(near(a.mean, b.mean) && near(a.mean_error, b.mean_error));
	release(f, &routes);
	release(g, &same);
}

TEST(test_shuffled)
{
	check_shuffled("odin", "odin,guids=shuffle");
	check_shuffled("torus:4x4x3,hosts=2",
		       "torus:4x4x3,hosts=2,guids=shuffle,seed=3");
}

/* --- sampling ------------------------------------------------------------- */

/* Of 127 shifts 9 are taken: the mean over seeds is that of all of them, and
 * the error is as large as is said, or less, as each is of another stretch. */
TEST(test_sampled)
{
	struct weft_fabric *f = route_fabric("odin", -1);
	struct weft_routes routes = { .lid_offset = NULL };
	double exact, sum = 0, squares = 0, said = 0;
	unsigned n = 400;

	ASSERT_EQ(route_by("minhop", NULL, f, &routes, NULL), 0);
	exact = worth_by(f, &routes, "shift");
	for (unsigned seed = 0; seed < n; seed++) {
		struct weft_worth w = worth_of(f, &routes, 9, seed);

		sum += w.part[SHIFT] / n;
		squares += pow(w.part[SHIFT] - exact, 2) / n;
		said += pow(w.error[SHIFT], 2) / n;
	}
	EXPECT(exact < 1);
	EXPECT(fabs(sum - exact) < 5 * sqrt(squares / n));
	EXPECT(said > 0 && squares < 1.3 * said);
	release(f, &routes);
}

/* As many rounds as asked for, of each stretch one; the same with the same
 * seed. */
TEST(test_rounds)
{
	struct weft_fabric *f = route_fabric("odin", -1);
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_basket *b = basket_of(f, NULL, 10, SEED);
	static const uint64_t expected[PARTS][2] = {
		{ 10, 10 }, { 0, 0 }, { 10, 127 }, { 7, 7 }, { 1, 1 },
		{ 10, 5 * 63 },
	};
	struct weft_worth a, c;

	ASSERT_EQ(route_by("psssp", NULL, f, &routes, NULL), 0);
	ASSERT_EQ(weft_basket_parts(b), PARTS);
	EXPECT(weft_basket_work(b) > 38 * 64);
	for (unsigned i = 0; i < PARTS; i++) {
		uint64_t judged, all;

		weft_basket_part_rounds(b, i, &judged, &all);
		EXPECT_EQ(judged, expected[i][0]);
		EXPECT_EQ(all, expected[i][1]);
	}
	weft_basket_free(b);
	a = worth_of(f, &routes, 10, 1);
	c = worth_of(f, &routes, 10, 1);
	EXPECT(a.mean == c.mean && a.mean_error == c.mean_error);
	c = worth_of(f, &routes, 10, 2);
	EXPECT(a.mean != c.mean);
	release(f, &routes);
}

/* Tables are compared by the same rounds: better than they are measured. */
TEST(test_gain)
{
	struct weft_fabric *f = route_fabric("rack216", -1);
	struct weft_basket *b = basket_of(f, NULL, 64, SEED);
	struct weft_routes few = { .lid_offset = NULL };
	struct weft_routes many = { .lid_offset = NULL };
	struct weft_worth x, y, zero = { .mean = 0 };
	double error, apart;

	ASSERT_EQ(route_by("minhop", NULL, f, &few, NULL), 0);
	ASSERT_EQ(route_by("psssp", "passes=4", f, &many, NULL), 0);
	x = judge(b, &few);
	y = judge(b, &many);
	EXPECT_EQ(weft_worth_gain(b, &x, &x, &error), 0);
	EXPECT_EQ(error, 0);
	EXPECT(near(weft_worth_gain(b, &x, &y, &error), log(y.mean / x.mean)));
	apart = hypot(x.mean_error / x.mean, y.mean_error / y.mean);
	EXPECT(error > 0 && error < apart);
	EXPECT(y.mean > x.mean * (1 + 5 * error));
	zero.round = need(calloc(1000, sizeof(double)));
	EXPECT(isinf(weft_worth_gain(b, &zero, &x, &error)));
	EXPECT_EQ(weft_worth_gain(b, &zero, &zero, &error), 0);
	weft_worth_free(&zero);
	weft_worth_free(&x);
	weft_worth_free(&y);
	weft_basket_free(b);
	weft_routes_free(&few);
	release(f, &many);
}

/* --- objectives ----------------------------------------------------------- */

static struct weft_objective weighted(const char *const *pattern,
				      const double *weight, unsigned n)
{
	struct weft_objective o = { .nparts = n };

	for (unsigned i = 0; i < n; i++) {
		o.part[i].pattern = need(strdup(pattern[i]));
		o.part[i].weight = weight[i];
	}
	return o;
}

/* Parts weigh in proportion; each is what it is alone. */
TEST(test_weights)
{
	static const char *const pattern[] = { "shift", "tree", "uniform" };
	static const double weight[] = { 3, 0.5, 1.5 };
	struct weft_objective o = weighted(pattern, weight, 3);
	struct weft_fabric *f = route_fabric("deimos,total=60", -1);
	struct weft_basket *b = basket_of(f, &o, MAX_HOSTS, SEED);
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_worth w;
	double logs = 0;

	ASSERT_EQ(route_by("minhop", NULL, f, &routes, NULL), 0);
	w = judge(b, &routes);
	EXPECT_EQ(weft_basket_parts(b), 3);
	for (unsigned i = 0; i < 3; i++) {
		EXPECT_STR(weft_basket_part_name(b, i), pattern[i]);
		EXPECT(near(w.part[i], worth_by(f, &routes, pattern[i])));
		logs += weight[i] / 5 * log(w.part[i]);
	}
	EXPECT(near(w.mean, exp(logs)));
	weft_worth_free(&w);
	weft_basket_free(b);
	weft_objective_free(&o);
	release(f, &routes);
}

/* The basket of training jobs can be made for any number of hosts, and one
 * switch is worth 1 to it. */
TEST(test_ai)
{
	struct weft_objective o = { .nparts = 0 };

	ASSERT_EQ(weft_objective_parse("ai", &o, NULL), 0);
	EXPECT(!weft_objective_is_usual("ai"));
	EXPECT(weft_objective_is_usual("hpc"));
	for (uint32_t n = 2; n < 40; n++) {
		const unsigned hosts[] = { n };
		struct weft_fabric *f = test_fabric(1, hosts, NULL, 0, 0);
		struct weft_basket *b = basket_of(f, &o, MAX_HOSTS, SEED);
		struct weft_routes routes;
		struct weft_worth w;

		test_route(f, 0, &routes);
		w = judge(b, &routes);
		suite_case("%u hosts", n);
		EXPECT_EQ(weft_basket_parts(b), 6);
		EXPECT_STR(weft_basket_part_name(b, 3), "experts");
		for (unsigned i = 0; i < 6; i++)
			EXPECT(near(w.part[i], 1));
		weft_worth_free(&w);
		weft_basket_free(b);
		release(f, &routes);
	}
	weft_objective_free(&o);
}

/* Training jobs keep to their rails, whose spines are theirs alone; what knows
 * of no rails crowds what joins them. */
TEST(test_ai_on_rails)
{
	struct weft_objective o = { .nparts = 0 };
	struct weft_fabric *f = route_fabric(
		"rails:gpus=4,hosts=16,radix=8,between=core", -1);
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_basket *b;
	struct weft_worth w;

	ASSERT_EQ(weft_objective_parse("ai", &o, NULL), 0);
	ASSERT_EQ(route_by("minhop", NULL, f, &routes, NULL), 0);
	b = basket_of(f, &o, MAX_HOSTS, SEED);
	w = judge(b, &routes);
	EXPECT_EQ(w.lost, 0);
	EXPECT_EQ(w.part[0], 1);
	for (unsigned i = 0; i < weft_basket_parts(b); i++)
		EXPECT(w.part[i] > 0.5);
	EXPECT_EQ(worth_by(f, &routes, "reduce-scatter"), 1);
	EXPECT(worth_by(f, &routes, "alltoall:via=nearest") >
	       worth_by(f, &routes, "alltoall:via=any"));
	weft_worth_free(&w);
	weft_basket_free(b);
	weft_objective_free(&o);
	release(f, &routes);
}

/* The pairs of a shift by 1 of n ranks, a round for each. */
static struct weft_objective listed_pairs(uint32_t n)
{
	struct weft_objective o = { .pairs_weight = 1 };

	o.pairs = (struct weft_pair_list){ .nrounds = n, .nranks = n };
	o.pairs.first = need(calloc(n + 1, sizeof(*o.pairs.first)));
	o.pairs.pair = need(calloc(n, sizeof(*o.pairs.pair)));
	for (uint32_t i = 0; i < n; i++) {
		o.pairs.first[i + 1] = i + 1;
		o.pairs.pair[i] = (struct weft_pair){ i, (i + 1) % n };
	}
	return o;
}

TEST(test_pairs)
{
	struct weft_rng *rng = need(weft_rng_new(SEED + 2));
	struct trial t = make_trial(rng, 0);
	struct weft_objective o = listed_pairs(t.n);
	struct weft_basket *b;
	struct weft_worth w;
	uint64_t judged, all;

	/* alone in its round nobody is disturbed */
	b = basket_of(t.f, &o, 0, SEED);
	w = judge(b, &t.routes);
	EXPECT_EQ(weft_basket_parts(b), 1);
	EXPECT_STR(weft_basket_part_name(b, 0), "pairs");
	weft_basket_part_rounds(b, 0, &judged, &all);
	EXPECT(judged == t.n && all == t.n);
	EXPECT(w.mean == 1 && !w.lost);
	weft_worth_free(&w);
	weft_basket_free(b);
	/* all in one; the objective is as it was */
	o.pairs.first[1] = t.n;
	o.pairs.nrounds = 1;
	b = basket_of(t.f, &o, 0, SEED);
	w = judge(b, &t.routes);
	EXPECT(near(w.mean, worth_by(t.f, &t.routes, "shift:distance=1")));
	EXPECT_EQ(w.lost, 0);
	weft_worth_free(&w);
	weft_basket_free(b);
	weft_objective_free(&o);
	release(t.f, &t.routes);
	weft_rng_free(rng);
}

/* Ranks that no host is left for are left aside, with a warning, unless nobody
 * else is there. */
TEST(test_pairs_gone)
{
	struct suite_words words = { .line = 0 };
	struct weft_diag diag = { .emit = suite_hear, .context = &words };
	struct weft_objective o = listed_pairs(6);
	struct weft_basket_spec spec = { .objective = &o };
	struct weft_fabric *f = route_fabric("ring:4", -1);
	struct weft_basket *b = NULL;
	uint64_t judged, all;

	ASSERT_EQ(weft_basket_new(f, &spec, &b, &diag), 0);
	EXPECT_EQ(words.severity, WEFT_WARNING);
	EXPECT(strstr(words.text, "3 of the 6 pairs"));
	weft_basket_part_rounds(b, 0, &judged, &all);
	EXPECT(judged == 3 && all == 3);
	weft_basket_free(b);
	o.pairs.pair[0] = o.pairs.pair[4];
	o.pairs.nrounds = 1;
	EXPECT_EQ(weft_basket_new(f, &spec, &b, &diag), -EINVAL);
	EXPECT(strstr(words.text, "no pair of ranks below 4"));
	weft_objective_free(&o);
	weft_fabric_free(f);
}

/* A host's streams share its link, whatever pattern they come from. */
TEST(test_crowded)
{
	static const char *const patterns[] = {
		"scatter", "gather", "scatter+gather", "shift@0.5+scatter",
		"neighbours:dimensions=1", "ring:both", "pipeline",
		"double-tree", "incast", "pipeline:stages=3,both",
	};
	struct weft_rng *rng = need(weft_rng_new(SEED + 3));

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		struct trial t = make_trial(rng, 0);
		double got = worth_by(t.f, &t.routes, patterns[i]);

		EXPECT(near(got, naive(&t, patterns[i], NULL, t.n)));
		EXPECT(got <= 1);
		release(t.f, &t.routes);
	}
	weft_rng_free(rng);
}
