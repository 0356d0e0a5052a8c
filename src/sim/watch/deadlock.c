// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: lanes that wait for each other
 *
 * A lane waits if its output is free, a packet asks for it, and neither has it
 * credits nor are any on their way: nothing but a packet that leaves the buffer
 * at its end can give it some.  Such a lane is alive if one of the queues there
 * has not asked yet for where it goes on, or asks for a lane that is alive; the
 * others will never send again, and each of them waits for nothing but others
 * of that kind, so that there is a circle.
 *
 * Complexity: O(queues) for each step that life takes along lanes that wait.
 */
#include "sim/watch/watch.h"

#include <errno.h>
#include <stdlib.h>

/* Whether nothing but the buffer at its end can make a lane send. */
static bool waits(const struct weft__net *net, const struct weft__clock *clock,
		  uint32_t l)
{
	const struct weft__lane *lane = &net->lane[l];
	const struct weft__out *out = &net->out[lane->channel];

	return lane->starving && weft_is_switch(out->to) &&
	       out->busy <= clock->now &&
	       !weft__clock_has(clock, lane->channel);
}

/* Returns the lane that the first packet of a queue asks for, or WEFT_NONE if
 * it has not asked yet. */
static uint32_t asks_for(const struct weft__net *net, uint32_t q)
{
	const struct weft__queue *queue = &net->queue[q];
	const struct weft__packet *p = &net->packet[queue->head];
	uint32_t at = queue->at, l;

	/* One that is not looked up yet still has what the last switch found.
	 */
	if (net->out[p->out].sw != queue->sw)
		return WEFT_NONE;
	l = p->out * net->nvl + p->vl;
	return net->asking[(size_t)l * net->words + at / 64] >> at % 64 & 1 ?
		       l :
		       WEFT_NONE;
}

/* Returns the first queue of a lane's buffer; *end: the one behind its last. */
static uint32_t first_queue(const struct weft__net *net, uint32_t l,
			    uint32_t *end)
{
	uint32_t first = net->voq ? net->voq[l] : l;

	*end = first + 1;
	if (net->voq)
		*end = first + net->f->sw[net->queue[l].sw].nports + 1;
	return first;
}

/* Returns whether a queue of a waiting lane's buffer may send some day. */
static bool comes_alive(const struct weft__net *net, uint32_t l,
			const bool *alive)
{
	uint32_t end, q = first_queue(net, l, &end);

	for (; q < end; q++) {
		uint32_t to;

		if (net->queue[q].head == WEFT_NONE)
			continue;
		to = asks_for(net, q);
		if (to == WEFT_NONE || alive[to])
			return true;
	}
	return false;
}

/* Finds the lanes that are alive; returns one that is not, or WEFT_NONE. */
static uint32_t find_dead(const struct weft__net *net,
			  const struct weft__clock *clock, bool *alive)
{
	uint32_t dead = WEFT_NONE;
	bool more = true;

	for (uint32_t l = 0; l < net->nlanes; l++)
		alive[l] = !waits(net, clock, l);
	while (more) {
		more = false;
		dead = WEFT_NONE;
		for (uint32_t l = 0; l < net->nlanes; l++) {
			if (alive[l])
				continue;
			if (comes_alive(net, l, alive))
				more = alive[l] = true;
			else
				dead = l;
		}
	}
	return dead;
}

/* Returns the first queue of a dead lane's buffer that holds a packet. */
static uint32_t holder(const struct weft__net *net, uint32_t l)
{
	uint32_t end, q = first_queue(net, l, &end);

	while (q + 1 < end && net->queue[q].head == WEFT_NONE)
		q++;
	return q;
}

static uint32_t waits_for(const struct weft__net *net, uint32_t l)
{
	return asks_for(net, holder(net, l));
}

static bool describe(const struct weft__net *net, uint32_t start,
		     struct weft_sim_deadlock *d)
{
	uint32_t l = start, n = 0;

	do {
		n++;
		l = waits_for(net, l);
	} while (l != start);
	d->channel = malloc(n * sizeof(*d->channel));
	d->lane = malloc(n);
	d->packet = malloc(n * sizeof(*d->packet));
	d->lid = malloc(n * sizeof(*d->lid));
	d->sl = malloc(n);
	if (!d->channel || !d->lane || !d->packet || !d->lid || !d->sl)
		return false;
	for (; d->n < n; l = waits_for(net, l)) {
		const struct weft__packet *p =
			&net->packet[net->queue[holder(net, l)].head];

		d->channel[d->n] = net->lane[l].channel;
		d->lane[d->n] = net->lane[l].vl;
		d->packet[d->n] = (struct weft_pair){ p->source, p->dest };
		d->lid[d->n] = p->lid;
		d->sl[d->n++] = p->sl;
	}
	return true;
}

int weft__deadlock_find(const struct weft__net *net,
			const struct weft__clock *clock,
			struct weft_sim_deadlock *out)
{
	bool *alive = malloc(net->nlanes);
	uint32_t l;

	if (!alive)
		return -ENOMEM;
	l = find_dead(net, clock, alive);
	/* Behind as many lanes as there are one is on a circle. */
	for (uint32_t i = 0; i < net->nlanes && l != WEFT_NONE; i++)
		l = waits_for(net, l);
	free(alive);
	if (l == WEFT_NONE)
		return 0;
	return describe(net, l, out) ? 1 : -ENOMEM;
}
