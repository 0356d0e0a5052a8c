// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What moves beside a schedule until that is done: pairs of ranks that send
 * message after message, and port 0 of switches.
 */
#include "sim/sim.h"

#include <stdlib.h>

#define MESSAGE ((uint64_t)1 << 20)

bool weft__beside_init(struct weft__hosts *hosts, struct weft_sim *result,
		       struct weft_arena *arena)
{
	const struct weft_traffic *t = hosts->spec->beside;
	struct weft_draw draw = { .rng = hosts->rng };
	uint64_t most = t ? weft_traffic_max_pairs(t) : 0;

	if (!t)
		return true;
	hosts->pair = weft__arena_alloc(arena, most + 1, sizeof(*hosts->pair));
	hosts->pair_got =
		weft__arena_zalloc(arena, most + 1, sizeof(*hosts->pair_got));
	draw.scratch = weft__arena_alloc(arena, weft_traffic_scratch(t) + 1,
					 sizeof(*draw.scratch));
	if (weft_traffic_is_sized(t))
		draw.size =
			weft__arena_alloc(arena, most + 1, sizeof(*draw.size));
	result->flow = calloc(most + 1, sizeof(*result->flow));
	if (weft__arena_failed(arena) || !result->flow)
		return false;
	result->flows = hosts->npairs =
		weft_traffic_round(t, 0, &draw, hosts->pair);
	return true;
}

void weft__beside_start(struct weft__sim *s)
{
	struct weft__hosts *hosts = &s->hosts;
	uint64_t now = s->clock.now;

	for (uint64_t i = 0; i < hosts->npairs; i++) {
		uint32_t from = hosts->rank_host[hosts->pair[i].from];
		uint32_t to = hosts->rank_host[hosts->pair[i].to];
		struct weft__host *host = &hosts->host[from];
		struct weft__message *m;

		if (from == to)
			continue;
		m = &hosts->message[host->first + host->n++];
		*m = (struct weft__message){
			.created = now,
			.left = MESSAGE,
			.again = MESSAGE,
			.id = WEFT__BESIDE + i,
		};
		weft__host_message(hosts, &s->net, from, to, m);
		if (s->spec->flow_sl) {
			m->sl = s->spec->flow_sl[i];
			m->vl = m->sl % s->net.nvl;
		}
		weft__clock_wake(&s->clock, s->clock.hosts + from, now);
	}
}

void weft__beside_arrive(struct weft__hosts *hosts,
			 const struct weft__packet *p, uint32_t payload)
{
	if (p->message != WEFT_NONE)
		hosts->pair_got[p->message - WEFT__BESIDE] += payload;
}

void weft__beside_end(struct weft__sim *s, uint64_t end)
{
	struct weft_sim *r = s->result;

	for (uint64_t i = 0; i < s->hosts.npairs; i++)
		r->flow[i] = (struct weft_sim_flow){
			s->hosts.pair[i].from, s->hosts.pair[i].to,
			end ? 8. * s->hosts.pair_got[i] * WEFT__TICKS_NS / end :
			      0
		};
}
