// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Slots of a simulation; see clock.h. */
#include "sim/kernel/clock.h"

bool weft__clock_init(struct weft__clock *clock, struct weft_arena *arena,
		      const struct weft__slots *n, uint64_t span)
{
	clock->heads = n->channels;
	clock->credits = clock->heads + n->queues;
	clock->hosts = clock->credits + n->lanes;
	clock->arrivals = clock->hosts + n->ends;
	clock->cpus = clock->arrivals + n->ends;
	clock->pause = clock->cpus + n->cpus;
	clock->change = clock->pause + 1;
	clock->sweep = clock->change + 1;
	return weft__wheel_init(&clock->wheel, arena, clock->sweep + 1, span,
				n->channels + 1);
}

void weft__clock_wake(struct weft__clock *clock, uint32_t slot, uint64_t time)
{
	struct weft__wheel *wheel = &clock->wheel;

	if (weft__wheel_has(wheel, slot)) {
		if (wheel->time[slot] <= time)
			return;
		weft__wheel_remove(wheel, slot);
	}
	weft__wheel_add(wheel, slot, time);
}
