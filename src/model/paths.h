/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The routes between hosts, as small as a congestion model can have them.
 *
 * A forwarding table holds an entry for each (switch, LID); a model that walks
 * millions of random routes through it waits for memory.  Here are only the
 * columns of hosts' base LIDs, one row per destination, so that all hops of a
 * route fall into the same few cache lines and one page.  Every route was
 * walked once when the rows were made: those that do not arrive are marked
 * where they start, so that walking needs no test but "am I there?".
 */
#ifndef WEFT_MODEL_PATHS_H
#define WEFT_MODEL_PATHS_H

#include <weft/fabric.h>
#include <weft/lft.h>

struct weft__paths {
	const struct weft_fabric *fabric;
	uint32_t nhosts;
	uint32_t *sw;		/* [nhosts] switch the host hangs on */
	uint8_t *port;		/* [nhosts][nsw] output port at a switch to
				 * that host */
	uint32_t max_hops;	/* channels between switches on the longest
				 * route between hosts */
};

/*
 * Collects the hosts (aggregation nodes and routers too if all_hosts) in
 * ascending endport id and their rows.  0 or -ENOMEM.
 * Time O(hosts x switches), memory as much in bytes.
 */
int weft__paths_init(struct weft__paths *paths,
		     const struct weft_fabric *fabric,
		     const struct weft_lft *lft, bool all_hosts);
void weft__paths_free(struct weft__paths *paths);

static inline const uint8_t *weft__paths_row(const struct weft__paths *paths,
					     uint32_t dest)
{
	return paths->port + (size_t)dest * paths->fabric->nsw;
}

/*
 * Whether host dest can be reached from switch sw, which has hosts.  If so, the
 * route goes on by port row[sw], row[next switch] ... until paths->sw[dest].
 */
static inline bool weft__paths_reach(const uint8_t *row, uint32_t sw)
{
	return row[sw] != WEFT_NO_PORT;
}

#endif
