// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the switches that a tree has lost; see branches.h. */
#include "standing/branches.h"

#include "core/arena.h"
#include "core/grow.h"
#include "graph/entries.h"

#define PART 8		/* of all switches, at most */
#define MAX_DIRTY 64	/* switches to look at for each LID */

static bool is_dirty(const struct weft__match *m, uint32_t s)
{
	uint32_t was = m->sw[s];

	for (unsigned p = 1; was != WEFT_NONE && p <= m->a->sw[was].nports; p++)
		if (!weft__match_cable(m, s, p))
			return true;
	return false;
}

int weft__branches_init(struct weft__branches *b,
			const struct weft__carried *now,
			struct weft_arena *arena)
{
	const struct weft_fabric *f = now->match.b;
	size_t lids = f->max_lid + 1ull;

	*b = (struct weft__branches){
		.now = now, .most = f->nsw / PART,
		.dirty = weft__arena_alloc(arena, MAX_DIRTY, 4),
		.first = weft__arena_alloc(arena, lids, sizeof(*b->first)),
		.n = weft__arena_zalloc(arena, lids, sizeof(*b->n)),
		.met = weft__arena_zalloc(arena, f->nsw + 1ull, 4),
	};
	if (!b->dirty || !b->first || !b->n || !b->met)
		return -ENOMEM;
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (!is_dirty(&now->match, s))
			continue;
		if (b->ndirty == MAX_DIRTY) {
			b->most = 0;
			break;
		}
		b->dirty[b->ndirty++] = s;
	}
	return 0;
}

void weft__branches_free(struct weft__branches *b)
{
	free(b->sw);
}

/* Adds a switch to the list of a LID, in its place among those from first on. */
static void sort_in(uint32_t *sw, uint32_t n)
{
	uint32_t s = sw[n];

	for (; n && sw[n - 1] > s; n--)
		sw[n] = sw[n - 1];
	sw[n] = s;
}

/* Adds those that send to switch s. */
static uint32_t add_behind(const struct weft__branches *b, uint32_t *sw,
			   uint32_t n, uint32_t s, unsigned lid)
{
	const struct weft_fabric *f = b->now->match.b;
	const struct weft_lft *lft = &b->now->routes.lft;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++) {
		if (!weft__sends_by(f, lft, i, lid))
			continue;
		if (n == b->most)
			return n + 1;
		sw[n++] = f->peer[f->adj[i]];
	}
	return n;
}

bool weft__branches_find(struct weft__branches *b, unsigned lid)
{
	const struct weft_fabric *f = b->now->match.b;
	const struct weft_lft *lft = &b->now->routes.lft;
	uint32_t root = weft_vertex_switch(f, weft_lid_owner(f, lid));
	uint32_t n = 0, *sw;

	if (b->most < b->ndirty ||
	    weft__grow(&b->sw, &b->room, b->nsw + b->most))
		return false;
	sw = b->sw + b->nsw;
	for (uint32_t i = 0; i < b->ndirty; i++)
		if (weft_lft_row(lft, b->dirty[i])[lid] == WEFT_NO_PORT)
			sw[n++] = b->dirty[i];
	for (uint32_t i = 0; i < n && n <= b->most; i++) {
		if (sw[i] == root)
			return false;
		n = add_behind(b, sw, n, sw[i], lid);
	}
	if (!n || n > b->most)
		return false;
	for (uint32_t i = 1; i < n; i++)
		sort_in(sw, i);
	b->first[lid] = b->nsw;
	b->n[lid] = n;
	b->nsw += n;
	return true;
}

/* Follows the way from a switch to one that is known. */
static void read_way(struct weft__branches *b, struct weft__column *c,
		     uint32_t s)
{
	const struct weft_lft *lft = &b->now->routes.lft;
	uint32_t n = 0;
	uint16_t hops;

	for (; b->met[s] != b->round; s = c->next[s]) {
		b->met[s] = b->round;
		c->port[s] = weft_lft_row(lft, s)[c->lid];
		c->next[s] = weft__column_next(c, s);
		c->stack[n++] = s;
	}
	hops = c->hops[s];
	while (n)
		c->hops[c->stack[--n]] = ++hops;
}

void weft__branches_read(struct weft__branches *b, struct weft__column *c,
			 unsigned lid)
{
	const struct weft_fabric *f = c->fabric;
	const uint32_t *sw = b->sw + b->first[lid];

	weft__column_begin(c, lid);
	b->round++;
	b->met[c->root] = b->round;
	c->hops[c->root] = 0;
	for (c->nlost = 0; c->nlost < b->n[lid]; c->nlost++) {
		uint32_t s = sw[c->nlost];

		c->lost[c->nlost] = s;
		c->port[s] = weft_lft_row(&b->now->routes.lft, s)[lid];
		c->next[s] = weft__column_next(c, s);
		c->hops[s] = WEFT__FAR;
		b->met[s] = b->round;
	}
	for (uint32_t k = 0; k < c->nlost; k++)
		for (uint32_t i = f->adj_first[sw[k]];
		     i < f->adj_first[sw[k] + 1]; i++)
			read_way(b, c, f->peer[f->adj[i]]);
}
