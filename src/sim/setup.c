// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes a simulation from a fabric: channels, lanes, pools, hosts. */
#include "sim/sim.h"

#include <weft/rng.h>

#include <errno.h>
#include <string.h>

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
	uint64_t n = spec->flow_sl ? weft_traffic_max_pairs(spec->traffic) : 0;

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
	if (spec->traffic || spec->schedule || spec->packet_least ||
	    spec->sizes.n)
		return spec->header + 1;
	return spec->header + (rest ? rest : spec->mtu);
}

/* Returns the packets that fit into all buffers. */
static uint64_t pool_size(const struct weft__sim *s)
{
	uint32_t least = weft__sim_blocks(smallest_packet(s->spec));
	uint64_t packets = 0;

	for (uint32_t ch = 0; ch < s->f->nch; ch++)
		if (s->f->peer[ch] != WEFT_NONE)
			packets += weft__sim_buffer(s, ch) / WEFT_SIM_BLOCK /
				   least;
	/* Into port 0 and out of it. */
	packets += 2ull * (s->nends - s->f->nep) *
		   (s->spec->buffer / WEFT_SIM_BLOCK / least);
	return packets * s->nvl + 1;
}

static bool allocate(struct weft__sim *s)
{
	struct weft_arena *a = s->arena;
	uint32_t nep = s->nends;
	uint64_t most =
		s->spec->schedule ? s->spec->schedule->n :
		s->spec->traffic  ? weft_traffic_max_pairs(s->spec->traffic) :
				    (uint64_t)nep * s->places;

	s->out = weft__arena_zalloc(a, s->nch, sizeof(*s->out));
	s->lane = weft__arena_zalloc(a, s->nqueues, sizeof(*s->lane));
	if (s->spec->queues == WEFT_SIM_VOQ)
		s->voq = weft__arena_zalloc(a, s->nlanes, sizeof(*s->voq));
	s->queue = weft__arena_alloc(a, s->nlanes, sizeof(*s->queue));
	s->carried = weft__arena_zalloc(a, s->nlanes, sizeof(*s->carried));
	s->asking = weft__arena_zalloc(a, (size_t)s->nlanes * s->words,
				       sizeof(*s->asking));
	s->packet = weft__arena_alloc(a, s->npool, sizeof(*s->packet));
	s->note = weft__arena_alloc(a, s->npool, sizeof(*s->note));
	s->host = weft__arena_zalloc(a, nep, sizeof(*s->host));
	s->message = weft__arena_alloc(a, most + 1, sizeof(*s->message));
	s->rank_host = weft__arena_alloc(a, s->nranks, sizeof(*s->rank_host));
	s->switch_end = weft__arena_alloc(a, s->f->nsw, sizeof(*s->switch_end));
	s->switch_first = weft__arena_zalloc(a, s->nparts + 1ull,
					     sizeof(*s->switch_first));
	if (s->spec->check || s->spec->paths != WEFT_SIM_TABLES)
		s->last_sequence =
			weft__arena_zalloc(a, (size_t)nep * nep << s->lmc,
					   sizeof(*s->last_sequence));
	return s->out && s->lane && s->queue && s->carried && s->asking &&
	       s->packet && s->note && s->host && s->message && s->rank_host &&
	       s->switch_end && s->switch_first &&
	       (!(s->spec->check || s->spec->paths != WEFT_SIM_TABLES) ||
		s->last_sequence) &&
	       (s->spec->queues == WEFT_SIM_FIFO || s->voq);
}

/* Places for what is measured under load. */
static bool allocate_series(struct weft__sim *s)
{
	struct weft_arena *a = s->arena;
	size_t bins = WEFT__SEGMENTS * weft__bins(WEFT__FINE);

	if (!weft__sim_measures(s))
		return true;
	s->interval =
		weft__arena_zalloc(a, WEFT_SIM_INTERVALS, sizeof(*s->interval));
	s->got = weft__arena_zalloc(a, (size_t)s->nends * WEFT__SEGMENTS,
				    sizeof(*s->got));
	s->packet_bins = weft__arena_zalloc(a, bins, sizeof(uint32_t));
	s->message_bins = weft__arena_zalloc(a, bins, sizeof(uint32_t));
	return s->interval && s->got && s->packet_bins && s->message_bins;
}

/* Sets the lanes of a channel; queue: the channel whose queues come in by the
 * port that it leaves by. */
static void set_lanes(struct weft__sim *s, uint32_t ch, uint32_t queue)
{
	for (unsigned vl = 0; vl < s->nvl; vl++) {
		uint32_t l = ch * s->nvl + vl;

		s->lane[l] = (struct weft__lane){
			.head = WEFT_NONE,
			.note = WEFT_NONE,
			.credits = weft__sim_buffer(s, ch) / WEFT_SIM_BLOCK,
			.channel = ch,
			.vl = vl,
		};
		s->queue[l] =
			queue == WEFT_NONE ? WEFT_NONE : queue * s->nvl + vl;
	}
}

static void set_channel(struct weft__sim *s, uint32_t ch, uint32_t unknown)
{
	const struct weft_fabric *f = s->f;
	uint32_t byte = byte_time(f, ch);
	uint64_t relay = weft__sim_to_router(s, ch) ? s->spec->router_relay :
						      s->spec->relay;

	s->out[ch] = (struct weft__out){
		.byte = byte ? byte : unknown,
		.wire = s->spec->cable * WEFT_SIM_TICKS,
		.ahead = (s->spec->cable + relay) * WEFT_SIM_TICKS,
		.to = f->peer[ch],
		.served = WEFT_NONE,
		.sw = WEFT_NONE,
		.port = f->peer_port[ch],
		.limit_left = s->spec->limit ? s->spec->limit * 64 : 1,
	};
	set_lanes(s, ch, f->peer[ch] == WEFT_NONE ? WEFT_NONE : f->reverse[ch]);
}

/* Lists those ports 0 that send, by part: they have LIDs, and another one to
 * send to. */
static void list_switch_ends(struct weft__sim *s)
{
	for (uint32_t part = 0; part < s->nparts; part++) {
		uint32_t first = s->nswitches;

		for (uint32_t sw = 0; sw < s->nends - s->f->nep; sw++)
			if (s->part[sw] == part && s->f->sw[sw].lid)
				s->switch_end[s->nswitches++] = s->f->nep + sw;
		if (s->nswitches - first < 2)
			s->nswitches = first;
		s->switch_first[part] = first;
	}
	s->switch_first[s->nparts] = s->nswitches;
}

/* Sets up port 0 of switches that send: a channel of its own into the switch,
 * and the one that is port 0's out of it. */
static void set_switch_ends(struct weft__sim *s)
{
	const struct weft_fabric *f = s->f;
	uint32_t byte = weft__limit_ticks(s->spec->switch_mbps);

	for (uint32_t sw = 0; sw < s->nends - f->nep; sw++) {
		uint32_t in = f->first_injection + f->nep + sw;
		uint32_t out = weft_channel(f, sw, 0);

		s->out[in] = (struct weft__out){
			.byte = byte,
			.ahead = s->spec->relay * WEFT_SIM_TICKS,
			.to = sw,
			.served = WEFT_NONE,
			.sw = WEFT_NONE,
		};
		set_lanes(s, in, WEFT_NONE);
		s->out[out].byte = byte;
		s->out[out].wire = 0;
		s->out[out].to = (f->nep + sw) | WEFT_ENDPORT;
		set_lanes(s, out, in);
	}
	list_switch_ends(s);
}

/* Sets up the queues for each output at the ends of channels to switches. */
static void set_voqs(struct weft__sim *s)
{
	uint32_t next = s->nlanes;

	for (uint32_t l = 0; l < s->nlanes; l++) {
		uint32_t to = s->out[s->lane[l].channel].to;

		s->voq[l] = next;
		if (!weft_is_switch(to))
			continue;
		for (unsigned i = 0; i <= s->f->sw[to].nports; i++) {
			s->lane[next] = s->lane[l];
			s->lane[next++].credits = 0;
		}
	}
}

/* Returns how many queues there are for lanes, and for outputs. */
static uint64_t count_queues(const struct weft__sim *s)
{
	uint64_t n = s->nlanes;

	if (s->spec->queues == WEFT_SIM_FIFO)
		return n;
	for (uint32_t ch = 0; ch < s->f->nch; ch++)
		if (weft_is_switch(s->f->peer[ch]))
			n += (s->f->sw[s->f->peer[ch]].nports + 1ull) * s->nvl;
	for (uint32_t sw = 0; sw < s->nends - s->f->nep; sw++)
		n += (s->f->sw[sw].nports + 1ull) * s->nvl;
	return n;
}

static void set_channels(struct weft__sim *s)
{
	uint32_t unknown = slowest_byte(s->f);

	for (uint32_t ch = 0; ch < s->f->nch; ch++)
		set_channel(s, ch, unknown);
	for (uint32_t sw = 0; sw < s->f->nsw; sw++)
		for (uint32_t ch = s->f->first_channel[sw];
		     ch < s->f->first_channel[sw + 1]; ch++)
			s->out[ch].sw = sw;
	set_switch_ends(s);
	if (s->voq)
		set_voqs(s);
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		s->lane_of[sl] = sl % s->nvl;
	s->free_packet = s->free_note = WEFT_NONE;
}

/* Chooses the hosts of the ranks, which may be drawn, keeping their order
 * unless that is drawn, too. */
static void place_ranks(struct weft__sim *s, struct weft_rng *rng)
{
	const struct weft_mapping *m = s->spec->mapping;
	uint32_t from = m->random_subset ? m->nslots : m->nranks, n = 0;

	for (uint32_t i = 0; i < from && n < m->nranks; i++)
		if (from == m->nranks ||
		    weft_rng_below(rng, from - i) < m->nranks - n)
			s->rank_host[n++] = m->endport[i];
	if (m->random_order)
		weft_rng_shuffle(rng, s->rank_host, n);
	for (uint32_t i = 0; i < s->nends; i++)
		s->host[i].rank = WEFT_NONE;
	for (uint32_t i = 0; i < s->nswitches; i++)
		s->host[s->switch_end[i]].rank = i;
	for (uint32_t i = 0; i < n; i++)
		s->host[s->rank_host[i]].rank = i;
}

static bool has_two_nodes(const struct weft__sim *s)
{
	const struct weft_endport *ep = s->f->ep;

	for (uint32_t i = 1; i < s->nranks; i++)
		if (ep[s->rank_host[i]].node != ep[s->rank_host[0]].node)
			return true;
	return false;
}

/* Gives each host a generator and places for its messages, by endport, so that
 * traffic is the same wherever ranks stand. */
static void set_hosts(struct weft__sim *s)
{
	struct weft_rng *rng = s->rng;

	for (uint32_t i = 0; i < s->nends; i++) {
		struct weft__host *host = &s->host[i];

		host->random = (uint64_t)weft_rng_u32(rng) << 32;
		host->random |= weft_rng_u32(rng);
		host->first = s->spec->traffic || s->spec->schedule ?
				      0 :
				      i * s->places;
	}
	s->inject = weft__limit_ticks(s->spec->inject);
	s->drain = weft__limit_ticks(s->spec->drain);
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

static void set_pauses(struct weft__sim *s)
{
	const struct weft_sim_spec *spec = s->spec;

	if (spec->traffic || spec->schedule)
		return;
	for (uint32_t i = 0; i < s->nranks; i++) {
		uint32_t ep = s->rank_host[i];

		if (spec->load < 1 || spec->lossy)
			s->host[ep].pause = mean_pause(
				spec, s->out[s->f->first_injection + ep].byte,
				spec->load);
	}
	for (uint32_t i = 0; i < s->nswitches; i++)
		if (spec->switch_load < 1 || spec->lossy)
			s->host[s->switch_end[i]].pause = mean_pause(
				spec, weft__limit_ticks(spec->switch_mbps),
				spec->switch_load);
}

static bool make_wheel(struct weft__sim *s)
{
	uint32_t byte = slowest_byte(s->f);
	uint64_t span = (uint64_t)byte * (s->spec->mtu + s->spec->header);
	uint64_t relay =
		s->spec->subnets && s->spec->router_relay > s->spec->relay ?
			s->spec->router_relay :
			s->spec->relay;
	uint64_t far = (s->spec->cable * 2 + relay) * WEFT_SIM_TICKS;

	return weft__wheel_init(&s->wheel, s->arena, weft__slot_sweep(s) + 1,
				span + far, s->nch + 1);
}

/* Returns the ticks of an interval in the beginning: a microsecond or two, of
 * which doubled again and again 64 are the whole time, or a few ticks more. */
static uint64_t first_width(uint64_t end)
{
	uint64_t width = (end + WEFT_SIM_INTERVALS - 1) / WEFT_SIM_INTERVALS;

	while (width >= 2000 * WEFT__TICKS_NS)
		width = (width + 1) / 2;
	return width;
}

/* Counts ends, channels, lanes, ranks and what follows from them. */
static void count_parts(struct weft__sim *s)
{
	s->nends = s->f->nep + (s->spec->switch_load > 0 ? s->f->nsw : 0);
	s->nch = s->f->nch + s->nends - s->f->nep;
	s->nvl = count_lanes(s->f, &s->r->layers);
	if (!s->r->layers.sl2vl && (unsigned)s->spec->host_sl + 1 > s->nvl)
		s->nvl = s->spec->host_sl + 1;
	if (!s->r->layers.sl2vl && (unsigned)s->spec->switch_sl + 1 > s->nvl)
		s->nvl = s->spec->switch_sl + 1;
	if (!s->r->layers.sl2vl && count_sls(s->spec) > s->nvl)
		s->nvl = count_sls(s->spec);
	s->nlanes = s->nch * s->nvl;
	s->words = mask_words(s->f, s->nvl);
	s->nranks = s->spec->mapping->nranks;
	if (s->spec->lids != WEFT_SIM_LIDS_ROUTES)
		s->lmc = weft_fabric_lmc(s->f);
	s->by_age = s->spec->arbitration == WEFT_SIM_AGE;
	s->places = s->spec->outstanding * (s->spec->lossy ? s->nvl : 1);
}

int weft__sim_setup(struct weft__sim *s, struct weft_diag *diag)
{
	uint64_t pool, queues;

	count_parts(s);
	pool = pool_size(s);
	queues = count_queues(s);
	if (pool >= UINT32_MAX || queues >= UINT32_MAX / 4)
		return weft_fail(diag, EINVAL,
				 "%s may be in buffers of %u bytes at once: take smaller ones",
				 WEFT_COUNT(pool, "packet"), s->spec->buffer);
	s->npool = pool;
	s->nqueues = queues;
	if (!weft__routers_part(s) || !allocate(s) || !allocate_series(s) ||
	    !make_wheel(s) ||
	    (s->spec->schedule && !weft__steps_init(s)))
		return -ENOMEM;
	set_channels(s);
	if (!weft__choose_init(s))
		return -ENOMEM;
	if (s->nends > s->f->nep && s->nswitches < 2)
		return weft_fail(
			diag, EINVAL,
			"port 0 of %s has a LID: switches need another one to send to",
			WEFT_COUNT(s->nswitches, "switch"));
	if (s->spec->cc.on && !weft__pace_init(s))
		return -ENOMEM;
	if (s->spec->parts && !weft__parts_init(s))
		return -ENOMEM;
	if (s->spec->trace_number && !weft__trace_init(s))
		return -ENOMEM;
	if ((s->spec->nchanges || s->spec->hoq) && !weft__change_init(s))
		return -ENOMEM;
	weft_rng_seed_sample(s->rng, s->spec->seed, 1);
	set_hosts(s);
	weft_rng_seed_sample(s->rng, s->spec->seed, 0);
	place_ranks(s, s->rng);
	if (weft__sim_draws(s) && !has_two_nodes(s))
		return weft_fail(diag, EINVAL,
				 "one host has nobody to send to: at least two are needed");
	if (!weft__routers_init(s) || !weft__sequence_init(s))
		return -ENOMEM;
	s->end =
		s->spec->time ? s->spec->time * WEFT_SIM_TICKS : UINT64_MAX - 1;
	s->width = first_width(s->end);
	set_pauses(s);
	s->hot = (uint64_t)(s->spec->hot_share * 0x1p32);
	return 0;
}
