// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Runs of weft sim side by side, one on one thread or, where there are more
 * threads than runs, on some, reported in their order as soon as those before
 * are; and how far they are.  Of several processes each
 * makes every n-th run and ships what came of it to the first one, which alone
 * reports: exactly one parcel for each run, whatever happens, so that nobody
 * waits for ever.
 */
#include "tools/common/interrupt.h"
#include "tools/sim/jobs.h"
#include "tools/sim/ship.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LARGE 512 /* hosts: several threads share a run */

enum outcome { RESULT, FAILED, NOT_RUN };

struct job {
	struct crew *crew;
	struct tool_sim_run *run;
	struct weft_sim_progress at;
	double mean[3]; /* that are summed up over seeds */
	int err;
	bool begun, done;
};

struct crew {
	struct tool *t;
	struct tool_sim_runs *runs;
	unsigned rank, size; /* this process; all of them */
	pthread_mutex_t lock;
	pthread_cond_t wake; /* a run is done, or a thread has ended */
	struct timespec start;
	struct job *job; /* [n] runs, of which rank, rank + size, .. are those
			  * of this process */
	unsigned n, next;
	unsigned ended, threads;
	bool failed; /* a run did: no more begin */
	bool over;   /* nobody waits for results: runs end at once */
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

static bool crew_progress(void *context, const struct weft_sim_progress *at)
{
	struct job *job = context;
	struct crew *crew = job->crew;
	unsigned mine = 0, done = 0;
	uint64_t packets = 0;
	double share = 0;
	char what[48];
	bool over;

	pthread_mutex_lock(&crew->lock);
	job->at = *at;
	for (unsigned i = crew->rank; i < crew->n; i += crew->size) {
		const struct job *other = &crew->job[i];

		mine++;
		done += other->done;
		packets += other->at.delivered;
		share += other->done ? 1 : share_done(&other->at);
	}
	if (mine > 1)
		snprintf(what, sizeof(what), "%u of %u runs", done, mine);
	else
		snprintf(what, sizeof(what), "%.0f us", at->now / 1e6);
	show(crew->t, &crew->start, share / mine, packets, what);
	over = crew->over;
	pthread_mutex_unlock(&crew->lock);
	return !over && !tool_interrupted();
}

/* --- threads -------------------------------------------------------------- */

static int simulate(struct tool_sim_run *run, struct weft_diag *diag)
{
	int err = tool_sim_prepare(run);

	if (!err)
		return weft_sim_run(run->s.c->fabric, run->s.c->routes,
				    &run->spec, &run->s.result, diag);
	weft_diag_say(diag, WEFT_ERROR,
		      "out of memory for all messages of %s", run->s.pattern);
	return err;
}

static void *work(void *context)
{
	struct crew *crew = context;

	pthread_mutex_lock(&crew->lock);
	while (crew->next < crew->n && !crew->failed && !crew->over &&
	       !tool_interrupted()) {
		struct job *job = &crew->job[crew->next];

		crew->next += crew->size;
		job->begun = true;
		pthread_mutex_unlock(&crew->lock);
		job->err = simulate(job->run, NULL);
		pthread_mutex_lock(&crew->lock);
		job->done = true;
		crew->failed |= job->err != 0;
		pthread_cond_signal(&crew->wake);
	}
	crew->ended++;
	pthread_cond_signal(&crew->wake);
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

/* Waits until a run of this process is over, or will never be made. */
static enum outcome wait_for(struct crew *crew, const struct job *job)
{
	enum outcome outcome;

	pthread_mutex_lock(&crew->lock);
	while (!job->done && (job->begun || crew->ended < crew->threads))
		pthread_cond_wait(&crew->wake, &crew->lock);
	outcome = !job->done ? NOT_RUN : job->err ? FAILED : RESULT;
	pthread_mutex_unlock(&crew->lock);
	return outcome;
}

/* --- processes ------------------------------------------------------------ */

static bool lost_touch(struct crew *crew, unsigned with, int err)
{
	weft_diag_say(&crew->t->diag, WEFT_ERROR, "--mpi: process %u: %s",
		      with, strerror(-err));
	return false;
}

/* Ships what came of a run. */
static bool give(struct crew *crew, const struct tool_sim_run *run,
		 enum outcome outcome)
{
	const struct weft_sim *result = &run->s.result;
	size_t n = sizeof(outcome);
	char *parcel;
	int err;

	n += outcome == RESULT ? tool_sim_pack(result, NULL) : 0;
	parcel = malloc(n);
	if (!parcel)
		return tool_no_memory(crew->t);
	memcpy(parcel, &outcome, sizeof(outcome));
	if (outcome == RESULT)
		tool_sim_pack(result, parcel + sizeof(outcome));
	err = tool_crew_send(0, parcel, n);
	free(parcel);
	return !err || lost_touch(crew, 0, err);
}

/* Takes what came of a run of another process. */
static bool take(struct crew *crew, unsigned from, struct tool_sim_run *run,
		 enum outcome *outcome)
{
	size_t n, head = sizeof(*outcome);
	void *parcel;
	int err = tool_crew_receive(from, &parcel, &n);

	if (err)
		return lost_touch(crew, from, err);
	if (n < head)
		err = -EINVAL;
	else
		memcpy(outcome, parcel, head);
	/* The report needs what the run did. */
	if (!err && *outcome == RESULT)
		err = tool_sim_prepare(run);
	if (!err && *outcome == RESULT)
		err = tool_sim_unpack((char *)parcel + head, n - head,
				      &run->s.result);
	free(parcel);
	return !err || lost_touch(crew, from, err);
}

/* Ships all runs of this process, each when it is over; false after an error,
 * or when the first process wants no more. */
static bool give_all(struct crew *crew)
{
	void *more;
	size_t n;
	int err;
	bool ok;

	for (unsigned i = crew->rank; i < crew->n; i += crew->size) {
		struct job *job = &crew->job[i];

		if (!give(crew, job->run, wait_for(crew, job)))
			return false;
		tool_sim_run_free(job->run);
	}
	err = tool_crew_receive(0, &more, &n);
	if (err)
		return lost_touch(crew, 0, err);
	ok = n;
	free(more);
	crew->runs->cut = !ok;
	return ok;
}

/* Tells the other processes whether there is more to do: something or
 * nothing. */
static bool tell_all(struct crew *crew)
{
	bool more = !crew->runs->cut;
	int err;

	for (unsigned i = 1; i < crew->size; i++) {
		err = tool_crew_send(i, &more, more);
		if (err)
			return lost_touch(crew, i, err);
	}
	return more;
}

/* --- reports -------------------------------------------------------------- */

static bool stop_at_once(void *context, const struct weft_sim_progress *at)
{
	(void)context;
	(void)at;
	return false;
}

/* Has the run that failed say why: threads keep silent, so that messages do not
 * depend on which was first. */
static bool explain(struct tool *t, struct tool_sim_run *run)
{
	run->spec.progress = stop_at_once;
	return simulate(run, &t->diag) ? false : tool_no_memory(t);
}

/* Sums up the runs of a load, of which the last is number last. */
static bool sum_seeds(struct crew *crew, unsigned last, unsigned n)
{
	const struct job *job = &crew->job[last + 1 - n];
	double *value = malloc(3 * n * sizeof(*value));

	if (!value)
		return tool_no_memory(crew->t);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < 3; j++)
			value[j * n + i] = job[i].mean[j];
	crew->job[last].run->s.seeds = (struct tool_sim_seeds){
		n,
		weft_sim_mean_of(value, n),
		weft_sim_mean_of(value + n, n),
		weft_sim_mean_of(value + 2 * n, n),
	};
	free(value);
	return true;
}

/* Reports run number i, which has ended. */
static bool report(struct crew *crew, unsigned i)
{
	struct tool_sim_runs *runs = crew->runs;
	struct job *job = &crew->job[i];
	struct tool_sim_run *run = job->run;
	const struct weft_sim *r = &run->s.result;

	job->mean[0] = r->throughput.mean;
	job->mean[1] = r->gbps.mean;
	job->mean[2] = r->packet.mean.mean;
	if (run->njobs)
		tool_sim_jobs_note(run);
	if (run->njobs && !run->together && !r->interrupted && !r->deadlocked &&
	    !r->timeout) {
		tool_sim_run_free(run);
		return true;
	}
	if (run->seeds > 1 && !runs->cut && !sum_seeds(crew, i, run->seeds))
		return false;
	if (!tool_sim_ask_model(crew->t, run))
		return false;
	/* Others may be done where one was interrupted. */
	runs->cut |= !runs->report(runs->context, &run->s);
	tool_sim_run_free(run);
	return true;
}

/* Reports the runs in their order, each when it is done; false after an error,
 * or when they were interrupted. */
static bool report_all(struct crew *crew)
{
	for (unsigned i = 0; i < crew->n; i++) {
		struct tool_sim_run *run = crew->job[i].run;
		unsigned owner = i % crew->size;
		enum outcome outcome;

		tool_phase(crew->t, "%s on %s",
			   run->s.pattern ? run->s.pattern : "load",
			   run->s.c->label);
		if (!owner)
			outcome = wait_for(crew, &crew->job[i]);
		else if (!take(crew, owner, run, &outcome))
			return false;
		if (outcome == FAILED)
			return explain(crew->t, run);
		if (outcome == NOT_RUN)
			crew->runs->cut = true;
		else if (!report(crew, i))
			return false;
	}
	return tell_all(crew);
}

/* --- the crew ------------------------------------------------------------- */

static unsigned count_threads(const struct tool *t)
{
	long n = t->args.threads ? t->args.threads :
				   sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n;
}

/* Returns how many threads share a run, where n runs are made at a time: those
 * that are left over.  Unless they are asked for they are for large fabrics
 * alone, where they have enough to do between two waits. */
static unsigned threads_of(const struct crew *crew,
			   const struct tool_sim_run *run, unsigned n)
{
	unsigned left = count_threads(crew->t) / (n ? n : 1);

	if (!crew->t->args.threads &&
	    (crew->size > 1 || run->s.c->fabric->nep < LARGE))
		return 1;
	return left ? left : 1;
}

static bool run_crew(struct crew *crew, pthread_t *thread)
{
	unsigned mine = (crew->n + crew->size - 1 - crew->rank) / crew->size;
	unsigned wanted = count_threads(crew->t), n = 0;
	bool ok;

	wanted = wanted < mine ? wanted : mine;
	for (unsigned i = 0; i < crew->n; i++)
		crew->job[i].run->spec.threads =
			threads_of(crew, crew->job[i].run, wanted);
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
	ok = crew->rank ? give_all(crew) : report_all(crew);
	pthread_mutex_lock(&crew->lock);
	crew->over = true;
	pthread_mutex_unlock(&crew->lock);
	while (n)
		pthread_join(thread[--n], NULL);
	tool_interrupt_leave();
	pthread_cond_destroy(&crew->wake);
	pthread_mutex_destroy(&crew->lock);
	return ok;
}

bool tool_sim_runs(struct tool *t, struct tool_sim_runs *runs)
{
	struct crew crew = {
		.t = t,
		.runs = runs,
		.rank = t->crew.rank,
		.size = t->crew.size ? t->crew.size : 1,
		.n = runs->n,
		.next = t->crew.rank,
	};
	pthread_t *thread = calloc(runs->n + 1, sizeof(*thread));
	bool ok = thread;

	crew.job = calloc(runs->n + 1, sizeof(*crew.job));
	for (unsigned i = 0; i < runs->n && crew.job; i++) {
		struct job *job = &crew.job[i];

		*job = (struct job){ .crew = &crew, .run = &runs->run[i] };
		job->run->spec.progress = crew_progress;
		job->run->spec.progress_context = job;
	}
	ok = ok && crew.job ? run_crew(&crew, thread) : tool_no_memory(t);
	free(thread);
	free(crew.job);
	return ok;
}
