// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cables in pictures: lines, bands, and dashes where they are missing. */
#include "draw/svg.h"

#include "draw/fold.h"
#include "draw/style.h"
#include "draw/titles.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <weft/diag.h>

#define FAINT 200u    /* from that many lines on */
#define THICKET 4000u /* from there on fainter still */
#define FEW_BANDS 40. /* more of them are fainter */

/* Whether something may stand between the two ends: they are not next to each
 * other and, in trees, in one row. */
static bool is_past(const struct weft__svg *g, const struct weft__line *line)
{
	const struct weft__spot *a = &g->layout.spot[line->a];
	const struct weft__spot *b = &g->layout.spot[line->b];
	uint32_t part = g->d->shape->part_of[line->a];

	if (g->d->shape->part[part].kind == WEFT_SHAPE_TREE)
		return fabs(a->y - b->y) < 1;
	return hypot(a->x - b->x, a->y - b->y) > 1.6 * a->w + 24;
}

/* Arcs keep clear of what stands between the two ends. */
static void put_way(struct weft__svg *g, const struct weft__line *line)
{
	const struct weft__spot *a = &g->layout.spot[line->a];
	const struct weft__spot *b = &g->layout.spot[line->b];
	uint32_t part = g->d->shape->part_of[line->a];
	double dx = b->x - a->x, dy = b->y - a->y, length = hypot(dx, dy);
	double bulge = fmin(length * .16, g->layout.bend[part]);

	fprintf(g->out, "d=\"M%.1f %.1f", a->x, a->y);
	if (bulge > 0 && is_past(g, line))
		fprintf(g->out, "Q%.1f %.1f ",
			(a->x + b->x) / 2 + dy / length * 2 * bulge,
			(a->y + b->y) / 2 - fabs(dx) / length * 2 * bulge);
	else
		fputc('L', g->out);
	fprintf(g->out, "%.1f %.1f\"", b->x, b->y);
}

static double width_of(const struct weft__svg *g, const struct weft__line *line)
{
	double w = .8 + 1.6 * (line->cables - 1) /
				(g->lines.widest > 4 ? g->lines.widest : 4);

	if (line->mark > WEFT__MARK_UNUSED)
		return w + 2;
	return line->heat >= 0 ? w + 1.4 * line->weight : w;
}

static void put_line(struct weft__svg *g, const struct weft__line *line)
{
	char class[32] = "l";

	if (line->mark)
		snprintf(class, sizeof(class), "m m%u", line->mark);
	else if (line->heat >= 0)
		snprintf(class, sizeof(class), "l %c%d",
			 g->d->overlay->centred ? 'd' : 'h',
			 line->heat >= 1 ?
				 WEFT__DRAW_HEATS - 1 :
				 (int)(line->heat * WEFT__DRAW_HEATS));
	fprintf(g->out, "<path class=\"%s\" stroke-width=\"%.1f\" ", class,
		width_of(g, line));
	put_way(g, line);
	if (g->d->numbered)
		fprintf(g->out, " data-a=\"%" PRIu32 "\" data-b=\"%" PRIu32
			"\"", line->a, line->b);
	putc('>', g->out);
	weft__title_line(&g->layout, g->d->overlay, line, g->out);
	fputs("</path>\n", g->out);
}

static void put_band(struct weft__svg *g, const struct weft__band *b)
{
	fprintf(g->out,
		"<path class=\"band\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\">",
		b->left[0], b->y[0], b->right[0], b->y[0], b->right[1], b->y[1],
		b->left[1], b->y[1]);
	weft__title_text(WEFT_COUNT(b->cables, "cable"), g->out);
	fputs("</path>\n", g->out);
}

/* Cables that the sentence counts as missing, between boxes where switches are
 * folded.  False without memory. */
bool weft__svg_find_gaps(struct weft__svg *g)
{
	const struct weft_shape *shape = g->d->shape;

	g->gap = calloc(shape->ngaps + (size_t)1, sizeof(*g->gap));
	if (!g->gap)
		return false;
	for (uint32_t i = 0; i < shape->ngaps; i++) {
		const struct weft_shape_gap *gap = &shape->gap[i];

		g->gap[i] = (struct weft__line){
			.a = weft__stands(&g->layout, gap->sw[0]),
			.b = weft__stands(&g->layout, gap->sw[1]),
			.cables = gap->cables,
			.heat = -1,
		};
	}
	g->ngaps = weft__lines_merge(g->gap, shape->ngaps, NULL);
	return true;
}

static void put_gaps(struct weft__svg *g)
{
	for (uint32_t i = 0; i < g->ngaps; i++) {
		fputs("<path class=\"gap\" ", g->out);
		put_way(g, &g->gap[i]);
		putc('>', g->out);
		weft__title_gap(&g->layout, &g->gap[i], g->out);
		fputs("</path>\n", g->out);
	}
}

void weft__svg_lines(struct weft__svg *g)
{
	uint32_t i = 0, n = g->lines.n;
	double least = n > THICKET ? .2 : g->lines.nbands ? .35 : .3;
	double opacity = n < FAINT ? 1 : fmax(least, (double)FAINT / n);
	double band, bands = g->lines.nbands;

	band = bands < FEW_BANDS ? 1 : fmax(.3, sqrt(FEW_BANDS / bands));
	fprintf(g->out, "<g opacity=\"%.2f\">\n", band);
	for (uint32_t k = 0; k < g->lines.nbands; k++)
		put_band(g, &g->lines.band[k]);
	fputs("</g>\n", g->out);
	fprintf(g->out, "<g stroke-opacity=\"%.2f\">\n", opacity);
	for (; i < n && g->lines.line[i].weight < .5 && !g->lines.line[i].mark;
	     i++)
		put_line(g, &g->lines.line[i]);
	fputs("</g>\n<g>\n", g->out);
	for (; i < n; i++)
		put_line(g, &g->lines.line[i]);
	put_gaps(g);
	fputs("</g>\n", g->out);
}
