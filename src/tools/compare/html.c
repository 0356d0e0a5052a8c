// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A comparison of engines as a page. */
#include "tools/compare/compare.h"

#include "page/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS (WEFT_WORTH_PARTS + 4)
#define TITLE 40

static void name_cell(struct weft__table *t, const struct weft_compared *k)
{
	weft__table_cell(t, "%s%s", tool_compare_label(k),
			 k->origin == WEFT_TABLES_OPENSM ? " (OpenSM)" : "");
}

static void write_worths(const struct tool_compare_report *r,
			 const struct weft_compared **row, FILE *out)
{
	const struct weft_basket *b = weft_comparison_basket(r->comparison);
	unsigned parts = weft_basket_parts(b), n = 0;
	struct weft__column column[MAX_COLUMNS];
	struct weft__table t;

	column[n++] = (struct weft__column){ "Engine", WEFT__COLUMN_NAME };
	column[n++] = (struct weft__column){ "Worth", WEFT__COLUMN_NUMBER };
	column[n++] = (struct weft__column){ "", WEFT__COLUMN_BAR };
	column[n++] = (struct weft__column){ "Verdict", WEFT__COLUMN_TEXT };
	for (unsigned i = 0; i < parts; i++)
		column[n++] =
			(struct weft__column){ weft_basket_part_name(b, i),
					       WEFT__COLUMN_NUMBER };
	weft__table_begin(&t, out,
			  "Shares of full bandwidth, in per cent; worth is the mean of all kinds of traffic.",
			  column, n);
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
static unsigned figure_columns(const struct tool_field *field, unsigned n,
			       char title[][TITLE], struct weft__column *column)
{
	unsigned shown = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!field[i].words)
			continue;
		snprintf(title[shown], TITLE, "%s%s", field[i].words,
			 field[i].kind == TOOL_SHARE ? ", %" : "");
		title[shown][0] = toupper((unsigned char)title[shown][0]);
		column[shown] = (struct weft__column){ title[shown],
						       WEFT__COLUMN_NUMBER };
		shown++;
	}
	return shown;
}

static void write_costs(const struct tool_compare_report *r,
			const struct weft_compared **row, FILE *out)
{
	const struct tool_field *field =
		&tool_compare_figures[TOOL_COMPARE_COSTS];
	unsigned n = TOOL_COMPARE_FAILED - TOOL_COMPARE_COSTS +
		     (r->failures ? 2 : 0);
	struct weft__column column[1 + TOOL_COMPARE_FIGURES] = {
		{ "Engine", WEFT__COLUMN_NAME },
	};
	char title[TOOL_COMPARE_FIGURES][TITLE], text[TITLE];
	struct tool_compare_row record;
	struct weft__table t;

	weft__table_begin(&t, out,
			  "Slowest: the least share that a host gets when all send to all. Index: most routes over a cable. Loops: lanes with a credit loop. No route: pairs of hosts. "
			  "Seconds: of routing. Blocks: of 64 entries that differ from the present tables. After failures: worth of these tables, mended. Entries then: "
			  "those that changed.",
			  column,
			  1 + figure_columns(field, n, title, column + 1));
	for (; *row && (*row)->state == WEFT_COMPARED; row++) {
		tool_compare_row(r, *row, &record);
		name_cell(&t, *row);
		for (unsigned i = 0; i < n; i++)
			if (field[i].words)
				weft__table_cell(&t, "%s",
						 tool_field_cell(
							&field[i], &record,
							text, sizeof(text)));
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

static void write_advice(const struct weft_advice *a, FILE *out)
{
	weft__page_section(
		out, "advice", "What to take",
		"Of those that are as good as the best, the one that asks for least.");
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
	char lead[160];

	if (!row)
		return;
	snprintf(lead, sizeof(lead), "%s, %s; engines of weft%s side by side",
		 WEFT_COUNT(b ? weft_basket_hosts(b) : 0, "host"),
		 WEFT_COUNT(r->fabric->nsw, "switch"),
		 r->opensm ? " and OpenSM" : "");
	weft__page_begin(out, r->input, lead);
	write_advice(r->advice, out);
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
