// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Jobs of a schedule, each begun when what it waits for is done.
 *
 * A host has a list of messages that may begin, which it takes when it looks
 * for something to send, and a list of those that have been sent to it and will
 * be there at a time that is known already, in the order of these times: one
 * event for each host and each list.  Pauses wait in a heap with one event for
 * all of them.  A packet that is lost counts as if it had arrived, so that a
 * schedule goes on, as it does when a queue pair tells its rank of the error.
 */
#include "graph/heap.h"
#include "sim/host/host.h"
#include "sim/host/schedule.h"

/* A list of jobs by next[]. */
struct jobs {
	uint32_t head, tail;
};

struct weft__steps {
	const struct weft_sim_schedule *g;
	const uint32_t *rank_host;
	struct weft_sim *result;
	struct weft__cpus *cpus; /* NULL: messages take no time of hosts */
	uint64_t *first;	 /* [2 n + 1] of out */
	uint32_t *out;		 /* jobs that wait for a condition */
	uint32_t *needs;	 /* [n] conditions that are not fulfilled */
	uint32_t *left;		 /* [n] packets that have not arrived */
	uint32_t *next;		 /* [n] in a list */
	uint64_t *time;		 /* [n] when it will be delivered */
	uint32_t *sending; /* [nep] job whose last packet is on the wire */
	struct jobs *begin, *arriving; /* [nep] */
	struct weft__heap pauses;      /* jobs by when they end; room for n */
	uint32_t *ready;	       /* [n] whose conditions are fulfilled */
	uint32_t nready;
	uint32_t undone; /* jobs */
	bool beside;	 /* something moves that has no end */
};

static void append(struct weft__steps *st, struct jobs *list, uint32_t job)
{
	st->next[job] = WEFT_NONE;
	if (list->head == WEFT_NONE)
		list->head = job;
	else
		st->next[list->tail] = job;
	list->tail = job;
}

/* --- pauses --------------------------------------------------------------- */

/* Sets the event of the pause that ends first. */
static void wake_pauses(const struct weft__steps *st, struct weft__clock *clock)
{
	if (st->pauses.n)
		weft__clock_wake(clock, clock->pause,
				 st->pauses.item[0].distance);
}

/* --- jobs ----------------------------------------------------------------- */

/* A condition is fulfilled; of those that wait for it the first one begins
 * first, as the last one that is ready. */
static void fulfil(struct weft__steps *st, uint32_t condition)
{
	for (uint64_t k = st->first[condition + 1]; k-- > st->first[condition];)
		if (!--st->needs[st->out[k]])
			st->ready[st->nready++] = st->out[k];
}

static void finish(struct weft__steps *st, uint32_t job, uint64_t time)
{
	st->result->job_done[job] = time / WEFT_SIM_TICKS;
	st->undone--;
	fulfil(st, WEFT_SIM_DELIVERED(job));
}

/* Has a host send a message. */
static void hand_over(struct weft__steps *st, struct weft__clock *clock,
		      uint32_t end, uint32_t job)
{
	append(st, &st->begin[end], job);
	weft__clock_wake(clock, clock->hosts + end, clock->now);
}

/* Begins a job now. */
static void begin(struct weft__steps *st, struct weft__clock *clock, uint32_t i)
{
	const struct weft_sim_job *job = &st->g->job[i];
	uint32_t from = st->rank_host[job->from];

	st->result->job_began[i] = clock->now / WEFT_SIM_TICKS;
	if (st->cpus && job->from != job->to) {
		weft__cpu_send(st->cpus, clock, from, i, job->bytes);
	} else if (st->cpus && job->wait) {
		weft__cpu_pause(st->cpus, clock, from, i,
				job->wait * WEFT_SIM_TICKS);
	} else if (job->from == job->to) {
		fulfil(st, WEFT_SIM_SENT_OUT(i));
		finish(st, i, clock->now);
	} else {
		hand_over(st, clock, from, i);
	}
}

bool weft__steps_are_done(const struct weft__steps *st)
{
	return !st->undone;
}

/* Begins all jobs that wait for nothing any more, those with a pause after it.
 */
static void begin_ready(struct weft__steps *st, struct weft__clock *clock)
{
	while (st->nready) {
		uint32_t i = st->ready[--st->nready];
		const struct weft_sim_job *job = &st->g->job[i];
		bool calculates = st->cpus && job->from == job->to;
		uint64_t time = clock->now +
				(calculates ? 0 : job->wait * WEFT_SIM_TICKS);

		if (time < job->at * WEFT_SIM_TICKS)
			time = job->at * WEFT_SIM_TICKS;
		if (time > clock->now)
			weft__heap_push(&st->pauses, (struct weft__heap_item){
							     .distance = time,
							     .vertex = i,
						     });
		else
			begin(st, clock, i);
	}
	wake_pauses(st, clock);
	if (st->beside && !st->undone)
		clock->end = clock->now;
}

void weft__steps_start(struct weft__steps *st, struct weft__clock *clock)
{
	for (uint32_t i = st->g->n; i-- > 0;)
		if (!st->needs[i])
			st->ready[st->nready++] = i;
	begin_ready(st, clock);
}

void weft__steps_pause_ends(struct weft__steps *st, struct weft__clock *clock)
{
	struct weft__heap *pauses = &st->pauses;

	while (pauses->n && pauses->item[0].distance <= clock->now)
		begin(st, clock, weft__heap_pop(pauses).vertex);
	begin_ready(st, clock);
}

uint32_t weft__steps_take(struct weft__steps *st, uint32_t ep)
{
	struct jobs *list = &st->begin[ep];
	uint32_t job = list->head;

	if (job != WEFT_NONE)
		list->head = st->next[job];
	return job;
}

void weft__steps_last(struct weft__steps *st, uint32_t ep, uint32_t job)
{
	/* A processor is done with a message before. */
	if (!st->cpus)
		st->sending[ep] = job;
}

void weft__steps_sent(struct weft__steps *st, struct weft__clock *clock,
		      uint32_t ep)
{
	uint32_t job = st->sending[ep];

	if (job == WEFT_NONE)
		return;
	st->sending[ep] = WEFT_NONE;
	fulfil(st, WEFT_SIM_SENT_OUT(job));
	begin_ready(st, clock);
}

void weft__steps_packet(struct weft__steps *st, struct weft__clock *clock,
			const struct weft__packet *p, uint64_t time)
{
	struct jobs *list = &st->arriving[p->dest];
	uint32_t job = p->message, slot = clock->arrivals + p->dest;

	st->left[job]--;
	if (st->cpus)
		weft__cpu_packet(st->cpus, clock, p, time, !st->left[job]);
	if (st->cpus || st->left[job])
		return;
	/* What is lost may be known before what is under way arrives. */
	if (list->head != WEFT_NONE && time < st->time[list->tail])
		time = st->time[list->tail];
	st->time[job] = time;
	append(st, list, job);
	if (!weft__clock_has(clock, slot))
		weft__clock_add(clock, slot, time);
}

void weft__steps_arrive(struct weft__steps *st, struct weft__clock *clock,
			uint32_t ep)
{
	struct jobs *list = &st->arriving[ep];

	while (list->head != WEFT_NONE && st->time[list->head] <= clock->now) {
		uint32_t job = list->head;

		list->head = st->next[job];
		finish(st, job, st->time[job]);
	}
	if (list->head != WEFT_NONE)
		weft__clock_add(clock, clock->arrivals + ep,
				st->time[list->head]);
	begin_ready(st, clock);
}

/* A processor has done something. */
static void note(struct weft__steps *st, struct weft__clock *clock,
		 uint32_t end, const struct weft__task *task)
{
	if (task->kind == WEFT__TASK_SEND)
		hand_over(st, clock, end, task->job);
	if (task->kind != WEFT__TASK_PACKET)
		fulfil(st, WEFT_SIM_SENT_OUT(task->job));
	if (task->kind == WEFT__TASK_PAUSE || task->last)
		finish(st, task->job, clock->now);
}

void weft__steps_cpu(struct weft__steps *st, struct weft__clock *clock,
		     uint32_t ep)
{
	struct weft__task task;

	/* What it makes ready may be next. */
	while (weft__cpu_done(st->cpus, clock, ep, &task)) {
		note(st, clock, ep, &task);
		begin_ready(st, clock);
	}
}

/* --- setting up ----------------------------------------------------------- */

static bool allocate(struct weft__steps *st, uint32_t nep, struct weft_arena *a)
{
	uint32_t n = st->g->n + 1;

	st->first = weft__arena_alloc(a, 2ull * n + 1, sizeof(*st->first));
	st->out = weft__arena_alloc(a, st->g->first[st->g->n] + 1,
				    sizeof(*st->out));
	st->needs = weft__arena_alloc(a, n, sizeof(*st->needs));
	st->left = weft__arena_zalloc(a, n, sizeof(*st->left));
	st->next = weft__arena_alloc(a, n, sizeof(*st->next));
	st->time = weft__arena_alloc(a, n, sizeof(*st->time));
	st->pauses.item = weft__arena_alloc(a, n, sizeof(*st->pauses.item));
	st->ready = weft__arena_alloc(a, n, sizeof(*st->ready));
	st->sending = weft__arena_alloc(a, nep, sizeof(*st->sending));
	st->begin = weft__arena_alloc(a, nep, sizeof(*st->begin));
	st->arriving = weft__arena_alloc(a, nep, sizeof(*st->arriving));
	return st->first && st->out && st->needs && st->left && st->next &&
	       st->time && st->pauses.item && st->ready && st->sending &&
	       st->begin && st->arriving;
}

bool weft__steps_init(struct weft__hosts *hosts, const struct weft__net *net,
		      struct weft_sim *result, struct weft_arena *arena)
{
	const struct weft_sim_schedule *g = hosts->spec->schedule;
	uint32_t mtu = hosts->spec->mtu;
	uint64_t packets = 0;
	struct weft__steps *st;

	if (!g)
		return true;
	st = weft__arena_zalloc(arena, 1, sizeof(*st));
	if (!st)
		return false;
	st->g = g;
	st->undone = g->n;
	st->beside = weft__spec_beside(hosts->spec);
	st->rank_host = hosts->rank_host;
	st->result = result;
	if (!allocate(st, net->nends, arena))
		return false;
	weft__schedule_turn(g, st->first, st->out);
	for (uint32_t i = 0; i < g->n; i++) {
		st->needs[i] = g->first[i + 1] - g->first[i];
		if (g->job[i].from != g->job[i].to)
			st->left[i] = (g->job[i].bytes + mtu - 1) / mtu;
		packets += st->left[i];
	}
	for (uint32_t ep = 0; ep < net->nends; ep++) {
		st->sending[ep] = WEFT_NONE;
		st->begin[ep].head = st->arriving[ep].head = WEFT_NONE;
	}
	hosts->steps = st;
	if (hosts->spec->logp.on)
		st->cpus = weft__cpus_new(hosts, net, packets, arena);
	return st->cpus || !hosts->spec->logp.on;
}
