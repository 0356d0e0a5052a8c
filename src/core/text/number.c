// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Numbers in texts; see weft/number.h. */
#include "core/text/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REAL_MAX 255 /* characters */

/* --- stretches ------------------------------------------------------------ */

static const char *skip_digits(const char *p, const char *end)
{
	while (p < end && weft__is_digit(*p))
		p++;
	return p;
}

/* The end of a number of that form, or NULL. */
static const char *scan_real(const char *p, const char *end)
{
	const char *whole, *fraction, *exponent;

	p += p < end && *p == '-';
	whole = p;
	p = fraction = skip_digits(p, end);
	if (p < end && *p == '.')
		p = skip_digits(p + 1, end);
	if (p == whole || (fraction == whole && p == fraction + 1))
		return NULL;
	exponent = p;
	if (p == end || (*p != 'e' && *p != 'E'))
		return p;
	p++;
	p += p < end && (*p == '-' || *p == '+');
	/* "3eur": the e is of a word behind the number */
	return p < end && weft__is_digit(*p) ? skip_digits(p, end) : exponent;
}

const char *weft__number_real(const char *p, const char *end, double *out)
{
	const char *last = scan_real(p, end);
	char text[REAL_MAX + 1];
	double value;

	if (!last || last - p > REAL_MAX)
		return NULL;
	memcpy(text, p, last - p);
	text[last - p] = '\0';
	value = strtod(text, NULL);
	if (!isfinite(value))
		return NULL;
	*out = value;
	return last;
}

/* --- texts ---------------------------------------------------------------- */

/* Whether what begins at p may follow a number; p NULL: there is none. */
static bool may_follow(const char *p, const char *ends)
{
	return p && (!ends || !*p || strchr(ends, *p));
}

bool weft_number_uint_at(const char **at, const char *ends, uint64_t max,
			 uint64_t *out)
{
	uint64_t value;
	const char *p = weft__number_digits(*at, *at + strlen(*at), max,
					    &value);

	if (!may_follow(p, ends))
		return false;
	*at = p;
	*out = value;
	return true;
}

bool weft_number_uint(const char *text, uint64_t max, uint64_t *out)
{
	return weft_number_uint_at(&text, "", max, out);
}

bool weft_number_int(const char *text, int64_t min, int64_t max, int64_t *out)
{
	bool negative = *text == '-';
	uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX, n;
	int64_t value;

	if (!weft_number_uint(text + negative, most, &n))
		return false;
	value = negative ? (int64_t)-n : (int64_t)n;
	if (value < min || value > max)
		return false;
	*out = value;
	return true;
}

bool weft_number_hex(const char *text, uint64_t *out)
{
	uint64_t value;
	const char *p = weft__number_hex(text, text + strlen(text), &value);

	if (!may_follow(p, ""))
		return false;
	*out = value;
	return true;
}

bool weft_number_0x(const char *text, uint64_t *out)
{
	return !strncmp(text, "0x", 2) && weft_number_hex(text + 2, out);
}

bool weft_number_real_at(const char **at, const char *ends, double *out)
{
	double value;
	const char *p = weft__number_real(*at, *at + strlen(*at), &value);

	if (!may_follow(p, ends))
		return false;
	*at = p;
	*out = value;
	return true;
}

bool weft_number_real(const char *text, double *out)
{
	return weft_number_real_at(&text, "", out);
}
