/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fabric: one immutable, index-based graph for the whole program.
 *
 * Ids are uint32_t and canonical: switches are numbered in ascending node GUID,
 * endports in ascending port GUID (then port number), so the same fabric gives
 * the same ids whatever order it was discovered or written in.  An engine that
 * breaks ties by id therefore breaks them by GUID and port, as it must.
 *
 * switch   0..nsw-1   an InfiniBand switch (all of its port 0, too).
 * endport  0..nep-1   one addressable, cabled port of a CA or router.
 * node     0..nnodes-1  a CA or router; several endports of one node make it
 *                     multi-homed.
 * machine  0..nmachines-1  what a job runs on: one node, or several, which are
 *                     its adapters.  Its endports are on different rails.
 * group    0..ngroups-1  endports that are balanced among themselves: those on
 *                     one rail of hosts of one kind.
 * channel  0..nch-1   one direction of one cable.  The channel that leaves
 *                     switch s by port p is first_channel[s] + p.  Port 0 has a
 *                     channel id as well (its "peer" is the switch's own
 *                     management port; it carries what is delivered there).
 *                     The channel from endport e into its switch is
 *                     first_injection + e.  Parallel cables are distinct.
 *
 * Everything is in host byte order.  Names are for people: they may repeat and
 * may hold any byte but NUL.  Identity is the GUID.
 *
 * Threads: a fabric never changes once weft_builder_finish() has made it, so
 * that any number of threads may read it without a lock; it is freed when all
 * of them are done.  A builder is for one thread at a time.
 */
#ifndef WEFT_FABRIC_H
#define WEFT_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;

#define WEFT_NONE UINT32_MAX		/* no such id */
#define WEFT_MAX_LID 0xBFFF		/* last unicast LID */
#define WEFT_MAX_PORTS 254		/* ports of one switch; 255 = "none" */

/*
 * A vertex, as stored in peer[] and lid_owner[]: a switch id, or an endport id
 * with this bit set, or WEFT_NONE.
 */
#define WEFT_ENDPORT 0x80000000u
static inline bool weft_is_switch(uint32_t vertex)
{
	return vertex < WEFT_ENDPORT;
}

static inline bool weft_is_endport(uint32_t vertex)
{
	return vertex >= WEFT_ENDPORT && vertex != WEFT_NONE;
}

enum weft_kind {
	WEFT_HOST,		/* an ordinary channel adapter */
	WEFT_AGGREGATION,	/* an in-network reduction unit (SHARP) */
	WEFT_ROUTER,
};

enum weft_role { WEFT_ROLE_UNKNOWN, WEFT_ROLE_LEAF, WEFT_ROLE_MIDDLE,
		 WEFT_ROLE_ROOT };

/* Signalling rate of a link as the subnet manager reports it. */
enum weft_speed {
	WEFT_SPEED_UNKNOWN, WEFT_SDR, WEFT_DDR, WEFT_QDR, WEFT_FDR10,
	WEFT_FDR, WEFT_EDR, WEFT_HDR, WEFT_NDR, WEFT_XDR,
};

struct weft_switch {
	uint64_t guid;		/* node GUID, unique */
	uint64_t port_guid;	/* of port 0; equals guid on most switches */
	uint64_t system_guid;	/* sysimgguid, 0 = unknown */
	const char *name;	/* node description, "" = none */
	uint16_t lid;		/* of port 0; 0 = has none */
	uint8_t lmc;		/* of port 0; 0 unless it is enhanced */
	uint8_t nports;		/* external ports are 1..nports */
	uint8_t enhanced;	/* port 0 is an enhanced one */
	uint8_t role;		/* enum weft_role */
	uint8_t more_ports;	/* 1: it may have more than these, a plan */
	uint32_t vendor, device;	/* 0 = unknown */
};

struct weft_node {
	uint64_t guid;		/* node GUID, unique among nodes */
	uint64_t system_guid;
	const char *name;
	uint8_t kind;		/* enum weft_kind */
	uint8_t nports;		/* as described, cabled or not; >= 1 */
	uint32_t vendor, device;
	uint32_t told;		/* number of the machine that somebody told, see
				 * weft/machines.h; 0: nobody did */
	uint8_t numa;		/* NUMA node that it is near, + 1; 0: unknown */
	uint32_t first_endport;	/* its endports: node_endport[first ..] */
	uint32_t nendports;
};

struct weft_endport {
	uint64_t guid;		/* port GUID */
	uint32_t node;
	uint32_t sw;		/* the switch it hangs on */
	uint16_t lid;		/* base LID; 0 = has none */
	uint8_t lmc;		/* answers to lid .. lid + 2^lmc - 1 */
	uint8_t port;		/* its number on its node */
	uint8_t sw_port;	/* the switch's port it is cabled to */
	uint8_t kind;		/* enum weft_kind, copied from the node */
	uint16_t weight;	/* hosts that it stands for where engines
				 * balance traffic, 1 unless told; see
				 * weft_fabric_weigh() */
	uint32_t machine;
	uint8_t rail;		/* which of its machine's endports it is, 0
				 * first */
	uint8_t use;		/* what the machine is used for, its kind: a
				 * position in use_name[] */
	uint8_t group;
};

/* How adapters of one machine are told. */
enum weft_machines_by {
	WEFT_MACHINES_AUTO,	/* by NAME and by SYSTEM */
	WEFT_MACHINES_NAME,	/* node descriptions, "n1 HCA-1" */
	WEFT_MACHINES_SYSTEM,	/* system image GUIDs */
	WEFT_MACHINES_NODE,	/* every node is a machine */
};

/* Endports that send among themselves most of all. */
struct weft_group {
	const char *kind;	/* one of use_name[] */
	uint8_t rail;
	uint32_t nendports;
};

#define WEFT_MAX_USES 64	/* kinds of hosts, at most */

/* The most that an endport may weigh. */
#define WEFT_MAX_WEIGHT 4096

/* What the table of a router says: that a subnet is next to it, or behind
 * another one. */
struct weft_router_entry {
	uint64_t router;	/* node GUID */
	uint64_t prefix;	/* of the subnet */
	bool adjacent;
};

struct weft_fabric {
	uint32_t nsw, nep, nnodes, nch;
	uint32_t nlinks;	/* cables: between switches, to endports, and
				 * those that loop back to the same switch */
	uint32_t nhosts;	/* endports of kind WEFT_HOST */
	uint32_t nmachines, ngroups, nuses;
	enum weft_machines_by machines_by;
	uint64_t prefix;	/* of the GIDs of its ports; 0: not told */
	/* [nrouter_entries] tables of its routers, as far as they were told */
	const struct weft_router_entry *router_entry;
	uint32_t nrouter_entries;

	const struct weft_switch *sw;		/* [nsw] */
	const struct weft_endport *ep;		/* [nep] */
	const struct weft_node *node;		/* [nnodes] */
	const uint32_t *node_endport;		/* [nep], grouped by node */

	/* Endports of machine m, by rail: machine_endport[machine_first[m] ..] */
	const uint32_t *machine_first;		/* [nmachines + 1] */
	const uint32_t *machine_endport;	/* [nep] */
	/* Groups, by kind in the order of use_name[], then by rail. */
	const struct weft_group *group;		/* [ngroups] */
	const char *const *use_name;		/* [nuses] "compute" first,
						 * unless told */

	const uint32_t *first_channel;		/* [nsw + 1] */
	uint32_t first_injection;		/* = first_channel[nsw] */

	/* per channel, [nch] */
	const uint32_t *peer;		/* vertex at the far end, WEFT_NONE =
					 * port not connected (or port 0) */
	const uint8_t *peer_port;	/* port number at the far end */
	const uint32_t *reverse;	/* channel of the other direction */
	const uint32_t *capacity;	/* Mbit/s of data, 0 = not connected */
	const uint8_t *width;		/* lanes: 1, 2, 4, 8, 12; 0 = unknown */
	const uint8_t *speed;		/* enum weft_speed */
	const uint8_t *vls;		/* data lanes (VLs) of the cable, the
					 * same in both directions; 0: as many
					 * as are asked for.  NULL: that is so
					 * of all */

	/*
	 * Channels of switch s that lead to another switch (cables that loop
	 * back to s are left out): adj[adj_first[s] .. adj_first[s+1]-1], in
	 * ascending (peer, port).
	 */
	const uint32_t *adj_first;		/* [nsw + 1] */
	const uint32_t *adj;			/* channel ids */

	/* Endports on switch s: sw_endport[sw_ep_first[s] ..], ascending. */
	const uint32_t *sw_ep_first;		/* [nsw + 1] */
	const uint32_t *sw_endport;		/* [nep] */

	uint32_t max_lid;			/* 0 = nobody has a LID */
	const uint32_t *lid_owner;		/* [max_lid + 1], vertex */

	struct weft_arena *arena;		/* owns all of the above */
};

/*
 * A builder collects nodes, ports and links in any order; finish() sorts,
 * numbers and checks them.  Used by the parsers, the generators and the shim.
 * Functions that take a handle expect one that the same builder returned.
 * A builder that runs out of memory remembers it and finish() says so.
 */
struct weft_builder;

enum weft_node_type { WEFT_NODE_SWITCH, WEFT_NODE_CA, WEFT_NODE_ROUTER };

/* Facts about one port.  The caller of weft_builder_port() fills them in;
 * link fields are set by weft_builder_link(). */
struct weft_port_spec {
	uint64_t guid;		/* port GUID; 0 = the node GUID is used */
	uint32_t lid;		/* 0 = none; values above WEFT_MAX_LID are
				 * reported by finish() and dropped */
	uint8_t lmc;
	uint8_t width, speed;	/* of its link */
	uint8_t vls;		/* data lanes of its link, told for a switch's
				 * port; 0 = as many as are asked for */
	uint8_t peer_port;
	uint16_t weight;	/* as weft_endport's; 0 counts as 1 */
	uint8_t use;		/* likewise; see weft_builder_uses() */
	uint32_t peer;		/* handle; WEFT_NONE = not connected */
	unsigned long line;	/* where it was described, for messages */
};

struct weft_node_spec {
	uint64_t guid, system_guid;
	const char *name;	/* copied by weft_builder_name() */
	uint32_t vendor, device;
	uint32_t told;		/* as weft_node's */
	uint8_t numa;
	uint8_t type;		/* enum weft_node_type */
	uint8_t nports;
	uint8_t enhanced;	/* switches */
	uint8_t role;
	uint8_t more_ports;	/* switches; see weft_switch */
	uint8_t aggregation;	/* 1 = yes; also found out from the name */
	unsigned long line;
};

struct weft_builder *weft_builder_new(void);	/* NULL: no memory */
void weft_builder_free(struct weft_builder *b);	/* NULL is fine */

/* File that line numbers in specs refer to (copied); NULL for none. */
void weft_builder_file(struct weft_builder *b, const char *file);

/*
 * Adds a node, returns its handle (0, 1, 2 ... in the order of the calls) or
 * WEFT_NONE without memory.  A GUID may be added only once; look it up first.
 */
uint32_t weft_builder_node(struct weft_builder *b, enum weft_node_type type,
			   uint64_t guid, unsigned nports);
/* Handle of the node with that GUID, or WEFT_NONE.  O(1) expected. */
uint32_t weft_builder_find(const struct weft_builder *b, uint64_t guid);
uint32_t weft_builder_count(const struct weft_builder *b);
/* Valid until the next weft_builder_node() call. */
struct weft_node_spec *weft_builder_spec(struct weft_builder *b,
					 uint32_t node);
/* Port 0..nports (0: switches only, holds LID, LMC, port GUID), NULL when the
 * node has no such port.  Valid until the next weft_builder_node() call. */
struct weft_port_spec *weft_builder_port(struct weft_builder *b, uint32_t node,
					 unsigned port);
/* Copies a name of length bytes. */
void weft_builder_name(struct weft_builder *b, uint32_t node,
		       const char *name, size_t length);
/* Rate of a cable; 0 = not known, what the ports say stays. */
struct weft_rate {
	uint8_t width;		/* lanes */
	uint8_t speed;		/* enum weft_speed */
};

/*
 * Cables two ports (port 1 and up; may be two ports of one switch).
 * 0; -EEXIST when one of them is cabled to something else already (nothing is
 * changed; repeating the same cable from its other end is fine and returns 0);
 * -EINVAL when a port does not exist.  Says nothing itself: the caller knows
 * the file and line.
 */
int weft_builder_link(struct weft_builder *b, uint32_t node_a, unsigned port_a,
		      uint32_t node_b, unsigned port_b, struct weft_rate rate);

/* Tells the prefix of the subnet. */
void weft_builder_prefix(struct weft_builder *b, uint64_t prefix);
/* Names the kinds of hosts, at most WEFT_MAX_USES, that ports' use tells apart
 * (copied); without it all are "compute". */
void weft_builder_uses(struct weft_builder *b, const char *const *name,
		       uint32_t n);
/* Says how adapters of one machine are told; AUTO without it. */
void weft_builder_machines(struct weft_builder *b, enum weft_machines_by by);
/* Adds an entry of a router's table. */
void weft_builder_router_entry(struct weft_builder *b,
			       const struct weft_router_entry *entry);

/*
 * Builds the fabric.  Warned about and worked around: a LID that is out of the
 * unicast range or claimed twice (the later claimant is left without), CA ports
 * cabled to each other (left out).  Errors (-EINVAL): endports of different
 * nodes with one port GUID.
 * *out is set on success only; the builder stays the caller's.
 * O(n log n) in nodes and ports.
 */
int weft_builder_finish(struct weft_builder *b, struct weft_fabric **out,
			struct weft_diag *diag);

void weft_fabric_free(struct weft_fabric *fabric);	/* NULL is fine */

/*
 * Verifies every invariant of the structure (see the comments above): sorted
 * and unique ids, reverse channels that agree, LIDs that map back, CSR arrays
 * that cover exactly the cabled ports, capacities.  0, or -EINVAL with an
 * error for the first violation.  O(size).
 */
int weft_fabric_check(const struct weft_fabric *fabric,
		      struct weft_diag *diag);

/*
 * A copy of a fabric in which every port that has no LID was given an unused
 * one, ascending, aligned to its LMC; lmc >= 0 also sets the LMC of all
 * endports; those whose LMC grows get new LIDs.
 * -ENOSPC when the unicast range does not suffice.
 */
int weft_fabric_assign_lids(const struct weft_fabric *fabric, int lmc,
			    struct weft_fabric **out, struct weft_diag *diag);

/*
 * A copy of a fabric in which every port that has no LID was given the one,
 * with the LMC, that the port of the same GUID has in another fabric, if it is
 * there and has one.  0, or -ENOMEM.  O(ports x log ports).
 */
int weft_fabric_take_lids(const struct weft_fabric *fabric,
			  const struct weft_fabric *from,
			  struct weft_fabric **out, struct weft_diag *diag);

/*
 * A copy of a fabric without the cables of these channels; an endport whose
 * cable is one of them is left out.  Ids and channels are other ones where
 * endports are, those of switches stay.  *out is set on success only; -ENOMEM.
 * O(n log n) in nodes and ports.
 */
int weft_fabric_without(const struct weft_fabric *fabric,
			const uint32_t *channel, uint32_t nchannels,
			struct weft_fabric **out, struct weft_diag *diag);

/* The largest LMC of an endport.  O(endports). */
unsigned weft_fabric_lmc(const struct weft_fabric *fabric);

/* Channel that leaves switch sw by port (0..nports). */
static inline uint32_t weft_channel(const struct weft_fabric *f, uint32_t sw,
				    unsigned port)
{
	return f->first_channel[sw] + port;
}

/* Switch whose output channel ch is; for injection channels WEFT_NONE.
 * O(log nsw). */
uint32_t weft_channel_switch(const struct weft_fabric *f, uint32_t ch);

/* The first endport of a machine that has one. */
static inline uint32_t weft_machine_endport(const struct weft_fabric *f,
					    uint32_t machine)
{
	return f->machine_endport[f->machine_first[machine]];
}

/* Owner of a LID as a vertex, WEFT_NONE if nobody has it. */
static inline uint32_t weft_lid_owner(const struct weft_fabric *f,
				      unsigned lid)
{
	return lid <= f->max_lid ? f->lid_owner[lid] : WEFT_NONE;
}

/* Switch a vertex is, or hangs on. */
static inline uint32_t weft_vertex_switch(const struct weft_fabric *f,
					  uint32_t vertex)
{
	return weft_is_switch(vertex) ? vertex :
		f->ep[vertex & ~WEFT_ENDPORT].sw;
}

/* Ids by GUID (node GUID of a switch; port GUID of an endport, or the node
 * GUID of a node: its first endport), WEFT_NONE if unknown.  O(log n). */
uint32_t weft_fabric_switch_by_guid(const struct weft_fabric *f,
				    uint64_t guid);
uint32_t weft_fabric_endport_by_guid(const struct weft_fabric *f,
				     uint64_t guid);

const char *weft_speed_name(enum weft_speed speed);	/* "HDR", "unknown" */
/* Data rate of width lanes at that speed in Mbit/s (after line coding). */
uint32_t weft_speed_capacity(unsigned width, enum weft_speed speed);

/*
 * Has an endport stand for weight hosts, at most WEFT_MAX_WEIGHT, where
 * engines balance traffic: a router port for those behind it.  Before anybody
 * else has the fabric.  O(1).
 */
void weft_fabric_weigh(struct weft_fabric *fabric, uint32_t ep,
		       uint32_t weight);

/*
 * Says of all endports what their machines are used for: use[nep] are positions
 * in name[n], n at most WEFT_MAX_USES (copied).  Groups follow.  Before anybody
 * else has the fabric.  -ENOMEM.  O(endports).
 */
int weft_fabric_use(struct weft_fabric *fabric, const uint8_t *use,
		    const char *const *name, uint32_t n);

/*
 * Finds machines, rails and groups anew.  Before anybody else has the fabric.
 * -ENOMEM.  O(nodes + endports).
 */
int weft_fabric_machines(struct weft_fabric *fabric, enum weft_machines_by by);

/*
 * Limits the data lanes of a cable; 0: no limit.  Before
 * anybody else has the fabric. -ENOMEM.  O(1), the first time O(channels).
 */
int weft_fabric_limit(struct weft_fabric *fabric, uint32_t channel,
		      unsigned vls);

/*
 * Whether an endport counts as a host: ordinary CAs do, aggregation nodes and
 * routers only when all is set (the tools' --hosts=all).
 */
static inline bool weft_endport_is_host(const struct weft_endport *ep, bool all)
{
	return all || ep->kind == WEFT_HOST;
}

#ifdef __cplusplus
}
#endif
#endif
