// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What came of a run; see outcome.h. */
#include "tools/sim/outcome.h"

uint64_t tool_sim_dropped(const struct weft_sim *r)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		n += r->dropped[i];
	return n;
}

bool tool_sim_went_wrong(const struct weft_sim *r)
{
	return r->deadlocked || r->timeout || r->interrupted ||
	       tool_sim_dropped(r);
}

const char *tool_sim_state(const struct weft_sim *r)
{
	if (r->deadlocked)
		return "deadlock";
	if (r->interrupted)
		return "interrupted";
	return r->timeout ? "timeout" : "done";
}

static uint64_t round_sum(const struct weft_sim *r)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < r->rounds; i++)
		sum += r->round_ps[i];
	return sum;
}

double tool_sim_round_share(const struct weft_sim *r)
{
	uint64_t sum = round_sum(r);

	if (r->deadlocked || r->interrupted || r->timeout || !sum ||
	    tool_sim_dropped(r))
		return 0;
	return (double)r->ideal_ps / sum;
}

void tool_sim_rank_gbps(const struct tool_sim *s, double *gbps)
{
	const struct weft_sim_schedule *g = s->spec->schedule;
	const struct weft_sim *r = &s->result;

	double *sent = calloc(r->hosts + 1ull, sizeof(*sent));

	for (uint32_t i = 0; i < r->hosts; i++)
		gbps[i] = 0;
	for (uint32_t i = 0; i < g->n; i++) {
		const struct weft_sim_job *job = &g->job[i];
		double end = r->job_done[i];

		if (job->from == job->to || !sent ||
		    r->job_done[i] == UINT64_MAX)
			continue;
		sent[job->from] += job->bytes;
		if (end > gbps[job->from])
			gbps[job->from] = end;
		if (end > gbps[job->to])
			gbps[job->to] = end;
	}
	for (uint32_t i = 0; i < r->hosts; i++)
		gbps[i] = gbps[i] > 0 ? sent[i] * 8e3 / gbps[i] : 0;
	free(sent);
}

struct weft_cycle tool_sim_cycle(const struct weft_sim_deadlock *d,
				 struct weft_flow *by)
{
	for (uint32_t i = 0; i < d->n; i++)
		by[i] = (struct weft_flow){
			.source = d->packet[i].from | WEFT_ENDPORT,
			.dest = d->packet[i].to | WEFT_ENDPORT,
			.lid = d->lid[i],
			.sl = d->sl[i],
		};
	return (struct weft_cycle){ .vl = d->lane[0],
				    .n = d->n,
				    .channel = d->channel,
				    .lane = d->lane,
				    .by = by };
}

double tool_sim_downtime(const struct tool_sim *s, double share)
{
	const struct weft_sim *r = &s->result;
	unsigned first = r->interval ? s->spec->change[0].at / r->interval : 0;
	double before = 0;
	unsigned n = 0;

	if (!first || first >= r->intervals)
		return -1;
	for (unsigned i = first / 2; i < first; i++)
		before += r->series[i] / (first - first / 2);
	for (unsigned i = first; i < r->intervals; i++)
		n += r->series[i] <= share * before;
	return n * (r->interval / 1e6);
}

const char *tool_sim_flow_text(const struct tool_sim *s,
			       const struct weft_sim_flow *flow, char *buf,
			       size_t size)
{
	const struct weft_sim_host *host = s->result.host;
	char from[96], to[96];

	snprintf(buf, size, "%s -> %s",
		 tool_text_vertex(s->c->fabric,
				  host[flow->from].ep | WEFT_ENDPORT, from,
				  sizeof(from)),
		 tool_text_vertex(s->c->fabric,
				  host[flow->to].ep | WEFT_ENDPORT, to,
				  sizeof(to)));
	return buf;
}

json_t *tool_sim_latency_json(const struct weft_sim_latency *l)
{
	return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "n",
			 (json_int_t)l->n, "mean", l->mean.mean, "ci99",
			 l->mean.ci99, "min", l->min, "p50", l->p50, "p90",
			 l->p90, "p99", l->p99, "p999", l->p999, "max", l->max);
}
