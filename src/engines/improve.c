// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: improving trees by what streams expect of each other
 *
 * Load counts the pairs whose routes share a channel.  What hurts is streams
 * that share it at the same time; and a host sends one stream, and receives one.
 * Hence:
 * - Pairs with the same destination, or the same source, never meet.
 * - Two streams that share one channel have their bandwidth halved; if they
 *   share the next one, too, it costs them nothing more.  So routes that meet
 *   should stay together.
 * - The most crowded channel of a route decides; what is shared on others costs
 *   little.
 * The objective is the expected bandwidth of the streams of a random bisection
 * under a model of these three: on each channel of a route those whom it did
 * not have beside it before come like a Poisson process (crowds.h), numbers on
 * successive channels are independent, and the stream's bandwidth is one over
 * the largest number.
 *
 * Search: one tree after the other is taken out, and built anew from its root.
 * Each switch takes the cable by which its own streams keep most, less what
 * they cost the streams of others.  That cost (price) comes from the pass
 * before: for each channel, by how much its streams' bandwidth falls if one
 * more comes.  First passes add noise to every choice, which falls to nothing:
 * where loads are all alike (a full tree under psssp) each single change is for
 * the worse.
 *
 * All of it is in integers but for a few numbers per channel and pass.
 * Complexity: a look at a cable is a product of two vectors of eight; so a pass
 * is some five times one of weft__balance_endports().
 */
#include "engines/improve.h"

#include "core/arena.h"
#include "engines/crowds.h"

#include <weft/rng.h>

#include <errno.h>
#include <string.h>

#define MAX_PASSES 24
#define QUIET_PASSES 2		/* the last ones are without noise */
#define NOISE 4096		/* random numbers, used over and over */
#define SLACK (NOISE + 256)	/* past the last start: a switch's cables */
#define LOUDEST 0.1		/* first noise, as a share of bandwidth */

/* A cable of a switch, in the order of the fabric's adjacency. */
struct edge {
	uint32_t head;		/* switch it leads to */
	uint32_t load;		/* pairs (source, LID) routed over it */
	uint32_t rows;		/* first row of its speed */
	uint32_t price;		/* what one more stream costs all others, per
				 * quarter of a pair of theirs */
	uint16_t uses;		/* trees that take it */
	uint16_t entry;		/* its other direction, as position there */
};

/* What those who may send to a switch must know of its way to the destination
 * at hand. */
struct way {
	int16_t gain[WEFT__LEVELS];	/* times the chances on the way */
	int64_t price;		/* what a stream costs others on the way */
	const uint32_t *turn;	/* from each edge that enters by to the edge
				 * that is taken; zeroes at the destination */
};

/* What else is known of a switch. */
struct state {
	uint32_t through;	/* sources that send by it */
	uint32_t own;		/* of these, those of the switch itself: a
				 * share, << 16, less one */
	uint32_t crowd;		/* fresh streams on its edge */
	uint32_t worth[WEFT__LEVELS];	/* gains summed over through */
};

struct search {
	const struct weft_fabric *f;
	struct weft_arena *arena;
	struct weft__crowds *tables;
	struct edge *edge;
	uint64_t *first_turn;	/* [nsw] of the edges that leave a switch, for
				 * each the pairs that come by each edge */
	uint32_t *turn;
	uint32_t *no_turn;	/* [most edges of a switch] zeroes */
	uint64_t *harm;		/* [edges] in this pass: fall of bandwidth per
				 * stream that joins, summed over pairs */
	struct way *way;	/* [nsw] */
	struct state *state;	/* [nsw] */
	uint32_t *sources;	/* [nsw] endports that count */
	bool hosts_only;
	int32_t *noise;		/* [NOISE + SLACK] */
	uint64_t crowds;	/* rows for each quarter of a pair, << 32 */
	double streams;		/* expected for each quarter of a pair, in
				 * bundles */
	uint64_t worth;		/* of all pairs, in this pass */
	uint32_t changed;	/* choices, in this pass */
};

static void *alloc(struct search *c, uint64_t n, size_t size)
{
	return weft__arena_zalloc(c->arena, n, size);
}

static bool counts(const struct search *c, uint32_t endport)
{
	return !c->hosts_only || c->f->ep[endport].kind == WEFT_HOST;
}

static bool tree_counts(const struct search *c, const struct weft__tree *tree)
{
	return counts(c, weft_lid_owner(c->f, tree->lid) & ~WEFT_ENDPORT);
}

/* Position of a channel that leaves switch s in its adjacency. */
static uint32_t position(const struct weft_fabric *f, uint32_t s,
			 uint32_t channel)
{
	const uint32_t *adj = f->adj + f->adj_first[s];
	uint32_t k = 0;

	while (adj[k] != channel)
		k++;
	return k;
}

static bool prepare_edges(struct search *c)
{
	const struct weft_fabric *f = c->f;
	uint32_t nedges = f->adj_first[f->nsw];

	c->edge = alloc(c, nedges, sizeof(*c->edge));
	c->harm = alloc(c, nedges, sizeof(*c->harm));
	if (!c->edge || !c->harm)
		return false;
	for (uint32_t e = 0; e < nedges; e++) {
		uint32_t head = f->peer[f->adj[e]];

		c->edge[e] = (struct edge){
			.head = head,
			.entry = position(f, head, f->reverse[f->adj[e]]),
		};
	}
	return true;
}

static bool prepare_turns(struct search *c)
{
	const struct weft_fabric *f = c->f;
	uint64_t n = 0, most = 0;

	c->first_turn = alloc(c, f->nsw, sizeof(*c->first_turn));
	if (!c->first_turn)
		return false;
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint64_t degree = f->adj_first[s + 1] - f->adj_first[s];

		c->first_turn[s] = n;
		n += degree * degree;
		most = degree > most ? degree : most;
	}
	c->turn = alloc(c, n, sizeof(*c->turn));
	c->no_turn = alloc(c, most, sizeof(*c->no_turn));
	return c->turn && c->no_turn;
}

static bool prepare(struct search *c)
{
	const struct weft_fabric *f = c->f;

	c->tables = alloc(c, 1, sizeof(*c->tables));
	c->way = alloc(c, f->nsw, sizeof(*c->way));
	c->state = alloc(c, f->nsw, sizeof(*c->state));
	c->sources = alloc(c, f->nsw, sizeof(*c->sources));
	c->noise = alloc(c, NOISE + SLACK, sizeof(*c->noise));
	if (!c->tables || !c->way || !c->state || !c->sources || !c->noise)
		return false;
	for (uint32_t e = 0; e < f->nep; e++)
		c->sources[f->ep[e].sw] += counts(c, e);
	return prepare_edges(c) && prepare_turns(c);
}

/* The turns from each edge that enters a switch into one that leaves it. */
static inline uint32_t *turns_into(const struct search *c, uint32_t s,
				   uint32_t k)
{
	uint32_t degree = c->f->adj_first[s + 1] - c->f->adj_first[s];

	return c->turn + c->first_turn[s] + (size_t)k * degree;
}

/* The tree's own pairs leave the loads (sign -1, modulo 2^32) or join them;
 * farthest switches first.  Sets through and own of each state. */
static void count(struct search *c, const struct weft__plan *plan,
		  const uint8_t *choice, uint32_t sign)
{
	uint32_t root = plan->order[0];

	for (uint32_t i = 0; i <= plan->n; i++)
		c->state[plan->order[i]].through = c->sources[plan->order[i]];
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i];
		struct state *state = &c->state[s];
		struct edge *e = &c->edge[c->f->adj_first[s] + choice[s]];
		uint32_t h = e->head;

		e->load += sign * state->through;
		e->uses += sign;
		if (h != root)
			turns_into(c, h, choice[h])[e->entry] +=
				sign * state->through;
		c->state[h].through += state->through;
		state->own = state->through ?
			((uint64_t)c->sources[s] * UINT16_MAX) / state->through : 0;
	}
}

/*
 * Quarters of the pairs that a stream meets on an edge, but not of those it
 * meets on the next one, too: whose streams go on together meet once.  (Three
 * quarters of these are left out, not all: the larger crowd may be on the next
 * edge.)  A source's other pairs are left out as well.
 */
static inline uint32_t fresh(const struct edge *e, const struct way *head,
			     uint32_t own)
{
	uint32_t met = 3 * head->turn[e->entry] + (e->uses * own >> 14);

	return 4 * e->load > met ? 4 * e->load - met : 0;
}

static inline uint32_t crowd(const struct search *c, const struct edge *e,
			     uint32_t quarters)
{
	uint64_t row = c->crowds * quarters >> 32;

	return e->rows + (row < WEFT__CROWDS ? row : WEFT__CROWDS - 1);
}

/*
 * The kernel: the position of the edge of switch s by which its streams keep
 * most, less what they cost others.  held: the edge taken so far.
 */
static uint32_t best_edge(const struct search *c, uint32_t s,
			  const struct weft__run *run, unsigned nruns,
			  uint32_t held, const int32_t *noise)
{
	const struct edge *edge = c->edge + c->f->adj_first[s];
	uint32_t own = c->state[s].own, choice = held;
	int64_t best = INT64_MIN;

	for (; nruns; nruns--, run++) {
		uint32_t end = run->start + run->length;

		for (uint32_t k = run->start; k < end; k++) {
			const struct edge *e = &edge[k];
			const struct way *head = &c->way[e->head];
			uint32_t quarters = fresh(e, head, own);
			int64_t worth;

			worth = weft__crowds_worth(
				c->tables->chance[crowd(c, e, quarters)],
				head->gain);
			worth -= head->price + (int64_t)e->price * quarters;
			worth += *noise++ + (k == held);
			if (worth > best) {
				best = worth;
				choice = k;
			}
		}
	}
	return choice;
}

/* A switch's way by the edge it takes. */
static void settle(struct search *c, uint32_t s, uint32_t choice)
{
	const struct edge *e = &c->edge[c->f->adj_first[s] + choice];
	const struct way *head = &c->way[e->head];
	uint32_t quarters = fresh(e, head, c->state[s].own);
	struct way *way = &c->way[s];
	const int16_t *chance;
	int16_t gain[WEFT__LEVELS];

	c->state[s].crowd = crowd(c, e, quarters);
	chance = c->tables->chance[c->state[s].crowd];
	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		gain[k] = (head->gain[k] * chance[k] + (1 << 14)) >> 15;
	memcpy(way->gain, gain, sizeof(gain));
	way->price = head->price + (int64_t)e->price * quarters;
	way->turn = turns_into(c, s, choice);
}

/* Adds what one more stream on each edge would cost the tree's own ones, and
 * what these are worth; farthest switches first. */
static void add_harm(struct search *c, const struct weft__plan *plan,
		     const uint8_t *choice)
{
	struct state *root = &c->state[plan->order[0]];

	for (uint32_t i = 0; i <= plan->n; i++) {
		uint32_t s = plan->order[i];
		uint32_t sources = i ? c->sources[s] : 0;

		for (unsigned k = 0; k < WEFT__LEVELS; k++)
			c->state[s].worth[k] = sources * c->way[s].gain[k];
	}
	for (uint32_t i = plan->n; i > 0; i--) {
		uint32_t s = plan->order[i];
		const struct state *state = &c->state[s];
		uint32_t e = c->f->adj_first[s] + choice[s];
		uint32_t *worth = c->state[c->edge[e].head].worth;
		const int16_t *fall = c->tables->fall[state->crowd];
		uint64_t harm = 0;

		for (unsigned k = 0; k < WEFT__LEVELS; k++) {
			harm += (uint64_t)state->worth[k] * fall[k];
			worth[k] += state->worth[k];
		}
		c->harm[e] += harm;
	}
	for (unsigned k = 0; k < WEFT__LEVELS; k++)
		c->worth += root->worth[k];
}

/* Takes one tree out of the loads, chooses anew if there is noise (which may be
 * all zero) and puts it back. */
static void visit(struct search *c, const struct weft__plan *plan,
		  uint8_t *choice, const int32_t *noise)
{
	const struct weft__run *run = plan->run;
	struct way *root = &c->way[plan->order[0]];
	uint32_t at = 0;

	count(c, plan, choice, -UINT32_C(1));
	memcpy(root->gain, c->tables->gain, sizeof(root->gain));
	root->price = 0;
	root->turn = c->no_turn;
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t s = plan->order[i + 1];

		if (noise) {
			uint32_t k = best_edge(c, s, run, plan->nruns[i],
					       choice[s], noise + at);

			c->changed += k != choice[s];
			choice[s] = k;
			run += plan->nruns[i];
			at = (at + 61) % NOISE;
		}
		settle(c, s, choice[s]);
	}
	add_harm(c, plan, choice);
	count(c, plan, choice, 1);
}

/* What a stream more costs on each edge, from the harm of the last pass. */
static void set_prices(struct search *c)
{
	for (uint32_t e = 0; e < c->f->adj_first[c->f->nsw]; e++) {
		struct edge *edge = &c->edge[e];
		double price = edge->load ? (double)c->harm[e] / edge->load *
					    c->streams : 0;

		edge->price = price < UINT32_MAX ? price : UINT32_MAX;
		c->harm[e] = 0;
	}
}

/* A new set of random numbers up to +-loud / 2. */
static void set_noise(struct search *c, struct weft_rng *rng, double loud)
{
	double unit = loud / (1 << (32 - WEFT__WHOLE_BITS));

	for (uint32_t i = 0; i < NOISE + SLACK; i++)
		c->noise[i] = (int32_t)(weft_rng_u32(rng) ^ 0x80000000u) *
			      unit;
}

/* One pass over all endports' trees; rng NULL: only weighs them.  Returns the
 * expected bandwidth of a stream. */
static double pass(struct search *c, struct weft__ways *ways,
		   const struct weft__trees *trees, struct weft_rng *rng)
{
	uint64_t far = 0, near = 0;

	c->worth = 0;
	c->changed = 0;
	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];
		const struct weft__plan *plan = weft__ways_to(ways, tree->root);
		const int32_t *noise = NULL;

		if (!tree_counts(c, tree))
			continue;
		if (rng)
			noise = c->noise + weft_rng_below(rng, NOISE);
		visit(c, plan, tree->choice, noise);
		near += c->sources[tree->root] - 1;
		for (uint32_t i = 1; i <= plan->n; i++)
			far += c->sources[plan->order[i]];
	}
	set_prices(c);
	if (!far)
		return 1;
	return (c->worth / (double)INT16_MAX + c->tables->floor * far + near) /
	       (far + near);
}

/* What most endports send: of capacities that are equally common the largest;
 * of a few capacities, for others do not occur. */
static uint32_t host_capacity(const struct weft_fabric *f)
{
	uint32_t capacity[WEFT__SPEEDS], count[WEFT__SPEEDS], n = 0, best = 0;

	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t mine = f->capacity[f->first_injection + e], i = 0;

		while (i < n && capacity[i] != mine)
			i++;
		if (i == WEFT__SPEEDS)
			continue;
		if (i == n) {
			capacity[n] = mine;
			count[n++] = 0;
		}
		count[i]++;
	}
	for (uint32_t i = 1; i < n; i++)
		if (count[i] > count[best] || (count[i] == count[best] &&
					       capacity[i] > capacity[best]))
			best = i;
	return n ? capacity[best] : 0;
}

/* How much slower an edge is than a host. */
static double slowness(const struct weft_fabric *f, uint32_t e, uint32_t host)
{
	uint32_t capacity = f->capacity[f->adj[e]];

	return host && capacity ? (double)host / capacity : 1;
}

/* Gives each edge the rows of its speed; speeds after the last that there is
 * room for share its rows. */
static void sort_speeds(struct search *c, uint32_t host)
{
	double speed[WEFT__SPEEDS];
	unsigned n = 0, i;

	for (uint32_t e = 0; e < c->f->adj_first[c->f->nsw]; e++) {
		double slow = slowness(c->f, e, host);

		for (i = 0; i < n && speed[i] != slow; i++)
			;
		if (i == WEFT__SPEEDS)
			i--;
		if (i == n) {
			speed[n++] = slow;
			weft__crowds_speed(c->tables, i, slow);
		}
		c->edge[e].rows = i * WEFT__CROWDS;
	}
}

/* Tables for the crowds that are on the channels now. */
static void make_tables(struct search *c, double chance)
{
	uint32_t host = host_capacity(c->f);
	double streams = 0, congestion = 0;

	for (uint32_t e = 0; e < c->f->adj_first[c->f->nsw]; e++) {
		double slow = slowness(c->f, e, host);
		double here = c->edge[e].load * chance;

		if (here > streams)
			streams = here;
		if (slow * here > congestion)
			congestion = slow * here;
	}
	weft__crowds_init(c->tables, streams, congestion);
	sort_speeds(c, host);
	c->crowds = chance / 4 * c->tables->crowds_per_stream *
		    (UINT64_C(1) << 32);
	c->streams = chance / 4 * c->tables->crowds_per_stream *
		     c->tables->bundles_per_crowd;
}

/* Loads of all trees, and the tables that suit them. */
static void load_all(struct search *c, struct weft__ways *ways,
		     const struct weft__trees *trees)
{
	uint32_t n = 0;

	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__tree *tree = &trees->tree[d];

		if (!tree_counts(c, tree))
			continue;
		count(c, weft__ways_to(ways, tree->root), tree->choice, 1);
		n++;
	}
	/* Half of the hosts send, each to one of all others. */
	make_tables(c, 0.5 / (n > 1 ? n - 1 : 1));
}

/* Cables that one pass looks at. */
static uint64_t pass_effort(struct weft__ways *ways,
			    const struct weft__trees *trees)
{
	uint64_t effort = 0, cables = 0;
	uint32_t root = WEFT_NONE;

	for (uint32_t d = 0; d < trees->nendports; d++) {
		const struct weft__plan *plan;

		if (trees->tree[d].root != root) {
			root = trees->tree[d].root;
			plan = weft__ways_to(ways, root);
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

static void search(struct search *c, struct weft__ways *ways,
		   const struct weft__trees *trees, struct weft_rng *rng,
		   struct weft__improve *run)
{
	unsigned n = count_passes(run->effort, pass_effort(ways, trees));

	load_all(c, ways, trees);
	run->before = pass(c, ways, trees, NULL);
	run->after = run->before;
	for (run->passes = 0; run->passes < n; ) {
		double loud = loudness(run->passes++, n);

		set_noise(c, rng, loud);
		pass(c, ways, trees, rng);
		if (!loud && !c->changed)
			break;
	}
	if (run->passes)
		run->after = pass(c, ways, trees, NULL);
}

/* Copies the choices of endports' trees, one after the other. */
static void save(const struct weft__trees *trees, uint32_t nsw, uint8_t *copy)
{
	for (uint32_t d = 0; d < trees->nendports; d++)
		memcpy(copy + (size_t)d * nsw, trees->tree[d].choice, nsw);
}

static void restore(const struct weft__trees *trees, uint32_t nsw,
		    const uint8_t *copy)
{
	for (uint32_t d = 0; d < trees->nendports; d++)
		memcpy(trees->tree[d].choice, copy + (size_t)d * nsw, nsw);
}

int weft__improve_trees(struct weft__ways *ways,
			const struct weft__trees *trees,
			struct weft__improve *run)
{
	struct search c = { .f = ways->fabric,
			    .hosts_only = run->hosts_only };
	struct weft_rng *rng = weft_rng_new(run->seed);
	uint8_t *copy = NULL;
	int err = -ENOMEM;

	c.arena = weft__arena_new();
	if (c.arena && rng && prepare(&c))
		copy = alloc(&c, (uint64_t)trees->nendports * c.f->nsw, 1);
	if (copy) {
		err = 0;
		save(trees, c.f->nsw, copy);
		search(&c, ways, trees, rng, run);
		if (run->after <= run->before) {
			restore(trees, c.f->nsw, copy);
			run->after = run->before;
		}
	}
	weft__arena_free(c.arena);
	weft_rng_free(rng);
	return err;
}
