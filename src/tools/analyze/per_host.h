/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_TOOLS_ANALYZE_PER_HOST_H
#define WEFT_TOOLS_ANALYZE_PER_HOST_H

#include "tools/common/tool.h"

/* Whether --per-host or --groups was given. */
bool tool_per_host_wanted(const struct tool *t);
/* weft analyze --per-host: who gets least when all send to all. */
enum tool_status tool_per_host_run(struct tool *t);

#endif
