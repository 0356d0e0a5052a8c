// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* All that a simulation measured, line by line, for programs. */
#include "tools/sim/sim.h"

#include <inttypes.h>

/* The columns that all lines of a run begin with. */
static void begin(const struct tool_sim *s, const char *kind, FILE *out)
{
	tool_text_csv(out, s->c->input);
	tool_text_csv(out, s->c->label);
	if (s->pattern)
		tool_text_csv(out, s->pattern);
	else
		fputc(',', out);
	fprintf(out, "%g,%u,%s,", s->spec->load, s->spec->seed, kind);
}

static void hosts(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;
	char name[160];

	for (uint32_t i = 0; i < r->hosts; i++) {
		begin(s, "host", out);
		tool_text_csv(out,
			      tool_text_vertex(s->c->fabric,
					       r->host[i].ep | WEFT_ENDPORT,
					       name, sizeof(name)));
		fprintf(out, ",sent_bytes,%" PRIu64 "\n", r->host[i].sent);
		begin(s, "host", out);
		tool_text_csv(out, name);
		fprintf(out, ",received_bytes,%" PRIu64 "\n",
			r->host[i].received);
	}
}

static void flows(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;

	for (uint64_t i = 0; i < r->flows; i++) {
		begin(s, "flow", out);
		fprintf(out, "%u -> %u,,gbps,%.6g\n", r->flow[i].from,
			r->flow[i].to, r->flow[i].gbps);
	}
}

/* Lanes of channels that carried something; their share of its time. */
static void channels(const struct tool_sim *s, FILE *out)
{
	const struct weft_fabric *f = s->c->fabric;
	const struct weft_sim *r = &s->result;
	char name[320];

	for (uint64_t l = 0; l < (uint64_t)r->channels * r->lanes; l++) {
		uint32_t ch = l / r->lanes;
		double mbps = weft_speed_capacity(f->width[ch], f->speed[ch]);
		double share = r->lane_bytes[l] * 8e6 / mbps / r->time;

		if (!r->lane_bytes[l] || f->peer[ch] == WEFT_NONE)
			continue;
		begin(s, "channel", out);
		tool_text_csv(out,
			      tool_text_channel(f, ch, name, sizeof(name)));
		fprintf(out, "%u,bytes,%" PRIu64 "\n", (unsigned)(l % r->lanes),
			r->lane_bytes[l]);
		begin(s, "channel", out);
		tool_text_csv(out, name);
		fprintf(out, "%u,utilisation,%.6g\n", (unsigned)(l % r->lanes),
			share);
	}
}

/* The columns of a part's lines up to the measure. */
static void begin_part(const struct tool_sim *s, const struct weft_sim_part *p,
		       FILE *out)
{
	const struct weft_sim_flow *flow = s->result.flow;
	char name[320];

	begin(s, weft_sim_part_name(p->kind), out);
	if (p->kind == WEFT_SIM_OF_FLOW)
		fprintf(out, "%u -> %u,", flow[p->item].from,
			flow[p->item].to);
	else
		tool_text_csv(out,
			      tool_sim_part_name(s, p, name, sizeof(name)));
	if (tool_sim_part_has_lane(p))
		fprintf(out, "%u", p->lane);
	fputc(',', out);
}

/* A line for each figure of the latencies of a part. */
static void part(const struct tool_sim *s, const struct weft_sim_part *p,
		 FILE *out)
{
	static const char *const names[] = { "",     "_min",  "_p50", "_p90",
					     "_p99", "_p999", "_max" };
	const struct weft_sim_latency *l = &p->ns;
	const double value[] = { l->mean.mean, l->min,	l->p50, l->p90,
				 l->p99,       l->p999, l->max };
	const char *what = p->kind == WEFT_SIM_OF_CHANNEL ? "wait" : "packet";

	begin_part(s, p, out);
	fprintf(out, "packets,%" PRIu64 "\n", l->n);
	for (size_t i = 0; i < sizeof(value) / sizeof(*value); i++) {
		begin_part(s, p, out);
		fprintf(out, "%s_ns%s,%.10g\n", what, names[i], value[i]);
	}
}

static void histogram(const struct tool_sim *s, const char *kind,
		      const struct weft_sim_bin *bin, uint32_t n, FILE *out)
{
	for (uint32_t i = 0; i < n; i++) {
		begin(s, kind, out);
		fprintf(out, "%.6g,,count,%" PRIu64 "\n", bin[i].ns, bin[i].n);
	}
}

static void series(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;

	for (unsigned i = 0; i < r->intervals; i++) {
		begin(s, "interval_us", out);
		fprintf(out, "%.6g,,throughput,%.6g\n", i * (r->interval / 1e6),
			r->series[i]);
	}
	for (uint64_t i = 0; i < r->rounds; i++) {
		begin(s, "round", out);
		fprintf(out, "%" PRIu64 ",,us,%.6f\n", i, r->round_ps[i] / 1e6);
	}
}

void tool_sim_details_header(FILE *out)
{
	fputs("input,routes,pattern,load,seed,kind,item,lane,measure,value\n",
	      out);
}

void tool_sim_details(const struct tool_sim *s, FILE *out)
{
	const struct weft_sim *r = &s->result;

	hosts(s, out);
	flows(s, out);
	channels(s, out);
	for (uint32_t i = 0; i < r->parts; i++)
		part(s, &r->part[i], out);
	histogram(s, "packet_ns", r->packet_bin, r->packet_bins, out);
	histogram(s, "message_ns", r->message_bin, r->message_bins, out);
	series(s, out);
}
