// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writing opensm-lfts.dump, in the layout that OpenSM writes and that its
 * "file" engine loads.
 *
 * All of a row but the port depends on the LID alone, so the rows of all LIDs
 * are put into words once; a table is then copied from them and its ports are
 * filled in.
 */
#include <weft/io.h>

#include "io/text.h"

#include "core/grow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_SIZE ((size_t)256 << 10)
#define LINE_MAX_BYTES 192	/* a header or a row; see the formats below */
#define PORT_AT 7		/* of a row: after "0x0001 " */

struct writer {
	FILE *out;
	const struct weft_fabric *fabric;
	const struct weft_lft *lft;
	char *rows;		/* the rows of all LIDs, "000" for the port */
	size_t *row_at;		/* [max_lid + 2] where each begins */
	char *buffer;
	size_t used;
	int failed;		/* errno of the stream */
	uint64_t bad_ports;	/* entries left out */
	uint32_t bad_switch;	/* the first of these */
};

static int format_row(const struct weft_fabric *f, unsigned lid, char *out)
{
	uint32_t owner = weft_lid_owner(f, lid);
	char name[WEFT__NAME_SIZE];
	const struct weft_endport *ep;

	if (owner == WEFT_NONE)
		return snprintf(out, LINE_MAX_BYTES,
				"0x%04x 000 # unknown node and type\n", lid);
	if (weft_is_switch(owner))
		return snprintf(out, LINE_MAX_BYTES,
				"0x%04x 000 # Switch portguid 0x%016" PRIx64 ": '%s'\n", lid,
				f->sw[owner].port_guid,
				weft__clean_name(f->sw[owner].name, name));
	ep = &f->ep[owner & ~WEFT_ENDPORT];
	return snprintf(out, LINE_MAX_BYTES, "0x%04x 000 # %s portguid 0x%016" PRIx64 ": '%s'\n", lid, ep->kind == WEFT_ROUTER ?
			"Router" : "Channel Adapter", ep->guid,
			weft__clean_name(f->node[ep->node].name, name));
}

static int format_rows(struct writer *w)
{
	size_t n = (size_t)w->fabric->max_lid + 1, at = 0;

	w->rows = malloc(n * LINE_MAX_BYTES);
	w->row_at = malloc((n + 1) * sizeof(*w->row_at));
	if (!w->rows || !w->row_at)
		return -ENOMEM;
	for (size_t lid = 0; lid < n; lid++) {
		w->row_at[lid] = at;
		at += (size_t)format_row(w->fabric, (unsigned)lid,
					 w->rows + at);
	}
	w->row_at[n] = at;
	weft__resize(&w->rows, at);	/* gives back what was too much */
	return 0;
}

static void flush(struct writer *w)
{
	if (w->used && fwrite(w->buffer, 1, w->used, w->out) != w->used)
		w->failed = errno ? errno : EIO;
	w->used = 0;
}

/* Room for one more line. */
static char *reserve(struct writer *w)
{
	if (BUFFER_SIZE - w->used < LINE_MAX_BYTES)
		flush(w);
	return w->buffer + w->used;
}

static void write_row(struct writer *w, unsigned lid, unsigned port)
{
	size_t length = w->row_at[lid + 1] - w->row_at[lid];
	char *line = reserve(w);

	memcpy(line, w->rows + w->row_at[lid], length);
	line[PORT_AT] = (char)('0' + port / 100);
	line[PORT_AT + 1] = (char)('0' + port / 10 % 10);
	line[PORT_AT + 2] = (char)('0' + port % 10);
	w->used += length;
}

static void write_table(struct writer *w, uint32_t s)
{
	const struct weft_switch *sw = &w->fabric->sw[s];
	unsigned top = w->fabric->max_lid;
	char name[WEFT__NAME_SIZE];

	w->used += (size_t)snprintf(reserve(w), LINE_MAX_BYTES,
		"Unicast lids [0-%u] of switch Lid %u guid 0x%016" PRIx64
		" ('%s'):\n", top, (unsigned)sw->lid, sw->guid,
		weft__clean_name(sw->name, name));
	for (unsigned lid = 0; lid <= top; lid++) {
		unsigned port = weft_lft_get(w->lft, s, lid);

		if (port <= sw->nports) {
			write_row(w, lid, port);
		} else if (port != WEFT_NO_PORT) {
			if (!w->bad_ports++)
				w->bad_switch = s;
		}
	}
	w->used += (size_t)snprintf(reserve(w), LINE_MAX_BYTES,
				    "%u lids dumped\n", top);
}

int weft_io_write_lfts(FILE *out, const struct weft_fabric *fabric,
		       const struct weft_lft *lft, struct weft_diag *diag)
{
	struct writer w = { .out = out, .fabric = fabric, .lft = lft };
	int err = format_rows(&w);

	w.buffer = malloc(BUFFER_SIZE);
	if (err || !w.buffer) {
		err = weft_no_memory(diag);
		goto free_writer;
	}
	for (uint32_t s = 0; s < fabric->nsw && !w.failed; s++)
		write_table(&w, s);
	flush(&w);
	if (!w.failed && fflush(out))
		w.failed = errno;
	if (w.failed)
		err = weft_fail(diag, w.failed,
				"cannot write forwarding tables: %s",
				strerror(w.failed));
	else if (w.bad_ports)
		weft_diag_say(diag, WEFT_WARNING, "%" PRIu64
			      " entries with ports that their switch does not have were left out, the first of switch 0x%016" PRIx64,
			      w.bad_ports, fabric->sw[w.bad_switch].guid);
free_writer:
	free(w.buffer);
	free(w.row_at);
	free(w.rows);
	return err;
}
