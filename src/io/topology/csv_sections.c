// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sections of comma-separated values; see csv_sections.h. */
#include "io/topology/csv_sections.h"

#include "io/topology/topology.h"

#include <errno.h>
#include <strings.h>

#define COLUMNS_MAX 512		/* of a section; what comes behind them is not
				 * looked at */
#define UNWANTED UINT8_MAX

/* --- finding the sections --------------------------------------------- */

static bool is_named(const struct weft__line *line, const char *name)
{
	size_t length = strlen(name);

	return (size_t)(line->end - line->p) == length &&
	       !memcmp(line->p, name, length);
}

static struct weft__csv_section *named(const struct weft__line *line,
				       struct weft__csv_section *section,
				       size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_named(line, section[i].name))
			return &section[i];
	return NULL;
}

int weft__csv_find(const struct weft__source *source,
		   struct weft__topology *topology,
		   struct weft__csv_section *section, size_t n)
{
	struct weft__lines lines = weft__lines_begin(source, topology->diag);
	struct weft__csv_section *open = NULL, *s;
	struct weft__line line;
	int err = 0;

	while (weft__lines_next(&lines, &line, &err)) {
		if (weft__skip_text(&line, "START_")) {
			s = named(&line, section, n);
			if (s && s->line)
				return weft__topology_bad(topology, line.number,
					"a second section %s: the first one begins in line %lu",
					s->name, s->line);
			open = s;
			if (s) {
				s->lines = lines;
				s->line = line.number;
			}
		} else if (open && weft__skip_text(&line, "END_")) {
			open = NULL;
		} else if (open) {
			open->nlines++;
		}
	}
	if (open && !err)
		return weft__topology_bad(topology, open->line,
			"the section %s has no END_%s: the file was cut",
			open->name,
			open->name);
	return err;
}

/* --- columns ---------------------------------------------------------- */

/* The text up to the next comma, blanks around it left aside.  Quotes within
 * quotes stand as they are: only one before a comma ends the text. */
static bool next_field(struct weft__line *line, const char **text,
		       size_t *length)
{
	const char *end;

	weft__skip_blanks(line);
	*text = line->p;
	if (weft__skip_char(line, '"')) {
		*text = line->p;
		do {
			end = weft__find_char(line, '"');
			if (!end)
				return false;
			line->p = end + 1;
			weft__skip_blanks(line);
		} while (!weft__at_end(line) && *line->p != ',');
	} else {
		end = weft__find_char(line, ',');
		line->p = end = end ? end : line->end;
		while (end > *text && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
	}
	*length = (size_t)(end - *text);
	return true;
}

struct table {
	struct weft__topology *t;
	const struct weft__csv_section *section;
	const struct weft__csv_column *column;
	size_t n;
	uint8_t wanted[COLUMNS_MAX];	/* which of column[] the file's is */
	uint32_t last;			/* of the file's that is wanted */
	bool found[WEFT__CSV_WANTED];
};

static void want(struct table *t, uint32_t at, const char *text, size_t length)
{
	t->wanted[at] = UNWANTED;
	for (size_t i = 0; i < t->n; i++) {
		if (t->found[i] || strlen(t->column[i].name) != length ||
		    strncasecmp(text, t->column[i].name, length))
			continue;
		t->wanted[at] = (uint8_t)i;
		t->found[i] = true;
		t->last = at;
	}
}

/* The line with the names of the columns. */
static int read_names(struct table *t, struct weft__line *line)
{
	const char *text;
	size_t length;
	uint32_t at = 0;

	do {
		if (!next_field(line, &text, &length))
			break;
		want(t, at++, text, length);
	} while (at < COLUMNS_MAX && weft__skip_char(line, ','));
	for (size_t i = 0; i < t->n; i++)
		if (t->column[i].needed && !t->found[i])
			return weft__topology_bad(t->t, line->number,
				"the section %s has no column %s",
				t->section->name, t->column[i].name);
	return 0;
}

/* --- rows ------------------------------------------------------------- */

static bool parse_value(const struct weft__csv_column *column,
			struct weft__csv_value *v)
{
	struct weft__line l = { .p = v->text, .end = v->text + v->length };
	uint32_t decimal;

	v->told = v->length && !is_named(&l, "N/A");
	if (!v->told)
		return !column->needed || column->kind == WEFT__CSV_ANY;
	if (column->kind >= WEFT__CSV_TEXT)
		return true;
	if (weft__skip_0x(&l, &v->number))
		return weft__at_end(&l) && (column->kind == WEFT__CSV_GUID ||
					    v->number <= UINT32_MAX);
	if (column->kind == WEFT__CSV_GUID)
		return weft__skip_hex(&l, &v->number) && weft__at_end(&l);
	if (!weft__skip_decimal(&l, &decimal) || !weft__at_end(&l))
		return false;
	v->number = decimal;
	return true;
}

static int bad_value(struct table *t, unsigned long line,
		     const struct weft__csv_column *column,
		     const struct weft__csv_value *v)
{
	static const char *const expected[] = {
		[WEFT__CSV_NUMBER] = "a number", [WEFT__CSV_GUID] = "a GUID",
		[WEFT__CSV_TEXT] = "a text", [WEFT__CSV_ANY] = "a text",
	};
	struct weft__line l = { .p = v->text, .end = v->text + v->length };
	char excerpt[WEFT__EXCERPT_SIZE];

	return weft__topology_bad(t->t, line,
		"section %s, column %s: expected %s, found \"%s\"",
		t->section->name, column->name,
		expected[column->kind], weft__excerpt(&l, excerpt));
}

static int read_row(struct table *t, struct weft__line *line,
		    struct weft__csv_value *value)
{
	struct weft__csv_value v = { 0 };

	memset(value, 0, t->n * sizeof(*value));
	for (uint32_t at = 0; at <= t->last; at++) {
		uint8_t i = t->wanted[at];

		if (at && !weft__skip_char(line, ','))
			return weft__topology_bad(t->t, line->number,
				"section %s: a row of %u columns, where column %s is the %uth",
				t->section->name, at,
				t->column[t->wanted[t->last]].name,
				t->last + 1);
		if (!next_field(line, &v.text, &v.length))
			return weft__topology_bad(t->t, line->number,
				"section %s: no quote ends the text of column %u",
				t->section->name, at + 1);
		if (i == UNWANTED)
			continue;
		value[i] = v;
		if (!parse_value(&t->column[i], &value[i]))
			return bad_value(t, line->number, &t->column[i],
					 &value[i]);
	}
	return 0;
}

int weft__csv_rows(struct weft__csv_section section,
		   struct weft__topology *topology,
		   const struct weft__csv_column *column, size_t n,
		   int (*row)(struct weft__topology *topology,
			      unsigned long line,
			      const struct weft__csv_value *value))
{
	struct table t = { .t = topology, .section = &section,
			   .column = column, .n = n };
	struct weft__csv_value value[WEFT__CSV_WANTED];
	struct weft__line line;
	bool named = false;
	int err = 0;

	while (!err && section.nlines-- &&
	       weft__lines_next(&section.lines, &line, &err)) {
		weft__skip_blanks(&line);
		if (weft__at_end(&line) || *line.p == '#')
			continue;
		if (!named) {
			err = read_names(&t, &line);
			named = true;
			continue;
		}
		err = read_row(&t, &line, value);
		if (!err)
			err = row(topology, line.number, value);
	}
	return err;
}
