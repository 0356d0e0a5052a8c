/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Two sets of routes side by side, of one fabric or of the same one at two
 * times.
 *
 * Switches are the same if they have the same node GUID, endports if they have
 * the same port GUID.  Entries are compared by switch and LID, as a subnet
 * manager does that sends what has changed; routes by their two ends, whatever
 * LID the destination has in each.
 */
#ifndef WEFT_DIFF_H
#define WEFT_DIFF_H

#include <weft/diag.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One side: a fabric and the routes in it. */
struct weft_diff_side {
	const struct weft_fabric *fabric;
	const struct weft_routes *routes;
};

/* What differs on a switch (id: that of B), or for a LID (id: the LID). */
struct weft_diff_row {
	uint32_t id;
	uint32_t entries;
	uint32_t blocks;	/* of 64 LIDs; for a LID 0 */
};

struct weft_diff {
	/* Switches and endports in both, and ids of those in one alone,
	 * ascending: [0] of A, [1] of B. */
	uint32_t switches, endports;
	uint32_t nswitches_only[2], nendports_only[2];
	uint32_t *switches_only[2], *endports_only[2];
	uint32_t endports_moved;	/* of those in both: to another switch
					 * or port of one */
	uint32_t lids_moved;	/* likewise: have another LID or LMC */

	/* Entries of switches in both, for LIDs up to the higher of the two
	 * highest. */
	uint64_t compared, entries;
	uint64_t blocks;	/* of 64 LIDs, to be sent */
	uint64_t needless;	/* of these entries: the old route from there
				 * still arrives, over cables that B has */
	uint32_t nsw, nlids;
	struct weft_diff_row *sw;	/* [nsw] most entries first, then id */
	struct weft_diff_row *lid;	/* [nlids] likewise */

	/*
	 * Pairs (source host, LID of another host) of hosts in both, by as many
	 * LIDs as the destination has on both sides.  A route has changed if it
	 * takes another channel somewhere, or ends elsewhere; a service level
	 * if the source gets another one for that LID.
	 */
	uint64_t pairs, routes, sls;
	/* SL2VL entries (switch, output, input where tables tell inputs apart,
	 * SL) that differ; 0 if only one side has such tables. */
	uint64_t lanes;
};

/*
 * Compares A with B.  0; -EINVAL when routes are of another fabric, or no
 * switch is in both; -ENOMEM.  *out is set on success only, and is freed by
 * weft_diff_free().  O(LIDs x switches), with service levels by endport
 * O(endports x LIDs).
 */
int weft_diff_run(const struct weft_diff_side *a,
		  const struct weft_diff_side *b, struct weft_diff *out,
		  struct weft_diag *diag);
void weft_diff_free(struct weft_diff *diff);	/* zeroed is fine */

/* Nothing differs: fabric, tables, service levels, lanes. */
bool weft_diff_same(const struct weft_diff *diff);

/*
 * The routes of a fabric as they stand in another one: entries, service levels
 * and SL2VL tables go by GUIDs of switches and endports, and by LIDs.  What the
 * other one has and the first has not is without entries; its SL is that of
 * nothing being told.  Ports without a cable now are left as they were.  0 or
 * -ENOMEM.  O(switches x LIDs + the size of the layers).
 */
int weft_routes_carry(const struct weft_diff_side *from,
		      const struct weft_fabric *to, struct weft_routes *out);

#ifdef __cplusplus
}
#endif
#endif
