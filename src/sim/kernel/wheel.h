/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The events of a simulation: a time wheel over slots.
 *
 * Whatever can have an event to come has a slot, and one event at most: slots
 * are numbers, and an event is its slot and a time.  Events come by time, then
 * by slot, so that their order depends on nothing else.
 *
 * The wheel has BUCKETS buckets, each for the events of 2^shift ticks, in a
 * list of chunks that fill a line of the caches; the bucket that is under way
 * is sorted into an array.  What is further away than the wheel reaches waits
 * in a heap.  Nothing is allocated after init.
 */
#ifndef WEFT_SIM_WHEEL_H
#define WEFT_SIM_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"

#define WEFT__BUCKETS 8192u
#define WEFT__CHUNK 7u /* events */
#define WEFT__NEVER UINT64_MAX
#define WEFT__NO_CHUNK UINT32_MAX

struct weft__event {
	uint64_t time;
	uint32_t slot;
};

/* Events of a bucket; all chunks of it are full but the first one. */
struct weft__chunk {
	uint32_t next, n;
	struct {
		uint32_t after; /* ticks, since the bucket began */
		uint32_t slot;
	} event[WEFT__CHUNK];
};

struct weft__wheel {
	uint64_t *time;	  /* [nslots] of its event; WEFT__NEVER: nothing is to
			   * come */
	uint32_t *bucket; /* [BUCKETS] first chunk or NO_CHUNK */
	struct weft__chunk *chunk;
	uint32_t free_chunk, new_chunk; /* list; first never used */
	uint64_t *full; /* [BUCKETS / 64] bit: bucket is not empty */
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

/* Gives a copy of a wheel, which has the time of each slot in common with it,
 * and nslots of all slots for itself alone, room of its own. */
bool weft__wheel_share(struct weft__wheel *w, struct weft_arena *arena,
		       uint32_t nslots);

/* Those that are not among the next buckets, or come in the one under way, or
 * in a bucket that needs another chunk. */
void weft__wheel_add_far(struct weft__wheel *w, struct weft__event e);
void weft__wheel_add_now(struct weft__wheel *w, struct weft__event e);
void weft__wheel_add_chunk(struct weft__wheel *w, uint32_t bucket);
/* Takes the events of the next bucket that has any and begins before a time;
 * false: there are none. */
bool weft__wheel_turn(struct weft__wheel *w, uint64_t before);
/* When the next event is, or a little before; WEFT__NEVER: there is none. */
uint64_t weft__wheel_next(const struct weft__wheel *w);

/* Takes the event of a slot back, which has one.  O(events of its bucket), or
 * of those far away. */
void weft__wheel_remove(struct weft__wheel *w, uint32_t slot);

static inline bool weft__wheel_has(const struct weft__wheel *w, uint32_t slot)
{
	return w->time[slot] != WEFT__NEVER;
}

/* Adds an event to a slot that has none, not before the last one taken. */
static inline void weft__wheel_add(struct weft__wheel *w, uint32_t slot,
				   uint64_t time)
{
	uint64_t to = time >> w->shift, away = to - w->at;
	const struct weft__event e = { time, slot };
	uint32_t b = to % WEFT__BUCKETS;
	struct weft__chunk *chunk;

	w->time[slot] = time;
	if (!away) {
		weft__wheel_add_now(w, e);
	} else if (away < WEFT__BUCKETS) {
		if (w->bucket[b] == WEFT__NO_CHUNK ||
		    w->chunk[w->bucket[b]].n == WEFT__CHUNK)
			weft__wheel_add_chunk(w, b);
		chunk = &w->chunk[w->bucket[b]];
		chunk->event[chunk->n].after = time - (to << w->shift);
		chunk->event[chunk->n++].slot = slot;
	} else {
		weft__wheel_add_far(w, e);
	}
}

/* Whether there is an event before a time. */
static inline bool weft__wheel_ready(struct weft__wheel *w, uint64_t before)
{
	return (w->next < w->n || weft__wheel_turn(w, before)) &&
	       w->event[w->next].time < before;
}

/* Takes the next event, which there is. */
static inline struct weft__event weft__wheel_take(struct weft__wheel *w)
{
	struct weft__event e = w->event[w->next++];

	w->time[e.slot] = WEFT__NEVER;
	return e;
}

#endif
