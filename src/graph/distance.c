// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds shortest distances to 64 switches at a time; see distance.h. */
#include "graph/distance.h"

#include <errno.h>
#include <string.h>

static void collect_neighbours(struct weft__distances *d,
			       const struct weft_fabric *f)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		d->first[s] = n;
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t peer = f->peer[f->adj[i]];

			if (n == d->first[s] || d->neighbour[n - 1] != peer)
				d->neighbour[n++] = peer;
		}
	}
	d->first[f->nsw] = n;
}

int weft__distances_init(struct weft__distances *d,
			 const struct weft_fabric *fabric,
			 struct weft_arena *scratch)
{
	size_t n = fabric->nsw, cables = fabric->adj_first[fabric->nsw];

	d->nsw = n;
	d->n = 0;
	d->first = weft__arena_alloc(scratch, n + 1, sizeof(*d->first));
	d->neighbour = weft__arena_alloc(scratch, cables,
					 sizeof(*d->neighbour));
	d->cables = weft__arena_alloc(scratch, n, 64 * sizeof(*d->cables));
	d->seen = weft__arena_alloc(scratch, n, sizeof(*d->seen));
	d->now = weft__arena_zalloc(scratch, n, sizeof(*d->now));
	d->next = weft__arena_zalloc(scratch, n, sizeof(*d->next));
	d->active = weft__arena_alloc(scratch, n, sizeof(*d->active));
	d->woken = weft__arena_alloc(scratch, n, sizeof(*d->woken));
	if (!d->first || !d->neighbour || !d->cables || !d->seen || !d->now ||
	    !d->next || !d->active || !d->woken)
		return -ENOMEM;
	collect_neighbours(d, fabric);
	return 0;
}

void weft__distances_clear(struct weft__distances *d)
{
	d->n = 0;
}

void weft__distances_ask(struct weft__distances *d, uint32_t sw)
{
	for (uint32_t i = 0; i < d->n; i++)
		if (d->to[i] == sw)
			return;
	d->to[d->n++] = sw;
}

/* Hands the bits of all active switches to neighbours that lack them.  Returns
 * how many switches were woken. */
static uint32_t spread_bits(struct weft__distances *d, uint32_t nactive)
{
	uint32_t nwoken = 0;

	for (uint32_t a = 0; a < nactive; a++) {
		uint32_t s = d->active[a];
		uint64_t bits = d->now[s];

		d->now[s] = 0;
		for (uint32_t i = d->first[s]; i < d->first[s + 1]; i++) {
			uint32_t t = d->neighbour[i];
			uint64_t fresh = bits & ~d->seen[t];

			if (!fresh)
				continue;
			if (!d->next[t])
				d->woken[nwoken++] = t;
			d->next[t] |= fresh;
		}
	}
	return nwoken;
}

/* Sets the distance of the woken switches and makes them the active ones. */
static void settle_switches(struct weft__distances *d, uint32_t nwoken,
			    uint32_t distance)
{
	uint32_t *woken = d->woken;

	for (uint32_t a = 0; a < nwoken; a++) {
		uint32_t s = woken[a];
		uint64_t bits = d->next[s];

		d->seen[s] |= bits;
		d->now[s] = bits;
		d->next[s] = 0;
		for (; bits; bits &= bits - 1)
			d->cables[(size_t)__builtin_ctzll(bits) * d->nsw + s] =
				distance;
	}
	d->woken = d->active;
	d->active = woken;
}

void weft__distances_find(struct weft__distances *d)
{
	uint32_t n = 0;

	memset(d->seen, 0, d->nsw * sizeof(*d->seen));
	memset(d->cables, 0xff, (size_t)d->n * d->nsw * sizeof(*d->cables));
	for (; n < d->n; n++) {
		d->next[d->to[n]] = 1ull << n;
		d->woken[n] = d->to[n];
	}
	for (uint32_t distance = 0; n; distance++) {
		settle_switches(d, n, distance);
		n = spread_bits(d, n);
	}
}

const uint32_t *weft__distances_to(const struct weft__distances *d,
				   uint32_t sw)
{
	uint32_t i = 0;

	while (d->to[i] != sw)
		i++;
	return d->cables + (size_t)i * d->nsw;
}
