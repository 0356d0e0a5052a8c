// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Names on their way out; see text.h. */
#include "io/text.h"

#include <weft/io.h>

#include "core/text/utf8.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

char *weft__utf8_copy(const char *s)
{
	char *copy = strdup(s), *p = copy;

	while (p && *p) {
		size_t n = weft__utf8_length(p);

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
		size_t n = weft__utf8_length(s);

		if (*s == '"' || *s == '\\')
			putc('\\', out);
		if (n > 1 || (n && (unsigned char)*s >= 0x20 && *s != 0x7f))
			fwrite(s, 1, n, out);
		else
			putc('?', out);
		s += n ? n : 1;
	}
	putc('"', out);
}

static bool for_spreadsheets;

void weft_io_csv_for_spreadsheets(void)
{
	for_spreadsheets = true;
}

static void put_csv_text(FILE *out, const char *s)
{
	if (for_spreadsheets && *s && strchr("=+-@", *s))
		putc('\'', out);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"')
			putc('"', out);
		if (c < 0x20 || c == 0x7f)
			fprintf(out, "\\x%02x", c);
		else
			putc(c, out);
	}
}

void weft_io_csv_quoted(FILE *out, const char *s)
{
	putc('"', out);
	put_csv_text(out, s);
	putc('"', out);
}

void weft__put_csv_field(FILE *out, const char *s)
{
	if (strpbrk(s, ",\"") || *s == ' ')
		weft_io_csv_quoted(out, s);
	else
		put_csv_text(out, s);
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
