/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pictures of fabrics as SVG, without scripts, nothing fetched: stand-alone or
 * within a page of HTML.  Colours follow the reader's light or dark scheme.
 *
 * Places come from what the fabric is (weft/shape.h): trees by level, grids by
 * coordinate, the rest by Graphviz, without which they are on a circle.  Many
 * cables between the same switches, and in large trees between the same groups,
 * are one line; hosts are counts where they are many.
 */
#ifndef WEFT_DRAW_DRAW_H
#define WEFT_DRAW_DRAW_H

#include <weft/shape.h>

#include <stdio.h>

/* What is marked about a channel; the strongest of a line's channels shows. */
enum weft__draw_mark {
	WEFT__MARK_NONE,
	WEFT__MARK_UNUSED,
	WEFT__MARK_DIFFERS,
	WEFT__MARK_HOT,
	WEFT__MARK_LOOP,
	WEFT__MARK_ERROR,
	WEFT__MARK_ROUTE,
	WEFT__MARKS
};

/* What is drawn over the fabric; arrays are of channels that leave switches,
 * [first_injection], NULL = nothing. */
struct weft__overlay {
	/* 0..1: from cold to hot; below 0: nothing is known.  centred: .5 is
	 * nothing, in the middle of a scale of two colours, and of a line's
	 * channels the one that is farthest from it shows. */
	const float *heat;
	bool centred;
	/* What heat is of, told where a line is pointed at: loads in units
	 * ("route"), of others that they are compared with, too.  NULL: parts
	 * of the hot end. */
	const uint64_t *load, *other;
	const char *unit;
	const char *cold, *hot;	       /* what the two ends of the scale are */
	const uint8_t *mark;	       /* enum weft__draw_mark */
	const char *said[WEFT__MARKS]; /* what a mark means, NULL = unused */
	const uint8_t *sw;	       /* [nsw] marks of switches */
};

struct weft__drawing {
	const struct weft_fabric *fabric;
	const struct weft_shape *shape;
	const char *title; /* above the picture; NULL = none */
	const struct weft__overlay *overlay; /* NULL = none */
	bool numbered; /* elements tell what they are: data-s of switches,
			* data-a and data-b of lines between two, data-h of
			* hosts, by their ids */
	bool unfolded; /* switches of pods stand each by itself, however small */
	bool embedded; /* within HTML: no XML declaration, no sentence, and
			* as wide as there is room, but no narrower
			* than can be read: to be put where it can
			* scroll */
};

/*
 * Draws.  0; -ENOMEM, or another -errno after an error.  That the stream took
 * it all is its owner's to find out (ferror).
 */
int weft__draw_svg(const struct weft__drawing *drawing, FILE *out,
		   struct weft_diag *diag);

#endif
