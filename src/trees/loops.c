// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Looks for credit loops of trees; see loops.h. */
#include "trees/loops.h"

#include "core/arena.h"
#include "graph/cdg.h"

#include <errno.h>

/* Adds what channels of a tree wait for.  out[], port[]: scratch, [nsw]. */
static void add_tree(struct weft__cdg *g, const struct weft__tree *tree,
		     uint32_t *restrict out, uint8_t *restrict port)
{
	const struct weft_fabric *f = g->fabric;
	const uint8_t *restrict choice = tree->choice;

	for (uint32_t s = 0; s < f->nsw; s++) {
		bool sends = s != tree->root && choice[s] != WEFT__UNFIXED;

		out[s] = sends ? f->adj[f->adj_first[s] + choice[s]] : 0;
		port[s] = sends ? out[s] - f->first_channel[s] : 0;
	}
	for (uint32_t s = 0; s < f->nsw; s++) {
		unsigned next = port[s] ? port[f->peer[out[s]]] : 0;

		if (next)
			weft__cdg_add(g, out[s], 0, next);
	}
}

int weft__trees_cyclic(const struct weft_fabric *f,
		       const struct weft__trees *trees, uint32_t n,
		       struct weft_arena *scratch)
{
	struct weft__cdg g;
	uint32_t *out = weft__arena_alloc(scratch, f->nsw, sizeof(*out));
	uint8_t *port = weft__arena_alloc(scratch, f->nsw, 1);
	uint32_t *rest, *degree;
	bool cyclic;

	if (!out || !port || weft__cdg_init(&g, f, 1, false))
		return -ENOMEM;
	for (uint32_t d = 0; d < n; d++)
		add_tree(&g, &trees->tree[d], out, port);
	rest = weft__arena_alloc(scratch, g.nv, sizeof(*rest));
	degree = weft__arena_alloc(scratch, g.nv, sizeof(*degree));
	cyclic = rest && degree && weft__cdg_rest(&g, rest, degree);
	weft__cdg_free(&g);
	return rest && degree ? cyclic : -ENOMEM;
}
