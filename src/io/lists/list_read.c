// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lists of nodes in files; see weft-formats(5).  One entry a line:
 *
 *	# roots of the north hall
 *	0x506b4b0300f0a1c2		GUID; what follows is left aside, as
 *	0x506b4b0300f0a1c3 spine-2	OpenSM does in its root_guid_file
 *	spine-3				a node description, or its first word
 *	"spine 4 # north"		any description
 *	0x506b4b0300f0a1c4 leaf-1 leaf	with what is said about the node last,
 *	leaf-2 leaf			for options that take that
 *	leaf-3=leaf
 */
#include "io/lists/list_read.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>

#define MAX_LINE 1024

struct reader {
	const struct weft_option *option;
	const struct weft__source *source;
	struct weft_list *list;
	struct weft_diag *diag;
};

static int refuse(const struct reader *r, const struct weft__line *line)
{
	char what[192], form[128];

	snprintf(what, sizeof(what), "%s: not %s", r->option->name,
		 weft__list_form(r->option, form));
	return weft__refuse_line(r->source, line, what, r->diag);
}

/* The last word of a line, or what follows the last '=' in that. */
static struct weft__span last_word(const struct weft__line *line)
{
	const char *p = line->end;

	while (p > line->p && !weft__is_blank(p[-1]) && p[-1] != '=')
		p--;
	return (struct weft__span){ p, line->end - p };
}

/* The value of the node whose name ended before the line's place. */
static struct weft__span value_after(const struct reader *r,
				     struct weft__line *line)
{
	struct weft__span last = last_word(line);

	if (!last.length || !r->option->choices ||
	    (!r->option->min && !weft__list_takes(r->option, last)))
		last.text = NULL;
	return last;
}

/* A name without quotes: all of the line but for the value. */
static struct weft__span whole_name(const struct weft__line *line,
				    struct weft__span *value)
{
	struct weft__span name = { line->p, line->end - line->p };

	if (value->text == line->p)
		value->text = NULL;	/* there is no more than that */
	if (!value->text)
		return name;
	name.length = value->text - line->p;
	while (name.length && (weft__is_blank(name.text[name.length - 1]) ||
			       name.text[name.length - 1] == '='))
		name.length--;
	return name;
}

static int read_entry(const struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	struct weft__span node, value;
	bool quoted = weft__skip_char(line, '"');
	uint64_t guid;
	int err;

	node = (struct weft__span){ line->p, 0 };
	if (quoted) {
		const char *end = weft__find_char(line, '"');

		if (!end)
			return refuse(r, &start);
		line->p = end;
	} else {
		while (!weft__at_end(line) && !weft__is_blank(*line->p) &&
		       *line->p != '=')
			line->p++;
	}
	node.length = line->p - node.text;
	line->p += quoted;
	weft__trim(line, line->p);
	if (quoted || weft__list_guid(node, &guid)) {
		value = value_after(r, line);
	} else {
		line->p = node.text;
		value = value_after(r, line);
		node = whole_name(line, &value);
	}
	err = weft__list_add(r->list, r->option, node, value, quoted,
			     line->number);
	return err == -EINVAL ? refuse(r, &start) : err;
}

static int read_lines(const struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		if (!weft__is_text(&line, MAX_LINE))
			return weft__refuse_line(r->source, &line,
						 "this is no text", r->diag);
		weft__skip_blanks(&line);
		if (!weft__at_end(&line) && *line.p != '#')
			err = read_entry(r, &line);
	}
	if (err == -ENOMEM)
		return weft_no_memory(r->diag);
	if (!err && !r->list->n) {
		char form[128];

		err = weft_fail_at(r->diag, EINVAL, r->source->name, 0,
			"%s: nothing in it; a line has %s", r->option->name,
			weft__list_form(r->option, form));
	}
	return err;
}

int weft__read_list(const struct weft__source *source,
		    const struct weft_option *option, struct weft_list **out,
		    struct weft_diag *diag)
{
	struct reader r = { option, source,
			    weft__list_new(option, source->name), diag };
	int err = r.list ? read_lines(&r) :
			   weft_no_memory(diag);

	if (err)
		weft__list_free(r.list);
	else
		*out = r.list;
	return err;
}

int weft__list_file(struct weft_options *o, const char *name, const char *path,
		    bool lenient, weft__opener *open, struct weft_diag *diag)
{
	const struct weft_option *row = weft_options_table(o);
	struct weft__source source;
	struct weft_list *list;
	int err = open(path, &source, diag);

	if (err)
		return err;
	while (strcmp(row->name, name))
		row++;
	err = weft__read_list(&source, row, &list, diag);
	weft__source_close(&source);
	if (err)
		return err;
	list->lenient = lenient;
	weft__options_keep_list(o, name, list);
	return 0;
}

int weft_io_read_list(struct weft_options *o, const char *name,
		      const char *path, bool lenient, struct weft_diag *diag)
{
	return weft__list_file(o, name, path, lenient, weft__source_open, diag);
}

static int read_one(struct weft_options *o, const struct weft_option *row,
		    bool lenient, weft__opener *open, struct weft_diag *diag)
{
	const char *text = weft_options_text(o, row->name);
	struct weft_list *list;
	int err;

	if (row->type != WEFT_OPT_LIST || !text)
		return 0;
	if (weft__names_file(text))
		return weft__list_file(o, row->name, text, lenient, open, diag);
	err = weft__list_words(row, text, &list, diag);
	if (err)
		return err;
	list->lenient = lenient;
	weft__options_keep_list(o, row->name, list);
	return 0;
}

int weft__list_files(struct weft_options *o, bool lenient, weft__opener *open,
		     struct weft_diag *diag)
{
	const struct weft_option *row = weft_options_table(o);
	int first = 0;

	for (; row->type != WEFT_OPT_END; row++) {
		int err = read_one(o, row, lenient, open, diag);

		if (err)
			weft__options_keep_list(o, row->name, NULL);
		first = first ? first : err;
	}
	return first;
}

int weft_io_read_lists(struct weft_options *o, bool lenient,
		       struct weft_diag *diag)
{
	return weft__list_files(o, lenient, weft__source_open, diag);
}
