// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Cycles of the channel-dependency graph, short ones for people to read.
 *
 * What weft__cdg_rest() leaves is split into strongly connected components
 * (Tarjan 1972, with a stack of our own in place of recursion).  A lane has a
 * cycle if one of its vertices is in a component with an edge inside.  From
 * each such vertex of the lane, in ascending order, a breadth-first search
 * looks for the shortest way back to it: inside its component, past no vertex
 * of the lane that had its turn, and not farther than the best cycle at hand.
 */
#include "layers/cdg.h"
#include "core/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EFFORT (1u << 26)	/* edges looked at for one lane's cycle */

struct search {
	const struct weft__cdg *g;
	uint32_t *rest, nrest;
	uint32_t *component;	/* [nv]; WEFT_NONE = not on a cycle */

	/* Tarjan; number[] 0 = not met yet */
	uint32_t *number, *low, *at;
	uint32_t *stack, nstack;	/* vertices of open components */
	uint32_t *frame, nframes;	/* the way from the root */
	uint32_t count;

	/* breadth-first search; shares memory with the arrays above */
	uint32_t *queue;
	uint32_t *parent;
	uint32_t *seen;		/* = round: met in this search */
	uint32_t round;
	uint64_t effort;
};

static void open_vertex(struct search *s, uint32_t v)
{
	s->number[v] = s->low[v] = ++s->count;
	s->at[v] = 0;
	s->component[v] = 0;
	s->stack[s->nstack++] = v;
	s->frame[s->nframes++] = v;
}

static bool has_edge(const struct weft__cdg *g, uint32_t v, uint32_t to)
{
	for (uint32_t at = 0, w;
	     (w = weft__cdg_next(g, v, &at)) != WEFT_NONE;)
		if (w == to)
			return true;
	return false;
}

/* v is the first vertex of its component; the rest is above it on the stack. */
static void close_component(struct search *s, uint32_t v)
{
	uint32_t label = s->number[v], w;
	bool alone = s->stack[s->nstack - 1] == v;

	if (alone && !has_edge(s->g, v, v))
		label = WEFT_NONE;
	do {
		w = s->stack[--s->nstack];
		s->component[w] = label;
	} while (w != v);
}

/*
 * Components of all vertices that can be reached from root.  While a vertex is
 * on the stack its component[] is 0, which is no label.
 */
static void components_from(struct search *s, uint32_t root)
{
	open_vertex(s, root);
	while (s->nframes) {
		uint32_t v = s->frame[s->nframes - 1];
		uint32_t w = weft__cdg_next(s->g, v, &s->at[v]);

		if (w == WEFT_NONE) {
			s->nframes--;
			if (s->low[v] == s->number[v])
				close_component(s, v);
			if (s->nframes) {
				uint32_t u = s->frame[s->nframes - 1];

				if (s->low[v] < s->low[u])
					s->low[u] = s->low[v];
			}
		} else if (!s->number[w]) {
			open_vertex(s, w);
		} else if (!s->component[w] && s->number[w] < s->low[v]) {
			s->low[v] = s->number[w];
		}
	}
}

static void find_components(struct search *s)
{
	memset(s->number, 0, s->g->nv * sizeof(*s->number));
	memset(s->component, 0xff, s->g->nv * sizeof(*s->component));
	for (uint32_t i = 0; i < s->nrest; i++)
		if (!s->number[s->rest[i]])
			components_from(s, s->rest[i]);
}

/* Writes the way from root along parent[] to last, which has an edge back. */
static int store_cycle(const struct search *s, uint32_t root, uint32_t last,
		       uint32_t length, struct weft_cycle *cycle)
{
	uint32_t *channel = realloc(cycle->channel,
				    length * sizeof(*channel));
	uint8_t *lane;

	if (!channel)
		return -ENOMEM;
	cycle->channel = channel;
	lane = realloc(cycle->lane, length);
	if (!lane)
		return -ENOMEM;
	cycle->lane = lane;
	cycle->n = length;
	cycle->vl = root / s->g->nch;
	for (uint32_t v = last; length--; v = s->parent[v]) {
		channel[length] = v % s->g->nch;
		lane[length] = v / s->g->nch;
	}
	return 0;
}

/*
 * Looks for a cycle through root shorter than cycle->n (0 = any) that meets no
 * vertex from barred up to root.
 */
static int search_back(struct search *s, uint32_t root, uint32_t barred,
		       struct weft_cycle *cycle)
{
	uint32_t head = 0, tail = 0, length = 1;

	s->round++;
	s->queue[tail++] = root;
	for (uint32_t level = tail; !cycle->n || length < cycle->n;
	     level = tail, length++) {
		for (; head < level; head++) {
			uint32_t v = s->queue[head];

			for (uint32_t at = 0, w;
			     (w = weft__cdg_next(s->g, v, &at)) != WEFT_NONE;
			     s->effort++) {
				if (w == root)
					return store_cycle(s, root, v, length,
							   cycle);
				if (s->component[w] != s->component[root] ||
				    s->seen[w] == s->round ||
				    (w >= barred && w < root))
					continue;
				s->seen[w] = s->round;
				s->parent[w] = v;
				s->queue[tail++] = w;
			}
		}
		if (head == tail)
			break;
	}
	return 0;
}

static int lane_cycle(struct search *s, uint32_t lane,
		      struct weft_cycle *cycle)
{
	uint32_t first = lane * s->g->nch;
	int err = 0;

	s->effort = 0;
	for (uint32_t i = 0; i < s->nrest && !err; i++) {
		uint32_t v = s->rest[i];

		if (v < first || v >= first + s->g->nch ||
		    s->component[v] == WEFT_NONE)
			continue;
		if (cycle->n && s->effort > EFFORT)
			break;
		err = search_back(s, v, first, cycle);
	}
	return err;
}

/* All lanes, given room for as many cycles. */
static int find_cycles(struct search *s, struct weft_cycle *cycle,
		       unsigned *n)
{
	memset(s->seen, 0, s->g->nv * sizeof(*s->seen));
	for (uint32_t lane = 0; lane < s->g->nlanes; lane++) {
		int err = lane_cycle(s, lane, &cycle[*n]);

		*n += cycle[*n].channel != NULL;
		if (err)
			return err;
	}
	return 0;
}

static int alloc_search(struct search *s, struct weft_arena *scratch)
{
	uint32_t **array[] = { &s->component, &s->number, &s->low, &s->stack,
			       &s->frame };

	for (unsigned i = 0; i < sizeof(array) / sizeof(array[0]); i++) {
		*array[i] = weft__arena_alloc(scratch, s->g->nv,
					      sizeof(uint32_t));
		if (!*array[i])
			return -ENOMEM;
	}
	s->queue = s->stack;
	s->parent = s->low;
	s->seen = s->number;
	return 0;
}

int weft__cdg_cycles(const struct weft__cdg *g, struct weft_cycle **out,
		     unsigned *n)
{
	struct search s = { .g = g };
	struct weft_arena *scratch = weft__arena_new();
	struct weft_cycle *cycle = calloc(g->nlanes + 1, sizeof(*cycle));
	unsigned found = 0;
	int err = -ENOMEM;

	if (!scratch || !cycle)
		goto free_scratch;
	s.rest = weft__arena_alloc(scratch, g->nv, sizeof(*s.rest));
	s.at = weft__arena_alloc(scratch, g->nv, sizeof(*s.at));
	if (!s.rest || !s.at)
		goto free_scratch;
	s.nrest = weft__cdg_rest(g, s.rest, s.at);
	err = s.nrest ? alloc_search(&s, scratch) : 0;
	if (!err && s.nrest) {
		find_components(&s);
		err = find_cycles(&s, cycle, &found);
	}
free_scratch:
	weft__arena_free(scratch);
	if (err) {
		weft__cycles_free(cycle, found);
		return err;
	}
	*out = cycle;
	*n = found;
	return 0;
}

void weft__cycles_free(struct weft_cycle *cycle, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		free(cycle[i].channel);
		free(cycle[i].lane);
	}
	free(cycle);
}
