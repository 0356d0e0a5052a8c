// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Numbers of things in texts for people. */
#include <weft/diag.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Whether a noun's plural ends in "es": switch, mesh, box. */
static bool hisses(const char *noun)
{
	size_t n = strlen(noun);

	return n > 1 && (strchr("sx", noun[n - 1]) ||
			 (noun[n - 1] == 'h' && strchr("cs", noun[n - 2])));
}

const char *weft_diag_count(char *buf, uint64_t n,
			    const char *noun)
{
	char digits[24];
	size_t length = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	size_t at = 0;

	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = digits[i];
	}
	snprintf(buf + at, WEFT_COUNT_SIZE - at, "%s%s%s", noun ? " " : "",
		 noun ? noun : "",
		 !noun || n == 1 ? "" : hisses(noun) ? "es" : "s");
	return buf;
}
