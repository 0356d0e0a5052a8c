/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Simulations of generated fabrics. */
#ifndef WEFT_TESTS_SIM_UTIL_H
#define WEFT_TESTS_SIM_UTIL_H

#include "../route.h"

#include <stdlib.h>

/* A fabric, its routes, and what to run on them. */
struct sim_case {
	struct weft_fabric *f;
	struct weft_routes routes;
	struct weft_mapping mapping;
	struct weft_sim_spec spec;
};

/* Hosts in the order of GUIDs, invariants proved all the time. */
static inline struct sim_case sim_make(const char *fabric, const char *engine)
{
	struct sim_case c = { .f = route_fabric(fabric, -1) };
	const struct weft_mapping_spec guid = { .order = WEFT_ORDER_GUID };

	ASSERT_EQ(route_by(engine, NULL, c.f, &c.routes, NULL), 0);
	ASSERT_EQ(weft_mapping_init(&c.mapping, c.f, &guid, NULL), 0);
	weft_sim_preset(&c.spec);
	c.spec.check = true;
	return c;
}

static inline void sim_free(struct sim_case *c)
{
	weft_mapping_free(&c->mapping);
	weft_routes_free(&c->routes);
	weft_fabric_free(c->f);
}

/* Runs it; nothing may be violated, and no packet be lost without a reason. */
static inline struct weft_sim sim_run(struct sim_case *c)
{
	struct weft_sim out = { 0 };
	uint64_t dropped = 0;

	c->spec.mapping = &c->mapping;
	ASSERT_EQ(weft_sim_run(c->f, &c->routes, &c->spec, &out, NULL), 0);
	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		dropped += out.dropped[i];
	EXPECT_EQ(out.violations, 0);
	EXPECT_EQ(out.injected, out.delivered + out.queued + dropped);
	return out;
}

/* One round of these pairs. */
static inline struct weft_traffic *sim_round(const struct sim_case *c,
					     const struct weft_pair *pair,
					     uint64_t n)
{
	struct weft_pair_list list = {
		.nranks = c->mapping.nranks,
		.nrounds = 1,
		.first = malloc(2 * sizeof(uint64_t)),
		.pair = malloc((n + 1) * sizeof(*pair)),
	};
	struct weft_traffic *t;

	ASSERT(list.first && list.pair);
	list.first[0] = 0;
	list.first[1] = n;
	memcpy(list.pair, pair, n * sizeof(*pair));
	ASSERT_EQ(weft_traffic_from_list(&list, c->mapping.nranks, &t, NULL),
		  0);
	return t;
}

/* Runs it, each of bytes, or of one message after another where the spec is
 * endless. */
static inline struct weft_sim sim_pairs(struct sim_case *c,
					const struct weft_pair *pair,
					uint64_t n, uint64_t bytes)
{
	struct weft_traffic *t = sim_round(c, pair, n);
	struct weft_sim out;

	c->spec.traffic = t;
	c->spec.bytes = bytes;
	out = sim_run(c);
	c->spec.traffic = NULL;
	weft_traffic_free(t);
	return out;
}

#endif
