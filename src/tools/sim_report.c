// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reports of simulations: text, JSON, CSV. */
#include "loops.h"
#include "sim.h"
#include "sim_subnets.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t dropped(const struct weft_sim *r)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		n += r->dropped[i];
	return n;
}

static const char *state(const struct weft_sim *r)
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

/* Returns the share of full bandwidth that the rounds of a pattern had, 0 if
 * they did not end. */
static double round_share(const struct weft_sim *r)
{
	uint64_t sum = round_sum(r);

	if (r->deadlocked || r->interrupted || r->timeout || !sum || dropped(r))
		return 0;
	return (double)r->ideal_ps / sum;
}

/* Fills in the payload that each rank sent, in Gbit/s from the beginning until
 * the last of its messages, sent or received, was delivered: [hosts]. */
static void rank_gbps(const struct tool_sim *s, double *gbps)
{
	const struct weft_sim_schedule *g = s->spec->schedule;
	const struct weft_sim *r = &s->result;

	for (uint32_t i = 0; i < r->hosts; i++)
		gbps[i] = 0;
	for (uint32_t i = 0; i < g->n; i++) {
		const struct weft_sim_job *job = &g->job[i];
		double end = r->job_done[i];

		if (job->from == job->to)
			continue;
		if (end > gbps[job->from])
			gbps[job->from] = end;
		if (end > gbps[job->to])
			gbps[job->to] = end;
	}
	for (uint32_t i = 0; i < r->hosts; i++)
		gbps[i] = gbps[i] > 0 ? r->host[i].sent * 8e3 / gbps[i] : 0;
}

/* The circle of a deadlock as of credit loops; by[] is for d->n flows. */
static struct weft_cycle cycle_of(const struct weft_sim_deadlock *d,
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

/* --- text ----------------------------------------------------------------- */

static void print_latency(const char *name, const struct weft_sim_latency *l,
			  FILE *out)
{
	if (!l->n)
		return;
	fprintf(out, "  latency of %-10s %.0f ns +- %.0f on average\n", name,
		l->mean.mean, l->mean.ci99);
	fprintf(out,
		"    50, 90, 99, 99.9 %%  %.0f, %.0f, %.0f, %.0f ns, at "
		"least %.0f, at most %.0f\n",
		l->p50, l->p90, l->p99, l->p999, l->min, l->max);
}

static void print_host(const char *what, const struct tool_sim *s, double share,
		       uint32_t ep, FILE *out)
{
	char name[160];

	fprintf(out, "    %-19s %6.2f %%  %s\n", what, 100 * share,
		tool_text_vertex(s->c->fabric, ep | WEFT_ENDPORT, name,
				 sizeof(name)));
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

static void print_flows(const struct tool_sim *s, FILE *out)
{
	char text[200];

	for (uint64_t i = 0; i < s->result.flows; i++) {
		fprintf(out, "    %7.3f Gbit/s  ", s->result.flow[i].gbps);
		tool_text_wrap(
			out, 20, 22,
			tool_sim_flow_text(s, &s->result.flow[i], text,
					   sizeof(text)));
	}
}

/* Returns the us, in whole intervals, that the throughput was at or below a
 * share of what it was before the first change; -1: that is not known. */
static double downtime(const struct tool_sim *s, double share)
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

static void print_downtime(const struct tool_sim *s, FILE *out)
{
	double some = s->spec->nchanges ? downtime(s, .9) : -1;

	if (some < 0)
		return;
	fprintf(out,
		"  after the first event %.1f us at 90 %% of before or less, "
		"%.1f us at nothing\n",
		some, downtime(s, 0));
}

static void print_load(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;

	fprintf(out,
		"  time                  %.1f us, of which %.1f not "
		"measured%s\n",
		r->time / 1e6, r->warmup / 1e6,
		r->steady ? "" : ": NOT STEADY, give more --time");
	if (!r->packet.n) {
		fputs("  nothing was measured\n", out);
		return;
	}
	fprintf(out,
		"  throughput            %.2f %% +- %.2f of the hosts' "
		"links\n",
		100 * r->throughput.mean, 100 * r->throughput.ci99);
	print_host("least of a host", s, r->least, r->least_host, out);
	print_host("most of a host", s, r->most, r->most_host, out);
	fprintf(out, "  payload for a host    %.3f Gbit/s +- %.3f\n",
		r->gbps.mean, r->gbps.ci99);
	if (s->spec->switch_load > 0)
		fprintf(out,
			"  port 0 of switches    %.2f %% +- %.2f of %.3g "
			"Gbit/s\n",
			100 * r->switch_throughput.mean,
			100 * r->switch_throughput.ci99,
			s->spec->switch_mbps / 1e3);
	print_downtime(s, out);
	print_flows(s, out);
	print_latency("packets", &r->packet, out);
	if (r->message.n != r->packet.n)
		print_latency("messages", &r->message, out);
}

/* Prints what ranks got, and which of them least. */
static void print_ranks(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;
	double *gbps = malloc((r->hosts + 1) * sizeof(*gbps)), sum = 0;
	uint32_t least = 0, most = 0;
	char name[160];

	fprintf(out, "  time                  %.3f us\n", r->time / 1e6);
	if (!gbps)
		return;
	rank_gbps(s, gbps);
	for (uint32_t i = 0; i < r->hosts; i++) {
		sum += gbps[i];
		if (gbps[i] < gbps[least])
			least = i;
		if (gbps[i] > gbps[most])
			most = i;
	}
	fprintf(out, "  payload of a rank     %.3f Gbit/s\n",
		sum / r->hosts);
	fprintf(out, "    least               %.3f Gbit/s  %s\n", gbps[least],
		tool_text_vertex(s->c->fabric,
				 r->host[least].ep | WEFT_ENDPORT, name,
				 sizeof(name)));
	fprintf(out, "    most                %.3f Gbit/s  %s\n", gbps[most],
		tool_text_vertex(s->c->fabric, r->host[most].ep | WEFT_ENDPORT,
				 name, sizeof(name)));
	free(gbps);
}

static void print_rounds(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;

	fprintf(out, "  rounds                %s done\n",
		WEFT_COUNT(r->rounds, NULL));
	fprintf(out, "  time                  %.3f us\n", r->time / 1e6);
	if (round_share(r) <= 0)
		return;
	fprintf(out, "  full bandwidth        %.4f\n", round_share(r));
	if (!s->join)
		fprintf(out, "    static model        %.4f\n", s->model);
}

static void print_packets(const struct weft_sim *r, FILE *out)
{
	fprintf(out,
		"  packets               %s sent, %s delivered, %s in "
		"queues\n",
		WEFT_COUNT(r->injected, NULL), WEFT_COUNT(r->delivered, NULL),
		WEFT_COUNT(r->queued, NULL));
	if (r->refused)
		fprintf(out, "    refused by hosts    %s\n",
			WEFT_COUNT(r->refused, "message"));
	if (r->overtaken)
		fprintf(out, "    out of order        %s\n",
			WEFT_COUNT(r->overtaken, NULL));
	if (r->reroutes || r->probes)
		fprintf(out, "    hosts               %s, %s\n",
			WEFT_COUNT(r->reroutes, "new route"),
			WEFT_COUNT(r->probes, "probe"));
	if (r->marked || r->notified)
		fprintf(out, "    congestion          %s, %s\n",
			WEFT_COUNT(r->marked, "mark"),
			WEFT_COUNT(r->notified, "notification"));
	for (unsigned i = 0; i < WEFT_SIM_DROPS; i++)
		if (r->dropped[i])
			fprintf(out, "    dropped             %s: %s\n",
				WEFT_COUNT(r->dropped[i], NULL),
				weft_sim_drop_name(i));
}

static void print_deadlock(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim_deadlock *d = &s->result.deadlock;
	struct weft_flow *by = calloc(d->n + 1, sizeof(*by));
	struct weft_cycle cycle;

	if (by) {
		cycle = cycle_of(d, by);
		fprintf(out,
			"  DEADLOCK after %.1f us: %u full buffers wait "
			"for each other\n",
			s->result.time / 1e6, d->n);
		tool_cycle_print(s->c->fabric, &cycle, out);
	}
	free(by);
}

static void print_seeds(const struct tool_sim *s, FILE *out)
{
	const struct tool_sim_seeds *seeds = &s->seeds;

	if (!seeds->n)
		return;
	fprintf(out, "  over %u seeds\n", seeds->n);
	fprintf(out,
		"    throughput          %.2f %% +- %.2f of the hosts' links\n",
		100 * seeds->throughput.mean, 100 * seeds->throughput.ci99);
	fprintf(out, "    payload for a host  %.3f Gbit/s +- %.3f\n",
		seeds->gbps.mean, seeds->gbps.ci99);
	fprintf(out, "    latency of packets  %.0f ns +- %.0f\n",
		seeds->packet_ns.mean, seeds->packet_ns.ci99);
}

void tool_sim_print(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;

	fprintf(out, "%s", s->c->input);
	if (s->c->engine)
		fprintf(out, ", %s", s->c->engine);
	if (s->pattern)
		fprintf(out, ", %s", s->pattern);
	if (s->spec->endless)
		fputs(", endless flows", out);
	else if (tool_sim_is_load(s))
		fprintf(out, ", load %g %%", 100 * s->spec->load);
	fprintf(out, "\n  %s, ", WEFT_COUNT(r->hosts, "host"));
	if (s->spec->sizes.n)
		fputs("messages of random sizes, ", out);
	else if (!s->replay)
		fprintf(out, "messages of %s, ",
			WEFT_COUNT(s->spec->bytes, "byte"));
	fprintf(out, "MTU %u, seed %u\n", s->spec->mtu, s->spec->seed);
	if (s->join)
		tool_sim_join_print(s->join, r, out);
	if (s->replay)
		tool_sim_replay_print(s, out);
	else if (s->spec->schedule)
		print_ranks(s, out);
	else if (tool_sim_is_load(s))
		print_load(s, out);
	else
		print_rounds(s, out);
	print_packets(r, out);
	print_seeds(s, out);
	if (r->parts)
		tool_sim_parts_print(s, out);
	if (r->trace.stop)
		tool_sim_trace_print(s, out);
	if (r->deadlocked)
		print_deadlock(s, out);
	if (r->interrupted)
		fputs("  INTERRUPTED: what was measured until then\n", out);
	if (r->timeout)
		fputs("  NOT DONE within --time\n", out);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *mean_json(const struct weft_sim_mean *m)
{
	return json_pack("{s:f, s:f}", "mean", m->mean, "ci99", m->ci99);
}

json_t *tool_sim_latency_json(const struct weft_sim_latency *l)
{
	return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "n",
			 (json_int_t)l->n, "mean", l->mean.mean, "ci99",
			 l->mean.ci99, "min", l->min, "p50", l->p50, "p90",
			 l->p90, "p99", l->p99, "p999", l->p999, "max", l->max);
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
	if (s->spec->nchanges && downtime(s, 0) >= 0) {
		json_object_set_new(root, "reduced_us",
				    json_real(downtime(s, .9)));
		json_object_set_new(root, "down_us", json_real(downtime(s, 0)));
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
	json_object_set_new(root, "share", json_real(round_share(r)));
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
		rank_gbps(s, gbps);
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
		cycle = cycle_of(d, by);
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
	json_t *root = json_pack(
		"{s:o, s:s, s:o, s:i, s:I, s:i, s:i, s:i, s:s, s:f}", "input",
		tool_json_string(s->c->input), "by",
		s->c->engine ? "engine" : "tables", "routes",
		tool_json_string(s->c->label), "hosts", r->hosts, "bytes",
		(json_int_t)s->spec->bytes, "mtu", s->spec->mtu, "buffer",
		s->spec->buffer, "seed", s->spec->seed, "state", state(r),
		"time_us", r->time / 1e6);

	json_object_set_new(root, "paths",
			    json_string(weft_sim_paths_name(s->spec->paths)));
	json_object_set_new(root, "lids",
			    json_string(weft_sim_lids_name(s->spec->lids)));
	if (s->spec->schedule)
		add_ranks(s, root);
	else if (tool_sim_is_load(s))
		add_load(s, root);
	else
		add_rounds(s, root);
	if (s->replay)
		tool_sim_replay_json(s, root);
	json_object_set_new(root, "packets", counts_json(r));
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
	if (s->spec->parts)
		json_object_set_new(root, "latencies", tool_sim_parts_json(s));
	if (s->result.trace.stop)
		json_object_set_new(root, "trace", tool_sim_trace_json(s));
	return root;
}

/* --- CSV ------------------------------------------------------------------ */

void tool_sim_csv_header(FILE *out)
{
	fputs("input,by,routes,pattern,load,hot_share,hot_spots,hosts,bytes,"
	      "mtu,buffer,seed,state,"
	      "time_us,warmup_us,throughput,throughput_ci99,gbps,least,most,"
	      "packet_ns,packet_ns_ci99,packet_ns_p50,packet_ns_p99,"
	      "message_ns,message_ns_p50,message_ns_p99,rounds,share,model,"
	      "sent,delivered,queued,dropped\n",
	      out);
}

void tool_sim_csv(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;

	tool_text_csv(out, s->c->input);
	fprintf(out, "%s,", s->c->engine ? "engine" : "tables");
	tool_text_csv(out, s->c->label);
	if (s->pattern)
		tool_text_csv(out, s->pattern);
	else
		fputc(',', out);
	if (tool_sim_is_load(s))
		fprintf(out, "%g,%g,%u", s->spec->load, s->spec->hot_share,
			s->spec->hot_spots);
	else
		fputs(",,", out);
	fprintf(out, ",%u,%" PRIu64 ",%u,%u,%u,%s,%.6f,", r->hosts,
		s->spec->bytes, s->spec->mtu, s->spec->buffer, s->spec->seed,
		state(r), r->time / 1e6);
	if (!tool_sim_is_load(s))
		fprintf(out, ",,,,,,,,,,,,,%" PRIu64 ",%.6g,%.6g,", r->rounds,
			round_share(r), s->model);
	else
		fprintf(out,
			"%.6f,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,"
			"%.6g,%.6g,%.6g,%.6g,,,,",
			r->warmup / 1e6, r->throughput.mean, r->throughput.ci99,
			r->gbps.mean, r->least, r->most, r->packet.mean.mean,
			r->packet.mean.ci99, r->packet.p50, r->packet.p99,
			r->message.mean.mean, r->message.p50, r->message.p99);
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
		r->injected, r->delivered, r->queued, dropped(r));
}
