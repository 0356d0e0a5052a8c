/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_CORE_DIVISOR_H
#define WEFT_CORE_DIVISOR_H

#include <stdint.h>

/* Returns the greatest common divisor; that of 0 and b is b. */
static inline uint64_t weft__common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif
