// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: iblinkinfo, in full and with --line
 *
 * A heading for each node, then a row for each of its ports, cabled or not:
 *
 *   Switch: 0x0008f10500200b50 name:
 *        2    1[  ] ==( 4X  10.0 Gbps Active/  LinkUp)==>  1  1[  ] "n1" ( )
 *        2    3[  ] ==(             Down/ Polling)==>         [  ] "" ( )
 *   CA: n1:
 *     0x0002c90300001001  1  1[  ] ==( ...)==>  2  1[  ] "name" (Could be 12X )
 *
 * LID, port, the connector in brackets, width, speed and state, LID and port at
 * the far end, its name, and what the link could do.  With --line there are no
 * headings; rows begin with the port's GUID and name, and have the GUID of the
 * far end, too:
 *
 *   0x0008f10500200b50 "name"  2  1[  ] ==( ...)==>  0x...  1  1[  ] "n1" ( )
 *
 * What a node is, is told by its heading only.  With --line a GUID with rows of
 * several ports is a switch's, unless these are the planes of an adapter, and so
 * is one with a port number that no adapter has.  In full, the far end is found
 * by LID and port among the rows; where several have the same, by the LID and
 * port that their own rows name, then by names.
 */
#include "io/formats.h"
#include "io/topology/port_rows.h"
#include "io/topology/topology.h"

#include <errno.h>
#include <stdlib.h>

#define UNKNOWN 0xff		/* type of an end that no heading is above */
#define PLANES 4		/* ports of an adapter that share a GUID */
#define ADAPTER_PORTS 8		/* no adapter has more */

struct reader {
	struct weft__port_rows rows;
	struct weft__port_end node;	/* the last heading: type, GUID, name */
};

/* --- lines ------------------------------------------------------------ */

/* "CA: name:" or "Switch: 0x... name:", with or without the first colon. */
static bool heading(struct reader *r, struct weft__line l)
{
	struct weft__port_end node = { .type = WEFT_NODE_SWITCH };

	if (weft__skip_text(&l, "CA"))
		node.type = WEFT_NODE_CA;
	else if (weft__skip_text(&l, "Router"))
		node.type = WEFT_NODE_ROUTER;
	else if (!weft__skip_text(&l, "Switch"))
		return false;
	weft__skip_char(&l, ':');
	if (weft__at_end(&l) || *l.p != ' ' || l.end[-1] != ':')
		return false;
	weft__skip_blanks(&l);
	if (node.type == WEFT_NODE_SWITCH &&
	    (!weft__skip_0x(&l, &node.guid) || !weft__skip_char(&l, ' ')))
		return false;
	node.name = l.p;
	node.name_length = (uint32_t)(l.end - 1 - l.p);
	r->node = node;
	return true;
}

/* "2  35[ 5]" */
static bool parse_port(struct weft__line *l, struct weft__port_end *e)
{
	struct weft__line ahead;
	uint32_t port;

	weft__skip_blanks(l);
	weft__expect(l, "the LID, a decimal number");
	if (!weft__skip_decimal(l, &e->lid))
		return false;
	weft__skip_blanks(l);
	weft__expect(l, "the port, 1 to 254, and its connector in brackets");
	ahead = *l;
	if (!weft__skip_decimal(&ahead, &port) || !port ||
	    port > WEFT_MAX_PORTS || !weft__skip_char(&ahead, '['))
		return false;
	ahead.p = weft__find_char(&ahead, ']');
	if (!ahead.p)
		return false;
	e->port = (uint8_t)port;
	l->p = ahead.p + 1;
	return true;
}

/* The GUID and, between two quotes, the name that blanks fill up at the left:
 * before the LID with --line, the GUID alone in full. */
static bool parse_own(struct reader *r, struct weft__line *l,
		      struct weft__port_end *e)
{
	const char *close;

	weft__skip_blanks(l);
	e->type = r->node.type;
	e->guid = r->node.guid;
	e->name = r->node.name;
	e->name_length = r->node.name_length;
	if (!weft__skip_0x(l, &e->guid))
		return weft__expect(l,
				    "the port GUID, 0x and hexadecimal digits, or a node's line above") &&
		       e->type == WEFT_NODE_SWITCH;
	weft__skip_blanks(l);
	if (weft__at_end(l) || *l->p != '"')
		return weft__expect(l,
				    "the name in quotes, or a node's line above") && e->type != UNKNOWN;
	weft__expect(l, "the name, between two quotes");
	close = memrchr(l->p, '"', (size_t)(l->end - l->p));
	if (close == l->p)
		return false;
	e->type = UNKNOWN;
	l->p++;
	weft__skip_blanks(l);
	e->name = l->p;
	e->name_length = (uint32_t)(close - l->p);
	l->p = close + 1;
	return true;
}

/* " 4X  10.0 Gbps (FDR10) Active/  LinkUp" */
static void parse_link(struct reader *r, struct weft__line l,
		       struct weft__port_row *row)
{
	const char *width, *speed;
	size_t nwidth = weft__skip_word(&l, &width),
	       nspeed = weft__skip_word(&l, &speed);
	char lower[4] = { 0 };

	for (size_t i = 0; i < nwidth && i < sizeof(lower) - 1; i++)
		lower[i] = width[i] == 'X' ? 'x' : width[i];
	row->width = weft__width_of(lower, nwidth);
	row->speed = weft__find_text(&l, "(FDR10)") ? WEFT_FDR10 :
		     weft__speed_of_gbps(speed, nspeed);
	if (!row->width || (!row->speed && weft__is_digit(*speed)))
		weft__topology_note(r->rows.t, WEFT__ODD_RATE, l.number);
}

/* The far end; nothing of it where the port is not cabled. */
static bool parse_far(struct weft__line *l, struct weft__port_end *e,
		      bool *cabled)
{
	const char *close;

	weft__skip_blanks(l);
	*cabled = !weft__at_end(l) && weft__is_digit(*l->p);
	if (!*cabled)
		return true;
	weft__skip_0x(l, &e->guid);
	if (!parse_port(l, e))
		return false;
	weft__skip_blanks(l);
	weft__expect(l, "the name, between two quotes");
	close = memrchr(l->p, '"', (size_t)(l->end - l->p));
	if (!weft__skip_char(l, '"') || close < l->p)
		return false;
	e->name = l->p;
	e->name_length = (uint32_t)(close - l->p);
	return true;
}

static bool parse_row(struct reader *r, struct weft__line *l,
		      struct weft__port_end end[2], struct weft__port_row *row)
{
	struct weft__line own = *l, link = *l, far = *l;

	own.end = link.p = weft__find_text(l, "==(");
	far.p = link.end = weft__find_text(&link, ")==>");
	link.p += strlen("==(");
	if (!parse_own(r, &own, &end[0]) || !parse_port(&own, &end[0])) {
		*l = own;
		return false;
	}
	far.p += strlen(")==>");
	if (!parse_far(&far, &end[1], &row->cabled)) {
		*l = far;
		return false;
	}
	if (row->cabled)
		parse_link(r, link, row);
	return true;
}

/* "==(", and ")==>" behind it. */
static bool is_row(struct weft__line l)
{
	l.p = weft__find_text(&l, "==(");
	return l.p && weft__find_text(&l, ")==>");
}

static int read_line(struct reader *r, struct weft__line *l)
{
	uint32_t line = (uint32_t)l->number;
	struct weft__port_end end[2] = {
		{ .own = true, .line = line, .node = WEFT_NONE },
		{ .type = UNKNOWN, .line = line, .node = WEFT_NONE },
	};
	struct weft__port_row row = { 0 };

	if (!is_row(*l)) {
		weft__skip_blanks(l);
		if (!weft__at_end(l) && *l->p != '#' && !heading(r, *l))
			weft__topology_foreign(r->rows.t, l);
		return 0;
	}
	if (!parse_row(r, l, end, &row))
		return weft__topology_misread(
			r->rows.t, line, l,
			"a port's row that cannot be read");
	return weft__port_rows_add(&r->rows, &row, &end[0], &end[1]);
}

/* --- far ends of the full form ---------------------------------------- */

/* Rows are sorted by their own end, then by their far one, which follows it. */
static int compare_ends(const struct weft__port_end *a,
			const struct weft__port_end *b)
{
	if (a->lid != b->lid)
		return a->lid < b->lid ? -1 : 1;
	return a->port - b->port;
}

static int compare_places(const void *pa, const void *pb)
{
	const struct weft__port_end *a = *(struct weft__port_end *const *)pa;
	const struct weft__port_end *b = *(struct weft__port_end *const *)pb;
	int order = compare_ends(a, b);

	return order ? order : compare_ends(a + 1, b + 1);
}

/* The first of the sorted rows that is not before the wanted place; of the far
 * end if so told, too. */
static uint32_t first_at(const struct reader *r,
			 struct weft__port_end *const *own,
			 const struct weft__port_end *near,
			 const struct weft__port_end *far)
{
	uint32_t low = 0, high = r->rows.n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		int order = compare_ends(own[mid], near);

		if (!order && far)
			order = compare_ends(own[mid] + 1, far);
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool same_name(const struct weft__port_end *a,
		      const struct weft__port_end *b)
{
	return a->name_length == b->name_length &&
	       !memcmp(a->name, b->name, a->name_length);
}

/*
 * The GUID of the rows from the first one on that stand at the far end of a
 * row: of those whose own far end is that row if so told, of those that carry
 * the names, too.  0: there is none; *several: there are two.
 */
static uint64_t guid_at(const struct reader *r,
			struct weft__port_end *const *own,
			const struct weft__port_end *row, bool mutual,
			bool named, bool *several)
{
	uint64_t guid = 0;

	*several = false;
	for (uint32_t i = first_at(r, own, row + 1, mutual ? row : NULL);
	     i < r->rows.n && !compare_ends(own[i], row + 1); i++) {
		const struct weft__port_end *there = own[i];

		if (mutual && compare_ends(there + 1, row))
			break;
		if (named && (!same_name(there, row + 1) ||
			      !same_name(there + 1, row)))
			continue;
		*several |= guid && guid != there->guid;
		guid = there->guid;
		if (*several)
			break;
	}
	return guid;
}

/*
 * A row's far end by LID and port.  Where several have these, as ports without
 * a LID all have 0, their own rows tell, which name the LID and port here; then
 * names do.  -EINVAL (said) where nothing does.
 */
static int find_far(struct reader *r, struct weft__port_end *const *own,
		    struct weft__port_end *row)
{
	static const struct {
		bool mutual, named;
	} by[] = { { false, false }, { true, false }, { true, true } };
	struct weft__port_end *far = row + 1;
	bool several = false;

	for (size_t i = 0; i < sizeof(by) / sizeof(*by); i++) {
		uint64_t guid = guid_at(r, own, row, by[i].mutual, by[i].named,
					&several);

		if (!guid && !i)
			return weft__topology_bad(
				r->rows.t, far->line,
				"port %u of LID %u at the far end has no row, and so no GUID: run iblinkinfo for all nodes, or with --line",
				far->port, far->lid);
		far->guid = guid;
		if (guid && !several)
			return 0;
	}
	return weft__topology_bad(
		r->rows.t, far->line,
		"two nodes have LID %u, and nothing else tells the far ends apart: run iblinkinfo with --line",
		far->lid);
}

static int find_all_far(struct reader *r)
{
	struct weft__port_end **own = malloc((r->rows.n + 1ull) *
					     sizeof(*own));
	int err = 0;

	if (!own)
		return weft_no_memory(r->rows.t->diag);
	for (uint32_t i = 0; i < r->rows.n; i++)
		own[i] = &r->rows.end[2 * i];
	qsort(own, r->rows.n, sizeof(*own), compare_places);
	for (uint32_t i = 0; i < r->rows.n && !err; i++)
		if (r->rows.row[i].cabled && !r->rows.end[2 * i + 1].guid)
			err = find_far(r, own, &r->rows.end[2 * i]);
	free(own);
	return err;
}

/* --- types without headings ------------------------------------------- */

static int compare_guids(const void *pa, const void *pb)
{
	const struct weft__port_end *a = *(struct weft__port_end *const *)pa;
	const struct weft__port_end *b = *(struct weft__port_end *const *)pb;

	return a->guid == b->guid ? 0 : a->guid < b->guid ? -1 : 1;
}

/* What n ends with one GUID are. */
static uint8_t type_of(const struct reader *r,
		       struct weft__port_end *const *end, uint32_t n)
{
	unsigned highest = 0;
	bool several = false, planes = true;

	for (uint32_t i = 0; i < n; i++) {
		size_t row = (size_t)(end[i] - r->rows.end) / 2;

		if (end[i]->type != UNKNOWN)
			return end[i]->type;
		several |= end[i]->port != end[0]->port;
		planes &= r->rows.row[row].speed == WEFT_XDR;
		if (end[i]->port > highest)
			highest = end[i]->port;
	}
	if (highest > ADAPTER_PORTS)
		return WEFT_NODE_SWITCH;
	return several && !(planes && highest <= PLANES) ? WEFT_NODE_SWITCH :
							   WEFT_NODE_CA;
}

static int find_types(struct reader *r)
{
	struct weft__port_end **end = malloc((2ull * r->rows.n + 1) *
					     sizeof(*end));
	uint32_t n = 0, next;

	if (!end)
		return weft_no_memory(r->rows.t->diag);
	for (uint32_t i = 0; i < 2 * r->rows.n; i++)
		if (i % 2 == 0 || r->rows.row[i / 2].cabled)
			end[n++] = &r->rows.end[i];
	qsort(end, n, sizeof(*end), compare_guids);
	for (uint32_t i = 0; i < n; i = next) {
		uint8_t type;

		for (next = i + 1; next < n && end[next]->guid == end[i]->guid;)
			next++;
		type = type_of(r, end + i, next - i);
		for (uint32_t j = i; j < next; j++)
			end[j]->type = type;
	}
	free(end);
	return 0;
}

/* --- the file --------------------------------------------------------- */

static int read_iblinkinfo(const struct weft__source *source,
			   struct weft__topology *topology)
{
	struct weft__lines lines = weft__lines_begin(source, topology->diag);
	struct reader r = {
		.rows = { .t = topology, .may_be_switches_only = true },
		.node.type = UNKNOWN,
	};
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err))
		err = read_line(&r, &line);
	if (!err)
		err = find_all_far(&r);
	if (!err)
		err = find_types(&r);
	if (!err)
		err = weft__port_rows_finish(&r.rows);
	weft__port_rows_free(&r.rows);
	return err;
}

const struct weft__format weft__format_iblinkinfo = {
	.row = { "iblinkinfo", WEFT_FILE_TOPOLOGY },
	.recognises = is_row,
	.read_topology = read_iblinkinfo,
	.names = { "*.iblinkinfo", "iblinkinfo*" },
	.examples = { "iblinkinfo" },
};
