/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weft check --redundancy: what nodes with several ports depend on. */
#ifndef WEFT_TOOLS_CHECK_REDUNDANCY_H
#define WEFT_TOOLS_CHECK_REDUNDANCY_H

#include "tools/common/tool.h"

#include <weft/redundancy.h>

/* Prints what was found, at most that many nodes. */
void tool_redundancy_print(const struct weft_fabric *fabric,
			   const struct weft_redundancy *r, uint32_t most,
			   FILE *out);
json_t *tool_redundancy_json(const struct weft_fabric *fabric,
			     const struct weft_redundancy *r, uint32_t most);

/* What the LIDs of hosts share; prints nothing where no host has several. */
void tool_lids_print(const struct weft_lid_redundancy *r, FILE *out);
json_t *tool_lids_json(const struct weft_lid_redundancy *r);

#endif
