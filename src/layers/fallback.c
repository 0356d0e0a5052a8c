// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: fallback, when lanes run out for management traffic
 *
 * A method has placed the traffic of all hosts, in all lanes but one.
 * Destinations that are left over are routed again with Up*Down*, in the last
 * lane (Hoefler, Schneider, Lumsdaine, HOTI 2009, section III.D), by the ways
 * and with the balance of engine weave (updown.h).
 *
 * Let C be the switches whose LIDs are routed again.  Traffic from x in C to y
 * outside C follows y's old routes, but shares the SL of the traffic from y to
 * x. Hence:
 *
 * - The last lane has all dependencies of Up*Down* ways as edges from the
 *   start.  Traffic between two switches of C adds nothing to it.
 * - A pair of x in C and y outside takes the first lane, the last one included,
 *   that stays acyclic with the routes in both directions.  If there is none, y
 *   joins C: its LIDs are routed again, and all its pairs are placed anew,
 *   those with other members in the last lane, which always takes them.
 * - C only grows, so that this ends, at the latest with every switch in C. Then
 *   all traffic is Up*Down* in one lane.
 *
 * Edges of routes that no longer exist stay in the graphs, which then refuse
 * more than they must, never less.  So in the end each lane holds all
 * dependencies of its traffic, and is acyclic.
 *
 * C starts as a cover of the pairs left over, built greedily from the switches
 * with most of them.
 *
 * Complexity: O(|C| x lanes x trees x hops) insertions, and O(switches x
 * cables) for the root and the trees.
 *
 * Memory: a CDG of all lanes, a byte for each pair of switches.
 */
#include "layers/job.h"

#include <errno.h>
#include <stdlib.h>

struct fallback {
	struct weft__job *job;
	struct weft__lanes_found *found;
	struct weft__updown *updown;	/* that of the job */
	struct weft__order order;
	unsigned last;		/* the lane of Up*Down* */
	uint8_t *member;	/* [nsw] the switch is in C */
	uint32_t *queue;	/* [nsw] members in order of joining */
	uint32_t nqueue;
	uint32_t *left;		/* [nsw] pairs without a place */
	uint32_t *list;		/* [ntrees] trees to make anew */
};

static uint8_t *lane_of(const struct fallback *b, uint32_t x, uint32_t y)
{
	return &b->found->lane[(size_t)x * b->job->fabric->nsw + y];
}

/* Puts a switch into C: its LIDs are routed again. */
static void add_member(struct fallback *b, uint32_t x)
{
	b->member[x] = 1;
	b->queue[b->nqueue++] = x;
}

/* Lists the trees of the members in the queue from one member on.  Returns how
 * many there are. */
static uint32_t list_members(struct fallback *b, uint32_t from)
{
	const struct weft__traffic *t = &b->job->traffic;
	uint32_t n = 0;

	for (; from < b->nqueue; from++) {
		uint32_t x = b->queue[from];

		for (uint32_t i = t->first[x]; i < t->first[x + 1]; i++)
			b->list[n++] = t->live[i];
	}
	return n;
}

/* Makes the n listed trees anew, with all other ones as loads. */
static int route_listed(struct fallback *b, uint32_t n)
{
	struct weft__traffic *t = &b->job->traffic;
	uint32_t all = t->first[t->nsw];

	for (uint32_t i = 0; i < all && n < all; i++)
		weft__updown_load(b->updown, t, t->live[i], 1);
	for (uint32_t i = 0; i < n && n < all; i++)
		weft__updown_load(b->updown, t, b->list[i], -1ull);
	return weft__updown_trees(b->updown, t, b->list, n, n == all);
}

/* Puts a switch into C after the trees of the other members were made. */
static void join_late(struct fallback *b, uint32_t x)
{
	struct weft__traffic *t = &b->job->traffic;

	add_member(b, x);
	for (uint32_t i = t->first[x]; i < t->first[x + 1]; i++) {
		weft__updown_load(b->updown, t, t->live[i], -1ull);
		weft__updown_tree(b->updown, t, t->live[i]);
	}
}

static bool is_left(const struct fallback *b, uint32_t x, uint32_t y)
{
	return *lane_of(b, x, y) == WEFT__UNPLACED ||
	       *lane_of(b, y, x) == WEFT__UNPLACED;
}

static void count_left(struct fallback *b)
{
	uint32_t n = b->job->fabric->nsw;

	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = 0; y < n; y++)
			b->left[x] += is_left(b, x, y);
}

/* Puts a cover of the pairs left over into C. */
static void join_cover(struct fallback *b)
{
	uint32_t n = b->job->fabric->nsw;

	count_left(b);
	for (;;) {
		uint32_t worst = 0;

		for (uint32_t x = 1; x < n; x++)
			if (b->left[x] > b->left[worst])
				worst = x;
		if (!n || !b->left[worst])
			return;
		for (uint32_t y = 0; y < n; y++)
			if (!b->member[y] && y != worst &&
			    is_left(b, worst, y))
				b->left[y]--;
		b->left[worst] = 0;
		add_member(b, worst);
	}
}

/* Puts pairs without a member of C back into their lanes. */
static void keep_placed(struct fallback *b)
{
	uint32_t n = b->job->fabric->nsw;

	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = x; y < n; y++)
			if (!b->member[x] && !b->member[y])
				weft__pair_add(b->job, x, y, &b->order,
					       *lane_of(b, x, y));
}

static void place_with(struct fallback *b, uint32_t x, uint32_t y)
{
	unsigned lane = 0;

	if (b->member[y]) {
		lane = b->last;
	} else {
		while (lane <= b->last &&
		       !weft__pair_add(b->job, x, y, &b->order, lane))
			lane++;
		if (lane > b->last) {
			join_late(b, y);
			lane = b->last;
		}
	}
	weft__pair_set(b->job, b->found->lane, x, y, lane);
}

static int route_and_place(struct fallback *b)
{
	int err;

	if (!weft__updown_turns(b->updown, &b->order.cdg, b->last))
		return -ENOMEM;
	weft__order_renew(&b->order);
	join_cover(b);
	err = route_listed(b, list_members(b, 0));
	if (err)
		return err;
	keep_placed(b);
	for (uint32_t i = 0; i < b->nqueue; i++)
		for (uint32_t y = 0; y < b->job->fabric->nsw; y++)
			place_with(b, b->queue[i], y);
	return 0;
}

static int prepare(struct fallback *b)
{
	size_t n = b->job->fabric->nsw + 1ull;
	int err = weft__updown_init(b->updown, b->job->fabric);

	b->member = calloc(n, 1);
	b->queue = malloc(n * sizeof(*b->queue));
	b->left = calloc(n, sizeof(*b->left));
	b->list = malloc((b->job->traffic.ntrees + 1ull) * sizeof(*b->list));
	if (!err && (!b->member || !b->queue || !b->left || !b->list))
		err = -ENOMEM;
	if (!err)
		err = weft__order_init(&b->order, b->job->fabric, b->last + 1);
	return err;
}

/* Makes the lane of Up*Down* the first one, which all channels have. */
static void last_first(struct fallback *b)
{
	size_t n = (size_t)b->job->fabric->nsw * b->job->fabric->nsw;

	for (size_t i = 0; i < n; i++)
		b->found->lane[i] = b->found->lane[i] == b->last ?
			0 : b->found->lane[i] + 1;
}

int weft__fall_back(struct weft__job *job, struct weft__lanes_found *l,
		    uint32_t *root)
{
	struct fallback b = { .job = job, .found = l, .updown = &job->updown,
			      .last = job->spec->lanes - 1 };
	int err = prepare(&b);

	if (!err)
		err = route_and_place(&b);
	if (!err) {
		l->unplaced = 0;
		l->nlanes = job->spec->lanes;
		if (job->traffic.room)
			last_first(&b);
		*root = weft__updown_root(b.updown);
		job->work += b.order.work;
	}
	weft__order_free(&b.order);
	free(b.member);
	free(b.queue);
	free(b.left);
	free(b.list);
	return err;
}
