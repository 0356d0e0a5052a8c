// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Breadth-first search; see bfs.h. */
#include "trees/bfs.h"

#include <string.h>

uint32_t weft__bfs(const struct weft_fabric *f, uint32_t root,
		   uint16_t *hops, uint32_t *order)
{
	uint32_t head = 0, tail = 0;

	memset(hops, 0xff, f->nsw * sizeof(*hops));
	hops[root] = 0;
	order[tail++] = root;
	while (head < tail) {
		uint32_t s = order[head++];

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t t = f->peer[f->adj[i]];

			if (hops[t] != WEFT__FAR)
				continue;
			hops[t] = hops[s] + 1;
			order[tail++] = t;
		}
	}
	return tail;
}
