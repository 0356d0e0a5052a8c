// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: a simulation on several threads
 *
 * Each part is a simulation of its own with events, packets, counts and
 * measures of its own, which shares the arrays of switches and hosts with the
 * others and touches those of its own switches and hosts.  All parts handle the
 * events of a window, wait for each other, and take what the others sent them
 * (take.c); the next window begins with the first event that any of them has.
 * So nobody has to know when a message of another one may still come, and one
 * barrier is enough for each window, with two boxes for each pair of parts in
 * turn.
 *
 * What depends on more than a switch and its cables as they are is left to one
 * thread: see setup.c.  Some of it shows in the end only, as packets that
 * are lost, whose credits go back at once, and deadlocks, which are looked for
 * by the number of events: then all is done again, which is rare.
 */
#include "sim/parallel/team.h"

#include <sched.h>

#define SPINS 100  /* before others may have the core */
#define YIELDS 100 /* before a thread sleeps */

/* Lets a core's other thread go on. */
static void relax(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#endif
}

/* Waits until a counter changes: a while awake, as long as others need for a
 * window that is a little more to do, then asleep. */
static void wait_for(struct weft__team *team, atomic_uint *counter,
		     unsigned while_it_is)
{
	for (unsigned i = 0; i < SPINS + YIELDS; i++) {
		if (atomic_load(counter) != while_it_is)
			return;
		if (i < SPINS)
			relax();
		else
			sched_yield();
	}
	pthread_mutex_lock(&team->lock);
	while (atomic_load(counter) == while_it_is)
		pthread_cond_wait(&team->wake, &team->lock);
	pthread_mutex_unlock(&team->lock);
}

static void set(struct weft__team *team, atomic_uint *counter, unsigned to)
{
	pthread_mutex_lock(&team->lock);
	atomic_store(counter, to);
	pthread_cond_broadcast(&team->wake);
	pthread_mutex_unlock(&team->lock);
}

static void wait_for_all(struct weft__team *team)
{
	unsigned passed = atomic_load(&team->passed);

	if (atomic_fetch_add(&team->arrived, 1) + 1 == team->threads) {
		atomic_store(&team->arrived, 0);
		set(team, &team->passed, passed + 1);
	} else {
		wait_for(team, &team->passed, passed);
	}
}

/* Handles the events of a window that is over then, and tells the others. */
static void work(struct member *m, unsigned parity, uint64_t until, bool stop)
{
	struct weft_sim *r = &m->result;
	struct word word = { .stop = stop, .delivered = r->delivered };

	m->border.post = m->box[parity];
	m->border.first = WEFT__NEVER;
	weft__sim_events(&m->sim, UINT64_MAX, until);
	word.next = weft__wheel_next(&m->sim.clock.wheel);
	if (m->border.first < word.next)
		word.next = m->border.first;
	for (unsigned i = 0; i < WEFT_SIM_EVENTS; i++)
		word.handled += r->events[i];
	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		word.stop |= r->dropped[i];
	m->word[parity] = word;
}

/* What all parts together tell of a window. */
static struct word ask_all(const struct weft__team *team, unsigned parity)
{
	struct word all = { .next = WEFT__NEVER };

	for (uint32_t p = 0; p < team->n; p++) {
		const struct word *word = &team->member[p].word[parity];

		if (word->next < all.next)
			all.next = word->next;
		all.handled += word->handled;
		all.delivered += word->delivered;
		all.stop |= word->stop;
	}
	return all;
}

/* Whether the user wants to go on, who is asked now and then. */
static bool go_on(struct weft__team *team, const struct word *all,
		  uint64_t *asked)
{
	if (all->handled - *asked < WEFT__STRETCH * team->n)
		return true;
	*asked = all->handled;
	return weft__sim_go_on(team->s, all->next,
			       team->s->result->delivered + all->delivered,
			       team->packets);
}

/* Runs the parts of a thread, from a number on, to the end. */
static void run_parts(struct weft__team *team, uint32_t first)
{
	uint64_t end = team->s->clock.end, until = 0, asked = 0;
	bool stop = false;

	for (unsigned parity = 0;; parity ^= 1) {
		struct word all;

		for (uint32_t p = first; p < team->n; p += team->threads)
			work(&team->member[p], parity, until, stop);
		wait_for_all(team);
		all = ask_all(team, parity);
		for (uint32_t p = first; p < team->n; p += team->threads)
			for (uint32_t from = 0; from < team->n; from++)
				weft__border_take(
					&team->member[p].sim,
					&team->member[from].box[parity][p]);
		if (all.stop || all.next > end)
			break;
		until = all.next + team->window < end ?
				all.next + team->window :
				end + 1;
		if (!first)
			stop = !go_on(team, &all, &asked);
	}
}

static void *run_thread(void *context)
{
	struct member *m = context;
	struct weft__team *team = m->team;

	wait_for(team, &team->ready, 0);
	run_parts(team, m - team->member);
	return NULL;
}

/* Gives each part the events that are to come. */
static void deal_out(struct weft__team *team)
{
	struct weft__wheel *wheel = &team->s->clock.wheel;

	while (weft__wheel_ready(wheel, WEFT__NEVER)) {
		struct weft__event e = weft__wheel_take(wheel);
		uint32_t p = weft__team_part(team, e.slot);

		weft__clock_add(&team->member[p].sim.clock, e.slot, e.time);
	}
}

/* Takes what came of a part, which goes on with nothing. */
static void join(struct weft__sim *s, struct member *m)
{
	struct weft_sim *r = s->result;
	struct weft__hosts *hosts = &m->sim.hosts;

	if (m->sim.clock.now > s->clock.now)
		s->clock.now = m->sim.clock.now;
	if (hosts->last_arrival > s->hosts.last_arrival)
		s->hosts.last_arrival = hosts->last_arrival;
	s->hosts.left += hosts->left;
	hosts->left = 0;
	r->injected += m->result.injected;
	r->delivered += m->result.delivered;
	r->refused += m->result.refused;
	r->hops += m->result.hops;
	r->overtaken += m->result.overtaken;
	for (unsigned i = 0; i < WEFT_SIM_EVENTS; i++)
		r->events[i] += m->result.events[i];
	m->result = (struct weft_sim){ 0 };
	weft__measure_join(&s->measure, &m->sim.measure);
}

bool weft__team_run(struct weft__team *team, struct weft__sim *s,
		    uint64_t packets)
{
	bool lost = false, more = false;

	pthread_mutex_init(&team->lock, NULL);
	pthread_cond_init(&team->wake, NULL);
	team->packets = packets;
	deal_out(team);
	atomic_store(&team->ready, 0);
	for (team->threads = 1; team->threads < team->n; team->threads++)
		if (pthread_create(&team->thread[team->threads], NULL,
				   run_thread, &team->member[team->threads]))
			break;
	set(team, &team->ready, 1);
	run_parts(team, 0);
	for (uint32_t i = 1; i < team->threads; i++)
		pthread_join(team->thread[i], NULL);
	pthread_cond_destroy(&team->wake);
	pthread_mutex_destroy(&team->lock);
	for (uint32_t p = 0; p < team->n; p++) {
		struct member *m = &team->member[p];

		for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
			lost |= m->result.dropped[i];
		more |= weft__wheel_next(&m->sim.clock.wheel) != WEFT__NEVER;
		join(s, m);
	}
	if (more && !s->result->interrupted)
		s->clock.now = s->clock.end + 1;
	return !lost;
}
