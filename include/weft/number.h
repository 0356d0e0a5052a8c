/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Numbers in texts, and what follows them.
 *
 * All of these read digits as they stand and refuse what strtoul() and its kin
 * let through: blanks in front, signs where none is told, words such as "nan",
 * what is out of range, no digits at all, and junk behind the number.  They
 * return false then and change nothing.
 *
 * Those that end in _at read the beginning of a text and move *at behind it.
 * The number has to end there or at one of the characters of ends; where ends
 * is NULL, anything may follow, a unit, and the caller looks at it.
 */
#ifndef WEFT_NUMBER_H
#define WEFT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Decimal digits, 0 to max. */
bool weft_number_uint(const char *text, uint64_t max, uint64_t *out);
bool weft_number_uint_at(const char **at, const char *ends, uint64_t max,
			 uint64_t *out);
/* Decimal digits, perhaps behind '-', min to max. */
bool weft_number_int(const char *text, int64_t min, int64_t max, int64_t *out);
/* 1 to 16 hexadecimal digits; behind "0x". */
bool weft_number_hex(const char *text, uint64_t *out);
bool weft_number_0x(const char *text, uint64_t *out);
/* Decimal digits, perhaps behind '-', with a fraction and an exponent or
 * without; finite. */
bool weft_number_real(const char *text, double *out);
bool weft_number_real_at(const char **at, const char *ends, double *out);

#ifdef __cplusplus
}
#endif
#endif
