// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: ibdm's .topo
 *
 * The plan of a fabric that ibdiagnet -t and ibtopodiff compare with: a section
 * for each system, a line for each of its cables, and names of types.
 *
 *   MTS2400 S-1
 *      P1 -4x-5G-> MT23108 H-1 P1
 *      P24 -> MTS2400 S-2 P24
 *
 * What a type is made of stands in its .ibnl, which is not read: a system is
 * taken for one device, an adapter where its type is one that Mellanox gave
 * adapters, or begins with HCA.  Ports of systems with several devices (L1/P3)
 * are errors.  The number of ports is not told, so it is the highest that a
 * system of the type has a cable at, and said to be possibly more.
 *
 * A cable is told at one end, or at both.  Names are read first, then cables.
 */
#include "io/formats.h"
#include "io/topology/named.h"

#include "core/grow.h"

#include <errno.h>
#include <stdlib.h>

/* GUIDs are made up here, one for each port: nobody has been given these. */
#define FIRST_GUID 0x7eff000000000000
#define GUIDS_EACH 256

struct text {
	const char *p;
	uint32_t length;
};

/* A system where a line mentions it. */
struct mention {
	struct text type, name;
	uint32_t line;
	uint8_t port;		/* 0 = none */
};

struct cable {
	struct mention far;
	uint8_t port, width, speed;
};

struct reader {
	struct weft__topology *t;
	struct weft__line line;
	struct mention *mention;
	size_t capacity;
	uint32_t n;
	struct weft__by_name names;
	struct mention here;	/* the system of the section, no name: none */
};

static int bad(struct reader *r, const char *what)
{
	char misread[WEFT__MISREAD_SIZE];

	return weft__topology_bad(r->t, r->line.number, "%s%s", what,
				  weft__misread(&r->line, misread));
}

/* --- lines ------------------------------------------------------------ */

static bool word(struct weft__line *l, const char *expected, struct text *text)
{
	weft__skip_blanks(l);
	weft__expect(l, expected);
	text->length = (uint32_t)weft__skip_word(l, &text->p);
	return text->length;
}

/* P24; a system of several devices has L1/P3 */
static bool port(struct weft__line *l, uint8_t *number)
{
	struct weft__line ahead;
	uint32_t value;

	weft__skip_blanks(l);
	weft__expect(l, "a port of one device, P1 to P254: of systems with several devices the cables inside are not known, as .ibnl files are not read; list each device as a system");
	ahead = *l;
	if (!weft__skip_char(&ahead, 'P') ||
	    !weft__skip_decimal(&ahead, &value) || !value ||
	    value > WEFT_MAX_PORTS ||
	    (!weft__at_end(&ahead) && *ahead.p != ' ' && *ahead.p != '\t'))
		return false;
	l->p = ahead.p;
	*number = (uint8_t)value;
	return true;
}

/* "->", "-4x->", "-5G->" or "-4x-5G->" */
static bool arrow(struct weft__line *l, struct cable *c)
{
	struct weft__line at;
	const char *begin;

	weft__skip_blanks(l);
	weft__expect(l, "the cable, as -> or -4x-10G->");
	at = *l;
	if (!weft__skip_char(&at, '-'))
		return false;
	while (!weft__skip_char(&at, '>')) {
		size_t length;

		for (begin = at.p; at.p < at.end && *at.p != '-'; at.p++)
			if (*at.p == ' ' || *at.p == '\t')
				return false;
		length = (size_t)(at.p - begin);
		if (!length || !weft__skip_char(&at, '-'))
			return false;
		if (begin[length - 1] == 'x')
			c->width = weft__width_of(begin, length);
		else if (begin[length - 1] == 'G')
			c->speed = weft__speed_of_gbps(begin, length - 1);
		else
			return false;
	}
	l->p = at.p;
	return true;
}

static bool parse_cable(struct weft__line *l, struct cable *c)
{
	*c = (struct cable){ .far.line = (uint32_t)l->number };
	if (!port(l, &c->port) || !arrow(l, c) ||
	    !word(l, "the type of the system at the far end", &c->far.type) ||
	    !word(l, "the name of the system at the far end", &c->far.name) ||
	    !port(l, &c->far.port))
		return false;
	weft__skip_blanks(l);
	weft__expect(l, "the end of the line");
	return weft__at_end(l);
}

/* MTS2400 S-1 */
static bool parse_system(struct weft__line *l, struct mention *m)
{
	*m = (struct mention){ .line = (uint32_t)l->number };
	if (!word(l, "the type of a system", &m->type) ||
	    !word(l, "the name of the system", &m->name))
		return false;
	weft__skip_blanks(l);
	weft__expect(l, "the end of the line: boards of a system (CFG:) are not known, as .ibnl files are not read; list each device as a system");
	return weft__at_end(l);
}

/* --- systems ---------------------------------------------------------- */

static int mention(struct reader *r, const struct mention *m)
{
	if (weft__grow(&r->mention, &r->capacity, r->n + 1ull))
		return weft_no_memory(r->t->diag);
	r->mention[r->n++] = *m;
	return 0;
}

static int compare_text(const struct text *a, const struct text *b)
{
	return weft__named_compare(a->p, a->length, b->p, b->length);
}

static int compare_names(const void *pa, const void *pb)
{
	const struct mention *a = pa, *b = pb;
	int order = compare_text(&a->name, &b->name);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_types(const void *pa, const void *pb)
{
	const struct mention *a = pa, *b = pb;
	int order = compare_text(&a->type, &b->type);

	return order ? order : compare_names(pa, pb);
}

/* Every mention has the highest port of its type then. */
static void count_ports(struct reader *r)
{
	qsort(r->mention, r->n, sizeof(*r->mention), compare_types);
	for (uint32_t i = 0, k; i < r->n; i = k) {
		uint8_t most = 1;

		for (k = i; k < r->n && !compare_text(&r->mention[i].type,
						      &r->mention[k].type); k++)
			if (r->mention[k].port > most)
				most = r->mention[k].port;
		for (uint32_t m = i; m < k; m++)
			r->mention[m].port = most;
	}
	qsort(r->mention, r->n, sizeof(*r->mention), compare_names);
}

/* The devices of Mellanox' adapters, and what they are sold as. */
static bool is_adapter(const struct text *type)
{
	static const char *const begin[] = {
		"HCA", "MT23", "MT25", "MT26", "MT27", "MT28", "MT40", "MT41",
		"MCX", "ConnectX",
	};
	struct weft__line l = { .p = type->p, .end = type->p + type->length };

	for (size_t i = 0; i < sizeof(begin) / sizeof(*begin); i++)
		if (weft__skip_text(&l, begin[i]))
			return true;
	return false;
}

static int add_system(struct reader *r, const struct mention *m)
{
	struct weft_node_spec spec = {
		.guid = FIRST_GUID + (uint64_t)r->names.n * GUIDS_EACH,
		.type = is_adapter(&m->type) ? WEFT_NODE_CA : WEFT_NODE_SWITCH,
		.nports = m->port, .more_ports = 1, .line = m->line,
	};
	struct weft__named named = { m->name.p, m->name.length, 0, m->line };
	bool again;
	int err = weft__topology_node(r->t, &spec, &named.node, &again);

	if (err)
		return err;
	weft__topology_name(r->t, named.node, named.name, named.length);
	return weft__named_add(&r->names, r->t, &named);
}

static int refuse_type(struct reader *r, const struct mention *m,
		       const struct mention *before)
{
	return weft__topology_bad(r->t, m->line,
		"\"%.*s\" is of another type in line %u: a name belongs to one system",
		(int)(m->name.length < 64 ? m->name.length : 64), m->name.p,
		before->line);
}

static int add_systems(struct reader *r)
{
	int err = 0;

	if (!r->n)
		return 0;
	count_ports(r);
	for (uint32_t i = 0; i < r->n && !err; i++) {
		const struct mention *m = &r->mention[i];

		if (!i || compare_text(&m->name, &m[-1].name))
			err = add_system(r, m);
		else if (compare_text(&m->type, &m[-1].type))
			err = refuse_type(r, m, m - 1);
	}
	return err;
}

/* --- passes ----------------------------------------------------------- */

/* What one end says of a cable. */
static int claim(struct reader *r, const struct mention *own, uint8_t own_port,
		 const struct mention *far, uint8_t far_port,
		 const struct cable *c)
{
	const struct weft__named *a = weft__named_find(&r->names, own->name.p,
						       own->name.length);
	struct weft__claim claim = {
		.node = a->node, .line = c->far.line, .port = own_port,
		.peer_name = far->name.p, .peer_name_length = far->name.length,
		.peer_port = far_port, .peer_lid = WEFT__UNSAID,
		.width = c->width, .speed = c->speed,
	};

	return weft__topology_claim(r->t, &claim);
}

static int read_cable(struct reader *r, bool names)
{
	struct mention own = r->here;
	struct cable c;
	int err;

	if (!own.name.length)
		return bad(r, "a cable without the line of its system above it");
	if (!parse_cable(&r->line, &c))
		return bad(r, "a cable's line that cannot be read");
	if (names) {
		own.port = c.port;
		err = mention(r, &own);
		return err ? err : mention(r, &c.far);
	}
	err = claim(r, &own, c.port, &c.far, c.far.port, &c);
	return err ? err : claim(r, &c.far, c.far.port, &own, c.port, &c);
}

static int read_line(struct reader *r, bool names)
{
	struct weft__line *l = &r->line;

	weft__skip_blanks(l);
	if (weft__at_end(l) || *l->p == '#')
		return 0;
	if (weft__find_text(l, "->"))
		return read_cable(r, names);
	if (!parse_system(l, &r->here))
		return bad(r, "a system's line that cannot be read");
	return names ? mention(r, &r->here) : 0;
}

static int pass(struct reader *r, const struct weft__source *source, bool names)
{
	struct weft__lines lines = weft__lines_begin(source, r->t->diag);
	int err = 0;

	r->here.name.length = 0;
	while (!err && weft__lines_next(&lines, &r->line, &err))
		err = read_line(r, names);
	return err;
}

static int read_topo(const struct weft__source *source,
		     struct weft__topology *topology)
{
	struct reader r = { .t = topology };
	int err;

	topology->no_lids = true;
	err = pass(&r, source, true);
	if (!err)
		err = add_systems(&r);
	if (!err)
		err = pass(&r, source, false);
	if (!err)
		err = weft__named_resolve(&r.names, topology);
	free(r.mention);
	weft__named_free(&r.names);
	return err;
}

/* P1 -4x-5G-> MT23108 H-1 P1, or the same of a port that is not read */
static bool recognises(struct weft__line l)
{
	struct text own, type, far, last;
	struct cable c;

	return word(&l, "", &own) && arrow(&l, &c) && word(&l, "", &type) &&
	       word(&l, "", &far) && word(&l, "", &last) && weft__at_end(&l);
}

const struct weft__format weft__format_topo = {
	.row = { ".topo of ibdm", WEFT_FILE_TOPOLOGY },
	.recognises = recognises,
	.read_topology = read_topo,
	.examples = { "a plan of ibdm (.topo)" },
};
