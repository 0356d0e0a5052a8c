// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* INI files; see ini.h. */
#include "io/ini.h"

#include <weft/diag.h>

#include <errno.h>
#include <limits.h>

#include <ini.h>

struct reading {
	struct weft__lines lines;
	int (*take)(void *context, const struct weft__ini_entry *entry);
	void *context;
	int broken, err; /* of a line, the first one of take() */
};

/* ini_reader: the next line, or NULL at the end and after one that cannot be
 * read. */
static char *read_line(char *buffer, int size, void *context)
{
	struct reading *r = context;
	struct weft__line line;
	size_t length;

	if (!weft__lines_next(&r->lines, &line, &r->broken))
		return NULL;
	weft__skip_blanks(&line);
	length = line.end - line.p;
	if (length >= (size_t)size) {
		r->broken = weft_fail_at(r->lines.diag, EINVAL, r->lines.name,
					 line.number, "longer than %d bytes",
					 size - 1);
		return NULL;
	}
	memcpy(buffer, line.p, length);
	buffer[length] = '\0';
	return buffer;
}

/* ini_handler.  Its errors are in r->err, the return value is for inih's own:
 * lines that it does not understand. */
static int take(void *context, const char *section, const char *name,
		const char *value)
{
	struct reading *r = context;
	const struct weft__ini_entry entry = { section, name, value,
					       r->lines.number };

	int err = r->take(r->context, &entry);

	r->err = r->err ? r->err : err;
	return 1;
}

int weft__ini_read(const struct weft__source *source, const char *form,
		   int (*take_entry)(void *context,
				     const struct weft__ini_entry *entry),
		   void *context, struct weft_diag *diag)
{
	struct reading r = { .lines = weft__lines_begin(source, diag),
			     .take = take_entry,
			     .context = context };
	int bad = ini_parse_stream(read_line, &r, take, &r);

	if (bad > 0)
		r.broken = weft_fail_at(diag, EINVAL, source->name, bad,
					"neither a [section] nor %s", form);
	else if (bad < 0)
		r.broken = weft_no_memory(diag);
	return r.err ? r.err : r.broken;
}
