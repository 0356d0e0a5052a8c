/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The verdict on tables that check, analyze and compare end with: are they
 * safe, are they good, and what to do next.  weft report has the same grades
 * (report/grade.h) of more engines.
 */
#ifndef WEFT_TOOLS_COMMON_VERDICT_H
#define WEFT_TOOLS_COMMON_VERDICT_H

#include "report/grade.h"
#include "tools/common/figures.h"

/* The engine that tables are measured by where not all are compared. */
#define TOOL_MEASURE "weave"
#define TOOL_MEASURE_LANES 8

/* What the last fabric is worth by that engine, so that tables of one fabric
 * side by side are not measured anew; zeroed at first. */
struct tool_measure {
	char *input;
	uint32_t plane;
	unsigned lmc;
	double best;
	double bound;	/* of uniform traffic; NAN: not known */
};
void tool_measure_free(struct tool_measure *m);

/* What switches send and receive, too, where hosts are fine; false after an
 * error message. */
bool tool_verdict_switches(struct tool *t, const struct tool_case *c,
			   const struct weft_proof *p, bool *fine);

/*
 * Grades a case that was proved: fills in figures->verdict.  m NULL: what the
 * tables are worth is not asked for.  False after an error message.
 */
bool tool_verdict_make(struct tool *t, const struct tool_case *c,
		       struct tool_measure *m, struct tool_figures *figures);

/* The verdict of grades; by: what gives the best. */
struct tool_verdict tool_verdict_of(const struct weft__graded *of,
				    const char *by);

/* "  safe: " and the colour; the line is left open. */
void tool_verdict_safe(const char *color, FILE *out);
/* The line on what tables are worth, and the next step; nothing where that is
 * not known. */
void tool_verdict_good(const struct tool_verdict *v, FILE *out);
void tool_verdict_next(const struct tool_verdict *v,
		       const struct weft_proof *p, FILE *out);

#endif
