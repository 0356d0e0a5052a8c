// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Routes as they stand in a fabric from which parts went, to which others came,
 * and in which LIDs may be others: entry by entry, of all forms of service
 * levels and tables of lanes.
 */
#include "../proof_random.h"
#include "../route.h"

#include "diff/match.h"

#include <stdlib.h>

enum { SWITCHES = 6, HOSTS = 12, PORTS = 8, ROUNDS = 240 };

/* What there is of all that there can be. */
struct state {
	bool sw[SWITCHES], host[HOSTS];
	bool cut[SWITCHES];	/* the cable to the next switch but one */
	unsigned shift;		/* of the hosts' LIDs */
};

static struct state random_state(struct weft_rng *rng)
{
	struct state is = { .shift = 5 * weft_rng_below(rng, 3) };

	for (unsigned i = 0; i < SWITCHES; i++) {
		is.sw[i] = weft_rng_below(rng, 5);
		is.cut[i] = !weft_rng_below(rng, 4);
	}
	for (unsigned i = 0; i < HOSTS; i++)
		is.host[i] = weft_rng_below(rng, 5);
	is.sw[0] = is.host[0] = true;
	return is;
}

/* Switches in a ring with chords, two hosts each. */
static struct weft_fabric *make(const struct state *is)
{
	const struct weft_rate rate = { 4, WEFT_EDR };
	struct weft_builder *b = weft_builder_new();
	uint32_t node[SWITCHES];
	struct weft_fabric *f = NULL;

	for (unsigned i = 0; i < SWITCHES; i++) {
		if (!is->sw[i])
			continue;
		node[i] = weft_builder_node(b, WEFT_NODE_SWITCH, 0x100 + i,
					    PORTS);
		weft_builder_port(b, node[i], 0)->lid = 1 + i;
	}
	for (unsigned i = 0; i < SWITCHES; i++)
		for (unsigned far = 1; far <= 2; far++) {
			unsigned k = (i + far) % SWITCHES;

			if (is->sw[i] && is->sw[k] && !(far == 2 && is->cut[i]))
				weft_builder_link(b, node[i], far, node[k],
						  2 + far, rate);
		}
	for (unsigned i = 0; i < HOSTS; i++) {
		uint32_t host;

		if (!is->host[i] || !is->sw[i / 2])
			continue;
		host = weft_builder_node(b, WEFT_NODE_CA, 0x1000 + i, 1);
		weft_builder_port(b, host, 1)->lid = 10 + i + is->shift;
		weft_builder_link(b, host, 1, node[i / 2], 5 + i % 2, rate);
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

/* Any entries and levels; some rows of lanes were not told. */
static void fill(struct weft_rng *rng, const struct weft_fabric *f, unsigned i,
		 struct weft_routes *r)
{
	static const enum weft_sl_form forms[] = {
		WEFT_SL_ONE, WEFT_SL_DESTINATION, WEFT_SL_SWITCH_PAIR,
		WEFT_SL_ENDPORT_LID,
	};
	size_t rows = f->first_injection;

	*r = (struct weft_routes){ .lid_offset = NULL };
	ASSERT_EQ(weft_lft_init(&r->lft, f->nsw, f->max_lid), 0);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 0; lid <= f->max_lid; lid++)
			weft_lft_row(&r->lft, s)[lid] =
				weft_rng_below(rng, PORTS + 2);
	random_layers(rng, f, forms[i % 4], SL2VL_NONE, &r->layers);
	r->layers.sl = 1 + weft_rng_below(rng, 15);
	if (i / 4 % 3 == 2) {
		r->layers.base = need(malloc(f->nsw *
					     sizeof(*r->layers.base)));
		for (uint32_t s = 0; s < f->nsw; s++)
			r->layers.base[s] = (PORTS + 1) * (PORTS + 1) * s;
		rows = (size_t)(PORTS + 1) * (PORTS + 1) * f->nsw;
	}
	if (i / 4 % 3) {
		r->layers.sl2vl = need(malloc(rows * WEFT_NSL));
		for (size_t k = 0; k < rows * WEFT_NSL; k++)
			r->layers.sl2vl[k] = weft_rng_below(rng, 8);
		for (size_t k = 0; k < rows; k++)
			if (!weft_rng_below(rng, i % 5 ? 3 : 1))
				memset(r->layers.sl2vl + k * WEFT_NSL,
				       WEFT_VL_UNTOLD, WEFT_NSL);
	}
	if (i % 7)
		return;
	r->lid_offset = need(malloc(f->nep));
	for (uint32_t e = 0; e < f->nep; e++)
		r->lid_offset[e] = 1 + weft_rng_below(rng, 9);
}

/* The switch, or endport, of a fabric that one of another one was. */
static uint32_t was_switch(const struct weft_fabric *a,
			   const struct weft_fabric *b, uint32_t s)
{
	return weft_fabric_switch_by_guid(a, b->sw[s].guid);
}

static uint32_t was_endport(const struct weft_fabric *a,
			    const struct weft_fabric *b, uint32_t e)
{
	return weft_fabric_endport_by_guid(a, b->ep[e].guid);
}

static void check_entries(const struct weft_fabric *a,
			  const struct weft_routes *r,
			  const struct weft_fabric *b,
			  const struct weft_routes *out)
{
	unsigned last = a->max_lid > b->max_lid ? a->max_lid : b->max_lid;

	ASSERT(out->lft.max_lid >= last);
	for (uint32_t s = 0; s < b->nsw; s++) {
		uint32_t was = was_switch(a, b, s);

		for (unsigned lid = 0; lid <= out->lft.max_lid; lid++)
			EXPECT_EQ(weft_lft_get(&out->lft, s, lid),
				  was == WEFT_NONE || lid > a->max_lid ?
				  WEFT_NO_PORT :
				  weft_lft_get(&r->lft, was, lid));
	}
}

/* The level of a source and a LID, by the tables of before where these know
 * what the form goes by, else the common one. */
static unsigned level(const struct weft_fabric *a, const struct weft_layers *y,
		      const struct weft_fabric *b, uint32_t e, unsigned lid)
{
	uint32_t was = was_endport(a, b, e), from, to;

	switch (y->form) {
	case WEFT_SL_DESTINATION:
		return lid <= a->max_lid ? y->table[lid] : y->sl;
	case WEFT_SL_SWITCH_PAIR:
		from = was_switch(a, b, b->ep[e].sw);
		to = was_switch(a, b, weft_vertex_switch(
					      b, weft_lid_owner(b, lid)));
		return from != WEFT_NONE && to != WEFT_NONE ?
			       y->table[from * a->nsw + to] : y->sl;
	case WEFT_SL_ENDPORT_LID:
		return was != WEFT_NONE && lid <= a->max_lid ?
			       y->table[was * (a->max_lid + 1) + lid] : y->sl;
	default:
		return y->sl;
	}
}

static void check_levels(const struct weft_fabric *a,
			 const struct weft_layers *y,
			 const struct weft_fabric *b,
			 const struct weft_layers *out)
{
	EXPECT_EQ(out->form, y->form);
	EXPECT_EQ(out->nvl, y->nvl);
	EXPECT_EQ(out->one_way, y->one_way);
	for (uint32_t e = 0; e < b->nep; e++)
		for (unsigned lid = 1; lid <= b->max_lid; lid++)
			if (weft_lid_owner(b, lid) != WEFT_NONE)
				EXPECT_EQ(weft_layers_sl(out, b,
					  e | WEFT_ENDPORT, lid),
					  level(a, y, b, e, lid));
}

static bool has_cable(const struct weft_fabric *f, uint32_t s, unsigned port)
{
	return !port || f->peer[weft_channel(f, s, port)] != WEFT_NONE;
}

static void read_row(const struct weft_fabric *f, const struct weft_layers *y,
		     uint32_t s, unsigned in, unsigned to,
		     uint8_t vl[WEFT_NSL])
{
	for (unsigned sl = 0; sl < WEFT_NSL; sl++)
		vl[sl] = weft_layers_vl(y, f, s, in, to, sl);
}

/* Whether those are the lanes of a way to another switch; told: there is one
 * that is told. */
static bool is_usual(const struct weft_fabric *a, const struct weft_layers *y,
		     const uint8_t vl[WEFT_NSL], bool *told)
{
	uint8_t row[WEFT_NSL];
	bool found = false;

	*told = false;
	for (uint32_t s = 0; s < a->nsw; s++)
		for (unsigned p = 1; p <= PORTS; p++) {
			uint32_t peer = a->peer[weft_channel(a, s, p)];

			if (peer == WEFT_NONE || !weft_is_switch(peer))
				continue;
			read_row(a, y, s, 0, p, row);
			if (row[0] == WEFT_VL_UNTOLD)
				continue;
			*told = true;
			found |= !memcmp(row, vl, WEFT_NSL);
		}
	return found;
}

/* Ways over cables that were not there have the lanes of one that was, all of
 * the same one, or those of the levels' numbers. */
static void check_lanes(const struct weft_fabric *a,
			const struct weft_layers *y,
			const struct weft_fabric *b,
			const struct weft_layers *out)
{
	uint8_t usual[WEFT_NSL], is[WEFT_NSL], was_row[WEFT_NSL];
	bool told;

	ASSERT_EQ(!out->sl2vl, !y->sl2vl);
	if (!y->sl2vl)
		return;
	read_row(b, out, 0, PORTS, PORTS, usual); /* which has no cable */
	if (!is_usual(a, y, usual, &told)) {
		EXPECT(!told);
		for (unsigned sl = 0; sl < WEFT_NSL; sl++)
			EXPECT_EQ(usual[sl], sl);
	}
	for (uint32_t k = 0; k < b->nsw * (PORTS + 1) * (PORTS + 1); k++) {
		uint32_t s = k / (PORTS + 1) / (PORTS + 1);
		uint32_t was = was_switch(a, b, s);
		unsigned in = k / (PORTS + 1) % (PORTS + 1);
		unsigned to = k % (PORTS + 1);
		bool knew = was != WEFT_NONE && has_cable(a, was, in) &&
			    has_cable(a, was, to);

		read_row(b, out, s, in, to, is);
		if (knew)
			read_row(a, y, was, in, to, was_row);
		EXPECT(!memcmp(is, knew ? was_row : usual, WEFT_NSL));
	}
}

TEST(test_random)
{
	struct weft_rng *rng = weft_rng_new(20261128);
	unsigned gone = 0, fresh = 0, beyond = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct state before = random_state(rng);
		struct state after = random_state(rng);
		struct weft_fabric *a = make(&before), *b = make(&after);
		struct weft_routes r, out;
		const struct weft_diff_side from = { a, &r };

		suite_case("round %u", i);
		fill(rng, a, i, &r);
		strcpy(r.how, "by hand");
		ASSERT_EQ(weft_routes_carry(&from, b, &out), 0);
		EXPECT_STR(out.how, "by hand");
		check_entries(a, &r, b, &out);
		check_levels(a, &r.layers, b, &out.layers);
		check_lanes(a, &r.layers, b, &out.layers);
		EXPECT_EQ(!out.lid_offset, !r.lid_offset);
		for (uint32_t e = 0; e < b->nep; e++) {
			uint32_t was = was_endport(a, b, e);

			fresh += was == WEFT_NONE;
			if (r.lid_offset)
				EXPECT_EQ(out.lid_offset[e], was == WEFT_NONE ?
					  0 : r.lid_offset[was]);
		}
		for (uint32_t s = 0; s < a->nsw; s++)
			gone += was_switch(b, a, s) == WEFT_NONE;
		beyond += b->max_lid > a->max_lid;
		weft_routes_free(&r);
		weft_routes_free(&out);
		weft_fabric_free(a);
		weft_fabric_free(b);
	}
	EXPECT(gone > 50 && fresh > 50 && beyond > 50);
	weft_rng_free(rng);
}

/* Ports of several planes have one GUID: each is the one with its number, and, where
 * that is not there, the first one that is. */
TEST(test_planes)
{
	struct weft_fabric *f = route_fabric("pgft:2;3,4;3,2;1,1,one-port=yes",
					     -1), *less = NULL;
	uint32_t gone[3], n = 0;
	struct weft__match m;

	/* another plane of each of three hosts */
	for (unsigned k = 0; k < 3; k++)
		gone[k] = f->first_injection + 4 * k;
	ASSERT_EQ(weft_fabric_without(f, gone, 3, &less, NULL), 0);
	EXPECT_EQ(less->nep, f->nep - 3);
	ASSERT_EQ(weft__match_make(&m, f, less), 0);
	for (uint32_t e = 0; e < less->nep; e++) {
		ASSERT(m.ep[e] < f->nep);
		EXPECT(f->ep[m.ep[e]].guid == less->ep[e].guid);
		EXPECT_EQ(f->ep[m.ep[e]].port, less->ep[e].port);
	}
	weft__match_free(&m);
	ASSERT_EQ(weft__match_make(&m, less, f), 0);
	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t is = WEFT_NONE;

		for (uint32_t k = less->nep; k--; )
			if (less->ep[k].guid == f->ep[e].guid &&
			    (is == WEFT_NONE || less->ep[is].port !=
						       f->ep[e].port))
				is = k;
		EXPECT_EQ(m.ep[e], is);
		n += less->ep[is].port != f->ep[e].port;
	}
	EXPECT_EQ(n, 3);
	weft__match_free(&m);
	weft_fabric_free(less);
	weft_fabric_free(f);
}
