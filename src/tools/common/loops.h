/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Credit loops: a shortest of each component, its traffic, what would open
 * them.  The names of the JSON keys are a promise: see weft-check(1). */
#ifndef WEFT_TOOLS_COMMON_LOOPS_H
#define WEFT_TOOLS_COMMON_LOOPS_H

#include "tools/common/tool.h"

/* The first max of all loops, then of all turns; nothing if there are none. */
void tool_loops_print(const struct weft_fabric *f, const struct weft_proof *p,
		      uint64_t max, FILE *out);
/* The same with all counts; the second is null where there are no loops. */
json_t *tool_loops_json(const struct weft_fabric *f,
			const struct weft_proof *p, uint64_t max);
json_t *tool_remedy_json(const struct weft_fabric *f,
			 const struct weft_proof *p, uint64_t max);

/* A line for each channel of a cycle, and below it the traffic that goes on to
 * the next, if that is known; or an array of objects. */
void tool_cycle_print(const struct weft_fabric *f, const struct weft_cycle *c,
		      FILE *out);
json_t *tool_cycle_json(const struct weft_fabric *f,
			const struct weft_cycle *c);

#endif
