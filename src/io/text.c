// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names on their way out; see text.h. */
#include "io/text.h"

#include <weft/diag.h>

#include <errno.h>
#include <string.h>

/*
 * Length of the well-formed UTF-8 sequence that s begins with (1 to 4), 0 if
 * there is none.  s is NUL-terminated and not empty.
 */
static size_t utf8_length(const char *s)
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

char *weft__utf8_copy(const char *s)
{
	char *copy = strdup(s), *p = copy;

	while (p && *p) {
		size_t n = utf8_length(p);

		if (!n)
			*p = '?';
		p += n ? n : 1;
	}
	return copy;
}

const char *weft__clean_name(const char *name, char buffer[WEFT__NAME_SIZE])
{
	size_t n = strnlen(name, WEFT__NAME_SIZE - 1);

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)name[i];

		buffer[i] = c < 0x20 || c == 0x7f ? '?' : name[i];
	}
	buffer[n] = '\0';
	return buffer;
}

void weft__put_dot_string(FILE *out, const char *s)
{
	putc('"', out);
	while (*s) {
		size_t n = utf8_length(s);

		if (*s == '"' || *s == '\\')
			putc('\\', out);
		if (n > 1 || (n && (unsigned char)*s >= 0x20))
			fwrite(s, 1, n, out);
		else
			putc('?', out);
		s += n ? n : 1;
	}
	putc('"', out);
}

void weft__put_csv_field(FILE *out, const char *s)
{
	if (!strpbrk(s, ",\"\r\n") && *s != ' ') {
		fputs(s, out);
		return;
	}
	putc('"', out);
	for (; *s; s++) {
		if (*s == '"')
			putc('"', out);
		putc(*s, out);
	}
	putc('"', out);
}

int weft__finish_output(FILE *out, struct weft_diag *diag)
{
	int err;

	errno = 0;
	if (!fflush(out) && !ferror(out))
		return 0;
	err = errno ? errno : EIO;
	return weft_fail(diag, err, "cannot write: %s", strerror(err));
}
