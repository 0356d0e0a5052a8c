// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weft place prints: a report, or the order as other programs read it. */
#include "tools/place/place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The name of host i of the order, as resource managers know it. */
static const char *name_of(const struct tool_placed *p, uint32_t i, char *buf,
			   size_t size)
{
	uint32_t machine = p->places->machine[p->found.place[i]];
	uint32_t e = weft_machine_endport(p->f, machine);
	const char *name = p->f->node[p->f->ep[e].node].name;
	int word = strcspn(name, " \t");

	if (word)
		snprintf(buf, size, "%.*s", word, name);
	else
		snprintf(buf, size, "0x%016" PRIx64, p->f->ep[e].guid);
	return buf;
}

void tool_place_write(const struct tool_placed *p,
		      enum tool_place_format format, FILE *out)
{
	uint32_t width = p->places->width;
	char name[256];

	for (uint32_t i = 0; i < p->found.n; i++) {
		name_of(p, i, name, sizeof(name));
		if (format == TOOL_PLACE_LIST)
			fprintf(out, "%s%s", i ? "," : "", name);
		for (uint32_t k = 0; k < width; k++) {
			if (format == TOOL_PLACE_RANKFILE)
				fprintf(out, "rank %u=%s slot=%u\n",
					i * width + k, name, k);
			else if (format == TOOL_PLACE_HOSTFILE)
				fprintf(out, "%s\n", name);
		}
	}
	if (format == TOOL_PLACE_LIST)
		fputc('\n', out);
}

/* --- report --------------------------------------------------------------- */

static bool is_exact(const void *record)
{
	return ((const struct tool_placed *)record)->found.exact;
}

static bool is_searched(const void *record)
{
	return !is_exact(record);
}

/* Numbers of other jobs, as long as one of them runs. */
static bool has_jobs(const void *record)
{
	return ((const struct tool_placed *)record)->others->file;
}

static json_t *hosts_json(const void *record)
{
	const struct tool_placed *p = record;
	json_t *hosts = json_array();
	char name[256];

	for (uint32_t i = 0; i < p->found.n; i++)
		json_array_append_new(hosts, tool_json_string(
			name_of(p, i, name, sizeof(name))));
	return hosts;
}

static const struct tool_field figures[] = {
#define FIELD(...) TOOL_FIELD(struct tool_placed, __VA_ARGS__)
#define WORTH(of) \
	FIELD(found.of.lower, REAL, #of ".lower", .column = #of "_lower"), \
	FIELD(found.of.between, REAL, #of ".between", \
	      .column = #of "_between"), \
	FIELD(found.of.streams, REAL, #of ".streams", \
	      .column = #of "_streams"), \
	FIELD(found.of.slowest, REAL, #of ".slowest", \
	      .column = #of "_slowest"), \
	FIELD(found.of.leaves, COUNT, #of ".leaves", \
	      .column = #of "_leaves"), \
	FIELD(found.of.lost, COUNT, #of ".lost", .column = #of "_lost")
	FIELD(pattern, NAME, "pattern"),
	FIELD(hosts, COUNT, "hosts"),
	FIELD(candidates, COUNT, "candidates"),
	FIELD(ranks, COUNT, "ranks"),
	WORTH(given),
	WORTH(found),
	FIELD(gain, REAL, "gain"),
	FIELD(found.exact, YES, "exact"),
	FIELD(found.moves, COUNT, "moves"),
	FIELD(seed, COUNT, "seed", .when = is_searched),
	FIELD(jobs, COUNT, "jobs", .when = has_jobs),
	FIELD(jobs_hosts, COUNT, "jobs_hosts", .when = has_jobs),
	FIELD(found.given.beside, REAL, "given.others",
	      .column = "given_others", .when = has_jobs),
	FIELD(found.found.beside, REAL, "found.others",
	      .column = "found_others", .when = has_jobs),
	TOOL_TREE_OF("order", hosts_json),
	TOOL_FIELDS_END
#undef WORTH
#undef FIELD
};

static void print_worth(const char *what, double given, double found,
			FILE *out)
{
	fprintf(out, "%-30s %9.4f %9.4f\n", what, given, found);
}

static void print_order(const struct tool_placed *p, FILE *out)
{
	char *text = NULL, name[256];
	size_t size;
	FILE *words = open_memstream(&text, &size);

	for (uint32_t i = 0; words && i < p->found.n; i++)
		fprintf(words, "%s%s", i ? " " : "",
			name_of(p, i, name, sizeof(name)));
	if (words)
		fclose(words);
	fputs("order\n  ", out);
	tool_text_wrap(out, 2, 2, text ? text : "");
	free(text);
}

static void print_text(const void *record, FILE *out)
{
	const struct tool_placed *p = record;
	const struct weft_place_worth *a = &p->found.given;
	const struct weft_place_worth *b = &p->found.found;

	fprintf(out, "%-30s %s of %u, %s\n", "hosts",
		WEFT_COUNT(p->hosts, NULL), p->candidates,
		WEFT_COUNT(p->ranks, "rank"));
	fprintf(out, "%-30s %s\n", "pattern", p->pattern);
	if (p->others->file)
		fprintf(out, "%-30s %s on %s, %s\n", "other jobs",
			WEFT_COUNT(p->jobs, NULL),
			WEFT_COUNT(p->jobs_hosts, "host"), p->others->pattern);
	fprintf(out, "%-30s %9s %9s\n", "share of full bandwidth", "given",
		"found");
	print_worth("  all wait for the slowest", a->lower, b->lower, out);
	print_worth("  the same between switches", a->between, b->between,
		    out);
	print_worth("  mean of the streams", a->streams, b->streams, out);
	print_worth("  slowest stream", a->slowest, b->slowest, out);
	if (p->others->running)
		print_worth("  mean of other jobs", a->beside,
			    b->beside, out);
	fprintf(out, "%-30s %9u %9u\n", "switches with hosts", a->leaves,
		b->leaves);
	if (a->lost + b->lost)
		fprintf(out, "%-30s %9" PRIu64 " %9" PRIu64 "\n",
			"streams without a route", a->lost, b->lost);
	if (p->found.exact && !p->found.moves)
		fprintf(out, "%-30s no stream meets another in the order given\n",
			"orders tried");
	else if (p->found.exact)
		fprintf(out, "%-30s all, %s\n", "orders tried",
			WEFT_COUNT(p->found.moves, NULL));
	else
		fprintf(out, "%-30s %s, seed %u\n", "moves tried",
			WEFT_COUNT(p->found.moves, NULL), p->seed);
	fprintf(out, "%-30s %.2f times as fast\n", "gain", p->gain);
	print_order(p, out);
}

void tool_place_report(struct tool *t, struct tool_report *r,
		       const struct tool_case *c, const struct tool_placed *p)
{
	tool_report_case(t, r, c, figures, p, print_text);
}
