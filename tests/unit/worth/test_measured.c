// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Measured pairs beside the model: by hand, and a cable that is found. */
#include "../route.h"

#include <math.h>
#include <stdlib.h>

struct fixture {
	struct weft_fabric *f;
	struct weft_routes routes;
	struct weft_measured m;
	struct weft_measured_result r;
};

static void begin(struct fixture *x, const char *fabric, uint64_t rounds,
		  uint64_t pairs)
{
	*x = (struct fixture){ .f = route_fabric(fabric, -1) };
	ASSERT_EQ(route_by("updn", NULL, x->f, &x->routes, NULL), 0);
	x->m.first = calloc(rounds + 1, sizeof(*x->m.first));
	x->m.pair = calloc(pairs, sizeof(*x->m.pair));
	ASSERT(x->m.first && x->m.pair);
}

static void end(struct fixture *x)
{
	weft_measured_result_free(&x->r);
	weft_measured_free(&x->m);
	weft_routes_free(&x->routes);
	weft_fabric_free(x->f);
}

static void add(struct fixture *x, uint32_t from, uint32_t to, double rate)
{
	uint64_t n = x->m.first[x->m.nrounds]++;

	x->m.pair[n] = (struct weft_measured_pair){ from, to, rate };
	x->m.best = fmax(x->m.best, rate);
}

static void judge(struct fixture *x, double full)
{
	weft_measured_result_free(&x->r);
	ASSERT_EQ(weft_measured_judge(x->f, &x->routes, &x->m, full, &x->r), 0);
}

/* Two switches with a cable between them, three hosts on each. */
TEST(by_hand)
{
	struct fixture x;
	const struct weft_measured_stream *s;

	begin(&x, "chain:2,hosts=3", 2, 6);
	x.m.nrounds = 1;
	add(&x, 0, 3, 50);
	add(&x, 1, 4, 50);
	add(&x, 2, 1, 80); /* on one switch */
	x.m.nrounds = 2;
	x.m.first[2] = x.m.first[1];
	add(&x, 0, 3, 40);
	add(&x, 1, 3, 20);
	judge(&x, 100);
	s = x.r.stream;
	EXPECT_EQ(x.r.pairs, 5);
	EXPECT_EQ(s[0].streams, 2);
	EXPECT(s[0].channel != WEFT_NONE && s[2].channel == WEFT_NONE);
	EXPECT_NEAR(s[0].model, .5, 1e-9);
	EXPECT_NEAR(s[2].model, 1, 1e-9);
	EXPECT_NEAR(s[3].model, .5, 1e-9);
	EXPECT_NEAR(x.r.scale, .8, 1e-9); /* of 1, 1, .8, .8, .4 */
	EXPECT_NEAR(s[0].off, 1.25, 1e-9);
	EXPECT_NEAR(s[4].off, .5, 1e-9);
	EXPECT_NEAR(x.r.round[0].measured, .6, 1e-9);
	EXPECT_NEAR(x.r.round[0].correlation, 1, 1e-9);
	EXPECT(isnan(x.r.round[1].correlation));
	EXPECT_EQ(x.r.nchannels, 1); /* four streams over the cable, one way */
	EXPECT_NEAR(x.r.channel[0].off, (1.25 + 1.25 + 1 + .5) / 4, 1e-9);
	end(&x);
}

/* The model's own shares are what it says; half of them on one cable tell
 * which it is. */
TEST(slow_cable)
{
	enum { ROUNDS = 40 };
	struct fixture x;
	uint32_t perm[16], bad = WEFT_NONE;
	struct weft_rng *rng = weft_rng_new(7);

	ASSERT(rng);
	begin(&x, "pgft:2;4,4;1,4;1,1", ROUNDS, ROUNDS * 8);
	for (uint32_t r = 0; r < ROUNDS; r++) {
		x.m.nrounds = r + 1;
		x.m.first[r + 1] = x.m.first[r];
		for (uint32_t i = 0; i < 16; i++)
			perm[i] = i;
		weft_rng_shuffle(rng, perm, 16);
		for (uint32_t i = 0; i < 8; i++)
			add(&x, perm[i], perm[i + 8], 100);
	}
	judge(&x, 100);
	for (uint64_t i = 0; i < x.r.pairs; i++)
		x.m.pair[i].rate = 700 * x.r.stream[i].model;
	judge(&x, 1000);
	EXPECT_NEAR(x.r.scale, .7, 1e-9);
	EXPECT_NEAR(x.r.all.correlation, 1, 1e-9);
	for (uint64_t i = 0; i < x.r.pairs; i++) {
		suite_case("pair %u", (unsigned)i);
		EXPECT_NEAR(x.r.stream[i].off, 1, 1e-9);
		if (bad == WEFT_NONE)
			bad = x.r.stream[i].channel;
	}
	for (uint64_t i = 0; i < x.r.pairs; i++)
		if (x.r.stream[i].channel == bad)
			x.m.pair[i].rate /= 2;
	judge(&x, 1000);
	ASSERT(x.r.nchannels > 1);
	EXPECT_EQ(x.r.channel[0].channel, bad);
	weft_rng_free(rng);
	end(&x);
}

TEST(correlation)
{
	const double x[] = { 1, 2, 2, 3 }, y[] = { 4, 3, 3, 1 },
		     z[] = { 1, 3, 2, 4 }, same[] = { 5, 5, 5, 5 };
	double out;

	ASSERT_EQ(weft_measured_correlation(x, y, 4, &out), 0);
	EXPECT_NEAR(out, -1, 1e-9);
	ASSERT_EQ(weft_measured_correlation(x, z, 4, &out), 0);
	EXPECT_NEAR(out, 4.5 / sqrt(4.5 * 5), 1e-9);
	ASSERT_EQ(weft_measured_correlation(x, same, 4, &out), 0);
	EXPECT(isnan(out));
}

TEST(no_route)
{
	struct fixture x;

	begin(&x, "chain:2,hosts=1", 1, 1);
	weft_lft_row(&x.routes.lft, 0)[x.f->ep[1].lid] = WEFT_NO_PORT;
	x.m.nrounds = 1;
	add(&x, 0, 1, 5);
	judge(&x, 0);
	EXPECT_EQ(x.r.lost, 1);
	EXPECT_NEAR(x.r.scale, 0, 1e-9);
	EXPECT(isnan(x.r.stream[0].off));
	end(&x);
}
