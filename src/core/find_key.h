/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Finds a record by a 64-bit key, as a GUID, in an array in ascending order. */
#ifndef WEFT_CORE_FIND_KEY_H
#define WEFT_CORE_FIND_KEY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t weft__key_at(const void *records, size_t i, size_t size,
				    size_t offset)
{
	uint64_t key;

	memcpy(&key, (const char *)records + i * size + offset, sizeof(key));
	return key;
}

/* Returns the first of n records of a size that has the key, which is that far
 * from the record's beginning; n: none has it. */
static inline size_t weft__find_key(const void *records, size_t n, size_t size,
				    size_t offset, uint64_t key)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (weft__key_at(records, mid, size, offset) < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && weft__key_at(records, lo, size, offset) == key ? lo : n;
}

#endif
