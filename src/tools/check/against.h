/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft check --against: fabrics and what they should be. */
#ifndef WEFT_TOOLS_CHECK_AGAINST_H
#define WEFT_TOOLS_CHECK_AGAINST_H

#include "tools/common/tool.h"

/* Compares all inputs with a plan, a file or description.  any_port: as for
 * weft_against_run(). */
enum tool_status tool_against_run(struct tool *t, const char *plan,
				  bool any_port);

/* What differs between two states of a fabric, the first of each kind in words;
 * or an array of these. */
void tool_against_print(const struct weft_fabric *before,
			const struct weft_fabric *after,
			const struct weft_against *found, uint32_t most,
			FILE *out);
json_t *tool_against_json(const struct weft_fabric *before,
			  const struct weft_fabric *after,
			  const struct weft_against *found, uint32_t most);

#endif
