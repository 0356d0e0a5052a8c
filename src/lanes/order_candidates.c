// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists orders of the switches; see order_candidates.h. */
#include "lanes/order_candidates.h"

#include "core/arena.h"
#include "graph/bfs.h"

#include <string.h>

#define NEAR_WEIGHT 8 /* of hosts nearby; others weigh 1 */
#define GROUPS 7      /* of switches, for orders with bottoms */

static bool is_above(const struct weft__order_candidates *c, uint32_t a,
		     uint32_t b)
{
	const uint32_t *place = c->close->place;

	return c->key[a] < c->key[b] ||
	       (c->key[a] == c->key[b] && place[a] < place[b]);
}

/* Adds the order by keys as a candidate: an edge climbs where the key gets
 * lower; closeness decides between equal keys. */
static void add_candidate(struct weft__order_candidates *c)
{
	const struct weft_fabric *f = c->fabric;
	uint64_t bit = UINT64_C(1) << c->n;
	uint32_t top = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		if (is_above(c, s, top))
			top = s;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			if (is_above(c, f->peer[f->adj[e]], s))
				c->up[e] |= bit;
	}
	c->top[c->n++] = top;
}

/* Returns the next center, which is farthest from all before; of equals the one
 * of lowest id. */
static uint32_t next_center(struct weft__order_candidates *c, uint32_t center)
{
	uint32_t best = 0;

	weft__bfs(c->fabric, center, c->from, c->queue);
	for (uint32_t s = 0; s < c->fabric->nsw; s++) {
		if (c->from[s] < c->near[s])
			c->near[s] = c->from[s];
		if (c->near[s] > c->near[best])
			best = s;
	}
	return best;
}

/* Sets the keys to hops to all hosts, those near the center weighing more. */
static void around_center(struct weft__order_candidates *c)
{
	const uint32_t *hosts = c->close->hosts;
	uint32_t nsw = c->fabric->nsw;
	uint64_t sum = 0, total = 0;

	for (uint32_t i = 0; i < c->nhomes; i++) {
		sum += (uint64_t)c->from[c->home[i]] * hosts[c->home[i]];
		total += hosts[c->home[i]];
	}
	memset(c->key, 0, nsw * sizeof(*c->key));
	for (uint32_t i = 0; i < c->nhomes; i++) {
		uint32_t h = c->home[i];
		uint64_t weight = hosts[h];
		const uint16_t *hops = c->hops + (size_t)i * nsw;

		if (c->from[h] * total <= sum)
			weight *= NEAR_WEIGHT;
		for (uint32_t s = 0; s < nsw; s++)
			c->key[s] += hops[s] * weight;
	}
}

void weft__candidates_close(struct weft__order_candidates *c, unsigned most)
{
	uint32_t nsw = c->fabric->nsw, center = c->close->by_place[0];

	for (uint32_t i = 0; i < c->nhomes; i += WEFT__BFS_BLOCK) {
		uint32_t n = c->nhomes - i;

		weft__bfs_block(c->fabric, c->home + i,
				n < WEFT__BFS_BLOCK ? n : WEFT__BFS_BLOCK,
				c->hops + (size_t)i * nsw, c->scratch);
	}
	memset(c->key, 0, nsw * sizeof(*c->key));
	add_candidate(c);
	memset(c->near, 0xff, nsw * sizeof(*c->near));
	for (uint32_t i = 0; i < most && i < nsw; i++) {
		uint32_t next = next_center(c, center);

		around_center(c);
		add_candidate(c);
		center = next;
	}
}

void weft__candidates_hops(struct weft__order_candidates *c, unsigned n)
{
	uint32_t nsw = c->fabric->nsw, center = c->close->by_place[0];

	memset(c->near, 0xff, nsw * sizeof(*c->near));
	for (uint32_t i = 0; i < nsw && c->n < n; i++) {
		uint32_t next = next_center(c, center);

		for (uint32_t s = 0; s < nsw; s++)
			c->key[s] = c->from[s];
		add_candidate(c);
		center = next;
	}
}

/* Returns the next of a sequence of pseudorandom numbers. */
static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return *state >> 33;
}

/* Puts the switches into groups of equal sizes, at random. */
static void draw_groups(struct weft__order_candidates *c, uint64_t *state)
{
	uint32_t *group = c->queue;

	for (uint32_t s = 0; s < c->fabric->nsw; s++) {
		uint32_t k = next_random(state) % (s + 1);

		group[s] = group[k];
		group[k] = s % GROUPS;
	}
}

/*
 * The bottoms are the lines of the projective plane of 7 points, which are
 * groups of switches: any two points are on a line.
 */
void weft__candidates_bottoms(struct weft__order_candidates *c, unsigned n)
{
	static const uint8_t line[GROUPS] = {
		0x0b, 0x16, 0x2c, 0x58, 0x31, 0x62, 0x45,
	};
	uint64_t state = 1;

	for (unsigned i = 0; c->n < n; i++) {
		if (i % GROUPS == 0)
			draw_groups(c, &state);
		for (uint32_t s = 0; s < c->fabric->nsw; s++) {
			uint64_t bottom = line[i % GROUPS] >> c->queue[s] & 1;

			c->key[s] = bottom << 32 | next_random(&state);
		}
		add_candidate(c);
	}
}

bool weft__candidates_init(struct weft__order_candidates *c,
			   const struct weft_fabric *f,
			   const struct weft__closeness *close,
			   struct weft_arena *arena)
{
	uint32_t nsw = f->nsw;

	*c = (struct weft__order_candidates){
		.fabric = f,
		.close = close,
		.up = weft__arena_zalloc(arena, f->adj_first[nsw],
					 sizeof(*c->up)),
		.home = weft__arena_alloc(arena, nsw, sizeof(*c->home)),
		.near = weft__arena_alloc(arena, nsw, sizeof(*c->near)),
		.from = weft__arena_alloc(arena, nsw, sizeof(*c->from)),
		.scratch = weft__arena_alloc(arena, 3ull * nsw,
					     sizeof(*c->scratch)),
		.key = weft__arena_alloc(arena, nsw, sizeof(*c->key)),
		.queue = weft__arena_alloc(arena, nsw, sizeof(*c->queue)),
	};
	if (!c->home)
		return false;
	for (uint32_t s = 0; s < nsw; s++)
		if (close->hosts[s])
			c->home[c->nhomes++] = s;
	c->hops = weft__arena_alloc(arena, (size_t)c->nhomes * nsw,
				    sizeof(*c->hops));
	return c->up && c->scratch && c->near && c->from && c->key &&
	       c->queue && c->hops;
}
