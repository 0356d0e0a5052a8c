/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_TOOLS_SHOW_SHOW_H
#define WEFT_TOOLS_SHOW_SHOW_H

#include "tools/common/tool.h"

#include <weft/shape.h>

/* Ports of hosts; one with planes is one. */
uint32_t tool_show_hosts(const struct weft_fabric *f);
/* A line of the facts, its name on the left. */
void tool_show_fact(FILE *out, const char *name, const char *text);
/* Machines by how many adapters they have and rails, where one has several, and
 * kinds where there are several; as an object, always. */
void tool_show_machines(const struct weft_fabric *f, FILE *out);
json_t *tool_show_machines_json(const struct weft_fabric *f);
/* What a fabric is, for people, with all that is unlike the rest or the first of
 * each kind, and for programs. */
void tool_show_text(const char *input, const struct weft_fabric *f,
		    const struct weft_shape *shape, bool all, FILE *out);
/* What is unlike the rest: the first of each kind, or all, by place. */
void tool_show_notes(const struct weft_fabric *f,
		     const struct weft_shape *shape, bool all, FILE *out);
json_t *tool_show_notes_json(const struct weft_fabric *f,
			     const struct weft_shape *shape);
json_t *tool_show_json(const char *input, const struct weft_fabric *f,
		       const struct weft_shape *shape);

#endif
