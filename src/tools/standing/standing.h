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

/* most: rows of a list. */
void tool_standing_print(const struct tool_standing *s, uint64_t most,
			 FILE *out);
void tool_standing_json(const struct tool_standing *s, FILE *out);

#endif
