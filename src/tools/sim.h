/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Simulations that weft sim ran, and their report.  The names of the JSON keys
 * are a promise: see weft-sim(1).
 */
#ifndef WEFT_TOOLS_SIM_H
#define WEFT_TOOLS_SIM_H

#include "tool.h"

/* One run on the tables of a case. */
struct tool_sim {
	const struct tool_case *c;
	const struct weft_sim_spec *spec;
	const char *pattern; /* NULL: under load */
	const char *sync;    /* of its rounds, or NULL */
	double model;	     /* share of full bandwidth by the static model;
			      * with a pattern */
	struct weft_sim result;
};

void tool_sim_print(const struct tool_sim *s, FILE *out);
json_t *tool_sim_json(const struct tool_sim *s);
void tool_sim_csv_header(FILE *out);
void tool_sim_csv(const struct tool_sim *s, FILE *out);

#endif
