// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The destination tree of one LID as a column of entries; see run.h. */
#include "transition/run.h"

#include <string.h>

#define UNSEEN 254
#define OPEN 253

void weft__transit_columns(struct weft__transit *t, uint32_t block)
{
	for (unsigned k = 0; k < 2; k++) {
		const struct weft_lft *lft = &t->routes[k]->lft;

		if (block * WEFT_LFT_BLOCK <= lft->max_lid)
			weft_lft_columns(lft, block, t->column[k]);
		else
			memset(t->column[k], WEFT_NO_PORT,
			       (size_t)t->fabric->nsw * WEFT_LFT_BLOCK);
	}
}

void weft__transit_ends(const struct weft_fabric *f, const uint8_t *column,
			uint32_t owner, uint8_t *end, uint32_t *path)
{
	memset(end, UNSEEN, f->nsw);
	for (uint32_t root = 0; root < f->nsw; root++) {
		uint32_t s = root, next, n = 0;
		unsigned how = end[s];

		while (how == UNSEEN) {
			path[n++] = s;
			end[s] = OPEN;
			how = weft__transit_entry(f, s, column[s], owner,
						  &next);
			if (how == WEFT__ON_THE_WAY) {
				s = next;
				how = end[s];
			}
		}
		if (how == OPEN)
			how = WEFT_LOOP;
		while (n)
			end[path[--n]] = how;
	}
}

/* Brent's way to find a loop: a mark is left behind at distances that double,
 * and a walk that comes by its mark again goes round. */
unsigned weft__transit_walk(const struct weft_fabric *f, const uint8_t *column,
			    uint32_t owner, uint32_t s, uint32_t *at,
			    uint64_t *steps)
{
	uint32_t mark = s, n = 0, limit = 8, next;

	for (;;) {
		unsigned how =
			weft__transit_entry(f, s, column[s], owner, &next);

		++*steps;
		*at = s;
		if (how != WEFT__ON_THE_WAY)
			return how;
		s = next;
		if (s == mark)
			return WEFT_LOOP;
		if (++n == limit) {
			mark = s;
			limit *= 2;
		}
	}
}

uint32_t weft__transit_behind(const struct weft_fabric *f,
			      const uint8_t *column, uint32_t s, uint32_t *up,
			      uint32_t *seen, uint32_t round)
{
	uint32_t n = 1;

	up[0] = s;
	seen[s] = round;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t to = up[i];

		for (uint32_t a = f->adj_first[to]; a < f->adj_first[to + 1];
		     a++) {
			uint32_t from = f->peer[f->adj[a]];

			if (seen[from] == round ||
			    column[from] != f->peer_port[f->adj[a]])
				continue;
			seen[from] = round;
			up[n++] = from;
		}
	}
	return n;
}
