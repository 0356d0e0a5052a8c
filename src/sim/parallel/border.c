// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What a part of a simulation sends to others, and what it keeps so that it can
 * make good what comes from these: see take.c.
 */
#include "sim/sim.h"

static struct weft__moment moment(const struct weft__clock *clock)
{
	return (struct weft__moment){ clock->now, clock->slot };
}

static void note_first(struct weft__border *border, uint64_t time)
{
	if (time < border->first)
		border->first = time;
}

/* --- sending -------------------------------------------------------------- */

void weft__border_send(struct weft__sim *s, uint32_t l, uint32_t packet)
{
	struct weft__border *border = s->net.border;
	const struct weft__packet *p = &s->net.packet[packet];
	uint32_t sw = s->net.out[s->net.lane[l].channel].to;
	struct weft__post *post = &border->post[border->part[sw]];

	post->parcel[post->parcels++] = (struct weft__parcel){
		.packet = *p,
		.sent = moment(&s->clock),
		.lane = l,
		.crossing = s->net.lane[l].crossing,
	};
	note_first(border, p->ready);
	weft__packet_free(&s->net, packet);
}

void weft__border_return(struct weft__net *net, const struct weft__clock *clock,
			 uint32_t l, uint32_t blocks, uint64_t time)
{
	struct weft__border *border = net->border;
	uint32_t sw = net->out[net->lane[l].channel].sw;
	struct weft__post *post = &border->post[border->part[sw]];

	post->credit[post->credits++] = (struct weft__credit){
		.sent = moment(clock),
		.time = time,
		.lane = l,
		.crossing = net->lane[l].crossing,
		.blocks = blocks,
	};
	note_first(border, time);
}

/* --- what take.c needs ---------------------------------------------------- */

void weft__border_leaves(struct weft__net *net, const struct weft__clock *clock,
			 const struct weft__queue *queue, uint32_t out)
{
	if (net->lane[queue->lane].crossing != WEFT_NONE)
		*weft__border_left(net, queue->lane, queue - net->queue) =
			(struct weft__left){ moment(clock), out };
}

void weft__border_waits(struct weft__net *net, const struct weft__clock *clock,
			uint32_t l)
{
	uint32_t crossing = net->lane[l].crossing;
	struct weft__waited *waited;

	if (crossing == WEFT_NONE)
		return;
	waited = &net->border->waited[crossing];
	if (waited->first.time == WEFT__NEVER)
		waited->first = moment(clock);
	if (waited->bare.time == WEFT__NEVER &&
	    !weft__clock_has(clock, clock->credits + l))
		waited->bare = moment(clock);
}

void weft__border_wakes(struct weft__net *net, const struct weft__clock *clock,
			uint32_t l)
{
	if (net->lane[l].crossing != WEFT_NONE)
		net->border->waited[net->lane[l].crossing].given =
			moment(clock);
}

void weft__border_credit_comes(struct weft__net *net,
			       const struct weft__clock *clock, uint32_t l)
{
	if (net->lane[l].crossing != WEFT_NONE)
		net->border->waited[net->lane[l].crossing].came = clock->now;
}
