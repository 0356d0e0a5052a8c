// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: trial, the worth of routes
 *
 * New routes are compared with others by trial: random bisections, the same
 * ones for both.  A channel is as crowded as its streams are many for its
 * speed.  A stream gets its share of the most crowded channel on its way; its
 * value is that share divided by what the slower one of its hosts could send,
 * and the worth is the mean.  The bisections add up to some 2^15 streams, and
 * are at least 8, which tells the worth to a few thousandths.
 *
 * Bisections hardly notice a single channel that is crowded, which all-to-all
 * traffic waits for.  So what the slowest stream of that gets is told beside.  Where
 * hosts are many, it is told from what is sent to some of them.
 *
 * The trial serves to find routes for fewer lanes (layers/search.c), where
 * tables differ little and are compared with what they were; engines are judged
 * by the basket (weft/worth.h).
 *
 * Complexity: O(streams x hops).
 */
#include "layers/traffic.h"

#include <weft/layering.h>
#include <weft/rng.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STREAMS (1u << 15)
#define MIN_BISECTIONS 8
#define SEED 1
#define HOPS 4		/* of a route, about */
#define LOOKS (1u << 24)	/* at channels, for all-to-all traffic, about */

struct worth {
	const struct weft_fabric *f;
	const uint8_t **to;	/* [nep][nsw] port by which each switch sends
				 * there, 0 = no further; NULL: the endport has
				 * no LID */
	uint32_t *host;		/* [nhosts] endports */
	uint32_t nhosts;
	float *slow;		/* [first_injection] 1 / speed */
	uint32_t *streams;	/* [first_injection] streams over it */
	uint32_t *way;		/* [nsw + 1] channels of a stream */
};

static bool is_source(const struct weft_fabric *f, uint32_t e)
{
	return f->ep[e].lid && (f->ep[e].kind == WEFT_HOST || !f->nhosts);
}

/* Lists the channels from endport a to endport b. Returns how many there
 * are. */
static uint32_t list_way(struct worth *w, uint32_t a, uint32_t b)
{
	const struct weft_fabric *f = w->f;
	const uint8_t *column = w->to[b];
	uint32_t s = f->ep[a].sw, end = f->ep[b].sw, n = 0;

	for (; s != end && column[s]; s = f->peer[w->way[n++]])
		w->way[n] = weft_channel(f, s, column[s]);
	return n;
}

/* Returns the time that the slower one of two endports needs for a stream. */
static float time_alone(const struct weft_fabric *f, uint32_t a, uint32_t b)
{
	uint32_t here = f->capacity[f->first_injection + a];
	uint32_t there = f->capacity[f->first_injection + b];

	return 1.0f / (here < there ? here : there);
}

/* Returns the share of one stream, after all were counted. */
static double stream_share(struct worth *w, uint32_t a, uint32_t b)
{
	uint32_t n = list_way(w, a, b);
	float least = time_alone(w->f, a, b), most = least;

	for (uint32_t i = 0; i < n; i++) {
		float crowd = w->streams[w->way[i]] * w->slow[w->way[i]];

		most = crowd > most ? crowd : most;
	}
	return least / most;
}

/* Has hosts next to each other in the list send to each other.  Returns the
 * mean share. */
static double bisect(struct worth *w)
{
	uint32_t nhosts = w->nhosts & ~1u;
	double sum = 0;

	memset(w->streams, 0, w->f->first_injection * sizeof(*w->streams));
	for (uint32_t i = 0; i < nhosts; i++) {
		uint32_t n = list_way(w, w->host[i], w->host[i ^ 1]);

		while (n)
			w->streams[w->way[--n]]++;
	}
	for (uint32_t i = 0; i < nhosts; i++)
		sum += stream_share(w, w->host[i], w->host[i ^ 1]);
	return sum / nhosts;
}

static double mean_of_bisections(struct worth *w, struct weft_rng *rng)
{
	uint32_t rounds = STREAMS / w->nhosts;
	double sum = 0;

	rounds = rounds < MIN_BISECTIONS ? MIN_BISECTIONS : rounds;
	for (uint32_t i = 0; i < rounds; i++) {
		weft_rng_shuffle(rng, w->host, w->nhosts);
		sum += bisect(w);
	}
	return sum / rounds;
}

static void list_hosts(struct worth *w)
{
	const struct weft_fabric *f = w->f;

	for (uint32_t e = 0; e < f->nep; e++)
		if (is_source(f, e) && w->to[e])
			w->host[w->nhosts++] = e;
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++)
		w->slow[f->adj[i]] = 1.0f / f->capacity[f->adj[i]];
}

static int measure_worth(const struct weft_fabric *f, const uint8_t **to,
			 double *worth)
{
	struct worth w = {
		.f = f, .to = to,
		.host = malloc((f->nep + 1ull) * sizeof(*w.host)),
		.streams = calloc(f->first_injection + 1ull,
				  sizeof(*w.streams)),
		.slow = calloc(f->first_injection + 1ull, sizeof(*w.slow)),
		.way = malloc((f->nsw + 1ull) * sizeof(*w.way)),
	};
	struct weft_rng *rng = weft_rng_new(SEED);
	int err = w.host && w.streams && w.slow && w.way && rng ? 0 : -ENOMEM;

	if (!err) {
		list_hosts(&w);
		*worth = w.nhosts > 1 ? mean_of_bisections(&w, rng) : 1;
	}
	free(w.host);
	free(w.streams);
	free(w.slow);
	free(w.way);
	weft_rng_free(rng);
	return err;
}

int weft__traffic_worth(const struct weft__traffic *t, double *worth)
{
	const struct weft_fabric *f = t->fabric;
	const uint8_t **to = calloc(f->nep + 1ull, sizeof(*to));
	int err = to ? 0 : -ENOMEM;

	for (uint32_t e = 0; !err && e < f->nep; e++)
		if (f->ep[e].lid)
			to[e] = weft__tree_ports(t, t->of_lid[f->ep[e].lid]);
	if (!err)
		err = measure_worth(f, to, worth);
	free(to);
	return err;
}

/* Returns how long a host takes to send to so many, at the slowest one's speed. */
static double time_to_send(const struct weft_fabric *f, uint32_t hosts)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].lid && f->capacity[f->first_injection + e] < least)
			least = f->capacity[f->first_injection + e];
	return hosts / (double)least;
}

int weft__traffic_uniform(const struct weft__traffic *t, double *share)
{
	const struct weft_fabric *f = t->fabric;
	uint64_t *loads = calloc(f->first_injection + 1ull, sizeof(*loads));
	uint32_t step = (uint64_t)f->nep * f->nsw * HOPS / LOOKS + 1, n = 0;
	double most = 0, least;

	if (!loads)
		return -ENOMEM;
	for (uint32_t e = 0; e < f->nep; e += step)
		if (f->ep[e].lid) {
			weft__tree_measure(t, t->of_lid[f->ep[e].lid], loads);
			n++;
		}
	for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
		uint32_t ch = f->adj[i];
		double time = loads[ch] / (double)f->capacity[ch];

		most = time > most ? time : most;
	}
	free(loads);
	least = time_to_send(f, n);
	*share = most > least ? least / most : 1;
	return 0;
}

/* Counts the hops of all routes between endports, and finds the highest
 * load. */
static int measure_routes(const struct weft__traffic *t, uint64_t *hops,
			  uint64_t *load)
{
	const struct weft_fabric *f = t->fabric;
	uint64_t *loads = calloc(f->first_injection + 1ull, sizeof(*loads));

	if (!loads)
		return -ENOMEM;
	*hops = *load = 0;
	for (unsigned lid = 0; lid <= f->max_lid; lid++)
		if (f->lid_owner[lid] != WEFT_NONE &&
		    weft_is_endport(f->lid_owner[lid]))
			*hops += weft__tree_measure(t, t->of_lid[lid], loads);
	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		if (loads[ch] > *load)
			*load = loads[ch];
	free(loads);
	return 0;
}

int weft__traffic_compare(const struct weft__traffic *now,
			  const struct weft_lft *lft,
			  struct weft_layering *out, struct weft_diag *diag)
{
	struct weft__traffic before;
	int err = weft__traffic_init(&before, now->fabric, lft, diag);

	if (err)
		return err;
	err = measure_routes(&before, &out->hops_before, &out->load_before);
	if (!err)
		err = measure_routes(now, &out->hops_after, &out->load_after);
	if (!err)
		err = weft__traffic_worth(&before, &out->bandwidth_before);
	if (!err)
		err = weft__traffic_worth(now, &out->bandwidth_after);
	weft__traffic_free(&before);
	return err;
}
