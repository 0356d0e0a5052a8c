// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What layering tells of its outcome: of a fabric in parts what the parts tell
 * alone, together.  How good outcomes are for many small random fabrics.
 */
#include "../proof_random.h"
#include "../suite.h"

#define SEED 7u

/* Rings, one beside the other; hosts on the first switches of all. */
static struct weft_fabric *make_rings(unsigned n, const unsigned *size,
				      unsigned hosts)
{
	unsigned cable[64][2], nsw = 0, ncables = 0;

	for (unsigned i = 0; i < n; i++) {
		for (unsigned s = 0; s < size[i]; s++) {
			cable[ncables][0] = nsw + s;
			cable[ncables++][1] = nsw + (s + 1) % size[i];
		}
		nsw += size[i];
	}
	return plain_fabric(nsw, hosts, cable, ncables);
}

static struct weft_layering layer(const struct weft_fabric *f,
				  const struct weft_layering_spec *spec)
{
	struct weft_routes r = { 0 };
	struct weft_layering out;
	const struct weft_engine *e = weft_engine_find("minhop");
	struct weft_options *o;

	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	ASSERT_EQ(weft_route(e, f, o, &r, NULL), 0);
	ASSERT_EQ(weft_layering_run(f, &r, spec, &out, NULL), 0);
	weft_options_free(o);
	weft_routes_free(&r);
	return out;
}

/* How many endports a part has, if it has new routes. */
static double changed(const struct weft_layering *y,
		      const struct weft_fabric *f)
{
	return y->bandwidth_before > 0 ? f->nep : 0;
}

static double mean(double a, double weight_a, double b, double weight_b)
{
	double weight = weight_a + weight_b;

	return weight > 0 ? (a * weight_a + b * weight_b) / weight : 0;
}

#define SUM(what) (a.what + b.what)
#define MOST(what) (a.what > b.what ? a.what : b.what)

/* The root is that of the part with the most hosts, if this has one. */
static void check_rings(const unsigned *size, unsigned hosts,
			const struct weft_layering_spec *spec)
{
	struct weft_fabric *f = make_rings(2, size, hosts);
	struct weft_fabric *f1 = make_rings(1, size, size[0]);
	struct weft_fabric *f2 = make_rings(1, size + 1, hosts - size[0]);
	struct weft_layering all = layer(f, spec), a = layer(f1, spec);
	struct weft_layering b = layer(f2, spec);
	double na = changed(&a, f1), nb = changed(&b, f2);
	bool b_first = f2->nhosts > f1->nhosts ||
		(f2->nhosts == f1->nhosts && size[1] > size[0]);

	EXPECT_EQ(all.lanes, MOST(lanes));
	EXPECT_EQ(all.method, b.lanes > a.lanes || (b.lanes == a.lanes &&
		  b_first) ? b.method : a.method);
	EXPECT_EQ(all.moved, SUM(moved));
	EXPECT_EQ(all.shared, a.shared || b.shared);
	EXPECT_EQ(all.rerouted, SUM(rerouted));
	EXPECT_EQ(all.rerouted_thin, SUM(rerouted_thin));
	if (b.root != WEFT_NONE)
		b.root += size[0];
	if (a.root == WEFT_NONE || (b_first && b.root != WEFT_NONE))
		a.root = b.root;
	EXPECT_EQ(all.root, a.root);
	EXPECT_EQ(all.hops_before, SUM(hops_before));
	EXPECT_EQ(all.hops_after, SUM(hops_after));
	EXPECT_EQ(all.load_before, MOST(load_before));
	EXPECT_EQ(all.load_after, MOST(load_after));
	EXPECT_EQ(all.work, SUM(work));
	EXPECT_NEAR(all.bandwidth_before,
		    mean(a.bandwidth_before, na, b.bandwidth_before, nb), 1e-9);
	EXPECT_NEAR(all.bandwidth_after,
		    mean(a.bandwidth_after, na, b.bandwidth_after, nb), 1e-9);
	weft_fabric_free(f2);
	weft_fabric_free(f1);
	weft_fabric_free(f);
}

TEST(test_parts)
{
	static const unsigned size[][2] = {
		{ 4, 8 }, { 5, 7 }, { 6, 9 }, { 8, 4 }, { 9, 6 },
	};

	for (unsigned i = 0; i < sizeof(size) / sizeof(*size); i++)
		for (unsigned lanes = 1; lanes <= 3; lanes++) {
			struct weft_layering_spec spec = { .lanes = lanes };
			unsigned hosts = size[i][0] + size[i][1] / 2;

			check_rings(size[i], hosts, &spec);
			spec.keep = true;
			check_rings(size[i], hosts, &spec);
			spec.one_way = true;
			spec.method = WEFT_LAYERING_DESTINATION;
			check_rings(size[i], hosts, &spec);
		}
}

/* Counts over many outcomes. */
struct tally {
	unsigned fit;		/* no method was needed */
	unsigned thin;		/* LIDs of switches with new routes in these */
	unsigned shortest;	/* all new routes are of shortest ways */
};

static void tally_up(struct tally *t, const struct weft_fabric *f,
		     struct weft_routes *r, unsigned lanes)
{
	const struct weft_layering_spec spec = { .lanes = lanes,
						 .keep = true };
	const struct weft_proof_spec what = {
		.all_hosts = true, .switches = true, .credit_loops = true,
		.between_switches = true,
	};
	struct weft_layering out;
	struct weft_proof p;
	uint64_t unreachable;

	ASSERT_EQ(weft_proof_run(f, r, &what, &p, NULL), 0);
	unreachable = p.unreachable;
	weft_proof_free(&p);
	ASSERT_EQ(weft_layering_run(f, r, &spec, &out, NULL), 0);
	ASSERT_EQ(weft_proof_run(f, r, &what, &p, NULL), 0);
	EXPECT_EQ(p.cyclic_vls, 0);
	EXPECT_EQ(p.unreachable, unreachable);
	EXPECT(out.lanes <= lanes);
	if (!out.rerouted && out.method == WEFT_LAYERING_AUTO) {
		t->fit++;
		t->thin += out.rerouted_thin;
	}
	t->shortest += out.shared && out.root == WEFT_NONE;
	weft_proof_free(&p);
}

/* No lane has a credit loop, whatever the tables were, and no pair is lost.
 * The bounds are what was reached before. */
TEST(test_random)
{
	struct weft_rng *rng = weft_rng_new(SEED);
	struct tally t = { 0 };

	for (unsigned i = 0; i < 600; i++) {
		struct weft_fabric *f = random_fabric(rng, i % SHAPES,
						      5 + i % 9);
		struct weft_routes r = { 0 };

		random_routes(rng, f, i / SHAPES % 2 ? TABLES_SPANNING :
			      TABLES_MINIMAL, &r);
		tally_up(&t, f, &r, 1 + i % 4);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	EXPECT(t.fit >= 449);
	EXPECT(t.thin <= 70);
	EXPECT(t.shortest >= 42);
	weft_rng_free(rng);
}
