/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collects what whole tables put on the channels. */
#ifndef WEFT_LOADS_GATHER_H
#define WEFT_LOADS_GATHER_H

#include "loads/loads.h"

/*
 * Adds the loads and dependencies of all columns of tables to t, which has none
 * as yet, and puts as many kinds of traffic in order as have one together.
 * lost: [max_lid + 1] how many switches do not reach a LID, although cables lead
 * there, in bits (weft__lost_bits()); zeroed.  0 or -ENOMEM.  O(switches x
 * LIDs).
 */
int weft__gather(struct weft__loads *t, const struct weft_lft *lft,
		 uint8_t *lost);

/* The same in two steps, which take a little more together: the loads, and what
 * is in order. */
int weft__gather_loads(struct weft__loads *t, const struct weft_lft *lft,
		       uint8_t *lost);
int weft__gather_order(struct weft__loads *t, const struct weft_lft *lft,
		       uint8_t *lost);

#endif
