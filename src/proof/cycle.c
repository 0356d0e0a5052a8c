// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Finds cycles of the channel-dependency graph, short ones for people to read:
 * one of each strongly connected component.  From each vertex of the component,
 * in ascending order, a breadth-first search looks for the shortest way back.
 * It stays inside the component, avoids vertices that were searched from
 * already, and goes no farther than the best cycle so far.
 */
#include "proof/cycle.h"

#include "core/grow.h"

#include <errno.h>
#include <stdlib.h>

#define EFFORT (1ull << 26)	/* edges looked at, in all components
				 * together */

struct search {
	const struct weft__cdg *g;
	const uint32_t *component;	/* [nv] */
	uint32_t *queue, *parent;	/* [nv] */
	uint32_t *seen;		/* [nv] round of the search that met it */
	uint32_t round;
	uint64_t effort;
};

/* Stores the way from root along parent[] to last, which has an edge back. */
static int store_cycle(const struct search *s, uint32_t root, uint32_t last,
		       uint32_t length, struct weft_cycle *cycle)
{
	int err = weft__resize(&cycle->channel, length);

	if (!err)
		err = weft__resize(&cycle->lane, length);
	if (err)
		return err;
	cycle->n = length;
	cycle->vl = root / s->g->nch;
	for (uint32_t v = last; length--; v = s->parent[v]) {
		cycle->channel[length] = v % s->g->nch;
		cycle->lane[length] = v / s->g->nch;
	}
	return 0;
}

/* Searches for a cycle through root and higher vertices that is shorter than
 * cycle->n (0: any). */
static int search_back(struct search *s, uint32_t root,
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
				    s->seen[w] == s->round || w < root)
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

/* Finds the cycle of a component within its share of the effort. */
static int knot_cycle(struct search *s, const uint32_t *vertex, uint32_t n,
		      uint64_t share, struct weft_cycle *cycle)
{
	int err = 0;

	s->effort = 0;
	cycle->knot = n;
	cycle->shortest = true;
	for (uint32_t i = 0; i < n && !err; i++) {
		if (cycle->n && s->effort > share) {
			cycle->shortest = false;
			break;
		}
		err = search_back(s, vertex[i], cycle);
	}
	return err;
}

static int find_cycles(struct search *s, const struct weft__knots *knots,
		       struct weft_cycle *cycle)
{
	uint32_t all = knots->first[knots->n];
	int err = 0;

	for (uint32_t i = 0; i < knots->n && !err; i++) {
		uint32_t n = knots->first[i + 1] - knots->first[i];

		err = knot_cycle(s, knots->vertex + knots->first[i], n,
				 EFFORT * n / all, &cycle[i]);
	}
	return err;
}

int weft__cdg_cycles(const struct weft__cdg *g, const struct weft__knots *knots,
		     struct weft_cycle **out)
{
	struct search s = { .g = g, .component = knots->of };
	struct weft_arena *scratch = weft__arena_new();
	struct weft_cycle *cycle = calloc(knots->n + 1ull, sizeof(*cycle));
	int err = -ENOMEM;

	if (!scratch || !cycle)
		goto free_scratch;
	s.queue = weft__arena_alloc(scratch, g->nv, sizeof(*s.queue));
	s.parent = weft__arena_alloc(scratch, g->nv, sizeof(*s.parent));
	s.seen = weft__arena_zalloc(scratch, g->nv, sizeof(*s.seen));
	if (s.queue && s.parent && s.seen)
		err = knots->n ? find_cycles(&s, knots, cycle) : 0;
free_scratch:
	weft__arena_free(scratch);
	if (err)
		weft__cycles_free(cycle, cycle ? knots->n : 0);
	else
		*out = cycle;
	return err;
}

void weft__cycles_free(struct weft_cycle *cycle, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free(cycle[i].channel);
		free(cycle[i].lane);
		free(cycle[i].by);
	}
	free(cycle);
}
