// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes the hosts of a network: who they are, and what they draw from. */
#include "sim/host/host.h"

#include <errno.h>

/* --- ends ----------------------------------------------------------------- */

static bool allocate(struct weft__hosts *hosts, const struct weft__net *net,
		     struct weft_arena *a)
{
	const struct weft_sim_spec *spec = hosts->spec;
	uint64_t switches = (uint64_t)(net->nends - net->f->nep);
	uint64_t most = spec->schedule ?
				hosts->spec->schedule->n + hosts->npairs +
					switches * hosts->places :
			spec->traffic ? weft_traffic_max_pairs(spec->traffic) :
					(uint64_t)net->nends * hosts->places;

	hosts->host = weft__arena_zalloc(a, net->nends, sizeof(*hosts->host));
	hosts->message =
		weft__arena_alloc(a, most + 1, sizeof(*hosts->message));
	hosts->rank_host =
		weft__arena_alloc(a, hosts->nranks, sizeof(*hosts->rank_host));
	hosts->switch_end =
		weft__arena_alloc(a, net->f->nsw, sizeof(*hosts->switch_end));
	hosts->switch_first = weft__arena_zalloc(a, net->nparts + 1ull,
						 sizeof(*hosts->switch_first));
	return hosts->host && hosts->message && hosts->rank_host &&
	       hosts->switch_end && hosts->switch_first;
}

/* Lists those ports 0 that send, by part: they have LIDs, and another one to
 * send to. */
static void list_switch_ends(struct weft__hosts *hosts,
			     const struct weft__net *net)
{
	for (uint32_t part = 0; part < net->nparts; part++) {
		uint32_t first = hosts->nswitches;

		for (uint32_t sw = 0; sw < net->nends - net->f->nep; sw++)
			if (net->part[sw] == part && net->f->sw[sw].lid)
				hosts->switch_end[hosts->nswitches++] =
					net->f->nep + sw;
		if (hosts->nswitches - first < 2)
			hosts->nswitches = first;
		hosts->switch_first[part] = first;
	}
	hosts->switch_first[net->nparts] = hosts->nswitches;
}

/* Chooses the hosts of the ranks, which may be drawn, keeping their order
 * unless that is drawn, too. */
static void place_ranks(struct weft__hosts *hosts, const struct weft__net *net)
{
	struct weft_rng *rng = hosts->rng;
	const struct weft_mapping *m = hosts->spec->mapping;
	uint32_t from = m->random_subset ? m->nslots : m->nranks, n = 0;

	for (uint32_t i = 0; i < from && n < m->nranks; i++)
		if (from == m->nranks ||
		    weft_rng_below(rng, from - i) < m->nranks - n)
			hosts->rank_host[n++] = m->endport[i];
	if (m->random_order)
		weft_rng_shuffle(rng, hosts->rank_host, n);
	for (uint32_t i = 0; i < net->nends; i++)
		hosts->host[i].rank = WEFT_NONE;
	for (uint32_t i = 0; i < hosts->nswitches; i++)
		hosts->host[hosts->switch_end[i]].rank = i;
	for (uint32_t i = 0; i < n; i++)
		hosts->host[hosts->rank_host[i]].rank = i;
}

static bool has_two_nodes(const struct weft__hosts *hosts,
			  const struct weft__net *net)
{
	const struct weft_endport *ep = net->f->ep;

	for (uint32_t i = 1; i < hosts->nranks; i++)
		if (ep[hosts->rank_host[i]].node !=
		    ep[hosts->rank_host[0]].node)
			return true;
	return false;
}

/* Gives each host a generator and places for its messages, by endport, so that
 * traffic is the same wherever ranks stand. */
static void set_hosts(struct weft__hosts *hosts, const struct weft__net *net)
{
	struct weft_rng *rng = hosts->rng;

	for (uint32_t i = 0; i < net->nends; i++) {
		struct weft__host *host = &hosts->host[i];

		host->random = (uint64_t)weft_rng_u32(rng) << 32;
		host->random |= weft_rng_u32(rng);
		if (weft__spec_draws(hosts->spec))
			host->first = i * hosts->places;
		else if (hosts->spec->schedule && i >= net->f->nep)
			host->first = hosts->spec->schedule->n + hosts->npairs +
				      (i - net->f->nep) * hosts->places;
	}
	hosts->inject = weft__limit_ticks(hosts->spec->inject);
	hosts->drain = weft__limit_ticks(hosts->spec->drain);
}

/* Returns the mean ticks from one message to the next at that share of what a
 * channel carries; with packets of random sizes, about. */
static uint64_t mean_pause(const struct weft_sim_spec *spec, uint32_t byte,
			   double load)
{
	uint32_t cut = spec->packet_least ?
			       (spec->packet_least + spec->mtu) / 2 :
			       spec->mtu;
	double grh = spec->leave > 0 ? spec->leave * WEFT_SIM_GRH : 0;

	return (uint64_t)(weft__sizes_wire(spec, cut, spec->header + grh) *
			  byte / load);
}

static void set_pauses(struct weft__hosts *hosts, const struct weft__net *net)
{
	const struct weft_sim_spec *spec = hosts->spec;

	for (uint32_t i = 0; i < hosts->nranks && weft__spec_draws(spec); i++) {
		uint32_t ep = hosts->rank_host[i];

		if (spec->load < 1 || spec->lossy)
			hosts->host[ep].pause = mean_pause(
				spec,
				net->out[weft__net_injection(net, ep)].byte,
				spec->load);
	}
	for (uint32_t i = 0; i < hosts->nswitches; i++)
		if (spec->switch_load < 1 || spec->lossy)
			hosts->host[hosts->switch_end[i]].pause = mean_pause(
				spec, weft__limit_ticks(spec->switch_mbps),
				spec->switch_load);
}

int weft__hosts_init(struct weft__hosts *hosts, const struct weft__net *net,
		     struct weft_sim *result, struct weft_arena *arena,
		     struct weft_diag *diag)
{
	const struct weft_sim_spec *spec = hosts->spec;
	uint32_t nep = net->f->nep;

	hosts->nranks = spec->mapping->nranks;
	hosts->places = spec->outstanding * (spec->lossy ? net->nvl : 1);
	if (!weft__beside_init(hosts, result, arena) ||
	    !allocate(hosts, net, arena))
		return -ENOMEM;
	list_switch_ends(hosts, net);
	if (net->nends > nep && hosts->nswitches < 2)
		return weft_fail(
			diag, EINVAL,
			"port 0 of %s has a LID: switches need another one to send to",
			WEFT_COUNT(hosts->nswitches, "switch"));
	weft_rng_seed_sample(hosts->rng, spec->seed, 1);
	set_hosts(hosts, net);
	weft_rng_seed_sample(hosts->rng, spec->seed, 0);
	place_ranks(hosts, net);
	if (weft__spec_draws(spec) && !has_two_nodes(hosts, net))
		return weft_fail(
			diag, EINVAL,
			"one host has nobody to send to: at least two are needed");
	set_pauses(hosts, net);
	hosts->hot = (uint64_t)(spec->hot_share * 0x1p32);
	return weft__leaving_init(hosts, arena) &&
			       weft__sequence_init(hosts, arena) &&
			       weft__steps_init(hosts, net, result, arena) &&
			       weft__pace_init(hosts, nep, arena) &&
			       weft__probing_init(hosts, nep, result, arena) ?
		       0 :
		       -ENOMEM;
}
