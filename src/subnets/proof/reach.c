// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which switches reach which endports within a subnet; see reach.h. */
#include "subnets/proof/reach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN 0xff
#define AHEAD 0xfe /* on the way that is being followed */

/* Returns where a switch sends a LID: how the way ends there, or AHEAD and the
 * next switch. */
static uint8_t step(const struct weft_fabric *f, const struct weft_lft *lft,
		    uint32_t sw, uint32_t ep, uint32_t *next)
{
	unsigned port = weft_lft_get(lft, sw, f->ep[ep].lid);
	uint32_t peer;

	if (!port || port > f->sw[sw].nports)
		return WEFT_WAY_NO_ROUTE;
	peer = f->peer[weft_channel(f, sw, port)];
	if (peer == WEFT_NONE)
		return WEFT_WAY_NO_ROUTE;
	if (!weft_is_switch(peer))
		return peer == (ep | WEFT_ENDPORT) ? WEFT_WAY_ARRIVED :
						     WEFT_WAY_NO_ROUTE;
	*next = peer;
	return AHEAD;
}

/* Fills in a row: follows each switch's way until it ends or meets one that is
 * known, and gives all switches on it the same end. */
static void fill(const struct weft_fabric *f, const struct weft_lft *lft,
		 uint32_t ep, uint8_t *end, uint32_t *way)
{
	memset(end, UNKNOWN, f->nsw);
	for (uint32_t start = 0; start < f->nsw; start++) {
		uint32_t n = 0, sw = start;
		uint8_t how = end[sw];

		while (how == UNKNOWN) {
			uint32_t next = WEFT_NONE;

			end[sw] = AHEAD;
			way[n++] = sw;
			how = step(f, lft, sw, ep, &next);
			if (how != AHEAD)
				break;
			sw = next;
			how = end[sw];
		}
		if (how == AHEAD)
			how = WEFT_WAY_LOOP;
		while (n)
			end[way[--n]] = how;
	}
}

int weft__reach_find(const struct weft_subnet *t, struct weft__reach *out)
{
	const struct weft_fabric *f = t->fabric;
	uint32_t *way = malloc((f->nsw + 1ull) * sizeof(*way));

	out->nsw = f->nsw;
	out->end = malloc((size_t)f->nep * f->nsw + 1);
	if (!way || !out->end) {
		free(way);
		return -ENOMEM;
	}
	if (!t->routes.lft.port)
		memset(out->end, WEFT_WAY_NO_ROUTE, (size_t)f->nep * f->nsw);
	else
		for (uint32_t e = 0; e < f->nep; e++)
			fill(f, &t->routes.lft, e,
			     &out->end[(size_t)e * f->nsw], way);
	free(way);
	return 0;
}
