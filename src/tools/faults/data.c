// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Failures as JSON and comma-separated values. */
#include "tools/faults/faults.h"

#include <inttypes.h>
#include <stdlib.h>

json_t *tool_bandwidth_json(const struct weft_fabric *f,
			    const struct weft_fault_bandwidth *b)
{
	uint32_t v = b->least_endport == WEFT_NONE ?
			     WEFT_NONE :
			     b->least_endport | WEFT_ENDPORT;

	return json_pack(
		"{s:f, s:f, s:f, s:o}", "even", b->even, "mean", b->mean,
		"least", b->least, "least_host",
		tool_json_vertex(f, v,
				 v == WEFT_NONE ? 0 : tool_vertex_lid(f, v)));
}

/* What an engine that breaks ties by id does to that set alone. */
static json_t *integer_json(bool own, uint64_t figure)
{
	return own ? json_integer(figure) : json_null();
}

json_t *tool_rerouted_json(const struct weft_fabric *f,
			   const struct weft_fault *fault, bool own)
{
	const struct weft_fault_rerouted *r = &fault->rerouted;
	json_t *bandwidth;

	if (!fault->routed)
		return json_null();
	if (r->refused)
		return json_pack("{s:o}", "refused",
				 tool_json_string(r->refused));
	bandwidth = tool_bandwidth_json(f, &r->bandwidth);
	if (!own)
		json_object_set_new(bandwidth, "least_host", json_null());
	return json_pack("{s:n, s:I, s:o, s:i, s:o, s:o}", "refused", "broken",
			 (json_int_t)r->broken, "bandwidth", bandwidth, "lanes",
			 (int)r->lanes, "entries",
			 integer_json(own, r->entries), "blocks",
			 integer_json(own, r->blocks));
}

static json_t *set_json(const struct tool_faults *r, uint32_t set)
{
	const struct weft_fault *f = &r->x->fault[set];
	const struct weft_fabric *fabric = r->c->fabric;
	json_t *parts = json_array(), *one;
	char *cut = tool_faults_cut(r, set);

	for (uint32_t i = r->sets->first[set]; i < r->sets->first[set + 1]; i++)
		json_array_append_new(parts,
				      tool_part_json(fabric, r->sets->part[i]));
	one = json_pack(
		"{s:I, s:o, s:I, s:I, s:I, s:I, s:o}", "set", (json_int_t)set,
		"parts", parts, "cut_off", (json_int_t)f->loss.cut, "hosts",
		(json_int_t)f->loss.hosts, "broken", (json_int_t)f->loss.broken,
		"apart", (json_int_t)f->loss.apart, "bandwidth",
		tool_bandwidth_json(fabric, &f->loss.bandwidth));
	json_object_set_new(one, "cut_off_hosts",
			    cut ? tool_json_string(cut) : json_null());
	free(cut);
	if (!r->engine)
		return one;
	json_object_set_new(one, "like", json_integer(f->like));
	json_object_set_new(one, "rerouted",
			    tool_rerouted_json(fabric, &r->x->fault[f->like],
					       f->like == set));
	return one;
}

json_t *tool_faults_json(const struct tool_faults *r)
{
	const struct weft_faults *x = r->x;
	uint32_t *rank = malloc((x->n + 1ull) * sizeof(*rank));
	uint32_t n = rank ? weft_faults_rank(x, rank) : 0;
	json_t *sets = json_array(), *rest;

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(sets, set_json(r, rank[i]));
	free(rank);
	rest = json_pack(
		"{s:s?, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:o, s:o}",
		"rerouted_by", r->engine, "ended_early", x->judged < x->n || x->routed < x->classes,
		"set_count", (json_int_t)x->n, "judged", (json_int_t)x->judged,
		"routed", (json_int_t)x->routed, "hosts", (json_int_t)x->hosts,
		"pairs", (json_int_t)x->pairs, "lost", (json_int_t)x->lost,
		"lanes", (int)x->lanes, "bandwidth",
		tool_bandwidth_json(r->c->fabric, &x->before), "sets", sets);
	return tool_case_json(r->c->input, r->c->label, r->c->engine, rest);
}

static void csv_bandwidth(const struct weft_fabric *f,
			  const struct weft_fault_bandwidth *b, bool own,
			  FILE *out)
{
	fprintf(out, "%.9g,%.9g,%.9g,", b->even, b->mean, b->least);
	tool_text_csv(out, !own || b->least_endport == WEFT_NONE ?
				   "" :
				   tool_vertex_name(f, b->least_endport |
							       WEFT_ENDPORT));
}

static void csv_rerouted(const struct tool_faults *r,
			 const struct weft_fault *f, FILE *out)
{
	const struct weft_fault *by =
		r->engine ? tool_faults_routed(r->x, f) : NULL;
	const struct weft_fault_rerouted *d;

	if (!by || by->rerouted.refused) {
		fputs(",,,,,,,,", out);
		tool_text_csv(out, by ? by->rerouted.refused : "");
		return;
	}
	d = &by->rerouted;
	fprintf(out, "%" PRIu64 ",", d->broken);
	csv_bandwidth(r->c->fabric, &d->bandwidth, by == f, out);
	if (by == f)
		fprintf(out, "%u,%" PRIu64 ",%" PRIu64 ",\"\",", d->lanes,
			d->entries, d->blocks);
	else
		fprintf(out, "%u,,,\"\",", d->lanes);
}

/* The names of the parts of a set as one field. */
static void csv_parts(const struct tool_faults *r, uint32_t set, FILE *out)
{
	char name[400], *text = NULL;
	size_t size;
	FILE *names = open_memstream(&text, &size);

	for (uint32_t i = r->sets->first[set];
	     names && i < r->sets->first[set + 1]; i++)
		fprintf(names, "%s%s", i > r->sets->first[set] ? "; " : "",
			tool_part_text(r->c->fabric, r->sets->part[i], name,
				       sizeof(name)));
	if (names)
		fclose(names);
	tool_text_csv(out, text ? text : "");
	free(text);
}

static void csv_set(const struct tool_faults *r, uint32_t set, FILE *out)
{
	const struct weft_fault *f = &r->x->fault[set];
	char *cut = tool_faults_cut(r, set);

	tool_text_csv(out, r->c->input);
	tool_text_csv(out, r->c->label);
	fprintf(out, "%" PRIu32 ",", set);
	csv_parts(r, set, out);
	fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",",
		f->loss.cut, f->loss.hosts, f->loss.broken, f->loss.apart);
	csv_bandwidth(r->c->fabric, &f->loss.bandwidth, true, out);
	fprintf(out, "%" PRIu32 ",", f->like);
	csv_rerouted(r, f, out);
	weft_io_csv_quoted(out, cut ? cut : "");
	fputc('\n', out);
	free(cut);
}

void tool_faults_csv(const struct tool_faults *r, bool header, FILE *out)
{
	uint32_t *rank = malloc((r->x->n + 1ull) * sizeof(*rank));
	uint32_t n = rank ? weft_faults_rank(r->x, rank) : 0;

	if (header)
		fputs("input,routes,set,parts,cut_off,hosts,broken,apart,even,mean,least,least_host,like,rerouted_broken,rerouted_even,rerouted_mean,rerouted_least,rerouted_least_host,lanes,entries,blocks,refused,cut_off_hosts\n",
		      out);
	for (uint32_t i = 0; i < n; i++)
		csv_set(r, rank[i], out);
	free(rank);
}
