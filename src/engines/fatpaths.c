// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: fatpaths, layers of cables for networks of low diameter
 *
 * Idea (Besta et al.: FatPaths: Routing in Supercomputers and Data Centers when
 * Shortest Paths Fall Short, SC 2020): where shortest paths are few, further
 * paths come of layers.  The first layer has all links; each other one has a
 * random sample of them, and routing is minimal in each layer, so that paths
 * are minimal in the first and somewhat longer in the others.  In InfiniBand a
 * layer is an offset among the LIDs of a port (LMC): 2^LMC layers.
 *
 * layers=almost is how Slim Fly was built with InfiniBand (Blach et al.: A
 * High-Performance Design, Implementation, Deployment, and Evaluation of The
 * Slim Fly Network, 2023): in each further layer switches get, in random order,
 * a path to the destination that is one hop longer than the shortest, the least
 * loaded of those that fit what the layer holds for the destination already;
 * where there is none, a shortest one.
 *
 * The papers leave some points open.  Here they are:
 * - In layers of either kind a switch takes the least loaded of its choices, as
 *   psssp does; loads are those of all layers before.
 * - A switch that a sampled layer does not connect with the destination sends
 *   as in the first layer.  No route runs in a circle by that: from the first
 *   switch that the layer connects, the route stays in the layer.
 * - Endports on one switch share the trees of further layers, as paths are
 *   those of pairs of switches.
 * - A sample is drawn cable by cable, by a hash of the seed, the layer, and the
 *   GUID and port at one end, so that it does not depend on anything else.
 *
 * Structures: trees of all LIDs (trees/trees.h); choice[] of the current root.
 * Deadlock: not addressed; the papers leave it to virtual lanes.
 * Complexity: O(layers x switches with endports x cables) for samples.  The
 * search for longer paths looks at MAX_STEPS switches at most, for each switch,
 * root and layer.
 * Limits: with LMC 0 there is the first layer alone.
 */
#include "core/arena.h"
#include "graph/bfs.h"
#include "graph/entries.h"
#include "trees/balance.h"

#include <weft/diag.h>
#include <weft/engine.h>

#include <errno.h>
#include <string.h>

#define MAX_STEPS 4096 /* of a search for one path */

struct fatpaths {
	const struct weft_fabric *f;
	struct weft__balance balance;
	struct weft__ways ways; /* shortest ones */
	struct weft__trees trees;
	uint64_t seed;
	double density;
	bool almost;
	unsigned layer;

	/* of the current root */
	uint32_t root;
	uint8_t *choice; /* [nsw] WEFT__UNFIXED: none yet */
	uint16_t *near;	 /* [nsw] hops of a shortest path */
	uint16_t *hops;	 /* [nsw] of the path; WEFT__FAR: none */
	uint32_t *list;	 /* [nsw] */
	bool *passed;	 /* [nsw] switches on the path at hand */

	/* of a search for one path */
	uint32_t *path, *best; /* [nsw] edges */
	unsigned nbest;
	uint64_t least;
	unsigned steps;
	uint64_t straight; /* switches and roots without a longer path, or
			    * out of a sample */
	uint64_t all;
};

/* Mixes bits as the finaliser of splitmix64 does. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* True if the layer has the cable of an edge. */
static bool is_sampled(const struct fatpaths *p, uint32_t s, uint32_t e)
{
	uint32_t ch = p->f->adj[e], t = p->f->peer[ch];
	bool lower = p->f->sw[s].guid < p->f->sw[t].guid;
	uint64_t guid = p->f->sw[lower ? s : t].guid;
	unsigned port = lower ? weft__port(p->f, s, ch) : p->f->peer_port[ch];
	uint64_t x = mix(mix(mix(p->seed + p->layer) ^ guid) + port);

	return (double)(x >> 11) < p->density * (UINT64_C(1) << 53);
}

/* Has switch s send by the least loaded of its edges to switches that are one
 * hop nearer; limited: to the layer.  Returns false if there is none. */
static bool choose_nearer(struct fatpaths *p, uint32_t s, bool limited)
{
	const struct weft__balance *b = &p->balance;
	const uint32_t *first = p->f->adj_first;
	uint64_t least = UINT64_MAX;

	for (uint32_t e = first[s]; e < first[s + 1]; e++) {
		uint32_t u = b->head[e];
		uint64_t weight = b->distance[u] + b->weight[e];

		if (p->hops[u] + 1u != p->hops[s] || weight >= least ||
		    (limited && !is_sampled(p, s, e)))
			continue;
		least = weight;
		p->choice[s] = e - first[s];
	}
	if (least < UINT64_MAX)
		b->distance[s] = least & ~UINT64_C(0xff);
	return least < UINT64_MAX;
}

/* Finds the hops of all switches in the layer, and lists those that it
 * connects, the nearest first.  Returns how many. */
static uint32_t search_layer(struct fatpaths *p)
{
	const uint32_t *first = p->f->adj_first;
	uint32_t n = 1;

	memset(p->hops, 0xff, p->f->nsw * sizeof(*p->hops));
	p->hops[p->root] = 0;
	p->list[0] = p->root;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t s = p->list[i];

		for (uint32_t e = first[s]; e < first[s + 1]; e++) {
			uint32_t u = p->balance.head[e];

			if (p->hops[u] != WEFT__FAR || !is_sampled(p, s, e))
				continue;
			p->hops[u] = p->hops[s] + 1;
			p->list[n++] = u;
		}
	}
	return n;
}

/* Finds the tree of the root in a sampled layer; base: that of the first
 * layer. */
static void find_sampled(struct fatpaths *p, const struct weft__tree *base)
{
	uint32_t n = search_layer(p);

	p->balance.distance[p->root] = 0;
	for (uint32_t i = 1; i < n; i++)
		choose_nearer(p, p->list[i], true);
	for (uint32_t s = 0; s < p->f->nsw; s++)
		if (p->hops[s] == WEFT__FAR)
			p->choice[s] = base->choice[s];
	p->straight += p->f->nsw - n;
}

/* Shuffles the switches by a hash of the seed, the layer and the root. */
static void shuffle(struct fatpaths *p)
{
	uint64_t state = mix(mix(p->seed + p->layer) ^ p->f->sw[p->root].guid);

	for (uint32_t s = 0; s < p->f->nsw; s++) {
		uint32_t k;

		state = mix(state + 0x9e3779b97f4a7c15u);
		k = (state >> 32) % (s + 1);
		p->list[s] = p->list[k];
		p->list[k] = s;
	}
}

/* Follows the choices from switch s.  Returns true if they lead to the root in
 * exactly so many hops, past no switch of the path at hand, and adds what they
 * weigh. */
static bool fits(const struct fatpaths *p, uint32_t s, unsigned hops,
		 uint64_t *weight)
{
	for (; s != p->root; hops--) {
		uint32_t e = p->f->adj_first[s] + p->choice[s];

		if (!hops || p->passed[s])
			return false;
		*weight += p->balance.weight[e];
		s = p->balance.head[e];
	}
	return !hops;
}

/* Looks for the lightest path from s to the root of exactly so many hops, after
 * n edges of that weight. */
static void extend_path(struct fatpaths *p, uint32_t s, unsigned hops,
			unsigned n, uint64_t weight)
{
	const uint32_t *first = p->f->adj_first;

	if (weight >= p->least || p->near[s] > hops || p->passed[s] ||
	    p->steps++ > MAX_STEPS)
		return;
	if (s == p->root || p->choice[s] != WEFT__UNFIXED) {
		if (!fits(p, s, hops, &weight) || weight >= p->least)
			return;
		p->least = weight;
		p->nbest = n;
		memcpy(p->best, p->path, n * sizeof(*p->path));
		return;
	}
	p->passed[s] = true;
	for (uint32_t e = first[s]; hops && e < first[s + 1]; e++) {
		p->path[n] = e;
		extend_path(p, p->balance.head[e], hops - 1, n + 1,
			    weight + p->balance.weight[e]);
	}
	p->passed[s] = false;
}

/* Gives s, and those on its way, a path that is one hop longer than the
 * shortest, if one fits. */
static bool lengthen(struct fatpaths *p, uint32_t s)
{
	p->least = UINT64_MAX;
	p->steps = 0;
	p->nbest = 0;
	extend_path(p, s, p->near[s] + 1u, 0, 0);
	for (unsigned i = 0; i < p->nbest; i++) {
		p->choice[s] = p->best[i] - p->f->adj_first[s];
		s = p->balance.head[p->best[i]];
	}
	return p->nbest;
}

/* Finds the tree of the root whose paths are one hop longer than the shortest,
 * where they can be. */
static void find_almost(struct fatpaths *p)
{
	const struct weft__plan *plan = weft__ways_to(&p->ways, p->root);

	weft__ways_hops(&p->ways, plan, p->near);
	memset(p->choice, WEFT__UNFIXED, p->f->nsw);
	shuffle(p);
	for (uint32_t i = 0; i < p->f->nsw; i++) {
		uint32_t s = p->list[i];

		if (s != p->root && p->choice[s] == WEFT__UNFIXED)
			p->straight += !lengthen(p, s);
	}
	memcpy(p->hops, p->near, p->f->nsw * sizeof(*p->hops));
	memset(p->balance.distance, 0,
	       p->f->nsw * sizeof(*p->balance.distance));
	for (uint32_t i = 1; i <= plan->n; i++)
		if (p->choice[plan->order[i]] == WEFT__UNFIXED)
			choose_nearer(p, plan->order[i], false);
}

/* Adds n times what endports send along the choices, whose paths may have any
 * length. */
static void load(struct fatpaths *p, unsigned n)
{
	struct weft__balance *b = &p->balance;

	for (uint32_t s = 0; s < p->f->nsw; s++)
		for (uint32_t u = s; b->sources[s] && u != p->root;) {
			uint32_t e = p->f->adj_first[u] + p->choice[u];

			b->weight[e] +=
				(uint64_t)n * b->sources[s] * b->scale[e];
			u = b->head[e];
		}
}

/* Routes all LIDs of the layer on the switch of tree d, the first of them. They
 * are next to each other neither in the list nor otherwise. */
static void route_root(struct fatpaths *p, const uint32_t *base_of, uint32_t d)
{
	const struct weft__tree *first = &p->trees.tree[d];
	unsigned n = 0;

	p->root = first->root;
	if (p->almost)
		find_almost(p);
	else
		find_sampled(p, &p->trees.tree[base_of[first->lid]]);
	for (uint32_t i = p->f->sw_ep_first[p->root];
	     i < p->f->sw_ep_first[p->root + 1]; i++) {
		const struct weft_endport *ep = &p->f->ep[p->f->sw_endport[i]];

		if (!ep->lid || p->layer >= 1u << ep->lmc)
			continue;
		memcpy(p->trees.tree[base_of[ep->lid + p->layer]].choice,
		       p->choice, p->f->nsw);
		n += ep->weight;
	}
	load(p, n);
	p->all += p->f->nsw - 1;
}

/* Routes all layers but the first. */
static bool route_layers(struct fatpaths *p, struct weft_arena *arena)
{
	uint32_t *tree_of = weft__arena_alloc(arena, p->f->max_lid + 1ull,
					      sizeof(*tree_of));
	uint8_t *done = weft__arena_alloc(arena, p->f->nsw, 1);

	if (weft__arena_failed(arena))
		return false;
	for (uint32_t d = 0; d < p->trees.nendports; d++)
		tree_of[p->trees.tree[d].lid] = d;
	for (p->layer = 1; p->layer < 128; p->layer++) {
		memset(done, 0, p->f->nsw);
		for (uint32_t d = 0; d < p->trees.nbase; d++) {
			const struct weft__tree *t = &p->trees.tree[d];
			const struct weft_endport *ep =
				&p->f->ep[weft_lid_owner(p->f, t->lid) &
					  ~WEFT_ENDPORT];

			if (done[t->root] || p->layer >= 1u << ep->lmc)
				continue;
			done[t->root] = 1;
			route_root(p, tree_of, tree_of[ep->lid]);
		}
	}
	return true;
}

static bool alloc(struct fatpaths *p, struct weft_arena *a)
{
	uint32_t nsw = p->f->nsw;

	p->choice = weft__arena_zalloc(a, nsw, 1);
	p->near = weft__arena_zalloc(a, nsw, sizeof(*p->near));
	p->hops = weft__arena_alloc(a, nsw, sizeof(*p->hops));
	p->list = weft__arena_alloc(a, nsw, sizeof(*p->list));
	p->passed = weft__arena_zalloc(a, nsw, sizeof(*p->passed));
	p->path = weft__arena_alloc(a, nsw + 1ull, sizeof(*p->path));
	p->best = weft__arena_alloc(a, nsw + 1ull, sizeof(*p->best));
	return p->choice && p->near && p->hops && p->list && p->passed &&
	       p->path && p->best;
}

static bool route_all(struct fatpaths *p, struct weft_arena *arena, long passes)
{
	struct weft__trees base;

	if (!alloc(p, arena) || !weft__balance_init(&p->balance, p->f, arena) ||
	    !weft__ways_init(&p->ways, p->f, arena, NULL) ||
	    !weft__trees_list(p->f, arena, weft__endports_by_port(p->f, arena),
			      &p->trees))
		return false;
	base = p->trees;
	base.nendports = base.nbase;
	weft__balance_endports(&p->balance, &p->ways, &base, passes);
	if (!route_layers(p, arena))
		return false;
	weft__balance_switches(&p->balance, &p->ways, &p->trees);
	return true;
}

static int fatpaths_route(const struct weft_fabric *f,
			  const struct weft_options *options,
			  struct weft_routes *out, struct weft_diag *diag)
{
	struct fatpaths p = {
		.f = f,
		.seed = weft_options_int(options, "seed"),
		.density = weft_options_real(options, "density"),
		.almost =
			!strcmp(weft_options_text(options, "layers"), "almost"),
	};
	struct weft_arena *arena;
	struct weft_lft lft;
	int err = weft__require_connected(f, diag);

	if (err)
		return err;
	if (!(p.density >= 0 && p.density <= 1))
		return weft_fail(diag, EINVAL,
				 "density=%g: it is a share of the cables, 0 to 1",
				 p.density);
	arena = weft__arena_new();
	if (!arena ||
	    !route_all(&p, arena, weft_options_int(options, "passes")))
		err = -ENOMEM;
	else
		err = weft__trees_fill(f, &p.trees, &lft);
	weft__arena_free(arena);
	if (err)
		return weft_fail(diag, -err, "out of memory");
	if (!p.all)
		weft_diag_say(diag, WEFT_WARNING,
			      "LMC 0: the first layer alone, which is minimal routing");
	else
		weft_diag_explain(diag,
				  "%.1f %% of paths in further layers are as in the first, or shortest",
				  100.0 * p.straight / p.all);
	out->lft = lft;
	weft_layers_init(&out->layers);
	return 0;
}

static const struct weft_option fatpaths_options[] = {
	{ .name = "layers",
	  .type = WEFT_OPT_ENUM,
	  .preset = "sampled",
	  .choices = "sampled|almost",
	  .help = "layers after the first: minimal in a random sample of the cables, or paths one hop longer than the shortest"
		  },
	{ .name = "density",
	  .type = WEFT_OPT_REAL,
	  .preset = "0.8",
	  .help = "share of the cables that a sampled layer has" },
	{ .name = "passes",
	  .type = WEFT_OPT_INT,
	  .preset = "3",
	  .min = 1,
	  .max = 1000,
	  .help = "how often destinations are routed in the first layer" },
	{ .name = "seed",
	  .type = WEFT_OPT_INT,
	  .preset = "1",
	  .min = 0,
	  .max = 4294967295,
	  .help = "of samples and random orders" },
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_fatpaths = {
	.name = "fatpaths",
	.summary = "layers of cables for networks of low diameter (FatPaths)",
	.needs = WEFT_NEEDS_LMC | WEFT_REFERENCE,
	.options = fatpaths_options,
	.route = fatpaths_route,
};
