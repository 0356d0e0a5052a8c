/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How large service levels are; see weft/layers.h. */
#ifndef WEFT_CORE_LAYERS_H
#define WEFT_CORE_LAYERS_H

#include <weft/layers.h>

#include <stddef.h>

/* Bytes of the table of service levels; 0 with form ONE. */
size_t weft__layers_size(const struct weft_layers *layers);

#endif
