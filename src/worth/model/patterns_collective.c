// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Patterns of the rounds of collective operations in MPI libraries. */
#include "worth/model/pattern.h"

/* Returns the rounds it takes to reach n ranks when their number doubles. */
static uint32_t doublings(uint32_t n)
{
	uint32_t rounds = 0;

	while ((uint64_t)1 << rounds < n)
		rounds++;
	return rounds;
}

/* Has every rank send distance further, around the end. */
static uint64_t send_on(uint32_t n, uint32_t distance, struct weft_pair *pair)
{
	for (uint32_t i = 0; i < n; i++)
		pair[i] = (struct weft_pair){ i,
					      ((uint64_t)i + distance) % n };
	return n;
}

static int doublings_prepare(struct weft_traffic *t,
			     const struct weft_options *o,
			     struct weft_diag *diag)
{
	(void)o;
	(void)diag;
	t->nrounds = doublings(t->nranks);
	return 0;
}

static uint64_t dissemination_round(const struct weft_traffic *t,
				    uint64_t round, struct weft_draw *draw,
				    struct weft_pair *pair)
{
	(void)draw;
	return send_on(t->nranks, 1u << round, pair);
}

const struct weft__pattern weft__pattern_dissemination = {
	.row = {
		.name = "dissemination",
		.summary = "Bruck's rounds: rank i sends to i + 1, 2, 4 ...",
	},
	.prepare = doublings_prepare,
	.round = dissemination_round,
};

static int all_others_prepare(struct weft_traffic *t,
			      const struct weft_options *o,
			      struct weft_diag *diag)
{
	(void)o;
	(void)diag;
	t->nrounds = t->nranks - 1;
	return 0;
}

static uint64_t pairwise_round(const struct weft_traffic *t, uint64_t round,
			       struct weft_draw *draw, struct weft_pair *pair)
{
	uint32_t n = t->nranks, distance = round + 1;

	(void)draw;
	if (n & (n - 1))
		return send_on(n, distance, pair);
	for (uint32_t i = 0; i < n; i++)
		pair[i] = (struct weft_pair){ i, i ^ distance };
	return n;
}

const struct weft__pattern weft__pattern_pairwise = {
	.row = {
		.name = "pairwise",
		.summary = "pairwise exchange, all-to-all in n - 1 rounds: i with i xor r, or to i + r if n is no power of two",
	},
	.prepare = all_others_prepare,
	.round = pairwise_round,
};

/* Returns the largest power of two up to n. */
static uint32_t power_below(uint32_t n)
{
	uint32_t power = 1;

	while (power <= n / 2)
		power *= 2;
	return power;
}

uint32_t weft__exchange_rounds(uint32_t n)
{
	uint32_t power = power_below(n);

	return doublings(power) + (power < n ? 2 : 0);
}

/* Returns place number i of those that go on after the first round, of which
 * there are more beyond the power of two. */
static uint32_t survivor(uint32_t more, uint32_t i)
{
	return i < more ? 2 * i + 1 : i + more;
}

uint64_t weft__exchange(uint32_t n, uint64_t round, struct weft_pair *pair)
{
	uint32_t power = power_below(n), more = n - power;
	uint64_t rounds = weft__exchange_rounds(n);

	if (round >= rounds)
		return 0;
	if (more && (!round || round == rounds - 1)) {
		for (uint32_t i = 0; i < more; i++)
			pair[i] = round ?
				(struct weft_pair){ 2 * i + 1, 2 * i } :
				(struct weft_pair){ 2 * i, 2 * i + 1 };
		return more;
	}
	round -= more != 0;
	for (uint32_t i = 0; i < power; i++)
		pair[i] = (struct weft_pair){ survivor(more, i),
					      survivor(more, i ^ 1u << round) };
	return power;
}

double weft__exchange_size(uint32_t n, uint64_t round)
{
	uint32_t power = power_below(n);

	if (power < n && round == weft__exchange_rounds(n) - 1)
		return 1;
	round -= power < n && round;
	return (double)((uint64_t)1 << round) / power;
}

static int doubling_prepare(struct weft_traffic *t,
			    const struct weft_options *o,
			    struct weft_diag *diag)
{
	(void)o;
	(void)diag;
	t->nrounds = weft__exchange_rounds(t->nranks);
	return 0;
}

static uint64_t doubling_round(const struct weft_traffic *t, uint64_t round,
			       struct weft_draw *draw, struct weft_pair *pair)
{
	(void)draw;
	return weft__exchange(t->nranks, round, pair);
}

const struct weft__pattern weft__pattern_recursive_doubling = {
	.row = {
		.name = "recursive-doubling",
		.summary = "i exchanges with i xor 1, 2, 4 ...; what is beyond a power of two joins before and after",
	},
	.prepare = doubling_prepare,
	.round = doubling_round,
};

#define ROOT_OPTION { \
	.name = "root", .type = WEFT_OPT_INT, .preset = "0", \
	.max = WEFT_MAX_RANKS - 1, .help = "rank of the root" }

static int read_root(struct weft_traffic *t, const struct weft_options *o,
		     struct weft_diag *diag)
{
	t->number = weft_options_int(o, "root");
	if (t->number < t->nranks)
		return 0;
	return weft_fail(diag, EINVAL, "%s: root=%u, but ranks are 0 to %u",
			 t->pattern->row.name, t->number, t->nranks - 1);
}

static const struct weft_option tree_options[] = {
	ROOT_OPTION,
	{ .name = "up", .type = WEFT_OPT_BOOL, .preset = "no",
	  .help = "from the leaves to the root, as a reduction does" },
	{ .type = WEFT_OPT_END },
};

static int tree_prepare(struct weft_traffic *t, const struct weft_options *o,
			struct weft_diag *diag)
{
	t->flag = weft_options_bool(o, "up");
	t->nrounds = doublings(t->nranks);
	return read_root(t, o, diag);
}

/* The first 2^round ranks from the root on have the data and pass it on. */
static uint64_t tree_round(const struct weft_traffic *t, uint64_t round,
			   struct weft_draw *draw, struct weft_pair *pair)
{
	uint32_t step = t->flag ? t->nrounds - 1 - round : round;
	uint64_t have = (uint64_t)1 << step, n = t->nranks, i;

	(void)draw;
	for (i = 0; i < have && i + have < n; i++) {
		uint32_t from = (i + t->number) % n;
		uint32_t to = (i + have + t->number) % n;

		pair[i] = t->flag ? (struct weft_pair){ to, from } :
				    (struct weft_pair){ from, to };
	}
	return i;
}

const struct weft__pattern weft__pattern_tree = {
	.row = {
		.name = "tree",
		.summary = "binomial tree: senders double in each round",
		.options = tree_options,
	},
	.prepare = tree_prepare,
	.round = tree_round,
};

static const struct weft_option root_options[] = {
	ROOT_OPTION,
	{ .type = WEFT_OPT_END },
};

static uint64_t gather_round(const struct weft_traffic *t, uint64_t round,
			     struct weft_draw *draw, struct weft_pair *pair)
{
	uint64_t n = 0;

	(void)round;
	(void)draw;
	for (uint32_t i = 0; i < t->nranks; i++)
		n = weft__add_pair(pair, n, i, t->number);
	return n;
}

static uint64_t scatter_round(const struct weft_traffic *t, uint64_t round,
			      struct weft_draw *draw, struct weft_pair *pair)
{
	uint64_t n = 0;

	(void)round;
	(void)draw;
	for (uint32_t i = 0; i < t->nranks; i++)
		n = weft__add_pair(pair, n, t->number, i);
	return n;
}

const struct weft__pattern weft__pattern_scatter = {
	.row = {
		.name = "scatter",
		.summary = "the root sends to everybody at once",
		.options = root_options,
	},
	.prepare = read_root,
	.round = scatter_round,
};

const struct weft__pattern weft__pattern_gather = {
	.row = {
		.name = "gather",
		.summary = "everybody sends to the root at once",
		.options = root_options,
	},
	.prepare = read_root,
	.round = gather_round,
};
