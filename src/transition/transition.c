// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From one set of tables to another; see weft/transition.h. */
#include "graph/entries.h"
#include "proof/cycle.h"
#include "transition/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weft_transition_opensm_order(const struct weft_fabric *fabric,
				  uint32_t *order)
{
	uint32_t n = fabric->nsw, *other = malloc((n + 1ull) * sizeof(*other));

	/* A sort by one byte of the GUID after the other, the first byte, which
	 * counts least, first. */
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (unsigned byte = 8; other && byte--;) {
		uint32_t start[257] = { 0 };

		for (uint32_t i = 0; i < n; i++)
			start[(fabric->sw[i].guid >> byte * 8 & 255) + 1]++;
		for (unsigned k = 0; k < 256; k++)
			start[k + 1] += start[k];
		for (uint32_t i = 0; i < n; i++)
			other[start[fabric->sw[order[i]].guid >> byte * 8 &
				    255]++] = order[i];
		memcpy(order, other, n * sizeof(*order));
	}
	free(other);
}

static void count_differences(struct weft__transit *t)
{
	struct weft_lft_diff diff;

	weft_lft_compare(&t->routes[0]->lft, &t->routes[1]->lft, &diff);
	t->out->entries = diff.entries;
	t->out->writes = diff.blocks;
	t->out->switches = diff.switches;
}

static int prepare(struct weft__transit *t, struct weft_diag *diag)
{
	const struct weft_fabric *f = t->fabric;
	struct weft_arena *a = weft__arena_new();

	for (unsigned k = 0; k < 2; k++)
		if (t->routes[k]->lft.nsw != f->nsw) {
			weft__arena_free(a);
			return weft_fail(diag, EINVAL,
					 "the tables are for %u switches but the fabric has %u: read or compute them anew",
					 t->routes[k]->lft.nsw, f->nsw);
		}
	t->scratch = a;
	if (!a)
		return -ENOMEM;
	t->hosts = weft__arena_alloc(a, f->nsw, sizeof(*t->hosts));
	t->writes = weft__arena_alloc(a, f->nsw, sizeof(*t->writes));
	t->risky = weft__arena_zalloc(a, f->max_lid + 1ull, 1);
	t->column[0] = weft__arena_alloc(a, f->nsw, WEFT_LFT_BLOCK);
	t->column[1] = weft__arena_alloc(a, f->nsw, WEFT_LFT_BLOCK);
	if (weft__arena_failed(a))
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++)
		t->hosts[s] = weft__hosts_on(f, s, false);
	if (t->spec->writes)
		memcpy(t->writes, t->spec->writes, f->nsw * sizeof(*t->writes));
	else
		weft_transition_opensm_order(f, t->writes);
	count_differences(t);
	return weft__transit_lanes(t, diag);
}

/* Tells whether one of the two sets alone has credit loops, or the new tables
 * with the old service levels. */
static int prove_sets(struct weft__transit *t, struct weft_diag *diag)
{
	struct weft_routes kept = { .lft = t->routes[1]->lft,
				    .layers = t->routes[0]->layers };
	const struct weft_routes *set[] = { t->routes[0], t->routes[1], &kept };
	bool *cyclic[] = { &t->out->cyclic_before, &t->out->cyclic_after,
			   &t->out->cyclic_kept };
	struct weft_proof_spec spec = { .credit_loops = true };

	/* The tables of SLs change, those of lanes are the new ones. */
	kept.layers.sl2vl = t->routes[1]->layers.sl2vl;
	kept.layers.base = t->routes[1]->layers.base;
	kept.layers.nvl = t->routes[1]->layers.nvl;
	for (unsigned k = 0; k < 3 && t->knots.n; k++) {
		struct weft_proof proof;
		int err =
			weft_proof_run(t->fabric, set[k], &spec, &proof, diag);

		if (err)
			return err;
		*cyclic[k] = proof.cyclic_vls;
		weft_proof_free(&proof);
	}
	return 0;
}

static int run_all(struct weft__transit *t, struct weft_diag *diag)
{
	int err = weft__transit_union(t);

	if (!err)
		err = prove_sets(t, diag);
	if (!err)
		err = weft__transit_opensm(t);
	if (!err && t->spec->search)
		err = weft__transit_search(t);
	return err;
}

int weft_transition_run(const struct weft_fabric *fabric,
			const struct weft_routes *before,
			const struct weft_routes *after,
			const struct weft_transition_spec *spec,
			struct weft_transition *out, struct weft_diag *diag)
{
	struct weft_transition found = { .opensm = { .known = true } };
	struct weft__transit t = {
		.fabric = fabric,
		.routes = { before, after },
		.spec = spec,
		.out = &found,
		.nlanes = 1,
	};
	int err = prepare(&t, diag);

	if (!err)
		err = run_all(&t, diag);
	weft__cdg_free(&t.waits);
	weft__arena_free(t.scratch);
	if (err) {
		weft_transition_free(&found);
		if (err == -ENOMEM)
			weft_diag_say(diag, WEFT_ERROR,
				      "not enough memory to compare the tables");
		return err;
	}
	*out = found;
	return 0;
}

void weft_transition_free(struct weft_transition *transition)
{
	weft__cycles_free(transition->cycle, transition->ncycles);
	free(transition->order);
	*transition = (struct weft_transition){ 0 };
}
