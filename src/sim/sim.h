/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The inside of a simulation.
 *
 * A channel and a lane are one lane here, number channel * lanes + lane: its
 * sender's credits, and the queue at its other end.  Where buffers have a queue
 * for each output these are further entries of the same kind, behind all lanes,
 * of which only the queue is used.  Packets and notes of
 * credits are in pools with lists of those that are free; lists are by index.
 * All of it is allocated before the first packet moves.
 */
#ifndef WEFT_SIM_SIM_H
#define WEFT_SIM_SIM_H

#include "sim/latency.h"
#include "sim/wheel.h"

#include <weft/sim.h>

#define WEFT__TICKS_NS (1000ull * WEFT_SIM_TICKS)

struct weft__packet {
	uint64_t ready;	       /* its header has arrived and is looked up */
	uint64_t tail;	       /* its last byte has arrived */
	uint64_t created;      /* when its message was to be sent */
	uint32_t next;	       /* in its queue, or among the free ones */
	uint32_t out;	       /* channel that it asks for */
	uint32_t source, dest; /* endports */
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

/* Credits that are on their way back. */
struct weft__note {
	uint64_t time;
	uint32_t next, blocks;
};

/* A lane of a channel, the sender's side and the queue at the other end. */
struct weft__lane {
	uint64_t free_at;    /* when the last packet has left the queue */
	uint32_t head, tail; /* packets */
	uint32_t note, last_note;
	int32_t credits; /* blocks */
	uint32_t channel;
	uint16_t turn; /* the queue that was served last */
	uint8_t vl;
	bool starving; /* the output waits, and no credits are on
			* their way */
};

/* A channel as its sender sees it. */
struct weft__out {
	uint64_t busy;	 /* until then */
	uint32_t byte;	 /* ticks that a byte takes */
	uint32_t wire;	 /* ticks to the other end */
	uint32_t ahead;	 /* ticks to the other end and through it */
	uint32_t to;	 /* switch, endport (WEFT_ENDPORT) or NONE */
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

struct weft__message {
	uint64_t created, left; /* bytes */
	uint32_t dest, id;	/* its packets have that */
	uint16_t lid;
	uint8_t sl, vl;
};

/* A host that sends or receives. */
struct weft__host {
	uint64_t random;   /* state of its generator */
	uint64_t next;	   /* when its next message is made */
	uint64_t pause;	   /* mean ticks between messages; 0 = none */
	uint64_t drained;  /* what has arrived is taken */
	uint32_t first, n; /* its messages: message[first ..] */
	uint32_t turn;
	uint32_t sequence;
	uint32_t messages; /* whose LID was drawn or had its turn */
	uint64_t sent, received; /* payload */
	uint64_t place;		 /* in the sequence of its partners */
	uint32_t rank;		 /* WEFT_NONE: not in the mapping */
};

/* What arrives in an interval of the time. */
struct weft__interval {
	uint64_t bytes, payload;
	uint64_t switch_bytes; /* to port 0 of switches */
	struct weft__latency packet, message;
};

struct weft__sim {
	const struct weft_fabric *f;
	const struct weft_routes *r;
	const struct weft_sim_spec *spec;
	struct weft_sim *result;
	struct weft_arena *arena;
	struct weft__wheel wheel;
	uint64_t now, end;	   /* ticks */
	uint32_t nends;		   /* endports, and switches if these send */
	uint32_t nch, nlanes;	   /* channels, and those from port 0 of
				    * switches that send; lanes of all of them
				    */
	uint32_t nqueues;	   /* nlanes, and queues for outputs */
	unsigned nvl, words;	   /* of a mask of queues of a switch */
	uint8_t lane_of[WEFT_NSL]; /* SL to lane, without SL2VL tables */
	bool by_age;

	struct weft__out *out;	 /* [nch] */
	struct weft__lane *lane; /* [nqueues] */
	uint32_t *voq;		 /* [nlanes] first of the queues, by output
				  * port, of its buffer; NULL: it is one
				  * itself */
	uint32_t *queue;	 /* [nlanes] that comes in by the port that
				  * the channel leaves by */
	uint64_t *asking;	 /* [nlanes * words] queues of the switch,
				  * port * nvl + lane, that ask for it */
	/* Something changes, or queues are to be looked at: the event of a
	 * slot; NULL: nothing changes. */
	void (*change)(struct weft__sim *s, uint32_t slot);
	struct weft__changes *changes;
	const struct weft_lft **lft_of; /* [nsw], likewise */
	struct weft__pacing *pacing; /* NULL: no control */
	struct weft__steps *steps; /* NULL: no schedule */
	struct weft__trace *trace; /* NULL: no packet is followed */
	struct weft__parts *parts; /* NULL: nobody asks for these */
	struct weft__choose *choose; /* NULL: as the tables say */
	uint32_t *waiting;	   /* [nch] packets that wait for it; NULL:
				    * nobody asks */
	struct weft__routers *routers; /* NULL: one subnet */
	uint64_t *carried; /* [nlanes] bytes; beside the lanes, which are kept
			    * small */
	struct weft__packet *packet;
	uint32_t free_packet, new_packet; /* list; first never used */
	struct weft__note *note;
	uint32_t free_note, new_note;
	uint32_t npool;

	struct weft__host *host; /* [nends] */
	struct weft__message *message;
	uint32_t inject, drain; /* ticks a byte takes, 0 = no limit */
	uint32_t places;	/* for messages of a host under load */
	struct weft_rng *rng;
	uint32_t *rank_host; /* [ranks] endports */
	uint32_t nranks;
	/* Parts of the fabric that no router joins: one, or the subnets. */
	uint32_t nparts, *part; /* [nsw] of a switch; of a router WEFT_NONE */
	uint32_t *switch_end;	/* [nswitches] ends of those that send, by part
				 */
	uint32_t *switch_first; /* [nparts + 1] the first of a part */
	uint32_t nswitches;

	/* A workload. */
	uint64_t left;	       /* packets that are not delivered */
	uint64_t last_arrival; /* of any packet */

	/* A load. */
	uint64_t width;			      /* ticks of an interval */
	struct weft__interval *interval;      /* [WEFT_SIM_INTERVALS] */
	uint32_t nflows;		      /* endless messages */
	uint64_t *flow_got;		      /* [nflows * SEGMENTS] payload */
	struct weft_pair *flow;		      /* [nflows] ranks */
	/* Ranks that rank r sends to, partner[partner_first[r]] and on; NULL:
	 * they are drawn. */
	uint32_t *partner;
	uint64_t *partner_first;
	uint64_t hot;			      /* share of messages to hot spots,
					       * of 2^32 */
	uint64_t *got;			      /* [nends * SEGMENTS] bytes */
	uint32_t *packet_bins, *message_bins; /* by segment, fine */

	uint32_t *last_sequence; /* [nends * nends << lmc] with check, + 1, of
				  * a flow: source, destination, which LID */
	unsigned lmc;		 /* the most of a host where not the routes
				  * say which LID, else 0 */
};

/* Whether messages are drawn, under a load. */
static inline bool weft__sim_draws(const struct weft__sim *s)
{
	return !s->spec->traffic && !s->spec->schedule;
}

/* Whether there is a load, or an endless workload, to be measured for a time.
 */
static inline bool weft__sim_measures(const struct weft__sim *s)
{
	return weft__sim_draws(s) || s->spec->endless;
}

/* Whether packets from one end to another leave their subnet. */
static inline bool weft__sim_crosses(const struct weft__sim *s, uint32_t from,
				     uint32_t to)
{
	const struct weft_sim_subnets *n = s->spec->subnets;

	return n && from < s->f->nep && n->subnet[from] != n->subnet[to];
}

/* Bytes of a packet beside its payload. */
static inline uint32_t weft__sim_header(const struct weft__sim *s,
					uint32_t from, uint32_t to)
{
	return s->spec->header +
	       (weft__sim_crosses(s, from, to) ? WEFT_SIM_GRH : 0);
}

static inline uint32_t weft__sim_payload(const struct weft__sim *s,
					 const struct weft__packet *p)
{
	return p->bytes - weft__sim_header(s, p->source, p->dest);
}

/* Whether a channel leads to a router. */
static inline bool weft__sim_to_router(const struct weft__sim *s, uint32_t ch)
{
	return s->spec->subnets && ch < s->f->nch &&
	       weft_is_switch(s->f->peer[ch]) &&
	       s->spec->subnets->is_router[s->f->peer[ch]];
}

/* Bytes of the buffer for a lane at the end of a channel. */
static inline uint32_t weft__sim_buffer(const struct weft__sim *s, uint32_t ch)
{
	return weft__sim_to_router(s, ch) ? s->spec->router_buffer :
					    s->spec->buffer;
}

/* Packets that what is left of a message is cut into. */
static inline uint64_t weft__sim_packets(const struct weft__sim *s,
					 const struct weft__message *m)
{
	return (m->left + s->spec->mtu - 1) / s->spec->mtu;
}

/* The next number of splitmix64 (Steele, Lea, Flood 2014). */
static inline uint64_t weft__draw(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static inline uint32_t weft__draw_below(uint64_t *state, uint32_t n)
{
	return ((weft__draw(state) >> 32) * n) >> 32;
}

/* --- spec.c --------------------------------------------------------------- */

/* 0, or -EINVAL and a message about what cannot be. */
int weft__spec_check(const struct weft_fabric *f, const struct weft_routes *r,
		     const struct weft_sim_spec *spec, struct weft_diag *diag);

/* --- setup.c -------------------------------------------------------------- */

/* Everything but the messages; 0 or -errno. */
int weft__sim_setup(struct weft__sim *s, struct weft_diag *diag);

/* The ticks of a byte at that many Mbit/s, rounded up; 0 for 0. */
static inline uint32_t weft__limit_ticks(uint32_t mbps)
{
	return mbps ? (8000000ull * WEFT_SIM_TICKS + mbps - 1) / mbps : 0;
}

static inline uint32_t weft__sim_blocks(uint32_t bytes)
{
	return (bytes + WEFT_SIM_BLOCK - 1) / WEFT_SIM_BLOCK;
}

/* --- sequence.c ----------------------------------------------------------- */

int weft__sequence_check(const struct weft_sim_spec *spec,
			 struct weft_diag *diag);
/* Lists the partners of all ranks, if there is a sequence; false without
 * memory. */
bool weft__sequence_init(struct weft__sim *s);
/* Whether a rank sends under load. */
static inline bool weft__sequence_sends(const struct weft__sim *s,
					uint32_t rank)
{
	return !s->partner ||
	       s->partner_first[rank] < s->partner_first[rank + 1];
}
/* The rank that the next message goes to. */
uint32_t weft__sequence_next(const struct weft__sim *s,
			     struct weft__host *host);

/* --- sizes.c -------------------------------------------------------------- */

int weft__sizes_check(const struct weft_sim_spec *spec, struct weft_diag *diag);
/* Draws the size of a message of a load. */
uint64_t weft__sizes_draw(const struct weft_sim_spec *spec, uint64_t *random);
/* The mean bytes of a message on the wire, that is cut into packets of cut
 * bytes with a header each. */
double weft__sizes_wire(const struct weft_sim_spec *spec, uint32_t cut,
			double header);

/* --- credits.c ------------------------------------------------------------ */

/* Takes the credits of a lane that are there by now, and returns how many it
 * has. */
int32_t weft__credits(struct weft__sim *s, uint32_t lane);
/* Likewise, whether there are so many; else its output will be woken up. */
bool weft__credits_wait(struct weft__sim *s, uint32_t lane, int32_t blocks);
/* Sends credits of the lane that a queue is of back, which arrive at that
 * time. */
void weft__credits_return(struct weft__sim *s, const struct weft__lane *queue,
			  uint32_t blocks, uint64_t time);

static inline bool weft__credits_for(struct weft__sim *s, uint32_t lane,
				     int32_t blocks)
{
	return s->lane[lane].credits >= blocks ||
	       weft__credits_wait(s, lane, blocks);
}

/* --- kernel.c ------------------------------------------------------------- */

/* Slots of the wheel, in the order that events of one moment come in: that of a
 * channel that has sent is its number. */
static inline uint32_t weft__slot_head(const struct weft__sim *s,
				       uint32_t queue)
{
	return s->nch + queue;
}

/* The queue that comes in by lane number at of a channel's switch, port * nvl +
 * lane, and goes out by that channel. */
static inline uint32_t weft__sim_queue(const struct weft__sim *s, uint32_t ch,
				       uint32_t at)
{
	uint32_t first = s->f->first_channel[s->out[ch].sw];
	uint32_t q = s->queue[(size_t)first * s->nvl + at];

	return s->voq ? s->voq[q] + (ch - first) : q;
}

static inline uint32_t weft__slot_credit(const struct weft__sim *s,
					 uint32_t lane)
{
	return s->nch + s->nqueues + lane;
}

static inline uint32_t weft__slot_host(const struct weft__sim *s, uint32_t ep)
{
	return s->nch + s->nqueues + s->nlanes + ep;
}

/* That a message arrives for which others wait; that a pause ends. */
static inline uint32_t weft__slot_arrival(const struct weft__sim *s,
					  uint32_t ep)
{
	return weft__slot_host(s, s->nends + ep);
}

static inline uint32_t weft__slot_pause(const struct weft__sim *s)
{
	return weft__slot_host(s, 2 * s->nends);
}

/* That something changes; that queues are looked at. */
static inline uint32_t weft__slot_change(const struct weft__sim *s)
{
	return weft__slot_pause(s) + 1;
}

static inline uint32_t weft__slot_sweep(const struct weft__sim *s)
{
	return weft__slot_pause(s) + 2;
}

/* Handles events until there are none, the end, or count of them.  False:
 * there are none left before the end. */
bool weft__sim_events(struct weft__sim *s, uint64_t count);

/* A packet of its pool, which the caller fills in. */
uint32_t weft__sim_packet(struct weft__sim *s);
/* Sends it from a host: the channel is free, the lane has credits. */
void weft__sim_inject(struct weft__sim *s, uint32_t ep, uint32_t lane,
		      uint32_t packet);
/* The lane that SL2VL says; nvl or more: none. */
static inline uint8_t weft__sim_lane(const struct weft__sim *s, uint32_t sw,
				     uint8_t in, uint8_t port, uint8_t sl)
{
	return s->r->layers.sl2vl ? weft_layers_vl(&s->r->layers, s->f, sw, in,
						   port, sl) :
				    s->lane_of[sl];
}

/* Whether the first packet of a queue asks for a channel. */
bool weft__sim_asks(const struct weft__sim *s, uint32_t queue, uint32_t ch);
/* Drops the first packet of a queue, which may ask for its output. */
void weft__sim_withdraw(struct weft__sim *s, uint32_t queue,
			enum weft_sim_drop why);

/* --- pace.c --------------------------------------------------------------- */

int weft__pace_check(const struct weft_sim_spec *spec,
			   struct weft_diag *diag);
bool weft__pace_init(struct weft__sim *s);
/* A packet leaves a queue by a lane, which may mark it. */
void weft__pace_mark(struct weft__sim *s, uint32_t lane,
		     const struct weft__lane *queue, struct weft__packet *p);
/* A marked packet arrives at that time; a notification does now. */
void weft__pace_arrive(struct weft__sim *s, const struct weft__packet *p,
			     uint64_t time);
void weft__pace_notified(struct weft__sim *s,
			       const struct weft__packet *p);
/* The end that a host has to send a notification to, WEFT_NONE: none yet; and
 * that it was sent. */
uint32_t weft__pace_note(struct weft__sim *s, uint32_t ep);
void weft__pace_noted(struct weft__sim *s, uint32_t ep);
/* Whether a message has to wait, after which its host is woken up; and that a
 * packet was sent. */
bool weft__pace_waits(struct weft__sim *s, uint32_t ep,
			    const struct weft__message *m);
void weft__pace_sent(struct weft__sim *s, const struct weft__packet *p);

/* --- change.c ------------------------------------------------------------- */

int weft__change_check(const struct weft_fabric *f,
		       const struct weft_sim_spec *spec,
		       struct weft_diag *diag);
bool weft__change_init(struct weft__sim *s);

/* --- choose.c ------------------------------------------------------------- */

/* Finds the ports that are equal, if anybody chooses; false without memory. */
bool weft__choose_init(struct weft__sim *s);
/* The port by which a packet leaves a switch that it came into by port in,
 * where the table says port. */
uint8_t weft__choose_port(struct weft__sim *s, struct weft__packet *p,
			uint8_t in, uint32_t sw, uint8_t port);
/* A host waits for credits. */
void weft__choose_stalled(struct weft__sim *s, uint32_t ep);
/* Sets the route of a packet that is sent now; true: a probe is to be sent in
 * its place, by the route that is set. */
bool weft__choose_route(struct weft__sim *s, struct weft__packet *packet);
/* A probe arrives at that time. */
void weft__choose_probed(struct weft__sim *s, const struct weft__packet *p,
		       uint64_t time);

/* --- steps.c -------------------------------------------------------------- */

/* Makes room for a schedule; false without memory. */
bool weft__steps_init(struct weft__sim *s);
/* Begins what waits for nothing. */
void weft__steps_start(struct weft__sim *s);
/* Takes a job that a host may begin with; WEFT_NONE: there is none. */
uint32_t weft__steps_take(struct weft__sim *s, uint32_t ep);
/* A host has begun to send the last packet of a job, and is done with it. */
void weft__steps_last(struct weft__sim *s, uint32_t ep, uint32_t job);
void weft__steps_sent(struct weft__sim *s, uint32_t ep);
/* A packet arrives, or is lost, at a time that may be to come. */
void weft__steps_packet(struct weft__sim *s, const struct weft__packet *p,
			uint64_t time);
/* The events: something has arrived at a host, a pause ends. */
void weft__steps_arrive(struct weft__sim *s, uint32_t ep);
void weft__steps_pause_ends(struct weft__sim *s);

/* --- routers.c ------------------------------------------------------------ */

/* Judges what a spec says of subnets; 0 or -EINVAL. */
int weft__routers_check(const struct weft_sim_spec *spec,
			struct weft_diag *diag);
/* Finds the parts; false without memory. */
bool weft__routers_part(struct weft__sim *s);
/* Makes what subnets take, if there are any; hosts have their ranks and
 * generators already.  False without memory. */
bool weft__routers_init(struct weft__sim *s);
/* Fills in the first leg of a message. */
void weft__routers_begin(const struct weft__sim *s, uint32_t from,
			 struct weft__message *m);
/* A packet of a message is about to be sent. */
void weft__routers_send(struct weft__sim *s, uint32_t packet);
/* Gives a packet at a router its next leg, output and lane; once, however often
 * it is asked.  False: it has none, and *why. */
bool weft__routers_pass(struct weft__sim *s, const struct weft__lane *queue,
			struct weft__packet *p, enum weft_sim_drop *why);
/* Returns the rank that the next message of a rank goes to. */
uint32_t weft__routers_draw(const struct weft__sim *s, struct weft__host *host);

/* --- vlarb.c -------------------------------------------------------------- */

/* Chooses one of the lanes that can send, which sends so many blocks then. */
unsigned weft__vlarb_choose(struct weft__sim *s, struct weft__out *out,
			    uint32_t can, const uint8_t *blocks);

/* --- host.c --------------------------------------------------------------- */

/* The channel of a host may be free: sends what there is to be sent. */
void weft__host_send(struct weft__sim *s, uint32_t ep);
/* Fills in where a message goes to, by which LID and lane. */
void weft__host_message(struct weft__sim *s, uint32_t from, uint32_t to,
			struct weft__message *m);
/* Sets the hosts off: under load, with random moments. */
void weft__host_start(struct weft__sim *s);

/* --- lids.c --------------------------------------------------------------- */

int weft__lids_check(const struct weft_sim_spec *spec, struct weft_diag *diag);
/* Sets LID, SL and lane of a message between hosts. */
void weft__lids_begin(struct weft__sim *s, uint32_t from,
		      struct weft__message *m);
/* Likewise, those of its next packet where all LIDs take turns. */
void weft__lids_next(struct weft__sim *s, uint32_t from,
		     struct weft__message *m);
/* Sets the service level that all hosts or all switches are to have, if any. */
void weft__lids_level(const struct weft__sim *s, uint32_t from,
		      struct weft__message *m);

/* --- trace.c -------------------------------------------------------------- */

/* Makes room for the trace of a packet; false without memory. */
bool weft__trace_init(struct weft__sim *s);
/* A packet begins to be sent in a lane, until its output's time; one enters a
 * queue, before it is there; one asks for its output; one will arrive, or is
 * lost, at that time. */
void weft__trace_put(struct weft__sim *s, uint32_t lane, uint32_t packet);
void weft__trace_queue(struct weft__sim *s, uint32_t queue, uint32_t packet);
void weft__trace_ask(struct weft__sim *s, const struct weft__packet *p);
void weft__trace_arrive(struct weft__sim *s, uint32_t packet, uint64_t time);
void weft__trace_lose(struct weft__sim *s, uint32_t packet,
		      enum weft_sim_drop why, uint64_t time);

/* --- measure.c ------------------------------------------------------------ */

/* A packet arrives at its host at a time that may be to come. */
void weft__measure(struct weft__sim *s, const struct weft__packet *p,
		   uint64_t time);
/* Fills in what a load gave. */
void weft__measure_end(struct weft__sim *s);
/* Fills in the histograms of it; false without memory. */
bool weft__measure_bins(struct weft__sim *s);
/* What of it was measured, once that is filled in. */
struct weft__window weft__measure_window(const struct weft__sim *s);

/* --- parts.c -------------------------------------------------------------- */

/* Makes room for the latencies of parts; false without memory. */
bool weft__parts_init(struct weft__sim *s);
/* A packet arrives after so many ticks; one leaves a switch by a lane, after
 * waiting so many. */
void weft__parts_packet(struct weft__sim *s, const struct weft__packet *p,
			unsigned segment, uint64_t ticks);
void weft__parts_wait(struct weft__sim *s, uint32_t lane, uint64_t ticks);
/* Segments become twice as long. */
void weft__parts_merge(struct weft__sim *s);
/* Fills in the result; false without memory. */
bool weft__parts_end(struct weft__sim *s);

/* --- deadlock.c ----------------------------------------------------------- */

/* Looks for lanes that wait for each other; 1 and result->deadlock if there
 * are, 0, -ENOMEM. */
int weft__deadlock_find(struct weft__sim *s);

/* --- invariants.c --------------------------------------------------------- */

/* Counts the packets in all queues. */
uint64_t weft__sim_queued(const struct weft__sim *s);
/* Counts what does not hold of all lanes and packets. */
uint64_t weft__invariants(const struct weft__sim *s);
/* Whether a packet comes after those that its source sent there before. */
bool weft__in_order(struct weft__sim *s, const struct weft__packet *p);

#endif
