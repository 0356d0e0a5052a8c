// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: ibdiagnet2.db_csv
 *
 * What ibdiagnet knows of a subnet, in sections of comma-separated values with
 * the names of the columns above each.  Of some 50 sections these are read, in
 * this order, wherever they stand:
 *
 *   NODES     NodeDesc, NumPorts, NodeType (1 adapter, 2 switch, 3 router),
 *             NodeGUID and, where told, SystemImageGUID, PortGUID and
 *             LocalPortNum (whose GUID that is), DeviceID, VendorID
 *   SWITCHES  NodeGUID, ENP0 (an enhanced port 0)
 *   PORTS     NodeGuid, PortNum and, where told, PortGuid, LID, LMC,
 *             LinkWidthActv, LinkSpeedActv.  A switch's LID is that of port 0.
 *   LINKS     NodeGuid1, PortNum1, NodeGuid2, PortNum2: once for each cable
 *
 * Widths are 1, 2, 4, 8, 16 for 1x, 4x, 8x, 12x, 2x.  Speeds are bits: SDR, DDR
 * and QDR in the first byte, FDR and those after it in the second one, which
 * counts if it is not 0, FDR10 in the third.
 *
 * The same sections are in the dumps of other subnet managers, opensm-smdb.dump
 * and nvlsm-smdb.dump, with blanks around values and LinkWidth and LinkSpeed in
 * the place of the two with Actv: the same codes, or "4x", "HDR", or Gbit/s of a
 * lane.  LINKS may have cables twice there, from both ends.
 */
#include "io/formats.h"
#include "io/topology/csv_sections.h"
#include "io/topology/topology.h"

#include <errno.h>
#include <inttypes.h>

enum { NODES, SWITCHES, PORTS, LINKS, ADJACENT, NEXT_HOPS, SECTIONS };

/* --- nodes ------------------------------------------------------------ */

enum {
	NODE_NAME, NODE_PORTS, NODE_TYPE, NODE_GUID, NODE_SYSTEM,
	NODE_PORT_GUID, NODE_LOCAL, NODE_DEVICE, NODE_VENDOR, NODE_COLUMNS
};

static const struct weft__csv_column node_column[NODE_COLUMNS] = {
	[NODE_NAME] = { "NodeDesc", WEFT__CSV_TEXT, false },
	[NODE_PORTS] = { "NumPorts", WEFT__CSV_NUMBER, true },
	[NODE_TYPE] = { "NodeType", WEFT__CSV_NUMBER, true },
	[NODE_GUID] = { "NodeGUID", WEFT__CSV_GUID, true },
	[NODE_SYSTEM] = { "SystemImageGUID", WEFT__CSV_GUID, false },
	[NODE_PORT_GUID] = { "PortGUID", WEFT__CSV_GUID, false },
	[NODE_LOCAL] = { "LocalPortNum", WEFT__CSV_NUMBER, false },
	[NODE_DEVICE] = { "DeviceID", WEFT__CSV_NUMBER, false },
	[NODE_VENDOR] = { "VendorID", WEFT__CSV_NUMBER, false },
};

static int node_type(struct weft__topology *t, unsigned long line,
		     uint64_t number, uint8_t *type)
{
	static const uint8_t known[] = { WEFT_NODE_CA, WEFT_NODE_SWITCH,
					 WEFT_NODE_ROUTER };

	if (!number || number > sizeof(known))
		return weft__topology_bad(t, line,
			"section NODES, column NodeType: expected 1, 2 or 3, found %" PRIu64, number);
	*type = known[number - 1];
	return 0;
}

/* The GUID of the port that the node was found by, unless PORTS tells it. */
static void note_port_guid(struct weft__topology *t, uint32_t node,
			   const struct weft__csv_value *v)
{
	const struct weft_node_spec *s = weft_builder_spec(t->builder, node);
	uint64_t port = s->type == WEFT_NODE_SWITCH ? 0 : v[NODE_LOCAL].number;
	struct weft_port_spec *p = NULL;

	if (port <= s->nports && (port || s->type == WEFT_NODE_SWITCH))
		p = weft_builder_port(t->builder, node, (unsigned)port);
	if (p)
		p->guid = v[NODE_PORT_GUID].number;
}

static int read_node(struct weft__topology *t, unsigned long line,
		     const struct weft__csv_value *v)
{
	struct weft_node_spec spec = {
		.guid = v[NODE_GUID].number,
		.system_guid = v[NODE_SYSTEM].number,
		.vendor = (uint32_t)v[NODE_VENDOR].number,
		.device = (uint32_t)v[NODE_DEVICE].number,
		.nports = (uint8_t)v[NODE_PORTS].number, .line = line,
	};
	uint32_t node;
	bool again;
	int err = node_type(t, line, v[NODE_TYPE].number, &spec.type);

	if (!err)
		err = weft__topology_check_ports(t, line,
						 v[NODE_PORTS].number);
	if (!err)
		err = weft__topology_node(t, &spec, &node, &again);
	if (err)
		return err;
	if (again) {
		weft__topology_note(t, WEFT__REPEATED, line);
		return 0;
	}
	weft__topology_name(t, node, v[NODE_NAME].text, v[NODE_NAME].length);
	note_port_guid(t, node, v);
	return 0;
}

/* --- what else there is of nodes and ports ---------------------------- */

/* The node of a row; -EINVAL (said) when NODES does not have it. */
static int find_node(struct weft__topology *t, unsigned long line,
		     uint64_t guid, uint32_t *node)
{
	*node = weft_builder_find(t->builder, guid);
	if (*node == WEFT_NONE)
		return weft__topology_bad(t, line, "the node 0x%016" PRIx64
			" is not in the section NODES", guid);
	return 0;
}

static const struct weft__csv_column switch_column[] = {
	{ "NodeGUID", WEFT__CSV_GUID, true },
	{ "ENP0", WEFT__CSV_NUMBER, false },
};

static int read_switch(struct weft__topology *t, unsigned long line,
		       const struct weft__csv_value *v)
{
	uint32_t node;
	int err = find_node(t, line, v[0].number, &node);

	if (!err)
		weft_builder_spec(t->builder, node)->enhanced =
			v[1].number == 1;
	return err;
}

enum {
	PORT_NODE, PORT_NUMBER, PORT_GUID, PORT_LID, PORT_LMC, PORT_WIDTH,
	PORT_SPEED, PORT_PREFIX, PORT_WIDTH_TEXT, PORT_SPEED_TEXT, PORT_COLUMNS
};

static const struct weft__csv_column port_column[PORT_COLUMNS] = {
	[PORT_NODE] = { "NodeGuid", WEFT__CSV_GUID, true },
	[PORT_NUMBER] = { "PortNum", WEFT__CSV_NUMBER, true },
	[PORT_GUID] = { "PortGuid", WEFT__CSV_GUID, false },
	[PORT_LID] = { "LID", WEFT__CSV_NUMBER, false },
	[PORT_LMC] = { "LMC", WEFT__CSV_NUMBER, false },
	[PORT_WIDTH] = { "LinkWidthActv", WEFT__CSV_NUMBER, false },
	[PORT_SPEED] = { "LinkSpeedActv", WEFT__CSV_NUMBER, false },
	[PORT_PREFIX] = { "GIDPrfx", WEFT__CSV_GUID, false },
	[PORT_WIDTH_TEXT] = { "LinkWidth", WEFT__CSV_TEXT, false },
	[PORT_SPEED_TEXT] = { "LinkSpeed", WEFT__CSV_TEXT, false },
};

static uint8_t width_of(uint64_t code)
{
	return code == 1 ? 1 : code == 2 ? 4 : code == 4 ? 8 :
	       code == 8 ? 12 : code == 16 ? 2 : 0;
}

static uint8_t speed_of(uint64_t code)
{
	static const uint8_t base[] = { WEFT_SDR, WEFT_DDR, WEFT_QDR };
	static const uint8_t extended[] = { WEFT_FDR, WEFT_EDR, WEFT_HDR,
					    WEFT_NDR, WEFT_XDR };
	unsigned bits = code >> 8 & 0xff;

	for (unsigned i = 0; i < sizeof(extended); i++)
		if (bits == 1u << i)
			return extended[i];
	if (bits || code >> 17)
		return WEFT_SPEED_UNKNOWN;
	if (code >> 16)
		return WEFT_FDR10;
	for (unsigned i = 0; i < sizeof(base); i++)
		if (code == 1u << i)
			return base[i];
	return WEFT_SPEED_UNKNOWN;
}

/* A code that is told as text; false where it is none. */
static bool code_of(const struct weft__csv_value *v, uint32_t *code)
{
	struct weft__line l = { .p = v->text, .end = v->text + v->length };

	return weft__skip_decimal(&l, code) && weft__at_end(&l);
}

static uint8_t width_told(const struct weft__csv_value *v)
{
	uint32_t code;

	return code_of(v, &code) ? width_of(code) :
				   weft__width_of(v->text, v->length);
}

/* The codes of SDR, DDR and QDR are below all rates but these two, and those of
 * the others above all. */
static uint8_t speed_told(const struct weft__csv_value *v)
{
	uint32_t code;

	if (code_of(v, &code) && (code <= 4 || code >= 1u << 8))
		return speed_of(code);
	return v->length && weft__is_digit(*v->text) ?
		       weft__speed_of_gbps(v->text, v->length) :
		       weft__speed_of(v->text, v->length);
}

static bool is_nothing(const struct weft__csv_value *v)
{
	return !v->told || (v->length == 1 && *v->text == '0');
}

/* Keeps the rate at the port until LINKS tells of a cable. */
static void note_rate(struct weft__topology *t, unsigned long line,
		      struct weft_port_spec *p, const struct weft__csv_value *v)
{
	const struct weft__csv_value *width = &v[PORT_WIDTH_TEXT],
				     *speed = &v[PORT_SPEED_TEXT];

	p->width = v[PORT_WIDTH].told ? width_of(v[PORT_WIDTH].number) :
		   width->told ? width_told(width) : 0;
	p->speed = v[PORT_SPEED].told ? speed_of(v[PORT_SPEED].number) :
		   speed->told ? speed_told(speed) : 0;
	if ((!p->width && (v[PORT_WIDTH].number || !is_nothing(width))) ||
	    (!p->speed && (v[PORT_SPEED].number || !is_nothing(speed))))
		weft__topology_note(t, WEFT__ODD_RATE, line);
}

static int read_port(struct weft__topology *t, unsigned long line,
		     const struct weft__csv_value *v)
{
	struct weft__port_facts facts = {
		.guid = v[PORT_GUID].number, .line = (uint32_t)line,
		.lid = v[PORT_LID].told ? (uint32_t)v[PORT_LID].number :
					  WEFT__UNSAID,
		.lmc = (uint32_t)v[PORT_LMC].number,
	};
	uint32_t port = (uint32_t)v[PORT_NUMBER].number, node;
	struct weft_port_spec *p;
	int err = find_node(t, line, v[PORT_NODE].number, &node);

	if (err)
		return err;
	if (v[PORT_PREFIX].number)
		weft_builder_prefix(t->builder, v[PORT_PREFIX].number);
	p = weft_builder_port(t->builder, node, port);
	if (p)
		note_rate(t, line, p, v);
	if (p && !v[PORT_GUID].told)
		facts.guid = p->guid;
	/* The LIDs and GUIDs of a switch's other ports are its own or 0. */
	if (p && port && weft_builder_spec(t->builder, node)->type ==
			 WEFT_NODE_SWITCH)
		return 0;
	return weft__topology_port(t, node, port, &facts);
}

/* Nodes that PORTS does not tell of have the GUID that NODES tells. */
static void adopt_port_guids(struct weft__topology *t)
{
	for (uint32_t i = 0; i < weft_builder_count(t->builder); i++) {
		const struct weft_node_spec *s = weft_builder_spec(t->builder,
								   i);
		bool sw = s->type == WEFT_NODE_SWITCH;

		for (unsigned port = !sw; port <= (sw ? 0 : s->nports);
		     port++) {
			struct weft_port_spec *p =
				weft_builder_port(t->builder, i, port);

			if (!p->line && (sw || p->guid))
				p->line = s->line;
		}
	}
}

/* --- cables ----------------------------------------------------------- */

static const struct weft__csv_column link_column[] = {
	{ "NodeGuid1", WEFT__CSV_GUID, true },
	{ "PortNum1", WEFT__CSV_NUMBER, true },
	{ "NodeGuid2", WEFT__CSV_GUID, true },
	{ "PortNum2", WEFT__CSV_NUMBER, true },
};

/* What one end says of the other; v has the own end first. */
static int claim(struct weft__topology *t, unsigned long line,
		 uint32_t node, const struct weft__csv_value *own,
		 const struct weft__csv_value *far)
{
	const struct weft_port_spec *p;
	struct weft__claim c = {
		.node = node, .line = (uint32_t)line,
		.port = (uint8_t)own[1].number,
		.peer_port = (uint8_t)far[1].number,
		.peer_guid = far[0].number, .peer_lid = WEFT__UNSAID,
	};
	uint32_t peer = weft_builder_find(t->builder, far[0].number);

	c.peer_type = weft_builder_spec(t->builder, peer)->type;
	p = weft_builder_port(t->builder, node, c.port);
	if (p) {
		c.width = p->width;
		c.speed = p->speed;
	}
	return weft__topology_claim(t, &c);
}

static int read_link(struct weft__topology *t, unsigned long line,
		     const struct weft__csv_value *v)
{
	uint32_t a, b;
	int err = find_node(t, line, v[0].number, &a);

	if (!err)
		err = find_node(t, line, v[2].number, &b);
	if (err)
		return err;
	for (int i = 1; i <= 3; i += 2)
		if (v[i].number > WEFT_MAX_PORTS)
			return weft__topology_bad(t, line,
				"section LINKS, column %s: a port number above %u",
				link_column[i].name, WEFT_MAX_PORTS);
	err = claim(t, line, a, v, v + 2);
	return err ? err : claim(t, line, b, v + 2, v);
}

/* --- tables of routers ------------------------------------------------ */

static const struct weft__csv_column entry_column[] = {
	{ "NodeGUID", WEFT__CSV_GUID, true },
	{ "SubnetPrefix", WEFT__CSV_GUID, true },
};

static int read_entry(struct weft__topology *t, unsigned long line,
		      const struct weft__csv_value *v, bool adjacent)
{
	const struct weft_router_entry entry = {
		.router = v[0].number, .prefix = v[1].number,
		.adjacent = adjacent,
	};
	uint32_t node;
	int err = find_node(t, line, entry.router, &node);

	if (err)
		return err;
	if (weft_builder_spec(t->builder, node)->type != WEFT_NODE_ROUTER)
		return weft__topology_bad(t, line, "the node 0x%016" PRIx64
			" is no router, and has a table of one", entry.router);
	weft_builder_router_entry(t->builder, &entry);
	return 0;
}

static int read_adjacent(struct weft__topology *t, unsigned long line,
			 const struct weft__csv_value *v)
{
	return read_entry(t, line, v, true);
}

static int read_next_hop(struct weft__topology *t, unsigned long line,
			 const struct weft__csv_value *v)
{
	return read_entry(t, line, v, false);
}

/* --- the file --------------------------------------------------------- */

static int check_sections(struct weft__topology *t,
			  const struct weft__csv_section *section)
{
	static const int needed[] = { NODES, LINKS };

	for (int i = 0; i < 2; i++)
		if (!section[needed[i]].line)
			return weft__topology_bad(t, 0,
				"no section %s: was the file cut?  Otherwise read ibdiagnet2.ibnetdiscover or ibdiagnet2.lst of the same run",
				section[needed[i]].name);
	return 0;
}

static int read_db_csv(const struct weft__source *source,
		       struct weft__topology *t)
{
	struct weft__csv_section section[SECTIONS] = {
		[NODES] = { .name = "NODES" },
		[SWITCHES] = { .name = "SWITCHES" },
		[PORTS] = { .name = "PORTS" },
		[LINKS] = { .name = "LINKS" },
		[ADJACENT] = { .name = "ROUTERS_ADJ_SITE_LOCAL_SUBNETS_TABLE" },
		[NEXT_HOPS] = { .name = "ROUTERS_NEXT_HOP_TABLE" },
	};
	int err = weft__csv_find(source, t, section, SECTIONS);

	if (!err)
		err = check_sections(t, section);
	if (!err)
		err = weft__csv_rows(section[NODES], t, node_column,
				     NODE_COLUMNS, read_node);
	if (!err)
		err = weft__csv_rows(section[SWITCHES], t, switch_column, 2,
				     read_switch);
	if (!err)
		err = weft__csv_rows(section[PORTS], t, port_column,
				     PORT_COLUMNS, read_port);
	if (!err)
		err = weft__csv_rows(section[ADJACENT], t, entry_column, 2,
				     read_adjacent);
	if (!err)
		err = weft__csv_rows(section[NEXT_HOPS], t, entry_column, 2,
				     read_next_hop);
	adopt_port_guids(t);
	return err ? err : weft__csv_rows(section[LINKS], t, link_column, 4,
					  read_link);
}

/* START_NODES: nothing else on the line. */
static bool recognises(struct weft__line l)
{
	if (!weft__skip_text(&l, "START_") && !weft__skip_text(&l, "END_"))
		return weft__skip_text(&l, "# INDEX_TABLE offset:");
	while (!weft__at_end(&l) && (*l.p == '_' || weft__is_digit(*l.p) ||
				     (*l.p >= 'A' && *l.p <= 'Z')))
		l.p++;
	return weft__at_end(&l);
}

const struct weft__format weft__format_db_csv = {
	.row = { "ibdiagnet2.db_csv", WEFT_FILE_TOPOLOGY },
	.recognises = recognises,
	.read_topology = read_db_csv,
	.names = { "*.db_csv", "*smdb.dump" },
	.examples = { "ibdiagnet2.db_csv" },
	.dump = "*.db_csv",
};
