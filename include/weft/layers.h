/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Service levels and virtual lanes of a set of routes.
 *
 * The SL of (source endport, destination LID) in the smallest form that serves
 * the engine, and the SL2VL tables that turn it into a lane on each channel.
 */
#ifndef WEFT_LAYERS_H
#define WEFT_LAYERS_H

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_NSL 16
#define WEFT_MAX_LANES 15	/* data lanes of InfiniBand, VL 0 to 14 */
#define WEFT_VL_DROP 15		/* SL2VL entry: packets are discarded */
#define WEFT_VL_UNTOLD 255	/* all of a row that nobody told: written nowhere */

enum weft_sl_form {
	WEFT_SL_ONE,		/* one SL for everything: sl */
	WEFT_SL_DESTINATION,	/* table[dest LID] */
	WEFT_SL_SWITCH_PAIR,	/* table[source switch * nsw + dest switch] */
	WEFT_SL_ENDPORT_LID,	/* table[source endport * (max_lid+1) + LID] */
};

/*
 * sl is what the table says nothing about: everything in form ONE, traffic from
 * switches in form ENDPORT_LID, LIDs that nobody owns.  SLs are 0..15.
 *
 * SL2VL: NULL = the identity, folded into the lanes there are: sl % nvl.
 * Otherwise lanes 0..15, per output when base is NULL,
 *	sl2vl[(output channel) * 16 + sl]
 * or a table for each (switch, in port, out port), ports counted from 0:
 *	sl2vl[(base[switch] + in * (nports+1) + out) * 16 + sl].
 */
struct weft_layers {
	enum weft_sl_form form;
	uint8_t sl;
	uint32_t nsw, nep, max_lid;	/* of the fabric that table is for */
	uint8_t *table;		/* malloc()ed, as are the others; NULL with
				 * form ONE */
	uint8_t *sl2vl;
	uint64_t *base;		/* [nsw], with per-input tables; else NULL */
	uint8_t nvl;		/* lanes in use, 1..15; 0 counts as 1 */
	bool one_way;		/* the SLs of a pair's two directions may
				 * differ: paths are not reversible */
};

/* One SL, one lane: what an engine without layers leaves. */
void weft_layers_init(struct weft_layers *layers);
/* Frees the tables and leaves what init leaves. */
void weft_layers_free(struct weft_layers *layers);

/* SL of traffic from a vertex (endport or switch) to a LID.  O(1). */
uint8_t weft_layers_sl(const struct weft_layers *layers,
		       const struct weft_fabric *fabric, uint32_t source,
		       unsigned dlid);

/*
 * Lane on which switch sw sends a packet of that SL that came in by port in
 * (0 = from its own port 0) and leaves by port out; WEFT_VL_DROP: it discards
 * the packet.  Both ports are 0..nports.  O(1).
 */
uint8_t weft_layers_vl(const struct weft_layers *layers,
		       const struct weft_fabric *fabric, uint32_t sw,
		       unsigned in, unsigned out, unsigned sl);

#ifdef __cplusplus
}
#endif
#endif
