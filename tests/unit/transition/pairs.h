/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Two sets of tables of one fabric, and those in between. */
#ifndef WEFT_TESTS_PAIRS_H
#define WEFT_TESTS_PAIRS_H

#include "../route.h"

#include <stdlib.h>
#include <string.h>

/* Two sets of routes of one fabric, and the tables in between. */
struct pair {
	struct weft_fabric *fabric;
	struct weft_routes before, after, now;
	struct weft_transition found;
};

/* Random trees to all LIDs, which take ways around. */
static inline void random_trees(const struct weft_fabric *f, uint32_t seed,
				struct weft_routes *out)
{
	struct weft_rng *rng = weft_rng_new(seed);
	uint32_t *met = malloc(f->nsw * sizeof(*met));

	ASSERT_EQ(weft_lft_init(&out->lft, f->nsw, f->max_lid), 0);
	weft_layers_init(&out->layers);
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(f, lid), n = 1;

		if (owner == WEFT_NONE)
			continue;
		met[0] = weft_vertex_switch(f, owner);
		weft_lft_row(&out->lft, met[0])[lid] = weft_is_switch(owner) ?
			0 : f->ep[owner & ~WEFT_ENDPORT].sw_port;
		while (n < f->nsw) {
			uint32_t s = met[weft_rng_below(rng, n)];
			uint32_t k = f->adj_first[s] + weft_rng_below(
				rng, f->adj_first[s + 1] - f->adj_first[s]);
			uint32_t from = f->peer[f->adj[k]];

			if (weft_lft_get(&out->lft, from, lid) != WEFT_NO_PORT)
				continue;
			weft_lft_row(&out->lft, from)[lid] =
				f->peer_port[f->adj[k]];
			met[n++] = from;
		}
	}
	free(met);
	weft_rng_free(rng);
}

/* Random trees with entries that are missing or lead anywhere. */
static inline void random_holes(const struct weft_fabric *f, uint32_t seed,
				struct weft_routes *out)
{
	struct weft_rng *rng = weft_rng_new(seed);

	random_trees(f, seed, out);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			uint32_t dice = weft_rng_below(rng, 12);

			if (dice < 2)
				weft_lft_row(&out->lft, s)[lid] = dice ?
					weft_rng_below(rng,
						       f->sw[s].nports + 2) :
					WEFT_NO_PORT;
		}
	weft_rng_free(rng);
}

/* Routes by an engine, "trees:SEED", or "holes:SEED". */
static inline void route(const struct weft_fabric *f, const char *text,
			 struct weft_routes *out)
{
	const struct weft_engine *engine;
	struct weft_options *o = NULL;
	char name[64], *option;
	unsigned seed;

	snprintf(name, sizeof(name), "%s", text);
	*out = (struct weft_routes){ .lid_offset = NULL };
	if (sscanf(name, "trees:%u", &seed) == 1) {
		random_trees(f, seed, out);
		return;
	}
	if (sscanf(name, "holes:%u", &seed) == 1) {
		random_holes(f, seed, out);
		return;
	}
	option = strchr(name, ':');
	if (option)
		*option++ = '\0';
	engine = weft_engine_find(name);
	ASSERT(engine);
	ASSERT_EQ(weft_options_new(&o, engine->options), 0);
	if (option)
		ASSERT_EQ(weft_options_parse(o, option, NULL), 0);
	ASSERT_EQ(weft_route(engine, f, o, out, NULL), 0);
	weft_options_free(o);
}

static inline void copy_lft(const struct weft_lft *from, struct weft_lft *to)
{
	ASSERT_EQ(weft_lft_init(to, from->nsw, from->max_lid), 0);
	memcpy(to->port, from->port, (size_t)from->nsw * from->stride);
}

static inline void open_pair(struct pair *p, const char *spec,
			     const char *before, const char *after)
{
	struct weft_transition_spec s = { .search = true };

	*p = (struct pair){ .fabric = route_fabric(spec, 0) };
	route(p->fabric, before, &p->before);
	route(p->fabric, after, &p->after);
	copy_lft(&p->before.lft, &p->now.lft);
	weft_layers_init(&p->now.layers);
	ASSERT_EQ(weft_transition_run(p->fabric, &p->before, &p->after, &s,
		  &p->found, NULL), 0);
}

static inline void close_pair(struct pair *p)
{
	weft_transition_free(&p->found);
	weft_routes_free(&p->before);
	weft_routes_free(&p->after);
	weft_routes_free(&p->now);
	weft_fabric_free(p->fabric);
}

/* Whether a pair arrives by both sets, and how it ends by the present one. */
static inline enum weft_walk_end end_of(const struct pair *p, uint32_t e,
					unsigned lid, bool *served)
{
	const struct weft_walk_path none = { NULL, 0 };
	uint32_t s = p->fabric->ep[e].sw;

	*served = weft_lft_walk(p->fabric, &p->before.lft, s, lid, none,
				NULL) == WEFT_ARRIVED &&
		weft_lft_walk(p->fabric, &p->after.lft, s, lid, none, NULL) ==
			WEFT_ARRIVED;
	return weft_lft_walk(p->fabric, &p->now.lft, s, lid, none, NULL);
}

enum { LOST = 1, LOOPS = 2 };

/* What the tables in place do to packets to a LID that neither set does. */
static inline unsigned harm(const struct pair *p, unsigned lid)
{
	const struct weft_fabric *f = p->fabric;
	const struct weft_walk_path none = { NULL, 0 };
	unsigned found = 0;

	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t s = f->ep[e].sw;
		enum weft_walk_end end;
		bool served;

		if (f->ep[e].lid == lid)
			continue;
		end = end_of(p, e, lid, &served);
		if (served && end != WEFT_ARRIVED)
			found |= LOST;
		else if (end == WEFT_LOOP &&
			 weft_lft_walk(f, &p->before.lft, s, lid, none,
				       NULL) != WEFT_LOOP &&
			 weft_lft_walk(f, &p->after.lft, s, lid, none,
				       NULL) != WEFT_LOOP)
			found |= LOOPS;
	}
	return found;
}

static const char *const fabrics[] = {
	"ring:5,hosts=2", "torus:4x4,hosts=2", "random:12x2,6,seed=1",
	"random:12x2,6,seed=2", "random:12x2,6,seed=3",
	"pgft:2;4,4;1,4;1,1,fail-links=20%,seed=3",
	"pgft:3;3,3,3;1,3,3;1,1,1,fail-links=10%,seed=2", "dragonfly:4,2,2,5",
	/* LIDs of two blocks */
	"pgft:2;8,8;1,4;1,1,fail-links=10%,seed=4",
};

static const char *const engines[][2] = {
	{ "minhop", "updn" },	  { "updn", "minhop" },
	{ "psssp", "updn" },	  { "updn", "weave" },
	{ "weave", "random:seed=3" }, { "random:seed=1", "random:seed=2" },
	{ "trees:1", "trees:2" }, { "trees:3", "updn" },
	{ "updn", "holes:1" },	  { "holes:2", "holes:3" },
};

#define N(a) (sizeof(a) / sizeof((a)[0]))

/* Calls a test for all fabrics and pairs of engines. */
static inline void each_pair(void (*test)(struct pair *p))
{
	for (unsigned i = 0; i < N(fabrics); i++)
		for (unsigned k = 0; k < N(engines); k++) {
			struct pair p;

			open_pair(&p, fabrics[i], engines[k][0], engines[k][1]);
			test(&p);
			close_pair(&p);
		}
}

#endif
