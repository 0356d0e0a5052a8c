// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Runs of weft sim side by side, one on one thread, reported in their order as
 * soon as those before are; and how far they are.
 */
#include "interrupt.h"
#include "sim.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct run {
	struct crew *crew;
	struct tool_sim s;
	struct weft_sim_spec spec;
	struct weft_sim_progress at;
	int err;
	bool begun, done;
};

struct crew {
	struct tool *t;
	pthread_mutex_t lock;
	pthread_cond_t wake; /* a run is done, or a thread has ended */
	struct timespec start;
	struct run *run;
	unsigned n, next, ended, threads; /* runs; threads */
	bool stop;
};

/* --- progress ------------------------------------------------------------- */

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec +
	       (now.tv_nsec - start->tv_nsec) / 1e9;
}

/* Shows how much of all there is to do is done, and how long the rest takes if
 * it goes on like that. */
static void show(struct tool *t, const struct timespec *start, double done,
		 uint64_t packets, const char *what)
{
	double s = seconds_since(start);

	tool_progress(t, 1000 * done, 1000);
	if (s > 0 && done > 0)
		tool_progress_note(t, "%s, %.1f M packets/s, %.0f s left", what,
				   packets / s / 1e6, s * (1 / done - 1));
}

static double share_done(const struct weft_sim_progress *at)
{
	double share = at->packets ? (double)at->delivered / at->packets :
		       at->end	   ? (double)at->now / at->end :
				     0;

	return share < 1 ? share : 1;
}

bool tool_sim_progress(void *context, const struct weft_sim_progress *at)
{
	struct tool_sim_watch *w = context;
	char what[32];

	if (!w->start.tv_sec && !w->start.tv_nsec)
		clock_gettime(CLOCK_MONOTONIC, &w->start);
	snprintf(what, sizeof(what), "%.0f us", at->now / 1e6);
	show(w->t, &w->start, share_done(at), at->delivered, what);
	return !tool_interrupted();
}

static bool crew_progress(void *context, const struct weft_sim_progress *at)
{
	struct run *run = context;
	struct crew *crew = run->crew;
	unsigned done = 0;
	uint64_t packets = 0;
	double share = 0;
	char what[48];

	pthread_mutex_lock(&crew->lock);
	run->at = *at;
	for (unsigned i = 0; i < crew->n; i++) {
		done += crew->run[i].done;
		packets += crew->run[i].at.delivered;
		share += crew->run[i].done ? 1 : share_done(&crew->run[i].at);
	}
	if (crew->n > 1)
		snprintf(what, sizeof(what), "%u of %u runs", done, crew->n);
	else
		snprintf(what, sizeof(what), "%.0f us", at->now / 1e6);
	show(crew->t, &crew->start, share / crew->n, packets, what);
	pthread_mutex_unlock(&crew->lock);
	return !tool_interrupted();
}

/* --- threads -------------------------------------------------------------- */

static void *work(void *context)
{
	struct crew *crew = context;

	pthread_mutex_lock(&crew->lock);
	while (crew->next < crew->n && !crew->stop && !tool_interrupted()) {
		struct run *run = &crew->run[crew->next++];

		run->begun = true;
		pthread_mutex_unlock(&crew->lock);
		run->err = weft_sim_run(run->s.c->fabric, run->s.c->routes,
					&run->spec, &run->s.result, NULL);
		pthread_mutex_lock(&crew->lock);
		run->done = true;
		crew->stop |= run->err != 0;
		pthread_cond_signal(&crew->wake);
	}
	crew->ended++;
	pthread_cond_signal(&crew->wake);
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

static bool stop_at_once(void *context, const struct weft_sim_progress *at)
{
	(void)context;
	(void)at;
	return false;
}

/* Has the run that failed say why: threads keep silent, so that messages do not
 * depend on which was first. */
static bool explain(struct tool *t, struct run *run)
{
	struct weft_sim result = { 0 };

	run->spec.progress = stop_at_once;
	if (!weft_sim_run(run->s.c->fabric, run->s.c->routes, &run->spec,
			  &result, &t->diag)) {
		weft_sim_free(&result);
		return tool_no_memory(t);
	}
	return false;
}

/* Sums up the runs of a load, of which the last is number last. */
static bool sum_seeds(struct crew *crew, unsigned last, unsigned n)
{
	const struct run *run = &crew->run[last + 1 - n];
	double *value = malloc(3 * n * sizeof(*value));

	if (!value)
		return tool_no_memory(crew->t);
	for (unsigned i = 0; i < n; i++) {
		value[i] = run[i].s.result.throughput.mean;
		value[n + i] = run[i].s.result.gbps.mean;
		value[2 * n + i] = run[i].s.result.packet.mean.mean;
	}
	crew->run[last].s.seeds = (struct tool_sim_seeds){
		n,
		weft_sim_mean_of(value, n),
		weft_sim_mean_of(value + n, n),
		weft_sim_mean_of(value + 2 * n, n),
	};
	free(value);
	return true;
}

/* Reports the runs in their order, each when it is done; false after an error,
 * or when they were interrupted. */
static bool report_all(struct crew *crew, const struct tool_sim_runs *runs)
{
	unsigned seeds = runs->nseeds;
	bool ok = true, all = true;

	for (unsigned i = 0; i < crew->n && ok; i++) {
		struct run *run = &crew->run[i];

		pthread_mutex_lock(&crew->lock);
		while (!run->done &&
		       (run->begun || crew->ended < crew->threads))
			pthread_cond_wait(&crew->wake, &crew->lock);
		ok = run->done;
		pthread_mutex_unlock(&crew->lock);
		if (ok && run->err)
			ok = explain(crew->t, run);
		if (ok && all && seeds > 1 && i % seeds == seeds - 1)
			ok = sum_seeds(crew, i, seeds);
		/* Others may be done where one was interrupted. */
		if (ok)
			all &= runs->report(runs->context, &run->s);
	}
	pthread_mutex_lock(&crew->lock);
	crew->stop = true;
	pthread_mutex_unlock(&crew->lock);
	return ok && all;
}

static unsigned count_threads(const struct tool *t, unsigned runs)
{
	long n = t->args.threads ? t->args.threads :
				   sysconf(_SC_NPROCESSORS_ONLN);

	n = n < 1 ? 1 : n;
	return n < runs ? n : runs;
}

static bool run_crew(struct crew *crew, const struct tool_sim_runs *runs,
		     pthread_t *thread)
{
	unsigned wanted = count_threads(crew->t, crew->n), n = 0;
	bool ok;

	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->wake, NULL);
	clock_gettime(CLOCK_MONOTONIC, &crew->start);
	tool_interrupt_catch();
	pthread_mutex_lock(&crew->lock);
	while (n < wanted && !pthread_create(&thread[n], NULL, work, crew))
		n++;
	crew->threads = n ? n : 1;
	pthread_mutex_unlock(&crew->lock);
	if (!n)
		work(crew);
	ok = report_all(crew, runs);
	while (n)
		pthread_join(thread[--n], NULL);
	tool_interrupt_leave();
	pthread_cond_destroy(&crew->wake);
	pthread_mutex_destroy(&crew->lock);
	return ok;
}

bool tool_sim_runs(struct tool *t, const struct tool_sim_runs *runs)
{
	struct crew crew = { .t = t, .n = runs->nloads * runs->nseeds };
	pthread_t *thread = calloc(crew.n + 1, sizeof(*thread));
	bool ok;

	crew.run = calloc(crew.n + 1, sizeof(*crew.run));
	if (!thread || !crew.run) {
		free(thread);
		free(crew.run);
		return tool_no_memory(t);
	}
	for (unsigned i = 0; i < crew.n; i++) {
		struct run *run = &crew.run[i];

		run->crew = &crew;
		run->spec = *runs->spec;
		run->spec.load = runs->load[i / runs->nseeds];
		run->spec.seed += i % runs->nseeds;
		run->spec.progress = crew_progress;
		run->spec.progress_context = run;
		run->s = (struct tool_sim){ .c = runs->c,
					    .join = runs->join,
					    .spec = &run->spec };
	}
	tool_phase(t, "load on %s", runs->c->label);
	ok = run_crew(&crew, runs, thread);
	for (unsigned i = 0; i < crew.n; i++)
		if (crew.run[i].done && !crew.run[i].err)
			weft_sim_free(&crew.run[i].s.result);
	free(thread);
	free(crew.run);
	return ok;
}
