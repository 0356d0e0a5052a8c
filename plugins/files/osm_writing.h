/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files that sweeps have written, by a thread, one after another.  A sweep holds
 * the subnet lock and waits for no disk: what it has to write is handed over,
 * and may be written while others follow.
 */
#ifndef WEFT_PLUGINS_OSM_WRITING_H
#define WEFT_PLUGINS_OSM_WRITING_H

#include <pthread.h>
#include <stdbool.h>

/* Something to be written; the first member of what is. */
struct weft__writing_job {
	struct weft__writing_job *next;
	bool replaces;		/* and is replaced: only the last one counts of
				 * those that wait and have the same write() */
	void (*write)(struct weft__writing_job *job);	/* without drop() */
	void (*drop)(struct weft__writing_job *job);	/* frees it */
};

struct weft__writing {
	pthread_mutex_t lock;
	pthread_cond_t wake;	/* there is a job, or none any more */
	struct weft__writing_job *first;
	unsigned n;		/* that wait */
	pthread_t thread;
	bool begun;		/* there is a thread to be joined */
	bool busy, quit;
};

void weft__writing_init(struct weft__writing *w);

/* Has a job written, and dropped then: at once where there is no thread.  Where
 * too many wait already, it is dropped, which false says. */
bool weft__writing_put(struct weft__writing *w, struct weft__writing_job *job);

/* Waits until all is written. */
void weft__writing_wait(struct weft__writing *w);
void weft__writing_free(struct weft__writing *w);

#endif
