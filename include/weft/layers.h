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
#define WEFT_VL_DROP 15		/* SL2VL entry: packets are discarded */

enum weft_sl_form {
	WEFT_SL_ONE,		/* one SL for everything: sl */
	WEFT_SL_DESTINATION,	/* table[dest LID] */
	WEFT_SL_SWITCH_PAIR,	/* table[source switch * nsw + dest switch] */
	WEFT_SL_ENDPORT_LID,	/* table[source endport * (max_lid+1) + LID] */
};

/*
 * SL2VL: NULL = VL(sl) = sl where nvl allows, i.e. the identity.  Otherwise
 * sl2vl[(output channel) * 16 + sl] for traffic independent of the input port,
 * or, with per_input set, a table for each (switch, in port, out port):
 * sl2vl[(base[switch] + in * (nports+1) + out) * 16 + sl].
 */
struct weft_layers {
	enum weft_sl_form form;
	uint8_t sl;
	uint32_t nsw, nep, max_lid;
	uint8_t *table;
	uint8_t *sl2vl;
	uint64_t *base;		/* [nsw], with per-input tables; else NULL */
	uint8_t nvl;		/* lanes in use, 1..15 */
};

/* One SL, one lane: what an engine without layers leaves. */
void weft_layers_init(struct weft_layers *layers);
void weft_layers_free(struct weft_layers *layers);

/* SL of traffic from a vertex (endport or switch) to a LID. */
uint8_t weft_layers_sl(const struct weft_layers *layers,
		       const struct weft_fabric *fabric, uint32_t source,
		       unsigned dlid);

/*
 * Lane on which switch sw sends a packet of that SL that came in by port in
 * (0 = from its own port 0) and leaves by port out.
 */
uint8_t weft_layers_vl(const struct weft_layers *layers,
		       const struct weft_fabric *fabric, uint32_t sw,
		       unsigned in, unsigned out, unsigned sl);

#ifdef __cplusplus
}
#endif
#endif
