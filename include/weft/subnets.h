/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A fabric of subnets: several subnets, each with LIDs and a subnet manager of
 * its own, that InfiniBand routers join.
 *
 * A packet for another subnet goes to the LID of a router port of its own
 * subnet, which the source chose by a mapping; the router sends it out of one
 * of its ports in the next subnet, to the LID of the destination or of the next
 * router port there; the tables of each subnet do the rest.  Which router port
 * a source takes, and which port a router sends by, is what the methods here
 * choose.
 *
 * Hosts are numbered through: those of subnet s are from first_host[s] on, in
 * the order of their endports.
 */
#ifndef WEFT_SUBNETS_H
#define WEFT_SUBNETS_H

#include <stdio.h>

#include <weft/diag.h>
#include <weft/fabric.h>
#include <weft/gid.h>
#include <weft/proof.h>
#include <weft/routes.h>
#include <weft/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_MAX_SUBNETS 256
#define WEFT_SUBNET_PREFIX                                                     \
	0xfec0000000000001u /* of the first subnet, unless                     \
			     * told */
#define WEFT_HOP_LIMIT 255  /* routers that a packet may pass */

/* The place of a host: an endport of a subnet that is no router's. */
struct weft_place {
	uint32_t subnet, ep;
};

struct weft_subnet {
	char *name;
	uint64_t prefix; /* of the GIDs of its ports */
	uint32_t given;	 /* its place in the list that was joined */
	struct weft_fabric *fabric;
	struct weft_routes routes; /* its tables; zeroed: none yet */
	uint32_t *host_of;	   /* [nep] number of the host that an
				    * endport is, WEFT_NONE for routers */
	uint32_t *port_of;	   /* [nep] router port that an endport is,
				    * WEFT_NONE for hosts */
};

struct weft_router_port {
	uint32_t router, subnet;
	uint32_t ep;  /* endport in the subnet's fabric */
	uint8_t port; /* its number on the router */
};

struct weft_router {
	uint64_t guid; /* node GUID */
	const char *name;
	uint32_t first, n; /* its ports: port[first ..], by subnet,
			    * then number */
};

struct weft_subnets {
	uint32_t n;
	struct weft_subnet *subnet; /* [n] by prefix */
	uint32_t nrouters, nports, nhosts;
	struct weft_router *router;    /* [nrouters] by GUID */
	struct weft_router_port *port; /* [nports] by router */
	struct weft_place *host;       /* [nhosts] */
	uint32_t *first_host;	       /* [n + 1] */
	unsigned hop_limit; /* routers that a packet may pass, WEFT_HOP_LIMIT
			     * unless told */
	/* Routers on a shortest way: hops[from * n + to], 0 within a subnet,
	 * WEFT_NONE where there is no way. */
	uint32_t *hops;
};

/* What an INI file says of a subnet. */
struct weft_subnet_input {
	char *name;	 /* its section */
	char *fabric;	 /* an input of weft, as weft_input_open() */
	char *tables;	 /* where its tables are, as weft_io_read_tables();
			  * NULL: in fabric */
	char *map;	 /* its mapping; NULL: in fabric */
	uint64_t prefix; /* 0: not told */
	unsigned long line; /* where the prefix is told */
};
/* ... and of a port of a router. */
struct weft_router_input {
	char *router, *subnet; /* its router, and the section of its subnet */
	uint64_t guid;
	unsigned long line;
};

struct weft_subnets_ini {
	char *path;
	struct weft_subnet_input *subnet;
	uint32_t n;
	struct weft_router_input *port;
	uint32_t nports;
};

/*
 * Reads a file with a section for each subnet, [NAME], and in it fabric =
 * INPUT, tables = INPUT and map = FILE, relative to the folder of the file, and
 * prefix = 0x... or fec0::1; and sections [router NAME] with lines GUID = NAME,
 * a port of the router and the subnet that it is in.  -EINVAL, said with file
 * and line; -errno.
 */
int weft_subnets_ini_read(const char *path, struct weft_subnets_ini *out,
			  struct weft_diag *diag);
void weft_subnets_ini_free(struct weft_subnets_ini *ini); /* zeroed is fine */

/*
 * Joins subnets by the routers that they have in common, by node GUID.  The
 * fabrics, names and prefixes are taken over, also on failure; prefix 0: the
 * next one from WEFT_SUBNET_PREFIX on.  -EINVAL: a prefix twice, a port GUID in
 * two subnets, a port number of a router in two subnets, LIDs that are missing,
 * more than WEFT_MAX_SUBNETS; each said.  Warns of subnets that no router leads
 * to, and of routers in one subnet only.
 */
int weft_subnets_join(struct weft_subnet *subnet, uint32_t n,
		      struct weft_subnets **out, struct weft_diag *diag);
/* The same where a file tells which nodes are one router.  -EINVAL also for a
 * port that is not a router's of the subnet it is said to be in. */
int weft_subnets_join_ini(struct weft_subnet *subnet, uint32_t n,
			  const struct weft_subnets_ini *ini,
			  struct weft_subnets **out, struct weft_diag *diag);
void weft_subnets_free(struct weft_subnets *s); /* NULL is fine */
/* A list of them that is not joined yet, and what is in it; NULL is fine. */
void weft_subnet_list_free(struct weft_subnet *subnet, uint32_t n);

/*
 * Compares the tables of routers, where files tell them, with what is joined:
 * warns of subnets that a router has no entry for, whose packets it drops, and
 * of prefixes that are no subnet's.  Returns how many entries are missing.
 */
uint32_t weft_subnets_check_tables(const struct weft_subnets *s,
				   struct weft_diag *diag);

/*
 * Cuts a fabric into subnets: switches become routers, and what is joined
 * without them is a subnet.  LIDs are given anew.  -EINVAL: a router with hosts
 * or cabled to another one, or nothing left.
 */
int weft_subnets_cut(const struct weft_fabric *fabric, const bool *is_router,
		     struct weft_subnets **out, struct weft_diag *diag);

/*
 * Makes up a fabric of subnets from a description:
 *	subnets:N		N branches of rack648 with 72 hosts each,
 *routers in the place of its spines (N = 2, 3, 6, 9)
 *	subnets:N,routers=R,ports=P,of=DESCRIPTION
 *				N fabrics as weft_gen() makes them, and R
 *routers that have P cables (1) to each of them, evenly to the switches that
 *are farthest from hosts -EINVAL or -ERANGE after an error.
 */
int weft_subnets_gen(const char *description, struct weft_subnets **out,
		     struct weft_diag *diag);
/* Whether text begins like such a description. */
bool weft_subnets_is_spec(const char *text);

/* Prefix and GUID of a port, the two halves of its GID. */
static inline uint64_t weft_subnets_guid(const struct weft_subnets *s,
					 uint32_t subnet, uint32_t ep)
{
	return s->subnet[subnet].fabric->ep[ep].guid;
}

/* --- mappings ------------------------------------------------------------- */

enum weft_router_map_method {
	WEFT_ROUTER_MAP_STATIC, /* one router port for each subnet, as OpenSM's
				 * prefix routes */
	WEFT_ROUTER_MAP_CRC32,	/* CRC-32 of both GIDs */
	WEFT_ROUTER_MAP_ISSR,	/* round robin over destinations */
	WEFT_ROUTER_MAP_ISFR,	/* that of the primary path */
	WEFT_ROUTER_MAP_WEAVE,	/* the best of several, without credit loops */
	WEFT_ROUTER_MAP_METHODS,
	WEFT_ROUTER_MAP_FILE = WEFT_ROUTER_MAP_METHODS, /* as files say */
};

/* How a router chooses among several ports. */
enum weft_router_map_hash {
	WEFT_HASH_SUM, /* rand() of srand(source LID + destination LID),
			* the C standard's example of rand() */
	WEFT_HASH_MIX, /* of both LIDs, apart from each other */
};

struct weft_router_map {
	enum weft_router_map_method method;
	enum weft_router_map_hash hash;
	/* [n * nhosts] router port by which the hosts of a subnet send to a
	 * host; WEFT_NONE: none, or its own subnet.  NULL with CRC32. */
	uint32_t *via;
	/* [nrouters * nhosts] router port by which a router sends to a host;
	 * WEFT_NONE: the hash chooses.  NULL: it always does. */
	uint32_t *out;
	/* CRC32: [n * n] how many ports there are from a subnet to another one,
	 * and which, [n * n * nports]. */
	uint32_t *nchoices, *choice;
	/* CRC32: [nhosts][2] what a host adds to the CRC of a pair that it is
	 * the first of, and the second of. */
	uint32_t *crc;
	bool symmetric;	  /* crc32 draws the same for both directions */
	/*
	 * [n * n] level of what the hosts of a subnet send to those of another
	 * one; NULL: 0.  Its service levels are those of the source's subnet
	 * plus the level times the lanes of a level, those of the subnet that
	 * needs most.
	 */
	uint8_t *level;
	unsigned levels; /* that there are; 0 counts as 1 */
	uint64_t unfit;	  /* pairs of a subnet and a foreign host for
			   * which ISFR fell back to ISSR */
	char reason[160]; /* of the first one */
};

/* What mapping to make. */
struct weft_router_map_spec {
	enum weft_router_map_method method;
	enum weft_router_map_hash hash;
	/* Answers come by the router port that they are answers to: static and
	 * crc32 only, as a mapping that goes by destination alone can't but be
	 * static then. */
	bool symmetric;
	unsigned lanes; /* of each subnet, for WEAVE; 0: 8 */
};

/*
 * Makes a mapping; ISFR and WEAVE need tables in all subnets.  *out is set on
 * success only.  -EINVAL, -ENOTSUP: no such mapping is symmetric, or all have a
 * credit loop; -ELOOP: WEAVE, a subnet has one within; -ENOMEM.
 */
int weft_router_map_make(const struct weft_subnets *s,
			 const struct weft_router_map_spec *spec,
			 struct weft_router_map *out, struct weft_diag *diag);
void weft_router_map_free(struct weft_router_map *mapping); /* zeroed is fine */
const char *weft_router_map_name(enum weft_router_map_method method);

/* Has each router port weigh as many hosts as its subnet sends to by it, for
 * engines that route the subnets from then on.  O(router ports x hosts). */
void weft_subnets_weigh(struct weft_subnets *s,
			const struct weft_router_map *map);

/*
 * Writes what the hosts of a subnet are to do, weft-routers.map of
 * weft-formats(5).  -ENOTSUP after an error with CRC32, which draws for each
 * pair; -EIO.
 */
int weft_router_map_write(FILE *out, const struct weft_subnets *s,
			  const struct weft_router_map *map, uint32_t subnet,
			  struct weft_diag *diag);
/*
 * Reads such a file for a subnet into a mapping, whose via[] is there already.
 * Destinations that it does not name have none.  Warns of GIDs that nobody has;
 * -EINVAL: a line is wrong, a port is no router's in the subnet; said with file
 * and line.
 */
int weft_router_map_read(const char *path, const struct weft_subnets *s,
			 uint32_t subnet, struct weft_router_map *map,
			 struct weft_diag *diag);
/* A mapping in which nobody sends to other subnets, for reading. -ENOMEM. */
int weft_router_map_empty(const struct weft_subnets *s,
			  enum weft_router_map_hash hash,
			  struct weft_router_map *out, struct weft_diag *diag);

/*
 * Writes OpenSM's prefix-routes.conf for a subnet: of each other subnet the
 * router port that most of its hosts are mapped to.  *lost counts hosts for
 * which it says another port than the mapping, which OpenSM cannot express.
 */
int weft_subnets_prefix_routes_write(FILE *out, const struct weft_subnets *s,
				     const struct weft_router_map *map,
				     uint32_t subnet, uint32_t *lost,
				     struct weft_diag *diag);

/* Writes the tables of all routers, weft-router.dump of weft-formats(5). */
int weft_router_dump_write(FILE *out, const struct weft_subnets *s,
			   const struct weft_router_map *map,
			   struct weft_diag *diag);

/*
 * Reads such a file into a mapping: what routers send by, and their hash.
 * Warns of GIDs that are no host's and of routers that are missing; -EINVAL: a
 * line is wrong, or of other routers or ports; said with file and line.
 */
int weft_router_dump_read(const char *path, const struct weft_subnets *s,
			  struct weft_router_map *map, struct weft_diag *diag);

/*
 * Takes routers out of a mapping, down[nrouters]: hosts that are reached by one
 * are reached by the next port of another one, if there is any.  -ENOMEM.
 * O(subnets x hosts).
 */
int weft_router_map_lose(const struct weft_subnets *s, const bool *down,
			 struct weft_router_map *map);

/* What the loss of one router takes away. */
struct weft_router_loss {
	uint32_t router;
	uint64_t pairs; /* of hosts, that no router is left for */
	uint64_t moved; /* pairs of a subnet and a host elsewhere that went by
			 * it */
	uint32_t most;	/* hosts elsewhere that a router port has to carry
			 * afterwards */
};

/* Finds that for each router, out[nrouters], of a mapping by destination (of
 * others all are 0).  -ENOMEM.  O(routers x subnets x hosts). */
int weft_router_losses(const struct weft_subnets *s,
		       const struct weft_router_map *map,
		       struct weft_router_loss *out);

/* --- ways ----------------------------------------------------------------- */

enum weft_way_end {
	WEFT_WAY_ARRIVED,
	WEFT_WAY_NO_ROUTER, /* no router leads to the subnet */
	WEFT_WAY_NO_ROUTE,  /* a subnet's tables do not lead on */
	WEFT_WAY_LOOP,	    /* they lead in a circle */
	WEFT_WAY_HOP_LIMIT, /* too many routers */
	WEFT_WAY_ENDS,
};
const char *weft_way_end_name(enum weft_way_end end);

/* A part of a way: within one subnet, from an endport to a LID there. */
struct weft_leg {
	uint32_t subnet;
	uint32_t from, to; /* endports: hosts at both ends of the way, else
			    * those of router ports */
	uint32_t port;	   /* router port that it ends at; WEFT_NONE for
			    * the last one */
};

/*
 * Finds the legs of a way between two hosts, by the mapping alone; the tables
 * within a leg are not looked at.  leg[max]; *n is how many there are.
 */
enum weft_way_end weft_subnets_legs(const struct weft_subnets *s,
				    const struct weft_router_map *mapping,
				    uint32_t source, uint32_t dest,
				    struct weft_leg *leg, unsigned max,
				    unsigned *n);

/* --- the whole ------------------------------------------------------------ */

/*
 * All subnets as one fabric, in which routers are switches.  Its channels are
 * those of the subnets; it has no LIDs.
 */
struct weft_whole {
	struct weft_fabric *fabric;
	uint32_t **sw;	  /* [n] of each subnet: [its switches] */
	uint32_t *router; /* [nrouters] */
	uint32_t *ep;	  /* [nhosts] */
};

/* -EINVAL: a switch GUID in two subnets; -ENOMEM.  *out is set on success
 * only. */
int weft_subnets_whole(const struct weft_subnets *s, struct weft_whole *out,
		       struct weft_diag *diag);
void weft_whole_free(const struct weft_subnets *s, struct weft_whole *whole);

/*
 * Finds the channels of a way: those by which a packet leaves each switch and
 * router, the last one to the host.  channel[max]; *n is how many there are,
 * also where it ends early.
 */
enum weft_way_end
weft_subnets_way(const struct weft_subnets *s, const struct weft_whole *whole,
		 const struct weft_router_map *map, uint32_t source,
		 uint32_t dest, uint32_t *channel, unsigned max, unsigned *n);

/*
 * All subnets for the packet simulator (weft/sim.h): its fabric and routes are
 * for weft_sim_run(), sim for the spec.  The fabric is the whole's, with the
 * LIDs of the subnets, which are not unique; it owns nothing.
 */
struct weft_subnets_net {
	const struct weft_subnets *subnets;
	struct weft_whole whole;
	struct weft_fabric fabric;
	struct weft_routes routes;
	struct weft_sim_subnets sim;
	struct weft_subnets_context *context;
	struct weft_endport *endport; /* [nhosts] */
	struct weft_switch *sw;	      /* [switches of the whole] */
	uint32_t *subnet;	      /* [nhosts] of an endport */
	bool *is_router;	      /* [switches of the whole] */
};
/* s and map are to live, and out to stay where it is, as long as it does.
 * -EINVAL as weft_subnets_whole(); -ENOMEM.  out is zeroed on failure. */
int weft_subnets_net_make(const struct weft_subnets *s,
			  const struct weft_router_map *map,
			  struct weft_subnets_net *out, struct weft_diag *diag);
void weft_subnets_net_free(struct weft_subnets_net *net); /* zeroed is fine */

/* Tables of the whole as one subnet, of which routers are switches: to see what
 * is lost by cutting it. */
struct weft_one {
	struct weft_fabric *fabric; /* that of the whole, with LIDs */
	struct weft_routes routes;
};
/* Numbers the whole through; routes are to be made.  -ENOSPC: there are not
 * LIDs enough; -ENOMEM. */
int weft_one_make(const struct weft_whole *whole, struct weft_one *out,
		  struct weft_diag *diag);
void weft_one_free(struct weft_one *one); /* zeroed is fine */

struct weft_subnets_spec {
	const char *pattern; /* as of weft_traffic_placed(), ranks being hosts
			      * in the order that people count them in; NULL =
			      * random bisections */
	double share;	     /* of a bisection's pairs whose hosts are in
			      * different subnets, 0..1 */
	uint64_t patterns;   /* bisections, or rounds of the pattern at most */
	uint32_t seed;
	/* Packets go by these tables instead of the subnets' and routers'. */
	const struct weft_one *one;
	/* [2 * nports], or NULL: streams into each router port and, nports
	 * further, out of it, are added. */
	uint64_t *port_streams;
};

struct weft_subnets_bandwidth {
	double mean, error; /* share of full bandwidth that a stream gets, full
			     * being what its hosts have for each of their
			     * streams; standard error */
	uint64_t rounds, streams, lost;
	double crossing;    /* share of streams that left their subnet */
	uint64_t port_most; /* the most streams through a router port in a
			     * round, either direction */
};

/*
 * Has the pairs of a pattern's rounds share channels as weft/model.h does.
 * Random bisections are those in which a share of the pairs crosses subnets, as
 * far as hosts can be paired so.  -EINVAL: fewer than two hosts, or no such
 * pattern; -ENOMEM.  O(streams x hops).
 */
int weft_subnets_measure(const struct weft_subnets *s,
			 const struct weft_whole *whole,
			 const struct weft_router_map *map,
			 const struct weft_subnets_spec *spec,
			 struct weft_subnets_bandwidth *out,
			 struct weft_diag *diag);

/* --- proof ---------------------------------------------------------------- */

struct weft_subnets_finding {
	enum weft_way_end end;
	uint32_t source, dest; /* hosts */
};

/*
 * What is proven of all pairs of hosts, by base LIDs.  Dependencies are those
 * of all that hosts may send to hosts of any subnet; a router keeps the service
 * level of a packet, and its lane is the SL modulo the lanes of the subnet that
 * it sends into.
 */
struct weft_subnets_proof {
	uint64_t pairs, crossing;    /* of these, to another subnet */
	uint64_t end[WEFT_WAY_ENDS]; /* pairs by how their way ends */
	/* Crossing pairs that arrive both ways, but not through the same two
	 * ports of a router: one direction's packets leave by other ports than
	 * those by which the other's come. */
	uint64_t astray;
	uint32_t max_routers;	  /* on a way */
	unsigned cyclic_vls;	  /* lanes with a channel on a cycle */
	uint32_t ncycles;	  /* of the whole fabric's channels; see */
	struct weft_cycle *cycle; /* weft/proof.h */
	uint32_t nfindings;
	struct weft_subnets_finding *finding; /* the first few of each end */
};

/* -ENOMEM.  *out is set on success only.  O(hosts x switches) and, for what the
 * hash of a router decides where not all of its choices arrive, O(hosts^2). */
int weft_subnets_prove(const struct weft_subnets *s,
		       const struct weft_whole *whole,
		       const struct weft_router_map *map,
		       struct weft_subnets_proof *out, struct weft_diag *diag);
void weft_subnets_proof_free(struct weft_subnets_proof *proof);

#ifdef __cplusplus
}
#endif
#endif
