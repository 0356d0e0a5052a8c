// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Credits of lanes: those that a sender has, and notes of those that are on
 * their way back, in the order in which they arrive.  A note is taken when
 * somebody looks; it is an event only where an output waits for it.
 *
 * The notes of a lane are in a ring of its own, which has room for as many as
 * there can be, and starts anew where there are none: few of its places are
 * ever used.
 */
#include "sim/parallel/parallel.h"

int32_t weft__credits(struct weft__net *net, uint64_t now, uint32_t l)
{
	struct weft__lane *lane = &net->lane[l];

	while (lane->notes) {
		const struct weft__note *note = weft__credits_note(net, l, 0);

		if (note->time > now)
			break;
		lane->credits += note->blocks;
		lane->note++;
		if (!--lane->notes || lane->note == net->ring)
			lane->note = 0;
	}
	return lane->credits;
}

bool weft__credits_wait(struct weft__net *net, struct weft__clock *clock,
			uint32_t l, int32_t blocks)
{
	struct weft__lane *lane = &net->lane[l];
	uint32_t slot = clock->credits + l;

	if (weft__credits(net, clock->now, l) >= blocks)
		return true;
	if (!lane->notes) {
		lane->starving = true;
		if (net->border)
			weft__border_waits(net, clock, l);
	} else if (!weft__clock_has(clock, slot)) {
		weft__clock_add(clock, slot,
				weft__credits_note(net, l, 0)->time);
		if (net->border)
			weft__border_wakes(net, clock, l);
	}
	return false;
}

void weft__credits_take(struct weft__net *net, struct weft__clock *clock,
			uint32_t l, uint32_t blocks, uint64_t time)
{
	struct weft__lane *lane = &net->lane[l];
	uint32_t slot = clock->credits + l, i = lane->notes++;

	/* Before those of later times, which are there where several queues of
	 * a buffer send at a time. */
	for (; i && weft__credits_note(net, l, i - 1)->time > time; i--)
		*weft__credits_note(net, l, i) =
			*weft__credits_note(net, l, i - 1);
	*weft__credits_note(net, l, i) = (struct weft__note){ time, blocks };
	if (lane->starving && !weft__clock_has(clock, slot))
		weft__clock_add(clock, slot, time);
	lane->starving = false;
}

void weft__credits_return(struct weft__net *net, struct weft__clock *clock,
			  uint32_t l, uint32_t blocks, uint64_t time)
{
	if (net->lane[l].crossing != WEFT_NONE)
		weft__border_return(net, clock, l, blocks, time);
	else
		weft__credits_take(net, clock, l, blocks, time);
}
