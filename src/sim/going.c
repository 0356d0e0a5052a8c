// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How long a simulation goes on: until nothing is left to be done, its end, or
 * one that finds a reason to end before. */
#include "sim/sim.h"

#include <errno.h>

#define LOOKS 8 /* at how it goes, between two searches for deadlocks */

bool weft__sim_go_on(struct weft__sim *s, uint64_t now, uint64_t delivered,
		     uint64_t packets)
{
	const struct weft_sim_spec *spec = s->spec;
	const struct weft_sim_progress at = {
		.now = now / WEFT_SIM_TICKS,
		.end = spec->time,
		.delivered = delivered,
		.packets = packets,
	};

	if (spec->check)
		s->result->violations += weft__invariants(&s->net, s->result);
	if (!spec->progress || spec->progress(spec->progress_context, &at))
		return true;
	s->result->interrupted = true;
	return false;
}

/* Whether a load has been measured as well as it was asked to be. */
static bool is_precise(struct weft__sim *s)
{
	struct weft_sim *r = s->result;

	if (!(s->spec->until > 0) || !weft__spec_measures(s->spec))
		return false;
	weft__measure_end(&s->measure, &s->net, &s->hosts, s->clock.now);
	return r->steady && r->intervals >= WEFT_SIM_INTERVALS / 2 &&
	       r->throughput.mean > 0 && r->throughput.ci99 > 0 &&
	       r->throughput.ci99 <= s->spec->until * r->throughput.mean;
}

/* Handles the events by several threads, if they can.  One thread looks for
 * deadlocks again and again; these stay, so that where there is none in the end
 * it would not have found one. */
static int run_team(struct weft__sim *s, uint64_t packets)
{
	struct weft_sim *r = s->result;
	int found;

	if (!weft__team_run(s->team, s, packets))
		return -EAGAIN;
	found = r->interrupted ?
			0 :
			weft__deadlock_find(&s->net, &s->clock, &r->deadlock);
	return found > 0 ? -EAGAIN : found;
}

int weft__sim_run(struct weft__sim *s, uint64_t packets)
{
	struct weft_sim *r = s->result;
	uint64_t stretch = s->spec->check ? 64 : WEFT__STRETCH;
	int found = 0;

	if (!r->memory)
		r->memory = weft__arena_size(s->arena);
	if (!s->team && !weft__team_new(s, &s->team))
		return -ENOMEM;
	if (s->team)
		return run_team(s, packets);
	for (unsigned look = 1; !found; look++) {
		bool more = weft__sim_events(s, stretch, WEFT__NEVER);

		if (s->clock.now > s->clock.end)
			break;
		if (!s->spec->hoq && (!more || look % LOOKS == 0))
			found = weft__deadlock_find(&s->net, &s->clock,
						    &r->deadlock);
		if (!more ||
		    !weft__sim_go_on(s, s->clock.now, r->delivered, packets) ||
		    is_precise(s))
			break;
	}
	r->deadlocked = found > 0;
	return found < 0 ? found : 0;
}
