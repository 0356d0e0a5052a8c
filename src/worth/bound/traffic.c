// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Bounds of patterns, round by round; see bound.h. */
#include "worth/bound/bound.h"

#include <weft/rng.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct rounds {
	const struct weft_fabric *f;
	const struct weft_bound_spec *spec;
	const struct weft_traffic *traffic;
	const uint32_t *endport;	/* of each rank */
	struct weft_draw draw;
	struct weft_pair *pair;		/* [max_pairs] */
	struct weft__flow_pair *stream;	/* [max_pairs] */
	/* of one sample: sums over rounds of their size, and of size / share */
	double size, cables, least, most, whole, ways;
	double streams, mean;
	bool exact;
};

static double largest(const double *size, uint64_t n)
{
	double most = 0;

	for (uint64_t i = 0; i < n; i++)
		most = fmax(most, size[i]);
	return most;
}

static int add_round(struct rounds *r, uint64_t number)
{
	uint64_t n = weft_traffic_round(r->traffic, number, &r->draw, r->pair);
	double size = weft_traffic_is_sized(r->traffic) ?
		      largest(r->draw.size, n) : 1;
	struct weft_bound b;
	int err;

	if (!n)
		return 0;
	for (uint64_t i = 0; i < n; i++)
		r->stream[i] = (struct weft__flow_pair){
			r->endport[r->pair[i].from],
			r->endport[r->pair[i].to], 1
		};
	err = weft__bound_round(r->f, r->spec, r->stream, n, &b);
	if (err)
		return err;
	r->size += size;
	r->cables += size / b.cables;
	r->least += size / b.least;
	r->most += size / b.most;
	r->whole += size / b.whole;
	r->ways += size / b.ways;
	r->streams += n;
	r->mean += n * b.mean;
	r->exact &= b.exact;
	return 0;
}

/* Adds a sample's figures, each by a part of 1. */
static void add_sample(struct rounds *r, double part, struct weft_bound *out)
{
	out->cables += part * r->size / r->cables;
	out->least += part * r->size / r->least;
	out->most += part * r->size / r->most;
	out->whole += part * r->size / r->whole;
	out->ways += part * r->size / r->ways;
	out->mean += part * r->mean / r->streams;
}

static int rounds_init(struct rounds *r)
{
	uint64_t n = weft_traffic_max_pairs(r->traffic) + 1;

	r->draw.rng = weft_rng_new(1);
	r->draw.scratch = malloc((weft_traffic_scratch(r->traffic) + 1) *
				 sizeof(*r->draw.scratch));
	r->draw.size = malloc(n * sizeof(*r->draw.size));
	r->pair = malloc(n * sizeof(*r->pair));
	r->stream = malloc(n * sizeof(*r->stream));
	return r->draw.rng && r->draw.scratch && r->draw.size && r->pair &&
	       r->stream ? 0 : -ENOMEM;
}

static void rounds_free(struct rounds *r)
{
	weft_rng_free(r->draw.rng);
	free(r->draw.scratch);
	free(r->draw.size);
	free(r->pair);
	free(r->stream);
}

/* Of more rounds than are wanted, those in the middle of equal stretches. */
static int run_sample(struct rounds *r, uint64_t sample, uint64_t wanted)
{
	uint64_t all = weft_traffic_rounds(r->traffic);
	int err = 0;

	r->size = r->cables = r->least = r->most = r->whole = r->ways = 0;
	r->streams = r->mean = 0;
	weft_rng_seed_sample(r->draw.rng, r->spec->seed, sample);
	for (uint64_t i = 0; i < wanted && !err; i++)
		err = add_round(r, (2 * i + 1) * all / (2 * wanted));
	return err;
}

int weft_bound_traffic(const struct weft_fabric *f,
			const struct weft_bound_spec *spec,
			const struct weft_traffic *traffic,
			const uint32_t *endport, struct weft_bound *out)
{
	struct rounds r = { .f = f, .spec = spec, .traffic = traffic,
			    .endport = endport, .exact = true };
	uint64_t all = weft_traffic_rounds(traffic), samples = 1;
	uint64_t wanted = all < spec->rounds ? all : spec->rounds;
	int err = rounds_init(&r);

	if (weft_traffic_is_random(traffic))
		samples = (spec->rounds + wanted - 1) / wanted;
	*out = (struct weft_bound){
		.hosts = weft_traffic_ranks(traffic),
		.rounds = samples * wanted, .all = all,
	};
	for (uint64_t s = 0; s < samples && !err; s++) {
		err = run_sample(&r, s, wanted);
		if (!err && r.size > 0)
			add_sample(&r, 1.0 / samples, out);
	}
	out->exact = r.exact;
	rounds_free(&r);
	return err;
}
