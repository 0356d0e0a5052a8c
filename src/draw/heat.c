// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Colours of loads; see heat.h. */
#include "draw/heat.h"

/* From one level to another. */
struct step {
	double sum;
	uint32_t n;
};

static double load_of(const struct weft_fabric *f, const uint64_t *load,
		      uint32_t ch)
{
	return f->capacity[ch] ? (double)load[ch] / f->capacity[ch] : 0;
}

static unsigned level_of(const struct weft_shape *shape, uint32_t s)
{
	unsigned level = shape->level[s];

	return level < WEFT_SHAPE_LEVELS ? level : WEFT_SHAPE_LEVELS;
}

void weft__draw_heat(const struct weft_fabric *f,
		     const struct weft_shape *shape, const uint64_t *load,
		     float *heat)
{
	struct step step[WEFT_SHAPE_LEVELS + 1][WEFT_SHAPE_LEVELS + 1] = { 0 };

	for (unsigned pass = 0; pass < 2; pass++)
		for (uint32_t s = 0; s < f->nsw; s++)
			for (uint32_t i = f->adj_first[s];
			     i < f->adj_first[s + 1]; i++) {
				uint32_t ch = f->adj[i];
				struct step *at = &step[level_of(shape, s)]
					[level_of(shape, f->peer[ch])];
				double here = load_of(f, load, ch), over;

				if (!pass) {
					at->sum += here;
					at->n++;
					continue;
				}
				over = at->sum > 0 ? here * at->n / at->sum - 1 :
						     0;
				heat[ch] = over < 0 ? 0 : over > 1 ? 1 : over;
			}
}
