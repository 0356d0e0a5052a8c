/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cables that come and go, as the plugin tells in the last line of
 * weft-sweeps.jsonl in a dump directory (weft-plugin(7)). */
#ifndef WEFT_TOOLS_CHECK_FLAPPING_H
#define WEFT_TOOLS_CHECK_FLAPPING_H

#include "tools/common/tool.h"

/* What the last sweep of a dump directory says of them: an object with cables
 * and list.  NULL: no such file, or it does not tell. */
json_t *tool_flapping_read(const char *directory);

#endif
