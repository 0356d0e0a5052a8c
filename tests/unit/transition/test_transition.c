// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Transitions between tables, against tables that are really written step by
 * step and proved after each. */
#include "pairs.h"

/* Writes a block, or returns false if it is the same. */
static bool write_block(struct pair *p, uint32_t s, uint32_t block)
{
	size_t at = (size_t)block * WEFT_LFT_BLOCK;
	uint8_t *to = weft_lft_row(&p->now.lft, s) + at;
	const uint8_t *from = weft_lft_row(&p->after.lft, s) + at;

	if (!memcmp(to, from, WEFT_LFT_BLOCK))
		return false;
	memcpy(to, from, WEFT_LFT_BLOCK);
	return true;
}

static uint32_t blocks(const struct pair *p)
{
	return p->after.lft.max_lid / WEFT_LFT_BLOCK + 1;
}

/* Marks in hit[nep][nep] what is lost (1) or loops (2); returns whether any. */
static bool mark_lost(const struct pair *p, uint8_t *hit)
{
	const struct weft_fabric *f = p->fabric;
	bool any = false, served;

	for (uint32_t e = 0; e < f->nep; e++)
		for (uint32_t d = 0; d < f->nep; d++) {
			enum weft_walk_end end;

			if (e == d)
				continue;
			end = end_of(p, e, f->ep[d].lid, &served);
			if (!served || end == WEFT_ARRIVED)
				continue;
			hit[(size_t)e * f->nep + d] |=
				end == WEFT_LOOP ? 2 : 1;
			any = true;
		}
	return any;
}

static bool is_cyclic(const struct pair *p, const struct weft_routes *routes)
{
	struct weft_proof_spec spec = { .credit_loops = true };
	struct weft_proof proof;
	bool cyclic;

	ASSERT_EQ(weft_proof_run(p->fabric, routes, &spec, &proof, NULL), 0);
	cyclic = proof.cyclic_vls;
	weft_proof_free(&proof);
	return cyclic;
}

/* --- OpenSM's order ------------------------------------------------------- */

static void replay_writes(struct pair *p)
{
	const struct weft_fabric *f = p->fabric;
	const struct weft_transition_writes *w = &p->found.opensm;
	uint8_t *hit = calloc((size_t)f->nep * f->nep, 1);
	uint32_t *order = malloc(f->nsw * sizeof(*order)), sw = 0;
	uint64_t writes = 0, loss = 0, cyclic = 0, first = 0, lost = 0;
	uint64_t loops = 0;
	struct weft_lft then = { .port = NULL };	/* at the first loss */

	weft_transition_opensm_order(f, order);
	for (uint32_t b = 0; b < blocks(p); b++)
		for (uint32_t i = 0; i < f->nsw; i++) {
			if (!write_block(p, order[i], b))
				continue;
			writes++;
			if (mark_lost(p, hit) && !loss) {
				loss = writes;
				sw = order[i];
				copy_lft(&p->now.lft, &then);
			}
			if (!is_cyclic(p, &p->now))
				continue;
			cyclic++;
			if (!first)
				first = writes;
		}
	for (size_t i = 0; i < (size_t)f->nep * f->nep; i++) {
		lost += hit[i] != 0;
		loops += (hit[i] & 2) != 0;
	}
	EXPECT_EQ(w->lost, lost);
	EXPECT_EQ(w->loops, loops);
	EXPECT_EQ(w->first_loss, loss);
	EXPECT_EQ(p->found.writes, writes);
	EXPECT(w->known);
	EXPECT_EQ(w->cyclic, cyclic);
	EXPECT_EQ(w->first_cyclic, first);
	if (loss) {
		EXPECT_EQ(w->loss_sw, sw);
		EXPECT_EQ(w->loss.lid, f->ep[w->loss.dest & ~WEFT_ENDPORT].lid);
		EXPECT(hit[(size_t)(w->loss.source & ~WEFT_ENDPORT) * f->nep +
		       (w->loss.dest & ~WEFT_ENDPORT)]);
		EXPECT_EQ(w->loss.port, weft_lft_get(&then, w->loss.sw,
						     w->loss.lid));
	}
	weft_lft_free(&then);
	/* Nothing happens that was not foretold for every order. */
	EXPECT(!lost || p->found.risky_lids);
	EXPECT(!cyclic || p->found.cyclic_vls);
	free(order);
	free(hit);
}

static void check_writes(struct pair *p)
{
	/* lanes are the same all the way, and there is little to look at */
	ASSERT(p->found.opensm.known);
	replay_writes(p);
}

TEST(test_writes)
{
	each_pair(check_writes);
}

/* OpenSM's order is that of GUIDs whose first byte counts least. */
TEST(test_opensm_order)
{
	struct weft_rng *rng = weft_rng_new(2);
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;
	uint32_t order[40];
	uint64_t last = 0;

	for (unsigned i = 0; i < N(order); i++) {
		uint64_t guid = weft_rng_u32(rng);

		/* some differ in one byte alone */
		guid = i % 4 ? guid << 32 | weft_rng_u32(rng) :
			       0x1111111111111111u + ((uint64_t)i << i % 8 * 8);
		weft_builder_node(b, WEFT_NODE_SWITCH, guid, 2);
	}
	for (unsigned i = 1; i < N(order); i++)
		weft_builder_link(b, i - 1, 1, i, 2,
				  (struct weft_rate){ 4, WEFT_QDR });
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_transition_opensm_order(f, order);
	for (unsigned i = 0; i < N(order); i++) {
		uint64_t is = __builtin_bswap64(f->sw[order[i]].guid);

		EXPECT(!i || is > last);
		last = is;
	}
	weft_builder_free(b);
	weft_fabric_free(f);
	weft_rng_free(rng);
}

/* --- any order ------------------------------------------------------------ */

/* Writes blocks in a random order. */
static void check_random(struct pair *p)
{
	const struct weft_fabric *f = p->fabric;
	uint32_t n = f->nsw * blocks(p);
	uint8_t *hit = calloc((size_t)f->nep * f->nep, 1);
	uint32_t *step = malloc(n * sizeof(*step));
	struct weft_rng *rng = weft_rng_new(1);
	bool lost = false, cyclic = false;

	for (uint32_t i = 0; i < n; i++)
		step[i] = i;
	weft_rng_shuffle(rng, step, n);
	for (uint32_t i = 0; i < n; i++)
		if (write_block(p, step[i] % f->nsw, step[i] / f->nsw)) {
			lost |= mark_lost(p, hit);
			cyclic |= is_cyclic(p, &p->now);
		}
	EXPECT(!lost || p->found.risky_lids);
	EXPECT(!cyclic || p->found.cyclic_vls);
	EXPECT(!lost || p->found.verdict != WEFT_ORDER_ANY);
	EXPECT(!cyclic || p->found.verdict != WEFT_ORDER_ANY ||
	       !p->found.order_waits);
	weft_rng_free(rng);
	free(step);
	free(hit);
}

TEST(test_random)
{
	each_pair(check_random);
}

/* --- all mixtures --------------------------------------------------------- */

/* The same of all mixtures of old and new entries for a LID. */
static unsigned harm_of_all(struct pair *p, unsigned lid)
{
	const struct weft_fabric *f = p->fabric;
	uint32_t sw[16], n = 0;
	unsigned found = 0;

	for (uint32_t s = 0; s < f->nsw; s++)
		if (weft_lft_get(&p->before.lft, s, lid) !=
		    weft_lft_get(&p->after.lft, s, lid))
			sw[n++] = s;
	ASSERT(n <= 10);
	for (unsigned set = 1u << n; set--; ) {
		for (uint32_t i = 0; i < n; i++)
			weft_lft_row(&p->now.lft, sw[i])[lid] = weft_lft_get(
				set >> i & 1 ? &p->after.lft : &p->before.lft,
				sw[i], lid);
		found |= harm(p, lid);
	}
	return found;
}

/* What is said of any order is so: LIDs that some mixture loses packets of, no
 * less and no more. */
TEST(test_mixtures)
{
	static const char *const spec[] = {
		"ring:4,hosts=2", "ring:6,hosts=1", "random:6x1,5,seed=1",
		"random:5x1,3,seed=2", "mesh:2x3,hosts=1", "star:3,hosts=2",
		/* LIDs of two blocks */
		"ring:4,hosts=18",
	};
	static const char *const kind[] = { "trees", "holes" };
	unsigned risky = 0, looping = 0, none = 0;

	for (unsigned i = 0; i < 280; i++) {
		char before[32], after[32];
		uint32_t lost = 0, loops = 0;
		struct pair p;

		snprintf(before, sizeof(before), "%s:%u", kind[i / N(spec) % 2],
			 2 * i + 1);
		snprintf(after, sizeof(after), "%s:%u",
			 kind[i / N(spec) / 2 % 2], 2 * i + 2);
		open_pair(&p, spec[i % N(spec)], before, after);
		for (uint32_t e = 0; e < p.fabric->nep; e++) {
			unsigned found = harm_of_all(&p, p.fabric->ep[e].lid);

			lost += found & LOST;
			loops += found == LOOPS;
		}
		EXPECT_EQ(p.found.risky_lids, lost);
		EXPECT_EQ(p.found.looping_lids, loops);
		risky += lost != 0;
		looping += loops != 0;
		none += !lost && !loops;
		if (!lost && !loops && p.found.order_waits)
			EXPECT(p.found.verdict == WEFT_ORDER_ANY ||
			       p.found.cyclic_vls);
		close_pair(&p);
	}
	EXPECT(risky > 10 && looping > 10 && none > 10);
}

/* --- lanes ---------------------------------------------------------------- */

#define MAX_VERTICES 640	/* lanes of channels */

struct lanes {
	const struct pair *pair;
	struct weft_layers layers[2];
	unsigned lid;
	bool (*waits)[MAX_VERTICES];	/* [channel * 4 + lane] */
	bool *met;		/* [switch * 256 + port it came in by] */
};

/* Fills in random SLs, and, mixed, SL2VL tables that move packets between the
 * lanes 0 to 3; some of these discard them. */
static void random_layers(const struct weft_fabric *f, unsigned form,
			  bool mixed, struct weft_rng *rng,
			  struct weft_layers *y)
{
	size_t n[] = { 0, f->max_lid + 1ull, (size_t)f->nsw * f->nsw,
		       (size_t)f->nep * (f->max_lid + 1ull) };
	size_t tables = f->nch;

	weft_layers_init(y);
	y->form = form;
	y->sl = weft_rng_below(rng, 4);
	y->nsw = f->nsw;
	y->nep = f->nep;
	y->max_lid = f->max_lid;
	y->nvl = 4;
	y->table = malloc(n[form] + 1);
	for (size_t i = 0; i < n[form]; i++)
		y->table[i] = weft_rng_below(rng, 4);
	if (!mixed)
		return;
	if (weft_rng_below(rng, 2)) {
		y->base = malloc(f->nsw * sizeof(*y->base));
		tables = 0;
		for (uint32_t s = 0; s < f->nsw; s++) {
			y->base[s] = tables;
			tables += (f->sw[s].nports + 1) *
				(f->sw[s].nports + 1);
		}
	}
	y->sl2vl = malloc(tables * WEFT_NSL);
	for (size_t i = 0; i < tables * WEFT_NSL; i++)
		y->sl2vl[i] = weft_rng_below(rng, 9) ? weft_rng_below(rng, 4) :
			WEFT_VL_DROP;
}

/* Follows packets of an SL that came into switch s by a port, from a channel
 * on a lane (NONE: from an endport), by either entry and either lane. */
static void follow(struct lanes *l, uint32_t s, unsigned in, unsigned sl,
		   uint32_t from)
{
	const struct weft_fabric *f = l->pair->fabric;

	for (unsigned k = 0; k < 4; k++) {
		const struct weft_routes *r = k & 1 ? &l->pair->after :
			&l->pair->before;
		unsigned out = weft_lft_get(&r->lft, s, l->lid), vl;
		uint32_t next, v;

		if (out > f->sw[s].nports)
			continue;
		next = f->peer[weft_channel(f, s, out)];
		vl = weft_layers_vl(&l->layers[k / 2], f, s, in, out, sl);
		if (!weft_is_switch(next) || vl == WEFT_VL_DROP)
			continue;
		v = weft_channel(f, s, out) * 4 + vl;
		if (from != WEFT_NONE)
			l->waits[from][v] = true;
		if (l->met[v])
			continue;
		l->met[v] = true;
		follow(l, next, f->peer_port[v / 4], sl, v);
	}
}

/* Lanes with a channel that waits for itself. */
static unsigned cyclic_lanes(bool (*waits)[MAX_VERTICES], uint32_t n)
{
	unsigned lanes = 0;

	for (uint32_t k = 0; k < n; k++)
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t j = 0; waits[i][k] && j < n; j++)
				waits[i][j] |= waits[k][j];
	for (uint32_t i = 0; i < n; i++)
		lanes |= waits[i][i] ? 1u << i % 4 : 0;
	return __builtin_popcount(lanes);
}

static unsigned mix_all(struct lanes *l)
{
	const struct weft_fabric *f = l->pair->fabric;
	uint32_t n = f->first_injection * 4;
	unsigned lanes;

	ASSERT(n <= MAX_VERTICES);
	l->waits = calloc(n, sizeof(*l->waits));
	l->met = malloc(n);
	for (uint32_t i = 0; i < f->nep * f->nep * 2; i++) {
		const struct weft_endport *from = &f->ep[i / 2 % f->nep];

		l->lid = f->ep[i / 2 / f->nep].lid;
		memset(l->met, 0, n);
		follow(l, from->sw, from->sw_port,
		       weft_layers_sl(&l->layers[i % 2], f,
				      (i / 2 % f->nep) | WEFT_ENDPORT, l->lid),
		       WEFT_NONE);
	}
	lanes = cyclic_lanes(l->waits, n);
	free(l->waits);
	free(l->met);
	return lanes;
}

/* Credit loops of old and new routes, on one lane or several. */
TEST(test_lanes)
{
	static const char *const spec[] = { "ring:5,hosts=1", "ring:4,hosts=2",
					    "random:6x1,4,seed=5",
					    "pgft:2;3,3;1,2;1,1",
					    /* not all switches have hosts */
					    "ring:5,hosts=0:2" };
	struct weft_rng *rng = weft_rng_new(7);
	unsigned loops = 0, none = 0;

	for (unsigned i = 0; i < 160; i++) {
		struct weft_transition_spec s = { .search = true };
		struct weft_transition t;
		struct pair p;
		struct lanes l = { .pair = &p };
		unsigned lanes;

		open_pair(&p, spec[i % N(spec)], "updn",
			  i % 3 ? "random:seed=3" : "trees:1");
		random_layers(p.fabric, i / 4 % 4, i / 16 % 2, rng,
			      &p.before.layers);
		random_layers(p.fabric, i / 8 % 4, i / 16 % 2, rng,
			      &p.after.layers);
		l.layers[0] = p.before.layers;
		l.layers[1] = p.after.layers;
		ASSERT_EQ(weft_transition_run(p.fabric, &p.before, &p.after, &s,
			  &t, NULL), 0);
		lanes = mix_all(&l);
		EXPECT_EQ(t.cyclic_vls, lanes);
		EXPECT_EQ(t.ncycles > 0, lanes > 0);
		loops += lanes > 0;
		none += !lanes;
		weft_transition_free(&t);
		close_pair(&p);
	}
	EXPECT(loops > 10 && none > 10);
	weft_rng_free(rng);
}
