/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* SL2VL tables of a fabric, and whether new service levels can use them. */
#ifndef WEFT_TOOLS_LAYER_SL2VL_H
#define WEFT_TOOLS_LAYER_SL2VL_H

#include "tools/common/tool.h"

/* Lanes that every channel between switches has for certain: the highest that
 * any SL leads to there, plus 1.  0 = there are no tables. */
unsigned tool_sl2vl_lanes(const struct weft_fabric *f,
			  const struct weft_layers *layers);
/* Whether there are tables by which each of the SLs 0 .. lanes-1 takes the lane
 * of its number on all channels between switches, and is discarded nowhere. */
bool tool_sl2vl_fits(const struct weft_fabric *f,
		     const struct weft_layers *layers, unsigned lanes);
/* Copies SL2VL tables to layers that have none.  -ENOMEM. */
int tool_sl2vl_copy(const struct weft_fabric *f, const struct weft_layers *from,
		    struct weft_layers *to);

#endif
