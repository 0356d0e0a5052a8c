/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_TOOLS_ANALYZE_WORST_H
#define WEFT_TOOLS_ANALYZE_WORST_H

#include "tools/common/tool.h"

/* weft analyze --worst: what the worst permutation does to each case. */
enum tool_status tool_worst_run(struct tool *t);

#endif
