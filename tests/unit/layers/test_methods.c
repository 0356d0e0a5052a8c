// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The methods of layering keep to the limit of lanes, count right how many are
 * in use and what has none, and leave no cycle in any lane.
 */
#include "layers/job.h"
#include "../proof_random.h"
#include "../suite.h"

#include <stdlib.h>

#define SEED 61u

typedef int method(struct weft__job *job, unsigned limit,
		   struct weft__lanes_found *out);

/* How a method was called, and what it found. */
struct outcome {
	const struct weft__job *job;
	struct weft__lanes_found found;
	unsigned limit;
};

static void check_counts(const struct outcome *o)
{
	const struct weft__traffic *t = &o->job->traffic;
	size_t n = o->found.by_tree ? t->ntrees : (size_t)t->nsw * t->nsw;
	uint64_t unplaced = 0;
	unsigned used = 1;

	for (size_t i = 0; i < n; i++) {
		unsigned lane = o->found.lane[i];

		if (lane == WEFT__UNPLACED)
			unplaced++;
		else if (lane >= used)
			used = lane + 1;
	}
	EXPECT_EQ(o->found.unplaced, unplaced);
	EXPECT_EQ(o->found.nlanes, used);
	EXPECT(used <= o->limit);
	EXPECT(o->limit < WEFT_MAX_LANES || !unplaced);
}

/* Enters every route that has a lane into the graph of that lane. */
static void check_cycles(const struct outcome *o)
{
	const struct weft__traffic *t = &o->job->traffic;
	struct weft__order order;

	ASSERT_EQ(weft__order_init(&order, t->fabric, o->limit), 0);
	for (uint32_t b = 0; b < t->nsw; b++)
		for (uint32_t i = t->first[b]; i < t->first[b + 1]; i++)
			for (uint32_t a = 0; a < t->nsw; a++) {
				size_t at = o->found.by_tree ? t->live[i] :
					(size_t)a * t->nsw + b;
				unsigned lane = o->found.lane[at];

				EXPECT(lane == WEFT__UNPLACED ||
				       weft__route_add(t, t->live[i], a, &order,
				       lane));
			}
	weft__order_free(&order);
}

/* Both directions of a pair have one lane. */
static void check_symmetry(const struct outcome *o)
{
	uint32_t n = o->job->traffic.nsw;

	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < a; b++)
			EXPECT(o->found.lane[(size_t)a * n + b] ==
			       o->found.lane[(size_t)b * n + a]);
}

static unsigned most_lanes, gaps;

static void try(method *run, struct weft__job *job, unsigned limit)
{
	struct outcome o = { .job = job, .limit = limit };

	ASSERT_EQ(run(job, limit, &o.found), 0);
	check_counts(&o);
	check_cycles(&o);
	if (!job->one_way && !o.found.by_tree)
		check_symmetry(&o);
	if (o.found.nlanes > most_lanes)
		most_lanes = o.found.nlanes;
	gaps += o.found.unplaced > 0;
	free(o.found.lane);
}

static void try_methods(const struct weft_fabric *f,
			const struct weft_routes *r)
{
	struct weft_layering_spec spec = { .lanes = WEFT_MAX_LANES };
	struct weft__job job = { .fabric = f, .spec = &spec,
				 .effort = UINT64_MAX };

	if (weft__traffic_init(&job.traffic, f, &r->lft, NULL))
		return;
	ASSERT_EQ(weft__traffic_list(&job.traffic), 0);
	for (unsigned kind = 0; kind < 8; kind++) {
		static const unsigned limits[] = { 1, 2, 3, WEFT_MAX_LANES };

		job.one_way = kind % 2;
		try(weft__lash, &job, limits[kind / 2]);
		try(weft__offline, &job, limits[kind / 2]);
		try(weft__by_destination, &job, limits[kind / 2]);
	}
	weft__updown_free(&job.updown);
	weft__traffic_free(&job.traffic);
}

TEST(test_random)
{
	struct weft_rng *rng = need(weft_rng_new(SEED));

	printf("seed %u ", SEED);
	for (unsigned round = 0; round < 200; round++) {
		struct weft_fabric *f = random_fabric(rng, round % SHAPE_PARTS,
						      4 + round % 9);
		struct weft_routes r = { 0 };

		random_routes(rng, f, TABLES_MINIMAL, &r);
		try_methods(f, &r);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	EXPECT(most_lanes > 2 && gaps > 10);
	weft_rng_free(rng);
}
