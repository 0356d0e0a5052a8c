// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Colours on terminals; see tool.h. */
#include "tools/common/tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What --color said; the program has one command line. */
static int64_t chosen = TOOL_COLOR_AUTO;

void tool_color_by(const struct tool *t)
{
	chosen = t->args.color;
}

static bool is_wanted(FILE *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (chosen != TOOL_COLOR_AUTO)
		return chosen == TOOL_COLOR_ALWAYS;
	return !(no && *no) && term && strcmp(term, "dumb") &&
	       fileno(out) >= 0 && isatty(fileno(out));
}

void tool_color(FILE *out, const char *color)
{
	const char *code = !strcmp(color, "green") ? "32" :
			   !strcmp(color, "red")   ? "31" :
						     "33";

	if (is_wanted(out))
		fprintf(out, "\033[%sm", code);
}

void tool_color_end(FILE *out)
{
	if (is_wanted(out))
		fputs("\033[0m", out);
}
