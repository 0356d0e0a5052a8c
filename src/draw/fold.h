/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Large pictures: where switches of pods or groups would be too small for words,
 * those of one level and pod, or of one group, are one box.
 */
#ifndef WEFT_DRAW_FOLD_H
#define WEFT_DRAW_FOLD_H

#include "draw/layout.h"

/* Folds what is too small in a layout that was made: sets folded[], and gives all
 * switches of a box its place.  0 or -ENOMEM. */
int weft__layout_fold(struct weft__layout *l);

/* The switch that a switch's box is told by: itself where nothing is folded. */
static inline uint32_t weft__stands(const struct weft__layout *l, uint32_t s)
{
	return l->stands ? l->stands[s] : s;
}
/* How many switches the box of a switch has. */
static inline uint32_t weft__folded(const struct weft__layout *l, uint32_t s)
{
	return l->stands ? l->folded[l->stands[s]] : 1;
}

#endif
