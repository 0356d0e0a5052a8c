/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Colours of loads. */
#ifndef WEFT_DRAW_HEAT_H
#define WEFT_DRAW_HEAT_H

#include <weft/shape.h>

/* What the ends of the scale are called. */
#define WEFT__HEAT_COLD "the mean of its level, or less"
#define WEFT__HEAT_HOT "twice that, or more"

/*
 * Loads, for the capacity of their channels, against the mean of channels
 * between the same levels in the same direction, which in what is no tree is
 * that of all: 0 the mean or less, 1 twice that or more, so that balanced tables
 * are pale.  heat is [first_injection], as load.  O(channels).
 */
void weft__draw_heat(const struct weft_fabric *f,
		     const struct weft_shape *shape, const uint64_t *load,
		     float *heat);

#endif
