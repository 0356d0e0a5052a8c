/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a picture tells where the pointer is: names, ports, neighbours. */
#ifndef WEFT_DRAW_TITLES_H
#define WEFT_DRAW_TITLES_H

#include "draw/lines.h"
#include "draw/text.h"

/* The name of a switch, or of the first and last one of its box. */
#define WEFT__BOX_NAME (2 * WEFT__DRAW_NAME + 8)
const char *weft__box_name(const struct weft__layout *l, uint32_t s,
			   char buf[WEFT__BOX_NAME]);

/* Write a title element each. */
void weft__title_line(const struct weft__layout *l,
		      const struct weft__overlay *overlay,
		      const struct weft__line *line, FILE *out);
void weft__title_gap(const struct weft__layout *l, const struct weft__line *gap,
		     FILE *out);
void weft__title_switch(const struct weft__layout *l, uint32_t s, FILE *out);
void weft__title_host(const struct weft_fabric *f, uint32_t endport, FILE *out);
void weft__title_text(const char *text, FILE *out);

#endif
