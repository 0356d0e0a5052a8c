/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The inside of a simulation: its rooms side by side.  A file that needs one or
 * two of them includes their headers; this one is for those that move packets
 * through all of them.
 */
#ifndef WEFT_SIM_SIM_H
#define WEFT_SIM_SIM_H

#include "sim/host/host.h"
#include "sim/kernel/clock.h"
#include "sim/measure/measure.h"
#include "sim/net/net.h"
#include "sim/parallel/parallel.h"
#include "sim/watch/watch.h"

#include <weft/sim.h>

struct weft__sim {
	const struct weft_sim_spec *spec;
	struct weft_sim *result;
	struct weft_arena *arena;
	struct weft__clock clock;
	struct weft__net net;
	struct weft__hosts hosts;
	struct weft__measure measure;
	struct weft__watch watch;
	struct weft__team *team; /* NULL: of one thread */
};

/* --- spec.c --------------------------------------------------------------- */

/* 0, or -EINVAL and a message about what cannot be. */
int weft__spec_check(const struct weft_fabric *f, const struct weft_routes *r,
		     const struct weft_sim_spec *spec, struct weft_diag *diag);

/* --- ahead.c -------------------------------------------------------------- */

/* Asks for the memory that some of the next events need, of which there is one,
 * and returns of how many. */
uint32_t weft__sim_ahead(const struct weft__sim *s);

/* --- loop.c --------------------------------------------------------------- */

/* Handles events until there are none before a time, the end, or count of them.
 * False: there are none left before that time. */
bool weft__sim_events(struct weft__sim *s, uint64_t count, uint64_t before);

/* --- going.c -------------------------------------------------------------- */

#define WEFT__STRETCH 65536 /* events between two looks at how it goes */

/* Handles events until none are left, or the run ends early; packets: that are
 * to be delivered, if it is known.  0, -ENOMEM, or -EAGAIN: all has to be done
 * again by one thread. */
int weft__sim_run(struct weft__sim *s, uint64_t packets);
/* Tells how far the run is; false: it is to end. */
bool weft__sim_go_on(struct weft__sim *s, uint64_t now, uint64_t delivered,
		     uint64_t packets);

#endif
