// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Failures on paper. */
#include "tools/faults/faults.h"

#include "tools/common/fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIGURES 54 /* columns before the parts of a row */

/* --- figures -------------------------------------------------------------- */

static const struct weft_fault_bandwidth *bandwidth(const struct weft_faults *x,
						    const struct weft_fault *f)
{
	const struct weft_fault *by = tool_faults_routed(x, f);

	return by && !by->rerouted.refused ? &by->rerouted.bandwidth :
					     &f->loss.bandwidth;
}

/* --- summary -------------------------------------------------------------- */

struct summary {
	uint32_t cut, most_cut;	  /* sets that cut off hosts; hosts at most */
	uint32_t broken, refused; /* sets */
	uint64_t most_broken;
	uint64_t most_entries, least_entries, sum_entries; /* of those routed */
	double worst, slow;
	uint32_t slowest; /* the set with the slowest host */
	unsigned lanes;
};

static struct summary sum_up(const struct weft_faults *x)
{
	struct summary s = { .worst = 1,
			     .slow = 2,
			     .slowest = WEFT_NONE,
			     .least_entries = UINT64_MAX };

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
		if (bandwidth(x, f)->least < s.slow - 1e-9 &&
		    bandwidth(x, f)->least_endport != WEFT_NONE) {
			s.slow = bandwidth(x, f)->least;
			s.slowest = i;
		}
		if (!f->routed)
			continue;
		s.refused += r->refused != NULL;
		if (r->refused)
			continue;
		s.sum_entries += r->entries;
		s.lanes = r->lanes > s.lanes ? r->lanes : s.lanes;
		if (r->entries > s.most_entries)
			s.most_entries = r->entries;
		if (r->entries < s.least_entries)
			s.least_entries = r->entries;
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

/* Where one stands for those that are alike, an engine that breaks ties by id
 * changes as many entries in no two of them: a mean would be made up. */
static void print_entries(const struct tool_faults *r, const struct summary *s,
			  FILE *out)
{
	uint32_t n = r->x->routed - s->refused;

	if (!n)
		return;
	fputs("  entries changed              ", out);
	if (tool_faults_stand_in(r->x))
		fprintf(out, "%s to %s in these; --each tells of all\n",
			WEFT_COUNT(s->least_entries, NULL),
			WEFT_COUNT(s->most_entries, NULL));
	else
		fprintf(out, "%s on average, at most %s\n",
			WEFT_COUNT(s->sum_entries / n, NULL),
			WEFT_COUNT(s->most_entries, NULL));
	fprintf(out,
		"  lanes, at most               %u, without failures %u\n",
		s->lanes, r->x->lanes);
}

static void print_routed(const struct tool_faults *r, const struct summary *s,
			 FILE *out)
{
	const struct weft_faults *x = r->x;

	if (!r->engine)
		return;
	fprintf(out, "routed anew by                 %s, %s", r->engine,
		WEFT_COUNT(x->routed, "time"));
	if (tool_faults_stand_in(x))
		fputs("; others are like these", out);
	fputc('\n', out);
	print_refusals(x, s->refused, out);
	print_entries(r, s, out);
}

/* The slowest host of all, and when it is that. */
static void print_slowest(const struct tool_faults *r, const struct summary *s,
			  FILE *out)
{
	const struct weft_fault_sets *sets = r->sets;
	uint32_t set = s->slowest, parts;
	char host[160], part[400], text[640];
	int used;

	if (set == WEFT_NONE)
		return;
	parts = sets->first[set + 1] - sets->first[set];
	used = fprintf(out, "slowest host                   %.4f  ", s->slow);
	snprintf(text, sizeof(text), "%s, without %s%s",
		 tool_text_vertex(
			 r->c->fabric,
			 bandwidth(r->x, &r->x->fault[set])->least_endport |
				 WEFT_ENDPORT,
			 host, sizeof(host)),
		 tool_part_text(r->c->fabric, sets->part[sets->first[set]],
				part, sizeof(part)),
		 parts > 1 ? " and others" : "");
	tool_text_wrap(out, used, 2, text);
}

static void print_summary(const struct tool_faults *r, FILE *out)
{
	const struct weft_faults *x = r->x;
	const struct summary s = sum_up(x);

	tool_case_head(r->c, out);
	print_ends(r, out);
	fprintf(out,
		"failures judged                %s\n"
		"without any                    %s; bandwidth %.4f, slowest host %.4f\n",
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
	fprintf(out, "\nleast bandwidth left           %.4f%s\n", s.worst,
		r->engine && tool_faults_stand_in(x) ? " of those routed" : "");
	print_slowest(r, &s, out);
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

char *tool_cut_text(const struct tool_case *c, const uint32_t *part, uint32_t n,
		    bool all_hosts)
{
	const struct weft_fabric *f = c->fabric;
	uint32_t *node, count;
	char *text = NULL;

	if (weft_fault_cut(f, part, n, all_hosts, &node, &count))
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		node[i] = f->node_endport[f->node[node[i]].first_endport];
	if (count)
		text = tool_fold_hosts(f, node, count);
	free(node);
	return text;
}

char *tool_faults_cut(const struct tool_faults *r, uint32_t set)
{
	const struct weft_fault_sets *s = r->sets;

	if (!r->x->fault[set].loss.cut)
		return NULL;
	return tool_cut_text(r->c, s->part + s->first[set],
			     s->first[set + 1] - s->first[set], r->all_hosts);
}

/* Whether what an engine makes of a set is told of another one, which is
 * alike. */
static bool is_alike(const struct tool_faults *r, uint32_t set)
{
	const struct weft_fault *f = &r->x->fault[set];

	return r->engine && f->like != set && tool_faults_routed(r->x, f);
}

static void print_row(const struct tool_faults *r, uint32_t set, FILE *out)
{
	const struct weft_fault *f = &r->x->fault[set];
	const struct weft_fault *by = tool_faults_routed(r->x, f);
	const struct weft_fault_bandwidth *b = bandwidth(r->x, f);
	char *cut = tool_faults_cut(r, set);

	fprintf(out, "%7s%13s  %c%6.4f%9.4f", WEFT_COUNT(f->loss.cut, NULL),
		WEFT_COUNT(f->loss.broken, NULL), is_alike(r, set) ? '~' : ' ',
		b->mean, b->least);
	if (by && by->rerouted.refused)
		fputs("  refused   ", out);
	else if (by)
		fprintf(out, "%4u%10s", by->rerouted.lanes,
			WEFT_COUNT(by->rerouted.entries, NULL));
	else
		fprintf(out, "%4s%10s", "-", "-");
	print_parts(r, set, out);
	if (cut) {
		fputs("      cuts off ", out);
		tool_fold_print(out, 15, 8, cut, 3);
	}
	free(cut);
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
 * alike, the most critical of these.  Whether one has another one's figures. */
static bool print_ranking(const struct tool_faults *r, const uint32_t *rank,
			  uint32_t n, enum which which, FILE *out)
{
	static const char *const name[] = { "sets", "switches", "cables" };
	bool *told = calloc(r->x->n + 1ull, sizeof(*told));
	uint32_t shown = 0;
	bool alike = false;

	for (uint32_t i = 0; told && i < n && shown < r->top; i++) {
		uint32_t like = r->x->fault[rank[i]].like;

		if (!belongs(r, rank[i], which))
			continue;
		if (r->engine && told[like])
			continue;
		told[like] = true;
		if (!shown++)
			fprintf(out,
				"\n"
				"most critical %s\n"
				"  hosts        pairs    band-  slowest       entries\n"
				"cut off       broken    width     host  VLs   changed  part\n",
				name[which]);
		print_row(r, rank[i], out);
		alike |= is_alike(r, rank[i]);
	}
	free(told);
	return alike;
}

void tool_faults_text(const struct tool_faults *r, FILE *out)
{
	uint32_t *rank = malloc((r->x->n + 1ull) * sizeof(*rank)), n;
	bool alike;

	print_summary(r, out);
	n = rank ? weft_faults_rank(r->x, rank) : 0;
	if (r->single) {
		alike = print_ranking(r, rank, n, SWITCHES, out);
		alike |= print_ranking(r, rank, n, CABLES, out);
	} else {
		alike = print_ranking(r, rank, n, ALL, out);
	}
	if (alike)
		fputs("\n~ figures of one that is alike and was routed\n", out);
	free(rank);
}
