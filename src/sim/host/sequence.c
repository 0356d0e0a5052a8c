// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A load whose destinations follow a pattern: each rank has a list of those it
 * sends to, round by round, and goes through it again and again, as Zahavi has
 * ranks of a collective operation go on by themselves ("D-Mod-K Routing
 * Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat
 * Trees", 2010).  Ranks that send to nobody only receive.
 */
#include "sim/host/host.h"

#include <errno.h>

int weft__sequence_check(const struct weft_sim_spec *spec,
			 struct weft_diag *diag)
{
	if (!spec->sequence)
		return 0;
	if (spec->traffic || spec->schedule)
		return weft_fail(
			diag, EINVAL,
			"a load by a pattern and a pattern to its end: only one of both can be run");
	if (weft_traffic_ranks(spec->sequence) != spec->mapping->nranks)
		return weft_fail(diag, EINVAL,
				 "a pattern of %u ranks, but places for %u",
				 weft_traffic_ranks(spec->sequence),
				 spec->mapping->nranks);
	if (spec->hot_share > 0 || spec->leave >= 0)
		return weft_fail(
			diag, EINVAL,
			"a pattern says where messages go: no share of them can go to hot spots, or leave");
	return 0;
}

/* Lists the pairs of all rounds: counts them in first[rank + 1], or with to
 * puts the destinations where first[rank] says, which moves on. */
static void list_rounds(const struct weft_traffic *t, struct weft_draw *draw,
			struct weft_pair *pair, uint64_t *first, uint32_t *to)
{
	for (uint64_t i = 0; i < weft_traffic_rounds(t); i++) {
		uint64_t n = weft_traffic_round(t, i, draw, pair);

		for (uint64_t k = 0; k < n; k++) {
			if (pair[k].from == pair[k].to)
				continue;
			if (to)
				to[first[pair[k].from]++] = pair[k].to;
			else
				first[pair[k].from + 1]++;
		}
	}
}

bool weft__sequence_init(struct weft__hosts *hosts, struct weft_arena *arena)
{
	const struct weft_traffic *t = hosts->spec->sequence;
	struct weft_draw draw = { .rng = hosts->rng };
	struct weft_pair *pair;
	uint64_t *first;

	if (!t)
		return true;
	pair = weft__arena_alloc(arena, weft_traffic_max_pairs(t) + 1,
				 sizeof(*pair));
	draw.scratch = weft__arena_alloc(arena, weft_traffic_scratch(t) + 1,
					 sizeof(*draw.scratch));
	first = hosts->partner_first =
		weft__arena_zalloc(arena, hosts->nranks + 1ull, sizeof(*first));
	if (!pair || !draw.scratch || !first)
		return false;
	weft_rng_seed_sample(hosts->rng, hosts->spec->seed, 2);
	list_rounds(t, &draw, pair, first, NULL);
	for (uint32_t i = 0; i < hosts->nranks; i++)
		first[i + 1] += first[i];
	hosts->partner = weft__arena_alloc(arena, first[hosts->nranks] + 1,
					   sizeof(*hosts->partner));
	if (!hosts->partner)
		return false;
	weft_rng_seed_sample(hosts->rng, hosts->spec->seed, 2);
	list_rounds(t, &draw, pair, first, hosts->partner);
	for (uint32_t i = hosts->nranks; i; i--)
		first[i] = first[i - 1];
	first[0] = 0;
	return true;
}

uint32_t weft__sequence_next(const struct weft__hosts *hosts,
			     struct weft__host *host)
{
	uint64_t first = hosts->partner_first[host->rank];
	uint32_t to = hosts->partner[first + host->place];

	if (first + ++host->place == hosts->partner_first[host->rank + 1])
		host->place = 0;
	return to;
}
