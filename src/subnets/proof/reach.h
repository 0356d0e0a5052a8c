/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which switches reach which endports within a subnet. */
#ifndef WEFT_SUBNETS_REACH_H
#define WEFT_SUBNETS_REACH_H

#include <weft/subnets.h>

/* How the route from a switch to the base LID of an endport ends. */
struct weft__reach {
	uint32_t nsw;
	uint8_t *end; /* [nep][nsw] enum weft_way_end */
};

/* Finds them for a subnet; without tables nothing is reached.  -ENOMEM.
 * O(endports x switches) time and bytes. */
int weft__reach_find(const struct weft_subnet *t, struct weft__reach *out);

static inline enum weft_way_end weft__reach(const struct weft__reach *r,
					    uint32_t sw, uint32_t ep)
{
	return (enum weft_way_end)r->end[(size_t)ep * r->nsw + sw];
}

#endif
