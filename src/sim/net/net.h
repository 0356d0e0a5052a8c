/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The network: switches, channels, lanes, buffers, credits and packets, and how
 * packets get from one end to the other.
 *
 * A channel and a lane are one lane here, number channel * lanes + lane, which
 * is what its sender knows, and the queue of the same number is at its other
 * end.  Where buffers have a queue for each output these are further queues,
 * behind those of all lanes.  Packets are in a pool with a list of those that
 * are free; lists are by index.  All of it is allocated before the first packet
 * moves.
 *
 * A large fabric is far larger than caches, so that an entry of what every
 * packet needs is in one line of these, and has what belongs to it at hand.
 *
 * Ends are what sends and receives: all endports, and behind them, where these
 * send, too, port 0 of each switch.
 */
#ifndef WEFT_SIM_NET_H
#define WEFT_SIM_NET_H

#include "sim/kernel/clock.h"

#include <weft/sim.h>

struct weft__sim;

struct weft__packet {
	uint64_t ready;	       /* its header has arrived and is looked up */
	uint64_t tail;	       /* its last byte has arrived */
	uint64_t created;      /* when its message was to be sent */
	uint32_t next;	       /* in its queue, or among the free ones */
	uint32_t out;	       /* channel that it asks for */
	uint32_t source, dest; /* ends */
	uint32_t sequence;     /* of the source */
	uint32_t message;
	uint32_t hops;
	uint16_t lid, bytes;
	uint8_t sl, vl; /* the lane that it asks for */
	uint8_t blocks;
	uint8_t route; /* that its host chose */
	bool last;     /* of its message */
	bool probe;    /* of a route, not of a message */
	bool note;     /* likewise, that a packet was marked */
	bool marked;   /* by congestion control */
};

/* Credits that are on their way back, as many as a packet has blocks; two hours
 * are possible. */
struct weft__note {
	uint64_t time : 56, blocks : 8;
};

/* A lane of a channel as its sender sees it. */
struct weft__lane {
	uint64_t carried;     /* bytes */
	int32_t credits;      /* blocks */
	uint32_t note, notes; /* the first of its ring, and how many */
	uint32_t channel;
	uint32_t crossing; /* number among those from one part of a parallel run
			    * to another, or WEFT_NONE */
	uint16_t turn;	   /* the queue that was served last */
	uint8_t vl;
	bool starving; /* the output waits, and no credits are on
			* their way */
};

/* A queue at the end of a channel, of the buffer for a lane. */
struct weft__queue {
	uint64_t free_at;    /* when the last packet has left it */
	uint32_t head, tail; /* packets */
	uint32_t lane;
	uint32_t sw;   /* its switch; WEFT_NONE: of a host */
	uint32_t wire; /* ticks that credits take */
	uint16_t at;   /* port * lanes + lane, within its switch */
	uint8_t port, vl;
};

/* A channel as its sender sees it. */
struct weft__out {
	_Alignas(64) uint64_t busy; /* until then */
	uint32_t byte;		    /* ticks that a byte takes */
	uint32_t wire;		    /* ticks to the other end */
	uint32_t ahead;		    /* ticks to the other end and through it */
	uint32_t to;		    /* switch, endport (WEFT_ENDPORT) or NONE */
	uint32_t served; /* queue that has a packet to come up when the
			  * channel is free; WEFT_NONE */
	uint32_t sw;	 /* its switch; WEFT_NONE: a host's */
	uint32_t asked;	 /* lanes that queues ask for */
	uint8_t port;	 /* at the other end */
	bool down;	 /* its cable has failed */
	uint8_t high, low, low_turn; /* where the tables are */
	int16_t high_left, low_left; /* blocks of that entry */
	int32_t limit_left;	     /* blocks of the high table */
};

struct weft__net {
	const struct weft_fabric *f;
	const struct weft_routes *r;
	const struct weft_sim_spec *spec;
	uint32_t nends;		   /* endports, and switches if these send */
	uint32_t nch, nlanes;	   /* channels, and those from port 0 of
				    * switches that send; lanes of all of them
				    */
	uint32_t nqueues;	   /* nlanes, and queues for outputs */
	uint32_t least;		   /* bytes of the smallest packet */
	unsigned nvl, words;	   /* of a mask of queues of a switch */
	uint8_t lane_of[WEFT_NSL]; /* SL to lane, without SL2VL tables */
	bool by_age;

	struct weft__out *out;	   /* [nch] */
	struct weft__lane *lane;   /* [nlanes] */
	struct weft__queue *queue; /* [nqueues] */
	uint32_t *voq;		   /* [nlanes] first of the queues, by output
				    * port, of its buffer; NULL: it is one
				    * itself */
	uint32_t *facing;	   /* [nlanes] queue that comes in by the port
				    * that the channel leaves by */
	uint64_t *asking;	   /* [nlanes * words] queues of the switch,
				    * port * nvl + lane, that ask for it */
	uint32_t *waiting;	   /* [nch] packets that wait for it; NULL:
				    * nobody asks */
	struct weft__packet *packet;
	uint32_t free_packet, new_packet; /* list; first never used */
	uint32_t npool;
	struct weft__note *note; /* [nlanes * ring] of each lane, in turn */
	uint32_t ring;		 /* whole lines of caches */

	const struct weft_lft **lft_of; /* [nsw]; NULL: nothing changes */
	uint32_t next_change;		/* that is to come */
	struct weft__choose *choose;	/* NULL: as the tables say */
	struct weft__longer *longer;	/* NULL: ways are short */
	struct weft__marks *marks;	/* NULL: no congestion control */
	struct weft__routers *routers;	/* NULL: one subnet */
	struct weft__border *border;	/* NULL: of one thread */
	/* Parts of the fabric that no router joins: one, or the subnets. */
	uint32_t nparts, *part; /* [nsw] of a switch; of a router WEFT_NONE */
};

/* Whether hosts choose routes. */
static inline bool weft__hosts_choose(const struct weft_sim_spec *spec)
{
	return spec->paths >= WEFT_SIM_OBLIVIOUS &&
	       spec->paths <= WEFT_SIM_PROBING;
}

/* The pairs that send without end, or NULL. */
static inline const struct weft_traffic *
weft__spec_flows(const struct weft_sim_spec *spec)
{
	return spec->endless ? spec->traffic : spec->beside;
}

/* The channel that an end sends by. */
static inline uint32_t weft__net_injection(const struct weft__net *net,
					   uint32_t end)
{
	return net->f->first_injection + end;
}

/* Whether packets from one end to another leave their subnet. */
static inline bool weft__net_crosses(const struct weft__net *net, uint32_t from,
				     uint32_t to)
{
	const struct weft_sim_subnets *n = net->spec->subnets;

	return n && from < net->f->nep && n->subnet[from] != n->subnet[to];
}

/* Bytes of a packet beside its payload. */
static inline uint32_t weft__net_header(const struct weft__net *net,
					uint32_t from, uint32_t to)
{
	return net->spec->header +
	       (weft__net_crosses(net, from, to) ? WEFT_SIM_GRH : 0);
}

static inline uint32_t weft__net_payload(const struct weft__net *net,
					 const struct weft__packet *p)
{
	return p->bytes - weft__net_header(net, p->source, p->dest);
}

/* Whether a channel leads to a router. */
static inline bool weft__net_to_router(const struct weft__net *net, uint32_t ch)
{
	return net->spec->subnets && ch < net->f->nch &&
	       weft_is_switch(net->f->peer[ch]) &&
	       net->spec->subnets->is_router[net->f->peer[ch]];
}

/* Bytes of the buffer for a lane at the end of a channel. */
static inline uint32_t weft__net_buffer(const struct weft__net *net,
					uint32_t ch)
{
	return weft__net_to_router(net, ch) ? net->spec->router_buffer :
					      net->spec->buffer;
}

static inline uint32_t weft__net_blocks(uint32_t bytes)
{
	return (bytes + WEFT_SIM_BLOCK - 1) / WEFT_SIM_BLOCK;
}

/* The ticks of a byte at that many Mbit/s, rounded up; 0 for 0. */
static inline uint32_t weft__limit_ticks(uint32_t mbps)
{
	return mbps ? (8000000ull * WEFT_SIM_TICKS + mbps - 1) / mbps : 0;
}

/* The lane that SL2VL says; nvl or more: none. */
static inline uint8_t weft__net_lane(const struct weft__net *net, uint32_t sw,
				     uint8_t in, uint8_t port, uint8_t sl)
{
	return net->r->layers.sl2vl ? weft_layers_vl(&net->r->layers, net->f,
						     sw, in, port, sl) :
				      net->lane_of[sl];
}

/* A packet of its pool, which the caller fills in. */
static inline uint32_t weft__packet_new(struct weft__net *net)
{
	uint32_t n = net->free_packet;

	if (n == WEFT_NONE)
		return net->new_packet++;
	net->free_packet = net->packet[n].next;
	return n;
}

static inline void weft__packet_free(struct weft__net *net, uint32_t n)
{
	net->packet[n].next = net->free_packet;
	net->free_packet = n;
}

/* --- setup.c -------------------------------------------------------------- */

/* Makes the network of f, r and spec, and sets the clock for it; 0, -EINVAL: it
 * is too large, -ENOMEM. */
int weft__net_init(struct weft__net *net, struct weft__clock *clock,
		   struct weft_arena *arena, struct weft_diag *diag);

/* --- look_up.c ------------------------------------------------------------ */

/* Finds the channel and the lane by which a packet goes on from a queue; false:
 * there are none, and *why. */
bool weft__net_look_up(struct weft__sim *s, const struct weft__queue *queue,
		       struct weft__packet *p, enum weft_sim_drop *why);

/* --- forward.c ------------------------------------------------------------ */

/* Sends a packet from an end: its channel is free, the lane has credits. */
void weft__net_inject(struct weft__sim *s, uint32_t end, uint32_t lane,
		      uint32_t packet);
/* The event that a packet comes up in a queue. */
void weft__net_head(struct weft__sim *s, uint32_t queue);
/* Sends a packet on a channel of a switch that is free, if there is one that
 * has room. */
void weft__net_serve(struct weft__sim *s, uint32_t ch);
/* The queue that is next to send in a lane of a switch, WEFT_NONE: none asks
 * for it; where the oldest packet goes first this is any. */
uint32_t weft__net_next(const struct weft__net *net, uint32_t lane);
/* The queue of the buffer at the end of a lane that a packet is for, which is
 * lost if that is WEFT_NONE. */
uint32_t weft__net_queue(struct weft__sim *s, uint32_t lane, uint32_t packet);
/* Puts a packet that is on its way at the end of a queue. */
void weft__net_append(struct weft__sim *s, uint32_t queue, uint32_t packet);
/* Whether the first packet of a queue asks for a channel. */
bool weft__net_asks(const struct weft__net *net, uint32_t queue, uint32_t ch);
/* Drops the first packet of a queue, which may ask for its output. */
void weft__net_withdraw(struct weft__sim *s, uint32_t queue,
			enum weft_sim_drop why);

/* --- credits.c ------------------------------------------------------------ */

/* Takes the credits of a lane that are there by now, and returns how many it
 * has. */
int32_t weft__credits(struct weft__net *net, uint64_t now, uint32_t lane);
/* Likewise, whether there are that many; else its output will be woken up. */
bool weft__credits_wait(struct weft__net *net, struct weft__clock *clock,
			uint32_t lane, int32_t blocks);
/* Puts credits of a lane that is this part's on their way, which arrive at that
 * time. */
void weft__credits_take(struct weft__net *net, struct weft__clock *clock,
			uint32_t lane, uint32_t blocks, uint64_t time);
/* Sends credits of a lane back, likewise, whosever it is. */
void weft__credits_return(struct weft__net *net, struct weft__clock *clock,
			  uint32_t lane, uint32_t blocks, uint64_t time);
/* Note number i that is on its way to a lane. */
static inline struct weft__note *weft__credits_note(const struct weft__net *net,
						    uint32_t lane, uint32_t i)
{
	uint32_t at = net->lane[lane].note + i;

	at -= at < net->ring ? 0 : net->ring;
	return &net->note[(size_t)lane * net->ring + at];
}

static inline bool weft__credits_for(struct weft__net *net,
				     struct weft__clock *clock, uint32_t lane,
				     int32_t blocks)
{
	return net->lane[lane].credits >= blocks ||
	       weft__credits_wait(net, clock, lane, blocks);
}

/* --- vlarb.c -------------------------------------------------------------- */

/* Chooses one of the lanes that can send, which sends that many blocks then. */
unsigned weft__vlarb_choose(const struct weft_sim_spec *spec,
			    struct weft__out *out, uint32_t can,
			    const uint8_t *blocks);

/* --- choose.c ------------------------------------------------------------- */

/* Finds the ports that are equal, if anybody chooses; false without memory. */
bool weft__choose_init(struct weft__net *net, struct weft_arena *arena);
/* The port by which a packet leaves a switch that it came into by port in,
 * where the table says port. */
uint8_t weft__choose_port(struct weft__net *net, uint64_t now,
			  struct weft__packet *p, uint8_t in, uint32_t sw,
			  uint8_t port);

/* --- longer.c ------------------------------------------------------------- */

/* Whether packets may go longer ways, and how many lanes they need. */
bool weft__paths_are_longer(enum weft_sim_paths paths);
unsigned weft__longer_lanes(enum weft_sim_paths paths);
int weft__longer_check(const struct weft_fabric *f,
		       const struct weft_sim_spec *spec,
		       struct weft_diag *diag);
/* Makes room for these, if they do; false without memory. */
bool weft__longer_init(struct weft__net *net, struct weft_arena *arena);
/* A packet is about to be sent. */
void weft__longer_send(struct weft__net *net, uint32_t packet);
/* As weft__choose_port(); and the lane that it takes there. */
uint8_t weft__longer_port(struct weft__net *net, uint64_t now,
			  struct weft__packet *p, uint8_t in, uint32_t sw,
			  uint8_t port);
uint8_t weft__longer_lane(const struct weft__net *net,
			  const struct weft__packet *p);

/* --- marks.c -------------------------------------------------------------- */

bool weft__marks_init(struct weft__net *net, struct weft_arena *arena);
/* Whether a packet is marked that leaves a queue by a lane. */
bool weft__marks_packet(struct weft__net *net, uint32_t lane,
			const struct weft__queue *queue,
			struct weft__packet *p);

/* --- routers.c ------------------------------------------------------------ */

/* Finds the parts; false without memory. */
bool weft__routers_part(struct weft__net *net, struct weft_arena *arena);
/* Makes room for the ways of packets, if there are subnets; false without
 * memory. */
bool weft__routers_init(struct weft__net *net, struct weft_arena *arena);
/* A packet is about to be sent; whether it leaves its subnet. */
bool weft__routers_send(struct weft__net *net, uint32_t packet);
/* Gives a packet at a router its next leg, output and lane; once, however often
 * it is asked.  False: it has none, and *why. */
bool weft__routers_pass(struct weft__net *net, const struct weft__queue *queue,
			struct weft__packet *p, enum weft_sim_drop *why);

/* --- change.c ------------------------------------------------------------- */

int weft__change_check(const struct weft_fabric *f,
		       const struct weft_sim_spec *spec,
		       struct weft_diag *diag);
/* Makes room for tables that change and sets the first events, if any; false
 * without memory. */
bool weft__change_init(struct weft__net *net, struct weft__clock *clock,
		       struct weft_arena *arena);
/* The events: something changes; queues are looked at. */
void weft__change_next(struct weft__sim *s);
void weft__change_sweep(struct weft__sim *s);

#endif
