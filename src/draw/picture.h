/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Pixels and PDF of an SVG picture, by librsvg. */
#ifndef WEFT_DRAW_PICTURE_H
#define WEFT_DRAW_PICTURE_H

#include <stddef.h>
#include <stdio.h>

struct weft_diag;

enum weft__picture { WEFT__PICTURE_PNG, WEFT__PICTURE_PDF };

/* Writes it.  0, or -errno after an error: -ENOTSUP where this weft was built
 * without librsvg, or none can be loaded, which weft__picture_possible() tells
 * beforehand. */
int weft__picture_write(enum weft__picture kind, const char *svg, size_t n,
			FILE *out, struct weft_diag *diag);
int weft__picture_possible(struct weft_diag *diag);

#endif
