/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A net: switches, cables and hosts while a fabric is being made up.
 *
 * A family reserves room first, which is where absurd sizes are refused; after
 * that, adding cannot fail.  Each switch hands out its ports in ascending
 * order: a leaf's host ports first, then a port for each cable as it is added.
 */
#ifndef WEFT_GEN_NET_H
#define WEFT_GEN_NET_H

#include <weft/fabric.h>

#include "gen/spec.h"

struct weft_rng;

struct weft__net_switch {
	char name[48];
	uint8_t nports;
	uint8_t used;		/* ports 1..used are taken or set aside */
	uint8_t role;		/* enum weft_role */
	bool dead;
};

struct weft__net_cable {
	uint32_t a, b;		/* switches */
	uint8_t port_a, port_b;
	bool dead;
};

/* A switch that hosts may hang on: ports 1..capacity are for them. */
struct weft__net_leaf {
	uint32_t sw;
	uint8_t capacity;
	uint8_t used;
};

/* One port of a host; those of one host are consecutive. */
struct weft__net_port {
	uint32_t host;
	uint32_t sw;
	uint8_t sw_port;
	uint8_t number;		/* on the host, from 1 */
	bool dead;		/* not there */
};

struct weft__net {
	struct weft__net_switch *sw;
	struct weft__net_cable *cable;
	struct weft__net_leaf *leaf;
	struct weft__net_port *port;
	uint32_t nsw, ncables, nleaves, nports, nhosts;
	uint32_t max_sw, max_cables;
	/*
	 * Consecutive leaves that form a unit: hosts=X:Y counts units.
	 * multi 0: a host has one port on one leaf of its unit; otherwise it
	 * has that many on each leaf of the unit.
	 */
	uint32_t unit, multi;
	/*
	 * Hosts in a row that are one machine's adapters, 0: each host is by
	 * itself; and how many machines there are: those of a unit have an
	 * adapter on each of its leaves.
	 */
	uint32_t adapters, machines;
	/* Leaves in a row; those of different rows are no neighbours. */
	uint32_t row;
};

/* Room for switches and cables; -ERANGE with an error when the fabric would
 * need more LIDs than there are, -ENOMEM. */
int weft__net_reserve(struct weft__net *net, const struct weft__gen_spec *spec,
		      uint64_t nsw, uint64_t ncables, struct weft_diag *diag);
void weft__net_free(struct weft__net *net);	/* zeroed is fine */

/* Checks a number of ports of one switch; 0 or -ERANGE with an error. */
int weft__net_radix(const struct weft__gen_spec *spec, uint64_t nports,
		    struct weft_diag *diag);

/* Adds a switch, returns its number (0, 1, 2 ...). */
uint32_t weft__net_switch(struct weft__net *net, enum weft_role role,
			  unsigned nports, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Sets the first capacity ports of a switch without cables aside for hosts. */
void weft__net_leaf(struct weft__net *net, uint32_t sw, unsigned capacity);
/* Cables two ports. */
void weft__net_cable_ports(struct weft__net *net, uint32_t a, unsigned port_a,
			   uint32_t b, unsigned port_b);
/* Cables the next free ports of two switches. */
void weft__net_cable(struct weft__net *net, uint32_t a, uint32_t b);
void weft__net_cables(struct weft__net *net, uint32_t a, uint32_t b,
		      uint32_t n);

/* Hangs the hosts that the options ask for on the leaves. */
int weft__net_hosts(struct weft__net *net, const struct weft__gen_spec *spec,
		    struct weft_diag *diag);
/* Exchanges cables of hosts, and takes hosts out, as the options ask for. */
int weft__net_miscable(struct weft__net *net,
		       const struct weft__gen_spec *spec,
		       struct weft_diag *diag);
/* Marks switches and cables dead as the options ask for. */
int weft__net_fail(struct weft__net *net, const struct weft__gen_spec *spec,
		   struct weft_diag *diag);
/* Gives GUIDs, LIDs and names and builds the fabric. */
int weft__net_finish(const struct weft__net *net,
		     const struct weft__gen_spec *spec,
		     struct weft_fabric **out, struct weft_diag *diag);

/*
 * The random numbers of one purpose: independent of those of the others, so
 * that asking for failures does not change a random graph.
 */
enum weft__net_purpose {
	WEFT__NET_GRAPH, WEFT__NET_FAULTS, WEFT__NET_GUIDS, WEFT__NET_CABLING,
};
struct weft_rng *weft__net_rng(const struct weft__gen_spec *spec,
			       enum weft__net_purpose purpose);

/* a * b, or UINT64_MAX when that does not fit. */
static inline uint64_t weft__net_mul(uint64_t a, uint64_t b)
{
	uint64_t p;

	return __builtin_mul_overflow(a, b, &p) ? UINT64_MAX : p;
}

#endif
