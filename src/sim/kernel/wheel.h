/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The events of a simulation: a time wheel over slots.
 *
 * Whatever can have an event to come has a slot, and one event at most: slots
 * are numbers, and an event is its slot and a time.  Events come by time, then
 * by slot, so that their order depends on nothing else.
 *
 * The wheel has BUCKETS buckets, each a list through the slots of the events of
 * 2^shift ticks; the bucket that is under way is sorted into an array.  What is
 * further away than the wheel reaches waits in a heap.  Nothing is allocated
 * after init.
 */
#ifndef WEFT_SIM_WHEEL_H
#define WEFT_SIM_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"

#define WEFT__BUCKETS 65536u
#define WEFT__NEVER UINT64_MAX
#define WEFT__NO_SLOT UINT32_MAX

struct weft__slot {
	uint64_t time; /* WEFT__NEVER: nothing is to come */
	uint32_t next; /* in its bucket */
};

struct weft__event {
	uint64_t time;
	uint32_t slot;
};

struct weft__wheel {
	struct weft__slot *slot; /* [nslots] */
	uint32_t *bucket;	 /* [BUCKETS] first slot or NO_SLOT */
	uint64_t *full;		 /* [BUCKETS / 64] bit: bucket is not empty */
	uint64_t *some; /* [BUCKETS / 4096] bit: word of full is not 0 */
	unsigned shift;
	uint64_t at;		   /* bucket under way, counted from time 0 */
	struct weft__event *event; /* [2 nslots + 2] those of it */
	struct weft__event *spare; /* [2 nslots + 2] for sorting */
	uint32_t next, n;	   /* event[next .. n - 1] are to come */
	struct weft__event *far;   /* [nslots] a heap */
	uint32_t nfar;
};

/* Room for nslots events.  span: ticks between most events and now; density:
 * events that may be to come at a time.  False without memory. */
bool weft__wheel_init(struct weft__wheel *w, struct weft_arena *arena,
		      uint32_t nslots, uint64_t span, uint64_t density);

/* Those that are not among the next buckets, or come in the one under way. */
void weft__wheel_add_far(struct weft__wheel *w, uint32_t slot);
void weft__wheel_add_now(struct weft__wheel *w, uint32_t slot);
/* Takes the events of the next bucket that has any; false: there are none. */
bool weft__wheel_turn(struct weft__wheel *w);

/* Takes the event of a slot back, which has one.  O(events of its bucket), or
 * of those far away. */
void weft__wheel_remove(struct weft__wheel *w, uint32_t slot);

static inline bool weft__wheel_has(const struct weft__wheel *w, uint32_t slot)
{
	return w->slot[slot].time != WEFT__NEVER;
}

/* Adds an event to a slot that has none, not before the last one taken. */
static inline void weft__wheel_add(struct weft__wheel *w, uint32_t slot,
				   uint64_t time)
{
	uint64_t to = time >> w->shift, away = to - w->at;
	uint32_t b = to % WEFT__BUCKETS;

	w->slot[slot].time = time;
	if (!away) {
		weft__wheel_add_now(w, slot);
	} else if (away < WEFT__BUCKETS) {
		w->slot[slot].next = w->bucket[b];
		w->bucket[b] = slot;
		w->full[b / 64] |= 1ull << b % 64;
		w->some[b / 4096] |= 1ull << b / 64 % 64;
	} else {
		weft__wheel_add_far(w, slot);
	}
}

/* Takes the next event; false: there is none. */
static inline bool weft__wheel_take(struct weft__wheel *w,
				    struct weft__event *out)
{
	if (w->next == w->n && !weft__wheel_turn(w))
		return false;
	*out = w->event[w->next++];
	w->slot[out->slot].time = WEFT__NEVER;
	return true;
}

#endif
