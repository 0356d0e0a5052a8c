/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The hottest channels of all-to-all traffic. */
#ifndef WEFT_TOOLS_ANALYZE_HOT_H
#define WEFT_TOOLS_ANALYZE_HOT_H

#include "tools/common/tool.h"

/* A channel between switches, and the routes between hosts that take it. */
struct tool_hot_link {
	char *text;   /* both ends, with ports */
	json_t *ends; /* the same, as an object */
	uint64_t routes;
};

struct tool_hot_links {
	struct tool_hot_link *link;
	unsigned n;
	double mean; /* routes over a channel between switches */
};

/* As many as --hottest asks for, the most routes for their capacity first, by
 * the loads that a proof found.  False after an error message. */
bool tool_hot_find(struct tool *t, const struct tool_case *c,
		   const struct weft_proof *proof, struct tool_hot_links *out);
void tool_hot_free(struct tool_hot_links *hot);

/* Nothing where there are none; label NULL: of the only case. */
void tool_hot_print(const struct tool_hot_links *hot, const char *label,
		    FILE *out);
json_t *tool_hot_json(const struct tool_hot_links *hot);

#endif
