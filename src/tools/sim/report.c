// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reports of simulations, in words. */
#include "tools/common/loops.h"
#include "tools/sim/jobs.h"
#include "tools/sim/outcome.h"
#include "tools/sim/subnets.h"

#include <stdlib.h>

static void print_latency(const char *name, const struct weft_sim_latency *l,
			  FILE *out)
{
	if (!l->n)
		return;
	fprintf(out, "  latency of %-10s %.0f ns +- %.0f on average\n", name,
		l->mean.mean, l->mean.ci99);
	fprintf(out,
		"    50, 90, 99, 99.9 %%  %.0f, %.0f, %.0f, %.0f ns, at least %.0f, at most %.0f\n",
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

static void print_flows(const struct tool_sim *s, FILE *out)
{
	char text[200];

	for (uint64_t i = 0; i < s->result.flows; i++) {
		fprintf(out, "    %7.3f Gbit/s  ", s->result.flow[i].gbps);
		tool_text_wrap(out, 20, 22,
			       tool_sim_flow_text(s, &s->result.flow[i], text,
						  sizeof(text)));
	}
}

static void print_downtime(const struct tool_sim *s, FILE *out)
{
	double some = s->spec->nchanges ? tool_sim_downtime(s, .9) : -1;

	if (some < 0)
		return;
	fprintf(out,
		"  after the first event %.1f us at 90 %% of before or less, %.1f us at nothing\n",
		some, tool_sim_downtime(s, 0));
}

static void print_load(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;

	fprintf(out,
		"  time                  %.1f us, of which %.1f not measured%s\n",
		r->time / 1e6, r->warmup / 1e6,
		r->steady ? "" : ": NOT STEADY, give more --time");
	if (!r->packet.n) {
		fputs("  nothing was measured\n", out);
		return;
	}
	fprintf(out,
		"  throughput            %.2f %% +- %.2f of the hosts' cables\n",
		100 * r->throughput.mean, 100 * r->throughput.ci99);
	print_host("least of a host", s, r->least, r->least_host, out);
	print_host("most of a host", s, r->most, r->most_host, out);
	fprintf(out, "  payload for a host    %.3f Gbit/s +- %.3f\n",
		r->gbps.mean, r->gbps.ci99);
	if (s->spec->switch_load > 0)
		fprintf(out,
			"  port 0 of switches    %.2f %% +- %.2f of %.3g Gbit/s\n",
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
	tool_sim_rank_gbps(s, gbps);
	for (uint32_t i = 0; i < r->hosts; i++) {
		sum += gbps[i];
		if (gbps[i] < gbps[least])
			least = i;
		if (gbps[i] > gbps[most])
			most = i;
	}
	fprintf(out, "  payload of a rank     %.3f Gbit/s\n", sum / r->hosts);
	fprintf(out, "    least               %.3f Gbit/s  %s\n", gbps[least],
		tool_text_vertex(s->c->fabric, r->host[least].ep | WEFT_ENDPORT,
				 name, sizeof(name)));
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
	if (tool_sim_round_share(r) <= 0)
		return;
	fprintf(out, "  full bandwidth        %.4f\n", tool_sim_round_share(r));
	if (!s->join)
		fprintf(out, "    static model        %.4f\n", s->model);
}

static void print_packets(const struct weft_sim *r, FILE *out)
{
	fprintf(out,
		"  packets               %s sent, %s delivered, %s in queues\n",
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

static void print_memory(const struct weft_sim *r, FILE *out)
{
	fprintf(out, "  memory                %.1f kB a host at most\n",
		r->memory / 1e3 / r->hosts);
}

static void print_deadlock(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim_deadlock *d = &s->result.deadlock;
	struct weft_flow *by = calloc(d->n + 1, sizeof(*by));
	struct weft_cycle cycle;

	if (by) {
		cycle = tool_sim_cycle(d, by);
		fprintf(out,
			"  DEADLOCK after %.1f us: %u full buffers wait for each other\n",
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
		"    throughput          %.2f %% +- %.2f of the hosts' cables\n",
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
	if (s->njobs > 1)
		fprintf(out, ", %s", WEFT_COUNT(s->njobs, "job"));
	else if (s->pattern)
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
	else if (s->spec->schedule && s->njobs < 2)
		print_ranks(s, out);
	else if (tool_sim_is_load(s))
		print_load(s, out);
	else if (!s->spec->schedule)
		print_rounds(s, out);
	if (s->njobs)
		tool_sim_jobs_print(s, out);
	if (s->spec->schedule)
		print_flows(s, out);
	tool_sim_groups_print(s, out);
	print_packets(r, out);
	print_memory(r, out);
	print_seeds(s, out);
	if (s->latencies)
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
