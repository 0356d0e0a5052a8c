// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A comparison of engines as a page. */
#include "tools/compare/compare.h"

#include "page/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS (WEFT_WORTH_PARTS + 5)
#define TITLE 80

static void name_cell(struct weft__table *t, const struct weft_compared *k)
{
	weft__table_cell(t, "%s%s", tool_compare_label(k),
			 k->origin == WEFT_TABLES_OPENSM ? " (OpenSM)" : "");
}

static void write_worths(const struct tool_compare_report *r,
			 const struct weft_compared **row, FILE *out)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	unsigned parts = weft_basket_parts(b);
	const char *column[MAX_COLUMNS] = { "@Engine", "#Worth", "=",
					    "Verdict" };
	char title[WEFT_WORTH_PARTS][TITLE];
	struct weft__table t;

	for (unsigned i = 0; i < parts; i++) {
		snprintf(title[i], TITLE, "#%s", weft_basket_part_name(b, i));
		column[4 + i] = title[i];
	}
	weft__table_begin(&t, out,
			  "Shares of full bandwidth, in per cent; worth is the mean of all kinds of traffic. Those with + layers are mended as by a plugin: their own tables close a credit loop.",
			  column);
	for (; *row && (*row)->state == WEFT_COMPARED; row++) {
		const struct weft_compared *k = *row;

		name_cell(&t, k);
		weft__table_cell(&t, "%.1f ± %.2f", 100 * k->worth.mean,
				 100 * k->worth.mean_error);
		weft__table_bar(&t, k->worth.mean);
		weft__table_cell(
			&t, "%s",
			weft_advice_verdict(r->comparison, r->advice, k));
		for (unsigned i = 0; i < parts; i++)
			weft__table_cell(&t, "%.1f", 100 * k->worth.part[i]);
	}
	weft__table_end(&t);
}

/* The columns of figures that have words; a share is in per cent. */
static unsigned figure_columns(const struct tool_field *field, unsigned shown,
			       char title[][TITLE], const char **column)
{
	for (; field->key; field++) {
		if (!field->words)
			continue;
		snprintf(title[shown], TITLE, "#%s%s", field->words,
			 field->kind == TOOL_SHARE ? ", %" : "");
		title[shown][1] = toupper((unsigned char)title[shown][1]);
		column[shown] = title[shown];
		shown++;
	}
	return shown;
}

static void figure_cells(struct weft__table *t, const struct tool_field *field,
			 const struct tool_compare_row *record)
{
	char text[TITLE];

	for (; field->key; field++)
		if (field->words)
			weft__table_cell(t, "%s", tool_field_cell(
				field, record, text, sizeof(text)));
}

static void write_costs(const struct tool_compare_report *r,
			const struct weft_compared **row, FILE *out)
{
	const char *column[MAX_COLUMNS] = { "@Engine" };
	char title[MAX_COLUMNS][TITLE];
	struct tool_compare_row record;
	struct weft__table t;
	unsigned n = figure_columns(tool_compare_costs, 1, title, column);

	if (r->failures)
		figure_columns(tool_compare_failures, n, title, column);

	weft__table_begin(&t, out,
			  "Slowest: the least share that a host gets when each sends to all others as fast as it can. Index: most routes over a cable. Loops: lanes with a credit loop. No route: pairs of hosts. "
			  "Seconds: of routing. Blocks: of 64 entries that differ from the present tables. After failures: worth of these tables, mended. Entries then: "
			  "those that changed.",
			  column);
	for (; *row && (*row)->state == WEFT_COMPARED; row++) {
		tool_compare_row(r, *row, &record);
		name_cell(&t, *row);
		figure_cells(&t, tool_compare_costs, &record);
		if (r->failures)
			figure_cells(&t, tool_compare_failures, &record);
	}
	weft__table_end(&t);
}

static void write_refusals(const struct weft_compared **row, FILE *out)
{
	while (*row && (*row)->state == WEFT_COMPARED)
		row++;
	if (!*row)
		return;
	weft__page_section(
		out, "others", "Not compared",
		"Engines that do not route this fabric, or for which there was no time.");
	fputs("<ul>\n", out);
	for (; *row; row++)
		weft__page_text(out, "li", NULL, "%s: %s", (*row)->label,
				(*row)->reason);
	fputs("</ul>\n", out);
	weft__page_section_end(out);
}

static const char *class_of(const char *colour)
{
	return !strcmp(colour, "green") ? "good" :
	       !strcmp(colour, "red") ? "bad" : "warn";
}

/* On the present tables; facts before what engines would do. */
static void write_verdict(const struct tool_verdict *v, FILE *out)
{
	if (!v->safe) {
		weft__page_text(
			out, "p", "warn",
			"The input holds no forwarding tables: what follows is how engines would route this fabric, not how it is routed now.");
		return;
	}
	weft__page_text(out, "p", class_of(v->safe),
			"Safe: %s, the present tables.", v->safe);
	weft__page_text(out, "p", "note", "%s", WEFT__SAFE_RULE);
	if (!v->good)
		return;
	weft__page_text(
		out, "p", class_of(v->good),
		"Good: %s, the present tables are worth %.1f %% of full bandwidth, %.1f %% of what the best tables give.",
		v->good, 100 * v->worth, 100 * v->share);
	weft__page_text(out, "p", "note", "%s", WEFT__GOOD_RULE);
}

static void write_advice(const struct tool_compare_report *r, FILE *out)
{
	const struct weft_advice *a = r->advice;

	weft__page_section(
		out, "advice", "What to take",
		"Of those that are as good as the best, the one that asks for least.");
	write_verdict(&r->verdict, out);
	weft__page_text(out, "p", NULL, "%s", a->why);
	if (*a->opensm) {
		weft__page_text(out, "p", NULL, "In opensm.conf:");
		weft__page_lines(out, a->opensm);
	}
	if (*a->weft) {
		weft__page_text(out, "p", NULL, "In weft.conf:");
		weft__page_lines(out, a->weft);
	}
	weft__page_section_end(out);
}

void tool_compare_html(const struct tool_compare_report *r, FILE *out)
{
	const struct weft_compared **row =
		weft_comparison_sorted(r->comparison);
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	char lead[512], objective[256];

	if (!row)
		return;
	snprintf(lead, sizeof(lead),
		 "%s, %s; engines of weft%s side by side, objective %s",
		 WEFT_COUNT(b ? weft_basket_hosts(b) : 0, "host"),
		 WEFT_COUNT(r->fabric->nsw, "switch"),
		 r->opensm ? " and OpenSM" : "",
		 weft_diag_printable(objective, sizeof(objective),
				     r->objective));
	weft__page_begin(out, r->input, lead);
	write_advice(r, out);
	if (b) {
		weft__page_section(out, "worth", "What they are worth",
				   "How much of the speed of its own cable a host gets, by kind of traffic.");
		write_worths(r, row, out);
		weft__page_section_end(out);
		weft__page_section(out, "cost", "What they need",
				   "A subnet manager answers nobody while it routes; lanes are virtual lanes (VLs).");
		write_costs(r, row, out);
		weft__page_section_end(out);
	}
	write_refusals(row, out);
	weft__page_end(out, "weft compare");
	free(row);
}
