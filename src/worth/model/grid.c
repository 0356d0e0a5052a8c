// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Places ranks on a grid; see pattern.h. */
#include "worth/model/pattern.h"

#include <weft/number.h>

#include <stdlib.h>

/* Returns the largest divisor of n that is not above its root. */
static uint32_t middle_divisor(uint32_t n)
{
	uint32_t best = 1;

	for (uint32_t d = 1; (uint64_t)d * d <= n; d++)
		if (n % d == 0)
			best = d;
	return best;
}

/* Finds the sides with the least sum, the largest first. */
void weft__grid_sides(uint32_t n, unsigned dimensions, uint32_t *side)
{
	uint64_t least = UINT64_MAX;

	side[0] = n;
	side[1] = side[2] = 1;
	if (dimensions == 2) {
		side[1] = middle_divisor(n);
		side[0] = n / side[1];
	}
	for (uint64_t c = 1; dimensions == 3 && c * c * c <= n; c++) {
		uint32_t b, a;

		if (n % c)
			continue;
		b = middle_divisor(n / c);
		a = n / c / b;
		if (a + b + c >= least)
			continue;
		least = a + b + c;
		side[0] = a;
		side[1] = b > c ? b : c;
		side[2] = b > c ? c : b;
	}
}

/* Reads numbers with 'x' between them.  Returns false if text is nothing of the
 * kind. */
static bool read_sides(struct weft_traffic *t, const char *text,
		       uint64_t *places)
{
	*places = 1;
	for (t->dimensions = 0; t->dimensions < WEFT_GRID_DIMENSIONS;) {
		uint64_t side;

		if (!weft_number_uint_at(&text, "x", WEFT_MAX_RANKS, &side) ||
		    !side)
			return false;
		t->side[t->dimensions++] = side;
		*places *= side;
		if (!*text++)
			return true;
	}
	return false;
}

int weft__grid_parse(struct weft_traffic *t, const char *text,
		     unsigned dimensions, struct weft_diag *diag)
{
	const char *name = t->pattern->row.name;
	uint64_t places;

	t->dimensions = dimensions;
	weft__grid_sides(t->nranks, dimensions, t->side);
	if (!text)
		return 0;
	t->side[0] = t->side[1] = t->side[2] = 1;
	if (!read_sides(t, text, &places))
		return weft_fail(diag, EINVAL,
				 "%s: sides=%s is not up to %d numbers with 'x' between them, as 8x8x4",
				 name, text, WEFT_GRID_DIMENSIONS);
	if (places > t->nranks)
		return weft_fail(diag, EINVAL,
				 "%s: sides=%s has more places than the %u ranks",
				 name, text, t->nranks);
	return 0;
}
