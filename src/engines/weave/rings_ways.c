// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ways by dimensions on a damaged product; see rings_ways.h. */
#include "engines/weave/rings_ways.h"

#include "core/arena.h"

#include <string.h>

struct walker {
	const struct weft__rings_ways *ways;
	const struct weft_fabric *f;

	/* The current destination: */
	uint32_t *next;		/* [nsw] towards it; WEFT_NONE: not known yet */
	uint8_t *choice;	/* [nsw] the position of the cable to it */
	uint32_t *stack;	/* [nsw] */
};

/* Returns the switch that comes next by dimensions; WEFT_NONE: it is
 * missing. */
static uint32_t next_switch(const struct walker *w, uint32_t s, uint32_t root)
{
	const struct weft__rings *r = w->ways->rings;
	const uint32_t *a = r->at + (size_t)s * r->n;
	const uint32_t *b = r->at + (size_t)root * r->n;
	const struct weft__ring_line *line;
	uint32_t length, ahead, low;
	unsigned i = 0;
	bool ascend;

	while (a[i] == b[i])
		i++;
	line = &w->ways->line[(size_t)s * r->n + i];
	length = r->dim[i].length;
	low = a[i] < b[i] ? a[i] : b[i];
	ahead = a[i] < b[i] ? b[i] - a[i] : length - (a[i] - b[i]);
	if (line->length) {
		ascend = line->from + ahead < line->length;
		if (!ascend && length - ahead > line->from)
			return WEFT_NONE;
	} else if (weft__rings_is_long(r, i) && !w->ways->told[i] && low) {
		ascend = a[i] < b[i];
	} else if (2 * ahead == length) {
		ascend = !low || (a[i] < b[i]) == (low % 2 == 1);
	} else {
		ascend = 2 * ahead < length;
	}
	return weft__rings_next(r, s, i, ascend ? WEFT__ASCENDING :
				WEFT__DESCENDING);
}

/* Finds the lanes of switch s, whose next switch is t; WEFT_NONE: it has
 * none. */
static void find_mask(struct walker *w, uint32_t s, uint32_t t, uint16_t *mask)
{
	uint32_t e = w->f->adj_first[s];

	mask[s] = 0;
	w->next[s] = s;
	if (t == WEFT_NONE || !mask[t])
		return;
	while (w->f->peer[w->f->adj[e]] != t)
		e++;
	w->next[s] = t;
	w->choice[s] = e - w->f->adj_first[s];
	mask[s] = mask[t] & weft__turns_from(w->ways->turns, e)[w->choice[t]];
}

/* Finds the lanes of the ways to the root. */
static void find_masks(struct walker *w, uint32_t root, uint16_t *mask)
{
	memset(w->next, 0xff, w->f->nsw * sizeof(*w->next));
	w->next[root] = root;
	w->choice[root] = weft__turns_end(w->ways->turns, root);
	mask[root] = (1u << w->ways->lanes) - 1;
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		uint32_t n = 0, x = s;

		while (x != WEFT_NONE && w->next[x] == WEFT_NONE) {
			w->stack[n++] = x;
			x = next_switch(w, x, root);
		}
		while (n) {
			find_mask(w, w->stack[--n], x, mask);
			x = w->stack[n];
		}
	}
}

/* Finds the lanes that both directions of each pair have in common; returns how
 * many pairs have none. */
static uint64_t find_common(struct walker *w, uint16_t *common)
{
	size_t nsw = w->f->nsw;
	uint64_t broken = 0;

	for (uint32_t t = 0; t < nsw; t++)
		find_masks(w, t, common + t * nsw);
	for (uint32_t a = 0; a < nsw; a++) {
		for (uint32_t b = 0; b < a; b++) {
			uint16_t *one = &common[a * nsw + b];
			uint16_t *two = &common[b * nsw + a];
			uint16_t both = *one & *two;

			broken += !both;
			*one = *two = both ? both : UINT16_MAX;
		}
	}
	return broken;
}

bool weft__rings_common(const struct weft__rings_ways *ways,
			struct weft_arena *arena, uint16_t *common,
			uint64_t *broken)
{
	size_t nsw = ways->rings->fabric->nsw;
	struct walker w = {
		.ways = ways,
		.f = ways->rings->fabric,
		.next = weft__arena_alloc(arena, nsw, sizeof(*w.next)),
		.choice = weft__arena_alloc(arena, nsw, 1),
		.stack = weft__arena_alloc(arena, nsw, sizeof(*w.stack)),
	};

	if (!w.next || !w.choice || !w.stack)
		return false;
	*broken = find_common(&w, common);
	return true;
}
