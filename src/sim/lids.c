// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which of its LIDs a destination with LMC is sent to.
 *
 * What is drawn comes from numbers of its own, so that hosts send the same to
 * the same hosts whatever the rule is.  Where all LIDs take turns a message has
 * the LID of its next packet, and the lane that goes with it.
 */
#include "sim/sim.h"

#include <errno.h>

/* Returns a number for two ends, or for a message of one. */
static uint64_t mix(const struct weft__sim *s, uint32_t from, uint32_t which)
{
	uint64_t state = (uint64_t)s->spec->seed << 32 ^ from;

	state = weft__draw(&state) ^ which;
	return weft__draw(&state) >> 32;
}

static uint32_t offset(struct weft__sim *s, uint32_t from, uint32_t to)
{
	struct weft__host *host = &s->host[from];

	switch (s->spec->lids) {
	case WEFT_SIM_LIDS_PAIR:
		return mix(s, from, to);
	case WEFT_SIM_LIDS_RANDOM:
		return mix(s, from, host->messages++);
	case WEFT_SIM_LIDS_ROUND_ROBIN:
	case WEFT_SIM_LIDS_ALL:
		return mix(s, from, 0) + host->messages++;
	default:
		return 0;
	}
}

/* Sets the SL and the lane that go with the LID of a message. */
static void set_lane(const struct weft__sim *s, uint32_t from,
		     struct weft__message *m)
{
	m->sl = weft_layers_sl(&s->r->layers, s->f, from | WEFT_ENDPORT,
			       m->lid);
	m->vl = m->sl % s->nvl;
}

void weft__lids_level(const struct weft__sim *s, uint32_t from,
		      struct weft__message *m)
{
	int sl = from < s->f->nep ? s->spec->host_sl : s->spec->switch_sl;

	if (sl < 0)
		return;
	m->sl = sl;
	m->vl = sl % s->nvl;
}

void weft__lids_begin(struct weft__sim *s, uint32_t from,
		      struct weft__message *m)
{
	const struct weft_endport *to = &s->f->ep[m->dest];

	m->lid = s->spec->lids == WEFT_SIM_LIDS_ROUTES ?
			 weft_routes_lid(s->f, s->r, from, m->dest) :
			 to->lid + (offset(s, from, m->dest) &
				    ((1u << to->lmc) - 1));
	set_lane(s, from, m);
}

void weft__lids_next(struct weft__sim *s, uint32_t from,
		     struct weft__message *m)
{
	const struct weft_endport *to;

	if (from >= s->f->nep)
		return;
	to = &s->f->ep[m->dest];
	m->lid = to->lid + ((m->lid - to->lid + 1) & ((1u << to->lmc) - 1));
	if (s->spec->flow_sl)
		return;
	set_lane(s, from, m);
	weft__lids_level(s, from, m);
}

int weft__lids_check(const struct weft_sim_spec *spec, struct weft_diag *diag)
{
	if (spec->lids > WEFT_SIM_LIDS_ALL)
		return weft_fail(diag, EINVAL, "no rule %u for LIDs",
				 (unsigned)spec->lids);
	if (spec->lids != WEFT_SIM_LIDS_ROUTES &&
	    (spec->subnets || spec->paths >= WEFT_SIM_OBLIVIOUS))
		return weft_fail(diag, EINVAL,
				 "a rule for LIDs is for one subnet whose hosts choose no routes");
	return 0;
}
