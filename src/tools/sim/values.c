// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reports of simulations for programs: JSON, CSV. */
#include "tools/common/loops.h"
#include "tools/common/record.h"
#include "tools/sim/jobs.h"
#include "tools/sim/outcome.h"
#include "tools/sim/subnets.h"

#include <math.h>
#include <stdlib.h>

/* --- a simulation ------------------------------------------------------- */

/* A simulation, as a row of CSV or as JSON. */
struct row {
	const char *input, *by, *routes, *pattern, *state, *paths, *lids;
	bool load;		/* else rounds, or a schedule */
	double time, warmup, interval;	/* us */
	double share, model, reduced, down;
	uint64_t dropped;
	struct tool_vertex least, most;
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
	const struct row *row = record;

	return !row->load && !row->s.schedule;
}

static bool has_pattern(const void *record)
{
	return ((const struct row *)record)->pattern;
}

static bool has_switch_load(const void *record)
{
	const struct row *row = record;

	return row->load && row->s.switch_load > 0;
}

static bool has_downtime(const void *record)
{
	const struct row *row = record;

	return row->load && row->down >= 0;
}

static const struct tool_field figures[] = {
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
#define LOAD(...) FIELD(__VA_ARGS__, .left_out = true, .when = is_load)
#define JSON_ONLY .column = ""
#define LATENCY(at, key, ...) \
	LOAD(at.n, COUNT, key ".n", JSON_ONLY), \
	LOAD(at.mean.mean, REAL, key ".mean", .column = key), \
	LOAD(at.mean.ci99, REAL, key ".ci99", __VA_ARGS__), \
	LOAD(at.min, REAL, key ".min", JSON_ONLY), \
	LOAD(at.p50, REAL, key ".p50", .column = key "_p50"), \
	LOAD(at.p90, REAL, key ".p90", JSON_ONLY), \
	LOAD(at.p99, REAL, key ".p99", .column = key "_p99"), \
	LOAD(at.p999, REAL, key ".p999", JSON_ONLY), \
	LOAD(at.max, REAL, key ".max", JSON_ONLY)
	FIELD(input, NAME, "input"),
	FIELD(by, WORD, "by"),
	FIELD(routes, NAME, "routes"),
	FIELD(pattern, NAME, "pattern", .left_out = true, .when = has_pattern),
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
	FIELD(paths, WORD, "paths", JSON_ONLY),
	FIELD(lids, WORD, "lids", JSON_ONLY),
	LOAD(r.refused, COUNT, "refused", JSON_ONLY),
	LOAD(warmup, REAL, "warmup_us", .digits = 6, .exact = true),
	LOAD(r.steady, YES, "steady", JSON_ONLY),
	LOAD(r.throughput.mean, REAL, "throughput.mean",
	     .column = "throughput"),
	LOAD(r.throughput.ci99, REAL, "throughput.ci99",
	     .column = "throughput_ci99"),
	LOAD(r.gbps.mean, REAL, "gbps.mean", .column = "gbps"),
	LOAD(r.gbps.ci99, REAL, "gbps.ci99", JSON_ONLY),
	FIELD(s.switch_load, REAL, "switch_load", JSON_ONLY, .left_out = true,
	      .when = has_switch_load),
	FIELD(r.switch_throughput.mean, REAL, "switch_throughput.mean",
	      JSON_ONLY, .left_out = true, .when = has_switch_load),
	FIELD(r.switch_throughput.ci99, REAL, "switch_throughput.ci99",
	      JSON_ONLY, .left_out = true, .when = has_switch_load),
	LOAD(least, VERTEX, "least", JSON_ONLY),
	LOAD(r.least, REAL, "least.share", .column = "least"),
	LOAD(most, VERTEX, "most", JSON_ONLY),
	LOAD(r.most, REAL, "most.share", .column = "most"),
	LATENCY(r.packet, "packet_ns", .column = "packet_ns_ci99"),
	LATENCY(r.message, "message_ns", JSON_ONLY),
	FIELD(reduced, REAL, "reduced_us", JSON_ONLY, .left_out = true,
	      .when = has_downtime),
	FIELD(down, REAL, "down_us", JSON_ONLY, .left_out = true,
	      .when = has_downtime),
	LOAD(interval, REAL, "interval_us", JSON_ONLY),
	FIELD(r.rounds, COUNT, "rounds", .left_out = true, .when = is_rounds),
	FIELD(share, REAL, "share", .left_out = true, .when = is_rounds),
	FIELD(model, REAL, "model", .left_out = true, .when = is_rounds),
	FIELD(r.injected, COUNT, "packets.sent", .column = "sent"),
	FIELD(r.delivered, COUNT, "packets.delivered", .column = "delivered"),
	FIELD(r.queued, COUNT, "packets.queued", .column = "queued"),
	FIELD(r.hops, COUNT, "packets.hops", JSON_ONLY),
	FIELD(r.overtaken, COUNT, "packets.out_of_order", JSON_ONLY),
	FIELD(r.reroutes, COUNT, "packets.reroutes", JSON_ONLY),
	FIELD(r.probes, COUNT, "packets.probes", JSON_ONLY),
	FIELD(r.marked, COUNT, "packets.marked", JSON_ONLY),
	FIELD(r.notified, COUNT, "packets.notified", JSON_ONLY),
	FIELD(dropped, COUNT, "packets.dropped", .column = "dropped"),
	FIELD(r.memory, COUNT, "memory_bytes"),
	TOOL_FIELDS_END
#undef LATENCY
#undef JSON_ONLY
#undef LOAD
#undef FIELD
};

static struct row row_of(const struct tool_sim *s)
{
	const struct weft_sim *r = &s->result;
	const struct weft_fabric *f = s->c->fabric;
	struct row row = {
		.input = s->c->input, .by = s->c->engine ? "engine" : "tables",
		.routes = s->c->label, .pattern = s->pattern,
		.state = tool_sim_state(r),
		.paths = weft_sim_paths_name(s->spec->paths),
		.lids = weft_sim_lids_name(s->spec->lids),
		.load = tool_sim_is_load(s), .time = r->time / 1e6,
		.warmup = r->warmup / 1e6, .interval = r->interval / 1e6,
		.share = tool_sim_round_share(r),
		.model = s->join ? NAN : s->model, .reduced = -1, .down = -1,
		.dropped = tool_sim_dropped(r), .s = *s->spec, .r = *r,
	};

	if (!row.load)
		return row;
	row.least = tool_vertex(f, r->least_host | WEFT_ENDPORT);
	row.most = tool_vertex(f, r->most_host | WEFT_ENDPORT);
	if (s->spec->nchanges) {
		row.reduced = tool_sim_downtime(s, .9);
		row.down = tool_sim_downtime(s, 0);
	}
	return row;
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *mean_json(const struct weft_sim_mean *m)
{
	return json_pack("{s:f, s:f}", "mean", m->mean, "ci99", m->ci99);
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
	if (s->spec->sizes.n)
		json_object_set_new(root, "sizes", sizes_json(&s->spec->sizes));
	json_object_set_new(root, "flows", flows_json(r));
	json_object_set_new(root, "series", series);
}

static void add_rounds(const struct tool_sim *s, json_t *root)
{
	const struct weft_sim *r = &s->result;
	json_t *rounds = json_array();

	for (uint64_t i = 0; i < r->rounds; i++)
		json_array_append_new(rounds, json_real(r->round_ps[i] / 1e6));
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

/* What was dropped, and events, by kind. */
static void add_counts(const struct weft_sim *r, json_t *packets)
{
	json_t *drops = json_object(), *events = json_object();

	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		json_object_set_new(drops, weft_sim_drop_name(i),
				    json_integer(r->dropped[i]));
	for (unsigned i = 0; i < WEFT_SIM_EVENTS; i++)
		json_object_set_new(events, weft_sim_event_name(i),
				    json_integer(r->events[i]));
	json_object_set_new(packets, "dropped", drops);
	json_object_set_new(packets, "events", events);
}

json_t *tool_sim_json(const struct tool_sim *s)
{
	const struct weft_sim *r = &s->result;
	const struct row row = row_of(s);
	json_t *root = tool_case_json(s->c->input, s->c->label, s->c->engine,
				      tool_record_object(figures, &row));

	add_counts(r, json_object_get(root, "packets"));
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
	struct row row = row_of(s);

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
