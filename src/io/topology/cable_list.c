// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: lists of cables, one a row
 *
 * Plans as comma-separated values, whose first line names the columns: those of
 * weft gen --cabling, and the NDT of UFM's plugin.
 *
 *   rack_a,node_a,port_a,rack_b,node_b,port_b,link,type_a,type_b
 *   Start Device,Start Port,End Device,End Port,Link Type
 *
 * GUIDs are made up: nodes are known by names.  An NDT does not tell switches from
 * adapters: a device whose name ends in IB and a number is a switch, as UFM has
 * it, and so is one with a port above 4 or cables at three or more; an adapter
 * else.  Ports of an adapter need not be numbers, "mlx5_0" or nothing: they get
 * those that are left, in the order of their names, and nobody else has such
 * ports.  Rows whose link type is told and not "Data" are left aside.
 */
#include "io/formats.h"
#include "io/topology/csv_sections.h"
#include "io/topology/named.h"

#include "core/grow.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_GUID 0x7efe000000000000 /* nobody has been given these */
#define GUIDS_EACH 256
#define ADAPTER_PORTS 4 /* of adapters that nobody called so, at most */

enum column { NODE_A, PORT_A, NODE_B, PORT_B, LINK, TYPE_A, TYPE_B, COLUMNS };

static const struct weft__csv_column of_weft[COLUMNS] = {
	{ "node_a", WEFT__CSV_TEXT, true },
	{ "port_a", WEFT__CSV_TEXT, true },
	{ "node_b", WEFT__CSV_TEXT, true },
	{ "port_b", WEFT__CSV_TEXT, true },
	{ "link", WEFT__CSV_TEXT, false },
	{ "type_a", WEFT__CSV_TEXT, false },
	{ "type_b", WEFT__CSV_TEXT, false },
}, of_ndt[COLUMNS] = {
	{ "Start Device", WEFT__CSV_TEXT, true },
	{ "Start Port", WEFT__CSV_ANY, true },
	{ "End Device", WEFT__CSV_TEXT, true },
	{ "End Port", WEFT__CSV_ANY, true },
	{ "Link Type", WEFT__CSV_TEXT, false },
	{ "Start Type", WEFT__CSV_TEXT, false },
	{ "End Type", WEFT__CSV_TEXT, false },
};

/* One end of a cable; two of them follow each other. */
struct end {
	const char *name, *port_name; /* that of a port without a number */
	uint32_t length, port_length;
	uint32_t line;
	uint8_t port, width, speed; /* port 0: has no number yet */
	bool is_switch, is_host; /* as far as a row tells */
};

struct reader {
	struct weft__topology *t;
	struct end *end;
	size_t capacity;
	uint32_t n;
	bool ndt;
	struct weft__by_name names;
};

static bool is_text(const struct weft__csv_value *v, const char *text)
{
	return v->told && v->length == strlen(text) &&
	       !memcmp(v->text, text, v->length);
}

/* A name that ends in IB and a number. */
static bool ends_in_ib(const char *name, size_t n)
{
	size_t digits = 0;

	while (digits < n && weft__is_digit(name[n - 1 - digits]))
		digits++;
	return digits && n - digits >= 2 &&
	       !memcmp(name + n - digits - 2, "IB", 2);
}

/* "Port 21", or 21 */
static bool read_port(const struct weft__csv_value *v, uint8_t *port)
{
	struct weft__line l = { .p = v->text, .end = v->text + v->length };
	uint32_t n;

	weft__skip_text(&l, "Port ");
	if (!weft__skip_decimal(&l, &n) || !weft__at_end(&l) || !n ||
	    n > WEFT_MAX_PORTS)
		return false;
	*port = (uint8_t)n;
	return true;
}

/* "4xQDR" */
static void read_rate(const struct weft__csv_value *v, struct end *e)
{
	const char *x = v->told ? memchr(v->text, 'x', v->length) : NULL;
	size_t n = x ? (size_t)(x + 1 - v->text) : 0;

	if (!n)
		return;
	e->width = weft__width_of(v->text, n);
	e->speed = weft__speed_of(v->text + n, v->length - n);
}

static int read_end(struct reader *r, unsigned long line,
		    const struct weft__csv_value *v, unsigned side)
{
	const struct weft__csv_value *name = &v[side ? NODE_B : NODE_A];
	const struct weft__csv_value *port = &v[side ? PORT_B : PORT_A];
	const struct weft__csv_value *type = &v[side ? TYPE_B : TYPE_A];
	struct end *e = &r->end[r->n];

	*e = (struct end){ .name = name->text,
			   .length = (uint32_t)name->length,
			   .line = (uint32_t)line,
			   .is_switch = is_text(type, "switch"),
			   .is_host = is_text(type, "host") };
	if (r->ndt && ends_in_ib(e->name, e->length))
		e->is_switch = true;
	if (!read_port(port, &e->port)) {
		e->port_name = port->text;
		e->port_length = (uint32_t)port->length;
	}
	if (!r->ndt)
		read_rate(&v[LINK], e);
	r->n++;
	return 0;
}

static int read_row(struct weft__topology *t, unsigned long line,
		    const struct weft__csv_value *v)
{
	struct reader *r = t->reader;
	int err;

	if (r->ndt && v[LINK].told && !is_text(&v[LINK], "Data"))
		return 0;
	if (weft__grow(&r->end, &r->capacity, r->n + 2ull))
		return weft_no_memory(t->diag);
	err = read_end(r, line, v, 0);
	return err ? err : read_end(r, line, v, 1);
}

/* --- devices ---------------------------------------------------------- */

static int compare(const void *pa, const void *pb)
{
	const struct end *a = *(const struct end *const *)pa;
	const struct end *b = *(const struct end *const *)pb;
	int order = weft__named_compare(a->name, a->length, b->name, b->length);

	if (!order && !a->port && !b->port)
		order = weft__named_compare(a->port_name, a->port_length,
					    b->port_name, b->port_length);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static bool is_taken(struct end *const *end, uint32_t n, unsigned port)
{
	for (uint32_t i = 0; i < n; i++)
		if (end[i]->port == port)
			return true;
	return false;
}

/* Numbers the ports of an adapter that have names only; -EINVAL (said) for one
 * of a switch. */
static int number_ports(struct reader *r, struct end *const *end, uint32_t n,
			bool is_switch)
{
	unsigned port = 1;

	for (uint32_t i = 0; i < n; i++) {
		struct weft__line text = { .p = end[i]->port_name };

		if (end[i]->port)
			continue;
		text.end = text.p + end[i]->port_length;
		while (is_taken(end, n, port))
			port++;
		if (is_switch || weft__find_text(&text, "Blade") ||
		    port > WEFT_MAX_PORTS)
			return weft__topology_bad(r->t, end[i]->line,
				"\"%.*s\" is no port of one device, a number or 'Port N': of directors the cables inside are not known, so list each blade as a device",
				(int)(end[i]->port_length < 64 ?
				      end[i]->port_length : 64),
				end[i]->port_name);
		end[i]->port = (uint8_t)port;
	}
	return 0;
}

/* Ends of one device, n of them. */
static int add_device(struct reader *r, struct end *const *end, uint32_t n)
{
	struct weft_node_spec spec = {
		.guid = FIRST_GUID + (uint64_t)r->names.n * GUIDS_EACH,
		.type = WEFT_NODE_CA, .more_ports = 1, .line = end[0]->line,
	};
	struct weft__named named = { end[0]->name, end[0]->length, 0,
				     end[0]->line };
	bool is_switch = false, is_host = false, again;
	int err;

	for (uint32_t i = 0; i < n; i++) {
		is_switch |= end[i]->is_switch;
		is_host |= end[i]->is_host || !end[i]->port;
		if (end[i]->port > spec.nports)
			spec.nports = end[i]->port;
	}
	if (is_switch ||
	    (!is_host && (spec.nports > ADAPTER_PORTS || n > 2)))
		spec.type = WEFT_NODE_SWITCH;
	err = number_ports(r, end, n, spec.type == WEFT_NODE_SWITCH);
	for (uint32_t i = 0; i < n; i++)
		if (end[i]->port > spec.nports)
			spec.nports = end[i]->port;
	if (!err)
		err = weft__topology_node(r->t, &spec, &named.node, &again);
	if (err)
		return err;
	weft__topology_name(r->t, named.node, named.name, named.length);
	return weft__named_add(&r->names, r->t, &named);
}

static int add_devices(struct reader *r)
{
	struct end **sorted = malloc((r->n + 1ull) * sizeof(*sorted));
	int err = sorted ? 0 : weft_no_memory(r->t->diag);

	for (uint32_t i = 0; !err && i < r->n; i++)
		sorted[i] = &r->end[i];
	if (!err && r->n)
		qsort(sorted, r->n, sizeof(*sorted), compare);
	for (uint32_t i = 0, k; !err && i < r->n; i = k) {
		for (k = i + 1; k < r->n &&
		     !weft__named_compare(sorted[i]->name, sorted[i]->length,
					  sorted[k]->name, sorted[k]->length);)
			k++;
		err = add_device(r, sorted + i, k - i);
	}
	free(sorted);
	return err;
}

static int claim(struct reader *r, const struct end *own, const struct end *far)
{
	const struct weft__named *a =
		weft__named_find(&r->names, own->name, own->length);
	struct weft__claim claim = {
		.node = a->node, .line = own->line, .port = own->port,
		.peer_name = far->name, .peer_name_length = far->length,
		.peer_port = far->port, .peer_lid = WEFT__UNSAID,
		.width = own->width, .speed = own->speed,
	};

	return weft__topology_claim(r->t, &claim);
}

/* --- the list --------------------------------------------------------- */

static bool begins_ndt(struct weft__line l)
{
	return weft__skip_text(&l, "Start Device,Start Port,");
}

static bool begins_weft(struct weft__line l)
{
	return weft__skip_text(&l, "rack_a,node_a,port_a,");
}

static int read_list(const struct weft__source *source,
		     struct weft__topology *topology)
{
	struct reader r = { .t = topology };
	struct weft__csv_section all = {
		.name = "of cables", .line = 1, .nlines = UINT32_MAX,
		.lines = weft__lines_begin(source, topology->diag),
	};
	struct weft__line first = { .p = source->data,
				    .end = source->data + source->size };
	int err;

	r.ndt = begins_ndt(first);
	topology->no_lids = true;
	topology->reader = &r;
	err = weft__csv_rows(all, topology, r.ndt ? of_ndt : of_weft, COLUMNS,
			     read_row);
	topology->reader = NULL;
	if (!err)
		err = add_devices(&r);
	for (uint32_t i = 0; !err && i < r.n; i++)
		err = claim(&r, &r.end[i], &r.end[i ^ 1]);
	if (!err)
		err = weft__named_resolve(&r.names, topology);
	free(r.end);
	weft__named_free(&r.names);
	return err;
}

static bool recognises(struct weft__line l)
{
	return begins_ndt(l) || begins_weft(l);
}

const struct weft__format weft__format_cable_list = {
	.row = { "list of cables", WEFT_FILE_TOPOLOGY },
	.recognises = recognises,
	.read_topology = read_list,
	.examples = { "a list of cables (weft gen --cabling, UFM's NDT)" },
};
