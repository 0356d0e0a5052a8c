// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages of the parsers; see notice.h. */
#include "io/notice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define FOUND_MAX 40 /* bytes of a word that a message shows */

void weft__notice_add(struct weft__notice *notice, unsigned long line,
		      const char *format, ...)
{
	va_list ap;

	if (notice->count++)
		return;
	notice->line = line;
	va_start(ap, format);
	vsnprintf(notice->text, sizeof(notice->text), format, ap);
	va_end(ap);
}

void weft__notices_say(const struct weft__notice *notice, size_t n,
		       const char *file, struct weft_diag *diag)
{
	for (const struct weft__notice *i = notice; i < notice + n; i++) {
		if (i->count == 1)
			weft_diag_at(diag, i->severity, file, i->line, "%s",
				     i->text);
		else if (i->count)
			weft_diag_at(diag, i->severity, file, i->line,
				     "%s; %" PRIu64 " more like this", i->text,
				     i->count - 1);
	}
}

const char *weft__misread(const struct weft__line *place,
			  char buffer[WEFT__MISREAD_SIZE])
{
	struct weft__line found = *place;
	char excerpt[WEFT__EXCERPT_SIZE];
	size_t length = 0;

	*buffer = '\0';
	if (!place->expected)
		return buffer;
	weft__skip_blanks(&found);
	while (found.p + length < found.end && length < FOUND_MAX &&
	       found.p[length] != ' ' && found.p[length] != '\t')
		length++;
	found.end = found.p + length;
	snprintf(buffer, WEFT__MISREAD_SIZE,
		 length ? ": expected %s, found \"%s\"" :
			  ": expected %s, found the end of the line",
		 place->expected, weft__excerpt(&found, excerpt));
	return buffer;
}

int weft__refuse_line(const struct weft__source *source,
		      const struct weft__line *line, const char *what,
		      struct weft_diag *diag)
{
	char excerpt[WEFT__EXCERPT_SIZE];

	weft_diag_at(diag, WEFT_ERROR, source->name, line->number,
		     "%s: \"%s\"", what, weft__excerpt(line, excerpt));
	return -EINVAL;
}

int weft__refuse_field(const struct weft__source *source,
		       const struct weft__line *start,
		       const struct weft__line *place, const char *what,
		       struct weft_diag *diag)
{
	char excerpt[WEFT__EXCERPT_SIZE], misread[WEFT__MISREAD_SIZE];

	weft_diag_at(diag, WEFT_ERROR, source->name, start->number,
		     "%s: \"%s\"%s", what, weft__excerpt(start, excerpt),
		     weft__misread(place, misread));
	return -EINVAL;
}
