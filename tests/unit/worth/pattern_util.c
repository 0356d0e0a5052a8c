// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "pattern_util.h"

#include "../suite.h"

#include <stdlib.h>
#include <string.h>

struct drawn make(const char *what, uint32_t nranks)
{
	return make_seated(what, nranks, NULL);
}

struct drawn make_seated(const char *what, uint32_t nranks,
			 const struct weft_seat *seat)
{
	struct drawn d = { 0 };

	ASSERT_EQ(weft_traffic_seated(what, nranks, seat, &d.t, NULL), 0);
	d.draw.rng = need(weft_rng_new(SEED));
	d.draw.scratch = need(calloc(weft_traffic_scratch(d.t) + 1,
				     sizeof(uint32_t)));
	d.pair = need(calloc(weft_traffic_max_pairs(d.t) + 1,
			     sizeof(*d.pair)));
	if (weft_traffic_is_sized(d.t))
		d.draw.size = need(calloc(weft_traffic_max_pairs(d.t) + 1,
					  sizeof(*d.draw.size)));
	d.sends = need(calloc(nranks, sizeof(*d.sends)));
	d.hears = need(calloc(nranks, sizeof(*d.hears)));
	return d;
}

void unmake(struct drawn *d)
{
	weft_traffic_free(d->t);
	weft_rng_free(d->draw.rng);
	free(d->draw.scratch);
	free(d->draw.size);
	free(d->pair);
	free(d->sends);
	free(d->hears);
}

void draw(struct drawn *d, uint64_t round)
{
	uint32_t nranks = weft_traffic_ranks(d->t);

	d->n = weft_traffic_round(d->t, round, &d->draw, d->pair);
	ASSERT(d->n <= weft_traffic_max_pairs(d->t));
	memset(d->sends, 0, nranks * sizeof(*d->sends));
	memset(d->hears, 0, nranks * sizeof(*d->hears));
	for (uint64_t i = 0; i < d->n; i++) {
		ASSERT(d->pair[i].from < nranks);
		ASSERT(d->pair[i].to < nranks);
		EXPECT_NE(d->pair[i].from, d->pair[i].to);
		d->sends[d->pair[i].from]++;
		d->hears[d->pair[i].to]++;
	}
}

bool has_pair(const struct drawn *d, uint32_t from, uint32_t to)
{
	for (uint64_t i = 0; i < d->n; i++)
		if (d->pair[i].from == from && d->pair[i].to == to)
			return true;
	return false;
}

uint32_t ranks_with(const uint32_t *times, uint32_t nranks, uint32_t n)
{
	uint32_t ranks = 0;

	for (uint32_t i = 0; i < nranks; i++)
		ranks += times[i] == n;
	return ranks;
}

bool is_symmetric(const struct drawn *d)
{
	for (uint64_t i = 0; i < d->n; i++)
		if (!has_pair(d, d->pair[i].to, d->pair[i].from))
			return false;
	return true;
}
