/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Results of simulations as bytes, for another process of this program. */
#ifndef WEFT_TOOLS_SIM_SHIP_H
#define WEFT_TOOLS_SIM_SHIP_H

#include <stddef.h>
#include <weft/weft.h>

/* Returns how many bytes they are, and writes them unless to is NULL. */
size_t tool_sim_pack(const struct weft_sim *sim, void *to);
/* 0, -EINVAL for what tool_sim_pack() does not write, -ENOMEM; *out is set on
 * success only, to be freed. */
int tool_sim_unpack(const void *from, size_t n, struct weft_sim *out);

#endif
