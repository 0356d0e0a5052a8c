// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: Counters as people have them
 *
 * ibqueryerrors names a port and its counters in one line; "ALL" is the sum of
 * a switch's ports:
 *
 *   Errors for 0x10 "sw1"
 *      GUID 0x10 port ALL: [LinkDownedCounter == 48]
 *      GUID 0x10 port 1: [LinkDownedCounter == 8] [PortXmitData == 9 (36B)]
 *
 * perfquery, with and without -x, names the port by its LID; port 255 is the
 * sum:
 *
 *   # Port extended counters: Lid 6 port 1 (CapMask: 0x5300)
 *   PortXmitData:....................7000
 *
 * ibdiagnet2.pm has GUIDs, and counters in hexadecimal digits, some twice with
 * more bits as NAME_extended:
 *
 *   Port=1 Lid=0x0006 GUID=0x00000000000000a1 Device=4123 Port Name=n1/U1/P1
 *   link_down_counter=0x08
 *
 * Lines of any other kind say nothing.
 */
#include "io/counters/reader.h"

#include <weft/fabric.h>

#include <errno.h>
#include <inttypes.h>

#define SUM 255		/* "port" of perfquery that is all of a node */
#define EXTENDED "_extended"

static const char *const pm_names[WEFT_COUNTERS] = {
	[WEFT_SYMBOL_ERRORS] = "symbol_error_counter",
	[WEFT_LINK_RECOVERIES] = "link_error_recovery_counter",
	[WEFT_LINK_DOWNED] = "link_down_counter",
	[WEFT_RCV_ERRORS] = "port_rcv_errors",
	[WEFT_RCV_REMOTE_PHYSICAL_ERRORS] = "port_rcv_remote_physical_errors",
	[WEFT_RCV_SWITCH_RELAY_ERRORS] = "port_rcv_switch_relay_errors",
	[WEFT_XMIT_DISCARDS] = "port_xmit_discard",
	[WEFT_XMIT_CONSTRAINT_ERRORS] = "port_xmit_constraint_errors",
	[WEFT_RCV_CONSTRAINT_ERRORS] = "port_rcv_constraint_errors",
	[WEFT_LOCAL_INTEGRITY_ERRORS] = "local_link_integrity_errors",
	[WEFT_BUFFER_OVERRUNS] = "excessive_buffer_errors",
	[WEFT_VL15_DROPPED] = "vl15_dropped",
	[WEFT_XMIT_WAIT] = "port_xmit_wait",
	[WEFT_XMIT_DATA] = "port_xmit_data",
	[WEFT_RCV_DATA] = "port_rcv_data",
	[WEFT_XMIT_PACKETS] = "port_xmit_pkts",
	[WEFT_RCV_PACKETS] = "port_rcv_pkts",
};

enum defect { UNKNOWN_PORT, DEFECTS };

struct printed {
	const struct weft_fabric *fabric;
	struct weft_counters *out;
	struct weft__notice notice[DEFECTS];
	uint32_t channel;	/* of the port that lines are about, or
				 * WEFT_NONE */
};

/* What a line begins with. */
enum kind { OTHER, IBQUERYERRORS, PERFQUERY, IBDIAGNET };

static enum kind kind_of(struct weft__line *line)
{
	weft__skip_blanks(line);
	if (weft__skip_text(line, "GUID 0x")) {
		line->p -= 2;
		return IBQUERYERRORS;
	}
	if (weft__skip_text(line, "# Port counters: Lid ") ||
	    weft__skip_text(line, "# Port extended counters: Lid "))
		return PERFQUERY;
	return weft__skip_text(line, "Port=") ? IBDIAGNET : OTHER;
}

/* --- ports ---------------------------------------------------------------- */

static uint32_t by_lid(struct printed *p, uint64_t lid, uint64_t port,
		       unsigned long line)
{
	const struct weft_fabric *f = p->fabric;
	uint32_t owner = lid <= f->max_lid ? weft_lid_owner(f, lid) : WEFT_NONE;

	if (port == SUM)
		return WEFT_NONE;
	if (owner == WEFT_NONE)
		weft__notice_add(&p->notice[UNKNOWN_PORT], line,
				 "LID %" PRIu64
				 " is not in the topology: left out", lid);
	else if (!weft_is_switch(owner))
		return f->first_injection + (owner & ~WEFT_ENDPORT);
	else if (port <= f->sw[owner].nports)
		return weft_channel(f, owner, (unsigned)port);
	return WEFT_NONE;
}

/* --- counters ------------------------------------------------------------- */

static void take(struct printed *p, unsigned counter, uint64_t value)
{
	struct weft_port_counters *port;

	if (p->channel == WEFT_NONE || counter == WEFT_COUNTERS)
		return;
	port = &p->out->port[p->channel];
	p->out->nread += !port->readings;
	port->readings = 1;
	port->known |= 1u << counter;
	port->value[counter] = value;
}

/* The counter of that name, of which tools have their own; WEFT_COUNTERS:
 * none. */
static unsigned find_name(const char *(*name_of)(enum weft_counter),
			  const char *name, size_t length)
{
	unsigned c = 0;

	while (c < WEFT_COUNTERS && (strlen(name_of(c)) != length ||
				     memcmp(name_of(c), name, length)))
		c++;
	return c;
}

static const char *pm_name(enum weft_counter counter)
{
	return pm_names[counter];
}

static size_t without_extended(const char *name, size_t length)
{
	size_t n = strlen(EXTENDED);

	return length > n && !memcmp(name + length - n, EXTENDED, n) ?
		       length - n : length;
}

/* "0x10 port 1: [LinkDownedCounter == 8] [PortXmitData == 9 (36B)]" */
static void read_row(struct printed *p, struct weft__line line)
{
	uint64_t guid, port, value;
	const char *open;

	p->channel = WEFT_NONE;
	if (!weft__skip_0x(&line, &guid) || !weft__skip_text(&line, " port ") ||
	    !weft__skip_digits(&line, &port) || !weft__skip_char(&line, ':'))
		return;
	p->channel = weft__counters_port(p->fabric, guid, port,
					 &p->notice[UNKNOWN_PORT], line.number);
	while ((open = weft__find_char(&line, '['))) {
		const char *name = open + 1, *end;

		line.p = name;
		end = weft__find_text(&line, " == ");
		if (!end)
			return;
		line.p = end + strlen(" == ");
		if (weft__skip_digits(&line, &value))
			take(p, find_name(weft_counter_name, name,
					  (size_t)(end - name)), value);
	}
}

/* "PortXmitData:....................7000" */
static void read_dotted(struct printed *p, struct weft__line line)
{
	const char *name = line.p, *colon = weft__find_char(&line, ':');
	uint64_t value;

	if (!colon)
		return;
	line.p = colon + 1;
	while (weft__skip_char(&line, '.'))
		;
	if (weft__skip_uint(&line, UINT64_MAX, &value))
		take(p, find_name(weft_counter_name, name,
				  (size_t)(colon - name)), value);
}

/* "link_down_counter=0x08" */
static void read_assigned(struct printed *p, struct weft__line line)
{
	const char *name = line.p, *sign = weft__find_char(&line, '=');
	uint64_t value;

	if (!sign)
		return;
	line.p = sign + 1;
	if (weft__skip_0x(&line, &value))
		take(p, find_name(pm_name, name,
				  without_extended(name,
						   (size_t)(sign - name))),
		     value);
}

/* "6 port 1 (CapMask: 0x5300)", and "1 Lid=0x0006 GUID=0x00000000000000a1" */
static void read_head(struct printed *p, enum kind kind, struct weft__line line)
{
	uint64_t lid, guid, port;

	p->channel = WEFT_NONE;
	if (kind == PERFQUERY) {
		if (weft__skip_digits(&line, &lid) &&
		    weft__skip_text(&line, " port ") &&
		    weft__skip_digits(&line, &port))
			p->channel = by_lid(p, lid, port, line.number);
	} else if (weft__skip_digits(&line, &port) &&
		   (line.p = weft__find_text(&line, "GUID="))) {
		line.p += strlen("GUID=");
		if (weft__skip_0x(&line, &guid))
			p->channel = weft__counters_port(
				p->fabric, guid, port,
				&p->notice[UNKNOWN_PORT], line.number);
	}
}

int weft__counters_read_printed(const struct weft__source *source,
				const struct weft_fabric *fabric,
				struct weft_counters *out,
				struct weft_diag *diag)
{
	struct printed p = { .fabric = fabric, .out = out,
			     .notice[UNKNOWN_PORT].severity = WEFT_WARNING,
			     .channel = WEFT_NONE };
	struct weft__lines lines = weft__lines_begin(source, diag);
	struct weft__line line;
	enum kind kind = OTHER;
	bool any = false;
	int err = 0;

	while (weft__lines_next(&lines, &line, &err)) {
		enum kind begins = kind_of(&line);

		any |= begins != OTHER && (begins != IBDIAGNET ||
					   weft__find_text(&line, "GUID=0x"));
		if (begins == IBQUERYERRORS)
			read_row(&p, line);
		else if (begins != OTHER)
			read_head(&p, kind = begins, line);
		else if (kind == PERFQUERY)
			read_dotted(&p, line);
		else if (kind == IBDIAGNET)
			read_assigned(&p, line);
	}
	if (!err)
		weft__notices_say(p.notice, DEFECTS, source->name, diag);
	return err || any ? err : -ENOENT;
}
