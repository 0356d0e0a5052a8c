// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Routes that may be longer than shortest ones (initial=N of psssp and p2sssp):
 * P2-SSSP pair by pair against a naive search, every route ends, some are
 * longer, and credit loops are found.
 */
#include "../route.h"

#include "core/arena.h"
#include "trees/trees.h"

#include <stdlib.h>

static const char *const specs[] = {
	"ring:7,hosts=2", "torus:3x4,hosts=3", "random:14,4,3,seed=2",
	"random:14,4,3,seed=3,guids=shuffle", "random:20,5,4,seed=11",
	"hypercube:3,hosts=2", "mesh:3x3,hosts=2", "pgft:2;4,4;1,2;1,2",
	"dragonfly:4,2,2,9", "pgft:2;6,6;1,6;1,1,fail-links=4,seed=3",
	"torus:3x3,hosts=2,lmc=1",
};
enum { NSPECS = sizeof(specs) / sizeof(*specs), NONE = UINT32_MAX };

/* Of a way: what loads it in its direction, then in the other one. */
struct sum {
	uint64_t along, against;
};

struct naive {
	const struct weft_fabric *f;
	uint64_t initial;
	uint64_t *load;		/* [channels] routes */
	uint32_t *next;		/* [LIDs][switches] channel that is fixed */
	struct sum *rest;	/* [switches] from there to the destination */
};

static bool less(struct sum a, struct sum b)
{
	return a.along < b.along ||
	       (a.along == b.along && a.against < b.against);
}

/* The best way on by a channel of switch s. */
static struct sum by(const struct naive *n, uint32_t ch)
{
	const struct weft_fabric *f = n->f;
	uint32_t t = f->peer[ch];
	struct sum c = n->rest[t];

	if (c.along == UINT64_MAX)
		return c;
	c.along += n->initial + n->load[ch];
	c.against += n->initial + n->load[weft_channel(f, t, f->peer_port[ch])];
	return c;
}

static bool allowed(const struct naive *n, unsigned lid, uint32_t s, uint32_t ch)
{
	uint32_t fixed = n->next[lid * n->f->nsw + s];

	return fixed == NONE || fixed == ch;
}

/* Bellman and Ford, over what is fixed where something is. */
static void search(struct naive *n, unsigned lid, uint32_t root)
{
	const struct weft_fabric *f = n->f;
	bool changed = true;

	for (uint32_t s = 0; s < f->nsw; s++)
		n->rest[s] = (struct sum){ UINT64_MAX, UINT64_MAX };
	n->rest[root] = (struct sum){ 0 };
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < f->adj_first[f->nsw]; i++) {
			uint32_t ch = f->adj[i];
			uint32_t s = weft_channel_switch(f, ch);

			if (s == root || !allowed(n, lid, s, ch) ||
			    !less(by(n, ch), n->rest[s]))
				continue;
			n->rest[s] = by(n, ch);
			changed = true;
		}
	}
}

/* Fixes the best way from switch s, the lowest channel of those that are. */
static void fix(struct naive *n, unsigned lid, uint32_t s, uint32_t root)
{
	const struct weft_fabric *f = n->f;

	search(n, lid, root);
	while (s != root && n->next[lid * f->nsw + s] == NONE) {
		uint32_t i = f->adj_first[s];

		while (less(n->rest[s], by(n, f->adj[i])))
			i++;
		n->next[lid * f->nsw + s] = f->adj[i];
		s = f->peer[f->adj[i]];
	}
}

static void naive_pair(struct naive *n, uint32_t s, unsigned lid, uint32_t root)
{
	fix(n, lid, s, root);
	while (s != root) {
		uint32_t ch = n->next[lid * n->f->nsw + s];

		n->load[ch]++;
		s = n->f->peer[ch];
	}
}

/* Counts entries for endports that differ from those of the naive search. */
static unsigned differences(const struct weft_fabric *f, unsigned initial,
			    const struct weft_lft *lft)
{
	struct weft_arena *arena = weft__arena_new();
	const uint32_t *order = weft__endports_by_port(f, arena);
	struct naive n = {
		.f = f, .initial = initial,
		.load = calloc(f->nch, sizeof(*n.load)),
		.next = malloc((f->max_lid + 1ull) * f->nsw * sizeof(*n.next)),
		.rest = calloc(f->nsw, sizeof(*n.rest)),
	};
	unsigned differ = 0, lids = 1u << f->ep[0].lmc;

	memset(n.next, 0xff, (f->max_lid + 1ull) * f->nsw * sizeof(*n.next));
	for (uint32_t i = 0; i < f->nep; i++)
		for (uint32_t d = 0; d < lids * f->nep; d++) {
			const struct weft_endport *to =
				&f->ep[order[d % f->nep]];

			naive_pair(&n, f->ep[order[i]].sw,
				   to->lid + d / f->nep, to->sw);
		}
	for (uint32_t e = 0; e < f->nep; e++)
		for (uint32_t s = 0; s < f->nsw; s++)
			for (unsigned lid = f->ep[e].lid;
			     lid < f->ep[e].lid + lids; lid++) {
				uint32_t ch = n.next[lid * f->nsw + s];

				differ += ch != NONE &&
					  weft_channel(f, s,
						       weft_lft_get(lft, s,
								    lid)) != ch;
			}
	free(n.load);
	free(n.next);
	free(n.rest);
	weft__arena_free(arena);
	return differ;
}

TEST(test_against_naive)
{
	for (unsigned i = 0; i < 2 * NSPECS; i++) {
		struct weft_fabric *f = route_fabric(specs[i / 2], -1);
		struct weft_routes r = { 0 };

		ASSERT_EQ(route_by("p2sssp", i % 2 ? "initial=7" : "initial=1",
			  f, &r, NULL), 0);
		if (differences(f, i % 2 ? 7 : 1, &r.lft)) {
			printf("\n%s, %u", specs[i / 2], i % 2);
			EXPECT_NEVER("differs from the paper");
		}
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* Proves tables for hosts, or for everybody, and returns whether they close no
 * credit loop; *longer counts routes that are not shortest ones. */
static bool prove(const struct weft_fabric *f, const struct weft_routes *r,
		  bool everybody, uint64_t *longer)
{
	const struct weft_proof_spec spec = {
		.switches = everybody, .between_switches = everybody,
		.minimal = true, .credit_loops = true,
	};
	struct weft_proof p;
	bool open;

	ASSERT_EQ(weft_proof_run(f, r, &spec, &p, NULL), 0);
	EXPECT_EQ(p.unreachable, 0);
	EXPECT_EQ(p.loops, 0);
	*longer += p.nonminimal;
	open = !p.cyclic_vls;
	weft_proof_free(&p);
	return open;
}

/* On many random networks: no route runs in a circle, and weights that are low
 * make some longer. */
TEST(test_all_end)
{
	static const char *const engines[] = { "psssp", "p2sssp" };

	for (unsigned i = 0; i < 2; i++) {
		uint64_t longer[2] = { 0 };

		for (unsigned seed = 1; seed <= 40; seed++) {
			struct weft_routes one = { 0 }, many = { 0 };
			struct weft_fabric *f;
			char spec[64];

			snprintf(spec, sizeof(spec),
				 "random:%u,%u,2,seed=%u,guids=shuffle",
				 8 + 2 * (seed % 5),
				 3 + seed % 3, seed);
			f = route_fabric(spec, -1);
			ASSERT_EQ(route_by(engines[i], "initial=1", f, &one,
				  NULL), 0);
			ASSERT_EQ(route_by(engines[i], "initial=1000000", f,
				  &many, NULL), 0);
			prove(f, &one, true, &longer[0]);
			prove(f, &many, true, &longer[1]);
			weft_routes_free(&one);
			weft_routes_free(&many);
			weft_fabric_free(f);
		}
		EXPECT(longer[0] > 0);
		EXPECT_EQ(longer[1], 0);
	}
}

/* A mesh that shortest routes leave open and longer ones close. */
TEST(test_loops_are_told)
{
	struct weft_fabric *f = route_fabric("mesh:4x4,hosts=2", -1);
	struct weft_routes r = { 0 }, shortest = { 0 };
	uint64_t longer = 0;

	ASSERT_EQ(route_by("p2sssp", NULL, f, &shortest, NULL), 0);
	EXPECT(prove(f, &shortest, false, &longer) && !longer);
	ASSERT_EQ(route_by("p2sssp", "initial=1", f, &r, NULL), 0);
	EXPECT(!prove(f, &r, false, &longer) && longer);
	weft_routes_free(&shortest);
	weft_routes_free(&r);
	weft_fabric_free(f);
}
