/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Taking over the tables that the switches hold: in the first sweep of a subnet
 * manager that has just become master nothing changes but what has to, whoever
 * made the tables.
 *
 *   osm_ask.c    reads them into OpenSM's switches, before it takes its lock
 *   osm_adopt.c  has them stand
 *
 * Requests and answers are OpenSM's own, and so are retries, keys and the
 * number of packets on the wire.  While the engine is asked that is too late:
 * the thread that would store an answer waits for the lock.  A port of our own
 * would do on hardware, but not in ibsim, where all answers of a class go to
 * the port of a process that was opened last.
 *
 * Service levels are not read: which path has which is in no switch.
 */
#ifndef WEFT_PLUGINS_OSM_ADOPT_H
#define WEFT_PLUGINS_OSM_ADOPT_H

#include "plugins/standing/osm_standing.h"

/*
 * Asks all switches that were found for their tables up to the highest LID in
 * use and has them in lft; what was not answered, or not asked, is without
 * entry there.  One that does not answer is not asked again, and when all of them
 * together have taken that many seconds nobody is.  Call it without the lock, in
 * the thread that sweeps, between discovery and routing.
 */
void weft__ask_switches(osm_opensm_t *osm, unsigned most_waited,
			struct weft__asked *out);

/*
 * Has the tables that the switches answered with stand, unless they are those
 * of *stood anyway.  As weft__stand(); their home is not known, so that they
 * are home themselves from then on.  *out is zeroed, and stays so where there
 * is nothing to take over.
 */
bool weft__adopt(const struct weft__stood *stood,
		 const struct weft__asked *asked,
		 const struct weft__settling *s, struct weft__verdict *verdict,
		 struct weft__layered *layered, struct weft__stay *out);

/* One INFO line, if there were tables to take over. */
void weft__adopt_report(const struct weft__stay *stay, osm_log_t *log,
			const char *engine);

#endif
