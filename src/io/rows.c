// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: the port report, ibnetdiscover -p
 *
 * A row for each port that the node described, cabled or not:
 *
 *   SW    19 24 0x00066a00ec002dea 4x QDR - SW     5  6 0x... ( 'a' - 'b' )
 *   CA   305  1 0x0011750000790cd4 4x QDR - SW    19 10 0x... ( 'c' - 'a' )
 *   SW   479 22 0x0002c9020040f161 4x SDR                       'a'
 *
 * type, LID, port number, port GUID, width, speed, and the same of the far end.
 * Node GUIDs and numbers of ports are not told:
 *
 *   switch    all its rows have the GUID of port 0, which serves as node GUID;
 *             its number of ports is the highest that occurs
 *   adapter   ports that carry the same name and whose GUIDs differ by as much
 *             as their numbers are one node (adapters with one node for several
 *             ports number their GUIDs so), and so are ports that share a GUID
 *             (planes); the node gets the lowest port's GUID
 *
 * Rows are collected first, then their ends are sorted by GUID to find the
 * nodes, then the rows become claims.  Where ' - ' within a name makes a row
 * ambiguous, the name in other rows decides.
 */
#include "io/formats.h"
#include "io/topology.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* One end of a row. */
struct end {
	uint64_t guid;
	uint64_t base;		/* the same for all ends of one node */
	const char *name;
	uint32_t name_length;
	uint32_t lid;
	uint32_t line;
	uint32_t node;		/* handle, once found */
	uint8_t type, port;
	bool own;		/* the end that the row is about */
	bool unsure;		/* of its name: one of the two has ' - ' */
};

struct row {
	uint8_t width, speed;
	bool cabled;
};

struct reader {
	struct weft__topology *t;
	struct row *row;
	struct end *end;	/* two for each row; that of the far end is
				 * unused in rows of unconnected ports */
	uint32_t n, capacity;
};

/* --- parsing ---------------------------------------------------------- */

static bool parse_type(struct weft__line *l, uint8_t *type)
{
	weft__skip_blanks(l);
	weft__expect(l, "the type of the node, SW, CA or RT");
	if (weft__skip_text(l, "SW "))
		*type = WEFT_NODE_SWITCH;
	else if (weft__skip_text(l, "CA "))
		*type = WEFT_NODE_CA;
	else if (weft__skip_text(l, "RT "))
		*type = WEFT_NODE_ROUTER;
	else
		return false;
	return true;
}

/* SW    19 24 0x00066a00ec002dea */
static bool parse_end(struct weft__line *l, struct end *e)
{
	struct weft__line ahead;
	uint32_t port;

	if (!parse_type(l, &e->type))
		return false;
	weft__skip_blanks(l);
	weft__expect(l, "the LID, a decimal number");
	if (!weft__skip_decimal(l, &e->lid))
		return false;
	weft__skip_blanks(l);
	weft__expect(l, "the port, 1 to 254");
	ahead = *l;
	if (!weft__skip_decimal(&ahead, &port) || !port ||
	    port > WEFT_MAX_PORTS)
		return false;
	e->port = (uint8_t)port;
	l->p = ahead.p;
	weft__skip_blanks(l);
	weft__expect(l, "the port GUID, 0x and hexadecimal digits");
	return weft__skip_0x(l, &e->guid);
}

static size_t word(struct weft__line *l, const char **begin)
{
	weft__skip_blanks(l);
	for (*begin = l->p; l->p < l->end && *l->p != ' ' && *l->p != '\t';)
		l->p++;
	return (size_t)(l->p - *begin);
}

static void parse_rate(struct reader *r, struct weft__line *l, struct row *row)
{
	const char *width, *speed;
	size_t nwidth = word(l, &width), nspeed = word(l, &speed);

	row->width = weft__width_of(width, nwidth);
	row->speed = weft__speed_of(speed, nspeed);
	if ((!row->width && nwidth && *width != '?') ||
	    (!row->speed && nspeed && *speed != '?'))
		weft__topology_note(r->t, WEFT__ODD_RATE, l->number);
}

static bool parse_name(struct weft__line *l, const char *end, struct end *e)
{
	weft__expect(l, "a name between two '");
	if (!weft__skip_char(l, '\'') || l->p >= end || end[-1] != '\'')
		return false;
	e->name = l->p;
	e->name_length = (uint32_t)(end - 1 - l->p);
	return true;
}

/* - SW 5 6 0x... ( 'a' - 'b' ), or 'a' alone */
static bool parse_rest(struct weft__line *l, struct end *own, struct end *far,
		       struct row *row)
{
	const char *middle;

	weft__skip_blanks(l);
	while (l->end > l->p && (l->end[-1] == ' ' || l->end[-1] == '\t'))
		l->end--;
	row->cabled = weft__skip_char(l, '-');
	if (!row->cabled)
		return parse_name(l, l->end, own);
	if (!parse_end(l, far))
		return false;
	weft__skip_blanks(l);
	weft__expect(l, "both names, as ( 'a' - 'b' )");
	if (!weft__skip_text(l, "( ") || l->end - l->p < 2 ||
	    memcmp(l->end - 2, " )", 2))
		return false;
	l->end -= 2;
	middle = weft__find_text(l, "' - '");
	if (!middle || !parse_name(l, middle + 1, own))
		return false;
	l->p = middle + 4;
	own->unsure = far->unsure = weft__find_text(l, "' - '") != NULL;
	return parse_name(l, l->end, far);
}

static bool room_for_row(struct reader *r)
{
	uint32_t capacity = r->capacity + r->capacity / 2 + 1024;
	struct row *row;
	struct end *end;

	if (r->n < r->capacity)
		return true;
	if (capacity >= WEFT_ENDPORT)
		return false;
	row = realloc(r->row, capacity * sizeof(*row));
	if (row)
		r->row = row;
	end = realloc(r->end, 2ull * capacity * sizeof(*end));
	if (end)
		r->end = end;
	if (!row || !end)
		return false;
	r->capacity = capacity;
	return true;
}

/* A row, or a line that does not even begin like one. */
static bool begins_row(struct weft__line l)
{
	uint8_t type;

	if (!parse_type(&l, &type))
		return false;
	weft__skip_blanks(&l);
	return !weft__at_end(&l) && weft__is_digit(*l.p);
}

static int read_line(struct reader *r, struct weft__line *l)
{
	uint32_t line = (uint32_t)l->number;
	struct end own = { .own = true, .line = line, .node = WEFT_NONE };
	struct end far = { .line = line, .node = WEFT_NONE };
	char misread[WEFT__MISREAD_SIZE];
	struct row row;

	weft__skip_blanks(l);
	if (weft__at_end(l) || *l->p == '#' || weft__skip_text(l, "DR path "))
		return 0;
	if (!begins_row(*l)) {
		weft__topology_foreign(r->t, l);
		return 0;
	}
	if (!parse_end(l, &own))
		goto malformed;
	parse_rate(r, l, &row);
	if (!parse_rest(l, &own, &far, &row))
		goto malformed;
	if (!room_for_row(r))
		return weft_fail(r->t->diag, ENOMEM, "out of memory");
	r->row[r->n] = row;
	r->end[2 * r->n] = own;
	r->end[2 * r->n++ + 1] = far;
	return 0;
malformed:
	return weft__topology_bad(r->t, line, "a row that cannot be read%s%s",
				  weft__misread(l, misread),
				  l->complete ? "" : "; the file was cut here");
}

/* --- ends with one GUID ----------------------------------------------- */

static int compare_guids(const void *pa, const void *pb)
{
	const struct end *a = *(struct end *const *)pa;
	const struct end *b = *(struct end *const *)pb;

	if (a->type != b->type)
		return a->type - b->type;
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return b->own - a->own;
}

/* Better: of a row with two plain names; else the longer one, as a row is split
 * at the first place possible. */
static bool better_name(const struct end *a, const struct end *b)
{
	if (a->unsure != b->unsure)
		return b->unsure;
	return a->unsure && a->name_length > b->name_length;
}

/* Settles what n ends with one GUID have in common. */
static void settle(struct end *const *end, uint32_t n)
{
	const struct end *best = end[0];
	unsigned port = best->port;

	for (uint32_t i = 1; i < n; i++) {
		if (better_name(end[i], best))
			best = end[i];
		if (end[i]->port < port)
			port = end[i]->port;
	}
	for (uint32_t i = 0; i < n; i++) {
		end[i]->name = best->name;
		end[i]->name_length = best->name_length;
		end[i]->base = best->type == WEFT_NODE_SWITCH ? best->guid :
							best->guid - port;
	}
}

static void settle_all(struct end **end, uint32_t n)
{
	uint32_t next;

	qsort(end, n, sizeof(*end), compare_guids);
	for (uint32_t i = 0; i < n; i = next) {
		for (next = i + 1; next < n &&
		     end[next]->type == end[i]->type &&
		     end[next]->guid == end[i]->guid;)
			next++;
		settle(end + i, next - i);
	}
}

/* --- nodes ------------------------------------------------------------ */

static int compare_names(const struct end *a, const struct end *b)
{
	uint32_t n = a->name_length < b->name_length ? a->name_length :
						       b->name_length;
	int order = memcmp(a->name, b->name, n);

	return order ? order : (a->name_length > b->name_length) -
			       (a->name_length < b->name_length);
}

/* The ends of one node follow each other; within it by port, own rows first. */
static int compare_ends(const void *pa, const void *pb)
{
	const struct end *a = *(struct end *const *)pa;
	const struct end *b = *(struct end *const *)pb;
	int order;

	if (a->type != b->type)
		return a->type - b->type;
	if (a->base != b->base)
		return a->base < b->base ? -1 : 1;
	order = a->type == WEFT_NODE_SWITCH ? 0 : compare_names(a, b);
	if (order)
		return order;
	if (a->port != b->port)
		return a->port - b->port;
	if (a->own != b->own)
		return b->own - a->own;
	return (a->line > b->line) - (a->line < b->line);
}

static bool same_node(const struct end *a, const struct end *b)
{
	return a->type == b->type && a->base == b->base &&
	       (a->type == WEFT_NODE_SWITCH || !compare_names(a, b));
}

/* One that states its own LID if there is any: prefer it over the others. */
static const struct end *spokesman(struct end *const *end, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (end[i]->own)
			return end[i];
	return end[0];
}

/* Port 0 of a switch, or one port of an adapter: what its n ends say. */
static int add_port(struct weft__topology *t, struct end *const *end,
		    uint32_t n, uint32_t node)
{
	const struct end *e = spokesman(end, n);
	struct weft__port_facts facts = { .guid = e->guid, .lid = e->lid,
					  .line = e->line };

	for (uint32_t i = 0; i < n; i++)
		if (end[i]->lid != e->lid)
			weft__topology_note(t, WEFT__LID_MISMATCH,
					    end[i]->line);
	return weft__topology_port(t, node, e->type == WEFT_NODE_SWITCH ?
				   0 : e->port, &facts);
}

/* The node that n ends, sorted, belong to. */
static int add_node(struct weft__topology *t, struct end *const *end,
		    uint32_t n)
{
	const struct end *e = spokesman(end, n);
	struct weft_node_spec spec = { .guid = end[0]->guid, .type = e->type,
				       .nports = end[n - 1]->port,
				       .line = e->line };
	uint32_t node;
	bool again;
	int err = weft__topology_node(t, &spec, &node, &again);

	if (!err && again)
		err = weft__topology_bad(t, e->line, "the GUID 0x%016" PRIx64
			" belongs to another node in line %lu", spec.guid,
			weft_builder_spec(t->builder, node)->line);
	if (err)
		return err;
	weft__topology_name(t, node, e->name, e->name_length);
	if (spec.type == WEFT_NODE_SWITCH) {
		if (!e->own)
			weft__topology_note(t, WEFT__NO_ROWS, e->line);
		err = add_port(t, end, n, node);
	}
	for (uint32_t i = 0, next; i < n && !err; i = next) {
		for (next = i; next < n && end[next]->port == end[i]->port;)
			end[next++]->node = node;
		if (spec.type != WEFT_NODE_SWITCH)
			err = add_port(t, end + i, next - i, node);
	}
	return err;
}

static int add_nodes(struct reader *r)
{
	struct end **end = malloc((2ull * r->n + 1) * sizeof(*end));
	uint32_t n = 0, next;
	int err = 0;

	if (!end)
		return weft_fail(r->t->diag, ENOMEM, "out of memory");
	for (uint32_t i = 0; i < r->n; i++) {
		end[n++] = &r->end[2 * i];
		if (r->row[i].cabled)
			end[n++] = &r->end[2 * i + 1];
	}
	settle_all(end, n);
	qsort(end, n, sizeof(*end), compare_ends);
	for (uint32_t i = 0; i < n && !err; i = next) {
		for (next = i + 1; next < n && same_node(end[i], end[next]);)
			next++;
		err = add_node(r->t, end + i, next - i);
	}
	free(end);
	return err;
}

/* --- cables ----------------------------------------------------------- */

static int add_claims(struct reader *r)
{
	struct weft_builder *b = r->t->builder;
	int err = 0;

	for (uint32_t i = 0; i < r->n && !err; i++) {
		const struct end *own = &r->end[2 * i], *far = own + 1;
		struct weft__claim claim = {
			.node = own->node, .port = own->port,
			.line = own->line, .peer_type = far->type,
			.peer_port = far->port, .peer_port_guid = far->guid,
			.peer_lid = WEFT__UNSAID,	/* compared already */
			.width = r->row[i].width, .speed = r->row[i].speed,
		};

		if (!r->row[i].cabled)
			continue;
		claim.peer_guid = weft_builder_spec(b, far->node)->guid;
		err = weft__topology_claim(r->t, &claim);
	}
	return err;
}

static int read_rows(const struct weft__source *source,
		     struct weft__topology *topology)
{
	struct weft__lines lines = weft__lines_begin(source);
	struct reader r = { .t = topology };
	struct weft__line line;
	int err = 0;

	topology->drop_second_cable = true;
	while (!err && weft__lines_next(&lines, &line))
		err = read_line(&r, &line);
	if (!err)
		err = add_nodes(&r);
	if (!err)
		err = add_claims(&r);
	free(r.row);
	free(r.end);
	return err;
}

/* SW    19 24 0x00066a00ec002dea 4x QDR ... */
static bool recognises(struct weft__line l)
{
	return (weft__skip_text(&l, "SW ") || weft__skip_text(&l, "CA ") ||
		weft__skip_text(&l, "RT ")) &&
	       weft__skip_number(&l) && weft__skip_number(&l) &&
	       weft__skip_guid(&l);
}

const struct weft__format weft__format_rows = {
	.row = { "ibnetdiscover -p", WEFT_FILE_TOPOLOGY },
	.recognises = recognises,
	.read_topology = read_rows,
};
