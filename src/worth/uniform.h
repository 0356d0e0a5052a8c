/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Saturation of all-to-all. */
#ifndef WEFT_WORTH_UNIFORM_H
#define WEFT_WORTH_UNIFORM_H
#include "worth/paths.h"

/*
 * The share of full bandwidth at which every host can send to all others, to
 * each as much, before some channel between switches is full: at most 1, and
 * times the share of pairs that have a route; *lost: those that have none.
 * offset: of the LID that an endport sends to, [nep]; NULL = 0.  The
 * destinations are the hosts of the paths.  0 or -ENOMEM.
 * O(hosts x switches with hosts x hops).
 */
int weft__uniform(const struct weft__paths *paths, const uint8_t *offset,
		  double *share, uint64_t *lost);

#endif
