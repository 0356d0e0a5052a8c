/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft subnets: a fabric of subnets, as its verbs see it. */
#ifndef WEFT_TOOLS_SUBNETS_H
#define WEFT_TOOLS_SUBNETS_H

#include "tool.h"

struct tool_subnets {
	const char *input;  /* for people: the inputs in one text */
	const char *engine; /* that routed the subnets, NULL: their own
			     * tables */
	struct weft_subnets *s;
	struct weft_whole whole;
	struct weft_router_map map;
};

/* Text of a GID, "fec0::1:2:c903:1", into buf. */
#define TOOL_GID_SIZE 48
const char *tool_text_gid(uint64_t prefix, uint64_t guid, char *buf);

/* The verbs; each reports to out, or as JSON. */
enum tool_status tool_subnets_check(struct tool *t,
				    const struct tool_subnets *x, FILE *out);
enum tool_status tool_subnets_analyze(struct tool *t,
				      const struct tool_subnets *x, FILE *out);
enum tool_status tool_subnets_trace(struct tool *t,
				    const struct tool_subnets *x,
				    const char *source, const char *dest,
				    FILE *out);

#endif
