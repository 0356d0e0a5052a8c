// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Follows old and new entries together; see mixture.h. */
#include "standing/mixture.h"

#include "core/arena.h"
#include "core/tables/lft.h"

#include <string.h>

bool weft__mixture_init(struct weft__mixture *m, struct weft__column *column,
			struct weft_arena *arena)
{
	size_t n = column->fabric->nsw + 1ull;

	*m = (struct weft__mixture){
		.column = column, .was = weft__arena_alloc(arena, n, 1),
		.seen = weft__arena_zalloc(arena, n, sizeof(*m->seen)),
	};
	return m->was && m->seen;
}

uint32_t weft__mixture_next(const struct weft__mixture *m, uint32_t s,
			    uint8_t port)
{
	const struct weft_fabric *f = m->column->fabric;
	uint32_t to;

	if (!port || port > f->sw[s].nports)
		return WEFT_NONE;
	to = f->peer[weft_channel(f, s, port)];
	return weft_is_switch(to) ? to : WEFT_NONE;
}

/* Follows all entries from a switch until there is another one; *lost: one of them
 * leads to no switch. */
static bool follow(struct weft__mixture *m, uint32_t from, uint32_t to,
		   bool *lost)
{
	const struct weft__column *c = m->column;
	uint32_t n = 0, *stack = c->stack;

	m->round++;
	stack[n++] = from;
	m->seen[from] = m->round;
	while (n) {
		uint32_t s = stack[--n];

		if (s == to)
			return true;
		for (unsigned i = 0; i < 2 && s != c->root; i++) {
			uint32_t next = weft__mixture_next(
				m, s, i ? c->port[s] : m->was[s]);

			*lost |= next == WEFT_NONE;
			if (next == WEFT_NONE || m->seen[next] == m->round)
				continue;
			m->seen[next] = m->round;
			stack[n++] = next;
		}
	}
	return false;
}

bool weft__mixture_leads(struct weft__mixture *m, uint32_t from, uint32_t to)
{
	bool lost = false;

	return follow(m, from, to, &lost);
}

/* Whether packets arrive by any mixture of two columns.  If there is a circle, a new
 * entry leads into it.  O(switches + those on ways from entries that change). */
static bool arrive_in_any_order(struct weft__mixture *m,
				const struct weft__column *old,
				const struct weft__column *new)
{
	bool lost = false;

	memcpy(m->was, old->port, old->fabric->nsw);
	memcpy(m->column->port, new->port, old->fabric->nsw);
	for (uint32_t s = 0; s < old->fabric->nsw && !lost; s++) {
		uint32_t next;

		if (old->port[s] == new->port[s] || s == new->root)
			continue;
		next = weft__mixture_next(m, s, new->port[s]);
		if (next == WEFT_NONE || follow(m, next, s, &lost))
			return false;
	}
	return !lost;
}

/* Begins with new entries where old ones lead nowhere, and else old ones. */
static void begin(struct weft__mixture *m, const struct weft__column *old,
		  const struct weft__column *new)
{
	for (uint32_t s = 0; s < old->fabric->nsw; s++) {
		bool serves = old->hops[s] != WEFT__FAR;

		m->was[s] = serves ? old->port[s] : new->port[s];
		m->column->port[s] = m->was[s];
	}
}

/* Whether a new entry of a switch whose old one serves leads to one that has
 * nothing that serves until its own is written. */
static bool leads_ahead(const struct weft__column *old,
			const struct weft__column *new, uint32_t s)
{
	return old->hops[s] != WEFT__FAR &&
	       old->hops[new->next[s]] == WEFT__FAR;
}

/* Makes new entries from the LID's switch outward.  Returns how many wait. */
static uint64_t make(struct weft__mixture *m, const struct weft__column *old,
		     const struct weft__column *new)
{
	struct weft__column *c = m->column;
	uint64_t waiting = 0;

	for (uint32_t i = 0; i < new->norder; i++) {
		uint32_t s = new->order[i];

		if (new->port[s] == c->port[s])
			continue;
		if (leads_ahead(old, new, s) ||
		    weft__mixture_leads(m, new->next[s], s))
			waiting++;
		else
			c->port[s] = new->port[s];
	}
	return waiting;
}

uint64_t weft__hold_back(const struct weft__source *was,
			 const struct weft__lid_set *changed,
			 struct weft_lft *now, struct weft_arena *arena)
{
	const struct weft_fabric *f = was->match.b;
	struct weft__column old, new, c;
	struct weft__mixture m;
	uint64_t waiting = 0;

	if (!weft__column_init(&old, f, arena) ||
	    !weft__column_init(&new, f, arena) ||
	    !weft__column_init(&c, f, arena) ||
	    !weft__mixture_init(&m, &c, arena))
		return 0;
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		if (!weft__lid_set_has(changed, lid))
			continue;
		weft__source_read(was, &old, lid);
		weft__column_read(&new, now, lid);
		weft__column_read(&c, now, lid);
		if (arrive_in_any_order(&m, &old, &new))
			continue;
		weft__column_survey(&old);
		weft__column_survey(&new);
		begin(&m, &old, &new);
		waiting += make(&m, &old, &new);
		weft__column_write(&c, now);
	}
	return waiting;
}
