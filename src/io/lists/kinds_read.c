// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Kinds of hosts in files; see weft-formats(5).  The last word of a line is the
 * kind of who stands before it:
 *
 *	# what our machines are for
 *	io*			storage
 *	0x506b4b0300f0a1c2	service		a GUID of a port or a node
 *	"login node 1"		service
 *	* mlx5_4		storage		the fifth adapter of each
 */
#include "io/lists/kinds_read.h"

#include "io/notice.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define MAX_LINE 1024

/* Returns where a comment may begin: behind what is in quotes. */
static const char *after_quotes(const struct weft__line *line)
{
	struct weft__line rest = { .p = line->p + 1, .end = line->end };
	const char *quote = *line->p == '"' ? weft__find_char(&rest, '"') :
					      NULL;

	return quote ? quote : line->p;
}

/* Splits a line into who, without quotes, and the kind. */
static bool split(const struct weft__line *line, char *who, char *kind)
{
	const char *p = line->end, *end, *begin = line->p;

	while (p > line->p && !weft__is_blank(p[-1]))
		p--;
	for (end = p; end > line->p && weft__is_blank(end[-1]);)
		end--;
	if (end - begin > 1 && *begin == '"' && end[-1] == '"') {
		begin++;
		end--;
	}
	if (end > begin + 2 && begin[0] == '0' && begin[1] == 'x')
		for (const char *q = begin; q < end; q++)
			if (weft__is_blank(*q))
				end = q;
	sprintf(who, "%.*s", (int)(end - begin), begin);
	sprintf(kind, "%.*s", (int)(line->end - p), p);
	return end > begin;
}

/* Hexadecimal digits, behind "0x" or not, as OpenSM reads them. */
static bool is_guid(struct weft__line *line, uint64_t *guid)
{
	return weft__skip_0x(line, guid) || weft__skip_hex(line, guid);
}

static int read_lines(const struct weft__source *source, const char *kind,
		      struct weft_kinds *kinds, struct weft_diag *diag)
{
	struct weft__lines lines = weft__lines_begin(source, diag);
	struct weft__line line;
	uint32_t n = 0;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		char who[MAX_LINE], word[MAX_LINE];
		struct weft__line start;
		uint64_t guid;

		weft__skip_blanks(&line);
		if (weft__at_end(&line) || *line.p == '#')
			continue;
		weft__trim(&line, after_quotes(&line));
		start = line;
		if (!weft__is_text(&line, MAX_LINE - 1))
			return weft__refuse_line(source, &line,
						 "this is no text", diag);
		n++;
		if (!kind) {
			err = split(&line, who, word) ?
				weft_kinds_add(kinds, who, word, source->name,
					       line.number, diag) :
				weft__refuse_line(source, &start,
					"not a host, or a pattern of names, and its kind, as in 'io* storage'",
					diag);
		} else if (is_guid(&line, &guid)) {
			sprintf(who, "0x%" PRIx64, guid);
			err = weft_kinds_add(kinds, who, kind, source->name,
					     line.number, diag);
		} else {
			err = weft__refuse_line(source, &start,
				"not the GUID (0x...) of a port: none of this file is used",
				diag);
		}
	}
	if (!err && !n && !kind)
		return weft_fail_at(diag, EINVAL, source->name, 0,
				    "no kinds of hosts in it; a line has a host, or a pattern of names, and its kind, as in 'io* storage'");
	return err;
}

static int read_file(const char *path, const char *kind, weft__opener *open,
		     struct weft_kinds *kinds, struct weft_diag *diag)
{
	struct weft__source source;
	int err = open(path, &source, diag);

	if (err)
		return err;
	err = read_lines(&source, kind, kinds, diag);
	weft__source_close(&source);
	return err;
}

int weft__kinds_file(const char *path, weft__opener *open,
		     struct weft_kinds *kinds, struct weft_diag *diag)
{
	return read_file(path, NULL, open, kinds, diag);
}

int weft__kinds_guids(const char *path, const char *kind, weft__opener *open,
		      struct weft_kinds *kinds, struct weft_diag *diag)
{
	return read_file(path, kind, open, kinds, diag);
}

int weft_io_read_kinds(const char *path, struct weft_kinds *kinds,
		       struct weft_diag *diag)
{
	return weft__kinds_file(path, weft__source_open, kinds, diag);
}
