// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Proves what changed; see proven.h. */
#include "standing/proven.h"

#include "core/grow.h"
#include "proof/parts.h"
#include "standing/spots.h"

#include <errno.h>
#include <string.h>

#define MAX_SPOTS (1u << 16)

/* As a subnet manager has to: all LIDs, from everywhere. */
static const struct weft_proof_spec spec = {
	.all_hosts = true, .switches = true, .credit_loops = true,
};

struct again {
	const struct weft__proven *p;
	const struct weft_fabric *f;
	const struct weft_routes *routes;
	struct weft__match match;
	struct weft_arena *arena;
	struct weft__alive alive;
	bool *changed;		/* [max_lid + 1] LIDs to prove */
	bool by_spots;		/* these are all that changed */
	struct weft__spot *spot;
	size_t nspots, room;
};

int weft__prove(const struct weft_fabric *fabric,
		const struct weft_routes *routes, struct weft__proven *out,
		struct weft_diag *diag)
{
	static const struct weft_proof_spec whole = {
		.all_hosts = true, .switches = true, .loads = true,
		.credit_loops = true, .max_examples = 1,
	};
	int err;

	*out = (struct weft__proven){ .fabric = fabric, .routes = routes };
	err = weft__proof_graph(fabric, routes, &whole, &out->proof,
				&out->graph, diag);
	out->holds = !err && out->proof.parts == 1 &&
		     weft_proof_holds(&out->proof);
	return err;
}

static bool goes_along(const struct weft__cdg *g, const uint32_t *position)
{
	uint32_t w;

	for (uint32_t v = 0; v < g->nv; v++)
		for (uint32_t at = 0; (w = weft__cdg_next(g, v, &at)) !=
		     WEFT_NONE; )
			if (position[w] <= position[v])
				return false;
	return true;
}

/* Finds ranks by an order of all vertices.  Late ones are levels: the last of
 * all where a way ends, else the one before the first that v leads to. */
static void rank_by(struct weft__proven *p, const uint32_t *order)
{
	const struct weft__cdg *g = &p->graph;
	uint32_t w;

	for (uint32_t i = 0; i < g->nv; i++)
		p->rank[order[i]] = i;
	for (uint32_t i = g->nv; i--; ) {
		uint32_t v = order[i], first = g->nv;

		for (uint32_t at = 0; (w = weft__cdg_next(g, v, &at)) !=
		     WEFT_NONE; )
			first = p->late[w] < first ? p->late[w] : first;
		p->late[v] = first - 1;
	}
}

void weft__proven_rank(struct weft__proven *p, const uint32_t *position)
{
	size_t n = p->graph.nv + 1ull;
	uint32_t *order, *degree;

	if (!p->holds || p->graph.nlanes > 1 || p->graph.to_lanes > 1)
		return;
	order = malloc(n * sizeof(*order));
	degree = malloc(n * sizeof(*degree));
	p->rank = malloc(n * sizeof(*p->rank));
	p->late = malloc(n * sizeof(*p->late));
	/* weft__cdg_rest() leaves an order behind */
	if (order && degree && p->rank && p->late &&
	    !weft__cdg_rest(&p->graph, order, degree)) {
		rank_by(p, order);
		if (position && goes_along(&p->graph, position))
			memcpy(p->rank, position, p->graph.nv * 4ull);
	} else {
		free(p->rank);
		p->rank = NULL;
	}
	free(order);
	free(degree);
}

void weft__proven_free(struct weft__proven *p)
{
	free(p->rank);
	free(p->late);
	weft_proof_free(&p->proof);
	weft__cdg_free(&p->graph);
}

/* --- what was not there before -------------------------------------------- */

static bool has_endports(const struct weft_fabric *f, uint32_t s)
{
	return f->sw_ep_first[s] < f->sw_ep_first[s + 1];
}

/* Whether switches are new, or have endports for the first time. */
static bool has_new_sources(const struct again *a)
{
	for (uint32_t s = 0; s < a->f->nsw; s++) {
		uint32_t was = a->match.sw[s];

		if (was == WEFT_NONE ||
		    (has_endports(a->f, s) && !has_endports(a->p->fabric, was)))
			return true;
	}
	return false;
}

/* Whether service levels can be compared, and mean the same lanes. */
static bool same_lanes(const struct again *a)
{
	const struct weft_layers *x = &a->p->routes->layers;
	const struct weft_layers *y = &a->routes->layers;

	return x->form == y->form && x->sl == y->sl && x->nvl == y->nvl &&
	       !x->sl2vl && !y->sl2vl && x->form != WEFT_SL_ENDPORT_LID &&
	       a->p->graph.to_lanes == 1;
}

/* --- which LIDs to prove -------------------------------------------------- */

static void mark_switch(struct again *a, uint32_t s)
{
	const struct weft_fabric *f = a->f;

	a->changed[f->sw[s].lid] = true;
	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		const struct weft_endport *e = &f->ep[f->sw_endport[i]];

		for (unsigned o = 0; e->lid && o < 1u << e->lmc; o++)
			a->changed[e->lid + o] = true;
	}
}

static void mark_spot(struct again *a, uint32_t s, unsigned lid)
{
	a->changed[lid] = true;
	if (weft_lid_owner(a->f, lid) == WEFT_NONE || !a->by_spots)
		return;
	a->by_spots = a->nspots < MAX_SPOTS &&
		      !weft__grow(&a->spot, &a->room, a->nspots + 1);
	if (a->by_spots)
		a->spot[a->nspots++] = (struct weft__spot){ s, lid };
}

/* LIDs of which a switch has another entry, or the same one with another
 * cable. */
static void mark_row(struct again *a, uint32_t s)
{
	const struct weft_lft *was = &a->p->routes->lft;
	const struct weft_lft *is = &a->routes->lft;
	const uint8_t *x = weft_lft_row(was, a->match.sw[s]);
	const uint8_t *y = weft_lft_row(is, s);
	bool cables = false;

	for (unsigned p = 1; p <= a->f->sw[s].nports; p++)
		cables |= !weft__match_cable(&a->match, s, p);
	for (unsigned first = 0; first <= a->f->max_lid;
	     first += WEFT_LFT_BLOCK) {
		unsigned end = first + WEFT_LFT_BLOCK;

		if (!cables && end <= was->max_lid + 1 &&
		    end <= is->max_lid + 1 &&
		    !memcmp(x + first, y + first, WEFT_LFT_BLOCK))
			continue;
		for (unsigned lid = first; lid < end && lid <= a->f->max_lid;
		     lid++)
			if (lid > was->max_lid || lid > is->max_lid ||
			    x[lid] != y[lid] ||
			    weft__alive_port(&a->alive, s, y[lid]) != y[lid])
				mark_spot(a, s, lid);
	}
}

/* LIDs of a switch to which another one sends in another lane. */
static void mark_levels(struct again *a, uint32_t d)
{
	const struct weft_layers *x = &a->p->routes->layers;
	const struct weft_layers *y = &a->routes->layers;

	for (uint32_t s = 0; s < a->f->nsw; s++)
		if (y->table[(size_t)s * y->nsw + d] !=
		    x->table[(size_t)a->match.sw[s] * x->nsw +
			     a->match.sw[d]]) {
			mark_switch(a, d);
			return;
		}
}

static void mark(struct again *a)
{
	const struct weft_layers *x = &a->p->routes->layers;
	const struct weft_layers *y = &a->routes->layers;

	a->by_spots = a->p->rank && y->form == WEFT_SL_ONE && y->nvl <= 1;
	for (unsigned lid = 1; lid <= a->f->max_lid; lid++) {
		a->changed[lid] = !weft__match_lid(&a->match, lid) ||
			(y->form == WEFT_SL_DESTINATION &&
			 (lid > x->max_lid || x->table[lid] != y->table[lid]));
		a->by_spots &= !a->changed[lid] ||
			       weft_lid_owner(a->f, lid) == WEFT_NONE;
	}
	for (uint32_t s = 0; s < a->f->nsw; s++)
		mark_row(a, s);
	for (uint32_t d = 0; y->form == WEFT_SL_SWITCH_PAIR && d < a->f->nsw;
	     d++)
		mark_levels(a, d);
}

/* --- the proof ------------------------------------------------------------ */

/* Joins the old graph with the dependencies of LIDs that changed, and looks for
 * cycles. */
static int close(struct again *a, struct weft__proof_run *r, bool *holds)
{
	uint32_t *rest, *degree;
	struct weft__same same;

	if (a->p->graph.nlanes != r->cdg.nlanes || r->cdg.to_lanes > 1)
		return 0;
	rest = weft__arena_alloc(a->arena, r->cdg.nv + 1ull, 4);
	degree = weft__arena_alloc(a->arena, r->cdg.nv + 1ull, 4);
	if (!rest || !degree || weft__same_find(&same, &a->match, a->arena))
		return -ENOMEM;
	weft__same_join(&same, &a->p->graph, &r->cdg);
	*holds = !weft__cdg_rest(&r->cdg, rest, degree);
	return 0;
}

static int prove(struct again *a, bool *holds)
{
	struct weft_proof out = { 0 };
	struct weft__proof_run r = {
		.fabric = a->f, .routes = a->routes, .spec = &spec,
		.out = &out, .only = a->changed,
	};
	bool clean = true;
	int err = weft__proof_prepare(&r, NULL);

	if (!err && out.parts == 1) {
		weft__proof_walk(&r, 0, 1);
		for (unsigned k = 0; k < WEFT_FIND_KINDS; k++)
			clean = clean && !out.found[k];
		if (clean)
			err = close(a, &r, holds);
	}
	weft__cdg_free(&r.cdg);
	weft__arena_free(r.scratch);
	weft_proof_free(&out);
	return err;
}

static int run(struct again *a, bool *holds, uint32_t *lids)
{
	int err = weft__match_make(&a->match, a->p->fabric, a->f);

	if (err || has_new_sources(a) || !same_lanes(a))
		return err;
	a->changed = weft__arena_zalloc(a->arena, a->f->max_lid + 1ull, 1);
	if (!a->changed ||
	    weft__alive_find(&a->alive, &a->match, a->arena))
		return -ENOMEM;
	mark(a);
	a->changed[0] = false;
	for (unsigned lid = 1; lid <= a->f->max_lid; lid++)
		*lids += a->changed[lid] &&
			 weft_lid_owner(a->f, lid) != WEFT_NONE;
	*holds = a->by_spots &&
		 weft__spots_hold(a->p, &a->match, &a->routes->lft, a->spot,
				  a->nspots, a->arena);
	return *holds ? 0 : prove(a, holds);
}

int weft__prove_again(const struct weft__proven *p,
		      const struct weft_fabric *fabric,
		      const struct weft_routes *routes, bool *holds,
		      uint32_t *lids)
{
	struct again a = { .p = p, .f = fabric, .routes = routes,
			   .arena = weft__arena_new() };
	int err = a.arena ? 0 : -ENOMEM;

	*holds = false;
	*lids = 0;
	if (!err && p->holds)
		err = run(&a, holds, lids);
	free(a.spot);
	weft__match_free(&a.match);
	weft__arena_free(a.arena);
	return err;
}
