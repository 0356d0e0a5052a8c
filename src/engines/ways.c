// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The ways that an engine may choose from; see ways.h. */
#include "engines/ways.h"

#include "core/arena.h"
#include "engines/common.h"

#include <string.h>

/* Hops of everyone above root, over cables that only lead down. */
static void find_down(struct weft__ways *w, uint32_t root)
{
	const struct weft_fabric *f = w->fabric;
	uint32_t head = 0, tail = 0;

	memset(w->hops, 0xff, f->nsw * sizeof(*w->hops));
	memset(w->down, 0, f->nsw);
	w->hops[root] = 0;
	w->down[root] = 1;
	w->queue[tail++] = root;
	while (head < tail) {
		uint32_t s = w->queue[head++];

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = w->head[e];

			if (w->down[t] || w->place[t] > w->place[s])
				continue;
			w->hops[t] = w->hops[s] + 1;
			w->down[t] = 1;
			w->queue[tail++] = t;
		}
	}
}

/* The others, from the top down. */
static void find_up(struct weft__ways *w)
{
	const struct weft_fabric *f = w->fabric;

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t s = w->by_place[i];
		unsigned best = WEFT__FAR;

		if (w->down[s])
			continue;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = w->head[e];

			if (w->place[t] < w->place[s] && w->hops[t] < best)
				best = w->hops[t];
		}
		if (best != WEFT__FAR)
			w->hops[s] = best + 1;
	}
}

/* Sorts those that have a way into plan->order, by hops. */
static void sort_by_hops(struct weft__ways *w, struct weft__plan *plan)
{
	uint32_t nsw = w->fabric->nsw, n = 0, left = 0;

	for (uint32_t s = 0; s < nsw; s++)
		if (w->hops[s] != WEFT__FAR)
			w->queue[left++] = s;
	for (uint32_t hops = 0; left; hops++) {
		uint32_t kept = 0;

		for (uint32_t i = 0; i < left; i++) {
			if (w->hops[w->queue[i]] == hops)
				plan->order[n++] = w->queue[i];
			else
				w->queue[kept++] = w->queue[i];
		}
		left = kept;
	}
	plan->n = n - 1;
}

static inline bool legal(const struct weft__ways *w, uint32_t s, uint32_t t)
{
	if (w->hops[t] + 1 != w->hops[s])
		return false;
	if (!w->place)
		return true;
	return w->down[s] ? w->down[t] && w->place[t] > w->place[s] :
		w->place[t] < w->place[s];
}

/* Writes the runs of switch s's legal cables; returns how many. */
static unsigned find_runs(const struct weft__ways *w, uint32_t s,
			  struct weft__run *run)
{
	uint32_t first = w->fabric->adj_first[s];
	uint32_t n = w->fabric->adj_first[s + 1] - first;
	unsigned nruns = 0;
	bool inside = false;

	for (uint32_t i = 0; i < n; i++) {
		bool may = legal(w, s, w->head[first + i]);

		if (may && !inside)
			run[nruns++] = (struct weft__run){ .start = i };
		if (may)
			run[nruns - 1].length++;
		inside = may;
	}
	return nruns;
}

const struct weft__plan *weft__ways_make(struct weft__ways *w, uint32_t root)
{
	struct weft__plan *plan = &w->scratch;
	uint32_t total = 0;

	if (w->place) {
		find_down(w, root);
		find_up(w);
		sort_by_hops(w, plan);
	} else {
		plan->n = weft__bfs(w->fabric, root, w->hops, plan->order) - 1;
	}
	for (uint32_t i = 0; i < plan->n; i++) {
		plan->nruns[i] = find_runs(w, plan->order[i + 1],
					   plan->run + total);
		total += plan->nruns[i];
	}
	plan->total = total;
	return plan;
}

const struct weft__plan *weft__ways_to(struct weft__ways *w, uint32_t root)
{
	return w->plan[root].order ? &w->plan[root] : weft__ways_make(w, root);
}

/* Room for a plan of n switches and total runs. */
static bool alloc_plan(struct weft_arena *arena, struct weft__plan *plan,
		       uint32_t n, uint32_t total)
{
	plan->order = weft__arena_alloc(arena, n + 1ull, sizeof(*plan->order));
	plan->nruns = weft__arena_alloc(arena, n, 1);
	plan->run = weft__arena_alloc(arena, total, sizeof(*plan->run));
	return plan->order && plan->nruns && plan->run;
}

static bool keep_plan(struct weft__ways *w, const struct weft__plan *from,
		      struct weft__plan *plan)
{
	if (!alloc_plan(w->arena, plan, from->n, from->total))
		return false;
	plan->n = from->n;
	plan->total = from->total;
	memcpy(plan->order, from->order, (from->n + 1) * sizeof(*plan->order));
	memcpy(plan->nruns, from->nruns, from->n);
	memcpy(plan->run, from->run, from->total * sizeof(*plan->run));
	return true;
}

static bool alloc(struct weft__ways *w)
{
	const struct weft_fabric *f = w->fabric;
	uint32_t n = f->nsw, nedges = f->adj_first[n];

	w->by_place = weft__arena_alloc(w->arena, n, sizeof(*w->by_place));
	w->head = weft__arena_alloc(w->arena, nedges, sizeof(*w->head));
	w->plan = weft__arena_zalloc(w->arena, n, sizeof(*w->plan));
	w->hops = weft__arena_alloc(w->arena, n, sizeof(*w->hops));
	w->down = weft__arena_zalloc(w->arena, n, 1);
	w->queue = weft__arena_alloc(w->arena, n, sizeof(*w->queue));
	return w->by_place && w->head && w->plan && w->hops && w->down &&
	       w->queue && alloc_plan(w->arena, &w->scratch, n, nedges);
}

bool weft__ways_replan(struct weft__ways *w)
{
	const struct weft_fabric *f = w->fabric;

	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s] != f->sw_ep_first[s + 1] &&
		    !keep_plan(w, weft__ways_make(w, s), &w->plan[s]))
			return false;
	return true;
}

void weft__ways_bar(struct weft__ways *w, uint32_t s, uint32_t e)
{
	w->head[e] = s;
}

bool weft__ways_init(struct weft__ways *w, const struct weft_fabric *f,
		     struct weft_arena *arena, const uint32_t *place)
{
	*w = (struct weft__ways){ .fabric = f, .arena = arena, .place = place };
	if (!alloc(w))
		return false;
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		w->head[e] = f->peer[f->adj[e]];
	for (uint32_t s = 0; s < f->nsw && place; s++)
		w->by_place[place[s]] = s;
	return weft__ways_replan(w);
}
