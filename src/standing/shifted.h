/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Has streams of shifts meet less often, in blocks that are sent anyway. */
#ifndef WEFT_STANDING_SHIFTED_H
#define WEFT_STANDING_SHIFTED_H

#include "loads/easing.h"

#include <stdatomic.h>

struct weft__shifted {
	struct weft__easing *z;	/* with loads, and who waits for whom */
	struct weft__blocks *blocks;	/* that are sent, and what changes in them */
	uint64_t changes;	/* entries that may change beside these; out: that
				 * are left of them */
	const atomic_bool *stop;	/* set: nobody needs it; or NULL */
};

/* Returns at how much it looks, about, in looks at switches of columns; UINT64_MAX: at
 * too much. */
uint64_t weft__shifted_work(const struct weft__loads *loads);

/* Moves entries, those first that save most.  0 or -ENOMEM. */
int weft__shift_sent(struct weft__shifted *x, struct weft_arena *arena);

#endif
