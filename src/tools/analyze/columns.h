/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_TOOLS_ANALYZE_COLUMNS_H
#define WEFT_TOOLS_ANALYZE_COLUMNS_H

#include "tools/common/figures.h"

/* The figures of n cases side by side, as many as fit into 80 columns at a
 * time. */
void tool_columns_print(const struct tool_figures *f, unsigned n, FILE *out);

#endif
