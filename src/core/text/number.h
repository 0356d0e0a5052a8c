/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Numbers in a stretch of text that ends with no NUL; see weft/number.h.
 *
 * Each returns the place behind the number, or NULL, with *out as it was, where
 * there is none.  What follows is the caller's to look at:
 * weft__number_ends() is what most of them want.
 */
#ifndef WEFT_CORE_NUMBER_H
#define WEFT_CORE_NUMBER_H

#include <weft/number.h>

#include <stddef.h>

static inline bool weft__is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Value of a hexadecimal digit, -1 if c is none. */
static inline int weft__hex_digit(char c)
{
	if (weft__is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Whether a number may end at p: no letter, digit, '_' or '.' goes on with
 * it. */
static inline bool weft__number_ends(const char *p, const char *end)
{
	return p == end || !(weft__is_digit(*p) || *p == '_' || *p == '.' ||
			     (*p >= 'a' && *p <= 'z') ||
			     (*p >= 'A' && *p <= 'Z'));
}

static inline const char *weft__number_digits(const char *p, const char *end,
					      uint64_t max, uint64_t *out)
{
	const char *begin = p;
	uint64_t v = 0;

	for (; p < end && weft__is_digit(*p); p++) {
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return NULL;
	}
	if (p == begin || v > max)
		return NULL;
	*out = v;
	return p;
}

/* 1 to 16 digits. */
static inline const char *weft__number_hex(const char *p, const char *end,
					   uint64_t *out)
{
	const char *begin = p;
	uint64_t v = 0;
	int digit;

	while (p < end && (digit = weft__hex_digit(*p)) >= 0) {
		if (p++ - begin == 16)
			return NULL;
		v = v << 4 | (uint64_t)digit;
	}
	if (p == begin)
		return NULL;
	*out = v;
	return p;
}

/* At most 255 characters. */
const char *weft__number_real(const char *p, const char *end, double *out);

#endif
