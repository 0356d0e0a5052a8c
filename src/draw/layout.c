// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lays out the parts of a fabric, one beside the other. */
#include "draw/layout.h"

#include <errno.h>
#include <stdlib.h>

#define GAP 40.	   /* between parts */
#define WIDE 1400. /* from there on parts begin a new row */
#define DOTS 128u  /* most hosts that are drawn one by one */

static bool lay_out(struct weft__layout *l, struct weft__region *r)
{
	switch (l->shape->part[r->part].kind) {
	case WEFT_SHAPE_TREE:
		return weft__layout_tree(l, r);
	case WEFT_SHAPE_GRID:
	case WEFT_SHAPE_HYPERX:
		return weft__layout_grid(l, r);
	case WEFT_SHAPE_GROUPS:
		return weft__layout_groups(l, r);
	case WEFT_SHAPE_IRREGULAR:
		return weft__layout_force(l, r);
	default:
		weft__layout_circle(l, r);
		return true;
	}
}

/* What of the layout a part has brought begins at these. */
struct marks {
	uint32_t frame, words;
};

static void shift(struct weft__layout *l, const struct weft__region *r,
		  struct marks from, double x, double y)
{
	for (uint32_t i = 0; i < r->n; i++) {
		l->spot[r->sw[i]].x += x;
		l->spot[r->sw[i]].y += y;
	}
	for (uint32_t i = from.frame; i < l->nframes; i++) {
		l->frame[i].x += x;
		l->frame[i].y += y;
	}
	for (uint32_t i = from.words; i < l->nwords; i++) {
		l->words[i].x += x;
		l->words[i].y += y;
	}
}

/* Rows of parts, as wide as the first or WIDE. */
static bool lay_out_all(struct weft__layout *l, uint32_t *sw)
{
	double x = 0, y = 0, tall = 0;

	for (uint32_t p = 0; p < l->shape->nparts; p++) {
		struct marks from = { l->nframes, l->nwords };
		struct weft__region r = { .part = p, .sw = sw };

		for (uint32_t s = 0; s < l->f->nsw; s++)
			if (l->shape->part_of[s] == p)
				sw[r.n++] = s;
		if (!lay_out(l, &r))
			return false;
		if (x && x + r.w > (l->width > WIDE ? l->width : WIDE)) {
			y += tall + GAP;
			x = tall = 0;
		}
		shift(l, &r, from, x, y);
		x += r.w + GAP;
		tall = r.h > tall ? r.h : tall;
		l->width = x - GAP > l->width ? x - GAP : l->width;
		l->height = y + tall;
	}
	return true;
}

static uint32_t count_hosts(const struct weft_fabric *f, uint32_t s)
{
	uint32_t n = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++)
		n += weft_endport_is_host(&f->ep[f->sw_endport[i]], false);
	return n;
}

int weft__layout_make(struct weft__layout *l)
{
	size_t n = l->f->nsw + (size_t)1;
	uint32_t groups;
	uint32_t *sw = calloc(n, sizeof(*sw));
	bool ok;

	l->spot = calloc(n, sizeof(*l->spot));
	l->hosts = calloc(n, sizeof(*l->hosts));
	l->cluster = calloc(n, sizeof(*l->cluster));
	l->bend = calloc(l->shape->nparts + (size_t)1, sizeof(*l->bend));
	ok = sw && l->spot && l->hosts && l->cluster && l->bend;
	l->few_hosts = l->f->nhosts <= DOTS;
	for (uint32_t s = 0; s < l->f->nsw && ok; s++) {
		l->hosts[s] = count_hosts(l->f, s);
		l->cluster[s] = WEFT_NONE;
	}
	ok = ok && !weft_shape_group_names(l->f, l->shape, &groups,
					   &l->group_name);
	ok = ok && lay_out_all(l, sw);
	free(sw);
	return ok ? 0 : -ENOMEM;
}
