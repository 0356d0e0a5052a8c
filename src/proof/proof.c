// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs a proof: LIDs in blocks of 64, trees, totals. */
#include "core/fabric/components.h"
#include "proof/cycle.h"
#include "proof/explain.h"
#include "proof/parts.h"

#include <weft/planes.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool wanted(const struct weft__proof_run *r, uint32_t owner)
{
	if (owner == WEFT_NONE)
		return false;
	if (weft_is_switch(owner))
		return r->spec->switches;
	return r->spec->credit_loops || weft__counts(r->fabric, r->spec, owner);
}

/* Returns the owner of a LID in a plane, WEFT_NONE if it has none there. */
static uint32_t owner_in(const struct weft__proof_run *r, unsigned lid,
			 uint32_t plane)
{
	const struct weft_fabric *f = r->fabric;
	uint32_t owner = weft_lid_owner(f, lid), e, first;

	if (r->nplanes < 2 || owner == WEFT_NONE)
		return owner;
	if (weft_is_switch(owner))
		return r->plane[owner] == plane ? owner : WEFT_NONE;
	first = e = owner & ~WEFT_ENDPORT;
	for (; e < f->nep && weft_planes_same_port(f, e, first); e++)
		if (r->plane[f->ep[e].sw] == plane)
			return e | WEFT_ENDPORT;
	return WEFT_NONE;
}

/* Finds the distances to all counted owners of the 64 LIDs from first on. */
static void find_distances(struct weft__proof_run *r, unsigned first,
			   uint32_t plane)
{
	const struct weft_fabric *f = r->fabric;

	weft__distances_clear(&r->distances);
	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++) {
		uint32_t owner = owner_in(r, first + i, plane);

		if (owner != WEFT_NONE && weft__counts(f, r->spec, owner))
			weft__distances_ask(&r->distances,
					    weft_vertex_switch(f, owner));
	}
	weft__distances_find(&r->distances);
}

static void prove_lid(struct weft__proof_run *r, unsigned lid, uint32_t owner)
{
	struct weft__proof_tree *t = &r->tree;

	t->lid = lid;
	t->owner = owner;
	t->home = weft_vertex_switch(r->fabric, owner);
	t->counted = weft__counts(r->fabric, r->spec, owner);
	t->column = r->no_column;
	if (lid <= r->routes->lft.max_lid)
		t->column = r->columns + (size_t)(lid % WEFT_LFT_BLOCK) *
			r->fabric->nsw;
	t->cables = NULL;
	if (r->spec->minimal && t->counted)
		t->cables = weft__distances_to(&r->distances, t->home);
	t->sls = weft__proof_lanes_sls(&r->lanes, lid);
	weft__tree_prove(r);
	if (!t->counted)
		return;
	r->out->pairs += r->plane_hosts[r->plane[t->home]] - 1;
	weft__findings_note(r);
}

static void prove_block(struct weft__proof_run *r, unsigned first,
			uint32_t plane)
{
	bool ready = false;

	for (unsigned i = 0; i < WEFT_LFT_BLOCK; i++) {
		uint32_t owner = owner_in(r, first + i, plane);

		if (!wanted(r, owner) || (r->only && !r->only[first + i]))
			continue;
		if (!ready && first <= r->routes->lft.max_lid)
			weft_lft_columns(&r->routes->lft,
					 first / WEFT_LFT_BLOCK, r->columns);
		if (!ready && r->spec->minimal)
			find_distances(r, first, plane);
		ready = true;
		prove_lid(r, first + i, owner);
	}
}

void weft__proof_walk(struct weft__proof_run *r, uint32_t block, uint32_t step)
{
	for (; block <= r->fabric->max_lid / WEFT_LFT_BLOCK; block += step)
		for (uint32_t plane = 0; plane < r->nplanes; plane++)
			prove_block(r, block * WEFT_LFT_BLOCK, plane);
}

static int alloc_run(struct weft__proof_run *r)
{
	const struct weft_fabric *f = r->fabric;
	struct weft_arena *a = r->scratch;
	size_t n = f->nsw;

	r->hops = weft__arena_zalloc(a, n + 1, sizeof(*r->hops));
	r->columns = weft__arena_alloc(a, n, WEFT_LFT_BLOCK);
	r->no_column = weft__arena_alloc(a, n, 1);
	r->stop = weft__arena_zalloc(a, n, sizeof(*r->stop));
	r->path = weft__arena_alloc(a, n + 1, sizeof(*r->path));
	r->order = weft__arena_alloc(a, n, sizeof(*r->order));
	r->part = weft__arena_alloc(a, n, sizeof(*r->part));
	r->example = weft__arena_alloc(a, (size_t)r->spec->max_examples *
				       WEFT_FIND_KINDS, sizeof(*r->example));
	if (weft__arena_failed(a))
		return -ENOMEM;
	memset(r->no_column, WEFT_NO_PORT, n);
	r->out->parts = weft__components(f, r->part, r->order);
	return r->out->parts < 2 ? 0 :
		weft__joined_by_machines(f, r->part, r->out->parts, a,
					 &r->out->by_machines);
}

/* Finds the planes, and how many hosts send in each. */
static int find_planes(struct weft__proof_run *r)
{
	uint32_t nsw = r->fabric->nsw;

	r->plane = weft__arena_zalloc(r->scratch, nsw + 1ull,
				      sizeof(*r->plane));
	if (weft__arena_failed(r->scratch))
		return -ENOMEM;
	r->nplanes = weft__planes(r->fabric, r->plane);
	r->plane_hosts = weft__arena_zalloc(r->scratch, r->nplanes + 1ull,
					    sizeof(*r->plane_hosts));
	if (weft__arena_failed(r->scratch) || !r->nplanes)
		return -ENOMEM;
	for (uint32_t i = 0; i < r->sources.n; i++)
		r->plane_hosts[r->plane[r->sources.source[i].sw]] +=
			r->sources.source[i].hosts;
	return 0;
}

int weft__proof_prepare(struct weft__proof_run *r, struct weft_diag *diag)
{
	const struct weft_fabric *f = r->fabric;
	int err;

	if (r->routes->lft.nsw != f->nsw)
		return weft_fail(diag, EINVAL,
				 "the tables are for %u switches but the fabric has %u: read or compute them anew",
				 r->routes->lft.nsw, f->nsw);
	r->scratch = weft__arena_new();
	if (!r->scratch)
		return -ENOMEM;
	err = weft__proof_lanes_init(&r->lanes, f, &r->routes->layers,
				     r->scratch, diag);
	if (!err)
		err = weft__sources_init(&r->sources, f, r->spec, &r->lanes,
					 r->scratch);
	if (!err)
		err = alloc_run(r);
	if (!err)
		err = find_planes(r);
	if (!err)
		err = weft__shapes_init(r);
	if (!err && r->spec->minimal)
		err = weft__distances_init(&r->distances, f, r->scratch);
	if (!err && r->spec->credit_loops)
		err = weft__cdg_init(&r->cdg, f, r->lanes.nlanes,
				     r->lanes.mixed);
	if (!err && r->spec->loads) {
		r->out->channel_load = calloc(f->first_injection + 1ull,
					      sizeof(*r->out->channel_load));
		err = r->out->channel_load ? 0 : -ENOMEM;
	}
	return err;
}

static int finish_hops(struct weft__proof_run *r)
{
	struct weft_proof *out = r->out;

	for (uint32_t h = 0; h <= r->fabric->nsw; h++) {
		if (!r->hops[h])
			continue;
		out->max_hops = h;
		out->reached += r->hops[h];
		out->hops_sum += r->hops[h] * h;
	}
	out->hops_pairs = malloc((out->max_hops + 1ull) * sizeof(*r->hops));
	if (!out->hops_pairs)
		return -ENOMEM;
	memcpy(out->hops_pairs, r->hops,
	       (out->max_hops + 1ull) * sizeof(*r->hops));
	return 0;
}

static void finish_counts(struct weft_proof *out)
{
	out->loops = out->found[WEFT_FIND_LOOP];
	out->nonminimal = out->found[WEFT_FIND_NONMINIMAL];
	out->no_lid = out->found[WEFT_FIND_NO_LID];
	out->apart = out->found[WEFT_FIND_APART];
	for (unsigned kind = 0; kind < WEFT_FIND_KINDS; kind++)
		if (kind != WEFT_FIND_NONMINIMAL)
			out->unreachable += out->found[kind];
}

static void finish_loads(struct weft__proof_run *r)
{
	const struct weft_fabric *f = r->fabric;
	struct weft_proof *out = r->out;
	uint32_t n = f->adj_first[f->nsw];
	double sum = 0;

	out->load_min = n ? UINT64_MAX : 0;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t load = out->channel_load[f->adj[i]];

		if (load < out->load_min)
			out->load_min = load;
		if (load > out->load_max)
			out->load_max = load;
		out->load_zero += !load;
		sum += load;
	}
	out->load_channels = n;
	out->load_mean = n ? sum / n : 0;
}

static int finish_cycles(struct weft__proof_run *r)
{
	struct weft_proof *out = r->out;
	struct weft__knots knots;
	unsigned lanes = 0;
	int err = weft__knots_find(&r->cdg, &knots, r->scratch);

	if (!err)
		err = weft__cdg_cycles(&r->cdg, &knots, &out->cycle);
	if (err)
		return err;
	out->ncycles = knots.n;
	for (uint32_t i = 0; knots.n && i < knots.first[knots.n]; i++)
		lanes |= 1u << knots.vertex[i] / r->cdg.nch;
	out->cyclic_vls = __builtin_popcount(lanes);
	return r->spec->explain ? weft__explain(r, &knots) : 0;
}

static int run_all(struct weft__proof_run *r)
{
	int err;

	if (!weft__parts_walk(r))
		weft__proof_walk(r, 0, 1);
	weft__findings_no_lid(r);
	finish_counts(r->out);
	if (r->spec->loads)
		finish_loads(r);
	err = finish_hops(r);
	if (!err)
		err = weft__findings_finish(r);
	if (!err && r->spec->credit_loops)
		err = finish_cycles(r);
	return err;
}

int weft__proof_graph(const struct weft_fabric *fabric,
		      const struct weft_routes *routes,
		      const struct weft_proof_spec *spec,
		      struct weft_proof *out, struct weft__cdg *graph,
		      struct weft_diag *diag)
{
	struct weft_proof proof = { 0 };
	struct weft__proof_run r = {
		.fabric = fabric,
		.routes = routes,
		.spec = spec,
		.out = &proof,
	};
	int err = weft__proof_prepare(&r, diag);

	if (!err)
		err = run_all(&r);
	weft__arena_free(r.scratch);
	if (err) {
		weft__cdg_free(&r.cdg);
		weft_proof_free(&proof);
		if (err == -ENOMEM)
			weft_diag_say(diag, WEFT_ERROR,
				      "not enough memory to check the tables");
		return err;
	}
	*out = proof;
	*graph = r.cdg;
	return 0;
}

int weft_proof_run(const struct weft_fabric *fabric,
		   const struct weft_routes *routes,
		   const struct weft_proof_spec *spec,
		   struct weft_proof *out, struct weft_diag *diag)
{
	struct weft__cdg graph;
	int err = weft__proof_graph(fabric, routes, spec, out, &graph, diag);

	if (!err)
		weft__cdg_free(&graph);
	return err;
}

void weft_proof_free(struct weft_proof *proof)
{
	free(proof->hops_pairs);
	free(proof->channel_load);
	weft__cycles_free(proof->cycle, proof->ncycles);
	free(proof->remedy.turn);
	free(proof->remedy.moved);
	free(proof->finding);
	*proof = (struct weft_proof){ 0 };
}

bool weft_proof_holds(const struct weft_proof *proof)
{
	uint64_t apart = proof->by_machines ? proof->apart : 0;

	return proof->unreachable == apart && !proof->cyclic_vls;
}
