/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The strategies of weave across subnets. */
#ifndef WEFT_SUBNETS_WEAVE_H
#define WEFT_SUBNETS_WEAVE_H

#include <weft/subnets.h>

/* Makes via[] and out[] of a mapping, whose others are set; see spread.c.
 * far[n * n] are distances of subnets, as weft_subnets.hops.  -ENOMEM. */
int weft__spread_map(const struct weft_subnets *s, const uint32_t *far,
		     struct weft_router_map *m);

/* Makes the best mapping that has no credit loop within that many lanes (0: 8);
 * see weave.c.  -ENOTSUP or -ENOMEM after an error. */
int weft__weave_map(const struct weft_subnets *s,
		    const struct weft_router_map_spec *spec,
		    struct weft_router_map *out, struct weft_diag *diag);

#endif
