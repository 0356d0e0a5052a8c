/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft plot: cases as objects of JSON, as analyze and compare print them. */
#ifndef WEFT_TOOLS_PLOT_PLOT_H
#define WEFT_TOOLS_PLOT_PLOT_H

#include "tools/common/tool.h"

/* read.c */

/*
 * Adds the cases of an input that is JSON or comma-separated values to the
 * array cases; *met tells whether it is.  False after an error message.  What
 * is neither can still be read by others, the standard input, too.
 */
bool tool_plot_read(struct tool *t, const char *input, json_t *cases,
		    bool *met);

/* charts.c */

struct tool_chart {
	const char *name, *about;
	const char *title;
	/* The key that the objects of cases must have, its type, and how to get
	 * such. */
	const char *key, *source;
	json_type type; /* of what is there */
	bool basket;	/* of cases: what they are worth; else figures */
	void (*draw)(json_t *cases, FILE *script);
};
/* Ends with a NULL name. */
extern const struct tool_chart tool_charts[];
/* What a case is called. */
const char *tool_plot_label(const json_t *one);
/* The number that an object has by that key; 0: none. */
double tool_plot_number(const json_t *object, const char *key);

/* charts_sweep.c */

void tool_plot_streams(json_t *cases, FILE *script);
void tool_plot_sizes(json_t *cases, FILE *script);

#endif
