/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Routes that come down from one root; see convergent.c. */
#ifndef WEFT_ENGINES_WEAVE_CONVERGENT_H
#define WEFT_ENGINES_WEAVE_CONVERGENT_H

#include "engines/weave/weave.h"

/* Why a fabric is no tree; NULL: it may be one. */
const char *weft__convergent_refuses(const struct weft__weave *w);
/* With so many passes of balance after the chains. */
int weft__convergent_build(struct weft__weave *w, long passes,
			   struct weft_routes *out);

#endif
