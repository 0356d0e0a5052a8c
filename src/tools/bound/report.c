// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What weft bound prints. */
#include "tools/bound/bound.h"

#include "tools/common/record.h"

#include <inttypes.h>
#include <string.h>

#define LABEL 18	/* columns for the pattern, at least */

static bool has_all(const void *record)
{
	return !((const struct tool_bound *)record)->mean_only;
}

static bool has_ways(const void *record)
{
	return has_all(record) && ((const struct tool_bound *)record)->lmc;
}

static bool has_rounds(const void *record)
{
	return ((const struct tool_bound *)record)->b.rounds;
}

static const struct tool_field figures[] = {
#define FIELD(...) TOOL_FIELD(struct tool_bound, __VA_ARGS__)
	FIELD(b.rounds, COUNT, "rounds", .words = "rounds", .width = 7,
	      .when = has_rounds),
	FIELD(b.all, COUNT, "of", .when = has_rounds),
	FIELD(b.cables, SHARE, "cables", .words = "cables", .digits = 4,
	      .width = 8, .when = has_all),
	FIELD(b.most, SHARE, "split", .words = "split", .digits = 4,
	      .width = 8, .when = has_all),
	FIELD(b.least, SHARE, "reached", .words = "reached", .digits = 4,
	      .width = 8, .when = has_all),
	FIELD(b.exact, YES, "exact", .when = has_all),
	FIELD(b.whole, SHARE, "one_way", .words = "one way", .digits = 4,
	      .width = 8, .when = has_all),
	FIELD(b.ways, SHARE, "ways", .words = "ways", .digits = 4, .width = 8,
	      .when = has_ways),
	FIELD(b.mean, SHARE, "mean", .words = "mean", .digits = 4,
	      .width = 8),
	TOOL_FIELDS_END
#undef FIELD
};

static int label_width(const struct tool_bounds *b)
{
	size_t most = LABEL;

	for (unsigned i = 0; i < b->n; i++)
		if (strlen(b->row[i].pattern) > most)
			most = strlen(b->row[i].pattern);
	return most;
}

void tool_bounds_text(const struct tool_bounds *b, FILE *out)
{
	int width = label_width(b);

	fprintf(out, "%s: %s, %s, ranks by %s\n", b->input,
		WEFT_COUNT(b->hosts, "host"), WEFT_COUNT(b->switches, "switch"),
		b->ranks);
	fprintf(out, "%-*s", width, "full bandwidth=1");
	tool_record_heads(figures, out);
	fputc('\n', out);
	for (unsigned i = 0; i < b->n; i++) {
		fprintf(out, "%-*s", width, b->row[i].pattern);
		tool_record_row(figures, &b->row[i], out);
		fputc('\n', out);
	}
}

void tool_bounds_csv(const struct tool_bounds *b, bool header, FILE *out)
{
	if (header) {
		fputs("input,hosts,switches,ranks,lmc,pattern,", out);
		tool_record_keys(figures, out);
		fputc('\n', out);
	}
	for (unsigned i = 0; i < b->n; i++) {
		tool_text_csv(out, b->input);
		fprintf(out, "%" PRIu32 ",%" PRIu32 ",%s,%" PRId64 ",",
			b->hosts, b->switches, b->ranks, b->lmc);
		tool_text_csv(out, b->row[i].pattern);
		tool_record_csv(figures, &b->row[i], out);
		fputc('\n', out);
	}
}

json_t *tool_bounds_json(const struct tool_bounds *b)
{
	json_t *rows = json_array();

	for (unsigned i = 0; i < b->n; i++) {
		json_t *row = json_object();

		json_object_set_new(row, "pattern",
				    tool_json_string(b->row[i].pattern));
		tool_record_json(figures, &b->row[i], row);
		json_array_append_new(rows, row);
	}
	return json_pack("{s:o, s:I, s:I, s:s, s:I, s:o}", "input",
			 tool_json_string(b->input), "hosts",
			 (json_int_t)b->hosts, "switches",
			 (json_int_t)b->switches, "ranks", b->ranks, "lmc",
			 (json_int_t)b->lmc, "bounds", rows);
}
