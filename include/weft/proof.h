/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Proofs about tables: everyone reachable, no loop, minimal, no credit loop.
 *
 * All of it works on one destination tree at a time, never on pairs: the
 * routes to a LID form a tree over the switches, so reachability, hops and
 * loads of all sources follow from one pass over that tree.
 * Time O(LIDs x switches), memory O(channels x radix / 8) per lane.  Where
 * SL2VL tables move packets from lane to lane on their way, that is one pass
 * per SL over a tree and its sources, and the square of the lanes in memory.
 */
#ifndef WEFT_PROOF_H
#define WEFT_PROOF_H

#include <stdio.h>

#include <weft/diag.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Properties to prove. */
struct weft_proof_spec {
	bool all_hosts;		/* aggregation nodes and routers are hosts */
	bool switches;		/* switches' own LIDs as sources and
				 * destinations, too */
	bool minimal;		/* compare hops with shortest paths */
	bool loads;		/* fill in channel_load */
	bool credit_loops;	/* CDG per lane */
	bool between_switches;	/* with switches: dependencies of what they
				 * send each other, too */
	bool explain;		/* traffic that closes credit loops, and routes
				 * whose move opens them */
	unsigned max_examples;	/* of each kind of finding to keep */
};

enum weft_finding_kind {
	WEFT_FIND_NO_ROUTE,	/* the first five as enum weft_walk_end */
	WEFT_FIND_BAD_PORT,
	WEFT_FIND_DEAD_END,
	WEFT_FIND_WRONG_END,
	WEFT_FIND_LOOP,
	WEFT_FIND_DROPPED,	/* SL2VL says VL 15: the switch discards it */
	WEFT_FIND_NONMINIMAL,
	WEFT_FIND_NO_LID,	/* the destination has none */
	WEFT_FIND_APART,	/* no entry, and no cable leads there either */
	WEFT_FIND_KINDS,
};

/* One pair that fails, and where. */
struct weft_finding {
	enum weft_finding_kind kind;
	uint32_t source;	/* vertex */
	uint32_t dest;		/* vertex */
	uint16_t lid;		/* 0 = has none */
	uint8_t sl;
	uint32_t sw;		/* the switch where the route dies, enters its
				 * loop or first fails to come nearer;
				 * WEFT_NONE with WEFT_FIND_NO_LID */
	uint8_t port;		/* its LFT entry there */
	uint32_t hops, minimum;	/* WEFT_FIND_NONMINIMAL */
};

/* A flow: all that a source sends to a LID with one SL. */
struct weft_flow {
	uint32_t source;	/* vertex */
	uint32_t dest;		/* vertex, owner of the LID */
	uint16_t lid;
	uint8_t sl;
};

/* A cycle of the channel-dependency graph: each channel's buffer waits for the
 * next one's, the last for the first. */
struct weft_cycle {
	uint8_t vl;		/* lane of the first channel */
	uint32_t n;
	uint32_t *channel;	/* [n], all between switches */
	uint8_t *lane;		/* [n]; all alike unless SL2VL tables move
				 * packets from lane to lane */
	/* With explain, [n]: traffic that takes channel i and then the next on
	 * these lanes, from host to host if there is such; else NULL. */
	struct weft_flow *by;
	uint32_t knot;		/* (channel, lane) in its component, which all
				 * depend on each other */
	bool shortest;		/* no cycle of the component is shorter; else,
				 * the search ended before that was known */
};

/* A dependency at which routes to move close cycles with those that stay. */
struct weft_turn {
	uint32_t from, to;	/* channels */
	uint8_t from_vl, to_vl;
	uint64_t routes;	/* of weft_remedy.moved[] */
};

/* A route: all that one switch sends on to a LID for those on it (itself and
 * its endports) with one SL. */
struct weft_route {
	uint32_t sw;
	uint16_t lid;
	uint8_t sl;
	uint8_t in;		/* only what comes in by that port, where SL2VL
				 * tables tell ports apart; else 0 */
	uint32_t turn;		/* where, on its way, a cycle is closed first */
};

/*
 * Routes whose move to another lane leaves no credit loop behind: a small set,
 * not always a smallest one, but none of them could stay (see proof/explain.c).
 */
struct weft_remedy {
	uint64_t routes;	/* of all, moved or not */
	uint32_t nturns;
	struct weft_turn *turn;	/* [nturns] */
	uint64_t nmoved;
	struct weft_route *moved;	/* [nmoved], by LID, then switch */
	uint32_t lids, switches;	/* different ones among these */
	bool one_lane;		/* among themselves they have no credit loop:
				 * one lane more is enough */
};

/*
 * "Pairs" are ordered (source host, LID of another host); with switches set,
 * switches' port 0 are counted as hosts.  A host without LID is one pair per
 * source.  A hop is a switch visited.
 *
 * Dependencies between channels are those of all packets that may be sent, by
 * all endports to all LIDs of endports, hosts or not, and also of packets that
 * never arrive: they hold buffers as far as they come.  With switches set, also
 * of those from endports to switches and from switches to endports.  Between
 * two switches there is mostly subnet management alone, which has VL 15 to
 * itself; between_switches adds what they would send each other on data lanes.
 * Fat trees have credit loops then unless their tables avoid them on purpose:
 * the ways from spine to spine go down and up again.
 */
struct weft_proof {
	uint64_t pairs, reached, unreachable;
	uint64_t loops;		/* of the unreachable ones, those that end in
				 * a loop */
	uint64_t nonminimal;	/* reached by more hops than needed */
	uint64_t no_lid;	/* pairs whose destination has no LID
				 * (included in unreachable) */
	uint64_t apart;		/* pairs that no cable joins and no entry
				 * pretends to (likewise) */
	uint32_t parts;		/* that the fabric is in; 1 = all is joined */
	bool by_machines;	/* there are several, machines alone join them
				 * all, and every rail is in one of them: rails
				 * that have no cable between them on purpose.
				 * Pairs that are apart are no failure then */
	uint64_t found[WEFT_FIND_KINDS];	/* pairs by what is wrong */
	uint64_t hops_sum;
	uint32_t max_hops;
	uint64_t *hops_pairs;	/* [max_hops + 1] reached pairs by hops */

	/* Load: routes of reached pairs over each channel that leaves a switch,
	 * under all-to-all, [first_injection]; NULL unless asked for.  Pairs of
	 * which one is a switch are none.  The minimum, mean and maximum are
	 * over cabled channels between two switches, 0 where there are none. */
	uint64_t *channel_load;
	uint64_t load_min, load_max;	/* load_max = edge-forwarding index */
	double load_mean;
	uint32_t load_channels;	/* channels between switches */
	uint32_t load_zero;	/* of these, channels without load */

	unsigned cyclic_vls;	/* lanes with a channel on a cycle */
	/* A shortest cycle of each strongly connected component of the graph
	 * that has cycles, ascending by the lowest (lane, channel) of these. */
	uint32_t ncycles;
	struct weft_cycle *cycle;
	struct weft_remedy remedy;	/* with explain; else empty */

	/* Up to max_examples of each kind, by kind, then LID, then destination,
	 * then source, each time the lowest. */
	struct weft_finding *finding;
	uint32_t nfindings;
};

/*
 * Runs the proof.  0 (whatever was found: look into *out); -ENOMEM; -EINVAL
 * when the tables or service levels are of another fabric.  *out is set on
 * success only and holds no pointer into its inputs.
 *
 * Cycles: the search for shorter ones ends after 2^26 dependencies looked at,
 * shared among components by their size, so that dense graphs with long cycles
 * only (thousands of channels, no short way back) cost a fraction of a second.
 * explain, where there are cycles: O(routes x hops), and for the choice of what
 * is to move 2^28 steps at most; after these, routes may move that could stay.
 */
int weft_proof_run(const struct weft_fabric *fabric,
		   const struct weft_routes *routes,
		   const struct weft_proof_spec *spec,
		   struct weft_proof *out, struct weft_diag *diag);
void weft_proof_free(struct weft_proof *proof);

/* Everything that was asked for holds (non-minimal routes are no failure, nor
 * are pairs apart where machines join the parts). */
bool weft_proof_holds(const struct weft_proof *proof);

/* Short name of a kind, as "no route". */
const char *weft_finding_name(enum weft_finding_kind kind);

/*
 * 'VL 0: "name" (0xguid):port -> "name" (0xguid):port, ...' into buf: each
 * channel by the ports at its two ends.  What does not fit ends in "...".
 */
void weft_cycle_text(const struct weft_fabric *fabric,
		     const struct weft_cycle *cycle, char *buf, size_t size);
/* One line that says what is wrong with a pair, and where; cut likewise. */
void weft_finding_text(const struct weft_fabric *fabric,
		       const struct weft_finding *finding,
		       char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
