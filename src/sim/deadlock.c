// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: lanes that wait for each other
 *
 * A lane waits if its output is free, a packet asks for it, and neither has it
 * credits nor are any on their way: nothing but the first packet of the queue
 * at its end can give it some, by leaving.  If that packet asks for a lane that
 * waits as well, the first lane waits for the second, and for no other.  So
 * each lane has one to wait for at most, and a walk along these ends, or goes
 * round: then nothing will ever move there again.
 *
 * Complexity: O(lanes).
 */
#include "sim/sim.h"

#include <errno.h>
#include <stdlib.h>

/* Whether nothing but the queue at its end can make a lane send. */
static bool waits(const struct weft__sim *s, uint32_t l)
{
	const struct weft__lane *lane = &s->lane[l];
	const struct weft__out *out = &s->out[lane->channel];

	return lane->starving && weft_is_switch(out->to) &&
	       out->busy <= s->now &&
	       !weft__wheel_has(&s->wheel, lane->channel);
}

/* Returns the lane that a waiting one waits for, or WEFT_NONE. */
static uint32_t waits_for(const struct weft__sim *s, uint32_t l)
{
	const struct weft__packet *p = &s->packet[s->lane[l].head];
	uint32_t to;

	if (s->lane[l].head == WEFT_NONE || s->lane[l].free_at > s->now ||
	    weft__wheel_has(&s->wheel, weft__slot_head(s, l)))
		return WEFT_NONE;
	to = p->out * s->nvl + p->vl;
	return waits(s, to) ? to : WEFT_NONE;
}

/* Returns a lane of a circle, or WEFT_NONE; mark[] is 0 for all. */
static uint32_t find_circle(const struct weft__sim *s, uint32_t *mark)
{
	for (uint32_t start = 0; start < s->nlanes; start++) {
		uint32_t l = start;

		while (l != WEFT_NONE && !mark[l] && waits(s, l)) {
			mark[l] = start + 1;
			l = waits_for(s, l);
		}
		if (l != WEFT_NONE && waits(s, l) && mark[l] == start + 1)
			return l;
	}
	return WEFT_NONE;
}

static bool describe(const struct weft__sim *s, uint32_t start)
{
	struct weft_sim_deadlock *d = &s->result->deadlock;
	uint32_t l = start, n = 0;

	do {
		n++;
		l = waits_for(s, l);
	} while (l != start);
	d->channel = malloc(n * sizeof(*d->channel));
	d->lane = malloc(n);
	d->packet = malloc(n * sizeof(*d->packet));
	d->lid = malloc(n * sizeof(*d->lid));
	d->sl = malloc(n);
	if (!d->channel || !d->lane || !d->packet || !d->lid || !d->sl)
		return false;
	for (; d->n < n; l = waits_for(s, l)) {
		const struct weft__packet *p = &s->packet[s->lane[l].head];

		d->channel[d->n] = s->lane[l].channel;
		d->lane[d->n] = s->lane[l].vl;
		d->packet[d->n] = (struct weft_pair){ p->source, p->dest };
		d->lid[d->n] = p->lid;
		d->sl[d->n++] = p->sl;
	}
	return true;
}

int weft__deadlock_find(struct weft__sim *s)
{
	uint32_t *mark = calloc(s->nlanes, sizeof(*mark)), l;

	if (!mark)
		return -ENOMEM;
	l = find_circle(s, mark);
	free(mark);
	if (l == WEFT_NONE)
		return 0;
	return describe(s, l) ? 1 : -ENOMEM;
}
