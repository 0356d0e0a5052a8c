// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes pictures as SVG; see draw.h. */
#include "draw/svg.h"

#include "draw/fold.h"
#include "draw/style.h"
#include "draw/titles.h"
#include "page/markup.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/diag.h>

#define LEGIBLE .7 /* of its size, and letters can be read */
#define LEAST_WIDTH 560.
#define DOT 7.	 /* room for a host */
#define TICK 18. /* longest bar for hosts */

void weft__svg_text(struct weft__svg *g, double x, double y, const char *class,
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

/* --- switches and hosts --------------------------------------------------- */

static void put_dots(struct weft__svg *g, uint32_t s)
{
	const struct weft__spot *p = &g->layout.spot[s];
	unsigned columns = p->w / DOT < 1 ? 1 : p->w / DOT;
	uint32_t first = g->f->sw_ep_first[s], n = g->layout.hosts[s];

	columns = columns > n ? n : columns;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = g->f->sw_endport[first + i];

		while (!weft_endport_is_host(&g->f->ep[e], false))
			e = g->f->sw_endport[++first + i];
		fprintf(g->out,
			"<circle class=\"host\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"",
			p->x + DOT * (i % columns - (columns - 1) / 2.),
			p->y + p->h / 2 + 5 + DOT * (i / columns));
		if (g->d->numbered)
			fprintf(g->out, " data-h=\"%" PRIu32 "\"", e);
		putc('>', g->out);
		weft__title_host(g->f, e, g->out);
		fputs("</circle>\n", g->out);
	}
}

/* How many hosts a switch has: dots, a number, or, in the rows of trees, a bar
 * where that has no room. */
static void put_hosts(struct weft__svg *g, uint32_t s)
{
	const struct weft_shape_part *part =
		&g->d->shape->part[g->d->shape->part_of[s]];
	const struct weft__spot *p = &g->layout.spot[s];
	uint32_t n = g->layout.hosts[s];
	double below = p->y + p->h / 2;

	/* The frame of a pod has the number of its hosts. */
	if (!n || (part->kind == WEFT_SHAPE_TREE &&
		   weft__folded(&g->layout, s) > 1))
		return;
	if (g->layout.few_hosts && weft__folded(&g->layout, s) == 1)
		put_dots(g, s);
	else if (p->w >= 12)
		weft__svg_text(g, p->x, below + 11,
			       p->w < 30 ? "soft small" : "soft", 'm',
			       WEFT_COUNT(n, p->w < 50 ? NULL : "host"));
	else if (part->kind == WEFT_SHAPE_TREE)
		fprintf(g->out,
			"<rect class=\"host\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
			p->x - p->w / 2, below + 3, p->w,
			2 + TICK * n / g->most_hosts);
}

/* The strongest mark of a switch, or of those of a box and what joins them. */
static unsigned mark_of(const struct weft__svg *g, uint32_t s)
{
	const struct weft__overlay *o = g->d->overlay;
	const struct weft_fabric *f = g->f;
	unsigned mark = o && o->sw ? o->sw[s] : 0;

	if (!o || weft__folded(&g->layout, s) == 1)
		return mark;
	for (uint32_t i = s; i < f->nsw; i++) {
		if (weft__stands(&g->layout, i) != s)
			continue;
		if (o->sw && o->sw[i] > mark)
			mark = o->sw[i];
		for (uint32_t e = f->adj_first[i];
		     o->mark && e < f->adj_first[i + 1]; e++) {
			uint32_t ch = f->adj[e];

			if (weft__stands(&g->layout, f->peer[ch]) == s &&
			    o->mark[ch] > mark)
				mark = o->mark[ch];
		}
	}
	return mark;
}

static void put_switch(struct weft__svg *g, uint32_t s)
{
	const struct weft__spot *p = &g->layout.spot[s];
	unsigned mark = mark_of(g, s);
	char class[32] = "";

	if (mark)
		snprintf(class, sizeof(class), " m m%u", mark);
	fputs("<g", g->out);
	if (g->d->numbered)
		fprintf(g->out, " data-s=\"%" PRIu32 "\"", s);
	fprintf(g->out,
		"><rect class=\"s k%u%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"/>",
		g->d->shape->level[s] % 4, class, p->x - p->w / 2,
		p->y - p->h / 2, p->w, p->h, p->w < 12 ? 1. : 4.);
	weft__title_switch(&g->layout, s, g->out);
	if (*g->labels.text[s])
		weft__svg_text(g, p->x, p->y + 4,
			 weft__draw_is_wide(g->labels.text[s], p->w) ? "small" :
								      NULL,
			 'm', g->labels.text[s]);
	fputs("</g>\n", g->out);
	put_hosts(g, s);
}

static void put_frames(struct weft__svg *g)
{
	for (uint32_t i = 0; i < g->layout.nframes; i++) {
		const struct weft__frame *r = &g->layout.frame[i];

		if (!r->w)
			continue;
		fprintf(g->out,
			"<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\"/>\n",
			r->x, r->y, r->w, r->h);
	}
}

/* What frames are called, upon the lines. */
static void put_frame_words(struct weft__svg *g)
{
	for (uint32_t i = 0; i < g->layout.nframes; i++) {
		const struct weft__frame *r = &g->layout.frame[i];
		char name[WEFT__DRAW_NAME];

		if (r->w >= 20)
			weft__svg_text(g, r->x + r->w / 2, r->y + r->h - 4,
				 r->w < 40 ? "soft small" : "soft", 'm',
				 r->text);
		weft__draw_fit(r->name, "", r->w - 2, name);
		if (*name)
			weft__svg_text(g, r->x + r->w / 2, r->y + 12,
				 weft__draw_is_wide(name, r->w) ? "soft small" :
								 "soft",
				 'm', name);
	}
}

static void put_all(struct weft__svg *g)
{
	fprintf(g->out, "<g transform=\"translate(%.1f %.1f)\">\n", g->x, g->y);
	put_frames(g);
	weft__svg_lines(g);
	put_frame_words(g);
	for (uint32_t s = 0; s < g->f->nsw; s++)
		if (weft__stands(&g->layout, s) == s)
			put_switch(g, s);
	for (uint32_t i = 0; i < g->layout.nwords; i++) {
		const struct weft__words *w = &g->layout.words[i];

		weft__svg_text(g, w->x, w->y, "soft", w->anchor, w->text);
	}
	fputs("</g>\n", g->out);
}

/* --- around it ------------------------------------------------------------ */

/* Writes a text in lines no wider than the picture, or counts these. */
static unsigned put_wrapped(struct weft__svg *g, const char *text, double y,
			    bool write)
{
	size_t room = (g->width - 2 * WEFT__SVG_MARGIN) / WEFT__SVG_LETTER, end;
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
			weft__svg_text(g, WEFT__SVG_MARGIN,
				       y + n * WEFT__SVG_LINE, "what", 's',
				       line);
	}
	return n;
}

static void put_head(struct weft__svg *g)
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

static void write_svg(struct weft__svg *g)
{
	double y = WEFT__SVG_MARGIN + 4;

	g->width = fmax(g->layout.width + 2 * WEFT__SVG_MARGIN, LEAST_WIDTH);
	g->x = (g->width - g->layout.width) / 2;
	g->y = y + (g->d->title ? WEFT__SVG_LINE + 4 : 0) + 8 +
	       (g->d->embedded ?
			0 :
			WEFT__SVG_LINE * put_wrapped(g, g->d->shape->what, 0, false));
	g->height = g->y + g->layout.height + WEFT__SVG_MARGIN +
		    weft__svg_legend_height(g);
	put_head(g);
	if (g->d->title) {
		weft__svg_text(g, WEFT__SVG_MARGIN, y + 6, "title", 's', g->d->title);
		y += WEFT__SVG_LINE + 4;
	}
	if (!g->d->embedded)
		put_wrapped(g, g->d->shape->what, y + 4, true);
	put_all(g);
	weft__svg_legend(g, g->y + g->layout.height + WEFT__SVG_MARGIN / 2);
	fputs("</svg>\n", g->out);
}

/* All that is to be known before a line is written.  0 or -errno. */
static int prepare(struct weft__svg *g)
{
	const struct weft__drawing *d = g->d;
	int err = weft__layout_make(&g->layout);

	if (!err && !d->numbered && !d->unfolded)
		err = weft__layout_fold(&g->layout);
	for (uint32_t s = 0; s < g->f->nsw && !err; s++) {
		uint32_t to = weft__stands(&g->layout, s);

		if (to != s)
			g->layout.hosts[to] += g->layout.hosts[s];
		if (g->layout.hosts[s] > g->most_hosts)
			g->most_hosts = g->layout.hosts[s];
	}
	if (!err)
		err = weft__labels_make(&g->layout, &g->labels);
	if (!err)
		err = weft__lines_make(&g->layout, d->overlay, &g->lines);
	return err || weft__svg_find_gaps(g) ? err : -ENOMEM;
}

int weft__draw_svg(const struct weft__drawing *d, FILE *out,
		   struct weft_diag *diag)
{
	struct weft__svg g = {
		.d = d,
		.f = d->fabric,
		.out = out,
		.layout = { .f = d->fabric, .shape = d->shape, .diag = diag },
	};
	int err = prepare(&g);

	if (!err)
		write_svg(&g);
	else
		weft_diag_say(diag, WEFT_ERROR, "out of memory");
	free(g.gap);
	weft__labels_free(&g.labels);
	weft__lines_free(&g.lines);
	weft__layout_free(&g.layout);
	return err;
}
