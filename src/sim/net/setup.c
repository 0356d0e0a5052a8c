// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes the network of a fabric: channels, lanes, queues and pools. */
#include "sim/net/net.h"

#include <errno.h>

/* Ticks that a byte takes on one lane of a cable, line coding included: at SDR
 * 2 Gbit/s, at FDR 14.0625 * 64 / 66. */
static const uint32_t byte_ticks[] = {
	[WEFT_SDR] = 36000,  [WEFT_DDR] = 18000, [WEFT_QDR] = 9000,
	[WEFT_FDR10] = 7200, [WEFT_FDR] = 5280,	 [WEFT_EDR] = 2880,
	[WEFT_HDR] = 1440,   [WEFT_NDR] = 720,	 [WEFT_XDR] = 360,
};

/* Returns the ticks of a byte on a channel, 0 if its rate is not known. */
static uint32_t byte_time(const struct weft_fabric *f, uint32_t ch)
{
	if (!f->width[ch] || !f->speed[ch] || f->speed[ch] > WEFT_XDR)
		return 0;
	return byte_ticks[f->speed[ch]] / f->width[ch];
}

/* Returns that of the slowest channel, for those whose rate is not known. */
static uint32_t slowest_byte(const struct weft_fabric *f)
{
	uint32_t most = 0;

	for (uint32_t ch = 0; ch < f->nch; ch++) {
		uint32_t here = byte_time(f, ch);

		most = here > most ? here : most;
	}
	return most ? most : byte_ticks[WEFT_QDR] / 4;
}

/* Returns how many entries SL2VL tables have. */
static size_t sl2vl_size(const struct weft_fabric *f,
			 const struct weft_layers *layers)
{
	size_t rows = 0;

	if (!layers->base)
		return (size_t)f->first_injection * WEFT_NSL;
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		rows += (f->sw[sw].nports + 1u) * (f->sw[sw].nports + 1u);
	return rows * WEFT_NSL;
}

/* Returns the service levels that flows are given, 0 if they are not. */
static unsigned count_sls(const struct weft_sim_spec *spec)
{
	unsigned most = 0;
	uint64_t n = spec->flow_sl ?
			     weft_traffic_max_pairs(weft__spec_flows(spec)) :
			     0;

	for (uint64_t i = 0; i < n; i++)
		if (spec->flow_sl[i] >= most)
			most = spec->flow_sl[i] + 1;
	return most;
}

/* Returns how many lanes there are: those in use, and what SL2VL tables name.
 */
static unsigned count_lanes(const struct weft_fabric *f,
			    const struct weft_layers *layers)
{
	unsigned most = layers->nvl ? layers->nvl : 1;
	size_t size = layers->sl2vl ? sl2vl_size(f, layers) : 0;

	for (size_t i = 0; i < size; i++)
		if (layers->sl2vl[i] < WEFT_MAX_LANES &&
		    layers->sl2vl[i] >= most)
			most = layers->sl2vl[i] + 1;
	return most;
}

/* Returns the words that a bit for each queue of a switch takes. */
static unsigned mask_words(const struct weft_fabric *f, unsigned nvl)
{
	unsigned ports = 1;

	for (uint32_t sw = 0; sw < f->nsw; sw++)
		if (f->sw[sw].nports + 1u > ports)
			ports = f->sw[sw].nports + 1;
	return (ports * nvl + 63) / 64;
}

/* Returns the bytes of the smallest packet that messages are cut into. */
static uint32_t smallest_packet(const struct weft_sim_spec *spec)
{
	uint64_t rest = spec->bytes % spec->mtu;

	if (spec->paths == WEFT_SIM_PROBING || spec->cc.on)
		return spec->header;
	if (spec->schedule || spec->packet_least || spec->sizes.n ||
	    (spec->traffic && weft_traffic_is_sized(spec->traffic)))
		return spec->header + 1;
	return spec->header + (rest ? rest : spec->mtu);
}

/* Returns the packets that fit into all buffers. */
static uint64_t pool_size(const struct weft__net *net)
{
	uint32_t least = weft__net_blocks(net->least);
	uint64_t packets = 0;

	for (uint32_t ch = 0; ch < net->f->nch; ch++)
		if (net->f->peer[ch] != WEFT_NONE)
			packets += weft__net_buffer(net, ch) / WEFT_SIM_BLOCK /
				   least;
	/* Into port 0 and out of it. */
	packets += 2ull * (net->nends - net->f->nep) *
		   (net->spec->buffer / WEFT_SIM_BLOCK / least);
	return packets * net->nvl + 1;
}

/* Returns room for the most packets in the buffer for a lane, which are as many
 * as send credits back at a time, in whole lines. */
static uint32_t ring_size(const struct weft__net *net)
{
	uint32_t buffer = net->spec->buffer;

	if (net->spec->subnets && net->spec->router_buffer > buffer)
		buffer = net->spec->router_buffer;
	return (buffer / WEFT_SIM_BLOCK / weft__net_blocks(net->least) | 7) + 1;
}

static bool allocate(struct weft__net *net, struct weft_arena *a)
{
	bool voq = net->spec->queues == WEFT_SIM_VOQ;

	net->out = weft__arena_zalloc(a, net->nch, sizeof(*net->out));
	net->lane = weft__arena_zalloc(a, net->nlanes, sizeof(*net->lane));
	net->queue = weft__arena_zalloc(a, net->nqueues, sizeof(*net->queue));
	if (voq)
		net->voq =
			weft__arena_zalloc(a, net->nlanes, sizeof(*net->voq));
	net->facing = weft__arena_alloc(a, net->nlanes, sizeof(*net->facing));
	net->asking = weft__arena_zalloc(a, (size_t)net->nlanes * net->words,
					 sizeof(*net->asking));
	net->packet = weft__arena_alloc(a, net->npool, sizeof(*net->packet));
	net->note = weft__arena_alloc(a, (size_t)net->nlanes * net->ring,
				      sizeof(*net->note));
	return net->out && net->lane && (!voq || net->voq) && net->queue &&
	       net->facing && net->asking && net->packet && net->note;
}

/* Sets the lanes of a channel and the queues at its end; facing: the channel
 * whose queues come in by the port that it leaves by. */
static void set_lanes(struct weft__net *net, uint32_t ch, uint32_t facing)
{
	const struct weft__out *out = &net->out[ch];

	for (unsigned vl = 0; vl < net->nvl; vl++) {
		uint32_t l = ch * net->nvl + vl;

		net->lane[l] = (struct weft__lane){
			.credits = weft__net_buffer(net, ch) / WEFT_SIM_BLOCK,
			.channel = ch,
			.crossing = WEFT_NONE,
			.vl = vl,
		};
		net->queue[l] = (struct weft__queue){
			.head = WEFT_NONE,
			.lane = l,
			.sw = weft_is_switch(out->to) ? out->to : WEFT_NONE,
			.wire = out->wire,
			.at = out->port * net->nvl + vl,
			.port = out->port,
			.vl = vl,
		};
		net->facing[l] = facing == WEFT_NONE ? WEFT_NONE :
						       facing * net->nvl + vl;
	}
}

static void set_channel(struct weft__net *net, uint32_t ch, uint32_t unknown)
{
	const struct weft_fabric *f = net->f;
	uint32_t byte = byte_time(f, ch);
	uint64_t cable = net->spec->cable_of ? net->spec->cable_of[ch] :
					       net->spec->cable;
	uint64_t relay = weft__net_to_router(net, ch) ?
				 net->spec->router_relay :
				 net->spec->relay;

	net->out[ch] = (struct weft__out){
		.byte = byte ? byte : unknown,
		.wire = cable * WEFT_SIM_TICKS,
		.ahead = (cable + relay) * WEFT_SIM_TICKS,
		.to = f->peer[ch],
		.served = WEFT_NONE,
		.sw = WEFT_NONE,
		.port = f->peer_port[ch],
		.limit_left = net->spec->limit ? net->spec->limit * 64 : 1,
	};
	set_lanes(net, ch,
		  f->peer[ch] == WEFT_NONE ? WEFT_NONE : f->reverse[ch]);
}

/* Sets up port 0 of switches that send: a channel of its own into the switch,
 * and the one that is port 0's out of it. */
static void set_switch_ends(struct weft__net *net)
{
	const struct weft_fabric *f = net->f;
	uint32_t byte = weft__limit_ticks(net->spec->switch_mbps);

	for (uint32_t sw = 0; sw < net->nends - f->nep; sw++) {
		uint32_t in = f->first_injection + f->nep + sw;
		uint32_t out = weft_channel(f, sw, 0);

		net->out[in] = (struct weft__out){
			.byte = byte,
			.ahead = net->spec->relay * WEFT_SIM_TICKS,
			.to = sw,
			.served = WEFT_NONE,
			.sw = WEFT_NONE,
		};
		set_lanes(net, in, WEFT_NONE);
		net->out[out].byte = byte;
		net->out[out].wire = 0;
		net->out[out].to = (f->nep + sw) | WEFT_ENDPORT;
		set_lanes(net, out, in);
	}
}

/* Sets up the queues for each output at the ends of channels to switches. */
static void set_voqs(struct weft__net *net)
{
	uint32_t next = net->nlanes;

	for (uint32_t l = 0; l < net->nlanes; l++) {
		uint32_t sw = net->queue[l].sw;

		net->voq[l] = next;
		if (sw == WEFT_NONE)
			continue;
		for (unsigned i = 0; i <= net->f->sw[sw].nports; i++)
			net->queue[next++] = net->queue[l];
	}
}

/* Returns how many queues there are for lanes, and for outputs. */
static uint64_t count_queues(const struct weft__net *net)
{
	uint64_t n = net->nlanes;

	if (net->spec->queues == WEFT_SIM_FIFO)
		return n;
	for (uint32_t ch = 0; ch < net->f->nch; ch++)
		if (weft_is_switch(net->f->peer[ch]))
			n += (net->f->sw[net->f->peer[ch]].nports + 1ull) *
			     net->nvl;
	for (uint32_t sw = 0; sw < net->nends - net->f->nep; sw++)
		n += (net->f->sw[sw].nports + 1ull) * net->nvl;
	return n;
}

static void set_channels(struct weft__net *net)
{
	uint32_t unknown = slowest_byte(net->f);

	for (uint32_t ch = 0; ch < net->f->nch; ch++)
		set_channel(net, ch, unknown);
	for (uint32_t sw = 0; sw < net->f->nsw; sw++)
		for (uint32_t ch = net->f->first_channel[sw];
		     ch < net->f->first_channel[sw + 1]; ch++)
			net->out[ch].sw = sw;
	set_switch_ends(net);
	if (net->voq)
		set_voqs(net);
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		net->lane_of[sl] = sl % net->nvl;
	net->free_packet = WEFT_NONE;
}

/* Counts ends, channels, lanes and what follows from them. */
static void count(struct weft__net *net)
{
	const struct weft_sim_spec *spec = net->spec;
	const struct weft_layers *layers = &net->r->layers;

	net->nends = net->f->nep + (spec->switch_load > 0 ? net->f->nsw : 0);
	net->nch = net->f->nch + net->nends - net->f->nep;
	net->nvl = count_lanes(net->f, layers);
	if (weft__longer_lanes(spec->paths) > net->nvl)
		net->nvl = weft__longer_lanes(spec->paths);
	if (!layers->sl2vl && (unsigned)spec->host_sl + 1 > net->nvl)
		net->nvl = spec->host_sl + 1;
	if (!layers->sl2vl && (unsigned)spec->switch_sl + 1 > net->nvl)
		net->nvl = spec->switch_sl + 1;
	if (!layers->sl2vl && count_sls(spec) > net->nvl)
		net->nvl = count_sls(spec);
	net->nlanes = net->nch * net->nvl;
	net->words = mask_words(net->f, net->nvl);
	net->least = smallest_packet(spec);
	net->ring = ring_size(net);
	net->by_age = spec->arbitration == WEFT_SIM_AGE;
}

static bool set_clock(const struct weft__net *net, struct weft__clock *clock,
		      struct weft_arena *arena)
{
	const struct weft_sim_spec *spec = net->spec;
	struct weft__slots n = { net->nch, net->nqueues, net->nlanes,
				 net->nends, spec->logp.on ? net->nends : 0 };
	uint64_t span =
		(uint64_t)slowest_byte(net->f) * (spec->mtu + spec->header);
	uint64_t relay = spec->subnets && spec->router_relay > spec->relay ?
				 spec->router_relay :
				 spec->relay;

	span += (spec->cable * 2 + relay) * WEFT_SIM_TICKS;
	return weft__clock_init(clock, arena, &n, span);
}

int weft__net_init(struct weft__net *net, struct weft__clock *clock,
		   struct weft_arena *arena, struct weft_diag *diag)
{
	uint64_t pool, queues;

	count(net);
	pool = pool_size(net);
	queues = count_queues(net);
	if (pool >= UINT32_MAX || queues >= UINT32_MAX / 4)
		return weft_fail(
			diag, EINVAL,
			"%s may be in buffers of %u bytes at once: take smaller ones",
			WEFT_COUNT(pool, "packet"), net->spec->buffer);
	net->npool = pool;
	net->nqueues = queues;
	if (!weft__routers_part(net, arena) || !allocate(net, arena) ||
	    !set_clock(net, clock, arena))
		return -ENOMEM;
	set_channels(net);
	return weft__choose_init(net, arena) && weft__longer_init(net, arena) &&
			       weft__marks_init(net, arena) &&
			       weft__routers_init(net, arena) &&
			       weft__change_init(net, clock, arena) ?
		       0 :
		       -ENOMEM;
}
