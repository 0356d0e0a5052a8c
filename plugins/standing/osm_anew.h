/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routing anew without haste: while nothing happens, a thread of the lowest
 * priority finds the tables that the engine would make now, and what both are
 * worth.  Where that is told, or gains enough, tables in force go there in
 * steps (weft_standing_step()), one in each of the sweeps that it asks for.
 */
#ifndef WEFT_PLUGINS_OSM_ANEW_H
#define WEFT_PLUGINS_OSM_ANEW_H

#include "plugins/standing/osm_better.h"
#include "plugins/standing/osm_stored.h"

/* Zeroed and begun, it waits. */
struct weft__anew {
	osm_opensm_t *osm;
	const struct weft_engine *engine;
	struct weft__storing *storing;
	pthread_mutex_t lock;	/* of all below */
	pthread_cond_t wake;
	pthread_t thread;
	bool begun;
	atomic_bool quit;	/* what is under way is not wanted any more */

	/* The first routing of all: begun before anything is in force. */
	struct weft_fabric *first;	/* NULL: there is none to do */
	struct weft_options *first_options;
	struct weft_routes first_routes;
	struct weft__log first_log;
	struct weft__heard first_heard;
	int first_err;
	enum { WEFT__FIRST_BEGUN, WEFT__FIRST_DONE, WEFT__FIRST_LATE } state;

	/* As the last commit left them. */
	struct weft__held *now;
	struct weft_options *options;
	unsigned lanes;
	uint64_t jobs;		/* a hash of those that run */
	struct weft__rebalance rule;
	int64_t changed;	/* ms on the monotonic clock: of the last change
				 * but by a step */
	int64_t stepped;	/* of the last step */

	struct weft__held *target;	/* tables routed anew; NULL: not yet */
	struct weft__debt debt;
	bool failed;		/* there are none for now */
	bool moving, told;	/* there; somebody said so */
	int day;		/* on which "at" was heeded last */

	/* The next step, from next_from; moved: what it changes. */
	struct weft__held *next_from;
	struct weft_routes next;
	struct weft_standing_move moved;
	bool taken;		/* by a sweep, which may have refused it */
	unsigned idle;		/* steps in a row that brought it no nearer */
	uint64_t pairs_least;	/* that were left since entries changed */
	struct weft__held *stuck;	/* tables from which none is safe */
};

/* storing is told the debt. */
void weft__anew_init(struct weft__anew *a, osm_opensm_t *osm,
		     const struct weft_engine *engine,
		     struct weft__storing *storing);

/*
 * Has the engine route a fabric for the first time, once only.  Returns false
 * after that many seconds, or without memory: something else has to be put in
 * force; what the engine says in the end is where tables go from there.  Else
 * *err is what the engine returned, and *out what it made.
 */
bool weft__anew_first(struct weft__anew *a, const struct weft_fabric *fabric,
		      const struct weft_options *options, unsigned seconds,
		      const struct weft__log *log, struct weft_routes *out,
		      int *err);

/* Tells of tables that were committed, and how they came. */
void weft__anew_tell(struct weft__anew *a, struct weft__held *held,
		     const struct weft__stay *stay,
		     const struct weft__conf *conf, unsigned lanes);

/* Whether the fabric of a sweep is that of the tables in force, and there is a
 * step from them: its tables, which are the caller's then. */
bool weft__anew_step(struct weft__anew *a, const struct weft__held *now,
		     const struct weft_fabric *fabric, struct weft_routes *out,
		     struct weft_standing_move *moved);

/* Whether no step is left from tables that were to go elsewhere: they are home
 * from now on. */
bool weft__anew_is_stuck(struct weft__anew *a, const struct weft__held *now);

void weft__anew_debt(struct weft__anew *a, struct weft__debt *out);

/* Returns false if the thread is in the middle of a routing and does not end soon.
 * It has *a then, which must stay, and ends without a word when it gets there. */
bool weft__anew_free(struct weft__anew *a);

#endif
