// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: lash, lanes given out online
 *
 * Pairs of switches are taken one after the other, and each goes to the first
 * lane whose dependencies stay acyclic with those of all traffic between the
 * two, in both directions (Skeie, Lysne, Theiss, "Layered shortest path (LASH)
 * routing in irregular system area networks", 2002).  Pairs that found no place
 * in an earlier run come first, if there was one, then pairs with hosts, of
 * these the farthest apart: they are the hardest to place, and the short ones
 * fill the gaps.  Before all others come pairs whose routes pass a cable that
 * has fewer lanes, where there are such cables: the others may go elsewhere.
 *
 * Published LASH has one route for a pair of switches.  Here all trees of the
 * two count, since endports on one switch may be reached by different ways.
 *
 * The effort may be spent on changing the lanes' orders, and once more as much
 * in equal shares of each lane.  After that the order of a lane stays as it is,
 * and a pair must run forward in it.  Pairs without hosts are not tried then.
 *
 * Deadlock: every lane is acyclic after each step.
 *
 * Complexity: O(lanes x routes x hops) insertions into the CDG, where routes =
 * switches x trees; most insertions find their edge there already.
 *
 * Memory: two bytes for each ordered pair of switches, and the CDG.
 */
#include "layers/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Adds all routes from switch a to switch b to a lane.  Returns false, with
 * some of them added, if that would close a cycle. */
static bool routes_add(const struct weft__job *job, uint32_t a, uint32_t b,
		       struct weft__order *o, uint32_t lane)
{
	const struct weft__traffic *t = &job->traffic;

	for (uint32_t i = t->first[b]; i < t->first[b + 1]; i++)
		if (!weft__route_add(t, t->live[i], a, o, lane))
			return false;
	return true;
}

void weft__count_unplaced(struct weft__lanes_found *l, size_t n)
{
	l->unplaced = 0;
	for (size_t i = 0; i < n; i++)
		l->unplaced += l->lane[i] == WEFT__UNPLACED;
}

bool weft__pair_add(const struct weft__job *job, uint32_t a, uint32_t b,
		    struct weft__order *o, uint32_t lane)
{
	weft__order_mark(o);
	if (routes_add(job, a, b, o, lane) &&
	    (job->one_way || routes_add(job, b, a, o, lane)))
		return true;
	weft__order_undo(o);
	return false;
}

struct lash {
	struct weft__job *job;
	struct weft__order order;
	unsigned limit;
	uint64_t spent[WEFT_MAX_LANES];
	uint8_t *distance;	/* [nsw][nsw] hops along the first
				 * tree, at most 255 */
	uint8_t farthest;
	uint8_t *hosts;		/* [nsw] has LIDs that are not thin */
	uint8_t *tight;		/* [nsw][nsw] routes that pass a channel with
				 * fewer lanes than the limit; NULL: no
				 * channel has fewer */
	struct weft__lanes_found found;
};

static bool has_lids(const struct lash *l, uint32_t b)
{
	const struct weft__traffic *t = &l->job->traffic;

	return t->first[b] != t->first[b + 1];
}

/* Finds the hops from each switch to b. */
static void measure_hops(struct lash *l, uint32_t b)
{
	const struct weft__traffic *t = &l->job->traffic;
	const uint8_t *tree;

	if (!has_lids(l, b))
		return;
	for (uint32_t i = t->first[b]; i < t->first[b + 1]; i++)
		l->hosts[b] |= !t->thin[t->live[i]];
	tree = weft__tree_ports(t, t->live[t->first[b]]);
	for (uint32_t a = 0; a < t->nsw; a++) {
		unsigned hops = 0;

		for (uint32_t s = a; tree[s] && hops < 255; hops++)
			s = t->fabric->peer[weft_channel(t->fabric, s,
							 tree[s])];
		l->distance[(size_t)a * t->nsw + b] = hops;
		if (hops > l->farthest)
			l->farthest = hops;
	}
}

/* Returns the hops of a pair: if nothing is sent to b, those of what b
 * sends. */
static unsigned pair_hops(const struct lash *l, uint32_t a, uint32_t b)
{
	size_t n = l->job->fabric->nsw;

	return has_lids(l, b) || l->job->one_way ? l->distance[a * n + b] :
						   l->distance[b * n + a];
}

/* Finds the switches whose routes to b pass a channel with fewer lanes. */
static void find_tight(struct lash *l, uint32_t b)
{
	const struct weft__traffic *t = &l->job->traffic;
	size_t n = t->nsw;

	for (uint32_t i = t->first[b]; i < t->first[b + 1]; i++) {
		const uint8_t *tree = weft__tree_ports(t, t->live[i]);

		for (uint32_t a = 0; a < n; a++)
			for (uint32_t s = a; tree[s];) {
				uint32_t ch = weft_channel(t->fabric, s,
							   tree[s]);

				l->tight[a * n + b] |= t->room[ch] < l->limit;
				s = t->fabric->peer[ch];
			}
	}
}

/* Gives the first lane to switches themselves, and to pairs that send each
 * other nothing, for want of LIDs. */
static void place_silent(struct lash *l)
{
	size_t n = l->job->fabric->nsw;

	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			if (a == b || (!has_lids(l, b) && (l->job->one_way ||
							   !has_lids(l, a))))
				l->found.lane[a * n + b] = 0;
}

/* Tries a pair in a lane.  The order of the lane may change while the job's
 * effort is not spent, or the lane's share of as much again. */
static bool try_lane(struct lash *l, uint32_t a, uint32_t b, unsigned lane)
{
	uint64_t before = l->order.work;
	bool may = before < l->job->effort ||
		   l->spent[lane] < l->job->effort / l->limit;
	bool fits;

	l->order.work_limit = may ? UINT64_MAX : 0;
	fits = weft__pair_add(l->job, a, b, &l->order, lane);
	l->spent[lane] += l->order.work - before;
	return fits;
}

static void place_pair(struct lash *l, uint32_t a, uint32_t b)
{
	unsigned lane = 0;

	while (lane < l->limit && !try_lane(l, a, b, lane))
		lane++;
	if (lane == l->limit) {
		lane = WEFT__UNPLACED;
		l->found.unplaced++;
	} else if (lane >= l->found.nlanes) {
		l->found.nlanes = lane + 1;
	}
	weft__pair_set(l->job, l->found.lane, a, b, lane);
}

enum { URGENT, TIGHT, HOSTS, OTHERS, RANKS };

static unsigned rank_pair(const struct lash *l, uint32_t a, uint32_t b)
{
	const uint8_t *urgent = l->job->urgent;
	size_t n = l->job->fabric->nsw, ab = a * n + b;

	if (urgent && urgent[ab])
		return URGENT;
	if (l->tight && (l->tight[ab] ||
			 (!l->job->one_way && l->tight[(size_t)b * n + a])))
		return TIGHT;
	return l->hosts[a] && l->hosts[b] ? HOSTS : OTHERS;
}

/* Places the pairs of a rank that are so far apart.  Returns false to give
 * up. */
static bool place_some(struct lash *l, unsigned hops, unsigned of)
{
	uint32_t n = l->job->fabric->nsw;

	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = l->job->one_way ? 0 : a; b < n; b++) {
			if (pair_hops(l, a, b) != hops ||
			    rank_pair(l, a, b) != of)
				continue;
			place_pair(l, a, b);
			if ((l->job->first_gap_ends && l->found.unplaced) ||
			    (of == OTHERS && l->order.work > l->job->effort))
				return false;
		}
	return true;
}

static void place_all(struct lash *l)
{
	l->found.nlanes = 1;
	for (unsigned of = 0; of < RANKS; of++)
		for (unsigned hops = l->farthest; hops; hops--)
			if (!place_some(l, hops, of))
				return;
}

int weft__lash(struct weft__job *job, unsigned limit,
	       struct weft__lanes_found *out)
{
	struct lash l = { .job = job, .limit = limit };
	size_t n = job->fabric->nsw;
	int err = weft__order_init(&l.order, job->fabric, limit);

	l.distance = calloc(n * n + 1, 1);
	l.hosts = calloc(n + 1, 1);
	l.found.lane = malloc(n * n + 1);
	if (job->traffic.room)
		l.tight = calloc(n * n + 1, 1);
	if (!err && l.distance && l.hosts && l.found.lane &&
	    (l.tight || !job->traffic.room)) {
		memset(l.found.lane, WEFT__UNPLACED, n * n);
		for (uint32_t b = 0; b < n; b++)
			measure_hops(&l, b);
		for (uint32_t b = 0; b < n && l.tight; b++)
			find_tight(&l, b);
		place_silent(&l);
		place_all(&l);
		weft__count_unplaced(&l.found, n * n);
		job->work += l.order.work;
		*out = l.found;
	} else {
		err = -ENOMEM;
		free(l.found.lane);
	}
	weft__order_free(&l.order);
	free(l.distance);
	free(l.hosts);
	free(l.tight);
	return err;
}
