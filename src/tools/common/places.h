/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_TOOLS_COMMON_PLACES_H
#define WEFT_TOOLS_COMMON_PLACES_H

#include "tools/common/tool.h"

/* An end of a route, as a person names it. */
struct tool_place {
	uint32_t vertex;
	unsigned lid;		/* the one named, or the base LID; 0 = none */
	bool by_lid;		/* it was named */
};

/*
 * text is a LID (decimal or 0x...), a GUID (0x and up to 16 digits, of a port
 * or node) or a name: a whole one, else the first word of one, else any part.
 * "lid:", "guid:" and "name:" in front say which it is.  False after an error
 * message, which lists the candidates if several fit.
 */
bool tool_place_find(struct tool *t, const struct weft_fabric *f,
		     const char *text, struct tool_place *out);

#endif
