// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Failures on paper. */
#include "faults.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIGURES 54 /* columns before the parts of a row */

/* --- figures -------------------------------------------------------------- */

/* The one whose rerouting stands for it, NULL if that is not known. */
static const struct weft_fault *routed(const struct weft_faults *x,
				       const struct weft_fault *f)
{
	const struct weft_fault *by = &x->fault[f->like];

	return by->routed ? by : NULL;
}

static const struct weft_fault_bandwidth *bandwidth(const struct weft_faults *x,
						    const struct weft_fault *f)
{
	const struct weft_fault *by = routed(x, f);

	return by && !by->rerouted.refused ? &by->rerouted.bandwidth :
					     &f->loss.bandwidth;
}

/* --- summary -------------------------------------------------------------- */

struct summary {
	uint32_t cut, most_cut;	  /* sets that cut off hosts; hosts at most */
	uint32_t broken, refused; /* sets */
	uint64_t most_broken, most_entries, sum_entries;
	double worst;
	unsigned lanes;
};

static struct summary sum_up(const struct weft_faults *x)
{
	struct summary s = { .worst = 1 };

	for (uint32_t i = 0; i < x->n; i++) {
		const struct weft_fault *f = &x->fault[i];
		const struct weft_fault_rerouted *r = &f->rerouted;

		if (!f->judged)
			continue;
		s.cut += f->loss.cut > 0;
		s.broken += f->loss.broken > 0;
		if (f->loss.cut > s.most_cut)
			s.most_cut = f->loss.cut;
		if (f->loss.broken > s.most_broken)
			s.most_broken = f->loss.broken;
		if (bandwidth(x, f)->mean < s.worst)
			s.worst = bandwidth(x, f)->mean;
		if (!f->routed)
			continue;
		s.refused += r->refused != NULL;
		s.sum_entries += r->entries;
		s.lanes = r->lanes > s.lanes ? r->lanes : s.lanes;
		if (r->entries > s.most_entries)
			s.most_entries = r->entries;
	}
	return s;
}

static void print_ends(const struct tool_faults *r, FILE *out)
{
	const struct weft_faults *x = r->x;

	if (x->judged < x->n)
		fprintf(out, "ENDED EARLY                    %s of %s judged\n",
			WEFT_COUNT(x->judged, NULL),
			WEFT_COUNT(x->n, "failure"));
	if (r->engine && x->routed < x->classes)
		fprintf(out, "ENDED EARLY                    %s of %s routed\n",
			WEFT_COUNT(x->routed, NULL),
			WEFT_COUNT(x->classes, "failure"));
}

/* How often the engine refused, and why it did first. */
static void print_refusals(const struct weft_faults *x, uint32_t refused,
			   FILE *out)
{
	int used;

	if (!refused)
		return;
	used = fprintf(out, "  refused                      %s: ",
		       WEFT_COUNT(refused, "time"));
	for (uint32_t i = 0; i < x->n; i++) {
		const char *why = x->fault[i].rerouted.refused;

		if (!why)
			continue;
		tool_text_wrap(out, used, 4, why);
		return;
	}
}

static void print_routed(const struct tool_faults *r, const struct summary *s,
			 FILE *out)
{
	const struct weft_faults *x = r->x;

	if (!r->engine)
		return;
	fprintf(out, "routed anew by                 %s, %s", r->engine,
		WEFT_COUNT(x->routed, "time"));
	if (x->classes < x->n)
		fprintf(out, "; others are like these");
	fputc('\n', out);
	print_refusals(x, s->refused, out);
	if (x->routed > s->refused)
		fprintf(out,
			"  entries changed              %s on average, at "
			"most %s\n"
			"  lanes, at most               %u, without failures "
			"%u\n",
			WEFT_COUNT(s->sum_entries / (x->routed - s->refused),
				   NULL),
			WEFT_COUNT(s->most_entries, NULL), s->lanes, x->lanes);
}

static void print_summary(const struct tool_faults *r, FILE *out)
{
	const struct weft_faults *x = r->x;
	const struct summary s = sum_up(x);

	fprintf(out, "%s%s%s\n", r->c->input, r->c->engine ? ", " : "",
		r->c->engine ? r->c->engine : "");
	print_ends(r, out);
	fprintf(out,
		"failures judged                %s\n"
		"without any                    %s; bandwidth %.4f, slowest "
		"host %.4f\n",
		WEFT_COUNT(x->judged, NULL), WEFT_COUNT(x->hosts, "host"),
		x->before.mean, x->before.least);
	if (x->lost)
		fprintf(out, "  pairs without a route        %s of %s\n",
			WEFT_COUNT(x->lost, NULL), WEFT_COUNT(x->pairs, NULL));
	fprintf(out, "cut off hosts                  %s",
		WEFT_COUNT(s.cut, NULL));
	if (s.cut)
		fprintf(out, ", at most %s", WEFT_COUNT(s.most_cut, "host"));
	fprintf(out, "\nbreak routes until rerouted    %s",
		WEFT_COUNT(s.broken, NULL));
	if (s.broken)
		fprintf(out, ", at most %.2f %% of all pairs",
			x->pairs ? 100.0 * s.most_broken / x->pairs : 0);
	fprintf(out, "\nleast bandwidth left           %.4f\n", s.worst);
	print_routed(r, &s, out);
}

/* --- ranking -------------------------------------------------------------- */

static void print_parts(const struct tool_faults *r, uint32_t set, FILE *out)
{
	const struct weft_fault_sets *s = r->sets;
	char name[400], text[4096];
	size_t n = 0;

	for (uint32_t i = s->first[set];
	     i < s->first[set + 1] && n + sizeof(name) < sizeof(text); i++)
		n += snprintf(text + n, sizeof(text) - n, "%s%s", n ? ", " : "",
			      tool_part_text(r->c->fabric, s->part[i], name,
					     sizeof(name)));
	if (r->engine && r->x->fault[r->x->fault[set].like].alike > 1)
		snprintf(text + n, sizeof(text) - n, " (%s alike)",
			 WEFT_COUNT(r->x->fault[r->x->fault[set].like].alike,
				    NULL));
	if (FIGURES + strcspn(text, " ") < 80) {
		fputs("  ", out);
		tool_text_wrap(out, FIGURES, 6, text);
		return;
	}
	fputs("\n      ", out);
	tool_text_wrap(out, 6, 6, text);
}

static void print_row(const struct tool_faults *r, uint32_t set, FILE *out)
{
	const struct weft_fault *f = &r->x->fault[set];
	const struct weft_fault *by = routed(r->x, f);
	const struct weft_fault_bandwidth *b = bandwidth(r->x, f);

	fprintf(out, "%7s%13s%9.4f%9.4f", WEFT_COUNT(f->loss.cut, NULL),
		WEFT_COUNT(f->loss.broken, NULL), b->mean, b->least);
	if (by && by->rerouted.refused)
		fputs("  refused   ", out);
	else if (by)
		fprintf(out, "%4u%10s", by->rerouted.lanes,
			WEFT_COUNT(by->rerouted.entries, NULL));
	else
		fprintf(out, "%4s%10s", "-", "-");
	print_parts(r, set, out);
}

static bool is_switch(const struct tool_faults *r, uint32_t set)
{
	return r->sets->part[r->sets->first[set]] & WEFT_PART_SWITCH;
}

enum which { ALL, SWITCHES, CABLES };

static bool belongs(const struct tool_faults *r, uint32_t set, enum which which)
{
	return which == ALL || is_switch(r, set) == (which == SWITCHES);
}

/* The most critical of a kind; where an engine routed one for many that are
 * alike, the most critical of these. */
static void print_ranking(const struct tool_faults *r, const uint32_t *rank,
			  uint32_t n, enum which which, FILE *out)
{
	static const char *const name[] = { "sets", "switches", "cables" };
	bool *told = calloc(r->x->n + 1ull, sizeof(*told));
	uint32_t shown = 0;

	for (uint32_t i = 0; told && i < n && shown < r->top; i++) {
		uint32_t like = r->x->fault[rank[i]].like;

		if (!belongs(r, rank[i], which))
			continue;
		if (r->engine && told[like])
			continue;
		told[like] = true;
		if (!shown++)
			fprintf(out,
				"\nmost critical %s\n"
				"  hosts        pairs    band-  slowest       "
				"entries\n"
				"cut off       broken    width     host  VLs   "
				"changed  part\n",
				name[which]);
		print_row(r, rank[i], out);
	}
	free(told);
}

void tool_faults_text(const struct tool_faults *r, FILE *out)
{
	uint32_t *rank = malloc((r->x->n + 1ull) * sizeof(*rank)), n;

	print_summary(r, out);
	n = rank ? weft_faults_rank(r->x, rank) : 0;
	if (r->single) {
		print_ranking(r, rank, n, SWITCHES, out);
		print_ranking(r, rank, n, CABLES, out);
	} else {
		print_ranking(r, rank, n, ALL, out);
	}
	free(rank);
}

/* --- JSON and CSV --------------------------------------------------------- */

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

json_t *tool_rerouted_json(const struct weft_fabric *f,
			   const struct weft_fault *fault)
{
	const struct weft_fault_rerouted *r = &fault->rerouted;

	if (!fault->routed)
		return json_null();
	if (r->refused)
		return json_pack("{s:o}", "refused",
				 tool_json_string(r->refused));
	return json_pack("{s:n, s:I, s:o, s:i, s:I, s:I}", "refused", "broken",
			 (json_int_t)r->broken, "bandwidth",
			 tool_bandwidth_json(f, &r->bandwidth), "lanes",
			 (int)r->lanes, "entries", (json_int_t)r->entries,
			 "blocks", (json_int_t)r->blocks);
}

static json_t *set_json(const struct tool_faults *r, uint32_t set)
{
	const struct weft_fault *f = &r->x->fault[set];
	const struct weft_fabric *fabric = r->c->fabric;
	json_t *parts = json_array(), *one;

	for (uint32_t i = r->sets->first[set]; i < r->sets->first[set + 1]; i++)
		json_array_append_new(parts,
				      tool_part_json(fabric, r->sets->part[i]));
	one = json_pack(
		"{s:I, s:o, s:I, s:I, s:I, s:I, s:o}", "set", (json_int_t)set,
		"parts", parts, "cut_off", (json_int_t)f->loss.cut, "hosts",
		(json_int_t)f->loss.hosts, "broken", (json_int_t)f->loss.broken,
		"apart", (json_int_t)f->loss.apart, "bandwidth",
		tool_bandwidth_json(fabric, &f->loss.bandwidth));
	if (!r->engine)
		return one;
	json_object_set_new(one, "like", json_integer(f->like));
	json_object_set_new(one, "rerouted",
			    tool_rerouted_json(fabric, &r->x->fault[f->like]));
	return one;
}

json_t *tool_faults_json(const struct tool_faults *r)
{
	const struct weft_faults *x = r->x;
	uint32_t *rank = malloc((x->n + 1ull) * sizeof(*rank));
	uint32_t n = rank ? weft_faults_rank(x, rank) : 0;
	json_t *sets = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(sets, set_json(r, rank[i]));
	free(rank);
	return json_pack(
		"{s:o, s:s, s:o, s:s?, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:i, "
		"s:o, s:o}",
		"input", tool_json_string(r->c->input), "by",
		r->c->engine ? "engine" : "tables", "routes",
		tool_json_string(r->c->label), "rerouted_by", r->engine,
		"ended_early", x->judged < x->n || x->routed < x->classes,
		"set_count", (json_int_t)x->n, "judged", (json_int_t)x->judged,
		"routed", (json_int_t)x->routed, "hosts", (json_int_t)x->hosts,
		"pairs", (json_int_t)x->pairs, "lost", (json_int_t)x->lost,
		"lanes", (int)x->lanes, "bandwidth",
		tool_bandwidth_json(r->c->fabric, &x->before), "sets", sets);
}

static void csv_bandwidth(const struct weft_fabric *f,
			  const struct weft_fault_bandwidth *b, FILE *out)
{
	fprintf(out, "%.9g,%.9g,%.9g,", b->even, b->mean, b->least);
	tool_text_csv(out, b->least_endport == WEFT_NONE ?
				   "" :
				   tool_vertex_name(f, b->least_endport |
							       WEFT_ENDPORT));
}

static void csv_rerouted(const struct tool_faults *r,
			 const struct weft_fault *f, FILE *out)
{
	const struct weft_fault *by = r->engine ? routed(r->x, f) : NULL;
	const struct weft_fault_rerouted *d;

	if (!by || by->rerouted.refused) {
		fputs(",,,,,,,,", out);
		tool_text_quoted(out, by ? by->rerouted.refused : "");
		fputc('\n', out);
		return;
	}
	d = &by->rerouted;
	fprintf(out, "%" PRIu64 ",", d->broken);
	csv_bandwidth(r->c->fabric, &d->bandwidth, out);
	fprintf(out, "%u,%" PRIu64 ",%" PRIu64 ",\"\"\n", d->lanes, d->entries,
		d->blocks);
}

static void csv_set(const struct tool_faults *r, uint32_t set, FILE *out)
{
	const struct weft_fault *f = &r->x->fault[set];
	char name[400];

	tool_text_csv(out, r->c->input);
	tool_text_csv(out, r->c->label);
	fprintf(out, "%" PRIu32 ",\"", set);
	for (uint32_t i = r->sets->first[set]; i < r->sets->first[set + 1];
	     i++) {
		tool_part_text(r->c->fabric, r->sets->part[i], name,
			       sizeof(name));
		for (char *p = name; *p; p++)
			*p = *p == '"' ? '\'' : *p;
		fprintf(out, "%s%s", i > r->sets->first[set] ? "; " : "", name);
	}
	fprintf(out, "\",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",",
		f->loss.cut, f->loss.hosts, f->loss.broken, f->loss.apart);
	csv_bandwidth(r->c->fabric, &f->loss.bandwidth, out);
	fprintf(out, "%" PRIu32 ",", f->like);
	csv_rerouted(r, f, out);
}

void tool_faults_csv(const struct tool_faults *r, bool header, FILE *out)
{
	uint32_t *rank = malloc((r->x->n + 1ull) * sizeof(*rank));
	uint32_t n = rank ? weft_faults_rank(r->x, rank) : 0;

	if (header)
		fputs("input,routes,set,parts,cut_off,hosts,broken,apart,even,"
		      "mean,least,least_host,like,rerouted_broken,"
		      "rerouted_even,rerouted_mean,rerouted_least,"
		      "rerouted_least_host,lanes,entries,blocks,refused\n",
		      out);
	for (uint32_t i = 0; i < n; i++)
		csv_set(r, rank[i], out);
	free(rank);
}
