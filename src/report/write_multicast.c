// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The section on multicast tables. */
#include "report/write.h"

#include "page/page.h"
#include "report/multicast.h"

#include <inttypes.h>

#define TEXT 1024

static void write_broken(const struct weft__report *r, FILE *out)
{
	const struct weft_multicast_verdict *v = &r->multicast;
	uint32_t shown = 0;

	if (!v->broken)
		return;
	weft__page_text(out, "h3", NULL, "Groups that are no tree");
	fputs("<ul>\n", out);
	for (uint32_t i = 0; i < v->n && shown < r->spec->most; i++) {
		char text[TEXT];

		if (weft_multicast_holds(&v->group[i]))
			continue;
		weft__multicast_words(r->spec->fabric, &v->group[i],
				      &r->spec->names, text, sizeof(text));
		weft__page_text(out, "li", NULL, "%s", text);
		shown++;
	}
	fputs("</ul>\n", out);
	weft__report_more(out, v->broken, shown, "weft check --top");
}

static void write_loads(const struct weft__report *r, FILE *out)
{
	static const char *const column[] = { "@Channel", "#Groups", NULL };
	const struct weft_multicast_verdict *v = &r->multicast;
	uint32_t ch = v->max_channel;
	struct weft__table t;

	if (v->max_load < 2)
		return;
	weft__table_begin(&t, out, "The channels that most groups use", column);
	for (uint32_t i = 0; i < r->spec->most && ch != WEFT_NONE; i++) {
		weft__table_cell(&t, "%s", WEFT__CHANNEL(r, ch));
		weft__table_count(&t, v->load[ch]);
		ch = weft__multicast_next(r->spec->fabric, v, ch);
	}
	weft__table_end(&t);
}

void weft__report_multicast(const struct weft__report *r, FILE *out)
{
	const struct weft_multicast_verdict *v = &r->multicast;
	const struct weft__multicast_sums s = weft__multicast_sum(v);

	weft__page_section(out, "multicast", "Multicast",
			   "Switches copy packets of a group to some of their ports. If these are a tree, each member hears each other one once; in a circle packets go round.");
	weft__page_facts(out);
	weft__page_count(out, "Groups", v->n);
	if (s.fewest < s.most)
		weft__page_fact(out, "Members of a group",
				"%" PRIu32 " to %" PRIu32, s.fewest, s.most);
	else
		weft__page_count(out, "Members of a group", s.most);
	weft__page_count(out, "Groups that are no tree", v->broken);
	if (s.circles)
		weft__page_count(out, "Cables more than trees have",
				 s.circles);
	if (s.pieces)
		weft__page_count(out, "Pieces cut off", s.pieces);
	if (s.lost)
		weft__page_count(out, "Pairs of members that do not hear each other",
				 s.lost);
	weft__page_count(out, "Channels with any group", v->used);
	weft__page_count(out, "Groups on a channel, at most", v->max_load);
	weft__page_facts_end(out);
	write_broken(r, out);
	write_loads(r, out);
	weft__page_section_end(out);
}
