// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Proofs against brute force, on random small fabrics of every shape with
 * tables from perfect to garbage, all forms of SLs and all kinds of SL2VL.
 */
#include "proof_brute.h"
#include "proof_random.h"
#include "layers/run.h"
#include "suite.h"

#include <stdlib.h>

#define SEED 20240607u

/* Same examples in the same order. */
static void compare_findings(const struct brute *b,
			     const struct weft_proof *p)
{
	uint32_t at = 0;

	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++) {
		for (uint32_t i = 0; i < b->kept[kind]; i++, at++) {
			const struct weft_finding *x =
				&b->example[kind * b->spec->max_examples + i];
			const struct weft_finding *y = &p->finding[at];

			CU_ASSERT_FATAL(at < p->nfindings);
			CU_ASSERT(x->kind == y->kind &&
				  x->source == y->source &&
				  x->dest == y->dest && x->lid == y->lid);
			CU_ASSERT(x->sw == y->sw && x->port == y->port &&
				  x->sl == y->sl && x->hops == y->hops &&
				  x->minimum == y->minimum);
		}
	}
	CU_ASSERT_EQUAL(at, p->nfindings);
}

static void compare_loads(const struct brute *b, const struct weft_proof *p)
{
	const struct weft_fabric *f = b->fabric;
	uint64_t low = UINT64_MAX, high = 0, sum = 0;
	uint32_t n = 0, zero = 0;

	CU_ASSERT_EQUAL(memcmp(b->load, p->channel_load,
			       f->first_injection * sizeof(*b->load)), 0);
	for (uint32_t ch = 0; ch < f->first_injection; ch++) {
		if (!weft_is_switch(f->peer[ch]) ||
		    f->peer[ch] == weft_channel_switch(f, ch))
			continue;
		n++;
		sum += b->load[ch];
		zero += !b->load[ch];
		low = b->load[ch] < low ? b->load[ch] : low;
		high = b->load[ch] > high ? b->load[ch] : high;
	}
	CU_ASSERT(p->load_channels == n && p->load_zero == zero);
	CU_ASSERT(p->load_min == (n ? low : 0) && p->load_max == high);
	CU_ASSERT_DOUBLE_EQUAL(p->load_mean, n ? (double)sum / n : 0, 1e-9);
}

static void compare_cycles(const struct brute *b, const struct weft_proof *p)
{
	const struct weft_cycle *c = p->cycle;

	for (unsigned lane = 0; lane < WEFT_NSL; lane++) {
		if (!b->shortest[lane])
			continue;
		CU_ASSERT_FATAL(c < p->cycle + p->cyclic_vls);
		CU_ASSERT(c->vl == lane && c->lane[0] == lane);
		CU_ASSERT_EQUAL(c->n, b->shortest[lane]);
		for (uint32_t i = 0, j = c->n - 1; i < c->n; j = i++)
			CU_ASSERT(brute_waits(b, c->channel[j], c->lane[j],
					      c->channel[i], c->lane[i]));
		c++;
	}
	CU_ASSERT_PTR_EQUAL(c, p->cycle + p->cyclic_vls);
}

/* Edge by edge: all of the library's are in the matrix, and as many. */
static void compare_edges(const struct brute *b, const struct weft__cdg *g)
{
	uint64_t ours = 0, theirs = 0;

	for (uint32_t v = 0; v < g->nv; v++)
		for (uint32_t at = 0, w;
		     (w = weft__cdg_next(g, v, &at)) != WEFT_NONE; ours++)
			CU_ASSERT(brute_waits(b, v % g->nch, v / g->nch,
					      w % g->nch, w / g->nch));
	for (uint32_t i = 0; i < b->nv; i++)
		for (uint32_t j = 0; j < b->nv; j++)
			theirs += b->edge[(size_t)i * b->max + j];
	CU_ASSERT_EQUAL(ours, theirs);
}

static void compare_counts(const struct brute *b, const struct weft_proof *p)
{
	uint64_t unreachable = b->pairs - b->reached, sum = 0;
	uint32_t max = 0;

	for (uint32_t h = 0; h <= b->fabric->nsw; h++) {
		sum += h * b->hops[h];
		max = b->hops[h] ? h : max;
	}
	CU_ASSERT_EQUAL(b->pairs, p->pairs);
	CU_ASSERT_EQUAL(b->reached, p->reached);
	CU_ASSERT_EQUAL(unreachable, p->unreachable);
	CU_ASSERT_EQUAL(memcmp(b->found, p->found, sizeof(b->found)), 0);
	CU_ASSERT_EQUAL(b->found[WEFT_FIND_LOOP], p->loops);
	CU_ASSERT_EQUAL(b->found[WEFT_FIND_NONMINIMAL], p->nonminimal);
	CU_ASSERT_EQUAL(b->found[WEFT_FIND_NO_LID], p->no_lid);
	CU_ASSERT(p->hops_sum == sum && p->max_hops == max);
	CU_ASSERT_EQUAL(memcmp(b->hops, p->hops_pairs,
			       (max + 1) * sizeof(*b->hops)), 0);
	CU_ASSERT_EQUAL(weft_proof_holds(p), !unreachable && !p->cyclic_vls);
}

/* What was not asked for is left empty and changes nothing else. */
static void compare_less(const struct brute *b, const struct weft_proof *p,
			 struct weft_proof_spec spec)
{
	struct weft_proof q;

	spec.minimal = spec.loads = spec.credit_loops = false;
	spec.max_examples = 0;
	CU_ASSERT_FATAL(!weft_proof_run(b->fabric, b->routes, &spec, &q,
					NULL));
	CU_ASSERT(q.pairs == p->pairs && q.reached == p->reached &&
		  q.loops == p->loops && q.hops_sum == p->hops_sum);
	CU_ASSERT(!q.nonminimal && !q.channel_load && !q.cyclic_vls &&
		  !q.nfindings);
	weft_proof_free(&q);
}

/* What the random cases hold, so that a test of nothing is noticed. */
static struct {
	unsigned cases, cyclic, mixed_cycles, found[WEFT_FIND_KINDS];
} met;

static void note(const struct weft_proof *p)
{
	met.cases++;
	met.cyclic += p->cyclic_vls != 0;
	for (unsigned i = 0; i < p->cyclic_vls; i++)
		for (uint32_t k = 1; k < p->cycle[i].n; k++)
			met.mixed_cycles += p->cycle[i].lane[k] !=
				p->cycle[i].lane[0];
	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++)
		met.found[kind] += p->found[kind] != 0;
}

static void compare(const struct weft_fabric *f,
		    const struct weft_routes *routes,
		    const struct weft_proof_spec *spec)
{
	struct brute b = { .fabric = f, .routes = routes, .spec = spec };
	struct weft__cdg graph;
	struct weft_proof p;

	brute_run(&b);
	CU_ASSERT_FATAL(!weft__proof_graph(f, routes, spec, &p, &graph, NULL));
	compare_counts(&b, &p);
	compare_findings(&b, &p);
	compare_loads(&b, &p);
	compare_cycles(&b, &p);
	compare_edges(&b, &graph);
	compare_less(&b, &p, *spec);
	note(&p);
	weft__cdg_free(&graph);
	weft_proof_free(&p);
	brute_free(&b);
}

static void one_case(struct weft_rng *rng, enum random_shape shape,
		     enum random_tables tables)
{
	uint32_t nsw = 1 + weft_rng_below(rng, 9), draw = weft_rng_u32(rng);
	struct weft_fabric *f = random_fabric(rng, shape, nsw);
	struct weft_routes routes = { 0 };
	struct weft_proof_spec spec = {
		.all_hosts = draw & 1, .switches = draw >> 1 & 1,
		.minimal = true, .loads = true, .credit_loops = true,
		.max_examples = draw >> 2 & 7,
	};

	random_routes(rng, f, tables, &routes);
	random_layers(rng, f, weft_rng_below(rng, 4),
		      weft_rng_below(rng, SL2VLS), &routes.layers);
	compare(f, &routes, &spec);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

static void test_random(void)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	printf("seed %u ", SEED);
	for (unsigned round = 0; round < 24; round++)
		for (unsigned shape = 0; shape < SHAPES; shape++)
			for (unsigned tables = 0; tables < TABLES; tables++) {
				unsigned before = CU_get_number_of_failures();
				unsigned now;

				weft_rng_seed_sample(rng, SEED, met.cases);
				one_case(rng, shape, tables);
				now = CU_get_number_of_failures();
				if (now != before)
					printf("case %u (shape %u, tables %u)"
					       " failed\n", met.cases - 1,
					       shape, tables);
			}
	weft_rng_free(rng);
	CU_ASSERT(met.cyclic > 20 && met.cyclic < met.cases - 20);
	CU_ASSERT(met.mixed_cycles > 10);
	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++)
		CU_ASSERT(met.found[kind] > 10);
}

/* Routes along a spanning tree never wait in a circle, on whatever lanes. */
static void test_spanning(void)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));
	struct weft_proof_spec spec = { .credit_loops = true,
					.switches = true };

	for (unsigned round = 0; round < 60; round++) {
		struct weft_fabric *f = random_fabric(rng, round % SHAPES,
						      12);
		struct weft_routes routes = { 0 };
		struct weft_proof p;

		random_routes(rng, f, TABLES_SPANNING, &routes);
		random_layers(rng, f, round % 4, round / 4 % SL2VLS,
			      &routes.layers);
		CU_ASSERT_FATAL(!weft_proof_run(f, &routes, &spec, &p, NULL));
		CU_ASSERT_EQUAL(p.cyclic_vls, 0);
		weft_proof_free(&p);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "agrees with brute force", test_random },
		{ "spanning trees are acyclic", test_spanning },
		{ NULL, NULL },
	};

	return suite_run("proof_random", tests);
}
