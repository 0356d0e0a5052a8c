/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is written on switches, so that no two of a row read the same. */
#ifndef WEFT_DRAW_LABELS_H
#define WEFT_DRAW_LABELS_H

#include "draw/layout.h"
#include "draw/text.h"

#define WEFT__LABELS_TOLD 60u /* that a legend explains, at most */

struct weft__labels {
	char (*text)[WEFT__DRAW_NAME]; /* [nsw] "": none */
	uint32_t *told;	/* [ntold] switches that have numbers, in their order */
	uint32_t ntold;
};

/*
 * Labels of all switches, or boxes of these.  Where names that are cut to size
 * are the same in a row, they are numbers that a legend explains or, if these
 * were very many, nothing.  0 or -ENOMEM.
 */
int weft__labels_make(const struct weft__layout *l, struct weft__labels *out);
void weft__labels_free(struct weft__labels *labels);

/* The line of a legend for one of those. */
const char *weft__labels_tell(const struct weft__layout *l, uint32_t s,
			      char *buf, size_t size);

#endif
