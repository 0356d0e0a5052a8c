// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Transitions between tables, against tables that are really written step by
 * step and proved after each. */
#include "../route.h"

#include <stdlib.h>
#include <string.h>

/* Two sets of routes of one fabric, and the tables in between. */
struct pair {
	struct weft_fabric *fabric;
	struct weft_routes before, after, now;
	struct weft_transition found;
};

/* Random trees to all LIDs, which take ways around. */
static void random_trees(const struct weft_fabric *f, uint32_t seed,
			 struct weft_routes *out)
{
	struct weft_rng *rng = weft_rng_new(seed);
	uint32_t *met = malloc(f->nsw * sizeof(*met));

	ASSERT_EQ(weft_lft_init(&out->lft, f->nsw, f->max_lid), 0);
	weft_layers_init(&out->layers);
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		uint32_t owner = weft_lid_owner(f, lid), n = 1;

		if (owner == WEFT_NONE)
			continue;
		met[0] = weft_vertex_switch(f, owner);
		weft_lft_row(&out->lft, met[0])[lid] = weft_is_switch(owner) ?
			0 : f->ep[owner & ~WEFT_ENDPORT].sw_port;
		while (n < f->nsw) {
			uint32_t s = met[weft_rng_below(rng, n)];
			uint32_t k = f->adj_first[s] + weft_rng_below(
				rng, f->adj_first[s + 1] - f->adj_first[s]);
			uint32_t from = f->peer[f->adj[k]];

			if (weft_lft_get(&out->lft, from, lid) != WEFT_NO_PORT)
				continue;
			weft_lft_row(&out->lft, from)[lid] =
				f->peer_port[f->adj[k]];
			met[n++] = from;
		}
	}
	free(met);
	weft_rng_free(rng);
}

/* Random trees with entries that are missing or lead anywhere. */
static void random_holes(const struct weft_fabric *f, uint32_t seed,
			 struct weft_routes *out)
{
	struct weft_rng *rng = weft_rng_new(seed);

	random_trees(f, seed, out);
	for (uint32_t s = 0; s < f->nsw; s++)
		for (unsigned lid = 1; lid <= f->max_lid; lid++) {
			uint32_t dice = weft_rng_below(rng, 12);

			if (dice < 2)
				weft_lft_row(&out->lft, s)[lid] = dice ?
					weft_rng_below(rng,
						       f->sw[s].nports + 2) :
					WEFT_NO_PORT;
		}
	weft_rng_free(rng);
}

/* Routes by an engine, "trees:SEED", or "holes:SEED". */
static void route(const struct weft_fabric *f, const char *text,
		  struct weft_routes *out)
{
	const struct weft_engine *engine;
	struct weft_options *o = NULL;
	char name[64], *option;
	unsigned seed;

	snprintf(name, sizeof(name), "%s", text);
	*out = (struct weft_routes){ .lid_offset = NULL };
	if (sscanf(name, "trees:%u", &seed) == 1) {
		random_trees(f, seed, out);
		return;
	}
	if (sscanf(name, "holes:%u", &seed) == 1) {
		random_holes(f, seed, out);
		return;
	}
	option = strchr(name, ':');
	if (option)
		*option++ = '\0';
	engine = weft_engine_find(name);
	ASSERT(engine);
	ASSERT_EQ(weft_options_new(&o, engine->options), 0);
	if (option)
		ASSERT_EQ(weft_options_parse(o, option, NULL), 0);
	ASSERT_EQ(weft_route(engine, f, o, out, NULL), 0);
	weft_options_free(o);
}

static void copy_lft(const struct weft_lft *from, struct weft_lft *to)
{
	ASSERT_EQ(weft_lft_init(to, from->nsw, from->max_lid), 0);
	memcpy(to->port, from->port, (size_t)from->nsw * from->stride);
}

static void open_pair(struct pair *p, const char *spec, const char *before,
		      const char *after)
{
	struct weft_transition_spec s = { .search = true };

	*p = (struct pair){ .fabric = route_fabric(spec, 0) };
	route(p->fabric, before, &p->before);
	route(p->fabric, after, &p->after);
	copy_lft(&p->before.lft, &p->now.lft);
	weft_layers_init(&p->now.layers);
	ASSERT_EQ(weft_transition_run(p->fabric, &p->before, &p->after, &s,
		  &p->found, NULL), 0);
}

static void close_pair(struct pair *p)
{
	weft_transition_free(&p->found);
	weft_routes_free(&p->before);
	weft_routes_free(&p->after);
	weft_routes_free(&p->now);
	weft_fabric_free(p->fabric);
}

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

/* Whether a pair arrives by both sets, and how it ends by the present one. */
static enum weft_walk_end end_of(const struct pair *p, uint32_t e, unsigned lid,
				 bool *served)
{
	const struct weft_walk_path none = { NULL, 0 };
	uint32_t s = p->fabric->ep[e].sw;

	*served = weft_lft_walk(p->fabric, &p->before.lft, s, lid, none,
				NULL) == WEFT_ARRIVED &&
		weft_lft_walk(p->fabric, &p->after.lft, s, lid, none, NULL) ==
			WEFT_ARRIVED;
	return weft_lft_walk(p->fabric, &p->now.lft, s, lid, none, NULL);
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

static const char *const fabrics[] = {
	"ring:5,hosts=2", "torus:4x4,hosts=2", "random:12x2,6,seed=1",
	"random:12x2,6,seed=2", "random:12x2,6,seed=3",
	"pgft:2;4,4;1,4;1,1,fail-links=20%,seed=3",
	"pgft:3;3,3,3;1,3,3;1,1,1,fail-links=10%,seed=2", "dragonfly:4,2,2,5",
	/* LIDs of two blocks */
	"pgft:2;8,8;1,4;1,1,fail-links=10%,seed=4",
};

static const char *const engines[][2] = {
	{ "minhop", "updn" },	  { "updn", "minhop" },
	{ "psssp", "updn" },	  { "updn", "weave" },
	{ "weave", "random:seed=3" }, { "random:seed=1", "random:seed=2" },
	{ "trees:1", "trees:2" }, { "trees:3", "updn" },
	{ "updn", "holes:1" },	  { "holes:2", "holes:3" },
};

#define N(a) (sizeof(a) / sizeof((a)[0]))

/* Calls a test for all fabrics and pairs of engines. */
static void each_pair(void (*test)(struct pair *p))
{
	for (unsigned i = 0; i < N(fabrics); i++)
		for (unsigned k = 0; k < N(engines); k++) {
			struct pair p;

			open_pair(&p, fabrics[i], engines[k][0], engines[k][1]);
			test(&p);
			close_pair(&p);
		}
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

enum { LOST = 1, LOOPS = 2 };

/* What the tables in place do to packets to a LID that neither set does. */
static unsigned harm(const struct pair *p, unsigned lid)
{
	const struct weft_fabric *f = p->fabric;
	const struct weft_walk_path none = { NULL, 0 };
	unsigned found = 0;

	for (uint32_t e = 0; e < f->nep; e++) {
		uint32_t s = f->ep[e].sw;
		enum weft_walk_end end;
		bool served;

		if (f->ep[e].lid == lid)
			continue;
		end = end_of(p, e, lid, &served);
		if (served && end != WEFT_ARRIVED)
			found |= LOST;
		else if (end == WEFT_LOOP &&
			 weft_lft_walk(f, &p->before.lft, s, lid, none,
				       NULL) != WEFT_LOOP &&
			 weft_lft_walk(f, &p->after.lft, s, lid, none,
				       NULL) != WEFT_LOOP)
			found |= LOOPS;
	}
	return found;
}

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

/* --- safe orders ---------------------------------------------------------- */

static unsigned found_orders, found_none;

static void write_switch(struct pair *p, uint32_t s, const struct weft_lft *to)
{
	memcpy(weft_lft_row(&p->now.lft, s), weft_lft_row(to, s),
	       p->now.lft.stride);
}

/* Whether a step from the present tables loses nothing and has no credit loop
 * together with what was in place before; the step is done then. */
static bool step_is_safe(struct pair *p, uint32_t s, bool waits)
{
	const struct weft_fabric *f = p->fabric;
	struct weft_transition_spec spec = { .search = false };
	struct weft_transition step;
	struct weft_routes was = { .lid_offset = NULL };
	bool safe = true;

	copy_lft(&p->now.lft, &was.lft);
	weft_layers_init(&was.layers);
	write_switch(p, s, &p->after.lft);
	for (uint32_t e = 0; e < f->nep; e++)
		safe &= !harm(p, f->ep[e].lid);
	ASSERT_EQ(weft_transition_run(f, &was, &p->now, &spec, &step, NULL), 0);
	safe &= !waits || !step.cyclic_vls;
	weft_transition_free(&step);
	if (!safe)
		write_switch(p, s, &was.lft);
	weft_routes_free(&was);
	return safe;
}

static void check_order(struct pair *p)
{
	const struct weft_transition *t = &p->found;
	size_t size = (size_t)p->now.lft.nsw * p->now.lft.stride;

	if (t->verdict == WEFT_ORDER_NONE)
		found_none++;
	if (t->verdict != WEFT_ORDER_FOUND)
		return;
	found_orders++;
	EXPECT_EQ(t->norder, t->switches);
	for (uint32_t i = 0; i < t->norder; i++)
		EXPECT(step_is_safe(p, t->order[i], t->order_waits));
	EXPECT(!memcmp(p->now.lft.port, p->after.lft.port, size));
}

TEST(test_orders)
{
	found_orders = 0;
	each_pair(check_order);
	EXPECT(found_orders >= 4);
}

/* Tries all orders: whether some order of those left ends well. tried[] is a
 * bit for each set of switches that was. */
static bool search_all(struct pair *p, unsigned set, uint8_t *tried,
		       const uint32_t *sw, uint32_t n)
{
	if (set == (1u << n) - 1)
		return true;
	if (tried[set])
		return false;
	tried[set] = 1;
	for (uint32_t i = 0; i < n; i++) {
		bool good;

		if (set >> i & 1 || !step_is_safe(p, sw[i],
						  p->found.order_waits))
			continue;
		good = search_all(p, set | 1u << i, tried, sw, n);
		write_switch(p, sw[i], &p->before.lft);
		if (good)
			return true;
	}
	return false;
}

/* Verdicts on small fabrics, against all orders of their switches. */
TEST(test_all_orders)
{
	static const char *const spec[] = {
		"ring:4,hosts=2", "ring:5,hosts=1", "random:6x2,5,seed=1",
		"random:6x2,5,seed=2", "random:8x2,5,seed=3",
		"random:8x2,5,seed=4", "random:6x1,4,seed=5",
		"random:8x1,4,seed=6", "pgft:2;3,3;1,2;1,1,fail-links=20%",
		/* LIDs of two blocks */
		"ring:4,hosts=18", "random:6x12,15,seed=7",
	};
	static const char *const set[][2] = {
		{ "minhop", "updn" }, { "updn", "minhop" },
		{ "random:seed=1", "random:seed=2" },
		{ "random:seed=5", "updn" }, { "psssp", "random:seed=4" },
		{ "trees:1", "trees:2" }, { "trees:3", "trees:4" },
		{ "updn", "trees:5" }, { "updn", "holes:1" },
		{ "holes:2", "trees:6" }, { "holes:3", "holes:4" },
	};
	unsigned missed = 0, none = 0, some = 0;

	for (unsigned i = 0; i < N(spec) * N(set); i++) {
		struct pair p;
		uint32_t sw[16], n = 0;
		uint8_t tried[1 << 10] = { 0 };
		bool exists;

		open_pair(&p, spec[i / N(set)], set[i % N(set)][0],
			  set[i % N(set)][1]);
		for (uint32_t s = 0; s < p.fabric->nsw; s++)
			if (memcmp(weft_lft_row(&p.before.lft, s),
				   weft_lft_row(&p.after.lft, s),
				   p.before.lft.stride))
				sw[n++] = s;
		ASSERT(n <= 10);
		exists = search_all(&p, 0, tried, sw, n);
		switch (p.found.verdict) {
		case WEFT_ORDER_ANY:
		case WEFT_ORDER_FOUND:
			EXPECT(exists);
			some++;
			break;
		case WEFT_ORDER_NONE:
			EXPECT(!exists);
			none++;
			break;
		default:
			missed += exists;
		}
		close_pair(&p);
	}
	EXPECT_EQ(missed, 0);
	EXPECT(none && some);
}
