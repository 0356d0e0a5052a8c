// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs a simulation; see weft/sim.h. */
#include "sim/sim.h"

#include <weft/rng.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void weft_sim_free(struct weft_sim *sim)
{
	free(sim->host);
	free(sim->flow);
	free(sim->round_ps);
	free(sim->lane_bytes);
	free(sim->packet_bin);
	free(sim->message_bin);
	free(sim->part);
	free(sim->part_bin);
	free(sim->job_began);
	free(sim->job_done);
	free(sim->trace.stop);
	free(sim->deadlock.channel);
	free(sim->deadlock.lane);
	free(sim->deadlock.packet);
	free(sim->deadlock.lid);
	free(sim->deadlock.sl);
	*sim = (struct weft_sim){ 0 };
}

/* --- running -------------------------------------------------------------- */

static uint64_t max_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns the ticks that a message takes on the wire, on the slower one of both
 * hosts' links. */
static uint64_t wire_ticks(const struct weft__sim *s, uint32_t from,
			   const struct weft__message *m)
{
	const struct weft__out *out = &s->net.out[s->net.f->first_injection];
	uint64_t bytes =
		m->left + weft__host_packets(&s->hosts, m) *
				  weft__net_header(&s->net, from, m->dest);
	uint32_t a = out[from].byte, b = out[m->dest].byte;

	return bytes * (a > b ? a : b);
}

/* Begins the messages of a round; returns how many there are, and of how many
 * packets. */
static uint64_t begin_round(struct weft__sim *s, struct weft_pair *pair,
			    uint64_t n, const double *size)
{
	uint64_t packets = 0, first = 0, ideal = 0;

	for (uint64_t i = 0; i < n; i++)
		s->hosts.host[s->hosts.rank_host[pair[i].from]].n++;
	for (uint32_t ep = 0; ep < s->net.f->nep; ep++) {
		s->hosts.host[ep].first = first;
		first += s->hosts.host[ep].n;
		s->hosts.host[ep].n = s->hosts.host[ep].turn = 0;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint32_t from = s->hosts.rank_host[pair[i].from];
		uint32_t to = s->hosts.rank_host[pair[i].to];
		double bytes = s->spec->bytes * (size ? size[i] : 1);
		struct weft__message *m;

		if (from == to)
			continue;
		m = &s->hosts.message[s->hosts.host[from].first +
				      s->hosts.host[from].n++];
		m->id = m - s->hosts.message;
		weft__host_message(&s->hosts, &s->net, from, to, m);
		if (s->spec->flow_sl) {
			m->sl = s->spec->flow_sl[i];
			m->vl = m->sl % s->net.nvl;
		}
		m->created = s->clock.now;
		m->left = bytes < 1 ? 1 : (uint64_t)bytes;
		m->again = s->spec->endless ? s->spec->bytes : 0;
		packets += weft__host_packets(&s->hosts, m);
		ideal = max_of(ideal, wire_ticks(s, from, m));
	}
	s->hosts.left = packets;
	s->result->ideal_ps += ideal / WEFT_SIM_TICKS;
	return packets;
}

/* Runs the rounds, each when the one before is delivered. */
static int run_rounds(struct weft__sim *s, struct weft_draw *draw,
		      struct weft_pair *pair)
{
	const struct weft_traffic *t = s->spec->traffic;
	struct weft_sim *r = s->result;
	uint64_t packets = 0;
	int err = 0;

	for (uint64_t i = 0; i < weft_traffic_rounds(t) && !err; i++) {
		uint64_t n = weft_traffic_round(t, i, draw, pair);
		uint64_t start = s->hosts.last_arrival;

		s->clock.now = start;
		packets += begin_round(s, pair, n, draw->size);
		weft__host_start(s);
		err = weft__sim_run(s, packets);
		r->timeout = s->clock.now > s->clock.end;
		if (s->hosts.left || r->deadlocked || r->interrupted ||
		    r->timeout)
			break;
		r->round_ps[r->rounds++] =
			(s->hosts.last_arrival - start) / WEFT_SIM_TICKS;
	}
	return err;
}

static int run_load(struct weft__sim *s)
{
	int err;

	weft__host_start(s);
	err = weft__sim_run(s, 0);
	if (err)
		return err;
	weft__measure_end(&s->measure, &s->net, &s->hosts, s->clock.now);
	return weft__measure_bins(&s->measure) ? 0 : -ENOMEM;
}

/* Notes the ranks of each message's ends. */
static void name_flows(struct weft__sim *s)
{
	for (uint32_t ep = 0; ep < s->net.f->nep; ep++) {
		const struct weft__host *host = &s->hosts.host[ep];

		for (uint32_t i = host->first; i < host->first + host->n; i++)
			s->measure.flow[i] = (struct weft_pair){
				host->rank,
				s->hosts.host[s->hosts.message[i].dest].rank
			};
	}
}

/* Has the pairs of the first round send for the time. */
static int run_endless(struct weft__sim *s, struct weft_draw *draw,
		       struct weft_pair *pair)
{
	uint64_t n = weft_traffic_round(s->spec->traffic, 0, draw, pair);

	begin_round(s, pair, n, NULL);
	if (!weft__measure_flows(&s->measure, n, s->arena))
		return -ENOMEM;
	name_flows(s);
	return run_load(s);
}

static int run_workload(struct weft__sim *s)
{
	const struct weft_traffic *t = s->spec->traffic;
	struct weft_draw draw = {
		.rng = s->hosts.rng,
		.scratch =
			weft__arena_alloc(s->arena, weft_traffic_scratch(t) + 1,
					  sizeof(*draw.scratch)),
	};
	struct weft_pair *pair = weft__arena_alloc(
		s->arena, weft_traffic_max_pairs(t) + 1, sizeof(*pair));

	s->result->round_ps = calloc(weft_traffic_rounds(t) + 1,
				     sizeof(*s->result->round_ps));
	if (weft_traffic_is_sized(t))
		draw.size = weft__arena_alloc(s->arena,
					      weft_traffic_max_pairs(t) + 1,
					      sizeof(*draw.size));
	if (!draw.scratch || !pair || !s->result->round_ps ||
	    (weft_traffic_is_sized(t) && !draw.size))
		return -ENOMEM;
	return s->spec->endless ? run_endless(s, &draw, pair) :
				  run_rounds(s, &draw, pair);
}

/* Runs a schedule: all messages of a host have a place. */
static int run_schedule(struct weft__sim *s)
{
	const struct weft_sim_schedule *g = s->spec->schedule;
	struct weft_sim *r = s->result;
	uint32_t first = 0, mtu = s->spec->mtu;
	bool done;
	int err;

	r->job_began = malloc((g->n + 1ull) * sizeof(*r->job_began));
	r->job_done = malloc((g->n + 1ull) * sizeof(*r->job_done));
	if (!r->job_began || !r->job_done)
		return -ENOMEM;
	r->jobs = g->n;
	memset(r->job_began, 0xff, g->n * sizeof(*r->job_began));
	memset(r->job_done, 0xff, g->n * sizeof(*r->job_done));
	for (uint32_t i = 0; i < g->n; i++) {
		if (g->job[i].from == g->job[i].to)
			continue;
		s->hosts.host[s->hosts.rank_host[g->job[i].from]].n++;
		s->hosts.left += (g->job[i].bytes + mtu - 1) / mtu;
	}
	for (uint64_t i = 0; i < s->hosts.npairs; i++)
		s->hosts.host[s->hosts.rank_host[s->hosts.pair[i].from]].n++;
	for (uint32_t ep = 0; ep < s->net.f->nep; ep++) {
		s->hosts.host[ep].first = first;
		first += s->hosts.host[ep].n;
		s->hosts.host[ep].n = 0;
	}
	weft__steps_start(s->hosts.steps, &s->clock);
	weft__beside_start(s);
	weft__host_start_switches(s);
	err = weft__sim_run(s, s->hosts.left);
	done = weft__steps_are_done(s->hosts.steps);
	r->timeout = s->clock.now > s->clock.end && !done;
	/* What is last may be a pause. */
	s->hosts.last_arrival = max_of(s->hosts.last_arrival, s->clock.now);
	if (done && weft__spec_beside(s->spec))
		s->hosts.last_arrival = s->clock.end;
	weft__beside_end(s, s->hosts.last_arrival);
	return err;
}

static bool sum_lanes(struct weft__sim *s)
{
	struct weft_sim *r = s->result;
	uint64_t n = (uint64_t)s->net.f->nch * s->net.nvl;

	r->lane_bytes = malloc((n + 1) * sizeof(*r->lane_bytes));
	if (!r->lane_bytes)
		return false;
	r->channels = s->net.f->nch;
	r->lanes = s->net.nvl;
	for (uint64_t l = 0; l < n; l++)
		r->lane_bytes[l] = s->net.lane[l].carried;
	return true;
}

static int finish(struct weft__sim *s)
{
	struct weft_sim *r = s->result;
	uint64_t end =
		s->clock.now < s->clock.end ? s->clock.now : s->clock.end;

	r->host = malloc(s->hosts.nranks * sizeof(*r->host));
	if (!r->host || !sum_lanes(s))
		return -ENOMEM;
	for (uint32_t i = 0; i < s->hosts.nranks; i++) {
		const struct weft__host *host =
			&s->hosts.host[s->hosts.rank_host[i]];

		r->host[i] =
			(struct weft_sim_host){ s->hosts.rank_host[i],
						host->sent, host->received };
	}

	if (!weft__spec_measures(s->spec) && !r->interrupted && !r->timeout &&
	    !r->deadlocked)
		end = s->hosts.last_arrival;
	r->time = end / WEFT_SIM_TICKS;
	r->hosts = s->hosts.nranks;
	if (s->measure.parts && !weft__parts_end(&s->measure, &s->net))
		return -ENOMEM;
	r->queued = weft__watch_queued(&s->net);
	if (s->spec->check)
		r->violations += weft__invariants(&s->net, s->result);
	if (s->spec->paths == WEFT_SIM_TABLES && !s->spec->nchanges)
		r->violations += r->overtaken;
	return 0;
}

/* Makes everything but the messages; 0 or -errno. */
static int set_up(struct weft__sim *s, struct weft_diag *diag)
{
	const struct weft_sim_spec *spec = s->spec;
	int err;

	s->clock.end =
		spec->time ? spec->time * WEFT_SIM_TICKS : UINT64_MAX - 1;
	err = weft__net_init(&s->net, &s->clock, s->arena, diag);
	if (err)
		return err;
	err = weft__hosts_init(&s->hosts, &s->net, s->result, s->arena, diag);
	if (err)
		return err;
	s->measure.nends = s->net.nends;
	s->measure.nhosts = s->net.f->nep;
	if (!weft__measure_init(&s->measure, s->clock.end, s->arena) ||
	    (spec->parts &&
	     !weft__parts_init(&s->measure, &s->net, &s->hosts, s->arena)))
		return -ENOMEM;
	return weft__watch_init(&s->watch, &s->net, &s->result->trace,
				s->arena) ?
		       0 :
		       -ENOMEM;
}

/* Simulates by as many threads as the spec says; -EAGAIN: one is needed. */
static int simulate(const struct weft_fabric *fabric,
		    const struct weft_routes *routes,
		    const struct weft_sim_spec *spec, struct weft_sim *out,
		    struct weft_diag *diag)
{
	struct weft__sim s = {
		.spec = spec,
		.result = out,
		.net = { .f = fabric, .r = routes, .spec = spec },
		.hosts = { .spec = spec },
		.measure = { .spec = spec, .result = out },
	};
	int err;

	s.arena = weft__arena_new();
	s.hosts.rng = weft_rng_new(spec->seed);
	err = s.arena && s.hosts.rng ? set_up(&s, diag) : -ENOMEM;
	if (!err) {
		err = spec->schedule ? run_schedule(&s) :
		      spec->traffic  ? run_workload(&s) :
				       run_load(&s);
		err = err ? err : finish(&s);
	}
	weft_rng_free(s.hosts.rng);
	weft__arena_free(s.arena);
	if (err)
		weft_sim_free(out);
	return err;
}

int weft_sim_run(const struct weft_fabric *fabric,
		 const struct weft_routes *routes,
		 const struct weft_sim_spec *spec, struct weft_sim *out,
		 struct weft_diag *diag)
{
	struct weft_sim result = { 0 };
	struct weft_sim_spec alone = *spec;
	int err = weft__spec_check(fabric, routes, spec, diag);

	if (err)
		return err;
	alone.threads = 1;
	err = simulate(fabric, routes, spec, &result, diag);
	if (err == -EAGAIN)
		err = simulate(fabric, routes, &alone, &result, diag);
	if (err == -ENOMEM)
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	if (!err)
		*out = result;
	return err;
}
