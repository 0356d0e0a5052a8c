// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cables and switches as people name them; see parts.h. */
#include "tools/common/parts.h"

#include "core/grow.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINE WEFT_IO_LINE_MAX
#define ARROW " -> "

void tool_parts_free(struct tool_parts *p)
{
	free(p->part);
	*p = (struct tool_parts){ NULL, 0 };
}

/* --- nodes ---------------------------------------------------------------- */

static bool name_fits(const char *name, const char *text, bool word)
{
	size_t n = strlen(text);

	return n && !strncmp(name, text, n) &&
	       (!name[n] || (word && name[n] == ' '));
}

/* Vertices that a name fits: a switch or the first endport of a node. */
static uint32_t match(const struct weft_fabric *f, const char *text, bool word,
		      uint32_t *vertex)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		if (name_fits(f->sw[s].name, text, word) && !n++)
			*vertex = s;
	for (uint32_t i = 0; i < f->nnodes; i++)
		if (f->node[i].nendports &&
		    name_fits(f->node[i].name, text, word) && !n++)
			*vertex = f->node_endport[f->node[i].first_endport] |
				  WEFT_ENDPORT;
	return n;
}

static bool by_guid(const struct weft_fabric *f, const char *text,
		    uint32_t *vertex)
{
	uint64_t guid;
	uint32_t id;

	if (!weft_number_0x(text, &guid))
		return false;
	id = weft_fabric_switch_by_guid(f, guid);
	if (id == WEFT_NONE) {
		id = weft_fabric_endport_by_guid(f, guid);
		id = id == WEFT_NONE ? id : id | WEFT_ENDPORT;
	}
	*vertex = id;
	return id != WEFT_NONE;
}

/* Returns how many nodes have that name or GUID. */
static uint32_t find_node(const struct weft_fabric *f, const char *text,
			  uint32_t *vertex)
{
	uint32_t n;

	if (by_guid(f, text, vertex))
		return 1;
	n = match(f, text, false, vertex);
	return n ? n : match(f, text, true, vertex);
}

/* --- parts ---------------------------------------------------------------- */

static void add(struct tool_parts *p, uint32_t part, uint32_t *added)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (p->part[i] == part)
			return;
	if (weft__grow_one(&p->part, p->n))
		abort();
	p->part[p->n++] = part;
	++*added;
}

/* A cable by the lower channel, as weft_fault_parts() has it. */
static void add_cable(const struct weft_fabric *f, uint32_t ch,
		      struct tool_parts *out, uint32_t *added)
{
	uint32_t other = f->reverse[ch];

	add(out, other < ch ? other : ch, added);
}

/* The channel that leaves a vertex by a port, WEFT_NONE: no cable is there. */
static uint32_t channel_at(const struct weft_fabric *f, uint32_t vertex,
			   unsigned long port)
{
	const struct weft_node *node;

	if (weft_is_switch(vertex)) {
		uint32_t ch = f->first_channel[vertex] + (uint32_t)port;

		return port && port <= f->sw[vertex].nports &&
				       f->peer[ch] != WEFT_NONE ?
			       ch :
			       WEFT_NONE;
	}
	node = &f->node[f->ep[vertex & ~WEFT_ENDPORT].node];
	for (uint32_t i = 0; i < node->nendports; i++) {
		uint32_t e = f->node_endport[node->first_endport + i];

		if (f->ep[e].port == port)
			return f->first_injection + e;
	}
	return WEFT_NONE;
}

static void add_whole(const struct weft_fabric *f, uint32_t vertex,
		      struct tool_parts *out, uint32_t *added)
{
	const struct weft_node *node;

	if (weft_is_switch(vertex)) {
		add(out, vertex | WEFT_PART_SWITCH, added);
		return;
	}
	node = &f->node[f->ep[vertex & ~WEFT_ENDPORT].node];
	for (uint32_t i = 0; i < node->nendports; i++)
		add_cable(f,
			  f->first_injection +
				  f->node_endport[node->first_endport + i],
			  out, added);
}

static bool refuse(char why[256], const char *text, uint32_t n)
{
	if (n > 1)
		snprintf(why, 256,
			 "'%.150s' is the name of %" PRIu32
			 " nodes: write a GUID",
			 text, n);
	else
		snprintf(why, 256, "the fabric has no switch or host '%.150s'",
			 text);
	return false;
}

/* Finds one end of a cable, "NODE:PORT"; WEFT_NONE: why not. */
static uint32_t find_end(const struct weft_fabric *f, const char *text,
			 char why[256])
{
	const char *colon = strrchr(text, ':');
	char node[MAX_LINE];
	uint32_t vertex = WEFT_NONE, ch, n;
	uint64_t port;
	bool ok;

	if (!colon || !isdigit((unsigned char)colon[1])) {
		refuse(why, text, 0);
		return WEFT_NONE;
	}
	snprintf(node, sizeof(node), "%.*s", (int)(colon - text), text);
	ok = weft_number_uint(colon + 1, UINT32_MAX, &port);
	n = ok ? find_node(f, node, &vertex) : 0;
	if (n != 1) {
		refuse(why, ok ? node : text, n);
		return WEFT_NONE;
	}
	ch = channel_at(f, vertex, port);
	if (ch == WEFT_NONE)
		snprintf(why, 256, "no cable is at port %lu of '%.150s'",
			 (unsigned long)port, node);
	return ch;
}

/* A cable by both ends, which have to be those of one. */
static bool find_both(const struct weft_fabric *f, char *text, char *arrow,
		      struct tool_parts *out, uint32_t *added, char why[256])
{
	uint32_t one, other;

	*arrow = '\0';
	one = find_end(f, text, why);
	if (one == WEFT_NONE)
		return false;
	other = find_end(f, arrow + strlen(ARROW), why);
	/* a host may stand there without a port */
	if (other == WEFT_NONE && !weft_is_switch(f->peer[one])) {
		uint32_t vertex = WEFT_NONE;

		if (find_node(f, arrow + strlen(ARROW), &vertex) == 1 &&
		    weft_is_endport(vertex))
			other = f->reverse[one];
	}
	if (other == WEFT_NONE)
		return false;
	if (f->reverse[one] != other) {
		char name[128];

		snprintf(why, 256, "the cable at '%.60s' leads to %.100s:%u",
			 text,
			 tool_text_vertex(f, f->peer[one], name, sizeof(name)),
			 f->peer_port[one]);
		return false;
	}
	add_cable(f, one, out, added);
	return true;
}

bool tool_parts_find(const struct weft_fabric *f, const char *text,
		     struct tool_parts *out, uint32_t *added, char why[256])
{
	char copy[MAX_LINE], *arrow;
	uint32_t vertex = WEFT_NONE, n, ch;

	*added = 0;
	snprintf(copy, sizeof(copy), "%s", text);
	n = find_node(f, copy, &vertex);
	if (n == 1) {
		add_whole(f, vertex, out, added);
		return true;
	}
	if (n > 1)
		return refuse(why, copy, n);
	arrow = strstr(copy, ARROW);
	if (arrow)
		return find_both(f, copy, arrow, out, added, why);
	ch = find_end(f, copy, why);
	if (ch == WEFT_NONE)
		return false;
	add_cable(f, ch, out, added);
	return true;
}

/* --- lists ---------------------------------------------------------------- */

struct list {
	struct tool *t;
	const char *option, *file; /* file NULL: it stands in the option */
	const struct weft_fabric *f;
	struct tool_parts *out;
	unsigned long bad;
};

static void take(struct list *l, char *text, unsigned long line)
{
	size_t n = strlen(text);
	uint32_t added;
	char why[256];

	while (n && isspace((unsigned char)text[n - 1]))
		text[--n] = '\0';
	while (isspace((unsigned char)*text))
		text++;
	if (!*text)
		return;
	if (!tool_parts_find(l->f, text, l->out, &added, why)) {
		l->bad++;
		weft_diag_at(&l->t->diag, WEFT_ERROR, l->file, line, "%s%s%s",
			     l->file ? "" : l->option, l->file ? "" : ": ",
			     why);
	} else if (!added) {
		weft_diag_at(&l->t->diag, WEFT_WARNING, l->file, line,
			     "%s%s'%s' is in the list already; left aside",
			     l->file ? "" : l->option, l->file ? "" : ": ",
			     text);
	}
}

/* Takes away '#' at the beginning or after a blank, and what follows. */
static void cut_comment(char *text)
{
	for (char *p = text; *p; p++)
		if (*p == '#' && (p == text || isspace((unsigned char)p[-1])))
			*p = '\0';
}

static int take_line(void *context, char *line, unsigned long number)
{
	cut_comment(line);
	take(context, line, number);
	return 0;
}

static bool read_words(struct list *l, const char *list)
{
	char text[MAX_LINE];

	while (*list) {
		size_t n = strcspn(list, ",");

		snprintf(text, sizeof(text), "%.*s", (int)n, list);
		take(l, text, 0);
		list += n + (list[n] != '\0');
	}
	return true;
}

bool tool_parts_read(struct tool *t, const char *option,
		     const struct weft_fabric *f, const char *list,
		     struct tool_parts *out)
{
	struct list l = { .t = t, .option = option, .f = f, .out = out };
	bool ok;

	if (strchr(list, '/') || !access(list, F_OK))
		l.file = list;
	ok = l.file ? !weft_io_each_line(l.file, take_line, &l, &t->diag) :
		      read_words(&l, list);
	if (ok && !l.bad && !out->n) {
		weft_diag_at(&t->diag, WEFT_ERROR, l.file, 0,
			     "%s: nothing in it; a line has a switch, a host or a cable as SWITCH:PORT",
			     option);
		return false;
	}
	return ok && !l.bad;
}

/* --- on paper ------------------------------------------------------------- */

/* The direction of a cable that leaves a switch. */
static uint32_t from_switch(const struct weft_fabric *f, uint32_t part)
{
	return part < f->first_injection ? part : f->reverse[part];
}

const char *tool_part_text(const struct weft_fabric *f, uint32_t part,
			   char *buf, size_t size)
{
	if (part & WEFT_PART_SWITCH)
		return tool_text_vertex(f, part & ~WEFT_PART_SWITCH, buf, size);
	return tool_text_channel(f, from_switch(f, part), buf, size);
}

json_t *tool_part_json(const struct weft_fabric *f, uint32_t part)
{
	bool is_switch = part & WEFT_PART_SWITCH;
	json_t *o = json_pack("{s:s}", "kind", is_switch ? "switch" : "cable");

	json_object_update_new(o, !is_switch ?
		tool_json_channel(f, from_switch(f, part)) :
		json_pack("{s:o}", "switch",
			  tool_json_node(f, part & ~WEFT_PART_SWITCH)));
	return o;
}
