// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Searches breadth-first; see bfs.h. */
#include "graph/bfs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint32_t weft__bfs(const struct weft_fabric *f, uint32_t root, uint16_t *hops,
		   uint32_t *order)
{
	return weft__bfs_around(f, root, NULL, hops, order);
}

/* Goes on from the first tail switches in order[]. */
static uint32_t search(const struct weft_fabric *f, const bool *avoid,
		       uint16_t *hops, uint32_t *order, uint32_t tail)
{
	uint32_t head = 0;

	while (head < tail) {
		uint32_t s = order[head++];

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t t = f->peer[f->adj[i]];

			if (hops[t] != WEFT__FAR || (avoid && avoid[t]))
				continue;
			hops[t] = hops[s] + 1;
			order[tail++] = t;
		}
	}
	return tail;
}

uint32_t weft__bfs_around(const struct weft_fabric *f, uint32_t root,
			  const bool *avoid, uint16_t *hops, uint32_t *order)
{
	memset(hops, 0xff, f->nsw * sizeof(*hops));
	hops[root] = 0;
	order[0] = root;
	return search(f, avoid, hops, order, 1);
}

uint32_t weft__bfs_many(const struct weft_fabric *f, const uint8_t *roots,
			uint16_t *hops, uint32_t *order)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		hops[s] = roots[s] ? 0 : WEFT__FAR;
		if (roots[s])
			order[n++] = s;
	}
	return search(f, NULL, hops, order, n);
}

static uint32_t first_unreached(const struct weft_fabric *f,
				const uint16_t *hops)
{
	uint32_t s = 0;

	while (s < f->nsw && hops[s] != WEFT__FAR)
		s++;
	return s;
}

int weft__require_connected(const struct weft_fabric *f, struct weft_diag *diag)
{
	uint16_t *hops = malloc((f->nsw + 1) * sizeof(*hops));
	uint32_t *order = malloc((f->nsw + 1) * sizeof(*order));
	uint32_t cut;
	int err = 0;

	if (!hops || !order) {
		err = weft_fail(diag, ENOMEM, "out of memory");
		goto free_all;
	}
	if (!f->nsw)
		goto free_all;
	weft__bfs(f, 0, hops, order);
	cut = first_unreached(f, hops);
	if (cut < f->nsw)
		err = weft_fail(
			diag, ENETUNREACH,
			"the fabric is in parts: no cable leads from switch "
			"0x%016" PRIx64 " (%s) to switch 0x%016" PRIx64 " (%s)",
			f->sw[0].guid, f->sw[0].name, f->sw[cut].guid,
			f->sw[cut].name);
free_all:
	free(hops);
	free(order);
	return err;
}
