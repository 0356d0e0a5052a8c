// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ways by dimensions on what is left of a product; see rings_ways.h. */
#include "engines/weave/rings_ways.h"

#include "core/arena.h"

#include <string.h>

struct walker {
	const struct weft__rings *r;
	const struct weft_fabric *f;
	const struct weft__line *line;
	const struct weft__turns *turns;
	unsigned n;		/* lanes */

	/* of the destination at hand */
	uint32_t *next;		/* [nsw] towards it; WEFT_NONE: not known yet */
	uint8_t *choice;	/* [nsw] the same as a position */
	uint32_t *stack;	/* [nsw] */
};

/* The switch to go on to by dimensions; WEFT_NONE: it is not there. */
static uint32_t go_on(const struct walker *w, uint32_t s, uint32_t root)
{
	const struct weft__rings *r = w->r;
	const uint32_t *a = r->at + (size_t)s * r->n;
	const uint32_t *b = r->at + (size_t)root * r->n;
	const struct weft__line *line;
	uint32_t length, ahead, low;
	unsigned i = 0;
	bool ascend;

	while (a[i] == b[i])
		i++;
	line = &w->line[(size_t)s * r->n + i];
	length = r->dim[i].length;
	low = a[i] < b[i] ? a[i] : b[i];
	ahead = a[i] < b[i] ? b[i] - a[i] : length - (a[i] - b[i]);
	if (line->length) {
		ascend = line->from + ahead < line->length;
		if (!ascend && length - ahead > line->from)
			return WEFT_NONE;
	} else if (2 * ahead == length) {
		ascend = !low || (a[i] < b[i]) == (low % 2 == 1);
	} else {
		ascend = 2 * ahead < length;
	}
	return weft__rings_next(r, s, i, ascend ? WEFT__ASCENDING :
				WEFT__DESCENDING);
}

/* The lanes of switch s, which goes on to t, unless that is WEFT_NONE. */
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
	mask[s] = mask[t] & weft__turns_from(w->turns, e)[w->choice[t]];
}

/* Lanes of the ways to the root. */
static void find_masks(struct walker *w, uint32_t root, uint16_t *mask)
{
	memset(w->next, 0xff, w->f->nsw * sizeof(*w->next));
	w->next[root] = root;
	w->choice[root] = weft__turns_end(w->turns, root);
	mask[root] = (1u << w->n) - 1;
	for (uint32_t s = 0; s < w->f->nsw; s++) {
		uint32_t n = 0, x = s;

		while (x != WEFT_NONE && w->next[x] == WEFT_NONE) {
			w->stack[n++] = x;
			x = go_on(w, x, root);
		}
		while (n) {
			find_mask(w, w->stack[--n], x, mask);
			x = w->stack[n];
		}
	}
}

/* Both directions. */
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

bool weft__rings_common(const struct weft__rings *r,
			const struct weft__line *line,
			const struct weft__turns *turns, unsigned lanes,
			struct weft_arena *arena, uint16_t *common,
			uint64_t *broken)
{
	size_t nsw = r->fabric->nsw;
	struct walker w = {
		.r = r, .f = r->fabric, .line = line, .turns = turns,
		.n = lanes,
		.next = weft__arena_alloc(arena, nsw, sizeof(*w.next)),
		.choice = weft__arena_alloc(arena, nsw, 1),
		.stack = weft__arena_alloc(arena, nsw, sizeof(*w.stack)),
	};

	if (!w.next || !w.choice || !w.stack)
		return false;
	*broken = find_common(&w, common);
	return true;
}
