// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What jobs get beside each other, on two leaves with a cable between them:
 *
 *	0 1 2 3 - leaf - spine - leaf - 4 5 6 7
 */
#include "../route.h"

#include <errno.h>
#include <stdlib.h>

struct fixture {
	struct weft_fabric *f;
	struct weft_routes routes;
	struct weft_jobs jobs;
};

static void add_job(struct fixture *x, const char *name, uint32_t n,
		    const uint32_t *host)
{
	struct weft_jobs *j = &x->jobs;

	j->job = realloc(j->job, (j->n + 1) * sizeof(*j->job));
	j->job[j->n] = (struct weft_job){
		.name = strdup(name), .n = n, .nranks = n,
		.machine = malloc(n * sizeof(uint32_t)),
		.endport = malloc(n * sizeof(uint32_t)),
	};
	for (uint32_t i = 0; i < n; i++)
		j->job[j->n].machine[i] = x->f->ep[host[i]].machine;
	memcpy(j->job[j->n++].endport, host, n * sizeof(*host));
}

#define JOB(x, name, ...) \
	add_job(x, name, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, \
		(uint32_t[]){ __VA_ARGS__ })

static void begin(struct fixture *x, const char *fabric)
{
	*x = (struct fixture){ .f = route_fabric(fabric, -1) };
	ASSERT_EQ(route_by("minhop", NULL, x->f, &x->routes, NULL), 0);
}

static void end(struct fixture *x)
{
	weft_jobs_free(&x->jobs);
	weft_routes_free(&x->routes);
	weft_fabric_free(x->f);
}

static int run(const struct fixture *x, const char *pattern, unsigned threads,
	       struct weft_jobs_shares *out, struct weft_diag *diag)
{
	const struct weft_jobs_spec spec = {
		.jobs = &x->jobs, .pattern = &pattern, .npatterns = 1, .seed = 3,
		.threads = threads,
	};

	return weft_jobs_run(x->f, &x->routes, &spec, out, diag);
}

/* Both have one stream each way over the only cable. */
TEST(test_two)
{
	struct weft_jobs_shares s;
	struct fixture x;

	begin(&x, "pgft:2;4,2;1,1;1,1");
	JOB(&x, "a", 0, 4);
	JOB(&x, "b", 5, 1);
	JOB(&x, "near", 2, 3);
	JOB(&x, "lonely", 6);
	ASSERT_EQ(run(&x, "ring", 1, &s, NULL), 0);
	ASSERT_EQ(s.n, 4);
	for (unsigned j = 0; j < 2; j++) {
		const struct weft_job_share *job = &s.job[j];

		suite_case("job %u", j);
		EXPECT_EQ(job->leaves, 2);
		EXPECT_NEAR(job->alone, 1, 0);
		EXPECT_NEAR(job->together, .5, 0);
		EXPECT_NEAR(job->alone_lower, 1, 0);
		EXPECT_NEAR(job->together_lower, .5, 0);
		EXPECT_EQ(job->neighbour, 1 - j);
		EXPECT_NEAR(job->without, 1, 0);
		EXPECT(job->channel != WEFT_NONE);
		EXPECT_NEAR(job->streams, 1, 0);
		EXPECT_NEAR(job->other_streams, 1, 0);
	}
	for (unsigned j = 2; j < 4; j++) {
		suite_case("job %u", j);
		EXPECT_EQ(s.job[j].leaves, 1);
		EXPECT_NEAR(s.job[j].together, 1, 0);
		EXPECT_EQ(s.job[j].neighbour, WEFT_NONE);
		EXPECT_EQ(s.job[j].channel, WEFT_NONE);
	}
	EXPECT_NEAR(s.alone, 1, 0);
	EXPECT_NEAR(s.together, 4. / 6, 1e-15);
	EXPECT_EQ(s.lost, 0);
	weft_jobs_shares_free(&s);
	end(&x);
}

/* b sends two streams each way where a sends one: c would have half without b,
 * a third without a, and has a quarter. */
TEST(test_costliest)
{
	struct weft_jobs_shares s;
	struct fixture x;

	begin(&x, "pgft:2;4,2;1,1;1,1");
	JOB(&x, "a", 0, 4);
	JOB(&x, "b", 1, 5, 2, 6);
	JOB(&x, "c", 3, 7);
	ASSERT_EQ(run(&x, "ring", 1, &s, NULL), 0);
	EXPECT_NEAR(s.job[1].alone, .5, 0);
	EXPECT_NEAR(s.job[2].together, .25, 0);
	EXPECT_EQ(s.job[2].neighbour, 1);
	EXPECT_NEAR(s.job[2].without, .5, 0);
	EXPECT_NEAR(s.job[2].other_streams, 2, 0);
	weft_jobs_shares_free(&s);
	end(&x);
}

/* The number of threads changes nothing. */
TEST(test_threads)
{
	struct weft_jobs_shares a, b;
	struct fixture x;

	begin(&x, "torus:4x4,hosts=4");
	JOB(&x, "a", 0, 9, 17, 26, 33, 41, 60);
	JOB(&x, "b", 1, 8, 16, 24, 32, 40, 63, 50, 51, 3);
	JOB(&x, "c", 2, 10, 18, 27, 35);
	ASSERT_EQ(run(&x, "shift", 1, &a, NULL), 0);
	ASSERT_EQ(run(&x, "shift", 3, &b, NULL), 0);
	EXPECT_EQ(a.rounds, 64);
	for (unsigned j = 0; j < 3; j++) {
		suite_case("job %u", j);
		EXPECT(a.job[j].together <= a.job[j].alone);
		EXPECT(a.job[j].without >= a.job[j].together);
		EXPECT_NEAR(a.job[j].alone, b.job[j].alone, 0);
		EXPECT_NEAR(a.job[j].together, b.job[j].together, 0);
		EXPECT_NEAR(a.job[j].without, b.job[j].without, 0);
		EXPECT_EQ(a.job[j].neighbour, b.job[j].neighbour);
		EXPECT_EQ(a.job[j].channel, b.job[j].channel);
	}
	weft_jobs_shares_free(&a);
	weft_jobs_shares_free(&b);
	end(&x);
}

/* A job alone has what its pattern has by the model. */
TEST(test_like_the_model)
{
	static const char *const patterns[] = { "ring", "shift", "stencil" };
	const uint32_t host[] = { 5, 1, 2, 11, 7, 12, 3, 15 };
	struct weft_mapping_spec place = {
		.order = WEFT_ORDER_GIVEN, .given = host, .ngiven = 8,
	};
	struct weft_mapping mapping;
	struct fixture x;

	begin(&x, "ring:8,hosts=2");
	JOB(&x, "a", 5, 1, 2, 11, 7, 12, 3, 15);
	ASSERT_EQ(weft_mapping_init(&mapping, x.f, &place, NULL), 0);
	for (unsigned i = 0; i < 3; i++) {
		struct weft_jobs_shares s;
		struct weft_traffic *traffic;
		struct weft_model m;
		double sent;

		suite_case("%s", patterns[i]);
		ASSERT_EQ(weft_traffic_new(patterns[i], 8, &traffic, NULL), 0);
		ASSERT_EQ(weft_model_run(x.f, &x.routes,
			  &(struct weft_model_spec){
				.traffic = traffic, .mapping = &mapping,
				.endpoints = true, .samples = 1,
			  }, &m, NULL), 0);
		ASSERT_EQ(run(&x, patterns[i], 1, &s, NULL), 0);
		sent = (double)m.streams / m.rounds / 8;
		/* 64 rounds are no multiple of the seven of shift */
		EXPECT_NEAR(s.job[0].together,
			    m.measure[WEFT_STREAMS].mean * sent,
			    i == 1 ? .02 : 1e-12);
		EXPECT_NEAR(s.job[0].together, s.job[0].alone, 0);
		EXPECT_NEAR(s.job[0].together_lower,
			    m.measure[WEFT_LOWER].mean,
			    i == 1 ? .02 : 1e-12);
		weft_jobs_shares_free(&s);
		weft_model_free(&m);
		weft_traffic_free(traffic);
	}
	weft_mapping_free(&mapping);
	end(&x);
}

/* Tables are judged by what jobs have together, and that counts half. */
TEST(test_basket)
{
	struct weft_objective shift = { .nparts = 0 };
	struct weft_basket *basket = NULL;
	struct weft_basket_spec spec = { .rounds = 64, .seed = 3 };
	struct weft_jobs_shares s;
	struct weft_worth worth;
	struct fixture x;

	begin(&x, "torus:4x4,hosts=4");
	JOB(&x, "a", 0, 9, 17, 26, 33, 41, 60);
	JOB(&x, "b", 1, 8, 16, 24, 32, 40, 63, 50, 51, 3);
	ASSERT_EQ(weft_objective_parse("shift", &shift, NULL), 0);
	spec.objective = &shift;
	spec.jobs = &x.jobs;
	ASSERT_EQ(weft_basket_new(x.f, &spec, &basket, NULL), 0);
	ASSERT_EQ(weft_basket_parts(basket), 2);
	EXPECT_STR(weft_basket_part_name(basket, 1), "jobs");
	EXPECT_NEAR(weft_basket_part_weight(basket, 1), .5, 0);
	ASSERT_EQ(weft_basket_judge(basket, &x.routes, &worth), 0);
	ASSERT_EQ(run(&x, "shift", 1, &s, NULL), 0);
	EXPECT_NEAR(worth.part[1], s.together, 1e-12);
	weft_jobs_shares_free(&s);
	weft_worth_free(&worth);
	weft_basket_free(basket);
	weft_objective_free(&shift);
	end(&x);
}

TEST(test_refused)
{
	struct weft_jobs_shares s = { .n = 7 };
	struct suite_words words = { .severity = 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &words };
	struct fixture x;

	begin(&x, "pgft:2;4,2;1,1;1,1");
	JOB(&x, "lonely", 6);
	EXPECT_EQ(run(&x, "ring", 1, &s, &d), -EINVAL);
	EXPECT_STR(words.text, "no job has two ranks that talk to each other");
	JOB(&x, "odd", 0, 1, 2);
	EXPECT_EQ(run(&x, "transpose", 1, &s, &d), -EINVAL);
	EXPECT(!strncmp(words.text, "job 'odd': ", 11));
	EXPECT_EQ(s.n, 7);
	end(&x);
}
