/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The packet simulator: what tables give to traffic, packet by packet.
 *
 * Where the static model (weft/model.h) divides bandwidth, this one sends
 * packets: hosts cut messages into packets of at most an MTU, switches look up
 * their output by LID and their lane by service level, and a packet goes on
 * once its output is free and the buffer at the other end has room for it.
 *
 * The model.  A packet is header + payload bytes on the wire.  At the end of
 * each channel there is a buffer for each lane, counted in blocks of 64 bytes;
 * the sender of the channel holds credits for it, which come back the delay of
 * the cable after the last byte of a packet has left.  Switches cut through: a
 * packet may go on when its header has arrived and been looked up, on a faster
 * channel not before it can do so without a gap.  Each buffer is one queue, of
 * which only the first packet is looked at, or one for each output; each queue
 * reaches the crossbar by itself, whatever others of its port do.  An output
 * sends one packet at a time; lanes are chosen by the arbitration tables, and
 * in a lane queues take turns or the oldest packet goes first.  Credits travel
 * beside the data and take no bandwidth.
 *
 * Time is counted in WEFT_SIM_TICKS parts of a picosecond, in which the time of
 * a byte is a whole number at any speed and width of InfiniBand.  All decisions
 * are by whole numbers: the same inputs give the same result on any machine.
 */
#ifndef WEFT_SIM_H
#define WEFT_SIM_H

#include <weft/diag.h>
#include <weft/mapping.h>
#include <weft/options.h>
#include <weft/pattern.h>
#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_SIM_TICKS 9  /* in a picosecond */
#define WEFT_SIM_BLOCK 64 /* bytes that a credit stands for */
#define WEFT_SIM_GRH 40	  /* bytes more of what leaves its subnet */
#define WEFT_SIM_INTERVALS                                                     \
	64 /* that a run under load is measured in, at most */

enum weft_sim_arbitration {
	WEFT_SIM_ROUND_ROBIN, /* queues that ask for a lane take turns */
	WEFT_SIM_AGE,	      /* the packet that was made first */
};

enum weft_sim_queues {
	WEFT_SIM_FIFO, /* a buffer is one queue: packets wait behind others */
	WEFT_SIM_VOQ,  /* one for each output, in the same buffer, and all of
			* them may send at a time */
};

/* Who chooses the way of a packet: the tables; switches, among equal ports,
 * which are all those that are nearer to the destination; or hosts, among
 * routes by such ports, as Geoffray and Hoefler (HOTI 2008) do. */
enum weft_sim_paths {
	WEFT_SIM_TABLES,
	WEFT_SIM_LEAST,	       /* the port at which the fewest packets are, of
				* several the first one */
	WEFT_SIM_RANDOM_LEAST, /* of several a random one */
	WEFT_SIM_FLOWLETS,     /* that of the flow's last packet, unless this
				* is long ago */
	WEFT_SIM_OBLIVIOUS,    /* hosts: a random route for each packet */
	WEFT_SIM_ADAPTIVE,     /* another route when the host had to wait */
	WEFT_SIM_PROBING,      /* likewise, once a probe found it free */
	WEFT_SIM_VALIANT,      /* switches: over a random third group */
	WEFT_SIM_UGAL_L,       /* likewise, if the output of the first switch
				* on the short way has twice as many packets
				* as on the longer one, and bias more */
	WEFT_SIM_UGAL_G,       /* likewise, of the cables between groups */
	WEFT_SIM_PAR,	       /* as UGAL_L, again in each switch of the first
				* group */
};

const char *weft_sim_paths_name(enum weft_sim_paths paths);

/*
 * Congestion control, with the names of the specification (annex A10).  Preset
 * are the values of Gran et al., "First Experiences with Congestion Control in
 * InfiniBand Hardware" (IPDPS 2010), and a table whose entry i is a pause of i
 * packets.
 */
struct weft_sim_cc {
	bool on;
	uint32_t threshold; /* 1 (a full buffer) .. 15 (a sixteenth); 15 */
	uint32_t marking_rate;	/* packets between two marks, 0 */
	uint32_t ccti_increase; /* entries that a notification takes, 1 */
	uint32_t ccti_limit, ccti_min; /* highest and least entry, 127 and 0 */
	uint32_t ccti_timer; /* units of 1.024 us that an entry lasts, 150 */
	uint32_t shift;	     /* entries are for 2^-shift packets, 0 .. 3; 0 */
};

/*
 * What messages of a schedule cost their hosts, by the model LogGOPS of Hoefler,
 * Schneider and Lumsdaine ("LogGOPSim", HPDC 2010), whose names these are: the
 * processor of a host is busy for o and O for each byte when it sends, and when
 * it receives for o and for each byte the longer one of O and the time that it
 * takes on the host's link; it does one thing at a time, pauses included.  Two
 * messages of a host begin at least g and the time of the first one's bytes
 * after each other.  G is that of the link, or inject and drain; L is that of
 * cables and switches.
 */
struct weft_sim_logp {
	bool on;
	uint64_t o, g; /* ps of a message */
	uint64_t O;    /* ps of a byte */
};

/* Which LID of a destination with LMC a message goes to. */
enum weft_sim_lids {
	WEFT_SIM_LIDS_ROUTES,	   /* what the routes tell each source */
	WEFT_SIM_LIDS_FIRST,	   /* the base LID */
	WEFT_SIM_LIDS_PAIR,	   /* drawn for each pair of hosts, as by queue
				    * pairs that stay */
	WEFT_SIM_LIDS_RANDOM,	   /* drawn for each message */
	WEFT_SIM_LIDS_ROUND_ROBIN, /* in turn, message by message of a source */
	WEFT_SIM_LIDS_ALL,	   /* in turn, packet by packet of a message;
				    * packets may come out of order then, but
				    * for those to the same LID */
};

const char *weft_sim_lids_name(enum weft_sim_lids lids);

/* What changes while packets move. */
enum weft_sim_change_kind {
	WEFT_SIM_FAIL,	 /* a cable, both ways: what is a channel of it */
	WEFT_SIM_REPAIR, /* that cable */
	WEFT_SIM_TABLE,	 /* of switch what: its row of lft from then on */
};
struct weft_sim_change {
	uint64_t at; /* ps */
	enum weft_sim_change_kind kind;
	uint32_t what;
	const struct weft_lft *lft;
};

/* An arbitration table: lanes and how many blocks they may send in a row. */
struct weft_sim_vlarb {
	uint8_t n; /* 0..64 */
	struct {
		uint8_t vl, weight;
	} entry[64];
};

#define WEFT_SIM_SIZES 16

/* Sizes of a load's messages, drawn for each: any number of bytes from least to
 * most, as often as the entry's share of all weights. */
struct weft_sim_sizes {
	uint32_t n; /* 0: all messages are alike */
	struct {
		uint64_t least, most; /* 1 .. 2^40 */
		uint32_t weight;      /* above 0 */
	} entry[WEFT_SIM_SIZES];
};

/*
 * A schedule: messages that wait for each other.  A job is a message of a rank
 * to another one, or where both are the same a pause of that rank, bytes of
 * which do not matter.  It begins wait ps after the last of what it waits for,
 * and not before at.  What it waits for are conditions: that a message is on
 * the wire to its last byte, or delivered; of pauses both are the same.
 */
#define WEFT_SIM_SENT_OUT(job) (2u * (job))
#define WEFT_SIM_DELIVERED(job) (2u * (job) + 1)
struct weft_sim_job {
	uint32_t from, to; /* ranks */
	uint64_t bytes;	   /* 1 .. 2^40 */
	uint64_t at, wait; /* ps */
};
struct weft_sim_schedule {
	uint32_t nranks, n;
	struct weft_sim_job *job; /* [n] */
	uint64_t *first;	  /* [n + 1] conditions of job i are */
	uint32_t *after; /* after[first[i]], .. after[first[i + 1] - 1] */
};
void weft_sim_schedule_free(struct weft_sim_schedule *schedule);

/*
 * Whether all jobs can be done.  0; -EINVAL: ranks, sizes, conditions that
 * cannot be; -ELOOP, with *stuck one of the jobs that wait for each other, or
 * for such, without a message; -ENOMEM.  O(jobs + conditions).
 */
int weft_sim_schedule_check(const struct weft_sim_schedule *schedule,
			    uint32_t *stuck, struct weft_diag *diag);

/*
 * Adds the jobs of another schedule to one, with ranks from first on and no
 * condition between both; nranks stay.  0, or -ENOMEM, also for 2^31 jobs and
 * more, and nothing is added.
 */
int weft_sim_schedule_add(struct weft_sim_schedule *to,
			  const struct weft_sim_schedule *more, uint32_t first);

/* When a rank goes on to the next round of a pattern in which it has something
 * to do. */
enum weft_sim_sync {
	WEFT_SIM_SYNC_BARRIER, /* when the round is done by all */
	WEFT_SIM_SYNC_RANK,    /* when its own messages of the round and those
				* to it are delivered */
	WEFT_SIM_SYNC_SEND,    /* when its own messages are on the wire */
};

/*
 * Makes a schedule of all rounds of a pattern, gone through so many times,
 * messages of bytes times their size; back: after each round one with all
 * messages the other way; drawn as weft_sim_run() draws them with that seed.
 * 0 or -ENOMEM, also for 2^31 jobs and more.  O(passes x (pairs + rounds x
 * ranks)).
 */
int weft_sim_schedule_rounds(const struct weft_traffic *traffic, uint64_t bytes,
			     enum weft_sim_sync sync, bool back,
			     uint32_t passes, uint32_t seed,
			     struct weft_sim_schedule *out);

/* A part of a packet's way that is in one subnet. */
struct weft_sim_leg {
	uint16_t from, to; /* LIDs of its ends; to 0: there is none */
	uint8_t sl;
	uint8_t vl; /* of the first channel */
	uint8_t port; /* by which a router sends it */
};

/* A packet at a router. */
struct weft_sim_arrival {
	uint32_t sw; /* the router, among the switches */
	uint32_t dest; /* endport */
	uint8_t in; /* port that it came by */
	const struct weft_sim_leg *leg; /* that ends here */
};

/*
 * Subnets that routers join, as weft_subnets_net_make() of weft/subnets.h makes
 * them.  Routers are switches of the fabric whose tables say WEFT_NO_PORT for
 * any LID; a LID means what it does in the subnet of the switch.  The routes
 * have SL2VL tables where subnets' lanes differ.
 */
struct weft_sim_subnets {
	uint32_t n;
	const uint32_t *subnet; /* [nep] of an endport */
	const bool *is_router;	/* [nsw] */
	unsigned hop_limit;	/* routers that a packet may pass */
	const void *context;
	/* The first leg between two endports, or port 0 of two switches of a
	 * subnet: endports in all + switch. */
	void (*begin)(const void *context, uint32_t from, uint32_t to,
		      struct weft_sim_leg *out);
	/* The next one, with the SL of the last one there already; false: the
	 * router has no way. */
	bool (*pass)(const void *context, const struct weft_sim_arrival *at,
		     struct weft_sim_leg *out);
};

/* How far a run is. */
struct weft_sim_progress {
	uint64_t now;	    /* ps */
	uint64_t end;	    /* ps, 0 = when all is delivered */
	uint64_t delivered; /* packets, of */
	uint64_t packets;   /* that there are to be sent; 0 = no end */
};

/*
 * What is simulated.  Of the two kinds of traffic, traffic is a workload that
 * ends: each pair of a round sends a message of bytes times its size, all
 * messages of a host take turns packet by packet, and a round begins when the
 * one before is delivered.  With traffic NULL all hosts of the mapping send
 * messages of bytes to others of these, which are ports of other nodes, drawn
 * at random for each message, at share load of what their link carries, headers
 * included: by a Poisson process below 1, without a pause at 1.  With a
 * sequence the messages of a rank go to those that it sends to in the rounds of
 * that, one after the other, again and again; sizes of pairs do not count.
 *
 * hot_share of the messages of rank r of n go to the hot spot of its group,
 * where there are spots groups of as many ranks: rank ceil(g * n / spots) of
 * group g = r * spots / n; the hot spot itself sends all of its messages to
 * others.  With subnets each has one hot spot, drawn by the seed: what stays
 * goes to that of its own subnet, what leaves to that of any other one.  With
 * traffic and endless set, the pairs of the first round send message after
 * message, and are measured as a load is.
 *
 * weft_sim_preset() sets the numbers that stand here; mapping, traffic, load
 * and time are the caller's.
 */
struct weft_sim_spec {
	uint32_t mtu;	      /* payload: 256, 512, 1024, 2048 (preset), 4096 */
	uint32_t header;      /* bytes of a packet beside it, 26: LRH 8, BTH
			       * 12, ICRC 4, VCRC 2; with GRH 40 more */
	uint32_t buffer;      /* bytes for a lane at the end of a channel,
			       * 16384 */
	uint64_t cable;	      /* ps from end to end, 20000 */
	const uint64_t *cable_of; /* [channels] of each, both ways alike; NULL:
				   * all are alike */
	uint64_t relay;	      /* ps from the header's arrival in a switch until
			       * it may go on, 100000 */
	uint32_t inject;      /* Mbit/s that a host can send, 0 = its link's */
	uint32_t drain;	      /* Mbit/s that a host can take, likewise */
	/* NULL: one subnet.  The other two as relay and buffer, of routers. */
	const struct weft_sim_subnets *subnets;
	uint64_t router_relay;	/* 300000 */
	uint32_t router_buffer; /* 16384 */
	uint32_t outstanding; /* messages that a host under load has begun at a
			       * time, 1 */
	bool lossy;	      /* as many in each lane, and messages whose lane
			       * is full are refused, not kept waiting: full
			       * lanes hold up no others */
	enum weft_sim_arbitration arbitration;
	enum weft_sim_queues queues; /* of the buffers of switches */
	struct weft_sim_cc cc;
	const struct weft_sim_change *change; /* [nchanges] by time */
	uint32_t nchanges;
	uint64_t hoq; /* ps that a packet may be first in its queue and not get
		       * on before it is dropped, exact to a quarter; 0 = for
		       * ever */
	enum weft_sim_lids lids; /* not with subnets, and where hosts choose
				  * routes */
	enum weft_sim_paths paths;
	/* [switches] groups that longer ways lead over, below the number of
	 * switches; NULL: there are none.  They take 3 lanes, PAR 4, whatever
	 * SL2VL tables say. */
	const uint32_t *group;
	uint32_t bias;	  /* packets; 3 */
	uint32_t routes;  /* of a pair, 1..255, that hosts choose from; 16 */
	uint64_t patience; /* ps that a host waits for credits, or that a probe
			    * is late, before that counts as contention; 10^6 */
	uint64_t flowlet; /* ps after which a flow may go another way; 10^6 */
	/* Tables of all outputs; low->n == 0: lanes take turns.  limit: blocks
	 * of 4096 bytes of the high table before the low one has its turn; 0 =
	 * one packet, 255 = none. */
	struct weft_sim_vlarb high, low;
	uint8_t limit;

	const struct weft_mapping *mapping; /* hosts, in the order of ranks */
	const struct weft_traffic *traffic; /* of as many ranks, or NULL */
	/* Of as many ranks, or NULL: where the messages of a load go. */
	const struct weft_traffic *sequence;
	/* Instead of traffic, or NULL: of as many ranks, and possible. */
	const struct weft_sim_schedule *schedule;
	/* Beside a schedule, or NULL: pairs of the first round of that, of as
	 * many ranks, send packet by packet in turn with it, message after
	 * message of 1 MiB, until all of it is done. */
	const struct weft_traffic *beside;
	/* Of a schedule: the messages of a host leave one after the other, as
	 * they begin, instead of packet by packet in turn. */
	bool in_order;
	struct weft_sim_logp logp; /* of a schedule whose messages leave so */
	uint64_t bytes;			    /* of a message, 2048 */
	struct weft_sim_sizes sizes;	    /* of a load's, instead */
	bool endless;
	/* [pairs of the first round] service levels of endless pairs, or of
	 * those beside a schedule, instead
	 * of those that the routes have, or NULL.  Where these have no SL2VL
	 * tables there are as many lanes as service levels, SL n for lane n. */
	const uint8_t *flow_sl;
	/* Beside a load or a schedule, port 0 of each switch that has a LID sends such
	 * messages to those of others, at that share of what it carries:
	 * switch_mbps either way, 2000 as 1x SDR; 0: none do.  Service levels
	 * of hosts and of switches instead of those of the routes, as flow_sl;
	 * -1: as the routes have it. */
	double switch_load;
	uint32_t switch_mbps;
	int host_sl, switch_sl;
	double load;	    /* > 0, <= 1; 1 */
	/* Share of a load's messages that leave their subnet, 0..1, where both
	 * are possible; below 0, which it is: others are drawn from all. */
	double leave;
	/* Payload of a packet of a load: any number from this one to the MTU,
	 * or what is left of the message; 0, which it is: the MTU. */
	uint32_t packet_least;
	double hot_share;   /* 0..1, 0 */
	uint32_t hot_spots; /* 1 .. ranks; 1 */
	uint64_t time;	    /* ps that a load lasts; with
			     * traffic the longest, 0 = no end */
	double until;	    /* a load ends before, when the interval of the mean
			     * throughput is within that share of it and the
			     * warm-up is over; 0 = it does not */
	uint64_t warmup;    /* ps that are not measured; UINT64_MAX: what MSER
			     * finds, half of the time at most */
	uint32_t seed;	    /* of messages, and of random traffic */
	/* Threads that share one run, 1; what comes of it does not depend on
	 * it.  One alone has all to do with schedules, subnets, queues for
	 * outputs, longer ways and those that hosts choose or switches draw,
	 * congestion control, changes, hoq, until, a trace, parts and check. */
	unsigned threads;

	/* The packet that is followed: of those from an endport to another one
	 * the one with that number, from 1 on, in the order that the host sends
	 * them in; 0: none is. */
	uint32_t trace_from, trace_to;
	uint64_t trace_number;

	bool parts; /* latencies of hosts, flows, lanes and channels are kept:
		     * 42 kB for each of the first three under load, 2.6 kB
		     * for a lane of a channel */
	bool check; /* prove all invariants again and again; slow, and O(hosts
		     * squared) of memory */
	/* Called now and then; false ends the run early.  May be NULL. */
	bool (*progress)(void *context, const struct weft_sim_progress *at);
	void *progress_context;
};

/* Mean, and half width of the 99 % interval of the mean (batches; Student's t),
 * 0 where nothing was measured. */
struct weft_sim_mean {
	double mean, ci99;
};
/* That of n independent values; the interval of a single one is 0. */
struct weft_sim_mean weft_sim_mean_of(const double *value, unsigned n);

/* How many times are as long as that: a bin of 1.6 % of its length. */
struct weft_sim_bin {
	double ns; /* its middle */
	uint64_t n;
};

/* Times from the moment a message was to be sent, in ns. */
struct weft_sim_latency {
	uint64_t n;
	struct weft_sim_mean mean;
	double min, p50, p90, p99, p999, max; /* percentiles to 1.6 % */
};

/* Latencies of a part.  Of a host those of packets that it got, of a flow (of
 * endless ones) those of its packets, of a lane those of packets that arrived
 * by it, after the warm-up of a load; of a channel of a switch how long packets
 * waited for it in one of its lanes, from when they were there and looked up
 * until they left, over the whole time. */
enum weft_sim_part_kind {
	WEFT_SIM_OF_HOST,
	WEFT_SIM_OF_FLOW,
	WEFT_SIM_OF_LANE,
	WEFT_SIM_OF_CHANNEL,
};
const char *weft_sim_part_name(enum weft_sim_part_kind kind);

struct weft_sim_part {
	enum weft_sim_part_kind kind;
	uint32_t item; /* rank, flow, 0 or channel */
	uint32_t lane; /* of a lane, of a channel; else 0 */
	uint32_t bins; /* part_bin[first_bin ..], ascending */
	uint64_t first_bin;
	struct weft_sim_latency ns; /* percentiles to 3 % */
};

/* A circle of lanes: the buffer at the end of channel[i], lane[i] is full, and
 * its first packet waits for channel[i + 1], the last one for the first. */
struct weft_sim_deadlock {
	uint32_t n;
	uint32_t *channel;	  /* [n] */
	uint8_t *lane;		  /* [n] */
	struct weft_pair *packet; /* [n] endports from, to of that packet */
	uint16_t *lid;		  /* [n] it goes to */
	uint8_t *sl;		  /* [n] */
};

enum weft_sim_event {
	WEFT_SIM_SENT,	 /* an output is free, and the next packet of the queue
			  * that it served comes up */
	WEFT_SIM_HEAD,	 /* a packet comes up in a queue that was empty */
	WEFT_SIM_CREDIT, /* an output waited for these */
	WEFT_SIM_HOST,	 /* a host has something to send */
	WEFT_SIM_DONE,	 /* a message has arrived for which others wait, or a
			  * pause ends */
	WEFT_SIM_CHANGE, /* something changes, or queues are looked at for what
			  * waits too long */
	WEFT_SIM_EVENTS
};
const char *weft_sim_event_name(enum weft_sim_event event);

/* Why packets were dropped. */
enum weft_sim_drop {
	WEFT_SIM_NO_ROUTE,  /* no entry, or a port with nothing on it */
	WEFT_SIM_WRONG_END, /* an endport or port 0 that does not own the LID */
	WEFT_SIM_TOO_FAR,   /* more switches than there are: a loop */
	WEFT_SIM_NO_LANE,   /* SL2VL says VL 15 */
	WEFT_SIM_LINK_DOWN, /* by a cable that has failed */
	WEFT_SIM_TOO_LONG,  /* waited longer than hoq */
	WEFT_SIM_DROPS
};
const char *weft_sim_drop_name(enum weft_sim_drop drop);

/* A pair of an endless round, after the warm-up. */
struct weft_sim_flow {
	uint32_t from, to; /* ranks */
	double gbps;	   /* payload */
};

/* What a rank's host sent and received of payload, over the whole time. */
struct weft_sim_host {
	uint32_t ep;
	uint64_t sent, received;
};

/* A packet by its endports and its number among those of its source, from 1;
 * number 0: there is none. */
struct weft_sim_other {
	uint32_t from, to, number;
};

/* A queue that a packet was in: its host's, then one of each switch.  It waits
 * from in to first behind other packets of the queue, or until enough of it is
 * there, and from first to out for its output, which sends others for busy ps
 * of that time, and lacks credits for the rest. */
struct weft_sim_stop {
	uint32_t channel; /* of its output; WEFT_NONE: was not first */
	uint8_t lane;
	uint64_t in;	/* ps: its message was to be sent; its header is here
			 * and looked up */
	uint64_t first; /* ps: it is the first of the queue, and asks for its
			 * output; UINT64_MAX: never */
	uint64_t out;	/* ps: its first byte leaves; UINT64_MAX: never */
	uint64_t busy;
	uint32_t ahead; /* packets in the queue of a switch when it came */
	uint32_t others; /* packets that its output sent from first to out */
	struct weft_sim_other behind; /* the last one ahead of it; in the host,
				       * that was sent before it meanwhile */
	struct weft_sim_other before; /* the last one of the others */
};

/* What became of the packet that was followed; n 0: it was never sent. */
struct weft_sim_trace {
	uint32_t n;
	struct weft_sim_stop *stop; /* [n]; NULL: none was to be followed */
	uint32_t number; /* among the packets of its source */
	uint32_t bytes;
	uint64_t delivered; /* ps, of its last byte; UINT64_MAX: was not */
	uint64_t lost;	    /* ps, likewise, and why */
	enum weft_sim_drop why;
};

/* What came of it. */
struct weft_sim {
	uint32_t hosts;
	struct weft_sim_host *host; /* [hosts] by rank */
	uint64_t time;	 /* ps simulated: until the last delivery, or the end of
			  * the load */
	uint64_t warmup; /* ps of it that were not measured */
	bool interrupted, deadlocked, timeout;
	bool steady; /* the warm-up ended within half of the time */
	uint64_t injected, delivered, queued; /* packets; dropped ones make up
					       * the difference */
	uint64_t dropped[WEFT_SIM_DROPS];
	uint64_t crossing; /* of those injected, that left their subnet */
	uint64_t refused; /* messages, by hosts that are lossy */
	uint64_t hops;	  /* switches passed, by all packets */
	uint64_t overtaken; /* packets that came after one that their host had
			     * sent there later; where ways are chosen */
	uint64_t reroutes, probes; /* of hosts */
	uint64_t marked, notified; /* packets, and notifications that arrived,
				    * by congestion control */
	uint64_t events[WEFT_SIM_EVENTS];
	uint64_t violations; /* of invariants, with check */
	uint64_t memory; /* bytes set aside on one thread, before the first
			  * packet, of which those of packets are touched as far
			  * as buffers fill; the same for any number */

	/* Bytes that channel ch carried in lane vl, over the whole time:
	 * [ch * lanes + vl], of the fabric's channels. */
	uint32_t channels, lanes;
	uint64_t *lane_bytes;

	/* Under load, after the warm-up. */
	struct weft_sim_mean throughput; /* bytes with headers that arrive, as
					  * share of the hosts' links */
	struct weft_sim_mean gbps;	 /* payload that a host gets, Gbit/s */
	struct weft_sim_mean switch_throughput; /* of what port 0 of switches
						 * carries; 0 if none send */
	double least, most;		/* share of its link that a host gets */
	uint32_t least_host, most_host; /* endports */
	unsigned intervals;		/* that are whole, of */
	uint64_t interval;		/* ps */
	double series[WEFT_SIM_INTERVALS]; /* throughput in each */
	uint32_t packet_bins, message_bins;
	struct weft_sim_bin *packet_bin, *message_bin; /* ascending, those
							* that are not empty */
	struct weft_sim_latency packet, message;
	uint64_t flows;
	struct weft_sim_flow *flow; /* [flows] endless pairs, and pairs beside
				     * a schedule; else NULL */

	/* With spec->parts: by kind, item and lane, those that had packets; and
	 * their histograms, of 16 bins for each power of two. */
	uint32_t parts;
	uint64_t part_bins;
	struct weft_sim_part *part;
	struct weft_sim_bin *part_bin;

	/* With traffic. */
	uint64_t rounds;    /* that are done */
	uint64_t ideal_ps;  /* that these would take if no two streams met */
	uint64_t *round_ps; /* [rounds] time that each took; NULL under load */

	/* With a schedule: ps at which jobs began, as far as what they wait for
	 * goes, and were done: delivered; UINT64_MAX: not. */
	uint32_t jobs;
	uint64_t *job_began, *job_done; /* [jobs] */

	struct weft_sim_deadlock deadlock;
	struct weft_sim_trace trace;
};
void weft_sim_free(struct weft_sim *sim); /* zeroed is fine */

/* Sets all fields as told there, the others to 0. */
void weft_sim_preset(struct weft_sim_spec *spec);

/*
 * Those fields that are numbers and words, by the names that they have as options of
 * weft sim, in the units there: ns, us, Mbit/s, per cent.  A program that sets them so
 * does not depend on the fields.  The table lasts as long as the library.
 */
const struct weft_option *weft_sim_options(void);

/*
 * Sets the fields that options of that table were given for (weft_options_set()), and
 * leaves the others as they are.  0, or -EINVAL with an error that says what is
 * accepted, some fields set.
 */
int weft_sim_set(struct weft_sim_spec *spec, const struct weft_options *options,
		 struct weft_diag *diag);

/*
 * Simulates.  0, also when the run ends in a deadlock or by progress(), which
 * *out tells; -EINVAL: an impossible spec, as a buffer that no packet fits
 * into, hosts without LIDs, fewer than two; -ENOMEM.  *out is set on success
 * only, to be freed, and holds no pointer into the inputs.
 * Time O(packets x hops), some 100 to 500 ns each, as caches go; nothing is
 * allocated while packets move.  Memory O(channels x lanes x (buffer / smallest
 * packet)), touched as far as buffers fill.
 */
int weft_sim_run(const struct weft_fabric *fabric,
		 const struct weft_routes *routes,
		 const struct weft_sim_spec *spec, struct weft_sim *out,
		 struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
