/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a switch of a rack sends goes by its neighbour's way where that is less
 * crowded. */
#ifndef WEFT_ENGINES_FATTREE_SIDES_H
#define WEFT_ENGINES_FATTREE_SIDES_H

#include "engines/fattree_engine.h"

/*
 * Moves sources of complete trees; to be called once all choices are made.
 * Keeps freedom from credit loops, with switches as sources and destinations.
 * false without memory, nothing changed.
 */
bool weft__sides_use(struct weft__fattree_run *run);

#endif
