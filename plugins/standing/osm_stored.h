/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * weft-standing in OpenSM's cache directory: what stands, for an opensm that is
 * started again (weft/stored.h).
 */
#ifndef WEFT_PLUGINS_OSM_STORED_H
#define WEFT_PLUGINS_OSM_STORED_H

#include "plugins/standing/osm_better.h"
#include "plugins/standing/osm_standing.h"

struct weft__flaps;
struct weft__storing_job;

/*
 * The thread that writes the file.  Nobody waits for it under the subnet lock:
 * what stands later takes the place of what waits to be written.
 */
struct weft__storing {
	pthread_mutex_t lock;
	pthread_cond_t wake;	/* there is a job, or none any more */
	struct weft__storing_job *next;
	struct weft__storing_job *last;	/* is being written, or was */
	pthread_t thread;
	bool begun;		/* there is a thread to be joined */
	bool writing, quit;
	bool failing;		/* the last file was not written */
	bool sought;		/* what was there before was looked for */
	struct weft__log log;
};

/* What is written. */
struct weft__storing_news {
	const struct weft__stood *stood;
	const struct weft__debt *debt;
	const struct weft__flaps *flaps;
	uint64_t owed;		/* entries that may change for balance yet */
};

void weft__storing_init(struct weft__storing *s);

/*
 * In the first sweep with standing=yes, has what the file says stand if nothing
 * does, unless another subnet manager was master meanwhile; *owed is what it
 * says of balance then.  A file of another engine or of another fabric, or one
 * that cannot be read, is a warning.
 */
void weft__stored_seek(struct weft__storing *s, struct weft__stood *stood,
		       uint64_t *owed, const struct weft__settling *settling);

/* Has what stands written; with standing=no, the file is no longer true, and
 * goes.  log.once must be NULL. */
void weft__stored_start(struct weft__storing *s,
			const struct weft__storing_news *news,
			const struct weft__conf *conf,
			const struct weft__log *log);

/* Has the file tell the debt, too, if it is that of the tables that stand: in
 * place, where these are written already. */
void weft__stored_debt(struct weft__storing *s, const struct weft__held *now,
		       const struct weft__debt *debt);

/* Waits until all is written. */
void weft__storing_wait(struct weft__storing *s);
void weft__storing_free(struct weft__storing *s);

#endif
