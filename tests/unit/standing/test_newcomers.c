// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Endports that are new take the tree, and the service levels, of another one on
 * their leaf. */
#include "../route.h"
#include "thinned.h"

#include "core/arena.h"
#include "loads/gather.h"
#include "standing/newcomers.h"

#define SEED 20261128u

static const struct {
	const char *spec, *engine;
	int lmc;
} families[] = {
	{ "pgft:2;5,6;1,4;1,1", "eftree", 0 },
	{ "pgft:2;5,6;1,4;1,1", "psssp", 1 },
	{ "torus:3x4,hosts=3", "updn", 0 },
	{ "dragonfly:4,2,2,5", "psssp", 1 },
};
#define NFAMILIES (sizeof(families) / sizeof(*families))

/* A fabric with tables, their loads, and the column of one LID without entries. */
struct world {
	struct weft_fabric *f;
	struct weft_routes r, before;	/* before: service levels alone */
	struct weft_arena *arena;
	struct weft__loads loads;
	struct weft__column column, scratch;
	struct weft_rng *rng;
};

/* Service levels at random. */
static void random_levels(struct world *w, enum weft_sl_form form,
			  struct weft_layers *y)
{
	const struct weft_fabric *f = w->f;
	size_t n = form == WEFT_SL_ENDPORT_LID ?
		f->nep * (f->max_lid + 1ull) : f->max_lid + 1ull;

	weft_layers_init(y);
	y->form = form;
	y->max_lid = f->max_lid;
	y->nep = f->nep;
	y->nsw = f->nsw;
	if (form == WEFT_SL_ONE)
		return;
	y->table = malloc(n);
	for (size_t i = 0; i < n; i++)
		y->table[i] = weft_rng_below(w->rng, 8);
}

static void copy_levels(const struct weft_layers *from, size_t n,
			struct weft_layers *to)
{
	*to = *from;
	if (!from->table)
		return;
	to->table = malloc(n);
	memcpy(to->table, from->table, n);
}

static void open_world(struct world *w, unsigned i, enum weft_sl_form form)
{
	size_t n;
	uint8_t *lost;

	*w = (struct world){
		.f = route_fabric(families[i].spec, families[i].lmc),
		.arena = weft__arena_new(),
		.rng = weft_rng_new(SEED + i),
	};
	n = w->f->max_lid + 1ull;
	for (uint32_t e = 0; e < w->f->nep; e++)
		weft_fabric_weigh(w->f, e, 1 + weft_rng_below(w->rng, 3));
	ASSERT_EQ(route_by(families[i].engine, NULL, w->f, &w->r, NULL), 0);
	ASSERT_EQ(weft__loads_init(&w->loads, w->f, &w->r.layers, 1, w->arena),
		  0);
	lost = calloc(n, 1);
	ASSERT_EQ(weft__gather(&w->loads, &w->r.lft, lost), 0);
	free(lost);
	weft_layers_free(&w->r.layers);
	random_levels(w, form, &w->r.layers);
	copy_levels(&w->r.layers, form == WEFT_SL_ENDPORT_LID ? n * w->f->nep :
		    n, &w->before.layers);
	ASSERT(weft__column_init(&w->column, w->f, w->arena));
	ASSERT(weft__column_init(&w->scratch, w->f, w->arena));
}

static void close_world(struct world *w)
{
	weft__loads_free(&w->loads);
	weft_routes_free(&w->r);
	weft_layers_free(&w->before.layers);
	weft__arena_free(w->arena);
	weft_fabric_free(w->f);
	weft_rng_free(w->rng);
}

/* Follows what each switch sends to a LID: the highest load that a channel has if
 * all of it is sent twice; UINT64_MAX: some switch's does not arrive. */
static uint64_t doubled(const struct world *w, unsigned lid)
{
	const struct weft_fabric *f = w->f;
	uint32_t root = weft_vertex_switch(f, weft_lid_owner(f, lid));
	uint64_t *via = calloc(f->nch, sizeof(*via)), most = 0;

	for (uint32_t from = 0; from < f->nsw; from++) {
		uint32_t n = 0;

		for (uint32_t s = from; s != root && n <= f->nsw; n++) {
			uint8_t port = weft_lft_get(&w->r.lft, s, lid);

			if (port == WEFT_NO_PORT) {
				free(via);
				return UINT64_MAX;
			}
			via[weft_channel(f, s, port)] += w->loads.hosts[from];
			s = f->peer[weft_channel(f, s, port)];
		}
	}
	for (uint32_t ch = 0; ch < f->nch; ch++) {
		uint64_t here = (w->loads.load[ch] +
				 via[ch] * weft__lid_weight(f, lid)) *
				w->loads.scale[ch];

		most = via[ch] && here > most ? here : most;
	}
	free(via);
	return most;
}

/* The LID of another endport on the switch whose tree is loaded least, the first
 * of equals; 0: none. */
static unsigned lightest(const struct world *w, uint32_t s, uint32_t but)
{
	const struct weft_fabric *f = w->f;
	uint64_t least = UINT64_MAX;
	unsigned best = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++) {
		const struct weft_endport *e = &f->ep[f->sw_endport[i]];

		for (unsigned k = 0; k < 1u << e->lmc; k++) {
			uint64_t most = doubled(w, e->lid + k);

			if (f->sw_endport[i] == but || most >= least)
				continue;
			least = most;
			best = e->lid + k;
		}
	}
	return best;
}

/* Service levels are those of the other LID and, of an endport that sends, those
 * of the other endport; all others are as they were. */
static void expect_levels(const struct world *w, unsigned lid, unsigned like)
{
	const struct weft_fabric *f = w->f;
	const struct weft_layers *was = &w->before.layers, *is = &w->r.layers;
	size_t row = f->max_lid + 1ull;
	uint32_t e = weft_is_switch(weft_lid_owner(f, lid)) ? WEFT_NONE :
		weft_lid_owner(f, lid) & ~WEFT_ENDPORT;
	uint32_t other = weft_lid_owner(f, like) & ~WEFT_ENDPORT;
	uint32_t rows = is->form == WEFT_SL_ENDPORT_LID ? f->nep : 1;

	for (uint32_t i = 0; is->form != WEFT_SL_ONE && i < rows; i++)
		for (unsigned l = 0; l <= f->max_lid; l++) {
			uint32_t from = rows > 1 && i == e ? other : i;

			EXPECT_EQ(is->table[i * row + l], was->table[
				  from * row + (l == lid ? like : l)]);
		}
}

/* Has an endport's LID, or that of its switch, take a tree, with that many entries
 * of others missing. */
static void take(unsigned i, enum weft_sl_form form, unsigned holes, bool own)
{
	const struct weft_fabric *f;
	struct world w;
	struct weft__column *c = &w.column;
	unsigned lid, best;
	uint32_t e, s;
	bool taken;

	open_world(&w, i, form);
	f = w.f;
	e = weft_rng_below(w.rng, f->nep);
	s = f->ep[e].sw;
	lid = own ? f->sw[s].lid :
		f->ep[e].lid + weft_rng_below(w.rng, 1u << f->ep[e].lmc);
	while (holes--) {
		uint32_t at = weft_rng_below(w.rng, f->nsw), on = f->sw_endport[
			f->sw_ep_first[s] + weft_rng_below(w.rng,
				f->sw_ep_first[s + 1] - f->sw_ep_first[s])];

		if (at != s)
			weft_lft_row(&w.r.lft, at)[f->ep[on].lid] =
				WEFT_NO_PORT;
	}
	best = lightest(&w, s, own ? WEFT_NONE : e);
	weft__column_read(c, &w.r.lft, lid);
	for (uint32_t k = 0; k < f->nsw; k++)
		if (k != s)
			c->port[k] = WEFT_NO_PORT;
	weft__column_survey(c);
	taken = weft__take_tree(&w.loads, &w.r.lft, &w.r.layers, c, &w.scratch);
	EXPECT_EQ(taken, best != 0);
	EXPECT_EQ(c->port[s], own ? 0 : f->ep[e].sw_port);
	for (uint32_t k = 0; k < f->nsw; k++)
		if (k != s)
			EXPECT_EQ(c->port[k], best ?
				  weft_lft_get(&w.r.lft, k, best) :
				  WEFT_NO_PORT);
	expect_levels(&w, lid, best ? best : lid);
	close_world(&w);
}

TEST(test_take_tree)
{
	static const enum weft_sl_form forms[] = {
		WEFT_SL_ONE, WEFT_SL_DESTINATION, WEFT_SL_ENDPORT_LID,
	};

	for (unsigned k = 0; k < 48; k++) {
		suite_case("%s, round %u", families[k % NFAMILIES].spec, k);
		take(k % NFAMILIES, forms[k / NFAMILIES % 3], k % 5,
		     k % 7 == 3);
	}
}

/* Who has no neighbours stays without a tree. */
TEST(test_alone)
{
	struct weft_fabric *f = route_fabric("ring:5,hosts=1", 0);
	struct weft_arena *arena = weft__arena_new();
	struct weft__column c, scratch;
	struct weft__loads loads;
	struct weft_routes r = { .lid_offset = NULL };

	ASSERT_EQ(route_by("updn", NULL, f, &r, NULL), 0);
	ASSERT_EQ(weft__loads_init(&loads, f, &r.layers, 1, arena), 0);
	ASSERT(weft__column_init(&c, f, arena));
	ASSERT(weft__column_init(&scratch, f, arena));
	weft__column_read(&c, &r.lft, f->ep[2].lid);
	weft__column_survey(&c);
	EXPECT(!weft__take_tree(&loads, &r.lft, &r.layers, &c, &scratch));
	weft__loads_free(&loads);
	weft__arena_free(arena);
	weft_routes_free(&r);
	weft_fabric_free(f);
}

/* --- what they send ------------------------------------------------------- */

/* Endports that were not there, or on another switch, as sources. */
TEST(test_take_levels)
{
	for (unsigned k = 0; k < 24; k++) {
		struct world w;
		struct weft_fabric *less;
		struct weft__match m;
		struct weft_layers *is = &w.r.layers;
		size_t row;

		open_world(&w, k % NFAMILIES, WEFT_SL_ENDPORT_LID);
		row = w.f->max_lid + 1ull;
		less = thin_out(w.f, w.rng, 10 + k);
		ASSERT_EQ(weft__match_make(&m, less, w.f), 0);
		for (uint32_t e = 0; less->nep && e < w.f->nep; e += 7)
			m.ep[e] = weft_rng_below(w.rng, less->nep);
		weft__take_levels(is, &m);
		suite_case("%s, round %u", families[k % NFAMILIES].spec, k);
		for (uint32_t s = 0; s < w.f->nsw; s++) {
			uint32_t settled = WEFT_NONE;

			for (uint32_t e = w.f->nep; e--; )
				if (w.f->ep[e].sw == s && m.ep[e] != WEFT_NONE &&
				    less->sw[less->ep[m.ep[e]].sw].guid ==
					    w.f->sw[s].guid)
					settled = e;
			for (uint32_t e = 0; e < w.f->nep; e++) {
				bool stayed = m.ep[e] != WEFT_NONE &&
					less->sw[less->ep[m.ep[e]].sw].guid ==
						w.f->sw[s].guid;

				if (w.f->ep[e].sw != s)
					continue;
				ASSERT_MEM(is->table + e * row,
					   w.before.layers.table +
					   (stayed || settled == WEFT_NONE ?
					    e : settled) * row, row);
			}
			EXPECT_EQ(weft__has_new_levels(is, &m, s),
				  settled == WEFT_NONE);
		}
		weft__match_free(&m);
		weft_fabric_free(less);
		close_world(&w);
	}
}

/* Other forms say nothing of endports that send. */
TEST(test_other_forms)
{
	struct weft_fabric *less;
	struct weft__match m;
	struct world w;

	open_world(&w, 0, WEFT_SL_DESTINATION);
	less = thin_out(w.f, w.rng, 60);
	ASSERT_EQ(weft__match_make(&m, less, w.f), 0);
	weft__take_levels(&w.r.layers, &m);
	expect_levels(&w, w.f->ep[0].lid, w.f->ep[0].lid);
	for (uint32_t s = 0; s < w.f->nsw; s++)
		EXPECT(!weft__has_new_levels(&w.r.layers, &m, s));
	weft__match_free(&m);
	weft_fabric_free(less);
	close_world(&w);
}
