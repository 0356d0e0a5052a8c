// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reading forwarding tables: opensm-lfts.dump, the output of ibroute and
 * dump_lfts, and the .fdbs files of OpenSM and ibdiagnet2.
 *
 * The layouts share one grammar: a line that names a switch, then rows "LID
 * port ...", whatever lies between.  Of a row only LID and port are looked at.
 * Layouts: weft-formats(5).
 */
#include "io/formats.h"
#include "io/tables/lft_fill.h"
#include "io/tables/tables.h"

#include <errno.h>

struct reader {
	struct weft__fill fill;
	const struct weft__source *source;
	struct weft_diag *diag;
	bool multicast;		/* rows are of a multicast table */
	bool cut;		/* the last line is the beginning of one */
	size_t released;	/* bytes of the mapping given back */
};

/* A line that was read from start to place. */
static int misread(struct reader *r, const struct weft__line *start,
		   const struct weft__line *place, const char *what)
{
	if (start->complete)
		return weft__refuse_field(r->source, start, place, what,
					  r->diag);
	r->cut = true;
	return 0;
}

static int syntax(struct reader *r, const struct weft__line *line,
		  const char *what)
{
	return misread(r, line, line, what);
}

/*
 * The row as every program prints it: "0x" and four hexadecimal digits, a
 * separator, three decimal digits and no fourth.  False: look closer.
 */
static inline bool plain_row(const char *p, size_t length,
			     const char *separator, uint32_t *lid,
			     unsigned *port)
{
	size_t at = 6 + strlen(separator);
	uint32_t value = 0, digits = 0;

	if (length <= at + 3 || p[at + 3] != ' ' || memcmp(p, "0x", 2) ||
	    memcmp(p + 6, separator, strlen(separator)))
		return false;
	for (int i = 2; i < 6; i++) {
		int digit = weft__hex_digit(p[i]);

		if (digit < 0)
			return false;
		value = value << 4 | (uint32_t)digit;
	}
	for (size_t i = at; i < at + 3; i++) {
		if (!weft__is_digit(p[i]))
			return false;
		digits = digits * 10 + (uint32_t)(p[i] - '0');
	}
	*lid = value;
	*port = digits;
	return digits <= WEFT_NO_PORT;
}

/* The column after the LID: a port, or a word that stands for none. */
static bool port_column(struct weft__line *line, uint32_t *port)
{
	const char *start = line->p;

	weft__expect(line, "the port, 0 to 255");
	if (weft__skip_text(line, "UNREACHABLE")) {
		*port = WEFT_NO_PORT;
		return true;
	}
	if (!weft__skip_decimal(line, port))
		return false;
	if (*port > WEFT_NO_PORT) {
		line->p = start;
		return false;
	}
	/* A port is printed with three digits: fewer at a cut are not it. */
	if (weft__at_end(line))
		return line->complete || line->p - start >= 3;
	if (*line->p == ' ' || *line->p == '\t' || *line->p == ':')
		return true;
	line->p = start;
	return false;
}

/* A row in any spacing. */
static int loose_row(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	uint64_t lid;
	uint32_t port;

	if (r->multicast)
		return 0;
	if (!r->fill.row)
		return syntax(r, &start,
			      "a row before any line that names a switch");
	weft__expect(line, "the LID, 0x0000 to 0xffff");
	if (!weft__skip_0x(line, &lid) || lid > UINT16_MAX) {
		line->p = start.p;
		return misread(r, &start, line,
			       "not a row of a forwarding table");
	}
	weft__skip_blanks(line);
	if (weft__skip_char(line, ':'))
		weft__skip_blanks(line);
	if (!port_column(line, &port))
		return misread(r, &start, line,
			       "not a row of a forwarding table");
	weft__fill_entry(&r->fill, line->number, (uint32_t)lid, port);
	return 0;
}

/* A number after "0x" or decimal. */
static bool number(struct weft__line *line, uint64_t *value)
{
	uint32_t decimal;

	if (weft__skip_0x(line, value))
		return true;
	if (!weft__skip_decimal(line, &decimal))
		return false;
	*value = decimal;
	return true;
}

/* "[0x0-0x132]"; sets top, which stays where LIDs end beyond those that there
 * can be, or where there are no brackets.  False: they hold something else. */
static bool lid_range(struct weft__line *line, uint32_t *top)
{
	uint64_t first, last;

	weft__skip_blanks(line);
	if (!weft__skip_char(line, '['))
		return true;
	weft__expect(line, "the LIDs, as 0x0-0x132");
	if (!number(line, &first) || !weft__skip_char(line, '-') ||
	    !number(line, &last) || !weft__skip_char(line, ']'))
		return false;
	if (last <= WEFT_MAX_LID)
		*top = (uint32_t)last;
	return true;
}

/* The GUID right after the first occurrence of key: 1, 0 if that is not there,
 * -1 if something else follows it. */
static int guid_after(const struct weft__line *line, const char *key,
		      uint64_t *guid)
{
	struct weft__line at = *line;

	at.p = weft__find_text(line, key);
	if (!at.p)
		return 0;
	weft__skip_text(&at, key);
	return weft__skip_hex(&at, guid) ? 1 : -1;
}

/*
 * "Unicast lids [0x0-0x132] of switch Lid 1 guid 0x... (name):", with a DR
 * path in the place of "Lid 1", or neither.  The name comes last and may hold
 * anything: only the first " guid 0x" counts.
 */
static int lfts_header(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	struct weft__fill_header header = { 0 };
	bool ok;
	int guid;

	weft__source_release(r->source, line->p, &r->released);
	weft__skip_text(line, "Unicast lids");
	if (!lid_range(line, &header.top))
		return misread(r, &start, line, "no range of LIDs in the first line of a table");
	line->p = weft__find_text(&start, " of switch ");
	if (!line->p || !line->complete)
		return syntax(r, &start,
			      "no switch in the first line of a table");
	weft__skip_text(line, " of switch ");
	ok = !weft__skip_text(line, "Lid ") ||
	     weft__skip_decimal(line, &header.lid);
	guid = guid_after(line, "guid 0x", &header.guid);
	if (!ok || guid < 0 || (!guid && !header.lid))
		return syntax(r, &start,
			      "neither GUID nor LID of the switch in the first line of a table");
	r->multicast = false;
	weft__fill_begin(&r->fill, line->number, &header);
	return 0;
}

/* "dump_ucast_routes: Switch 0x...", with or without "osm_ucast_mgr_" and
 * underscores before it. */
static int fdbs_header(struct reader *r, struct weft__line *line)
{
	struct weft__fill_header header = { .top = WEFT_NONE };

	weft__source_release(r->source, line->p, &r->released);
	if (!line->complete || guid_after(line, "Switch 0x", &header.guid) <= 0)
		return syntax(r, line,
			      "no GUID of a switch in the first line of a table");
	r->multicast = false;
	weft__fill_begin(&r->fill, line->number, &header);
	return 0;
}

/* "PLFT_NUM: 0" is the table that the line before it named; others are
 * private tables of the same switch. */
static int private_table(struct reader *r, struct weft__line *line)
{
	uint32_t index;

	weft__skip_text(line, "PLFT_NUM:");
	weft__skip_blanks(line);
	weft__expect(line, "a decimal number");
	if (!weft__skip_decimal(line, &index))
		return syntax(r, line, "no number of a private table");
	if (index)
		weft__fill_ignore(&r->fill, line->number, "private tables");
	return 0;
}

/* "305 valid lids dumped": false if the line is none of these. */
static bool closing_line(struct reader *r, struct weft__line *line)
{
	uint32_t count;

	if (!weft__skip_decimal(line, &count) ||
	    !weft__find_text(line, "lids dumped"))
		return false;
	if (r->fill.row && !r->multicast)
		weft__fill_end(&r->fill, count);
	return true;
}

/* Error output of the programs, prompts and the like. */
static void foreign_line(struct reader *r, const struct weft__line *line)
{
	char excerpt[WEFT__EXCERPT_SIZE];
	bool failure = weft__find_text(line, "error") ||
		       weft__find_text(line, "fail");

	weft__notice_add(&r->fill.notice[failure ? WEFT__FILL_FAILED :
					 WEFT__FILL_FOREIGN], line->number,
			 failure ?
			 "the program that took the tables reported \"%s\""
			 : "left out: \"%s\"",
			 weft__excerpt(line, excerpt));
}

static bool begins(const struct weft__line *line, const char *text)
{
	struct weft__line at = *line;

	return weft__skip_text(&at, text);
}

/* Any line but a plain row. */
static int other_line(struct reader *r, struct weft__line *line)
{
	weft__skip_blanks(line);
	if (weft__at_end(line) || *line->p == '#')
		return 0;
	if (begins(line, "0x"))
		return loose_row(r, line);
	if (begins(line, "Unicast lids"))
		return lfts_header(r, line);
	if (weft__find_text(line, "dump_ucast_routes: Switch"))
		return fdbs_header(r, line);
	if (begins(line, "PLFT_NUM:"))
		return private_table(r, line);
	if (begins(line, "Multicast mlids")) {
		weft__fill_ignore(&r->fill, line->number, "multicast tables");
		r->multicast = true;
		return 0;
	}
	/* Headings of the columns. */
	if (begins(line, "Lid  Out") || begins(line, "LID ") ||
	    begins(line, "Port     Info"))
		return 0;
	if (!closing_line(r, line) && !r->multicast)
		foreign_line(r, line);
	return 0;
}

static int read_lines(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		size_t length = (size_t)(line.end - line.p);
		uint32_t lid;
		unsigned port;

		if (r->fill.row && !r->multicast &&
		    (plain_row(line.p, length, " ", &lid, &port) ||
		     plain_row(line.p, length, " : ", &lid, &port)))
			weft__fill_entry(&r->fill, line.number, lid, port);
		else
			err = other_line(r, &line);
	}
	/* Programs end every line: what lacks the newline may lack more. */
	if (r->cut || (lines.number && !line.complete && r->fill.row))
		weft__notice_add(&r->fill.notice[WEFT__FILL_CUT], lines.number,
				 "the file ends in the middle of a line: cut?");
	return err;
}

static int read_lfts(const struct weft__source *source,
		     const struct weft_fabric *fabric,
		     struct weft_routes *routes, struct weft_diag *diag)
{
	struct reader r = { .source = source, .diag = diag };
	int err = weft__fill_init(&r.fill, fabric, &routes->lft);
	int tables;

	if (err) {
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "out of memory");
		return err;
	}
	err = read_lines(&r);
	if (!err)
		err = weft__fill_finish(&r.fill, source->name, diag);
	tables = (int)r.fill.tables;
	weft__fill_free(&r.fill);
	return err ? err : tables;
}

/* Unicast lids [...] of switch ..., 0x0002 019 : (Switch portguid ... */
static bool is_lfts(struct weft__line l)
{
	return weft__skip_text(&l, "Unicast lids [") ||
	       (weft__skip_guid(&l) && weft__skip_number(&l) &&
		weft__skip_text(&l, " : ("));
}

const struct weft__format weft__format_lfts = {
	.row = { "opensm-lfts.dump", WEFT_FILE_TABLES },
	.recognises = is_lfts,
	.read_tables = read_lfts,
	.dump = "opensm-lfts.dump",
	.whole = "opensm-lfts.dump",
};

/* LID    : Port : Hops : Optimal, then 0x0002 : 019  : 01   : yes.  Multicast
 * tables have masks of ports, 0x001, instead. */
static bool is_fdbs(struct weft__line l)
{
	if (weft__skip_text(&l, "LID    : Port :") ||
	    weft__find_text(&l, "dump_ucast_routes: Switch 0x"))
		return true;
	return weft__skip_guid(&l) && weft__skip_text(&l, " : ") &&
	       (weft__skip_text(&l, "UNREACHABLE") ||
		(weft__skip_number(&l) && !weft__skip_char(&l, 'x')));
}

const struct weft__format weft__format_fdbs = {
	.row = { "opensm.fdbs", WEFT_FILE_TABLES },
	.recognises = is_fdbs,
	.read_tables = read_lfts,
	.dump = "*.fdbs",
};
