// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The channel-dependency graph; see cdg.h. */
#include "graph/cdg.h"

#include <weft/layers.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_HEADS (WEFT_NSL * 256)	/* successors of a vertex */

int weft__cdg_init(struct weft__cdg *g, const struct weft_fabric *fabric,
		   uint32_t nlanes, bool mixed)
{
	unsigned radix = 1;
	uint64_t nv = (uint64_t)fabric->first_injection * nlanes;
	size_t rows;
	uint64_t *bits;

	for (uint32_t s = 0; s < fabric->nsw; s++)
		if (fabric->sw[s].nports > radix)
			radix = fabric->sw[s].nports;
	if (nv >= WEFT_NONE)
		return -ENOMEM;
	rows = nv * (mixed ? nlanes : 1);
	bits = calloc(rows + 1, (radix + 63) / 64 * sizeof(*bits));
	if (!bits)
		return -ENOMEM;
	*g = (struct weft__cdg){
		.fabric = fabric,
		.nch = fabric->first_injection,
		.nlanes = nlanes,
		.nv = nv,
		.to_lanes = mixed ? nlanes : 1,
		.words = (radix + 63) / 64,
		.bits = bits,
	};
	return 0;
}

void weft__cdg_free(struct weft__cdg *g)
{
	free(g->bits);
	*g = (struct weft__cdg){ 0 };
}

void weft__cdg_join(struct weft__cdg *g, const struct weft__cdg *from)
{
	size_t n = (size_t)g->nv * g->to_lanes * g->words;

	for (size_t i = 0; i < n; i++)
		g->bits[i] |= from->bits[i];
}

uint32_t weft__cdg_next(const struct weft__cdg *g, uint32_t v, uint32_t *at)
{
	uint32_t row = g->to_lanes * g->words;
	const uint64_t *bits = g->bits + (size_t)v * row;

	for (uint32_t w = *at / 64; w < row; w++) {
		uint64_t word = bits[w];
		uint32_t from, to, port;

		if (w == *at / 64)
			word &= ~0ull << *at % 64;
		if (!word)
			continue;
		*at = w * 64 + __builtin_ctzll(word) + 1;
		from = v / g->nch;
		to = w / g->words;
		port = *at - to * g->words * 64;
		if (g->to_lanes == 1)
			to = from;
		return to * g->nch +
			weft_channel(g->fabric,
				     g->fabric->peer[v - from * g->nch], port);
	}
	*at = row * 64;
	return WEFT_NONE;
}

uint32_t weft__cdg_rank(const struct weft__cdg *g, uint32_t v, uint32_t w)
{
	const uint64_t *bits = g->bits + (size_t)v * g->to_lanes * g->words;
	uint32_t sw = g->fabric->peer[v % g->nch], rank = 0;
	uint32_t bit = w % g->nch - g->fabric->first_channel[sw] - 1;

	if (g->to_lanes > 1)
		bit += w / g->nch * g->words * 64;
	for (uint32_t i = 0; i < bit / 64; i++)
		rank += __builtin_popcountll(bits[i]);
	return rank + __builtin_popcountll(bits[bit / 64] &
					   ((1ull << bit % 64) - 1));
}

/* Lists the successors of v.  Returns how many there are. */
static inline uint32_t list_heads(const struct weft__cdg *g, uint32_t v,
				  uint32_t *head)
{
	const uint64_t *bits = g->bits + (size_t)v * g->to_lanes * g->words;
	uint32_t n = 0, ch = v % g->nch;

	for (uint32_t to = 0; to < g->to_lanes; to++) {
		uint32_t lane = g->to_lanes == 1 ? v - ch : to * g->nch;

		for (uint32_t k = 0; k < g->words; k++) {
			uint64_t left = *bits++;
			uint32_t first = left ? lane + k * 64 +
				weft_channel(g->fabric, g->fabric->peer[ch],
					     1) : 0;

			for (; left; left &= left - 1)
				head[n++] = first + __builtin_ctzll(left);
		}
	}
	return n;
}

uint32_t weft__cdg_rest(const struct weft__cdg *g, uint32_t *rest,
			uint32_t *degree)
{
	uint32_t at = 0, tail = 0, left = 0, n, head[MAX_HEADS];
	uint32_t *queue = rest;

	memset(degree, 0, g->nv * sizeof(*degree));
	for (uint32_t v = 0; v < g->nv; v++) {
		n = list_heads(g, v, head);
		for (uint32_t i = 0; i < n; i++)
			degree[head[i]]++;
	}
	for (uint32_t v = 0; v < g->nv; v++)
		if (!degree[v])
			queue[tail++] = v;
	while (at < tail) {
		n = list_heads(g, queue[at++], head);
		for (uint32_t i = 0; i < n; i++)
			if (!--degree[head[i]])
				queue[tail++] = head[i];
	}
	for (uint32_t v = 0; v < g->nv && tail < g->nv; v++)
		if (degree[v])
			rest[left++] = v;
	return left;
}
