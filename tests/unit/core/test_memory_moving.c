// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Memory runs out where packets move: in simulations, across subnets, and while
 * tables change.
 */
#include "memory_util.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#define US 1000000ull	/* ps */

static const uint32_t groups[] = { 0, 0, 0, 1, 1, 1, 2, 2, 2 };

/* What to simulate. */
enum {
	ROUNDS, SCHEDULE, BESIDE, LOAD, LONGER_WAYS, SIMULATIONS
};

static int simulate(const struct job *job, struct weft_sim_spec *spec,
		    uint64_t *digest)
{
	struct weft_sim out;
	int err = weft_sim_run(job->fabric, job->routes, spec, &out, NULL);

	if (err)
		return err;
	add(digest, &out.delivered, sizeof(out.delivered));
	add(digest, &out.hops, sizeof(out.hops));
	add(digest, &out.time, sizeof(out.time));
	weft_sim_free(&out);
	return 0;
}

/* With a pattern, as it is or as a schedule. */
static int simulate_pattern(const struct job *job, struct weft_sim_spec *spec,
			    uint64_t *digest)
{
	struct weft_sim_schedule schedule = { .n = 0 };
	struct weft_traffic *t;
	int err = weft_traffic_new("shift", spec->mapping->nranks, &t, NULL);

	if (err)
		return err;
	if (job->number == ROUNDS) {
		spec->traffic = t;
		err = simulate(job, spec, digest);
	} else {
		err = weft_sim_schedule_rounds(t, spec->bytes,
					       WEFT_SIM_SYNC_RANK, false, 1, 1,
					       &schedule);
		spec->schedule = &schedule;
		spec->beside = job->number == BESIDE ? t : NULL;
		if (!err)
			err = simulate(job, spec, digest);
		weft_sim_schedule_free(&schedule);
	}
	weft_traffic_free(t);
	return err;
}

static int run_sim(const struct job *job, uint64_t *digest)
{
	const struct weft_mapping_spec order = { .order = WEFT_ORDER_GUID };
	struct weft_mapping mapping;
	struct weft_sim_spec spec;
	int err = weft_mapping_init(&mapping, job->fabric, &order, NULL);

	if (err)
		return err;
	weft_sim_preset(&spec);
	spec.mapping = &mapping;
	spec.bytes = 3000;
	spec.time = 20 * US;
	spec.parts = job->number == LOAD;
	spec.cc.on = job->number == LOAD;
	if (job->number == LONGER_WAYS) {
		spec.paths = WEFT_SIM_PAR;
		spec.group = groups;
	}
	err = job->number < LOAD ? simulate_pattern(job, &spec, digest) :
				   simulate(job, &spec, digest);
	weft_mapping_free(&mapping);
	return err;
}

TEST(test_simulations)
{
	struct weft_fabric *f = fabric("torus:3x3,hosts=2");
	struct weft_routes r = { 0 };
	struct job job = { .name = "simulations", .run = run_sim,
			   .fabric = f, .routes = &r };

	route(f, "psssp", &r);
	for (; job.number < SIMULATIONS; job.number++) {
		suite_case("simulation %u", job.number);
		check(&job);
	}
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* --- subnets --------------------------------------------------------------- */

static struct weft_subnets *subnets;

static int prove(const struct weft_whole *whole,
		 const struct weft_router_map *map, uint64_t *digest)
{
	const struct weft_subnets_spec spec = { .share = .5, .patterns = 2 };
	struct weft_subnets_bandwidth bandwidth;
	struct weft_subnets_proof p;
	int err = weft_subnets_prove(subnets, whole, map, &p, NULL);

	if (err)
		return err;
	err = weft_subnets_measure(subnets, whole, map, &spec, &bandwidth,
				   NULL);
	if (!err) {
		add(digest, &p.crossing, sizeof(p.crossing));
		add(digest, &p.ncycles, sizeof(p.ncycles));
		add(digest, &bandwidth.mean, sizeof(bandwidth.mean));
	}
	weft_subnets_proof_free(&p);
	return err;
}

static int run_map(const struct job *job, uint64_t *digest)
{
	const struct weft_router_map_spec spec = { .method = job->number };
	struct weft_router_map map;
	struct weft_whole whole;
	int err = weft_router_map_make(subnets, &spec, &map, NULL);

	if (err)
		return err;
	err = weft_subnets_whole(subnets, &whole, NULL);
	if (!err) {
		err = prove(&whole, &map, digest);
		weft_whole_free(subnets, &whole);
	}
	weft_router_map_free(&map);
	return err;
}

static int run_subnets(const struct job *job, uint64_t *digest)
{
	struct weft_subnets *s;
	int err = weft_subnets_gen(job->text, &s, NULL);

	if (err)
		return err;
	add(digest, &s->nports, sizeof(s->nports));
	for (uint32_t i = 0; i < s->n; i++)
		add_fabric(digest, s->subnet[i].fabric);
	weft_subnets_free(s);
	return 0;
}

/* Shortest ways between the last of these close a credit loop. */
TEST(test_subnets)
{
	static const char *const specs[] = {
		"subnets:2,routers=2,ports=2,of=mesh:3x3,hosts=1",
		"subnets:3,routers=2,ports=1,of=ring:5,hosts=1",
	};

	for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct job job = { .name = "subnets", .run = run_subnets,
				   .text = specs[i] };

		suite_case("%s", specs[i]);
		check(&job);
#ifdef _OPENMP
		omp_set_num_threads(1);	/* allocations are counted by one */
#endif
		ASSERT_EQ(weft_subnets_gen(specs[i], &subnets, NULL), 0);
		for (uint32_t k = 0; k < subnets->n; k++)
			route(subnets->subnet[k].fabric, "psssp",
			      &subnets->subnet[k].routes);
		job.run = run_map;
		for (; job.number < WEFT_ROUTER_MAP_METHODS; job.number++)
			check(&job);
		weft_subnets_free(subnets);
	}
}

/* --- transitions ----------------------------------------------------------- */

static struct weft_routes after;

static int run_transition(const struct job *job, uint64_t *digest)
{
	const struct weft_transition_spec spec = { .search = true };
	struct weft_transition t;
	int err = weft_transition_run(job->fabric, job->routes, &after, &spec,
				      &t, NULL);

	if (err)
		return err;
	add(digest, &t.cyclic_vls, sizeof(t.cyclic_vls));
	add(digest, &t.writes, sizeof(t.writes));
	add(digest, &t.opensm.lost, sizeof(t.opensm.lost));
	add(digest, &t.verdict, sizeof(t.verdict));
	add(digest, t.order, t.norder * sizeof(*t.order));
	weft_transition_free(&t);
	return 0;
}

/* To tables with which all orders are safe, some, and none. */
TEST(test_transitions)
{
	static const char *const cases[][3] = {
		{ "torus:3x3,hosts=2", "psssp", "updn" },
		{ "ring:5,hosts=2", "minhop", "updn" },
		{ "random:6x2,5,seed=1", "updn", "random" },
		{ "random:8x2,5,seed=3", "random", "psssp" },
		/* of which both have no credit loop, and all together one */
		{ "mesh:3x3,hosts=1", "updn", "weave" },
		{ "random:8x2,5,seed=4", "eftree", "updn" },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct weft_fabric *f = fabric(cases[i][0]);
		struct weft_routes before = { 0 };
		struct job job = { .name = "transitions",
				   .run = run_transition,
				   .fabric = f, .routes = &before };

		suite_case("%s, %s to %s", cases[i][0], cases[i][1],
			   cases[i][2]);
		route(f, cases[i][1], &before);
		route(f, cases[i][2], &after);
		check(&job);
		weft_routes_free(&before);
		weft_routes_free(&after);
		weft_fabric_free(f);
	}
}
