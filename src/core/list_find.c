// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the nodes of a list in a fabric; see weft/list.h. */
#include <weft/diag.h>
#include <weft/list.h>
#include <weft/number.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The result of a search by name. */
struct match {
	uint32_t vertex;	/* the first one */
	uint32_t count;
};

struct search {
	const struct weft_list *list;
	const struct weft_fabric *f;
	unsigned kinds;
	struct weft_diag *diag;
};

static const char *kind_name(const struct search *s)
{
	return s->kinds == WEFT_LIST_SWITCHES ? "switch" :
	       s->kinds == WEFT_LIST_ENDPORTS ? "port" : "node";
}

static void add_match(struct match *m, uint32_t vertex)
{
	if (!m->count++)
		m->vertex = vertex;
}

static bool name_fits(const char *description, const char *name, bool word)
{
	size_t n = strlen(name);

	return !strncmp(description, name, n) &&
	       (!description[n] || (word && description[n] == ' '));
}

/* Says why an entry cannot be used; what == NULL: no node is like that.
 * Returns WEFT_NONE. */
static uint32_t skip_entry(const struct search *s, uint32_t i, const char *what)
{
	const struct weft_list_entry *e = &s->list->entry[i];
	const char *option = s->list->file ? "" : s->list->option;
	char guid[24], absent[40];

	if (s->list->quiet)
		return WEFT_NONE;
	snprintf(guid, sizeof(guid), "0x%016" PRIx64, e->guid);
	snprintf(absent, sizeof(absent), "the fabric has no %s ",
		 kind_name(s));
	weft_diag_at(s->diag, WEFT_WARNING, s->list->file, e->line,
		     "%s%s%s'%s'%s%s; left aside", option,
		     *option ? ": " : "", what ? "" : absent,
		     e->name ? e->name : guid, what ? " " : "",
		     what ? what : "");
	return WEFT_NONE;
}

/* Returns the endport of a node, by its number if that is given. */
static uint32_t port_of(const struct search *s, uint32_t i, uint32_t node)
{
	const struct weft_node *n = &s->f->node[node];
	const char *port = s->list->entry[i].value;
	uint64_t number = 0;

	if (port && !weft_number_uint(port, WEFT_MAX_PORTS, &number))
		return skip_entry(s, i, "has no port of that number");
	for (uint32_t k = 0; k < n->nendports; k++) {
		uint32_t e = s->f->node_endport[n->first_endport + k];

		if (port ? s->f->ep[e].port == number : n->nendports == 1)
			return e | WEFT_ENDPORT;
	}
	return skip_entry(
		s, i,
		port ? "has no port of that number" :
		       "has several ports, and no number tells which");
}

static uint32_t by_guid(const struct search *s, uint32_t i)
{
	uint64_t guid = s->list->entry[i].guid;
	uint32_t v = WEFT_NONE;

	if (s->kinds & WEFT_LIST_SWITCHES)
		v = weft_fabric_switch_by_guid(s->f, guid);
	for (uint32_t k = 0; s->kinds & WEFT_LIST_SWITCHES &&
	     v == WEFT_NONE && k < s->f->nsw; k++)
		if (s->f->sw[k].port_guid == guid)
			v = k;
	if (v != WEFT_NONE || !(s->kinds & WEFT_LIST_ENDPORTS))
		return v != WEFT_NONE ? v : skip_entry(s, i, NULL);
	v = weft_fabric_endport_by_guid(s->f, guid);
	if (v != WEFT_NONE)
		return v | WEFT_ENDPORT;
	for (uint32_t n = 0; n < s->f->nnodes; n++)
		if (s->f->node[n].guid == guid)
			return port_of(s, i, n);
	return skip_entry(s, i, NULL);
}

/* Finds the nodes whose description is name or, with word, begins with that
 * word. */
static struct match match_names(const struct search *s, const char *name,
				bool word)
{
	struct match m = { WEFT_NONE, 0 };

	for (uint32_t k = 0; k < s->f->nsw; k++)
		if (s->kinds & WEFT_LIST_SWITCHES &&
		    name_fits(s->f->sw[k].name, name, word))
			add_match(&m, k);
	for (uint32_t k = 0; k < s->f->nnodes; k++)
		if (s->kinds & WEFT_LIST_ENDPORTS &&
		    name_fits(s->f->node[k].name, name, word))
			add_match(&m, k | WEFT_ENDPORT);
	return m;
}

static uint32_t by_name(const struct search *s, uint32_t i)
{
	const char *name = s->list->entry[i].name;
	struct match m = match_names(s, name, false);

	if (!m.count)
		m = match_names(s, name, true);
	if (!m.count)
		return skip_entry(s, i, NULL);
	if (m.count > 1)
		return skip_entry(s, i, "is the name of several: write a GUID");
	return m.vertex & WEFT_ENDPORT ?
		port_of(s, i, m.vertex & ~WEFT_ENDPORT) : m.vertex;
}

int weft_list_find(const struct weft_list *list, const struct weft_fabric *f,
		   unsigned kinds, uint32_t *vertex, struct weft_diag *diag)
{
	struct search s = { list, f, kinds, diag };
	uint32_t found = 0;

	for (uint32_t i = 0; i < list->n; i++) {
		vertex[i] = list->entry[i].name ? by_name(&s, i) :
						  by_guid(&s, i);
		found += vertex[i] != WEFT_NONE;
	}
	if (found || !list->n || list->quiet)
		return 0;
	weft_diag_at(diag, list->lenient ? WEFT_WARNING : WEFT_ERROR,
		     list->file, 0,
		     "%s: nothing in this list is a %s of the fabric%s",
		     list->option, kind_name(&s), list->lenient ?
		     "; it is not used" : list->file ?
		     ": is it the right one?" :
		     ", and there is no file of that name");
	return list->lenient ? 0 : -EINVAL;
}
