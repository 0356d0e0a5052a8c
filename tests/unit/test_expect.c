// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The model of expect.c, computed a second time here, pair by pair; and whether
 * what it knows of speeds and hosts is what is measured.
 */
#include "job.h"

#include "trees/expect.h"
#include "trees/worth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The model, the slow way: every pair walks its route. */
struct slow {
	const struct job *j;
	uint32_t nedges;
	unsigned *load, *uses;	/* [edges] */
	unsigned *turn;		/* [edges][edges] */
};

/* Edges on the way from s; returns how many. */
static unsigned walk(const struct job *j, const struct weft__tree *t,
		     uint32_t s, uint32_t *edge)
{
	unsigned n = 0;

	for (; s != t->root; s = j->f->peer[j->f->adj[edge[n++]]]) {
		CU_ASSERT_TRUE_FATAL(n < JOB_HOPS);
		edge[n] = job_next_edge(j, t, s);
	}
	return n;
}

/* Adds (or takes out) all pairs of one tree. */
static void slow_count(struct slow *m, const struct weft__tree *t, int sign)
{
	const struct weft_fabric *f = m->j->f;
	uint32_t edge[JOB_HOPS];

	for (uint32_t e = 0; e < f->nep; e++) {
		unsigned n = walk(m->j, t, f->ep[e].sw, edge);

		for (unsigned i = 0; i < n; i++) {
			m->load[edge[i]] += sign;
			if (i)
				m->turn[edge[i - 1] * m->nedges + edge[i]] +=
					sign;
		}
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		if (s != t->root)
			m->uses[job_next_edge(m->j, t, s)] += sign;
}

/* Sources that send to the tree's root by way of switch s. */
static unsigned sources_through(const struct job *j, const struct weft__tree *t,
				uint32_t s)
{
	const struct weft_fabric *f = j->f;
	unsigned n = 0;

	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t at = f->ep[e].sw;

		while (at != s && at != t->root)
			at = f->peer[f->adj[job_next_edge(j, t, at)]];
		n += at == s;
	}
	return n;
}

/* Chance that at most k others come where so many are expected. */
static double at_most(double mean, unsigned k)
{
	double sum = 0;

	for (unsigned i = 0; i <= k; i++)
		sum += exp(i * log(mean) - mean - lgamma(i + 1.0));
	return mean > 0 ? sum : 1;
}

/* Of one pair, whose tree is not in the counts. */
static double slow_pair(const struct slow *m, const struct weft__tree *t,
			uint32_t source)
{
	const struct weft_fabric *f = m->j->f;
	double chance[8] = { 1, 1, 1, 1, 1, 1, 1, 1 }, sum = 0;
	uint32_t edge[JOB_HOPS], s = f->ep[source].sw;
	unsigned n = walk(m->j, t, s, edge);

	for (unsigned i = 0; i < n; i++) {
		double own = f->sw_ep_first[s + 1] - f->sw_ep_first[s];
		double pairs = m->load[edge[i]];

		if (i + 1 < n)
			pairs -= 0.75 * m->turn[edge[i] * m->nedges +
						edge[i + 1]];
		pairs -= m->uses[edge[i]] * own / sources_through(m->j, t, s);
		for (unsigned k = 0; k < 8; k++)
			chance[k] *= at_most(fmax(pairs, 0) /
					     (2 * (m->j->trees.nendports - 1)),
					     k);
		s = f->peer[f->adj[edge[i]]];
	}
	for (unsigned k = 0; k < 8; k++)
		sum += chance[k] * (k < 7 ? 1.0 / (k + 1) - 1.0 / (k + 2) :
				    1.0 / 8 - 1.0 / 9);
	return sum + 1.0 / 9;
}

static double slow_model(const struct job *j)
{
	struct slow m = { .j = j, .nedges = j->f->adj_first[j->f->nsw] };
	double sum = 0;
	unsigned n = 0;

	m.load = calloc(m.nedges + 1, sizeof(*m.load));
	m.uses = calloc(m.nedges + 1, sizeof(*m.uses));
	m.turn = calloc(m.nedges + 1, m.nedges * sizeof(*m.turn));
	for (uint32_t d = 0; d < j->trees.nendports; d++)
		slow_count(&m, &j->trees.tree[d], 1);
	for (uint32_t d = 0; d < j->trees.nendports; d++) {
		const struct weft__tree *t = &j->trees.tree[d];

		slow_count(&m, t, -1);
		for (uint32_t e = 0; e < j->f->nep; e++) {
			if (j->f->ep[e].lid == t->lid)
				continue;
			sum += slow_pair(&m, t, e);
			n++;
		}
		slow_count(&m, t, 1);
	}
	free(m.load);
	free(m.uses);
	free(m.turn);
	return sum / n;
}

static const char *const small[] = {
	"ring:5,hosts=3", "torus:3x3,hosts=2", "hypercube:3,hosts=3",
	"pgft:2;3,4;1,2;1,2", "random:8,3,2,seed=5", "chain:4,hosts=2",
};

static void test_model(void)
{
	for (unsigned i = 0; i < sizeof(small) / sizeof(*small); i++) {
		struct weft_fabric *f = route_fabric(small[i], -1);
		struct weft__improve run;
		struct job j;

		job_open(&j, f, NULL, 1);
		run = job_improve(&j, 0);
		CU_ASSERT_EQUAL(run.passes, 0);
		CU_ASSERT_EQUAL(run.before, run.after);
		CU_ASSERT_DOUBLE_EQUAL(run.before, slow_model(&j), 0.006);
		run = job_improve(&j, UINT64_MAX);
		CU_ASSERT_DOUBLE_EQUAL(run.after, slow_model(&j), 0.006);
		job_close(&j);
		weft_fabric_free(f);
	}
}

/* Two switches of 8 hosts, joined by a slow and a 4x cable. */
static struct weft_fabric *uneven(enum weft_speed slow)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f;

	for (unsigned s = 0; s < 2; s++)
		weft_builder_node(b, WEFT_NODE_SWITCH, 1 + s, 10);
	for (unsigned i = 0; i < 16; i++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x10 + i, 1);

		weft_builder_port(b, h, 1)->lid = 1 + i;
		CU_ASSERT_EQUAL(weft_builder_link(b, h, 1, i / 8, 1 + i % 8, 4,
						  WEFT_QDR), 0);
	}
	CU_ASSERT_EQUAL(weft_builder_link(b, 0, 9, 1, 9, 4, slow), 0);
	CU_ASSERT_EQUAL(weft_builder_link(b, 0, 10, 1, 10, 4, WEFT_QDR), 0);
	CU_ASSERT_EQUAL_FATAL(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

/* The first n hosts of either switch are reached by the slow cable. */
static void split(struct job *j, unsigned n)
{
	for (uint32_t d = 0; d < 16; d++)
		j->trees.tree[d].choice[!j->trees.tree[d].root] = d % 8 >= n;
}

/* As good as the best split between the cables, measured. */
static void test_speeds(void)
{
	static const enum weft_speed speeds[] = { WEFT_SDR, WEFT_DDR, WEFT_QDR,
						  WEFT_FDR, WEFT_HDR };

	for (unsigned i = 0; i < sizeof(speeds) / sizeof(*speeds); i++) {
		struct weft_fabric *f = uneven(speeds[i]);
		double best = 0;
		struct job j;

		job_open(&j, f, NULL, 1);
		for (unsigned n = 0; n <= 8; n++) {
			split(&j, n);
			best = fmax(best, job_measure(&j));
		}
		split(&j, 8);
		job_improve(&j, UINT64_MAX);
		CU_ASSERT_TRUE(job_measure(&j) > 0.985 * best);
		job_close(&j);
		weft_fabric_free(f);
	}
}

enum { LEAVES = 12, SPINES = 6, HOSTS = 11 };

/* Leaf i of two generations: the old one has slow hosts and two slow cables to
 * each spine, the new one one cable, to the first spine at half speed. */
static void add_leaf(struct weft_builder *b, uint32_t i, uint32_t *port)
{
	bool old = i < LEAVES / 2;
	enum weft_speed speed = old ? WEFT_FDR : WEFT_HDR;

	for (uint32_t k = 0; k < HOSTS; k++) {
		uint32_t n = i * HOSTS + k;
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x1000 + n, 1);

		weft_builder_port(b, h, 1)->lid = 1 + n;
		CU_ASSERT_EQUAL(weft_builder_link(b, h, 1, i, 1 + k, 4, speed),
				0);
	}
	for (uint32_t k = 0; k < (old ? 2 : 1) * SPINES; k++) {
		uint32_t s = k % SPINES;

		CU_ASSERT_EQUAL(weft_builder_link(b, i, 1 + HOSTS + k,
						  LEAVES + s, ++port[s], 4,
						  old || s ? speed : WEFT_EDR),
				0);
	}
}

static struct weft_fabric *generations(void)
{
	struct weft_builder *b = weft_builder_new();
	uint32_t port[SPINES] = { 0 };
	struct weft_fabric *f;

	for (uint32_t s = 0; s < LEAVES + SPINES; s++)
		weft_builder_node(b, WEFT_NODE_SWITCH, 1 + s, 40);
	for (uint32_t i = 0; i < LEAVES; i++)
		add_leaf(b, i, port);
	CU_ASSERT_EQUAL_FATAL(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

/* Hosts of several rates: no loss by what is improved, and trials tell what is
 * measured. */
static void test_rates(void)
{
	struct weft_fabric *f = generations();
	double was, is, worth;
	struct job j;

	job_open(&j, f, NULL, 4);
	was = job_measure(&j);
	job_improve(&j, WEFT__EFFORT);
	is = job_measure(&j);
	CU_ASSERT_TRUE(is > 0.995 * was);
	CU_ASSERT_EQUAL(weft__trees_worth(f, &j.trees, &worth), 0);
	CU_ASSERT_TRUE(fabs(worth - is) < 0.02 * is);
	job_close(&j);
	weft_fabric_free(f);
}

/* What aggregation nodes do neither counts nor changes. */
static void test_hosts_only(void)
{
	struct weft__improve run = { .effort = UINT64_MAX, .seed = JOB_SEED,
				     .hosts_only = true };
	struct weft_fabric *f = route_fabric("torus:4x4,hosts=4", -1);
	struct weft_endport *ep = malloc(f->nep * sizeof(*ep));
	const struct weft_endport *was = f->ep;
	struct job j, k;

	memcpy(ep, f->ep, f->nep * sizeof(*ep));
	for (uint32_t e = 0; e < f->nep; e += 4)
		ep[e].kind = WEFT_AGGREGATION;
	f->ep = ep;
	job_open(&j, f, NULL, 1);
	job_open(&k, f, NULL, 1);
	CU_ASSERT_EQUAL(weft__improve_trees(&j.ways, &j.trees, &run), 0);
	CU_ASSERT_TRUE(run.after > run.before);
	for (uint32_t d = 0; d < f->nep; d++) {
		uint32_t owner = f->lid_owner[j.trees.tree[d].lid];

		if (ep[owner & ~WEFT_ENDPORT].kind == WEFT_AGGREGATION)
			CU_ASSERT_EQUAL(memcmp(j.trees.tree[d].choice,
					       k.trees.tree[d].choice,
					       f->nsw), 0);
	}
	/* Without what they would send there is more for each. */
	CU_ASSERT_TRUE(run.after > job_improve(&k, UINT64_MAX).after);
	job_close(&j);
	job_close(&k);
	f->ep = was;
	free(ep);
	weft_fabric_free(f);
}

/* Loads of all trees, so many times. */
static void load(struct weft__expect *x, struct job *j, unsigned times)
{
	while (times--)
		for (uint32_t d = 0; d < j->trees.nendports; d++) {
			const struct weft__tree *t = &j->trees.tree[d];

			weft__expect_load(x, weft__ways_to(&j->ways, t->root),
					  t->choice);
		}
}

/* Tables are made anew when loads have outgrown them, and are those of a model
 * that had these loads from the start. */
static void test_outgrown(void)
{
	struct weft_fabric *f = route_fabric("torus:4x4,hosts=3", -1);
	struct weft__expect x, fresh;
	double most;
	struct job j;

	job_open(&j, f, NULL, 1);
	CU_ASSERT_TRUE_FATAL(weft__expect_init(&x, f, j.arena, false));
	CU_ASSERT_TRUE_FATAL(weft__expect_init(&fresh, f, j.arena, false));
	load(&x, &j, 8);
	weft__expect_ready(&x, f->nep);
	most = x.most_streams;
	load(&x, &j, 1);
	weft__expect_renew(&x);
	CU_ASSERT_EQUAL(x.most_streams, most);
	load(&x, &j, 15);
	weft__expect_renew(&x);
	CU_ASSERT_DOUBLE_EQUAL(x.most_streams, 3 * most, 1e-9 * most);
	load(&fresh, &j, 24);
	weft__expect_ready(&fresh, f->nep);
	CU_ASSERT_EQUAL(memcmp(x.tables->chance, fresh.tables->chance,
			       WEFT__CROWDS * sizeof(*x.tables->chance)), 0);
	job_close(&j);
	weft_fabric_free(f);
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "pair by pair", test_model },
		{ "fast and slow cables", test_speeds },
		{ "fast and slow hosts", test_rates },
		{ "hosts only", test_hosts_only },
		{ "loads that outgrow the tables", test_outgrown },
		{ NULL, NULL },
	};

	printf("seed %d\n", JOB_SEED);
	return suite_run("expect", tests);
}
