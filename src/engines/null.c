// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: null, the template of an engine
 *
 * Idea: do the least that fulfils the contract.  Every destination gets the
 * tree of a breadth-first search from its switch; among equally near neighbours
 * a switch sends to the one with the lowest GUID, by its lowest port.  Nothing
 * is balanced.  Copy this file to start an engine of your own
 * (CONTRIBUTING.md).
 *
 * Structures: hops[] and order[] of one search, owned by route().
 * Deadlock: not free of credit loops on anything but trees.
 * Complexity: O(switches x cables + switches x LIDs) time, O(switches) memory.
 * Limits: none.
 * Paper: none.
 */
#include "graph/bfs.h"
#include "graph/entries.h"

#include <weft/engine.h>

#include <stdlib.h>

/* Writes the tables for one LID; hops[] are the cables to its switch. */
static void route_lid(const struct weft_fabric *f, const uint16_t *hops,
		      unsigned lid, struct weft_lft *lft)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t i = f->adj_first[s];

		if (!hops[s])
			continue;
		while (hops[f->peer[f->adj[i]]] != hops[s] - 1)
			i++;
		weft_lft_row(lft, s)[lid] = weft__port(f, s, f->adj[i]);
	}
}

static int null_route(const struct weft_fabric *f,
		      const struct weft_options *options,
		      struct weft_routes *out, struct weft_diag *diag)
{
	uint16_t *hops = malloc((f->nsw + 1) * sizeof(*hops));
	uint32_t *order = malloc((f->nsw + 1) * sizeof(*order));
	struct weft_lft lft = { 0 };
	int err;

	(void)options;
	if (!hops || !order || weft_lft_init(&lft, f->nsw, f->max_lid))
		err = weft_no_memory(diag);
	else
		err = weft__require_connected(f, diag);
	for (unsigned lid = 1; lid <= f->max_lid && !err; lid++) {
		uint32_t dest = f->lid_owner[lid], root;

		if (dest == WEFT_NONE)
			continue;
		root = weft_vertex_switch(f, dest);
		weft__bfs(f, root, hops, order);
		route_lid(f, hops, lid, &lft);
		weft_lft_row(&lft, root)[lid] = weft__delivery_port(f, dest);
	}
	free(hops);
	free(order);
	if (err) {
		weft_lft_free(&lft);
		return err;
	}
	out->lft = lft;
	weft_layers_init(&out->layers);
	return 0;
}

const struct weft_engine weft__engine_null = {
	.name = "null",
	.summary = "shortest paths, not balanced: the template of an engine",
	.needs = WEFT_OFFLINE | WEFT_REFERENCE,
	.minimal = true,
	.route = null_route,
};
