/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft analyze --saturation. */
#ifndef WEFT_TOOLS_ANALYZE_SATURATION_H
#define WEFT_TOOLS_ANALYZE_SATURATION_H

#include "tools/common/tool.h"

/* Reports what all-to-all traffic gets through, for all inputs and tables. */
enum tool_status tool_saturation_run(struct tool *t);

/* The same as an object; bound: what any tables have of even. */
json_t *tool_saturation_json(const struct weft_fabric *f,
			     const struct weft_saturation *s, double bound);

#endif
