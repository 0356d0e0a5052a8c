/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft show: what is drawn over a fabric. */
#ifndef WEFT_TOOLS_SHOW_OVERLAY_H
#define WEFT_TOOLS_SHOW_OVERLAY_H

#include "draw/draw.h"
#include "tools/common/tool.h"

/* What was asked for. */
struct tool_overlay_spec {
	const char *pattern;  /* of the load; NULL = all to all */
	const char *route;    /* "SOURCE,DESTINATION" */
	const char *against;  /* tables */
	const char *counters; /* a capture */
	bool load, unused, loop;
	int64_t hottest; /* channels, 0 = none */
};

/* Whether anything needs tables. */
bool tool_overlay_needs_tables(const struct tool_overlay_spec *spec);
/* Whether there is anything. */
bool tool_overlay_any(const struct tool_overlay_spec *spec);

struct tool_overlay {
	struct weft__overlay o;
	float *heat;
	uint8_t *mark, *sw;
	uint64_t *load; /* [first_injection] routes or streams by
			 * channel, NULL = not asked for */
	uint64_t *other; /* the same, and behind that of other tables; NULL */
	char cold[80], hot[160], said[WEFT__MARKS][120];
};

/* routes NULL: there are none, and nothing needs them.  False after an error
 * message; else to be freed. */
bool tool_overlay_make(struct tool *t, const struct tool_overlay_spec *spec,
		       const struct weft_fabric *f,
		       const struct weft_shape *shape,
		       const struct weft_routes *routes,
		       struct tool_overlay *out);
void tool_overlay_free(struct tool_overlay *o); /* zeroed is fine */

#endif
