/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory of any size, for arrays that are filled at once. */
#ifndef WEFT_CORE_LARGE_H
#define WEFT_CORE_LARGE_H

#include <stddef.h>

/*
 * Allocates bytes at an address that is a multiple of align, a power of two.  Where
 * they are many the kernel is asked for huge pages: to find ordinary ones, each when
 * it is first written, can take longer than to fill them.  Returns NULL without
 * memory; free() gives it back.
 */
void *weft__large_alloc(size_t bytes, size_t align);

#endif
