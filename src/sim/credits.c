// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Credits of lanes: those that a sender has, and notes of those that are on
 * their way back, in the order in which they arrive.  A note is taken when
 * somebody looks; it is an event only where an output waits for it.
 */
#include "sim/sim.h"

static void take_note(struct weft__sim *s, struct weft__lane *lane)
{
	struct weft__note *note = &s->note[lane->note];
	uint32_t n = lane->note;

	lane->credits += note->blocks;
	lane->note = note->next;
	note->next = s->free_note;
	s->free_note = n;
}

int32_t weft__credits(struct weft__sim *s, uint32_t l)
{
	struct weft__lane *lane = &s->lane[l];

	while (lane->note != WEFT_NONE && s->note[lane->note].time <= s->now)
		take_note(s, lane);
	return lane->credits;
}

bool weft__credits_wait(struct weft__sim *s, uint32_t l, int32_t blocks)
{
	struct weft__lane *lane = &s->lane[l];
	uint32_t slot = weft__slot_credit(s, l);

	if (weft__credits(s, l) >= blocks)
		return true;
	if (lane->note == WEFT_NONE)
		lane->starving = true;
	else if (!weft__wheel_has(&s->wheel, slot))
		weft__wheel_add(&s->wheel, slot, s->note[lane->note].time);
	return false;
}

/* Puts a note into the list of a lane before those of later times, which are
 * there where several queues of a buffer send at a time. */
static void sort_note(struct weft__sim *s, struct weft__lane *lane, uint32_t n)
{
	uint32_t *at = &lane->note;

	while (s->note[*at].time <= s->note[n].time)
		at = &s->note[*at].next;
	s->note[n].next = *at;
	*at = n;
}

void weft__credits_return(struct weft__sim *s, const struct weft__lane *queue,
		      uint32_t blocks, uint64_t time)
{
	uint32_t l = queue->channel * s->nvl + queue->vl;
	struct weft__lane *lane = &s->lane[l];
	uint32_t n = s->free_note, slot = weft__slot_credit(s, l);

	if (n != WEFT_NONE)
		s->free_note = s->note[n].next;
	else
		n = s->new_note++;
	s->note[n] = (struct weft__note){ time, WEFT_NONE, blocks };
	if (lane->note == WEFT_NONE) {
		lane->note = lane->last_note = n;
	} else if (s->note[lane->last_note].time <= time) {
		s->note[lane->last_note].next = n;
		lane->last_note = n;
	} else {
		sort_note(s, lane, n);
	}
	if (lane->starving && !weft__wheel_has(&s->wheel, slot))
		weft__wheel_add(&s->wheel, slot, time);
	lane->starving = false;
}
