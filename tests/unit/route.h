/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Generated fabrics and engines' routes. */
#ifndef WEFT_TESTS_ROUTE_H
#define WEFT_TESTS_ROUTE_H

#include "suite.h"

#include <weft/weft.h>

/* A generated fabric; lmc >= 0 sets the LMC of all endports. */
static inline struct weft_fabric *route_fabric(const char *spec, int lmc)
{
	struct weft_fabric *plain = NULL, *f = NULL;

	ASSERT_EQ(weft_gen(spec, &plain, NULL), 0);
	if (lmc < 0)
		return plain;
	ASSERT_EQ(weft_fabric_assign_lids(plain, lmc, &f, NULL), 0);
	weft_fabric_free(plain);
	return f;
}

/* A generated fabric with n hosts more, one on each of the first switches whose
 * names begin like that. */
static inline struct weft_fabric *route_with_hosts(const char *spec,
						   const char *prefix,
						   uint32_t n)
{
	struct weft_fabric *f = route_fabric(spec, -1), *out = NULL;
	struct weft_builder *b = weft_builder_new();

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_SWITCH,
					       f->sw[s].guid,
					       f->sw[s].nports + 1);

		weft_builder_name(b, h, f->sw[s].name, strlen(f->sw[s].name));
		weft_builder_port(b, h, 0)->lid = f->sw[s].lid;
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			weft_builder_link(b, s, f->adj[e] - f->first_channel[s],
					  f->peer[f->adj[e]],
					  f->peer_port[f->adj[e]],
					  (struct weft_rate){ 4, WEFT_QDR });
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA,
					       f->ep[e].guid, 1);

		weft_builder_port(b, h, 1)->lid = f->ep[e].lid;
		weft_builder_link(b, h, 1, f->ep[e].sw, f->ep[e].sw_port,
				  (struct weft_rate){ 4, WEFT_QDR });
	}
	for (uint32_t s = 0; s < f->nsw && n; s++) {
		uint32_t h;

		if (strncmp(f->sw[s].name, prefix, strlen(prefix)))
			continue;
		h = weft_builder_node(b, WEFT_NODE_CA, 0xabc0000 + s, 1);
		weft_builder_port(b, h, 1)->lid = f->max_lid + n--;
		weft_builder_link(b, h, 1, s, f->sw[s].nports + 1,
				  (struct weft_rate){ 4, WEFT_QDR });
	}
	ASSERT_EQ(weft_builder_finish(b, &out, NULL), 0);
	weft_builder_free(b);
	weft_fabric_free(f);
	return out;
}

/* What the engine of that name returns with one option set ("name=value", NULL
 * = none). */
static inline int route_saying(const char *name, const char *option,
			       const struct weft_fabric *f,
			       struct weft_routes *out, struct weft_diag *diag)
{
	const struct weft_engine *e = weft_engine_find(name);
	struct weft_options *o;
	int err;

	ASSERT(e);
	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	if (option)
		ASSERT_EQ(weft_options_parse(o, option, NULL), 0);
	ASSERT_EQ(weft_io_read_objectives(o, NULL), 0);
	err = e->route(f, o, out, diag);
	weft_options_free(o);
	return err;
}

/* The same; words (NULL is fine) keeps the last thing it said. */
static inline int route_by(const char *name, const char *option,
			   const struct weft_fabric *f, struct weft_routes *out,
			   struct suite_words *words)
{
	struct weft_diag d = { .emit = suite_hear, .context = words };

	return route_saying(name, option, f, out, words ? &d : NULL);
}

#endif
