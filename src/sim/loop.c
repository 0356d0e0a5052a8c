// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The events of a simulation one after the other, and whose each is. */
#include "sim/sim.h"

/* A channel has sent a packet. */
static void sent(struct weft__sim *s, uint32_t ch)
{
	struct weft__out *out = &s->net.out[ch];
	uint32_t q = out->served;

	if (out->sw == WEFT_NONE) {
		weft__host_send(s, ch - s->net.f->first_injection);
		return;
	}
	out->served = WEFT_NONE;
	if (q != WEFT_NONE)
		weft__net_head(s, q);
	if (out->asked && out->busy <= s->clock.now)
		weft__net_serve(s, ch);
}

static void credit(struct weft__sim *s, uint32_t l)
{
	uint32_t ch = s->net.lane[l].channel;
	const struct weft__out *out = &s->net.out[ch];

	if (s->net.border)
		weft__border_credit_comes(&s->net, &s->clock, l);
	if (weft__clock_has(&s->clock, ch) || out->busy > s->clock.now)
		return;
	if (out->sw == WEFT_NONE)
		weft__host_send(s, ch - s->net.f->first_injection);
	else
		weft__net_serve(s, ch);
}

/* Those that few simulations have. */
static void seldom(struct weft__sim *s, uint32_t slot)
{
	const struct weft__clock *clock = &s->clock;

	if (slot < clock->cpus)
		weft__steps_arrive(s->hosts.steps, &s->clock,
				   slot - clock->arrivals);
	else if (slot < clock->pause)
		weft__steps_cpu(s->hosts.steps, &s->clock, slot - clock->cpus);
	else if (slot == clock->pause)
		weft__steps_pause_ends(s->hosts.steps, &s->clock);
	else if (slot == clock->change)
		weft__change_next(s);
	else
		weft__change_sweep(s);
}

bool weft__sim_events(struct weft__sim *s, uint64_t count, uint64_t before)
{
	uint64_t *events = s->result->events;
	struct weft__clock *clock = &s->clock;
	uint32_t ahead = 0;
	struct weft__event e;

	while (count--) {
		if (!weft__wheel_ready(&clock->wheel, before))
			return false;
		if (!ahead)
			ahead = weft__sim_ahead(s);
		ahead--;
		e = weft__wheel_take(&clock->wheel);
		clock->now = e.time;
		clock->slot = e.slot;
		if (e.time > clock->end)
			return true;
		if (e.slot < clock->heads) {
			events[WEFT_SIM_SENT]++;
			sent(s, e.slot);
		} else if (e.slot < clock->credits) {
			events[WEFT_SIM_HEAD]++;
			weft__net_head(s, e.slot - clock->heads);
		} else if (e.slot < clock->hosts) {
			events[WEFT_SIM_CREDIT]++;
			credit(s, e.slot - clock->credits);
		} else if (e.slot < clock->arrivals) {
			events[WEFT_SIM_HOST]++;
			weft__host_send(s, e.slot - clock->hosts);
		} else {
			events[WEFT_SIM_DONE]++;
			seldom(s, e.slot);
		}
	}
	return true;
}
