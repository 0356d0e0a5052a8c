// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The first tables of all, which others stand in for if they take long; see
 * osm_anew.h. */
#include "plugins/standing/osm_anew_run.h"

#include "core/list.h"
#include "core/quiet_thread.h"

#include <weft/layering.h>

#define LOOK 50			/* ms between looks at a routing */
#define PATIENCE 8		/* a first routing may take that many times as
				 * long if others have the processor */

/* Has tables in force go to the first ones, which came late. */
static void take_late(struct weft__anew *a, struct weft_fabric *fabric,
		      const struct weft_options *options,
		      struct weft_routes *routes)
{
	struct weft__held *now = weft__hold(a->now), *target;
	struct weft__debt debt = { .known = false };
	unsigned lanes = a->lanes;
	bool equal;

	pthread_mutex_unlock(&a->lock);
	target = weft__held_new();
	equal = target && weft__held_is_of(now, fabric) &&
		!weft_layering_if_cyclic(fabric, routes, lanes, NULL, NULL);
	if (equal && !a->quit) {
		weft__held_fill(target, &fabric, routes);
		weft__judge_both(now, target, options, &debt);
		weft__anew_tell_debt(a, &debt);
	}
	weft_fabric_free(fabric);
	pthread_mutex_lock(&a->lock);
	if (equal && !a->quit && now == a->now) {
		weft__let_go(a->target);
		a->target = weft__hold(target);
		weft__anew_take_debt(a, &debt);
		a->told = true;
	}
	weft__let_go(target);
	weft__let_go(now);
}

void weft__anew_route_first(struct weft__anew *a)
{
	struct weft_fabric *fabric = a->first;
	struct weft_options *options = a->first_options;
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft__log *log = &a->first_log;
	struct weft_diag diag;
	int err;

	weft__log_open(log, &diag, log->log, a->engine->name);
	log->code = WEFT__ERR_ENGINE;
	log->heard = &a->first_heard;
	log->quit = &a->quit;
	a->first = NULL;
	a->first_options = NULL;
	pthread_mutex_unlock(&a->lock);
	err = weft_route(a->engine, fabric, options, &routes, &diag);
	weft_diag_finish(&diag);
	pthread_mutex_lock(&a->lock);
	if (a->state == WEFT__FIRST_BEGUN) {
		a->first_routes = routes;
		a->first_err = err;
		a->state = WEFT__FIRST_DONE;
		pthread_cond_broadcast(&a->wake);
		weft_options_free(options);
		weft_fabric_free(fabric);
		return;
	}
	while (!a->quit && !a->now)	/* what is in force instead */
		pthread_cond_wait(&a->wake, &a->lock);
	if (!err && !a->quit)
		take_late(a, fabric, options, &routes);
	else
		weft_fabric_free(fabric);
	weft_options_free(options);
	weft_routes_free(&routes);
}

/* Processor time of the thread: what else the machine does has no say in which
 * tables are the first. */
static int64_t cpu_ms(const struct weft__anew *a)
{
	struct timespec t;
	clockid_t clock;

	if (pthread_getcpuclockid(a->thread, &clock) ||
	    clock_gettime(clock, &t))
		return 0;
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Adds what the engine said to what a sweep has heard. */
static void hear(struct weft__heard *heard, const struct weft__heard *more)
{
	unsigned warnings = heard ? heard->warnings + more->warnings : 0;

	if (heard && *more->error && !*heard->error)
		*heard = *more;
	if (heard)
		heard->warnings = warnings;
}

/* Keeps what the first routing is of. */
static bool keep_first(struct weft__anew *a, const struct weft_fabric *fabric,
		       const struct weft_options *options)
{
	if (weft_fabric_without(fabric, NULL, 0, &a->first, NULL))
		return false;
	if (!weft__options_quiet(options, &a->first_options))
		return true;
	weft_fabric_free(a->first);
	a->first = NULL;
	return false;
}

bool weft__anew_first(struct weft__anew *a, const struct weft_fabric *fabric,
		      const struct weft_options *options, unsigned seconds,
		      const struct weft__log *log, struct weft_routes *out,
		      int *err)
{
	bool done = false;

	pthread_mutex_lock(&a->lock);
	if (!a->begun && keep_first(a, fabric, options)) {
		int64_t until = weft__anew_clock() +
				1000ll * PATIENCE * seconds;

		a->first_log.log = log->log;
		a->begun = weft__thread_start(&a->thread, weft__anew_run, a);
		while (a->begun && a->state == WEFT__FIRST_BEGUN &&
		       weft__anew_clock() < until &&
		       cpu_ms(a) < 1000ll * seconds)
			weft__anew_wait(a, LOOK);
		done = a->state == WEFT__FIRST_DONE;
		if (done) {
			*out = a->first_routes;
			*err = a->first_err;
			hear(log->heard, &a->first_heard);
		} else {
			a->state = WEFT__FIRST_LATE;
		}
	}
	pthread_mutex_unlock(&a->lock);
	return done;
}
