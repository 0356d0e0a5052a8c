// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes the plans of ways that an engine may choose from; see ways.h. */
#include "trees/ways_search.h"

#include "core/arena.h"
#include "graph/bfs.h"

#include <string.h>

/* Where hops are found for many switches at once, each of them counts for so
 * much of all edges, and that many edges for listing a switch's ways. */
#define KNOWN_SHARE 8
#define KNOWN_WORK 4

/* Sorts the switches that have a way into plan->order, by hops. */
static void sort_known(struct weft__plan *plan, const uint8_t *hops,
		       uint32_t nsw)
{
	uint32_t at[WEFT__HOPS_NONE + 2] = { 0 };

	for (uint32_t s = 0; s < nsw; s++)
		at[hops[s] + 1]++;
	plan->n = nsw - at[WEFT__HOPS_NONE + 1] - 1;
	for (unsigned h = 1; h < WEFT__HOPS_NONE; h++)
		at[h] += at[h - 1];
	at[WEFT__HOPS_NONE] = plan->n + 1;
	for (uint32_t s = 0; s < nsw; s++)
		if (hops[s] != WEFT__HOPS_NONE)
			plan->order[at[hops[s]]++] = s;
}

/* Returns true if s may send to t, which is a hop nearer, by its mark. */
static inline bool may_send(const struct weft__ways *w, uint32_t s, uint32_t t,
			    const uint8_t *marks, bool within)
{
	if (marks[s] & WEFT__HOPS_DOWN)
		return w->place[t] > w->place[s] && marks[t] & WEFT__HOPS_DOWN;
	if (marks[s] & WEFT__HOPS_VALLEY)
		return weft__valley_joins(w, s, t);
	return w->place[t] < w->place[s] &&
	       (!within || weft__valley_joins(w, s, t));
}

/* Lists the runs of the cables by which s may send.  within: it climbs only
 * within the valley.  Returns how many there are. */
static unsigned find_nearer(const struct weft__ways *w, uint32_t s,
			    const uint8_t *hops, const uint8_t *marks,
			    bool within, struct weft__run *run)
{
	uint32_t first = w->fabric->adj_first[s];
	uint32_t n = w->fabric->adj_first[s + 1] - first;
	unsigned nruns = 0, nearer = hops[s] - 1u;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t t = w->head[first + i];

		if (hops[t] == nearer && may_send(w, s, t, marks, within))
			nruns = weft__run_append(run, nruns, i);
	}
	return nruns;
}

/* Makes a plan from the hops that were found for many switches at once. */
static const struct weft__plan *list_known(struct weft__ways *w, uint32_t root,
					   const uint8_t *hops,
					   const uint8_t *marks)
{
	struct weft__plan *plan = &w->scratch;
	struct weft__run *run = plan->run;
	bool bound = weft__hops_bound(&w->known.valley, root);

	sort_known(plan, hops, w->fabric->nsw);
	w->looked += w->fabric->adj_first[w->fabric->nsw] / KNOWN_SHARE +
		     KNOWN_WORK * w->fabric->nsw;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1], n = w->up_nruns[s];
		const struct weft__run *up = w->up_run + w->up_first[s];

		if (marks[s] == WEFT__HOPS_EVEN)
			for (uint32_t k = 0; k < n; k++)
				run[k] = up[k];
		else
			n = find_nearer(w, s, hops, marks,
					bound && weft__in_valley(w, s), run);
		plan->nruns[i] = n;
		run += n;
	}
	weft__plan_end(plan, run);
	return plan;
}

/* Lists the runs of all cables upwards. */
static void list_up(struct weft__ways *w)
{
	const struct weft_fabric *f = w->fabric;
	uint32_t total = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		bool inside = false;

		w->up_first[s] = total;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1];
		     e++) {
			bool up = w->place[w->head[e]] < w->place[s];

			if (up && !inside)
				w->up_run[total++] = (struct weft__run){
					.start = e - f->adj_first[s] };
			if (up)
				w->up_run[total - 1].length++;
			inside = up;
		}
		w->up_nruns[s] = total - w->up_first[s];
	}
}

static bool is_complete(const struct weft__ways *w)
{
	for (uint32_t s = 0; s < w->fabric->nsw; s++)
		if (w->hops[s] == WEFT__FAR)
			return false;
	return true;
}

/* Searches for the ways to root by the order, over the valley if need be. */
static void search_ordered(struct weft__ways *w, uint32_t root)
{
	bool detours = w->nvalley && !w->own && w->cut[root];

	if (!detours) {
		weft__ways_search(w, root, WEFT__ORDERED);
		detours = w->nvalley && !is_complete(w);
	}
	if (detours)
		weft__ways_search(w, root, WEFT__DETOURS);
}

const struct weft__plan *weft__ways_make(struct weft__ways *w, uint32_t root)
{
	const uint8_t *hops, *marks;

	if (!w->place)
		weft__ways_search(w, root, WEFT__MINIMAL);
	else if (!w->own &&
		 weft__hops_find(&w->known, root, &hops, &marks))
		return list_known(w, root, hops, marks);
	else
		search_ordered(w, root);
	return weft__ways_list(w);
}

void weft__ways_turn(struct weft__ways *w)
{
	w->known.valley = (struct weft__hops_valley){
		.sw = w->valley, .parent = w->valley_parent, .n = w->nvalley,
		.cut = w->cut, .loose = w->loose,
	};
	w->known.block = WEFT_NONE;
}

const struct weft__plan *weft__ways_to(struct weft__ways *w, uint32_t root)
{
	return w->plan[root].order ? &w->plan[root] : weft__ways_make(w, root);
}

void weft__ways_hops(const struct weft__ways *w, const struct weft__plan *plan,
		     uint16_t *hops)
{
	const struct weft__run *run = plan->run;

	hops[plan->order[0]] = 0;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];

		hops[s] = hops[w->head[w->fabric->adj_first[s] +
				       run->start]] + 1;
		run += plan->nruns[i];
	}
}

/* Makes room for a plan of n switches and total runs. */
static bool alloc_plan(struct weft_arena *arena, struct weft__plan *plan,
		       uint32_t n, uint32_t total)
{
	plan->order = weft__arena_alloc(arena, n + 1ull, sizeof(*plan->order));
	plan->nruns = weft__arena_alloc(arena, n, 1);
	plan->run = weft__arena_alloc(arena, total, sizeof(*plan->run));
	return plan->order && plan->nruns && plan->run;
}

bool weft__ways_keep(struct weft__ways *w, const struct weft__plan *from,
		     struct weft__plan *plan)
{
	if (!alloc_plan(w->arena, plan, from->n, from->total))
		return false;
	plan->n = from->n;
	plan->total = from->total;
	plan->edges = from->edges;
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
	w->valley = weft__arena_alloc(w->arena, n, sizeof(*w->valley));
	w->valley_parent = weft__arena_alloc(w->arena, n,
					     sizeof(*w->valley_parent));
	w->cut = weft__arena_zalloc(w->arena, n, 1);
	w->loose = weft__arena_zalloc(w->arena, n, 1);
	w->hops = weft__arena_alloc(w->arena, n, sizeof(*w->hops));
	w->way = weft__arena_zalloc(w->arena, n, 1);
	w->queue = weft__arena_alloc(w->arena, n, sizeof(*w->queue));
	w->up_run = weft__arena_alloc(w->arena, nedges, sizeof(*w->up_run));
	w->up_first = weft__arena_alloc(w->arena, n, sizeof(*w->up_first));
	w->up_nruns = weft__arena_alloc(w->arena, n, sizeof(*w->up_nruns));
	return w->by_place && w->head && w->plan && w->valley &&
	       w->up_run && w->up_first && w->up_nruns &&
	       w->valley_parent && w->cut && w->loose && w->hops && w->way &&
	       w->queue && alloc_plan(w->arena, &w->scratch, n, nedges);
}

bool weft__ways_replan(struct weft__ways *w)
{
	const struct weft_fabric *f = w->fabric;

	w->nvalley = 0;
	memset(w->loose, 0, f->nsw);
	weft__ways_turn(w);
	if (w->place)
		list_up(w);
	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s] != f->sw_ep_first[s + 1] &&
		    !weft__ways_keep(w, weft__ways_make(w, s), &w->plan[s]))
			return false;
	return true;
}

bool weft__ways_init(struct weft__ways *w, const struct weft_fabric *f,
		     struct weft_arena *arena, const uint32_t *place)
{
	*w = (struct weft__ways){
		.fabric = f, .arena = arena, .place = place,
		.keep_off = WEFT_NONE,
	};
	if (!alloc(w) ||
	    (place && !weft__hops_init(&w->known, f, place, w->by_place,
				       arena)))
		return false;
	for (uint32_t e = 0; e < f->adj_first[f->nsw]; e++)
		w->head[e] = f->peer[f->adj[e]];
	for (uint32_t s = 0; s < f->nsw && place; s++)
		w->by_place[place[s]] = s;
	return weft__ways_replan(w);
}
