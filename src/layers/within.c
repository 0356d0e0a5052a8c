// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: layering where some cables have fewer lanes than others
 *
 * Lanes are given out as if all cables had them all.  If layers that share a
 * lane somewhere close no credit loop (graph/vls.h), that is the outcome.  If
 * they do, there are two more, and the better one is taken:
 *
 * - each cable carries only as many layers as it has lanes, the first ones; one
 *   lane, Up*Down*, is all that is needed at worst;
 * - no route passes a cable that has fewer lanes than were needed
 *   (around.c), where there are other ways.  What these cables carry is lost,
 *   but lanes are not.
 */
#include "layers/within.h"

#include "core/arena.h"
#include "core/tables/lft.h"
#include "graph/vls.h"
#include "layers/traffic.h"
#include "proof/folded.h"

#include <errno.h>
#include <string.h>

/* An outcome, on tables of its own. */
struct trial {
	struct weft_routes routes;
	struct weft_layering layering;
	bool found;
};

struct within {
	const struct weft_fabric *f;
	const struct weft_lft *given;
	struct weft_layering_spec spec;
	struct weft__vls vls;
	struct weft_diag *diag;
	struct trial folded, apart, around;
};

static int copy_tables(const struct within *w, struct trial *t)
{
	if (weft__lft_copy(w->given, &t->routes.lft))
		return weft_no_memory(w->diag);
	weft_layers_init(&t->routes.layers);
	return 0;
}

static int try_folded(struct within *w)
{
	struct trial *t = &w->folded;
	bool loops;
	int err = copy_tables(w, t);

	if (!err)
		err = weft__layering_with(w->f, NULL, &t->routes, &w->spec,
					  &t->layering, w->diag);
	if (!err)
		err = weft__folded_loops(w->f, &t->routes, &loops, w->diag);
	t->found = !err && !loops;
	return err;
}

/* Finds out what the tables of a trial are worth. */
static int measure(const struct within *w, struct trial *t)
{
	struct weft__traffic now;
	int err = weft__traffic_init(&now, w->f, &t->routes.lft, w->diag);

	if (err)
		return err;
	err = weft__traffic_compare(&now, w->given, &t->layering, w->diag);
	weft__traffic_free(&now);
	t->found = !err;
	return err == -ENOMEM ? weft_no_memory(w->diag) :
				err;
}

static int try_apart(struct within *w)
{
	struct trial *t = &w->apart;
	int err = copy_tables(w, t);

	if (!err)
		err = weft__layering_with(w->f, w->vls.of, &t->routes,
					  &w->spec, &t->layering, w->diag);
	return err ? err : measure(w, t);
}

/* Counts the LIDs that have other routes than before. */
static void count_rerouted(const struct within *w, struct trial *t)
{
	const struct weft_fabric *f = w->f;

	t->layering.rerouted = t->layering.rerouted_thin = 0;
	for (unsigned lid = 1; lid <= w->given->max_lid; lid++) {
		uint32_t s = 0, owner = weft_lid_owner(f, lid);

		while (s < f->nsw && weft_lft_get(w->given, s, lid) ==
					     weft_lft_get(&t->routes.lft, s,
							  lid))
			s++;
		if (s == f->nsw || owner == WEFT_NONE)
			continue;
		if (weft__is_thin(f, owner))
			t->layering.rerouted_thin++;
		else
			t->layering.rerouted++;
	}
}

/* Tables that pass no cable with too few lanes; there may be none. */
static int try_around(struct within *w)
{
	struct trial *t = &w->around;
	struct weft_fabric *g = NULL;
	bool loops = true;
	int err = copy_tables(w, t);

	if (!err)
		err = weft__go_around(w->f, w->vls.of,
				      w->folded.layering.lanes,
				      &t->routes.lft, &g);
	if (!err && g)
		err = weft__layering_with(g, NULL, &t->routes, &w->spec,
					  &t->layering, w->diag);
	if (!err && g)
		err = weft__folded_loops(w->f, &t->routes, &loops, w->diag);
	weft_fabric_free(g);
	if (err || loops)
		return err;
	count_rerouted(w, t);
	return measure(w, t);
}

static int try_all(struct within *w)
{
	int err = try_folded(w);

	if (err || w->folded.found)
		return err;
	err = try_apart(w);
	return err ? err : try_around(w);
}

static struct trial *best_of(struct within *w)
{
	if (w->folded.found)
		return &w->folded;
	return w->around.found && w->around.layering.bandwidth_after >
					  w->apart.layering.bandwidth_after ?
		&w->around : &w->apart;
}

/* Hands out a trial's tables in the place of those that were given. */
static void take(struct trial *t, struct weft_routes *routes,
		 struct weft_layering *out)
{
	memcpy(routes->lft.port, t->routes.lft.port,
	       (size_t)routes->lft.nsw * routes->lft.stride);
	weft_layers_free(&routes->layers);
	routes->layers = t->routes.layers;
	weft_layers_init(&t->routes.layers);
	*out = t->layering;
}

int weft__layering_within(const struct weft_fabric *fabric,
			  struct weft_routes *routes,
			  const struct weft_layering_spec *spec,
			  struct weft_layering *out, struct weft_diag *diag)
{
	struct within w = {
		.f = fabric, .given = &routes->lft, .spec = *spec,
		.diag = diag,
	};
	struct weft_arena *arena;
	int err = 0;

	if (!fabric->vls)
		return weft__layering_with(fabric, NULL, routes, spec, out,
					   diag);
	arena = weft__arena_new();
	if (!arena || !weft__vls_find(&w.vls, fabric, arena))
		err = weft_no_memory(diag);
	if (w.spec.lanes > w.vls.most)
		w.spec.lanes = w.vls.most;
	if (!err)
		err = w.vls.of ? try_all(&w) :
				 weft__layering_with(fabric, NULL, routes,
						     &w.spec, out, diag);
	if (!err && w.vls.of)
		take(best_of(&w), routes, out);
	weft_routes_free(&w.folded.routes);
	weft_routes_free(&w.apart.routes);
	weft_routes_free(&w.around.routes);
	weft__arena_free(arena);
	return err;
}
