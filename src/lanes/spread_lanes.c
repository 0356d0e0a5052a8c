// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Chooses the lanes of pairs that several ways are to lead in; see spread.h. */
#include "lanes/spread.h"

#include "core/arena.h"
#include "lanes/assignment.h"
#include "lanes/near_ways.h"

#include <string.h>

/* Adds up, for each pair and lane, the first cables of ways in either
 * direction. */
static bool count_first_cables(const struct weft__lane_masks *m,
			       unsigned longer,
			       uint16_t (*sum)[WEFT__LANE_COUNTS],
			       struct weft_arena *arena)
{
	const struct weft_fabric *f = m->fabric;
	struct weft__near_ways near;

	if (!weft__near_ways_init(&near, m, longer, arena))
		return false;
	for (uint32_t t = 0; t < f->nsw; t++) {
		if (f->sw_ep_first[t] == f->sw_ep_first[t + 1])
			continue;
		weft__near_ways_count(&near, t);
		for (uint32_t s = 0; s < f->nsw; s++) {
			uint32_t high = s > t ? s : t, low = s + t - high;
			uint16_t *n = sum[(size_t)high * f->nsw + low];

			for (unsigned k = 0; k < m->orders->n; k++)
				n[k] += near.count[s][k];
		}
	}
	return true;
}

bool weft__spread_lanes(const struct weft__lane_masks *m, unsigned longer,
			uint8_t *lane, struct weft_arena *arena)
{
	const uint32_t *first = m->fabric->sw_ep_first;
	uint32_t nsw = m->fabric->nsw;
	uint16_t(*sum)[WEFT__LANE_COUNTS] = NULL;

	memset(lane, WEFT__NO_LANE, (size_t)nsw * nsw);
	if (m->orders->n > 1) {
		sum = weft__arena_zalloc(arena, (size_t)nsw * nsw,
					 sizeof(*sum));
		if (!sum || !count_first_cables(m, longer, sum, arena))
			return false;
	}
	for (uint32_t s = 0; s < nsw; s++) {
		for (uint32_t t = 0; t < s; t++) {
			unsigned lanes = weft__masks_pair(m, s, t), best;

			if (first[s] == first[s + 1] ||
			    first[t] == first[t + 1])
				continue;
			best = __builtin_ctz(lanes);
			for (; sum && lanes; lanes &= lanes - 1) {
				const uint16_t *n = sum[(size_t)s * nsw + t];
				unsigned k = __builtin_ctz(lanes);

				best = n[k] > n[best] ? k : best;
			}
			lane[(size_t)s * nsw + t] = best;
			lane[(size_t)t * nsw + s] = best;
		}
	}
	return true;
}
