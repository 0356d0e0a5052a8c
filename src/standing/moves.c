// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: moves that relieve
 *
 * An entry on the way to a channel that carries too much sends elsewhere: to a
 * switch whose way is less loaded.  Where a destination has a tree in which all
 * ways meet early, every switch nearby leads to the same channel; then one that
 * carries nothing to that destination turns first, and the entry sends by it.
 * That takes two entries, and counts as much.
 */
#include "standing/relieve.h"

#include <string.h>

#define MAX_REFUSED 2		/* moves of a column, before it is left alone */

/* An entry that moves, and the idle switch on its way that turns before. */
struct move {
	uint64_t gain;		/* by which the highest load of its way falls */
	uint32_t sw, idle;	/* WEFT_NONE: none turns */
	unsigned cost;		/* entries and blocks */
	uint8_t to, turn;
};

static bool is_better(const struct move *a, const struct move *b)
{
	return a->gain * b->cost > b->gain * a->cost;
}

/* Blocks that have to be sent for a move, 0 to 2. */
static unsigned fresh_blocks(const struct weft__relief *r, uint32_t s,
			     uint32_t idle)
{
	unsigned lid = r->column.lid;

	return !weft__blocks_has(r->blocks, s, lid) +
	       (idle != WEFT_NONE && !weft__blocks_has(r->blocks, idle, lid));
}

static unsigned cost_of(const struct weft__relief *r, uint32_t s, uint32_t idle)
{
	return 1 + (idle != WEFT_NONE) + fresh_blocks(r, s, idle);
}

/* Blocks that moves may have sent. */
static uint64_t may_send(const struct weft__relief *r)
{
	return r->sends ? r->fresh : 0;
}

static uint64_t higher(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Finds the highest load of each way. */
static void find_worst(struct weft__relief *r)
{
	const struct weft__column *c = &r->column;

	r->worst[c->root] = 0;
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i];
		uint32_t channel = weft_channel(c->fabric, s, c->port[s]);

		r->worst[s] = higher(r->worst[c->next[s]],
				     weft__relief_weight(r, channel));
	}
}

/* Marks the switches on the way from s. */
static void mark_way(struct weft__relief *r, uint32_t s)
{
	const struct weft__column *c = &r->column;

	r->round++;
	for (; s != c->root; s = c->next[s])
		r->mark[s] = r->round;
	r->mark[s] = r->round;
}

/* Returns the highest load of the way from a switch up to where it meets the
 * marked one, with so much more on it. */
static uint64_t most_on(const struct weft__relief *r, uint32_t s, uint64_t more,
			uint32_t *meets)
{
	const struct weft__loads *t = r->loads;
	const struct weft__column *c = &r->column;
	uint64_t most = 0;

	for (; r->mark[s] != r->round; s = c->next[s]) {
		uint32_t channel = weft_channel(c->fabric, s, c->port[s]);

		most = higher(most, (t->load[channel] + more) *
			      t->scale[channel]);
	}
	*meets = s;
	return most;
}

/* Returns the highest load of the marked way, up to a switch on it. */
static uint64_t most_before(const struct weft__relief *r, uint32_t s,
			    uint32_t end)
{
	const struct weft__column *c = &r->column;
	uint64_t most = 0;

	for (; s != end; s = c->next[s])
		most = higher(most, weft__relief_weight(r,
			weft_channel(c->fabric, s, c->port[s])));
	return most;
}

/* A way for what passes a switch. */
struct detour {
	uint32_t sw, first;	/* channel by which it begins */
	uint32_t idle, second;	/* and goes on from an idle switch, or
				 * WEFT_NONE */
	uint64_t more;		/* that it takes */
};

/* Has *best be a move to such a way, if it is better. */
static void weigh(const struct weft__relief *r, const struct detour *d,
		  struct move *best)
{
	const struct weft__loads *t = r->loads;
	const struct weft_fabric *f = t->fabric;
	uint32_t last = d->second == WEFT_NONE ? d->first : d->second, meets;
	uint64_t saves = d->more * t->scale[d->first];
	uint64_t most = (t->load[d->first] + d->more) * t->scale[d->first];
	uint64_t was;
	struct move m = {
		.sw = d->sw, .idle = d->idle,
		.to = d->first - f->first_channel[d->sw],
		.cost = cost_of(r, d->sw, d->idle),
	};

	if (fresh_blocks(r, d->sw, d->idle) > may_send(r))
		return;
	/* no walk for what cannot be better */
	m.gain = saves;
	if (!is_better(&m, best))
		return;
	if (d->second != WEFT_NONE) {
		m.turn = d->second - f->first_channel[d->idle];
		most = higher(most, (t->load[d->second] + d->more) *
			      t->scale[d->second]);
	}
	if (most > r->level)
		return;
	most = higher(most, most_on(r, f->peer[last], d->more, &meets));
	was = most_before(r, d->sw, meets);
	if (most > r->level || was <= r->level)
		return;
	if (was - most < saves)
		m.gain = was - most;
	if (is_better(&m, best))
		*best = m;
}

/* Whether what begins a way lets it be a better move. */
static bool may_gain(const struct weft__relief *r, const struct detour *d,
		     const struct move *best)
{
	const struct weft__loads *t = r->loads;
	struct move m = {
		.gain = d->more * t->scale[d->first],
		.cost = cost_of(r, d->sw, d->idle),
	};

	return is_better(&m, best) &&
	       (t->load[d->first] + d->more) * t->scale[d->first] <= r->level;
}

/* Finds the ports by which an idle switch leads to ways that are not loaded;
 * these are the same for all that send to it. */
static void find_beyond(struct weft__relief *r, uint32_t idle)
{
	const struct weft__column *c = &r->column;
	const struct weft_fabric *f = c->fabric;
	uint32_t *list = r->beyond + f->adj_first[idle], n = 0;

	for (uint32_t i = f->adj_first[idle]; i < f->adj_first[idle + 1]; i++) {
		uint32_t to = f->peer[f->adj[i]];

		if (c->hops[to] < c->hops[idle] && r->worst[to] <= r->level)
			list[n++] = f->adj[i];
	}
	r->nbeyond[idle] = n;
	r->looked[idle] = r->look;
}

/* Looks at the ways that go on from an idle switch by another port. */
static void look_beyond(struct weft__relief *r, struct detour *d,
			struct move *best)
{
	const struct weft_fabric *f = r->column.fabric;
	const uint32_t *list;

	d->idle = f->peer[d->first];
	list = r->beyond + f->adj_first[d->idle];
	if (may_gain(r, d, best)) {
		if (r->looked[d->idle] != r->look)
			find_beyond(r, d->idle);
		for (uint32_t i = 0; i < r->nbeyond[d->idle]; i++) {
			d->second = list[i];
			weigh(r, d, best);
		}
	}
	d->idle = d->second = WEFT_NONE;
}

/* Has *best be the best move of the entry at s, if it is better. */
static void look_at(struct weft__relief *r, uint32_t s, struct move *best)
{
	const struct weft__loads *t = r->loads;
	const struct weft__column *c = &r->column;
	const struct weft_fabric *f = t->fabric;
	bool two = r->changes - r->ndone > 1;
	struct detour d = {
		.sw = s, .idle = WEFT_NONE, .second = WEFT_NONE,
		.more = t->through[s] * weft__loads_weight(t, c),
	};

	mark_way(r, s);
	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		uint32_t to = f->peer[f->adj[i]];

		d.first = f->adj[i];
		if (c->hops[to] >= c->hops[s] ||
		    d.first - f->first_channel[s] == c->port[s])
			continue;
		if (r->worst[to] <= r->level)
			weigh(r, &d, best);
		else if (two && to != c->root && !t->through[to])
			look_beyond(r, &d, best);
	}
}

/* Whether a move of the entry at s might be better, if it has any. */
static bool can_gain(const struct weft__relief *r, uint32_t s,
		     const struct move *best)
{
	struct move m = {
		.gain = r->loads->through[s] * r->steepest *
			weft__loads_weight(r->loads, &r->column),
		.cost = cost_of(r, s, WEFT_NONE),
	};

	return is_better(&m, best);
}

/* Finds the best move in the column. */
static struct move best_move(struct weft__relief *r)
{
	const struct weft__column *c = &r->column;
	struct move best = { .idle = WEFT_NONE, .cost = 1 };

	find_worst(r);
	r->look++;
	for (uint32_t i = 0; i < c->norder; i++) {
		uint32_t s = c->order[i];

		if (r->worst[s] > r->level && fresh_blocks(r, s, WEFT_NONE) <=
		    may_send(r) && can_gain(r, s, &best) && !r->barred[s])
			look_at(r, s, &best);
	}
	return best;
}

/* Adds so much to what passes the switches behind s. */
static void pass_on(struct weft__relief *r, uint32_t s, uint64_t more)
{
	const struct weft__column *c = &r->column;

	while (s != c->root) {
		s = c->next[s];
		r->loads->through[s] += more;
	}
}

/* Lanes of what passes s pass the switches behind it, too.  Those that it has
 * left keep them. */
static void pass_lanes(struct weft__relief *r, uint32_t s)
{
	const struct weft__column *c = &r->column;

	for (unsigned k = 0; k < WEFT__KINDS; k++) {
		uint16_t *lanes = r->loads->lanes[k];

		for (uint32_t v = s; v != c->root; v = c->next[v])
			lanes[c->next[v]] |= lanes[s];
	}
}

/* Has an entry of the column, which was spread, send elsewhere; if that has to
 * be legal and is not, nothing changes. */
static bool change(struct weft__relief *r, uint32_t s, uint8_t to, bool check)
{
	struct weft__loads *t = r->loads;
	struct weft__column *c = &r->column;
	uint64_t passes = t->through[s];
	uint64_t weight = passes * weft__loads_weight(t, c);
	uint8_t from = c->port[s];

	weft__loads_add_way(t, c, s, -weight);
	c->port[s] = to;
	if (check && !weft__loads_allow_subtree(t, c, s)) {
		c->port[s] = from;
		weft__loads_add_way(t, c, s, weight);
		return false;
	}
	weft__loads_add_way(t, c, s, weight);
	weft_lft_row(r->lft, s)[c->lid] = to;
	pass_on(r, s, -passes);
	/* all send to switches that were nearer: the order holds */
	c->next[s] = weft__column_next(c, s);
	pass_on(r, s, passes);
	if (check)
		pass_lanes(r, s);
	return true;
}

static bool change_for_now(struct weft__relief *r, uint32_t s, uint8_t to)
{
	uint8_t from = r->column.port[s];
	bool fresh;

	if (!change(r, s, to, true))
		return false;
	fresh = weft__blocks_put(r->blocks, s, r->column.lid);
	r->fresh -= fresh;
	r->done[r->ndone++] = (struct weft__moved){
		s, r->column.lid, from, fresh
	};
	return true;
}

static void change_back(struct weft__relief *r)
{
	struct weft__moved *m = &r->done[--r->ndone];

	change(r, m->sw, m->from, false);
	if (m->fresh)
		weft__blocks_drop(r->blocks, m->sw, m->lid);
	r->fresh += m->fresh;
}

static bool make(struct weft__relief *r, const struct move *m)
{
	if (m->idle != WEFT_NONE && !change_for_now(r, m->idle, m->turn))
		return false;
	if (change_for_now(r, m->sw, m->to))
		return true;
	if (m->idle != WEFT_NONE)
		change_back(r);
	return false;
}

static void read_column(struct weft__relief *r, unsigned lid)
{
	weft__column_read(&r->column, r->lft, lid);
	weft__column_survey(&r->column);
}

bool weft__relieve_column(struct weft__relief *r, unsigned lid)
{
	uint32_t before = r->ndone;
	unsigned refused = 0;
	bool has_lanes = false;

	read_column(r, lid);
	memset(r->barred, 0, r->column.fabric->nsw * sizeof(*r->barred));
	weft__loads_spread(r->loads, &r->column);
	while (r->ndone < r->changes && r->looks_left &&
	       refused < MAX_REFUSED) {
		struct move m;

		r->looks_left--;
		m = best_move(r);
		if (!m.gain)
			break;
		if (!has_lanes)
			weft__loads_spread_lanes(r->loads, &r->column);
		has_lanes = true;
		r->barred[m.sw] = !make(r, &m);
		refused += r->barred[m.sw];
		if (!r->barred[m.sw] && !weft__relief_is_due(r))
			break;
	}
	return r->ndone > before;
}

void weft__relieve_less(struct weft__relief *r, uint32_t n)
{
	while (r->ndone > n) {
		read_column(r, r->done[r->ndone - 1].lid);
		weft__loads_spread(r->loads, &r->column);
		change_back(r);
	}
}
