// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Converging routes: the chain from a destination up; see chain.c. */
#include "engines/fattree/chain_parts.h"

/* A switch above the end of the chain. */
struct offer {
	uint32_t sw, entry;	/* entry of sw: its least used cable down */
	uint64_t link, total;	/* counters of cables and switch, scaled */
	bool avoided, level, model;
};

static bool is_better(const struct weft__chains *c, const struct offer *a,
		      const struct offer *b)
{
	if (b->sw == WEFT_NONE)
		return true;
	if (a->avoided != b->avoided)
		return b->avoided;
	if (a->level != b->level)
		return b->level;
	if (a->link != b->link)
		return a->link < b->link;
	if (a->model != b->model)
		return a->model;
	if (c->rule.above && a->total != b->total)
		return a->total < b->total;
	return weft__chain_above(c, a->sw, b->sw);
}

/* Returns the counter over capacity, in a unit that keeps the order and
 * fits. */
static uint64_t scaled(const struct weft__chains *c, uint64_t count,
		       uint64_t capacity)
{
	return (count << 32) / (c->rule.capacity && capacity ? capacity : 1);
}

uint32_t weft__chain_with_number(const struct weft__chains *c, uint32_t s,
			    uint32_t number)
{
	const uint32_t *first = c->run->fabric->adj_first;
	const uint16_t *level = c->run->tree.level;
	uint32_t n = 0, last = WEFT_NONE;

	for (uint32_t e = first[s]; e < first[s + 1]; e++) {
		uint32_t t = c->ways->head[e];

		if (t == last || level[t] <= level[s])
			continue;
		if (n++ == number)
			return t;
		last = t;
	}
	return WEFT_NONE;
}

uint32_t weft__chain_number_of(const struct weft__chains *c, uint32_t s,
			  uint32_t above)
{
	for (uint32_t n = 0;; n++) {
		uint32_t t = weft__chain_with_number(c, s, n);

		if (t == above || t == WEFT_NONE)
			return t == above ? n : WEFT_NONE;
	}
}

/* True if switch sw follows the model: as the second of the chain the one with
 * the same number, farther up the same switch. */
static bool follows_model(const struct weft__chains *c, uint32_t sw)
{
	if (c->nchain >= c->model.n)
		return false;
	return sw == (c->nchain == 1 ? c->second : c->model.chain[c->nchain]);
}

/* Makes the offer of the cables e .. e+n-1 of switch s, all to one switch
 * above. */
static struct offer make_offer(const struct weft__chains *c, uint32_t s,
			       uint32_t e, uint32_t n)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t sw = c->ways->head[e], least = c->back[e];
	uint64_t sum = 0, capacity = 0;

	for (uint32_t i = e; i < e + n; i++) {
		sum += c->down[c->back[i]];
		capacity += f->capacity[f->adj[i]];
		if (c->down[c->back[i]] < c->down[least])
			least = c->back[i];
	}
	return (struct offer){
		.sw = sw,
		.entry = least,
		.link = scaled(c, sum, c->rule.capacity ? capacity : n),
		.total = scaled(c, c->above[sw], c->room[sw]),
		.avoided = c->taken[sw] == c->node,
		.model = follows_model(c, sw),
		.level = c->run->tree.level[sw] <= c->run->tree.level[s]
	};
}

/* Returns the best switch above s that has s on a shortest way down; its sw is
 * WEFT_NONE if there is none. */
static struct offer choose_above(const struct weft__chains *c, uint32_t s)
{
	const struct weft_fabric *f = c->run->fabric;
	struct offer best = { .sw = WEFT_NONE };
	uint32_t end = f->adj_first[s + 1], n;

	for (uint32_t e = f->adj_first[s]; e < end; e += n) {
		uint32_t t = c->ways->head[e];
		struct offer o;

		for (n = 1; e + n < end && c->ways->head[e + n] == t;)
			n++;
		if (!c->cone[t] || c->hops[t] != c->hops[s] + 1 ||
		    !weft__chain_above(c, t, s))
			continue;
		o = make_offer(c, s, e, n);
		if (is_better(c, &o, &best))
			best = o;
	}
	return best;
}

void weft__chain_climb(struct weft__chains *c, uint32_t root, uint8_t *choice)
{
	const struct weft_fabric *f = c->run->fabric;
	uint32_t s = root;

	c->nchain = 0;
	c->chain[c->nchain++] = root;
	for (;;) {
		struct offer o = choose_above(c, s);

		if (o.sw == WEFT_NONE)
			break;
		c->shares |= o.avoided;
		c->down[o.entry] += c->weight;
		c->above[o.sw] += c->weight;
		s = o.sw;
		if (choice)
			choice[s] = o.entry - f->adj_first[s];
		c->chain[c->nchain++] = s;
	}
}

