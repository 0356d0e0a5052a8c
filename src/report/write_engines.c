// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Engines side by side, and what is advised. */
#include "report/write.h"

#include "page/page.h"

#include <math.h>
#include <stdlib.h>

#define COLUMNS 9 /* the last one only where there are present tables */

/* By worth, most first; then those that have none, in the order they came. */
struct place {
	const struct weft_compared *row;
	unsigned at;
};

static int by_worth(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	bool more = x->row->state == WEFT_COMPARED;
	bool less = y->row->state == WEFT_COMPARED;

	if (more != less)
		return more ? -1 : 1;
	if (more && x->row->worth.mean != y->row->worth.mean)
		return x->row->worth.mean > y->row->worth.mean ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* All rows, sorted; NULL without memory. */
static struct place *sorted(const struct weft_comparison *c)
{
	unsigned n = weft_comparison_rows(c);
	struct place *place = calloc(n + 1, sizeof(*place));

	for (unsigned i = 0; place && i < n; i++)
		place[i] = (struct place){ weft_comparison_row(c, i), i };
	if (place)
		qsort(place, n, sizeof(*place), by_worth);
	return place;
}

static const char *verdict(const struct weft_compared *k, bool advised)
{
	if (advised)
		return "advised";
	if (k->unreachable)
		return "hosts without a route";
	if (k->cyclic)
		return "credit loop";
	if (!k->sound)
		return "too many lanes";
	return k->tied ? "as good" : "";
}

static void write_row(const struct weft__report *r, struct weft__table *t,
		      const struct place *p)
{
	const struct weft_compared *k = p->row;
	const struct weft_advice *a = r->advice;

	weft__table_cell(t, "%s",
			 k->origin == WEFT_TABLES_PRESENT ? "present tables" :
							    k->label);
	weft__table_cell(t, "%.1f ± %.2f %%", 100 * k->worth.mean,
			 100 * k->worth.mean_error);
	weft__table_bar(t, k->worth.mean);
	weft__table_cell(t, "%s", verdict(k, p->at == a->row));
	weft__table_cell(t, "%.1f %%", 100 * k->least);
	weft__table_cell(t, "%s", WEFT_COUNT(k->index, NULL));
	weft__table_cell(t, "%u", k->lanes);
	if (k->seconds >= 0)
		weft__table_cell(t, "%.1f", k->seconds);
	else
		weft__table_cell(t, "–");
	if (t->n < COLUMNS)
		return;
	if (k->has_change)
		weft__table_cell(t, "%s", WEFT_COUNT(k->blocks, NULL));
	else
		weft__table_cell(t, "–");
}

/* Whether it is known what tables would change. */
static bool has_changes(const struct place *place)
{
	while (place->row && !place->row->has_change)
		place++;
	return place->row;
}

static void write_compared(const struct weft__report *r,
			   const struct place *place, FILE *out)
{
	static const struct weft__column column[COLUMNS] = {
		{ "Engine", WEFT__COLUMN_NAME },
		{ "Worth", WEFT__COLUMN_NUMBER },
		{ "", WEFT__COLUMN_BAR },
		{ "Verdict", WEFT__COLUMN_TEXT },
		{ "Slowest host", WEFT__COLUMN_NUMBER },
		{ "Most loaded link", WEFT__COLUMN_NUMBER },
		{ "Lanes", WEFT__COLUMN_NUMBER },
		{ "Seconds", WEFT__COLUMN_NUMBER },
		{ "Blocks to send", WEFT__COLUMN_NUMBER },
	};
	bool changes = has_changes(place);
	struct weft__table t;

	weft__table_begin(
		&t, out,
		changes ? "Worth: share of full bandwidth over all patterns. "
			  "Slowest host: its share when all send to all. Most "
			  "loaded link: routes. Blocks to send: of 64 entries "
			  "that differ from the present tables." :
			  "Worth: share of full bandwidth over all patterns. "
			  "Slowest host: its share when all send to all. Most "
			  "loaded link: routes.",
		column, COLUMNS - !changes);
	for (; place->row && place->row->state == WEFT_COMPARED; place++)
		write_row(r, &t, place);
	weft__table_end(&t);
}

/* Engines without tables, and why. */
static void write_others(const struct place *place, FILE *out)
{
	while (place->row && place->row->state == WEFT_COMPARED)
		place++;
	if (!place->row)
		return;
	fputs("<details><summary>Engines that are not compared</summary>\n"
	      "<ul>\n",
	      out);
	for (; place->row; place++)
		weft__page_text(out, "li", NULL, "%s %s%s", place->row->label,
				place->row->state == WEFT_COMPARE_REFUSED ?
					"refuses: " :
					"was left out: ",
				place->row->reason);
	fputs("</ul></details>\n", out);
}

void weft__report_engines(const struct weft__report *r, FILE *out)
{
	struct place *place = sorted(r->comparison);

	weft__page_section(out, "engines", "Engines compared",
			   "What other "
			   "ways to route this fabric would give. Those that "
			   "are as good cannot be told apart from the best, "
			   "or are within 0.5 % of it.");
	weft__page_text(out, "p", NULL, "%s", r->advice->why);
	if (place) {
		write_compared(r, place, out);
		write_others(place, out);
	}
	free(place);
	weft__page_section_end(out);
}
