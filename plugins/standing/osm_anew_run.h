/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the thread that routes anew is made of; see osm_anew.h. */
#ifndef WEFT_PLUGINS_OSM_ANEW_RUN_H
#define WEFT_PLUGINS_OSM_ANEW_RUN_H

#include "plugins/standing/osm_anew.h"

/* The thread; context is a struct weft__anew. */
void *weft__anew_run(void *context);

/* Routes for the first time; the lock is given up meanwhile. */
void weft__anew_route_first(struct weft__anew *a);

/* ms on the monotonic clock. */
int64_t weft__anew_clock(void);

/* Waits for news, ms at most; -1: as long as it takes. */
void weft__anew_wait(struct weft__anew *a, int64_t ms);

void weft__anew_tell_debt(const struct weft__anew *a,
			  const struct weft__debt *debt);
/* Keeps the debt of what is in force, and has it stored. */
void weft__anew_take_debt(struct weft__anew *a, const struct weft__debt *debt);

#endif
