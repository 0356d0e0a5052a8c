// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes mappings by any method. */
#include "subnets/map/router_map.h"
#include "subnets/map/weave.h"

#include <errno.h>

static bool may_be_symmetric(const struct weft_router_map_spec *spec)
{
	return !spec->symmetric || spec->method == WEFT_ROUTER_MAP_STATIC ||
	       spec->method == WEFT_ROUTER_MAP_CRC32;
}

int weft_router_map_make(const struct weft_subnets *s,
			 const struct weft_router_map_spec *spec,
			 struct weft_router_map *out, struct weft_diag *diag)
{
	if (!may_be_symmetric(spec))
		return weft_fail(diag, EINVAL,
				 "%s goes by destination alone, and such a mapping is symmetric only if it is static: take static or crc32",
				 weft_router_map_name(spec->method));
	return (spec->method == WEFT_ROUTER_MAP_WEAVE ?
			weft__weave_map :
			weft__router_map_by_method)(s, spec, out, diag);
}
