// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What of tables is away from home, and on account of which part, against ways that
 * are followed one by one. */
#include "../route.h"
#include "thinned.h"

#include <weft/standing.h>

#define SEED 20261128u
#define EVENTS 12

static const char *const families[][2] = {
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "psssp" }, { "torus:4x4,hosts=2", "updn" },
	{ "random:20,5,3", "minhop" }, { "pgft:2;4,4;1,4;1,1", "eftree" },
};
#define NFAMILIES (sizeof(families) / sizeof(*families))

struct sides {
	const struct weft_fabric *home, *now;
	const struct weft_lft *there, *here;
	uint64_t *by_switch;	/* [home nsw] entries on account of it, */
	uint64_t *by_channel;	/* [home nch] of a cable, by either direction */
	uint64_t entries, away, missing;
};

static uint32_t switch_now(const struct sides *x, uint32_t s)
{
	return switch_in(x->home, s, x->now);
}

static uint32_t endport_now(const struct sides *x, uint32_t e)
{
	return endport_in(x->home, e, x->now);
}

/* Whether a cable of home, by a port of switch s, is not there any more. */
static bool is_gone(const struct sides *x, uint32_t s, unsigned port)
{
	return !same_cable(x->home, s, x->now, switch_now(x, s), port);
}

/* The lower channel of a cable between switches, else that of the endport. */
static uint32_t name_of(const struct weft_fabric *f, uint32_t channel)
{
	uint32_t other = f->reverse[channel];

	if (!weft_is_switch(f->peer[channel]))
		return other;
	return other < channel ? other : channel;
}

/* Follows the way home from s to the first part that is missing. */
static void blame(struct sides *x, uint32_t s, unsigned lid)
{
	const struct weft_fabric *f = x->home;

	for (uint32_t n = 0; n < f->nsw; n++) {
		uint8_t port = weft_lft_get(x->there, s, lid);
		uint32_t channel, to;

		if (!port || port == WEFT_NO_PORT)
			return;
		channel = weft_channel(f, s, port);
		to = f->peer[channel];
		if (is_gone(x, s, port)) {
			x->missing++;
			if (weft_is_switch(to) && switch_now(x, to) == WEFT_NONE)
				x->by_switch[to]++;
			else
				x->by_channel[name_of(f, channel)]++;
			return;
		}
		if (!weft_is_switch(to))
			return;
		s = to;
	}
}

static void count(struct sides *x)
{
	for (uint32_t s = 0; s < x->home->nsw; s++)
		for (unsigned lid = 1; lid <= x->home->max_lid; lid++) {
			uint32_t is = switch_now(x, s);
			uint8_t was = weft_lft_get(x->there, s, lid);

			if (is == WEFT_NONE || was == WEFT_NO_PORT ||
			    !same_owner(x->home, x->now, lid))
				continue;
			x->entries++;
			if (weft_lft_get(x->here, is, lid) == was)
				continue;
			x->away++;
			blame(x, s, lid);
		}
}

/* Whether a part of home that is missing is listed, once, as it is. */
static void expect_part(const struct weft_away *away, uint32_t vertex,
			uint32_t channel, bool moved, uint32_t endports,
			uint64_t entries)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < away->nparts; i++) {
		const struct weft_away_part *p = &away->part[i];

		if (p->vertex != vertex || p->channel != channel)
			continue;
		n++;
		EXPECT_EQ(p->moved, moved);
		EXPECT_EQ(p->endports, endports);
		EXPECT_EQ(p->entries, entries);
	}
	EXPECT_EQ(n, 1);
}

static uint32_t expect_switches(const struct sides *x,
				const struct weft_away *away)
{
	const struct weft_fabric *f = x->home;
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t gone = 0;

		if (switch_now(x, s) != WEFT_NONE)
			continue;
		for (uint32_t e = 0; e < f->nep; e++)
			gone += f->ep[e].sw == s &&
				endport_now(x, e) == WEFT_NONE;
		expect_part(away, s, WEFT_NONE, false, gone, x->by_switch[s]);
		n++;
	}
	return n;
}

static uint32_t expect_cables(const struct sides *x,
			      const struct weft_away *away)
{
	const struct weft_fabric *f = x->home;
	uint32_t n = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned port = 1; port <= f->sw[s].nports; port++) {
			uint32_t ch = weft_channel(f, s, port), to = f->peer[ch];

			if (!weft_is_switch(to) || name_of(f, ch) != ch ||
			    switch_now(x, s) == WEFT_NONE ||
			    switch_now(x, to) == WEFT_NONE ||
			    !is_gone(x, s, port))
				continue;
			expect_part(away, WEFT_NONE, ch, false, 0,
				    x->by_channel[ch]);
			n++;
		}
	return n;
}

static uint32_t expect_endports(const struct sides *x,
				const struct weft_away *away, uint32_t *moved)
{
	const struct weft_fabric *f = x->home;
	uint32_t n = 0;

	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t ch = f->first_injection + e, is = endport_now(x, e);
		bool here = is != WEFT_NONE;

		if (here ? !is_gone(x, f->ep[e].sw, f->ep[e].sw_port) :
			   switch_now(x, f->ep[e].sw) == WEFT_NONE)
			continue;
		expect_part(away, e | WEFT_ENDPORT, ch, here, 0,
			    x->by_channel[ch]);
		*moved += here;
		n++;
	}
	return n;
}

/* Most entries come first; then switches, cables and endports by id. */
static void expect_sorted(const struct weft_away *away)
{
	for (uint32_t i = 1; i < away->nparts; i++) {
		const struct weft_away_part *a = &away->part[i - 1];
		const struct weft_away_part *b = &away->part[i];
		bool x = a->channel == WEFT_NONE, y = b->channel == WEFT_NONE;

		EXPECT(a->entries >= b->entries);
		if (a->entries != b->entries)
			continue;
		EXPECT(x >= y);
		if (x && y)
			EXPECT(a->vertex < b->vertex);
		else if (!x && !y)
			EXPECT(a->channel < b->channel);
	}
}

/* Counts what is there and was not at home. */
static void expect_new(const struct sides *x, const struct weft_away *away)
{
	struct sides back = { .home = x->now, .now = x->home };
	const struct weft_fabric *f = x->now;
	uint32_t switches = 0, channels = 0, endports = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		switches += switch_now(&back, s) == WEFT_NONE;
		for (uint32_t i = f->adj_first[s]; i < f->adj_first[s + 1]; i++)
			channels += is_gone(&back, s, f->adj[i] -
					    f->first_channel[s]);
	}
	for (uint32_t e = 0; e < f->nep; e++)
		endports += endport_now(&back, e) == WEFT_NONE;
	EXPECT_EQ(away->switches, switches);
	EXPECT_EQ(away->cables, channels / 2);
	EXPECT_EQ(away->endports, endports);
}

static uint32_t nmoved;

static void expect_away(const struct weft_diff_side *now,
			const struct weft_diff_side *home)
{
	struct sides x = {
		.home = home->fabric, .now = now->fabric,
		.there = &home->routes->lft, .here = &now->routes->lft,
		.by_switch = calloc(home->fabric->nsw + 1ull, 8),
		.by_channel = calloc(home->fabric->nch + 1ull, 8),
	};
	struct weft_away away;
	uint32_t n;

	count(&x);
	ASSERT_EQ(weft_away_find(now, home, &away), 0);
	EXPECT_EQ(away.entries, x.entries);
	EXPECT_EQ(away.away, x.away);
	EXPECT_EQ(away.missing, x.missing);
	n = expect_switches(&x, &away) + expect_cables(&x, &away);
	n += expect_endports(&x, &away, &nmoved);
	EXPECT_EQ(away.nparts, n);
	expect_sorted(&away);
	expect_new(&x, &away);
	weft_away_free(&away);
	free(x.by_switch);
	free(x.by_channel);
}

/* Each endport comes to the place of another one, for some of them. */
static uint32_t *move_some(const struct weft_fabric *f, struct weft_rng *rng)
{
	uint32_t *place = malloc(f->nep * sizeof(*place));

	for (uint32_t e = 0; e < f->nep; e++)
		place[e] = e;
	for (unsigned k = 0; k < 3; k++) {
		uint32_t a = weft_rng_below(rng, f->nep);
		uint32_t b = weft_rng_below(rng, f->nep), was = place[a];

		place[a] = place[b];
		place[b] = was;
	}
	return place;
}

/* Parts go, and endports change places; from what is left others do, while the
 * former come back. */
TEST(test_away)
{
	nmoved = 0;
	for (unsigned i = 0; i < NFAMILIES * EVENTS; i++) {
		const char *const *family = families[i / EVENTS];
		struct weft_fabric *f = route_fabric(family[0], 0);
		struct weft_rng *rng = weft_rng_new(SEED + i);
		uint32_t *place = move_some(f, rng);
		struct weft_fabric *less = thin_out(f, rng, i % EVENTS / 2);
		struct weft_fabric *other = thin_out_moved(
			f, rng, i % EVENTS / 2, place);
		struct weft_routes routes = { .lid_offset = NULL }, there, here;
		const struct weft_diff_side home = { f, &routes };
		const struct weft_diff_side was = { less, &there };
		const struct weft_diff_side is = { other, &here };
		struct weft_standing_spec spec = { .standing = home,
						   .lanes = 1 };
		struct weft_standing what;

		suite_case("%s, event %u", family[0], i % EVENTS);
		ASSERT_EQ(route_by(family[1], NULL, f, &routes, NULL), 0);
		ASSERT_EQ(weft_standing_run(less, &spec, &there, &what, NULL),
			  0);
		ASSERT_EQ(weft_standing_run(other, &spec, &here, &what, NULL),
			  0);
		expect_away(&home, &home);
		expect_away(&was, &home);
		expect_away(&is, &home);
		expect_away(&is, &was);
		weft_routes_free(&here);
		weft_routes_free(&there);
		weft_routes_free(&routes);
		weft_fabric_free(other);
		weft_fabric_free(less);
		weft_fabric_free(f);
		weft_rng_free(rng);
		free(place);
	}
	EXPECT(nmoved > 0);
}
