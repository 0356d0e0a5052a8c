// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reports, case by case: their heads, refusals, and records as JSON and CSV. */
#include "tools/common/record.h"
#include "tools/common/tool.h"

#include <string.h>

/* --- what all cases have ------------------------------------------------- */

void tool_case_head(const struct tool_case *c, FILE *out)
{
	fprintf(out, "%s%s%s\n", c->input, c->engine ? ", " : "",
		c->engine ? c->engine : "");
}

void tool_case_line(const struct tool_case *c, FILE *out)
{
	bool named = strcmp(c->input, c->label);

	fprintf(out, "%s%s%s", c->input, named ? ", " : "",
		named ? c->label : "");
}

void tool_refused_print(const char *input, const char *engine,
			const char *reason, FILE *out)
{
	int used = fprintf(out, "%s refuses %s: ", engine, input);

	tool_text_wrap(out, used, 2, reason);
}

json_t *tool_case_json(const char *input, const char *label, const char *engine,
		       json_t *rest)
{
	const char *by = engine ? "engine" : "tables";
	json_t *root = json_pack("{s:o, s:o, s:s}",
				 "input", tool_json_string(input),
				 "routes", tool_json_string(label), "by", by);

	/* The name that some commands had for it before all had routes. */
	json_object_set_new(root, by, tool_json_string(label));
	json_object_update_new(root, rest);
	return root;
}

json_t *tool_refused_json(const char *input, const char *engine,
			  const char *reason)
{
	return tool_case_json(input, engine, engine,
			      json_pack("{s:o}", "refused",
					tool_json_string(reason)));
}

void tool_refused_csv(const char *reason, FILE *out)
{
	fputc(',', out);
	weft_io_csv_quoted(out, reason ? reason : "");
	fputc('\n', out);
}

bool tool_report_open(struct tool *t, struct tool_report *r)
{
	if (!r->out)
		r->out = tool_output_open(t, t->args.output);
	if (r->out && t->args.json)
		r->cases = json_array();
	return r->out;
}

bool tool_report_close(struct tool_report *r, bool ok)
{
	if (ok && r->cases)
		tool_json_print(r->out, json_incref(r->cases));
	json_decref(r->cases);
	return ok;
}

/* --- records -------------------------------------------------------------- */

void tool_record_line(const struct tool_field *table,
		      const struct tool_case *c, const void *record,
		      bool header, FILE *out)
{
	if (header) {
		fputs("input,routes,", out);
		tool_record_keys(table, out);
		fputc('\n', out);
	}
	if (!record)
		return;
	tool_text_csv(out, c->input);
	tool_text_csv(out, c->label);
	tool_record_csv(table, record, out);
	fputc('\n', out);
}

static json_t *case_json(const struct tool_case *c,
			 const struct tool_field *table, const void *record)
{
	json_t *rest;

	if (c->refused)
		return tool_refused_json(c->input, c->label, c->refused);
	rest = json_pack("{s:n}", "refused");
	tool_record_json(table, record, rest);
	return tool_case_json(c->input, c->label, c->engine, rest);
}

static void case_csv(FILE *out, const struct tool_case *c,
		     const struct tool_field *table, const void *record,
		     bool header)
{
	if (header) {
		fputs("input,routes,by,", out);
		tool_record_keys(table, out);
		fputs(",refused\n", out);
	}
	record = c->refused ? NULL : record;
	for (uint32_t i = 0; i < tool_record_csv_rows(table, record); i++) {
		tool_text_csv(out, c->input);
		tool_text_csv(out, c->label);
		fputs(c->engine ? "engine," : "tables,", out);
		tool_record_csv_row(table, record, i, out);
		tool_refused_csv(c->refused, out);
	}
}

bool tool_report_record(struct tool *t, struct tool_report *r,
			const struct tool_case *c,
			const struct tool_field *table, const void *record)
{
	bool first = !r->n++;

	if (r->cases)
		json_array_append_new(r->cases, case_json(c, table, record));
	else if (t->args.csv)
		case_csv(r->out, c, table, record, first);
	return r->cases || t->args.csv;
}

void tool_report_case(struct tool *t, struct tool_report *r,
		      const struct tool_case *c, const struct tool_field *table,
		      const void *record,
		      void (*print)(const void *record, FILE *out))
{
	bool first = !r->n;

	if (tool_report_record(t, r, c, table, record))
		return;
	fputs(first ? "" : "\n", r->out);
	tool_case_head(c, r->out);
	if (c->refused)
		tool_refused_print(c->input, c->label, c->refused, r->out);
	else
		print(record, r->out);
}
