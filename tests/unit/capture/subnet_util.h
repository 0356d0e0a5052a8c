/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A subnet that answers questions, in place of an adapter: the linker has it
 * stand in for libibumad's port, for libibnetdisc and for the clock
 * (tests/unit/local.mk), so that a capture runs as on a live fabric and each
 * datagram can be looked at, lost, refused or late.
 *
 *        host 0x30 (lid 4)      host 0x40 (lids 5; 66, 67)
 *             |p1                  |p1           |p2
 *             |p1                  |p2           |p2
 *        switch 0x20 (lid 1) p17--p1 switch 0x10 (lid 2) p3--p1 router 0x50
 *
 * Host 0x30 is where the questions come from, and knows its subnet manager by
 * lid 4.  Port 4 of switch 0x10 is up, but nobody answered behind it.
 */
#ifndef WEFT_TESTS_SUBNET_UTIL_H
#define WEFT_TESTS_SUBNET_UTIL_H

#include "../io/io_tables_util.h"

#include "capture/capture.h"

#include <infiniband/ibnetdisc.h>

/* Nodes in the order of their GUIDs. */
enum { B, A, H1, H2, R, NODES };

/* A datagram that was sent. */
struct asked {
	unsigned node;		/* NODES: to the SA or to nobody */
	unsigned port;		/* that the LID is of, or the path ends at */
	int class;
	unsigned attribute, modifier, select;
	bool by_path;
	unsigned nth;		/* how often it was asked before */
	uint64_t sent, answered; /* ms; 0: not */
	unsigned dlid, slid;	/* of a path */
	uint64_t mask;
};

#define SUBNET_ASKED 2000 /* datagrams at most */

enum { OK, REFUSED = 0x1c, BUSY = 1, LOST = -1, TIMED_OUT = -2, ECHO = -3 };

struct subnet {
	ibnd_fabric_t fabric;
	ibnd_node_t node[NODES];
	ibnd_port_t port[NODES][20];
	ibnd_port_t *ports[NODES][20];
	uint64_t now;		/* ms */
	unsigned delay;		/* of an answer */
	bool last_first;	/* of answers that are there, the last one */
	/* What becomes of a datagram: a status, or one of the others. */
	int (*fate)(const struct asked *q);
	struct asked log[SUBNET_ASKED];
	size_t n;
	unsigned under_way, most_under_way;
	/* Calls that fail, and how often others were made. */
	bool no_umad, no_port, no_open, no_fabric, no_manager;
	int no_class, no_send, no_receive;
	unsigned interrupted;	/* times that it still is, while it waits */
	unsigned opened, released, closed, destroyed;
	struct ibnd_config config;
};
extern struct subnet subnet;

/* The subnet as it is above, at a time that is not 0. */
void subnet_init(void);
/* A capture of it, of the default spec with changes; NULL where it fails. */
struct weft__capture_spec subnet_spec(void);
struct weft__capture *subnet_capture(const struct weft__capture_spec *spec,
				     struct heard *heard);

/* How often that was asked. */
unsigned subnet_asked(unsigned node, unsigned attribute, unsigned modifier);
/* How many datagrams of an attribute a node got. */
unsigned subnet_count(unsigned node, unsigned attribute);

/* --- what it answers ------------------------------------------------------ */

/* The port by which a switch sends to a LID. */
unsigned subnet_out(unsigned node, unsigned lid);
/* The lane of packets from port to port. */
unsigned subnet_lane(unsigned in, unsigned out, unsigned sl);
unsigned subnet_sl(unsigned slid, unsigned dlid);
/* A counter, by the place of its name in weft-counters.csv. */
uint64_t subnet_counter(unsigned node, unsigned port, unsigned counter,
			unsigned reading, bool wide);

#endif
