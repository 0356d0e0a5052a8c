/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Better trees within the lanes that pairs have; see polish.c. */
#ifndef WEFT_ENGINES_POLISH_H
#define WEFT_ENGINES_POLISH_H

#include "engines/spread.h"

/*
 * Improves trees of endports, whatever ways they follow, such that each pair of
 * switches keeps a lane that allows all of its turns, as it must have; ways get
 * no longer.  The spread's masks, which are those of the trees, follow.  quickly:
 * every second tree, by what a quarter of them is worth.  0 or -ENOMEM, trees
 * untouched.
 */
int weft__polish(struct weft__spread *spread, unsigned passes, bool quickly);

#endif
