// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What changed since another capture. */
#include "report/since.h"
#include "report/write.h"

#include "page/page.h"

#include <inttypes.h>

static void write_kinds(const struct weft_against *a, FILE *out)
{
	fputs("<ul>\n", out);
	for (unsigned k = 0; k < WEFT_DIFFERENCES; k++)
		if (a->count[k])
			weft__page_text(out, "li", NULL, "%s",
					WEFT_COUNT(a->count[k],
						   weft_difference_name(k)));
	fputs("</ul>\n", out);
}

static void write_worse(const struct weft__report *r, FILE *out)
{
	static const char *const column[] = {
		"@Port that sends to", "Counter", "#Grew by", "#Now", NULL
	};
	const struct weft__since *s = r->since;
	struct weft__table t;
	uint32_t i;

	if (!s->nworse) {
		weft__page_text(out, "p", "good",
				"No port has counted an error since then.");
		return;
	}
	weft__table_begin(&t, out, "Errors that grew since then", column);
	for (i = 0; i < s->nworse && i < r->spec->most; i++) {
		weft__table_cell(&t, "%s",
				 WEFT__CHANNEL(r, s->worse[i].channel));
		weft__table_cell(&t, "%s",
				 weft_counter_name(s->worse[i].counter));
		weft__table_count(&t, s->worse[i].growth);
		weft__table_count(&t, s->worse[i].value);
	}
	weft__table_end(&t);
	weft__report_more(out, s->nworse, i, "weft watch --once --top");
}

static void write_busy(const struct weft__report *r, FILE *out)
{
	static const char *const column[] = {
		"@Port that sends to", "#Gbit/s", "#Of its cable", "=", NULL
	};
	const struct weft__since *s = r->since;
	struct weft__table t;

	if (!s->nbusy)
		return;
	weft__table_begin(&t, out, "Busiest channels, on average since then",
			  column);
	for (uint32_t i = 0; i < s->nbusy && i < r->spec->most; i++) {
		weft__table_cell(&t, "%s",
				 WEFT__CHANNEL(r, s->busy[i].channel));
		weft__table_cell(&t, "%.2f", s->busy[i].gbit);
		if (s->busy[i].share > 0)
			weft__table_cell(&t, "%.1f %%",
					 100 * s->busy[i].share);
		else
			weft__table_cell(&t, "unknown");
		weft__table_bar(&t, s->busy[i].share);
	}
	weft__table_end(&t);
}

void weft__report_since(const struct weft__report *r, FILE *out)
{
	const struct weft__since *s = r->since;

	weft__page_section(out, "since", "Since the last capture",
			   "What became another since the capture that --since names: nodes and cables, tables, errors.");
	if (s->seconds > 0)
		weft__page_text(out, "p", NULL, "Compared with %s, %.1f h earlier.",
				r->since_name, s->seconds / 3600);
	else
		weft__page_text(out, "p", NULL, "Compared with %s.",
				r->since_name);
	if (s->cables.n)
		write_kinds(&s->cables, out);
	else
		weft__page_text(out, "p", "good",
				"Nodes and cables are the same.");
	if (s->has_tables)
		weft__page_text(out, "p", NULL,
				"Entries of forwarding tables that are other ones: %s, on %s.",
				WEFT_COUNT(s->entries, NULL),
				WEFT_COUNT(s->switches, "switch"));
	if (r->counters.nread) {
		write_worse(r, out);
		write_busy(r, out);
	}
	weft__page_section_end(out);
}
