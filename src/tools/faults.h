/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft faults: what is told of failures. */
#ifndef WEFT_TOOLS_FAULTS_H
#define WEFT_TOOLS_FAULTS_H

#include "engines.h"
#include "parts.h"

/* Values of its own options. */
struct tool_faults_own {
	const char *links, *switches, *cables, *plan, *keep, *reroute;
	int64_t sample, top;
	bool host_links, each;
};

/* Failures of one case, on paper. */
struct tool_faults {
	const struct tool_case *c;
	const char *engine; /* that routes anew, or NULL */
	const struct weft_fault_sets *sets;
	const struct weft_faults *x;
	bool single; /* each set is one part */
	bool each;
	uint32_t top;
};

void tool_faults_text(const struct tool_faults *r, FILE *out);
json_t *tool_faults_json(const struct tool_faults *r);
/* Rows of all sets; header: the first line, too. */
void tool_faults_csv(const struct tool_faults *r, bool header, FILE *out);

/* A plan of one case. */
struct tool_plan {
	const struct tool_case *c;
	const char *engine;
	const struct weft_fault_plan *x;
	double keep;
};

void tool_plan_text(const struct tool_plan *r, FILE *out);
json_t *tool_plan_json(const struct tool_plan *r);
void tool_plan_csv(const struct tool_plan *r, bool header, FILE *out);

/* Shares of bandwidth as an object. */
json_t *tool_bandwidth_json(const struct weft_fabric *f,
			    const struct weft_fault_bandwidth *b);
/* What an engine makes of the rest; null where that is not known. */
json_t *tool_rerouted_json(const struct weft_fabric *f,
			   const struct weft_fault *fault);

#endif
