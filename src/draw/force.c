// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fabrics of no known structure: Graphviz places them, neato where it is fast
 * enough, else sfdp.  Without Graphviz they are on a circle.
 */
#include "draw/filter.h"
#include "draw/layout.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/diag.h>
#include <weft/number.h>

#define NEATO 150u /* most switches for it */
#define WIDE 1200.

/* Each pair of neighbours once; ids are those of the fabric. */
static void write_graph(const struct weft__layout *l,
			const struct weft__region *r, FILE *out)
{
	fputs("graph g {\nnode [shape=point]\n", out);
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t s = r->sw[i], last = WEFT_NONE;

		fprintf(out, "%u\n", s);
		for (uint32_t e = l->f->adj_first[s];
		     e < l->f->adj_first[s + 1]; e++) {
			uint32_t peer = l->f->peer[l->f->adj[e]];

			if (peer > s && peer != last)
				fprintf(out, "%u -- %u\n", s, peer);
			last = peer;
		}
	}
	fputs("}\n", out);
}

#define NODE "node "

/* Reads "node ID X Y ..." for each; whether all were there. */
static bool read_places(struct weft__layout *l, const struct weft__region *r,
			FILE *in)
{
	char line[512];
	uint32_t met = 0;
	uint64_t s;
	double x, y;

	while (fgets(line, sizeof(line), in)) {
		const char *p = line + strlen(NODE);

		if (!strncmp(line, NODE, strlen(NODE)) &&
		    weft_number_uint_at(&p, " ", l->f->nsw - 1, &s) && *p++ &&
		    weft_number_real_at(&p, " ", &x) && *p++ &&
		    weft_number_real_at(&p, " ", &y)) {
			l->spot[s].x = x;
			l->spot[s].y = -y;
			met++;
		}
	}
	return met == r->n;
}

/* Runs Graphviz; 0 or -errno. */
static int ask(struct weft__layout *l, const struct weft__region *r)
{
	char *neato[] = { "neato", "-Tplain", NULL };
	char *sfdp[] = { "sfdp", "-Tplain", NULL };
	FILE *in = tmpfile(), *out = tmpfile();
	int err = in && out ? 0 : -errno;

	if (!err) {
		write_graph(l, r, in);
		err = weft__filter_run(r->n <= NEATO ? neato : sfdp, in, out);
	}
	if (!err && !read_places(l, r, out))
		err = -EIO;
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	return err;
}

/* Makes the picture as large as its switches need, from (0, 0) on. */
static void scale(struct weft__layout *l, struct weft__region *r)
{
	double left = INFINITY, right = -INFINITY, top = INFINITY;
	double bottom = -INFINITY, side, by, slot = WEFT__DRAW_SLOT * .8;
	struct weft__spot size;

	for (uint32_t i = 0; i < r->n; i++) {
		const struct weft__spot *p = &l->spot[r->sw[i]];

		left = fmin(left, p->x);
		right = fmax(right, p->x);
		top = fmin(top, p->y);
		bottom = fmax(bottom, p->y);
	}
	side = fmax(fmax(right - left, bottom - top), 1e-6);
	by = fmin(WIDE, 1.7 * slot * sqrt(r->n) + 100) / side;
	slot = fmin(slot, fmax(14, by * side / sqrt(r->n) / 1.7));
	size = weft__layout_size(slot);
	for (uint32_t i = 0; i < r->n; i++) {
		struct weft__spot *p = &l->spot[r->sw[i]];

		*p = (struct weft__spot){
			(p->x - left) * by + slot / 2 + 10,
			(p->y - top) * by + 24,
			size.w,
			size.h,
		};
	}
	r->w = (right - left) * by + slot + 20;
	r->h = (bottom - top) * by + 68;
}

bool weft__layout_force(struct weft__layout *l, struct weft__region *r)
{
	int err = ask(l, r);

	if (!err) {
		scale(l, r);
		return true;
	}
	if (err == -ENOENT)
		weft_diag_say(l->diag, WEFT_WARNING,
			      "there is no Graphviz, which places fabrics of no known structure; this one is drawn as a circle: install it (Debian: graphviz)");
	else
		weft_diag_say(l->diag, WEFT_WARNING,
			      "Graphviz failed; the fabric is drawn as a circle");
	weft__layout_circle(l, r);
	return true;
}
