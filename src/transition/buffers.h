/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which buffers wait for which others, while entries change one by one.
 *
 * Each dependency counts the LIDs whose packets cause it.  A change of an entry
 * moves traffic from one way to another and touches only the dependencies along
 * the two.  Only those that lie on a circle of all old and new routes together
 * are kept; no others can ever close one.  Those that are there stand in an
 * order (graph/order.h), until one would close a circle.  That circle is kept:
 * as long as all of it is there the tables in place have a credit loop,
 * whatever else changes, so that new dependencies only wait aside; when it
 * breaks, they are taken in until one closes a circle again.
 *
 * Lanes do not change on the way.
 */
#ifndef WEFT_TRANSITION_BUFFERS_H
#define WEFT_TRANSITION_BUFFERS_H

#include "graph/order.h"
#include "transition/run.h"

/* Looks at edges after which circles are no longer told from edges that only
 * run against the order; some seconds. */
#define WEFT__BUFFERS_WORK (1ull << 29)

/* The destination tree of one LID and the traffic in it. */
struct weft__slot {
	uint32_t owner;
	uint8_t *port;	   /* [nsw] entries in place */
	uint16_t *classes; /* [nsw] of the traffic from its endports */
	uint16_t *flow;	   /* [nsw][nlanes] switches that send to it by
			    * this one */
	bool circle;	   /* some of the traffic goes round */
};

struct weft__wait {
	uint32_t v;		/* a vertex of the graph of dependencies */
	uint8_t port;		/* by which its edge leaves */
};

struct weft__waits {
	struct weft__wait *wait;
	size_t n, room;
};

struct weft__buffers {
	const struct weft__transit *t;
	struct weft__order order;
	uint32_t radix;		/* ports of a switch, and port 0 */
	uint32_t *rank;		/* [nv] of a vertex among those on circles */
	uint32_t *count;	/* [vertices on circles][radix] */
	uint8_t *mark;		/* likewise: on the circle, aside */
	struct weft__waits add, drop;	/* of changes that are under way */
	struct weft__waits aside;	/* counted, but not in the order */
	bool circle;		/* there is one, */
	struct weft__waits around;	/* and these are its dependencies */
	uint32_t *from, *queue;	/* [nv] search for a circle */
	uint32_t *seen, round;	/* [nsw] */
	bool failed;		/* memory ran out */
};

int weft__buffers_init(struct weft__buffers *b, const struct weft__transit *t);
void weft__buffers_free(struct weft__buffers *b); /* a zeroed one is
						   * fine */

/* Finds the flow of a slot; to enter: and has its dependencies added. */
void weft__slot_flows(struct weft__buffers *b, struct weft__slot *slot,
		      bool enter);
/* Changes the entry of switch s, and puts what it adds and drops on b->add and
 * b->drop.  O(ports + hops), or O(switches x hops) where packets go round. */
void weft__slot_change(struct weft__buffers *b, struct weft__slot *slot,
		       uint32_t s, uint8_t port);

/* Take in what b->add holds, and what b->drop does, and empty the list. */
void weft__buffers_add(struct weft__buffers *b);
void weft__buffers_drop(struct weft__buffers *b);

#endif
