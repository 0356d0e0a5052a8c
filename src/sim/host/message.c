// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Where messages go, by which LID and lane, and when the next one is made.
 *
 * Each host draws from a generator of its own, so that it sends the same to the
 * same hosts whatever the tables are: what differs between two sets of tables
 * is due to these.
 */
#include "sim/host/host.h"
#include "sim/kernel/random.h"

/* Fills in the first leg of a message between subnets. */
static void begin_leg(const struct weft__net *net, uint32_t from,
		      struct weft__message *m)
{
	const struct weft_sim_subnets *n = net->spec->subnets;
	struct weft_sim_leg leg;

	n->begin(n->context, from, m->dest, &leg);
	m->lid = leg.to;
	m->sl = leg.sl;
	m->vl = leg.vl;
}

void weft__host_message(struct weft__hosts *hosts, const struct weft__net *net,
			uint32_t from, uint32_t to, struct weft__message *m)
{
	m->dest = to;
	if (net->routers) {
		begin_leg(net, from, m);
	} else if (from < net->f->nep) {
		weft__lids_begin(hosts, net, from, m);
	} else {
		m->lid = net->f->sw[to - net->f->nep].lid;
		m->sl = weft_layers_sl(&net->r->layers, net->f,
				       from - net->f->nep, m->lid);
		m->vl = m->sl % net->nvl;
	}
	weft__lids_level(net, from, m);
}

/* --- draws ---------------------------------------------------------------- */

/*
 * Draws from the exponential distribution of that mean by von Neumann's method,
 * which compares numbers and takes no logarithm, whose last bits would depend
 * on the machine.
 */
static uint64_t draw_pause(struct weft__host *host, uint64_t mean)
{
	for (uint64_t whole = 0;; whole++) {
		uint64_t first = weft__sim_random(&host->random) >> 32,
			 last = first, next;
		unsigned n = 0;

		while ((next = weft__sim_random(&host->random) >> 32) < last) {
			last = next;
			n++;
		}
		if (n % 2 == 0)
			return whole * mean +
			       (uint64_t)((unsigned __int128)first * mean >>
					  32);
	}
}

static uint32_t node_of(const struct weft__hosts *hosts,
			const struct weft__net *net, uint32_t rank)
{
	return net->f->ep[hosts->rank_host[rank]].node;
}

/* Returns the rank that the next message of a rank goes to: of another node, as
 * what stays in a node does not need the fabric. */
static uint32_t draw_rank(const struct weft__hosts *hosts,
			  const struct weft__net *net, struct weft__host *host)
{
	uint64_t n = hosts->nranks, spots = hosts->spec->hot_spots, group, spot;
	uint32_t own = node_of(hosts, net, host->rank), to;

	if (hosts->partner)
		return weft__sequence_next(hosts, host);
	if (hosts->leaving)
		return weft__leaving_draw(hosts, host);
	if (hosts->hot) {
		group = host->rank * spots / n;
		spot = (group * n + spots - 1) / spots;
		if (weft__sim_random(&host->random) >> 32 < hosts->hot &&
		    node_of(hosts, net, spot) != own)
			return spot;
	}
	do {
		to = weft__sim_random_below(&host->random, n - 1);
		to += to >= host->rank;
	} while (node_of(hosts, net, to) == own);
	return to;
}

/* Returns the end that the next message goes to: of a switch, a switch. */
static uint32_t draw_end(const struct weft__hosts *hosts,
			 const struct weft__net *net, uint32_t ep)
{
	struct weft__host *host = &hosts->host[ep];
	const uint32_t *first;
	uint32_t to;

	if (ep < net->f->nep)
		return hosts->rank_host[draw_rank(hosts, net, host)];
	first = &hosts->switch_first[net->part[ep - net->f->nep]];
	to = first[0] +
	     weft__sim_random_below(&host->random, first[1] - first[0] - 1);
	return hosts->switch_end[to + (to >= host->rank)];
}

/* Returns the ticks until the next message is made. */
static uint64_t next_pause(const struct weft__hosts *hosts,
			   const struct weft__net *net, uint32_t ep)
{
	struct weft__host *host = &hosts->host[ep];
	double load =
		ep < net->f->nep ? hosts->spec->load : hosts->spec->switch_load;

	if (!host->pause)
		return 0;
	return load < 1 ? draw_pause(host, host->pause) : host->pause;
}

void weft__host_begin(struct weft__hosts *hosts, const struct weft__net *net,
		      uint32_t ep, struct weft__message *m)
{
	struct weft__host *host = &hosts->host[ep];

	weft__host_message(hosts, net, ep, draw_end(hosts, net, ep), m);
	m->left = weft__sizes_draw(hosts->spec, &host->random);
	host->next += next_pause(hosts, net, ep);
}

void weft__host_first(struct weft__hosts *hosts, const struct weft__net *net,
		      uint32_t ep)
{
	const struct weft_sim_spec *spec = hosts->spec;
	struct weft__host *host = &hosts->host[ep];
	uint64_t within = net->out[weft__net_injection(net, ep)].byte *
			  (uint64_t)(spec->mtu + spec->header);

	host->next = next_pause(hosts, net, ep);
	if (!host->pause || host->next == host->pause)
		host->next = weft__sim_random_below(&host->random, within);
}
