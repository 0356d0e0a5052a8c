/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables in which every switch balances its own ports without knowing of the
 * others: what the reference engines minhop and updn share.
 */
#ifndef WEFT_TREES_LOCAL_BALANCE_H
#define WEFT_TREES_LOCAL_BALANCE_H
#include <weft/lft.h>

/*
 * Which cables may be used towards one switch: sets allowed[e] (e: adjacency
 * entry, i.e. a channel between switches) to 1 for each that its owner may send
 * by, to 0 otherwise.  Every switch but root must be left with at least one.
 */
typedef void weft__allow_fn(void *rule, uint32_t root, uint8_t *allowed);

/*
 * Fills in the tables: each switch sends a destination by that of its allowed
 * ports which carries the fewest destinations so far, the lowest port among
 * equals.  Destinations are served switch by switch, those with most endports
 * first (as OpenSM's minhop does); further LIDs of one endport (LMC) avoid the
 * ports of the earlier ones where they can.  Switches' own LIDs come last and
 * are not counted.
 * O(LIDs x cables); 0 or -ENOMEM.
 */
int weft__local_balance(const struct weft_fabric *fabric,
			weft__allow_fn *allow, void *rule,
			struct weft_lft *lft);

#endif
