/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Giving out service levels so that any routing becomes free of deadlock within
 * the lanes there are.
 */
#ifndef WEFT_LAYERING_H
#define WEFT_LAYERING_H

#include <weft/diag.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

enum weft_layering_method {
	WEFT_LAYERING_AUTO,	/* what needs the fewest lanes; see keep */
	WEFT_LAYERING_LASH,	/* first lane that stays acyclic */
	WEFT_LAYERING_OFFLINE,	/* all in one lane, then break cycles */
	WEFT_LAYERING_DESTINATION,	/* whole destinations; one way only */
	WEFT_LAYERING_METHODS,
};

struct weft_layering_spec {
	enum weft_layering_method method;
	unsigned lanes;		/* that may be used, 1 .. WEFT_MAX_LANES */
	/*
	 * By default the two directions of a pair get one SL (a reversible
	 * path), and are proven together.  one_way gives each its own.
	 */
	bool one_way;
	/*
	 * Routes to hosts stay as they are where lanes suffice.  Without it,
	 * AUTO looks for the fewest lanes: hosts get new routes where that
	 * saves lanes and keeps at least 98 % of the bandwidth of random
	 * bisections, which is tried out on some.
	 */
	bool keep;
	/* Those to switches and aggregation nodes stay as well, where lanes
	 * suffice, for which they may take more. */
	bool keep_thin;
	/* Spread traffic over all lanes, though fewer would do. */
	bool balance;
	/*
	 * Work that AUTO may spend on each attempt to find fewer lanes, in
	 * edges of dependency graphs looked at, so that the outcome does not
	 * depend on the speed of the machine; 0 = 2^26 (seconds).
	 */
	uint64_t effort;
};

struct weft_layering {
	enum weft_layering_method method;	/* that gave the lanes; AUTO =
						 * none was needed */
	bool one_way;		/* the two directions of a pair may differ */
	unsigned lanes;		/* in use */
	uint64_t moved;		/* outside the first lane: ordered pairs of
				 * switches, or LIDs with SLs by destination */
	bool shared;		/* all routes may be new, of ways that need fewer
				 * lanes: shortest ones, or hardly longer */
	uint32_t rerouted;	/* LIDs of hosts and routers with new routes */
	uint32_t rerouted_thin;	/* those of switches and aggregation nodes */
	uint32_t root;		/* of Up*Down*, WEFT_NONE = not used */
	/* Over all pairs of an endport and an endport's LID: cables between
	 * switches, and the most routes over one of them in one direction. */
	uint64_t hops_before, hops_after;
	uint64_t load_before, load_after;
	/* Share of full bandwidth in random symmetric bisections, in which each
	 * host exchanges data with one other; sampled, to a few thousandths; 0
	 * where no routes changed. */
	double bandwidth_before, bandwidth_after;
	uint64_t work;		/* done, in units of effort */
};

/*
 * Gives every pair of the fabric a service level so that no lane has a credit
 * loop: traffic of all endports, switches and routers, to all LIDs.  Replaces
 * routes->layers, by the smallest form that holds the outcome, with the
 * identity from SL to VL, but for cables with fewer lanes (weft_fabric.vls):
 * there layers share lanes, or each cable carries no more than it has, or
 * routes go around it, whichever is worth most.  Forwarding tables stay as they
 * are where the lanes suffice.  Otherwise, or where it saves lanes for the
 * traffic of switches themselves, entries of some LIDs are changed: out tells
 * how many and at what cost.  Every fabric whose tables deliver everything gets
 * an outcome with any number of lanes.  One in parts that no cable joins gets
 * it part by part; entries for LIDs in other parts are taken away.
 *
 * Says a note of what it did.  Deterministic.  routes and *out are changed on
 * success only.  -EINVAL: the spec or the tables do not fit; -ELOOP: packets
 * run in circles; -ENOMEM.
 * Complexity: see the methods; for tables without credit loops
 * O(LIDs x switches).
 */
int weft_layering_run(const struct weft_fabric *fabric,
		      struct weft_routes *routes,
		      const struct weft_layering_spec *spec,
		      struct weft_layering *out, struct weft_diag *diag);

/* Does the same, with that many lanes, for tables that have a credit loop, as the
 * plugins do; others stay as they are.  *mended, which may be NULL, tells whether
 * they had.  Errors as of weft_layering_run() and weft_proof_run(). */
int weft_layering_if_cyclic(const struct weft_fabric *fabric,
			    struct weft_routes *routes, unsigned lanes,
			    bool *mended, struct weft_diag *diag);

/* "auto", "lash", "offline", "destination". */
const char *weft_layering_method_name(enum weft_layering_method method);
/* By name, WEFT_LAYERING_METHODS if there is none. */
enum weft_layering_method weft_layering_method_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
