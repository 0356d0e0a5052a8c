// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: cables between the same two switches
 *
 * Idea: chains decide by which switches a destination is reached.  Where
 * several cables join two of these, this file decides which cable the
 * destination takes, for all destinations of a switch at once.  If there are at
 * least as many destinations as cables, they are dealt in blocks of neighbours:
 * three destinations get cables 0, 0, 1, not 0, 1, 0.  In most rounds of a
 * collective operation, ranks next to each other receive from the same
 * direction and ranks farther apart from opposite ones, where each has
 * neighbours beside it that want the same cable.  If there are fewer
 * destinations, they get the least used cables.
 *
 * Upwards the same block takes the same cable for all switches of destinations,
 * so that a shift, which reaches the end of one switch and the beginning of the
 * next, finds each block once.  If blocks differ in size, this favours the
 * first cables; destinations that are mirrored (second ports) make up for it.
 * Downwards the larger blocks go to the end that is used less.
 *
 * Blocks give recursive doubling more than they take from shifts.  They are
 * blocks of cables only: if neighbours shared a spine as well, trees with one
 * cable to each spine would lose by it.  Nor are cables up chosen as the least
 * used ones whatever the destination's switch, as blocks would then meet others
 * of the next switch.
 */
#include "engines/fattree/cables.h"

#include "core/arena.h"

#include <string.h>

static uint32_t most_endports(const struct weft_fabric *f)
{
	uint32_t most = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s + 1] - f->sw_ep_first[s] > most)
			most = f->sw_ep_first[s + 1] - f->sw_ep_first[s];
	return most;
}

/* Groups the edges of each switch by the switch they lead to. */
static void find_groups(struct weft__parallel *c)
{
	const struct weft_fabric *f = c->run->fabric;
	const uint32_t *head = c->run->tree.ways.head;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t start = f->adj_first[s];

		for (uint32_t e = start; e < f->adj_first[s + 1]; e++) {
			if (head[e] != head[start])
				start = e;
			c->start[e] = start;
			c->length[start]++;
			c->parallel |= e != start;
		}
	}
}

bool weft__parallel_init(struct weft__parallel *c,
			 struct weft__fattree_run *run)
{
	uint32_t n = run->fabric->adj_first[run->fabric->nsw];

	*c = (struct weft__parallel){ .run = run };
	c->start = weft__arena_alloc(run->arena, n, sizeof(*c->start));
	c->length = weft__arena_zalloc(run->arena, n, sizeof(*c->length));
	c->load = weft__arena_zalloc(run->arena, n, sizeof(*c->load));
	c->batch = weft__arena_zalloc(run->arena, n, sizeof(*c->batch));
	c->carries = weft__arena_alloc(run->arena, most_endports(run->fabric),
				       run->fabric->nsw);
	c->from_last = weft__arena_zalloc(run->arena, n, 1);
	c->dealt = weft__arena_zalloc(run->arena, n, sizeof(*c->dealt));
	if (weft__arena_failed(run->arena))
		return false;
	find_groups(c);
	return true;
}

/* Marks the switches that send traffic of endports towards a tree's root. */
static void mark_carriers(struct weft__parallel *c,
			  const struct weft__tree *tree, uint8_t *carries)
{
	const struct weft_fabric *f = c->run->fabric;
	const struct weft__plan *plan = weft__ways_to(&c->run->tree.ways,
						      tree->root);

	memset(carries, 0, f->nsw);
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i];

		carries[s] |= f->sw_ep_first[s] != f->sw_ep_first[s + 1];
		if (carries[s])
			carries[c->run->tree.ways.head[f->adj_first[s] +
						       tree->choice[s]]] = 1;
	}
	carries[tree->root] = 0;
}

static uint64_t capacity(const struct weft__parallel *c, uint32_t e)
{
	const struct weft_fabric *f = c->run->fabric;

	return f->capacity[f->adj[e]];
}

/* True if cable a has fewer destinations for its capacity than cable b. */
static bool less_used(const struct weft__parallel *c, uint32_t a, uint32_t b)
{
	return c->load[a] * capacity(c, b) < c->load[b] * capacity(c, a);
}

static uint32_t least_used_cable(const struct weft__parallel *c, uint32_t start)
{
	uint32_t best = start;

	for (uint32_t e = start + 1; e < start + c->length[start]; e++)
		if (less_used(c, e, best))
			best = e;
	return best;
}

/* Returns the cable for the next tree of the batch, in blocks as wide as the
 * cables. */
static uint32_t next_in_blocks(const struct weft__parallel *c, uint32_t start,
			       bool from_last)
{
	uint32_t last = start + c->length[start] - 1, e;
	uint64_t sum = 0, until = 0;

	for (e = start; e <= last; e++)
		sum += capacity(c, e);
	for (uint32_t i = start; i <= last; i++) {
		e = from_last ? last - (i - start) : i;
		until += capacity(c, e);
		if (c->dealt[start] * sum < until * c->batch[start])
			break;
	}
	return e;
}

static uint32_t choose_cable(const struct weft__parallel *c, uint32_t s,
			     uint32_t start, bool mirrored)
{
	const uint32_t *place = c->run->tree.place;
	bool down = place[c->run->tree.ways.head[start]] > place[s];
	uint32_t last = start + c->length[start] - 1;

	if (c->batch[start] < c->length[start])
		return least_used_cable(c, start);
	if (down && !c->dealt[start])
		c->from_last[start] = less_used(c, last, start);
	return next_in_blocks(c, start, down ? c->from_last[start] : mirrored);
}

static void deal_tree(struct weft__parallel *c, const struct weft__tree *tree,
		      uint32_t s, bool mirrored)
{
	uint32_t first = c->run->fabric->adj_first[s];
	uint32_t start = c->start[first + tree->choice[s]], e;

	if (c->length[start] == 1)
		return;
	e = choose_cable(c, s, start, mirrored);
	tree->choice[s] = e - first;
	c->dealt[start]++;
	c->load[e]++;
}

void weft__parallel_deal(struct weft__parallel *c,
			 const struct weft__tree *const *tree, uint32_t n,
			 bool mirrored)
{
	const uint32_t *first = c->run->fabric->adj_first;
	uint32_t nsw = c->run->fabric->nsw;

	if (!c->parallel || !n)
		return;
	for (uint32_t i = 0; i < n; i++)
		mark_carriers(c, tree[i], c->carries + (size_t)i * nsw);
	for (uint32_t s = 0; s < nsw; s++) {
		memset(c->batch + first[s], 0, (first[s + 1] - first[s]) *
		       sizeof(*c->batch));
		memset(c->dealt + first[s], 0, (first[s + 1] - first[s]) *
		       sizeof(*c->dealt));
		for (uint32_t i = 0; i < n; i++)
			if (c->carries[(size_t)i * nsw + s])
				c->batch[c->start[first[s] +
						  tree[i]->choice[s]]]++;
		for (uint32_t i = 0; i < n; i++)
			if (c->carries[(size_t)i * nsw + s])
				deal_tree(c, tree[i], s, mirrored);
	}
}
