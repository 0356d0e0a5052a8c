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
 * Node GUIDs and numbers of ports are not told, see port_rows.h.  Where ' - '
 * within a name makes a row ambiguous, the name in other rows decides.
 */
#include "io/formats.h"
#include "io/topology/port_rows.h"
#include "io/topology/topology.h"

#include <errno.h>

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
static bool parse_end(struct weft__line *l, struct weft__port_end *e)
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

static void parse_rate(struct weft__port_rows *r, struct weft__line *l,
		       struct weft__port_row *row)
{
	const char *width, *speed;
	size_t nwidth = weft__skip_word(l, &width),
	       nspeed = weft__skip_word(l, &speed);

	row->width = weft__width_of(width, nwidth);
	row->speed = weft__speed_of(speed, nspeed);
	if ((!row->width && nwidth && *width != '?') ||
	    (!row->speed && nspeed && *speed != '?'))
		weft__topology_note(r->t, WEFT__ODD_RATE, l->number);
}

static bool parse_name(struct weft__line *l, const char *end,
		       struct weft__port_end *e)
{
	weft__expect(l, "a name between two '");
	if (!weft__skip_char(l, '\'') || l->p >= end || end[-1] != '\'')
		return false;
	e->name = l->p;
	e->name_length = (uint32_t)(end - 1 - l->p);
	return true;
}

/* - SW 5 6 0x... ( 'a' - 'b' ), or 'a' alone */
static bool parse_rest(struct weft__line *l, struct weft__port_end *own,
		       struct weft__port_end *far, struct weft__port_row *row)
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

/* A row, or a line that does not even begin like one. */
static bool begins_row(struct weft__line l)
{
	uint8_t type;

	if (!parse_type(&l, &type))
		return false;
	weft__skip_blanks(&l);
	return !weft__at_end(&l) && weft__is_digit(*l.p);
}

static int read_line(struct weft__port_rows *r, struct weft__line *l)
{
	uint32_t line = (uint32_t)l->number;
	struct weft__port_end own = { .own = true,
				      .line = line,
				      .node = WEFT_NONE };
	struct weft__port_end far = { .line = line, .node = WEFT_NONE };
	struct weft__port_row row;

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
	return weft__port_rows_add(r, &row, &own, &far);
malformed:
	return weft__topology_misread(r->t, line, l,
				      "a row that cannot be read");
}

static int read_rows(const struct weft__source *source,
		     struct weft__topology *topology)
{
	struct weft__lines lines = weft__lines_begin(source, topology->diag);
	struct weft__port_rows r = { .t = topology };
	struct weft__line line;
	int err = 0;

	topology->drop_second_cable = true;
	while (!err && weft__lines_next(&lines, &line, &err))
		err = read_line(&r, &line);
	if (!err)
		err = weft__port_rows_finish(&r);
	weft__port_rows_free(&r);
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
