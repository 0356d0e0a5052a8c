/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_TOOLS_COMMON_ENGINES_H
#define WEFT_TOOLS_COMMON_ENGINES_H

#include "tools/common/tool.h"

/* An engine with options as given by -e and -O. */
struct tool_engine {
	const struct weft_engine *engine;
	struct weft_options *options;	/* of the engine */
	struct weft_options *common;	/* that all engines have */
	char *label;			/* "psssp:passes=4" */
};

/*
 * The engines of the command line; the last one's engine is NULL.  NULL after
 * an error message.
 */
struct tool_engine *tool_engines_parse(struct tool *t);
void tool_engines_free(struct tool_engine *e);	/* NULL is fine */

/* The engines, their options and defaults, as text, JSON or CSV. */
void tool_engines_list(const struct tool *t, FILE *out);
/* The options that all engines have on the command line. */
const struct weft_option *tool_engines_common(void);
/* A thing with its options, as JSON. */
json_t *tool_listed_json(const char *name, const char *summary,
			 const struct weft_option *options);
/* The options of one thing, indented. */
void tool_options_list(FILE *out, const struct weft_option *o);

/* Lanes that tables of an engine may use as it was asked for: those of its own
 * option, or with deadlock=layers the common one; else 1. */
unsigned tool_engine_lanes(const struct tool_engine *e);

/* Runs an engine; *seconds is how long it took.  False after an error
 * message. */
bool tool_route(struct tool *t, const struct tool_engine *e,
		const struct weft_fabric *f, struct weft_routes *routes,
		double *seconds);

/* What was heard while an engine routed. */
struct tool_refusal {
	struct weft_diag was;
	bool silent;		/* messages go nowhere else */
	double seconds;		/* that it took, if it did not refuse */
	bool mended;		/* its tables had a credit loop, and got service
				 * levels */
	char text[1024];	/* the last error, "" if there was none */
};

/* tool_route() while listening; r is zeroed but for silent. */
bool tool_route_heard(struct tool *t, const struct tool_engine *e,
		      const struct weft_fabric *f, struct weft_routes *routes,
		      struct tool_refusal *r);

#endif
