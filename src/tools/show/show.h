/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_TOOLS_SHOW_SHOW_H
#define WEFT_TOOLS_SHOW_SHOW_H

#include "tools/common/tool.h"

#include <weft/shape.h>

/* Ports of hosts; one with planes is one. */
uint32_t tool_show_hosts(const struct weft_fabric *f);
/* What a fabric is, for people, and for programs. */
void tool_show_text(const char *input, const struct weft_fabric *f,
		    const struct weft_shape *shape, FILE *out);
void tool_show_json(const char *input, const struct weft_fabric *f,
		    const struct weft_shape *shape, FILE *out);

#endif
