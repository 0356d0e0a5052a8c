// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Allocates large arrays; see large.h. */
#include "core/large.h"

#include <stdlib.h>
#include <sys/mman.h>

#define HUGE ((size_t)2 << 20)

void *weft__large_alloc(size_t bytes, size_t align)
{
	size_t unit = bytes >= HUGE ? HUGE : align;
	size_t size = (bytes + unit - 1) & ~(unit - 1);
	void *p = aligned_alloc(unit, size);

	/* it is a hint, and what a kernel without them says does not matter */
	if (p && unit == HUGE)
		madvise(p, size, MADV_HUGEPAGE);
	return p;
}
