// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the ways to one switch by any rule; see ways_search.h. */
#include "trees/ways_search.h"

#include "graph/bfs.h"

#include <string.h>

#define LIST_WORK 4	/* edges that listing a switch's ways counts for */

/* Finds the hops of all switches above root by ways that only descend. */
static void find_down(struct weft__ways *w, uint32_t root)
{
	const struct weft_fabric *f = w->fabric;
	uint32_t head = 0, tail = 0;

	memset(w->hops, 0xff, f->nsw * sizeof(*w->hops));
	memset(w->way, WEFT__UP, f->nsw);
	w->hops[root] = 0;
	w->way[root] = WEFT__DOWN;
	w->queue[tail++] = root;
	while (head < tail) {
		uint32_t s = w->queue[head++];

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = w->head[e];

			if (w->way[t] || w->place[t] > w->place[s] ||
			    (w->own && w->own[e] == WEFT__FOREIGN))
				continue;
			w->hops[t] = w->hops[s] + 1;
			w->way[t] = WEFT__DOWN;
			w->queue[tail++] = t;
		}
	}
}

/* Returns true if s may climb to t. Switches in the valley may climb only
 * within it. */
static inline bool may_climb(const struct weft__ways *w, uint32_t s, uint32_t t)
{
	return w->place[t] < w->place[s] &&
	       (w->rule != WEFT__DETOURS || !weft__in_valley(w, s) ||
		weft__valley_joins(w, s, t));
}

/* Finds the hops of switches that have none yet, from the top down. */
static void find_up(struct weft__ways *w)
{
	const struct weft_fabric *f = w->fabric;

	for (uint32_t i = 0; i < f->nsw; i++) {
		uint32_t s = w->by_place[i];
		unsigned best = WEFT__FAR;

		if (w->hops[s] != WEFT__FAR)
			continue;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			uint32_t t = w->head[e];

			if (w->hops[t] < best && may_climb(w, s, t))
				best = w->hops[t];
		}
		if (best != WEFT__FAR)
			w->hops[s] = best + 1;
	}
}

/* Returns true if other switches may send to s on their way to the root, or
 * will once they have a way, or do so by a cable of their own. */
static bool is_passed(const struct weft__ways *w, uint32_t s)
{
	const uint32_t *first = w->fabric->adj_first;

	for (uint32_t e = first[s]; e < first[s + 1]; e++) {
		uint32_t t = w->head[e];

		if (w->place[t] > w->place[s] &&
		    (w->hops[t] == WEFT__FAR || w->hops[t] > w->hops[s]))
			return true;
		if (w->way[t] == WEFT__OUT && w->hops[t] == w->hops[s] + 1)
			return true;
	}
	return false;
}

/* Has switches use cables of their own where that is no farther and no other
 * switch sends by them: ways have one such cable, their first. */
static void find_out(struct weft__ways *w)
{
	const struct weft_fabric *f = w->fabric;

	for (uint32_t s = 0; s < f->nsw; s++) {
		unsigned best = WEFT__FAR;

		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			if (w->own[e] == WEFT__OWN &&
			    w->way[w->head[e]] != WEFT__OUT &&
			    w->hops[w->head[e]] < best)
				best = w->hops[w->head[e]];
		if (best >= w->hops[s] || w->way[s] == WEFT__DOWN ||
		    is_passed(w, s))
			continue;
		w->hops[s] = best + 1;
		w->way[s] = WEFT__OUT;
	}
}

/* Sorts the switches that have a way into plan->order, by hops. */
static void sort_by_hops(struct weft__ways *w, struct weft__plan *plan)
{
	uint32_t nsw = w->fabric->nsw, n = 0;
	uint32_t *next = w->queue;	/* next place for each number of hops */

	memset(next, 0, nsw * sizeof(*next));
	for (uint32_t s = 0; s < nsw; s++)
		if (w->hops[s] != WEFT__FAR)
			next[w->hops[s]]++;
	for (uint32_t hops = 0; hops < nsw && next[hops]; hops++) {
		uint32_t first = n;

		n += next[hops];
		next[hops] = first;
	}
	for (uint32_t s = 0; s < nsw; s++)
		if (w->hops[s] != WEFT__FAR)
			plan->order[next[w->hops[s]]++] = s;
	plan->n = n - 1;
}

/* Returns true if s may send by its edge e, which leads one hop nearer. */
static inline bool legal(const struct weft__ways *w, uint32_t s, uint32_t e)
{
	uint32_t t = w->head[e];

	if (w->rule == WEFT__MINIMAL)
		return true;
	if (w->own && (w->own[e] == WEFT__OWN || w->way[s] == WEFT__OUT))
		return w->own[e] == WEFT__OWN && w->way[s] == WEFT__OUT;
	switch (w->way[s]) {
	case WEFT__DOWN:
		return w->way[t] == WEFT__DOWN && w->place[t] > w->place[s];
	case WEFT__UP:
		return may_climb(w, s, t);
	default:
		return weft__valley_joins(w, s, t);
	}
}

/* Lists the runs of switch s's legal cables.  Returns how many there are. */
static unsigned find_runs(const struct weft__ways *w, uint32_t s,
			  struct weft__run *run)
{
	uint32_t first = w->fabric->adj_first[s];
	uint32_t n = w->fabric->adj_first[s + 1] - first;
	const uint32_t *head = w->head + first;
	const uint16_t *hops = w->hops;
	unsigned nruns = 0, nearer = hops[s] - 1;

	for (uint32_t i = 0; i < n; i++)
		if (hops[head[i]] == nearer && legal(w, s, first + i))
			nruns = weft__run_append(run, nruns, i);
	return nruns;
}

const struct weft__plan *weft__ways_list(struct weft__ways *w)
{
	struct weft__plan *plan = &w->scratch;
	struct weft__run *run = plan->run;

	sort_by_hops(w, plan);
	w->looked += w->fabric->adj_first[w->fabric->nsw] / 2 +
		     LIST_WORK * w->fabric->nsw;
	for (uint32_t i = 0; i < plan->n; i++) {
		plan->nruns[i] = find_runs(w, plan->order[i + 1], run);
		run += plan->nruns[i];
	}
	weft__plan_end(plan, run);
	return plan;
}

/* True if s may send to t, its neighbour in the valley: not all cables are kept
 * for what it sends itself. */
static bool may_cross(const struct weft__ways *w, uint32_t s, uint32_t t)
{
	const uint32_t *first = w->fabric->adj_first;

	for (uint32_t e = first[s]; w->own && e < first[s + 1]; e++)
		if (w->head[e] == t && w->own[e] != WEFT__OWN)
			return true;
	return !w->own;
}

/* Finds ways along the valley for its switches that have none: from wherever in
 * it a way begins, first towards its root, then away from it. */
static void find_detours(struct weft__ways *w)
{
	for (uint32_t i = w->nvalley; i-- > 1; ) {
		uint32_t s = w->valley[i], t = w->valley_parent[s];

		if (w->hops[s] == WEFT__FAR || !may_cross(w, t, s))
			continue;
		if (w->hops[t] == WEFT__FAR)
			w->way[t] = WEFT__VALLEY;
		if (w->way[t] == WEFT__VALLEY && w->hops[s] + 1 < w->hops[t])
			w->hops[t] = w->hops[s] + 1;
	}
	for (uint32_t i = 1; i < w->nvalley; i++) {
		uint32_t s = w->valley[i], t = w->valley_parent[s];

		if (w->hops[t] == WEFT__FAR || !may_cross(w, s, t))
			continue;
		if (w->hops[s] == WEFT__FAR)
			w->way[s] = WEFT__VALLEY;
		if (w->way[s] == WEFT__VALLEY && w->hops[t] + 1 < w->hops[s])
			w->hops[s] = w->hops[t] + 1;
	}
}

void weft__ways_search(struct weft__ways *w, uint32_t root,
		       enum weft__rule rule)
{
	uint32_t edges = w->fabric->adj_first[w->fabric->nsw];

	w->rule = rule == WEFT__DETOURS && w->loose[root] ? WEFT__ORDERED :
		rule;
	w->looked += edges / 2;
	if (rule == WEFT__MINIMAL) {
		w->looked += edges * 2;
		weft__bfs(w->fabric, root, w->hops, w->queue);
		return;
	}
	find_down(w, root);
	find_up(w);
	if (w->own)
		find_out(w);
	if (rule == WEFT__DETOURS) {
		find_detours(w);
		find_up(w);
	}
}
