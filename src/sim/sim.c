// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs a simulation; see weft/sim.h. */
#include "sim/sim.h"

#include <weft/rng.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STRETCH 65536 /* events between two looks at how it goes */
#define LOOKS 8	      /* of these between two searches for deadlocks */

const char *weft_sim_event_name(enum weft_sim_event event)
{
	static const char *const names[] = {
		[WEFT_SIM_SENT] = "sent",     [WEFT_SIM_HEAD] = "head",
		[WEFT_SIM_CREDIT] = "credit", [WEFT_SIM_HOST] = "host",
		[WEFT_SIM_DONE] = "done",     [WEFT_SIM_CHANGE] = "change",
	};

	return names[event];
}

const char *weft_sim_drop_name(enum weft_sim_drop drop)
{
	static const char *const names[] = {
		[WEFT_SIM_NO_ROUTE] = "no route",
		[WEFT_SIM_WRONG_END] = "wrong end",
		[WEFT_SIM_TOO_FAR] = "too far",
		[WEFT_SIM_NO_LANE] = "no lane",
		[WEFT_SIM_LINK_DOWN] = "link down",
		[WEFT_SIM_TOO_LONG] = "waited too long",
	};

	return names[drop];
}

const char *weft_sim_paths_name(enum weft_sim_paths paths)
{
	static const char *const names[] = {
		[WEFT_SIM_TABLES] = "tables",
		[WEFT_SIM_LEAST] = "least",
		[WEFT_SIM_RANDOM_LEAST] = "random",
		[WEFT_SIM_FLOWLETS] = "flowlet",
		[WEFT_SIM_OBLIVIOUS] = "oblivious",
		[WEFT_SIM_ADAPTIVE] = "adaptive",
		[WEFT_SIM_PROBING] = "probing",
	};

	return names[paths];
}

const char *weft_sim_lids_name(enum weft_sim_lids lids)
{
	static const char *const names[] = {
		[WEFT_SIM_LIDS_ROUTES] = "routes",
		[WEFT_SIM_LIDS_FIRST] = "first",
		[WEFT_SIM_LIDS_PAIR] = "pair",
		[WEFT_SIM_LIDS_RANDOM] = "random",
		[WEFT_SIM_LIDS_ROUND_ROBIN] = "round-robin",
		[WEFT_SIM_LIDS_ALL] = "all",
	};

	return names[lids];
}

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

static bool go_on(struct weft__sim *s, uint64_t packets)
{
	const struct weft_sim_spec *spec = s->spec;
	const struct weft_sim_progress at = {
		.now = s->now / WEFT_SIM_TICKS,
		.end = spec->time,
		.delivered = s->result->delivered,
		.packets = packets,
	};

	if (spec->check)
		s->result->violations += weft__invariants(s);
	if (!spec->progress || spec->progress(spec->progress_context, &at))
		return true;
	s->result->interrupted = true;
	return false;
}

/* Whether a load has been measured as well as it was asked to be. */
static bool is_precise(struct weft__sim *s)
{
	struct weft_sim *r = s->result;

	if (!(s->spec->until > 0) || !weft__sim_measures(s))
		return false;
	weft__measure_end(s);
	return r->steady && r->intervals >= WEFT_SIM_INTERVALS / 2 &&
	       r->throughput.mean > 0 && r->throughput.ci99 > 0 &&
	       r->throughput.ci99 <= s->spec->until * r->throughput.mean;
}

/* Handles events until none are left, or the run ends early.  0 or -ENOMEM. */
static int run_events(struct weft__sim *s, uint64_t packets)
{
	struct weft_sim *r = s->result;
	uint64_t stretch = s->spec->check ? 64 : STRETCH;
	int found = 0;

	for (unsigned look = 1; !found; look++) {
		bool more = weft__sim_events(s, stretch);

		if (s->now > s->end)
			break;
		if (!s->spec->hoq && (!more || look % LOOKS == 0))
			found = weft__deadlock_find(s);
		if (!more || !go_on(s, packets) || is_precise(s))
			break;
	}
	r->deadlocked = found > 0;
	return found < 0 ? found : 0;
}

static uint64_t max_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns the ticks that a message takes on the wire, on the slower one of both
 * hosts' links. */
static uint64_t wire_ticks(const struct weft__sim *s, uint32_t from,
			   const struct weft__message *m)
{
	const struct weft__out *out = &s->out[s->f->first_injection];
	uint64_t bytes = m->left + weft__sim_packets(s, m) *
					   weft__sim_header(s, from, m->dest);
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
		s->host[s->rank_host[pair[i].from]].n++;
	for (uint32_t ep = 0; ep < s->f->nep; ep++) {
		s->host[ep].first = first;
		first += s->host[ep].n;
		s->host[ep].n = s->host[ep].turn = 0;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint32_t from = s->rank_host[pair[i].from];
		uint32_t to = s->rank_host[pair[i].to];
		double bytes = s->spec->bytes * (size ? size[i] : 1);
		struct weft__message *m;

		if (from == to)
			continue;
		m = &s->message[s->host[from].first + s->host[from].n++];
		m->id = m - s->message;
		weft__host_message(s, from, to, m);
		if (s->spec->flow_sl) {
			m->sl = s->spec->flow_sl[i];
			m->vl = m->sl % s->nvl;
		}
		m->created = s->now;
		m->left = bytes < 1 ? 1 : (uint64_t)bytes;
		packets += weft__sim_packets(s, m);
		ideal = max_of(ideal, wire_ticks(s, from, m));
	}
	s->left = packets;
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
		uint64_t start = s->last_arrival;

		s->now = start;
		packets += begin_round(s, pair, n, weft_traffic_sizes(t, i));
		weft__host_start(s);
		err = run_events(s, packets);
		r->timeout = s->now > s->end;
		if (s->left || r->deadlocked || r->interrupted || r->timeout)
			break;
		r->round_ps[r->rounds++] =
			(s->last_arrival - start) / WEFT_SIM_TICKS;
	}
	return err;
}

static int run_load(struct weft__sim *s)
{
	int err;

	weft__host_start(s);
	err = run_events(s, 0);
	if (err)
		return err;
	weft__measure_end(s);
	return weft__measure_bins(s) ? 0 : -ENOMEM;
}

/* Notes the ranks of each message's ends. */
static void name_flows(struct weft__sim *s)
{
	for (uint32_t ep = 0; ep < s->f->nep; ep++) {
		const struct weft__host *host = &s->host[ep];

		for (uint32_t i = host->first; i < host->first + host->n; i++)
			s->flow[i] = (struct weft_pair){
				host->rank, s->host[s->message[i].dest].rank
			};
	}
}

/* Has the pairs of the first round send for the time. */
static int run_endless(struct weft__sim *s, struct weft_draw *draw,
		       struct weft_pair *pair)
{
	uint64_t n = weft_traffic_round(s->spec->traffic, 0, draw, pair);
	struct weft_sim *r = s->result;

	begin_round(s, pair, n, NULL);
	s->flow_got = weft__arena_zalloc(s->arena, n * WEFT__SEGMENTS + 1,
					 sizeof(*s->flow_got));
	s->flow = weft__arena_zalloc(s->arena, n + 1, sizeof(*s->flow));
	r->flow = calloc(n + 1, sizeof(*r->flow));
	if (!s->flow_got || !s->flow || !r->flow)
		return -ENOMEM;
	name_flows(s);
	r->flows = s->nflows = n;
	return run_load(s);
}

static int run_workload(struct weft__sim *s)
{
	const struct weft_traffic *t = s->spec->traffic;
	struct weft_draw draw = {
		.rng = s->rng,
		.scratch =
			weft__arena_alloc(s->arena, weft_traffic_scratch(t) + 1,
					  sizeof(*draw.scratch)),
	};
	struct weft_pair *pair = weft__arena_alloc(
		s->arena, weft_traffic_max_pairs(t) + 1, sizeof(*pair));

	s->result->round_ps = calloc(weft_traffic_rounds(t) + 1,
				     sizeof(*s->result->round_ps));
	if (!draw.scratch || !pair || !s->result->round_ps)
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
		s->host[s->rank_host[g->job[i].from]].n++;
		s->left += (g->job[i].bytes + mtu - 1) / mtu;
	}
	for (uint32_t ep = 0; ep < s->f->nep; ep++) {
		s->host[ep].first = first;
		first += s->host[ep].n;
		s->host[ep].n = 0;
	}
	weft__steps_start(s);
	err = run_events(s, s->left);
	r->timeout = s->now > s->end;
	/* What is last may be a pause. */
	s->last_arrival = max_of(s->last_arrival, s->now);
	return err;
}

static bool sum_lanes(struct weft__sim *s)
{
	struct weft_sim *r = s->result;
	uint64_t n = (uint64_t)s->f->nch * s->nvl;

	r->lane_bytes = malloc((n + 1) * sizeof(*r->lane_bytes));
	if (!r->lane_bytes)
		return false;
	r->channels = s->f->nch;
	r->lanes = s->nvl;
	for (uint64_t l = 0; l < n; l++)
		r->lane_bytes[l] = s->carried[l];
	return true;
}

static int finish(struct weft__sim *s)
{
	struct weft_sim *r = s->result;
	uint64_t end = s->now < s->end ? s->now : s->end;

	r->host = malloc(s->nranks * sizeof(*r->host));
	if (!r->host || !sum_lanes(s))
		return -ENOMEM;
	for (uint32_t i = 0; i < s->nranks; i++) {
		const struct weft__host *host = &s->host[s->rank_host[i]];

		r->host[i] =
			(struct weft_sim_host){ s->rank_host[i], host->sent,
						host->received };
	}

	if (!weft__sim_measures(s) && !r->interrupted && !r->timeout &&
	    !r->deadlocked)
		end = s->last_arrival;
	r->time = end / WEFT_SIM_TICKS;
	r->hosts = s->nranks;
	if (s->parts && !weft__parts_end(s))
		return -ENOMEM;
	r->queued = weft__sim_queued(s);
	if (s->spec->check)
		r->violations += weft__invariants(s);
	if (s->spec->paths == WEFT_SIM_TABLES && !s->spec->nchanges)
		r->violations += r->overtaken;
	return 0;
}

int weft_sim_run(const struct weft_fabric *fabric,
		 const struct weft_routes *routes,
		 const struct weft_sim_spec *spec, struct weft_sim *out,
		 struct weft_diag *diag)
{
	struct weft_sim result = { 0 };
	struct weft__sim s = {
		.f = fabric,
		.r = routes,
		.spec = spec,
		.result = &result,
	};
	int err = weft__spec_check(fabric, routes, spec, diag);

	if (err)
		return err;
	s.arena = weft__arena_new();
	s.rng = weft_rng_new(spec->seed);
	err = s.arena && s.rng ? weft__sim_setup(&s, diag) : -ENOMEM;
	if (!err) {
		err = spec->schedule ? run_schedule(&s) :
		      spec->traffic  ? run_workload(&s) :
				       run_load(&s);
		err = err ? err : finish(&s);
	}
	if (err == -ENOMEM)
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	weft_rng_free(s.rng);
	weft__arena_free(s.arena);
	if (err)
		weft_sim_free(&result);
	else
		*out = result;
	return err;
}
