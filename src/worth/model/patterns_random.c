// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Patterns of one round that are drawn anew for each sample. */
#include "worth/model/pattern.h"

#include <math.h>

/* Prepares patterns that are random and fair and use nranks of scratch. */
static int prepare_fair(struct weft_traffic *t, const struct weft_options *o,
			struct weft_diag *diag)
{
	(void)o;
	(void)diag;
	t->random = t->fair = true;
	t->nscratch = t->nranks;
	return 0;
}

void weft__draw_order(struct weft_rng *rng, uint32_t *order, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	weft_rng_shuffle(rng, order, n);
}

/* Has a random half send to the other one; if n is odd, one rank is idle. */
static uint64_t bisect_round(const struct weft_traffic *t, uint64_t round,
			     struct weft_draw *draw, struct weft_pair *pair)
{
	uint32_t half = t->nranks / 2, *order = draw->scratch;

	(void)round;
	weft__draw_order(draw->rng, order, t->nranks);
	for (uint32_t i = 0; i < half; i++)
		pair[i] = (struct weft_pair){ order[i], order[half + i] };
	return half;
}

const struct weft__pattern weft__pattern_bisect = {
	.row = {
		.name = "bisect",
		.summary = "a random half sends to the other half",
	},
	.prepare = prepare_fair,
	.round = bisect_round,
};

static uint64_t both_ways_round(const struct weft_traffic *t, uint64_t round,
				struct weft_draw *draw,
				struct weft_pair *pair)
{
	uint64_t half = bisect_round(t, round, draw, pair);

	for (uint64_t i = 0; i < half; i++)
		pair[half + i] = (struct weft_pair){ pair[i].to, pair[i].from };
	return 2 * half;
}

const struct weft__pattern weft__pattern_symmetric_bisect = {
	.row = {
		.name = "symmetric-bisect",
		.summary = "two random halves exchange, both ways at once",
	},
	.prepare = prepare_fair,
	.round = both_ways_round,
};

/* Definition 4 of Nienaber, Mahapatra and Yuan is a full permutation in which
 * each destination sends back.  That is the same as two random halves that
 * exchange. */
const struct weft__pattern weft__pattern_dissemination_pairs = {
	.row = {
		.name = "dissemination-pairs",
		.summary = "random partners exchange (one step of Bruck's all-to-all under any placing)",
	},
	.prepare = prepare_fair,
	.round = both_ways_round,
};

/*
 * Draws a uniform derangement: shuffles, and begins again as soon as a rank
 * stays where it is, which takes e attempts on average, most of them short.
 */
static void draw_derangement(struct weft_rng *rng, uint32_t *to, uint32_t n)
{
	uint32_t left;

	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	do {
		for (left = n; left; left--) {
			uint32_t j = weft_rng_below(rng, left);
			uint32_t last = to[j];

			to[j] = to[left - 1];
			to[left - 1] = last;
			if (last == left - 1)
				break;
		}
	} while (left);
}

static uint64_t permutation_round(const struct weft_traffic *t, uint64_t round,
				  struct weft_draw *draw,
				  struct weft_pair *pair)
{
	(void)round;
	draw_derangement(draw->rng, draw->scratch, t->nranks);
	for (uint32_t i = 0; i < t->nranks; i++)
		pair[i] = (struct weft_pair){ i, draw->scratch[i] };
	return t->nranks;
}

const struct weft__pattern weft__pattern_permutation = {
	.row = {
		.name = "permutation",
		.summary = "everybody sends to somebody else and hears from one (a random derangement)",
	},
	.prepare = prepare_fair,
	.round = permutation_round,
};

/* Draws any rank but that one, uniformly. */
static uint32_t draw_other(struct weft_rng *rng, uint32_t n, uint32_t rank)
{
	uint32_t other = weft_rng_below(rng, n - 1);

	return other + (other >= rank);
}

static uint64_t uniform_round(const struct weft_traffic *t, uint64_t round,
			      struct weft_draw *draw, struct weft_pair *pair)
{
	(void)round;
	for (uint32_t i = 0; i < t->nranks; i++)
		pair[i] = (struct weft_pair){
			i, draw_other(draw->rng, t->nranks, i) };
	return t->nranks;
}

const struct weft__pattern weft__pattern_uniform = {
	.row = {
		.name = "uniform",
		.summary = "everybody sends to anybody else, at random",
	},
	.prepare = prepare_fair,
	.round = uniform_round,
};

enum place { PLACE_RANDOM, PLACE_FIRST, PLACE_SPREAD };

static const struct weft_option hot_spot_options[] = {
	{ .name = "share", .type = WEFT_OPT_REAL, .preset = "0.1",
	  .help = "share of the messages that go to a hot spot, 0 to 1" },
	{ .name = "spots", .type = WEFT_OPT_INT, .preset = "1", .min = 1,
	  .max = WEFT_MAX_RANKS, .help = "number of hot spots" },
	{ .name = "place", .type = WEFT_OPT_ENUM, .preset = "random",
	  .choices = "random|first|spread",
	  .help = "which ranks they are: drawn for each sample, the first ones, or evenly spread"
		  },
	{ .type = WEFT_OPT_END },
};

static int hot_spot_prepare(struct weft_traffic *t,
			    const struct weft_options *o,
			    struct weft_diag *diag)
{
	t->share = weft_options_real(o, "share");
	t->number = weft_options_int(o, "spots");
	t->choice = weft_options_int(o, "place");
	if (!(t->share >= 0 && t->share <= 1))
		return weft_fail(diag, EINVAL,
				 "hot-spot: share=%g is not between 0 and 1",
				 t->share);
	if (t->number > t->nranks)
		return weft_fail(diag, EINVAL,
				 "hot-spot: %u hot spots among %u ranks",
				 t->number, t->nranks);
	t->random = true;
	t->fair = t->choice == PLACE_RANDOM;
	t->nscratch = t->nranks;
	return 0;
}

/* Sets the hot spots: spot[0 .. number - 1]. */
static void place_spots(const struct weft_traffic *t, struct weft_draw *draw,
			uint32_t *spot)
{
	uint32_t n = t->nranks;

	if (t->choice == PLACE_RANDOM) {
		weft__draw_order(draw->rng, spot, n);
		return;
	}
	for (uint32_t i = 0; i < t->number; i++)
		spot[i] = t->choice == PLACE_FIRST ? i :
			(uint64_t)i * n / t->number;
}

static uint64_t hot_spot_round(const struct weft_traffic *t, uint64_t round,
			       struct weft_draw *draw, struct weft_pair *pair)
{
	uint64_t bar = ldexp(t->share, 32);

	(void)round;
	place_spots(t, draw, draw->scratch);
	for (uint32_t i = 0; i < t->nranks; i++) {
		uint32_t to = i;

		if (weft_rng_u32(draw->rng) < bar)
			to = draw->scratch[weft_rng_below(draw->rng,
							  t->number)];
		if (to == i)
			to = draw_other(draw->rng, t->nranks, i);
		pair[i] = (struct weft_pair){ i, to };
	}
	return t->nranks;
}

const struct weft__pattern weft__pattern_hot_spot = {
	.row = {
		.name = "hot-spot",
		.summary = "a share of the messages goes to few ranks, the rest to anybody",
		.options = hot_spot_options,
	},
	.prepare = hot_spot_prepare,
	.round = hot_spot_round,
};
