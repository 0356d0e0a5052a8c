// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Standing tables under failures and repairs: who is reached, what changes, and
 * whether everything comes home.
 */
#include "../route.h"

#include <weft/transition.h>

#include <stdlib.h>
#include <string.h>

#define SEED 20261125u
#define EVENTS 6

/* A fabric with its home tables, and the state it is in now. */
struct world {
	const char *spec, *engine, *option;
	unsigned lanes;		/* that pairs may change to */
	struct weft_fabric *home_fabric, *fabric;
	struct weft_routes home, routes;
	unsigned cyclic;	/* lanes of home with a credit loop */
	struct weft_standing last;
	struct weft_rng *rng;
};

static const struct {
	const char *spec, *engine, *option;
	unsigned lanes;
} families[] = {
	{ "pgft:2;6,6;1,4;1,1", "eftree", NULL, 1 },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "eftree", NULL, 1 },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "eftree", NULL, 8 },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "psssp", NULL, 1 },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "weave", "lanes=1", 1 },
	{ "torus:4x4,hosts=2", "weave", "lanes=8", 1 },
	{ "torus:4x4,hosts=2", "weave", "lanes=1", 1 },
	{ "torus:3x3x3,hosts=1", "psssp", NULL, 1 },
	{ "dragonfly:4,2,2,9", "weave", "lanes=8", 1 },
	{ "slimfly:5,hosts=2", "weave", "lanes=8", 1 },
	{ "random:20,5,3", "weave", "lanes=4", 1 },
	{ "ring:7,hosts=2", "updn", NULL, 1 },
	{ "pgft:3;3,8,8;1,6,4;1,1,1", "eftree", NULL, 1 },
	{ "torus:7x9", "weave", "lanes=2", 2 },
	{ "torus:5x5,hosts=2", "weave", "lanes=1", 1 },
};
#define ONE_LANE (sizeof(families) / sizeof(*families) - 1)
#define TIGHT_TORUS (ONE_LANE - 1)
#define WIDE_TREE (TIGHT_TORUS - 1)
#define NFAMILIES WIDE_TREE	/* that all tests take */

/* Lanes with a credit loop of the traffic from endports to endports; that all
 * is reached that cables reach, switches, too. */
static unsigned cyclic_lanes(const struct weft_fabric *f,
			     const struct weft_routes *r, bool whole)
{
	static const struct weft_proof_spec all = {
		.all_hosts = true, .switches = true,
	}, spec = {
		.all_hosts = true, .credit_loops = true,
	};
	struct weft_proof p;
	unsigned n;

	ASSERT_EQ(weft_proof_run(f, r, &all, &p, NULL), 0);
	EXPECT(!whole || p.unreachable == p.apart);
	EXPECT_EQ(p.loops, 0);
	weft_proof_free(&p);
	ASSERT_EQ(weft_proof_run(f, r, &spec, &p, NULL), 0);
	EXPECT(!whole || p.unreachable == p.apart);
	EXPECT_EQ(p.loops, 0);
	n = p.cyclic_vls;
	weft_proof_free(&p);
	return n;
}

static void world_open(struct world *w, unsigned i, int lmc)
{
	*w = (struct world){
		.spec = families[i].spec, .engine = families[i].engine,
		.option = families[i].option, .lanes = families[i].lanes,
		.home_fabric = route_fabric(families[i].spec, lmc),
		.rng = weft_rng_new(SEED + i),
	};
	w->fabric = w->home_fabric;
	ASSERT_EQ(route_by(w->engine, w->option, w->fabric, &w->home, NULL), 0);
	w->cyclic = cyclic_lanes(w->fabric, &w->home, true);
	w->routes = w->home;
}

static void forget_state(struct world *w)
{
	if (w->fabric == w->home_fabric)
		return;
	weft_fabric_free(w->fabric);
	weft_routes_free(&w->routes);
}

static void world_close(struct world *w)
{
	forget_state(w);
	weft_routes_free(&w->home);
	weft_fabric_free(w->home_fabric);
	weft_rng_free(w->rng);
}

static bool same_routes(const struct weft_routes *a,
			const struct weft_routes *b)
{
	struct weft_lft_diff d;

	weft_lft_compare(&a->lft, &b->lft, &d);
	return !d.entries && a->layers.form == b->layers.form;
}

/* The tables that stand now in another state of the fabric: the same whether
 * what is to be known of them is found out before or in the same call. */
static void stand(struct world *w, const struct weft_fabric *f,
		  struct weft_routes *out, struct weft_standing *what)
{
	struct weft_standing_spec spec = {
		.standing = { w->fabric, &w->routes },
		.home = { w->home_fabric, &w->home },
		.changes = WEFT_STANDING_CHANGES,
		.lanes = w->lanes,
	};
	struct weft_standing_base *base;
	struct weft_standing again;
	struct weft_routes same;

	memset(out, 0, sizeof(*out));
	ASSERT_EQ(weft_standing_run(f, &spec, out, what, NULL), 0);
	EXPECT_EQ(out->lft.max_lid, f->max_lid);
	ASSERT_EQ(weft_standing_prepare(&spec.standing, w->lanes, &base, NULL),
		  0);
	spec.base = base;
	ASSERT_EQ(weft_standing_run(f, &spec, &same, &again, NULL), 0);
	EXPECT(same_routes(out, &same));
	EXPECT_EQ(memcmp(what, &again, sizeof(again)), 0);
	weft_routes_free(&same);
	weft_standing_base_free(base);
}

/* Lanes with credit loops, switches' own traffic included. */
static unsigned count_loops(const struct weft_fabric *f,
			    const struct weft_routes *r)
{
	static const struct weft_proof_spec spec = {
		.all_hosts = true, .switches = true, .credit_loops = true,
	};
	struct weft_proof p;
	unsigned n;

	ASSERT_EQ(weft_proof_run(f, r, &spec, &p, NULL), 0);
	n = p.cyclic_vls;
	weft_proof_free(&p);
	return n;
}

/* With lanes to spare nothing is given up: no pair, and no order of what
 * switches send themselves. */
static void expect_room(const struct weft_fabric *f,
			const struct weft_routes *r,
			const struct weft_standing *what)
{
	EXPECT_EQ(what->unmended, 0);
	EXPECT_EQ(count_loops(f, r), 0);
}

/* Goes on to another state, which the world owns from then on, and holds what
 * has to hold of any event. */
static void world_go(struct world *w, struct weft_fabric *f)
{
	struct weft_routes routes, again;
	struct weft_standing what, twice;

	stand(w, f, &routes, &what);
	stand(w, f, &again, &twice);
	EXPECT(same_routes(&routes, &again));
	EXPECT_EQ(memcmp(&what, &twice, sizeof(what)), 0);
	weft_routes_free(&again);
	if (!what.unmended)
		EXPECT(cyclic_lanes(f, &routes, true) <= w->cyclic);
	if (w->lanes > 1)
		expect_room(f, &routes, &what);
	forget_state(w);
	w->fabric = f;
	w->routes = routes;
	w->last = what;
}

static uint32_t random_cable(struct world *w, const struct weft_fabric *f)
{
	return f->adj[weft_rng_below(w->rng, f->adj_first[f->nsw])];
}

static struct weft_fabric *without(const struct weft_fabric *f,
				   const uint32_t *channel, uint32_t n)
{
	struct weft_fabric *out;

	ASSERT_EQ(weft_fabric_without(f, channel, n, &out, NULL), 0);
	return out;
}

static void come_home(struct world *w)
{
	struct weft_routes routes;
	struct weft_standing what;

	stand(w, w->home_fabric, &routes, &what);
	EXPECT(same_routes(&routes, &w->home));
	EXPECT_EQ(what.unmended, 0);
	weft_routes_free(&routes);
}

static uint64_t entries_by(const struct world *w, uint32_t channel)
{
	const struct weft_fabric *f = w->fabric;
	uint64_t n = 0;

	for (unsigned end = 0; end < 2; end++) {
		uint32_t ch = end ? f->reverse[channel] : channel;
		uint32_t s = f->peer[f->reverse[ch]];

		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			n += weft_lid_owner(f, lid) != WEFT_NONE &&
			     weft_lft_get(&w->routes.lft, s, lid) ==
				     ch - f->first_channel[s];
	}
	return n;
}

/* --- tests ------------------------------------------------------------- */

/* Nothing changes where nothing has happened. */
TEST(test_nothing)
{
	for (unsigned i = 0; i < NFAMILIES; i++) {
		struct weft_routes routes;
		struct weft_standing what;
		struct world w;

		world_open(&w, i, -1);
		stand(&w, w.home_fabric, &routes, &what);
		EXPECT(same_routes(&routes, &w.home));
		EXPECT_EQ(what.dead + what.given_way + what.moved + what.fresh +
			  what.returned, 0);
		weft_routes_free(&routes);
		world_close(&w);
	}
}

/* A cable goes, and comes back. */
TEST(test_cable)
{
	for (unsigned i = 0; i < NFAMILIES; i++) {
		struct world w;

		world_open(&w, i, -1);
		for (unsigned n = 0; n < EVENTS; n++) {
			uint32_t ch = random_cable(&w, w.fabric);
			uint64_t used = entries_by(&w, ch), changed;

			world_go(&w, without(w.home_fabric, &ch, 1));
			EXPECT_EQ(w.last.dead, used);
			changed = w.last.dead + w.last.given_way +
				  w.last.moved;
			EXPECT(changed <= 3 * used || w.last.moved <= used / 2);
			come_home(&w);
			forget_state(&w);
			w.fabric = w.home_fabric;
			w.routes = w.home;
		}
		world_close(&w);
	}
}

/* Cables go one after the other, and all come back at once. */
TEST(test_many)
{
	for (unsigned i = 0; i < NFAMILIES; i++) {
		uint32_t gone[EVENTS];
		struct world w;

		world_open(&w, i, -1);
		for (unsigned n = 0; n < EVENTS; n++) {
			gone[n] = random_cable(&w, w.home_fabric);
			world_go(&w, without(w.home_fabric, gone, n + 1));
			if (w.last.unmended)
				break;
		}
		come_home(&w);
		world_close(&w);
	}
}

/* A fifth of a tree's cables go at once, so that some leaves have no way to each
 * other that goes up and down only: ways turn where all of them can, and nobody
 * asks for tables from scratch. */
TEST(test_fifth)
{
	for (unsigned n = 0; n < EVENTS; n++) {
		uint32_t *gone, cables;
		struct world w;

		world_open(&w, WIDE_TREE, -1);
		for (unsigned i = 0; i < n; i++)
			weft_rng_below(w.rng, 2);
		cables = w.fabric->adj_first[w.fabric->nsw] / 2;
		gone = malloc(cables / 5 * sizeof(*gone));
		ASSERT(gone);
		for (uint32_t i = 0; i < cables / 5; i++)
			gone[i] = random_cable(&w, w.fabric);
		world_go(&w, without(w.home_fabric, gone, cables / 5));
		EXPECT_EQ(w.last.unmended, 0);
		free(gone);
		come_home(&w);
		world_close(&w);
	}
}

/* Some cables of a torus with two lanes go at once, where ways that are mended one
 * by one leave pairs without a lane more often than not: these are settled, and all
 * that waits is in order. */
TEST(test_settled)
{
	struct world w;

	world_open(&w, TIGHT_TORUS, -1);
	for (unsigned n = 0; n < EVENTS; n++) {
		struct weft_standing what;
		struct weft_routes routes;
		struct weft_fabric *f;
		uint32_t gone[3];

		for (unsigned i = 0; i < 3; i++)
			gone[i] = random_cable(&w, w.fabric);
		f = without(w.home_fabric, gone, 3);
		stand(&w, f, &routes, &what);
		EXPECT_EQ(what.unmended, 0);
		expect_room(f, &routes, &what);
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
	world_close(&w);
}

/* Where all switches have endports, in tables of one lane that send to both by the
 * same trees, what is sent to switches closes no credit loop once endports are
 * reached, however it turns. */
TEST(test_switches_in_order)
{
	unsigned mended = 0;
	struct world w;

	world_open(&w, ONE_LANE, -1);
	for (unsigned n = 0; n < 10 * EVENTS; n++) {
		uint32_t gone[5], cables = 1 + n % 5;
		struct weft_standing what;
		struct weft_routes routes;
		struct weft_fabric *f;

		for (uint32_t i = 0; i < cables; i++)
			gone[i] = random_cable(&w, w.home_fabric);
		f = without(w.home_fabric, gone, cables);
		stand(&w, f, &routes, &what);
		if (!what.unmended) {
			EXPECT_EQ(count_loops(f, &routes), 0);
			mended++;
		}
		weft_routes_free(&routes);
		weft_fabric_free(f);
	}
	EXPECT(mended > 5 * EVENTS);
	world_close(&w);
}

/* Entries of switches that differ, for LIDs other than these. */
static uint64_t others_changed(const struct weft_fabric *f,
			       const struct weft_routes *a,
			       const struct weft_routes *b, unsigned lid)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned l = 1; l <= f->max_lid; l++)
			n += l != lid && weft_lid_owner(f, l) != WEFT_NONE &&
			     weft_lft_get(&a->lft, s, l) !=
				     weft_lft_get(&b->lft, s, l);
	return n;
}

/* Tells the lanes of a world's routes by SL2VL tables; one of a cable other
 * than that is another lane for service level 0. */
static void tell_lanes(struct world *w, uint32_t cable, uint8_t lane)
{
	const struct weft_fabric *f = w->home_fabric;
	struct weft_layers *y = &w->routes.layers;
	uint32_t i = 0;

	y->sl2vl = malloc((size_t)f->nch * WEFT_NSL);
	ASSERT(y->sl2vl);
	for (size_t k = 0; k < (size_t)f->nch * WEFT_NSL; k++)
		y->sl2vl[k] = k % WEFT_NSL % y->nvl;
	while (f->adj[i] == cable || f->adj[i] == f->reverse[cable])
		i++;
	y->sl2vl[f->adj[i] * WEFT_NSL] = lane;
	w->home.layers = *y;
}

/* Lanes that tables tell are those that there are without, if each service
 * level is one lane everywhere; else nobody can tell what is free of credit
 * loops. */
TEST(test_told_lanes)
{
	for (unsigned i = 0; i < NFAMILIES; i++) {
		struct weft_routes plain, told, mixed;
		struct weft_standing by_plain, by_told, by_mixed;
		struct weft_fabric *f;
		struct world w;
		uint32_t ch;

		world_open(&w, i, -1);
		ch = random_cable(&w, w.fabric);
		f = without(w.home_fabric, &ch, 1);
		stand(&w, f, &plain, &by_plain);
		tell_lanes(&w, ch, 0);
		stand(&w, f, &told, &by_told);
		EXPECT(same_routes(&plain, &told));
		EXPECT_EQ(memcmp(&by_plain, &by_told, sizeof(by_told)), 0);
		free(w.home.layers.sl2vl);
		tell_lanes(&w, ch, 1);
		stand(&w, f, &mixed, &by_mixed);
		EXPECT(by_mixed.unmended > 0 || !by_plain.dead);
		weft_routes_free(&plain);
		weft_routes_free(&told);
		weft_routes_free(&mixed);
		weft_fabric_free(f);
		world_close(&w);
	}
}

/* A host goes and takes its own entries alone; it comes back to them.  That with
 * the highest LID leaves shorter tables. */
TEST(test_host)
{
	for (unsigned i = 0; i < NFAMILIES; i++) {
		struct world w;
		uint32_t e, ch;
		unsigned lid;

		world_open(&w, i, -1);
		e = i % 2 ? weft_rng_below(w.rng, w.fabric->nep) :
			w.fabric->lid_owner[w.fabric->max_lid] & ~WEFT_ENDPORT;
		lid = w.fabric->ep[e].lid;
		ch = weft_channel(w.fabric, w.fabric->ep[e].sw,
				  w.fabric->ep[e].sw_port);
		world_go(&w, without(w.home_fabric, &ch, 1));
		EXPECT_EQ(others_changed(w.fabric, &w.home, &w.routes, lid), 0);
		EXPECT_EQ(w.last.moved, 0);
		come_home(&w);
		world_close(&w);
	}
}

/* A host that nobody knows from before takes a tree of its leaf. */
TEST(test_newcomer)
{
	for (unsigned i = 0; i < NFAMILIES; i++) {
		struct weft_routes routes;
		struct weft_standing what;
		struct world w;
		uint32_t e, ch;
		unsigned lid;

		world_open(&w, i, -1);
		e = weft_rng_below(w.rng, w.fabric->nep);
		lid = w.fabric->ep[e].lid;
		ch = weft_channel(w.fabric, w.fabric->ep[e].sw,
				  w.fabric->ep[e].sw_port);
		world_go(&w, without(w.home_fabric, &ch, 1));
		{
			const struct weft_standing_spec spec = {
				.standing = { w.fabric, &w.routes },
				.changes = WEFT_STANDING_CHANGES,
			};

			memset(&routes, 0, sizeof(routes));
			ASSERT_EQ(weft_standing_run(w.home_fabric, &spec,
				  &routes, &what, NULL), 0);
		}
		EXPECT_EQ(what.unmended, 0);
		EXPECT_EQ(what.fresh, w.home_fabric->nsw);
		EXPECT_EQ(others_changed(w.home_fabric, &w.home, &routes, lid),
			  0);
		EXPECT(cyclic_lanes(w.home_fabric, &routes, true) <= w.cyclic);
		weft_routes_free(&routes);
		world_close(&w);
	}
}

/* A switch goes with its cables, and comes back. */
TEST(test_switch)
{
	for (unsigned i = 0; i < NFAMILIES; i++) {
		uint32_t gone[WEFT_MAX_PORTS], n = 0, s;
		const struct weft_fabric *f;
		struct world w;

		world_open(&w, i, -1);
		f = w.home_fabric;
		s = weft_rng_below(w.rng, f->nsw);
		for (uint32_t k = f->adj_first[s]; k < f->adj_first[s + 1]; k++)
			gone[n++] = f->adj[k];
		world_go(&w, without(f, gone, n));
		come_home(&w);
		world_close(&w);
	}
}

/* Some blocks are those of other tables already: no pair may be lost. */
static void expect_no_loss(const struct weft_fabric *f,
			   const struct weft_routes *was,
			   const struct weft_routes *now, struct weft_rng *rng)
{
	const struct weft_diff_side side = { f, was };
	static const struct weft_proof_spec spec = {
		.all_hosts = true, .switches = true,
	};
	struct weft_routes mixed;
	struct weft_proof p;

	ASSERT_EQ(weft_routes_carry(&side, f, &mixed), 0);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 0; lid <= f->max_lid; lid += WEFT_LFT_BLOCK)
			if (weft_rng_below(rng, 2))
				memcpy(weft_lft_row(&mixed.lft, s) + lid,
				       weft_lft_row(&now->lft, s) + lid,
				       WEFT_LFT_BLOCK);
	ASSERT_EQ(weft_proof_run(f, &mixed, &spec, &p, NULL), 0);
	EXPECT_EQ(p.unreachable, 0);
	weft_proof_free(&p);
	weft_routes_free(&mixed);
}

/* No mixture of old and new entries loses packets that both deliver. */
static void expect_safe(const struct weft_fabric *f,
			const struct weft_diff_side *was,
			const struct weft_routes *now)
{
	const struct weft_transition_spec spec = { .search = false };
	struct weft_transition t;
	struct weft_routes carried;

	ASSERT_EQ(weft_routes_carry(was, f, &carried), 0);
	ASSERT_EQ(weft_transition_run(f, &carried, now, &spec, &t, NULL), 0);
	EXPECT_EQ(t.risky_lids, 0);
	EXPECT_EQ(t.opensm.lost, 0);
	weft_transition_free(&t);
	weft_routes_free(&carried);
}

/* Goes on to another state in order, until nothing waits any more.  Returns how
 * often entries had to. */
static unsigned go_in_order(struct world *w, struct weft_fabric *f)
{
	struct weft_standing what = { .waiting = 1 };
	unsigned n = 0;

	for (; what.waiting && n < 10; n++) {
		const struct weft_standing_spec spec = {
			.standing = { w->fabric, &w->routes },
			.home = { w->home_fabric, &w->home },
			.changes = WEFT_STANDING_CHANGES,
			.lanes = w->lanes, .order = WEFT_STANDING_IN_ORDER,
		};
		struct weft_routes out = { 0 };

		ASSERT_EQ(weft_standing_run(f, &spec, &out, &what, NULL), 0);
		if (!what.unmended)
			expect_safe(f, &spec.standing, &out);
		if (w->routes.lft.port != w->home.lft.port)
			weft_routes_free(&w->routes);
		if (w->fabric != w->home_fabric && w->fabric != f)
			weft_fabric_free(w->fabric);
		w->fabric = f;
		w->routes = out;
	}
	EXPECT_EQ(what.waiting, 0);
	return n - 1;
}

/* Cables of a tree fail and come back, a spine does: in order, whatever others
 * have to be written first. */
TEST(test_in_order_many)
{
	unsigned waited = 0;
	struct world w;

	for (unsigned i = 0; i < 5; i++) {
		uint32_t gone[WEFT_MAX_PORTS], n = 0;
		const struct weft_fabric *f;

		world_open(&w, i, 0);
		f = w.home_fabric;
		for (; n < EVENTS; n++)
			gone[n] = random_cable(&w, f);
		waited += go_in_order(&w, without(f, gone, n));
		waited += go_in_order(&w, w.home_fabric);
		EXPECT(same_routes(&w.routes, &w.home));
		n = 0;
		for (uint32_t k = f->adj_first[f->nsw - 1]; k < f->adj_first[f->nsw];
		     k++)
			gone[n++] = f->adj[k];
		waited += go_in_order(&w, without(f, gone, n));
		waited += go_in_order(&w, w.home_fabric);
		EXPECT(same_routes(&w.routes, &w.home));
		if (w.routes.lft.port != w.home.lft.port)
			weft_routes_free(&w.routes);
		w.routes = w.home;
		world_close(&w);
	}
	EXPECT(waited);
}

/* A cable comes back: in order, home is reached in some calls, and whatever the
 * order of writing in each, nobody loses a packet. */
TEST(test_in_order)
{
	unsigned waited = 0;

	for (unsigned i = 0; i < NFAMILIES; i++) {
		struct world w;

		world_open(&w, i, 0);
		for (unsigned k = 0; k < EVENTS; k++) {
			uint32_t ch = w.home_fabric->adj[weft_rng_below(
				w.rng, w.home_fabric->adj_first[
					w.home_fabric->nsw])];
			struct weft_standing_spec spec = {
				.home = { w.home_fabric, &w.home },
				.changes = WEFT_STANDING_CHANGES,
				.lanes = w.lanes, .order = k % 2 ?
					WEFT_STANDING_HOME_IN_ORDER :
					WEFT_STANDING_IN_ORDER,
			};
			struct weft_standing what = { .waiting = 1 };
			unsigned n = 0;

			world_go(&w, without(w.home_fabric, &ch, 1));
			while (what.waiting && n++ < 10) {
				struct weft_routes out = { 0 };

				spec.standing.fabric = w.fabric;
				spec.standing.routes = &w.routes;
				ASSERT_EQ(weft_standing_run(w.home_fabric,
					  &spec, &out, &what, NULL), 0);
				for (unsigned m = 0; m < 4; m++)
					expect_no_loss(w.home_fabric,
						       &w.routes, &out, w.rng);
				waited += what.waiting > 0;
				forget_state(&w);
				w.fabric = w.home_fabric;
				if (n > 1)
					weft_routes_free(&w.routes);
				w.routes = out;
			}
			EXPECT_EQ(what.waiting, 0);
			EXPECT(same_routes(&w.routes, &w.home));
			weft_routes_free(&w.routes);
			w.routes = w.home;
		}
		world_close(&w);
	}
	EXPECT(waited);
}

/* A switch that had lost all of its cables comes back without one of them: it
 * has a way to whoever is behind that, too. */
TEST(test_alone)
{
	for (unsigned i = 0; i < NFAMILIES; i++) {
		const struct weft_fabric *f;
		uint32_t gone[WEFT_MAX_PORTS], n = 0, s;
		struct world w;

		world_open(&w, i, -1);
		f = w.home_fabric;
		s = f->nsw - 1;
		for (uint32_t e = f->adj_first[s]; e < f->adj_first[s + 1]; e++)
			gone[n++] = f->adj[e];
		world_go(&w, without(f, gone, n));
		world_go(&w, without(f, gone, 1));
		come_home(&w);
		world_close(&w);
	}
}

/* How many entries differ, all of which stayed what they were. */
static unsigned count_stayed(const struct weft_fabric *f,
			     const struct weft_routes *in_order,
			     const struct weft_routes *at_once,
			     const struct weft_routes *were)
{
	unsigned n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			uint8_t port = weft_lft_get(&in_order->lft, s, lid);

			if (port == weft_lft_get(&at_once->lft, s, lid))
				continue;
			EXPECT_EQ(port, weft_lft_get(&were->lft, s, lid));
			n++;
		}
	return n;
}

/* One of two cables comes back: entries return in some calls, whose mixtures lose no
 * packet, on trees to the tables of one call without order.  Once they do not: what
 * switches send has no loop in a mixture, and keeps it so. */
TEST(test_home_in_order)
{
	unsigned waited = 0, stayed = 0;

	for (unsigned i = 0; i < NFAMILIES; i++) {
		struct world w;

		world_open(&w, i, 0);
		for (unsigned k = 0; k < EVENTS / 2; k++) {
			uint32_t gone[2];
			struct weft_standing_spec spec = {
				.home = { w.home_fabric, &w.home },
				.lanes = w.lanes,
			};
			struct weft_standing what;
			struct weft_routes at_once, routes[10];
			struct weft_fabric *f;
			unsigned n = 0;

			gone[0] = random_cable(&w, w.home_fabric);
			gone[1] = random_cable(&w, w.home_fabric);
			world_go(&w, without(w.home_fabric, gone, 2));
			f = without(w.home_fabric, gone, 1);
			spec.standing.fabric = w.fabric;
			spec.standing.routes = &w.routes;
			ASSERT_EQ(weft_standing_run(f, &spec, &at_once, &what,
						    NULL), 0);
			spec.order = WEFT_STANDING_HOME_IN_ORDER;
			do {
				ASSERT_EQ(weft_standing_run(f, &spec,
					  &routes[n], &what, NULL), 0);
				expect_safe(f, &spec.standing, &routes[n]);
				spec.standing.fabric = f;
				spec.standing.routes = &routes[n];
				spec.were = w.fabric;
				waited += what.waiting > 0;
			} while (++n < 10 && what.waiting);
			EXPECT_EQ(what.waiting, 0);
			/* elsewhere credit loops have a say in it */
			if (!strncmp(w.spec, "pgft", 4))
				stayed += count_stayed(f, &routes[n - 1],
						       &at_once, &w.routes) > 0;
			while (n)
				weft_routes_free(&routes[--n]);
			weft_routes_free(&at_once);
			weft_fabric_free(f);
			come_home(&w);
		}
		world_close(&w);
	}
	EXPECT(waited);
	EXPECT(stayed <= 1);
}
