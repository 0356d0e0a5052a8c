// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Improved trees: never worse by the model, which is computed a second time
 * here, pair by pair; always by ways that are allowed; near the best of all
 * choices where these can be tried; and better when measured.
 */
#include "model_util.h"
#include "rebuild.h"
#include "suite.h"

#include "core/arena.h"
#include "trees/balance.h"
#include "trees/bfs.h"
#include "trees/expect.h"
#include "trees/improve.h"
#include "trees/worth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 4711, MAX_HOPS = 64 };

/* Trees of a fabric, balanced. */
struct job {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__ways ways;
	struct weft__trees trees;
};

/* place: as weft__ways_init(); where that of the first switch is odd, the ways
 * are completed. */
static void job_open(struct job *j, const struct weft_fabric *f,
		     const uint32_t *place, long passes)
{
	uint64_t had_none, missing;
	struct weft__balance b;

	j->f = f;
	j->arena = weft__arena_new();
	CU_ASSERT_TRUE_FATAL(weft__balance_init(&b, f, j->arena));
	CU_ASSERT_TRUE_FATAL(weft__trees_list(f, j->arena, f->sw_endport,
					      &j->trees));
	CU_ASSERT_TRUE_FATAL(weft__ways_init(&j->ways, f, j->arena, place));
	if (place && place[0] % 2)
		CU_ASSERT_TRUE_FATAL(weft__ways_complete(&j->ways, &had_none,
							 &missing));
	weft__balance_endports(&b, &j->ways, &j->trees, passes);
}

static void job_close(struct job *j)
{
	weft__arena_free(j->arena);
}

static struct weft__improve improve(struct job *j, uint64_t effort)
{
	struct weft__improve run = { .effort = effort, .seed = SEED };

	CU_ASSERT_EQUAL_FATAL(weft__improve_trees(&j->ways, &j->trees, &run),
			      0);
	return run;
}

static struct weft_fabric *generate(const char *spec)
{
	struct weft_fabric *f;

	CU_ASSERT_EQUAL_FATAL(weft_gen(spec, &f, NULL), 0);
	return f;
}

/* The model, the slow way: every pair walks its route. */
struct slow {
	const struct job *j;
	uint32_t nedges;
	unsigned *load, *uses;	/* [edges] */
	unsigned *turn;		/* [edges][edges] */
};

static uint32_t next_edge(const struct job *j, const struct weft__tree *t,
			  uint32_t s)
{
	return j->f->adj_first[s] + t->choice[s];
}

/* Edges on the way from s; returns how many. */
static unsigned walk(const struct job *j, const struct weft__tree *t,
		     uint32_t s, uint32_t *edge)
{
	unsigned n = 0;

	for (; s != t->root; s = j->f->peer[j->f->adj[edge[n++]]]) {
		CU_ASSERT_TRUE_FATAL(n < MAX_HOPS);
		edge[n] = next_edge(j, t, s);
	}
	return n;
}

/* Adds (or takes out) all pairs of one tree. */
static void slow_count(struct slow *m, const struct weft__tree *t, int sign)
{
	const struct weft_fabric *f = m->j->f;
	uint32_t edge[MAX_HOPS];

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
			m->uses[next_edge(m->j, t, s)] += sign;
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
			at = f->peer[f->adj[next_edge(j, t, at)]];
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
	uint32_t edge[MAX_HOPS], s = f->ep[source].sw;
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
		struct weft_fabric *f = generate(small[i]);
		struct weft__improve run;
		struct job j;

		job_open(&j, f, NULL, 1);
		run = improve(&j, 0);
		CU_ASSERT_EQUAL(run.passes, 0);
		CU_ASSERT_EQUAL(run.before, run.after);
		CU_ASSERT_DOUBLE_EQUAL(run.before, slow_model(&j), 0.006);
		run = improve(&j, UINT64_MAX);
		CU_ASSERT_DOUBLE_EQUAL(run.after, slow_model(&j), 0.006);
		job_close(&j);
		weft_fabric_free(f);
	}
}

/* Whether a choice is among the runs of a plan's i-th switch. */
static bool allowed(const struct weft__run *run, unsigned nruns, unsigned k)
{
	for (; nruns; nruns--, run++)
		if (k >= run->start && k < run->start + run->length)
			return true;
	return false;
}

static void check_allowed(struct job *j)
{
	for (uint32_t d = 0; d < j->trees.nendports; d++) {
		const struct weft__tree *t = &j->trees.tree[d];
		const struct weft__plan *plan = weft__ways_to(&j->ways,
							      t->root);
		const struct weft__run *run = plan->run;
		unsigned fixed = 0;

		for (uint32_t i = 0; i < plan->n; i++) {
			uint8_t k = t->choice[plan->order[i + 1]];

			CU_ASSERT_TRUE(allowed(run, plan->nruns[i], k));
			run += plan->nruns[i];
		}
		for (uint32_t s = 0; s < j->f->nsw; s++)
			fixed += t->choice[s] != WEFT__UNFIXED;
		CU_ASSERT_EQUAL(fixed, plan->n);
	}
	for (uint32_t d = j->trees.nendports; d < j->trees.n; d++)
		for (uint32_t s = 0; s < j->f->nsw; s++)
			CU_ASSERT_EQUAL(j->trees.tree[d].choice[s],
					WEFT__UNFIXED);
}

static const char *const fixtures[] = {
	"ring:7,hosts=3", "torus:4x4,hosts=3", "mesh:4x3,hosts=2",
	"hypercube:4,hosts=4", "pgft:2;6,8;1,6;1,1", "pgft:3;3,3,4;1,3,2;1,1,2",
	"random:20,5,4,seed=11", "dragonfly:4,2,2,9", "full:6,hosts=4",
	"pgft:2;4,6;1,2;1,2,lmc=2", "pgft:2;4,6;1,4;1,1,dual=yes",
	"pgft:2;6,6;1,6;1,1,fail-links=4,seed=3", "star:4,hosts=3",
	"pgft:1;6;1;1", "chain:2,hosts=1", "rack216",
};
enum { NFIXTURES = sizeof(fixtures) / sizeof(fixtures[0]) };

/* Minimal ways, and Up*Down* ways over a random order, where some pairs may
 * have none. */
static void test_ways(void)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = generate(fixtures[i]);
		uint32_t *place = malloc(f->nsw * sizeof(*place));

		for (uint32_t s = 0; s < f->nsw; s++)
			place[s] = s;
		weft_rng_shuffle(rng, place, f->nsw);
		for (int updown = 0; updown < 2; updown++) {
			for (uint64_t effort = 0; effort < 1 << 20;
			     effort = effort * 100 + 1) {
				struct weft__improve run;
				struct job j;

				job_open(&j, f, updown ? place : NULL, 1);
				run = improve(&j, effort);
				CU_ASSERT_TRUE(run.after >= run.before);
				CU_ASSERT_TRUE(run.before > 0);
				CU_ASSERT_TRUE(run.after <= 1);
				CU_ASSERT_EQUAL(!run.passes,
						!effort || f->nsw == 1);
				check_allowed(&j);
				job_close(&j);
			}
		}
		free(place);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Exact bandwidth of a job's trees, over all patterns. */
static double exact(const struct job *j)
{
	struct weft_routes r = { 0 };
	double mean;

	CU_ASSERT_EQUAL_FATAL(weft__trees_fill(j->f, &j->trees, &r.lft), 0);
	weft_layers_init(&r.layers);
	mean = test_exact_ebb(j->f, &r).mean;
	weft_routes_free(&r);
	return mean;
}

/* Best exact bandwidth over all choices from switch i of tree d's plan on. */
static double best_of_all(struct job *j, uint32_t d, uint32_t i,
			  const struct weft__run *run)
{
	const struct weft__tree *t = &j->trees.tree[d];
	const struct weft__plan *plan;
	double best = 0;

	if (d == j->trees.nendports)
		return exact(j);
	plan = weft__ways_to(&j->ways, t->root);
	if (!run)
		run = plan->run;
	if (i == plan->n)
		return best_of_all(j, d + 1, 0, NULL);
	for (unsigned n = 0; n < plan->nruns[i]; n++)
		for (unsigned k = 0; k < run[n].length; k++) {
			t->choice[plan->order[i + 1]] = run[n].start + k;
			best = fmax(best, best_of_all(j, d, i + 1,
						      run + plan->nruns[i]));
		}
	return best;
}

static void test_all_choices(void)
{
	static const unsigned ring[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 },
					    { 3, 0 } };
	static const unsigned ring_hosts[] = { 2, 1, 2, 1 };
	static const unsigned tree[][2] = { { 0, 2 }, { 0, 3 }, { 1, 2 },
					    { 1, 3 } };
	static const unsigned tree_hosts[] = { 3, 3, 0, 0 };
	struct weft_fabric *f[] = {
		test_fabric(4, ring_hosts, ring, 4, 0),
		test_fabric(4, tree_hosts, tree, 4, 0),
	};

	for (unsigned i = 0; i < 2; i++) {
		double was, is;
		struct job j;

		job_open(&j, f[i], NULL, 1);
		was = exact(&j);
		improve(&j, UINT64_MAX);
		is = exact(&j);
		CU_ASSERT_TRUE(is >= was - 0.01);
		CU_ASSERT_TRUE(is >= 0.97 * best_of_all(&j, 0, 0, NULL));
		job_close(&j);
		weft_fabric_free(f[i]);
	}
}

/* Share of bandwidth measured with patterns that nothing was fitted to. */
static double measured(const struct job *j)
{
	struct weft_ebb_spec spec = { .patterns = 200, .seed = 99,
				      .threads = 1 };
	struct weft_routes r = { 0 };
	struct weft_ebb ebb;

	CU_ASSERT_EQUAL_FATAL(weft__trees_fill(j->f, &j->trees, &r.lft), 0);
	weft_layers_init(&r.layers);
	CU_ASSERT_EQUAL_FATAL(weft_ebb_run(j->f, &r, &spec, &ebb, NULL), 0);
	weft_routes_free(&r);
	return ebb.mean;
}

/* Loads are balanced well before: what is gained is not balance. */
static void test_gain(void)
{
	static const struct {
		const char *spec;
		double gain;
	} cases[] = {
		{ "rack648", 1.03 }, { "torus:4x4x4,hosts=4", 1.03 },
		{ "hypercube:6,hosts=8", 1.03 }, { "deimos", 1.025 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct weft_fabric *f = generate(cases[i].spec);
		double was;
		struct job j;

		job_open(&j, f, NULL, 4);
		was = measured(&j);
		improve(&j, WEFT__EFFORT);
		CU_ASSERT_TRUE(measured(&j) > cases[i].gain * was);
		job_close(&j);
		weft_fabric_free(f);
	}
}

static bool same(const struct job *a, const struct job *b)
{
	for (uint32_t d = 0; d < a->trees.nendports; d++)
		if (a->trees.tree[d].lid != b->trees.tree[d].lid ||
		    memcmp(a->trees.tree[d].choice, b->trees.tree[d].choice,
			   a->f->nsw))
			return false;
	return true;
}

static void test_deterministic(void)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = generate(fixtures[i]);
		struct weft_fabric *g = rebuild_shuffled(f, rng);
		struct job j, k;

		CU_ASSERT_PTR_NOT_NULL_FATAL(g);
		job_open(&j, f, NULL, 2);
		job_open(&k, g, NULL, 2);
		improve(&j, 1 << 20);
		improve(&k, 1 << 20);
		CU_ASSERT_TRUE(same(&j, &k));
		job_close(&j);
		job_close(&k);
		weft_fabric_free(f);
		weft_fabric_free(g);
	}
	weft_rng_free(rng);
}

static struct weft__improve step(struct job *j, struct weft__improver *i,
				 uint64_t effort)
{
	struct weft__improve run = { .effort = effort, .seed = SEED };

	CU_ASSERT_EQUAL_FATAL(weft__improver_run(i, &j->ways, &j->trees, &run),
			      0);
	return run;
}

/* Whoever judges trees first improves them in the same way, and knows what they
 * are worth then, whether they were taken or not. */
static void test_steps(void)
{
	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = generate(fixtures[i]);
		struct weft__improver *improver;
		struct weft__improve all, some, more;
		struct job j, k;

		job_open(&j, f, NULL, 1);
		job_open(&k, f, NULL, 1);
		improver = weft__improver_new(f, k.arena, false, 1);
		CU_ASSERT_PTR_NOT_NULL_FATAL(improver);
		all = improve(&j, 1 << 20);
		CU_ASSERT_EQUAL(step(&k, improver, 0).before, all.before);
		some = step(&k, improver, 1 << 20);
		CU_ASSERT_EQUAL(some.before, all.before);
		CU_ASSERT_EQUAL(some.after, all.after);
		CU_ASSERT_TRUE(same(&j, &k));
		CU_ASSERT_EQUAL(step(&k, improver, 0).after, all.after);
		all = improve(&j, 1);
		more = step(&k, improver, 1);
		CU_ASSERT_EQUAL(more.after, all.after);
		CU_ASSERT_TRUE(same(&j, &k));
		job_close(&j);
		job_close(&k);
		weft_fabric_free(f);
	}
}

/* A sample tells about what all would, before and after; and trees that others
 * have changed are looked at anew. */
static void test_sample(void)
{
	struct weft_fabric *f = generate("torus:4x4x4,hosts=4,fail-links=5%");
	struct weft__improver *improver;
	struct weft__improve all, some;
	struct job j, k;

	job_open(&j, f, NULL, 1);
	job_open(&k, f, NULL, 1);
	improver = weft__improver_new(f, k.arena, false, 4);
	CU_ASSERT_PTR_NOT_NULL_FATAL(improver);
	all = improve(&j, 1);
	some = step(&k, improver, 0);
	CU_ASSERT_NOT_EQUAL(some.before, all.before);
	CU_ASSERT_DOUBLE_EQUAL(some.before, all.before, 0.005);
	some = step(&k, improver, 1);
	CU_ASSERT_EQUAL(some.before, all.before);
	CU_ASSERT_TRUE(all.after > all.before + 0.005);
	CU_ASSERT_DOUBLE_EQUAL(some.after, all.after, 0.002);
	CU_ASSERT_TRUE(same(&j, &k));
	job_close(&j);
	job_open(&j, f, NULL, 1);
	for (uint32_t d = 0; d < j.trees.nendports; d++)
		memcpy(k.trees.tree[d].choice, j.trees.tree[d].choice, f->nsw);
	weft__improver_forget(improver);
	CU_ASSERT_DOUBLE_EQUAL(step(&k, improver, 0).before, all.before, 0.005);
	job_close(&j);
	job_close(&k);
	weft_fabric_free(f);
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
			best = fmax(best, measured(&j));
		}
		split(&j, 8);
		improve(&j, UINT64_MAX);
		CU_ASSERT_TRUE(measured(&j) > 0.985 * best);
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
	was = measured(&j);
	improve(&j, WEFT__EFFORT);
	is = measured(&j);
	CU_ASSERT_TRUE(is > 0.995 * was);
	CU_ASSERT_EQUAL(weft__trees_worth(f, &j.trees, &worth), 0);
	CU_ASSERT_TRUE(fabs(worth - is) < 0.02 * is);
	job_close(&j);
	weft_fabric_free(f);
}

/* What aggregation nodes do neither counts nor changes. */
static void test_hosts_only(void)
{
	struct weft__improve run = { .effort = UINT64_MAX, .seed = SEED,
				     .hosts_only = true };
	struct weft_fabric *f = generate("torus:4x4,hosts=4");
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
	CU_ASSERT_TRUE(run.after > improve(&k, UINT64_MAX).after);
	job_close(&j);
	job_close(&k);
	f->ep = was;
	free(ep);
	weft_fabric_free(f);
}

enum { LANES = 4 };

/* Up in lane k is to the switch nearer to number k * nsw / LANES. */
static void set_up(const struct job *j, uint16_t *up)
{
	const struct weft_fabric *f = j->f;
	uint16_t *hops = malloc(f->nsw * sizeof(*hops));
	uint32_t *queue = malloc(f->nsw * sizeof(*queue));

	for (unsigned k = 0; k < LANES; k++) {
		weft__bfs(f, k * f->nsw / LANES, hops, queue);
		for (uint32_t s = 0; s < f->nsw; s++) {
			for (uint32_t e = f->adj_first[s];
			     e < f->adj_first[s + 1]; e++) {
				uint32_t t = f->peer[f->adj[e]];

				if (hops[t] < hops[s] ||
				    (hops[t] == hops[s] && t < s))
					up[e] |= 1u << k;
			}
		}
	}
	free(hops);
	free(queue);
}

/* Lanes in which a route climbs, then descends. */
static unsigned lanes_of(const struct job *j, const struct weft__tree *t,
			 uint32_t s, const uint16_t *up)
{
	unsigned lanes = (1u << LANES) - 1, descending = 0;

	for (unsigned hops = 0; s != t->root; hops++) {
		uint32_t e = next_edge(j, t, s);

		CU_ASSERT_TRUE_FATAL(hops < MAX_HOPS);
		lanes &= ~(descending & up[e]);
		descending |= ~up[e];
		s = j->f->peer[j->f->adj[e]];
	}
	return lanes;
}

/* Pairs of switches whose routes have no lane in common. */
static unsigned count_left(const struct job *j, const uint16_t *up)
{
	uint32_t nsw = j->f->nsw;
	unsigned *common = malloc(nsw * nsw * sizeof(*common)), left = 0;

	memset(common, 0xff, nsw * nsw * sizeof(*common));
	for (uint32_t d = 0; d < j->trees.nendports; d++) {
		const struct weft__tree *t = &j->trees.tree[d];

		for (uint32_t s = 0; s < nsw; s++) {
			unsigned lanes = lanes_of(j, t, s, up);

			common[s * nsw + t->root] &= lanes;
			common[t->root * nsw + s] &= lanes;
		}
	}
	for (uint32_t i = 0; i < nsw * nsw; i++)
		left += !common[i];
	free(common);
	return left;
}

/* Far more pairs keep a lane than with trees that know of none. */
static void test_lanes(void)
{
	static const unsigned care[] = { 1, 2, 16 };
	struct weft_fabric *f = generate("random:40x6,10,seed=2");
	uint16_t *up = calloc(f->adj_first[f->nsw], sizeof(*up));
	struct weft__turns turns;
	unsigned before;
	struct job j;

	job_open(&j, f, NULL, 1);
	set_up(&j, up);
	CU_ASSERT_TRUE_FATAL(weft__turns_init(&turns, f, j.arena));
	weft__turns_climb(&turns, up);
	improve(&j, UINT64_MAX);
	before = count_left(&j, up);
	for (unsigned i = 0; i < 3; i++) {
		struct weft__legal legal;
		struct weft__improve run = { .effort = 1, .seed = SEED,
					     .legal = &legal };
		unsigned left;

		CU_ASSERT_TRUE_FATAL(weft__legal_init(&legal, &turns, LANES,
						      j.arena));
		legal.care = care[i];
		CU_ASSERT_EQUAL(weft__improve_trees(&j.ways, &j.trees, &run),
				0);
		left = count_left(&j, up);
		CU_ASSERT_TRUE(left * 2 < before);
	}
	job_close(&j);
	free(up);
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
	struct weft_fabric *f = generate("torus:4x4,hosts=3");
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
		{ "the model, pair by pair", test_model },
		{ "allowed ways, never worse", test_ways },
		{ "all choices tried", test_all_choices },
		{ "more bandwidth measured", test_gain },
		{ "the same from any discovery", test_deterministic },
		{ "judged first, improved later", test_steps },
		{ "a sample of trees", test_sample },
		{ "fast and slow cables", test_speeds },
		{ "fast and slow hosts", test_rates },
		{ "loads that outgrow the tables", test_outgrown },
		{ "hosts only", test_hosts_only },
		{ "a lane for pairs", test_lanes },
		{ NULL, NULL },
	};

	printf("seed %d\n", SEED);
	return suite_run("improve", tests);
}
