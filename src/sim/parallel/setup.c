// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cuts a simulation into parts for threads; see team.c. */
#include "sim/parallel/team.h"

#define MOST 64 /* threads */

/* Whether what switches and hosts do depends on nothing but what they see. */
static bool can_be_cut(const struct weft_sim_spec *spec)
{
	bool paths = spec->paths == WEFT_SIM_TABLES ||
		     spec->paths == WEFT_SIM_LEAST ||
		     spec->paths == WEFT_SIM_FLOWLETS;

	/* Into a queue for an output packets go as they are sent, by what the next
	 * switch sees then. */
	paths &= spec->paths == WEFT_SIM_TABLES ||
		 spec->queues == WEFT_SIM_FIFO;
	return paths && !spec->schedule && !spec->subnets && !spec->cc.on &&
	       !spec->nchanges && !spec->hoq && !(spec->until > 0) &&
	       !spec->trace_number && !spec->parts && !spec->check;
}

static uint32_t part_of_end(const struct weft__team *team, uint32_t end)
{
	const struct weft_fabric *f = team->s->net.f;

	return team->part[end < f->nep ? f->ep[end].sw : end - f->nep];
}

/* The part that sends by a channel. */
static uint32_t part_of_channel(const struct weft__team *team, uint32_t ch)
{
	const struct weft__net *net = &team->s->net;

	if (net->out[ch].sw != WEFT_NONE)
		return team->part[net->out[ch].sw];
	return part_of_end(team, ch - net->f->first_injection);
}

uint32_t weft__team_part(const struct weft__team *team, uint32_t slot)
{
	const struct weft__clock *clock = &team->s->clock;
	const struct weft__net *net = &team->s->net;
	uint32_t sw;

	if (slot < clock->heads)
		return part_of_channel(team, slot);
	if (slot < clock->credits) {
		sw = net->queue[slot - clock->heads].sw;
		return sw == WEFT_NONE ? 0 : team->part[sw];
	}
	if (slot < clock->hosts)
		return part_of_channel(
			team, net->lane[slot - clock->credits].channel);
	return slot < clock->arrivals ? part_of_end(team, slot - clock->hosts) :
					0;
}

static bool crosses(const struct weft__team *team, uint32_t ch)
{
	uint32_t to = team->s->net.out[ch].to;

	return team->s->net.out[ch].sw != WEFT_NONE && weft_is_switch(to) &&
	       team->part[to] != part_of_channel(team, ch);
}

/* Returns the ticks that a window may have, 0: none. */
static uint64_t find_window(const struct weft__team *team)
{
	const struct weft__net *net = &team->s->net;
	uint64_t least = UINT64_MAX, byte = UINT32_MAX;

	for (uint32_t ch = 0; ch < net->nch; ch++) {
		const struct weft__out *out = &net->out[ch];

		if (out->to == WEFT_NONE)
			continue;
		if (out->byte < byte)
			byte = out->byte;
		if (crosses(team, ch) && out->ahead < least)
			least = out->ahead;
	}
	byte *= net->least;
	return byte < least ? byte : least;
}

/* Numbers the lanes from one part to another, and counts those between each
 * two: count[from * n + to].  Returns how many there are. */
static uint32_t number_crossing(struct weft__team *team, uint32_t *count)
{
	struct weft__net *net = &team->s->net;
	uint32_t crossing = 0;

	for (uint32_t l = 0; l < net->nlanes; l++) {
		uint32_t ch = net->lane[l].channel;

		if (!crosses(team, ch))
			continue;
		net->lane[l].crossing = crossing++;
		count[part_of_channel(team, ch) * team->n +
		      team->part[net->out[ch].to]]++;
	}
	return crossing;
}

/* Gives a part its places for packets, as many as fit into its buffers, from
 * number first on; returns where those of the next one begin. */
static uint32_t give_packets(struct weft__team *team, uint32_t p,
			     uint32_t first)
{
	struct weft__net *net = &team->member[p].sim.net;
	uint64_t n = 1;

	for (uint32_t l = 0; l < net->nlanes; l++) {
		uint32_t to = net->out[net->lane[l].channel].to;

		if (to == WEFT_NONE)
			continue;
		if (weft_is_switch(to) ?
			    team->part[to] == p :
			    part_of_end(team, to & ~WEFT_ENDPORT) == p)
			n += weft__net_buffer(net, net->lane[l].channel) /
			     WEFT_SIM_BLOCK / weft__net_blocks(net->least);
	}
	net->new_packet = first;
	return first + n;
}

/* Returns how many packets the switches of a part can send at a time. */
static uint32_t count_senders(const struct weft__team *team, uint32_t p)
{
	const struct weft__net *net = &team->s->net;
	uint32_t n = 0;

	for (uint32_t ch = 0; ch < net->nch; ch++)
		n += net->out[ch].sw != WEFT_NONE &&
		     team->part[net->out[ch].sw] == p;
	return n;
}

static bool make_boxes(struct weft__team *team, uint32_t p,
		       const uint32_t *count, struct weft_arena *arena)
{
	struct member *m = &team->member[p];
	uint32_t senders = count_senders(team, p);

	for (unsigned i = 0; i < 2; i++) {
		m->box[i] =
			weft__arena_zalloc(arena, team->n, sizeof(*m->box[i]));
		for (uint32_t q = 0; m->box[i] && q < team->n; q++) {
			struct weft__post *post = &m->box[i][q];
			uint32_t there = count[p * team->n + q];
			uint64_t back = (uint64_t)m->border.queues *
					count[q * team->n + p];

			post->parcel = weft__arena_alloc(arena, there,
							 sizeof(*post->parcel));
			post->credit = weft__arena_alloc(
				arena, back < senders ? back : senders,
				sizeof(*post->credit));
		}
	}
	return !weft__arena_failed(arena);
}

/* Makes a part of a simulation: as that is, but with what each has of its own.
 */
static bool make_member(struct weft__team *team, uint32_t p, uint32_t slots,
			struct weft__border border, const uint32_t *count,
			struct weft_arena *arena)
{
	struct member *m = &team->member[p];

	m->team = team;
	m->sim = *team->s;
	m->border = border;
	m->sim.net.border = &m->border;
	m->sim.result = m->sim.measure.result = &m->result;
	m->sim.hosts.left = m->sim.hosts.last_arrival = 0;
	return weft__wheel_share(&m->sim.clock.wheel, arena, slots) &&
	       weft__measure_part(&m->sim.measure, arena) &&
	       make_boxes(team, p, count, arena);
}

/* Returns the most outputs of a switch, port 0 included. */
static uint32_t most_outputs(const struct weft_fabric *f)
{
	uint32_t most = 0;

	for (uint32_t sw = 0; sw < f->nsw; sw++)
		if (f->sw[sw].nports >= most)
			most = f->sw[sw].nports + 1;
	return most;
}

static bool make_members(struct weft__team *team, struct weft_arena *arena)
{
	struct weft__clock *clock = &team->s->clock;
	uint32_t n = team->n, crossing, first = 0;
	uint32_t *count = weft__arena_zalloc(arena, n * n, sizeof(*count));
	uint32_t *slots = weft__arena_zalloc(arena, n, sizeof(*slots));
	struct weft__border border = {
		.part = team->part,
		.queues = team->s->net.voq ? most_outputs(team->s->net.f) : 1,
	};

	/* One more for each part; nothing moves yet. */
	team->s->net.packet = weft__arena_alloc(arena, team->s->net.npool + n,
						sizeof(struct weft__packet));
	if (!count || !slots || !team->s->net.packet)
		return false;
	for (uint32_t slot = 0; slot < clock->arrivals; slot++)
		slots[weft__team_part(team, slot)]++;
	crossing = number_crossing(team, count);
	border.waited =
		weft__arena_zalloc(arena, crossing, sizeof(*border.waited));
	border.left = weft__arena_zalloc(
		arena, (size_t)crossing * border.queues, sizeof(*border.left));
	if (!border.waited || !border.left)
		return false;
	for (uint32_t i = 0; i < crossing; i++)
		border.waited[i].first.time = border.waited[i].bare.time =
			border.waited[i].came = WEFT__NEVER;
	for (uint32_t p = 0; p < n; p++) {
		if (!make_member(team, p, slots[p], border, count, arena))
			return false;
		first = give_packets(team, p, first);
	}
	return true;
}

bool weft__team_new(struct weft__sim *s, struct weft__team **out)
{
	struct weft_arena *arena = s->arena;
	uint32_t n = s->spec->threads < MOST ? s->spec->threads : MOST;
	struct weft__team *team;

	if (n > s->net.f->nsw)
		n = s->net.f->nsw;
	if (n < 2 || !can_be_cut(s->spec))
		return true;
	team = weft__arena_zalloc(arena, 1, sizeof(*team));
	if (!team)
		return false;
	team->s = s;
	team->n = n;
	team->part =
		weft__arena_alloc(arena, s->net.f->nsw, sizeof(*team->part));
	team->member = weft__arena_zalloc(arena, n, sizeof(*team->member));
	team->thread = weft__arena_alloc(arena, n, sizeof(*team->thread));
	if (weft__arena_failed(arena) ||
	    !weft__cut_switches(s->net.f, n, team->part, arena))
		return false;
	team->window = find_window(team);
	if (!team->window)
		return true;
	*out = team;
	return make_members(team, arena);
}
