/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How large service levels are, and copies of them; see weft/layers.h. */
#ifndef WEFT_CORE_LAYERS_H
#define WEFT_CORE_LAYERS_H

#include <weft/layers.h>

#include <stddef.h>

/* Bytes of the table of service levels; 0 with form ONE. */
size_t weft__layers_size(const struct weft_layers *layers);

/* Copies service levels, but no SL2VL tables.  0 or -ENOMEM; *out is set on
 * success only. */
int weft__layers_copy(const struct weft_layers *layers,
		      struct weft_layers *out);

#endif
