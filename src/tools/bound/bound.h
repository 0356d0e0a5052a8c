/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft bound: rows of its table, and the exact solver. */
#ifndef WEFT_TOOLS_BOUND_H
#define WEFT_TOOLS_BOUND_H

#include "tools/common/tool.h"

/* A row: a pattern, or a part of a basket, of which the mean alone is known. */
struct tool_bound {
	char *pattern;
	bool mean_only;
	int64_t lmc;
	struct weft_bound b;
};

struct tool_bounds {
	const char *input;
	uint32_t hosts, switches;
	const char *ranks;	/* by what they stand in order */
	int64_t lmc;
	struct tool_bound *row;
	unsigned n;
};

void tool_bounds_text(const struct tool_bounds *b, FILE *out);
void tool_bounds_csv(const struct tool_bounds *b, bool header, FILE *out);
json_t *tool_bounds_json(const struct tool_bounds *b);

/* Whether this weft has a solver, and can load it; says so if not.  To be asked before
 * anything is to be solved. */
bool tool_bound_can_solve(struct tool *t);
/* weft_bound_spec.solve, by a linear program, and the most it is asked for. */
int tool_bound_solve(void *context, const struct weft_bound_problem *problem,
		     double *share);
#define TOOL_SOLVABLE 200000	/* minutes */

#endif
