// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes pictures as SVG; see draw.h. */
#include "draw/draw.h"
#include "draw/layout.h"
#include "draw/lines.h"
#include "draw/style.h"
#include "draw/text.h"
#include "page/markup.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <weft/diag.h>

#define MARGIN 20.
#define LEGIBLE .7 /* of its size, and letters can be read */
#define LEAST_WIDTH 560.
#define LINE 18.      /* of text */
#define LETTER 7.1    /* width of one of the sentence, about */
#define FAINT 200u    /* from so many lines on */
#define THICKET 4000u /* from there on fainter still */
#define FEW_BANDS 40. /* more of them are fainter */
#define DOT 7.	      /* room for a host */
#define TICK 18.      /* longest bar for hosts */

struct svg {
	const struct weft__drawing *d;
	const struct weft_fabric *f;
	struct weft__layout layout;
	struct weft__lines lines;
	struct weft__trims trims;
	double width, height;
	double x, y;	     /* where the layout begins */
	uint32_t most_hosts; /* on a switch */
	FILE *out;
};

static void put_title(struct svg *g, const char *text)
{
	fputs("<title>", g->out);
	weft__put_markup(g->out, text);
	fputs("</title>", g->out);
}

static void put_text(struct svg *g, double x, double y, const char *class,
		     char anchor, const char *text)
{
	fprintf(g->out, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
	if (class)
		fprintf(g->out, " class=\"%s\"", class);
	if (anchor != 's')
		fprintf(g->out, " text-anchor=\"%s\"",
			anchor == 'm' ? "middle" : "end");
	putc('>', g->out);
	weft__put_markup(g->out, text);
	fputs("</text>\n", g->out);
}

/* --- lines ---------------------------------------------------------------- */

static void put_line_title(struct svg *g, const struct weft__line *line)
{
	const struct weft__overlay *o = g->d->overlay;
	char a[WEFT__DRAW_NAME], b[WEFT__DRAW_NAME], text[512];
	size_t n;

	n = snprintf(text, sizeof(text), "%s – %s: %s",
		     weft__draw_name(g->f, line->a, a),
		     weft__draw_name(g->f, line->b, b),
		     WEFT_COUNT(line->cables, "cable"));
	if (o && o->heat && line->heat >= 0 && n < sizeof(text))
		n += snprintf(text + n, sizeof(text) - n, ", %.0f %% of %s",
			      100 * line->heat, o->hot);
	if (line->mark && o->said[line->mark] && n < sizeof(text))
		snprintf(text + n, sizeof(text) - n, ", %s",
			 o->said[line->mark]);
	put_title(g, text);
}

/* Whether something may stand between the two ends: they are not next to each
 * other and, in trees, in one row. */
static bool is_past(const struct svg *g, const struct weft__line *line)
{
	const struct weft__spot *a = &g->layout.spot[line->a];
	const struct weft__spot *b = &g->layout.spot[line->b];
	uint32_t part = g->d->shape->part_of[line->a];

	if (g->d->shape->part[part].kind == WEFT_SHAPE_TREE)
		return fabs(a->y - b->y) < 1;
	return hypot(a->x - b->x, a->y - b->y) > 1.6 * a->w + 24;
}

/* Arcs keep clear of what stands between the two ends. */
static void put_way(struct svg *g, const struct weft__line *line)
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

static double width_of(const struct svg *g, const struct weft__line *line)
{
	double w = .8 + 1.6 * (line->cables - 1) /
				(g->lines.widest > 4 ? g->lines.widest : 4);

	if (line->mark > WEFT__MARK_UNUSED)
		return w + 2;
	return line->heat >= 0 ? w + 1.4 * line->heat : w;
}

static void put_line(struct svg *g, const struct weft__line *line)
{
	char class[32] = "l";

	if (line->mark)
		snprintf(class, sizeof(class), "m m%u", line->mark);
	else if (line->heat >= 0)
		snprintf(class, sizeof(class), "l h%d",
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
	put_line_title(g, line);
	fputs("</path>\n", g->out);
}

static void put_band(struct svg *g, const struct weft__band *b)
{
	fprintf(g->out,
		"<path class=\"band\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\">",
		b->left[0], b->y[0], b->right[0], b->y[0], b->right[1], b->y[1],
		b->left[1], b->y[1]);
	put_title(g, WEFT_COUNT(b->cables, "cable"));
	fputs("</path>\n", g->out);
}

/* Cables that the title counts as missing. */
static void put_gaps(struct svg *g)
{
	const struct weft_shape *shape = g->d->shape;
	char a[WEFT__DRAW_NAME], b[WEFT__DRAW_NAME], text[512];

	for (uint32_t i = 0; i < shape->ngaps; i++) {
		const struct weft_shape_gap *gap = &shape->gap[i];
		const struct weft__line line = { .a = gap->sw[0],
						 .b = gap->sw[1] };

		fputs("<path class=\"gap\" ", g->out);
		put_way(g, &line);
		putc('>', g->out);
		snprintf(text, sizeof(text), "%s – %s: %s missing",
			 weft__draw_name(g->f, line.a, a),
			 weft__draw_name(g->f, line.b, b),
			 WEFT_COUNT(gap->cables, "cable"));
		put_title(g, text);
		fputs("</path>\n", g->out);
	}
}

static void put_lines(struct svg *g)
{
	uint32_t i = 0, n = g->lines.n;
	double least = n > THICKET ? .2 : g->lines.nbands ? .35 : .55;
	double opacity = n < FAINT ? 1 : fmax(least, (double)FAINT / n);
	double band, bands = g->lines.nbands;

	band = bands < FEW_BANDS ? 1 : fmax(.3, sqrt(FEW_BANDS / bands));
	fprintf(g->out, "<g opacity=\"%.2f\">\n", band);
	for (uint32_t k = 0; k < g->lines.nbands; k++)
		put_band(g, &g->lines.band[k]);
	fputs("</g>\n", g->out);
	fprintf(g->out, "<g stroke-opacity=\"%.2f\">\n", opacity);
	for (; i < n && g->lines.line[i].heat < .5 && !g->lines.line[i].mark;
	     i++)
		put_line(g, &g->lines.line[i]);
	fputs("</g>\n<g>\n", g->out);
	for (; i < n; i++)
		put_line(g, &g->lines.line[i]);
	put_gaps(g);
	fputs("</g>\n", g->out);
}

/* --- switches and hosts --------------------------------------------------- */

static void put_dots(struct svg *g, uint32_t s)
{
	const struct weft__spot *p = &g->layout.spot[s];
	unsigned columns = p->w / DOT < 1 ? 1 : p->w / DOT;
	uint32_t first = g->f->sw_ep_first[s], n = g->layout.hosts[s];

	columns = columns > n ? n : columns;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = g->f->sw_endport[first + i];

		while (!weft_counts_as_host(&g->f->ep[e], false))
			e = g->f->sw_endport[++first + i];
		fprintf(g->out,
			"<circle class=\"host\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"",
			p->x + DOT * (i % columns - (columns - 1) / 2.),
			p->y + p->h / 2 + 5 + DOT * (i / columns));
		if (g->d->numbered)
			fprintf(g->out, " data-h=\"%" PRIu32 "\"", e);
		putc('>', g->out);
		put_title(g, g->f->node[g->f->ep[e].node].name);
		fputs("</circle>\n", g->out);
	}
}

/* How many hosts a switch has: dots, a number, or, in the rows of trees, a bar
 * where that has no room. */
static void put_hosts(struct svg *g, uint32_t s)
{
	const struct weft_shape_part *part =
		&g->d->shape->part[g->d->shape->part_of[s]];
	const struct weft__spot *p = &g->layout.spot[s];
	uint32_t n = g->layout.hosts[s];
	double below = p->y + p->h / 2;

	if (!n)
		return;
	if (g->layout.few_hosts)
		put_dots(g, s);
	else if (p->w >= 12)
		put_text(g, p->x, below + 11, p->w < 30 ? "soft small" : "soft",
			 'm', WEFT_COUNT(n, p->w < 50 ? NULL : "host"));
	else if (part->kind == WEFT_SHAPE_TREE)
		fprintf(g->out,
			"<rect class=\"host\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
			p->x - p->w / 2, below + 3, p->w,
			2 + TICK * n / g->most_hosts);
}

static void put_switch(struct svg *g, uint32_t s)
{
	const struct weft__overlay *o = g->d->overlay;
	const struct weft__spot *p = &g->layout.spot[s];
	unsigned mark = o && o->sw ? o->sw[s] : 0;
	char name[WEFT__DRAW_NAME], text[512], class[32] = "";

	if (mark)
		snprintf(class, sizeof(class), " m m%u", mark);
	fputs("<g", g->out);
	if (g->d->numbered)
		fprintf(g->out, " data-s=\"%" PRIu32 "\"", s);
	fprintf(g->out,
		"><rect class=\"s k%u%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>",
		g->d->shape->level[s] % 4, class, p->x - p->w / 2,
		p->y - p->h / 2, p->w, p->h, p->w < 12 ? 1. : 4.);
	snprintf(text, sizeof(text),
		 "%s, 0x%016" PRIx64 ", LID %u, %u ports, %s",
		 weft__draw_name(g->f, s, name), g->f->sw[s].guid,
		 g->f->sw[s].lid, g->f->sw[s].nports,
		 WEFT_COUNT(g->layout.hosts[s], "host"));
	put_title(g, text);
	if (weft__draw_label(g->f, s, &g->trims, p->w - 3, name))
		put_text(g, p->x, p->y + 4,
			 p->w < WEFT__DRAW_SMALL ? "small" : NULL, 'm', name);
	fputs("</g>\n", g->out);
	put_hosts(g, s);
}

static void put_frames(struct svg *g)
{
	for (uint32_t i = 0; i < g->layout.nframes; i++) {
		const struct weft__frame *r = &g->layout.frame[i];

		fprintf(g->out,
			"<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\"/>\n",
			r->x, r->y, r->w, r->h);
		if (r->w >= 20)
			put_text(g, r->x + r->w / 2, r->y + r->h - 4,
				 r->w < 40 ? "soft small" : "soft", 'm',
				 r->text);
	}
}

static void put_all(struct svg *g)
{
	fprintf(g->out, "<g transform=\"translate(%.1f %.1f)\">\n", g->x, g->y);
	put_frames(g);
	put_lines(g);
	for (uint32_t s = 0; s < g->f->nsw; s++)
		put_switch(g, s);
	for (uint32_t i = 0; i < g->layout.nwords; i++) {
		const struct weft__words *w = &g->layout.words[i];

		put_text(g, w->x, w->y, "soft", w->anchor, w->text);
	}
	fputs("</g>\n", g->out);
}

/* --- around it ------------------------------------------------------------ */

/* Writes a text in lines no wider than the picture, or counts these. */
static unsigned put_wrapped(struct svg *g, const char *text, double y,
			    bool write)
{
	size_t room = (g->width - 2 * MARGIN) / LETTER, end;
	char line[512];
	unsigned n = 0;

	room = room < sizeof(line) ? room : sizeof(line) - 1;
	for (; *text; text += end + (text[end] == ' '), n++) {
		end = strlen(text);
		if (end > room)
			for (end = room; end && text[end] != ' ';)
				end--;
		end = end ? end : room;
		snprintf(line, sizeof(line), "%.*s", (int)end, text);
		if (write)
			put_text(g, MARGIN, y + n * LINE, "what", 's', line);
	}
	return n;
}

static double put_scale(struct svg *g, double x, double y)
{
	const struct weft__overlay *o = g->d->overlay;

	put_text(g, x, y + 4, "soft", 's', o->cold);
	x += strlen(o->cold) * LETTER + 8;
	for (unsigned i = 0; i < WEFT__DRAW_HEATS; i++, x += 24)
		fprintf(g->out,
			"<path class=\"l h%u\" stroke-width=\"6\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
			i, x, y, x + 22, y);
	put_text(g, x + 4, y + 4, "soft", 's', o->hot);
	return x + strlen(o->hot) * LETTER + 30;
}

/* What colours mean, in one row or more. */
static double put_legend(struct svg *g, double y)
{
	const struct weft__overlay *o = g->d->overlay;
	double x = MARGIN, last = y;

	if (o && o->heat)
		x = put_scale(g, x, y);
	for (unsigned i = 1; o && i < WEFT__MARKS; i++) {
		double w;

		if (!o->said[i])
			continue;
		w = strlen(o->said[i]) * LETTER + 56;
		if (x > MARGIN && x + w > g->width - MARGIN) {
			x = MARGIN;
			last += LINE;
		}
		fprintf(g->out,
			"<path class=\"m m%u\" stroke-width=\"3\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
			i, x, last, x + 30, last);
		put_text(g, x + 36, last + 4, "soft", 's', o->said[i]);
		x += w;
	}
	return last;
}

static void put_head(struct svg *g)
{
	fprintf(g->out,
		"%s<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fabric\" viewBox=\"0 0 %.0f %.0f\" role=\"img\"",
		g->d->embedded ? "" :
				 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
		g->width, g->height);
	if (!g->d->embedded)
		fprintf(g->out, " width=\"%.0f\" height=\"%.0f\"", g->width,
			g->height);
	else
		fprintf(g->out, " style=\"min-width:%.0fpx\"",
			g->width * LEGIBLE);
	fputs(" aria-label=\"", g->out);
	weft__put_markup(g->out, g->d->shape->what);
	fputs("\">\n<style>\n", g->out);
	weft__draw_style(g->out);
	fprintf(g->out,
		"</style>\n<rect class=\"paper\" width=\"%.0f\" height=\"%.0f\"/>\n",
		g->width, g->height);
}

static unsigned count_said(const struct weft__overlay *o)
{
	unsigned n = 0;

	for (unsigned i = 0; o && i < WEFT__MARKS; i++)
		n += o->said[i] != NULL;
	return o && o->heat ? n + 1 : n;
}

static void write_svg(struct svg *g)
{
	double y = MARGIN + 4;
	unsigned said = count_said(g->d->overlay);

	g->width = fmax(g->layout.width + 2 * MARGIN, LEAST_WIDTH);
	g->x = (g->width - g->layout.width) / 2;
	g->y = y + (g->d->title ? LINE + 4 : 0) + 8 +
	       (g->d->embedded ?
			0 :
			LINE * put_wrapped(g, g->d->shape->what, 0, false));
	g->height = g->y + g->layout.height + MARGIN +
		    (said ? LINE * ceil(said / 3.) + 4 : 0);
	put_head(g);
	if (g->d->title) {
		put_text(g, MARGIN, y + 6, "title", 's', g->d->title);
		y += LINE + 4;
	}
	if (!g->d->embedded)
		put_wrapped(g, g->d->shape->what, y + 4, true);
	put_all(g);
	put_legend(g, g->y + g->layout.height + MARGIN / 2);
	fputs("</svg>\n", g->out);
}

int weft__draw_svg(const struct weft__drawing *d, FILE *out,
		   struct weft_diag *diag)
{
	struct svg g = {
		.d = d,
		.f = d->fabric,
		.out = out,
		.layout = { .f = d->fabric, .shape = d->shape, .diag = diag },
	};
	int err = weft__layout_make(&g.layout);

	for (uint32_t s = 0; s < g.f->nsw && !err; s++)
		if (g.layout.hosts[s] > g.most_hosts)
			g.most_hosts = g.layout.hosts[s];
	weft__draw_trims(g.f, d->shape, &g.trims);
	if (!err)
		err = weft__lines_make(&g.layout, d->overlay, &g.lines);
	if (!err)
		write_svg(&g);
	else
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	weft__lines_free(&g.lines);
	weft__layout_free(&g.layout);
	return err;
}
