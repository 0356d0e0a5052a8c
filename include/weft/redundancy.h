/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Machines with several ports, of one adapter or of several, and whether the
 * routes to these ports depend on one switch: if it fails, nobody who depends on
 * it reaches the machine until the subnet manager has routed anew.
 */
#ifndef WEFT_REDUNDANCY_H
#define WEFT_REDUNDANCY_H

#include <weft/lft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A switch that all routes to a machine from some places pass through. */
struct weft_weak {
	uint32_t machine, sw;
	uint32_t sources;	/* switches with hosts that depend on it, other
				 * than itself */
	uint32_t needless;	/* those of them from which cables lead to the
				 * machine without it */
};

struct weft_redundancy {
	uint32_t single;	/* hosts with one cabled port: they depend on
				 * its switch in any case */
	uint32_t several;	/* with more */
	uint32_t weak_machines;	/* of these, with an entry in weak[] */
	uint32_t needless_machines;	/* with an entry that is needless */
	struct weft_weak *weak;	/* [n] by machine, then switch */
	uint32_t n;
};

/*
 * Looks at every machine of kind WEFT_HOST by the base LIDs of its ports, from
 * every switch with hosts.  Routes that do not arrive protect from nothing.
 * 0 or -ENOMEM.  O(ports x (switches + switches with hosts x hops)).
 */
int weft_redundancy_find(const struct weft_fabric *fabric,
			  const struct weft_lft *lft,
			  struct weft_redundancy *out);
void weft_redundancy_free(struct weft_redundancy *r);	/* zeroed is fine */

/*
 * Pairs of hosts on different switches of which the destination has several
 * LIDs (LMC): whether one failure takes all of them away, so that automatic
 * path migration has nowhere to go.
 */
struct weft_lid_redundancy {
	uint64_t pairs;
	uint64_t cable;		/* all LIDs take a cable between switches, in
				 * whichever direction */
	uint64_t sw;		/* all LIDs pass a switch between the first and
				 * the last one */
};

/*
 * Looks at the routes to all LIDs of every host; those that do not arrive do
 * not count, and pairs without any that does depend on everything.  0 or
 * -ENOMEM.  O(LIDs x switches with hosts x hops).
 */
int weft_redundancy_lids(const struct weft_fabric *fabric,
			 const struct weft_lft *lft,
			 struct weft_lid_redundancy *out);

#ifdef __cplusplus
}
#endif

#endif
