/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft watch: a fabric, again and again. */
#ifndef WEFT_TOOLS_WATCH_WATCH_H
#define WEFT_TOOLS_WATCH_WATCH_H

#include "report/since.h"
#include "tools/common/tool.h"

struct watch_options {
	const char *since, *ca;
	int64_t every, most, port;
	bool once;
};

/* What is shown at a time. */
struct watch_view {
	const char *input, *base;	/* as given; base: what changes are
					 * since, NULL: nothing */
	const struct weft_fabric *fabric, *before;	/* before: of base */
	double time;		/* in seconds since 1970 */
	const struct weft__since *rates;	/* since the view before */
	const struct weft__since *changes;	/* since base */
	uint32_t most;		/* rows of a list */
};

/* --- view.c --------------------------------------------------------------- */

/* As text, JSON or CSV; false after an error message. */
bool tool_watch_report(struct tool *t, const struct watch_view *v, FILE *out);

/* --- live.c --------------------------------------------------------------- */

/* Makes a directory for captures of a live fabric; false after an error
 * message. */
bool tool_watch_live_begin(struct tool *t, char directory[64]);
/* Captures into it, by weft capture itself; the same. */
bool tool_watch_live(struct tool *t, const char *directory);
void tool_watch_live_end(const char *directory);

#endif
