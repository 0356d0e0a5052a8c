// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which parts of one state of a fabric are in another one, what of tables and
 * dependencies holds there, and which entries return home. */
#include "../route.h"
#include "thinned.h"

#include "core/arena.h"
#include "loads/gather.h"
#include "standing/carried.h"
#include "standing/home.h"

#define SEED 20261128u
#define EVENTS 10

static const char *const families[][2] = {
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "eftree" }, { "torus:4x4,hosts=2", "updn" },
	{ "random:20,5,3", "psssp" }, { "full:12,hosts=80", "minhop" },
};
#define NFAMILIES (sizeof(families) / sizeof(*families))

/* A fabric at home, and two others that lack parts of it. */
struct states {
	struct weft_fabric *home, *was, *is;
	struct weft_routes at_home, there;
	struct weft_arena *arena;
	struct weft_rng *rng;
};

static void open_states(struct states *x, unsigned i)
{
	struct weft_standing_spec mend = { .lanes = 1 };
	struct weft_standing what;
	unsigned chance = i % EVENTS / 2;

	suite_case("%s, event %u", families[i / EVENTS][0], i % EVENTS);
	x->rng = weft_rng_new(SEED + i);
	x->arena = weft__arena_new();
	x->home = route_fabric(families[i / EVENTS][0], 0);
	x->was = thin_out(x->home, x->rng, chance);
	x->is = thin_out(i % 3 ? x->home : x->was, x->rng, chance);
	ASSERT_EQ(route_by(families[i / EVENTS][1], NULL, x->home, &x->at_home,
			   NULL), 0);
	mend.standing = (struct weft_diff_side){ x->home, &x->at_home };
	ASSERT_EQ(weft_standing_run(x->was, &mend, &x->there, &what, NULL), 0);
}

static void close_states(struct states *x)
{
	weft_routes_free(&x->there);
	weft_routes_free(&x->at_home);
	weft_fabric_free(x->is);
	weft_fabric_free(x->was);
	weft_fabric_free(x->home);
	weft__arena_free(x->arena);
	weft_rng_free(x->rng);
}

static void each_event(void (*test)(struct states *x))
{
	for (unsigned i = 0; i < NFAMILIES * EVENTS; i++) {
		struct states x = { .home = NULL };

		open_states(&x, i);
		test(&x);
		close_states(&x);
	}
}

/* --- what is there -------------------------------------------------------- */

/* Whether each cable, node and LID of one fabric is in another one. */
static bool is_within(const struct weft_fabric *a, const struct weft_fabric *b)
{
	for (uint32_t s = 0; s < a->nsw; s++)
		for (unsigned p = 0; p <= a->sw[s].nports; p++)
			if (switch_in(a, s, b) == WEFT_NONE ||
			    (p && a->peer[weft_channel(a, s, p)] != WEFT_NONE &&
			     !same_cable(a, s, b, switch_in(a, s, b), p)))
				return false;
	for (unsigned lid = 1; lid <= a->max_lid; lid++)
		if (weft_lid_owner(a, lid) != WEFT_NONE &&
		    !same_owner(a, b, lid))
			return false;
	return true;
}

static unsigned whole, no_more;

static void expect_parts(struct states *x, const struct weft_fabric *a,
			 const struct weft_fabric *b)
{
	struct weft__match m;
	struct weft__alive alive;
	struct weft__same same;

	ASSERT_EQ(weft__match_make(&m, a, b), 0);
	EXPECT_EQ(weft__parts_whole(&m), is_within(a, b));
	EXPECT_EQ(weft__parts_no_more(&m), is_within(b, a));
	whole += weft__parts_whole(&m);
	no_more += weft__parts_no_more(&m);
	ASSERT_EQ(weft__alive_find(&alive, &m, x->arena), 0);
	ASSERT_EQ(weft__same_find(&same, &m, x->arena), 0);
	for (uint32_t s = 0; s < b->nsw; s++)
		for (unsigned p = 0; p < WEFT_NO_PORT; p++) {
			bool is = same_cable(b, s, a, switch_in(b, s, a), p);

			EXPECT_EQ(weft__alive_port(&alive, s, p),
				  is ? p : WEFT_NO_PORT);
			EXPECT_EQ(p && same.port[s][(p - 1) / 64] >>
				  (p - 1) % 64 & 1, p && is);
		}
	for (uint32_t s = 0; s < a->nsw; s++)
		for (unsigned p = 1; p <= a->sw[s].nports; p++) {
			uint32_t t = switch_in(a, s, b);

			EXPECT_EQ(same.channel[weft_channel(a, s, p)],
				  same_cable(a, s, b, t, p) ?
				  weft_channel(b, t, p) : WEFT_NONE);
		}
	weft__match_free(&m);
}

static uint64_t count_edges(const struct weft__cdg *g)
{
	uint64_t n = 0;

	for (uint32_t v = 0; v < g->nv; v++)
		for (uint32_t at = 0; weft__cdg_next(g, v, &at) != WEFT_NONE; )
			n++;
	return n;
}

/* Dependencies at random between channels of a: those whose two channels are in
 * b are there after they are joined, beside one that was there. */
static void expect_joined(struct states *x, const struct weft_fabric *a,
			  const struct weft_fabric *b)
{
	struct weft__cdg from, to;
	struct weft__match m;
	struct weft__same same;
	uint64_t n = 0;

	ASSERT_EQ(weft__match_make(&m, a, b), 0);
	ASSERT_EQ(weft__same_find(&same, &m, x->arena), 0);
	ASSERT_EQ(weft__cdg_init(&from, a, 2, false), 0);
	ASSERT_EQ(weft__cdg_init(&to, b, 2, false), 0);
	for (uint32_t v = 0; v < from.nv; v++) {
		uint32_t ch = v % from.nch, at = a->peer[ch];

		for (unsigned p = 1; weft_is_switch(at) && p <= a->sw[at].nports;
		     p++)
			if (weft_is_switch(a->peer[weft_channel(a, at, p)]) &&
			    weft_rng_below(x->rng, 3))
				weft__cdg_add(&from, v, 0, p);
	}
	weft__same_join(&same, &from, &to);
	for (uint32_t v = 0; v < from.nv; v++) {
		uint32_t lane = v / from.nch, ch = v % from.nch;
		uint32_t s = weft_channel_switch(a, ch), head = a->peer[ch];
		uint32_t t = switch_in(a, s, b), w;

		for (uint32_t at = 0; (w = weft__cdg_next(&from, v, &at)) !=
		     WEFT_NONE; ) {
			unsigned in = ch - a->first_channel[s];
			unsigned out = w % from.nch - a->first_channel[head];

			if (!same_cable(a, s, b, t, in) ||
			    !same_cable(a, head, b, switch_in(a, head, b), out))
				continue;
			n++;
			EXPECT(weft__cdg_has(&to, lane * to.nch +
					     weft_channel(b, t, in), out));
		}
	}
	EXPECT_EQ(count_edges(&to), n);
	weft__cdg_free(&from);
	weft__cdg_free(&to);
	weft__match_free(&m);
}

static void check_parts(struct states *x)
{
	expect_parts(x, x->home, x->home);
	expect_parts(x, x->home, x->is);
	expect_parts(x, x->was, x->home);
	expect_parts(x, x->was, x->is);
	expect_joined(x, x->home, x->is);
	expect_joined(x, x->was, x->is);
}

TEST(test_parts)
{
	whole = no_more = 0;
	each_event(check_parts);
	EXPECT(whole > 0 && no_more > 0);
}

/* --- tables --------------------------------------------------------------- */

/* An entry of the tables there, as it is here. */
static uint8_t carried(const struct states *x, uint32_t s, unsigned lid)
{
	uint32_t t = switch_in(x->is, s, x->was);
	uint8_t port = t == WEFT_NONE ? WEFT_NO_PORT :
		weft_lft_get(&x->there.lft, t, lid);

	return port != WEFT_NO_PORT && same_cable(x->is, s, x->was, t, port) ?
		port : WEFT_NO_PORT;
}

/* Tables as they stand in another state, with a copy and without. */
static void check_carried(struct states *x)
{
	const struct weft_diff_side from = { x->was, &x->there };
	struct weft__lid_set lids = { { 0 } };
	struct weft__source source;
	struct weft__carried now;
	struct weft__column c;
	uint64_t dead = 0, n = 0;

	ASSERT_EQ(weft__carry(&now, &from, x->is, x->arena), 0);
	ASSERT_EQ(weft__source_init(&source, &from, x->is, x->arena), 0);
	ASSERT(weft__column_init(&c, x->is, x->arena));
	EXPECT_EQ(weft__source_differ(&source, &now.routes.lft, &lids), 0);
	EXPECT_EQ(now.routes.lft.max_lid, x->is->max_lid);
	for (unsigned lid = 1; lid <= x->is->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(x->is, lid);
		bool broken = false;

		EXPECT(!weft__lid_set_has(&lids, lid));
		if (owner != WEFT_NONE)
			weft__source_read(&source, &c, lid);
		for (uint32_t s = 0; s < x->is->nsw; s++) {
			uint32_t t = switch_in(x->is, s, x->was);
			uint8_t port = carried(x, s, lid);
			bool gone = t != WEFT_NONE && port == WEFT_NO_PORT &&
				weft_lft_get(&x->there.lft, t, lid) !=
					WEFT_NO_PORT;

			dead += owner != WEFT_NONE && gone;
			broken |= gone;
			EXPECT_EQ(weft_lft_get(&now.routes.lft, s, lid),
				  owner == WEFT_NONE ? WEFT_NO_PORT : port);
			if (owner != WEFT_NONE && s != c.root)
				EXPECT_EQ(c.port[s], port);
		}
		EXPECT_EQ(now.broken[lid], broken);
	}
	EXPECT_EQ(now.dead, dead);
	/* a change here and there */
	for (unsigned k = 0; k < 20; k++) {
		unsigned lid = 1 + weft_rng_below(x->rng, x->is->max_lid);
		uint8_t *entry = &weft_lft_row(
			&now.routes.lft, weft_rng_below(x->rng, x->is->nsw))[lid];
		bool again = weft__lid_set_has(&lids, lid);
		struct weft__lid_set found = { { 0 } };

		if (weft_lid_owner(x->is, lid) == WEFT_NONE || again)
			continue;
		*entry = *entry == 1 ? 2 : 1;
		weft__lid_set_add(&lids, lid);
		EXPECT_EQ(weft__source_differ(&source, &now.routes.lft, &found),
			  ++n);
		EXPECT(!memcmp(&found, &lids, sizeof(lids)));
	}
	weft__source_free(&source);
	weft__carried_free(&now);
}

TEST(test_carried)
{
	each_event(check_carried);
}

/* --- home ----------------------------------------------------------------- */

/* Whether the way home from a switch arrives by cables that both fabrics have;
 * one of them, if they are the same. */
static bool leads_home(const struct states *x, const struct weft_fabric *a,
		       const struct weft_fabric *b, uint32_t s, unsigned lid)
{
	const struct weft_fabric *f = x->home;
	uint32_t owner = weft_lid_owner(f, lid);

	for (uint32_t n = 0; n <= f->nsw; n++) {
		uint8_t port = weft_lft_get(&x->at_home.lft, s, lid);
		uint32_t to;

		if (switch_in(f, s, a) == WEFT_NONE ||
		    switch_in(f, s, b) == WEFT_NONE)
			return false;
		/* the owner is there, by whichever cable */
		if (s == weft_vertex_switch(f, owner))
			return true;
		if (port == WEFT_NO_PORT ||
		    !same_cable(f, s, a, switch_in(f, s, a), port) ||
		    !same_cable(f, s, b, switch_in(f, s, b), port))
			return false;
		to = f->peer[weft_channel(f, s, port)];
		if (!weft_is_switch(to))
			return false;
		s = to;
	}
	return false;
}

static unsigned nreturned;

static void check_home(struct states *x)
{
	const struct weft_standing_spec spec = {
		.standing = { x->was, &x->there },
		.home = { x->home, &x->at_home },
	};
	struct weft__home h;
	struct weft__carried now;
	struct weft__column c;

	ASSERT_EQ(weft__carry(&now, &spec.standing, x->is, x->arena), 0);
	ASSERT_EQ(weft__home_init(&h, &spec, &now, x->is, x->arena), 0);
	ASSERT(weft__column_init(&c, x->is, x->arena));
	for (unsigned lid = 1; lid <= x->is->max_lid; lid++) {
		uint32_t n = 0, returned;
		bool differs = false;

		if (!same_owner(x->is, x->home, lid))
			continue;
		for (uint32_t s = 0; s < x->is->nsw; s++) {
			uint32_t t = switch_in(x->is, s, x->home);
			uint8_t port = weft_lft_get(&x->at_home.lft, t, lid);

			differs |= port != WEFT_NO_PORT &&
				same_cable(x->is, s, x->home, t, port) &&
				port != weft_lft_get(&now.routes.lft, s, lid);
		}
		EXPECT_EQ(weft__home_differs(&h, lid), differs);
		weft__column_read(&c, &now.routes.lft, lid);
		weft__column_survey(&c);
		returned = weft__home_return(&h, &c);
		for (uint32_t s = 0; s < x->is->nsw; s++) {
			uint32_t t = switch_in(x->is, s, x->home);
			uint8_t port = weft_lft_get(&x->at_home.lft, t, lid);
			uint8_t was = weft_lft_get(&now.routes.lft, s, lid);
			bool goes = s != c.root && was != port &&
				leads_home(x, x->is, x->is, t, lid) &&
				(was == WEFT_NO_PORT ||
				 !leads_home(x, x->was, x->is, t, lid));

			if (s == c.root)
				continue;
			n += goes;
			EXPECT_EQ(c.port[s], goes ? port : was);
		}
		EXPECT_EQ(returned, n);
		nreturned += n;
	}
	weft__home_free(&h);
	weft__carried_free(&now);
}

TEST(test_home)
{
	nreturned = 0;
	each_event(check_home);
	EXPECT(nreturned > 100);
}
