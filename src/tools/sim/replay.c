// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages from files: what came of each. */
#include "tools/sim/sim.h"

#include <inttypes.h>
#include <stdlib.h>

#define SLOWEST 5 /* messages that the report names */

/* Whether a job is a message that was delivered. */
static bool is_done(const struct tool_sim *s, uint32_t i)
{
	const struct weft_sim_job *job = &s->replay->schedule.job[i];

	return job->from != job->to && s->result.job_done[i] != UINT64_MAX;
}

/* Returns the ps from when a message could begin until it was delivered. */
static uint64_t taken(const struct tool_sim *s, uint32_t i)
{
	return s->result.job_done[i] - s->result.job_began[i];
}

struct summary {
	uint64_t messages, done, least, most;
	double mean;
	uint32_t slowest[SLOWEST];
	unsigned n;
};

/* Keeps the slowest ones, the first of equal ones first. */
static void keep(const struct tool_sim *s, uint32_t job, struct summary *sum)
{
	unsigned at = sum->n < SLOWEST ? sum->n++ : SLOWEST;

	while (at && taken(s, sum->slowest[at - 1]) < taken(s, job)) {
		if (at < SLOWEST)
			sum->slowest[at] = sum->slowest[at - 1];
		at--;
	}
	if (at < SLOWEST)
		sum->slowest[at] = job;
}

static struct summary sum_up(const struct tool_sim *s)
{
	struct summary sum = { .messages = s->replay->messages,
			       .least = UINT64_MAX };

	for (uint32_t i = 0; i < s->result.jobs; i++) {
		uint64_t ps;

		if (!is_done(s, i))
			continue;
		ps = taken(s, i);
		sum.done++;
		sum.mean += ps;
		sum.least = ps < sum.least ? ps : sum.least;
		sum.most = ps > sum.most ? ps : sum.most;
		keep(s, i, &sum);
	}
	if (sum.done)
		sum.mean /= sum.done;
	else
		sum.least = 0;
	return sum;
}

static const char *name_of(const struct tool_sim *s, uint32_t job)
{
	return s->replay->names + s->replay->name[job];
}

void tool_sim_replay_print(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim_host *host = s->result.host;
	struct summary sum = sum_up(s);
	char from[160], to[160];

	fprintf(out, "  time                  %.3f us\n", s->result.time / 1e6);
	fprintf(out, "  messages              %s, %s delivered\n",
		WEFT_COUNT(sum.messages, NULL), WEFT_COUNT(sum.done, NULL));
	if (!sum.done)
		return;
	fprintf(out,
		"    latency             %.3f us on average, %.3f to %.3f\n",
		sum.mean / 1e6, sum.least / 1e6, sum.most / 1e6);
	fputs("    slowest\n", out);
	for (unsigned i = 0; i < sum.n; i++) {
		uint32_t at = sum.slowest[i];
		const struct weft_sim_job *job = &s->replay->schedule.job[at];

		fprintf(out, "    %10.3f us  line %u%s%s: %s -> %s, %s\n",
			taken(s, at) / 1e6, s->replay->line[at],
			*name_of(s, at) ? ", " : "", name_of(s, at),
			tool_text_vertex(s->c->fabric,
					 host[job->from].ep | WEFT_ENDPORT,
					 from, sizeof(from)),
			tool_text_vertex(s->c->fabric,
					 host[job->to].ep | WEFT_ENDPORT, to,
					 sizeof(to)),
			WEFT_COUNT(job->bytes, "byte"));
	}
}

void tool_sim_replay_json(const struct tool_sim *s, json_t *root)
{
	const struct weft_sim_schedule *g = &s->replay->schedule;
	struct summary sum = sum_up(s);
	json_t *list = json_array();

	for (uint32_t i = 0; i < g->n; i++) {
		if (g->job[i].from == g->job[i].to)
			continue;
		json_array_append_new(
			list,
			json_pack(
				"{s:i, s:o, s:i, s:i, s:I, s:o, s:o}", "line",
				s->replay->line[i], "name",
				*name_of(s, i) ?
					tool_json_string(name_of(s, i)) :
					json_null(),
				"from", g->job[i].from, "to", g->job[i].to,
				"bytes", (json_int_t)g->job[i].bytes,
				"began_us",
				is_done(s, i) ?
					json_real(s->result.job_began[i] /
						  1e6) :
					json_null(),
				"done_us",
				is_done(s, i) ?
					json_real(s->result.job_done[i] / 1e6) :
					json_null()));
	}
	json_object_set_new(root, "delivered", json_integer(sum.done));
	json_object_set_new(root, "messages", list);
}
