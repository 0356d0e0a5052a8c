/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft faults: what is told of failures. */
#ifndef WEFT_TOOLS_FAULTS_FAULTS_H
#define WEFT_TOOLS_FAULTS_FAULTS_H

#include "tools/common/engines.h"
#include "tools/common/parts.h"

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
	bool all_hosts;
	bool single; /* each set is one part */
	bool each;
	uint32_t top;
};

/* The one whose rerouting stands for a set, as far as ties that are broken by
 * id make no difference; NULL if that is not known. */
static inline const struct weft_fault *
tool_faults_routed(const struct weft_faults *x, const struct weft_fault *f)
{
	const struct weft_fault *by = &x->fault[f->like];

	return by->routed ? by : NULL;
}

/* Whether one that was routed stands for others. */
static inline bool tool_faults_stand_in(const struct weft_faults *x)
{
	return x->classes < x->n;
}

/* The hosts that a set cuts off, see tool_cut_text(). */
char *tool_faults_cut(const struct tool_faults *r, uint32_t set);

void tool_faults_text(const struct tool_faults *r, FILE *out);
json_t *tool_faults_json(const struct tool_faults *r);
/* Rows of all sets; header: the first line, too. */
void tool_faults_csv(const struct tool_faults *r, bool header, FILE *out);

/* A plan of one case. */
struct tool_plan {
	const struct tool_case *c;
	const char *engine;
	const struct weft_fault_plan *x;
	bool all_hosts;
	double keep;
};

void tool_plan_text(const struct tool_plan *r, FILE *out);
json_t *tool_plan_json(const struct tool_plan *r);
void tool_plan_csv(const struct tool_plan *r, bool header, FILE *out);

/* The hosts that parts cut off, folded as Slurm does; malloc()ed, NULL where
 * there are none. */
char *tool_cut_text(const struct tool_case *c, const uint32_t *part, uint32_t n,
		    bool all_hosts);

/* Shares of bandwidth as an object; own: with the slowest host. */
json_t *tool_bandwidth_json(const struct weft_fabric *f,
			    const struct weft_fault_bandwidth *b, bool own);
json_t *tool_parts_json(const struct weft_fabric *f, const uint32_t *part,
			uint32_t n);
/* What an engine makes of the rest; null where that is not known.  own: it was
 * asked about that set, not about one that is alike: ties that it breaks by id
 * make other tables then, so that entries are null. */
json_t *tool_rerouted_json(const struct weft_fabric *f,
			   const struct weft_fault *fault, bool own);

#endif
