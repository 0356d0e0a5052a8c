/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Charts by gnuplot(1), which runs as a program of its own. */
#ifndef WEFT_TOOLS_PLOT_GNUPLOT_H
#define WEFT_TOOLS_PLOT_GNUPLOT_H

#include "tools/common/tool.h"

/* Styles of lines and columns, 1 and so on. */
#define TOOL_GNUPLOT_STYLES 16

enum tool_picture { TOOL_SVG, TOOL_PNG, TOOL_PDF };

/* A script that is being written: it begins with what all charts have.  NULL
 * after an error message. */
FILE *tool_gnuplot_begin(struct tool *t, enum tool_picture picture,
			 const char *title);
/* A string of gnuplot's language, of any bytes: nothing in it is obeyed. */
void tool_gnuplot_string(FILE *script, const char *text);
/* The same as label of a tic: tics stand at 0, 1, 2..., each in its turn. */
void tool_gnuplot_tic(FILE *script, const char *text, size_t at);
/* Runs the script, closes it, and copies the picture to out.  False after an
 * error message, also where there is no gnuplot. */
bool tool_gnuplot_run(struct tool *t, FILE *script, FILE *out);

#endif
