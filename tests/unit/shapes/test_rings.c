// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Products of rings and paths are recognised whatever ports and switches are
 * called, with parallel cables, and without some; nothing else is.
 */
#include "core/arena.h"
#include "shapes/rings.h"
#include "../model_util.h"
#include "rings_check.h"
#include "../suite.h"

#include <weft/rng.h>
#include <weft/weft.h>

enum { SEED = 20615, MAX_SW = 600, MAX_CABLES = 8000, MAX_DIM = 7,
	DRAWS = 5 };

struct dimension {
	unsigned length;
	bool ring;
};

struct product {
	struct dimension dim[MAX_DIM];	/* ends with length 0 */
	unsigned links;		/* parallel cables at most */
	unsigned missing[6];	/* cables by number; ends with 0 */
	bool found;
	struct dimension as[MAX_DIM];	/* if it is not dim */
};

struct drawn {
	unsigned nsw, n;
	unsigned cable[MAX_CABLES][2];
	unsigned hosts[MAX_SW];
};

static bool is_missing(const struct product *p, unsigned number)
{
	for (unsigned i = 0; p->missing[i]; i++)
		if (p->missing[i] == number)
			return true;
	return false;
}

static unsigned count_switches(const struct dimension *d)
{
	unsigned n = 1;

	for (; d->length; d++)
		n *= d->length;
	return n;
}

/* All its cables: number s * dimensions + i leads ahead from place s in
 * dimension i.  As many parallel ones as chance will have it. */
static void draw(const struct product *p, struct weft_rng *rng,
		 struct drawn *out)
{
	uint32_t name[MAX_SW], order[MAX_CABLES];
	unsigned raw[MAX_CABLES][2], ndim = 0;

	while (p->dim[ndim].length)
		ndim++;
	out->nsw = count_switches(p->dim);
	out->n = 0;
	for (unsigned s = 0; s < out->nsw; s++) {
		name[s] = s;
		out->hosts[s] = 1;
	}
	weft_rng_shuffle(rng, name, out->nsw);
	for (unsigned s = 0; s < out->nsw; s++) {
		unsigned stride = 1;

		for (unsigned i = 0; i < ndim; i++) {
			const struct dimension *d = &p->dim[i];
			unsigned at = s / stride % d->length, to;
			unsigned n = 1 + weft_rng_below(rng, p->links);

			to = s - at * stride + (at + 1) % d->length * stride;
			stride *= d->length;
			if ((!d->ring && at + 1 == d->length) ||
			    is_missing(p, s * ndim + i))
				continue;
			for (; n; n--, out->n++) {
				raw[out->n][0] = name[s];
				raw[out->n][1] = name[to];
			}
		}
	}
	for (unsigned i = 0; i < out->n; i++)
		order[i] = i;
	weft_rng_shuffle(rng, order, out->n);
	for (unsigned i = 0; i < out->n; i++)
		memcpy(out->cable[i], raw[order[i]], sizeof(raw[0]));
}

static struct weft_fabric *build(const struct drawn *d)
{
	return test_fabric(d->nsw, d->hosts,
			   (const unsigned (*)[2])d->cable, d->n, 0);
}

static void check_places(const struct weft_fabric *f,
			 const struct weft__rings *r)
{
	uint8_t taken[MAX_SW] = { 0 };

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t place = 0;

		for (unsigned i = 0; i < r->n; i++) {
			uint32_t at = r->at[(size_t)s * r->n + i];

			ASSERT(at < r->dim[i].length);
			place = place * r->dim[i].length + at;
		}
		ASSERT(place < f->nsw);
		EXPECT(!taken[place]++);
	}
}

/* Everything that was found is right. */
static void check_rings(const struct weft_fabric *f,
			const struct weft__rings *r)
{
	unsigned gaps = 0;

	check_places(f, r);
	for (uint32_t s = 0; s < f->nsw; s++)
		gaps += check_neighbours(f, r, s);
	EXPECT_EQ(gaps, r->ngaps);
}

static unsigned count_like(const struct dimension *d, unsigned length,
			   bool ring)
{
	unsigned n = 0;

	for (; d->length; d++)
		n += d->length == length && d->ring == ring;
	return n;
}

/* The same dimensions in any order. */
static void compare_dimensions(const struct weft__rings *r,
			       const struct dimension *expected)
{
	struct dimension got[WEFT__MAX_DIMENSIONS + 1] = { { 0, false } };
	unsigned n = 0;

	for (; n < r->n; n++)
		got[n] = (struct dimension){ r->dim[n].length, r->dim[n].ring };
	for (unsigned i = 0; i < n; i++)
		EXPECT_EQ(count_like(got, got[i].length, got[i].ring),
			  count_like(expected, got[i].length, got[i].ring));
	EXPECT_EQ(count_switches(got), count_switches(expected));
}

static bool search(const struct weft_fabric *f, struct weft__rings *r,
		   struct weft_arena *arena)
{
	bool found;

	ASSERT(weft__rings_find(r, f, arena, &found));
	return found && r->whole;
}

static const struct product products[] = {
	{ .dim = { { 6, 1 }, { 5, 1 }, { 3, 1 } }, .links = 3, .found = true },
	{ .dim = { { 9, 1 } }, .links = 1, .found = true },
	{ .dim = { { 3, 1 } }, .links = 2, .found = true },
	{ .dim = { { 7, 0 } }, .links = 1, .found = true },
	{ .dim = { { 2, 0 } }, .links = 2, .found = true },
	{ .dim = { { 5, 0 }, { 3, 0 }, { 2, 0 } }, .links = 2, .found = true },
	{ .dim = { { 8, 1 }, { 5, 0 } }, .links = 1, .found = true },
	{ .dim = { { 3, 1 }, { 3, 1 }, { 3, 1 } }, .links = 1, .found = true },
	{ .dim = { { 2, 0 }, { 2, 0 }, { 2, 0 }, { 2, 0 }, { 2, 0 } },
	  .links = 1, .found = true },
	{ .dim = { { 4, 1 }, { 6, 1 } }, .links = 2, .found = true,
	  .as = { { 2, 0 }, { 2, 0 }, { 6, 1 } } },
	{ .dim = { { 4, 1 }, { 4, 1 }, { 4, 1 } }, .links = 1, .found = true,
	  .as = { { 2, 0 }, { 2, 0 }, { 2, 0 }, { 2, 0 }, { 2, 0 },
		  { 2, 0 } } },
	/* without a cable in a few rings each */
	{ .dim = { { 12, 1 }, { 10, 1 } }, .links = 2,
	  .missing = { 1, 34, 77 }, .found = true },
	{ .dim = { { 8, 1 }, { 6, 1 }, { 5, 1 } }, .links = 1,
	  .missing = { 3, 4, 5, 103, 400 }, .found = true },
	{ .dim = { { 4, 1 }, { 4, 1 }, { 3, 1 } }, .links = 1,
	  .missing = { 3 }, .found = true,
	  .as = { { 4, 1 }, { 2, 0 }, { 2, 0 }, { 3, 1 } } },
	/* two in a ring; one in a path; the only pair of pairs */
	{ .dim = { { 7, 1 }, { 6, 1 } }, .links = 1, .missing = { 2, 6 } },
	{ .dim = { { 7, 0 }, { 6, 0 } }, .links = 1, .missing = { 2 } },
	{ .dim = { { 7, 1 }, { 2, 0 } }, .links = 1, .missing = { 5 } },
};
enum { NPRODUCTS = sizeof(products) / sizeof(products[0]) };

static unsigned count_missing(const struct product *p)
{
	unsigned n = 0;

	while (p->missing[n])
		n++;
	return n;
}

TEST(test_products)
{
	static struct drawn d;
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < NPRODUCTS * DRAWS; i++) {
		const struct product *p = &products[i / DRAWS];
		struct weft_arena *arena = weft__arena_new();
		struct weft__rings r;
		struct weft_fabric *f;
		bool found;

		draw(p, rng, &d);
		f = build(&d);
		found = search(f, &r, arena);
		if (found != p->found)
			printf("\nproduct %u", i / DRAWS);
		EXPECT_EQ(found, p->found);
		if (found) {
			check_rings(f, &r);
			compare_dimensions(&r, p->as[0].length ? p->as :
					   p->dim);
			EXPECT_EQ(r.ngaps, count_missing(p));
		}
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Ports that follow dimensions tell these where squares of cables do not. */
TEST(test_ports)
{
	static const struct {
		const char *spec;
		unsigned ndim, gaps;
	} regular[] = {
		{ "torus:8x4,hosts=1,fail-links=10%,seed=6", 2, 6 },
		{ "torus:6x4x2,hosts=1,links=2", 3, 0 },
		{ "hypercube:5,hosts=1,guids=shuffle", 5, 0 },
		{ "mesh:4x3x2,hosts=1", 3, 0 },
	};

	for (unsigned i = 0; i < sizeof(regular) / sizeof(regular[0]); i++) {
		struct weft_arena *arena = weft__arena_new();
		struct weft_fabric *f = NULL;
		struct weft__rings r;

		ASSERT_EQ(weft_gen(regular[i].spec, &f, NULL), 0);
		ASSERT(search(f, &r, arena));
		check_rings(f, &r);
		EXPECT_EQ(r.n, regular[i].ndim);
		EXPECT_EQ(r.ngaps, regular[i].gaps);
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}

/* A torus whose rings close a step aside, or with a cable too many. */
TEST(test_twisted)
{
	static const struct product torus = {
		.dim = { { 6, 1 }, { 5, 1 } }, .links = 1,
	};
	static struct drawn d;

	for (unsigned extra = 0; extra < 2; extra++) {
		struct weft_arena *arena = weft__arena_new();
		struct weft__rings r;
		struct weft_fabric *f;

		d = (struct drawn){ .nsw = count_switches(torus.dim) };
		for (unsigned s = 0; s < d.nsw; s++) {
			unsigned x = s % 6, y = s / 6;

			d.hosts[s] = 1;
			d.cable[d.n][0] = s;
			d.cable[d.n++][1] = y * 6 + (x + 1) % 6;
			d.cable[d.n][0] = s;
			d.cable[d.n++][1] = y < 4 ? s + 6 :
				(x + !extra) % 6;
		}
		if (extra) {
			d.cable[d.n][0] = 0;
			d.cable[d.n++][1] = 14;
		}
		f = build(&d);
		EXPECT(!search(f, &r, arena));
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}

TEST(test_others)
{
	static const char *const others[] = {
		"pgft:2;4,6;1,4;1,1", "star:6,hosts=3", "dragonfly:4,2,2,9",
		"random:20x3,12,seed=1", "random:40x2,5,seed=2", "deimos",
	};

	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct weft_arena *arena = weft__arena_new();
		struct weft_fabric *f = NULL;
		struct weft__rings r;

		ASSERT_EQ(weft_gen(others[i], &f, NULL), 0);
		EXPECT(!search(f, &r, arena));
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}

/* weave goes by the dimensions: shortest ways, a dateline for each of two, before
 * shifts take longer ones. */
TEST(test_weave)
{
	static const struct product torus = {
		.dim = { { 6, 1 }, { 5, 1 }, { 4, 1 } }, .links = 2,
	};
	static const struct weft_proof_spec everything = {
		.all_hosts = true, .switches = true, .between_switches = true,
		.credit_loops = true, .minimal = true,
	};
	const struct weft_engine *weave = weft_engine_find("weave");
	static struct drawn d;
	struct weft_options *options;
	struct weft_rng *rng = weft_rng_new(SEED);

	ASSERT_EQ(weft_options_new(&options, weave->options), 0);
	EXPECT_EQ(weft_options_parse(options, "strategy=dimensions", NULL), 0);
	EXPECT_EQ(weft_options_parse(options, "effort=0", NULL), 0);
	for (unsigned i = 0; i < DRAWS; i++) {
		struct weft_routes routes = { 0 };
		struct weft_proof proof;
		struct weft_fabric *f;

		draw(&torus, rng, &d);
		f = build(&d);
		ASSERT_EQ(weave->route(f, options, &routes, NULL), 0);
		ASSERT_EQ(weft_proof_run(f, &routes, &everything, &proof, NULL),
			  0);
		EXPECT_EQ(routes.layers.nvl, 4);
		EXPECT_EQ(proof.unreachable, 0);
		EXPECT_EQ(proof.cyclic_vls, 0);
		EXPECT_EQ(proof.nonminimal, 0);
		weft_proof_free(&proof);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
	weft_options_free(options);
	weft_rng_free(rng);
}
