// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists the turns that an order of the switches and a valley allow; see
 * valley_turns.h. */
#include "trees/valley_turns.h"

#include "graph/entries.h"
#include "trees/ways_search.h"

#include <string.h>

#define WORD 64
#define MAX_WORDS 4	/* of the ports of a switch */

void weft__turns_add(struct weft__cdg *g, uint32_t ch, const uint64_t *ports)
{
	uint64_t *row = g->bits + (size_t)ch * g->words;

	for (uint32_t x = 0; x < g->words; x++)
		row[x] |= ports[x];
}

bool weft__turns_try(struct weft__order *o, uint32_t ch, const uint64_t *ports)
{
	const uint64_t *row = o->cdg.bits + (size_t)ch * o->cdg.words;

	for (uint32_t x = 0; x < o->cdg.words; x++)
		for (uint64_t left = ports[x] & ~row[x]; left; left &= left - 1)
			if (!weft__order_add(o, ch, x * WORD +
					     __builtin_ctzll(left) + 1))
				return false;
	return true;
}

/* Which neighbours of a switch a turn may lead to. */
struct rule {
	bool up, down;		/* those above, those below, */
	bool in_valley;		/* of these, those joined to it in the valley */
};

/* True if an entry is kept for what its switch sends itself. */
static bool is_own(const struct weft__ways *w, uint32_t e)
{
	return w->own && w->own[e] == WEFT__OWN;
}

/* Sets the ports of s to neighbours that a rule allows, without those back to
 * one of them, and without those kept for what s sends itself. */
static void find_ports(const struct weft__ways *w, uint32_t s, uint32_t without,
		       struct rule rule, uint64_t *ports)
{
	const struct weft_fabric *f = w->fabric;

	memset(ports, 0, MAX_WORDS * sizeof(*ports));
	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = w->head[e];
		bool up = w->place[t] < w->place[s];
		unsigned bit = weft__port(f, s, f->adj[e]) - 1;

		if (t != without && !is_own(w, e) &&
		    (up ? rule.up : rule.down) &&
		    (!rule.in_valley || weft__valley_joins(w, s, t)))
			ports[bit / WORD] |= UINT64_C(1) << bit % WORD;
	}
}

/* Adds the turns at switch s that come by an entry of it, from the other end. */
static void add_from(const struct weft__ways *w, uint32_t s, uint32_t e,
		     struct rule to, struct weft__cdg *g)
{
	uint64_t ports[MAX_WORDS];

	find_ports(w, s, w->head[e], to, ports);
	weft__turns_add(g, w->fabric->reverse[w->fabric->adj[e]], ports);
}

void weft__turns_of_order(const struct weft__ways *w, struct weft__cdg *g)
{
	const struct rule any = { .up = true, .down = true };
	const struct rule down = { .down = true };
	const uint32_t *first = w->fabric->adj_first;

	for (uint32_t s = 0; s < w->fabric->nsw; s++)
		for (uint32_t e = first[s]; e < first[s + 1]; e++) {
			bool above = w->place[w->head[e]] < w->place[s];
			/* what is kept for the switch above is waited for by
			 * none */
			bool kept = w->own && w->own[e] == WEFT__FOREIGN;

			add_from(w, s, e, above && !kept ? down : any, g);
		}
}

void weft__turns_of_valley(const struct weft__ways *w, struct weft__cdg *g)
{
	const struct rule up = { .up = true, .in_valley = true };
	const uint32_t *first = w->fabric->adj_first;

	for (uint32_t i = 0; i < w->nvalley; i++) {
		uint32_t s = w->valley[i];

		for (uint32_t e = first[s]; e < first[s + 1]; e++)
			if (w->place[w->head[e]] < w->place[s] &&
			    weft__valley_joins(w, s, w->head[e]))
				add_from(w, s, e, up, g);
	}
}

/* Sets the ports by which s climbs to where the rest is shortest. */
static void find_climbs(const struct weft__ways *w, uint32_t s,
			const uint8_t *hops, uint64_t *ports)
{
	const struct weft_fabric *f = w->fabric;

	memset(ports, 0, MAX_WORDS * sizeof(*ports));
	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = w->head[e];
		unsigned bit = weft__port(f, s, f->adj[e]) - 1;

		if (w->place[t] < w->place[s] && hops[t] + 1 == hops[s])
			ports[bit / WORD] |= UINT64_C(1) << bit % WORD;
	}
}

/* Adds the turns of s, which climbs, from above it. */
static bool add_climbs(const struct weft__ways *w, uint32_t s,
		       const uint8_t *hops, const uint8_t *marks,
		       struct weft__order *o, bool careful)
{
	const struct weft_fabric *f = w->fabric;
	uint64_t ports[MAX_WORDS];
	bool known = false;

	for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++) {
		uint32_t t = w->head[e], ch = f->reverse[f->adj[e]];

		if (w->place[t] > w->place[s] ||
		    !(marks[t] & WEFT__HOPS_VALLEY) ||
		    hops[t] != hops[s] + 1 || !weft__valley_joins(w, s, t))
			continue;
		if (!known)
			find_climbs(w, s, hops, ports);
		known = true;
		if (!careful)
			weft__turns_add(&o->cdg, ch, ports);
		else if (!weft__turns_try(o, ch, ports))
			return false;
	}
	return true;
}

bool weft__turns_of_loose(struct weft__ways *w, uint32_t root,
			  struct weft__order *o, bool careful)
{
	const uint8_t *hops, *marks;

	if (!weft__hops_find(&w->known, root, &hops, &marks))
		return false;
	w->looked += w->nvalley;
	for (uint32_t i = 0; i < w->nvalley; i++) {
		uint32_t s = w->valley[i];

		if (!(marks[s] & (WEFT__HOPS_DOWN | WEFT__HOPS_VALLEY)) &&
		    !add_climbs(w, s, hops, marks, o, careful))
			return false;
	}
	return true;
}
