// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Cases plane by plane.  A plane is a fabric by itself, of the ports that lie
 * there: with all planes in one fabric a LID would end in several places.
 */
#include "tools/common/tool.h"

#include <weft/planes.h>

#include <inttypes.h>
#include <string.h>

/* Cables between the switches of two planes make them one fabric, in which a
 * LID is one place. */
static void warn_joined(struct tool *t, const char *input, uint32_t n)
{
	if (n)
		weft_diag_at(&t->diag, WEFT_WARNING, input, 0,
			     "%" PRIu32
			     " port%s the GUID and LID of another one of the same adapter, and cables join the switches of both: planes are judged as one port only where no cable joins them, and here the LID is that of the first",
			     n, n == 1 ? " has" : "s have");
}

void tool_planes_warn(struct tool *t, const char *input, uint32_t n)
{
	weft_diag_at(&t->diag, WEFT_WARNING, input, 0,
		     "of %" PRIu32 " planes the first is looked at", n);
}

static bool visit_plane(struct tool *t, const struct tool_case *c,
			const struct weft_planes *planes, uint32_t i,
			bool (*visit)(struct tool *t, const struct tool_case *c,
				      void *context),
			void *context)
{
	struct tool_case plane = *c;
	char label[1024], which[64];

	snprintf(which, sizeof(which), "plane %" PRIu32 " of %" PRIu32, i + 1,
		 planes->n);
	if (strcmp(c->label, c->input))
		snprintf(label, sizeof(label), "%s, %s", c->label, which);
	else
		snprintf(label, sizeof(label), "%s", which);
	plane.label = label;
	plane.fabric = planes->plane[i].fabric;
	plane.routes = &planes->plane[i].routes;
	plane.plane = i + 1;
	plane.planes = planes->n;
	return visit(t, &plane, context);
}

bool tool_planes_each(struct tool *t, const struct tool_case *c,
		      bool (*visit)(struct tool *t, const struct tool_case *c,
				    void *context),
		      void *context)
{
	struct weft_planes planes;
	bool ok = true;

	if (c->refused || t->planes == TOOL_PLANES_JOINED)
		return visit(t, c, context);
	if (weft_planes_find(c->fabric, c->routes, &planes)) {
		ok = tool_no_memory(t);
	} else {
		warn_joined(t, c->input, planes.joined);
		if (!planes.n)
			ok = visit(t, c, context);
		if (planes.n && t->planes == TOOL_PLANES_FIRST)
			tool_planes_warn(t, c->input, planes.n);
		for (uint32_t i = 0; i < planes.n && ok &&
		     (!i || t->planes == TOOL_PLANES_EACH); i++)
			ok = visit_plane(t, c, &planes, i, visit, context);
	}
	weft_planes_free(&planes);
	return ok;
}
