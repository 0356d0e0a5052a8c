// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What colours, marks and numbers in pictures mean. */
#include "draw/svg.h"

#include "draw/style.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define TOLD 440. /* width of a line about a switch that has a number */

static double put_scale(struct weft__svg *g, double x, double y)
{
	const struct weft__overlay *o = g->d->overlay;

	weft__svg_text(g, x, y + 4, "soft", 's', o->cold);
	x += strlen(o->cold) * WEFT__SVG_LETTER + 8;
	for (unsigned i = 0; i < WEFT__DRAW_HEATS; i++, x += 24)
		fprintf(g->out,
			"<path class=\"l %c%u\" stroke-width=\"6\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
			o->centred ? 'd' : 'h', i, x, y, x + 22, y);
	weft__svg_text(g, x + 4, y + 4, "soft", 's', o->hot);
	return x + strlen(o->hot) * WEFT__SVG_LETTER + 30;
}

/* What colours mean, in one row or more. */
static double put_legend(struct weft__svg *g, double y)
{
	const struct weft__overlay *o = g->d->overlay;
	double x = WEFT__SVG_MARGIN, last = y;

	if (o && o->heat)
		x = put_scale(g, x, y);
	for (unsigned i = 1; o && i < WEFT__MARKS; i++) {
		double w;

		if (!o->said[i])
			continue;
		w = strlen(o->said[i]) * WEFT__SVG_LETTER + 56;
		if (x > WEFT__SVG_MARGIN && x + w > g->width - WEFT__SVG_MARGIN) {
			x = WEFT__SVG_MARGIN;
			last += WEFT__SVG_LINE;
		}
		fprintf(g->out,
			"<path class=\"m m%u\" stroke-width=\"3\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
			i, x, last, x + 30, last);
		weft__svg_text(g, x + 36, last + 4, "soft", 's', o->said[i]);
		x += w;
	}
	return last;
}

static unsigned told_columns(const struct weft__svg *g)
{
	unsigned n = (g->width - 2 * WEFT__SVG_MARGIN) / TOLD;

	return n ? n : 1;
}

static unsigned told_rows(const struct weft__svg *g)
{
	unsigned columns = told_columns(g);

	return (g->labels.ntold + columns - 1) / columns;
}

static void put_told(struct weft__svg *g, double y)
{
	unsigned rows = told_rows(g);

	for (uint32_t i = 0; i < g->labels.ntold; i++) {
		double x = WEFT__SVG_MARGIN + TOLD * (i / rows);
		double at = y + WEFT__SVG_LINE * (i % rows);
		char text[256];

		snprintf(text, sizeof(text), "%" PRIu32, i + 1);
		weft__svg_text(g, x + 18, at, NULL, 'e', text);
		weft__svg_text(g, x + 26, at, "soft", 's',
			 weft__labels_tell(&g->layout, g->labels.told[i], text,
					   sizeof(text)));
	}
}

static unsigned count_said(const struct weft__overlay *o)
{
	unsigned n = 0;

	for (unsigned i = 0; o && i < WEFT__MARKS; i++)
		n += o->said[i] != NULL;
	return o && o->heat ? n + 1 : n;
}

double weft__svg_legend_height(const struct weft__svg *g)
{
	unsigned said = count_said(g->d->overlay);

	return (said ? WEFT__SVG_LINE * ceil(said / 3.) + 4 : 0) +
	       (g->labels.ntold ? WEFT__SVG_LINE * told_rows(g) + 4 : 0);
}

void weft__svg_legend(struct weft__svg *g, double y)
{
	double last = put_legend(g, y);

	put_told(g, last + (count_said(g->d->overlay) ? WEFT__SVG_LINE + 8 : 8));
}
