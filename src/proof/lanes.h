/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Facts on SLs and lanes that a proof needs before it walks a tree.
 */
#ifndef WEFT_PROOF_LANES_H
#define WEFT_PROOF_LANES_H

#include "core/arena.h"

#include <weft/diag.h>
#include <weft/layers.h>
#include <weft/lft.h>

struct weft__proof_lanes {
	const struct weft_fabric *fabric;
	const struct weft_layers *layers;
	/*
	 * True if a packet's lane depends on more than its SL, or packets of an
	 * SL in use may be discarded somewhere.  If false, of_sl[] is the lane
	 * of each SL on all channels between switches.
	 */
	bool mixed;
	uint8_t of_sl[WEFT_NSL];
	uint16_t used;		/* SLs in use, a bit each */
	uint32_t nlanes;	/* highest lane in use + 1 */
	const uint32_t *endport;	/* [nep] order of by_endport below */
	uint8_t *column;	/* SLs to the current switch or LIDs */
	uint32_t column_of;	/* that switch or block */
};

/*
 * The SLs of traffic to one LID: by_endport if set, indexed as
 * lanes->endport is; else by_switch if set, by source switch; else one.
 * one is also the SL of traffic from a switch when by_endport is set.
 */
struct weft__sls {
	uint8_t one;
	const uint8_t *by_switch, *by_endport;
};

/*
 * Reads SL and SL2VL tables.  Returns -EINVAL if they are of another fabric, or
 * -ENOMEM.  Memory comes from scratch. lanes->endport is sw_endport at first.
 */
int weft__proof_lanes_init(struct weft__proof_lanes *lanes,
			   const struct weft_fabric *fabric,
			   const struct weft_layers *layers,
			   struct weft_arena *scratch, struct weft_diag *diag);

/*
 * Returns the SLs to a LID that has an owner, valid until the next call.  Calls
 * in ascending order of LIDs copy each byte of the table once.
 */
struct weft__sls weft__proof_lanes_sls(struct weft__proof_lanes *lanes,
				       unsigned lid);

#endif
