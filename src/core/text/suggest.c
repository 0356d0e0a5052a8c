// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Near names: the name with the fewest typing errors. */
#include <weft/diag.h>

#include <string.h>

#define LONGEST 64	/* names and texts beyond are not compared */

static unsigned least_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Letters inserted, left out, changed or swapped with their neighbour. */
static unsigned typing_errors(const char *a, const char *b)
{
	unsigned row[3][LONGEST + 1];
	size_t na = strlen(a), nb = strlen(b);

	for (size_t j = 0; j <= nb; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *cur = row[i % 3], *last = row[(i + 2) % 3];

		cur[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			cur[j] = least_of(last[j], cur[j - 1]) + 1;
			cur[j] = least_of(cur[j], last[j - 1] +
					  (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				cur[j] = least_of(cur[j],
						  row[(i + 1) % 3][j - 2] + 1);
		}
	}
	return row[na % 3][nb];
}

const char *weft_diag_suggest(const char *text, const char *const *names)
{
	size_t length = strlen(text);
	unsigned least = length / 4 + 1;
	const char *best = NULL;

	if (length > LONGEST)
		return NULL;
	for (; *names; names++) {
		unsigned n;

		if (strlen(*names) > LONGEST)
			continue;
		if (length >= 2 && !strncmp(*names, text, length))
			return *names;
		n = typing_errors(text, *names);
		if (n <= least && n < length) {
			best = *names;
			least = n - 1;
			if (!n)
				break;
		}
	}
	return best;
}
