/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names of switches as pictures show them. */
#ifndef WEFT_DRAW_TEXT_H
#define WEFT_DRAW_TEXT_H

#include <weft/shape.h>

#define WEFT__DRAW_NAME 160

/* Name, or GUID where there is none; cut to size. */
const char *weft__draw_name(const struct weft_fabric *f, uint32_t s,
			    char buf[WEFT__DRAW_NAME]);

/* What names begin and end with alike, as far as that ends in front of a word,
 * or behind one. */
struct weft__trim {
	size_t head, tail;
};

/* Labels do without what is alike in all names, and where there is little room
 * without what is alike on a level. */
struct weft__trims {
	struct weft__trim all, level[WEFT_SHAPE_LEVELS];
	const uint16_t *of; /* [nsw] level */
	bool ends;	    /* of a tree: the last letters of a name, which
			     * count the switches of a level, will do */
};
void weft__draw_trims(const struct weft_fabric *f,
		      const struct weft_shape *shape, struct weft__trims *out);

#define WEFT__DRAW_SMALL 70. /* from there on letters have their full size */

/* As much of a name as fits into that many units, with an ellipsis for what has
 * not; false where hardly any would be left. */
bool weft__draw_label(const struct weft_fabric *f, uint32_t s,
		      const struct weft__trims *trims, double room,
		      char buf[WEFT__DRAW_NAME]);

/* Whether a text has room in small letters only. */
bool weft__draw_is_wide(const char *text, double room);

/* The first of two texts that has room, or "". */
void weft__draw_fit(const char *text, const char *shorter, double room,
		    char buf[WEFT__DRAW_NAME]);

#endif
