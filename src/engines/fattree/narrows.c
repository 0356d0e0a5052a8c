// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: switches that every legal way to a root passes
 *
 * A way climbs and then leads down, so that the switches can be put in an order
 * in which each stands behind all that it may send to: those that lead down,
 * lowest first, then the others, highest first.  One pass in that order finds
 * for each switch the one where all of its ways come together again, as for the
 * dominators of a graph without cycles.
 */
#include "engines/fattree/narrows.h"

bool weft__descends(const struct weft__fattree_run *run,
		    const struct weft__tree *tree, uint32_t s)
{
	const struct weft__ways *ways = &run->tree.ways;
	uint32_t e;

	if (s == tree->root)
		return true;
	if (tree->choice[s] == WEFT__UNFIXED)
		return false;
	e = run->fabric->adj_first[s] + tree->choice[s];
	return !(ways->own && ways->own[e] == WEFT__OWN) &&
	       ways->place[ways->head[e]] > ways->place[s];
}

/* Returns true if a switch sends anywhere but by a cable that is kept. */
static bool sends(const struct weft__fattree_run *run,
		  const struct weft__tree *tree, uint32_t s)
{
	const uint8_t *own = run->tree.ways.own;

	return tree->choice[s] != WEFT__UNFIXED &&
	       !(own &&
		 own[run->fabric->adj_first[s] + tree->choice[s]] == WEFT__OWN);
}

bool weft__may_send(const struct weft__fattree_run *run,
		    const struct weft__tree *tree, uint32_t s, uint32_t e)
{
	const struct weft__ways *ways = &run->tree.ways;
	uint32_t t = ways->head[e];

	if (ways->own && ways->own[e] == WEFT__OWN)
		return false;
	if (ways->place[t] > ways->place[s])
		return weft__descends(run, tree, s) &&
		       weft__descends(run, tree, t);
	return !weft__descends(run, tree, s) &&
	       (t == tree->root || sends(run, tree, t));
}

/* Returns the place of a switch in the order of the pass. */
static uint32_t turn_of(const struct weft__fattree_run *run,
			const struct weft__tree *tree, uint32_t s)
{
	uint32_t place = run->tree.ways.place[s], nsw = run->fabric->nsw;

	return weft__descends(run, tree, s) ? nsw - place : nsw + place + 1;
}

/* Returns the switch where ways from a and from b come together. */
static uint32_t meet(const struct weft__fattree_run *run,
		     const struct weft__tree *tree, const uint32_t *narrow,
		     uint32_t a, uint32_t b)
{
	while (a != b) {
		if (turn_of(run, tree, a) > turn_of(run, tree, b))
			a = narrow[a];
		else
			b = narrow[b];
	}
	return a;
}

static void find_narrow(const struct weft__fattree_run *run,
			const struct weft__tree *tree, uint32_t s,
			uint32_t *narrow)
{
	const uint32_t *first = run->fabric->adj_first;
	uint32_t all = WEFT_NONE;

	for (uint32_t e = first[s]; e < first[s + 1]; e++) {
		uint32_t t = run->tree.ways.head[e];

		if (narrow[t] == WEFT_NONE || !weft__may_send(run, tree, s, e))
			continue;
		all = all == WEFT_NONE ? t : meet(run, tree, narrow, all, t);
	}
	narrow[s] = all;
}

void weft__narrows_find(const struct weft__fattree_run *run,
			const struct weft__tree *tree, uint32_t *narrow)
{
	const struct weft__ways *ways = &run->tree.ways;
	uint32_t nsw = run->fabric->nsw;

	for (uint32_t s = 0; s < nsw; s++)
		narrow[s] = WEFT_NONE;
	narrow[tree->root] = tree->root;
	for (uint32_t p = ways->place[tree->root]; p-- > 0;)
		if (weft__descends(run, tree, ways->by_place[p]))
			find_narrow(run, tree, ways->by_place[p], narrow);
	for (uint32_t p = 0; p < nsw; p++)
		if (!weft__descends(run, tree, ways->by_place[p]))
			find_narrow(run, tree, ways->by_place[p], narrow);
}
