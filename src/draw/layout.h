/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where everything of a picture is, before it is written. */
#ifndef WEFT_DRAW_LAYOUT_H
#define WEFT_DRAW_LAYOUT_H

#include "draw/draw.h"

/* A switch: its middle and its size.  Units are those of the picture, about a
 * pixel each. */
struct weft__spot {
	double x, y, w, h;
};

/* What is around the switches of a group. */
struct weft__frame {
	double x, y, w, h; /* upper left corner; w 0: not to be seen */
	uint32_t group;	   /* that is one box when folded; WEFT_NONE */
	char name[64];	   /* at the top, */
	char text[64];	   /* at the bottom */
};

/* A few words; anchor 's'tart, 'm'iddle or 'e'nd is at x. */
struct weft__words {
	double x, y;
	char anchor;
	char text[64];
};

struct weft__layout {
	const struct weft_fabric *f;
	const struct weft_shape *shape;
	struct weft_diag *diag;
	struct weft__spot *spot; /* [nsw] */
	uint32_t *hosts;	 /* [nsw] channel adapters' ports */
	uint32_t *cluster;	 /* [nsw] those whose cables may be one band:
				  * of one level and group */
	uint32_t *stands, *folded; /* [nsw] of fold.h; NULL: nothing is folded */
	char (*group_name)[WEFT_SHAPE_GROUP_NAME]; /* by group */
	double *bend;		 /* [nparts] how far the arcs of cables past
				  * other switches rise; 0 = none are */
	struct weft__frame *frame;
	uint32_t nframes;
	struct weft__words *words;
	uint32_t nwords;
	double width, height;
	bool few_hosts; /* each is a dot */
};

/* The part that is being laid out, from (0, 0) on; w and h are the outcome. */
struct weft__region {
	uint32_t part;
	uint32_t *sw; /* [n] its switches, by id */
	uint32_t n;
	double w, h;
};

/* Lays out all parts.  0, -ENOMEM, or another -errno after an error. */
int weft__layout_make(struct weft__layout *l);
void weft__layout_free(struct weft__layout *l);

/* One part each; they return false without memory. */
bool weft__layout_tree(struct weft__layout *l, struct weft__region *r);
bool weft__layout_grid(struct weft__layout *l, struct weft__region *r);
bool weft__layout_groups(struct weft__layout *l, struct weft__region *r);
bool weft__layout_force(struct weft__layout *l, struct weft__region *r);
/* All on one circle. */
void weft__layout_circle(struct weft__layout *l, struct weft__region *r);

/* NULL without memory. */
struct weft__frame *weft__layout_frame(struct weft__layout *l);
struct weft__words *weft__layout_words(struct weft__layout *l);

/* Width and height of a switch that has room for its name, and of one that
 * stands where slot units are free. */
#define WEFT__DRAW_SLOT 96.
struct weft__spot weft__layout_size(double slot);

#endif
