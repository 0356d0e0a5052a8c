// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns the wheel of events; see wheel.h. */
#include "sim/kernel/wheel.h"

#include <string.h>

#define FEW 24	/* sorted by insertion */
#define MANY 32 /* events of a bucket */

static bool before(const struct weft__event *a, const struct weft__event *b)
{
	return a->time < b->time || (a->time == b->time && a->slot < b->slot);
}

/* Returns how many ticks a bucket is for, as a power of two: MANY events a
 * bucket or a few more, and most of those to come within the wheel. */
static unsigned bucket_shift(uint64_t span, uint64_t density)
{
	uint64_t width = 2 * span / WEFT__BUCKETS + 1;
	unsigned shift = 0;

	if (MANY * span / density > width)
		width = MANY * span / density;
	while (width >> (shift + 1) && shift < 30)
		shift++;
	return shift + 1;
}

/* As many as there are where each bucket has a chunk that is not full. */
static uint32_t most_chunks(uint32_t nslots)
{
	uint32_t some = nslots < WEFT__BUCKETS ? nslots : WEFT__BUCKETS;

	return some + nslots / WEFT__CHUNK + 1;
}

bool weft__wheel_share(struct weft__wheel *w, struct weft_arena *arena,
		       uint32_t nslots)
{
	*w = (struct weft__wheel){ .shift = w->shift,
				   .time = w->time,
				   .free_chunk = WEFT__NO_CHUNK };
	w->bucket = weft__arena_alloc(arena, WEFT__BUCKETS, sizeof(*w->bucket));
	w->chunk = weft__arena_alloc(arena, most_chunks(nslots),
				     sizeof(*w->chunk));
	w->full =
		weft__arena_zalloc(arena, WEFT__BUCKETS / 64, sizeof(*w->full));
	w->some = weft__arena_zalloc(arena, WEFT__BUCKETS / 4096,
				     sizeof(*w->some));
	w->event =
		weft__arena_alloc(arena, 2ull * nslots + 2, sizeof(*w->event));
	w->spare =
		weft__arena_alloc(arena, 2ull * nslots + 2, sizeof(*w->spare));
	w->far = weft__arena_alloc(arena, nslots, sizeof(*w->far));
	if (weft__arena_failed(arena))
		return false;
	memset(w->bucket, 0xff, WEFT__BUCKETS * sizeof(*w->bucket));
	return true;
}

bool weft__wheel_init(struct weft__wheel *w, struct weft_arena *arena,
		      uint32_t nslots, uint64_t span, uint64_t density)
{
	w->shift = bucket_shift(span, density);
	w->time = weft__arena_alloc(arena, nslots, sizeof(*w->time));
	if (!w->time)
		return false;
	for (uint32_t i = 0; i < nslots; i++)
		w->time[i] = WEFT__NEVER;
	return weft__wheel_share(w, arena, nslots);
}

void weft__wheel_add_now(struct weft__wheel *w, struct weft__event e)
{
	uint32_t i;

	/* There is room in front as soon as one was taken, and at the end as
	 * no slot is there twice. */
	if (w->next && w->n - w->next < w->next) {
		memmove(w->event, w->event + w->next,
			(w->n - w->next) * sizeof(e));
		w->n -= w->next;
		w->next = 0;
	}
	for (i = w->n++; i > w->next && before(&e, &w->event[i - 1]); i--)
		w->event[i] = w->event[i - 1];
	w->event[i] = e;
}

void weft__wheel_add_chunk(struct weft__wheel *w, uint32_t b)
{
	uint32_t i = w->free_chunk;

	if (i != WEFT__NO_CHUNK)
		w->free_chunk = w->chunk[i].next;
	else
		i = w->new_chunk++;
	w->chunk[i].next = w->bucket[b];
	w->chunk[i].n = 0;
	w->bucket[b] = i;
	w->full[b / 64] |= 1ull << b % 64;
	w->some[b / 4096] |= 1ull << b / 64 % 64;
}

/* Gives the first chunk of a bucket back. */
static void free_chunk(struct weft__wheel *w, uint32_t b)
{
	uint32_t i = w->bucket[b];

	w->bucket[b] = w->chunk[i].next;
	w->chunk[i].next = w->free_chunk;
	w->free_chunk = i;
	if (w->bucket[b] != WEFT__NO_CHUNK)
		return;
	w->full[b / 64] &= ~(1ull << b % 64);
	if (!w->full[b / 64])
		w->some[b / 4096] &= ~(1ull << b / 64 % 64);
}

void weft__wheel_add_far(struct weft__wheel *w, struct weft__event e)
{
	uint32_t i = w->nfar++;

	for (; i && before(&e, &w->far[(i - 1) / 2]); i = (i - 1) / 2)
		w->far[i] = w->far[(i - 1) / 2];
	w->far[i] = e;
}

/* Takes event number i out of the heap. */
static struct weft__event take_far(struct weft__wheel *w, uint32_t i)
{
	struct weft__event first = w->far[i], last = w->far[--w->nfar];

	for (; i && i < w->nfar && before(&last, &w->far[(i - 1) / 2]);
	     i = (i - 1) / 2)
		w->far[i] = w->far[(i - 1) / 2];

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < w->nfar &&
		    before(&w->far[child + 1], &w->far[child]))
			child++;
		if (child >= w->nfar || !before(&w->far[child], &last))
			break;
		w->far[i] = w->far[child];
		i = child;
	}
	if (i < w->nfar)
		w->far[i] = last;
	return first;
}

/* Takes a slot out of a bucket, whose last event gets its place; false: it is
 * not there. */
static bool take_out(struct weft__wheel *w, uint32_t b, uint32_t slot)
{
	uint32_t first = w->bucket[b];

	for (uint32_t at = first; at != WEFT__NO_CHUNK; at = w->chunk[at].next)
		for (uint32_t i = 0; i < w->chunk[at].n; i++) {
			if (w->chunk[at].event[i].slot != slot)
				continue;
			w->chunk[at].event[i] =
				w->chunk[first].event[--w->chunk[first].n];
			if (!w->chunk[first].n)
				free_chunk(w, b);
			return true;
		}
	return false;
}

void weft__wheel_remove(struct weft__wheel *w, uint32_t slot)
{
	uint64_t to = w->time[slot] >> w->shift;
	uint32_t i;

	w->time[slot] = WEFT__NEVER;
	if (to == w->at) {
		for (i = w->next; w->event[i].slot != slot; i++)
			;
		memmove(w->event + i, w->event + i + 1,
			(--w->n - i) * sizeof(*w->event));
	} else if (to - w->at >= WEFT__BUCKETS ||
		   !take_out(w, to % WEFT__BUCKETS, slot)) {
		for (i = 0; w->far[i].slot != slot; i++)
			;
		take_far(w, i);
	}
}

/* Returns how far the next bucket with an event is, 0 if there is none. */
static uint32_t next_full(const struct weft__wheel *w)
{
	uint32_t start = (w->at + 1) % WEFT__BUCKETS, word = start / 64;
	uint64_t bits = w->full[word] >> start % 64;

	if (bits)
		return (uint32_t)__builtin_ctzll(bits) + 1;
	for (uint32_t i = 0; i <= WEFT__BUCKETS / 4096; i++) {
		uint32_t at = (word / 64 + i) % (WEFT__BUCKETS / 4096);

		bits = w->some[at];
		if (!i && word % 64 == 63)
			bits = 0;
		else if (!i)
			bits &= ~0ull << (word % 64 + 1);
		if (!bits)
			continue;
		at = at * 64 + __builtin_ctzll(bits);
		at = at * 64 + __builtin_ctzll(w->full[at]);
		return (at - (uint32_t)w->at) % WEFT__BUCKETS;
	}
	return 0;
}

/* Merges runs of ever larger size; events that come in order, as those of
 * traffic in step, are merged by one comparison. */
static void merge_sort(struct weft__wheel *w)
{
	for (uint32_t size = 1; size < w->n; size *= 2) {
		struct weft__event *from = w->event, *to = w->spare;

		for (uint32_t i = 0; i < w->n; i += 2 * size) {
			uint32_t a = i, b = i + size < w->n ? i + size : w->n;
			uint32_t mid = b, end, at = i;

			end = mid + size < w->n ? mid + size : w->n;
			if (b < end && !before(&from[mid], &from[mid - 1]))
				b = end;
			if (b == end) {
				memcpy(to + i, from + i,
				       (end - i) * sizeof(*to));
				continue;
			}
			while (a < mid && b < end)
				to[at++] = before(&from[b], &from[a]) ?
						   from[b++] :
						   from[a++];
			while (a < mid)
				to[at++] = from[a++];
			while (b < end)
				to[at++] = from[b++];
		}
		w->event = to;
		w->spare = from;
	}
}

static void sort(struct weft__wheel *w)
{
	if (w->n > FEW) {
		merge_sort(w);
		return;
	}
	for (uint32_t i = 1; i < w->n; i++) {
		struct weft__event e = w->event[i];
		uint32_t k = i;

		for (; k && before(&e, &w->event[k - 1]); k--)
			w->event[k] = w->event[k - 1];
		w->event[k] = e;
	}
}

/* Takes the events of a bucket, whose chunks have the last one first. */
static void empty_bucket(struct weft__wheel *w, uint32_t b)
{
	uint64_t began = w->at << w->shift;
	uint32_t n = 0;

	while (w->bucket[b] != WEFT__NO_CHUNK) {
		const struct weft__chunk *c = &w->chunk[w->bucket[b]];

		for (uint32_t i = c->n; i--;)
			w->event[n++] =
				(struct weft__event){ began + c->event[i].after,
						      c->event[i].slot };
		free_chunk(w, b);
	}
	for (uint32_t i = 0, k = n; i + 1 < k--; i++) {
		struct weft__event e = w->event[i];

		w->event[i] = w->event[k];
		w->event[k] = e;
	}
	w->n = n;
	b = (b + 1) % WEFT__BUCKETS;
	if (w->bucket[b] != WEFT__NO_CHUNK)
		__builtin_prefetch(&w->chunk[w->bucket[b]]);
}

/* Returns which bucket the next event is in that is not in the one under way,
 * counted from time 0; UINT64_MAX: there is none. */
static uint64_t next_bucket(const struct weft__wheel *w)
{
	uint32_t away = next_full(w);
	uint64_t to = away ? w->at + away : UINT64_MAX;
	uint64_t far = w->nfar ? w->far[0].time >> w->shift : UINT64_MAX;

	return to < far ? to : far;
}

bool weft__wheel_turn(struct weft__wheel *w, uint64_t before)
{
	uint64_t to = next_bucket(w);

	if (to > before >> w->shift)
		return false;
	w->next = w->n = 0;
	w->at = to;
	if (w->bucket[to % WEFT__BUCKETS] != WEFT__NO_CHUNK)
		empty_bucket(w, to % WEFT__BUCKETS);
	while (w->nfar && w->far[0].time >> w->shift == w->at)
		w->event[w->n++] = take_far(w, 0);
	sort(w);
	return true;
}

uint64_t weft__wheel_next(const struct weft__wheel *w)
{
	uint64_t to;

	if (w->next < w->n)
		return w->event[w->next].time;
	to = next_bucket(w);
	return to == UINT64_MAX ? WEFT__NEVER : to << w->shift;
}
