/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A simulation on several threads.  The switches are cut into parts, each with
 * its hosts, its events and a thread; what goes from one to another is told in
 * take.c, and how far threads may go ahead in team.c.
 */
#ifndef WEFT_SIM_PARALLEL_H
#define WEFT_SIM_PARALLEL_H

#include "sim/kernel/clock.h"
#include "sim/net/net.h"

struct weft__sim;
struct weft__team;

/* --- cut.c ---------------------------------------------------------------- */

/* Cuts the switches into n parts of about as many ports, part[nsw], which few
 * cables join; false without memory. */
bool weft__cut_switches(const struct weft_fabric *f, uint32_t n, uint32_t *part,
			struct weft_arena *arena);

/* --- border.c ------------------------------------------------------------- */

/* An event, in the order of all. */
struct weft__moment {
	uint64_t time;
	uint32_t slot;
};

/* A packet that a channel began to send to another part. */
struct weft__parcel {
	struct weft__packet packet;
	struct weft__moment sent;
	uint32_t lane, crossing;
};

/* Credits that another part gave back. */
struct weft__credit {
	struct weft__moment sent;
	uint64_t time; /* when they are there */
	uint32_t lane, crossing, blocks;
};

/* What one part has for another one from a window. */
struct weft__post {
	struct weft__parcel *parcel;
	struct weft__credit *credit;
	uint32_t parcels, credits;
};

/* What a lane to another part knows beside what all do.  Its sender: when it
 * first waited for credits of which none were on their way, and when without an
 * event that was still to come, since it got the last ones; when it was given
 * the event that it has, and when it last had one. */
struct weft__waited {
	struct weft__moment first, bare, given;
	uint64_t came;
};

/* Likewise a queue at its end: when a packet last left it, and by which
 * channel. */
struct weft__left {
	struct weft__moment at;
	uint32_t out;
};

/* What a part knows of the others. */
struct weft__border {
	const uint32_t *part;	 /* [nsw] */
	struct weft__post *post; /* [parts] to each other one, this window's */
	struct weft__waited *waited; /* [crossing lanes], as lane.crossing */
	uint32_t queues;	     /* at the end of a lane, at most */
	struct weft__left *left;     /* [crossing lanes * queues] */
	uint64_t first;		     /* of all events that the post is about */
};

/* Sends a packet that is on its way in a lane to another part. */
void weft__border_send(struct weft__sim *s, uint32_t lane, uint32_t packet);
/* Likewise credits, which are there at that time. */
void weft__border_return(struct weft__net *net, const struct weft__clock *clock,
			 uint32_t lane, uint32_t blocks, uint64_t time);
/* When the last packet left a queue of the buffer at the end of a lane. */
static inline struct weft__left *weft__border_left(const struct weft__net *net,
						   uint32_t l, uint32_t queue)
{
	const struct weft__border *border = net->border;

	return &border->left[(size_t)net->lane[l].crossing * border->queues +
			     (queue - (net->voq ? net->voq[l] : l))];
}
/* A packet leaves a queue by a channel. */
void weft__border_leaves(struct weft__net *net, const struct weft__clock *clock,
			 const struct weft__queue *queue, uint32_t out);
/* A lane waits for credits of which none are on their way; it is given an event
 * for those that are; that comes. */
void weft__border_waits(struct weft__net *net, const struct weft__clock *clock,
			uint32_t lane);
void weft__border_wakes(struct weft__net *net, const struct weft__clock *clock,
			uint32_t lane);
void weft__border_credit_comes(struct weft__net *net,
			       const struct weft__clock *clock, uint32_t lane);

/* --- take.c --------------------------------------------------------------- */

/* Takes what another part sent in the window that is over. */
void weft__border_take(struct weft__sim *s, struct weft__post *post);

/* --- setup.c -------------------------------------------------------------- */

/* Cuts a simulation that is set up among threads, if it is to run on several
 * and can; *out stays NULL where it cannot, or need not.  False without memory.
 */
bool weft__team_new(struct weft__sim *s, struct weft__team **out);
/* --- team.c --------------------------------------------------------------- */

/* Handles all events until the end, as weft__sim_events() does, and joins what
 * came of it; false: it has to be done again on one thread, as something
 * happened that threads cannot agree on in time. */
bool weft__team_run(struct weft__team *team, struct weft__sim *s,
		    uint64_t packets);

#endif
