// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The order of names as people count; see names.h. */
#include "core/text/names.h"

#include <ctype.h>
#include <string.h>

static const char *skip_zeros(const char *s)
{
	while (*s == '0' && isdigit((unsigned char)s[1]))
		s++;
	return s;
}

/* Compares the numbers that both begin with, and moves past them. */
static int compare_numbers(const char **a, const char **b)
{
	size_t x, y;
	int order;

	*a = skip_zeros(*a);
	*b = skip_zeros(*b);
	x = strspn(*a, "0123456789");
	y = strspn(*b, "0123456789");
	order = x == y ? memcmp(*a, *b, x) : x < y ? -1 : 1;
	*a += x;
	*b += y;
	return order;
}

int weft__compare_names(const char *a, const char *b)
{
	const char *whole_a = a, *whole_b = b;
	int order = 0;

	while (*a && *b && !order) {
		unsigned char x = *a, y = *b;

		if (isdigit(x) && isdigit(y)) {
			order = compare_numbers(&a, &b);
			continue;
		}
		order = (x > y) - (x < y);
		a++;
		b++;
	}
	if (!order)
		order = (*a != '\0') - (*b != '\0');
	return order ? order : strcmp(whole_a, whole_b);
}
