/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft check --rails: are adapters on their rails? */
#ifndef WEFT_TOOLS_CHECK_RAILS_H
#define WEFT_TOOLS_CHECK_RAILS_H

#include "tools/common/tool.h"

/* Looks at all inputs, without tables. */
enum tool_status tool_rails_run(struct tool *t);

#endif
