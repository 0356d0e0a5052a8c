// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Groups around a circle, each of them a circle of its switches; where groups
 * have leaves and spines, spines are on the inner side. */
#include "draw/layout.h"

#include <math.h>
#include <stdlib.h>

#define WIDEST 620. /* radius */

struct circle {
	struct weft__layout *l;
	const struct weft__region *r;
	uint32_t first, n;    /* groups */
	double radius, small; /* of all; of one group */
	double slot;
};

static void place_group(struct circle *c, uint32_t group)
{
	double angle = 2 * M_PI * group / c->n - M_PI / 2;
	double x = c->radius * cos(angle), y = c->radius * sin(angle);
	uint32_t n = 0, at = 0;

	for (uint32_t i = 0; i < c->r->n; i++)
		n += c->l->shape->group[c->r->sw[i]] == c->first + group;
	for (uint32_t i = 0; i < c->r->n; i++) {
		uint32_t s = c->r->sw[i];
		double turn = angle + 2 * M_PI * (at + .5) / n;
		struct weft__spot *spot = &c->l->spot[s];

		if (c->l->shape->group[s] != c->first + group)
			continue;
		*spot = weft__layout_size(c->slot);
		spot->x = x + c->small * cos(turn);
		spot->y = y + c->small * sin(turn);
		at++;
	}
}

/* The frame of a group, with its hosts. */
static bool frame_group(struct circle *c, uint32_t group)
{
	struct weft__frame *frame = weft__layout_frame(c->l);
	double angle = 2 * M_PI * group / c->n - M_PI / 2;
	struct weft__spot size = weft__layout_size(c->slot);
	double half = c->small + size.w / 2 + 6;
	double high = c->small + size.h / 2 + 14;

	if (!frame)
		return false;
	frame->group = c->first + group;
	frame->x = c->radius * cos(angle) - half;
	frame->y = c->radius * sin(angle) - high;
	frame->w = 2 * half;
	frame->h = 2 * high + 12;
	snprintf(frame->text, sizeof(frame->text), "%s",
		 c->l->group_name[c->first + group]);
	return true;
}

bool weft__layout_groups(struct weft__layout *l, struct weft__region *r)
{
	struct circle c = {
		.l = l,
		.r = r,
		.first = WEFT_NONE,
		.n = l->shape->part[r->part].ngroups,
	};
	double each, span, frame;

	for (uint32_t i = 0; i < r->n; i++)
		if (l->shape->group[r->sw[i]] < c.first)
			c.first = l->shape->group[r->sw[i]];
	each = (double)r->n / c.n;
	c.slot = 70;
	c.small = each * c.slot * .78 / (2 * M_PI) + 18;
	frame = 2 * c.small + c.slot + 24;
	c.radius = c.n * frame * 1.06 / (2 * M_PI) + frame / 2;
	if (c.radius > WIDEST) {
		c.slot *= WIDEST / c.radius;
		c.small *= WIDEST / c.radius;
		c.radius = WIDEST;
	}
	span = c.radius + c.small + c.slot / 2 + 30;
	for (uint32_t g = 0; g < c.n; g++) {
		uint32_t from = l->nframes;

		place_group(&c, g);
		if (!frame_group(&c, g))
			return false;
		l->frame[from].x += span;
		l->frame[from].y += span;
	}
	for (uint32_t i = 0; i < r->n; i++) {
		l->spot[r->sw[i]].x += span;
		l->spot[r->sw[i]].y += span;
	}
	r->w = r->h = 2 * span;
	return true;
}
