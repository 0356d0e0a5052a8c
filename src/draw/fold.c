// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "draw/fold.h"

#include <errno.h>
#include <stdlib.h>

#define TOO_SMALL 10. /* no two letters have room in a switch so wide */
#define HEIGHT 24.    /* of a box */

/* A switch and what it may be in one box with. */
struct member {
	uint32_t part, box, sw;
};

static int by_box(const void *va, const void *vb)
{
	const struct member *a = va, *b = vb;

	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->box != b->box)
		return a->box < b->box ? -1 : 1;
	return (a->sw > b->sw) - (a->sw < b->sw);
}

/* The cluster of a tree's switch with pods, the group of others; WEFT_NONE:
 * stands by itself. */
static uint32_t box_of(const struct weft__layout *l, uint32_t s)
{
	const struct weft_shape_part *p =
		&l->shape->part[l->shape->part_of[s]];

	if (l->spot[s].w >= TOO_SMALL || p->ngroups < 2)
		return WEFT_NONE;
	return p->kind == WEFT_SHAPE_TREE ? l->cluster[s] : l->shape->group[s];
}

/* The frame of a group that is a box is not needed. */
static void hide_frame(struct weft__layout *l, uint32_t group)
{
	for (uint32_t i = 0; i < l->nframes; i++)
		if (group != WEFT_NONE && l->frame[i].group == group)
			l->frame[i].w = 0;
}

/* Makes one box of n switches. */
static void make_box(struct weft__layout *l, const struct member *m, uint32_t n)
{
	const struct weft__spot *p = &l->spot[m->sw];
	double left = p->x, right = p->x, top = p->y, bottom = p->y;
	struct weft__spot box;

	for (uint32_t i = 0; i < n; i++) {
		p = &l->spot[m[i].sw];
		left = p->x - p->w / 2 < left ? p->x - p->w / 2 : left;
		right = p->x + p->w / 2 > right ? p->x + p->w / 2 : right;
		top = p->y < top ? p->y : top;
		bottom = p->y > bottom ? p->y : bottom;
		l->stands[m[i].sw] = m->sw;
	}
	l->folded[m->sw] = n;
	hide_frame(l, l->shape->group[m->sw]);
	box = (struct weft__spot){ (left + right) / 2, (top + bottom) / 2,
				   right - left, HEIGHT };
	for (uint32_t i = 0; i < n; i++)
		l->spot[m[i].sw] = box;
}

int weft__layout_fold(struct weft__layout *l)
{
	uint32_t nsw = l->f->nsw, n = 0, next;
	struct member *member = calloc(nsw + (size_t)1, sizeof(*member));

	l->stands = calloc(nsw + (size_t)1, sizeof(*l->stands));
	l->folded = calloc(nsw + (size_t)1, sizeof(*l->folded));
	if (!member || !l->stands || !l->folded) {
		free(member);
		return -ENOMEM;
	}
	for (uint32_t s = 0; s < nsw; s++) {
		uint32_t box = box_of(l, s);

		l->stands[s] = s;
		l->folded[s] = 1;
		if (box != WEFT_NONE)
			member[n++] = (struct member){ l->shape->part_of[s],
						       box, s };
	}
	if (n)
		qsort(member, n, sizeof(*member), by_box);
	for (uint32_t i = 0; i < n; i = next) {
		for (next = i + 1; next < n &&
				   member[next].part == member[i].part &&
				   member[next].box == member[i].box;)
			next++;
		if (next - i > 1)
			make_box(l, member + i, next - i);
	}
	free(member);
	return 0;
}
