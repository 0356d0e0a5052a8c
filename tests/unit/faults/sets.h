/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Disjoint sets of numbers, for tests: root[i] is i in the least of each set and
 * leads there from the others. */
#ifndef WEFT_TESTS_SETS_H
#define WEFT_TESTS_SETS_H

#include <stdint.h>

/* Returns the least of the set that i is in. */
static inline uint32_t sets_top(const uint32_t *root, uint32_t i)
{
	while (root[i] != i)
		i = root[i];
	return i;
}

static inline void sets_join(uint32_t *root, uint32_t a, uint32_t b)
{
	a = sets_top(root, a);
	b = sets_top(root, b);
	root[a > b ? a : b] = a > b ? b : a;
}

#endif
