// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The congestion model against brute force: every bisection of a tiny fabric
 * is enumerated, and random tables are walked route by route.
 */
#include "worth/model/paths.h"
#include "../model_util.h"
#include "../suite.h"

#include <errno.h>
#include <math.h>

#define SEED 20090826u

static struct weft_ebb ebb(const struct weft_fabric *f,
			   const struct weft_routes *routes,
			   uint64_t patterns, unsigned threads)
{
	struct weft_ebb_spec spec = {
		.patterns = patterns, .seed = SEED, .threads = threads,
	};
	struct weft_ebb out = { 0 };

	ASSERT_EQ(weft_ebb_run(f, routes, &spec, &out, NULL), 0);
	return out;
}

/* A triangle, a square with a chord, a star with two parallel cables, a chain
 * with an odd number of hosts. */
static const struct {
	unsigned nsw, hosts[4], ncables, cable[6][2];
} tiny[] = {
	{ 3, { 2, 2, 2 }, 3, { { 0, 1 }, { 1, 2 }, { 2, 0 } } },
	{ 4, { 2, 1, 2, 1 }, 5,
	  { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 }, { 0, 2 } } },
	{ 4, { 0, 3, 3, 2 }, 4, { { 0, 1 }, { 0, 2 }, { 0, 2 }, { 0, 3 } } },
	{ 3, { 3, 1, 3 }, 2, { { 0, 1 }, { 1, 2 } } },
};
#define NTINY (sizeof(tiny) / sizeof(tiny[0]))

static struct weft_fabric *tiny_fabric(unsigned i, unsigned lmc)
{
	return test_fabric(tiny[i].nsw, tiny[i].hosts, tiny[i].cable,
			   tiny[i].ncables, lmc);
}

static void release(struct weft_fabric *f, struct weft_routes *routes)
{
	weft_routes_free(routes);
	weft_fabric_free(f);
}

/* The sampler's mean lies within 5 standard errors of the expectation (a miss
 * by chance: once in 1.7 million), and its own interval is that narrow. */
TEST(test_expectation)
{
	for (unsigned i = 0; i < NTINY; i++) {
		struct weft_fabric *f = tiny_fabric(i, 0);

		for (unsigned salt = 0; salt < 2; salt++) {
			struct weft_routes routes;
			struct test_exact exact;
			struct weft_ebb e;
			double error;

			test_route(f, salt, &routes);
			exact = test_exact_ebb(f, &routes);
			e = ebb(f, &routes, 20000, 0);
			error = exact.stddev / sqrt(e.patterns);
			EXPECT(exact.mean < 1);
			EXPECT(fabs(e.mean - exact.mean) < 5 * error);
			EXPECT(fabs(e.stddev / exact.stddev - 1) < 0.05);
			EXPECT(fabs(e.ci99 / error / 2.576 - 1) < 0.05);
			EXPECT_EQ(e.lost, 0);
			weft_routes_free(&routes);
		}
		weft_fabric_free(f);
	}
}

/* A hole for one host: streams to it count 0, and load nothing. */
TEST(test_lost)
{
	struct weft_fabric *f = tiny_fabric(0, 0);
	struct weft_routes routes;
	struct weft_ebb e;
	struct test_exact exact;
	double expected;

	test_route(f, 0, &routes);
	weft_lft_row(&routes.lft, f->ep[0].sw)[f->ep[0].lid] = WEFT_NO_PORT;
	exact = test_exact_ebb(f, &routes);
	e = ebb(f, &routes, 20000, 0);
	EXPECT(fabs(e.mean - exact.mean) < 5 * exact.stddev / sqrt(e.patterns));
	EXPECT_EQ(e.lost, e.congestion[0]);
	/* it receives in half of the patterns */
	expected = 20000 / 2.0;
	EXPECT(fabs(e.lost - expected) < 5 * sqrt(expected / 2));
	release(f, &routes);
}

TEST(test_one_switch)
{
	struct weft_fabric *f = test_fabric(1, (unsigned[]){ 7 }, NULL, 0, 0);
	struct weft_routes routes;
	struct weft_ebb e;

	test_route(f, 0, &routes);
	e = ebb(f, &routes, 100, 0);
	EXPECT_EQ(e.mean, 1);
	EXPECT_EQ(e.stddev, 0);
	EXPECT_EQ(e.min, 1);
	EXPECT_EQ(e.max, 1);
	EXPECT_EQ(e.hosts, 7);
	EXPECT_EQ(e.streams, 300);
	EXPECT_EQ(e.congestion[1], 300);
	EXPECT_EQ(e.bandwidth[WEFT_EBB_BINS - 1], 100);
	release(f, &routes);
}

/* A chain of 12 switches with n hosts each. */
static struct weft_fabric *chain_fabric(unsigned n)
{
	unsigned hosts[12], cable[11][2];

	for (unsigned i = 0; i < 12; i++)
		hosts[i] = n;
	for (unsigned i = 0; i < 11; i++) {
		cable[i][0] = i;
		cable[i][1] = i + 1;
	}
	return test_fabric(12, hosts, cable, 11, 0);
}

/* About 300 of the 1,200 streams cross the middle of a chain either way, more
 * than there are bins. */
TEST(test_many_streams)
{
	struct weft_fabric *f = chain_fabric(200);
	struct weft_routes routes;
	struct weft_ebb e;
	uint64_t sum = 0;

	test_route(f, 0, &routes);
	e = ebb(f, &routes, 20, 0);
	for (unsigned c = 0; c <= WEFT_MAX_CONGESTION; c++)
		sum += e.congestion[c];
	EXPECT_EQ(e.streams, 20 * 1200);
	EXPECT_EQ(sum, e.streams);
	EXPECT_EQ(e.lost, 0);
	/* half of the streams cross the middle (deviation: 100) */
	EXPECT(e.congestion[WEFT_MAX_CONGESTION] > 20 * 600 - 500);
	/* one in twelve stays within its switch (deviation: 43) */
	EXPECT(fabs(e.congestion[1] - 20 * 100.0) < 250);
	release(f, &routes);
}

TEST(test_threads)
{
	struct weft_fabric *f = tiny_fabric(2, 0);
	struct weft_routes routes;
	struct weft_ebb one;

	test_route(f, 0, &routes);
	one = ebb(f, &routes, 1000, 1);
	for (unsigned threads = 2; threads <= 5; threads++) {
		struct weft_ebb many = ebb(f, &routes, 1000, threads);

		EXPECT_EQ(one.mean, many.mean);
		EXPECT_EQ(one.stddev, many.stddev);
		EXPECT_EQ(one.ci99, many.ci99);
		EXPECT_EQ(one.min, many.min);
		EXPECT_EQ(one.max, many.max);
		EXPECT(!memcmp(one.congestion, many.congestion,
		       sizeof(one.congestion)));
		EXPECT(!memcmp(one.bandwidth, many.bandwidth,
		       sizeof(one.bandwidth)));
	}
	release(f, &routes);
}

/* No two of the first patterns are the same. */
TEST(test_distinct)
{
	struct weft_fabric *f = chain_fabric(20);
	struct weft_routes routes;
	double last = 0, mean = 0;

	test_route(f, 0, &routes);
	for (unsigned n = 1; n <= 10; n++) {
		double before = mean, share;

		mean = ebb(f, &routes, n, 1).mean;
		share = n * mean - (n - 1) * before;
		EXPECT(fabs(share - last) > 1e-9);
		last = share;
	}
	release(f, &routes);
}

/* Pattern i is the same whatever comes before or after it. */
TEST(test_prefix)
{
	struct weft_fabric *f = tiny_fabric(1, 0);
	struct weft_routes routes;
	struct weft_ebb a, b;

	test_route(f, 0, &routes);
	a = ebb(f, &routes, 299, 1);
	b = ebb(f, &routes, 300, 2);
	for (unsigned i = 0, more = 0; i < WEFT_EBB_BINS; i++) {
		more += b.bandwidth[i] - a.bandwidth[i];
		EXPECT(b.bandwidth[i] >= a.bandwidth[i] && more <= 1);
	}
	EXPECT(b.min <= a.min && b.max >= a.max);
	a = ebb(f, &routes, 1, 1);
	EXPECT_EQ(a.ci99, 1);
	EXPECT_EQ(a.min, a.max);
	release(f, &routes);
}

/* With an LMC it is the base LID's route that counts. */
TEST(test_base_lid)
{
	struct weft_fabric *plain = tiny_fabric(0, 0);
	struct weft_fabric *f = tiny_fabric(0, 2);
	struct weft_routes routes, multi;
	struct weft_ebb a, b;

	test_route(plain, 0, &routes);
	test_route(f, 0, &multi);
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint8_t *row = weft_lft_row(&multi.lft, s);

		for (unsigned lid = 4; lid <= f->max_lid; lid++)
			row[lid] = lid % 4 ? WEFT_NO_PORT :
				weft_lft_get(&routes.lft, s, lid / 4);
	}
	a = ebb(plain, &routes, 500, 1);
	b = ebb(f, &multi, 500, 1);
	EXPECT_EQ(a.mean, b.mean);
	EXPECT_EQ(b.lost, 0);
	release(plain, &routes);
	release(f, &multi);
}

static int paths_of_all(const struct weft_fabric *f,
			const struct weft_lft *lft, struct weft__paths *p)
{
	uint32_t all[64];

	ASSERT(f->nep <= 64);
	for (uint32_t e = 0; e < f->nep; e++)
		all[e] = e;
	return weft__paths_init(p, f, lft, WEFT__ROWS_BASE, all, f->nep);
}

/* Random bytes in the tables: a row says "reachable" and leads there exactly if
 * the route, walked by itself, arrives. */
static void check_rows(const struct weft_fabric *f, const struct weft_lft *lft)
{
	struct weft__paths p;
	uint32_t ch[64], longest = 0;

	ASSERT_EQ(paths_of_all(f, lft, &p), 0);
	EXPECT_EQ(p.nhosts, f->nhosts);
	for (uint32_t i = 0; i < f->nep * f->nep; i++) {
		const struct weft_endport *to = &f->ep[i % f->nep];
		const uint8_t *row = weft__paths_row(&p, i % f->nep, 0);
		uint32_t sw = f->ep[i / f->nep].sw;
		size_t n;
		bool arrives = weft_lft_walk(f, lft, sw, to->lid,
					     (struct weft_walk_path){ ch, 64 },
					     &n) == WEFT_ARRIVED;

		EXPECT_EQ(weft__paths_reach(row, sw), arrives);
		if (!arrives)
			continue;
		for (size_t k = 0; k + 1 < n; k++) {
			EXPECT_EQ(weft_channel(f, sw, row[sw]), ch[k]);
			sw = f->peer[ch[k]];
		}
		EXPECT_EQ(sw, p.sw[i % f->nep]);
		if (n - 1 > longest)
			longest = n - 1;
	}
	EXPECT_EQ(p.max_hops, longest);
	weft__paths_free(&p);
}

TEST(test_random_tables)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 100 * NTINY; i++) {
		struct weft_fabric *f = tiny_fabric(i % NTINY, 0);
		struct weft_routes routes;

		test_route(f, i, &routes);
		for (unsigned k = weft_rng_below(rng, 12); k; k--) {
			uint32_t sw = weft_rng_below(rng, f->nsw);
			uint32_t lid = 1 + weft_rng_below(rng, f->max_lid);
			uint8_t port = weft_rng_below(rng, 4) ?
				weft_rng_below(rng, 9) :
				weft_rng_below(rng, 256);

			weft_lft_row(&routes.lft, sw)[lid] = port;
		}
		check_rows(f, &routes.lft);
		release(f, &routes);
	}
	weft_rng_free(rng);
}

/* Tables that know fewer LIDs than the fabric has. */
TEST(test_short_tables)
{
	struct weft_fabric *f = tiny_fabric(0, 0);
	struct weft_lft lft;

	ASSERT_EQ(weft_lft_init(&lft, f->nsw, 2), 0);
	check_rows(f, &lft);
	weft_lft_free(&lft);
	weft_fabric_free(f);
}

/* An aggregation node is a host only when all of them are. */
TEST(test_kinds)
{
	struct weft_fabric *f = tiny_fabric(0, 0);
	struct weft_routes routes;
	struct weft_ebb_spec spec = { .patterns = 10 };
	struct weft_ebb e;

	((struct weft_endport *)f->ep)[1].kind = WEFT_AGGREGATION;
	((struct weft_endport *)f->ep)[4].kind = WEFT_ROUTER;
	test_route(f, 0, &routes);
	EXPECT_EQ(weft_ebb_run(f, &routes, &spec, &e, NULL), 0);
	EXPECT_EQ(e.hosts, 4);
	EXPECT_EQ(e.streams, 20);
	spec.all_hosts = true;
	EXPECT_EQ(weft_ebb_run(f, &routes, &spec, &e, NULL), 0);
	EXPECT_EQ(e.hosts, 6);
	EXPECT_EQ(e.streams, 30);
	release(f, &routes);
}

static void count_calls(void *context, uint64_t done, uint64_t total)
{
	uint64_t *last = context;

	EXPECT(done > *last && done <= total);
	*last = done;
}

TEST(test_progress)
{
	struct weft_fabric *f = tiny_fabric(0, 0);
	struct weft_routes routes;
	uint64_t last = 0;
	struct weft_ebb_spec spec = {
		.patterns = 1000, .threads = 2,
		.progress = count_calls, .progress_context = &last,
	};
	struct weft_ebb e;

	test_route(f, 0, &routes);
	EXPECT_EQ(weft_ebb_run(f, &routes, &spec, &e, NULL), 0);
	EXPECT_EQ(last, 1000);
	release(f, &routes);
}

TEST(test_refusals)
{
	struct weft_fabric *f = test_fabric(1, (unsigned[]){ 1 }, NULL, 0, 0);
	struct weft_routes routes;
	struct weft_diag diag = { 0 };
	struct weft_ebb_spec spec = { .patterns = 1 };
	struct weft_ebb e = { .hosts = 77 };

	test_route(f, 0, &routes);
	EXPECT_EQ(weft_ebb_run(f, &routes, &spec, &e, &diag), -EINVAL);
	EXPECT_EQ(diag.count[WEFT_ERROR], 1);
	spec.patterns = 0;
	EXPECT_EQ(weft_ebb_run(f, &routes, &spec, &e, &diag), -EINVAL);
	EXPECT_EQ(diag.count[WEFT_ERROR], 2);
	EXPECT_EQ(e.hosts, 77);
	release(f, &routes);
}
