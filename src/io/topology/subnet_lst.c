// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: opensm-subnet.lst and ibdiagnet2.lst
 *
 * A line for each cabled port, with both of its ends:
 *
 *   { SW Ports:24 SystemGUID:... NodeGUID:... PortGUID:... VenID:... DevID:...
 *     Rev:... {name} LID:000D PN:03 } { CA ... } PHY=4x LOG=ACT SPD=10
 *
 * Numbers are hexadecimal.  A switch's LID is that of its port 0.  "-SM" after
 * the type marks the master's port.  OpenSM writes the device of the second end
 * in the wrong byte order; it is taken from the first end only.  Some programs
 * write it with four zeros behind it.  LMCs are told by newer ibdiagnets only,
 * as LMC:0 between LID and PN.
 *
 * ibutils' topo2subnet calls switches CA.  The device of those, or more ports
 * than any adapter has, tell what they are.
 */
#include "io/formats.h"
#include "io/topology/topology.h"

#include <errno.h>

#define ADAPTER_PORTS 8 /* more than these has no adapter */
#define MELLANOX 0x2c9
#define INFINISCALE3 0xb924 /* of all switches of topo2subnet */

struct end {
	uint8_t type;
	uint32_t ports, lid, lmc, port;
	uint64_t system_guid, node_guid, port_guid;
	uint32_t vendor, device;
	bool called_ca; /* but is a switch */
	const char *name;
	size_t name_length;
};

/* The number behind a key; the place stays before the key if there is none. */
static bool field_of(struct weft__line *l, const char *key,
		     const char *expected, uint64_t *value)
{
	struct weft__line ahead = *l;

	weft__expect(l, expected);
	weft__skip_blanks(&ahead);
	if (!weft__skip_text(&ahead, key) || !weft__skip_hex(&ahead, value))
		return false;
	l->p = ahead.p;
	return true;
}

static bool field_u32_of(struct weft__line *l, const char *key,
			 const char *expected, uint32_t *value)
{
	const char *start = l->p;
	uint64_t v;

	if (!field_of(l, key, expected, &v))
		return false;
	if (v > UINT32_MAX)
		l->p = start;
	*value = (uint32_t)v;
	return v <= UINT32_MAX;
}

#define field(l, key, value)                                                   \
	field_of(l, key, key " and a hexadecimal number", value)
#define field_u32(l, key, value)                                               \
	field_u32_of(l, key, key " and a hexadecimal number", value)

static bool node_type(struct weft__line *l, uint8_t *type)
{
	weft__skip_blanks(l);
	weft__expect(l, "the type of the node, SW, CA or Rt");
	if (weft__skip_text(l, "SW"))
		*type = WEFT_NODE_SWITCH;
	else if (weft__skip_text(l, "CA"))
		*type = WEFT_NODE_CA;
	else if (weft__skip_text(l, "Rt") || weft__skip_text(l, "RT"))
		*type = WEFT_NODE_ROUTER;
	else
		return false;
	weft__skip_text(l, "-SM");
	return true;
}

/* " LID:000D PN:", which ends a name that may hold braces, or with " LMC:0". */
static bool ends_name(struct weft__line l)
{
	uint32_t lid, lmc;

	if (!field_u32(&l, "LID:", &lid))
		return false;
	field_u32(&l, "LMC:", &lmc);
	return weft__skip_text(&l, " PN:");
}

static bool node_name(struct weft__line *l, const char **name, size_t *length)
{
	struct weft__line at = *l;
	const char *close;

	weft__skip_blanks(l);
	weft__expect(l, "the name in braces, then LID: and PN:");
	at.p = l->p;
	if (!weft__skip_char(&at, '{'))
		return false;
	*name = at.p;
	do {
		close = weft__find_text(&at, "} LID:");
		if (!close)
			return false;
		at.p = close + 1;
	} while (!ends_name(at));
	l->p = at.p;
	*length = (size_t)(close - *name);
	return true;
}

/* What topo2subnet calls CA, though it is a switch. */
static bool is_switch(const struct end *e)
{
	return e->type == WEFT_NODE_CA &&
	       (e->ports > ADAPTER_PORTS ||
		(e->vendor == MELLANOX && e->device == INFINISCALE3));
}

static bool parse_end(struct weft__line *l, struct end *e)
{
	uint32_t revision;

	weft__skip_blanks(l);
	weft__expect(l, "{ and an end of the cable");
	if (!weft__skip_char(l, '{') || !node_type(l, &e->type) ||
	    !field_u32(l, "Ports:", &e->ports) ||
	    !field(l, "SystemGUID:", &e->system_guid) ||
	    !field(l, "NodeGUID:", &e->node_guid) ||
	    !field(l, "PortGUID:", &e->port_guid) ||
	    !field_u32(l, "VenID:", &e->vendor) ||
	    !field_u32(l, "DevID:", &e->device) ||
	    !field_u32(l, "Rev:", &revision) ||
	    !node_name(l, &e->name, &e->name_length) ||
	    !field_u32(l, "LID:", &e->lid))
		return false;
	if (!field_u32(l, "LMC:", &e->lmc))
		e->lmc = 0;
	if (!field_u32(l, "PN:", &e->port))
		return false;
	if (!(e->device & 0xffff))
		e->device >>= 16;
	e->called_ca = is_switch(e);
	if (e->called_ca)
		e->type = WEFT_NODE_SWITCH;
	weft__skip_blanks(l);
	weft__expect(l, "}");
	return weft__skip_char(l, '}');
}

/* The word after key, NULL when it is missing. */
static const char *word(struct weft__line *l, const char *key, size_t *length)
{
	const char *begin, *start;

	weft__skip_blanks(l);
	start = l->p;
	if (!weft__skip_text(l, key))
		return NULL;
	for (begin = l->p; l->p < l->end && *l->p != ' ' && *l->p != '\t';)
		l->p++;
	*length = (size_t)(l->p - begin);
	if (!*length)
		l->p = start;
	return *length ? begin : NULL;
}

struct rate {
	uint8_t width, speed;
	bool down, odd;
};

/* PHY=4x LOG=ACT SPD=10, the last of which old programs do not write. */
static bool parse_rate(struct weft__line *l, struct rate *rate)
{
	size_t nwidth, nstate, nspeed;
	const char *width, *state, *speed = "?";

	weft__expect(l, "the width, as PHY=4x");
	width = word(l, "PHY=", &nwidth);
	if (!width)
		return false;
	weft__expect(l, "the state of the port, as LOG=ACT");
	state = word(l, "LOG=", &nstate);
	if (!state)
		return false;
	weft__expect(l, "the speed, as SPD=25, or the end of the line");
	weft__skip_blanks(l);
	rate->speed = WEFT_SPEED_UNKNOWN;
	if (!weft__at_end(l)) {
		speed = word(l, "SPD=", &nspeed);
		if (!speed)
			return false;
		rate->speed = weft__speed_of_gbps(speed, nspeed);
	}
	rate->width = weft__width_of(width, nwidth);
	rate->down = nstate == 3 && !memcmp(state, "DWN", 3);
	rate->odd = (!rate->width && *width != '?') ||
		    (!rate->speed && *speed != '?');
	return true;
}

/* The node of one end, and what the line tells of its port. */
static int add_end(struct weft__topology *t, const struct end *e,
		   unsigned long line, uint32_t *node)
{
	struct weft_node_spec spec = {
		.guid = e->node_guid, .system_guid = e->system_guid,
		.vendor = e->vendor, .type = e->type,
		.nports = (uint8_t)e->ports, .line = line,
	};
	struct weft__port_facts facts = { .guid = e->port_guid, .lid = e->lid,
					  .lmc = e->lmc,
					  .line = (uint32_t)line };
	bool again;
	int err = weft__topology_check_ports(t, line, e->ports);

	if (err)
		return err;
	err = weft__topology_node(t, &spec, node, &again);
	if (err)
		return err;
	if (e->called_ca && !again)
		weft__topology_note(t, WEFT__CALLED_CA, line);
	weft__topology_name(t, *node, e->name, e->name_length);
	return weft__topology_port(t, *node,
		e->type == WEFT_NODE_SWITCH ? 0 : e->port, &facts);
}

static int read_cable(struct weft__topology *t, const struct end *a,
		      const struct end *b, const struct rate *rate,
		      unsigned long line)
{
	struct weft__claim claim = {
		.peer_guid = b->node_guid, .peer_port_guid = b->port_guid,
		.peer_lid = b->lid, .peer_type = b->type,
		.port = (uint8_t)a->port, .peer_port = (uint8_t)b->port,
		.width = rate->width, .speed = rate->speed,
		.line = (uint32_t)line,
	};
	uint32_t peer;
	int err = add_end(t, a, line, &claim.node);

	if (err)
		return err;
	weft_builder_spec(t->builder, claim.node)->device = a->device;
	if (a->port > WEFT_MAX_PORTS || b->port > WEFT_MAX_PORTS)
		return weft__topology_bad(t, line, "a port number above %u",
					  WEFT_MAX_PORTS);
	err = add_end(t, b, line, &peer);
	if (err)
		return err;
	if (rate->odd)
		weft__topology_note(t, WEFT__ODD_RATE, line);
	if (rate->down) {
		weft__topology_note(t, WEFT__LINK_DOWN, line);
		return 0;
	}
	return weft__topology_claim(t, &claim);
}

static int read_line(struct weft__topology *t, struct weft__line *line)
{
	unsigned long number = line->number;
	struct weft__line whole = *line;
	struct end a, b;
	struct rate rate;

	weft__skip_blanks(line);
	if (weft__at_end(line) || *line->p == '#')
		return 0;
	if (*line->p != '{') {
		weft__topology_foreign(t, &whole);
		return 0;
	}
	if (!parse_end(line, &a) || !parse_end(line, &b) ||
	    !parse_rate(line, &rate) || (rate.odd && !line->complete))
		return weft__topology_misread(
			t, number, line, "a cable's line that cannot be read");
	return read_cable(t, &a, &b, &rate, number);
}

static int read_subnet_lst(const struct weft__source *source,
			   struct weft__topology *topology)
{
	struct weft__lines lines = weft__lines_begin(source, topology->diag);
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err))
		err = read_line(topology, &line);
	return err;
}

/* { SW-SM Ports:24 SystemGUID:... */
static bool recognises(struct weft__line l)
{
	return weft__skip_text(&l, "{ ") && weft__find_text(&l, " NodeGUID:");
}

const struct weft__format weft__format_subnet_lst = {
	.row = { "opensm-subnet.lst", WEFT_FILE_TOPOLOGY },
	.recognises = recognises,
	.read_topology = read_subnet_lst,
	.names = { "opensm-subnet.lst", "ibdiagnet2.lst" },
	.examples = { "opensm-subnet.lst", "ibdiagnet2.lst" },
	.dump = "opensm-subnet.lst",
};
