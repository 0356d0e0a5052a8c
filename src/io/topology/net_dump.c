// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: ibdiagnet2.net_dump
 *
 * A heading for each switch, the names of the columns, a row for each port:
 *
 *   "name", Mellanox, 0x1070fd03001adeb4, LID 24328
 *   #   : IB# : Sta : PhysSta : MTU : LWA : LSA : FEC mode : Retran
 *       : Neighbor Guid : N# : NLID : Neighbor Description	(one line)
 *   1/1 : 1 : ACT : LINK UP : 5 : 4x : 50 : ... : NO-RTR
 *       : 0xc42a10300dbfb92 : 40/2 : 25697 : "far name"	(one line)
 *
 * "#" and "N#" are what is printed beside the connector, such as cage, port and
 * split; "IB#" is the number of the port.  That of a switch at the far end is
 * found by the label, in the rows of that switch; that of an adapter is the
 * number its label ends in.  Columns are found by their names.
 *
 * Adapters have no heading: they are what has none, and no LMC is told.
 */
#include "core/grow.h"
#include "io/formats.h"
#include "io/topology/net_dump.h"
#include "io/topology/topology.h"

#include <stdlib.h>

enum {
	LABEL, PORT, WIDTH, SPEED, FAR_GUID, FAR_LABEL, FAR_LID, FAR_NAME,
	COLUMNS
};

static const char *const column_name[COLUMNS] = {
	[LABEL] = "#", [PORT] = "IB#", [WIDTH] = "LWA", [SPEED] = "LSA",
	[FAR_GUID] = "Neighbor Guid", [FAR_LABEL] = "N#", [FAR_LID] = "NLID",
	[FAR_NAME] = "Neighbor Description",
};

#define FIELDS 24	/* of a row */

struct reader {
	struct weft__net_dump d;
	uint8_t at[COLUMNS];	/* which field of a row is the column */
	size_t rows_room, blocks_room;
};

/* --- lines ------------------------------------------------------------ */

/* '"name", Mellanox, 0x1070fd03001adeb4, LID 24328' */
static bool parse_heading(struct weft__line *l, struct weft__dump_block *b)
{
	const char *close;

	weft__expect(l, "the name, between two quotes");
	if (!weft__skip_char(l, '"'))
		return false;
	close = memrchr(l->p, '"', (size_t)(l->end - l->p));
	if (!close)
		return false;
	b->name = (struct weft__dump_text){ l->p, (size_t)(close - l->p) };
	l->p = close + 1;
	weft__expect(l,
		     ", the vendor, and the GUID as , 0x and hexadecimal digits");
	close = weft__find_text(l, ", 0x");
	if (!close)
		return false;
	l->p = close + 2;
	if (!weft__skip_0x(l, &b->guid))
		return false;
	weft__expect(l, ", LID and a decimal number");
	return weft__skip_text(l, ", LID ") && weft__skip_decimal(l, &b->lid);
}

/* The fields of a row: text between colons, without blanks around it.  The last
 * one that is wanted goes to the end of the line. */
static uint32_t split(const struct weft__line *line, uint32_t last,
		      struct weft__dump_text field[FIELDS])
{
	struct weft__line l = *line;
	uint32_t n = 0;

	while (n < FIELDS) {
		const char *end = n == last ? NULL : weft__find_char(&l, ':');
		const char *next = end ? end + 1 : NULL;

		weft__skip_blanks(&l);
		if (!end)
			end = l.end;
		while (end > l.p && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
		field[n++] =
			(struct weft__dump_text){ l.p, (size_t)(end - l.p) };
		if (!next)
			break;
		l.p = next;
	}
	return n;
}

static bool is_text(const struct weft__dump_text *t, const char *text)
{
	return t->length == strlen(text) && !memcmp(t->p, text, t->length);
}

/* The names of the columns. */
static int read_columns(struct reader *r, const struct weft__line *l)
{
	struct weft__dump_text field[FIELDS];
	uint32_t n = split(l, FIELDS, field);

	for (unsigned c = 0; c < COLUMNS; c++) {
		uint32_t i = 0;

		while (i < n && !is_text(&field[i], column_name[c]))
			i++;
		if (i == n)
			return weft__topology_bad(r->d.t, l->number,
				"no column \"%s\"", column_name[c]);
		r->at[c] = (uint8_t)i;
	}
	for (unsigned c = 0; c < COLUMNS; c++)
		if (r->at[c] > r->at[FAR_NAME])
			return weft__topology_bad(r->d.t, l->number,
				"the column \"%s\" stands behind the names of neighbors, which go to the end of the line",
				column_name[c]);
	return 0;
}

/* Adapters' labels are their port's number, or end in it after a slash. */
static uint8_t adapter_port(const struct weft__dump_text *label)
{
	struct weft__line l = { .p = label->p,
				.end = label->p + label->length };
	const char *slash = memrchr(l.p, '/', label->length);
	uint32_t port;

	if (slash)
		l.p = slash + 1;
	return weft__skip_decimal(&l, &port) && weft__at_end(&l) &&
	       port <= WEFT_MAX_PORTS ? (uint8_t)port : 0;
}

static bool number_of(const struct weft__dump_text *t, uint32_t *value)
{
	struct weft__line l = { .p = t->p, .end = t->p + t->length };

	return weft__skip_decimal(&l, value) && weft__at_end(&l);
}

static bool guid_of(const struct weft__dump_text *t, uint64_t *value)
{
	struct weft__line l = { .p = t->p, .end = t->p + t->length };

	return weft__skip_0x(&l, value) && weft__at_end(&l);
}

static int bad_field(const struct weft__net_dump *d,
		     const struct weft__dump_row *row, unsigned column,
		     const struct weft__dump_text *t, const char *expected)
{
	struct weft__line l = { .p = t->p, .end = t->p + t->length };
	char excerpt[WEFT__EXCERPT_SIZE];

	return weft__topology_bad(d->t, row->line,
				  "column \"%s\": expected %s, found \"%s\"",
				  column_name[column], expected,
				  weft__excerpt(&l, excerpt));
}

int weft__net_dump_bad_label(const struct weft__net_dump *d,
			     const struct weft__dump_row *row,
			     const char *expected)
{
	return bad_field(d, row, FAR_LABEL, &row->far_label, expected);
}

/* What a row tells of the far end; nothing where the port is not cabled. */
static int parse_far(struct reader *r, struct weft__dump_row *row,
		     const struct weft__dump_text *field)
{
	const struct weft__dump_text *guid = &field[r->at[FAR_GUID]];
	const struct weft__dump_text *lid = &field[r->at[FAR_LID]];

	if (!guid->length || is_text(guid, "N/A"))
		return 0;
	if (!guid_of(guid, &row->far_guid) || !row->far_guid)
		return bad_field(&r->d, row, FAR_GUID, guid,
				 "0x and hexadecimal digits");
	if (!number_of(lid, &row->far_lid))
		return bad_field(&r->d, row, FAR_LID, lid, "a decimal number");
	row->far_label = field[r->at[FAR_LABEL]];
	row->far_port = adapter_port(&row->far_label);
	row->far_name = field[r->at[FAR_NAME]];
	if (row->far_name.length >= 2 && *row->far_name.p == '"') {
		row->far_name.p++;
		row->far_name.length -= 2;
	}
	row->width = weft__width_of(field[r->at[WIDTH]].p,
				    field[r->at[WIDTH]].length);
	row->speed = weft__speed_of_gbps(field[r->at[SPEED]].p,
					 field[r->at[SPEED]].length);
	if (!row->width || !row->speed)
		weft__topology_note(r->d.t, WEFT__ODD_RATE, row->line);
	return 0;
}

static int read_row(struct reader *r, const struct weft__line *l)
{
	struct weft__dump_row row = { .line = (uint32_t)l->number };
	struct weft__dump_text field[FIELDS];
	uint32_t last = r->at[FAR_NAME], port;
	int err;

	if (!r->d.nblocks)
		return weft__topology_bad(r->d.t, l->number,
			"a port without the line of its switch above it");
	if (!last)
		return weft__topology_bad(r->d.t, l->number,
			"a port without the names of the columns above it");
	if (split(l, last, field) <= last)
		return weft__topology_bad(
			r->d.t, l->number,
			"a row of less than %u columns%s",
			last + 1, l->complete ? "" : "; the file was cut here");
	row.label = field[r->at[LABEL]];
	if (!number_of(&field[r->at[PORT]], &port) || !port ||
	    port > WEFT_MAX_PORTS)
		return bad_field(&r->d, &row, PORT, &field[r->at[PORT]],
				 "a port, 1 to 254");
	row.port = (uint8_t)port;
	err = parse_far(r, &row, field);
	if (err)
		return err;
	if (r->d.nrows >= WEFT_ENDPORT ||
	    weft__grow(&r->d.row, &r->rows_room, r->d.nrows + 1ull))
		return weft_no_memory(r->d.t->diag);
	r->d.row[r->d.nrows++] = row;
	return 0;
}

static int read_heading(struct reader *r, struct weft__line *l)
{
	struct weft__dump_block block = { .line = (uint32_t)l->number,
			       .first = r->d.nrows };
	char misread[WEFT__MISREAD_SIZE];

	if (!parse_heading(l, &block))
		return weft__topology_bad(r->d.t, l->number,
			"a switch's line that cannot be read%s",
			weft__misread(l, misread));
	if (r->d.nblocks >= WEFT_ENDPORT ||
	    weft__grow(&r->d.block, &r->blocks_room, r->d.nblocks + 2ull))
		return weft_no_memory(r->d.t->diag);
	r->d.block[r->d.nblocks++] = block;
	return 0;
}

/* "#  : IB# :" */
static bool is_columns(struct weft__line l)
{
	if (!weft__skip_char(&l, '#'))
		return false;
	weft__skip_blanks(&l);
	if (!weft__skip_char(&l, ':'))
		return false;
	weft__skip_blanks(&l);
	return weft__skip_text(&l, "IB#");
}

static int read_line(struct reader *r, struct weft__line *l)
{
	weft__skip_blanks(l);
	if (weft__at_end(l))
		return 0;
	if (is_columns(*l))
		return read_columns(r, l);
	if (*l->p == '#')
		return 0;
	if (*l->p == '"')
		return read_heading(r, l);
	if (weft__find_text(l, " : ") || weft__find_text(l, "::"))
		return read_row(r, l);
	weft__topology_foreign(r->d.t, l);
	return 0;
}

static int read_net_dump(const struct weft__source *source,
			 struct weft__topology *topology)
{
	struct weft__lines lines = weft__lines_begin(source, topology->diag);
	struct reader r = { .d.t = topology };
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err))
		err = read_line(&r, &line);
	if (!err)
		err = weft__net_dump_finish(&r.d);
	free(r.d.row);
	free(r.d.block);
	return err;
}

/* "name", Mellanox, 0x..., LID 12 and the names of the columns. */
static bool recognises(struct weft__line l)
{
	struct weft__dump_block block;

	return is_columns(l) ||
	       (parse_heading(&l, &block) && weft__at_end(&l));
}

const struct weft__format weft__format_net_dump = {
	.row = { "ibdiagnet2.net_dump", WEFT_FILE_TOPOLOGY },
	.recognises = recognises,
	.read_topology = read_net_dump,
	.names = { "*.net_dump" },
	.examples = { "ibdiagnet2.net_dump" },
	.dump = "*.net_dump",
};
