// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Random failures of cables that leave a fabric in one part. */
#include "core/fabric/components.h"

#include <weft/compare.h>
#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Cables between switches, each by its channel that has the lower number, in
 * an order drawn by seed.  Channels are numbered by GUID and port, so that the
 * draw is that of the fabric. */
static uint32_t draw(const struct weft_fabric *f, uint32_t seed,
		     uint32_t *cable)
{
	struct weft_rng *rng = weft_rng_new(seed);
	uint32_t n = 0;

	if (!rng)
		return WEFT_NONE;
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		if (f->adj[i] < f->reverse[f->adj[i]])
			cable[n++] = f->adj[i];
	weft_rng_shuffle(rng, cable, n);
	weft_rng_free(rng);
	return n;
}

/* Whether the ends of a cable reach each other without those that are gone. */
static bool is_bridge(const struct weft_fabric *f, uint32_t cable,
		      const bool *gone, uint32_t *queue, bool *seen)
{
	uint32_t head = 0, tail = 0, goal = f->peer[cable];

	memset(seen, 0, f->nsw * sizeof(*seen));
	queue[tail] = weft_channel_switch(f, cable);
	seen[queue[tail++]] = true;
	while (head < tail && !seen[goal]) {
		uint32_t s = queue[head++];

		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1];
		     i++) {
			uint32_t ch = f->adj[i];

			if (gone[ch] || ch == cable || seen[f->peer[ch]])
				continue;
			seen[f->peer[ch]] = true;
			queue[tail++] = f->peer[ch];
		}
	}
	return !seen[goal];
}

int weft_comparison_failures(const struct weft_fabric *f, unsigned n,
			     uint32_t seed, uint32_t **out, uint32_t *found)
{
	uint32_t *cable =
		malloc((f->adj_first[f->nsw] + 1ull) * sizeof(*cable));
	uint32_t *queue = malloc((f->nsw + 1ull) * sizeof(*queue));
	bool *seen = malloc((f->nsw + 1ull) * sizeof(*seen));
	bool *gone = calloc(f->nch + 1ull, sizeof(*gone));
	uint32_t all = cable && queue && seen && gone ? draw(f, seed, cable) :
							WEFT_NONE;

	*found = 0;
	for (uint32_t i = 0; all != WEFT_NONE && i < all && *found < n; i++) {
		if (is_bridge(f, cable[i], gone, queue, seen))
			continue;
		gone[cable[i]] = gone[f->reverse[cable[i]]] = true;
		cable[(*found)++] = cable[i];
	}
	free(queue);
	free(seen);
	free(gone);
	if (all == WEFT_NONE) {
		free(cable);
		return -ENOMEM;
	}
	*out = cable;
	return 0;
}
