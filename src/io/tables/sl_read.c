// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reading weft-sl.dump.  The program wrote it itself, so what does not follow
 * its layout is an error; only that fabric and dump differ a little is not.
 * Layout: sl_dump.h, weft-formats(5).
 */
#include "io/formats.h"
#include "io/notice.h"
#include "io/tables/mark.h"
#include "io/tables/sl_dump.h"
#include "io/tables/switch_index.h"
#include "io/tables/tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define UNSET 255	/* an SL that was not given */

enum defect {
	UNKNOWN_SOURCE, OTHER_LID, MISSING_SOURCE, MISSING_LID, DEFECTS
};

struct reader {
	const struct weft_fabric *f;
	const struct weft_lft *lft;
	const struct weft__source *source;
	struct weft_diag *diag;
	struct weft__mark mark;
	struct weft__notice notice[DEFECTS];
	struct weft__switch_index index;
	struct weft_layers layers;	/* under construction */
	size_t columns;			/* of its table */
	bool sources;			/* groups name ports */

	/* the group under way */
	uint32_t *member;	/* [nmembers] source vertices */
	uint32_t nmembers;
	bool open;		/* a "from" was read */
	bool runs;		/* runs were read */
	unsigned long line;	/* of its first "from" */
	uint32_t last_lid;	/* of its runs so far */
	uint8_t *row;		/* [max_lid + 1] */
	uint8_t *to_switch;	/* [nsw], form switch-pair */

	bool *seen;		/* [nsw + nep] source had its group */
	bool ended;
};

static int fail(struct reader *r, unsigned long line, const char *what)
{
	weft_diag_at(r->diag, WEFT_ERROR, r->source->name, line, "%s", what);
	return -EINVAL;
}

/* A line that was read from start to place. */
static int syntax(struct reader *r, const struct weft__line *start,
		  const struct weft__line *place)
{
	return weft__refuse_field(r->source, start, place, "not understood",
				  r->diag);
}

static bool end_of(struct weft__line *line)
{
	weft__skip_blanks(line);
	return weft__at_end(line);
}

static uint8_t *table_row(struct reader *r, size_t row)
{
	return r->layers.table + row * r->columns;
}

/* SLs towards each switch from those towards its LIDs. */
static int per_switch(struct reader *r)
{
	memset(r->to_switch, UNSET, r->f->nsw);
	for (unsigned lid = 1; lid <= r->f->max_lid; lid++) {
		uint32_t owner = r->f->lid_owner[lid], sw;

		if (owner == WEFT_NONE || r->row[lid] == UNSET)
			continue;
		sw = weft_vertex_switch(r->f, owner);
		if (r->to_switch[sw] == UNSET)
			r->to_switch[sw] = r->row[lid];
		else if (r->to_switch[sw] != r->row[lid])
			return fail(r, r->line,
				    "different SLs towards LIDs of one switch, though the form is switch-pair");
	}
	return 0;
}

/* Puts the row of the group where a source's SLs are kept. */
static int store(struct reader *r, uint32_t source)
{
	const uint8_t *from = r->row;
	uint32_t row = source & ~WEFT_ENDPORT;
	uint8_t *to;

	if (r->layers.form == WEFT_SL_SWITCH_PAIR) {
		from = r->to_switch;
		row = weft_vertex_switch(r->f, source);
	} else if (weft_is_switch(source)) {
		for (unsigned lid = 1; lid <= r->f->max_lid; lid++)
			if (from[lid] != UNSET && from[lid] != r->layers.sl)
				return fail(r, r->line,
					    "a switch sends with another SL than the default one");
		return 0;
	}
	to = table_row(r, row);
	for (size_t i = 0; i < r->columns; i++) {
		if (to[i] != UNSET && from[i] != UNSET && to[i] != from[i])
			return fail(r, r->line,
				    "different SLs from sources of one switch, though the form is switch-pair");
		if (from[i] != UNSET)
			to[i] = from[i];
	}
	return 0;
}

static void check_coverage(struct reader *r)
{
	for (unsigned lid = 1; lid <= r->f->max_lid; lid++)
		if (r->f->lid_owner[lid] != WEFT_NONE &&
		    r->row[lid] == UNSET)
			weft__notice_add(&r->notice[MISSING_LID], r->line,
				"no SL towards LID 0x%04x: default assumed",
				lid);
}

/* Ends the group under way. */
static int end_group(struct reader *r)
{
	int err = 0;

	if (!r->open)
		return 0;
	check_coverage(r);
	if (r->layers.form == WEFT_SL_SWITCH_PAIR)
		err = per_switch(r);
	if (!r->sources && r->seen[0])
		err = fail(r, r->line, "a second group from all ports");
	if (!r->sources && !err)
		memcpy(r->layers.table, r->row, r->columns);
	r->seen[0] |= !r->sources;
	for (uint32_t i = 0; i < r->nmembers && !err; i++)
		err = store(r, r->member[i]);
	r->open = r->runs = false;
	r->nmembers = 0;
	r->last_lid = 0;
	memset(r->row, UNSET, (size_t)r->f->max_lid + 1);
	return err;
}

/* Index of a vertex in seen[]. */
static uint32_t source_number(const struct reader *r, uint32_t vertex)
{
	return weft_is_switch(vertex) ? vertex :
		r->f->nsw + (vertex & ~WEFT_ENDPORT);
}

static uint32_t find_source(const struct reader *r, uint64_t guid)
{
	uint32_t sw = weft__switch_by_any_guid(&r->index, guid);
	uint32_t ep = sw == WEFT_NONE ?
		weft_fabric_endport_by_guid(r->f, guid) : WEFT_NONE;

	return ep == WEFT_NONE ? sw : WEFT_ENDPORT | ep;
}

static int add_source(struct reader *r, const struct weft__line *line,
		      uint64_t guid, uint64_t lid)
{
	uint32_t vertex = find_source(r, guid);
	unsigned has;

	if (vertex == WEFT_NONE) {
		weft__notice_add(&r->notice[UNKNOWN_SOURCE], line->number,
			"port 0x%016" PRIx64 " is not in the topology", guid);
		return 0;
	}
	if (r->seen[source_number(r, vertex)])
		return fail(r, line->number, "a second group for this port");
	r->seen[source_number(r, vertex)] = true;
	has = weft_is_switch(vertex) ? r->f->sw[vertex].lid :
		r->f->ep[vertex & ~WEFT_ENDPORT].lid;
	if (has != lid)
		weft__notice_add(&r->notice[OTHER_LID], line->number,
			"port 0x%016" PRIx64
			" had LID %u when the SLs were written, in the topology it has %u: SLs towards it may be those of another port",
			guid, (unsigned)lid,
			has);
	r->member[r->nmembers++] = vertex;
	return 0;
}

/* The sources after "from ": "all" or "0x0002c90300000011 0x0004". */
static int from_line(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	uint64_t guid, lid;
	int err = r->runs ? end_group(r) : 0;

	if (err)
		return err;
	if (!r->layers.table || (r->open && !r->sources))
		return syntax(r, &start, line);
	if (!r->open)
		r->line = line->number;
	r->open = true;
	weft__expect(line, r->sources ? "a port GUID, 0x and hexadecimal digits"
					:
					"all");
	if (!r->sources)
		return weft__skip_text(line, "all") && end_of(line) ?
			       0 :
			       syntax(r, &start, line);
	if (!weft__skip_0x(line, &guid))
		return syntax(r, &start, line);
	weft__skip_blanks(line);
	weft__expect(line, "a LID, 0x0000 to 0xffff, and nothing behind it");
	if (!weft__skip_0x(line, &lid) || lid > UINT16_MAX || !end_of(line))
		return syntax(r, &start, line);
	return add_source(r, line, guid, lid);
}

/* "0x0001-0x0040 3" or "0x0041 2". */
static int run_line(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	uint64_t first, last;
	uint32_t sl;

	weft__expect(line, "a LID, 0x and hexadecimal digits");
	if (!weft__skip_0x(line, &first))
		return syntax(r, &start, line);
	last = first;
	if (weft__skip_char(line, '-') && !weft__skip_0x(line, &last))
		return syntax(r, &start, line);
	weft__skip_blanks(line);
	weft__expect(line, "a service level, 0 to 15, and nothing behind it");
	if (!weft__skip_decimal(line, &sl) || sl >= WEFT_NSL || !end_of(line))
		return syntax(r, &start, line);
	if (!r->open)
		return fail(r, line->number, "a run before any \"from\"");
	if (first <= r->last_lid || last < first || last > WEFT_MAX_LID)
		return fail(r, line->number, "LIDs are out of order");
	r->runs = true;
	r->last_lid = (uint32_t)last;
	for (uint64_t lid = first; lid <= last && lid <= r->f->max_lid; lid++)
		r->row[lid] = (uint8_t)sl;
	return 0;
}

/* "form switch-pair": sizes the table. */
static int form_line(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	struct weft_layers *l = &r->layers;
	size_t lids = (size_t)r->f->max_lid + 1, rows;
	int form = WEFT__SL_FORMS;

	if (!weft__skip_text(line, "form "))
		return syntax(r, &start, line);
	weft__expect(line, "one, destination, switch-pair or endport-lid");
	while (form-- > 0)
		if (weft__skip_text(line, weft__sl_form_name[form]))
			break;
	if (form < 0 || !end_of(line))
		return syntax(r, &start, line);
	l->form = (enum weft_sl_form)form;
	if (form == WEFT_SL_ONE)
		return 0;
	r->sources = form != WEFT_SL_DESTINATION;
	r->columns = form == WEFT_SL_SWITCH_PAIR ? l->nsw : lids;
	rows = form == WEFT_SL_DESTINATION ? 1 :
		form == WEFT_SL_SWITCH_PAIR ? l->nsw : l->nep;
	l->table = malloc(rows * r->columns + 1);
	if (!l->table)
		return -ENOMEM;
	memset(l->table, UNSET, rows * r->columns);
	return 0;
}

/* The value of "default 0" or "lanes 3". */
static int number_line(struct reader *r, struct weft__line *line,
		       const char *key, uint32_t max, uint8_t *value)
{
	struct weft__line start = *line;
	uint32_t number;

	weft__expect(line, key);
	if (!weft__skip_text(line, key) || !weft__skip_decimal(line, &number) ||
	    number > max || !end_of(line))
		return syntax(r, &start, line);
	*value = (uint8_t)number;
	return 0;
}

static int version_line(struct reader *r, struct weft__line *line)
{
	uint32_t version;

	if (!weft__skip_text(line, WEFT__SL_DUMP_MAGIC) ||
	    !weft__skip_decimal(line, &version) || !end_of(line))
		return fail(r, line->number,
			    "not weft-sl.dump: its first line would be \""
			    WEFT__SL_DUMP_MAGIC "1\"");
	if (version != WEFT__SL_DUMP_VERSION)
		return fail(r, line->number,
			    "a later version of weft-sl.dump than this program knows");
	return 0;
}

/* The first four lines. */
static int read_header(struct reader *r, struct weft__lines *lines)
{
	struct weft_layers *l = &r->layers;
	int err = 0;

	for (int i = 0; i < 4 && !err; i++) {
		struct weft__line line;

		if (!weft__lines_next(lines, &line, &err))
			return err ? err : fail(r, lines->number,
				    "cut within its first lines");
		if (i == 0)
			err = version_line(r, &line);
		else if (i == 1)
			err = form_line(r, &line);
		else if (i == 2)
			err = number_line(r, &line, "default ", WEFT_NSL - 1,
					  &l->sl);
		else
			err = number_line(r, &line, "lanes ", WEFT_VL_DROP,
					  &l->nvl);
	}
	return err ? err : l->nvl ? 0 :
		fail(r, lines->number, "there is at least one lane");
}

static int read_line(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;

	if (weft__at_end(line))
		return 0;
	if (*line->p == '#')
		return weft__mark_line(&r->mark, r->source, *line, &r->index,
				       r->f, r->lft, r->diag);
	if (r->ended)
		return fail(r, line->number, "text after the end");
	if (*line->p == '0')
		return run_line(r, line);
	if (weft__skip_text(line, "from "))
		return from_line(r, line);
	if (!r->line && weft__skip_text(line, WEFT__SL_DUMP_ONE_WAY)) {
		r->layers.one_way = true;
		return end_of(line) ? 0 : syntax(r, &start, line);
	}
	if (!weft__skip_text(line, "end") || !end_of(line))
		return syntax(r, &start, line);
	r->ended = true;
	return end_group(r);
}

static int read_lines(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	int err = read_header(r, &lines);

	while (!err && weft__lines_next(&lines, &line, &err))
		err = read_line(r, &line);
	if (!err && !r->ended)
		err = fail(r, lines.number,
			   "the file is cut: its last line would be \"end\"");
	return err;
}

/* Gives all that was not listed the default. */
static void fill_gaps(struct reader *r)
{
	struct weft_layers *l = &r->layers;
	size_t rows = l->form == WEFT_SL_DESTINATION ? 1 :
		l->form == WEFT_SL_SWITCH_PAIR ? l->nsw : l->nep;

	for (size_t i = 0; l->table && i < rows * r->columns; i++)
		if (l->table[i] == UNSET)
			l->table[i] = l->sl;
}

static int finish(struct reader *r)
{
	uint32_t sources = r->sources ? r->f->nsw + r->f->nep : 0;
	struct weft__notice *missing = &r->notice[MISSING_SOURCE];

	for (uint32_t i = 0; i < sources; i++)
		if (!r->seen[i])
			weft__notice_add(missing, 0, "no SLs from port 0x%016" PRIx64 ": default assumed", i < r->f->nsw ?
				r->f->sw[i].port_guid :
				r->f->ep[i - r->f->nsw].guid);
	if (sources && missing->count == sources)
		return fail(r, 0,
			    "none of its ports is in the topology: do the files belong together?");
	fill_gaps(r);
	for (int i = 0; i < DEFECTS; i++)
		r->notice[i].severity = WEFT_WARNING;
	weft__notices_say(r->notice, DEFECTS, r->source->name, r->diag);
	return 0;
}

static int allocate(struct reader *r)
{
	const struct weft_fabric *f = r->f;
	size_t sources = (size_t)f->nsw + f->nep + 1;

	r->layers.nsw = f->nsw;
	r->layers.nep = f->nep;
	r->layers.max_lid = f->max_lid;
	r->member = malloc(sources * sizeof(*r->member));
	r->seen = calloc(sources, sizeof(*r->seen));
	r->row = malloc((size_t)f->max_lid + 1);
	r->to_switch = malloc(f->nsw + 1);
	if (!r->member || !r->seen || !r->row || !r->to_switch)
		return -ENOMEM;
	memset(r->row, UNSET, (size_t)f->max_lid + 1);
	return weft__switch_index_init(&r->index, f);
}

/* Moves what was read to *layers; SL2VL tables there stay. */
static void hand_over(struct reader *r, struct weft_layers *layers)
{
	struct weft_layers *l = &r->layers;

	free(layers->table);
	l->sl2vl = layers->sl2vl;
	l->base = layers->base;
	*layers = *l;
	l->table = NULL;
	weft__count_lanes(layers, r->f);
}

static int read_sl(const struct weft__source *source,
		   const struct weft_fabric *fabric,
		   struct weft_routes *routes, struct weft_diag *diag)
{
	struct reader r = { .f = fabric, .lft = &routes->lft,
			    .source = source, .diag = diag };
	int err = allocate(&r);

	if (!err)
		err = read_lines(&r);
	if (!err)
		err = weft__mark_judge(&r.mark, source->name, diag);
	if (!err)
		err = finish(&r);
	if (!err)
		hand_over(&r, &routes->layers);
	if (err == -ENOMEM)
		weft_diag_at(diag, WEFT_ERROR, source->name, 0,
			     "out of memory");
	weft__mark_free(&r.mark);
	weft__switch_index_free(&r.index);
	free(r.layers.table);
	free(r.member);
	free(r.seen);
	free(r.row);
	free(r.to_switch);
	return err;
}

static bool recognises(struct weft__line l)
{
	return weft__skip_text(&l, "# weft-sl");
}

const struct weft__format weft__format_sl = {
	.row = { "weft-sl.dump", WEFT_FILE_SL },
	.recognises = recognises,
	.read_tables = read_sl,
	.dump = "weft-*.dump",
};
