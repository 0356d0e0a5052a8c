// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Turns the wheel of events; see wheel.h. */
#include "sim/kernel/wheel.h"

#include <string.h>

#define FEW 24 /* sorted by insertion */

static bool before(const struct weft__event *a, const struct weft__event *b)
{
	return a->time < b->time || (a->time == b->time && a->slot < b->slot);
}

/* Returns how many ticks a bucket is for, as a power of two: some two events a
 * bucket, and most of those to come within the wheel. */
static unsigned bucket_shift(uint64_t span, uint64_t density)
{
	uint64_t width = 2 * span / WEFT__BUCKETS + 1;
	unsigned shift = 0;

	if (2 * span / density > width)
		width = 2 * span / density;
	while (width >> (shift + 1))
		shift++;
	return shift + 1;
}

bool weft__wheel_init(struct weft__wheel *w, struct weft_arena *arena,
		      uint32_t nslots, uint64_t span, uint64_t density)
{
	*w = (struct weft__wheel){ .shift = bucket_shift(span, density) };
	w->slot = weft__arena_alloc(arena, nslots, sizeof(*w->slot));
	w->bucket = weft__arena_alloc(arena, WEFT__BUCKETS, sizeof(*w->bucket));
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
	for (uint32_t i = 0; i < nslots; i++)
		w->slot[i].time = WEFT__NEVER;
	memset(w->bucket, 0xff, WEFT__BUCKETS * sizeof(*w->bucket));
	return true;
}

void weft__wheel_add_now(struct weft__wheel *w, uint32_t slot)
{
	struct weft__event e = { w->slot[slot].time, slot };
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

void weft__wheel_add_far(struct weft__wheel *w, uint32_t slot)
{
	struct weft__event e = { w->slot[slot].time, slot };
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

/* Takes a slot out of the list of a bucket; false: it is not there. */
static bool unlink_slot(struct weft__wheel *w, uint32_t b, uint32_t slot)
{
	uint32_t *at = &w->bucket[b];

	while (*at != slot && *at != WEFT__NO_SLOT)
		at = &w->slot[*at].next;
	if (*at == WEFT__NO_SLOT)
		return false;
	*at = w->slot[slot].next;
	if (w->bucket[b] == WEFT__NO_SLOT) {
		w->full[b / 64] &= ~(1ull << b % 64);
		if (!w->full[b / 64])
			w->some[b / 4096] &= ~(1ull << b / 64 % 64);
	}
	return true;
}

void weft__wheel_remove(struct weft__wheel *w, uint32_t slot)
{
	uint64_t to = w->slot[slot].time >> w->shift;
	uint32_t i;

	w->slot[slot].time = WEFT__NEVER;
	if (to == w->at) {
		for (i = w->next; w->event[i].slot != slot; i++)
			;
		memmove(w->event + i, w->event + i + 1,
			(--w->n - i) * sizeof(*w->event));
	} else if (to - w->at >= WEFT__BUCKETS ||
		   !unlink_slot(w, to % WEFT__BUCKETS, slot)) {
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

/* Takes a bucket's list, which has the last one first. */
static void empty_bucket(struct weft__wheel *w, uint32_t b)
{
	uint32_t slot = w->bucket[b], n = 0;

	for (; slot != WEFT__NO_SLOT; slot = w->slot[slot].next)
		w->event[n++] =
			(struct weft__event){ w->slot[slot].time, slot };
	for (uint32_t i = 0, k = n; i + 1 < k--; i++) {
		struct weft__event e = w->event[i];

		w->event[i] = w->event[k];
		w->event[k] = e;
	}
	w->n = n;
	w->bucket[b] = WEFT__NO_SLOT;
	w->full[b / 64] &= ~(1ull << b % 64);
	if (!w->full[b / 64])
		w->some[b / 4096] &= ~(1ull << b / 64 % 64);
}

bool weft__wheel_turn(struct weft__wheel *w)
{
	uint32_t away = next_full(w);
	uint64_t to = away ? w->at + away : UINT64_MAX;
	uint64_t far = w->nfar ? w->far[0].time >> w->shift : UINT64_MAX;

	w->next = w->n = 0;
	if (!away && !w->nfar)
		return false;
	w->at = to < far ? to : far;
	if (to == w->at)
		empty_bucket(w, to % WEFT__BUCKETS);
	while (w->nfar && w->far[0].time >> w->shift == w->at)
		w->event[w->n++] = take_far(w, 0);
	sort(w);
	return true;
}
