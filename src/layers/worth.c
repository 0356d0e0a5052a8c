// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: worth of routes
 *
 * What new routes are worth beside those that were given is found out by trial:
 * random bisections, the same ones for both, in which each host exchanges data
 * with one other.  A stream gets its share of the most crowded channel on its
 * way, crowded by the number of streams for its speed; the worth is the mean.
 * As many bisections are taken as make some 2^17 streams, 8 at least: the
 * difference of two sets of routes is known to a few thousandths then.
 *
 * Complexity: O(streams x hops).
 */
#include "layers/traffic.h"

#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STREAMS (1u << 17)
#define LEAST 8		/* bisections */
#define SEED 1

struct worth {
	const struct weft__traffic *t;
	const struct weft_fabric *f;
	uint32_t *host;		/* [nhosts] endports */
	uint32_t nhosts;
	uint32_t fastest;	/* channel, Mbit/s */
	uint32_t *streams;	/* [first_injection] over each channel */
};

static bool is_source(const struct weft_fabric *f, uint32_t e)
{
	return f->ep[e].lid && (f->ep[e].kind == WEFT_HOST || !f->nhosts);
}

/* Channels from endport a to endport b; adds n to each.  The least share. */
static double follow(struct worth *w, uint32_t a, uint32_t b, uint32_t n)
{
	const struct weft_fabric *f = w->f;
	const uint8_t *tree = weft__tree(w->t, w->t->of_lid[f->ep[b].lid]);
	uint32_t s = f->ep[a].sw;
	double least = 1;

	while (tree[s]) {
		uint32_t ch = weft_channel(f, s, tree[s]);
		double share;

		w->streams[ch] += n;
		share = f->capacity[ch] / (double)w->fastest / w->streams[ch];
		least = share < least ? share : least;
		s = f->peer[ch];
	}
	return least;
}

/* All streams of a bisection join (1) or leave (-1, modulo 2^32), or are only
 * looked at (0). */
static double follow_all(struct worth *w, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i + 1 < w->nhosts; i += 2) {
		sum += follow(w, w->host[i], w->host[i + 1], n);
		sum += follow(w, w->host[i + 1], w->host[i], n);
	}
	return sum;
}

static double sample(struct worth *w, struct weft_rng *rng)
{
	uint32_t rounds = STREAMS / w->nhosts;
	double sum = 0;

	rounds = rounds < LEAST ? LEAST : rounds;
	for (uint32_t i = 0; i < rounds; i++) {
		weft_rng_shuffle(rng, w->host, w->nhosts);
		follow_all(w, 1);
		sum += follow_all(w, 0);
		follow_all(w, -1u);
	}
	return sum / rounds / (w->nhosts & ~1u);
}

static void list_hosts(struct worth *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t e = 0; e < f->nep; e++)
		if (is_source(f, e))
			w->host[w->nhosts++] = e;
	w->fastest = 1;
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		if (f->capacity[f->adj[i]] > w->fastest)
			w->fastest = f->capacity[f->adj[i]];
}

int weft__traffic_worth(const struct weft__traffic *t, double *worth)
{
	const struct weft_fabric *f = t->fabric;
	struct worth w = {
		.t = t, .f = f,
		.host = malloc((f->nep + 1ull) * sizeof(*w.host)),
		.streams = calloc(f->first_injection + 1ull,
				  sizeof(*w.streams)),
	};
	struct weft_rng *rng = weft_rng_new(SEED);
	int err = w.host && w.streams && rng ? 0 : -ENOMEM;

	if (!err) {
		list_hosts(&w);
		*worth = w.nhosts > 1 ? sample(&w, rng) : 1;
	}
	free(w.host);
	free(w.streams);
	weft_rng_free(rng);
	return err;
}
