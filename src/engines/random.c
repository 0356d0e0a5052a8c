// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: random, random oblivious routing
 *
 * Idea (Geoffray, Hoefler: Adaptive Routing Strategies for Modern High
 * Performance Networks, HOTI 2008): each packet takes one of many routes,
 * chosen at random.  In InfiniBand, the LIDs of a destination give the choice
 * (LMC 4: the 16 routes of the paper): every LID gets its own tree of shortest
 * paths, in which each switch takes any of its cables that lead nearer with
 * equal probability.  Sources then choose among the LIDs for each message.
 * With LMC 0 this is one random static routing.
 *
 * Chance: a switch's choice for a LID is a hash of the seed, the switch's GUID,
 * the destination's port GUID and the offset among its LIDs.  It therefore does
 * not depend on LIDs or on what else is in the fabric: a cable that fails
 * changes choices only where it takes away a shortest path.  With a stream of
 * random numbers, it would change those of all later switches and LIDs.
 *
 * Structures: hops[] of one search, shared by all LIDs on one switch.
 * Deadlock: not addressed; free of credit loops on trees only.
 * Complexity: O(switches x cables + LIDs x cables) time, O(switches) memory.
 * Limits: none.
 */
#include "core/arena.h"
#include "graph/bfs.h"
#include "graph/entries.h"

#include <weft/engine.h>

#include <errno.h>

/* Mixes bits as the finaliser of splitmix64 does: every bit of x reaches every
 * bit of the result. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* Writes the ports of switch s that lead nearer; returns how many there are. */
static unsigned list_nearer(const struct weft_fabric *f, const uint16_t *hops,
			    uint32_t s, uint8_t *port)
{
	unsigned n = 0;

	for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
		if (hops[f->peer[f->adj[i]]] < hops[s])
			port[n++] = weft__port(f, s, f->adj[i]);
	return n;
}

/* A LID, and the hash that its choices are made from. */
struct target {
	uint16_t lid;
	uint64_t seed;
};

/* Lists the LIDs of an owner, but for those that the fabric gives to others. */
static uint32_t list_lids(const struct weft_fabric *f, uint32_t owner,
			  uint64_t guid, uint64_t seed, struct target *out)
{
	bool is_switch = weft_is_switch(owner);
	uint32_t id = owner & ~WEFT_ENDPORT, n = 0;
	unsigned base = is_switch ? f->sw[id].lid : f->ep[id].lid;
	unsigned lmc = is_switch ? f->sw[id].lmc : f->ep[id].lmc;

	for (unsigned i = 0; base && i < 1u << lmc; i++)
		if (weft_lid_owner(f, base + i) == owner)
			out[n++] = (struct target){
				base + i, mix(mix(mix(seed) ^ guid) + i)
			};
	return n;
}

/* Lists the LIDs of switch root and of the endports on it. */
static uint32_t list_targets(const struct weft_fabric *f, uint32_t root,
			     uint64_t seed, struct target *out)
{
	uint32_t n = list_lids(f, root, f->sw[root].port_guid, seed, out);

	for (uint32_t i = f->sw_ep_first[root]; i < f->sw_ep_first[root + 1];
	     i++) {
		uint32_t e = f->sw_endport[i];

		n += list_lids(f, e | WEFT_ENDPORT, f->ep[e].guid, seed,
			       out + n);
	}
	return n;
}

static void route_targets(const struct weft_fabric *f, uint32_t root,
			  const uint16_t *hops, const struct target *target,
			  uint32_t ntargets, struct weft_lft *lft)
{
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint8_t *row = weft_lft_row(lft, s), port[WEFT_MAX_PORTS];
		unsigned n = list_nearer(f, hops, s, port);

		for (uint32_t i = 0; i < ntargets; i++) {
			const struct target *t = &target[i];
			uint64_t chance = mix(t->seed ^ f->sw[s].guid) >> 32;

			row[t->lid] = s == root ?
				weft__delivery_port(f, f->lid_owner[t->lid]) :
				port[chance * n >> 32];
		}
	}
}

/* Makes all tables; scratch memory is the arena's. */
static int make_tables(const struct weft_fabric *f, uint64_t seed,
		       struct weft_arena *arena, struct weft_lft *lft)
{
	uint16_t *hops = weft__arena_alloc(arena, f->nsw, sizeof(*hops));
	uint32_t *order = weft__arena_alloc(arena, f->nsw, sizeof(*order));
	struct target *target = weft__arena_alloc(arena, f->max_lid,
						  sizeof(*target));

	if (!hops || !order || !target ||
	    weft_lft_init(lft, f->nsw, f->max_lid))
		return -ENOMEM;
	for (uint32_t root = 0; root < f->nsw; root++) {
		uint32_t n = list_targets(f, root, seed, target);

		if (!n)
			continue;
		weft__bfs(f, root, hops, order);
		route_targets(f, root, hops, target, n, lft);
	}
	return 0;
}

static int random_route(const struct weft_fabric *f,
			const struct weft_options *options,
			struct weft_routes *out, struct weft_diag *diag)
{
	struct weft_arena *arena;
	int err = weft__require_connected(f, diag);

	if (err)
		return err;
	arena = weft__arena_new();
	err = arena ? make_tables(f, weft_options_int(options, "seed"), arena,
				  &out->lft) : -ENOMEM;
	weft__arena_free(arena);
	if (err)
		return weft_fail(diag, -err, "out of memory");
	weft_layers_init(&out->layers);
	return 0;
}

static const struct weft_option random_options[] = {
	{ .name = "seed", .type = WEFT_OPT_INT, .preset = "1",
	  .min = 0, .max = INT32_MAX, .help = "what the choices depend on" },
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_random = {
	.name = "random",
	.summary = "random shortest paths, a tree for each LID (random oblivious routing)",
	.needs = WEFT_NEEDS_LMC | WEFT_REFERENCE,
	.minimal = true,
	.options = random_options,
	.route = random_route,
};
