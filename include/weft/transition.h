/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What happens between two sets of tables, while they are written.
 *
 * Tables are written a block of 64 entries at a time, so that for a while some
 * switches forward by the old tables and others by the new ones.  Packets may
 * loop then, or end at a switch that has no entry for them, although both sets
 * are sound; and packets that follow old and new routes may wait for each other
 * in a circle.
 *
 * Three answers, each harder to have than the one before.  First, whatever the
 * order: if neither any mixture of old and new entries loses packets nor the
 * old, the new and the mixed routes together have a credit loop, any order is
 * safe.  Second, the order in which OpenSM writes.  Third, an order of switches
 * that is safe, for those who write tables by other means.
 *
 * Sources are endports, destinations the LIDs of endports.  Pairs are counted
 * of hosts, and losses only of those that both sets of tables serve.  Of each
 * path both the old service level and the new one are taken to be in use, since
 * connections keep the one that they asked for; of SL2VL tables, both.
 *
 * Time O(LIDs x switches) where any order is safe.  Otherwise O(entries that
 * differ x hops) more, and for an order of switches that for each attempt.
 */
#ifndef WEFT_TRANSITION_H
#define WEFT_TRANSITION_H

#include <weft/proof.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_transition_spec {
	/* [nsw] order in which switches get a block, before all of them get the
	 * next one; NULL: as OpenSM does, see weft_transition_opensm_order() */
	const uint32_t *writes;
	bool search;		/* look for a safe order of switches */
	uint64_t work;		/* steps from switch to switch after which that
				 * search ends; 0 = 2^31 */
};

enum weft_order_verdict {
	WEFT_ORDER_UNASKED,
	WEFT_ORDER_ANY,		/* every order of switches is safe; with
				 * order_waits false, as far as losses go */
	WEFT_ORDER_FOUND,	/* this one is */
	WEFT_ORDER_NONE,	/* none is: no switch can be the first, or none
				 * the last */
	WEFT_ORDER_UNKNOWN,	/* none was found */
};

/* While blocks are written one by one. */
struct weft_transition_writes {
	uint64_t lost;		/* pairs that lose packets at some time */
	uint64_t loops;		/* of these, pairs that loop at some time */
	uint64_t first_loss;	/* write after which the first does, counted
				 * from 1; 0 = none */
	uint32_t loss_sw;	/* the switch written then */
	struct weft_finding loss;	/* and a pair that fails */
	/* Writes after which the tables in place have a credit loop, and the
	 * first of them, 0 = none. */
	uint64_t cyclic, first_cyclic;
	uint32_t cyclic_sw, cyclic_block;	/* the block written then */
	/* False: credit loops of tables in place were not looked for, since
	 * lanes change on the way, or the search for them took too long. */
	bool known;
};

struct weft_transition {
	uint64_t entries;	/* that differ */
	uint64_t writes;	/* blocks of 64 entries with a difference */
	uint32_t switches;	/* with a difference */
	uint32_t lids;		/* of endports, likewise */
	/* Of these, such that some mixture of old and new entries loses packets
	 * of an endport that both sets deliver; and of the rest, such that one
	 * has packets loop that a set does not deliver, but neither has loop.
	 * Both are exact: such a mixture exists, or none does. */
	uint32_t risky_lids, looping_lids;
	/* Credit loops of old, new and mixed routes together, as struct
	 * weft_proof has those of one set. */
	unsigned cyclic_vls;
	uint32_t ncycles;
	struct weft_cycle *cycle;
	bool cyclic_before, cyclic_after;	/* such loops of either set */
	/* Such loops of the new tables, if connections keep the service levels
	 * that the old ones gave them: no order helps against that. */
	bool cyclic_kept;

	struct weft_transition_writes opensm;

	/*
	 * A safe order: all blocks of a switch, in any order, then of the next.
	 * After each switch, no pair that both sets serve is lost and no other
	 * one loops; and the routes before and after a switch together have no
	 * credit loop, unless one of the two sets has one itself (order_waits
	 * is false then, as it is where lanes change on the way).
	 */
	enum weft_order_verdict verdict;
	bool order_waits;
	uint32_t norder;
	uint32_t *order;	/* [norder] switches; those without differences
				 * are left out */
	/* With NONE and UNKNOWN: a switch that cannot be next, and the LID to
	 * which packets would be lost (stuck_loop: no packets that both sets
	 * deliver, but others would loop), 0 = a credit loop would close. */
	uint32_t stuck_sw;
	uint16_t stuck_lid;
	bool stuck_loop;
	uint32_t stuck_after;	/* switches that were written before */
};

/*
 * Compares two sets of routes of one fabric.  0; -EINVAL when one is of another
 * fabric; -ENOMEM.  *out is set on success only, and is freed by
 * weft_transition_free().
 */
int weft_transition_run(const struct weft_fabric *fabric,
			const struct weft_routes *before,
			const struct weft_routes *after,
			const struct weft_transition_spec *spec,
			struct weft_transition *out, struct weft_diag *diag);
void weft_transition_free(struct weft_transition *transition);

/*
 * The order in which OpenSM 3.3 goes through the switches, into order[nsw]: it
 * keeps them by GUID in network byte order, as the SM's machine reads that, so
 * that on little-endian machines the last byte of the GUID comes first.
 */
void weft_transition_opensm_order(const struct weft_fabric *fabric,
				  uint32_t *order);

#ifdef __cplusplus
}
#endif
#endif
