// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the fabric is: in words, figures and a picture, and what is irregular
 * about it. */
#include "report/write.h"

#include "page/page.h"

#include <inttypes.h>

static void write_levels(const struct weft_shape_part *part, FILE *out)
{
	static const char *const column[] = {
		"Level", "#Switches", "#Hosts", "#Ports", "#Cables up",
		"#Missing", "#Oversubscription", NULL
	};
	struct weft__table t;

	weft__table_begin(&t, out,
			  "Levels of the tree. Ports: of a switch. Missing: cables up that there would be if all was joined as most of it is. Oversubscription: "
			  "what comes from below for one of what leads up.",
			  column);
	for (unsigned i = 0; i < part->nlevels; i++) {
		const struct weft_shape_level *l = &part->level[i];

		weft__table_cell(&t, "%u%s", i + 1, i ? "" : " (leaves)");
		weft__table_count(&t, l->switches);
		weft__table_count(&t, l->hosts);
		if (l->radix_least == l->radix_most)
			weft__table_cell(&t, "%" PRIu32, l->radix_most);
		else
			weft__table_cell(&t, "%" PRIu32 " to %" PRIu32,
					 l->radix_least, l->radix_most);
		weft__table_count(&t, l->up);
		weft__table_count(&t, l->missing);
		if (l->oversubscription > 0)
			weft__table_cell(&t, "%.2f : 1", l->oversubscription);
		else
			weft__table_cell(&t, "–");
	}
	weft__table_end(&t);
}

static void write_speeds(const struct weft_shape *shape, FILE *out)
{
	static const char *const column[] = {
		"Cables", "#Gbit/s", "#Between switches", "#To hosts", NULL
	};
	struct weft__table t;

	weft__table_begin(&t, out, "Cables by width and speed", column);
	for (uint32_t i = 0; i < shape->nspeeds; i++) {
		const struct weft_shape_speed *s = &shape->speed[i];
		char rate[WEFT_SHAPE_SPEED_SIZE];

		weft__table_cell(&t, "%s", weft_shape_speed_text(s, rate));
		weft__table_cell(&t, "%.0f",
				 weft_speed_capacity(s->width, s->speed) / 1e3);
		weft__table_count(&t, s->switches);
		weft__table_count(&t, s->hosts);
	}
	weft__table_end(&t);
}

static void write_notes(const struct weft__report *r, FILE *out)
{
	const struct weft_shape *shape = &r->shape;
	uint32_t n = 0, told = 0;

	for (uint32_t i = 0; i < shape->nnotes; i++)
		told += shape->note[i].told != WEFT_SHAPE_MORE;
	if (!shape->nnotes) {
		weft__page_text(out, "p", "good",
				"Nothing is unlike the rest.");
		return;
	}
	weft__page_text(out, "h3", NULL, "What is unlike the rest");
	fputs("<ul>\n", out);
	for (uint32_t i = 0; i < shape->nnotes && n < r->spec->most; i++) {
		if (shape->note[i].told == WEFT_SHAPE_MORE)
			continue;
		weft__page_text(out, "li", NULL, "%s", shape->note[i].text);
		n++;
	}
	fputs("</ul>\n", out);
	weft__report_more(out, told, n, "weft show --all");
}

void weft__report_fabric(const struct weft__report *r, FILE *out)
{
	const struct weft_shape *shape = &r->shape;

	weft__page_section(out, "fabric", "The fabric",
			   "How the switches are cabled, and what is unlike the rest: a cable that is missing somewhere is often the cheapest repair.");
	weft__report_picture(r, out);
	for (uint32_t i = 0; i < shape->nparts; i++)
		if (shape->part[i].nlevels)
			write_levels(&shape->part[i], out);
	write_speeds(shape, out);
	write_notes(r, out);
	weft__page_section_end(out);
}
