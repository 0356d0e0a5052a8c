// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Improved trees: never worse by the model; always by ways that are allowed;
 * near the best of all choices where these can be tried; better when measured;
 * and within lanes.
 */
#include "job.h"
#include "model_util.h"
#include "rebuild.h"

#include "trees/bfs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	struct weft_rng *rng = weft_rng_new(JOB_SEED);

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = route_fabric(fixtures[i], -1);
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
				run = job_improve(&j, effort);
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
		job_improve(&j, UINT64_MAX);
		is = exact(&j);
		CU_ASSERT_TRUE(is >= was - 0.01);
		CU_ASSERT_TRUE(is >= 0.97 * best_of_all(&j, 0, 0, NULL));
		job_close(&j);
		weft_fabric_free(f[i]);
	}
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
		struct weft_fabric *f = route_fabric(cases[i].spec, -1);
		double was;
		struct job j;

		job_open(&j, f, NULL, 4);
		was = job_measure(&j);
		job_improve(&j, WEFT__EFFORT);
		CU_ASSERT_TRUE(job_measure(&j) > cases[i].gain * was);
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
	struct weft_rng *rng = weft_rng_new(JOB_SEED);

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = route_fabric(fixtures[i], -1);
		struct weft_fabric *g = rebuild_shuffled(f, rng);
		struct job j, k;

		CU_ASSERT_PTR_NOT_NULL_FATAL(g);
		job_open(&j, f, NULL, 2);
		job_open(&k, g, NULL, 2);
		job_improve(&j, 1 << 20);
		job_improve(&k, 1 << 20);
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
	struct weft__improve run = { .effort = effort, .seed = JOB_SEED };

	CU_ASSERT_EQUAL_FATAL(weft__improver_run(i, &j->ways, &j->trees, &run),
			      0);
	return run;
}

/* Whoever judges trees first improves them in the same way, and knows what they
 * are worth then, whether they were taken or not. */
static void test_steps(void)
{
	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = route_fabric(fixtures[i], -1);
		struct weft__improver *improver;
		struct weft__improve all, some, more;
		struct job j, k;

		job_open(&j, f, NULL, 1);
		job_open(&k, f, NULL, 1);
		improver = weft__improver_new(f, k.arena, false, 1, false);
		CU_ASSERT_PTR_NOT_NULL_FATAL(improver);
		all = job_improve(&j, 1 << 20);
		CU_ASSERT_EQUAL(step(&k, improver, 0).before, all.before);
		some = step(&k, improver, 1 << 20);
		CU_ASSERT_EQUAL(some.before, all.before);
		CU_ASSERT_EQUAL(some.after, all.after);
		CU_ASSERT_TRUE(same(&j, &k));
		CU_ASSERT_EQUAL(step(&k, improver, 0).after, all.after);
		all = job_improve(&j, 1);
		more = step(&k, improver, 1);
		CU_ASSERT_EQUAL(more.after, all.after);
		CU_ASSERT_TRUE(same(&j, &k));
		job_close(&j);
		job_close(&k);
		weft_fabric_free(f);
	}
}

/* A sample tells about what all would, before and after; and trees that others
 * have changed are looked at anew.  Where first prices are of the sample, too,
 * the trees found are others, worth as much. */
static void test_sample(void)
{
	struct weft_fabric *f =
		route_fabric("torus:4x4x4,hosts=4,fail-links=5%", -1);
	struct weft__improver *improver, *cheap;
	struct weft__improve all, some;
	struct job j, k;

	job_open(&j, f, NULL, 1);
	job_open(&k, f, NULL, 1);
	improver = weft__improver_new(f, k.arena, false, 4, false);
	cheap = weft__improver_new(f, k.arena, false, 4, true);
	CU_ASSERT_FATAL(improver && cheap);
	all = job_improve(&j, 1);
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
	CU_ASSERT_NOT_EQUAL(step(&k, cheap, 1).before, all.before);
	job_improve(&j, 1);
	CU_ASSERT_FALSE(same(&j, &k));
	CU_ASSERT_DOUBLE_EQUAL(job_improve(&k, 0).before, all.after, 0.002);
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
		uint32_t e = job_next_edge(j, t, s);

		CU_ASSERT_TRUE_FATAL(hops < JOB_HOPS);
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
	struct weft_fabric *f = route_fabric("random:40x6,10,seed=2", -1);
	uint16_t *up = calloc(f->adj_first[f->nsw], sizeof(*up));
	struct weft__turns turns;
	unsigned before;
	struct job j;

	job_open(&j, f, NULL, 1);
	set_up(&j, up);
	CU_ASSERT_TRUE_FATAL(weft__turns_init(&turns, f, j.arena));
	weft__turns_climb(&turns, up);
	job_improve(&j, UINT64_MAX);
	before = count_left(&j, up);
	for (unsigned i = 0; i < 3; i++) {
		struct weft__legal legal;
		struct weft__improve run = { .effort = 1, .seed = JOB_SEED,
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

int main(void)
{
	static const struct suite_test tests[] = {
		{ "allowed ways, never worse", test_ways },
		{ "all choices tried", test_all_choices },
		{ "more bandwidth measured", test_gain },
		{ "the same from any discovery", test_deterministic },
		{ "judged first, improved later", test_steps },
		{ "a sample of trees", test_sample },
		{ "a lane for pairs", test_lanes },
		{ NULL, NULL },
	};

	printf("seed %d\n", JOB_SEED);
	return suite_run("improve", tests);
}
