/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What joins switches in a picture: lines, and bands of many cables. */
#ifndef WEFT_DRAW_LINES_H
#define WEFT_DRAW_LINES_H

#include "draw/layout.h"

/* All cables between two switches, a < b. */
struct weft__line {
	uint32_t a, b;
	uint32_t cables;
	uint32_t channel; /* that of the heat, or the first from a */
	float heat;	  /* the most of either direction, -1 = none */
	float weight;	  /* how far that is from cold, or from the middle */
	uint8_t mark;
};

/* All cables between two clusters: of each a member, and the ends in its row of
 * the switches that have some. */
struct weft__band {
	uint32_t cluster[2];
	double left[2], right[2], y[2];
	uint32_t cables;
};

struct weft__lines {
	struct weft__line *line; /* coldest and unmarked first */
	uint32_t n;
	struct weft__band *band; /* of the lines that are not marked */
	uint32_t nbands;
	uint32_t widest; /* cables of a line at most */
};

/* Sorts n lines and makes one of those between the same two switches; those from
 * a switch to itself go.  Returns how many are left. */
uint32_t weft__lines_merge(struct weft__line *line, uint32_t n,
			   const struct weft__overlay *overlay);

/* 0 or -ENOMEM. */
int weft__lines_make(const struct weft__layout *l,
		     const struct weft__overlay *overlay,
		     struct weft__lines *out);
void weft__lines_free(struct weft__lines *lines);

#endif
