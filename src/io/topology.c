// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collecting what a topology file says; see topology.h. */
#include "io/topology.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_LMC 7

int weft__topology_init(struct weft__topology *t, const char *file,
			struct weft_diag *diag)
{
	struct weft_builder *builder = weft_builder_new();

	if (!builder)
		return weft_fail(diag, ENOMEM, "out of memory");
	*t = (struct weft__topology){ .builder = builder, .diag = diag,
				      .file = file };
	weft_builder_file(builder, file);
	return 0;
}

void weft__topology_free(struct weft__topology *t)
{
	weft_builder_free(t->builder);
	free(t->claim);
}

int weft__topology_bad(struct weft__topology *t, unsigned long line,
		       const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	weft_diag_at(t->diag, WEFT_ERROR, t->file, line, "%s", text);
	return -EINVAL;
}

void weft__topology_note(struct weft__topology *t, enum weft__defect defect,
			 unsigned long line)
{
	struct weft__tally *tally = &t->tally[defect];

	if (!tally->count++)
		tally->line = (uint32_t)line;
}

void weft__topology_foreign(struct weft__topology *t,
			    const struct weft__line *line)
{
	if (!t->tally[WEFT__FOREIGN].count)
		weft__excerpt(line, t->first_foreign);
	weft__topology_note(t, WEFT__FOREIGN, line->number);
}

const char *weft__topology_label(struct weft__topology *t, uint32_t node,
				 char buffer[WEFT__LABEL_SIZE])
{
	static const char letter[] = {
		[WEFT_NODE_SWITCH] = 'S', [WEFT_NODE_CA] = 'H',
		[WEFT_NODE_ROUTER] = 'R',
	};
	const struct weft_node_spec *s = weft_builder_spec(t->builder, node);

	snprintf(buffer, WEFT__LABEL_SIZE, "%c-%016" PRIx64 "%s%.64s%s",
		 letter[s->type], s->guid, *s->name ? " \"" : "", s->name,
		 *s->name ? "\"" : "");
	return buffer;
}

static const char *type_name(unsigned type)
{
	return type == WEFT_NODE_SWITCH ? "switch" :
	       type == WEFT_NODE_CA ? "channel adapter" : "router";
}

/* Whether a second description of a node is one of the same node. */
static int same_node(struct weft__topology *t,
		     const struct weft_node_spec *first,
		     const struct weft_node_spec *second)
{
	if (first->type != second->type)
		return weft__topology_bad(t, second->line,
			"the GUID 0x%016" PRIx64 " of this %s is that of a %s "
			"in line %lu", second->guid, type_name(second->type),
			type_name(first->type), first->line);
	if (first->nports != second->nports)
		return weft__topology_bad(t, second->line,
			"two nodes have the GUID 0x%016" PRIx64 ": one with "
			"%u ports here, one with %u in line %lu", second->guid,
			second->nports, first->nports, first->line);
	return 0;
}

int weft__topology_node(struct weft__topology *t,
			const struct weft_node_spec *spec, uint32_t *handle,
			bool *again)
{
	uint32_t node = weft_builder_find(t->builder, spec->guid);

	*again = node != WEFT_NONE;
	*handle = node;
	if (*again)
		return same_node(t, weft_builder_spec(t->builder, node), spec);
	node = weft_builder_node(t->builder, spec->type, spec->guid,
				 spec->nports);
	if (node == WEFT_NONE)
		return weft_fail(t->diag, ENOMEM, "out of memory");
	*weft_builder_spec(t->builder, node) = *spec;
	weft_builder_spec(t->builder, node)->name = "";
	*handle = node;
	return 0;
}

void weft__topology_name(struct weft__topology *t, uint32_t node,
			 const char *name, size_t length)
{
	if (!*weft_builder_spec(t->builder, node)->name && length)
		weft_builder_name(t->builder, node, name, length);
}

static int no_such_port(struct weft__topology *t, uint32_t node, uint32_t port,
			unsigned long line)
{
	char label[WEFT__LABEL_SIZE];

	return weft__topology_bad(t, line, "%s has no port %u: it has %u",
		weft__topology_label(t, node, label), port,
		weft_builder_spec(t->builder, node)->nports);
}

int weft__topology_port(struct weft__topology *t, uint32_t node, uint32_t port,
			const struct weft__port_facts *facts)
{
	struct weft_port_spec *p = weft_builder_port(t->builder, node, port);
	uint32_t lid = facts->lid == WEFT__UNSAID ? 0 : facts->lid;
	char label[WEFT__LABEL_SIZE];

	if (!p)
		return no_such_port(t, node, port, facts->line);
	if (facts->lmc > MAX_LMC)
		return weft__topology_bad(t, facts->line,
			"LMC %u: it is at most %u", facts->lmc, MAX_LMC);
	if (p->line && (p->guid != facts->guid || p->lid != lid ||
			p->lmc != facts->lmc))
		return weft__topology_bad(t, facts->line,
			"%s port %u: line %lu says otherwise about its GUID, "
			"LID or LMC; two nodes with one GUID?",
			weft__topology_label(t, node, label), port, p->line);
	p->guid = facts->guid;
	p->lid = lid;
	p->lmc = (uint8_t)facts->lmc;
	if (!p->line)
		p->line = facts->line;
	return 0;
}

static bool room_for_claim(struct weft__topology *t)
{
	uint32_t capacity = t->capacity + t->capacity / 2 + 1024;
	struct weft__claim *larger;

	if (t->nclaims < t->capacity)
		return true;
	if (capacity >= WEFT_ENDPORT)
		return false;
	larger = realloc(t->claim, capacity * sizeof(*larger));
	if (!larger)
		return false;
	t->claim = larger;
	t->capacity = capacity;
	return true;
}

int weft__topology_claim(struct weft__topology *t,
			 const struct weft__claim *claim)
{
	if (!claim->port ||
	    !weft_builder_port(t->builder, claim->node, claim->port))
		return no_such_port(t, claim->node, claim->port, claim->line);
	if (!room_for_claim(t))
		return weft_fail(t->diag, ENOMEM, "out of memory");
	t->claim[t->nclaims] = *claim;
	t->claim[t->nclaims++].peer = WEFT_NONE;
	return 0;
}

/* One message for each sort of defect. */
static const struct {
	enum weft_severity severity;
	const char *one, *many;		/* many: %u = how many */
} defect_text[WEFT__DEFECTS] = {
	[WEFT__REPEATED] = { WEFT_NOTE,
		"this node is described twice, the same each time",
		"%u nodes are described twice, the same each time" },
	[WEFT__ID_MISMATCH] = { WEFT_WARNING,
		"the GUID above this line is not that in it, which counts",
		"the GUIDs above %u such lines are not those in them, which "
		"count" },
	[WEFT__ODD_RATE] = { WEFT_WARNING,
		"unknown width or speed",
		"unknown width or speed in %u lines" },
	[WEFT__LINK_DOWN] = { WEFT_WARNING,
		"the ports of this cable are down: left out",
		"the ports of %u such cables are down: left out" },
	[WEFT__NO_ROWS] = { WEFT_WARNING,
		"this switch has no rows of its own: its number of ports is "
		"taken to be the highest that others are cabled to",
		"%u switches such as this have no rows of their own: their "
		"numbers of ports are taken to be the highest that others "
		"are cabled to" },
	[WEFT__TWO_PLACES] = { WEFT_WARNING,
		"another row has this adapter's port on another cable: this "
		"one is left out",
		"other rows have the adapter's port on another cable: %u such "
		"are left out" },
	[WEFT__TO_ITSELF] = { WEFT_WARNING,
		"the port is cabled to itself: left out",
		"%u such ports are cabled to themselves: left out" },
	[WEFT__ONE_SIDED] = { WEFT_WARNING,
		"only this end of the cable is described: taken as cabled",
		"of %u cables only one end such as this is described: taken "
		"as cabled" },
	[WEFT__ADOPTED] = { WEFT_WARNING,
		"the adapter at the far end has no section of its own: taken "
		"from this line",
		"the adapters at the far ends of %u such lines have no "
		"section of their own: taken from these lines" },
	[WEFT__LID_MISMATCH] = { WEFT_WARNING,
		"the LID of the far end is not the one it states itself, "
		"which counts",
		"the LIDs of the far ends in %u such lines are not the ones "
		"they state themselves, which count" },
	[WEFT__GUID_MISMATCH] = { WEFT_WARNING,
		"the port GUID of the far end is not the one it states "
		"itself, which counts",
		"the port GUIDs of the far ends in %u such lines are not the "
		"ones they state themselves, which count" },
	[WEFT__RATE_MISMATCH] = { WEFT_WARNING,
		"the two ends state different widths or speeds: the slower "
		"one is taken",
		"the two ends of %u such cables state different widths or "
		"speeds: the slower one is taken" },
	[WEFT__NO_LID] = { WEFT_WARNING,
		"this port has no LID",
		"%u ports such as this have no LID" },
	[WEFT__BAD_LID] = { WEFT_WARNING,
		"the LID is no unicast LID: treated as none",
		"%u such LIDs are no unicast LIDs: treated as none" },
	[WEFT__SAME_LID] = { WEFT_WARNING,
		"the LID belongs to another port already: treated as none",
		"%u such LIDs belong to other ports already: treated as "
		"none" },
};

static void report_foreign(struct weft__topology *t)
{
	const struct weft__tally *tally = &t->tally[WEFT__FOREIGN];

	if (tally->count)
		weft_diag_at(t->diag, WEFT_WARNING, t->file, tally->line,
			     "skipped %u line%s of something else, the first "
			     "is: %s", tally->count,
			     tally->count == 1 ? "" : "s", t->first_foreign);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void report(struct weft__topology *t)
{
	char text[256];

	report_foreign(t);
	for (unsigned d = WEFT__FOREIGN + 1; d < WEFT__DEFECTS; d++) {
		const struct weft__tally *tally = &t->tally[d];

		if (!tally->count)
			continue;
		snprintf(text, sizeof(text), tally->count == 1 ?
			 defect_text[d].one : defect_text[d].many,
			 tally->count);
		weft_diag_at(t->diag, defect_text[d].severity, t->file,
			     tally->line, "%s", text);
	}
}
#pragma GCC diagnostic pop

int weft__topology_finish(struct weft__topology *t, struct weft_fabric **out)
{
	int err = weft__topology_join(t);

	if (!err)
		err = weft__topology_check_lids(t);
	report(t);
	return err ? err : weft_builder_finish(t->builder, out, t->diag);
}
