// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Schedules: which message waits for which.
 *
 * A communication pattern in rounds becomes a schedule without barriers: each
 * rank goes on to its next round by itself.  Between two rounds of a rank there
 * is a gate, a pause of no length, that waits for what the rank had to do in
 * the first one, and that its messages of the second one wait for.  A rank's
 * gates wait for each other, so that what comes early does not open a later
 * one.
 */
#include "sim/host/schedule.h"

#include "core/grow.h"

#include <weft/rng.h>
#include <weft/sim.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weft_sim_schedule_free(struct weft_sim_schedule *schedule)
{
	free(schedule->job);
	free(schedule->first);
	free(schedule->after);
	*schedule = (struct weft_sim_schedule){ 0 };
}

/* --- conditions ----------------------------------------------------------- */

static int check_job(const struct weft_sim_schedule *g, uint32_t i,
		     struct weft_diag *diag)
{
	const struct weft_sim_job *job = &g->job[i];

	if (job->from >= g->nranks || job->to >= g->nranks)
		return weft_fail(
			diag, EINVAL,
			"message %u is from rank %u to rank %u, of %u ranks", i,
			job->from, job->to, g->nranks);
	if (job->from != job->to && (!job->bytes || job->bytes > 1ull << 40))
		return weft_fail(diag, EINVAL,
				 "message %u: messages have 1 byte to 1 TiB",
				 i);
	for (uint64_t k = g->first[i]; k < g->first[i + 1]; k++)
		if (g->after[k] / 2 >= g->n)
			return weft_fail(
				diag, EINVAL,
				"message %u waits for one that is not there",
				i);
	return 0;
}

/* Returns how many jobs could be done in some order; needs[] and done[] have
 * room for n. */
static uint32_t count_possible(const struct weft_sim_schedule *g,
			       const uint64_t *out_first, const uint32_t *out,
			       uint32_t *needs, uint32_t *done)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->n; i++) {
		needs[i] = g->first[i + 1] - g->first[i];
		if (!needs[i])
			done[n++] = i;
	}
	for (uint32_t at = 0; at < n; at++)
		for (uint64_t k = out_first[2ull * done[at]];
		     k < out_first[2ull * done[at] + 2]; k++)
			if (!--needs[out[k]])
				done[n++] = out[k];
	return n;
}

void weft__schedule_turn(const struct weft_sim_schedule *g, uint64_t *first,
			 uint32_t *out)
{
	uint64_t edges = g->first[g->n];

	memset(first, 0, (2ull * g->n + 1) * sizeof(*first));
	for (uint64_t k = 0; k < edges; k++)
		first[g->after[k] + 1]++;
	for (uint64_t i = 0; i < 2ull * g->n; i++)
		first[i + 1] += first[i];
	for (uint32_t i = g->n; i-- > 0;)
		for (uint64_t k = g->first[i]; k < g->first[i + 1]; k++)
			out[--first[g->after[k] + 1]] = i;
	/* Each first[i + 1] is where the jobs of i begin now. */
	memmove(first, first + 1, 2ull * g->n * sizeof(*first));
	first[2ull * g->n] = edges;
}

int weft_sim_schedule_check(const struct weft_sim_schedule *g, uint32_t *stuck,
			    struct weft_diag *diag)
{
	uint64_t *first = malloc((2ull * g->n + 1) * sizeof(*first));
	uint32_t *out = malloc((g->first[g->n] + 1) * sizeof(*out));
	uint32_t *needs = malloc((g->n + 1ull) * sizeof(*needs));
	uint32_t *done = malloc((g->n + 1ull) * sizeof(*done));
	int err = first && out && needs && done ? 0 : -ENOMEM;

	*stuck = g->n;
	for (uint32_t i = 0; i < g->n && !err; i++)
		err = check_job(g, i, diag);
	if (!err) {
		weft__schedule_turn(g, first, out);
		if (count_possible(g, first, out, needs, done) < g->n) {
			for (*stuck = 0; !needs[*stuck]; ++*stuck)
				;
			err = -ELOOP;
		}
	}
	free(first);
	free(out);
	free(needs);
	free(done);
	return err;
}

/* --- patterns ------------------------------------------------------------- */

/* A schedule in the making. */
struct maker {
	struct weft_sim_schedule *g;
	size_t jobs, firsts, edges; /* that there is room for */
	uint64_t conditions;
	uint32_t *gate;	 /* [nranks] the last one of each, or NONE */
	uint32_t *count; /* [nranks + 1] messages of a rank in the round */
	uint32_t *of;	 /* [2 * pairs] these, as conditions */
	enum weft_sim_sync sync;
	bool back;
};

/* Adds a job that waits for nothing yet; conditions are added to the last one.
 */
static bool add_job(struct maker *m, const struct weft_sim_job *job)
{
	struct weft_sim_schedule *g = m->g;

	if (g->n >= UINT32_MAX / 2 - 1 ||
	    weft__grow(&g->job, &m->jobs, g->n + 1ull) ||
	    weft__grow(&g->first, &m->firsts, g->n + 2ull))
		return false;
	g->job[g->n++] = *job;
	g->first[g->n] = m->conditions;
	return true;
}

static bool add_condition(struct maker *m, uint32_t what)
{
	struct weft_sim_schedule *g = m->g;

	if (weft__grow(&g->after, &m->edges, m->conditions + 1))
		return false;
	g->after[m->conditions++] = what;
	g->first[g->n] = m->conditions;
	return true;
}

/* Adds a round's messages, each behind the gate of its rank. */
static bool add_messages(struct maker *m, const struct weft_pair *pair,
			 uint64_t n, const double *size, uint64_t bytes)
{
	for (uint64_t i = 0; i < n; i++) {
		double here = bytes * (size ? size[i] : 1);
		struct weft_sim_job job = {
			.from = pair[i].from,
			.to = pair[i].to,
			.bytes = here < 1 ? 1 : (uint64_t)here,
		};
		uint32_t gate = m->gate[job.from];

		if (!add_job(m, &job) ||
		    (gate != WEFT_NONE &&
		     !add_condition(m, WEFT_SIM_SENT_OUT(gate))))
			return false;
	}
	return true;
}

/* Adds the gate of a rank behind a round in which it had something to do. */
static bool add_gate(struct maker *m, uint32_t rank)
{
	struct weft_sim_job job = { .from = rank, .to = rank };
	uint32_t before = m->gate[rank];

	if (!add_job(m, &job) || (before != WEFT_NONE &&
				  !add_condition(m, WEFT_SIM_SENT_OUT(before))))
		return false;
	for (uint32_t k = m->count[rank]; k < m->count[rank + 1]; k++)
		if (!add_condition(m, m->of[k]))
			return false;
	m->gate[rank] = m->g->n - 1;
	return true;
}

/* Adds one gate for all ranks behind a round whose messages are the last n
 * jobs. */
static bool add_barrier(struct maker *m, uint64_t n)
{
	uint32_t first = m->g->n - n;
	const struct weft_sim_job job = { .from = 0, .to = 0 };

	if (!n)
		return true;
	if (!add_job(m, &job))
		return false;
	for (uint64_t k = 0; k < n; k++)
		if (!add_condition(m, WEFT_SIM_DELIVERED(first + k)))
			return false;
	for (uint32_t r = 0; r < m->g->nranks; r++)
		m->gate[r] = m->g->n - 1;
	return true;
}

/* Sorts what ranks wait for after a round whose messages are the last n jobs,
 * by rank. */
static void sort_conditions(struct maker *m, uint64_t n)
{
	const struct weft_sim_schedule *g = m->g;
	uint32_t first = g->n - n;
	bool sent = m->sync == WEFT_SIM_SYNC_SEND;

	memset(m->count, 0, (g->nranks + 2ull) * sizeof(*m->count));
	for (uint32_t i = first; i < g->n; i++) {
		m->count[g->job[i].from + 2]++;
		if (!sent && g->job[i].to != g->job[i].from)
			m->count[g->job[i].to + 2]++;
	}
	for (uint32_t r = 0; r < g->nranks; r++)
		m->count[r + 2] += m->count[r + 1];
	for (uint32_t i = first; i < g->n; i++) {
		uint32_t what =
			sent ? WEFT_SIM_SENT_OUT(i) : WEFT_SIM_DELIVERED(i);

		m->of[m->count[g->job[i].from + 1]++] = what;
		if (!sent && g->job[i].to != g->job[i].from)
			m->of[m->count[g->job[i].to + 1]++] = what;
	}
}

static bool add_round(struct maker *m, const struct weft_pair *pair, uint64_t n,
		      const double *size, uint64_t bytes)
{
	if (!add_messages(m, pair, n, size, bytes))
		return false;
	if (m->sync == WEFT_SIM_SYNC_BARRIER)
		return add_barrier(m, n);
	sort_conditions(m, n);
	for (uint32_t r = 0; r < m->g->nranks; r++)
		if (m->count[r + 1] > m->count[r] && !add_gate(m, r))
			return false;
	return true;
}

static bool add_rounds(struct maker *m, const struct weft_traffic *t,
		       uint64_t bytes, struct weft_draw *draw,
		       struct weft_pair *pair)
{
	for (uint64_t i = 0; i < weft_traffic_rounds(t); i++) {
		uint64_t n = weft_traffic_round(t, i, draw, pair);

		if (!add_round(m, pair, n, draw->size, bytes))
			return false;
		if (!m->back)
			continue;
		for (uint64_t k = 0; k < n; k++)
			pair[k] =
				(struct weft_pair){ pair[k].to, pair[k].from };
		if (!add_round(m, pair, n, draw->size, bytes))
			return false;
	}
	return true;
}

int weft_sim_schedule_rounds(const struct weft_traffic *traffic, uint64_t bytes,
			     enum weft_sim_sync sync, bool back,
			     uint32_t passes, uint32_t seed,
			     struct weft_sim_schedule *out)
{
	uint64_t pairs = weft_traffic_max_pairs(traffic);
	struct weft_sim_schedule g = {
		.nranks = weft_traffic_ranks(traffic),
		.first = calloc(64, sizeof(*g.first)),
	};
	struct maker m = {
		.g = &g,
		.firsts = 64,
		.gate = malloc((g.nranks + 1ull) * sizeof(*m.gate)),
		.count = malloc((g.nranks + 2ull) * sizeof(*m.count)),
		.of = malloc((2 * pairs + 1) * sizeof(*m.of)),
		.sync = sync,
		.back = back,
	};
	struct weft_draw draw = {
		.rng = weft_rng_new(seed),
		.scratch = malloc((weft_traffic_scratch(traffic) + 1) *
				  sizeof(*draw.scratch)),
	};
	struct weft_pair *pair = malloc((pairs + 1) * sizeof(*pair));
	bool sized = weft_traffic_is_sized(traffic), ok;

	if (sized)
		draw.size = malloc((pairs + 1) * sizeof(*draw.size));
	ok = g.first && m.gate && m.count && m.of && draw.rng &&
	     draw.scratch && pair && (draw.size || !sized);
	if (ok) {
		weft_rng_seed_sample(draw.rng, seed, 0);
		memset(m.gate, 0xff, g.nranks * sizeof(*m.gate));
		for (uint32_t i = 0; i < passes && ok; i++)
			ok = add_rounds(&m, traffic, bytes, &draw, pair);
	}
	weft_rng_free(draw.rng);
	free(draw.scratch);
	free(draw.size);
	free(pair);
	free(m.gate);
	free(m.count);
	free(m.of);
	if (ok)
		*out = g;
	else
		weft_sim_schedule_free(&g);
	return ok ? 0 : -ENOMEM;
}
