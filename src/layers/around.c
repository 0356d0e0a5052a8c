// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Routes around cables; see within.h.
 *
 * Tables to each LID are a tree.  Switches whose way passes none of the cables
 * keep it.  The others join these one by one, the nearest first, by the cable
 * of the shortest way that the fewest entries name.
 */
#include "core/fabric/components.h"
#include "layers/within.h"

#include "graph/bfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct around {
	const struct weft_fabric *f, *g;	/* g: without the cables */
	const uint8_t *room;
	unsigned n;
	uint64_t *entries;	/* [first_injection] that name a channel */
	uint16_t *hops;		/* [nsw] to the LID; WEFT__FAR: not joined */
	uint8_t *passes;	/* [nsw] the way passes one of the cables */
	uint32_t *queue;	/* [nsw] */
};

static bool is_avoided(const struct around *a, uint32_t ch)
{
	return weft_is_switch(a->f->peer[ch]) && a->room[ch] < a->n;
}

/* The channel by which switch s sends to another switch, or WEFT_NONE. */
static uint32_t next_channel(const struct around *a, const struct weft_lft *lft,
			     uint32_t s, unsigned lid)
{
	unsigned port = weft_lft_get(lft, s, lid);
	uint32_t ch;

	if (!port || port > a->f->sw[s].nports)
		return WEFT_NONE;
	ch = weft_channel(a->f, s, port);
	return weft_is_switch(a->f->peer[ch]) ? ch : WEFT_NONE;
}

enum { UNKNOWN, NO, YES };

/* Finds out whose ways pass a cable to avoid, and the hops of all others.
 * Returns true if any does. */
static bool find_ways(struct around *a, const struct weft_lft *lft,
		      unsigned lid)
{
	bool any = false;

	memset(a->passes, UNKNOWN, a->f->nsw);
	for (uint32_t s = 0; s < a->f->nsw; s++) {
		uint32_t n = 0, at = s, ch;

		for (ch = next_channel(a, lft, at, lid);
		     !a->passes[at] && ch != WEFT_NONE && !is_avoided(a, ch);
		     ch = next_channel(a, lft, at, lid)) {
			a->queue[n++] = at;
			at = a->f->peer[ch];
		}
		if (!a->passes[at]) {
			a->passes[at] = ch == WEFT_NONE ? NO : YES;
			a->hops[at] = ch == WEFT_NONE ? 0 : WEFT__FAR;
		}
		any |= a->passes[at] == YES;
		while (n) {
			uint32_t before = a->queue[--n];

			a->passes[before] = a->passes[at];
			a->hops[before] = a->hops[at] == WEFT__FAR ?
				WEFT__FAR : a->hops[at] + 1u;
			at = before;
		}
	}
	return any;
}

/* The best channel of a switch into the part of the tree that has that many
 * hops, or WEFT_NONE. */
static uint32_t best_channel(const struct around *a, uint32_t s, unsigned hops)
{
	const struct weft_fabric *g = a->g;
	uint32_t best = WEFT_NONE;

	for (uint32_t e = g->adj_first[s]; e < g->adj_first[s + 1]; e++) {
		uint32_t ch = g->adj[e];

		if (a->hops[g->peer[ch]] == hops &&
		    (best == WEFT_NONE || a->entries[ch] < a->entries[best]))
			best = ch;
	}
	return best;
}

/* Has all switches join whose way is to be another one. */
static void join_all(struct around *a, struct weft_lft *lft, unsigned lid)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < a->f->nsw; s++)
		if (a->passes[s] == YES)
			a->queue[n++] = s;
	for (unsigned hops = 0; n && hops < WEFT__FAR - 1u; hops++) {
		uint32_t left = 0;

		for (uint32_t i = 0; i < n; i++) {
			uint32_t s = a->queue[i];
			uint32_t ch = best_channel(a, s, hops);

			if (ch == WEFT_NONE) {
				a->queue[left++] = s;
				continue;
			}
			a->hops[s] = hops + 1;
			a->entries[ch]++;
			weft_lft_row(lft, s)[lid] = ch -
						    a->f->first_channel[s];
		}
		n = left;
	}
}

static void count_entries(struct around *a, const struct weft_lft *lft,
			  unsigned lid)
{
	for (uint32_t s = 0; s < a->f->nsw; s++) {
		uint32_t ch = next_channel(a, lft, s, lid);

		if (ch != WEFT_NONE)
			a->entries[ch]++;
	}
}

static void lead_around(struct around *a, struct weft_lft *lft)
{
	for (unsigned lid = 1; lid <= lft->max_lid; lid++)
		if (weft_lid_owner(a->f, lid) != WEFT_NONE)
			count_entries(a, lft, lid);
	for (unsigned lid = 1; lid <= lft->max_lid; lid++)
		if (weft_lid_owner(a->f, lid) != WEFT_NONE &&
		    find_ways(a, lft, lid))
			join_all(a, lft, lid);
}

/* Makes the fabric without the cables, if it is in one part. */
static int take_away(struct around *a, struct weft_fabric **g)
{
	const struct weft_fabric *f = a->f;
	uint32_t *list = malloc((f->first_injection + 1ull) * sizeof(*list));
	uint32_t *part = malloc((f->nsw + 1ull) * sizeof(*part)), n = 0;
	int err = list && part ? 0 : -ENOMEM;

	for (uint32_t e = 0; !err && e < f->adj_first[f->nsw]; e++)
		if (is_avoided(a, f->adj[e]))
			list[n++] = f->adj[e];
	if (!err)
		err = weft_fabric_without(f, list, n, g, NULL);
	if (!err && weft__components(*g, part, a->queue) > 1) {
		weft_fabric_free(*g);
		*g = NULL;
	}
	free(list);
	free(part);
	return err;
}

int weft__go_around(const struct weft_fabric *f, const uint8_t *room,
		    unsigned n, struct weft_lft *lft, struct weft_fabric **g)
{
	struct around a = {
		.f = f, .room = room, .n = n,
		.entries = calloc(f->first_injection + 1ull,
				  sizeof(*a.entries)),
		.hops = malloc((f->nsw + 1ull) * sizeof(*a.hops)),
		.passes = malloc(f->nsw + 1ull),
		.queue = malloc((f->nsw + 1ull) * sizeof(*a.queue)),
	};
	int err = -ENOMEM;

	*g = NULL;
	if (a.entries && a.hops && a.passes && a.queue)
		err = take_away(&a, g);
	a.g = *g;
	if (!err && *g)
		lead_around(&a, lft);
	free(a.entries);
	free(a.hops);
	free(a.passes);
	free(a.queue);
	return err;
}
