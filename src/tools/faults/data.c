// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Failures as JSON and comma-separated values. */
#include "tools/common/record.h"
#include "tools/faults/faults.h"

#include <stdlib.h>

json_t *tool_bandwidth_json(const struct weft_fabric *f,
			    const struct weft_fault_bandwidth *b, bool own)
{
	uint32_t v = !own || b->least_endport == WEFT_NONE ?
			     WEFT_NONE :
			     b->least_endport | WEFT_ENDPORT;

	return json_pack("{s:f, s:f, s:f, s:o}", "even", b->even, "mean",
			 b->mean, "least", b->least, "least_host",
			 tool_json_node(f, v));
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

	if (!fault->routed)
		return json_null();
	if (r->refused)
		return json_pack("{s:o}", "refused",
				 tool_json_string(r->refused));
	return json_pack("{s:n, s:I, s:o, s:i, s:o, s:o}", "refused", "broken",
			 (json_int_t)r->broken, "bandwidth",
			 tool_bandwidth_json(f, &r->bandwidth, own), "lanes",
			 (int)r->lanes, "entries",
			 integer_json(own, r->entries), "blocks",
			 integer_json(own, r->blocks));
}

json_t *tool_parts_json(const struct weft_fabric *f, const uint32_t *part,
			uint32_t n)
{
	json_t *parts = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(parts, tool_part_json(f, part[i]));
	return parts;
}

/* A set as a row. */
struct row {
	const struct tool_faults *of;
	uint32_t set;
	struct weft_fault f;
	struct weft_fault_rerouted by;	/* of one that is like it */
	bool routed;			/* there is such a one, */
	bool own;			/* and it is this set */
	struct tool_vertex least, by_least;
	char *parts, *cut;		/* names; malloc()ed */
};

static bool is_routed(const void *record)
{
	const struct row *r = record;

	return r->routed && !r->by.refused;
}

static bool is_own(const void *record)
{
	const struct row *r = record;

	return is_routed(record) && r->own;
}

/* What JSON and CSV have under the same keys; what else CSV has, which JSON has
 * in objects. */
#define FIELD(...) TOOL_FIELD(struct row, __VA_ARGS__)
#define LOSS \
	FIELD(f.loss.cut, COUNT, "cut_off"), \
	FIELD(f.loss.hosts, COUNT, "hosts"), \
	FIELD(f.loss.broken, COUNT, "broken"), \
	FIELD(f.loss.apart, COUNT, "apart")
static const struct tool_field set_fields[] = {
	FIELD(set, COUNT, "set"),
	LOSS,
	FIELD(cut, NAME, "cut_off_hosts"),
	TOOL_FIELDS_END
};
#define REAL9(member, name, ...) FIELD(member, REAL, name, .digits = 9, \
				       __VA_ARGS__)
static const struct tool_field csv_fields[] = {
	FIELD(set, COUNT, "set"),
	FIELD(parts, NAME, "parts"),
	LOSS,
	REAL9(f.loss.bandwidth.even, "even"),
	REAL9(f.loss.bandwidth.mean, "mean"),
	REAL9(f.loss.bandwidth.least, "least"),
	FIELD(least, VERTEX, "least_host"),
	FIELD(f.like, COUNT, "like"),
	FIELD(by.broken, COUNT, "rerouted_broken", .when = is_routed),
	REAL9(by.bandwidth.even, "rerouted_even", .when = is_routed),
	REAL9(by.bandwidth.mean, "rerouted_mean", .when = is_routed),
	REAL9(by.bandwidth.least, "rerouted_least", .when = is_routed),
	FIELD(by_least, VERTEX, "rerouted_least_host"),
	FIELD(by.lanes, COUNT, "lanes", .when = is_routed),
	FIELD(by.entries, COUNT, "entries", .when = is_own),
	FIELD(by.blocks, COUNT, "blocks", .when = is_own),
	FIELD(by.refused, NAME, "refused"),
	FIELD(cut, NAME, "cut_off_hosts"),
	TOOL_FIELDS_END
};

/* The names of the parts of a set as one field; malloc()ed. */
static char *part_names(const struct tool_faults *r, uint32_t set)
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
	return text;
}

static struct tool_vertex host_of(const struct tool_faults *r,
				  const struct weft_fault_bandwidth *b)
{
	return tool_vertex(r->c->fabric, b->least_endport == WEFT_NONE ?
			   WEFT_NONE : b->least_endport | WEFT_ENDPORT);
}

static void add_json(const struct row *row, void *context)
{
	const struct tool_faults *r = row->of;
	const struct weft_fabric *f = r->c->fabric;
	const uint32_t *first = &r->sets->first[row->set];
	json_t *one = tool_record_object(set_fields, row);

	json_object_set_new(one, "parts", tool_parts_json(
		f, r->sets->part + first[0], first[1] - first[0]));
	json_object_set_new(one, "bandwidth", tool_bandwidth_json(
		f, &row->f.loss.bandwidth, true));
	if (r->engine) {
		json_object_set_new(one, "like", json_integer(row->f.like));
		json_object_set_new(one, "rerouted", tool_rerouted_json(
			f, &r->x->fault[row->f.like], row->own));
	}
	json_array_append_new(context, one);
}

/* Calls with each set, the most critical first. */
static void each_set(const struct tool_faults *r,
		     void (*call)(const struct row *row, void *context),
		     void *context)
{
	uint32_t *rank = malloc((r->x->n + 1ull) * sizeof(*rank));
	uint32_t n = rank ? weft_faults_rank(r->x, rank) : 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct weft_fault *f = &r->x->fault[rank[i]];
		const struct weft_fault *by =
			r->engine ? tool_faults_routed(r->x, f) : NULL;
		struct row row = {
			.of = r, .set = rank[i], .f = *f, .routed = by,
			.own = f->like == rank[i],
			.least = host_of(r, &f->loss.bandwidth),
			.parts = part_names(r, rank[i]),
			.cut = tool_faults_cut(r, rank[i]),
		};

		if (by)
			row.by = by->rerouted;
		if (is_own(&row))
			row.by_least = host_of(r, &row.by.bandwidth);
		call(&row, context);
		free(row.parts);
		free(row.cut);
	}
	free(rank);
}

json_t *tool_faults_json(const struct tool_faults *r)
{
	const struct weft_faults *x = r->x;
	json_t *sets = json_array(), *rest;

	each_set(r, add_json, sets);
	rest = json_pack(
		"{s:s?, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:o, s:o}",
		"rerouted_by", r->engine, "ended_early", x->judged < x->n || x->routed < x->classes,
		"set_count", (json_int_t)x->n, "judged", (json_int_t)x->judged,
		"routed", (json_int_t)x->routed, "hosts", (json_int_t)x->hosts,
		"pairs", (json_int_t)x->pairs, "lost", (json_int_t)x->lost,
		"lanes", (int)x->lanes, "bandwidth",
		tool_bandwidth_json(r->c->fabric, &x->before, true), "sets",
		sets);
	return tool_case_json(r->c->input, r->c->label, r->c->engine, rest);
}

static void put_csv(const struct row *row, void *context)
{
	tool_record_line(csv_fields, row->of->c, row, false, context);
}

void tool_faults_csv(const struct tool_faults *r, bool header, FILE *out)
{
	tool_record_line(csv_fields, r->c, NULL, header, out);
	each_set(r, put_csv, out);
}
