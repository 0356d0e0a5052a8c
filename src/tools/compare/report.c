// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A comparison of engines as text, CSV and JSON. */
#include "tools/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL 17 /* columns for what a row is about */
#define DIGITS 6 /* of a figure: 0.1234 */

const char *tool_compare_label(const struct weft_compared *r)
{
	return r->origin == WEFT_TABLES_PRESENT ? "present" : r->label;
}

/* "=" tied with the best, "!" not sound; a label that is too long has a line of
 * its own. */
static void print_label(const struct weft_compared *r, FILE *out)
{
	char mark = r->tied ? '=' : r->sound ? ' ' : '!';
	char name[256];

	weft_diag_printable(name, sizeof(name), tool_compare_label(r));
	if (r->origin == WEFT_TABLES_OPENSM)
		snprintf(name + strlen(name), sizeof(name) - strlen(name), "*");
	if (strlen(name) + 2 > LABEL) {
		fprintf(out, "%c %s\n", mark, name);
		mark = ' ';
		*name = '\0';
	}
	fprintf(out, "%c %-*s", mark, LABEL - 2, name);
}

/* Columns of a part, as wide as its name asks for; the last one: the worth. */
static int cell(const struct weft_basket *b, unsigned part)
{
	int n = part < weft_basket_parts(b) ?
			strlen(weft_basket_part_name(b, part)) :
			0;

	return (n > DIGITS ? n : DIGITS) + 2;
}

/* What uniform traffic gets, NAN where the objective is without. */
static double uniform_of(const struct tool_compare_report *r,
			 const struct weft_compared *k)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);

	return b ? weft_basket_uniform(b, &k->worth) : NAN;
}

static void print_worths(const struct tool_compare_report *r,
			 const struct weft_compared **row, FILE *out)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	const struct weft_compared *const *first = row;
	unsigned n = weft_basket_parts(b);

	fprintf(out, "%-*s", LABEL, "full bandwidth=1");
	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%*s", cell(b, i), weft_basket_part_name(b, i));
	fprintf(out, "%*s\n", cell(b, n), "worth");
	for (; *row && (*row)->state == WEFT_COMPARED; row++) {
		print_label(*row, out);
		for (unsigned i = 0; i < n; i++)
			fprintf(out, "%*.4f", cell(b, i),
				(*row)->worth.part[i]);
		fprintf(out, "%*.4f\n", cell(b, n), (*row)->worth.mean);
	}
	fputs("= as good as the best, as far as can be told or within 0.5 %; ! not to be taken\n",
	      out);
	if (isfinite(uniform_of(r, *first) / r->uniform_bound))
		fprintf(out, "no tables have more than %.4f of uniform traffic (weft bound)\n",
			r->uniform_bound);
	fputc('\n', out);
}

static void print_costs(const struct tool_compare_report *r,
			const struct weft_compared **row, FILE *out)
{
	fprintf(out, "%-*s", LABEL, "");
	tool_record_heads(tool_compare_costs, out);
	fputc('\n', out);
	for (; *row && (*row)->state == WEFT_COMPARED; row++) {
		struct tool_compare_row record;

		tool_compare_row(r, *row, &record);
		print_label(*row, out);
		tool_record_row(tool_compare_costs, &record, out);
		fputc('\n', out);
	}
	fputs("slowest: share of full bandwidth that a host gets at least when each sends to\n"
	      "all others as fast as it can; index: most routes over a cable; blocks: of 64\n"
	      "entries to send to switches; + layers: mended by service levels, as the tables of\n"
	      "the engine alone, which has a row of its own, close a credit loop\n",
	      out);
	if (r->opensm)
		fputs("* OpenSM's own engine; lanes and loops are not known where it gives out service\n"
		      "levels against loops; MiB of the whole opensm\n",
		      out);
	if (r->failures)
		fputc('\n', out);
}

static int by_failed(const void *x, const void *y)
{
	const struct weft_compared *a = *(void *const *)x;
	const struct weft_compared *b = *(void *const *)y;

	if (a->failed != b->failed)
		return a->failed < b->failed ? 1 : -1;
	return (a->failed_entries > b->failed_entries) -
	       (a->failed_entries < b->failed_entries);
}

/* Those that are worth most then first; of equals, those that change less. */
static void print_failures(const struct tool_compare_report *r,
			   const struct weft_compared **row, FILE *out)
{
	const struct weft_compared **sorted;
	unsigned n = 0;

	while (row[n] && row[n]->state == WEFT_COMPARED)
		n++;
	sorted = r->failures ? malloc((n + 1ull) * sizeof(*sorted)) : NULL;
	if (!sorted)
		return;
	memcpy(sorted, row, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_failed);
	fprintf(out, "worth, and entries changed, after %s: tables stand\n",
		r->failures == 1 ? "a cable has failed" : "cables have failed");
	for (unsigned i = 0; i < n; i++) {
		struct tool_compare_row record;

		tool_compare_row(r, sorted[i], &record);
		print_label(sorted[i], out);
		tool_record_row(tool_compare_failures, &record, out);
		fputc('\n', out);
	}
	free(sorted);
}

static void print_refusals(const struct tool_compare_report *r,
			   const struct weft_compared **row, FILE *out)
{
	bool any = false;

	for (; *row; row++) {
		if ((*row)->state == WEFT_COMPARED)
			continue;
		if (!any)
			fputc('\n', out);
		any = true;
		if ((*row)->state == WEFT_COMPARE_REFUSED)
			tool_refused_print(r->input, (*row)->label,
					   (*row)->reason, out);
		else
			tool_text_wrap(out, fprintf(out, "%s: ", (*row)->label),
				       2, (*row)->reason);
	}
}

/* Lines of a file, indented. */
static void print_lines(const char *file, const char *lines, FILE *out)
{
	if (!*lines)
		return;
	fprintf(out, "\nin %s:\n", file);
	while (*lines) {
		int n = strcspn(lines, "\n");

		fprintf(out, "    %.*s\n", n, lines);
		lines += n + (lines[n] == '\n');
	}
}

/* On the present tables, or that there are none. */
static void print_verdict(const struct tool_compare_report *r, FILE *out)
{
	const struct tool_verdict *v = &r->verdict;

	if (!v->safe)
		return;
	fputs("present tables\n", out);
	tool_verdict_safe(v->safe, out);
	fputc('\n', out);
	tool_verdict_good(v, out);
	fputc('\n', out);
}

void tool_compare_text(const struct tool_compare_report *r, FILE *out)
{
	const struct weft_compared **row =
		weft_comparison_sorted(r->comparison);
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	char name[256], objective[256];

	if (!row)
		return;
	fprintf(out, "%s: %s, %s, objective %s%s\n",
		weft_diag_printable(name, sizeof(name), r->input),
		WEFT_COUNT(b ? weft_basket_hosts(b) : 0, "host"),
		WEFT_COUNT(r->fabric->nsw, "switch"),
		weft_diag_printable(objective, sizeof(objective), r->objective),
		r->spread ? ", all LIDs at once" : "");
	if (b) {
		print_worths(r, row, out);
		print_costs(r, row, out);
		print_failures(r, row, out);
	}
	print_refusals(r, row, out);
	fputc('\n', out);
	print_verdict(r, out);
	tool_text_wrap(out, 0, 0, r->advice->why);
	print_lines("opensm.conf", r->advice->opensm, out);
	print_lines("weft.conf", r->advice->weft, out);
	free(row);
}

/* --- a row ---------------------------------------------------------------- */

static bool is_compared(const void *record)
{
	const struct tool_compare_row *row = record;

	return row->k.state == WEFT_COMPARED;
}

static bool has_levels(const void *record)
{
	const struct tool_compare_row *row = record;

	return is_compared(record) && !row->k.hidden_levels;
}

static bool has_seconds(const void *record)
{
	const struct tool_compare_row *row = record;

	return is_compared(record) && row->k.seconds >= 0;
}

static bool has_memory(const void *record)
{
	const struct tool_compare_row *row = record;

	return is_compared(record) && row->k.memory;
}

static bool has_change(const void *record)
{
	const struct tool_compare_row *row = record;

	return row->k.has_change;
}

static bool has_failed(const void *record)
{
	const struct tool_compare_row *row = record;

	return is_compared(record) && row->k.failed >= 0;
}

static const struct tool_field heads[] = {
#define FIELD(...) TOOL_FIELD(struct tool_compare_row, __VA_ARGS__)
	FIELD(input, NAME, "input"),
	FIELD(routes, NAME, "routes"),
	FIELD(origin, WORD, "origin"),
	TOOL_FIELDS_END
};

#define SHOWN(name, columns, decimals) .words = name, .width = columns, \
	.digits = decimals
const struct tool_field tool_compare_costs[] = {
	FIELD(k.worth.mean, SHARE, "worth", .when = is_compared),
	FIELD(k.worth.mean_error, SHARE, "error", .when = is_compared),
	FIELD(k.behind, REAL, "behind", .when = is_compared),
	FIELD(k.behind_error, REAL, "behind_error", .when = is_compared),
	FIELD(k.sound, YES, "sound"),
	FIELD(k.mended, YES, "mended"),
	FIELD(k.tied, YES, "tied"),
	FIELD(advised, YES, "advised"),
	FIELD(k.least, SHARE, "least", SHOWN("slowest", 9, 4),
	      .when = is_compared),
	FIELD(k.least_host, NAME, "least_host", .when = is_compared),
	FIELD(k.index, COUNT, "efi", SHOWN("index", 8, 0), .when = is_compared),
	FIELD(k.lanes, COUNT, "vls", SHOWN("lanes", 6, 0), .when = has_levels),
	FIELD(k.cyclic, COUNT, "cyclic_vls", SHOWN("loops", 6, 0),
	      .when = has_levels),
	FIELD(uniform_bound, SHARE, "uniform_bound"),
	FIELD(of_uniform_bound, SHARE, "of_uniform_bound",
	      .when = is_compared),
	FIELD(k.unreachable, COUNT, "unreachable", SHOWN("no route", 9, 0),
	      .when = is_compared),
	FIELD(k.seconds, REAL, "seconds", SHOWN("seconds", 8, 3),
	      .when = has_seconds),
	FIELD(k.memory, MIB, "bytes", SHOWN("MiB", 8, 1), .when = has_memory),
	FIELD(k.entries, COUNT, "entries", .when = has_change),
	FIELD(k.blocks, COUNT, "blocks", SHOWN("blocks", 8, 0),
	      .when = has_change),
	TOOL_FIELDS_END
};

const struct tool_field tool_compare_failures[] = {
	FIELD(k.failed, SHARE, "after_failures",
	      SHOWN("after failures", DIGITS + 2, 4), .when = has_failed),
	FIELD(k.failed_entries, REAL, "after_failures_entries",
	      SHOWN("entries then", DIGITS + 6, 0), .when = has_failed),
	FIELD(refused, NAME, "refused"),
	TOOL_FIELDS_END
#undef FIELD
};

void tool_compare_row(const struct tool_compare_report *r,
		      const struct weft_compared *k,
		      struct tool_compare_row *out)
{
	static const char *const origin[] = {
		[WEFT_TABLES_PRESENT] = "present",
		[WEFT_TABLES_ENGINE] = "weft",
		[WEFT_TABLES_OPENSM] = "opensm",
	};
	unsigned i = r->advice->row;

	*out = (struct tool_compare_row){
		.input = r->input, .routes = tool_compare_label(k),
		.origin = origin[k->origin],
		.refused = *k->reason ? k->reason : NULL, .k = *k,
	};
	out->of_uniform_bound = uniform_of(r, k) / r->uniform_bound;
	out->uniform_bound = isfinite(out->of_uniform_bound) ?
				     r->uniform_bound : NAN;
	out->advised = i < weft_comparison_rows(r->comparison) &&
		       k == weft_comparison_row(r->comparison, i);
}

/* --- CSV ------------------------------------------------------------------ */

static void csv_row(const struct tool_compare_report *r,
		    const struct weft_compared *k, FILE *out)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	struct tool_compare_row row;

	tool_compare_row(r, k, &row);
	tool_record_csv(heads, &row, out);
	fputc(',', out);
	weft_io_csv_quoted(out, r->objective);
	for (unsigned i = 0; b && i < weft_basket_parts(b); i++)
		if (is_compared(&row))
			fprintf(out, ",%.6g", k->worth.part[i]);
		else
			fputc(',', out);
	fputc(',', out);
	tool_record_csv(tool_compare_costs, &row, out);
	fputc(',', out);
	tool_record_csv(tool_compare_failures, &row, out);
	fputc('\n', out);
}

void tool_compare_csv(const struct tool_compare_report *r, FILE *out)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);

	tool_record_keys(heads, out);
	fputs(",objective", out);
	for (unsigned i = 0; b && i < weft_basket_parts(b); i++) {
		fputc(',', out);
		weft_io_csv_quoted(out, weft_basket_part_name(b, i));
	}
	fputc(',', out);
	tool_record_keys(tool_compare_costs, out);
	fputc(',', out);
	tool_record_keys(tool_compare_failures, out);
	fputc('\n', out);
	for (unsigned i = 0; i < weft_comparison_rows(r->comparison); i++)
		csv_row(r, weft_comparison_row(r->comparison, i), out);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *parts_json(const struct weft_basket *b, const double *value)
{
	json_t *parts = json_object();

	for (unsigned i = 0; i < weft_basket_parts(b); i++)
		json_object_set_new(parts, weft_basket_part_name(b, i),
				    json_real(value[i]));
	return parts;
}

static json_t *row_json(const struct tool_compare_report *r,
			const struct weft_compared *k)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	json_t *object = json_object();
	struct tool_compare_row row;

	tool_compare_row(r, k, &row);
	tool_record_json(heads + 1, &row, object);
	json_object_set_new(object, "parts", is_compared(&row) ?
			    parts_json(b, k->worth.part) : json_null());
	tool_record_json(tool_compare_costs, &row, object);
	tool_record_json(tool_compare_failures, &row, object);
	return object;
}

static json_t *advice_json(const struct tool_compare_report *r)
{
	const struct weft_advice *a = r->advice;
	bool any = a->row < weft_comparison_rows(r->comparison);

	return json_pack(
		"{s:o, s:o, s:o, s:o}", "routes",
		any ? tool_json_string(tool_compare_label(
			      weft_comparison_row(r->comparison, a->row))) :
		      json_null(),
		"why", tool_json_string(a->why), "opensm_conf",
		tool_json_string(a->opensm), "weft_conf",
		tool_json_string(a->weft));
}

static json_t *verdict_json(const struct tool_verdict *v)
{
	struct tool_figures f = { .verdict = *v };
	json_t *o, *verdict;

	if (!v->safe)
		return json_null();
	o = tool_record_object(tool_figures_graded, &f);
	verdict = json_incref(json_object_get(o, "verdict"));
	json_decref(o);
	return verdict;
}

json_t *tool_compare_json(const struct tool_compare_report *r)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	json_t *rows = json_array();

	for (unsigned i = 0; i < weft_comparison_rows(r->comparison); i++)
		json_array_append_new(
			rows,
			row_json(r, weft_comparison_row(r->comparison, i)));
	return json_pack("{s:o, s:o, s:i, s:i, s:o, s:i, s:o, s:o}", "input",
			 tool_json_string(r->input), "objective",
			 tool_json_string(r->objective), "hosts",
			 b ? (int)weft_basket_hosts(b) : 0, "switches",
			 (int)r->fabric->nsw, "rows", rows, "failures",
			 (int)r->failures, "advice", advice_json(r),
			 "verdict", verdict_json(&r->verdict));
}
