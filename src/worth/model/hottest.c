// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the most congested channels; see weft/model.h. */
#include <weft/model.h>

#include <string.h>

/* Returns the capacity of the slowest link of known speed, which stands for
 * links of unknown speed. */
static uint32_t slowest(const struct weft_fabric *f)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t ch = 0; ch < f->nch; ch++)
		if (f->capacity[ch] && f->capacity[ch] < least)
			least = f->capacity[ch];
	return least;
}

struct heat {
	const struct weft_fabric *f;
	const struct weft_model *m;
	uint32_t slowest;
};

/* Returns true if channel a has more streams for its capacity than b, or as
 * many and comes first. */
static bool hotter(const struct heat *h, uint32_t a, uint32_t b)
{
	const uint32_t *capacity = h->f->capacity;
	double x = h->m->link[a].streams, y = h->m->link[b].streams;

	x *= capacity[b] ? capacity[b] : h->slowest;
	y *= capacity[a] ? capacity[a] : h->slowest;
	return x > y || (x == y && a < b);
}

uint32_t weft_model_hottest(const struct weft_fabric *fabric,
			    const struct weft_model *model, uint32_t n,
			    uint32_t *channel)
{
	const struct heat heat = { fabric, model, slowest(fabric) };
	uint32_t have = 0;

	for (uint32_t ch = 0; ch < fabric->nch && n; ch++) {
		uint32_t at = have;

		if (!model->link[ch].streams)
			continue;
		while (at && hotter(&heat, ch, channel[at - 1]))
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
