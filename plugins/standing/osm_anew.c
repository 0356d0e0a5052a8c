// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds better tables while nothing happens; see osm_anew.h. */
#include "plugins/standing/osm_anew_run.h"

#include "core/list.h"
#include "core/quiet_thread.h"
#include "core/siphash.h"

#include <weft/jobs.h>

#include <errno.h>
#include <sched.h>

#define END 2			/* s that the end of OpenSM waits for it */
#define SETTLE 2000		/* ms of quiet before anything is done */
#define GAIN 1.05		/* worth over worth: enough to go there */
#define MINUTE 60
#define STEPS 50		/* to change all tables in, but with */
#define BLOCKS 2000		/* that many blocks at least */
#define IDLE 8			/* steps that may move pairs to and fro */

int64_t weft__anew_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void weft__anew_init(struct weft__anew *a, osm_opensm_t *osm,
		     const struct weft_engine *engine,
		     struct weft__storing *storing)
{
	pthread_condattr_t attr;

	*a = (struct weft__anew){ .osm = osm, .engine = engine,
				  .storing = storing };
	pthread_mutex_init(&a->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&a->wake, &attr);
	pthread_condattr_destroy(&attr);
}

void weft__anew_wait(struct weft__anew *a, int64_t ms)
{
	struct timespec until;

	if (ms < 0) {
		pthread_cond_wait(&a->wake, &a->lock);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += ms % 1000 * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&a->wake, &a->lock, &until);
}

/* --- what is better ------------------------------------------------------- */

void weft__anew_tell_debt(const struct weft__anew *a,
			  const struct weft__debt *d)
{
	if (d->known && !a->quit)
		osm_log(&a->osm->log, OSM_LOG_INFO,
			"%s: debt: tables in force are worth %.4f, new ones %.4f; these differ in %" PRIu64 " entries, %" PRIu64
			" blocks\n", a->engine->name, d->worth, d->anew,
			d->entries, d->blocks);
}

void weft__anew_take_debt(struct weft__anew *a, const struct weft__debt *debt)
{
	a->debt = *debt;
	if (debt->known)
		weft__stored_debt(a->storing, a->now, debt);
}

/* Finds the target; the lock is given up meanwhile. */
static void find_target(struct weft__anew *a)
{
	struct weft__held *now = weft__hold(a->now), *target;
	struct weft_options *options = a->options;
	struct weft__debt debt = { .known = false };
	unsigned lanes = a->lanes;

	a->options = NULL;
	pthread_mutex_unlock(&a->lock);
	target = weft__route_anew(a->engine, now, options, lanes);
	if (target && !a->quit) {
		weft__judge_both(now, target, options, &debt);
		weft__anew_tell_debt(a, &debt);
	}
	weft_options_free(options);
	pthread_mutex_lock(&a->lock);
	if (now == a->now && !a->quit) {
		a->target = target;
		weft__anew_take_debt(a, &debt);
		a->failed = !target;
		target = NULL;
	}
	weft__let_go(target);
	weft__let_go(now);
}

/* --- when ----------------------------------------------------------------- */

/* Whether it is the hour that somebody told, for the first time today. */
static bool is_hour(struct weft__anew *a)
{
	time_t t = time(NULL);
	struct tm tm;

	localtime_r(&t, &tm);
	if (a->day == tm.tm_yday + 1 ||
	    tm.tm_hour * MINUTE + tm.tm_min != a->rule.minute)
		return false;
	a->day = tm.tm_yday + 1;
	return true;
}

/* Whether tables are to go to the target now; *wait: ms until to ask again. */
static bool is_due(struct weft__anew *a, int64_t *wait)
{
	int64_t quiet = weft__anew_clock() - a->changed;

	if (a->moving || a->told)
		return true;
	*wait = 60000;
	if (a->rule.when == WEFT__AT) {
		*wait = 10000;
		return is_hour(a);
	}
	if (a->rule.when != WEFT__AUTO || !a->debt.known || a->debt.lanes ||
	    a->debt.anew < GAIN * a->debt.worth)
		return false;
	*wait = 1000ll * a->rule.after - quiet;
	return *wait <= 0;
}

/* --- steps ---------------------------------------------------------------- */

static void say_stuck(const struct weft__anew *a,
		      const struct weft_standing_move *m)
{
	if (m->lanes)
		osm_log(&a->osm->log, OSM_LOG_INFO,
			"%s: service levels would change in a way that no step does; rebalance=jump changes all at once\n",
			a->engine->name);
	else
		osm_log(&a->osm->log, OSM_LOG_INFO,
			"%s: %" PRIu64 " entries and the service levels of %" PRIu64
			" pairs of switches stay, as none of them can change without risk while others have not; rebalance=jump changes all at once\n",
			a->engine->name, m->entries_left, m->pairs_left);
}

/* Whether a step leads on.  One that only moves pairs to other lanes, and leaves
 * no fewer of them to be moved, makes room for the next one, or does not. */
static bool leads_on(struct weft__anew *a, const struct weft_standing_move *m)
{
	if (m->entries || m->pairs_left < a->pairs_least) {
		a->pairs_least = m->pairs_left;
		a->idle = 0;
	} else {
		a->idle++;
	}
	return (m->entries || m->pairs) && a->idle < IDLE;
}

/* Whether there is anything left to change. */
static bool is_left(const struct weft_standing_move *m)
{
	return m->entries_left || m->pairs_left;
}

/* Blocks to change in a step. */
static uint64_t blocks_of(const struct weft__anew *a,
			  const struct weft_fabric *f)
{
	uint64_t all = (uint64_t)f->nsw * (f->max_lid / WEFT_LFT_BLOCK + 1);

	if (a->rule.blocks)
		return a->rule.blocks;
	return all / STEPS > BLOCKS ? all / STEPS : BLOCKS;
}

/* Prepares a step; the lock is given up meanwhile.  Returns whether there is
 * one. */
static bool find_step(struct weft__anew *a)
{
	struct weft__held *now = weft__hold(a->now);
	struct weft__held *target = weft__hold(a->target);
	struct weft_routes view, next = { .lid_offset = NULL };
	const struct weft_standing_spec spec = {
		.standing = weft__side_of(now, &view), .lanes = a->lanes,
	};
	uint64_t blocks = blocks_of(a, now->fabric);
	struct weft_standing_move moved;
	bool there;
	int err;

	pthread_mutex_unlock(&a->lock);
	err = weft_standing_step(&spec, &target->routes, blocks, &next, &moved,
				 NULL);
	there = !err && leads_on(a, &moved);
	if (!err && !there && is_left(&moved) && !a->quit)
		say_stuck(a, &moved);
	pthread_mutex_lock(&a->lock);
	if (now != a->now || a->quit) {
		there = false;
	} else if (there) {
		memcpy(next.how, target->routes.how, sizeof(next.how));
		a->next_from = weft__hold(now);
		a->next = next;
		a->moved = moved;
		a->moving = true;
		next = (struct weft_routes){ .lid_offset = NULL };
	} else {
		a->moving = a->told = false;
		a->debt.lanes = !err && moved.lanes;
		weft__let_go(a->stuck);
		a->stuck = !err && !moved.lanes && is_left(&moved) ?
			   weft__hold(now) : NULL;
		a->failed = true;
	}
	weft_routes_free(&next);
	weft__let_go(target);
	weft__let_go(now);
	return there;
}

/* Does what is to be done next.  Returns ms to wait, or -1: until there is
 * news. */
static int64_t look(struct weft__anew *a)
{
	int64_t now = weft__anew_clock(), wait = -1;

	if (!a->now || a->rule.when == WEFT__NEVER || a->next_from)
		return -1;
	if (now < a->changed + SETTLE)
		return a->changed + SETTLE - now;
	if (!a->target) {
		if (!a->failed && a->options)
			find_target(a);
		return a->target ? 0 : -1;
	}
	if (a->failed)
		return -1;
	if (!is_due(a, &wait))
		return wait > 0 ? wait : 0;
	if (a->moving && now < a->stepped + 1000ll * a->rule.pause)
		return a->stepped + 1000ll * a->rule.pause - now;
	if (find_step(a))
		weft__ask_for_sweep(a->osm);
	return -1;
}

void *weft__anew_run(void *context)
{
	const struct sched_param param = { .sched_priority = 0 };
	struct weft__anew *a = context;

	pthread_mutex_lock(&a->lock);
	if (a->first)
		weft__anew_route_first(a);
	pthread_setschedparam(pthread_self(), SCHED_IDLE, &param);
	while (!a->quit) {
		int64_t wait = look(a);

		if (!a->quit && wait)
			weft__anew_wait(a, wait);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* --- the sweeps' side ----------------------------------------------------- */

/* Whether hosts of one fabric are not of the same kinds and rails. */
static bool differ_in_groups(const struct weft_fabric *f,
			     const struct weft_fabric *g)
{
	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].group != g->ep[e].group)
			return true;
	return false;
}

/* Whether tables, the fabrics that they are for, or what is told of their hosts
 * are not the same. */
static bool differs(const struct weft__held *a, const struct weft__held *b)
{
	struct weft_lft_diff d;

	if (!weft__held_is_of(a, b->fabric) ||
	    differ_in_groups(a->fabric, b->fabric))
		return true;
	weft_lft_compare(&a->routes.lft, &b->routes.lft, &d);
	return d.entries;
}

static void drop_step(struct weft__anew *a)
{
	weft__let_go(a->next_from);
	a->next_from = NULL;
	weft_routes_free(&a->next);
}

static void drop_target(struct weft__anew *a)
{
	weft__let_go(a->target);
	a->target = NULL;
	a->debt.known = false;
	a->failed = a->moving = false;
	a->idle = 0;
	a->pairs_least = 0;
}

/* A hash of the jobs that run, 0 without any. */
static uint64_t jobs_digest(const struct weft_options *options)
{
	const struct weft_job_list *list = NULL;
	uint64_t sum = 0;

	if (!weft_options_has(options, "jobs") ||
	    weft_options_jobs(options, "jobs", &list, NULL) || !list)
		return 0;
	for (uint32_t i = 0; i < list->n; i++) {
		const char *hosts = list->job[i].hosts;

		sum = weft__siphash((uint64_t[2]){ sum, i }, hosts,
				    strlen(hosts));
	}
	return sum;
}

/* Heeds what weft.conf says of it now.  Other jobs ask for other tables. */
static void heed(struct weft__anew *a, const struct weft__conf *conf)
{
	const struct weft__rebalance *r = &conf->rebalance;
	uint64_t jobs = jobs_digest(conf->options);

	if (r->when == WEFT__NOW && a->now && r->word != a->rule.word) {
		a->told = true;
		a->failed = false;
	}
	a->rule = *r;
	if (a->jobs != jobs)
		drop_target(a);
	a->jobs = jobs;
	weft_options_free(a->options);
	if (weft__options_quiet(conf->options, &a->options))
		a->options = NULL;
}

void weft__anew_tell(struct weft__anew *a, struct weft__held *held,
		     const struct weft__stay *stay,
		     const struct weft__conf *conf, unsigned lanes)
{
	bool begin;

	/* at once: not when an idle thread gets round to it */
	if (stay->what.waiting)
		weft__ask_for_sweep(a->osm);
	pthread_mutex_lock(&a->lock);
	heed(a, conf);
	drop_step(a);
	if (stay->step)
		a->stepped = weft__anew_clock();
	else if (!a->now || differs(a->now, held)) {
		a->changed = weft__anew_clock();
		drop_target(a);
	} else if (a->taken) {	/* and refused: so would the next one be */
		a->failed = true;
		a->moving = a->told = false;
	}
	a->taken = false;
	weft__let_go(a->now);
	a->now = weft__hold(held);
	a->lanes = lanes;
	if (stay->step && !stay->left) {
		a->moving = a->told = false;
		a->debt = (struct weft__debt){ .known = false };
		a->failed = true;	/* there is nothing better now */
	}
	begin = !a->begun && a->rule.when != WEFT__NEVER;
	pthread_cond_signal(&a->wake);
	pthread_mutex_unlock(&a->lock);
	if (begin)
		a->begun = weft__thread_start(&a->thread, weft__anew_run, a);
}

bool weft__anew_step(struct weft__anew *a, const struct weft__held *now,
		     const struct weft_fabric *fabric, struct weft_routes *out,
		     struct weft_standing_move *moved)
{
	bool there;

	pthread_mutex_lock(&a->lock);
	there = a->next_from == now && weft__held_is_of(now, fabric);
	if (there) {
		*out = a->next;
		*moved = a->moved;
		a->taken = true;
		a->next = (struct weft_routes){ .lid_offset = NULL };
	}
	drop_step(a);
	pthread_mutex_unlock(&a->lock);
	return there;
}

bool weft__anew_is_stuck(struct weft__anew *a, const struct weft__held *now)
{
	bool stuck;

	pthread_mutex_lock(&a->lock);
	stuck = a->stuck && a->stuck == now;
	weft__let_go(a->stuck);
	a->stuck = NULL;
	pthread_mutex_unlock(&a->lock);
	return stuck;
}

void weft__anew_debt(struct weft__anew *a, struct weft__debt *out)
{
	pthread_mutex_lock(&a->lock);
	*out = a->debt;
	pthread_mutex_unlock(&a->lock);
}

/* Waits for the thread, but not longer than anybody likes to. */
static bool end_thread(struct weft__anew *a)
{
	const struct sched_param param = { .sched_priority = 0 };
	struct timespec until;

	/* whoever waits for it gives it the processor */
	pthread_setschedparam(a->thread, SCHED_OTHER, &param);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += END;
	if (!pthread_timedjoin_np(a->thread, NULL, &until))
		return true;
	pthread_detach(a->thread);
	return false;
}

bool weft__anew_free(struct weft__anew *a)
{
	pthread_mutex_lock(&a->lock);
	a->quit = true;
	pthread_cond_signal(&a->wake);
	pthread_mutex_unlock(&a->lock);
	if (a->begun && !end_thread(a))
		return false;
	drop_step(a);
	drop_target(a);
	weft__let_go(a->now);
	weft__let_go(a->stuck);
	weft_options_free(a->options);
	weft_options_free(a->first_options);
	weft_fabric_free(a->first);
	pthread_cond_destroy(&a->wake);
	pthread_mutex_destroy(&a->lock);
	return true;
}
