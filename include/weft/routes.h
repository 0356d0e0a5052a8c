/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes: the forwarding tables of all switches, the service level of every
 * path, and the LID that each source sends to.
 *
 * Threads: routes are plain data.  Any number of threads may read them, also by
 * the functions that take them as const, as long as none writes.
 */
#ifndef WEFT_ROUTES_H
#define WEFT_ROUTES_H

#include <weft/fabric.h>
#include <weft/layers.h>
#include <weft/lft.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Routes, as an engine makes them or a reader finds them.  The caller owns the
 * structure, zeroes it first, and releases it by weft_routes_free().
 *
 * lid_offset: for engines that realise several paths by LMC, which of a
 * destination's LIDs each endport sends to, counted from the base LID: [nep] of
 * the fabric, malloc()ed.  NULL: everyone sends to base LIDs.
 */
struct weft_routes {
	struct weft_lft lft;
	struct weft_layers layers;
	uint8_t *lid_offset;
	char how[80];	/* how the engine came by them, for a line in a log;
			 * "" = nothing to say */
};

/* Releases what routes hold and leaves them zeroed but for how; zeroed ones
 * are fine. */
void weft_routes_free(struct weft_routes *routes);

/* LID of endport dest that endport source sends to: where dest has fewer LIDs
 * than the offset asks for, its lower bits count.  0 = dest has none.  O(1). */
static inline uint16_t weft_routes_lid(const struct weft_fabric *fabric,
				       const struct weft_routes *routes,
				       uint32_t source, uint32_t dest)
{
	const struct weft_endport *to = &fabric->ep[dest];

	if (!routes->lid_offset || !to->lid)
		return to->lid;
	return to->lid +
	       (routes->lid_offset[source] & ((1u << to->lmc) - 1));
}

#ifdef __cplusplus
}
#endif
#endif
