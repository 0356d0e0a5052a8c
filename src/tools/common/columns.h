/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A table for people with a line for each figure and a column for each case. */
#ifndef WEFT_TOOLS_COMMON_COLUMNS_H
#define WEFT_TOOLS_COMMON_COLUMNS_H

#include "tools/common/record.h"

/* What a line is called, and the key of its figure; without one it is a
 * heading. */
struct tool_line {
	const char *name, *key;
	bool rare;		/* left out where all are 0 */
};

struct tool_columns {
	int names, width;	/* of what lines are called, and of a case */
	unsigned n;		/* cases */
	/* The record of a case, NULL for one without figures. */
	const void *(*record)(const void *context, unsigned i);
	const void *context;
	FILE *out;
};

/* A cell, cut on the left, where file names differ least. */
void tool_columns_name(const struct tool_columns *c, const char *name);
/* A line of field, or its name alone without one. */
void tool_columns_line(const struct tool_columns *c,
		       const struct tool_line *line,
		       const struct tool_field *field);
/* The width of columns that have such heads, most characters: within limits. */
int tool_columns_width(size_t most);

#endif
