// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "page/markup.h"

#include "core/text/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The character of a well-formed sequence of n bytes. */
static uint32_t character(const unsigned char *u, size_t n)
{
	static const unsigned char lead[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t c = u[0] & lead[n];

	for (size_t i = 1; i < n; i++)
		c = c << 6 | (u[i] & 0x3f);
	return c;
}

/* Whether a character is invisible and moves others, or is none of XML's. */
static bool is_unfit(uint32_t c)
{
	return (c >= 0x80 && c < 0xa0) || c == 0x61c || c == 0x200e ||
	       c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xfeff ||
	       (c & 0xfffe) == 0xfffe;
}

static void put_escaped(FILE *out, unsigned char c)
{
	switch (c) {
	case '&':
		fputs("&amp;", out);
		break;
	case '<':
		fputs("&lt;", out);
		break;
	case '>':
		fputs("&gt;", out);
		break;
	case '"':
		fputs("&quot;", out);
		break;
	case '\'':
		fputs("&#39;", out);
		break;
	default:
		putc(c, out);
	}
}

void weft__put_visible(FILE *out, const char *text,
		       void (*put)(FILE *out, unsigned char c))
{
	const unsigned char *u = (const unsigned char *)text;

	while (*u) {
		size_t n = weft__utf8_length((const char *)u);

		if (!n || *u < ' ' || *u == 0x7f)
			fprintf(out, "\\x%02x", *u);
		else if (n == 1)
			put(out, *u);
		else if (is_unfit(character(u, n)))
			fprintf(out, "\\u%04x", (unsigned)character(u, n));
		else
			fwrite(u, 1, n, out);
		u += n ? n : 1;
	}
}

void weft__put_markup(FILE *out, const char *text)
{
	weft__put_visible(out, text, put_escaped);
}

void weft__vprint_markup(FILE *out, const char *format, va_list ap)
{
	char *text;

	if (vasprintf(&text, format, ap) < 0) {
		fputs("(no memory)", out);
		return;
	}
	weft__put_markup(out, text);
	free(text);
}

void weft__print_markup(FILE *out, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	weft__vprint_markup(out, format, ap);
	va_end(ap);
}
