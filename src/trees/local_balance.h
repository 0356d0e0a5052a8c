/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables in which every switch balances its own ports without regard to the
 * others.  The reference engines minhop and updn share them.
 */
#ifndef WEFT_TREES_LOCAL_BALANCE_H
#define WEFT_TREES_LOCAL_BALANCE_H

#include <weft/lft.h>

/*
 * A rule for the cables that may be used towards one switch: sets allowed[e]
 * (e: adjacency entry, i.e. a channel between switches) to 1 if its owner may
 * send by it, else to 0. It must leave every switch but root at least one.
 */
typedef void weft__allow_fn(void *rule, uint32_t root, uint8_t *allowed);

/*
 * Fills in the tables: each switch sends to a destination by the allowed port
 * that carries the fewest destinations so far, the lowest port among equals.
 * Destinations are served switch by switch, those with most endports first (as
 * OpenSM's minhop does).  Further LIDs of an endport (LMC) avoid the ports of
 * its earlier ones where they can.  Switches' own LIDs come last and are not
 * counted.  O(LIDs x cables); 0 or -ENOMEM.
 */
int weft__local_balance(const struct weft_fabric *fabric,
			weft__allow_fn *allow, void *rule,
			struct weft_lft *lft);

#endif
