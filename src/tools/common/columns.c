// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cases side by side; see columns.h. */
#include "tools/common/columns.h"

#include <string.h>

#define NARROWEST 11
#define WIDEST 18
#define CELL 32		/* characters of a figure */

void tool_columns_name(const struct tool_columns *c, const char *name)
{
	size_t length = strlen(name), room = c->width - 2;

	if (length > room)
		fprintf(c->out, "  ..%s", name + length - (room - 2));
	else
		fprintf(c->out, "%*s", c->width, name);
}

static const char *text(const struct tool_columns *c,
			const struct tool_field *field, unsigned i,
			char buf[CELL])
{
	snprintf(buf, CELL, "%s", tool_field_text(
			 field, c->record(c->context, i), (char[CELL]){ 0 },
			 CELL));
	return buf;
}

static bool is_left_out(const struct tool_columns *c,
			const struct tool_line *line,
			const struct tool_field *field)
{
	char buf[CELL];

	for (unsigned i = 0; line->rare && i < c->n; i++)
		if (strcmp(text(c, field, i, buf), "0") && strcmp(buf, "-"))
			return false;
	return line->rare;
}

void tool_columns_line(const struct tool_columns *c,
		       const struct tool_line *line,
		       const struct tool_field *field)
{
	char buf[CELL];

	if (field && is_left_out(c, line, field))
		return;
	fprintf(c->out, "%-*s", field ? c->names : 0, line->name);
	for (unsigned i = 0; field && i < c->n; i++)
		fprintf(c->out, "%*s", c->width, text(c, field, i, buf));
	fputc('\n', c->out);
}

int tool_columns_width(size_t most)
{
	return most < NARROWEST ? NARROWEST : most < WIDEST ? most : WIDEST;
}
