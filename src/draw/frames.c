// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a layout is made of. */
#include "draw/layout.h"

#include "core/grow.h"

#include <stdlib.h>

void weft__layout_free(struct weft__layout *l)
{
	free(l->spot);
	free(l->hosts);
	free(l->cluster);
	free(l->stands);
	free(l->folded);
	free(l->group_name);
	free(l->bend);
	free(l->frame);
	free(l->words);
}

struct weft__frame *weft__layout_frame(struct weft__layout *l)
{
	if (weft__grow_one(&l->frame, l->nframes))
		return NULL;
	l->frame[l->nframes] = (struct weft__frame){ .group = WEFT_NONE };
	return &l->frame[l->nframes++];
}

struct weft__words *weft__layout_words(struct weft__layout *l)
{
	if (weft__grow_one(&l->words, l->nwords))
		return NULL;
	l->words[l->nwords] = (struct weft__words){ .anchor = 'm' };
	return &l->words[l->nwords++];
}

struct weft__spot weft__layout_size(double slot)
{
	double w = slot * .84, h = slot >= 40 ? 24 : slot * .8;

	return (struct weft__spot){ .w = w > 2.5 ? w : 2.5,
				    .h = h < 9 ? 9 : h };
}
