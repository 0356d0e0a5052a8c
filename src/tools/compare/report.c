// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A comparison of engines as text, CSV and JSON. */
#include "tools/compare/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL 17 /* columns for what a row is about */
#define DIGITS 6 /* of a figure: 0.1234 */
#define MIB 1048576.0

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

	weft_printable(name, sizeof(name), tool_compare_label(r));
	if (r->origin == WEFT_TABLES_OPENSM)
		snprintf(name + strlen(name), sizeof(name) - strlen(name), "*");
	if (strlen(name) + 3 > LABEL) {
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

static void print_worths(const struct tool_compare_report *r,
			 const struct weft_compared **row, FILE *out)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
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
	fputs("= as good as the best, as far as can be told or within 0.5 %; "
	      "! not to be taken\n\n",
	      out);
}

static void print_number(FILE *out, int width, bool known, double value,
			 int digits)
{
	if (known)
		fprintf(out, "%*.*f", width, digits, value);
	else
		fprintf(out, "%*s", width, "-");
}

static void print_costs(const struct tool_compare_report *r,
			const struct weft_compared **row, FILE *out)
{
	fprintf(out, "%-*s%9s%8s%6s%6s%9s%8s%8s%8s\n", LABEL, "", "slowest",
		"index", "lanes", "loops", "no route", "seconds", "MiB",
		"blocks");
	for (; *row && (*row)->state == WEFT_COMPARED; row++) {
		const struct weft_compared *k = *row;

		print_label(k, out);
		fprintf(out, "%9.4f%8" PRIu64, k->least, k->index);
		print_number(out, 6, !k->hidden_levels, k->lanes, 0);
		print_number(out, 6, !k->hidden_levels, k->cyclic, 0);
		fprintf(out, "%9" PRIu64, k->unreachable);
		print_number(out, 8, k->seconds >= 0, k->seconds, 3);
		print_number(out, 8, k->memory, k->memory / MIB, 1);
		print_number(out, 8, k->has_change, k->blocks, 0);
		fputc('\n', out);
	}
	fputs("slowest: share of full bandwidth that a host gets at least "
	      "when all send to all;\nindex: most routes over a cable; "
	      "blocks: of 64 entries to send to switches",
	      out);
	fputc('\n', out);
	if (r->opensm)
		fputs("* OpenSM's own engine; lanes and loops are not known "
		      "where it gives out service\nlevels against loops; MiB "
		      "of the whole opensm\n",
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
		const struct weft_compared *k = sorted[i];

		print_label(k, out);
		print_number(out, DIGITS + 2, k->failed >= 0, k->failed, 4);
		print_number(out, DIGITS + 6, k->failed >= 0,
			     k->failed_entries, 0);
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

void tool_compare_text(const struct tool_compare_report *r, FILE *out)
{
	const struct weft_compared **row =
		weft_comparison_sorted(r->comparison);
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	char name[256];

	if (!row)
		return;
	fprintf(out, "%s: %s, %s%s\n",
		weft_printable(name, sizeof(name), r->input),
		WEFT_COUNT(b ? weft_basket_hosts(b) : 0, "host"),
		WEFT_COUNT(r->fabric->nsw, "switch"),
		r->spread ? ", all LIDs at once" : "");
	if (b) {
		print_worths(r, row, out);
		print_costs(r, row, out);
		print_failures(r, row, out);
	}
	print_refusals(r, row, out);
	fputc('\n', out);
	tool_text_wrap(out, 0, 0, r->advice->why);
	print_lines("opensm.conf", r->advice->opensm, out);
	print_lines("weft.conf", r->advice->weft, out);
	free(row);
}

/* --- CSV ------------------------------------------------------------------ */

static const char *origin_of(const struct weft_compared *r)
{
	static const char *const name[] = {
		[WEFT_TABLES_PRESENT] = "present",
		[WEFT_TABLES_ENGINE] = "weft",
		[WEFT_TABLES_OPENSM] = "opensm",
	};

	return name[r->origin];
}

static void csv_number(FILE *out, bool known, double value)
{
	if (known)
		fprintf(out, ",%.6g", value);
	else
		fputc(',', out);
}

static void csv_row(const struct tool_compare_report *r,
		    const struct weft_compared *k, bool advised, FILE *out)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	bool there = k->state == WEFT_COMPARED;

	tool_text_csv(out, r->input);
	tool_text_csv(out, tool_compare_label(k));
	fprintf(out, "%s", origin_of(k));
	for (unsigned i = 0; b && i < weft_basket_parts(b); i++)
		csv_number(out, there, k->worth.part[i]);
	csv_number(out, there, k->worth.mean);
	csv_number(out, there, k->worth.mean_error);
	csv_number(out, there && isfinite(k->behind), k->behind);
	csv_number(out, there && isfinite(k->behind), k->behind_error);
	fprintf(out, ",%s,%s,%s", k->sound ? "yes" : "no",
		k->tied ? "yes" : "no", advised ? "yes" : "no");
	csv_number(out, there, k->least);
	csv_number(out, there, k->index);
	csv_number(out, there && !k->hidden_levels, k->lanes);
	csv_number(out, there && !k->hidden_levels, k->cyclic);
	csv_number(out, there, k->unreachable);
	csv_number(out, there && k->seconds >= 0, k->seconds);
	csv_number(out, there && k->memory, k->memory);
	csv_number(out, k->has_change, k->entries);
	csv_number(out, k->has_change, k->blocks);
	csv_number(out, k->failed >= 0, k->failed);
	csv_number(out, k->failed >= 0, k->failed_entries);
	tool_refused_csv(k->reason, out);
}

void tool_compare_csv(const struct tool_compare_report *r, FILE *out)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);

	fputs("input,routes,origin", out);
	for (unsigned i = 0; b && i < weft_basket_parts(b); i++) {
		fputc(',', out);
		weft_io_csv_quoted(out, weft_basket_part_name(b, i));
	}
	fputs(",worth,error,behind,behind_error,sound,tied,advised,least,efi,"
	      "vls,cyclic_vls,unreachable,seconds,bytes,entries,blocks,"
	      "after_failures,after_failures_entries,refused\n",
	      out);
	for (unsigned i = 0; i < weft_comparison_rows(r->comparison); i++)
		csv_row(r, weft_comparison_row(r->comparison, i),
			i == r->advice->row, out);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *number(bool known, double value)
{
	return known && isfinite(value) ? json_real(value) : json_null();
}

static json_t *integer(bool known, uint64_t value)
{
	return known ? json_integer((json_int_t)value) : json_null();
}

static json_t *parts_json(const struct weft_basket *b, const double *value)
{
	json_t *parts = json_object();

	for (unsigned i = 0; i < weft_basket_parts(b); i++)
		json_object_set_new(parts, weft_basket_part_name(b, i),
				    json_real(value[i]));
	return parts;
}

static json_t *row_json(const struct weft_basket *b,
			const struct weft_compared *k)
{
	json_t *row = json_pack("{s:o, s:s, s:o, s:b, s:b}", "routes",
				tool_json_string(tool_compare_label(k)),
				"origin", origin_of(k), "refused",
				*k->reason ? tool_json_string(k->reason) :
					     json_null(),
				"sound", k->sound, "tied", k->tied);

	if (k->state != WEFT_COMPARED)
		return row;
	json_object_set_new(row, "parts", parts_json(b, k->worth.part));
	json_object_update_new(
		row,
		json_pack("{s:f, s:f, s:o, s:o, s:f, s:o, s:I, s:o, s:o, s:I}",
			  "worth", k->worth.mean, "error", k->worth.mean_error,
			  "behind", number(true, k->behind), "behind_error",
			  number(true, k->behind_error), "least", k->least,
			  "least_host", tool_json_string(k->least_host), "efi",
			  (json_int_t)k->index, "vls",
			  integer(!k->hidden_levels, k->lanes), "cyclic_vls",
			  integer(!k->hidden_levels, k->cyclic), "unreachable",
			  (json_int_t)k->unreachable));
	json_object_update_new(
		row,
		json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "seconds",
			  number(k->seconds >= 0, k->seconds), "bytes",
			  integer(k->memory, k->memory), "entries",
			  integer(k->has_change, k->entries), "blocks",
			  integer(k->has_change, k->blocks), "after_failures",
			  number(k->failed >= 0, k->failed),
			  "after_failures_entries",
			  number(k->failed >= 0, k->failed_entries)));
	return row;
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

json_t *tool_compare_json(const struct tool_compare_report *r)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	json_t *rows = json_array();

	for (unsigned i = 0; i < weft_comparison_rows(r->comparison); i++)
		json_array_append_new(
			rows,
			row_json(b, weft_comparison_row(r->comparison, i)));
	return json_pack("{s:o, s:i, s:i, s:o, s:i, s:o}", "input",
			 tool_json_string(r->input), "hosts",
			 b ? (int)weft_basket_hosts(b) : 0, "switches",
			 (int)r->fabric->nsw, "rows", rows, "failures",
			 (int)r->failures, "advice", advice_json(r));
}
