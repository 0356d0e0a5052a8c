// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What cannot be simulated; see weft/sim.h. */
#include "sim/sim.h"

#include <errno.h>
#include <inttypes.h>

static int check_network(const struct weft_sim_spec *p, struct weft_diag *diag)
{
	uint32_t grh = p->subnets ? WEFT_SIM_GRH : 0;
	uint32_t packet = weft__net_blocks(p->mtu + p->header + grh);
	uint32_t buffer = p->subnets && p->router_buffer < p->buffer ?
				  p->router_buffer :
				  p->buffer;

	if (p->mtu < 256 || p->mtu > 4096 || p->mtu & (p->mtu - 1))
		return weft_fail(
			diag, EINVAL,
			"MTU of %u bytes: InfiniBand has 256, 512, 1024, 2048 and 4096",
			p->mtu);
	if (p->header < 1 || p->header > 512)
		return weft_fail(diag, EINVAL,
				 "headers of %u bytes: 1 to 512 are possible",
				 p->header);
	if (buffer / WEFT_SIM_BLOCK < packet)
		return weft_fail(
			diag, EINVAL,
			"a buffer of %u bytes has no credits for a packet of %u: %u are needed",
			buffer, p->mtu + p->header + grh,
			packet * WEFT_SIM_BLOCK);
	if (p->buffer > 1u << 24 || p->router_buffer > 1u << 24)
		return weft_fail(
			diag, EINVAL, "a buffer of %u bytes: %u at most",
			p->buffer > p->router_buffer ? p->buffer :
						       p->router_buffer,
			1u << 24);
	if (!p->routes || p->routes > 255)
		return weft_fail(diag, EINVAL,
				 "%u routes of a pair: 1 to 255 are possible",
				 p->routes);
	if (p->cable > 100000000 || p->relay > 100000000 ||
	    p->router_relay > 100000000)
		return weft_fail(diag, EINVAL,
				 "a delay of more than 100 microseconds");
	return 0;
}

static int check_arbitration(const struct weft_sim_vlarb *table,
			     struct weft_diag *diag)
{
	if (table->n > 64)
		return weft_fail(diag, EINVAL,
				 "%u entries of VL arbitration: 64 at most",
				 table->n);
	for (unsigned i = 0; i < table->n; i++)
		if (table->entry[i].vl >= WEFT_MAX_LANES)
			return weft_fail(
				diag, EINVAL,
				"VL arbitration of lane %u: data lanes are 0 to %u",
				table->entry[i].vl, WEFT_MAX_LANES - 1);
	return 0;
}

static int check_load(const struct weft_sim_spec *p, struct weft_diag *diag)
{
	if (!(p->load > 0 && p->load <= 1))
		return weft_fail(diag, EINVAL,
				 "a load of %g: more than 0 and 1 at most",
				 p->load);
	if (p->time < 1000 * WEFT_SIM_INTERVALS)
		return weft_fail(diag, EINVAL,
				 "a load has to last %u ns at least",
				 WEFT_SIM_INTERVALS);
	if (p->warmup != UINT64_MAX && p->warmup >= p->time)
		return weft_fail(
			diag, EINVAL,
			"the warm-up is as long as the load: nothing is left to measure");
	if (!(p->hot_share >= 0 && p->hot_share <= 1))
		return weft_fail(diag, EINVAL,
				 "a share of %g to hot spots: 0 to 1",
				 p->hot_share);
	if (!p->hot_spots || p->hot_spots > p->mapping->nranks)
		return weft_fail(diag, EINVAL, "%u hot spots among %u hosts",
				 p->hot_spots, p->mapping->nranks);
	if (!p->outstanding || p->outstanding > 65536)
		return weft_fail(
			diag, EINVAL,
			"1 to 65536 messages may be outstanding, not %u",
			p->outstanding);
	return 0;
}

static int check_schedule(const struct weft_sim_schedule *g,
			  struct weft_diag *diag)
{
	uint32_t stuck;
	int err = weft_sim_schedule_check(g, &stuck, diag);

	if (err == -ELOOP)
		return weft_fail(
			diag, EINVAL,
			"message %u of the schedule waits for one that waits for it, or for such",
			stuck);
	return err;
}

static int check_traffic(const struct weft_sim_spec *p, struct weft_diag *diag)
{
	if (!p->bytes || p->bytes > 1ull << 40)
		return weft_fail(diag, EINVAL, "messages have 1 byte to 1 TiB");
	if (p->traffic && weft_traffic_ranks(p->traffic) != p->mapping->nranks)
		return weft_fail(
			diag, EINVAL, "traffic of %u ranks, but places for %u",
			weft_traffic_ranks(p->traffic), p->mapping->nranks);
	if (p->switch_load > 0 && p->traffic)
		return weft_fail(
			diag, EINVAL,
			"switches send beside a load or a schedule only");
	if (p->beside &&
	    (!p->schedule || p->in_order ||
	     weft_traffic_ranks(p->beside) != p->mapping->nranks))
		return weft_fail(
			diag, EINVAL,
			"pairs send beside a schedule of as many ranks whose messages take turns");
	if (!(p->switch_load >= 0 && p->switch_load <= 1) ||
	    (p->switch_load > 0 &&
	     (!p->switch_mbps || weft__hosts_choose(p))))
		return weft_fail(
			diag, EINVAL,
			"a load of switches of %g at %u Mbit/s: 0 to 1, with a speed, and not where hosts choose routes",
			p->switch_load, p->switch_mbps);
	if (p->host_sl < -1 || p->host_sl >= WEFT_MAX_LANES ||
	    p->switch_sl < -1 || p->switch_sl >= WEFT_MAX_LANES)
		return weft_fail(
			diag, EINVAL,
			"service levels %d and %d: 0 to %d are possible",
			p->host_sl, p->switch_sl, WEFT_MAX_LANES - 1);
	if (p->schedule && p->traffic)
		return weft_fail(
			diag, EINVAL,
			"a schedule and traffic: only one of both can be run");
	if (p->flow_sl && !weft__spec_flows(p))
		return weft_fail(diag, EINVAL,
				 "service levels of flows without flows");
	for (uint64_t i = 0; p->flow_sl &&
	     i < weft_traffic_max_pairs(weft__spec_flows(p)); i++)
		if (p->flow_sl[i] >= WEFT_MAX_LANES)
			return weft_fail(diag, EINVAL,
					 "flow %" PRIu64
					 " has SL %u: 0 to %d are possible",
					 i, p->flow_sl[i], WEFT_MAX_LANES - 1);
	if ((p->in_order && !p->schedule) || (p->logp.on && !p->in_order))
		return weft_fail(
			diag, EINVAL,
			"messages of a schedule leave in order, and take time of hosts only then");
	if (p->logp.on && (p->logp.o > 1ull << 40 || p->logp.g > 1ull << 40 ||
			   p->logp.O > 1ull << 20))
		return weft_fail(
			diag, EINVAL,
			"a message takes a second of its host, a byte a microsecond, at most");
	if (p->schedule && p->schedule->nranks != p->mapping->nranks)
		return weft_fail(diag, EINVAL,
				 "a schedule of %u ranks, but places for %u",
				 p->schedule->nranks, p->mapping->nranks);
	if (p->schedule)
		return check_schedule(p->schedule, diag);
	return p->traffic && !p->endless ? 0 : check_load(p, diag);
}

static int check_cables(const struct weft_fabric *f,
			const struct weft_sim_spec *p, struct weft_diag *diag)
{
	for (uint32_t ch = 0; ch < f->nch && p->cable_of; ch++)
		if (p->cable_of[ch] > 100000000)
			return weft_fail(
				diag, EINVAL,
				"a cable of more than 100 microseconds");
	return 0;
}

static int check_hosts(const struct weft_fabric *f, const struct weft_routes *r,
		       const struct weft_sim_spec *p, struct weft_diag *diag)
{
	if (r->lft.nsw != f->nsw)
		return weft_fail(diag, EINVAL,
				 "the tables are of another fabric");
	for (uint32_t i = 0; i < p->mapping->nslots; i++)
		if (!f->ep[p->mapping->endport[i]].lid)
			return weft_fail(
				diag, EINVAL,
				"host '%s' has no LID, nothing can be sent there",
				f->node[f->ep[p->mapping->endport[i]].node]
					.name);
	return 0;
}

static int check_trace(const struct weft_fabric *f,
		       const struct weft_sim_spec *p, struct weft_diag *diag)
{
	if (p->trace_number &&
	    (p->trace_from >= f->nep || p->trace_to >= f->nep))
		return weft_fail(
			diag, EINVAL,
			"a packet to be followed from endport %u to %u: there are %u",
			p->trace_from, p->trace_to, f->nep);
	return 0;
}

int weft__spec_check(const struct weft_fabric *f, const struct weft_routes *r,
		     const struct weft_sim_spec *p, struct weft_diag *diag)
{
	int err = check_network(p, diag);

	err = err ? err : check_arbitration(&p->high, diag);
	err = err ? err : check_arbitration(&p->low, diag);
	err = err ? err : check_traffic(p, diag);
	err = err ? err : weft__leaving_check(p, diag);
	err = err ? err : weft__pace_check(p, diag);
	err = err ? err : weft__lids_check(p, diag);
	err = err ? err : weft__sizes_check(p, diag);
	err = err ? err : weft__sequence_check(p, diag);
	err = err ? err : weft__change_check(f, p, diag);
	err = err ? err : check_trace(f, p, diag);
	err = err ? err : check_cables(f, p, diag);
	err = err ? err : weft__longer_check(f, p, diag);
	return err ? err : check_hosts(f, r, p, diag);
}
