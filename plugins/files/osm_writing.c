// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes what sweeps hand over; see osm_writing.h. */
#include "plugins/files/osm_writing.h"

#include "core/quiet_thread.h"

#include <stddef.h>

#define MANY 256	/* jobs that may wait for a disk */

static void finish(struct weft__writing_job *job)
{
	job->write(job);
	job->drop(job);
}

/* Writes the job whose turn it is; the lock, which the caller holds, is given up
 * meanwhile. */
static void write_next(struct weft__writing *w)
{
	struct weft__writing_job *job = w->first;

	w->first = job->next;
	w->n--;
	w->busy = true;
	pthread_mutex_unlock(&w->lock);
	finish(job);
	pthread_mutex_lock(&w->lock);
	w->busy = false;
	pthread_cond_broadcast(&w->wake);
}

static void *write_jobs(void *context)
{
	struct weft__writing *w = context;

	pthread_mutex_lock(&w->lock);
	while (w->first || !w->quit)
		if (w->first)
			write_next(w);
		else
			pthread_cond_wait(&w->wake, &w->lock);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Takes out what a job replaces.  Returns where it goes: the end. */
static struct weft__writing_job **make_place(struct weft__writing *w,
					     const struct weft__writing_job *job)
{
	struct weft__writing_job **at = &w->first;

	while (*at) {
		struct weft__writing_job *old = *at;

		if (!job->replaces || old->write != job->write) {
			at = &old->next;
			continue;
		}
		*at = old->next;
		w->n--;
		old->drop(old);
	}
	return at;
}

bool weft__writing_put(struct weft__writing *w, struct weft__writing_job *job)
{
	struct weft__writing_job **at;
	bool taken;

	pthread_mutex_lock(&w->lock);
	if (!w->begun)
		w->begun = weft__thread_start(&w->thread, write_jobs, w);
	at = make_place(w, job);
	taken = w->begun && w->n < MANY;
	if (taken) {
		job->next = NULL;
		*at = job;
		w->n++;
		pthread_cond_broadcast(&w->wake);
	}
	pthread_mutex_unlock(&w->lock);
	if (taken)
		return true;
	if (w->begun) {
		job->drop(job);
		return false;
	}
	finish(job);
	return true;
}

void weft__writing_init(struct weft__writing *w)
{
	*w = (struct weft__writing){ .first = NULL };
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
}

void weft__writing_wait(struct weft__writing *w)
{
	pthread_mutex_lock(&w->lock);
	while (w->first || w->busy)
		pthread_cond_wait(&w->wake, &w->lock);
	pthread_mutex_unlock(&w->lock);
}

void weft__writing_free(struct weft__writing *w)
{
	pthread_mutex_lock(&w->lock);
	w->quit = true;
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->lock);
	if (w->begun)
		pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
}
