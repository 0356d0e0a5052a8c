// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reading what ports say of themselves: weft-ports.csv and weft-counters.csv.
 *
 * Both begin with a line that names the columns, which may be in any order and
 * more than are known here; a row is about a port of the node with that GUID.
 * weft-counters.csv has a row for each reading of a port, the first before the
 * second.  An empty field says nothing.
 */
#include <weft/counters.h>

#include "io/compressed.h"
#include "io/counters/reader.h"
#include "io/port_names.h"
#include "io/source.h"

#include <weft/fabric.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *const counter_names[WEFT_COUNTERS] = {
	[WEFT_SYMBOL_ERRORS] = "SymbolErrorCounter",
	[WEFT_LINK_RECOVERIES] = "LinkErrorRecoveryCounter",
	[WEFT_LINK_DOWNED] = "LinkDownedCounter",
	[WEFT_RCV_ERRORS] = "PortRcvErrors",
	[WEFT_RCV_REMOTE_PHYSICAL_ERRORS] = "PortRcvRemotePhysicalErrors",
	[WEFT_RCV_SWITCH_RELAY_ERRORS] = "PortRcvSwitchRelayErrors",
	[WEFT_XMIT_DISCARDS] = "PortXmitDiscards",
	[WEFT_XMIT_CONSTRAINT_ERRORS] = "PortXmitConstraintErrors",
	[WEFT_RCV_CONSTRAINT_ERRORS] = "PortRcvConstraintErrors",
	[WEFT_LOCAL_INTEGRITY_ERRORS] = "LocalLinkIntegrityErrors",
	[WEFT_BUFFER_OVERRUNS] = "ExcessiveBufferOverrunErrors",
	[WEFT_VL15_DROPPED] = "VL15Dropped",
	[WEFT_XMIT_WAIT] = "PortXmitWait",
	[WEFT_XMIT_DATA] = "PortXmitData",
	[WEFT_RCV_DATA] = "PortRcvData",
	[WEFT_XMIT_PACKETS] = "PortXmitPkts",
	[WEFT_RCV_PACKETS] = "PortRcvPkts",
};

const char *weft_counter_name(enum weft_counter counter)
{
	return counter_names[counter];
}

bool weft_counter_is_error(enum weft_counter counter)
{
	return counter < WEFT_XMIT_WAIT;
}

double weft_counter_rate(const struct weft_port_counters *port,
			 enum weft_counter counter)
{
	if (!(port->grew >> counter & 1) || port->seconds <= 0)
		return NAN;
	return port->growth[counter] / port->seconds;
}

void weft_counters_free(struct weft_counters *counters)
{
	free(counters->port);
	*counters = (struct weft_counters){ 0 };
}

/* Columns that have a meaning here; those of counters come behind. */
enum column {
	GUID,
	PORT,
	STATE,
	PHYSICAL,
	VLS,
	READING,
	SECONDS,
	FIRST_COUNTER,
	COLUMNS = FIRST_COUNTER + WEFT_COUNTERS,
	IGNORED = COLUMNS
};

static const char *const column_names[FIRST_COUNTER] = {
	[GUID] = "guid",	 [PORT] = "port", [STATE] = "state",
	[PHYSICAL] = "physical", [VLS] = "vls",	  [READING] = "reading",
	[SECONDS] = "seconds",
};

static const char *column_name(unsigned column)
{
	return column < FIRST_COUNTER ? column_names[column] :
					counter_names[column - FIRST_COUNTER];
}

#define MAX_COLUMNS 64

enum defect { UNKNOWN_PORT, CUT, DEFECTS };

struct reader {
	const struct weft_fabric *fabric;
	const struct weft__source *source;
	struct weft_diag *diag;
	struct weft__notice notice[DEFECTS];
	struct weft_counters *out;
	double *first; /* [nch] seconds of a first reading */
	unsigned column[MAX_COLUMNS], ncolumns;
};

struct row {
	uint32_t told; /* bit i: column i */
	uint64_t number[COLUMNS];
	double seconds;
};

static bool tells(const struct row *row, unsigned column)
{
	return row->told >> column & 1;
}

static int read_header(struct reader *r, struct weft__line line)
{
	bool seen[COLUMNS] = { false };
	const char *begin, *comma;

	for (;;) {
		unsigned c = 0;
		size_t length;

		begin = line.p;
		comma = weft__find_char(&line, ',');
		length = (size_t)((comma ? comma : line.end) - begin);
		while (c < COLUMNS && (strlen(column_name(c)) != length ||
				       memcmp(column_name(c), begin, length)))
			c++;
		if (r->ncolumns == MAX_COLUMNS || (c < COLUMNS && seen[c]))
			return weft__refuse_line(r->source, &line,
						 "a column that is there twice, or too many",
						 r->diag);
		r->column[r->ncolumns++] = c;
		if (c < COLUMNS)
			seen[c] = true;
		if (!comma)
			break;
		line.p = comma + 1;
	}
	if (seen[GUID] && seen[PORT])
		return 0;
	weft_diag_at(r->diag, WEFT_ERROR, r->source->name, line.number,
		     "no columns 'guid' and 'port': the first line should name the columns, as %s has them",
		     WEFT__PORTS_FILE);
	return -EINVAL;
}

/* The field of that column, which is not empty. */
static bool read_field(struct weft__line *line, unsigned column,
		       struct row *row)
{
	const char *comma = weft__find_char(line, ',');

	if (column == IGNORED) {
		line->p = comma ? comma : line->end;
		return true;
	}
	row->told |= 1u << column;
	if (column == GUID) {
		weft__expect(line, "a GUID, 0x and hexadecimal digits");
		return weft__skip_0x(line, &row->number[column]);
	}
	if (column == SECONDS) {
		weft__expect(line, "seconds, a decimal number");
		return weft__skip_real(line, &row->seconds) &&
		       row->seconds >= 0;
	}
	weft__expect(line, "a decimal number");
	return weft__skip_uint(line, UINT64_MAX, &row->number[column]);
}

static bool read_fields(struct reader *r, struct weft__line *line,
			struct row *row)
{
	for (unsigned i = 0; i < r->ncolumns; i++) {
		if (i) {
			weft__expect(line, ",");
			if (!weft__skip_char(line, ','))
				return false;
		}
		if (weft__at_end(line) || *line->p == ',')
			continue;
		if (!read_field(line, r->column[i], row))
			return false;
	}
	weft__expect(line, "the end of the line");
	return weft__at_end(line) && tells(row, GUID) && tells(row, PORT);
}

uint32_t weft__counters_port(const struct weft_fabric *f, uint64_t guid,
			     uint64_t port, struct weft__notice *notice,
			     unsigned long line)
{
	uint32_t s = weft_fabric_switch_by_guid(f, guid), e;
	const struct weft_node *node;

	if (s != WEFT_NONE && port <= f->sw[s].nports)
		return weft_channel(f, s, (unsigned)port);
	e = s == WEFT_NONE ? weft_fabric_endport_by_guid(f, guid) : WEFT_NONE;
	if (e == WEFT_NONE) {
		weft__notice_add(notice, line,
				 "node 0x%016" PRIx64 ", port %" PRIu64
				 ", is not in the topology: left out",
				 guid, port);
		return WEFT_NONE;
	}
	node = &f->node[f->ep[e].node];
	for (uint32_t i = 0; i < node->nendports; i++) {
		e = f->node_endport[node->first_endport + i];
		if (f->ep[e].port == port)
			return f->first_injection + e;
	}
	return WEFT_NONE; /* a port without a cable */
}

static void take_state(struct weft_counters *out,
		       struct weft_port_counters *port, const struct row *row)
{
	if (tells(row, STATE)) {
		out->nstates += !port->state;
		port->state = (uint8_t)row->number[STATE];
	}
	if (tells(row, PHYSICAL))
		port->physical = (uint8_t)row->number[PHYSICAL];
	if (tells(row, VLS))
		port->vls = (uint8_t)row->number[VLS];
}

static void take_reading(struct reader *r, uint32_t ch, const struct row *row)
{
	struct weft_port_counters *port = &r->out->port[ch];
	uint32_t had = port->known;

	if (!(row->told >> FIRST_COUNTER))
		return;
	r->out->nread += !port->readings;
	port->readings += port->readings < 2;
	if (port->readings == 2)
		port->seconds = row->seconds - r->first[ch];
	else
		r->first[ch] = row->seconds;
	for (unsigned c = 0; c < WEFT_COUNTERS; c++) {
		uint64_t value = row->number[FIRST_COUNTER + c];

		if (!tells(row, FIRST_COUNTER + c))
			continue;
		if (had >> c & 1) {
			port->grew |= 1u << c;
			port->growth[c] = value < port->value[c] ?
						  value :
						  value - port->value[c];
		}
		port->known |= 1u << c;
		port->value[c] = value;
	}
}

/* Whether the numbers of a row are some that a port can have. */
static bool is_possible(const struct row *row)
{
	return row->number[PORT] <= WEFT_MAX_PORTS &&
	       row->number[STATE] <= WEFT_PORT_ACTIVE &&
	       row->number[PHYSICAL] <= 15 && row->number[VLS] <= 15 &&
	       row->number[READING] <= 2;
}

static int read_row(struct reader *r, struct weft__line *line)
{
	struct weft__line start = *line;
	struct row row = { 0 };
	uint32_t ch;

	if (!line->complete) {
		weft__notice_add(&r->notice[CUT], line->number,
				 "the file ends in the middle of a line: cut?");
		return 0;
	}
	if (!read_fields(r, line, &row))
		return weft__refuse_field(r->source, &start, line,
					  "a row that cannot be read", r->diag);
	if (!is_possible(&row))
		return weft__refuse_line(r->source, &start,
					 "a port, a state or a reading that cannot be",
					 r->diag);
	ch = weft__counters_port(r->fabric, row.number[GUID], row.number[PORT],
				 &r->notice[UNKNOWN_PORT], line->number);
	if (ch == WEFT_NONE)
		return 0;
	take_state(r->out, &r->out->port[ch], &row);
	take_reading(r, ch, &row);
	return 0;
}

static int read_text(struct reader *r)
{
	struct weft__lines lines = weft__lines_begin(r->source, r->diag);
	struct weft__line line;
	int err = 0;

	r->ncolumns = 0;
	memset(r->notice, 0, sizeof(r->notice));
	while (!err && weft__lines_next(&lines, &line, &err)) {
		if (weft__at_end(&line) || *line.p == '#')
			continue;
		err = r->ncolumns ? read_row(r, &line) : read_header(r, line);
	}
	if (!err && !r->ncolumns)
		err = weft_fail_at(r->diag, EINVAL, r->source->name, 0,
				   "empty: capture again");
	for (int i = 0; i < DEFECTS; i++)
		r->notice[i].severity = WEFT_WARNING;
	if (!err)
		weft__notices_say(r->notice, DEFECTS, r->source->name, r->diag);
	return err;
}

/* what: weft capture's, or what other tools print; -ENOENT without a message
 * where a file is not of the latter. */
enum what { OURS, PRINTED };

static int read_file(struct reader *r, const char *path, enum what what)
{
	struct weft__source source;
	int err = weft__dump_open(path, 0, &source, r->diag);

	if (err)
		return err;
	r->source = &source;
	if (what == OURS)
		err = read_text(r);
	else
		err = weft__counters_read_printed(&source, r->fabric, r->out,
						  r->diag);
	weft__source_close(&source);
	return err;
}

/* A file of a directory; -ENOENT where there is none of that name. */
static int read_in(struct reader *r, const char *directory, const char *name,
		   enum what what)
{
	struct stat st;
	char *path;
	int err;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return weft_no_memory(r->diag);
	err = stat(path, &st) || !S_ISREG(st.st_mode) ?
		-ENOENT : read_file(r, path, what);
	free(path);
	return err;
}

/* Names under which people keep what these tools print. */
static int is_printed(const struct dirent *entry)
{
	static const char *const names[] = { "ibqueryerrors*", "perfquery*",
					     "*.pm" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (weft__dump_named(names[i], entry->d_name))
			return 1;
	return 0;
}

/* All of them, in the order of their names. */
static int read_printed(struct reader *r, const char *directory)
{
	struct dirent **entry;
	int n = scandir(directory, &entry, is_printed, alphasort);
	int err = -ENOENT;

	for (int i = 0; i < n; i++) {
		int one = err && err != -ENOENT ? err :
			read_in(r, directory, entry[i]->d_name, PRINTED);

		err = one == -ENOENT ? err : one;
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return err;
}

static int read_directory(struct reader *r, const char *path)
{
	int ports = read_in(r, path, WEFT__PORTS_FILE, OURS), counters;

	if (ports && ports != -ENOENT)
		return ports;
	counters = read_in(r, path, WEFT__COUNTERS_FILE, OURS);
	if (counters == -ENOENT)
		counters = read_printed(r, path);
	return counters == -ENOENT ? ports : counters;
}

static int read_path(struct reader *r, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -ENOENT;
	if (S_ISDIR(st.st_mode))
		return read_directory(r, path);
	if (weft__dump_named("*.csv", path))
		return read_file(r, path, OURS);
	return S_ISREG(st.st_mode) ? read_file(r, path, PRINTED) : -ENOENT;
}

int weft_io_read_counters(const char *path, const struct weft_fabric *fabric,
			  struct weft_counters *out, struct weft_diag *diag)
{
	struct weft_counters counters = {
		.nch = fabric->nch,
		.port = calloc(fabric->nch + 1ull, sizeof(*counters.port)),
	};
	struct reader r = {
		.fabric = fabric,
		.diag = diag,
		.out = &counters,
		.first = calloc(fabric->nch + 1ull, sizeof(*r.first)),
	};
	int err;

	if (!counters.port || !r.first)
		err = weft_no_memory(diag);
	else
		err = read_path(&r, path);
	free(r.first);
	if (err)
		weft_counters_free(&counters);
	else
		*out = counters;
	return err;
}
