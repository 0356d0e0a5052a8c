/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft compare: engines side by side on one fabric. */
#ifndef WEFT_TOOLS_COMPARE_COMPARE_H
#define WEFT_TOOLS_COMPARE_COMPARE_H

#include "tools/common/engines.h"
#include "tools/common/record.h"
#include "tools/common/verdict.h"

struct tool_compare_spec {
	struct weft_comparison_spec comparison;
	unsigned failures; /* random cables for each row; 0: none */
	double seconds;	   /* no engine begins after that many; 0: all do */
	bool opensm;	   /* OpenSM's own engines, too */
	bool alone;	   /* engines whose tables are mended have a row without
			    * that, too, which is never advised */
	/* The tables of the engine, one of those to be compared, that others
	 * are measured against; NULL: of none.  They may have a credit loop. */
	const struct tool_case *shown;
	bool shown_loops;
};

/*
 * Adds the present tables, NULL for none, and all engines to a comparison and
 * ranks its rows.  An engine that refuses is a row, too.  The fabric has LIDs
 * and, like the present tables and theirs, outlives the comparison.  False
 * after an error message.
 */
bool tool_compare_engines(struct tool *t, const struct tool_compare_spec *spec,
			  const struct weft_candidate *present,
			  const struct weft_fabric *fabric,
			  struct weft_comparison **out);

/*
 * Adds a row for each engine of the real opensm, which routes the fabric
 * through the simulator ibsim, several at a time, of that many lanes, all within
 * that many seconds; 0 or less: no time is left, which the rows say.  False
 * after an error message, of which one is that these programs are missing.
 */
bool tool_compare_opensm(struct tool *t, struct weft_comparison *c,
			 const struct weft_fabric *fabric, unsigned lanes,
			 double seconds);

/* A comparison on paper; label of the input, and what is advised. */
struct tool_compare_report {
	const char *input, *objective;
	const struct weft_fabric *fabric;
	const struct weft_comparison *comparison;
	const struct weft_advice *advice;
	struct tool_verdict verdict;	/* on the present tables; zeroed: there
					 * are none */
	double uniform_bound;	/* what any tables have of uniform traffic;
				 * NAN: not known */
	unsigned failures;
	bool spread, opensm;
};

/* What a row is called: "present", or its engine. */
const char *tool_compare_label(const struct weft_compared *r);

/* A row as all reports of a comparison tell it. */
struct tool_compare_row {
	const char *input, *routes, *origin;
	const char *refused;	/* why it is not compared, NULL: it is */
	bool advised;
	double uniform_bound, of_uniform_bound;	/* NAN: not known, or the
						 * objective is without */
	struct weft_compared k;
};
void tool_compare_row(const struct tool_compare_report *r,
		      const struct weft_compared *k,
		      struct tool_compare_row *out);

/* Its figures but for those of single kinds of traffic; and what failures do,
 * and why there are none. */
extern const struct tool_field tool_compare_costs[], tool_compare_failures[];

void tool_compare_text(const struct tool_compare_report *r, FILE *out);
void tool_compare_html(const struct tool_compare_report *r, FILE *out);
void tool_compare_csv(const struct tool_compare_report *r, FILE *out);
json_t *tool_compare_json(const struct tool_compare_report *r);

/* Sets measured pairs beside the model, instead; full: text of the rate of a
 * pair alone, NULL: the best one. */
enum tool_status tool_compare_measured(struct tool *t, const char *file,
				       const char *full);

/* The value of a line of a file as /proc/PID/status, in bytes; 0 if there is no
 * such file or line. */
uint64_t tool_compare_memory(const char *path, const char *key);

#endif
