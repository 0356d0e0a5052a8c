/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft show --interactive: a page to find one's way in. */
#ifndef WEFT_TOOLS_SHOW_INTERACTIVE_H
#define WEFT_TOOLS_SHOW_INTERACTIVE_H

#include "draw/draw.h"
#include "tools/common/tool.h"

/* Writes the page: the picture, whose elements are numbered, and what its script
 * needs.  tables: what these are called.  False after an error message. */
bool tool_show_interactive(struct tool *t, const struct weft__drawing *picture,
			   const struct weft_routes *routes,
			   const char *tables, FILE *out);

#endif
