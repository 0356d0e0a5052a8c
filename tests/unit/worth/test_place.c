// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Orders of ranks: the best one of all where these are few, and known
 * ones. */
#include "../route.h"

#include <weft/jobs.h>
#include <weft/place.h>

#include <errno.h>
#include <stdlib.h>

struct fixture {
	struct weft_fabric *f;
	struct weft_routes routes;
	struct weft_beside beside;
};

static void begin(struct fixture *x, const char *fabric, const char *engine,
		  const char *option)
{
	*x = (struct fixture){ .f = route_fabric(fabric, -1) };
	ASSERT_EQ(route_by(engine, option, x->f, &x->routes, NULL), 0);
}

static void end(struct fixture *x)
{
	weft_beside_free(&x->beside);
	weft_routes_free(&x->routes);
	weft_fabric_free(x->f);
}

static struct weft_traffic *traffic_of(const char *pattern, uint32_t nranks)
{
	struct weft_traffic *t;

	ASSERT_EQ(weft_traffic_new(pattern, nranks, &t, NULL), 0);
	return t;
}

/* The lower bound of an order, by the model, and the mean of others' streams. */
static double lower_beside(const struct fixture *x,
			   const struct weft_traffic *t,
			   const uint32_t *endport, uint32_t n,
			   const struct weft_beside *beside, double *others)
{
	struct weft_mapping mapping = {
		.nslots = n, .nranks = n, .endport = (uint32_t *)endport,
	};
	struct weft_model m;
	double found;

	ASSERT_EQ(weft_model_run(x->f, &x->routes, &(struct weft_model_spec){
		.traffic = t, .mapping = &mapping, .beside = beside,
		.endpoints = true, .samples = 1, .threads = 1,
	}, &m, NULL), 0);
	found = m.measure[WEFT_LOWER].mean;
	EXPECT(m.exact);
	*others = m.beside;
	weft_model_free(&m);
	return found;
}

static double lower(const struct fixture *x, const struct weft_traffic *t,
		    const uint32_t *endport, uint32_t n)
{
	double others;

	return lower_beside(x, t, endport, n, x->beside.endport ?
			    &x->beside : NULL, &others);
}

/* Has jobs run beside. */
static void run_jobs(struct fixture *x, const char *const *hosts, uint32_t n,
		     const char *pattern)
{
	struct weft_job_list list = { .n = 0 };
	struct weft_jobs jobs;

	for (uint32_t i = 0; i < n; i++)
		ASSERT_EQ(weft_job_list_add(&list, "other", hosts[i], 0), 0);
	ASSERT_EQ(weft_jobs_find(&list, x->f, &jobs, NULL), 0);
	ASSERT_EQ(weft_jobs_beside(x->f, &jobs, pattern, 0, 1, &x->beside,
				   NULL), 0);
	weft_jobs_free(&jobs);
	weft_job_list_free(&list);
}

static void try_all(const struct fixture *x, const struct weft_traffic *t,
		    uint32_t *endport, uint32_t n, uint32_t places,
		    uint32_t at, double *best)
{
	if (at == n) {
		double here = lower(x, t, endport, n);

		*best = here > *best ? here : *best;
		return;
	}
	for (uint32_t i = at; i < places; i++) {
		uint32_t kept = endport[at];

		endport[at] = endport[i];
		endport[i] = kept;
		try_all(x, t, endport, n, places, at + 1, best);
		endport[i] = endport[at];
		endport[at] = kept;
	}
}

TEST(test_brute_force)
{
	static const struct {
		const char *fabric, *engine, *option, *pattern;
		uint32_t n, places, host[7];
	} cases[] = {
		{ "pgft:2;4,4;1,2;1,1", "random", "seed=3", "shift", 5, 5,
		  { 0, 5, 10, 15, 3 } },
		{ "pgft:2;4,4;1,2;1,1", "minhop", NULL, "pairwise", 5, 5,
		  { 13, 1, 9, 5, 2 } },
		{ "pgft:2;4,4;1,1;1,1", "minhop", NULL, "ring", 7, 7,
		  { 0, 4, 8, 1, 5, 9, 2 } },
		{ "pgft:2;4,4;1,1;1,1", "minhop", NULL, "ring:both", 4, 6,
		  { 0, 4, 8, 1, 5, 9 } },
		{ "ring:8,hosts=2", "minhop", NULL, "recursive-doubling", 4, 6,
		  { 0, 5, 9, 3, 12, 15 } },
		{ "torus:3x3,hosts=1", "random", "seed=9", "stencil", 6, 6,
		  { 0, 8, 1, 7, 2, 6 } },
		{ "torus:3x3,hosts=1", "random", "seed=9", "ring", 3, 7,
		  { 0, 8, 1, 7, 2, 6, 4 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t n = cases[i].n, places = cases[i].places, host[7];
		struct weft_placement found;
		struct weft_traffic *t;
		struct fixture x;
		double best = 0, given;

		suite_case("%s on %s", cases[i].pattern, cases[i].fabric);
		begin(&x, cases[i].fabric, cases[i].engine, cases[i].option);
		t = traffic_of(cases[i].pattern, n);
		memcpy(host, cases[i].host, sizeof(host));
		given = lower(&x, t, host, n);
		try_all(&x, t, host, n, places, 0, &best);
		ASSERT_EQ(weft_place_run(x.f, &x.routes,
			  &(struct weft_place_spec){
				.traffic = t, .endport = cases[i].host,
				.nplaces = places, .width = 1,
			  }, &found, NULL), 0);
		EXPECT(found.exact);
		EXPECT_EQ(found.n, n);
		EXPECT_NEAR(found.given.lower, given, 0);
		EXPECT_NEAR(found.found.lower, best, 1e-12);
		for (uint32_t k = 0; k < n; k++)
			host[k] = cases[i].host[found.place[k]];
		EXPECT_NEAR(lower(&x, t, host, n), best, 1e-12);
		weft_placement_free(&found);
		weft_traffic_free(t);
		end(&x);
	}
}

/* Others' streams have their part of channels. */
TEST(test_model_beside)
{
	static const char *const jobs[] = { "host-[0001,0005]", "host-0009" };
	static const uint32_t host[] = { 0, 4 };
	struct weft_traffic *t = traffic_of("ring", 2);
	struct fixture x;
	double others;

	begin(&x, "pgft:2;4,4;1,1;1,1", "minhop", NULL);
	run_jobs(&x, jobs, 2, "shift");
	/* all of its rounds are alike */
	EXPECT_EQ(x.beside.pairs.nrounds, 1);
	EXPECT_EQ(x.beside.pairs.nranks, 3);
	EXPECT_NEAR(lower_beside(&x, t, host, 2, NULL, &others), 1, 0);
	EXPECT_NEAR(others, 1, 0);
	EXPECT_NEAR(lower_beside(&x, t, host, 2, &x.beside, &others), .5, 0);
	EXPECT_NEAR(others, .5, 0);
	weft_traffic_free(t);
	end(&x);
}

/* The best of all orders and hosts beside others' traffic. */
TEST(test_brute_beside)
{
	static const struct {
		const char *fabric, *engine, *pattern, *others;
		const char *job[2];
		uint32_t n, places, host[7];
	} cases[] = {
		{ "pgft:2;4,4;1,2;1,1", "random", "ring", "ring",
		  { "host-[0000,0004,0008]", "host-[0001,0013]" }, 4, 6,
		  { 2, 5, 6, 9, 10, 14 } },
		{ "pgft:2;4,4;1,2;1,1", "random", "shift", "alltoall",
		  { "host-[0000,0004,0008,0012]", "host-[0001,0005,0009]" },
		  4, 6, { 2, 6, 10, 14, 3, 7 } },
		{ "torus:3x3,hosts=2", "minhop", "stencil", "permutation",
		  { "host-[0000-0007]", "host-[0010-0013]" }, 6, 6,
		  { 8, 9, 14, 15, 16, 17 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t n = cases[i].n, places = cases[i].places, host[7];
		struct weft_traffic *t = traffic_of(cases[i].pattern, n);
		struct weft_placement found;
		struct fixture x;
		double best = 0, others;

		suite_case("%s beside %s", cases[i].pattern, cases[i].others);
		begin(&x, cases[i].fabric, cases[i].engine, NULL);
		run_jobs(&x, cases[i].job, 2, cases[i].others);
		memcpy(host, cases[i].host, sizeof(host));
		try_all(&x, t, host, n, places, 0, &best);
		ASSERT_EQ(weft_place_run(x.f, &x.routes,
			  &(struct weft_place_spec){
				.traffic = t, .endport = cases[i].host,
				.nplaces = places, .width = 1,
				.beside = &x.beside,
			  }, &found, NULL), 0);
		EXPECT(found.exact);
		EXPECT_NEAR(found.found.lower, best, 1e-12);
		for (uint32_t k = 0; k < n; k++)
			host[k] = cases[i].host[found.place[k]];
		EXPECT_NEAR(lower_beside(&x, t, host, n, &x.beside, &others),
			    best, 1e-12);
		EXPECT_NEAR(found.found.beside, others, 1e-12);
		EXPECT(best <= 1 && best > 0);
		weft_placement_free(&found);
		weft_traffic_free(t);
		end(&x);
	}
}

/* Hosts in an order that is as bad as can be: those of all leaves in turn. */
static uint32_t *in_turn(uint32_t leaves, uint32_t hosts)
{
	uint32_t *host = malloc(leaves * hosts * sizeof(*host));

	for (uint32_t i = 0; i < leaves * hosts; i++)
		host[i] = i % leaves * hosts + i / leaves;
	return host;
}

static void place_ring(const struct fixture *x, uint32_t n, uint32_t places,
		       const uint32_t *host, struct weft_place_spec spec,
		       struct weft_placement *out)
{
	struct weft_traffic *t = traffic_of("ring", n);

	spec.traffic = t;
	spec.endport = host;
	spec.nplaces = places;
	spec.width = spec.width ? spec.width : 1;
	ASSERT_EQ(weft_place_run(x->f, &x->routes, &spec, out, NULL), 0);
	weft_traffic_free(t);
}

/* A ring through leaves with one cable upward each needs that cable once. */
TEST(test_ring)
{
	uint32_t *host = in_turn(8, 8);
	struct weft_placement found;
	struct fixture x;

	begin(&x, "pgft:2;8,8;1,1;1,1", "minhop", NULL);
	place_ring(&x, 64, 64, host, (struct weft_place_spec){ .seed = 1 },
		   &found);
	EXPECT(!found.exact);
	EXPECT_NEAR(found.given.lower, 1. / 8, 0);
	EXPECT_NEAR(found.found.lower, 1, 0);
	EXPECT_EQ(found.found.leaves, 8);
	weft_placement_free(&found);
	/* with a choice, one leaf has room for all */
	place_ring(&x, 8, 64, host, (struct weft_place_spec){ .seed = 1 },
		   &found);
	EXPECT_EQ(found.given.leaves, 8);
	EXPECT_NEAR(found.found.lower, 1, 0);
	weft_placement_free(&found);
	free(host);
	end(&x);
}

/* The same order with any number of threads, another seed's with another. */
TEST(test_threads)
{
	uint32_t *host = in_turn(16, 3);
	struct weft_placement a, b;
	struct fixture x;

	begin(&x, "torus:4x4,hosts=3", "minhop", NULL);
	place_ring(&x, 48, 48, host, (struct weft_place_spec){
		   .seed = 5, .threads = 1, .moves = 4000 }, &a);
	place_ring(&x, 48, 48, host, (struct weft_place_spec){
		   .seed = 5, .threads = 3, .moves = 4000 }, &b);
	EXPECT_EQ(a.moves, b.moves);
	EXPECT(a.moves <= 4000);
	EXPECT(!memcmp(a.place, b.place, 48 * sizeof(*a.place)));
	EXPECT(a.found.lower > a.given.lower);
	weft_placement_free(&a);
	weft_placement_free(&b);
	free(host);
	end(&x);
}

/* What is best already stays as it is. */
TEST(test_never_worse)
{
	uint32_t host[16];
	struct weft_placement found;
	struct fixture x;

	for (uint32_t i = 0; i < 16; i++)
		host[i] = i;
	begin(&x, "pgft:2;4,4;1,4;1,1", "dmodk", NULL);
	place_ring(&x, 16, 16, host, (struct weft_place_spec){ .moves = 1000 },
		   &found);
	EXPECT_NEAR(found.found.lower, 1, 0);
	for (uint32_t i = 0; i < 16; i++)
		EXPECT_EQ(found.place[i], i);
	weft_placement_free(&found);
	end(&x);
}

/* Hosts of two adapters move as a whole: of each, both ranks. */
TEST(test_width)
{
	/* places of two: on leaf 0 and 1, then on 2 and 3, ... */
	static const uint32_t endport[] = { 0, 4, 8, 12, 1, 5, 9, 13 };
	struct weft_traffic *t = traffic_of("ring", 8);
	struct weft_placement found;
	struct fixture x;

	begin(&x, "pgft:2;4,4;1,1;1,1", "minhop", NULL);
	ASSERT_EQ(weft_place_run(x.f, &x.routes, &(struct weft_place_spec){
		.traffic = t, .endport = endport, .nplaces = 4, .width = 2,
	}, &found, NULL), 0);
	EXPECT_EQ(found.n, 4);
	EXPECT(found.exact);
	EXPECT(found.found.lower >= found.given.lower);
	weft_placement_free(&found);
	weft_traffic_free(t);
	end(&x);
}

TEST(test_refused)
{
	static const uint32_t endport[] = { 0, 1, 2, 3, 4, 5 };
	static const struct {
		const char *pattern, *words;
		uint32_t ranks, places, width;
	} cases[] = {
		{ "ring", "3 ranks cannot be placed on hosts of 2", 3, 3, 2 },
		{ "ring", "4 hosts are wanted, and there are 3", 4, 3, 1 },
		{ "permutation", "no order of these hosts", 4, 4, 1 },
	};
	struct fixture x;

	begin(&x, "ring:4,hosts=2", "minhop", NULL);
	for (size_t i = 0; i < 3; i++) {
		struct suite_words words = { .severity = 0 };
		struct weft_diag d = { .emit = suite_hear, .context = &words };
		struct weft_traffic *t = traffic_of(cases[i].pattern,
						    cases[i].ranks);
		struct weft_placement out = { .n = 7 };

		suite_case("%s", cases[i].words);
		EXPECT_EQ(weft_place_run(x.f, &x.routes,
			  &(struct weft_place_spec){
				.traffic = t, .endport = endport,
				.nplaces = cases[i].places,
				.width = cases[i].width,
			  }, &out, &d), -EINVAL);
		EXPECT(strstr(words.text, cases[i].words));
		EXPECT_EQ(out.n, 7);
		weft_traffic_free(t);
	}
	end(&x);
}
