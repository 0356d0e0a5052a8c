// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DOC: weave, the best mapping without a credit loop
 *
 * Strategies make mappings: isfr as it is, and router ports spread over
 * shortest ways (spread.c).  Each is given levels (loops.c) within the lanes
 * that there are; one that has a credit loop all the same is out.  The others
 * are judged by random bisections across subnets, and by some of which half
 * stays within; the best one wins, and the earlier one where the gain is small.
 * If none is left, router ports are spread over the ways of a tree of subnets,
 * which close no circle of subnets; it grows from the subnet that is nearest to
 * all others.
 */
#include "subnets/map/weave.h"

#include "subnets/proof/loops.h"
#include "subnets/map/router_map.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES 8	       /* that a subnet has if nobody says */
#define SMALL 1.005    /* gains that do not count */
#define STREAMS 200000 /* looked at for each mapping, or so */
#define MOST 40	       /* patterns */
#define LEAST 4

struct weave {
	const struct weft_subnets *s;
	const struct weft_router_map_spec *spec;
	struct weft_diag *diag;
	struct weft_whole whole;
	uint32_t *tree; /* [n * n] distances over the tree of subnets */
};

/* --- strategies ----------------------------------------------------------- */

static int as_isfr(struct weave *x, struct weft_router_map *m)
{
	struct weft_router_map_spec spec = *x->spec;

	spec.method = WEFT_ROUTER_MAP_ISFR;
	return weft__router_map_by_method(x->s, &spec, m, x->diag);
}

static int as_spread(struct weave *x, struct weft_router_map *m)
{
	m->hash = x->spec->hash;
	return weft__spread_map(x->s, x->s->hops, m);
}

/* Returns the subnet from which the farthest is nearest, the first of those. */
static uint32_t find_middle(const struct weft_subnets *s)
{
	uint32_t best = 0, least = WEFT_NONE;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t far = 0;

		for (uint32_t k = 0; k < s->n; k++)
			if (s->hops[(size_t)i * s->n + k] != WEFT_NONE &&
			    s->hops[(size_t)i * s->n + k] > far)
				far = s->hops[(size_t)i * s->n + k];
		if (far < least && (far || s->n == 1)) {
			least = far;
			best = i;
		}
	}
	return best;
}

/* Fills in distances over a tree: of each subnet, the nearest to the root of
 * those next to it is its parent. */
static void grow_tree(struct weave *x)
{
	const struct weft_subnets *s = x->s;
	uint32_t root = find_middle(s), n = s->n;

	for (size_t i = 0; i < (size_t)n * n; i++)
		x->tree[i] = i / n == i % n ? 0 : WEFT_NONE;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t up = s->hops[(size_t)i * n + root];

		for (uint32_t k = 0; up && up != WEFT_NONE && k < n; k++)
			if (s->hops[(size_t)i * n + k] == 1 &&
			    s->hops[(size_t)k * n + root] == up - 1) {
				x->tree[(size_t)i * n + k] = 1;
				x->tree[(size_t)k * n + i] = 1;
				break;
			}
	}
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t j = 0; j < n; j++) {
				uint32_t a = x->tree[(size_t)i * n + k];
				uint32_t b = x->tree[(size_t)k * n + j];
				uint32_t *c = &x->tree[(size_t)i * n + j];

				if (a != WEFT_NONE && b != WEFT_NONE &&
				    a + b < *c)
					*c = a + b;
			}
}

static int as_tree(struct weave *x, struct weft_router_map *m)
{
	m->hash = x->spec->hash;
	grow_tree(x);
	return weft__spread_map(x->s, x->tree, m);
}

static int (*const strategies[])(struct weave *, struct weft_router_map *) = {
	as_isfr,
	as_spread,
	as_tree, /* the last resort */
};

#define NSTRATEGIES (sizeof(strategies) / sizeof(strategies[0]))

/* --- the judge ------------------------------------------------------------ */

/* Tells what a mapping is worth; streams that do not arrive get nothing. */
static int judge(struct weave *x, const struct weft_router_map *m,
		 double *worth)
{
	static const double shares[] = { 1, .5 };
	uint64_t patterns = STREAMS / (x->s->nhosts + 1);

	patterns = patterns < LEAST ? LEAST : patterns > MOST ? MOST : patterns;
	*worth = 1;
	for (unsigned i = 0; i < 2; i++) {
		const struct weft_subnets_spec spec = { .share = shares[i],
							.patterns = patterns,
							.seed = 1 };
		struct weft_subnets_bandwidth b;
		int err = weft_subnets_measure(x->s, &x->whole, m, &spec, &b,
					       x->diag);

		if (err)
			return err;
		*worth *= b.mean;
	}
	*worth = sqrt(*worth);
	return 0;
}

/* Has a strategy make a mapping, gives it levels and judges it; a worth below
 * 0: it has a credit loop. */
static int try_one(struct weave *x, unsigned strategy,
		   struct weft_router_map *m, double *worth)
{
	unsigned lanes = x->spec->lanes ? x->spec->lanes : LANES;
	int err = strategies[strategy](x, m);

	*worth = -1;
	if (!err)
		err = weft__subnets_levels(x->s, &x->whole, m, lanes);
	if (err == -ENOTSUP)
		return 0;
	if (err == -ELOOP)
		return weft_fail(x->diag, ELOOP,
				 "the tables of a subnet have a credit loop of their own, which no choice of router ports breaks: take an engine that leaves none, or weft layer");
	if (err)
		return weft_no_memory(x->diag);
	return judge(x, m, worth);
}

static int choose(struct weave *x, struct weft_router_map *best, double *most)
{
	int err = 0;

	for (unsigned i = 0; i < NSTRATEGIES && !err; i++) {
		struct weft_router_map m = { .method = WEFT_ROUTER_MAP_WEAVE };
		double worth;

		if (strategies[i] == as_tree && *most >= 0)
			break;
		err = try_one(x, i, &m, &worth);
		if (!err && worth > *most * (*most > 0 ? SMALL : 1)) {
			weft_router_map_free(best);
			*best = m;
			*most = worth;
		} else {
			weft_router_map_free(&m);
		}
	}
	return err;
}

int weft__weave_map(const struct weft_subnets *s,
		    const struct weft_router_map_spec *spec,
		    struct weft_router_map *out, struct weft_diag *diag)
{
	struct weave x = { .s = s, .spec = spec, .diag = diag };
	struct weft_router_map best = { .method = WEFT_ROUTER_MAP_WEAVE };
	double most = -1;
	int err = weft_subnets_whole(s, &x.whole, diag);

	if (err)
		return err;
	x.tree = malloc(((size_t)s->n * s->n + 1) * sizeof(*x.tree));
	err = x.tree ? choose(&x, &best, &most) :
		       weft_no_memory(diag);
	if (!err && most < 0)
		err = weft_fail(
			diag, ENOTSUP,
			"no mapping found without a credit loop in %s: more lanes, or an engine that needs fewer in each subnet",
			WEFT_COUNT(spec->lanes ? spec->lanes : LANES, "lane"));
	free(x.tree);
	weft_whole_free(s, &x.whole);
	if (err) {
		weft_router_map_free(&best);
		return err;
	}
	best.method = WEFT_ROUTER_MAP_WEAVE;
	best.unfit = 0;
	*out = best;
	return 0;
}
