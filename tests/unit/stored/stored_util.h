/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files of tables that stand, for tests of what is in them. */
#ifndef WEFT_TESTS_STORED_UTIL_H
#define WEFT_TESTS_STORED_UTIL_H

#include "stored/stored.h"

#define STORED_VERSION_AT 8
#define STORED_SIZE_AT 16
#define STORED_HEAD 24
#define STORED_TAIL 8
#define STORED_OLD 2		/* a version without what is late */

static inline void stored_little(uint8_t *at, uint64_t value)
{
	for (unsigned i = 0; i < 8; i++)
		at[i] = value >> 8 * i & 255;
}

/* Gives bytes the size and the checksum of a whole file, so that whoever reads
 * them gets as far as what is in them. */
static inline void stored_seal(uint8_t *data, size_t size)
{
	size_t late;

	if (size < STORED_HEAD)
		return;
	late = data[STORED_VERSION_AT] == STORED_OLD ? 0 : WEFT__STORED_LATE;
	if (size < STORED_HEAD + STORED_TAIL + late)
		return;
	stored_little(data + STORED_SIZE_AT, size);
	stored_little(data + size - late - STORED_TAIL,
		      weft__stored_sum(data, size - late - STORED_TAIL));
}

#endif
