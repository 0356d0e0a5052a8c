/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How long cables are, from a plan: a list of cables with a column for that. */
#ifndef WEFT_TOOLS_SIM_CABLES_PLAN_H
#define WEFT_TOOLS_SIM_CABLES_PLAN_H

#include <stdbool.h>
#include <stddef.h>

enum tool_plan_column {
	TOOL_PLAN_NODE_A,
	TOOL_PLAN_PORT_A,
	TOOL_PLAN_NODE_B,
	TOOL_PLAN_PORT_B,
	TOOL_PLAN_LENGTH,
	TOOL_PLAN_COLUMNS
};

/* Where columns are. */
struct tool_plan {
	unsigned at[TOOL_PLAN_COLUMNS];
	bool lacks; /* not all are there */
};

/* Whether a line is the first one of a plan, which tells the columns.  Lines are
 * changed. */
bool tool_plan_begins(char *line, struct tool_plan *plan);

/* Reads a row: an end of the cable as NODE:PORT, and what the column of lengths
 * has.  false: it tells neither end. */
bool tool_plan_row(const struct tool_plan *plan, char *line, char *end,
		   size_t size, const char **length);

#endif
