// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Moves entries to where their streams meet less often; see shifts.c. */
#include "loads/shift_moves.h"

#include "core/arena.h"

#include <errno.h>

#define FEW 3		/* hosts: of two no streams meet */

/* Sparing: rounds at random for each shift, and the load of channels in quarters of
 * what host links carry. */
#define RANDOM 4
#define ROOM 3

/* Longer ways put each stream on more cables, which random traffic notices most. */
static void weigh_longer(struct weft__shift_moves *m)
{
	uint64_t hosts = weft__loads_host_peak(m->z->loads);

	if (m->longer == WEFT__LONGER_SPARINGLY) {
		m->rounds.random = RANDOM;
		hosts = hosts / 4 * ROOM;
	}
	m->peak = hosts > m->peak ? hosts : m->peak;
}

int weft__shift_moves_init(struct weft__shift_moves *m, const uint32_t *rank,
			   struct weft_arena *arena)
{
	const struct weft_fabric *f = m->z->f;

	m->saves = weft__arena_alloc(arena, f->nsw + 1ull, sizeof(*m->saves));
	m->by_rank = weft__arena_alloc(arena, f->nep + 1ull,
				       sizeof(*m->by_rank));
	m->outdated = weft__arena_zalloc(arena, f->nsw + 1ull,
					 sizeof(*m->outdated));
	if (!m->saves || !m->by_rank || !m->outdated ||
	    !weft__shift_rounds_init(&m->rounds, f, f->nep, arena))
		return -ENOMEM;
	for (uint32_t e = 0; e < f->nep; e++)
		m->by_rank[rank[e]] = e;
	m->rounds.scale = m->z->loads->scale;
	m->rounds.random = 1;
	m->peak = weft__loads_peak(m->z->loads);
	if (m->longer)
		weigh_longer(m);
	return 0;
}

uint64_t weft__shift_moves_work(const struct weft_fabric *f)
{
	uint64_t rounds = f->nep < WEFT__SHIFT_ROUNDS ? f->nep :
			  WEFT__SHIFT_ROUNDS;

	return f->nep * (rounds + f->nsw);
}

/* --- sets of hosts --------------------------------------------------------- */

uint32_t weft__shift_sets(const struct weft_fabric *f, bool single)
{
	return f->ngroups + (!single && f->ngroups > f->nuses ? f->nuses : 0);
}

/* Whether an endport is in a set: a group, or a kind on all rails, which are
 * counted behind groups. */
static bool is_in(const struct weft_fabric *f, const struct weft_endport *ep,
		  uint32_t set)
{
	return set < f->ngroups ? ep->group == set :
				  ep->use == set - f->ngroups;
}

/* Lists the hosts of a set by rank.  Returns how many they are. */
static uint32_t list_set(struct weft__shift_moves *m, uint32_t set)
{
	const struct weft_fabric *f = m->z->f;
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->nep; i++) {
		const struct weft_endport *ep = &f->ep[m->by_rank[i]];

		if (is_in(f, ep, set) && ep->lid &&
		    (ep->kind == WEFT_HOST || !f->nhosts))
			m->rounds.host[n++] = m->by_rank[i];
	}
	return n;
}

void weft__shift_moves_read(struct weft__shift_moves *m, uint32_t rank)
{
	struct weft__easing *z = m->z;
	unsigned lid = z->f->ep[m->rounds.host[rank]].lid;
	bool own_known = z->own_known && lid == z->column.lid;

	m->rank = rank;
	m->nreads++;
	weft__ease_read(z, lid);
	z->own_known = own_known;
	weft__column_survey(&z->column);
	if (m->longer)
		weft__ease_shortest(z);
	weft__loads_spread(z->loads, &z->column);
	z->passed = false;
	weft__shift_rounds_read(&m->rounds, &z->column, rank);
	z->looked += 2 * z->column.norder;
}

bool weft__shift_moves_begin(struct weft__shift_moves *m, uint32_t set)
{
	const struct weft_fabric *f = m->z->f;
	const struct weft__column *c = &m->z->column;
	uint32_t n = list_set(m, set);

	if (n < FEW)
		return false;
	m->z->own_known = false;	/* pairs may have changed lanes meanwhile */
	weft__shift_rounds_begin(&m->rounds, n);
	for (uint32_t rank = 0; rank < n; rank++) {
		if (weft__shift_moves_stopped(m))
			return false;
		weft__shift_moves_read(m, rank);
		for (uint32_t i = 0; i < c->norder; i++)
			weft__shift_rounds_add(&m->rounds, c->order[i],
				weft_channel(f, c->order[i],
					     c->port[c->order[i]]), 1);
	}
	return true;
}

/* --- one entry ------------------------------------------------------------ */

/* Finds what it saves to leave the way from s.  Returns that of all of it. */
static int64_t leave(struct weft__shift_moves *m, uint32_t s)
{
	struct weft__easing *z = m->z;
	const struct weft__column *c = &z->column;
	int64_t sum = 0;

	z->look++;
	m->detours = m->longer && c->hops[s] == z->shortest[s] &&
		     weft__ease_is_last(z, s);
	m->peak = m->even ? 0 : m->peak;
	for (uint32_t at = s; at != c->root; at = c->next[at]) {
		uint32_t ch = weft_channel(z->f, at, c->port[at]);
		uint64_t load = z->loads->load[ch] * z->loads->scale[ch];

		if (m->even && load > m->peak)
			m->peak = load;
		z->mark[at] = z->look;
		m->saves[at] = sum;
		sum += weft__shift_rounds_meet(&m->rounds, s, ch,
					       m->rounds.behind[at].hosts, true);
	}
	z->mark[c->root] = z->look;
	m->saves[c->root] = sum;
	return sum;
}

/* Whether a channel has room for what passes s. */
static bool has_room(const struct weft__shift_moves *m, uint32_t s,
		     uint32_t channel)
{
	const struct weft__loads *t = m->z->loads;

	return (t->load[channel] + weft__ease_passes(m->z, s)) *
		t->scale[channel] <= m->peak;
}

/* Returns what is saved if what passes s leaves by a channel instead, at most all;
 * or least, if that is not more. */
static int64_t gain(struct weft__shift_moves *m, uint32_t s, uint32_t channel,
		    int64_t all, int64_t least)
{
	struct weft__easing *z = m->z;
	const struct weft__column *c = &z->column;
	uint32_t at = z->f->peer[channel], through = 0;

	for (;;) {
		if (!has_room(m, s, channel))
			return least;
		all -= weft__shift_rounds_meet(&m->rounds, s, channel, through,
					       false);
		if (z->mark[at] == z->look)
			break;
		if (all <= least)
			return least;
		channel = weft_channel(z->f, at, c->port[at]);
		through = m->rounds.behind[at].hosts;
		at = c->next[at];
	}
	all -= m->saves[c->root] - m->saves[at];
	return all > least ? all : least;
}

/* Returns the channel by which what passes s meets least, or WEFT_NONE. */
static uint32_t find_best(struct weft__shift_moves *m, uint32_t s, int64_t all,
			  int64_t *saves)
{
	struct weft__easing *z = m->z;
	const struct weft_fabric *f = z->f;
	const struct weft__column *c = &z->column;
	uint32_t best = WEFT_NONE, taken = weft_channel(f, s, c->port[s]);
	int64_t most = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t ch = f->adj[i];
		int64_t saved;

		/* who is as far away does not send by s */
		if (ch == taken ||
		    c->hops[f->peer[ch]] >= c->hops[s] + m->detours ||
		    weft__ease_is_refused(z, ch))
			continue;
		saved = gain(m, s, ch, all, most);
		if (saved > most)
			best = ch;
		most = saved;
		z->looked++;
	}
	*saves = most;
	return best;
}

/* Adds the streams that pass s to all of its way, or takes them away. */
static void add_way(struct weft__shift_moves *m, uint32_t s, int sign)
{
	const struct weft__column *c = &m->z->column;

	for (uint32_t at = s; at != c->root; at = c->next[at])
		weft__shift_rounds_add(&m->rounds, s,
				       weft_channel(m->z->f, at, c->port[at]),
				       sign);
}

int64_t weft__shift_moves_look(struct weft__shift_moves *m, uint32_t s)
{
	int64_t all = leave(m, s), saves = 0;

	m->z->nrefused = 0;
	if (all > 0)
		find_best(m, s, all, &saves);
	return saves;
}

/* Has what passes the switches from `at` on be so many hosts more. */
static void add_hosts(struct weft__shift_moves *m, uint32_t at, uint32_t hosts)
{
	const struct weft__column *c = &m->z->column;

	for (; at != c->root; at = c->next[at]) {
		m->rounds.behind[at].hosts += hosts;
		m->outdated[at] = m->nreads;
	}
}

/* Updates what is known of the column after the entry at s has moved away from the
 * switch `before`.  If nobody sends by s, no more changes than what passes the
 * switches of both ways; the column is read again when one of them is looked at. */
static void follow_move(struct weft__shift_moves *m, uint32_t s, uint32_t before)
{
	struct weft__easing *z = m->z;
	struct weft__column *c = &z->column;
	uint32_t hosts = m->rounds.behind[s].hosts;

	if (!weft__ease_is_last(z, s)) {
		weft__shift_moves_read(m, m->rank);
		return;
	}
	add_hosts(m, before, -hosts);
	add_hosts(m, c->next[s], hosts);
	c->hops[s] = c->hops[c->next[s]] + 1;
	z->passed = true;
}

/* Moves the entry at s, whose streams meet so many others. */
static bool make(struct weft__shift_moves *m, uint32_t s, int64_t all)
{
	struct weft__easing *z = m->z;
	uint32_t before = z->column.next[s];

	for (z->nrefused = 0; all > 0 && z->nrefused < WEFT__EASE_TRIES;
	     z->nrefused++) {
		int64_t saves;
		uint32_t ch = find_best(m, s, all, &saves);
		bool moves;

		if (ch == WEFT_NONE)
			return false;
		add_way(m, s, -1);
		moves = weft__ease_try(z, s, ch - z->f->first_channel[s]);
		add_way(m, s, 1);
		if (moves) {
			m->saved += saves;
			follow_move(m, s, before);
			return true;
		}
		z->refused[z->nrefused] = ch;
	}
	return false;
}

bool weft__shift_moves_make(struct weft__shift_moves *m, uint32_t s)
{
	int64_t all;

	if (m->outdated[s] == m->nreads)
		weft__shift_moves_read(m, m->rank);
	if (!m->rounds.behind[s].hosts)
		return false;
	all = leave(m, s);
	m->cost += all;
	return make(m, s, all);
}
