// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reports of simulations for programs: JSON, CSV. */
#include "tools/common/loops.h"
#include "tools/common/record.h"
#include "tools/sim/jobs.h"
#include "tools/sim/outcome.h"
#include "tools/sim/subnets.h"

#include <stdlib.h>

/* --- JSON ----------------------------------------------------------------- */

static json_t *mean_json(const struct weft_sim_mean *m)
{
	return json_pack("{s:f, s:f}", "mean", m->mean, "ci99", m->ci99);
}

static json_t *host_json(const struct tool_sim *s, double share, uint32_t ep)
{
	json_t *o = tool_json_vertex(s->c->fabric, ep | WEFT_ENDPORT,
				     s->c->fabric->ep[ep].lid);

	json_object_set_new(o, "share", json_real(share));
	return o;
}

/* Flows by rank, with the payload that each got. */
static json_t *flows_json(const struct weft_sim *r)
{
	json_t *array = json_array();

	for (uint64_t i = 0; i < r->flows; i++)
		json_array_append_new(
			array, json_pack("{s:i, s:i, s:f}", "from",
					 r->flow[i].from, "to", r->flow[i].to,
					 "gbps", r->flow[i].gbps));
	return array;
}

/* Sizes of messages that are drawn. */
static json_t *sizes_json(const struct weft_sim_sizes *sizes)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < sizes->n; i++)
		json_array_append_new(
			array,
			json_pack("{s:I, s:I, s:I}", "least",
				  (json_int_t)sizes->entry[i].least, "most",
				  (json_int_t)sizes->entry[i].most, "weight",
				  (json_int_t)sizes->entry[i].weight));
	return array;
}

static void add_load(const struct tool_sim *s, json_t *root)
{
	const struct weft_sim *r = &s->result;
	json_t *series = json_array();

	for (unsigned i = 0; i < r->intervals; i++)
		json_array_append_new(series, json_real(r->series[i]));
	json_object_set_new(root, "load", json_real(s->spec->load));
	if (s->pattern)
		json_object_set_new(root, "pattern",
				    tool_json_string(s->pattern));
	if (s->spec->sizes.n)
		json_object_set_new(root, "sizes", sizes_json(&s->spec->sizes));
	json_object_set_new(root, "hot_share", json_real(s->spec->hot_share));
	json_object_set_new(root, "hot_spots",
			    json_integer(s->spec->hot_spots));
	json_object_set_new(root, "refused", json_integer(r->refused));
	json_object_set_new(root, "flows", flows_json(r));
	json_object_set_new(root, "warmup_us", json_real(r->warmup / 1e6));
	json_object_set_new(root, "steady", json_boolean(r->steady));
	json_object_set_new(root, "throughput", mean_json(&r->throughput));
	json_object_set_new(root, "gbps", mean_json(&r->gbps));
	if (s->spec->switch_load > 0) {
		json_object_set_new(root, "switch_load",
				    json_real(s->spec->switch_load));
		json_object_set_new(root, "switch_throughput",
				    mean_json(&r->switch_throughput));
	}
	json_object_set_new(root, "least",
			    host_json(s, r->least, r->least_host));
	json_object_set_new(root, "most", host_json(s, r->most, r->most_host));
	json_object_set_new(root, "packet_ns",
			    tool_sim_latency_json(&r->packet));
	json_object_set_new(root, "message_ns",
			    tool_sim_latency_json(&r->message));
	if (s->spec->nchanges && tool_sim_downtime(s, 0) >= 0) {
		json_object_set_new(root, "reduced_us",
				    json_real(tool_sim_downtime(s, .9)));
		json_object_set_new(root, "down_us",
				    json_real(tool_sim_downtime(s, 0)));
	}
	json_object_set_new(root, "interval_us", json_real(r->interval / 1e6));
	json_object_set_new(root, "series", series);
}

static void add_rounds(const struct tool_sim *s, json_t *root)
{
	const struct weft_sim *r = &s->result;
	json_t *rounds = json_array();

	for (uint64_t i = 0; i < r->rounds; i++)
		json_array_append_new(rounds, json_real(r->round_ps[i] / 1e6));
	json_object_set_new(root, "pattern", tool_json_string(s->pattern));
	json_object_set_new(root, "rounds", json_integer(r->rounds));
	json_object_set_new(root, "share", json_real(tool_sim_round_share(r)));
	json_object_set_new(root, "model",
			    s->join ? json_null() : json_real(s->model));
	json_object_set_new(root, "round_us", rounds);
}

static void add_ranks(const struct tool_sim *s, json_t *root)
{
	uint32_t n = s->result.hosts;
	double *gbps = malloc((n + 1) * sizeof(*gbps));
	json_t *ranks = json_array();

	if (gbps)
		tool_sim_rank_gbps(s, gbps);
	for (uint32_t i = 0; i < n && gbps; i++)
		json_array_append_new(ranks, json_real(gbps[i]));
	free(gbps);
	json_object_set_new(root, "pattern", tool_json_string(s->pattern));
	json_object_set_new(root, "sync",
			    s->sync ? json_string(s->sync) : json_null());
	json_object_set_new(root, "rank_gbps", ranks);
}

static json_t *deadlock_json(const struct tool_sim *s)
{
	const struct weft_sim_deadlock *d = &s->result.deadlock;
	struct weft_flow *by = calloc(d->n + 1, sizeof(*by));
	struct weft_cycle cycle;
	json_t *array = NULL;

	if (by && d->n) {
		cycle = tool_sim_cycle(d, by);
		array = tool_cycle_json(s->c->fabric, &cycle);
	}
	free(by);
	return array ? array : json_null();
}

static json_t *counts_json(const struct weft_sim *r)
{
	json_t *o = json_pack(
		"{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "sent",
		(json_int_t)r->injected, "delivered", (json_int_t)r->delivered,
		"queued", (json_int_t)r->queued, "hops", (json_int_t)r->hops,
		"out_of_order", (json_int_t)r->overtaken, "reroutes",
		(json_int_t)r->reroutes, "probes", (json_int_t)r->probes);

	json_t *drops = json_object(), *events = json_object();

	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		json_object_set_new(drops, weft_sim_drop_name(i),
				    json_integer(r->dropped[i]));
	for (unsigned i = 0; i < WEFT_SIM_EVENTS; i++)
		json_object_set_new(events, weft_sim_event_name(i),
				    json_integer(r->events[i]));
	json_object_set_new(o, "marked", json_integer(r->marked));
	json_object_set_new(o, "notified", json_integer(r->notified));
	json_object_set_new(o, "dropped", drops);
	json_object_set_new(o, "events", events);
	return o;
}

json_t *tool_sim_json(const struct tool_sim *s)
{
	const struct weft_sim *r = &s->result;
	json_t *root = tool_case_json(
		s->c->input, s->c->label, s->c->engine,
		json_pack("{s:i, s:I, s:i, s:i, s:i, s:s, s:f}", "hosts",
			  r->hosts, "bytes", (json_int_t)s->spec->bytes, "mtu",
			  s->spec->mtu, "buffer", s->spec->buffer, "seed",
			  s->spec->seed, "state", tool_sim_state(r), "time_us",
			  r->time / 1e6));

	json_object_set_new(root, "paths",
			    json_string(weft_sim_paths_name(s->spec->paths)));
	json_object_set_new(root, "lids",
			    json_string(weft_sim_lids_name(s->spec->lids)));
	if (s->njobs)
		json_object_set_new(root, "jobs", tool_sim_jobs_json(s));
	if (s->spec->schedule && r->flows)
		json_object_set_new(root, "flows", flows_json(r));
	if (s->spec->schedule)
		add_ranks(s, root);
	else if (tool_sim_is_load(s))
		add_load(s, root);
	else
		add_rounds(s, root);
	if (s->replay)
		tool_sim_replay_json(s, root);
	if (s->groups)
		json_object_set_new(root, "groups", tool_sim_groups_json(s));
	json_object_set_new(root, "packets", counts_json(r));
	json_object_set_new(root, "memory_bytes", json_integer(r->memory));
	if (s->join)
		json_object_set_new(root, "subnets",
				    tool_sim_join_json(s->join, s->spec, r));
	json_object_set_new(root, "deadlock", deadlock_json(s));
	if (s->seeds.n)
		json_object_set_new(
			root, "over_seeds",
			json_pack("{s:i, s:o, s:o, s:o}", "n", s->seeds.n,
				  "throughput", mean_json(&s->seeds.throughput),
				  "gbps", mean_json(&s->seeds.gbps),
				  "packet_ns",
				  mean_json(&s->seeds.packet_ns)));
	if (s->latencies)
		json_object_set_new(root, "latencies", tool_sim_parts_json(s));
	if (s->result.trace.stop)
		json_object_set_new(root, "trace", tool_sim_trace_json(s));
	return root;
}

/* --- CSV ------------------------------------------------------------------ */

/* A simulation as a row. */
struct row {
	const char *input, *by, *routes, *pattern, *state;
	bool load;		/* else rounds, or a schedule */
	double time, warmup;	/* us */
	double share, model;
	uint64_t dropped;
	struct weft_sim_spec s;
	struct weft_sim r;
};

static bool is_load(const void *record)
{
	const struct row *row = record;

	return row->load;
}

static bool is_rounds(const void *record)
{
	return !is_load(record);
}

static const struct tool_field figures[] = {
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
#define LOAD(...) FIELD(__VA_ARGS__, .when = is_load)
	FIELD(input, NAME, "input"),
	FIELD(by, WORD, "by"),
	FIELD(routes, NAME, "routes"),
	FIELD(pattern, NAME, "pattern"),
	LOAD(s.load, REAL, "load"),
	LOAD(s.hot_share, REAL, "hot_share"),
	LOAD(s.hot_spots, COUNT, "hot_spots"),
	FIELD(r.hosts, COUNT, "hosts"),
	FIELD(s.bytes, COUNT, "bytes"),
	FIELD(s.mtu, COUNT, "mtu"),
	FIELD(s.buffer, COUNT, "buffer"),
	FIELD(s.seed, COUNT, "seed"),
	FIELD(state, WORD, "state"),
	FIELD(time, REAL, "time_us", .digits = 6, .exact = true),
	LOAD(warmup, REAL, "warmup_us", .digits = 6, .exact = true),
	LOAD(r.throughput.mean, REAL, "throughput"),
	LOAD(r.throughput.ci99, REAL, "throughput_ci99"),
	LOAD(r.gbps.mean, REAL, "gbps"),
	LOAD(r.least, REAL, "least"),
	LOAD(r.most, REAL, "most"),
	LOAD(r.packet.mean.mean, REAL, "packet_ns"),
	LOAD(r.packet.mean.ci99, REAL, "packet_ns_ci99"),
	LOAD(r.packet.p50, REAL, "packet_ns_p50"),
	LOAD(r.packet.p99, REAL, "packet_ns_p99"),
	LOAD(r.message.mean.mean, REAL, "message_ns"),
	LOAD(r.message.p50, REAL, "message_ns_p50"),
	LOAD(r.message.p99, REAL, "message_ns_p99"),
	FIELD(r.rounds, COUNT, "rounds", .when = is_rounds),
	FIELD(share, REAL, "share", .when = is_rounds),
	FIELD(model, REAL, "model", .when = is_rounds),
	FIELD(r.injected, COUNT, "sent"),
	FIELD(r.delivered, COUNT, "delivered"),
	FIELD(r.queued, COUNT, "queued"),
	FIELD(dropped, COUNT, "dropped"),
	FIELD(r.memory, COUNT, "memory_bytes"),
	TOOL_FIELDS_END
#undef LOAD
#undef FIELD
};

void tool_sim_csv_header(bool jobs, FILE *out)
{
	tool_record_keys(figures, out);
	if (jobs) {
		fputc(',', out);
		tool_sim_jobs_keys(out);
	}
	fputc('\n', out);
}

void tool_sim_csv(const struct tool_sim *s, FILE *out)
{
	struct row row = {
		.input = s->c->input, .by = s->c->engine ? "engine" : "tables",
		.routes = s->c->label, .pattern = s->pattern,
		.state = tool_sim_state(&s->result),
		.load = tool_sim_is_load(s), .time = s->result.time / 1e6,
		.warmup = s->result.warmup / 1e6,
		.share = tool_sim_round_share(&s->result), .model = s->model,
		.dropped = tool_sim_dropped(&s->result), .s = *s->spec,
		.r = s->result,
	};

	tool_record_csv(figures, &row, out);
	if (s->njobs) {
		fputc(',', out);
		tool_sim_jobs_csv(NULL, out);
	}
	fputc('\n', out);
	for (uint32_t i = 0; i < s->njobs; i++) {
		row.pattern = s->jobs[i].pattern;
		tool_record_csv(figures, &row, out);
		fputc(',', out);
		tool_sim_jobs_csv(&s->jobs[i], out);
		fputc('\n', out);
	}
}
