// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collecting what a topology file says; see topology.h. */
#include "io/topology/topology.h"

#include "core/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_LMC 7

/* The message about the first defect of each sort. */
static const struct {
	enum weft_severity severity;
	const char *text;
} defect[WEFT__DEFECTS] = {
	[WEFT__FOREIGN] = { WEFT_WARNING, NULL },	/* shows the line */
	[WEFT__REPEATED] = { WEFT_NOTE,
		"this node is described twice, the same each time" },
	[WEFT__ID_MISMATCH] = { WEFT_WARNING,
		"the GUID above this line is not that in it, which counts" },
	[WEFT__ODD_RATE] = { WEFT_WARNING, "unknown width or speed" },
	[WEFT__COMMAND] = { WEFT_WARNING,
		"a command of ibsim: not executed" },
	[WEFT__LINK_DOWN] = { WEFT_WARNING,
		"this end of the cable is down: not cabled" },
	[WEFT__CALLED_CA] = { WEFT_NOTE,
		"a node called CA that is a switch by its device or its number of ports: taken for one"
		},
	[WEFT__NO_ROWS] = { WEFT_WARNING,
		"this switch has no rows of its own: its number of ports is taken to be the highest that others are cabled to"
		},
	[WEFT__TWO_PLACES] = { WEFT_WARNING,
		"another row has this adapter's port on another cable: this one is left out"
		},
	[WEFT__TO_ITSELF] = { WEFT_WARNING,
		"the port is cabled to itself: left out" },
	[WEFT__ONE_SIDED] = { WEFT_WARNING,
		"only this end of the cable is described: taken as cabled" },
	[WEFT__ADOPTED] = { WEFT_WARNING,
		"the adapter at the far end is not described: taken from this line"
		},
	[WEFT__UNCABLED] = { WEFT_WARNING,
		"no port of this node is cabled" },
	[WEFT__LID_MISMATCH] = { WEFT_WARNING,
		"the LID of the far end is not the one it states itself, which counts"
		},
	[WEFT__GUID_MISMATCH] = { WEFT_WARNING,
		"the port GUID of the far end is not the one it states itself, which counts"
		},
	[WEFT__RATE_MISMATCH] = { WEFT_WARNING,
		"the two ends of the cable state different widths or speeds: the slower one is taken"
		},
	[WEFT__NO_LID] = { WEFT_WARNING, "this port has no LID" },
	[WEFT__BAD_LID] = { WEFT_WARNING,
		"the LID is no unicast LID: treated as none" },
	[WEFT__SAME_LID] = { WEFT_WARNING,
		"the LID belongs to another port already: treated as none" },
	[WEFT__PLANE_LID] = { WEFT_NOTE,
		"this port shares GUID and LID with another one of its node, which keeps the LID"
		},
};

int weft__topology_init(struct weft__topology *t, const char *file,
			struct weft_diag *diag)
{
	struct weft_builder *builder = weft_builder_new();

	if (!builder)
		return weft_no_memory(diag);
	*t = (struct weft__topology){ .builder = builder, .diag = diag,
				      .file = file };
	for (unsigned i = 0; i < WEFT__DEFECTS; i++)
		t->notice[i].severity = defect[i].severity;
	weft_builder_file(builder, file);
	return 0;
}

void weft__topology_free(struct weft__topology *t)
{
	weft_builder_free(t->builder);
	free(t->claim);
}

void weft__topology_note(struct weft__topology *t, enum weft__defect which,
			 unsigned long line)
{
	weft__notice_add(&t->notice[which], line, "%s", defect[which].text);
}

void weft__topology_foreign(struct weft__topology *t,
			    const struct weft__line *line)
{
	char excerpt[WEFT__EXCERPT_SIZE];

	weft__notice_add(&t->notice[WEFT__FOREIGN], line->number,
			 "skipped a line of something else: \"%s\"",
			 weft__excerpt(line, excerpt));
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
			"the GUID 0x%016" PRIx64
			" of this %s is that of a %s in line %lu",
			second->guid, type_name(second->type),
			type_name(first->type), first->line);
	if (first->nports != second->nports)
		return weft__topology_bad(t, second->line,
			"two nodes have the GUID 0x%016" PRIx64
			": one with %u ports here, one with %u in line %lu",
			second->guid,
			second->nports, first->nports, first->line);
	return 0;
}

int weft__topology_misread(struct weft__topology *t, unsigned long number,
			   const struct weft__line *line, const char *what)
{
	char misread[WEFT__MISREAD_SIZE];

	return weft__topology_bad(t, number, "%s%s%s", what,
				  weft__misread(line, misread),
				  line->complete ? "" :
						   "; the file was cut here");
}

int weft__topology_check_ports(struct weft__topology *t, unsigned long line,
			       uint64_t nports)
{
	if (nports && nports <= WEFT_MAX_PORTS)
		return 0;
	return weft__topology_bad(t, line, "a node with %" PRIu64
		" ports: 1 to %u are possible", nports, WEFT_MAX_PORTS);
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
		return weft_no_memory(t->diag);
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
			"%s port %u: line %lu says otherwise about its GUID, LID or LMC; two nodes with one GUID?",
			weft__topology_label(t, node, label), port, p->line);
	p->guid = facts->guid;
	p->lid = lid;
	p->lmc = (uint8_t)facts->lmc;
	if (!p->line)
		p->line = facts->line;
	return 0;
}

int weft__topology_claim(struct weft__topology *t,
			 const struct weft__claim *claim)
{
	if (!claim->port ||
	    !weft_builder_port(t->builder, claim->node, claim->port))
		return no_such_port(t, claim->node, claim->port, claim->line);
	if (t->nclaims >= WEFT_ENDPORT - 1 ||
	    weft__grow(&t->claim, &t->capacity, t->nclaims + 1ull))
		return weft_no_memory(t->diag);
	t->claim[t->nclaims] = *claim;
	t->claim[t->nclaims++].peer = WEFT_NONE;
	return 0;
}
