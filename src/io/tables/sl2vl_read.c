// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reading SL2VL tables, in two layouts; weft-formats(5) has both.
 *
 * opensm-sl2vl.dump: for each port of the subnet a line that names it, then a
 * row for each (input port, output port) of a switch, or a single one for an
 * endport.
 * ibdiagnet's .slvl, as ibdmchk takes it: rows that begin with the GUID of the
 * switch and have two lanes in each byte.
 *
 * Endports have no place in struct weft_layers: a packet's lane on the way into
 * the fabric waits for nothing.
 */
#include "io/formats.h"
#include "io/notice.h"
#include "io/tables/switch_index.h"
#include "io/tables/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define UNSET 255	/* VL of a row that was not read */

enum defect {
	CUT, UNKNOWN_SWITCH, BAD_PORT, AGAIN, MISSING_SWITCH, MISSING_ROW,
	FOREIGN, DEFECTS
};

struct reader {
	const struct weft_fabric *fabric;
	const struct weft__source *source;
	struct weft_diag *diag;
	struct weft__notice notice[DEFECTS];
	struct weft__switch_index index;

	uint64_t *base;		/* as in struct weft_layers */
	uint8_t *vl;		/* its sl2vl */

	enum { NOWHERE, SWITCH, ELSEWHERE } place;
	uint32_t sw;		/* in place SWITCH */
	uint64_t guid;		/* that rows began with last, 0 = none yet */
	bool *seen;		/* [nsw] a table was announced */
	uint32_t matched;
	size_t released;	/* bytes of the mapping given back */
};

/* A line that was read from start to place. */
static int syntax(struct reader *r, const struct weft__line *start,
		  const struct weft__line *place, const char *what)
{
	if (start->complete)
		return weft__refuse_field(r->source, start, place, what,
					  r->diag);
	return 0;	/* read_lines() tells that it is cut */
}

/* Rows are of the switch r->sw from now on. */
static void begin_table(struct reader *r)
{
	r->place = r->sw == WEFT_NONE ? ELSEWHERE : SWITCH;
	if (r->sw == WEFT_NONE)
		return;
	r->matched += !r->seen[r->sw];
	r->seen[r->sw] = true;
}

/* 'Switch 0x0002c90300000001, base LID 5, "name"': from the GUID on. */
static int switch_header(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	uint64_t guid;
	uint32_t lid = 0;

	weft__source_release(r->source, line->p, &r->released);
	weft__expect(line, "the GUID, 0x and hexadecimal digits");
	if (!weft__skip_0x(line, &guid) ||
	    (weft__expect(line, ", base LID and the LID") &&
	     !weft__skip_text(line, ", base LID ")) ||
	    !weft__skip_decimal(line, &lid))
		return syntax(r, &start, line, "no GUID and LID of a switch");
	r->sw = weft__switch_by_any_guid(&r->index, guid);
	if (r->sw == WEFT_NONE)
		r->sw = weft__switch_by_lid(r->fabric, lid);
	r->guid = 0;
	if (r->sw == WEFT_NONE)
		weft__notice_add(&r->notice[UNKNOWN_SWITCH], line->number,
			"switch 0x%016" PRIx64 " (LID %" PRIu32
			") is not in the topology: table left out", guid, lid);
	begin_table(r);
	return 0;
}

/* Sixteen lanes. */
static bool lanes(struct weft__line *line, uint8_t vl[WEFT_NSL])
{
	struct weft__line ahead;
	uint32_t value;

	for (int sl = 0; sl < WEFT_NSL; sl++) {
		weft__skip_blanks(line);
		weft__expect(line, "sixteen lanes, 0 to 15");
		ahead = *line;
		if (!weft__skip_decimal(&ahead, &value) || value > WEFT_VL_DROP)
			return false;
		line->p = ahead.p;
		vl[sl] = (uint8_t)value;
	}
	weft__skip_blanks(line);
	weft__expect(line, "the end of the line after sixteen lanes");
	return weft__at_end(line);
}

static void store(struct reader *r, unsigned long line, uint32_t in,
		  uint32_t out, const uint8_t vl[WEFT_NSL])
{
	unsigned nports = r->fabric->sw[r->sw].nports;
	uint8_t *row;

	if (in > nports || out > nports) {
		weft__notice_add(&r->notice[BAD_PORT], line,
			"row of input port %" PRIu32 ", output port %" PRIu32
			", but switch 0x%016" PRIx64 " has only %u ports", in,
			out, r->fabric->sw[r->sw].guid, nports);
		return;
	}
	row = r->vl + (r->base[r->sw] + in * (nports + 1) + out) * WEFT_NSL;
	if (row[0] == UNSET)
		memcpy(row, vl, WEFT_NSL);
	else if (memcmp(row, vl, WEFT_NSL))
		weft__notice_add(&r->notice[AGAIN], line,
			"another row of input port %" PRIu32 ", output port %" PRIu32 " of switch 0x%016" PRIx64 ": the first is kept",
			in, out, r->fabric->sw[r->sw].guid);
}

static bool parse_ports(struct weft__line *line, uint32_t *in, uint32_t *out)
{
	weft__skip_blanks(line);
	weft__expect(line, "the input port");
	if (!weft__skip_decimal(line, in))
		return false;
	weft__skip_blanks(line);
	weft__expect(line, "the output port");
	return weft__skip_decimal(line, out);
}

/* "1   2   : 0  1  2 ..." */
static bool parse_row(struct weft__line *line, uint32_t *in, uint32_t *out,
		      uint8_t vl[WEFT_NSL])
{
	if (!parse_ports(line, in, out))
		return false;
	weft__skip_blanks(line);
	weft__expect(line, ":");
	return weft__skip_char(line, ':') && lanes(line, vl);
}

/* The ports, and "0x01 0x23 ...", two lanes in each of eight bytes. */
static bool parse_bytes(struct weft__line *line, uint32_t *in, uint32_t *out,
			uint8_t vl[WEFT_NSL])
{
	uint64_t byte;

	if (!parse_ports(line, in, out))
		return false;
	for (int sl = 0; sl < WEFT_NSL; sl += 2) {
		struct weft__line ahead = *line;

		weft__skip_blanks(&ahead);
		line->p = ahead.p;
		weft__expect(line, "eight times 0x and two lanes, 0 to f each");
		if (!weft__skip_0x(&ahead, &byte) || byte > UINT8_MAX)
			return false;
		line->p = ahead.p;
		vl[sl] = (uint8_t)(byte >> 4);
		vl[sl + 1] = byte & 15;
	}
	weft__skip_blanks(line);
	weft__expect(line, "the end of the line after sixteen lanes");
	return weft__at_end(line);
}

/* "0x0002c90000000201 5 1 0x01 0x23 ..." */
static int take_guid_row(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	uint8_t vl[WEFT_NSL];
	uint32_t in, out;
	uint64_t guid;

	weft__expect(line, "the GUID, 0x and hexadecimal digits");
	if (!line->complete || !weft__skip_0x(line, &guid) ||
	    !parse_bytes(line, &in, &out, vl))
		return syntax(r, &start, line, "not a row of an SL2VL table");
	if (guid != r->guid || r->place == NOWHERE) {
		weft__source_release(r->source, line->p, &r->released);
		r->guid = guid;
		r->sw = weft__switch_by_any_guid(&r->index, guid);
		if (r->sw == WEFT_NONE)
			weft__notice_add(&r->notice[UNKNOWN_SWITCH],
				line->number, "switch 0x%016" PRIx64
				" is not in the topology: table left out",
				guid);
		begin_table(r);
	}
	if (r->place == SWITCH)
		store(r, line->number, in, out, vl);
	return 0;
}

static int take_row(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	uint8_t vl[WEFT_NSL];
	uint32_t in, out;

	if (r->place == NOWHERE)
		return syntax(r, &start, &start,
			      "a row before any line that names a port");
	if (!line->complete || !parse_row(line, &in, &out, vl))
		return syntax(r, &start, line, "not a row of an SL2VL table");
	if (r->place == SWITCH)
		store(r, line->number, in, out, vl);
	return 0;
}

static bool begins_guid(struct weft__line l)
{
	return weft__skip_text(&l, "0x");
}

static int read_line(struct reader *r, struct weft__line *line)
{
	char excerpt[WEFT__EXCERPT_SIZE];

	weft__skip_blanks(line);
	if (weft__at_end(line) || *line->p == '#')
		return 0;
	if (begins_guid(*line))
		return take_guid_row(r, line);
	if (weft__is_digit(*line->p))
		return take_row(r, line);
	if (weft__skip_text(line, "Switch "))
		return switch_header(r, line);
	if (weft__find_text(line, ", base LID ")) {
		r->place = ELSEWHERE;
		r->guid = 0;
		return 0;
	}
	weft__notice_add(&r->notice[FOREIGN], line->number,
			 "left out: \"%s\"", weft__excerpt(line, excerpt));
	return 0;
}

static int read_lines(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err))
		err = read_line(r, &line);
	if (lines.number && !line.complete)
		weft__notice_add(&r->notice[CUT], line.number,
				 "the file ends in the middle of a line: cut?");
	return err;
}

/* Whether packets can go from in to out of switch s. */
static bool passes(const struct weft_fabric *f, uint32_t s, unsigned in,
		   unsigned out)
{
	return in != out && f->peer[weft_channel(f, s, out)] != WEFT_NONE &&
	       (!in || f->peer[weft_channel(f, s, in)] != WEFT_NONE);
}

/* Rows that were not given map to lane 0, where all may meet. */
static void fill_gaps(struct reader *r, uint32_t s)
{
	unsigned nports = r->fabric->sw[s].nports;
	uint8_t *at = r->vl + r->base[s] * WEFT_NSL;
	uint64_t guid = r->fabric->sw[s].guid;

	if (!r->seen[s])
		weft__notice_add(&r->notice[MISSING_SWITCH], 0,
				 "no table for switch 0x%016" PRIx64 ": lane 0 is assumed",
				 guid);
	for (unsigned in = 0; in <= nports; in++)
		for (unsigned out = 0; out <= nports; out++, at += WEFT_NSL) {
			if (at[0] != UNSET)
				continue;
			memset(at, 0, WEFT_NSL);
			if (r->seen[s] && passes(r->fabric, s, in, out))
				weft__notice_add(&r->notice[MISSING_ROW], 0,
					"no row of input port %u, output port %u of switch 0x%016" PRIx64 ": lane 0 is assumed",
					in, out, guid);
		}
}

static int allocate(struct reader *r)
{
	const struct weft_fabric *f = r->fabric;
	uint64_t rows = 0;

	r->seen = calloc(f->nsw + 1, sizeof(*r->seen));
	r->base = calloc(f->nsw + 1, sizeof(*r->base));
	if (!r->seen || !r->base)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++) {
		r->base[s] = rows;
		rows += (f->sw[s].nports + 1u) * (f->sw[s].nports + 1u);
	}
	r->vl = malloc(rows * WEFT_NSL + 1);
	if (!r->vl)
		return -ENOMEM;
	memset(r->vl, UNSET, rows * WEFT_NSL);
	return weft__switch_index_init(&r->index, f);
}

static int finish(struct reader *r)
{
	int err = 0;

	for (uint32_t s = 0; s < r->fabric->nsw && r->matched; s++)
		fill_gaps(r, s);
	for (int i = 0; i < DEFECTS; i++)
		r->notice[i].severity = i == FOREIGN ? WEFT_NOTE : WEFT_WARNING;
	weft__notices_say(r->notice, DEFECTS, r->source->name, r->diag);
	if (!r->matched) {
		weft_diag_at(r->diag, WEFT_ERROR, r->source->name, 0,
			     "no SL2VL table of a switch of the topology in it");
		err = -EINVAL;
	}
	return err;
}

static int read_sl2vl(const struct weft__source *source,
		      const struct weft_fabric *fabric,
		      struct weft_routes *routes, struct weft_diag *diag)
{
	struct weft_layers *layers = &routes->layers;
	struct reader r = { .fabric = fabric, .source = source, .diag = diag };
	int err = allocate(&r);

	if (err)
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "out of memory");
	else
		err = read_lines(&r);
	if (!err)
		err = finish(&r);
	if (!err) {
		free(layers->sl2vl);
		free(layers->base);
		layers->sl2vl = r.vl;
		layers->base = r.base;
		r.vl = NULL;
		r.base = NULL;
		weft__count_lanes(layers, fabric);
	}
	weft__switch_index_free(&r.index);
	free(r.seen);
	free(r.base);
	free(r.vl);
	return err;
}

/* Switch 0x..., base LID 5, "...", then #in out : 0  1  2 ..., or rows of
 * GUIDs, ports and bytes. */
static bool recognises(struct weft__line l)
{
	uint8_t vl[WEFT_NSL];
	uint32_t in, out;
	uint64_t guid;

	if (weft__skip_0x(&l, &guid))
		return parse_bytes(&l, &in, &out, vl);
	if (weft__skip_text(&l, "#in out :"))
		return true;
	return (weft__skip_text(&l, "Switch ") ||
		weft__skip_text(&l, "Channel Adapter ") ||
		weft__skip_text(&l, "Router ")) &&
	       weft__skip_guid(&l) && weft__skip_text(&l, ", base LID ");
}

const struct weft__format weft__format_sl2vl = {
	.row = { "opensm-sl2vl.dump", WEFT_FILE_SL2VL },
	.recognises = recognises,
	.read_tables = read_sl2vl,
};
