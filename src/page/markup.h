/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Text in HTML and SVG: the one place that escapes it. */
#ifndef WEFT_PAGE_MARKUP_H
#define WEFT_PAGE_MARKUP_H

#include <stdarg.h>
#include <stdio.h>

/*
 * Writes any bytes as text of an element, or as the value of an attribute in
 * quotes.  What markup may not hold, or what would change how the text around
 * it reads, is told as \xNN (bytes: control characters, what is not UTF-8) or
 * \uNNNN (characters that turn the direction of writing), so that nothing of a
 * name is lost.
 */
void weft__put_markup(FILE *out, const char *text);

/*
 * The same for other languages: put writes printable ASCII as they need it; all
 * else is told as above, or is UTF-8 and stays as it is.
 */
void weft__put_visible(FILE *out, const char *text,
		       void (*put)(FILE *out, unsigned char c));

/* weft__put_markup() of what a format makes; its own text is escaped, too. */
void weft__print_markup(FILE *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void weft__vprint_markup(FILE *out, const char *format, va_list ap);

#endif
