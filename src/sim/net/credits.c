// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Credits of lanes: those that a sender has, and notes of those that are on
 * their way back, in the order in which they arrive.  A note is taken when
 * somebody looks; it is an event only where an output waits for it.
 */
#include "sim/net/net.h"

static void take_note(struct weft__net *net, struct weft__lane *lane)
{
	struct weft__note *note = &net->note[lane->note];
	uint32_t n = lane->note;

	lane->credits += note->blocks;
	lane->note = note->next;
	note->next = net->free_note;
	net->free_note = n;
}

int32_t weft__credits(struct weft__net *net, uint64_t now, uint32_t l)
{
	struct weft__lane *lane = &net->lane[l];

	while (lane->note != WEFT_NONE && net->note[lane->note].time <= now)
		take_note(net, lane);
	return lane->credits;
}

bool weft__credits_wait(struct weft__net *net, struct weft__clock *clock,
			uint32_t l, int32_t blocks)
{
	struct weft__lane *lane = &net->lane[l];
	uint32_t slot = clock->credits + l;

	if (weft__credits(net, clock->now, l) >= blocks)
		return true;
	if (lane->note == WEFT_NONE)
		lane->starving = true;
	else if (!weft__clock_has(clock, slot))
		weft__clock_add(clock, slot, net->note[lane->note].time);
	return false;
}

/* Puts a note into the list of a lane before those of later times, which are
 * there where several queues of a buffer send at a time. */
static void sort_note(struct weft__net *net, struct weft__lane *lane,
		      uint32_t n)
{
	uint32_t *at = &lane->note;

	while (net->note[*at].time <= net->note[n].time)
		at = &net->note[*at].next;
	net->note[n].next = *at;
	*at = n;
}

void weft__credits_return(struct weft__net *net, struct weft__clock *clock,
			  const struct weft__lane *queue, uint32_t blocks,
			  uint64_t time)
{
	uint32_t l = queue->channel * net->nvl + queue->vl;
	struct weft__lane *lane = &net->lane[l];
	uint32_t n = net->free_note, slot = clock->credits + l;

	if (n != WEFT_NONE)
		net->free_note = net->note[n].next;
	else
		n = net->new_note++;
	net->note[n] = (struct weft__note){ time, WEFT_NONE, blocks };
	if (lane->note == WEFT_NONE) {
		lane->note = lane->last_note = n;
	} else if (net->note[lane->last_note].time <= time) {
		net->note[lane->last_note].next = n;
		lane->last_note = n;
	} else {
		sort_note(net, lane, n);
	}
	if (lane->starving && !weft__clock_has(clock, slot))
		weft__clock_add(clock, slot, time);
	lane->starving = false;
}
