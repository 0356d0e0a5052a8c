// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which switches are simulated together.  Those with hosts are gone through by
 * how far they are from the first one, so that those that share neighbours
 * follow each other, and cut into parts of as many hosts.  The others join the
 * part that most of their neighbours are in, nearer ones first.
 */
#include "graph/bfs.h"
#include "sim/parallel/parallel.h"

/* Lists all switches, those of a component by how far they are from its first
 * one. */
static bool list_all(const struct weft_fabric *f, uint32_t *order,
		     struct weft_arena *arena)
{
	uint16_t *hops = weft__arena_alloc(arena, f->nsw, sizeof(*hops));
	bool *seen = weft__arena_zalloc(arena, f->nsw, sizeof(*seen));
	uint32_t n = 0;

	if (!hops || !seen)
		return false;
	for (uint32_t sw = 0; sw < f->nsw; sw++) {
		uint32_t end;

		if (seen[sw])
			continue;
		end = n + weft__bfs(f, sw, hops, order + n);
		while (n < end)
			seen[order[n++]] = true;
	}
	return true;
}

/* Cuts the switches with hosts, in their order. */
static void cut_hosts(const struct weft_fabric *f, uint32_t n,
		      const uint32_t *order, const uint32_t *hosts,
		      uint32_t *part)
{
	uint64_t before = 0;

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t sw = order[i];

		if (hosts[sw])
			part[sw] = (before + hosts[sw] / 2) * n / f->nep;
		before += hosts[sw];
	}
}

/* Finds the part that most neighbours of a switch are in, and of these the
 * smallest; WEFT_NONE: they are in none. */
static uint32_t most_of(const struct weft_fabric *f, uint32_t sw, uint32_t n,
			const uint32_t *part, const uint32_t *size,
			uint32_t *count)
{
	uint32_t best = WEFT_NONE;

	for (uint32_t p = 0; p < n; p++)
		count[p] = 0;
	for (uint32_t i = f->adj_first[sw]; i < f->adj_first[sw + 1]; i++)
		if (part[f->peer[f->adj[i]]] != WEFT_NONE)
			count[part[f->peer[f->adj[i]]]]++;
	for (uint32_t p = 0; p < n; p++)
		if (count[p] &&
		    (best == WEFT_NONE || count[p] > count[best] ||
		     (count[p] == count[best] && size[p] < size[best])))
			best = p;
	return best;
}

/* Has the switches without hosts join parts: again and again all that are next
 * to some. */
static void join_rest(const struct weft_fabric *f, uint32_t n,
		      const uint32_t *order, uint32_t *part, uint32_t *join,
		      uint32_t *size, uint32_t *count)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t i = 0; i < f->nsw; i++) {
			uint32_t sw = order[i];

			join[sw] = part[sw];
			if (part[sw] != WEFT_NONE)
				continue;
			join[sw] = most_of(f, sw, n, part, size, count);
			if (join[sw] == WEFT_NONE)
				continue;
			size[join[sw]] +=
				f->adj_first[sw + 1] - f->adj_first[sw];
			more = true;
		}
		for (uint32_t sw = 0; sw < f->nsw; sw++)
			part[sw] = join[sw];
	}
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		if (part[sw] == WEFT_NONE)
			part[sw] = 0;
}

bool weft__cut_switches(const struct weft_fabric *f, uint32_t n, uint32_t *part,
			struct weft_arena *arena)
{
	uint32_t *order = weft__arena_alloc(arena, f->nsw, sizeof(*order));
	uint32_t *hosts = weft__arena_zalloc(arena, f->nsw, sizeof(*hosts));
	uint32_t *join = weft__arena_alloc(arena, f->nsw, sizeof(*join));
	uint32_t *size = weft__arena_zalloc(arena, n, sizeof(*size));
	uint32_t *count = weft__arena_alloc(arena, n, sizeof(*count));

	if (weft__arena_failed(arena) || !list_all(f, order, arena))
		return false;
	for (uint32_t ep = 0; ep < f->nep; ep++)
		hosts[f->ep[ep].sw]++;
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		part[sw] = WEFT_NONE;
	cut_hosts(f, n, order, hosts, part);
	join_rest(f, n, order, part, join, size, count);
	return true;
}
