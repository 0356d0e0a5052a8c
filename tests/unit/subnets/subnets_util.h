/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics of subnets. */
#ifndef WEFT_TESTS_SUBNETS_UTIL_H
#define WEFT_TESTS_SUBNETS_UTIL_H

#include "../route.h"

#include <stdlib.h>

static inline void route_all(struct weft_subnets *s, const char *engine)
{
	const struct weft_engine *e = weft_engine_find(engine);

	for (uint32_t i = 0; i < s->n; i++) {
		struct weft_options *o = NULL;

		weft_routes_free(&s->subnet[i].routes);
		ASSERT_EQ(weft_options_new(&o, e->options), 0);
		ASSERT_EQ(weft_route(e, s->subnet[i].fabric, o,
			  &s->subnet[i].routes, NULL), 0);
		weft_options_free(o);
	}
}

/* Cuts a fabric at the switches that have no hosts and, of these, at those with
 * the role of roots; or at every n-th switch, if n is not 0. */
static inline struct weft_subnets *cut_at(const struct weft_fabric *f,
					  uint32_t n)
{
	bool *is_router = calloc(f->nsw, sizeof(*is_router));
	struct weft_subnets *s = NULL;

	ASSERT(is_router != NULL);
	for (uint32_t i = 0; i < f->nsw; i++)
		is_router[i] =
			n ? i % n == n - 1 : f->sw[i].role == WEFT_ROLE_ROOT;
	ASSERT_EQ(weft_subnets_cut(f, is_router, &s, NULL), 0);
	free(is_router);
	return s;
}

static inline struct weft_subnets *cut(const char *spec)
{
	struct weft_fabric *f = route_fabric(spec, -1);
	struct weft_subnets *s = cut_at(f, 0);

	weft_fabric_free(f);
	return s;
}

/* Rings in which every second switch is a router, the others have hosts; no cable
 * joins one ring with another one. */
static inline struct weft_subnets *rings(unsigned n, unsigned k)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	struct weft_subnets *s;

	for (unsigned i = 0; i < 2 * n * k; i++)
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x100 + i, 4);
	for (unsigned i = 0; i < 2 * n * k; i++)
		weft_builder_link(b, i, 1, (i + 1) % (2 * n) ? i + 1 :
				  i + 1 - 2 * n, 2,
				  (struct weft_rate){ 4, WEFT_QDR });
	for (unsigned i = 0; i < 2 * n * k; i++)
		for (unsigned p = 3; p <= 4 && !(i % 2); p++)
			weft_builder_link(b, i, p,
					  weft_builder_node(b, WEFT_NODE_CA,
							    0x1000 + 16 * i + p,
							    1),
					  1, (struct weft_rate){ 4, WEFT_QDR });
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	s = cut_at(f, 2);
	weft_fabric_free(f);
	return s;
}

static inline struct weft_subnets *ring(unsigned n)
{
	return rings(n, 1);
}

#endif
