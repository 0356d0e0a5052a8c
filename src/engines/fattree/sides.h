/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Racks whose two switches hang on different parts of the fabric send by
 * both. */
#ifndef WEFT_ENGINES_FATTREE_SIDES_H
#define WEFT_ENGINES_FATTREE_SIDES_H

#include "engines/fattree/engine.h"

/*
 * Keeps cables in such racks, if there are any, for what one of the two
 * switches itself sends, and makes the plans anew.  Any choice among these ways
 * is as free from credit loops as before, with switches as sources and
 * destinations.  Returns false without memory.
 */
bool weft__sides_keep(struct weft__fattree_run *run);

#endif
