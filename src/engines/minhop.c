// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: minhop, the stock engine for reference
 *
 * Idea: route as OpenSM does by default, to compare with it offline.  All
 * cables on shortest paths are allowed, and every switch spreads the
 * destinations evenly over its own ports, regardless of what the other switches
 * do.
 *
 * Structures: hops[] and order[] of one breadth-first search; the balancing is
 * in trees/local_balance.c.
 * Deadlock: not addressed.
 * Complexity: O(LIDs x cables) time, O(cables) memory.
 * Limits: the port order within ties differs from OpenSM's where a fabric has
 * system image GUIDs or unequal links; the tables are similar, not identical.
 * Paper: section II of Hoefler, Schneider, Lumsdaine, HOTI 2009.
 */
#include "graph/bfs.h"
#include "trees/local_balance.h"

#include <weft/engine.h>

#include <errno.h>
#include <stdlib.h>

struct minhop {
	const struct weft_fabric *f;
	uint16_t *hops;
	uint32_t *order;
};

static void allow_nearer(void *rule, uint32_t root, uint8_t *allowed)
{
	struct minhop *m = rule;
	const struct weft_fabric *f = m->f;

	weft__bfs(f, root, m->hops, m->order);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			allowed[e] = m->hops[f->peer[f->adj[e]]] < m->hops[s];
}

static int minhop_route(const struct weft_fabric *f,
			const struct weft_options *options,
			struct weft_routes *out, struct weft_diag *diag)
{
	struct minhop m = { .f = f };
	struct weft_lft lft;
	int err = weft__require_connected(f, diag);

	(void)options;
	if (err)
		return err;
	m.hops = malloc((f->nsw + 1) * sizeof(*m.hops));
	m.order = malloc((f->nsw + 1) * sizeof(*m.order));
	err = m.hops && m.order ?
		weft__local_balance(f, allow_nearer, &m, &lft) : -ENOMEM;
	free(m.hops);
	free(m.order);
	if (err)
		return weft_fail(diag, -err, "out of memory");
	out->lft = lft;
	weft_layers_init(&out->layers);
	return 0;
}

const struct weft_engine weft__engine_minhop = {
	.name = "minhop",
	.summary = "shortest paths, balanced by each switch (like OpenSM's)",
	.needs = WEFT_REFERENCE,
	.minimal = true,
	.osm_name = "weft-minhop",
	.route = minhop_route,
};
