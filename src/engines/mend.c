// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: mend, routes that fit the lanes
 *
 * Each lane allows some turns, those forward in an order of its channels, so
 * that whatever keeps to them closes no cycle.  A pair of switches needs a lane
 * that allows all turns of all ways between the two.  Where trees leave some
 * pairs without, this bends the trees, with the lanes as they are.
 *
 * The offence of a pair is how many of its ways are not legal in the lane in
 * which most are; times its weight, summed over all pairs, that is what is
 * brought down to nothing.  For a pair that offends, each lane is tried: those
 * of its ways that are not legal there are led from their source by the fewest
 * turns of that lane to a switch whose way is legal from there on, or to the
 * end (mend_way.c).  The switches in between send to that LID by the new way from
 * then on, and with them all behind them; what that does to the lanes of others
 * counts.  Lanes are tried in which most ways of the pair are legal, and the
 * first one that costs others nothing is taken, or the one that lessens the sum
 * most, if one does.  When none does for any pair, those that offend gain as much
 * weight as it takes until one does, and it goes on ("breakout": Morris, "The
 * breakout method for escaping from local minima", AAAI 1993).
 *
 * Structures: the masks of ways are the spread's, and votes.c counts them where
 * that is asked for; the search for a way has a copy by trees.  The LIDs of
 * switches with endports share a tree with one of these.
 * Deadlock: none in any lane, by the order of its channels.  Trees stay trees:
 * a way is led over switches that are not on it already, and joins one whose
 * way does not pass them.
 * Complexity: O(switches that change their lanes x lanes) for a change; there
 * is no bound on how many it takes, hence patience.
 *
 * Above 1000 endports pairs_mend.c goes first, as it minds load, and this does
 * what that leaves (weave_trial.c); on damaged products of rings it does all, or
 * settle.c does (weave_part.c).  Tried: this for all elsewhere, too.  All 487
 * pairs of dragonfly:8,4,4,33 with 3 lanes find one at once, not 467 and the rest
 * after another round of care, but of 268 pairs of 100 switches of a hypercube
 * (1200 hosts, 8 lanes) not all do with as much effort: bandwidth .211, not .227;
 * and masks by orders that have become more like the trees cost 2 to 8 % of the
 * instructions of weft route (random:250x12,24 with 4 lanes 8 %).
 */
#include "engines/mend.h"

#include "core/arena.h"
#include "engines/bends.h"

#include <errno.h>

struct mend {
	struct weft__bends bends;
	uint64_t raise;		/* of weights that has a pair move at last */
};

/* Leads s to the root in that lane, by the fewest changes; false: no way. */
static bool lead(void *context, uint32_t tree, uint32_t s, unsigned lane)
{
	struct weft__bends *b = context;
	uint32_t e = weft__mend_way_find(&b->way, tree, s, lane);

	if (e != WEFT_NONE)
		weft__bends_take(b, tree, e);
	return e != WEFT_NONE;
}

/* Puts a pair into the best lane; whether that saved anything. */
static bool move(struct mend *m, uint32_t a, uint32_t b)
{
	struct weft__bends *p = &m->bends;
	uint32_t offends = weft__bends_offence(p, a, b);
	unsigned best;
	bool done;
	int64_t gain = weft__bends_best(p, a, b, lead, p, &best, &done);
	uint64_t raise;

	if (done || gain > 0)
		return done || weft__bends_try(p, a, b, best, lead, p) > 0;
	raise = gain == WEFT__BENDS_NO_WAY ? UINT64_MAX :
		(uint64_t)-gain / offends + 1;
	m->raise = raise < m->raise ? raise : m->raise;
	return false;
}

/* Those left gain as much weight as it takes to move one of them. */
static void add_weight(struct mend *m)
{
	const struct weft__bends *b = &m->bends;
	size_t n = (size_t)b->f->nsw * b->f->nsw;

	for (size_t i = weft__bends_next(b, 0); i < n;
	     i = weft__bends_next(b, i + 1)) {
		uint64_t weight = b->weight[i] + m->raise;

		b->weight[i] = weight < UINT16_MAX ? weight : UINT16_MAX;
	}
}

/* Moves pairs that offend; false: none could, whatever their weight. */
static bool one_round(struct mend *m, uint64_t patience)
{
	struct weft__bends *b = &m->bends;
	size_t n = b->f->nsw;
	bool any = false;

	m->raise = UINT64_MAX;
	for (size_t i = weft__bends_next(b, 0);
	     i < n * n && b->way.work < patience;
	     i = weft__bends_next(b, i + 1))
		any |= move(m, i / n, i % n);
	if (!any && m->raise < UINT64_MAX)
		add_weight(m);
	return any || m->raise < UINT64_MAX;
}

int weft__mend(struct weft__spread *sp, uint64_t patience, uint64_t *left)
{
	struct mend m;
	struct weft_arena *arena = weft__arena_new();

	if (!arena || !weft__bends_init(&m.bends, sp, arena)) {
		weft__arena_free(arena);
		return -ENOMEM;
	}
	while (weft__bends_left(&m.bends) && m.bends.way.work < patience &&
	       one_round(&m, patience))
		;
	*left = weft__bends_left(&m.bends);
	weft__votes_share(&m.bends.way.votes);
	weft__arena_free(arena);
	return 0;
}
