// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sampling: the same numbers by any number of threads and processes, the
 * stopping rule, placing of ranks, hottest links, estimates for applications.
 */
#include "../model_util.h"
#include "../suite.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#define SEED 20100401u

/* A ring of six switches with different numbers of hosts, 14 in all. */
static struct weft_fabric *ring_fabric(void)
{
	static const unsigned hosts[] = { 3, 2, 1, 4, 0, 4 };
	static const unsigned cable[][2] = {
		{ 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 0 },
	};

	return test_fabric(6, hosts, cable, 6, 0);
}

struct job {
	const struct weft_fabric *f;
	const struct weft_routes *routes;
	const char *pattern;
	struct weft_mapping_spec hosts;
	struct weft_model_spec spec;
	struct weft_diag *diag;
	struct weft_model model;
	int err;
};

static void *run(void *context)
{
	struct job *j = context;
	struct weft_traffic *traffic = NULL;
	struct weft_mapping mapping;

	j->err = weft_mapping_init(&mapping, j->f, &j->hosts, NULL);
	if (j->err)
		return NULL;
	j->err = weft_traffic_new(j->pattern, mapping.nranks, &traffic, NULL);
	if (!j->err) {
		j->spec.traffic = traffic;
		j->spec.mapping = &mapping;
		j->err = weft_model_run(j->f, j->routes, &j->spec, &j->model,
					j->diag);
	}
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	return NULL;
}

static bool same_models(const struct weft_model *a, const struct weft_model *b,
			uint32_t nch)
{
	for (unsigned i = 0; i < WEFT_MEASURES; i++) {
		const struct weft_statistic *x = &a->measure[i];
		const struct weft_statistic *y = &b->measure[i];

		if (x->mean != y->mean || x->stddev != y->stddev ||
		    x->ci99 != y->ci99 || x->min != y->min ||
		    x->max != y->max || memcmp(x->histogram, y->histogram,
					       a->bins * sizeof(uint64_t)))
			return false;
	}
	return a->samples == b->samples && a->streams == b->streams &&
	       a->lost == b->lost && a->slowest == b->slowest &&
	       a->fastest == b->fastest &&
	       !memcmp(a->congestion, b->congestion, sizeof(a->congestion)) &&
	       !memcmp(a->link, b->link, nch * sizeof(*a->link));
}

/* Processes are threads here that meet at barriers. */
struct meeting {
	pthread_barrier_t barrier;
	unsigned size;
	double *all[8];
	uint64_t *value[8];
};

struct member {
	struct meeting *meeting;
	unsigned rank;
};

static int gather(void *context, double *all, uint64_t n)
{
	struct member *me = context;
	struct meeting *m = me->meeting;

	m->all[me->rank] = all;
	pthread_barrier_wait(&m->barrier);
	for (unsigned r = 0; r < m->size; r++)
		if (r != me->rank)
			memcpy(all + r * n, m->all[r] + r * n,
			       n * sizeof(*all));
	pthread_barrier_wait(&m->barrier);
	return 0;
}

static int reduce(void *context, uint64_t *value, uint64_t n, bool largest)
{
	struct member *me = context;
	struct meeting *m = me->meeting;
	uint64_t *result = calloc(n, sizeof(*result));

	m->value[me->rank] = value;
	pthread_barrier_wait(&m->barrier);
	for (unsigned r = 0; r < m->size; r++)
		for (uint64_t i = 0; i < n; i++)
			if (!largest)
				result[i] += m->value[r][i];
			else if (m->value[r][i] > result[i])
				result[i] = m->value[r][i];
	pthread_barrier_wait(&m->barrier);
	memcpy(value, result, n * sizeof(*value));
	free(result);
	return 0;
}

/* Runs a job by size processes; their results are all the same. */
static struct weft_model run_crew(const struct job *job, unsigned size)
{
	struct meeting meeting = { .size = size };
	struct member member[8];
	struct job copy[8];
	pthread_t thread[8];

	pthread_barrier_init(&meeting.barrier, NULL, size);
	for (unsigned r = 0; r < size; r++) {
		member[r] = (struct member){ &meeting, r };
		copy[r] = *job;
		copy[r].spec.crew = (struct weft_crew){
			.rank = r, .size = size, .gather = gather,
			.reduce = reduce, .context = &member[r],
		};
		pthread_create(&thread[r], NULL, run, &copy[r]);
	}
	for (unsigned r = 0; r < size; r++)
		pthread_join(thread[r], NULL);
	pthread_barrier_destroy(&meeting.barrier);
	for (unsigned r = 0; r < size; r++) {
		ASSERT_EQ(copy[r].err, 0);
		EXPECT(same_models(&copy[r].model, &copy[0].model, job->f->nch));
		if (r)
			weft_model_free(&copy[r].model);
	}
	return copy[0].model;
}

static const char *const patterns[] = {
	"bisect", "shift", "hot-spot:place=first", "tree+permutation",
	"random-neighbours:degree=3",
};
#define NPATTERNS (sizeof(patterns) / sizeof(patterns[0]))

/* 700 samples: more than a batch, and not a whole number of them. */
TEST(test_same_result)
{
	struct weft_fabric *f = ring_fabric();
	struct weft_routes routes;

	test_route(f, 1, &routes);
	for (unsigned i = 0; i < 2 * NPATTERNS; i++) {
		struct job one = {
			.f = f, .routes = &routes,
			.pattern = patterns[i / 2],
			.hosts = { .order = i % 2 ? WEFT_ORDER_GUID :
						    WEFT_ORDER_RANDOM },
			.spec = { .samples = 700, .seed = SEED, .links = true,
				  .threads = 1 },
		};
		struct job many = one;

		run(&one);
		ASSERT_EQ(one.err, 0);
		for (unsigned n = 2; n <= 4; n++) {
			struct weft_model crew = run_crew(&one, n);

			many.spec.threads = n;
			run(&many);
			EXPECT(same_models(&one.model, &many.model, f->nch));
			EXPECT(same_models(&one.model, &crew, f->nch));
			weft_model_free(&many.model);
			weft_model_free(&crew);
		}
		weft_model_free(&one.model);
	}
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

static int lose(void *context, double *all, uint64_t n)
{
	(void)all;
	(void)n;
	return *(const int *)context;
}

/* What the others of a crew fail with is said as what it is. */
TEST(test_lost_touch)
{
	static const struct {
		int err;
		const char *word;
	} cases[] = { { -EIO, "lost touch" }, { -ENOMEM, "out of memory" } };
	struct weft_fabric *f = ring_fabric();
	struct suite_words words = { 0 };
	struct weft_diag diag = { .emit = suite_hear, .context = &words };
	struct weft_routes routes;

	test_route(f, 1, &routes);
	for (unsigned i = 0; i < 2; i++) {
		int err = cases[i].err;
		struct job j = {
			.f = f, .routes = &routes, .pattern = "bisect",
			.spec = { .samples = 7, .threads = 1, .crew = {
				.size = 2, .gather = lose, .context = &err } },
			.diag = &diag,
		};

		run(&j);
		EXPECT_EQ(j.err, err);
		EXPECT_EQ(words.severity, WEFT_ERROR);
		EXPECT(strstr(words.text, cases[i].word));
	}
	EXPECT_EQ(diag.count[WEFT_ERROR], 2);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

static struct weft_model run_once(const struct weft_fabric *f,
				  const struct weft_routes *routes,
				  const char *pattern,
				  struct weft_mapping_spec hosts,
				  struct weft_model_spec spec)
{
	struct job j = { .f = f, .routes = routes, .pattern = pattern,
			 .hosts = hosts, .spec = spec };

	j.spec.seed = SEED;
	run(&j);
	ASSERT_EQ(j.err, 0);
	return j.model;
}

/* Doubles until it is precise enough, and no more. */
TEST(test_stopping)
{
	struct weft_fabric *f = ring_fabric();
	struct weft_routes routes;
	struct weft_mapping_spec any = { 0 };
	struct weft_model m, half;

	test_route(f, 1, &routes);
	m = run_once(f, &routes, "bisect", any, (struct weft_model_spec){
		.samples = 100, .precision = 0.01, .precise = WEFT_LOWER });
	EXPECT(m.precise);
	EXPECT(m.samples > 100 && m.samples % 100 == 0);
	EXPECT(!(m.samples / 100 & (m.samples / 100 - 1)));
	EXPECT(2 * m.measure[WEFT_LOWER].ci99 <= 0.01 *
	       m.measure[WEFT_LOWER].mean);
	half = run_once(f, &routes, "bisect", any, (struct weft_model_spec){
		.samples = m.samples / 2 });
	EXPECT(2 * half.measure[WEFT_LOWER].ci99 > 0.01 *
	       half.measure[WEFT_LOWER].mean);
	weft_model_free(&half);
	weft_model_free(&m);
	m = run_once(f, &routes, "bisect", any, (struct weft_model_spec){
		.samples = 100, .precision = 1e-6, .max_samples = 900 });
	EXPECT(!m.precise);
	EXPECT_EQ(m.samples, 800);
	weft_model_free(&m);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* Of a fixed order, the first hosts or any; each equally often. */
TEST(test_subsets)
{
	struct weft_fabric *f = ring_fabric();
	struct weft_routes routes;
	struct weft_mapping_spec first = { .order = WEFT_ORDER_GUID,
					   .ranks = 5 };
	struct weft_mapping_spec any = first;
	uint64_t most = 0;
	double sum = 0, expected;
	struct weft_model m;

	any.random_subset = true;
	test_route(f, 1, &routes);
	m = run_once(f, &routes, "gather", first, (struct weft_model_spec){
		.samples = 10, .links = true, .endpoints = true });
	EXPECT(m.exact && m.samples == 1);
	for (uint32_t e = 0; e < f->nep; e++)
		EXPECT_EQ(m.link[f->first_injection + e].streams,
			  e > 0 && e < 5);
	weft_model_free(&m);
	/* all send but the first one of the subset, which is the lowest */
	m = run_once(f, &routes, "gather", any, (struct weft_model_spec){
		.samples = 20000, .links = true, .endpoints = true });
	EXPECT(!m.exact);
	for (uint32_t e = 0; e < f->nep; e++) {
		uint64_t n = m.link[f->first_injection + e].streams;

		sum += n;
		most = n > most ? n : most;
	}
	EXPECT_EQ(sum, 4 * 20000);
	EXPECT_EQ(m.link[f->first_injection].streams, 0);
	/* the last host sends whenever it is drawn: 5 of 14 times */
	expected = 20000 * 5 / 14.0;
	EXPECT(fabs(m.link[f->first_injection + 13].streams - expected) < 5 *
	       sqrt(expected * 9 / 14));
	EXPECT(most < expected + 6 * sqrt(expected));
	weft_model_free(&m);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* A random mapping puts every rank on every host equally often. */
TEST(test_random_mapping)
{
	struct weft_fabric *f = ring_fabric();
	struct weft_routes routes;
	struct weft_mapping_spec any = { .ranks = 6, .random_subset = true };
	double expected = 14000 / 14.0, sum = 0;
	struct weft_model m;

	test_route(f, 1, &routes);
	m = run_once(f, &routes, "gather:root=2", any,
		     (struct weft_model_spec){ .samples = 14000,
					       .links = true,
					       .endpoints = true });
	for (uint32_t e = 0; e < f->nep; e++) {
		const struct weft_endport *ep = &f->ep[e];
		uint64_t n = m.link[weft_channel(f, ep->sw, ep->sw_port)]
				     .streams / 5;

		sum += (n - expected) * (n - expected) / expected;
	}
	EXPECT(gsl_cdf_chisq_Q(sum, 13) > 1e-6);
	EXPECT(gsl_cdf_chisq_P(sum, 13) > 1e-6);
	weft_model_free(&m);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* Hosts "b2", "b10", "a3", "a03", "" on ports 5 to 1 of a switch. */
static struct weft_fabric *named_fabric(void)
{
	static const char *const names[] = { "b2", "b10", "a3", "a03", "" };
	struct weft_builder *b = need(weft_builder_new());
	struct weft_fabric *f;
	uint32_t sw = weft_builder_node(b, WEFT_NODE_SWITCH, 1, 8);

	for (unsigned i = 0; i < 5; i++) {
		uint32_t ca = weft_builder_node(b, WEFT_NODE_CA, 0x10 + i, 1);

		weft_builder_name(b, ca, names[i], strlen(names[i]));
		weft_builder_port(b, ca, 1)->guid = 0x10 + i;
		weft_builder_link(b, ca, 1, sw, 5 - i,
				  (struct weft_rate){ 4, WEFT_EDR });
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

static void order_is(const struct weft_fabric *f, enum weft_order order,
		     const uint32_t *expected)
{
	static const uint32_t given[] = { 4, 1, 1, 0, 2 };
	const struct weft_mapping_spec spec = {
		.order = order,
		.given = order == WEFT_ORDER_GIVEN ? given : NULL,
		.ngiven = 5,
	};
	struct weft_mapping m;

	ASSERT_EQ(weft_mapping_init(&m, f, &spec, NULL), 0);
	ASSERT_EQ(m.nslots, 5);
	EXPECT(!memcmp(m.endport, expected, 5 * sizeof(*expected)));
	weft_mapping_free(&m);
}

static void first_ports_first(const struct weft_fabric *f)
{
	const struct weft_mapping_spec spec = { .order = WEFT_ORDER_PORT };
	struct weft_mapping m;

	ASSERT_EQ(weft_mapping_init(&m, f, &spec, NULL), 0);
	ASSERT_EQ(m.nslots, 4);
	for (unsigned i = 0; i < 4; i++) {
		const struct weft_endport *ep = &f->ep[m.endport[i]];

		EXPECT_EQ(ep->port, 1 + i / 2);
		EXPECT_STR(f->node[ep->node].name, i % 2 ? "b" : "a");
	}
	weft_mapping_free(&m);
}

TEST(test_orders)
{
	struct weft_fabric *f = named_fabric();

	order_is(f, WEFT_ORDER_GUID, (uint32_t[]){ 0, 1, 2, 3, 4 });
	order_is(f, WEFT_ORDER_LEAF, (uint32_t[]){ 4, 3, 2, 1, 0 });
	/* "" a03 a3 b2 b10: numbers by value, then as they are written */
	order_is(f, WEFT_ORDER_NAME, (uint32_t[]){ 4, 3, 2, 0, 1 });
	order_is(f, WEFT_ORDER_GIVEN, (uint32_t[]){ 4, 1, 1, 0, 2 });
	weft_fabric_free(f);
}

/* Nodes of two ports: all first ports by name, then all second ones. */
TEST(test_order_of_ports)
{
	struct weft_builder *b = need(weft_builder_new());
	uint32_t sw = weft_builder_node(b, WEFT_NODE_SWITCH, 1, 8);
	struct weft_fabric *f;

	for (unsigned i = 0; i < 2; i++) {
		uint32_t ca = weft_builder_node(b, WEFT_NODE_CA, 0x10 + i, 2);

		weft_builder_name(b, ca, i ? "a" : "b", 1);
		for (unsigned port = 1; port <= 2; port++) {
			weft_builder_port(b, ca, port)->guid =
				0x20 + 4 * i + port;
			weft_builder_link(b, ca, port, sw, 2 * i + port,
					  (struct weft_rate){ 4, WEFT_EDR });
		}
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	ASSERT_EQ(f->nep, 4);
	first_ports_first(f);
	weft_fabric_free(f);
}

/* Several ranks on one host: what they send each other stays there. */
TEST(test_shared_host)
{
	struct weft_fabric *f = ring_fabric();
	struct weft_routes routes;
	struct weft_mapping_spec hosts = {
		.order = WEFT_ORDER_GIVEN, .ngiven = 4,
		.given = (const uint32_t[]){ 0, 0, 5, 0 },
	};
	struct weft_model m;

	test_route(f, 1, &routes);
	/* 0 -> 1 -> 2 -> 3: only to and from endport 5 over the network */
	m = run_once(f, &routes, "ring", hosts, (struct weft_model_spec){
		.samples = 1, .links = true, .endpoints = true });
	EXPECT_EQ(m.link[f->first_injection].streams, 1);
	EXPECT_EQ(m.link[f->first_injection + 5].streams, 1);
	EXPECT_EQ(m.measure[WEFT_STREAMS].mean, 1);
	EXPECT_EQ(m.streams, 4);
	weft_model_free(&m);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* Against sorting all channels. */
TEST(test_hottest)
{
	struct weft_fabric *f = ring_fabric();
	struct weft_routes routes;
	uint32_t hot[64], n, all = 0;
	struct weft_model m;

	test_route(f, 1, &routes);
	((uint32_t *)f->capacity)[f->adj[0]] /= 4;
	m = run_once(f, &routes, "bisect", (struct weft_mapping_spec){ 0 },
		     (struct weft_model_spec){ .samples = 50, .links = true });
	for (uint32_t ch = 0; ch < f->nch; ch++)
		all += m.link[ch].streams > 0;
	ASSERT(all > 5 && all <= 64);
	EXPECT_EQ(weft_model_hottest(f, &m, 64, hot), all);
	for (uint32_t i = 1; i < all; i++) {
		double a = (double)m.link[hot[i - 1]].streams /
			   f->capacity[hot[i - 1]];
		double b = (double)m.link[hot[i]].streams /
			   f->capacity[hot[i]];

		EXPECT(a > b || (fabs(a - b) < 1e-15 && hot[i - 1] < hot[i]));
	}
	n = hot[2];
	EXPECT_EQ(weft_model_hottest(f, &m, 3, hot), 3);
	EXPECT_EQ(hot[2], n);
	EXPECT_EQ(weft_model_hottest(f, &m, 0, hot), 0);
	weft_model_free(&m);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/* Hosts that others cannot reach are counted and told of. */
TEST(test_unreached)
{
	struct weft_fabric *f = ring_fabric();
	struct weft_routes routes;
	struct suite_words words = { 0 };
	struct weft_diag diag = { .emit = suite_hear, .context = &words };
	struct weft_ebb_spec spec = { .patterns = 10 };
	struct weft_ebb e;

	test_route(f, 1, &routes);
	weft_lft_row(&routes.lft, f->ep[0].sw)[f->ep[5].lid] = WEFT_NO_PORT;
	weft_lft_row(&routes.lft, f->ep[9].sw)[f->ep[9].lid] = WEFT_NO_PORT;
	EXPECT_EQ(weft_ebb_run(f, &routes, &spec, &e, &diag), 0);
	EXPECT_EQ(diag.count[WEFT_WARNING], 1);
	EXPECT(strstr(words.text, "of 14 hosts 2 cannot"));
	EXPECT(strstr(words.text, "(LID 6)"));
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

/*
 * CLUSTER 2008, section 5.2: shares of time by section 4, bandwidths by section
 * 5.1, both printed with three digits, which leaves the last digit of some
 * results open: by half of the last digit of each input.  97.73 of "MIMD" on
 * Atlas is 96.73 with two digits exchanged: 97.73 would take a bandwidth above
 * that of any pattern.
 */
TEST(test_applications)
{
	/* neighbours, tree */
	static const double bandwidth[3][2] = {
		{ 0.624, 0.699 }, { 0.607, 0.713 }, { 0.374, 0.574 },
	};
	/* all of MPQC is collective; MILC: 86 % to neighbours, 3.2 % allreduce;
	 * POP: 27.4 % and 4.6 % of its time; Octopus: 21.9 % and 61.9 % */
	static const struct {
		const char *name;
		double neighbours, tree, time[3];
	} row[] = {
		{ "MPQC", 0, 0.092, { 97.23, 97.36, 96.08 } },
		{ "MIMD", 0.094 * 0.86, 0.094 * 0.032,
		  { 96.87, 96.73, 94.81 } },
		{ "POP", 0.274, 0.046, { 88.32, 87.91, 80.89 } },
		{ "Octopus", 0.105 * 0.219, 0.105 * 0.619,
		  { 97.18, 97.23, 95.79 } },
	};

	for (unsigned i = 0; i < 4; i++)
		for (unsigned s = 0; s < 3; s++) {
			const struct weft_communication part[] = {
				{ row[i].neighbours, bandwidth[s][0] },
				{ row[i].tree, bandwidth[s][1] },
			};
			double ours =
				100 * weft_model_application_time(part, 2);
			double slack = 0.005 + 1e-9 + 100 * 0.0005 *
				       (row[i].neighbours + row[i].tree);

			EXPECT(fabs(ours - row[i].time[s]) <= slack);
			/* the worked example, to the digit */
			if (i == 2 && s == 2)
				EXPECT(fabs(ours - 80.89) <= 0.005);
		}
}

TEST(test_refusals)
{
	struct weft_fabric *f = ring_fabric();
	struct weft_routes routes;
	struct weft_traffic *traffic;
	struct weft_mapping mapping;
	struct weft_mapping_spec hosts = { .ranks = 4 };
	struct weft_model_spec spec = { .samples = 1 };
	struct weft_model m = { .hosts = 77 };
	struct weft_diag diag = { 0 };

	test_route(f, 1, &routes);
	ASSERT_EQ(weft_mapping_init(&mapping, f, &hosts, NULL), 0);
	ASSERT_EQ(weft_traffic_new("bisect", 5, &traffic, NULL), 0);
	spec.traffic = traffic;
	spec.mapping = &mapping;
	EXPECT_EQ(weft_model_run(f, &routes, &spec, &m, &diag), -EINVAL);
	spec.samples = 0;
	EXPECT_EQ(weft_model_run(f, &routes, &spec, &m, &diag), -EINVAL);
	EXPECT_EQ(diag.count[WEFT_ERROR], 2);
	EXPECT_EQ(m.hosts, 77);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}
