/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What if a part fails: who is cut off, which routes break until the subnet
 * manager has routed anew, what bandwidth is left, and what an engine makes of
 * the rest.
 *
 * A part is a cable or a switch; a set of parts fails at once.  "Hosts" are
 * endports that count as hosts, but that a host is cut off is said of nodes:
 * one with several ports is not before it has lost them all.
 *
 * Bandwidth is that of all-to-all traffic among the hosts that are left, as of
 * weft_saturation_run() for the fabric without the parts.
 */
#ifndef WEFT_FAULTS_H
#define WEFT_FAULTS_H

#include <weft/diag.h>
#include <weft/engine.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- parts and sets of them ----------------------------------------------- */

/* A part: the channel of either direction of a cable, or the id of a switch
 * with this bit set. */
#define WEFT_PART_SWITCH 0x80000000u

/* Which parts of a fabric. */
#define WEFT_PARTS_CABLES 0x1 /* between two switches */
#define WEFT_PARTS_SWITCHES 0x2
#define WEFT_PARTS_LINKS 0x4 /* cables between endports and switches */

/* All parts of these kinds: cables by their lower channel, ascending, those to
 * endports behind them, then switches.  *part is [*n], free()d by the caller.
 * 0 or -ENOMEM.  O(channels). */
int weft_fault_parts(const struct weft_fabric *fabric, unsigned kinds,
		     uint32_t **part, uint32_t *n);

/* Sets of parts: set i is part[first[i]] .. part[first[i + 1] - 1]. */
struct weft_fault_sets {
	uint32_t n;
	uint32_t *first; /* [n + 1] */
	uint32_t *part;
};
void weft_fault_sets_free(struct weft_fault_sets *sets); /* zeroed is fine */

/* A set of each part alone.  0 or -ENOMEM. */
int weft_fault_singles(const uint32_t *part, uint32_t n,
		       struct weft_fault_sets *out);

/* Random sets, all equally likely: each has the given numbers of cables and of
 * switches, out of the parts. */
struct weft_fault_draw {
	const uint32_t *part;
	uint32_t nparts;
	uint32_t cables, switches;
	uint32_t sets;
	uint32_t seed; /* set i depends on (seed, i) alone */
};
/* 0; -EINVAL: there are fewer parts than that; -ENOMEM. */
int weft_fault_draw(const struct weft_fault_draw *draw,
		    struct weft_fault_sets *out, struct weft_diag *diag);

/* --- what a set of failures does ------------------------------------------ */

struct weft_fault_bandwidth {
	double even;		/* share of full bandwidth at which the first
				 * channel is full when all send alike */
	double mean, least;	/* that hosts get through at full load */
	uint32_t least_endport; /* of the whole fabric; WEFT_NONE: no host */
};

/* With the tables as they are. */
struct weft_fault_loss {
	uint32_t cut;	   /* hosts that are no longer joined with most of
			    * the others of their part of the fabric, or
			    * failed themselves */
	uint32_t cut_node; /* one of them, or WEFT_NONE */
	uint32_t hosts;	   /* endports of hosts that have a cable left */
	uint64_t broken;   /* ordered pairs of these whose route breaks */
	uint64_t apart;	   /* pairs of these that no cable joins any more
			    * whatever the tables; most are broken, too */
	struct weft_fault_bandwidth bandwidth;
};

/* The nodes that a set cuts off, as loss.cut counts them: *node is [*count],
 * ascending, free()d by the caller.  0 or -ENOMEM.  O(switches + cables +
 * nodes). */
int weft_fault_cut(const struct weft_fabric *fabric, const uint32_t *part,
		   uint32_t n, bool all_hosts, uint32_t **node,
		   uint32_t *count);

/*
 * Single points of failure: cables between switches, and switches, whose loss
 * alone cuts off hosts as loss.cut counts them, whatever the tables are; hosts
 * with no port but on the switch itself are left aside.  *part is [*n], cables
 * first, free()d by the caller.  0 or -ENOMEM.  O(switches x (switches + cables
 * + nodes)).
 */
int weft_fault_single_points(const struct weft_fabric *fabric, bool all_hosts,
			     uint32_t **part, uint32_t *n);

/* With the tables that the engine makes of what is left. */
struct weft_fault_rerouted {
	char *refused;	 /* why it makes none; NULL: it does */
	uint64_t broken; /* pairs without a route */
	struct weft_fault_bandwidth bandwidth;
	unsigned lanes;
	uint64_t entries, blocks; /* that switches get anew, for LIDs and
				   * switches that are left */
};

struct weft_fault {
	bool judged;	/* false: stopped before */
	bool routed;	/* rerouted is known */
	uint32_t like;	/* the set whose rerouting stands for this one;
			 * itself where no symmetry helps */
	uint32_t alike; /* sets that this one's stands for, itself
			 * included; 0 where another one stands for
			 * it */
	struct weft_fault_loss loss;
	struct weft_fault_rerouted rerouted;
};

struct weft_faults_spec {
	bool all_hosts; /* aggregation nodes and routers are hosts */
	const struct weft_engine *engine;   /* NULL: nothing is rerouted */
	const struct weft_options *options; /* of the engine */
	bool mend;	  /* instead of an engine: the tables are mended, as by
			   * weft_standing_run(), which refuses where only
			   * routing anew helps; no symmetry is used */
	unsigned lanes;	  /* lanes for service levels against credit loops,
			   * as the plugins give them; 0: no levels but
			   * the engine's */
	bool each;	  /* reroute without each set, also where a
			   * symmetry of the fabric maps another one onto
			   * it */
	unsigned threads; /* 0 = OpenMP's choice; no influence on the
			   * result */
	/* Asked before each set, by any thread; true: judge no more.  May be
	 * NULL, as progress, which is called by the thread that called run(),
	 * first about sets with the tables as they are, then about those that
	 * are rerouted. */
	bool (*stop)(void *context);
	void (*progress)(void *context, bool rerouting, uint64_t done,
			 uint64_t total);
	void *context;
};

struct weft_faults {
	uint32_t hosts; /* endports, before */
	uint64_t pairs; /* of them */
	uint64_t lost;	/* without a route before */
	struct weft_fault_bandwidth before;
	unsigned lanes;		  /* before */
	uint32_t n;		  /* sets */
	uint32_t judged;	  /* of these; < n: it was stopped */
	uint32_t classes;	  /* sets that had or have to be rerouted */
	uint32_t routed;	  /* of these */
	struct weft_fault *fault; /* [n] */
};

/*
 * Judges each set, by itself.  0, whatever it finds; -ENOMEM; -EFBIG: more than
 * 2^32 routes between switches and LIDs.  *out is set on success only and holds
 * no pointer into the inputs.  lft of the routes is that of the fabric.
 *
 * With the tables as they are, one pass over the destination trees, O(LIDs x
 * switches with hosts x hops) in time and, four bytes each, in memory, finds
 * which routes take each channel; a set then costs what its routes cost, and
 * O(switches + cables + hosts), where no channel is overloaded, and at most a
 * pass like that.  An engine runs once for each class of single parts that
 * symmetries of the fabric, which are proven, map onto each other: figures of
 * the others are the same but for how the engine breaks ties.
 */
int weft_faults_run(const struct weft_fabric *fabric,
		    const struct weft_routes *routes,
		    const struct weft_fault_sets *sets,
		    const struct weft_faults_spec *spec,
		    struct weft_faults *out, struct weft_diag *diag);
void weft_faults_free(struct weft_faults *faults); /* zeroed is fine */

/* Sets that were judged, the most critical first: those that cut off most
 * hosts, then have most pairs without a route for good, then leave least
 * bandwidth (rerouted, where that is known), then break most routes.  Ties: by
 * number.  set[faults->n]; returns how many.  O(n log n). */
uint32_t weft_faults_rank(const struct weft_faults *faults, uint32_t *set);

/* --- who uses a part ------------------------------------------------------ */

/* Packets to one LID that pass a part. */
struct weft_through_lid {
	uint16_t lid;
	uint32_t dest;	   /* vertex that has it */
	uint8_t direction; /* they take weft_through.channel[direction] */
	uint32_t first, n; /* who sends them: source[first] .. */
};

struct weft_through {
	uint64_t pairs; /* of hosts, ordered */
	uint32_t nlids;
	struct weft_through_lid *lid; /* [nlids] ascending, of hosts and of
				       * switches */
	uint32_t nsources;
	uint32_t *source;    /* [nsources] endports */
	uint32_t channel[2]; /* of a cable, both directions; WEFT_NONE of a
			      * switch */
};

/*
 * Which packets from hosts, to LIDs of hosts that they send to and of switches,
 * pass a cable or a switch, also those that do not arrive.  Hosts on a switch
 * pass it with all that they send and hear.  0 or -ENOMEM.
 * O(LIDs x (hosts + switches)).
 */
int weft_through_find(const struct weft_fabric *fabric,
		      const struct weft_routes *routes, uint32_t part,
		      bool all_hosts, struct weft_through *out);
void weft_through_free(struct weft_through *through); /* zeroed is fine */

/* --- symmetry ------------------------------------------------------------- */

/*
 * Parts that a symmetry of the fabric maps onto each other: like[i] is the
 * first part of the list that part i is proven to be like, i where there is
 * none before it.  Symmetries keep what is on the switches, cables and their
 * rates; they do not keep ids, GUIDs and numbers of ports, by which engines
 * break ties.  Every class is proven, but some may be parts of a larger one
 * for which the search, at most 2^28 steps, found no proof.  0 or -ENOMEM.
 */
int weft_fault_alike(const struct weft_fabric *fabric, const uint32_t *part,
		     uint32_t n, uint32_t *like);

/* --- maintenance ---------------------------------------------------------- */

struct weft_fault_plan_spec {
	const uint32_t *part; /* what is to be taken out, each once */
	uint32_t n;
	double keep; /* share of the mean bandwidth before that the
		      * hosts left are to keep, rerouted if there is
		      * an engine; 0: any */
};

/* A group of parts that may be taken out together. */
struct weft_fault_group {
	uint32_t nparts;
	uint32_t *part;
	struct weft_fault fault;
	bool safe;     /* false: already its only part is too much */
	uint32_t more; /* hosts cut off that are not by any of the
			* parts alone */
};

struct weft_fault_plan {
	struct weft_fault_group all; /* everything at once */
	uint32_t ngroups;
	struct weft_fault_group *group; /* in the order of the list */
	struct weft_fault_bandwidth before;
	bool stopped;
};

/*
 * Whether all parts may be taken out at once: no host is cut off but those that
 * one of the parts cuts off alone (its own switch, its own cable), the engine
 * routes what is left, and it leaves as much bandwidth as is to be kept.  If
 * not, puts each part, in their order, into the first group that stays safe
 * with it; that may be one group more than the fewest.  Errors as of
 * weft_faults_run(), whose spec it takes.  At most parts^2 / 2 sets are
 * judged.
 */
int weft_faults_plan(const struct weft_fabric *fabric,
		     const struct weft_routes *routes,
		     const struct weft_fault_plan_spec *plan,
		     const struct weft_faults_spec *spec,
		     struct weft_fault_plan *out, struct weft_diag *diag);
void weft_fault_plan_free(struct weft_fault_plan *plan); /* zeroed is fine */

#ifdef __cplusplus
}
#endif
#endif
