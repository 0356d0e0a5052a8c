// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: ibnetdiscover's classic layout
 *
 * A section for each node: lines of ids, a line that names the node, a line for
 * each cabled port, an empty line.
 *
 *   vendid=0x2c9
 *   devid=0xd2f0
 *   sysimgguid=0xb8599f0300fc6de4
 *   switchguid=0xb8599f0300fc6de4(b8599f0300fc6de4)
 *   Switch	41 "S-b8599f0300fc6de4"	# "name" enhanced port 0 lid 13 lmc 0
 *   [3]	"S-0002c903007b78b0"[1]		# "name" lid 19 4xFDR
 *   [23]	"H-ec0d9a03007d7d0a"[1](ec0d9a03007d7d0a) # "name" lid 9 4xEDR
 *
 *   caguid=0xec0d9a03007d7d0a
 *   Ca	1 "H-ec0d9a03007d7d0a"		# "name"
 *   [1](ec0d9a03007d7d0a) 	"S-b8599f0300fc6de4"[23]
 *		# lid 9 lmc 0 "name" lid 13 4xEDR		(on one line)
 *
 * The reader goes by what a line begins with, not by columns, empty lines or
 * the order of sections, because these are what terminals, editors and other
 * programs change.  A name ends at the last quote of its line, so it may hold
 * quotes and '#'.  The number in quotes is the node's GUID; the one in brackets
 * after switchguid= is that of port 0, also where switchguid= itself is the
 * chassis' (ibdiagnet).
 *
 * An id line ends the section before it.  A port line without a node's line
 * above it is an error: were it given to the last node instead, a damaged file
 * would load with wrong cables.
 */
#include "io/formats.h"
#include "io/topology/topology.h"

#include <errno.h>
#include <inttypes.h>

struct reader {
	struct weft__topology *t;
	struct weft__line line;
	struct ids {		/* since the last node's line */
		unsigned long line;	/* of the first; 0 = none yet */
		uint64_t system_guid, node_guid, port_guid;
		uint32_t vendor, device;
	} ids;
	/* the section, WEFT_NONE outside of one */
	uint32_t node;
	uint8_t type;
	bool rates;		/* a port line told its rate */
};

static int bad(struct reader *r, const char *what)
{
	return weft__topology_misread(r->t, r->line.number, &r->line, what);
}

/* --- words ------------------------------------------------------------ */

/* The text after '#', names left aside. */
struct facts {
	uint32_t lid, lmc;
	uint8_t width, speed;
	bool has_lmc, has_rate, odd_rate, enhanced;
};

/* "4xHDR", "12x???", "??QDR" */
static void parse_rate(const char *word, size_t length, struct facts *f)
{
	const char *x = memchr(word, 'x', length < 3 ? length : 3);
	size_t width = 2;

	if (x && weft__is_digit(*word))
		width = (size_t)(x - word) + 1;
	else if (length < 2 || memcmp(word, "??", 2))
		return;
	f->width = weft__width_of(word, width);
	f->speed = weft__speed_of(word + width, length - width);
	f->odd_rate = (!f->width && *word != '?') ||
		(!f->speed && (length - width != 3 ||
			       memcmp(word + width, "???", 3)));
	f->has_rate = true;
}

static bool parse_number(struct weft__line *l, const char *expected,
			 uint32_t *value)
{
	weft__expect(l, expected);
	weft__skip_blanks(l);
	return weft__skip_decimal(l, value);
}

/* The number after "lid"; ports that have none leave a blank. */
static bool parse_lid(struct weft__line *l, uint32_t *lid)
{
	struct weft__line ahead = *l;
	uint64_t number;

	weft__expect(l, "the LID, a decimal number");
	weft__skip_blanks(l);
	ahead.p = l->p;
	if (weft__at_end(&ahead) || weft__skip_text(&ahead, "lmc") ||
	    weft__skip_char(&ahead, '?'))
		return true;
	if (weft__skip_digits(&ahead, &number) &&
	    weft__skip_char(&ahead, 'x')) /* 4xQDR */
		return true;
	return weft__skip_decimal(l, lid);
}

/* One word; false when it is to be followed by a number and is not. */
static bool parse_fact(const char *word, size_t length, struct weft__line *l,
		       struct facts *f)
{
	if (length == 3 && !memcmp(word, "lid", 3))
		return parse_lid(l, &f->lid);
	if (length == 3 && !memcmp(word, "lmc", 3)) {
		f->has_lmc = true;
		return parse_number(l, "the LMC, a decimal number", &f->lmc);
	}
	if (weft__is_digit(*word) || *word == '?')
		parse_rate(word, length, f);
	else if (length == 8 && !memcmp(word, "enhanced", 8))
		f->enhanced = true;
	return true;
}

/* Words up to the end. */
static bool parse_facts(struct weft__line *l, struct facts *f)
{
	const char *word;

	for (;;) {
		weft__skip_blanks(l);
		if (weft__at_end(l))
			return true;
		for (word = l->p;
		     l->p < l->end && *l->p != ' ' && *l->p != '\t';)
			l->p++;
		if (!parse_fact(word, (size_t)(l->p - word), l, f))
			return false;
	}
}

/* The text after '#': facts, name in quotes, facts. */
struct comment {
	struct facts before, after;
	const char *name;
	uint32_t name_length;
};

static bool parse_comment(struct reader *r, struct comment *c)
{
	struct weft__line *l = &r->line, before = *l;
	const char *open, *close;

	*c = (struct comment){ .before.lid = WEFT__UNSAID,
			       .after.lid = WEFT__UNSAID, .name = "" };
	weft__skip_blanks(l);
	if (weft__at_end(l))
		return true;
	weft__expect(l, "# or the end of the line");
	if (!weft__skip_char(l, '#'))
		return false;
	before.p = l->p;
	open = weft__find_char(l, '"');
	if (!open)	/* no name: as if it were the part after it */
		return parse_facts(l, &c->after);
	close = memrchr(open, '"', (size_t)(l->end - open));
	weft__expect(l, "the name, between two quotes");
	l->p = open;
	if (close == open || close - open > UINT32_MAX)
		return false;
	c->name = open + 1;
	c->name_length = (uint32_t)(close - open - 1);
	before.end = open;
	if (!parse_facts(&before, &c->before)) {
		*l = before;
		return false;
	}
	l->p = close + 1;
	return parse_facts(l, &c->after);
}

/* "S-0008f10500200b50" */
static bool parse_id(struct weft__line *l, uint8_t *type, uint64_t *guid)
{
	const char *start;

	weft__skip_blanks(l);
	weft__expect(l, "the node, as \"S-, \"H- or \"R- and its GUID");
	start = l->p;
	if (weft__skip_text(l, "\"S-"))
		*type = WEFT_NODE_SWITCH;
	else if (weft__skip_text(l, "\"H-"))
		*type = WEFT_NODE_CA;
	else if (weft__skip_text(l, "\"R-"))
		*type = WEFT_NODE_ROUTER;
	else
		return false;
	if (weft__skip_hex(l, guid) && weft__skip_char(l, '"'))
		return true;
	l->p = start;
	return false;
}

/* The number of (b8599f0300fc6de4), which some versions write with 0x. */
static bool skip_bare_hex(struct weft__line *l, uint64_t *value)
{
	weft__skip_text(l, "0x");
	return weft__skip_hex(l, value);
}

/*
 * [17], then any of [ext 3], (label) and (guid); *guid is the last one of those
 * in parentheses, 0 if that is no number.
 */
static bool parse_port(struct weft__line *l, uint32_t *port, uint64_t *guid)
{
	*guid = 0;
	weft__expect(l, "the port, a number in brackets");
	if (!weft__skip_char(l, '[') || !weft__skip_decimal(l, port) ||
	    !weft__skip_char(l, ']'))
		return false;
	for (;;) {
		const char *close;
		struct weft__line group;

		weft__skip_blanks(l);
		if (weft__at_end(l) || (*l->p != '[' && *l->p != '('))
			return true;
		weft__expect(l, "a bracket that is closed");
		close = weft__find_char(l, *l->p == '[' ? ']' : ')');
		if (!close)
			return false;
		group = (struct weft__line){ .p = l->p + 1, .end = close };
		if (*l->p == '(' &&
		    !(skip_bare_hex(&group, guid) && weft__at_end(&group)))
			*guid = 0;
		l->p = close + 1;
	}
}

/* --- lines ------------------------------------------------------------ */

static void begin_ids(struct reader *r)
{
	if (!r->ids.line)
		r->ids.line = r->line.number;
	r->node = WEFT_NONE;
}

static bool id_u32(struct reader *r, uint32_t *value)
{
	uint64_t v;

	if (!weft__skip_hex(&r->line, &v) || v > UINT32_MAX)
		return false;
	*value = (uint32_t)v;
	return true;
}

/* switchguid=0x1(2): the first may be the chassis', the second is port 0's. */
static bool id_guid(struct reader *r)
{
	if (!weft__skip_hex(&r->line, &r->ids.node_guid))
		return false;
	if (!weft__skip_char(&r->line, '('))
		return true;
	return skip_bare_hex(&r->line, &r->ids.port_guid) &&
	       weft__skip_char(&r->line, ')');
}

/* 1: an id line, 0: none, or -errno. */
static int read_id(struct reader *r)
{
	struct weft__line *l = &r->line;
	enum { VENDOR, DEVICE, SYSTEM, NODE } which;
	bool ok;

	if (weft__skip_text(l, "vendid=0x"))
		which = VENDOR;
	else if (weft__skip_text(l, "devid=0x"))
		which = DEVICE;
	else if (weft__skip_text(l, "sysimgguid=0x"))
		which = SYSTEM;
	else if (weft__skip_text(l, "switchguid=0x") ||
		 weft__skip_text(l, "caguid=0x") ||
		 weft__skip_text(l, "rtguid=0x"))
		which = NODE;
	else
		return 0;
	begin_ids(r);
	weft__expect(l, "up to 16 hexadecimal digits");
	ok = which == VENDOR ? id_u32(r, &r->ids.vendor) :
	     which == DEVICE ? id_u32(r, &r->ids.device) :
	     which == SYSTEM ? weft__skip_hex(l, &r->ids.system_guid) :
			       id_guid(r);
	return ok ? 1 : bad(r, "an id that is no hexadecimal number");
}

/* The facts of a switch's port 0 that its node's line tells. */
static int switch_facts(struct reader *r, const struct comment *c)
{
	struct weft__port_facts facts = {
		.guid = r->ids.port_guid, .lid = c->after.lid,
		.lmc = c->after.lmc, .line = (uint32_t)r->line.number,
	};

	if (!r->line.complete && !c->after.has_lmc)
		return weft__topology_bad(
			r->t, r->line.number,
			"the line of a switch without its LMC; the file was cut here");
	return weft__topology_port(r->t, r->node, 0, &facts);
}

/* A section that repeats one must be of the same node; -g prints the
 * switches of a chassis twice. */
static int check_again(struct reader *r, const struct comment *c)
{
	const struct weft_node_spec *s = weft_builder_spec(r->t->builder,
							   r->node);

	if (strnlen(c->name, c->name_length) != strlen(s->name) ||
	    memcmp(c->name, s->name, strlen(s->name)))
		return weft__topology_bad(r->t, r->line.number,
			"two nodes have the GUID 0x%016" PRIx64
			": the other one is \"%.64s\" in line %lu",
			s->guid, s->name,
			s->line);
	weft__topology_note(r->t, WEFT__REPEATED, r->line.number);
	return 0;
}

/* Switch	36 "S-0008f10500200b50"	# "name" ...; after the first word */
static int read_node(struct reader *r, uint8_t type)
{
	struct weft_node_spec spec = {
		.system_guid = r->ids.system_guid, .vendor = r->ids.vendor,
		.device = r->ids.device, .type = type,
		.line = r->line.number,
	};
	uint8_t id_type = type;
	struct comment c;
	uint32_t nports;
	bool again;
	int err;

	if (!parse_number(&r->line, "the number of ports", &nports) ||
	    !parse_id(&r->line, &id_type, &spec.guid) || id_type != type ||
	    !parse_comment(r, &c))
		return bad(r, "a node's line that cannot be read");
	err = weft__topology_check_ports(r->t, r->line.number, nports);
	if (err)
		return err;
	if (type != WEFT_NODE_SWITCH && r->ids.node_guid &&
	    r->ids.node_guid != spec.guid)
		weft__topology_note(r->t, WEFT__ID_MISMATCH, r->line.number);
	spec.nports = (uint8_t)nports;
	spec.enhanced = c.after.enhanced;
	err = weft__topology_node(r->t, &spec, &r->node, &again);
	if (!err && again)
		err = check_again(r, &c);
	if (err)
		return err;
	r->type = type;
	weft__topology_name(r->t, r->node, c.name, c.name_length);
	if (type == WEFT_NODE_SWITCH)
		err = switch_facts(r, &c);
	r->ids = (struct ids){ 0 };
	return err;
}

/* An adapter's line tells its own LID, LMC and GUID first. */
static int adapter_facts(struct reader *r, uint32_t port, uint64_t guid,
			 const struct comment *c)
{
	struct weft__port_facts facts = {
		.guid = guid, .lid = c->before.lid, .lmc = c->before.lmc,
		.line = (uint32_t)r->line.number,
	};

	return weft__topology_port(r->t, r->node, port, &facts);
}

/*
 * "[1]+  Done ...", "[12345.6] ..." or "[2] 4711", which shells and kernels
 * write, rather than a port line.
 */
static bool is_console(struct weft__line l)
{
	uint64_t number;

	if (!weft__skip_char(&l, '[') || !weft__skip_digits(&l, &number))
		return true;
	if (weft__skip_char(&l, '.'))
		return true;
	if (!weft__skip_char(&l, ']'))
		return false;
	if (weft__skip_char(&l, '+') || weft__skip_char(&l, '-'))
		return true;
	weft__skip_blanks(&l);
	return weft__skip_digits(&l, &number) && weft__at_end(&l);
}

/* A file may end without a newline, but not within a word that counts. */
static bool is_cut(const struct reader *r, const struct comment *c)
{
	return !r->line.complete &&
	       (c->after.odd_rate || (r->rates && !c->after.has_rate));
}

static int read_port(struct reader *r)
{
	struct weft__claim claim = { .node = r->node,
				     .line = (uint32_t)r->line.number };
	uint32_t port, peer_port;
	uint64_t guid;
	struct comment c;
	int err = 0;

	if (is_console(r->line)) {
		weft__topology_foreign(r->t, &r->line);
		return 0;
	}
	if (r->node == WEFT_NONE)
		return bad(r, "a port without the line of its node above it");
	if (!parse_port(&r->line, &port, &guid) ||
	    !parse_id(&r->line, &claim.peer_type, &claim.peer_guid) ||
	    !parse_port(&r->line, &peer_port, &claim.peer_port_guid) ||
	    !parse_comment(r, &c) ||
	    (weft__expect(&r->line, "width and speed") && is_cut(r, &c)))
		return bad(r, "a port's line that cannot be read");
	if (port > WEFT_MAX_PORTS || peer_port > WEFT_MAX_PORTS)
		return weft__topology_bad(
			r->t, r->line.number,
			"a port number above %u: port %u, cabled to port %u",
			WEFT_MAX_PORTS, port, peer_port);
	if (c.after.odd_rate)
		weft__topology_note(r->t, WEFT__ODD_RATE, r->line.number);
	if (r->type != WEFT_NODE_SWITCH)
		err = adapter_facts(r, port, guid, &c);
	r->rates |= c.after.has_rate;
	claim.port = (uint8_t)port;
	claim.peer_port = (uint8_t)peer_port;
	claim.peer_lid = c.after.lid;
	claim.peer_name = c.name;
	claim.peer_name_length = c.name_length;
	claim.width = c.after.width;
	claim.speed = c.after.speed;
	return err ? err : weft__topology_claim(r->t, &claim);
}

/* Headings of -g and lines of -v, which tell nothing that is needed. */
static bool is_heading(struct weft__line l)
{
	static const char *const heading[] = {
		"#", "DR path ", "Chassis ", "Non-Chassis Nodes",
		"Spine Nodes", "Line Nodes", "Hostname:",
	};

	for (size_t i = 0; i < sizeof(heading) / sizeof(*heading); i++)
		if (weft__skip_text(&l, heading[i]))
			return true;
	return false;
}

/* "Switch" and a number; a sentence may begin with the word as well. */
static bool skip_keyword(struct weft__line *l, const char *word)
{
	struct weft__line ahead = *l;

	if (!weft__skip_text(&ahead, word))
		return false;
	weft__skip_blanks(&ahead);
	if (weft__at_end(&ahead) || !weft__is_digit(*ahead.p))
		return false;
	l->p = ahead.p;
	return true;
}

static int read_line(struct reader *r)
{
	int err;

	weft__skip_blanks(&r->line);
	if (weft__at_end(&r->line))
		return 0;
	if (*r->line.p == '[')	/* most lines */
		return read_port(r);
	if (is_heading(r->line))
		return 0;
	if (skip_keyword(&r->line, "Switch"))
		return read_node(r, WEFT_NODE_SWITCH);
	if (skip_keyword(&r->line, "Ca"))
		return read_node(r, WEFT_NODE_CA);
	if (skip_keyword(&r->line, "Rt"))
		return read_node(r, WEFT_NODE_ROUTER);
	err = read_id(r);
	if (!err)
		weft__topology_foreign(r->t, &r->line);
	return err < 0 ? err : 0;
}

static int read_ibnetdiscover(const struct weft__source *source,
			      struct weft__topology *topology)
{
	struct weft__lines lines = weft__lines_begin(source, topology->diag);
	struct reader r = { .t = topology, .node = WEFT_NONE };
	int err = 0;

	while (!err && weft__lines_next(&lines, &r.line, &err))
		err = read_line(&r);
	if (!err && r.ids.line)
		err = weft__topology_bad(topology, r.ids.line,
			"ids without the line of their node: the file was cut");
	return err;
}

/* Switch	36 "S-..., vendid=0x2c9, [1]	"H-... */
static bool recognises(struct weft__line l)
{
	static const char *const id[] = {
		"vendid=0x", "switchguid=0x", "caguid=0x", "rtguid=0x",
		"# Topology file: generated",
	};

	for (size_t i = 0; i < sizeof(id) / sizeof(*id); i++)
		if (weft__skip_text(&l, id[i]))
			return true;
	if (weft__skip_char(&l, '[')) {
		if (!weft__skip_number(&l) || !weft__skip_char(&l, ']'))
			return false;
	} else if (!(weft__skip_text(&l, "Switch") ||
		     weft__skip_text(&l, "Ca") || weft__skip_text(&l, "Rt")) ||
		   !weft__skip_number(&l)) {
		return false;
	}
	return weft__find_text(&l, "\"S-") || weft__find_text(&l, "\"H-") ||
	       weft__find_text(&l, "\"R-");
}

const struct weft__format weft__format_ibnetdiscover = {
	.row = { "ibnetdiscover", WEFT_FILE_TOPOLOGY },
	.recognises = recognises,
	.read_topology = read_ibnetdiscover,
	.names = { "*.ibnetdiscover", "ibnetdiscover*", "*.topo",
		   "ib-subnet-*" },
	.examples = { "the output of ibnetdiscover (with or without -p)",
		      "ibdiagnet2.ibnetdiscover" },
	.dump = "*.ibnetdiscover",
};
