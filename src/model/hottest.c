// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The most congested channels; see weft/model.h. */
#include <weft/model.h>

#include <string.h>

/* Whether channel a has more streams for its capacity than b, or as many and
 * comes first.  One of unknown speed counts like the slowest. */
static bool hotter(const struct weft_fabric *f, const struct weft_model *m,
		   uint32_t a, uint32_t b)
{
	double x = (double)m->link[a].streams * (f->capacity[b] + !f->capacity[b]);
	double y = (double)m->link[b].streams * (f->capacity[a] + !f->capacity[a]);

	return x > y || (x == y && a < b);
}

uint32_t weft_model_hottest(const struct weft_fabric *fabric,
			    const struct weft_model *model, uint32_t n,
			    uint32_t *channel)
{
	uint32_t have = 0;

	for (uint32_t ch = 0; ch < fabric->nch && n; ch++) {
		uint32_t at = have;

		if (!model->link[ch].streams)
			continue;
		while (at && hotter(fabric, model, ch, channel[at - 1]))
			at--;
		if (at == n)
			continue;
		have += have < n;
		memmove(channel + at + 1, channel + at,
			(have - at - 1) * sizeof(*channel));
		channel[at] = ch;
	}
	return have;
}
