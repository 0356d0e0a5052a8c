// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Orders a CDG anew, by ids or by a rule; see order.h. */
#include "graph/order.h"

#include <string.h>

/* Adds a vertex to a heap of n, the lowest on top. */
static void push_lowest(uint32_t *heap, uint32_t n, uint32_t v)
{
	for (; n && heap[(n - 1) / 2] > v; n = (n - 1) / 2)
		heap[n] = heap[(n - 1) / 2];
	heap[n] = v;
}

/* Takes the lowest of n vertices off a heap. */
static uint32_t pop_lowest(uint32_t *heap, uint32_t n)
{
	uint32_t top = heap[0], last = heap[--n], at = 0, next;

	while ((next = 2 * at + 1) < n) {
		if (next + 1 < n && heap[next + 1] < heap[next])
			next++;
		if (heap[next] >= last)
			break;
		heap[at] = heap[next];
		at = next;
	}
	heap[at] = last;
	return top;
}

void weft__order_by_id(struct weft__order *o)
{
	uint32_t nv = o->cdg.nv, *heap = o->place, *before = o->found, w;
	uint32_t n = 0, done = 0;

	o->back_known = false;
	memset(before, 0, nv * sizeof(*before));
	for (uint32_t v = 0; v < nv; v++)
		for (uint32_t at = 0; (w = weft__cdg_next(&o->cdg, v, &at)) !=
		     WEFT_NONE; )
			before[w]++;
	for (uint32_t v = 0; v < nv; v++)
		if (!before[v])
			push_lowest(heap, n++, v);
	while (n) {
		uint32_t v = pop_lowest(heap, n--);

		o->vertex[done] = v;
		o->position[v] = done++;
		for (uint32_t at = 0; (w = weft__cdg_next(&o->cdg, v, &at)) !=
		     WEFT_NONE; )
			if (!--before[w])
				push_lowest(heap, n++, w);
	}
	o->nadded = 0;
}

/* Returns the next vertex that v leads to by a rule; WEFT_NONE at the end. */
static uint32_t next_by_rule(const struct weft__order *o,
			     const struct weft__order_rule *rule, uint32_t v,
			     uint32_t *at)
{
	const struct weft_fabric *f = o->cdg.fabric;
	uint32_t t = f->peer[v - rule->from * o->cdg.nch];

	return t >= f->nsw || (rule->without && rule->without[t]) ?
		WEFT_NONE : weft__cdg_next(&o->cdg, v, at);
}

void weft__order_by_rule(struct weft__order *o, uint32_t lane,
			 const struct weft__order_rule *rule)
{
	uint32_t nch = o->cdg.nch, *heap = o->place, *before = o->found, w;
	uint32_t first = rule->from * nch, *position = o->position + lane * nch;
	uint32_t n = 0, done = 0;

	memset(before, 0, nch * sizeof(*before));
	for (uint32_t v = first; v < first + nch; v++)
		for (uint32_t at = 0; (w = next_by_rule(o, rule, v, &at)) !=
		     WEFT_NONE; )
			before[w - first]++;
	for (uint32_t ch = 0; ch < nch; ch++)
		if (!before[ch])
			push_lowest(heap, n++, rule->rank[ch]);
	while (n) {
		uint32_t ch = rule->by_rank[pop_lowest(heap, n--)];

		position[ch] = done++;
		for (uint32_t at = 0; (w = next_by_rule(o, rule, first + ch,
							&at)) != WEFT_NONE; )
			if (!--before[w - first])
				push_lowest(heap, n++, rule->rank[w - first]);
	}
	o->nadded = 0;
}

void weft__order_by_rank(struct weft__order *o, const uint32_t *rank,
			 const uint32_t *by_rank)
{
	struct weft__order_rule rule = { .rank = rank, .by_rank = by_rank };
	uint32_t nch = o->cdg.nch;

	for (; rule.from < o->cdg.nlanes; rule.from++)
		weft__order_by_rule(o, rule.from, &rule);
	for (uint32_t v = 0; v < o->cdg.nv; v++) {
		o->position[v] += v - v % nch;
		o->vertex[o->position[v]] = v;
	}
}
