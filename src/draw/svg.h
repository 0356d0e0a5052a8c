/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parts of weft__draw_svg(): lines, what explains them, and the rest. */
#ifndef WEFT_DRAW_SVG_H
#define WEFT_DRAW_SVG_H

#include "draw/draw.h"
#include "draw/labels.h"
#include "draw/lines.h"

#define WEFT__SVG_MARGIN 20.
#define WEFT__SVG_LINE 18.   /* of text */
#define WEFT__SVG_LETTER 7.1 /* width of one of the sentence, about */

struct weft__svg {
	const struct weft__drawing *d;
	const struct weft_fabric *f;
	struct weft__layout layout;
	struct weft__lines lines;
	struct weft__labels labels;
	struct weft__line *gap; /* [ngaps] missing cables */
	uint32_t ngaps;
	double width, height;
	double x, y;	     /* where the layout begins */
	uint32_t most_hosts; /* on a switch */
	FILE *out;
};

/* anchor: 's'tart, 'm'iddle or 'e'nd is at x. */
void weft__svg_text(struct weft__svg *g, double x, double y, const char *class,
		    char anchor, const char *text);

/* Finds what is missing; false without memory. */
bool weft__svg_find_gaps(struct weft__svg *g);
/* Bands, cables, and those that are missing. */
void weft__svg_lines(struct weft__svg *g);

/* What colours and marks mean, and which switches have numbers, from y on; the
 * height that this takes. */
void weft__svg_legend(struct weft__svg *g, double y);
double weft__svg_legend_height(const struct weft__svg *g);

#endif
