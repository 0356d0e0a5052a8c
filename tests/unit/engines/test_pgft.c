// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The engines for exact fat trees: which top switch a route takes, by the
 * definitions of the papers; the form under shuffled GUIDs; what is refused,
 * and whom the refusal names.
 */
#include "../rebuild.h"
#include "../route.h"

#include "core/arena.h"
#include "shapes/pgft.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { SEED = 90210 };

/* --- the form ------------------------------------------------------------ */

static const char *const trees[] = {
	"pgft:1;6;1;1", "pgft:2;4,6;1,4;1,1", "pgft:2;4,6;1,2;1,2",
	"pgft:3;3,3,4;1,3,3;1,1,1", "pgft:3;2,3,4;1,2,3;1,1,2",
	"pgft:3;4,2,3;1,3,2;1,2,1", "pgft:4;2,2,2,3;1,2,1,2;1,1,1,1",
	"pgft:4;1,2,3,2;1,3,2,2;1,1,1,1", "pgft:2;3,5;1,1;1,3",
};
enum { NTREES = sizeof(trees) / sizeof(trees[0]) };

/* What each switch is cabled to, by the form, is what it is cabled to.  Returns
 * how many cables are missing. */
static uint32_t check_form(const struct weft_fabric *f,
			   const struct weft__pgft_form *form)
{
	uint32_t cables = 0, missing = 0;

	for (uint32_t s = 0; s < f->nsw; s++) {
		unsigned l = form->level[s];
		const uint8_t *up = form->up + f->first_channel[s];

		for (uint32_t q = 0; l < form->h &&
		     q < form->w[l + 1] * form->p[l + 1]; q++) {
			uint32_t ch = weft_channel(f, s, up[q]);
			uint32_t t = f->peer[ch], a;

			missing += !up[q];
			if (!up[q])
				continue;
			cables++;
			ASSERT(weft_is_switch(t));
			EXPECT_EQ(form->level[t], l + 1);
			EXPECT_EQ(form->subtree[t],
				  form->subtree[s] / form->m[l + 1]);
			EXPECT_EQ(form->place[t], form->place[s] * form->w[l +
				  1] + q % form->w[l + 1]);
			a = form->subtree[s] % form->m[l + 1];
			EXPECT_EQ(form->down[f->first_channel[t] + a * form->p[l
				  + 1] + q / form->w[l + 1]], f->peer_port[ch]);
		}
	}
	EXPECT_EQ(cables, f->adj_first[f->nsw] / 2);
	return missing;
}

/* Numbers of the form "pgft:h;m..;w..;p.." that detection found. */
static void check_numbers(const char *spec, const struct weft__pgft_form *form)
{
	char text[128];
	int n = sprintf(text, "pgft:%u;", form->h);

	for (unsigned l = 1; l <= form->h; l++)
		n += sprintf(text + n, "%u%c", form->m[l],
			     l < form->h ? ',' : ';');
	for (unsigned l = 1; l <= form->h; l++)
		n += sprintf(text + n, "%u%c", form->w[l],
			     l < form->h ? ',' : ';');
	for (unsigned l = 1; l <= form->h; l++)
		n += sprintf(text + n, "%u%s", form->p[l],
			     l < form->h ? "," : "");
	EXPECT_STR(text, spec);
}

TEST(test_form)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < NTREES * 3; i++) {
		struct weft_arena *arena = weft__arena_new();
		struct weft__pgft_form form;
		struct weft_fabric *f, *g;
		char spec[128];

		snprintf(spec, sizeof(spec), "%s%s%u", trees[i % NTREES],
			 i < NTREES ? ",seed=" : ",guids=shuffle,seed=", i);
		f = route_fabric(spec, -1);
		g = rebuild_shuffled(f, rng);
		ASSERT_EQ(weft__pgft_detect(g, arena, &form, NULL), 0);
		check_numbers(trees[i % NTREES], &form);
		EXPECT_EQ(check_form(g, &form), 0);
		weft__arena_free(arena);
		weft_fabric_free(g);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* --- the form where something is missing ---------------------------------- */

static bool same_form(const struct weft_fabric *f,
		      const struct weft__pgft_form *a,
		      const struct weft__pgft_form *b)
{
	return !memcmp(a->level, b->level, f->nsw) &&
	       !memcmp(a->subtree, b->subtree, f->nsw * sizeof(*a->subtree)) &&
	       !memcmp(a->place, b->place, f->nsw * sizeof(*a->place)) &&
	       !memcmp(a->up, b->up, f->first_injection) &&
	       !memcmp(a->down, b->down, f->first_injection) &&
	       !memcmp(a->number, b->number, f->nep * sizeof(*a->number));
}

TEST(test_nothing_is_missing)
{
	for (unsigned i = 0; i < NTREES; i++) {
		struct weft_arena *arena = weft__arena_new();
		struct weft_fabric *f = route_fabric(trees[i], -1);
		struct weft__pgft_form whole, torn;
		double share;

		ASSERT_EQ(weft__pgft_detect(f, arena, &whole, NULL), 0);
		ASSERT_EQ(weft__pgft_detect_torn(f, arena, &torn, &share, NULL),
			  0);
		EXPECT_EQ(share, 0);
		check_numbers(trees[i], &torn);
		EXPECT(same_form(f, &whole, &torn));
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}

TEST(test_torn)
{
	static const struct {
		const char *tree, *without;
	} torn[] = {
		{ "pgft:2;4,6;1,4;1,1", "fail-links=3" },
		{ "pgft:2;4,6;1,2;1,2", "fail-links=5" },
		{ "pgft:3;3,3,4;1,3,3;1,1,1", "fail-links=8%" },
		{ "pgft:3;4,4,6;1,4,4;1,1,1", "fail-links=15%" },
		{ "pgft:3;4,2,3;1,3,2;1,2,1", "fail-links=10%" },
		{ "pgft:4;2,3,3,3;1,3,2,2;1,1,1,1", "fail-links=4" },
		/* all from a switch of the middle to those above it */
		{ "pgft:3;4,4,6;1,4,4;1,1,1",
		  "fail-links=mid-000:5+mid-000:6+mid-000:7+mid-000:8" },
	};
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 3 * sizeof(torn) / sizeof(torn[0]); i++) {
		struct weft_arena *arena = weft__arena_new();
		const char *tree = torn[i / 3].tree;
		struct weft__pgft_form form;
		struct weft_fabric *f, *g;
		uint32_t missing;
		char spec[128];
		double share;

		snprintf(spec, sizeof(spec), "%s,%s,seed=%u", tree,
			 torn[i / 3].without, i);
		f = route_fabric(spec, -1);
		g = rebuild_shuffled(f, rng);
		ASSERT_EQ(weft__pgft_detect(g, arena, &form, NULL), -ENOTSUP);
		ASSERT_EQ(weft__pgft_detect_torn(g, arena, &form, &share, NULL),
			  0);
		check_numbers(tree, &form);
		missing = check_form(g, &form);
		EXPECT(missing > 0);
		EXPECT(fabs(share - 2.0 * missing / (g->adj_first[g->nsw] +
						     2 * missing)) < 1e-9);
		weft__arena_free(arena);
		weft_fabric_free(g);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Without some switches it is the form of those that are left, or a larger
 * one. */
TEST(test_without_switches)
{
	for (unsigned seed = 1; seed <= 20; seed++) {
		struct weft_arena *arena = weft__arena_new();
		struct weft__pgft_form form;
		struct weft_fabric *f;
		char spec[128];
		double share;

		snprintf(
			spec, sizeof(spec),
			"pgft:3;4,4,6;1,4,4;1,1,1,fail-switches=3,fail-links=2,seed=%u",
			seed);
		f = route_fabric(spec, -1);
		ASSERT_EQ(weft__pgft_detect_torn(f, arena, &form, &share, NULL),
			  0);
		check_form(f, &form);
		EXPECT(share > 0);
		EXPECT(share < .2);
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}

TEST(test_no_torn_trees)
{
	static const char *const others[] = { "torus:4x4", "dragonfly:4,2,2,9",
					      "full:6", "hyperx:3x3",
					      "random:16,4,4", "deimos" };

	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct weft_arena *arena = weft__arena_new();
		struct weft_fabric *f = route_fabric(others[i], -1);
		struct weft__pgft_form form;
		double share;

		EXPECT_EQ(weft__pgft_detect_torn(f, arena, &form, &share, NULL),
			  -ENOTSUP);
		weft__arena_free(arena);
		weft_fabric_free(f);
	}
}

/* --- which top switch ----------------------------------------------------- */

/* A tree of two levels as the papers number it, by GUIDs as the generator
 * gives them. */
struct two {
	const struct weft_fabric *f;
	uint32_t n, m, r;
	uint32_t *leaf, *top, *host;
};

static void two_levels(struct two *t, const struct weft_fabric *f, uint32_t n,
		       uint32_t m, uint32_t r)
{
	uint32_t ntop = 0, nleaf = 0;

	*t = (struct two){ .f = f, .n = n, .m = m, .r = r,
			   .leaf = calloc(r, sizeof(*t->leaf)),
			   .top = calloc(m, sizeof(*t->top)),
			   .host = calloc((size_t)n * r, sizeof(*t->host)) };
	for (uint32_t s = 0; s < f->nsw; s++) {
		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1]) {
			t->top[ntop++] = s;
			continue;
		}
		/* The generator cables hosts to ports 1 .. n. */
		for (uint32_t p = 1; p <= n; p++)
			t->host[nleaf * n + p - 1] =
				f->peer[weft_channel(f, s, p)] &
				~WEFT_ENDPORT;
		t->leaf[nleaf++] = s;
	}
	ASSERT_EQ(ntop, m);
	ASSERT_EQ(nleaf, r);
}

static void two_free(struct two *t)
{
	free(t->leaf);
	free(t->top);
	free(t->host);
}

/* Number of the top switch on the way from host s to host d. */
static uint32_t top_of(const struct two *t, const struct weft_routes *r,
		       uint32_t s, uint32_t d)
{
	uint32_t from = t->host[s], to = t->host[d], ch[4], i = 0;
	size_t n;

	ASSERT_EQ(weft_lft_walk(t->f, &r->lft, t->f->ep[from].sw,
		  weft_routes_lid(t->f, r, from, to), (struct weft_walk_path){
		  ch, 4 }, &n), WEFT_ARRIVED);
	ASSERT_EQ(n, 3);
	while (t->top[i] != t->f->peer[ch[0]])
		i++;
	return i;
}

/* Figure 2 of Nienaber, Mahapatra and Yuan, for each pair. */
static uint32_t figure_2(const struct two *t, uint32_t s, uint32_t d)
{
	uint32_t k = 1, size;

	while ((k + 1) * (k + 1) <= t->m)
		k++;
	size = t->n / k;
	if (t->n / k * k != t->n)
		size++;
	return s % t->n / size * k + d % t->n / size;
}

TEST(test_definitions)
{
	static const uint32_t size[][3] = {
		{ 4, 4, 6 }, { 6, 9, 5 }, { 5, 6, 4 }, { 3, 8, 4 },
		{ 7, 5, 3 }, { 6, 2, 8 },
	};

	for (unsigned i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		struct weft_routes dm = { 0 }, sm = { 0 }, opt = { 0 };
		uint32_t n = size[i][0], m = size[i][1], r = size[i][2];
		struct weft_fabric *f;
		struct two t;
		char spec[64];

		snprintf(spec, sizeof(spec), "pgft:2;%u,%u;1,%u;1,1", n, r, m);
		f = route_fabric(spec, 4);
		two_levels(&t, f, n, m, r);
		ASSERT_EQ(route_by("dmodk", NULL, f, &dm, NULL), 0);
		ASSERT_EQ(route_by("smodk", NULL, f, &sm, NULL), 0);
		ASSERT_EQ(route_by("opt", "balance=no", f, &opt, NULL), 0);
		for (uint32_t s = 0; s < n * r; s++)
			for (uint32_t d = 0; d < n * r; d++) {
				if (s / n == d / n)
					continue;
				EXPECT_EQ(top_of(&t, &dm, s, d), d % m);
				EXPECT_EQ(top_of(&t, &sm, s, d), s % m);
				EXPECT_EQ(top_of(&t, &opt, s, d),
					  figure_2(&t, s, d));
			}
		weft_routes_free(&dm);
		weft_routes_free(&sm);
		weft_routes_free(&opt);
		two_free(&t);
		weft_fabric_free(f);
	}
}

/* The balanced form uses every top switch, and each link alike but for what
 * does not divide. */
TEST(test_balance)
{
	for (uint32_t n = 2; n <= 8; n++)
		for (uint32_t m = 2; m <= 12; m++) {
			struct weft_routes r = { 0 };
			struct weft_fabric *f;
			struct two t;
			uint32_t used[12] = { 0 }, leaves = 12;
			char spec[64];

			snprintf(spec, sizeof(spec), "pgft:2;%u,%u;1,%u;1,1",
				 n, leaves, m);
			f = route_fabric(spec, 3);
			two_levels(&t, f, n, m, leaves);
			ASSERT_EQ(route_by("opt", NULL, f, &r, NULL), 0);
			for (uint32_t s = 0; s < n; s++)
				for (uint32_t d = n; d < n * leaves; d++)
					used[top_of(&t, &r, s, d)]++;
			for (uint32_t i = 0; i < m; i++)
				EXPECT(used[i] > 0);
			weft_routes_free(&r);
			two_free(&t);
			weft_fabric_free(f);
		}
}

/* With three levels: all routes to a host over the same switches (dmodk), all
 * from a host (smodk), and the same number of hosts for each top switch. */
TEST(test_three_levels)
{
	struct weft_fabric *f = route_fabric("pgft:3;4,2,4;1,4,2;1,1,1", 3);
	struct weft_routes dm = { 0 }, sm = { 0 };
	uint32_t load[64] = { 0 };

	ASSERT_EQ(route_by("dmodk", NULL, f, &dm, NULL), 0);
	ASSERT_EQ(route_by("smodk", NULL, f, &sm, NULL), 0);
	for (uint32_t a = 0; a < f->nep; a++) {
		uint32_t top[2] = { WEFT_NONE, WEFT_NONE };

		for (uint32_t b = 0; b < f->nep; b++) {
			uint32_t ch[8];
			size_t n;

			weft_lft_walk(f, &dm.lft, f->ep[b].sw, f->ep[a].lid,
				      (struct weft_walk_path){ ch, 8 }, &n);
			if (n == 5 && top[0] == WEFT_NONE)
				load[f->peer[ch[1]]]++;
			if (n == 5 && top[0] == WEFT_NONE)
				top[0] = f->peer[ch[1]];
			EXPECT(n != 5 || f->peer[ch[1]] == top[0]);
			weft_lft_walk(f, &sm.lft, f->ep[a].sw,
				      weft_routes_lid(f, &sm, a, b),
				      (struct weft_walk_path){ ch, 8 }, &n);
			if (n == 5 && top[1] == WEFT_NONE)
				top[1] = f->peer[ch[1]];
			EXPECT(n != 5 || f->peer[ch[1]] == top[1]);
		}
	}
	for (uint32_t s = 0; s < f->nsw; s++)
		EXPECT(load[s] == 0 || load[s] == f->nep / 8);
	weft_routes_free(&dm);
	weft_routes_free(&sm);
	weft_fabric_free(f);
}

/* Slowest stream of all shifts, ranks being the hosts' numbers. */
static double slowest_shift(const struct weft_fabric *f)
{
	struct weft_mapping_spec hosts = { .order = WEFT_ORDER_GIVEN };
	struct weft_model_spec spec = { .samples = 1 };
	struct weft_arena *arena = weft__arena_new();
	uint32_t *given = calloc(f->nep, sizeof(*given));
	struct weft_routes r = { 0 };
	struct weft_traffic *traffic;
	struct weft_mapping mapping;
	struct weft__pgft_form form;
	struct weft_model model;
	double slowest;

	ASSERT_EQ(weft__pgft_detect(f, arena, &form, NULL), 0);
	for (uint32_t e = 0; e < f->nep; e++)
		given[form.number[e]] = e;
	hosts.given = given;
	hosts.ngiven = f->nep;
	ASSERT_EQ(route_by("dmodk", NULL, f, &r, NULL), 0);
	ASSERT_EQ(weft_mapping_init(&mapping, f, &hosts, NULL), 0);
	ASSERT_EQ(weft_traffic_new("shift", f->nep, &traffic, NULL), 0);
	spec.mapping = &mapping;
	spec.traffic = traffic;
	ASSERT_EQ(weft_model_run(f, &r, &spec, &model, NULL), 0);
	EXPECT_EQ(model.rounds, f->nep - 1);
	slowest = model.slowest;
	weft_model_free(&model);
	weft_traffic_free(traffic);
	weft_mapping_free(&mapping);
	weft_routes_free(&r);
	weft__arena_free(arena);
	free(given);
	return slowest;
}

/* In trees of full bandwidth no shift has any congestion. */
TEST(test_shifts)
{
	static const char *const full[] = {
		"pgft:2;4,8;1,4;1,1", "pgft:2;6,5;1,3;1,2",
		"pgft:3;4,4,8;1,4,4;1,1,1", "pgft:3;4,4,4;1,4,2;1,1,2",
		"pgft:3;3,4,5;1,3,4;1,1,1,guids=shuffle,seed=5",
		"pgft:3;6,3,4;1,3,6;1,2,1,guids=shuffle,seed=6",
	};

	for (unsigned i = 0; i < sizeof(full) / sizeof(full[0]); i++) {
		struct weft_fabric *f = route_fabric(full[i], -1);
		double slowest = slowest_shift(f);

		if (slowest < 1)
			printf("\n%s: %g", full[i], slowest);
		EXPECT_EQ(slowest, 1);
		weft_fabric_free(f);
	}
}

/* --- LMC ------------------------------------------------------------------ */

/* Each needs that many LIDs; refuses below, routes from there on. */
TEST(test_lmc)
{
	static const struct {
		const char *engine, *option, *spec;
		int needed;
	} cases[] = {
		{ "dmodk", NULL, "pgft:2;4,6;1,4;1,1", 0 },
		{ "smodk", NULL, "pgft:2;4,6;1,4;1,1", 2 },
		{ "smodk", NULL, "pgft:2;4,6;1,5;1,1", 3 },
		{ "smodk", NULL, "pgft:3;3,2,4;1,3,2;1,1,2", 4 },
		{ "smodk", NULL, "pgft:2;2,2;1,9;1,1", 2 },
		{ "opt", NULL, "pgft:2;4,6;1,4;1,1", 1 },
		{ "opt", "balance=no", "pgft:2;9,6;1,9;1,1", 2 },
		{ "opt", NULL, "pgft:2;5,6;1,27;1,1", 3 },
		{ "opt", NULL, "pgft:2;4,6;1,3;1,1", 0 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int lmc = 0; lmc <= 7; lmc++) {
			struct weft_fabric *f = route_fabric(cases[i].spec, lmc);
			struct suite_words words = { 0 };
			struct weft_routes r = { 0 };
			int err = route_by(cases[i].engine, cases[i].option, f,
					&r, &words);
			char need[16];

			snprintf(need, sizeof(need), "need LMC %d",
				 cases[i].needed);
			EXPECT_EQ(err, lmc < cases[i].needed ? -ENOTSUP : 0);
			EXPECT(!err || strstr(words.text, need));
			EXPECT(err || !r.lid_offset || lmc >= cases[i].needed);
			weft_routes_free(&r);
			weft_fabric_free(f);
		}
}

/* More ways than LIDs can be had for. */
TEST(test_too_many_ways)
{
	struct weft_fabric *f = route_fabric("pgft:3;12,12,2;1,12,12;1,1,1", 0);
	struct suite_words words = { 0 };
	struct weft_routes r = { 0 };

	EXPECT_EQ(route_by("smodk", NULL, f, &r, &words), -ENOTSUP);
	EXPECT(strstr(words.text, "7 at the most"));
	weft_fabric_free(f);
}

/* --- what is no tree ------------------------------------------------------ */

/* A tree of two levels to which a test does something.  GUIDs: leaves 0x100+,
 * tops 0x200+, hosts 0x1000+. */
struct bad {
	struct weft_builder *b;
	uint32_t leaf[4], top[3];
};

static void bad_begin(struct bad *x, unsigned skip_leaf, unsigned skip_top)
{
	uint32_t lid = 1;

	x->b = weft_builder_new();
	for (unsigned i = 0; i < 4; i++)
		x->leaf[i] = weft_builder_node(x->b, WEFT_NODE_SWITCH,
					       0x100 + i, 8);
	for (unsigned i = 0; i < 3; i++)
		x->top[i] = weft_builder_node(x->b, WEFT_NODE_SWITCH,
					      0x200 + i, 8);
	for (unsigned i = 0; i < 8; i++) {
		uint32_t h = weft_builder_node(x->b, WEFT_NODE_CA, 0x1000 + i,
					       1);

		weft_builder_port(x->b, h, 1)->lid = lid++;
		weft_builder_link(x->b, h, 1, x->leaf[i / 2], 1 + i % 2,
				  (struct weft_rate){ 4, WEFT_EDR });
	}
	for (unsigned i = 0; i < 4; i++)
		for (unsigned j = 0; j < 3; j++)
			if (i != skip_leaf || j != skip_top)
				weft_builder_link(
					x->b, x->leaf[i], 3 + j, x->top[j],
					1 + i,
					(struct weft_rate){ 4, WEFT_EDR });
}

/* All engines for trees refuse it and name the switch; or none does. */
static void bad_end(struct bad *x, const char *guid)
{
	static const char *const engines[] = { "dmodk", "smodk", "opt" };
	struct weft_fabric *plain = NULL, *f = NULL;

	ASSERT_EQ(weft_builder_finish(x->b, &plain, NULL), 0);
	weft_builder_free(x->b);
	ASSERT_EQ(weft_fabric_assign_lids(plain, 3, &f, NULL), 0);
	for (unsigned i = 0; i < 3; i++) {
		struct suite_words words = { 0 };
		struct weft_routes r = { 0 };

		EXPECT_EQ(route_by(engines[i], NULL, f, &r, &words),
			  guid ? -ENOTSUP : 0);
		if (guid && !strstr(words.text, guid)) {
			printf("\nno %s in: %s", guid, words.text);
			EXPECT_NEVER("the wrong switch is named");
		}
		weft_routes_free(&r);
	}
	weft_fabric_free(f);
	weft_fabric_free(plain);
}

TEST(test_bad_forms)
{
	struct bad x;
	uint32_t h;

	bad_begin(&x, 9, 9);
	bad_end(&x, NULL);
	/* A cable is missing. */
	bad_begin(&x, 2, 1);
	bad_end(&x, "0x0000000000000102");
	/* One is too many, to the same switch. */
	bad_begin(&x, 9, 9);
	weft_builder_link(x.b, x.leaf[3], 7, x.top[2], 7,
			  (struct weft_rate){ 4, WEFT_EDR });
	bad_end(&x, "0x0000000000000103");
	/* A cable between tops; between leaves. */
	bad_begin(&x, 9, 9);
	weft_builder_link(x.b, x.top[1], 7, x.top[2], 7,
			  (struct weft_rate){ 4, WEFT_EDR });
	bad_end(&x, "0x0000000000000201");
	bad_begin(&x, 9, 9);
	weft_builder_link(x.b, x.leaf[1], 7, x.leaf[2], 7,
			  (struct weft_rate){ 4, WEFT_EDR });
	bad_end(&x, "0x0000000000000101");
	/* A host on a top switch. */
	bad_begin(&x, 9, 9);
	h = weft_builder_node(x.b, WEFT_NODE_CA, 0x2000, 1);
	weft_builder_link(x.b, h, 1, x.top[0], 7,
			  (struct weft_rate){ 4, WEFT_EDR });
	bad_end(&x, "switch 0x0000000000000200");
	/* A switch above all others, and one that hangs on a leaf. */
	bad_begin(&x, 9, 9);
	h = weft_builder_node(x.b, WEFT_NODE_SWITCH, 0x300, 8);
	weft_builder_link(x.b, h, 1, x.top[0], 7,
			  (struct weft_rate){ 4, WEFT_EDR });
	bad_end(&x, "0x0000000000000200");
	bad_begin(&x, 9, 9);
	h = weft_builder_node(x.b, WEFT_NODE_SWITCH, 0x300, 8);
	weft_builder_link(x.b, h, 1, x.leaf[2], 7,
			  (struct weft_rate){ 4, WEFT_EDR });
	bad_end(&x, "0x0000000000000102");
}

/* A host that is down does not matter, nor do adapters that are no hosts. */
TEST(test_odd_hosts)
{
	struct bad x;
	uint32_t h;

	bad_begin(&x, 9, 9);
	h = weft_builder_node(x.b, WEFT_NODE_CA, 0x2000, 1);
	weft_builder_link(x.b, h, 1, x.leaf[1], 7,
			  (struct weft_rate){ 4, WEFT_EDR });
	bad_end(&x, NULL);
	bad_begin(&x, 9, 9);
	for (unsigned i = 0; i < 3; i++) {
		h = weft_builder_node(x.b, WEFT_NODE_CA, 0x2000 + i, 1);
		weft_builder_spec(x.b, h)->aggregation = 1;
		weft_builder_link(x.b, h, 1, i ? x.top[i] : x.leaf[0], 8,
				  (struct weft_rate){ 4, WEFT_EDR });
	}
	bad_end(&x, NULL);
}

/*
 * Four levels: two trees of three levels, of two subtrees each, below four top
 * switches.  Each joins a switch of both trees; if swap is set, two of the
 * second tree's are exchanged, of which one is above the first switches of its
 * lower subtrees and the other above the second ones.
 */
static struct weft_fabric *four_levels(bool swap)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *plain = NULL, *f = NULL;
	uint32_t sw[4][8];

	for (unsigned l = 0; l < 4; l++)
		for (unsigned i = 0; i < (l < 3 ? 8 : 4); i++)
			sw[l][i] = weft_builder_node(b, WEFT_NODE_SWITCH,
						     0x100 * (l + 1) + i, 8);
	for (unsigned i = 0; i < 8; i++) {
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 0x1000 + i, 1);
		unsigned place = i % 4;

		if (swap && i > 4 && (place == 1 || place == 2))
			place = 3 - place;
		weft_builder_link(b, h, 1, sw[0][i], 8,
				  (struct weft_rate){ 4, WEFT_EDR });
		for (unsigned j = 0; j < 2; j++) {
			/* leaf i to subtree i / 2, then its switch j to both
			 * switches of place 2 * j + 0, 1 of tree i / 4 */
			weft_builder_link(b, sw[0][i], 1 + j,
					  sw[1][i / 2 * 2 + j], 1 + i % 2,
					  (struct weft_rate){ 4, WEFT_EDR });
			weft_builder_link(b, sw[1][i], 3 + j,
					  sw[2][i / 4 * 4 + i % 2 * 2 + j],
					  1 + i / 2 % 2,
					  (struct weft_rate){ 4, WEFT_EDR });
		}
		weft_builder_link(b, sw[2][i], 3, sw[3][place], 1 + i / 4,
				  (struct weft_rate){ 4, WEFT_EDR });
	}
	ASSERT_EQ(weft_builder_finish(b, &plain, NULL), 0);
	weft_builder_free(b);
	ASSERT_EQ(weft_fabric_assign_lids(plain, 0, &f, NULL), 0);
	weft_fabric_free(plain);
	return f;
}

/* Alike in degrees and subtrees, and still none. */
TEST(test_crossed_places)
{
	for (int swap = 0; swap < 2; swap++) {
		struct weft_fabric *f = four_levels(swap);
		struct suite_words words = { 0 };
		struct weft_routes r = { 0 };

		EXPECT_EQ(route_by("dmodk", NULL, f, &r, &words),
			  swap ? -ENOTSUP : 0);
		EXPECT(!swap || strstr(words.text, "0x000000000000020"));
		EXPECT(!swap || strstr(words.text, "its likes"));
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* --- random ---------------------------------------------------------------- */

/* Chi-square of how often a leaf sends to each of its top switches. */
static double chi_square(const struct weft_fabric *f,
			 const struct weft_lft *lft, uint32_t leaf)
{
	double count[256] = { 0 }, n = 0, sum = 0;
	uint32_t nports = f->adj_first[leaf + 1] - f->adj_first[leaf];

	for (uint32_t e = 0; e < f->nep; e++) {
		if (f->ep[e].sw == leaf)
			continue;
		for (unsigned i = 0; i < 1u << f->ep[e].lmc; i++, n++)
			count[weft_lft_get(lft, leaf, f->ep[e].lid + i)]++;
	}
	for (uint32_t i = f->adj_first[leaf]; i < f->adj_first[leaf + 1]; i++) {
		double off = count[f->adj[i] - f->first_channel[leaf]] -
			     n / nports;

		sum += off * off / (n / nports);
	}
	return sum;
}

/* Every cable is as likely.  16 cables, 15 degrees of freedom: 44.3 is
 * exceeded once in 10,000 times. */
TEST(test_random_uniform)
{
	struct weft_fabric *f = route_fabric("pgft:2;8,12;1,16;1,1", 4);
	double mean = 0;

	for (unsigned seed = 1; seed <= 20; seed++) {
		struct weft_routes r = { 0 };
		char option[32];

		snprintf(option, sizeof(option), "seed=%u", seed);
		ASSERT_EQ(route_by("random", option, f, &r, NULL), 0);
		for (uint32_t s = 0; s < f->nsw; s++) {
			double chi;

			if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
				continue;
			chi = chi_square(f, &r.lft, s);
			EXPECT(chi < 44.3);
			mean += chi / (20 * 12);
		}
		weft_routes_free(&r);
	}
	/* Standard deviation of this mean: sqrt(30 / 240) = 0.35. */
	EXPECT(mean > 13.6 && mean < 16.4);
	weft_fabric_free(f);
}

/* Same seed, same tables; another seed, others; and the LIDs of a destination
 * take different ways. */
TEST(test_random_seed)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,6;1,4;1,1", 3);
	struct weft_lft_diff diff;
	struct weft_routes r[3] = { 0 };
	unsigned differ = 0;

	ASSERT_EQ(route_by("random", "seed=5", f, &r[0], NULL), 0);
	ASSERT_EQ(route_by("random", "seed=5", f, &r[1], NULL), 0);
	ASSERT_EQ(route_by("random", "seed=6", f, &r[2], NULL), 0);
	weft_lft_compare(&r[0].lft, &r[1].lft, &diff);
	EXPECT_EQ(diff.entries, 0);
	weft_lft_compare(&r[0].lft, &r[2].lft, &diff);
	EXPECT(diff.switches > 0);
	for (uint32_t e = 0; e < f->nep; e++)
		for (uint32_t s = 0; s < f->nsw; s++) {
			uint8_t *lids = weft_lft_row(&r[0].lft, s) +
					f->ep[e].lid;

			differ += lids[0] != lids[1] || lids[0] != lids[5];
		}
	EXPECT(differ > f->nep);
	for (unsigned i = 0; i < 3; i++)
		weft_routes_free(&r[i]);
	weft_fabric_free(f);
}
