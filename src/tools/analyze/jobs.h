/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft analyze --jobs. */
#ifndef WEFT_TOOLS_ANALYZE_JOBS_H
#define WEFT_TOOLS_ANALYZE_JOBS_H

#include "tools/common/tool.h"

enum tool_status tool_jobs_run(struct tool *t);

#endif
