// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: improving trees by what streams expect of each other
 *
 * Load counts the pairs whose routes share a channel.  What hurts is streams
 * that share it at the same time; and a host sends one stream, and receives
 * one.  Hence:
 * - Pairs with the same destination, or the same source, never meet.
 * - Two streams that share one channel have their bandwidth halved; if they
 *   share the next one, too, it costs them nothing more.  So routes that meet
 *   should stay together.
 * - The most crowded channel of a route decides; what is shared on others costs
 *   little.
 * The objective is the expected bandwidth of the streams of a random bisection
 * under a model of these three: on each channel of a route those whom it will
 * not have beside it on the next one come like a Poisson process (crowds.h),
 * numbers on successive channels are independent, and the stream's bandwidth is
 * one over the largest congestion.  Full bandwidth is what the slower one of
 * its two hosts sends, as where it is measured.  Channels are as fast as that
 * says for the destination at hand and the hosts of the switch they begin at or,
 * if it has none, those of all hosts on average.
 *
 * Search: one tree after the other is taken out, and built anew from its root.
 * Each switch takes the cable by which its own streams keep most, less what
 * they cost the streams of others.  That cost (price) comes from the pass
 * before: for each channel, by how much its streams' bandwidth falls if one
 * more comes.  First passes add noise to every choice, which falls to nothing:
 * where loads are all alike each single change is for the worse.
 *
 * All of it is in integers but for a few numbers per channel and pass.
 * Complexity: a look at a cable is a product of two vectors of eight; a pass
 * takes some five times as long as one of weft__balance_endports().  How many
 * cables a switch has and which is best cannot be predicted: cables of all
 * switches with as many hops go through one loop without a branch (expect.c).
 *
 * What it gives, measured: effective bisection bandwidth, 1,000 patterns, 99 %
 * interval below .003, WEFT__EFFORT; before: psssp with 3 passes.
 *
 *				minimal		Up*Down*
 *	rack648			.728 -> .759	the same
 *	rack432			.750 -> .775	the same
 *	deimos			.484 -> .503	.467 -> .482
 *	selene-compute		.654 -> .668	.649 -> .663
 *	ranger			.656 -> .668	the same
 *	chic,fail-links=10%	.627 -> .673	the same
 *	rack648,fail-links=5%	.687 -> .731	the same
 *	torus:4x4x4,hosts=4	.463 -> .484	.449 -> .455
 *	torus:8x8x8,hosts=2	.368 -> .390	.316 -> .326
 *	hypercube:6,hosts=8	.305 -> .317	.285 -> .295
 *	random:43,12,12		.592 -> .599	.549 -> .552
 *	dragonfly:8,8,4,9	.559 -> .563	.530 -> .531
 * Hosts of several rates (with the rate of most hosts for all of them, and now):
 *	89, DDR and QDR, irregular	.865 -> .881, .882	eftree .874, .878
 *	360, half FDR, half HDR		.813 -> .799, .812
 *	386, QDR and HDR, 50 switches	.619 -> .608, .621
 *	496, three trees, one of QDR	.242 -> .286, .288
 *	384, half 2xHDR, half NDR	.936 -> .948, .943
 * Of the rest of the sources the fastest instead of the mean: .877, .813, .628,
 * .283, .942; the harmonic mean: .877, .811, .621, .292, .926.
 * Full fat trees stay as they are (switch648 .809, chic .740, switch3456 .685),
 * as there each channel down has one destination: nothing meets on it.  In
 * selene-compute the first channel up alone leaves .799, the first two .688
 * (.682 before), and these are balanced: little is to be had beyond .668.
 *
 * Routes that stay together also make fewer dependencies between channels, so
 * that minimal ways take fewer lanes to be free of credit loops (weft layer,
 * with one service level for both directions): deimos 8 before, 3 after;
 * random:43,12,12 5, 2; dragonfly:8,8,4,9 6, 3; torus:4x4x4,hosts=4 and
 * hypercube:6,hosts=8 over 8, 5.
 *
 * The price is balance: the largest load grows (rack648 624 to 768, deimos 4317
 * to 4716, the 4x4x4 torus 548 to 664).  Traffic that is all-to-all at all
 * times is better served by load alone.
 *
 * What was tried besides (without an option, for it gave nothing):
 * - Loads to the power of .5 to 3 instead of loads: no gain (deimos .485, .474
 *   with the third power).
 * - The same search with counts of streams in 256 random bisections instead of
 *   a distribution: 20 times the time, and it fits the patterns it has seen;
 *   deimos .503, but rack648 .751, hypercube .309, random and selene no gain.
 *   From the trees that the model finds it leads away (rack648 .752), and
 *   with 4,096 bisections, a hundred times slower than the model, nowhere: it
 *   ends at .758 for rack648, .502 for deimos, .483 for the 4x4x4 torus.
 * - Poisson without "meet once": deimos .492, all others no gain at all.
 * - "Meet once" without "the most crowded decides", the least sum of fresh
 *   pairs on a route: rack648 .759, torus .485, hypercube .318, but deimos
 *   .494.
 *   Also with each channel weighted by its streams' sampled loss, which makes
 *   crowded channels cheaper and crowded ones more so (deimos .484).
 * - A channel's harm by each switch's own gain instead of that of all below it:
 *   deimos .496, hypercube no gain.
 * - To count what a choice saves switches above, to renew prices within a pass,
 *   to leave out seven or nine tenths of the pairs that go on together instead
 *   of three quarters, other seeds, other orders of destinations (reversed,
 *   striding), one pass of balance before instead of four, random trees to
 *   begin with: all within .2 %, deimos within .5 %.  So what is found is about
 *   the best for the model.
 * - Without noise: rack648 stays at .728.
 * - Prices of one pass from a quarter of the trees, times four: selene-compute
 *   .653 instead of .660, switch3456,fail-links=20% .531 instead of .547.  By
 *   what they load each cable with (weft__expect_prices()): selene-compute
 *   .660, and as much as from all where every switch has hosts, but juropa .634
 *   instead of .680: cables that carry few trees have no price or their own.
 * - Passes: deimos .492, .494, .496, .503 with 2, 4, 7, 24; selene-compute
 *   .665, .667, .668, .669 with 1, 2, 4, 12.
 * - hosts_only: selene-compute .711 instead of .701 between hosts, but then
 *   .655 instead of .668 between all, aggregation nodes included.
 */
#include "trees/improve.h"

#include "core/arena.h"
#include "trees/expect.h"

#include <weft/rng.h>

#include <errno.h>
#include <string.h>

#define MAX_PASSES 24
#define QUIET_PASSES 2		/* the last ones are without noise */
#define LOUDEST 0.1		/* first noise, as a share of bandwidth */

/* From each of the first WEFT__NOISE on, so many may be used. */
#define NUMBERS (2 * WEFT__NOISE)

struct weft__improver {
	struct weft__expect model;
	struct weft_arena *arena;
	unsigned one_in;	/* trees are weighed where that will do, */
	bool cheap;		/* and it does for prices, too */
	bool loaded;		/* the model's loads are those of the trees as
				 * they are, */
	bool priced;		/* and prices of about these, */
	bool known;		/* and this is what they are worth: */
	double worth;
	double sample;		/* those of the sample alone */
	int32_t *noise;		/* [NUMBERS] */
	uint8_t *copy;		/* [endports' trees][nsw] choices at first */
};

/* A run at work. */
struct search {
	struct weft__improver *i;
	struct weft__ways *ways;
	const struct weft__trees *trees;
	struct weft_rng *rng;
};

/* A new set of random numbers up to +-loud / 2. */
static void set_noise(struct search *c, double loud)
{
	double unit = loud / (1 << (32 - WEFT__WHOLE_BITS));

	for (uint32_t i = 0; i < NUMBERS; i++)
		c->i->noise[i] = (int32_t)(weft_rng_u32(c->rng) ^ 0x80000000u) *
			      unit;
}

/* Chooses all endports' trees anew, with the noise there is; returns how many
 * choices changed. */
static uint64_t pass(struct search *c)
{
	struct weft__expect *x = &c->i->model;
	uint64_t changed = 0;

	if (x->legal)
		weft__legal_reset(x->legal);
	for (uint32_t d = 0; d < c->trees->nendports; d++) {
		const struct weft__tree *tree = &c->trees->tree[d];

		if (!weft__expect_counts(x, tree))
			continue;
		weft__expect_toward(x, tree);
		changed += weft__expect_choose(x,
				weft__ways_to(c->ways, tree->root),
				tree->choice,
				c->i->noise + weft_rng_below(c->rng,
							     WEFT__NOISE));
	}
	weft__expect_prices(x);
	weft__expect_renew(x);
	return changed;
}

/* What streams to some trees expect together. */
struct tally {
	uint64_t worth;		/* of far ones, in gains */
	uint64_t far, near;	/* streams between switches, and within them */
};

static void add_tree(struct search *c, const struct weft__tree *tree,
		     struct tally *t)
{
	struct weft__expect *x = &c->i->model;
	const struct weft__plan *plan = weft__ways_to(c->ways, tree->root);

	x->worth = 0;
	weft__expect_toward(x, tree);
	weft__expect_weigh(x, plan, tree->choice);
	t->worth += x->worth;
	t->near += x->sources[tree->root] - 1;
	for (uint32_t i = 1; i <= plan->n; i++)
		t->far += x->sources[plan->order[i]];
}

/* The share of bandwidth that a stream expects. */
static double share(const struct search *c, const struct tally *a,
		    const struct tally *b)
{
	uint64_t far = a->far + b->far, near = a->near + b->near;

	if (!far)
		return 1;
	return ((a->worth + b->worth) / (double)INT16_MAX +
		c->i->model.tables->floor * far + near) / (far + near);
}

/* Weighs the trees of the sample, or all. */
static void weigh(struct search *c, bool all, bool prices)
{
	struct weft__improver *i = c->i;
	struct tally sample = { 0 }, rest = { 0 };

	for (uint32_t d = 0; d < c->trees->nendports; d++) {
		const struct weft__tree *tree = &c->trees->tree[d];
		bool sampled = weft__expect_sampled(d, i->one_in);

		if ((all || sampled) && weft__expect_counts(&i->model, tree))
			add_tree(c, tree, sampled ? &sample : &rest);
	}
	i->worth = share(c, &sample, &rest);
	i->sample = share(c, &sample, &(struct tally){ 0 });
	if (prices)
		weft__expect_prices(&i->model);
	else
		weft__expect_forget(&i->model);
}

static void load_all(struct search *c)
{
	struct weft__expect *x = &c->i->model;
	uint32_t n = 0;

	weft__expect_reset(x);

	for (uint32_t d = 0; d < c->trees->nendports; d++) {
		const struct weft__tree *tree = &c->trees->tree[d];

		if (!weft__expect_counts(x, tree))
			continue;
		weft__expect_load(x, weft__ways_to(c->ways, tree->root),
				  tree->choice);
		n++;
	}
	weft__expect_ready(x, n);
}

/* Cables that one pass looks at. */
static uint64_t pass_effort(const struct search *c)
{
	uint64_t effort = 0, cables = 0;
	uint32_t root = WEFT_NONE;

	for (uint32_t d = 0; d < c->trees->nendports; d++) {
		const struct weft__plan *plan;

		if (c->trees->tree[d].root != root) {
			root = c->trees->tree[d].root;
			plan = weft__ways_to(c->ways, root);
			cables = 0;
			for (uint32_t i = 0; i < plan->total; i++)
				cables += plan->run[i].length;
		}
		effort += cables;
	}
	return effort;
}

static unsigned count_passes(uint64_t effort, uint64_t pass)
{
	uint64_t n = pass ? effort / pass : 0;

	if (!n && effort && pass)
		return 1;
	return n < MAX_PASSES ? n : MAX_PASSES;
}

/* Noise falls with the square of what is left; two passes or more begin with
 * some, for loads that are all alike are a dead end without. */
static double loudness(unsigned i, unsigned passes)
{
	double noisy = passes > QUIET_PASSES ? passes - QUIET_PASSES :
					       passes - 1;
	double left = noisy - i;

	return left > 0 ? LOUDEST * left * left / (noisy * noisy) : 0;
}

/* Finds out what the trees are worth, and prices, if they are needed; where they
 * are not, or need not be right, the sample tells. */
static void judge(struct search *c, bool prices)
{
	struct weft__improver *i = c->i;
	bool all = (prices && !i->cheap) || i->one_in <= 1;
	bool renew = all || (i->cheap && !i->priced);

	if (!i->loaded)
		load_all(c);
	i->loaded = true;
	if (i->known && (i->priced || !prices))
		return;
	weigh(c, all, renew);
	i->priced |= renew;
	i->known = true;
}

/* The same after passes, which have set prices: what the sample has gained, all
 * have. */
static void judge_again(struct search *c)
{
	struct weft__improver *i = c->i;
	double worth = i->worth, sample = i->sample;

	judge(c, false);
	if (i->one_in > 1)
		i->worth = worth * i->sample / sample;
}

static void search(struct search *c, struct weft__improve *run, unsigned n)
{
	for (run->passes = 0; run->passes < n; ) {
		double loud = loudness(run->passes++, n);

		set_noise(c, loud);
		if (!pass(c) && !loud)
			break;
	}
	if (run->passes)
		c->i->known = false;
	if (run->passes && !run->blind)
		judge_again(c);
}

void weft__improver_forget(struct weft__improver *i)
{
	i->loaded = i->priced = i->known = false;
}

/* Room for what judging does without. */
static bool prepare(struct search *c)
{
	struct weft__improver *i = c->i;

	if (!i->noise)
		i->noise = weft__arena_alloc(i->arena, NUMBERS,
					     sizeof(*i->noise));
	if (!i->copy)
		i->copy = weft__arena_alloc(i->arena, c->trees->nendports,
					    i->model.fabric->nsw);
	return i->noise && i->copy;
}

static void improve(struct search *c, struct weft__improve *run)
{
	uint32_t n = c->trees->nendports, nsw = c->i->model.fabric->nsw;

	c->i->model.legal = run->legal;
	if (!run->legal)
		weft__trees_save(c->trees, n, nsw, c->i->copy);
	search(c, run, count_passes(run->effort, pass_effort(c)));
	run->after = c->i->worth;
	if (run->legal || run->after > run->before)
		return;
	weft__trees_restore(c->trees, n, nsw, c->i->copy);
	weft__improver_forget(c->i);
	run->after = run->before;
}

struct weft__improver *weft__improver_new(const struct weft_fabric *f,
					  struct weft_arena *arena,
					  bool hosts_only, unsigned one_in,
					  bool cheap)
{
	struct weft__improver *i = weft__arena_zalloc(arena, 1, sizeof(*i));

	if (!i || !weft__expect_init(&i->model, f, arena, hosts_only))
		return NULL;
	i->arena = arena;
	i->one_in = one_in;
	i->cheap = cheap;
	return i;
}

int weft__improver_run(struct weft__improver *improver,
		       struct weft__ways *ways,
		       const struct weft__trees *trees,
		       struct weft__improve *run)
{
	struct search c = { .i = improver, .ways = ways, .trees = trees };

	if (run->effort) {
		c.rng = weft_rng_new(run->seed);
		if (!c.rng || !prepare(&c)) {
			weft_rng_free(c.rng);
			return -ENOMEM;
		}
	}
	if (!run->blind || !improver->priced)
		judge(&c, run->effort);
	run->before = run->after = improver->worth;
	run->passes = 0;
	if (run->effort)
		improve(&c, run);
	weft_rng_free(c.rng);
	return 0;
}

int weft__improve_trees(struct weft__ways *ways,
			const struct weft__trees *trees,
			struct weft__improve *run)
{
	struct weft_arena *arena = weft__arena_new();
	struct weft__improver *improver = NULL;
	int err = -ENOMEM;

	if (arena)
		improver = weft__improver_new(ways->fabric, arena,
					      run->hosts_only, 1, false);
	if (improver)
		err = weft__improver_run(improver, ways, trees, run);
	weft__arena_free(arena);
	return err;
}
