/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft trace --through: who uses a cable or a switch. */
#ifndef WEFT_TOOLS_TRACE_TRACE_H
#define WEFT_TOOLS_TRACE_TRACE_H

#include "tools/common/tool.h"

/* Reports who uses the part that text names: into json with --json, as CSV,
 * with a header for the first case, or as text.  False after an error message.
 */
bool tool_through_case(struct tool *t, const struct tool_case *c,
		       const char *text, bool first, json_t *json, FILE *out);

#endif
