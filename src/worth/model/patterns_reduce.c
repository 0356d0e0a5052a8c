// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: patterns of libraries for GPUs, reductions
 *
 * NCCL, RCCL and their like cut a message into pieces that follow each other
 * closely, so that in a ring or a tree all of its pairs send at the same time:
 * a ring is one round, however many steps it takes, and a tree one up and one
 * down.  Recursive halving and doubling go step by step, and have a round for
 * each distance, whose size is the share of the message that is sent so far.
 *
 * What ranks of one machine send each other goes over links inside of it, and
 * is no load of the network.
 */
#include "worth/model/pattern.h"

/* --- forms ---------------------------------------------------------------- */

enum form { RING, HALVING, TREE };

static uint64_t ring(const struct weft_traffic *t, uint32_t n, uint64_t round,
		     struct weft_draw *draw, struct weft_pair *pair)
{
	(void)t;
	(void)draw;
	for (uint32_t i = 0; !round && i < n; i++)
		pair[i] = (struct weft_pair){ i, i + 1 < n ? i + 1 : 0 };
	return round ? 0 : n;
}

static void swap_ends(struct weft_pair *pair, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		pair[i] = (struct weft_pair){ pair[i].to, pair[i].from };
}

/* Recursive doubling backwards. */
static uint64_t halving(const struct weft_traffic *t, uint32_t n,
			uint64_t round, struct weft_draw *draw,
			struct weft_pair *pair)
{
	uint64_t rounds = weft__exchange_rounds(n), pairs;

	(void)t;
	(void)draw;
	if (round >= rounds)
		return 0;
	pairs = weft__exchange(n, rounds - 1 - round, pair);
	swap_ends(pair, pairs);
	return pairs;
}

static uint64_t doubling(const struct weft_traffic *t, uint32_t n,
			 uint64_t round, struct weft_draw *draw,
			 struct weft_pair *pair)
{
	(void)t;
	(void)draw;
	return weft__exchange(n, round, pair);
}

static double halving_size(const struct weft_traffic *t, uint32_t n,
			   uint64_t round)
{
	(void)t;
	return weft__exchange_size(n, weft__exchange_rounds(n) - 1 - round);
}

static double doubling_size(const struct weft_traffic *t, uint32_t n,
			    uint64_t round)
{
	(void)t;
	return weft__exchange_size(n, round);
}

/* Halving, then doubling. */
static uint64_t halving_doubling(const struct weft_traffic *t, uint32_t n,
				 uint64_t round, struct weft_draw *draw,
				 struct weft_pair *pair)
{
	uint64_t rounds = weft__exchange_rounds(n);

	return round < rounds ? halving(t, n, round, draw, pair) :
				doubling(t, n, round - rounds, draw, pair);
}

/*
 * Returns the parent of a place that is not 0 in the first of two trees.  Odd
 * places are leaves; others are above those next to them, at the distance of
 * half their lowest bit.
 */
static uint32_t parent(uint32_t place, uint32_t n)
{
	uint32_t bit = place & -place;
	uint32_t above = (place & ~bit) | bit << 1;

	return above < n ? above : place & ~bit;
}

/*
 * Two trees at once, each for half of the message (Sanders, Speck and Träff,
 * Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan, 2009):
 * up in the first round, down in the second one.  The second tree is the first
 * one mirrored, or shifted by one if n is odd, so that whoever is above others
 * in one is a leaf in the other.
 */
static uint64_t double_tree(const struct weft_traffic *t, uint32_t n,
			    uint64_t round, struct weft_draw *draw,
			    struct weft_pair *pair)
{
	uint64_t used = 0;

	(void)t;
	(void)draw;
	for (uint32_t i = 1; round < 2 && i < n; i++) {
		uint32_t up = parent(i, n);

		pair[used++] = (struct weft_pair){ i, up };
		pair[used++] = n % 2 ?
			(struct weft_pair){ (i + 1) % n, (up + 1) % n } :
			(struct weft_pair){ n - 1 - i, n - 1 - up };
	}
	if (round)
		swap_ends(pair, used);
	return used;
}

/* --- all-reduce on two trees ---------------------------------------------- */

static const struct weft_option tree_options[] = {
	WEFT__VIA_OPTIONS("rail"),
	{ .type = WEFT_OPT_END },
};

static int tree_prepare(struct weft_traffic *t, const struct weft_options *o,
			struct weft_diag *diag)
{
	t->nrounds = 2;
	t->max_pairs = 2 * (uint64_t)t->nranks;
	return weft__teams_prepare(t, o, diag);
}

static uint64_t tree_round(const struct weft_traffic *t, uint64_t round,
			   struct weft_draw *draw, struct weft_pair *pair)
{
	return weft__teams_round(t, &t->team, double_tree, round, draw, pair);
}

const struct weft__pattern weft__pattern_double_tree = {
	.row = {
		.name = "double-tree",
		.summary = "all-reduce on two complementary binary trees at once: up, then down",
		.options = tree_options,
	},
	.prepare = tree_prepare,
	.round = tree_round,
};

/* --- reduce-scatter and all-gather ---------------------------------------- */

static const struct weft_option scatter_options[] = {
	{ .name = "form", .type = WEFT_OPT_ENUM, .preset = "ring",
	  .choices = "ring|halving",
	  .help = "a ring, or recursive halving: distances n/2, n/4 ... 1" },
	WEFT__VIA_OPTIONS("rail"),
	{ .type = WEFT_OPT_END },
};

static const struct weft_option gather_options[] = {
	{ .name = "form", .type = WEFT_OPT_ENUM, .preset = "ring",
	  .choices = "ring|halving",
	  .help = "a ring, or recursive halving undone: distances 1, 2 ... n/2" },
	WEFT__VIA_OPTIONS("rail"),
	{ .type = WEFT_OPT_END },
};

static int form_prepare(struct weft_traffic *t, const struct weft_options *o,
			struct weft_diag *diag)
{
	int err = weft__teams_prepare(t, o, diag);

	t->choice = weft_options_int(o, "form");
	t->sized = t->choice == HALVING;
	if (!err && t->sized && t->team.most > 1)
		t->nrounds = weft__exchange_rounds(t->team.most);
	return err;
}

static int scatter_prepare(struct weft_traffic *t, const struct weft_options *o,
			   struct weft_diag *diag)
{
	t->team.size = halving_size;
	return form_prepare(t, o, diag);
}

static int gather_prepare(struct weft_traffic *t, const struct weft_options *o,
			  struct weft_diag *diag)
{
	t->team.size = doubling_size;
	return form_prepare(t, o, diag);
}

static uint64_t scatter_round(const struct weft_traffic *t, uint64_t round,
			      struct weft_draw *draw, struct weft_pair *pair)
{
	return weft__teams_round(t, &t->team,
				 t->choice == RING ? ring : halving, round,
				 draw, pair);
}

const struct weft__pattern weft__pattern_reduce_scatter = {
	.row = {
		.name = "reduce-scatter",
		.summary = "everybody has a share of the sum in the end, as of the gradients of sharded data",
		.options = scatter_options,
	},
	.prepare = scatter_prepare,
	.round = scatter_round,
};

static uint64_t gather_round(const struct weft_traffic *t, uint64_t round,
			     struct weft_draw *draw, struct weft_pair *pair)
{
	return weft__teams_round(t, &t->team,
				 t->choice == RING ? ring : doubling, round,
				 draw, pair);
}

const struct weft__pattern weft__pattern_all_gather = {
	.row = {
		.name = "all-gather",
		.summary = "everybody has the shares of all in the end, as of the weights of sharded data",
		.options = gather_options,
	},
	.prepare = gather_prepare,
	.round = gather_round,
};

/* --- hierarchical --------------------------------------------------------- */

static const struct weft_option hierarchical_options[] = {
	{ .name = "form", .type = WEFT_OPT_ENUM, .preset = "ring",
	  .choices = "ring|halving|tree",
	  .help = "of the all-reduce between machines, on each rail: a ring, recursive halving and doubling, or two trees" },
	{ .name = "inside", .type = WEFT_OPT_BOOL, .preset = "no",
	  .help = "what stays in a machine goes over the network as well" },
	WEFT__MACHINE_OPTION,
	{ .type = WEFT_OPT_END },
};

static weft__kernel *const between[] = {
	[RING] = ring, [HALVING] = halving_doubling, [TREE] = double_tree,
};

static uint64_t rounds_between(const struct weft_traffic *t)
{
	if (t->choice == HALVING && t->team.most > 1)
		return 2 * (uint64_t)weft__exchange_rounds(t->team.most);
	return t->choice == TREE ? 2 : 1;
}

/* Of a message, what is sent around a machine of n. */
static double inside_size(const struct weft_traffic *t, uint32_t n,
			  uint64_t round)
{
	(void)t;
	(void)round;
	return (n - 1.0) / n;
}

/* Of a message, or of its part that is the rail's, what is sent between n
 * machines in a round, which of a ring is all that goes around it. */
static double between_size(const struct weft_traffic *t, uint32_t n,
			   uint64_t round)
{
	double part = t->inside.most > 1 ? 1.0 / t->inside.most : 1;
	uint64_t rounds = weft__exchange_rounds(n);

	if (t->choice == RING)
		return part * 2 * (n - 1) / n;
	if (t->choice == TREE)
		return part / 2;
	return part * (round < rounds ? halving_size(t, n, round) :
		       doubling_size(t, n, round - rounds));
}

static int hierarchical_prepare(struct weft_traffic *t,
				const struct weft_options *o,
				struct weft_diag *diag)
{
	int err = weft__machines_prepare(t, o, diag);

	t->choice = weft_options_int(o, "form");
	t->flag = weft_options_bool(o, "inside");
	t->sized = t->flag || t->choice == HALVING;
	t->team.size = between_size;
	t->inside.size = inside_size;
	if (!err)
		err = weft__teams_of(t, true, false, &t->team, diag);
	if (!err && t->flag)
		err = weft__teams_of_machines(t, &t->inside, diag);
	t->max_pairs = 2 * (uint64_t)t->nranks;
	t->nrounds = rounds_between(t) + (t->flag && t->inside.most > 1 ?
					  2 : 0);
	return err;
}

/* A ring in each machine, to share out the sum, comes before what goes on
 * between machines, and one to collect it after that. */
static uint64_t hierarchical_round(const struct weft_traffic *t, uint64_t round,
				   struct weft_draw *draw,
				   struct weft_pair *pair)
{
	uint64_t rounds = rounds_between(t);
	bool around = t->nrounds > rounds;

	if (around && (!round || round > rounds))
		return weft__teams_round(t, &t->inside, ring, 0, draw, pair);
	return weft__teams_round(t, &t->team, between[t->choice],
				 round - around, draw, pair);
}

const struct weft__pattern weft__pattern_hierarchical = {
	.row = {
		.name = "hierarchical",
		.summary = "all-reduce first in each machine, then between machines on each rail",
		.options = hierarchical_options,
	},
	.prepare = hierarchical_prepare,
	.round = hierarchical_round,
};
