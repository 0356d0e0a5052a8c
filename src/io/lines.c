// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lines of files, for programs with formats of their own; see weft/io.h. */
#include "io/source.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>

static int take_line(const struct weft__source *source,
		     const struct weft__line *line,
		     int (*take)(void *context, char *line,
				 unsigned long number),
		     void *context, struct weft_diag *diag)
{
	char text[WEFT_IO_LINE_MAX];
	size_t length = line->end - line->p;

	if (length >= sizeof(text))
		return weft_fail_at(diag, EINVAL, source->name, line->number,
				    "this line is too long: more than %zu bytes",
				    sizeof(text) - 1);
	memcpy(text, line->p, length);
	text[length] = '\0';
	return take(context, text, line->number);
}

int weft_io_each_line(const char *path,
		      int (*take)(void *context, char *line,
				  unsigned long number),
		      void *context, struct weft_diag *diag)
{
	struct weft__source source;
	struct weft__lines lines;
	struct weft__line line;
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	lines = weft__lines_begin(&source, diag);
	while (!err && weft__lines_next(&lines, &line, &err))
		err = take_line(&source, &line, take, context, diag);
	weft__source_close(&source);
	return err;
}
