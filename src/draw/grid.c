// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Products of rings, paths and full meshes by coordinates: the first dimension
 * to the right, the second downwards, and the others likewise by turns, as
 * tables within tables; where there are three, the third to and fro in several
 * rows, so that the picture is not too wide.  One ring or full mesh is a
 * circle.
 */
#include "draw/layout.h"

#include <math.h>

#define WIDE 1400.
#define NARROWEST 14.
#define TALL .75   /* a row, for the width of a column */
#define ASPECT 1.6 /* of the picture, if it can be so */

/* Units of each dimension in columns or rows. */
static void find_units(const struct weft_shape_part *p, unsigned axis,
		       double unit[WEFT_SHAPE_DIMENSIONS], double *all)
{
	double size = 1;

	for (unsigned d = axis; d < p->ndimensions; d += 2) {
		unit[d] = size;
		size = size * p->length[d] + (d + 2 < p->ndimensions ? .6 : 0);
	}
	*all = size;
}

/* Tables of two dimensions, side by side in rows. */
struct tables {
	unsigned columns;     /* 0 = as find_units() has it */
	double width, height; /* of one, and a gap, in columns and rows */
};

static struct tables fold(const struct weft_shape_part *p, double *across,
			  double *down)
{
	struct tables t = { .width = p->length[0] + .6,
			    .height = p->length[1] + .6 };
	unsigned rows;

	if (p->ndimensions != 3)
		return t;
	t.columns =
		ceil(sqrt(p->length[2] * ASPECT * t.height * TALL / t.width));
	if (t.columns > p->length[2])
		t.columns = p->length[2];
	rows = (p->length[2] + t.columns - 1) / t.columns;
	t.columns = (p->length[2] + rows - 1) / rows;
	*across = t.columns * t.width - .6;
	*down = rows * t.height - .6;
	return t;
}

/* Where a table is: each second row runs back. */
static void find_table(const struct tables *t, uint32_t i, double *x, double *y)
{
	unsigned row = i / t->columns, column = i % t->columns;

	*x = (row % 2 ? t->columns - 1 - column : column) * t->width;
	*y = row * t->height;
}

/* Where a switch is, in columns and rows. */
static void find_place(const struct weft_shape_part *p, const double *unit,
		       const struct tables *t, const uint32_t *at, double *x,
		       double *y)
{
	*x = *y = 0;
	if (t->columns)
		find_table(t, at[2], x, y);
	for (unsigned d = 0; d < (t->columns ? 2 : p->ndimensions); d++)
		*(d % 2 ? y : x) += at[d] * unit[d];
}

static void place_all(struct weft__layout *l, struct weft__region *r)
{
	const struct weft_shape_part *p = &l->shape->part[r->part];
	double unit[WEFT_SHAPE_DIMENSIONS], across, down, slot, row;
	struct weft__spot size;
	struct tables t;

	find_units(p, 0, unit, &across);
	find_units(p, 1, unit, &down);
	t = fold(p, &across, &down);
	slot = WIDE / across;
	slot = slot > WEFT__DRAW_SLOT * 1.25 ? WEFT__DRAW_SLOT * 1.25 :
	       slot < NARROWEST		     ? NARROWEST :
					       slot;
	row = slot * TALL < 56 && slot >= 40 ? 56 : slot * TALL;
	size = weft__layout_size(slot * (slot < 40 ? .6 : .8));
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t s = r->sw[i];
		const uint32_t *at =
			l->shape->at + (size_t)s * WEFT_SHAPE_DIMENSIONS;

		find_place(p, unit, &t, at, &size.x, &size.y);
		size.x = (size.x + .5) * slot;
		size.y = (size.y + .5) * row;
		l->spot[s] = size;
	}
	l->bend[r->part] = row * .42;
	r->w = across * slot;
	r->h = down * row + 20;
}

void weft__layout_circle(struct weft__layout *l, struct weft__region *r)
{
	double around = r->n * WEFT__DRAW_SLOT * 1.1;
	double radius = around / (2 * M_PI), slot = WEFT__DRAW_SLOT;
	struct weft__spot size;

	if (radius > WIDE / 3) {
		radius = WIDE / 3;
		slot = 2 * M_PI * radius / r->n;
	}
	radius = radius < 60 ? 60 : radius;
	radius = r->n == 1 ? 0 : radius;
	size = weft__layout_size(slot);
	for (uint32_t i = 0; i < r->n; i++) {
		double angle = 2 * M_PI * i / r->n - M_PI / 2;

		l->spot[r->sw[i]] = size;
		l->spot[r->sw[i]].x =
			radius * cos(angle) + radius + WEFT__DRAW_SLOT / 2;
		l->spot[r->sw[i]].y = radius * sin(angle) + radius + 20;
	}
	r->w = 2 * radius + WEFT__DRAW_SLOT;
	r->h = 2 * radius + 64;
}

/* Switches of one dimension around a circle, in their order. */
static void place_ring(struct weft__layout *l, struct weft__region *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		while (l->shape->at[(size_t)r->sw[i] * WEFT_SHAPE_DIMENSIONS] !=
		       i) {
			uint32_t to = l->shape->at[(size_t)r->sw[i] *
						   WEFT_SHAPE_DIMENSIONS];
			uint32_t swap = r->sw[to];

			r->sw[to] = r->sw[i];
			r->sw[i] = swap;
		}
	weft__layout_circle(l, r);
}

bool weft__layout_grid(struct weft__layout *l, struct weft__region *r)
{
	const struct weft_shape_part *p = &l->shape->part[r->part];
	bool chain = p->kind == WEFT_SHAPE_GRID && !p->ring[0];

	if (p->ndimensions == 1 && !chain && p->length[0] == r->n) {
		place_ring(l, r);
		return true;
	}
	place_all(l, r);
	return true;
}
