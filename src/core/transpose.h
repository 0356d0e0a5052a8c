/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Transposes eight bytes of eight rows at a time. */
#ifndef WEFT_CORE_TRANSPOSE_H
#define WEFT_CORE_TRANSPOSE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* Swaps the blocks beside the diagonal of rows that far apart. */
static inline void weft__transpose_step(uint64_t *row, unsigned apart,
					uint64_t low)
{
	for (unsigned i = 0; i < 8; i++) {
		uint64_t *a = &row[i], *b = &row[i + apart], x;

		if (i & apart)
			continue;
		x = (*a >> 8 * apart ^ *b) & low;
		*a ^= x << 8 * apart;
		*b ^= x;
	}
}

/* Turns eight rows that start in_stride bytes apart into columns; the rows of
 * out start out_stride bytes apart. */
static inline void weft__transpose8(const uint8_t *in, size_t in_stride,
				    uint8_t *out, size_t out_stride)
{
	uint64_t row[8];

	for (unsigned i = 0; i < 8; i++) {
		memcpy(&row[i], in + i * in_stride, 8);
		row[i] = le64toh(row[i]);
	}
	weft__transpose_step(row, 4, 0x00000000ffffffff);
	weft__transpose_step(row, 2, 0x0000ffff0000ffff);
	weft__transpose_step(row, 1, 0x00ff00ff00ff00ff);
	for (unsigned i = 0; i < 8; i++) {
		row[i] = htole64(row[i]);
		memcpy(out + i * out_stride, &row[i], 8);
	}
}

#endif
