/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The hosts: which messages they have, to whom and when, what they send of
 * them, and what they do with what arrives.  Port 0 of switches that send is a
 * host here, too; see net.h about ends.
 */
#ifndef WEFT_SIM_HOST_H
#define WEFT_SIM_HOST_H

#include "sim/net/net.h"

#include <weft/rng.h>
#include <weft/sim.h>

struct weft__message {
	uint64_t created, left; /* bytes */
	uint64_t again;		/* of the next one like it; 0: there is none */
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
	uint32_t messages;	 /* whose LID was drawn or had its turn */
	uint64_t sent, received; /* payload */
	uint64_t place;		 /* in the sequence of its partners */
	uint32_t rank;		 /* WEFT_NONE: not in the mapping */
};

struct weft__hosts {
	const struct weft_sim_spec *spec;
	struct weft__host *host; /* [nends] */
	struct weft__message *message;
	uint32_t inject, drain; /* ticks a byte takes, 0 = no limit */
	uint32_t places;	/* for messages of a host under load */
	struct weft_rng *rng;
	uint32_t *rank_host; /* [nranks] endports */
	uint32_t nranks;
	uint32_t *switch_end;	/* [nswitches] ends of those that send, by part
				 */
	uint32_t *switch_first; /* [nparts + 1] the first of a part */
	uint32_t nswitches;

	/* A workload. */
	uint64_t left;		   /* packets that are not delivered */
	uint64_t last_arrival;	   /* of any packet */
	struct weft__steps *steps; /* NULL: no schedule */
	struct weft_pair *pair;	   /* [npairs] beside it, of ranks */
	uint64_t *pair_got;	   /* [npairs] payload */
	uint64_t npairs;

	/* A load. */
	/* Ranks that rank r sends to, partner[partner_first[r]] and on; NULL:
	 * they are drawn. */
	uint32_t *partner;
	uint64_t *partner_first;
	uint64_t hot; /* share of messages to hot spots, of 2^32 */
	struct weft__leaving *leaving; /* NULL: one subnet */

	struct weft__pacing *pacing;   /* NULL: no congestion control */
	struct weft__probing *probing; /* NULL: hosts choose no routes */
};

/* Messages beside a schedule: of pair i this and i; WEFT_NONE: of switches. */
#define WEFT__BESIDE ((uint32_t)1 << 31)

/* Whether something moves beside a schedule that has no end. */
static inline bool weft__spec_beside(const struct weft_sim_spec *spec)
{
	return spec->schedule && (spec->beside || spec->switch_load > 0);
}

/* Whether messages are drawn, under a load. */
static inline bool weft__spec_draws(const struct weft_sim_spec *spec)
{
	return !spec->traffic && !spec->schedule;
}

/* Packets that what is left of a message is cut into. */
static inline uint64_t weft__host_packets(const struct weft__hosts *hosts,
					  const struct weft__message *m)
{
	return (m->left + hosts->spec->mtu - 1) / hosts->spec->mtu;
}

/* --- setup.c -------------------------------------------------------------- */

/* Makes hosts, places of messages and ranks of a network that is made; 0,
 * -EINVAL if there is nobody to send to, or -ENOMEM. */
int weft__hosts_init(struct weft__hosts *hosts, const struct weft__net *net,
		     struct weft_sim *result, struct weft_arena *arena,
		     struct weft_diag *diag);

/* --- send.c --------------------------------------------------------------- */

/* The channel of a host may be free: sends what there is to be sent. */
void weft__host_send(struct weft__sim *s, uint32_t end);
/* Sets the hosts off: under load, with random moments. */
void weft__host_start(struct weft__sim *s);
/* Likewise, port 0 of switches that send. */
void weft__host_start_switches(struct weft__sim *s);

/* --- arrive.c ------------------------------------------------------------- */

/* Takes a packet that a channel began to send now, in a lane. */
void weft__host_arrive(struct weft__sim *s, uint32_t lane,
		       const struct weft__out *out, uint32_t packet);
/* A packet is lost at that time: nobody waits for it any more. */
void weft__host_lose(struct weft__sim *s, const struct weft__packet *p,
		     uint64_t time);

/* --- message.c ------------------------------------------------------------ */

/* Fills in where a message goes to, by which LID and lane. */
void weft__host_message(struct weft__hosts *hosts, const struct weft__net *net,
			uint32_t from, uint32_t to, struct weft__message *m);
/* Draws when an end makes its first message of a load. */
void weft__host_first(struct weft__hosts *hosts, const struct weft__net *net,
		      uint32_t from);
/* Draws a message of a load, but for when it was made, and the moment of the
 * next one. */
void weft__host_begin(struct weft__hosts *hosts, const struct weft__net *net,
		      uint32_t from, struct weft__message *m);

/* --- lids.c --------------------------------------------------------------- */

int weft__lids_check(const struct weft_sim_spec *spec, struct weft_diag *diag);
/* Sets LID, SL and lane of a message between hosts. */
void weft__lids_begin(struct weft__hosts *hosts, const struct weft__net *net,
		      uint32_t from, struct weft__message *m);
/* Likewise, those of its next packet where all LIDs take turns. */
void weft__lids_next(const struct weft__net *net, uint32_t from,
		     struct weft__message *m);
/* Sets the service level that all hosts or all switches are to have, if any. */
void weft__lids_level(const struct weft__net *net, uint32_t from,
		      struct weft__message *m);

/* --- sizes.c -------------------------------------------------------------- */

int weft__sizes_check(const struct weft_sim_spec *spec, struct weft_diag *diag);
/* Draws the size of a message of a load. */
uint64_t weft__sizes_draw(const struct weft_sim_spec *spec, uint64_t *random);
/* The mean bytes of a message on the wire, that is cut into packets of cut
 * bytes with a header each. */
double weft__sizes_wire(const struct weft_sim_spec *spec, uint32_t cut,
			double header);

/* --- sequence.c ----------------------------------------------------------- */

int weft__sequence_check(const struct weft_sim_spec *spec,
			 struct weft_diag *diag);
/* Lists the partners of all ranks, if there is a sequence; false without
 * memory. */
bool weft__sequence_init(struct weft__hosts *hosts, struct weft_arena *arena);
/* Whether a rank sends under load. */
static inline bool weft__sequence_sends(const struct weft__hosts *hosts,
					uint32_t rank)
{
	return !hosts->partner ||
	       hosts->partner_first[rank] < hosts->partner_first[rank + 1];
}
/* The rank that the next message goes to. */
uint32_t weft__sequence_next(const struct weft__hosts *hosts,
			     struct weft__host *host);

/* --- leaving.c -------------------------------------------------------------
 */

/* Judges what a spec says of loads between subnets; 0 or -EINVAL. */
int weft__leaving_check(const struct weft_sim_spec *spec,
			struct weft_diag *diag);
/* Sorts the ranks by subnet, if there are any; hosts have their ranks and
 * generators already.  False without memory. */
bool weft__leaving_init(struct weft__hosts *hosts, struct weft_arena *arena);
/* The rank that the next message of a rank goes to. */
uint32_t weft__leaving_draw(const struct weft__hosts *hosts,
			    struct weft__host *host);

/* --- steps.c -------------------------------------------------------------- */

/* Makes room for a schedule, if there is one, among hosts that are made, which
 * says in result->job_began and job_done when jobs were; false without memory.
 */
bool weft__steps_init(struct weft__hosts *hosts, const struct weft__net *net,
		      struct weft_sim *result, struct weft_arena *arena);
/* Begins what waits for nothing. */
void weft__steps_start(struct weft__steps *st, struct weft__clock *clock);
/* Takes a job that a host may begin with; WEFT_NONE: there is none. */
uint32_t weft__steps_take(struct weft__steps *st, uint32_t end);
/* A host has begun to send the last packet of a job, and is done with it. */
void weft__steps_last(struct weft__steps *st, uint32_t end, uint32_t job);
void weft__steps_sent(struct weft__steps *st, struct weft__clock *clock,
		      uint32_t end);
/* A packet arrives, or is lost, at a time that may be to come. */
void weft__steps_packet(struct weft__steps *st, struct weft__clock *clock,
			const struct weft__packet *p, uint64_t time);
/* The events: something has arrived at a host, a pause ends. */
void weft__steps_arrive(struct weft__steps *st, struct weft__clock *clock,
			uint32_t end);
void weft__steps_pause_ends(struct weft__steps *st, struct weft__clock *clock);
/* Likewise: the processor of a host may be free, or has something to do. */
void weft__steps_cpu(struct weft__steps *st, struct weft__clock *clock,
		     uint32_t end);

/* --- cpu.c ---------------------------------------------------------------- */

enum weft__task_kind {
	WEFT__TASK_SEND,   /* a message is handed to the channel */
	WEFT__TASK_PAUSE,  /* a calculation ends */
	WEFT__TASK_PACKET, /* a packet is taken */
	WEFT__TASKS
};
/* What a processor has done. */
struct weft__task {
	enum weft__task_kind kind;
	uint32_t job;
	bool last; /* of a packet: all of its message has arrived */
};

/* Makes processors for the messages, packets of these and pauses of a
 * schedule; NULL without memory. */
struct weft__cpus *weft__cpus_new(const struct weft__hosts *hosts,
				  const struct weft__net *net, uint64_t packets,
				  struct weft_arena *arena);
/* Has a host send a message of that many bytes, or pause, once it may; or take a
 * packet, whose last byte arrives at that time. */
void weft__cpu_send(struct weft__cpus *cpus, struct weft__clock *clock,
		    uint32_t end, uint32_t job, uint64_t bytes);
void weft__cpu_pause(struct weft__cpus *cpus, struct weft__clock *clock,
		     uint32_t end, uint32_t job, uint64_t ticks);
void weft__cpu_packet(struct weft__cpus *cpus, struct weft__clock *clock,
		      const struct weft__packet *p, uint64_t time, bool last);
/* Whether a processor has done something by now, and what; to be asked again
 * until it has not. */
bool weft__cpu_done(struct weft__cpus *cpus, struct weft__clock *clock,
		    uint32_t end, struct weft__task *out);

/* Whether all jobs are done. */
bool weft__steps_are_done(const struct weft__steps *st);

/* --- beside.c ------------------------------------------------------------- */

/* Makes room for the pairs beside a schedule; false without memory. */
bool weft__beside_init(struct weft__hosts *hosts, struct weft_sim *result,
		       struct weft_arena *arena);
/* Sets them off; takes a packet of theirs, or of port 0 of a switch; tells what
 * pairs got until the end. */
void weft__beside_start(struct weft__sim *s);
void weft__beside_arrive(struct weft__hosts *hosts,
			 const struct weft__packet *p, uint32_t payload);
void weft__beside_end(struct weft__sim *s, uint64_t end);

/* --- pace.c --------------------------------------------------------------- */

int weft__pace_check(const struct weft_sim_spec *spec, struct weft_diag *diag);
bool weft__pace_init(struct weft__hosts *hosts, uint32_t nhosts,
		     struct weft_arena *arena);
/* A marked packet arrives at that time; a notification does now. */
void weft__pace_arrive(struct weft__pacing *pacing, struct weft__clock *clock,
		       const struct weft__packet *p, uint64_t time);
void weft__pace_notified(struct weft__pacing *pacing, uint64_t now,
			 const struct weft__packet *p);
/* The end that a host has to send a notification to, WEFT_NONE: none yet; and
 * that it was sent. */
uint32_t weft__pace_note(struct weft__pacing *pacing, struct weft__clock *clock,
			 uint32_t host);
void weft__pace_noted(struct weft__pacing *pacing, uint32_t host);
/* Whether a message has to wait, after which its host is woken up; and that a
 * packet was sent, which takes so long on the wire. */
bool weft__pace_waits(struct weft__pacing *pacing, struct weft__clock *clock,
		      uint32_t host, const struct weft__message *m);
void weft__pace_sent(struct weft__pacing *pacing, uint64_t now,
		     const struct weft__packet *p, uint64_t wire);

/* --- probing.c ------------------------------------------------------------ */

/* Makes room for the routes of hosts, if these choose; false without memory. */
bool weft__probing_init(struct weft__hosts *hosts, uint32_t nhosts,
			struct weft_sim *result, struct weft_arena *arena);
/* A host waits for credits. */
void weft__probing_stalled(struct weft__probing *probing, uint64_t now,
			   uint32_t host);
/* Sets the route of a packet that is sent now; true: a probe is to be sent in
 * its place, by the route that is set. */
bool weft__probing_route(struct weft__probing *probing, uint64_t now,
			 struct weft__packet *packet);
/* A probe arrives at that time, whose host sends by that channel. */
void weft__probing_answer(struct weft__probing *probing,
			  const struct weft__packet *p,
			  const struct weft__out *out, uint64_t time);

#endif
