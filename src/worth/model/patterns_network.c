// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fixed patterns by which networks are traditionally judged. */
#include "worth/model/pattern.h"

static const struct weft_option shift_options[] = {
	{ .name = "distance", .type = WEFT_OPT_INT, .preset = "0",
	  .max = WEFT_MAX_RANKS,
	  .help = "rank i sends to i + distance; 0: one round for each" },
	{ .type = WEFT_OPT_END },
};

static int shift_prepare(struct weft_traffic *t, const struct weft_options *o,
			 struct weft_diag *diag)
{
	t->number = weft_options_int(o, "distance");
	if (!t->number)
		t->nrounds = t->nranks - 1;
	if (t->number % t->nranks || !t->number)
		return 0;
	return weft_fail(diag, EINVAL,
			 "shift: distance=%u leads %u ranks back to themselves",
			 t->number, t->nranks);
}

static uint64_t shift_round(const struct weft_traffic *t, uint64_t round,
			    struct weft_draw *draw, struct weft_pair *pair)
{
	uint32_t n = t->nranks;
	uint64_t distance = t->number ? t->number : round + 1;

	(void)draw;
	for (uint32_t i = 0; i < n; i++)
		pair[i] = (struct weft_pair){ i, (i + distance) % n };
	return n;
}

const struct weft__pattern weft__pattern_shift = {
	.row = {
		.name = "shift",
		.summary = "everybody sends the same distance further, around the end",
		.options = shift_options,
	},
	.prepare = shift_prepare,
	.round = shift_round,
};

static int transpose_prepare(struct weft_traffic *t,
			     const struct weft_options *o,
			     struct weft_diag *diag)
{
	(void)o;
	weft__grid_sides(t->nranks, 2, t->side);
	if (t->side[1] > 1)
		return 0;
	return weft_fail(diag, EINVAL,
			 "transpose: %u ranks are no matrix of several rows and columns",
			 t->nranks);
}

/* Rank i holds element (row, column) of a matrix of side[1] rows. */
static uint64_t transpose_round(const struct weft_traffic *t, uint64_t round,
				struct weft_draw *draw,
				struct weft_pair *pair)
{
	uint32_t columns = t->side[0], rows = t->side[1];
	uint64_t n = 0;

	(void)round;
	(void)draw;
	for (uint32_t i = 0; i < t->nranks; i++)
		n = weft__add_pair(pair, n, i,
				   i % columns * rows + i / columns);
	return n;
}

const struct weft__pattern weft__pattern_transpose = {
	.row = {
		.name = "transpose",
		.summary = "(row, column) of a matrix, as square as can be, sends to (column, row)",
	},
	.prepare = transpose_prepare,
	.round = transpose_round,
};

/* Sets t->number to the bits of the largest power of two up to nranks. */
static int bits_prepare(struct weft_traffic *t, const struct weft_options *o,
			struct weft_diag *diag)
{
	(void)o;
	(void)diag;
	while (2u << t->number <= t->nranks)
		t->number++;
	return 0;
}

static uint64_t complement_round(const struct weft_traffic *t, uint64_t round,
				 struct weft_draw *draw,
				 struct weft_pair *pair)
{
	uint32_t n = 1u << t->number;

	(void)round;
	(void)draw;
	for (uint32_t i = 0; i < n; i++)
		pair[i] = (struct weft_pair){ i, n - 1 - i };
	return n;
}

const struct weft__pattern weft__pattern_bit_complement = {
	.row = {
		.name = "bit-complement",
		.summary = "i sends to its complement; ranks beyond a power of two are idle",
	},
	.prepare = bits_prepare,
	.round = complement_round,
};

static uint32_t reverse_bits(uint32_t value, unsigned bits)
{
	uint32_t reversed = 0;

	for (unsigned b = 0; b < bits; b++)
		reversed |= (value >> b & 1) << (bits - 1 - b);
	return reversed;
}

static uint64_t reversal_round(const struct weft_traffic *t, uint64_t round,
			       struct weft_draw *draw, struct weft_pair *pair)
{
	uint64_t n = 0;

	(void)round;
	(void)draw;
	for (uint32_t i = 0; i < 1u << t->number; i++)
		n = weft__add_pair(pair, n, i, reverse_bits(i, t->number));
	return n;
}

const struct weft__pattern weft__pattern_bit_reversal = {
	.row = {
		.name = "bit-reversal",
		.summary = "i sends to its bits reversed; ranks beyond a power of two are idle",
	},
	.least = 4,
	.prepare = bits_prepare,
	.round = reversal_round,
};

static const struct weft_option tornado_options[] = {
	{ .name = "sides", .type = WEFT_OPT_STRING,
	  .help = "sides of a grid, as 8x8x4; all ranks in a row if not given"
		  },
	{ .type = WEFT_OPT_END },
};

static int tornado_prepare(struct weft_traffic *t,
			   const struct weft_options *o,
			   struct weft_diag *diag)
{
	int err = weft__grid_parse(t, weft_options_text(o, "sides"), 1, diag);

	for (unsigned d = 0; !err && d < t->dimensions; d++)
		if (t->side[d] > 2)
			return 0;
	return err ? err :
		weft_fail(diag, EINVAL,
			  "tornado: needs a side of more than two ranks");
}

/* Sends nearly half way around, in each dimension. */
static uint64_t tornado_round(const struct weft_traffic *t, uint64_t round,
			      struct weft_draw *draw, struct weft_pair *pair)
{
	uint32_t all = t->side[0] * t->side[1] * t->side[2];
	uint64_t n = 0;

	(void)round;
	(void)draw;
	for (uint32_t i = 0; i < all; i++) {
		uint32_t stride = 1, to = 0;

		for (unsigned d = 0; d < t->dimensions; d++) {
			uint32_t side = t->side[d], at = i / stride % side;

			to += (at + (side + 1) / 2 - 1) % side * stride;
			stride *= side;
		}
		n = weft__add_pair(pair, n, i, to);
	}
	return n;
}

const struct weft__pattern weft__pattern_tornado = {
	.row = {
		.name = "tornado",
		.summary = "everybody sends nearly half way around a ring, or a grid in each dimension",
		.options = tornado_options,
	},
	.prepare = tornado_prepare,
	.round = tornado_round,
};
