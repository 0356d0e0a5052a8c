// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "core/text/utf8.h"

#include <weft/diag.h>

size_t weft__utf8_length(const char *s)
{
	/* Lead byte range, and range of the byte after it; the others are all
	 * 0x80..0xbf.  Overlong forms and surrogates are thus left out. */
	static const struct {
		unsigned char lead, last, low, high;
		size_t length;
	} form[] = {
		{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
		{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	const unsigned char *u = (const unsigned char *)s;
	size_t i = 0, n;

	if (*u < 0x80)
		return 1;
	while (i < sizeof(form) / sizeof(*form) &&
	       (*u < form[i].lead || *u > form[i].last))
		i++;
	if (i == sizeof(form) / sizeof(*form) || u[1] < form[i].low ||
	    u[1] > form[i].high)
		return 0;
	for (n = 2; n < form[i].length; n++)
		if (u[n] < 0x80 || u[n] > 0xbf)
			return 0;
	return n;
}

/* Bytes of the control character that s begins with; 0: none. */
static size_t control_length(const char *s)
{
	unsigned char c = (unsigned char)s[0], next;

	if (c < ' ' || c == 0x7f)
		return 1;
	next = (unsigned char)s[1];
	return c == 0xc2 && next >= 0x80 && next < 0xa0 ? 2 : 0;
}

const char *weft_diag_printable(char *buffer, size_t size, const char *text)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0;

	while (*text && n + 5 <= size) {
		size_t control = control_length(text);

		if (n + 4 * control + 1 > size)
			break;
		if (!control)
			buffer[n++] = *text++;
		for (; control; control--, text++) {
			buffer[n++] = '\\';
			buffer[n++] = 'x';
			buffer[n++] = digits[(unsigned char)*text >> 4];
			buffer[n++] = digits[*text & 15];
		}
	}
	buffer[n] = '\0';
	return buffer;
}
