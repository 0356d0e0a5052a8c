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

/* Handles events until there are none, the end, or count of them.  False:
 * there are none left before the end. */
bool weft__sim_events(struct weft__sim *s, uint64_t count);

#endif
