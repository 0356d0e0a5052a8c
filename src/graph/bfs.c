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

/* Marks the switches that searches have met for the first time, by now[], and
 * sets their hops.  Returns true if there are any. */
static bool settle_hops(uint32_t nsw, uint64_t *met, const uint64_t *now,
			uint64_t *fresh, unsigned n, uint16_t *hops)
{
	bool any = false;

	for (uint32_t s = 0; s < nsw; s++) {
		fresh[s] = now[s] & ~met[s];
		met[s] |= fresh[s];
		any |= fresh[s] != 0;
		for (uint64_t bits = fresh[s]; bits; bits &= bits - 1)
			hops[(size_t)__builtin_ctzll(bits) * nsw + s] = n;
	}
	return any;
}

/* Makes one search after the other, which takes less where switches are far. */
static void search_apart(const struct weft_fabric *f, const uint32_t *roots,
			 unsigned n, uint16_t *hops, uint64_t *scratch)
{
	for (unsigned i = 0; i < n; i++)
		weft__bfs(f, roots[i], hops + (size_t)i * f->nsw,
			  (uint32_t *)scratch);
}

void weft__bfs_block(const struct weft_fabric *f, const uint32_t *roots,
		     unsigned n, uint16_t *hops, uint64_t *scratch)
{
	uint64_t *met = scratch, *fresh = met + f->nsw, *now = fresh + f->nsw;
	unsigned far = 0;

	memset(hops, 0xff, (size_t)n * f->nsw * sizeof(*hops));
	memset(scratch, 0, 3ull * f->nsw * sizeof(*scratch));
	for (unsigned i = 0; i < n; i++)
		now[roots[i]] |= UINT64_C(1) << i;
	while (settle_hops(f->nsw, met, now, fresh, far++, hops)) {
		if (far > WEFT__BFS_BLOCK) {
			search_apart(f, roots, n, hops, scratch);
			return;
		}
		for (uint32_t s = 0; s < f->nsw; s++) {
			uint64_t bits = 0;

			for (uint32_t e = f->adj_first[s];
			     e < f->adj_first[s + 1]; e++)
				bits |= fresh[f->peer[f->adj[e]]];
			now[s] = bits;
		}
	}
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
			"the fabric is in parts: no cable leads from switch 0x%016" PRIx64 " (%s) to switch 0x%016" PRIx64 " (%s)",
			f->sw[0].guid, f->sw[0].name, f->sw[cut].guid,
			f->sw[cut].name);
free_all:
	free(hops);
	free(order);
	return err;
}
