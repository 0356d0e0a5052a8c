/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which service levels and lanes the traffic of hosts has. */
#ifndef WEFT_REPORT_LANES_H
#define WEFT_REPORT_LANES_H

#include <weft/routes.h>

/* Pairs of (host, LID of another host) by service level, and by the lane on
 * which the first switch sends. */
struct weft__lane_use {
	uint64_t pairs; /* with a port to take there */
	uint64_t sl[WEFT_NSL];
	uint64_t vl[WEFT_NSL];
};

/* O(hosts x LIDs of hosts). */
void weft__lane_use_count(const struct weft_fabric *f,
			  const struct weft_routes *routes, bool all_hosts,
			  struct weft__lane_use *out);

/* Lanes with traffic. */
unsigned weft__lanes_used(const struct weft__lane_use *use);

#endif
