// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which of its LIDs a destination with LMC is sent to.
 *
 * What is drawn comes from numbers of its own, so that hosts send the same to
 * the same hosts whatever the rule is.  Where all LIDs take turns a message has
 * the LID of its next packet, and the lane that goes with it.
 */
#include "sim/host/host.h"
#include "sim/kernel/random.h"

#include <errno.h>

/* Returns a number for two ends, or for a message of one. */
static uint64_t mix(const struct weft_sim_spec *spec, uint32_t from,
		    uint32_t which)
{
	uint64_t state = (uint64_t)spec->seed << 32 ^ from;

	state = weft__sim_random(&state) ^ which;
	return weft__sim_random(&state) >> 32;
}

static uint32_t offset(struct weft__hosts *hosts, uint32_t from, uint32_t to)
{
	struct weft__host *host = &hosts->host[from];

	switch (hosts->spec->lids) {
	case WEFT_SIM_LIDS_PAIR:
		return mix(hosts->spec, from, to);
	case WEFT_SIM_LIDS_RANDOM:
		return mix(hosts->spec, from, host->messages++);
	case WEFT_SIM_LIDS_ROUND_ROBIN:
	case WEFT_SIM_LIDS_ALL:
		return mix(hosts->spec, from, 0) + host->messages++;
	default:
		return 0;
	}
}

/* Sets the SL and the lane that go with the LID of a message. */
static void set_lane(const struct weft__net *net, uint32_t from,
		     struct weft__message *m)
{
	m->sl = weft_layers_sl(&net->r->layers, net->f, from | WEFT_ENDPORT,
			       m->lid);
	m->vl = m->sl % net->nvl;
}

void weft__lids_level(const struct weft__net *net, uint32_t from,
		      struct weft__message *m)
{
	int sl = from < net->f->nep ? net->spec->host_sl : net->spec->switch_sl;

	if (sl < 0)
		return;
	m->sl = sl;
	m->vl = sl % net->nvl;
}

void weft__lids_begin(struct weft__hosts *hosts, const struct weft__net *net,
		      uint32_t from, struct weft__message *m)
{
	const struct weft_endport *to = &net->f->ep[m->dest];

	m->lid = net->spec->lids == WEFT_SIM_LIDS_ROUTES ?
			 weft_routes_lid(net->f, net->r, from, m->dest) :
			 to->lid + (offset(hosts, from, m->dest) &
				    ((1u << to->lmc) - 1));
	set_lane(net, from, m);
}

void weft__lids_next(const struct weft__net *net, uint32_t from,
		     struct weft__message *m)
{
	const struct weft_endport *to;

	if (from >= net->f->nep)
		return;
	to = &net->f->ep[m->dest];
	m->lid = to->lid + ((m->lid - to->lid + 1) & ((1u << to->lmc) - 1));
	if (net->spec->flow_sl)
		return;
	set_lane(net, from, m);
	weft__lids_level(net, from, m);
}

int weft__lids_check(const struct weft_sim_spec *spec, struct weft_diag *diag)
{
	if (spec->lids > WEFT_SIM_LIDS_ALL)
		return weft_fail(diag, EINVAL, "no rule %u for LIDs",
				 (unsigned)spec->lids);
	if (spec->lids != WEFT_SIM_LIDS_ROUTES &&
	    (spec->subnets || weft__hosts_choose(spec)))
		return weft_fail(
			diag, EINVAL,
			"a rule for LIDs is for one subnet whose hosts choose no routes");
	return 0;
}
