// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The assignment problem, by shortest augmenting paths (Kuhn 1955, Munkres 1957;
 * in this form Jonker and Volgenant, Computing 38, 1987).
 */
#include "standing/alike.h"

#include "core/arena.h"

#include <string.h>

struct assign {
	const uint64_t *gain;
	uint32_t n;
	int64_t *row, *column;	/* [n + 1] potentials */
	int64_t *least;		/* [n + 1] cheapest way to a column */
	uint32_t *taker;	/* [n + 1] row of a column; 0 = none */
	uint32_t *from;		/* [n + 1] column before it on that way */
	bool *seen;		/* [n + 1] */
};

/* Staying who one is decides between equal sums only. */
static int64_t cost(const struct assign *a, uint32_t i, uint32_t j)
{
	uint64_t gain = a->gain[(size_t)(i - 1) * a->n + j - 1];

	return -(int64_t)(gain * (a->n + 1ull) + (i == j));
}

/* Goes on from a column to the nearest one that was not seen. */
static uint32_t go_on(struct assign *a, uint32_t at)
{
	uint32_t i = a->taker[at], nearest = 0;
	int64_t far = INT64_MAX;

	a->seen[at] = true;
	for (uint32_t j = 1; j <= a->n; j++) {
		int64_t way;

		if (a->seen[j])
			continue;
		way = cost(a, i, j) - a->row[i] - a->column[j];
		if (way < a->least[j]) {
			a->least[j] = way;
			a->from[j] = at;
		}
		if (a->least[j] < far) {
			far = a->least[j];
			nearest = j;
		}
	}
	for (uint32_t j = 0; j <= a->n; j++) {
		if (a->seen[j]) {
			a->row[a->taker[j]] += far;
			a->column[j] -= far;
		} else {
			a->least[j] -= far;
		}
	}
	return nearest;
}

static void add_row(struct assign *a, uint32_t i)
{
	uint32_t at = 0;

	for (uint32_t j = 0; j <= a->n; j++) {
		a->least[j] = INT64_MAX / 2;
		a->seen[j] = false;
	}
	a->taker[0] = i;
	do {
		at = go_on(a, at);
	} while (a->taker[at]);
	while (at) {
		a->taker[at] = a->taker[a->from[at]];
		at = a->from[at];
	}
}

bool weft__assign(const uint64_t *gain, uint32_t n, uint32_t *who,
		  struct weft_arena *arena)
{
	struct assign a = {
		.gain = gain, .n = n,
		.row = weft__arena_zalloc(arena, n + 1ull, 8),
		.column = weft__arena_zalloc(arena, n + 1ull, 8),
		.least = weft__arena_alloc(arena, n + 1ull, 8),
		.taker = weft__arena_zalloc(arena, n + 1ull, 4),
		.from = weft__arena_zalloc(arena, n + 1ull, 4),
		.seen = weft__arena_alloc(arena, n + 1ull, sizeof(*a.seen)),
	};

	if (!a.row || !a.column || !a.least || !a.taker || !a.from || !a.seen)
		return false;
	for (uint32_t i = 1; i <= n; i++)
		add_row(&a, i);
	for (uint32_t j = 1; j <= n; j++)
		who[a.taker[j] - 1] = j - 1;
	return true;
}
