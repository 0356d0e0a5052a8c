// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Proofs against brute force, on random small fabrics of every shape with
 * tables from perfect to garbage, all forms of SLs and all kinds of SL2VL.
 */
#include "../proof_brute.h"
#include "../proof_random.h"
#include "core/arena.h"
#include "proof/lanes.h"
#include "proof/run.h"
#include "../suite.h"

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

			ASSERT(at < p->nfindings);
			EXPECT(x->kind == y->kind && x->source == y->source &&
			       x->dest == y->dest && x->lid == y->lid);
			EXPECT(x->sw == y->sw && x->port == y->port && x->sl ==
			       y->sl && x->hops == y->hops && x->minimum ==
			       y->minimum);
		}
	}
	EXPECT_EQ(at, p->nfindings);
}

static void compare_loads(const struct brute *b, const struct weft_proof *p)
{
	const struct weft_fabric *f = b->fabric;
	uint64_t low = UINT64_MAX, high = 0, sum = 0;
	uint32_t n = 0, zero = 0;

	EXPECT_EQ(memcmp(b->load, p->channel_load, f->first_injection *
		  sizeof(*b->load)), 0);
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
	EXPECT(p->load_channels == n && p->load_zero == zero);
	EXPECT(p->load_min == (n ? low : 0) && p->load_max == high);
	EXPECT_NEAR(p->load_mean, n ? (double)sum / n : 0, 1e-9);
}

/* Vertex i of a cycle, by its number there and in the matrix. */
static uint32_t on_cycle(const struct brute *b, const struct weft_cycle *c,
			 uint32_t i)
{
	i %= c->n;
	return c->lane[i] * b->fabric->nch + c->channel[i];
}

/* Every dependency is there, and its traffic takes both channels in a row. */
static void compare_way(const struct brute *b, const struct weft_cycle *c,
			uint32_t i)
{
	uint32_t way[3 * b->fabric->nsw + 1], n;
	const struct weft_flow *by = &c->by[i];
	bool met_both = false;

	EXPECT(brute_waits(b, c->channel[i], c->lane[i], c->channel[(i + 1) %
	       c->n], c->lane[(i + 1) % c->n]));
	ASSERT(brute_sends(b, by->source, by->lid));
	EXPECT(by->dest == b->fabric->lid_owner[by->lid]);
	EXPECT(by->sl == weft_layers_sl(&b->routes->layers, b->fabric,
	       by->source, by->lid));
	n = brute_way(b, by->source, by->lid, way);
	for (uint32_t k = 1; k < n; k++)
		met_both |= way[k - 1] == on_cycle(b, c, i) &&
			way[k] == on_cycle(b, c, i + 1);
	EXPECT(met_both);
}

/* One shortest cycle of each component, by their lowest vertices. */
static void compare_cycles(const struct brute *b, const struct weft_proof *p)
{
	uint32_t last = 0, lanes = 0, knots = 0;

	for (uint32_t v = 0; v < b->nv; v++) {
		if (b->knot[v] == WEFT_NONE)
			continue;
		lanes |= 1u << b->vertex[v] / b->fabric->nch;
		knots += b->knot[v] == b->vertex[v];
	}
	EXPECT_EQ(p->cyclic_vls, (unsigned)__builtin_popcount(lanes));
	ASSERT_EQ(p->ncycles, knots);
	for (uint32_t i = 0; i < p->ncycles; i++) {
		const struct weft_cycle *c = &p->cycle[i];
		uint32_t knot = b->knot[b->id[on_cycle(b, c, 0)]];
		uint32_t shortest = UINT32_MAX, members = 0;

		EXPECT(knot != WEFT_NONE && (!i || knot > last));
		last = knot;
		for (uint32_t v = 0; v < b->nv; v++) {
			if (b->knot[v] != knot)
				continue;
			members++;
			if (b->length[v] < shortest)
				shortest = b->length[v];
		}
		EXPECT(c->n == shortest && c->shortest);
		EXPECT(c->knot == members && c->vl == c->lane[0]);
		for (uint32_t k = 0; k < c->n; k++)
			compare_way(b, c, k);
	}
}

/* --- routes to move ------------------------------------------------------- */

/* What is sent from one vertex to a LID is a route to move. */
static const struct weft_route *find_moved(const struct brute *b,
					   const struct weft_remedy *m,
					   uint32_t source, unsigned lid,
					   bool by_port)
{
	const struct weft_fabric *f = b->fabric;
	unsigned sl = weft_layers_sl(&b->routes->layers, f, source, lid);
	unsigned in = by_port && weft_is_endport(source) ?
		f->ep[source & ~WEFT_ENDPORT].sw_port : 0;

	for (uint64_t i = 0; i < m->nmoved; i++)
		if (m->moved[i].sw == weft_vertex_switch(f, source) &&
		    m->moved[i].lid == lid && m->moved[i].sl == sl &&
		    m->moved[i].in == in)
			return &m->moved[i];
	return NULL;
}

struct split {
	bool *stay, *move;	/* matrices as brute's; in the second, lanes
				 * are one */
	bool *used;		/* [nmoved] something is sent along it */
	uint64_t turned;	/* of these, those that make their turns */
};

static void split_way(const struct brute *b, const struct weft_proof *p,
		      const struct weft_route *route, const uint32_t *way,
		      uint32_t n, struct split *s)
{
	uint32_t nch = b->fabric->nch;
	const struct weft_turn *t = route ? &p->remedy.turn[route->turn] : NULL;
	bool turns = false;

	for (uint32_t k = 1; k < n; k++) {
		uint32_t x = b->id[way[k - 1]], y = b->id[way[k]];

		if (!route) {
			s->stay[(size_t)x * b->nv + y] = true;
			continue;
		}
		s->move[way[k - 1] % nch * nch + way[k] % nch] = true;
		turns |= way[k - 1] == t->from_vl * nch + t->from &&
			way[k] == t->to_vl * nch + t->to;
	}
	if (!route || s->used[route - p->remedy.moved])
		return;
	s->used[route - p->remedy.moved] = true;
	s->turned += turns;
}

/* Whether input ports of the routes are told apart: a route tells its own, which
 * is 0 for what the switch itself sends. */
static bool told_by_port(const struct brute *b)
{
	const struct weft_layers *y = &b->routes->layers;
	struct weft_arena *scratch = need(weft__arena_new());
	struct weft__proof_lanes lanes;

	ASSERT(!weft__proof_lanes_init(&lanes, b->fabric, y, scratch, NULL));
	weft__arena_free(scratch);
	return lanes.mixed && y->base;
}

static void split_routes(const struct brute *b, const struct weft_proof *p,
			 struct split *s)
{
	const struct weft_fabric *f = b->fabric;
	bool by_port = told_by_port(b);
	uint32_t way[3 * f->nsw + 1];

	for (unsigned lid = 1; lid <= f->max_lid; lid++)
		for (uint32_t i = 0; i < f->nsw + f->nep; i++) {
			uint32_t source = i < f->nsw ? i :
				(i - f->nsw) | WEFT_ENDPORT;
			uint32_t n;

			if (!brute_sends(b, source, lid))
				continue;
			n = brute_way(b, source, lid, way);
			split_way(b, p, find_moved(b, &p->remedy, source, lid,
						   by_port), way, n, s);
		}
}

/* None of the first few could stay: each closes a cycle with those that do. */
static void compare_least(const struct brute *b, const struct weft_proof *p,
			  const struct split *s)
{
	const struct weft_fabric *f = b->fabric;
	size_t size = (size_t)b->nv * b->nv;
	bool *edge = need(malloc(size + 1)), by_port = told_by_port(b);
	uint32_t way[3 * f->nsw + 1], tried = 0;

	for (uint32_t k = 0; k < (f->max_lid + 1) * (f->nsw + f->nep); k++) {
		uint32_t i = k % (f->nsw + f->nep), n;
		unsigned lid = k / (f->nsw + f->nep);
		uint32_t source = i < f->nsw ? i :
			(i - f->nsw) | WEFT_ENDPORT;

		if (tried == 4 || !brute_sends(b, source, lid) ||
		    !find_moved(b, &p->remedy, source, lid, by_port))
			continue;
		tried++;
		memcpy(edge, s->stay, size);
		n = brute_way(b, source, lid, way);
		for (uint32_t j = 1; j < n; j++)
			edge[(size_t)b->id[way[j - 1]] * b->nv +
			     b->id[way[j]]] = true;
		EXPECT(brute_cyclic(edge, b->nv));
	}
	EXPECT(tried > 0);
	free(edge);
}

static void count_remedy(const struct brute *b, const struct weft_remedy *m)
{
	bool *lid = need(calloc(b->fabric->max_lid + 1, 1));
	bool *sw = need(calloc(b->fabric->nsw + 1, 1));
	uint32_t lids = 0, switches = 0;
	uint64_t routes = 0;

	for (uint64_t i = 0; i < m->nmoved; i++) {
		lids += !lid[m->moved[i].lid];
		switches += !sw[m->moved[i].sw];
		lid[m->moved[i].lid] = sw[m->moved[i].sw] = true;
	}
	EXPECT(m->lids == lids && m->switches == switches);
	for (uint32_t i = 0; i < m->nturns; i++)
		routes += m->turn[i].routes;
	EXPECT_EQ(routes, m->nmoved);
	EXPECT(m->nmoved <= m->routes);
	free(lid);
	free(sw);
}

/* Without the routes to move, and between these in a lane of their own. */
static void compare_remedy(const struct brute *b, const struct weft_proof *p)
{
	const struct weft_remedy *m = &p->remedy;
	size_t nch = b->fabric->nch;
	struct split s = {
		.stay = need(calloc((size_t)b->nv * b->nv + 1, 1)),
		.move = need(calloc(nch * nch + 1, 1)),
		.used = need(calloc(m->nmoved + 1, 1)),
	};

	EXPECT_EQ(m->nmoved > 0, p->ncycles > 0);
	EXPECT_EQ(m->nturns > 0, p->ncycles > 0);
	if (p->ncycles) {
		count_remedy(b, m);
		split_routes(b, p, &s);
		EXPECT(!brute_cyclic(s.stay, b->nv));
		EXPECT_EQ(brute_cyclic(s.move, nch), !m->one_lane);
		EXPECT_EQ(s.turned, m->nmoved);
		compare_least(b, p, &s);
	}
	free(s.stay);
	free(s.move);
	free(s.used);
}

/* Edge by edge: all of the library's are in the matrix, and as many. */
static void compare_edges(const struct brute *b, const struct weft__cdg *g)
{
	uint64_t ours = 0, theirs = 0;

	for (uint32_t v = 0; v < g->nv; v++)
		for (uint32_t at = 0, w;
		     (w = weft__cdg_next(g, v, &at)) != WEFT_NONE; ours++)
			EXPECT(brute_waits(b, v % g->nch, v / g->nch, w %
			       g->nch, w / g->nch));
	for (uint32_t i = 0; i < b->nv; i++)
		for (uint32_t j = 0; j < b->nv; j++)
			theirs += b->edge[(size_t)i * b->max + j];
	EXPECT_EQ(ours, theirs);
}

static void compare_counts(const struct brute *b, const struct weft_proof *p)
{
	uint64_t unreachable = b->pairs - b->reached, sum = 0;
	uint32_t max = 0;

	for (uint32_t h = 0; h <= b->fabric->nsw; h++) {
		sum += h * b->hops[h];
		max = b->hops[h] ? h : max;
	}
	EXPECT_EQ(b->pairs, p->pairs);
	EXPECT_EQ(b->reached, p->reached);
	EXPECT_EQ(unreachable, p->unreachable);
	EXPECT_EQ(memcmp(b->found, p->found, sizeof(b->found)), 0);
	EXPECT_EQ(b->found[WEFT_FIND_LOOP], p->loops);
	EXPECT_EQ(b->found[WEFT_FIND_NONMINIMAL], p->nonminimal);
	EXPECT_EQ(b->found[WEFT_FIND_NO_LID], p->no_lid);
	EXPECT_EQ(b->found[WEFT_FIND_APART], p->apart);
	EXPECT(p->parts > 1 || !p->apart);
	EXPECT(p->hops_sum == sum && p->max_hops == max);
	EXPECT_EQ(memcmp(b->hops, p->hops_pairs, (max + 1) * sizeof(*b->hops)),
		  0);
	EXPECT_EQ(weft_proof_holds(p), !unreachable && !p->cyclic_vls);
}

/* What was not asked for is left empty and changes nothing else. */
static void compare_less(const struct brute *b, const struct weft_proof *p,
			 struct weft_proof_spec spec)
{
	struct weft_proof q;

	spec.minimal = spec.loads = spec.credit_loops = spec.explain = false;
	spec.max_examples = 0;
	ASSERT(!weft_proof_run(b->fabric, b->routes, &spec, &q, NULL));
	EXPECT(q.pairs == p->pairs && q.reached == p->reached && q.loops ==
	       p->loops && q.hops_sum == p->hops_sum);
	EXPECT(!q.nonminimal && !q.channel_load && !q.cyclic_vls && !q.ncycles
	       && !q.remedy.nmoved && !q.nfindings);
	weft_proof_free(&q);
}

/* What the random cases hold, so that a test of nothing is noticed. */
static struct {
	unsigned cases, cyclic, mixed_cycles, knots, one_lane, more_lanes;
	unsigned found[WEFT_FIND_KINDS];
} met;

static void note(const struct weft_proof *p)
{
	met.cases++;
	met.cyclic += p->cyclic_vls != 0;
	met.knots += p->ncycles > p->cyclic_vls;
	met.one_lane += p->ncycles && p->remedy.one_lane;
	met.more_lanes += p->ncycles && !p->remedy.one_lane;
	for (uint32_t i = 0; i < p->ncycles; i++)
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
	ASSERT(!weft__proof_graph(f, routes, spec, &p, &graph, NULL));
	compare_counts(&b, &p);
	compare_findings(&b, &p);
	compare_loads(&b, &p);
	compare_cycles(&b, &p);
	compare_remedy(&b, &p);
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
		.between_switches = draw >> 5 & 1, .explain = true,
	};

	random_routes(rng, f, tables, &routes);
	random_any_layers(rng, f, SL2VLS, &routes.layers);
	compare(f, &routes, &spec);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

TEST(test_random)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	printf("seed %u ", SEED);
	for (unsigned round = 0; round < 24; round++)
		for (unsigned shape = 0; shape < SHAPES; shape++)
			for (unsigned tables = 0; tables < TABLES; tables++) {
				suite_case("case %u: shape %u, tables %u",
					   met.cases, shape, tables);
				weft_rng_seed_sample(rng, SEED, met.cases);
				one_case(rng, shape, tables);
			}
	weft_rng_free(rng);
	EXPECT(met.cyclic > 20 && met.cyclic < met.cases - 20);
	EXPECT(met.mixed_cycles > 10);
	EXPECT(met.knots > 10 && met.one_lane > 10 && met.more_lanes > 10);
	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++)
		EXPECT(met.found[kind] > 10);
}

/* Generated fabrics, as engines leave them, and layered within any number of
 * lanes there may be. */
static void one_fabric(const char *name, const char *engine, unsigned lanes)
{
	struct weft_layering_spec layering = { .lanes = lanes,
					       .one_way = lanes & 1 };
	struct weft_proof_spec spec = {
		.switches = true, .between_switches = true, .minimal = true,
		.loads = true, .credit_loops = true, .explain = true,
		.max_examples = 1,
	};
	const struct weft_engine *e = need((void *)weft_engine_find(engine));
	struct weft_routes routes = { 0 };
	struct weft_layering out;
	struct weft_options *options;
	struct weft_fabric *f;
	unsigned cyclic = met.cyclic;

	ASSERT(!weft_gen(name, &f, NULL));
	ASSERT(!weft_options_new(&options, e->options));
	ASSERT(!e->route(f, options, &routes, NULL));
	weft_options_free(options);
	if (lanes)
		ASSERT(!weft_layering_run(f, &routes, &layering, &out, NULL));
	compare(f, &routes, &spec);
	EXPECT(!lanes || met.cyclic == cyclic);
	spec.between_switches = false;
	compare(f, &routes, &spec);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

TEST(test_fabrics)
{
	static const char *const fabric[] = {
		"ring:6", "torus:3x3", "torus:4x4,hosts=2", "mesh:3x3",
		"hypercube:3", "full:5", "pgft:2;4,4;1,4;1,1", "kary:2;3",
		"dragonfly:2,1,1,3", "ring:5,links=2,lmc=1",
	};
	static const char *const engine[] = { "minhop", "psssp", "updn" };
	unsigned n = 0, before = met.cyclic;

	for (unsigned i = 0; i < sizeof(fabric) / sizeof(*fabric); i++)
		for (unsigned e = 0; e < 3; e++, n++) {
			one_fabric(fabric[i], engine[e], 0);
			one_fabric(fabric[i], engine[e], 1 + n % 15);
		}
	EXPECT(met.cyclic > before + 10);
}

/* Routes along a spanning tree never wait in a circle, on whatever lanes. */
TEST(test_spanning)
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
		ASSERT(!weft_proof_run(f, &routes, &spec, &p, NULL));
		EXPECT_EQ(p.cyclic_vls, 0);
		weft_proof_free(&p);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}
