// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Engines side by side, and what is advised. */
#include "report/write.h"

#include "page/page.h"

#include <stdlib.h>

static void write_row(const struct weft__report *r, struct weft__table *t,
		      const struct weft_compared *k)
{
	weft__table_cell(t, "%s",
			 k->origin == WEFT_TABLES_PRESENT ? "present tables" :
							    k->label);
	weft__table_cell(t, "%.1f ± %.2f %%", 100 * k->worth.mean,
			 100 * k->worth.mean_error);
	weft__table_bar(t, k->worth.mean);
	weft__table_cell(t, "%s",
			 weft_advice_verdict(r->comparison, r->advice, k));
	weft__table_cell(t, "%.1f %%", 100 * k->least);
	weft__table_count(t, k->index);
	weft__table_cell(t, "%u", k->lanes);
	if (k->seconds >= 0)
		weft__table_cell(t, "%.1f", k->seconds);
	else
		weft__table_cell(t, "–");
	if (!t->at)
		return;
	if (k->has_change)
		weft__table_count(t, k->blocks);
	else
		weft__table_cell(t, "–");
}

/* Whether it is known what tables would change. */
static bool has_changes(const struct weft_compared **row)
{
	while (*row && !(*row)->has_change)
		row++;
	return *row;
}

static void write_compared(const struct weft__report *r,
			   const struct weft_compared **row, FILE *out)
{
	bool changes = has_changes(row);
	const char *const column[] = {
		"@Engine", "#Worth", "=", "Verdict", "#Slowest host",
		"#Most loaded channel", "#Lanes", "#Seconds",
		changes ? "#Blocks to send" : NULL, NULL
	};
	struct weft__table t;

	weft__table_begin(
		&t, out,
		changes ? "Worth: share of full bandwidth over all patterns. Slowest host: its share when each sends to all others as fast as it can. Most loaded channel: routes. Blocks to send: "
			  "of 64 entries that differ from the present tables. Those with + layers are mended as by a plugin: their own tables close a credit loop." :
			  "Worth: share of full bandwidth over all patterns. Slowest host: its share when each sends to all others as fast as it can. Most loaded channel: routes. Those with + layers are mended as by a plugin: their own tables close a credit loop.",
		column);
	for (; *row && (*row)->state == WEFT_COMPARED; row++)
		write_row(r, &t, *row);
	weft__table_end(&t);
}

/* Engines without tables, and why. */
static void write_others(const struct weft_compared **row, FILE *out)
{
	while (*row && (*row)->state == WEFT_COMPARED)
		row++;
	if (!*row)
		return;
	fputs("<details><summary>Engines that are not compared</summary>\n<ul>\n",
	      out);
	for (; *row; row++)
		weft__page_text(out, "li", NULL, "%s %s%s", (*row)->label,
				(*row)->state == WEFT_COMPARE_REFUSED ?
					"refuses: " :
					"was left out: ",
				(*row)->reason);
	fputs("</ul></details>\n", out);
}

void weft__report_engines(const struct weft__report *r, FILE *out)
{
	const struct weft_compared **row =
		weft_comparison_sorted(r->comparison);

	weft__page_section(out, "engines", "Engines compared",
			   "What other ways to route this fabric would give. Those that are as good cannot be told apart from the best, or are within 0.5 % of it.");
	weft__page_text(out, "p", NULL, "%s", r->advice->why);
	if (row) {
		write_compared(r, row, out);
		write_others(row, out);
	}
	free(row);
	weft__page_section_end(out);
}
