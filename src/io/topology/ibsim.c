// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: ibsim's topologies
 *
 * ibsim(1) loads what ibnetdiscover prints, and the same written by hand, where
 * nodes go by names instead of GUIDs:
 *
 *   width=2
 *   Switch	8 "sw1"			# "leaf 1" base port 0 lid 3 lmc 0
 *   [1]	"h1"[1]
 *   [3]	"sw2" [3]	w=8 e=4		# 12x HDR
 *
 *   Hca	2 "h1"
 *   [1]	"sw1"[1]
 *
 * GUIDs are the ones that ibsim makes up, in the order of the text, so that
 * tables of a subnet manager that ran in the simulation fit: those of switches
 * begin at 0x200000 and take one each, those of adapters at 0x100000 and take
 * one for each port and one more; switchguid=, caguid=, hcaguids= set others.
 * Widths and speeds are the masks of PortInfo (w= s= e=, or width=, speed= and
 * extspeed= for all nodes below), 4x SDR where none is told.
 *
 * What ibsim does besides, and a single text cannot tell, is an error or told:
 * modules, included files, aliases of ports, commands.
 */
#include "io/formats.h"
#include "io/topology/ibsim_line.h"
#include "io/topology/named.h"

#include <errno.h>

#define FIRST_CA 0x100000
#define FIRST_SWITCH 0x200000
#define FIRST_ROUTER 0x300000

struct reader {
	struct weft__topology *t;
	struct weft__by_name names;
	struct weft__line line;
	/* by type: GUID of the next node, and where they began */
	uint64_t next[WEFT_NODE_ROUTER + 1], base[WEFT_NODE_ROUTER + 1];
	uint64_t system_guid;
	uint32_t vendor, device;
	struct weft__ibsim_rates all;	/* of ports that tell no others */
	uint32_t node;		/* of the section, WEFT_NONE outside of one */
	uint8_t type;
};

static int bad(struct reader *r, const char *what)
{
	return weft__topology_misread(r->t, r->line.number, &r->line, what);
}

static int add_node(struct reader *r, struct weft_node_spec *spec,
		    struct weft__named *named,
		    const struct weft__ibsim_name *name)
{
	bool again;
	int err;

	spec->guid = r->next[spec->type];
	r->next[spec->type] += spec->type == WEFT_NODE_SWITCH ?
				       1 : spec->nports + 1u;
	err = weft__topology_node(r->t, spec, &r->node, &again);
	if (!err && again)
		return weft__topology_bad(r->t, r->line.number,
			"GUIDs are used up: 0x%llx belongs to another node; set others above this line (%s=)",
			(unsigned long long)spec->guid,
			spec->type == WEFT_NODE_SWITCH ? "switchguid" :
							 "caguid");
	if (err)
		return err;
	weft__topology_name(r->t, r->node,
			    name->length ? name->text : named->name,
			    name->length ? name->length : named->length);
	named->node = r->node;
	return weft__named_add(&r->names, r->t, named);
}

/* Switch	8 "sw1"	# "leaf 1" base port 0 lid 3 lmc 0; after the word */
static int read_node(struct reader *r, uint8_t type)
{
	struct weft__line *l = &r->line;
	struct weft__named named = { .line = (uint32_t)l->number };
	struct weft_node_spec spec = {
		.type = type, .line = l->number, .vendor = r->vendor,
		.device = r->device, .system_guid = r->system_guid,
	};
	struct weft__ibsim_name name = { NULL, 0 };
	struct weft__port_facts port0;
	struct weft__ibsim_facts f;
	uint64_t nports;
	int err;

	r->node = WEFT_NONE;
	weft__expect(l, "the number of ports");
	if (!weft__ibsim_number(l, &nports))
		return bad(r, "a node's line that cannot be read");
	weft__skip_blanks(l);
	weft__expect(l, "the name of the node in quotes");
	if (!weft__ibsim_quoted(l, &named.name, &named.length) ||
	    !weft__ibsim_rest(l, &r->all, &f, &name))
		return bad(r, "a node's line that cannot be read");
	err = weft__topology_check_ports(r->t, l->number, nports);
	if (err)
		return err;
	spec.nports = (uint8_t)nports;
	spec.enhanced = f.enhanced;
	err = add_node(r, &spec, &named, &name);
	r->type = type;
	r->vendor = 0;
	r->system_guid = 0;
	if (err || type != WEFT_NODE_SWITCH)
		return err;
	port0 = (struct weft__port_facts){
		.guid = spec.guid, .lid = f.lid, .lmc = f.lmc,
		.line = (uint32_t)l->number,
	};
	return weft__topology_port(r->t, r->node, 0, &port0);
}

/* [17], of the port itself; brackets after the far end may be left out. */
static bool parse_port(struct weft__line *l, uint8_t *port)
{
	uint32_t number;

	weft__expect(l, "the port, a number from 1 to 254 in brackets");
	if (!weft__skip_char(l, '[') ||
	    !weft__ibsim_small(l, 1, WEFT_MAX_PORTS, &number) ||
	    !weft__skip_char(l, ']'))
		return false;
	*port = (uint8_t)number;
	return true;
}

/* (b8599f0300fc6de4), which ibsim does not look at */
static void skip_parentheses(struct weft__line *l)
{
	const char *close;

	weft__skip_blanks(l);
	if (weft__at_end(l) || *l->p != '(')
		return;
	close = weft__find_char(l, ')');
	l->p = close ? close + 1 : l->p;
	weft__skip_blanks(l);
}

static bool parse_far_end(struct weft__line *l, struct weft__claim *claim)
{
	struct weft__line ahead;

	skip_parentheses(l);
	weft__expect(l, "the node at the far end, a name in quotes");
	if (!weft__ibsim_quoted(l, &claim->peer_name, &claim->peer_name_length))
		return false;
	claim->peer_port = 1;
	ahead = *l;
	weft__skip_blanks(&ahead);
	if (weft__at_end(&ahead) || *ahead.p != '[')
		return true;
	l->p = ahead.p;
	if (!parse_port(l, &claim->peer_port))
		return false;
	skip_parentheses(l);
	return true;
}

static int read_port(struct reader *r)
{
	struct weft__claim claim = { .node = r->node,
				     .line = (uint32_t)r->line.number,
				     .peer_lid = WEFT__UNSAID };
	struct weft__port_facts facts = { .line = claim.line };
	struct weft__ibsim_facts f;
	int err = 0;

	if (r->node == WEFT_NONE)
		return bad(r, "a port without the line of its node above it; no empty line may be between them");
	if (!parse_port(&r->line, &claim.port) ||
	    !parse_far_end(&r->line, &claim) ||
	    !weft__ibsim_rest(&r->line, &r->all, &f, NULL))
		return bad(r, "a port's line that cannot be read");
	if (memchr(claim.peer_name, '@', claim.peer_name_length))
		return bad(r, "an alias of a port: write the node and the port that it stands for");
	if (f.odd_rate)
		weft__topology_note(r->t, WEFT__ODD_RATE, claim.line);
	claim.width = f.width ? f.width : weft__ibsim_widest(f.rates.width);
	claim.speed = f.speed ? f.speed : weft__ibsim_fastest(&f.rates);
	if (r->type != WEFT_NODE_SWITCH) {
		facts.guid = weft_builder_spec(r->t->builder, r->node)->guid +
			     claim.port;
		facts.lid = f.lid;
		facts.lmc = f.lmc;
		err = weft__topology_port(r->t, r->node, claim.port, &facts);
	}
	return err ? err : weft__topology_claim(r->t, &claim);
}

/* switchguid=0x20 begins there, switchguid+16 so far from where they began. */
static bool set_guids(struct reader *r, uint8_t type)
{
	struct weft__line *l = &r->line;
	bool relative = weft__skip_char(l, '+');
	uint64_t value;

	weft__expect(l, "= or +, and a number");
	if ((!relative && !weft__skip_char(l, '=')) ||
	    !weft__ibsim_number(l, &value))
		return false;
	if (!relative)
		r->base[type] = value;
	r->next[type] = relative ? r->base[type] + value : value;
	return true;
}

static bool equals(struct weft__line *l)
{
	weft__expect(l, "= and a number");
	return weft__skip_char(l, '=');
}

/* 1: a setting, 0: none, or -errno. */
static int read_setting(struct reader *r)
{
	struct weft__line *l = &r->line;
	bool ok;

	if (weft__skip_text(l, "switchguid"))
		ok = set_guids(r, WEFT_NODE_SWITCH);
	else if (weft__skip_text(l, "hcaguids") || weft__skip_text(l, "caguid"))
		ok = set_guids(r, WEFT_NODE_CA);
	else if (weft__skip_text(l, "rtguid"))
		ok = set_guids(r, WEFT_NODE_ROUTER);
	else if (weft__skip_text(l, "vendid"))
		ok = equals(l) &&
		     weft__ibsim_small(l, 0, UINT32_MAX, &r->vendor);
	else if (weft__skip_text(l, "devid"))
		ok = equals(l) &&
		     weft__ibsim_small(l, 0, UINT32_MAX, &r->device);
	else if (weft__skip_text(l, "sysimgguid"))
		ok = equals(l) && weft__ibsim_number(l, &r->system_guid);
	else if (weft__skip_text(l, "width"))
		ok = equals(l) && weft__ibsim_width(l, &r->all.width);
	else if (weft__skip_text(l, "speed"))
		ok = equals(l) && weft__ibsim_speed(l, &r->all.speed);
	else if (weft__skip_text(l, "extspeed"))
		ok = equals(l) && weft__ibsim_extended(l, &r->all.extended);
	else
		return 0;
	return ok ? 1 : bad(r, "a setting that cannot be read");
}

/* What would change the fabric, and is not in this text: 0 or -errno. */
static int read_extension(struct reader *r)
{
	struct weft__line l = r->line;

	if (weft__skip_text(&l, "include"))
		return weft__topology_bad(r->t, l.number,
			"another file is included: put its text in the place of this line");
	if (weft__skip_text(&l, "module"))
		return weft__topology_bad(r->t, l.number,
			"a module: load the file with ibsim, and read what ibnetdiscover prints there");
	if (weft__skip_text(&l, "do "))
		weft__topology_note(r->t, WEFT__COMMAND, l.number);
	else if (!weft__skip_text(&l, "pdebug"))
		weft__topology_foreign(r->t, &l);
	return 0;
}

/* "Switch" and what can follow it; a sentence may begin with the word, too. */
static bool skip_keyword(struct weft__line *l, const char *word)
{
	struct weft__line ahead = *l;

	if (!weft__skip_text(&ahead, word) || !weft__skip_number(&ahead))
		return false;
	weft__skip_text(l, word);
	return true;
}

static bool skip_type(struct weft__line *l, uint8_t *type)
{
	if (skip_keyword(l, "Switch"))
		*type = WEFT_NODE_SWITCH;
	else if (skip_keyword(l, "Hca") || skip_keyword(l, "Ca"))
		*type = WEFT_NODE_CA;
	else if (skip_keyword(l, "Rt"))
		*type = WEFT_NODE_ROUTER;
	else
		return false;
	return true;
}

static int read_line(struct reader *r)
{
	struct weft__line *l = &r->line;
	uint8_t type;
	int err;

	weft__skip_blanks(l);
	if (!weft__at_end(l) && *l->p == '#')
		return 0;
	if (!weft__at_end(l) && *l->p == '[')
		return read_port(r);
	if (!weft__at_end(l) && *l->p == '@')
		return bad(r, "an alias of a port: write the node and the port where it is cabled to");
	r->node = WEFT_NONE;
	if (weft__at_end(l))
		return 0;
	if (skip_type(l, &type))
		return read_node(r, type);
	err = read_setting(r);
	return err ? (err < 0 ? err : 0) : read_extension(r);
}

static int read_ibsim(const struct weft__source *source,
		      struct weft__topology *topology)
{
	struct weft__lines lines = weft__lines_begin(source, topology->diag);
	struct reader r = {
		.t = topology, .node = WEFT_NONE, .all = { 2, 1, 0 },
		.next = { [WEFT_NODE_CA] = FIRST_CA,
			  [WEFT_NODE_SWITCH] = FIRST_SWITCH,
			  [WEFT_NODE_ROUTER] = FIRST_ROUTER },
	};
	int err = 0;

	memcpy(r.base, r.next, sizeof(r.base));
	topology->no_lids = true; /* the subnet manager gives them */
	while (!err && weft__lines_next(&lines, &r.line, &err))
		err = read_line(&r);
	if (!err)
		err = weft__named_resolve(&r.names, topology);
	weft__named_free(&r.names);
	return err;
}

/* "sw1", and not "S-0008f10500200b50", by which ibnetdiscover knows nodes */
static bool is_own_name(struct weft__line *l)
{
	const char *name;
	uint32_t length;
	uint64_t guid;
	struct weft__line id;

	if (!weft__ibsim_quoted(l, &name, &length))
		return false;
	id = (struct weft__line){ .p = name, .end = name + length };
	if (length != 18)
		return true;
	if (!weft__skip_text(&id, "S-") && !weft__skip_text(&id, "H-") &&
	    !weft__skip_text(&id, "R-"))
		return true;
	return !weft__skip_hex(&id, &guid) || !weft__at_end(&id);
}

/* Switch	8 "sw1", Hca 2 "h1", [1]	"sw1"[3] */
static bool recognises(struct weft__line l)
{
	uint8_t port, type;

	if (skip_type(&l, &type))
		weft__skip_number(&l);
	else if (!parse_port(&l, &port))
		return false;
	weft__skip_blanks(&l);
	return is_own_name(&l);
}

const struct weft__format weft__format_ibsim = {
	.row = { "ibsim", WEFT_FILE_TOPOLOGY },
	.recognises = recognises,
	.read_topology = read_ibsim,
	.names = { "*.net" },
	.examples = { "a topology of ibsim" },
};
