/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The time of a simulation, and what is to come: slots of events, kind by kind,
 * in the order in which those of one moment come.
 */
#ifndef WEFT_SIM_CLOCK_H
#define WEFT_SIM_CLOCK_H

#include "sim/kernel/wheel.h"

#include <weft/sim.h>

#define WEFT__TICKS_NS (1000ull * WEFT_SIM_TICKS)

struct weft__clock {
	uint64_t now, end; /* ticks */
	uint32_t slot;	   /* of the event that comes now */
	/* First slots of each kind; a channel that has sent has its number. */
	uint32_t heads;	   /* a packet comes up in a queue */
	uint32_t credits;  /* some arrive for a lane */
	uint32_t hosts;	   /* an end has something to send */
	uint32_t arrivals; /* a message arrives there, others wait for it */
	uint32_t cpus;	   /* the processor of a host may be free */
	uint32_t pause;	   /* one: that ends */
	uint32_t change;   /* one: of cables or tables */
	uint32_t sweep;	   /* one: queues are looked at */
	struct weft__wheel wheel;
};

/* How many there are of those that have events. */
struct weft__slots {
	uint32_t channels, queues, lanes, ends;
	uint32_t cpus; /* as ends, or 0 */
};

/* span: ticks between most events and now.  False without memory. */
bool weft__clock_init(struct weft__clock *clock, struct weft_arena *arena,
		      const struct weft__slots *n, uint64_t span);

static inline bool weft__clock_has(const struct weft__clock *clock,
				   uint32_t slot)
{
	return weft__wheel_has(&clock->wheel, slot);
}

static inline void weft__clock_add(struct weft__clock *clock, uint32_t slot,
				   uint64_t time)
{
	weft__wheel_add(&clock->wheel, slot, time);
}

/* Has a slot's event at that time, unless it has one before. */
void weft__clock_wake(struct weft__clock *clock, uint32_t slot, uint64_t time);

#endif
