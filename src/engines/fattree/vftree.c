// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: vftree, fat-tree routing that spreads traffic over virtual lanes
 *
 * Idea (Guay, Bogdanski, Reinemo, Lysne, Skeie: vFtree, a fat-tree routing
 * algorithm using virtual lanes to alleviate congestion, IPDPS 2011): where
 * many hosts send to one, traffic to other hosts over the same cables waits
 * behind theirs.  It does not if destinations that share a cable upwards have
 * different lanes.  Tables are those of another fat-tree engine (base); pairs
 * of switches with endports get lanes, the same in both directions.
 *
 * algorithm=paper is the paper's algorithm 1 over the switches with endports in
 * the order of their GUIDs.  It knows nothing of the routes, and keeps
 * destinations on one cable apart in a full tree of two stages.
 * algorithm=shared, the default, does so in any tree: pair by pair it takes the
 * lane with the fewest destinations that share a cable upwards with those of
 * the pair; among equals the first one from the lane of algorithm 1 on.
 * algorithm=down is for oversubscribed trees, where hosts of a leaf share cables
 * on the way down, too, as the paper has for its future work.  There a pair's lane
 * is of no use: all that goes to a hot spot comes down in all lanes, and with it
 * what goes to others on its leaf.  Each destination has a lane of its own here,
 * whoever sends: LID by LID it takes the lane with the least that shares cables
 * with it, either way, counted by pairs of senders; among equals the one that
 * fewest have.  The lanes of a pair's two directions differ.
 *
 * Structures: use[] counts, for each cable upwards and lane, destinations of a
 * switch; of algorithm=down, for each channel and lane, senders.
 * Deadlock: the routes in a lane are part of the base's routes, which have no
 * loop in one lane.
 * Complexity: O(pairs of switches with endports x endports on them x hops); of
 * algorithm=down O(LIDs x (switches with endports x hops + cables on these ways x
 * lanes)).
 * Limits: SLs 0 .. lanes - 1 are the lanes; where QoS levels are wanted as
 * well, there have to be fewer.  Applications must ask for path records, else
 * all traffic is on SL 0.
 */
#include "config.h"

#include "engines/fattree/engine.h"

#include "core/arena.h"
#include "core/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct vftree {
	const struct weft_fabric *f;
	const struct weft_lft *lft;
	const uint32_t *place;
	unsigned lanes;
	bool shared;		/* false: the paper's algorithm */
	uint32_t *senders;	/* [channels of switches] of a LID, else 0 */
	uint32_t *way;		/* [nsw] of a route */
	uint32_t *end;		/* [n] switches with endports */
	uint32_t n;
	uint32_t *use;		/* [channels of switches][lanes] */
	uint32_t *cable;	/* channels upwards of the current pair */
	uint32_t ncables;
	size_t room;
	uint8_t *table;		/* [nsw * nsw] */
};

/* Returns the lane of pair i, j (i < j) by algorithm 1. */
static unsigned paper_lane(const struct vftree *v, uint32_t i, uint32_t j)
{
	uint32_t start = 2 * i % v->lanes + (2 * i / v->lanes % 2);

	return (start + j - i - 1) % v->lanes;
}

static bool add_cable(struct vftree *v, uint32_t channel)
{
	if (weft__grow(&v->cable, &v->room, v->ncables + 1ull))
		return false;
	v->cable[v->ncables++] = channel;
	return true;
}

/* Lists the cables upwards on the way from switch s to a LID. */
static bool list_cables(struct vftree *v, uint32_t s, unsigned lid)
{
	for (;;) {
		uint32_t ch = weft_channel(v->f, s, weft_lft_get(v->lft, s,
								 lid));
		uint32_t t = v->f->peer[ch];

		if (!weft_is_switch(t) || v->place[t] > v->place[s])
			return true;
		if (!add_cable(v, ch))
			return false;
		s = t;
	}
}

static bool list_all_cables(struct vftree *v, uint32_t from, uint32_t to)
{
	const struct weft_fabric *f = v->f;

	for (uint32_t i = f->sw_ep_first[to]; i < f->sw_ep_first[to + 1]; i++) {
		const struct weft_endport *ep = &f->ep[f->sw_endport[i]];

		if (ep->lid && !list_cables(v, from, ep->lid))
			return false;
	}
	return true;
}

/* Returns the lane with the fewest destinations on the listed cables; among
 * equals the first one from lane "first" on. */
static unsigned least_shared_lane(const struct vftree *v, unsigned first)
{
	uint64_t least = UINT64_MAX;
	unsigned best = first;

	for (unsigned k = 0; k < v->lanes; k++) {
		unsigned lane = (first + k) % v->lanes;
		uint64_t sum = 0;

		for (uint32_t c = 0; c < v->ncables; c++)
			sum += v->use[(size_t)v->cable[c] * v->lanes + lane];
		if (sum < least) {
			least = sum;
			best = lane;
		}
	}
	return best;
}

/* Gives a lane to the pair of the i-th and the j-th switch with endports. */
static bool assign_lane(struct vftree *v, uint32_t i, uint32_t j)
{
	uint32_t a = v->end[i], b = v->end[j];
	unsigned lane = paper_lane(v, i, j);

	if (v->shared) {
		v->ncables = 0;
		if (!list_all_cables(v, a, b) || !list_all_cables(v, b, a))
			return false;
		lane = least_shared_lane(v, lane);
		for (uint32_t c = 0; c < v->ncables; c++)
			v->use[(size_t)v->cable[c] * v->lanes + lane]++;
	}
	v->table[(size_t)a * v->f->nsw + b] = lane;
	v->table[(size_t)b * v->f->nsw + a] = lane;
	return true;
}

static bool assign_lanes(struct vftree *v)
{
	for (uint32_t s = 0; s < v->f->nsw; s++)
		if (v->f->sw_ep_first[s] != v->f->sw_ep_first[s + 1])
			v->end[v->n++] = s;
	for (uint32_t i = 0; i < v->n; i++)
		for (uint32_t j = i + 1; j < v->n; j++)
			if (!assign_lane(v, i, j))
				return false;
	return true;
}

/* --- algorithm=down ------------------------------------------------------- */

/* Counts the senders to a LID over each channel, which it lists once. */
static bool count_senders(struct vftree *v, unsigned lid)
{
	const struct weft_fabric *f = v->f;

	v->ncables = 0;
	for (uint32_t i = 0; i < v->n; i++) {
		uint32_t s = v->end[i];
		uint32_t senders = f->sw_ep_first[s + 1] - f->sw_ep_first[s];
		size_t hops;

		if (weft_lft_walk(f, v->lft, s, lid,
				  (struct weft_walk_path){ v->way, f->nsw },
				  &hops) != WEFT_ARRIVED)
			continue;
		/* the last one is to the host */
		for (size_t k = 0; k + 1 < hops; k++) {
			uint32_t ch = v->way[k];

			if (!v->senders[ch] && !add_cable(v, ch))
				return false;
			v->senders[ch] += senders;
		}
	}
	return true;
}

/* The lane whose LIDs share the least with the one whose senders are counted;
 * among equals the one that fewest of them have. */
static unsigned lonely_lane(const struct vftree *v, const uint32_t *has)
{
	uint64_t least = UINT64_MAX;
	unsigned best = 0;

	for (unsigned lane = 0; lane < v->lanes; lane++) {
		uint64_t sum = 0;

		for (uint32_t c = 0; c < v->ncables; c++)
			sum += (uint64_t)v->senders[v->cable[c]] *
			       v->use[(size_t)v->cable[c] * v->lanes + lane];
		if (sum < least || (sum == least && has[lane] < has[best])) {
			least = sum;
			best = lane;
		}
	}
	return best;
}

/* Gives a lane to each LID of endports. */
static bool assign_down(struct vftree *v)
{
	const struct weft_fabric *f = v->f;
	uint32_t has[WEFT_MAX_LANES] = { 0 };

	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s] != f->sw_ep_first[s + 1])
			v->end[v->n++] = s;
	for (uint32_t i = 0; i < f->nep; i++) {
		const struct weft_endport *to = &f->ep[f->sw_endport[i]];

		for (unsigned k = 0; to->lid && k < 1u << to->lmc; k++) {
			unsigned lid = to->lid + k, lane;

			if (!count_senders(v, lid))
				return false;
			lane = lonely_lane(v, has);
			has[lane]++;
			v->table[lid] = lane;
			for (uint32_t c = 0; c < v->ncables; c++) {
				uint32_t ch = v->cable[c];

				v->use[(size_t)ch * v->lanes + lane] +=
					v->senders[ch];
				v->senders[ch] = 0;
			}
		}
	}
	return true;
}

/* Gives lanes to the tables in routes. */
static int add_lanes(const struct weft_fabric *f,
		     const struct weft_options *options,
		     const struct weft__fattree *tree,
		     struct weft_routes *routes)
{
	const char *how = weft_options_text(options, "algorithm");
	struct vftree v = { .f = f, .lft = &routes->lft, .place = tree->place,
		.lanes = weft_options_int(options, "lanes"),
		.shared = !strcmp(how, "shared") };
	bool down = !strcmp(how, "down"), good;

	v.end = malloc((f->nsw + 1ull) * sizeof(*v.end));
	v.use = calloc((size_t)f->first_injection * v.lanes + 1,
		       sizeof(*v.use));
	v.senders = calloc(f->first_injection + 1ull, sizeof(*v.senders));
	v.way = malloc((f->nsw + 1ull) * sizeof(*v.way));
	v.table = calloc(down ? f->max_lid + 1ull :
				(size_t)f->nsw * f->nsw + 1, 1);
	good = v.end && v.use && v.senders && v.way &&
	       v.table &&
	       (down ? assign_down(&v) : assign_lanes(&v));
	free(v.end);
	free(v.use);
	free(v.senders);
	free(v.way);
	free(v.cable);
	if (!good) {
		free(v.table);
		return -ENOMEM;
	}
	routes->layers.form = down ? WEFT_SL_DESTINATION : WEFT_SL_SWITCH_PAIR;
	routes->layers.one_way = down;
	routes->layers.nsw = f->nsw;
	routes->layers.nep = f->nep;
	routes->layers.max_lid = f->max_lid;
	routes->layers.table = v.table;
	routes->layers.nvl = v.lanes;
	return 0;
}

/* Engines that configure was told to leave out are not there. */
#define BASES WITH(WEFT_HAS_beft, beft) WITH(WEFT_HAS_eft, eft) \
	WITH(WEFT_HAS_eftree, eftree) WITH(WEFT_HAS_mftree, mftree) \
	WITH(WEFT_HAS_sftree, sftree)
#define WITH(has, name) WITH_(has, name)
#define WITH_(has, name) WITH_##has(name)
#define WITH_0(name)
#define WITH_1(name) extern const struct weft_engine weft__engine_##name;
BASES
#undef WITH_1

/* Returns the engine of that name, NULL if there is none. */
static const struct weft_engine *find_base(const char *name)
{
#define WITH_1(name) &weft__engine_##name,
	static const struct weft_engine *const base[] = { BASES NULL };
	unsigned i = 0;

	while (base[i] && strcmp(base[i]->name, name))
		i++;
	return base[i];
}

/* Makes the tables of the engine that option base names, with the options of
 * this engine. */
static int route_base(const struct weft_fabric *f,
		      const struct weft_options *options,
		      struct weft_routes *out, struct weft_diag *diag)
{
	static const char *const shared[] = { "roots", "roles", "keep-off",
						  "switches" };
	const char *base = weft_options_text(options, "base");
	const struct weft_engine *engine = find_base(base);
	struct weft_options *o;
	int err;

	if (!engine)
		return weft_fail(diag, EINVAL,
				 "base: this build is without the engine %s",
				 base);
	if (weft_options_new(&o, engine->options))
		return weft_no_memory(diag);
	err = 0;
	for (unsigned i = 0; i < sizeof(shared) / sizeof(*shared) && !err; i++)
		if (weft_options_copy(o, options, shared[i]))
			err = weft_no_memory(diag);
	if (!err)
		err = engine->route(f, o, out, diag);
	weft_options_free(o);
	return err;
}

static int vftree_route(const struct weft_fabric *f,
			const struct weft_options *options,
			struct weft_routes *out, struct weft_diag *diag)
{
	struct weft_routes routes = { 0 };
	struct weft__fattree tree;
	struct weft_arena *arena;
	int err = route_base(f, options, &routes, diag);

	if (err)
		return err;
	arena = weft__arena_new();
	/* No diag: the base has reported all about the tree. */
	if (!arena || weft__fattree_find(f, options, arena, &tree, NULL) ||
	    (weft_options_int(options, "lanes") > 1 &&
	     add_lanes(f, options, &tree, &routes)))
		err = weft_no_memory(diag);
	weft__arena_free(arena);
	if (err)
		weft_routes_free(&routes);
	else
		*out = routes;
	return err;
}

static const struct weft_option vftree_options[] = {
	WEFT__FATTREE_ENGINE_OPTIONS,
	{ .name = "base", .type = WEFT_OPT_ENUM, .preset = "beft",
	  .choices = "beft|eft|eftree|mftree|sftree",
	  .help = "the engine whose tables these are" },
	{ .name = "lanes", .type = WEFT_OPT_INT, .preset = "2",
	  .min = 1, .max = 15, .help = "lanes, SLs 0 and up" },
	{ .name = "algorithm", .type = WEFT_OPT_ENUM, .preset = "shared",
	  .choices = "shared|paper|down",
	  .help = "by the cables that destinations share, by numbers of switches alone, or a lane for each destination, which keeps hosts of a leaf apart, too, in oversubscribed trees"
		  },
	{ .type = WEFT_OPT_END },
};

const struct weft_engine weft__engine_vftree = {
	.name = "vftree",
	.summary = "fat trees, lanes that keep hot spots apart (vFtree)",
	.needs = WEFT_NEEDS_VLS,
	.loopfree = WEFT_LOOPFREE_ALL,
	.options = vftree_options,
	.route = vftree_route,
};
