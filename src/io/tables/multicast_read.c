// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: multicast tables
 *
 * OpenSM and ibdiagnet2 list the ports of each group on a switch:
 *
 *   Switch 0x0002c90300000010
 *   LID    : Out Port(s)
 *   0xC000 : 0x000  0x001  0x012
 *
 * dump_fts -M, dump_mfts and ibroute -M mark them below their numbers, the last
 * digits of which are in a line of their own; with -n they print 16 ports at a
 * time, the first ones first, port 0 as the lowest bit:
 *
 *   Multicast mlids [0xc000-0xc3ff] of switch Lid 3 guid 0x... (name):
 *        Ports: 0 1 2 3 4 5 6 7 8
 *    MLid
 *   0xc000        x x       x
 *   0xc001      0022
 *
 * And weft-multicast.csv has a row for each: GUID, MLID, ports.
 */
#include <weft/io.h>
#include <weft/multicast.h>

#include "core/grow.h"
#include "io/compressed.h"
#include "io/formats.h"
#include "io/notice.h"
#include "io/tables/switch_index.h"

#include <errno.h>
#include <inttypes.h>

#define CSV_HEADER "guid,mlid,ports"

enum defect { UNKNOWN_SWITCH, BAD_PORT, BAD_MLID, DEFECTS };

struct reader {
	const struct weft_fabric *f;
	const struct weft__source *source;
	struct weft_diag *diag;
	struct weft__switch_index index;
	struct weft__notice notice[DEFECTS];
	struct weft_multicast m;
	size_t capacity;
	bool open;		/* a switch was named */
	uint32_t sw;		/* or WEFT_NONE: not in the topology */
	size_t column;		/* of port 0 in a line of marks */
	uint32_t tables, matched;
};

static int misread(struct reader *r, const struct weft__line *start,
		   const struct weft__line *place, const char *what)
{
	return weft__refuse_field(r->source, start, place, what, r->diag);
}

static void begin_switch(struct reader *r, unsigned long line, uint64_t guid)
{
	r->open = true;
	r->tables++;
	r->sw = weft__switch_by_any_guid(&r->index, guid);
	r->matched += r->sw != WEFT_NONE;
	if (r->sw == WEFT_NONE)
		weft__notice_add(&r->notice[UNKNOWN_SWITCH], line,
			"switch 0x%016" PRIx64
			" is not in the topology: its multicast table is left out",
			guid);
}

/* An entry for the ports of a row; NULL where it is nobody's, or (*err) without
 * memory. */
static struct weft_multicast_entry *
add_row(struct reader *r, unsigned long line, uint64_t mlid, int *err)
{
	struct weft_multicast_entry *e;

	*err = 0;
	if (mlid < WEFT_FIRST_MLID || mlid > WEFT_LAST_MLID) {
		weft__notice_add(&r->notice[BAD_MLID], line, "0x%" PRIx64
			" is no multicast LID: left out", mlid);
		return NULL;
	}
	if (r->sw == WEFT_NONE)
		return NULL;
	if (weft__grow(&r->m.entry, &r->capacity, r->m.n + 1ull)) {
		*err = weft_no_memory(r->diag);
		return NULL;
	}
	e = &r->m.entry[r->m.n++];
	*e = (struct weft_multicast_entry){ .sw = r->sw,
					    .mlid = (uint16_t)mlid };
	return e;
}

static void add_port(struct reader *r, unsigned long line,
		     struct weft_multicast_entry *e, uint64_t port)
{
	if (!e)
		return;
	if (port <= r->f->sw[r->sw].nports)
		e->ports[port / 64] |= (uint64_t)1 << port % 64;
	else
		weft__notice_add(&r->notice[BAD_PORT], line,
			"port %" PRIu64 " of group 0x%x: switch 0x%016" PRIx64
			" has only %u ports", port, e->mlid,
			r->f->sw[r->sw].guid, r->f->sw[r->sw].nports);
}

/* --- rows ------------------------------------------------------------- */

/* "0x000  0x001", to the end of the line. */
static int listed_ports(struct reader *r, const struct weft__line *start,
			struct weft__line *l, struct weft_multicast_entry *e)
{
	uint64_t port;

	for (weft__skip_blanks(l); !weft__at_end(l); weft__skip_blanks(l)) {
		weft__expect(l, "a port, 0x and hexadecimal digits");
		if (!weft__skip_0x(l, &port))
			return misread(r, start, l, "ports that cannot be read");
		add_port(r, l->number, e, port);
	}
	return 0;
}

/* Marks below the numbers of ports. */
static int marked_ports(struct reader *r, const struct weft__line *start,
			struct weft__line *l, struct weft_multicast_entry *e)
{
	for (; !weft__at_end(l); l->p++) {
		size_t at = (size_t)(l->p - start->p);

		if (weft__is_blank(*l->p))
			continue;
		weft__expect(l, "an x below the number of a port");
		if (*l->p != 'x' || at < r->column || (at - r->column) % 2)
			return misread(r, start, l, "ports that cannot be read");
		add_port(r, l->number, e, (at - r->column) / 2);
	}
	return 0;
}

/* 16 ports for every four digits. */
static int masked_ports(struct reader *r, const struct weft__line *start,
			struct weft__line *l, struct weft_multicast_entry *e)
{
	weft__skip_blanks(l);
	for (unsigned first = 0; !weft__at_end(l); first += 16) {
		unsigned mask = 0;

		weft__expect(l, "four hexadecimal digits for 16 ports each");
		for (int i = 0; i < 4; i++, l->p++) {
			int digit = weft__at_end(l) ? -1 :
						      weft__hex_digit(*l->p);

			if (digit < 0)
				return misread(r, start, l,
					       "ports that cannot be read");
			mask = mask << 4 | (unsigned)digit;
		}
		for (unsigned p = 0; p < 16; p++)
			if (mask >> p & 1)
				add_port(r, l->number, e, first + p);
		weft__skip_blanks(l);
	}
	return 0;
}

/* "0xC000 : 0x000 0x001", "0xc000      x x" or "0xc000   0022". */
static int read_row(struct reader *r, struct weft__line *l)
{
	const struct weft__line start = *l;
	struct weft_multicast_entry *e;
	struct weft__line ahead;
	uint64_t mlid;
	int err;

	weft__expect(l, "a multicast LID, 0xc000 to 0xfffe");
	if (!weft__skip_0x(l, &mlid))
		return misread(r, &start, l, "a row that cannot be read");
	if (!r->open)
		return misread(r, &start, &start,
			       "a row before any line that names a switch");
	e = add_row(r, l->number, mlid, &err);
	if (err)
		return err;
	ahead = *l;
	weft__skip_blanks(&ahead);
	if (weft__skip_char(&ahead, ':'))
		return listed_ports(r, &start, &ahead, e);
	return r->column ? marked_ports(r, &start, l, e) :
			   masked_ports(r, &start, l, e);
}

/* 0x0002c90300000010,0xc000,0 1 18 */
static int read_csv_row(struct reader *r, struct weft__line *l)
{
	const struct weft__line start = *l;
	struct weft_multicast_entry *e;
	uint64_t guid, mlid;
	uint32_t port;
	int err;

	weft__expect(l, "GUID, MLID and ports, 0x...,0xc000,0 1 18");
	if (!weft__skip_0x(l, &guid) || !weft__skip_char(l, ',') ||
	    !weft__skip_0x(l, &mlid) || !weft__skip_char(l, ','))
		return misread(r, &start, l, "a row that cannot be read");
	begin_switch(r, l->number, guid);
	e = add_row(r, l->number, mlid, &err);
	if (err)
		return err;
	for (weft__skip_blanks(l); !weft__at_end(l); weft__skip_blanks(l)) {
		weft__expect(l, "a port, a decimal number");
		if (!weft__skip_decimal(l, &port))
			return misread(r, &start, l, "ports that cannot be read");
		add_port(r, l->number, e, port);
	}
	return 0;
}

/* --- the file --------------------------------------------------------- */

static bool names_switch(const struct weft__line *line, uint64_t *guid)
{
	struct weft__line l = *line;

	l.p = weft__find_text(line, "Multicast mlids");
	if (l.p) {
		l.p = weft__find_text(&l, "guid 0x");
		return l.p && weft__skip_text(&l, "guid ") &&
		       weft__skip_0x(&l, guid);
	}
	l.p = weft__find_text(line, "Switch 0x");
	return l.p && weft__skip_text(&l, "Switch ") && weft__skip_0x(&l, guid);
}

static int read_line(struct reader *r, struct weft__line *l, bool *csv)
{
	struct weft__line ahead = *l;
	uint64_t guid;

	if (names_switch(l, &guid)) {
		r->column = 0;
		begin_switch(r, l->number, guid);
		return 0;
	}
	if (weft__skip_text(&ahead, CSV_HEADER)) {
		*csv = true;
		return 0;
	}
	weft__skip_blanks(&ahead);
	if (weft__skip_text(&ahead, "Ports: ")) {
		r->column = (size_t)(ahead.p - l->p);
		return 0;
	}
	ahead = *l;
	if (!weft__skip_text(&ahead, "0x"))
		return 0;
	return *csv ? read_csv_row(r, l) : read_row(r, l);
}

/* Says what was found, and that nothing was. */
static int finish(struct reader *r)
{
	weft__notices_say(r->notice, DEFECTS, r->source->name, r->diag);
	if (r->matched || !r->tables)
		return 0;
	weft_diag_at(r->diag, WEFT_ERROR, r->source->name, 0,
		     "multicast tables of another fabric: none of its switches is in the topology");
	return -EINVAL;
}

static int read_text(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	bool csv = false;
	int err = 0;

	r->open = false;
	r->column = 0;
	r->tables = r->matched = 0;
	for (int i = 0; i < DEFECTS; i++)
		r->notice[i] = (struct weft__notice){
			.severity = WEFT_WARNING };
	while (!err && weft__lines_next(&lines, &line, &err))
		err = read_line(r, &line, &csv);
	return err ? err : finish(r);
}

int weft_io_read_multicast(char *const *path, uint32_t n,
			   const struct weft_fabric *fabric,
			   struct weft_multicast *out, struct weft_diag *diag)
{
	struct reader r = { .f = fabric, .diag = diag };
	int err = weft__switch_index_init(&r.index, fabric);

	if (err)
		return weft_no_memory(diag);
	for (uint32_t i = 0; i < n && !err; i++) {
		struct weft__source source;

		err = weft__dump_open(path[i], 0, &source, diag);
		if (err)
			break;
		r.source = &source;
		err = read_text(&r);
		weft__source_close(&source);
	}
	weft__switch_index_free(&r.index);
	weft_multicast_sort(&r.m);
	if (err)
		weft_multicast_free(&r.m);
	else
		*out = r.m;
	return err;
}

/* --- formats ---------------------------------------------------------- */

/* Multicast tables are no routes, and nothing to add to these. */
static int refuse(const struct weft__source *source,
		  const struct weft_fabric *fabric, struct weft_routes *routes,
		  struct weft_diag *diag)
{
	(void)fabric;
	(void)routes;
	return weft_fail_at(diag, EINVAL, source->name, 0,
		"multicast tables: weft check judges them where they lie beside forwarding tables");
}

/* LID    : Out Port(s), or 0xC000 : 0x000  0x001 */
static bool is_list(struct weft__line l)
{
	uint64_t mlid, port;

	if (weft__skip_text(&l, "LID    : Out Port"))
		return true;
	if (!weft__skip_0x(&l, &mlid) || !weft__skip_text(&l, " : "))
		return false;
	return mlid >= WEFT_FIRST_MLID && weft__skip_0x(&l, &port);
}

const struct weft__format weft__format_mcfdbs = {
	.row = { "opensm.mcfdbs", WEFT_FILE_MULTICAST },
	.recognises = is_list,
	.read_tables = refuse,
};

static bool is_marks(struct weft__line l)
{
	return weft__skip_text(&l, "Multicast mlids [");
}

const struct weft__format weft__format_mfts = {
	.row = { "dump_fts -M", WEFT_FILE_MULTICAST },
	.recognises = is_marks,
	.read_tables = refuse,
	.whole = "*mft*",
};

static bool is_csv(struct weft__line l)
{
	return weft__skip_text(&l, CSV_HEADER) && weft__at_end(&l);
}

const struct weft__format weft__format_multicast_csv = {
	.row = { "weft-multicast.csv", WEFT_FILE_MULTICAST },
	.recognises = is_csv,
	.read_tables = refuse,
};
