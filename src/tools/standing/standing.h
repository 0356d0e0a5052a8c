/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft standing: what stands in a subnet manager. */
#ifndef WEFT_TOOLS_STANDING_STANDING_H
#define WEFT_TOOLS_STANDING_STANDING_H

#include "tools/common/tool.h"

struct tool_standing {
	const char *file;
	struct weft_stored stored;
	const struct weft_stored_tables *home;
	struct weft_away away;
};

/* As text, JSON or CSV. */
void tool_standing_report(const struct tool *t, const struct tool_standing *s,
			  FILE *out);

#endif
