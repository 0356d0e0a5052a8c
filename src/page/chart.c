// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Charts.  They are drawn 340 units wide, about as wide as a phone, and grow
 * with the page, so that their text is never smaller than it can be read.
 */
#include "page/chart.h"

#include "page/markup.h"

#include <inttypes.h>
#include <math.h>
#include <weft/diag.h>

#define WIDTH 340
#define HEIGHT 200
#define EDGE 20 /* half of a number, at most */
#define LEFT 50 /* of the axes within the drawing */
#define RIGHT 332
#define TOP 22
#define BOTTOM 160
#define TICKS 5
#define WIDEST 50	/* column */

double weft__chart_step(double range, unsigned parts)
{
	static const double of[] = { 1, 2, 5, 10 };
	double power, least = range / parts;
	unsigned i = 0;

	if (!(range > 0))
		return 1;
	power = pow(10, floor(log10(least)));
	while (i < 3 && of[i] * power < least * (1 - 1e-9))
		i++;
	return of[i] * power;
}

static double x_of(const struct weft__histogram *h, double value)
{
	double range = h->high - h->low;

	return LEFT +
	       (range > 0 ? (value - h->low) / range : .5) * (RIGHT - LEFT);
}

/* A number as short as a step of that size allows. */
static void put_number(FILE *out, double value, double step)
{
	int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;

	if (digits || value < 0)
		fprintf(out, "%.*f", digits, value);
	else
		fputs(WEFT_COUNT((uint64_t)llround(value), NULL), out);
}

static void draw_x(const struct weft__histogram *h, FILE *out)
{
	double step = weft__chart_step(h->high - h->low, TICKS);
	double first;

	if (h->whole && step < 1)
		step = 1;
	first = ceil(h->low / step - 1e-9);
	for (unsigned i = 0; i <= TICKS; i++) {
		double value = (first + i) * step, x;
		bool end;

		if (value > h->high + step * 1e-9)
			break;
		/* The last one would be cut at the edge. */
		x = x_of(h, value);
		end = x > WIDTH - EDGE;
		fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">",
			end ? WIDTH - 1. : x, BOTTOM + 15,
			end ? "end" : "middle");
		put_number(out, value, step);
		fputs("</text>", out);
	}
	fprintf(out, "\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
		(LEFT + RIGHT) / 2, BOTTOM + 34);
	weft__put_markup(out, h->x);
	fputs("</text>\n", out);
}

static void draw_y(const struct weft__histogram *h, double most, FILE *out)
{
	double step = weft__chart_step(most, 4);

	if (step < 1)
		step = 1;
	for (double value = 0; value <= most; value += step) {
		double y = BOTTOM - value / most * (BOTTOM - TOP);

		fprintf(out,
			"<line class=\"rule\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
			LEFT, y, RIGHT, y, LEFT - 5, y + 4);
		put_number(out, value, step);
		fputs("</text>\n", out);
	}
	fprintf(out, "<text x=\"2\" y=\"11\">");
	weft__put_markup(out, h->y);
	fputs("</text>\n", out);
}

static void draw_columns(const struct weft__histogram *h, double most,
			 FILE *out)
{
	double bin = (h->high - h->low) / h->n;
	double width = (double)(RIGHT - LEFT) / h->n - 1;

	width = width > WIDEST ? WIDEST : width < .5 ? .5 : width;
	for (unsigned i = 0; i < h->n; i++) {
		double x = x_of(h, h->low + (i + .5) * bin);
		double y = BOTTOM - h->count[i] / most * (BOTTOM - TOP);

		if (h->count[i])
			fprintf(out,
				"<rect class=\"column\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
				x - width / 2, y, width, BOTTOM - y);
	}
}

static void draw_mark(const struct weft__histogram *h, FILE *out)
{
	double x = x_of(h, h->mark);

	fprintf(out,
		"<line class=\"mark\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/><text class=\"marked\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">",
		x, TOP - 4, x, BOTTOM, x > WIDTH / 2. ? x - 4 : x + 4,
		TOP - 2 - 2, x > WIDTH / 2. ? "end" : "start");
	weft__put_markup(out, h->mark_name);
	fputs("</text>\n", out);
}

void weft__histogram_draw(const struct weft__histogram *h, FILE *out)
{
	double most = 1;

	for (unsigned i = 0; i < h->n; i++)
		if (h->count[i] > most)
			most = h->count[i];
	fprintf(out,
		"<figure>\n<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-t\">\n<title id=\"%s-t\">",
		WIDTH, HEIGHT, h->id, h->id);
	weft__put_markup(out, h->title);
	fputs("</title>\n", out);
	draw_y(h, most, out);
	draw_columns(h, most, out);
	draw_x(h, out);
	if (h->mark_name)
		draw_mark(h, out);
	fputs("</svg>\n<figcaption>", out);
	weft__put_markup(out, h->title);
	fputs("</figcaption>\n</figure>\n", out);
}
