/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_TOOLS_ANALYZE_BASKET_H
#define WEFT_TOOLS_ANALYZE_BASKET_H

#include "tools/common/tool.h"

/* Whether -p asks for the basket, alone or beside others, or --objective for
 * another one. */
bool tool_basket_wanted(const struct tool *t);
/* weft analyze -p basket: what the tables of each case are worth. */
enum tool_status tool_basket_run(struct tool *t);
/* The object of a case: what its tables are worth by an objective. */
json_t *tool_basket_json(const struct tool_case *c, const struct weft_basket *b,
			 const struct weft_worth *w, const char *objective,
			 bool spread);

#endif
