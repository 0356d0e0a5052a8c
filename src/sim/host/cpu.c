// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The processors of hosts, by the model LogGOPS; see struct weft_sim_logp.
 *
 * A processor does one thing at a time, of what may be done what has waited
 * longest: a packet since its message was begun, what its own host does since
 * the processor began with what that waited for.  A message that may not leave
 * yet for the gap to the last one keeps nothing else waiting.  Where LogGOPSim
 * has a message arrive as a whole, here its packets do, so that those of
 * several senders may come in turn: a byte then takes the processor once,
 * whoever it is from.
 */
#include "sim/host/host.h"

/* Something to do, in a list of its host. */
struct task {
	uint64_t time;	/* it may be done from then on */
	uint64_t since; /* it is as old as that */
	uint64_t ticks; /* that it takes */
	uint64_t more;	/* that the processor is busy after it */
	uint64_t gap;	/* from its beginning to that of the next message */
	uint64_t whole; /* of a message that ends, without interruption; 0 */
	uint32_t next;
	struct weft__task what;
};

struct list {
	uint32_t head, tail;
};

struct cpu {
	uint64_t began, done; /* what it does, or did last */
	uint64_t free;	      /* then it can do something else */
	uint64_t leave;	      /* no message before */
	uint32_t doing;
	struct list list[WEFT__TASKS];
};

struct weft__cpus {
	const struct weft_sim_spec *spec;
	const struct weft__net *net;
	uint32_t inject, drain; /* ticks of a byte; 0: the link's */
	struct cpu *cpu;	/* [nends] */
	struct task *task;
	uint32_t free_task, new_task; /* list; first never used */
};

struct weft__cpus *weft__cpus_new(const struct weft__hosts *hosts,
				  const struct weft__net *net, uint64_t packets,
				  struct weft_arena *arena)
{
	struct weft__cpus *c = weft__arena_zalloc(arena, 1, sizeof(*c));

	if (!c)
		return NULL;
	c->spec = hosts->spec;
	c->net = net;
	c->inject = hosts->inject;
	c->drain = hosts->drain;
	c->free_task = WEFT_NONE;
	c->cpu = weft__arena_zalloc(arena, net->nends, sizeof(*c->cpu));
	c->task =
		weft__arena_alloc(arena, packets + hosts->spec->schedule->n + 1,
				  sizeof(*c->task));
	if (!c->cpu || !c->task)
		return NULL;
	for (uint32_t i = 0; i < net->nends; i++) {
		c->cpu[i].doing = WEFT_NONE;
		for (unsigned k = 0; k < WEFT__TASKS; k++)
			c->cpu[i].list[k].head = WEFT_NONE;
	}
	return c;
}

/* --- what is to be done --------------------------------------------------- */

static void add(struct weft__cpus *c, struct weft__clock *clock, uint32_t end,
		const struct task *task)
{
	struct cpu *cpu = &c->cpu[end];
	struct list *list = &cpu->list[task->what.kind];
	uint32_t n = c->free_task;
	uint64_t time = task->time > cpu->free ? task->time : cpu->free;

	if (n != WEFT_NONE)
		c->free_task = c->task[n].next;
	else
		n = c->new_task++;
	c->task[n] = *task;
	c->task[n].next = WEFT_NONE;
	if (list->head == WEFT_NONE)
		list->head = n;
	else
		c->task[list->tail].next = n;
	list->tail = n;
	if (cpu->doing == WEFT_NONE)
		weft__clock_wake(clock, clock->cpus + end, time);
}

/* Returns the age of what a host has to do itself: as of what that waited for.
 */
static uint64_t age(const struct weft__cpus *c, uint32_t end, uint64_t now)
{
	const struct cpu *cpu = &c->cpu[end];

	return cpu->done == now ? cpu->began : now;
}

/* The ticks of a byte on the link of a host, that limit allows. */
static uint64_t byte_ticks(const struct weft__cpus *c, uint32_t end,
			   uint32_t limit)
{
	uint32_t byte = c->net->out[weft__net_injection(c->net, end)].byte;

	return byte > limit ? byte : limit;
}

/* The bytes of a message on the wire. */
static uint64_t wire_bytes(const struct weft__cpus *c, uint64_t bytes)
{
	uint64_t packets = (bytes + c->spec->mtu - 1) / c->spec->mtu;

	return bytes + packets * c->spec->header;
}

void weft__cpu_send(struct weft__cpus *c, struct weft__clock *clock,
		    uint32_t end, uint32_t job, uint64_t bytes)
{
	const struct weft_sim_logp *p = &c->spec->logp;

	add(c, clock, end,
	    &(struct task){
		    .time = clock->now,
		    .since = age(c, end, clock->now),
		    .ticks = p->o * WEFT_SIM_TICKS,
		    .more = p->O * WEFT_SIM_TICKS * bytes,
		    .gap = p->g * WEFT_SIM_TICKS +
			   wire_bytes(c, bytes) * byte_ticks(c, end, c->inject),
		    .what = { .kind = WEFT__TASK_SEND, .job = job },
	    });
}

void weft__cpu_pause(struct weft__cpus *c, struct weft__clock *clock,
		     uint32_t end, uint32_t job, uint64_t ticks)
{
	add(c, clock, end,
	    &(struct task){
		    .time = clock->now,
		    .since = age(c, end, clock->now),
		    .ticks = ticks,
		    .what = { .kind = WEFT__TASK_PAUSE, .job = job },
	    });
}

void weft__cpu_packet(struct weft__cpus *c, struct weft__clock *clock,
		      const struct weft__packet *p, uint64_t time, bool last)
{
	const struct weft_sim_logp *logp = &c->spec->logp;
	uint64_t byte = byte_ticks(c, p->dest, c->drain);
	uint64_t wire = p->bytes * byte, o = last * logp->o * WEFT_SIM_TICKS;
	uint64_t bytes = c->spec->schedule->job[p->message].bytes;
	uint64_t copy = logp->O * WEFT_SIM_TICKS * weft__net_payload(c->net, p);
	uint64_t from = time > wire ? time - wire : 0;

	add(c, clock, p->dest,
	    &(struct task){
		    .time = from > clock->now ? from : clock->now,
		    .since = p->created - logp->o * WEFT_SIM_TICKS,
		    .ticks = (wire > copy ? wire : copy) + o,
		    .whole = last ? wire_bytes(c, bytes) * byte + o : 0,
		    .what = { WEFT__TASK_PACKET, p->message, last },
	    });
}

/* --- turns ---------------------------------------------------------------- */

/* Returns when the first of a list may be done; UINT64_MAX: there is none. */
static uint64_t may_begin(const struct weft__cpus *c, const struct cpu *cpu,
			  unsigned kind)
{
	uint32_t head = cpu->list[kind].head;
	uint64_t time = head == WEFT_NONE ? UINT64_MAX : c->task[head].time;

	return kind == WEFT__TASK_SEND && cpu->leave > time ? cpu->leave : time;
}

/* Begins with what has waited longest of what may be done now; returns when
 * that is done, or else when something may be. */
static uint64_t begin(struct weft__cpus *c, struct cpu *cpu, uint64_t now)
{
	uint64_t next = UINT64_MAX, since = UINT64_MAX;
	unsigned best = WEFT__TASKS;
	struct task *task;

	for (unsigned k = 0; k < WEFT__TASKS; k++) {
		uint64_t time = may_begin(c, cpu, k);

		next = time < next ? time : next;
		if (time > now || c->task[cpu->list[k].head].since >= since)
			continue;
		best = k;
		since = c->task[cpu->list[k].head].since;
	}
	if (best == WEFT__TASKS)
		return next;
	cpu->doing = cpu->list[best].head;
	task = &c->task[cpu->doing];
	cpu->list[best].head = task->next;
	cpu->done = now + task->ticks;
	cpu->began = !task->whole	     ? now :
		     task->whole < cpu->done ? cpu->done - task->whole :
					       0;
	cpu->free = cpu->done + task->more;
	if (best == WEFT__TASK_SEND)
		cpu->leave = now + task->gap;
	return cpu->done;
}

bool weft__cpu_done(struct weft__cpus *c, struct weft__clock *clock,
		    uint32_t end, struct weft__task *out)
{
	struct cpu *cpu = &c->cpu[end];
	uint64_t next = cpu->done;
	uint32_t n;

	if (cpu->doing == WEFT_NONE)
		next = cpu->free > clock->now ? cpu->free :
						begin(c, cpu, clock->now);
	n = cpu->doing;
	if (n == WEFT_NONE || cpu->done > clock->now) {
		if (next != UINT64_MAX)
			weft__clock_wake(clock, clock->cpus + end, next);
		return false;
	}
	cpu->doing = WEFT_NONE;
	*out = c->task[n].what;
	c->task[n].next = c->free_task;
	c->free_task = n;
	return true;
}
