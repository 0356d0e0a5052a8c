// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Comma-separated values about ports under the aliases of their fabric: GUIDs
 * and LIDs are known by the names of their columns, all else is copied.
 */
#include <weft/counters.h>

#include "io/compressed.h"
#include "io/notice.h"
#include "io/port_names.h"
#include "io/text.h"

#include <weft/alias.h>

#include <errno.h>
#include <inttypes.h>

#define MAX_COLUMNS 64

enum column { COPIED, IS_GUID, IS_LID };

struct writer {
	const struct weft_aliases *aliases;
	const struct weft__source *source;
	struct weft_diag *diag;
	FILE *out;
	enum column column[MAX_COLUMNS];
	unsigned ncolumns;
};

static enum column column_of(const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum column column;
	} known[] = {
		{ "guid", IS_GUID },  { "port_guid", IS_GUID },
		{ "lid", IS_LID },    { "dlid", IS_LID },
		{ "sm_lid", IS_LID },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == length &&
		    !memcmp(known[i].name, name, length))
			return known[i].column;
	return COPIED;
}

/* The next field; false at the end of the line. */
static bool next_field(struct weft__line *line, const char **begin,
		       size_t *length)
{
	const char *comma;

	if (!line->p)
		return false;
	comma = weft__find_char(line, ',');
	*begin = line->p;
	*length = (size_t)((comma ? comma : line->end) - line->p);
	line->p = comma ? comma + 1 : NULL;
	return true;
}

static int read_header(struct writer *w, struct weft__line line)
{
	struct weft__line all = line;
	const char *begin;
	size_t length;

	while (next_field(&line, &begin, &length)) {
		if (w->ncolumns == MAX_COLUMNS)
			return weft__refuse_line(w->source, &all,
						 "too many columns", w->diag);
		w->column[w->ncolumns++] = column_of(begin, length);
	}
	fwrite(all.p, 1, (size_t)(all.end - all.p), w->out);
	putc('\n', w->out);
	return 0;
}

/* A field that is to have an alias. */
static bool put_alias(struct writer *w, enum column column,
		      struct weft__line field)
{
	uint64_t guid;
	uint32_t lid;

	if (column == IS_GUID) {
		if (!weft__skip_0x(&field, &guid) || !weft__at_end(&field))
			return false;
		fprintf(w->out, "0x%016" PRIx64,
			weft_alias_guid(w->aliases, guid));
		return true;
	}
	if (!weft__skip_decimal(&field, &lid) || !weft__at_end(&field))
		return false;
	fprintf(w->out, "%u", weft_alias_lid(w->aliases, lid));
	return true;
}

static int write_row(struct writer *w, struct weft__line line)
{
	struct weft__line all = line;
	const char *begin;
	size_t length;

	for (unsigned i = 0; next_field(&line, &begin, &length); i++) {
		struct weft__line field = { .p = begin, .end = begin + length };
		enum column column = i < w->ncolumns ? w->column[i] : COPIED;

		if (i)
			putc(',', w->out);
		if (i >= w->ncolumns || (column != COPIED && length &&
					 !put_alias(w, column, field)))
			return weft__refuse_line(
				w->source, &all,
				"a row that cannot be read, so that nothing of it is passed on",
				w->diag);
		if (column == COPIED)
			fwrite(begin, 1, length, w->out);
	}
	putc('\n', w->out);
	return 0;
}

static int alias_text(const struct weft__source *source,
		      const struct weft_aliases *aliases, FILE *out,
		      struct weft_diag *diag)
{
	struct writer w = {
		.aliases = aliases, .source = source, .diag = diag, .out = out
	};
	struct weft__lines lines = weft__lines_begin(source, diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		if (weft__at_end(&line) || *line.p == '#' || !line.complete)
			continue; /* comments may hold anything */
		err = w.ncolumns ? write_row(&w, line) : read_header(&w, line);
	}
	return err ? err : weft__finish_output(out, diag);
}

int weft_io_alias_values(const char *path, const struct weft_aliases *aliases,
			 FILE *out, struct weft_diag *diag)
{
	struct weft__source source;
	int err = weft__dump_open(path, 0, &source, diag);

	if (err)
		return err;
	err = alias_text(&source, aliases, out, diag);
	weft__source_close(&source);
	return err;
}

int weft_io_alias_text(const char *text, size_t size,
		       const struct weft_aliases *aliases, FILE *out,
		       struct weft_diag *diag)
{
	struct weft__source source = weft__source_text("values", text, size);

	return alias_text(&source, aliases, out, diag);
}

const char *const weft_io_value_files[] = {
	WEFT__PORTS_FILE,
	WEFT__COUNTERS_FILE,
	WEFT__VLARB_FILE,
	WEFT__MULTICAST_FILE,
	WEFT__SM_FILE,
	WEFT__SAMPLE_FILE,
	NULL,
};
