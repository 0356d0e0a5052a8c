/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Saturation of uniform all-to-all traffic. */
#ifndef WEFT_WORTH_UNIFORM_H
#define WEFT_WORTH_UNIFORM_H

#include "worth/model/paths.h"

/*
 * Finds the share of full bandwidth at which every host can send equally to all
 * others before a channel between switches is full: at most 1, times the share
 * of pairs that have a route. *lost: the pairs without one. offset: [nep]
 * offset of the LIDs that an endport sends to; NULL: 0. The destinations are
 * the hosts of the paths. 0 or -ENOMEM.  O(hosts x switches with hosts x hops).
 */
int weft__uniform(const struct weft__paths *paths, const uint8_t *offset,
		  double *share, uint64_t *lost);

/*
 * The same, and got[nhosts]: the share of its full bandwidth that each host
 * gets through when all send at full bandwidth, equally to all others.  What is
 * sent to a host counts as much as the most crowded channel of its route lets
 * through.  blame[nsw], NULL: nobody asks: of each switch the channel that
 * takes most from its hosts, WEFT_NONE where none does.  O(hosts^2 + hosts x
 * switches with hosts x hops).
 */
int weft__uniform_hosts(const struct weft__paths *paths, const uint8_t *offset,
			double *got, uint32_t *blame, double *share,
			uint64_t *lost);

#endif
