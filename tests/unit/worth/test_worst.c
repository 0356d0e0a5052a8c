// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * WORST against every permutation there is, and its witness against the tables;
 * Table I of Nienaber, Mahapatra and Yuan.
 */
#include "../route.h"

#include "worth/model/matching.h"

#include <stdlib.h>

enum { SEED = 4711, MAX_HOSTS = 8 };

static const enum weft_lid_rule rules[] = {
	WEFT_LID_ROUTES, WEFT_LID_FIRST, WEFT_LID_RANDOM, WEFT_LID_ROUND_ROBIN,
};

/* --- every permutation -------------------------------------------------- */

/* Who may use which channel: walked pair by pair. */
struct brute {
	const struct weft_fabric *f;
	uint32_t n;
	uint32_t host[MAX_HOSTS];
	bool *uses;		/* [n][n][nch] */
	uint32_t *count, *most;	/* [nch] */
	uint32_t to[MAX_HOSTS];
};

static bool lid_in_use(const struct weft_endport *to, unsigned lid,
		       const struct weft_routes *r, enum weft_lid_rule rule,
		       uint32_t from)
{
	if (rule == WEFT_LID_FIRST ||
	    (rule == WEFT_LID_ROUTES && !r->lid_offset))
		return lid == to->lid;
	if (rule == WEFT_LID_ROUTES)
		return lid - to->lid ==
		       r->lid_offset[from] % (1u << to->lmc);
	return true;
}

static void brute_pair(struct brute *b, const struct weft_routes *r,
		       enum weft_lid_rule rule, uint32_t s, uint32_t d)
{
	const struct weft_endport *to = &b->f->ep[b->host[d]];
	uint32_t channels[256];
	size_t n;

	for (unsigned i = 0; i < 1u << to->lmc; i++) {
		unsigned lid = to->lid + i;

		if (!lid_in_use(to, lid, r, rule, b->host[s]) ||
		    weft_lft_walk(b->f, &r->lft, b->f->ep[b->host[s]].sw, lid,
				  (struct weft_walk_path){ channels, 256 },
				  &n) != WEFT_ARRIVED)
			continue;
		while (n--)
			if (weft_is_switch(b->f->peer[channels[n]]))
				b->uses[(s * b->n + d) * b->f->nch +
					channels[n]] = true;
	}
}

/* Tries every receiver for host s and those after it. */
static void permute(struct brute *b, uint32_t s)
{
	const struct weft_fabric *f = b->f;

	if (s == b->n) {
		for (uint32_t ch = 0; ch < f->nch; ch++)
			if (b->count[ch] > b->most[ch])
				b->most[ch] = b->count[ch];
		return;
	}
	for (uint32_t i = s; i < b->n; i++) {
		uint32_t d = b->to[i];
		const bool *uses = b->uses + (s * b->n + d) * f->nch;

		b->to[i] = b->to[s];
		b->to[s] = d;
		for (uint32_t ch = 0; ch < f->nch && s != d; ch++)
			b->count[ch] += uses[ch];
		permute(b, s + 1);
		for (uint32_t ch = 0; ch < f->nch && s != d; ch++)
			b->count[ch] -= uses[ch];
		b->to[s] = b->to[i];
		b->to[i] = d;
	}
}

static void check_witness(const struct weft_fabric *f,
			  const struct weft_routes *r, enum weft_lid_rule rule,
			  const struct weft_worst *w)
{
	bool *sends = calloc(f->nep + 1, 1), *receives = calloc(f->nep + 1, 1);

	for (uint32_t i = 0; i < w->load; i++) {
		const struct weft_worst_stream *s = &w->stream[i];
		uint32_t channels[256];
		bool over = false;
		size_t n;

		EXPECT(s->from != s->to);
		EXPECT(!sends[s->from] && !receives[s->to]);
		sends[s->from] = receives[s->to] = true;
		ASSERT_EQ(weft_lid_owner(f, s->lid), s->to | WEFT_ENDPORT);
		EXPECT(lid_in_use(&f->ep[s->to], s->lid, r, rule, s->from));
		EXPECT_EQ(weft_lft_walk(f, &r->lft, f->ep[s->from].sw, s->lid,
			  (struct weft_walk_path){ channels, 256 }, &n),
			  WEFT_ARRIVED);
		while (n--)
			over |= channels[n] == w->channel;
		EXPECT(over);
	}
	free(sends);
	free(receives);
}

static void compare(const struct weft_fabric *f, const struct weft_routes *r,
		    enum weft_lid_rule rule)
{
	struct brute b = { .f = f };
	struct weft_worst_spec spec = { .lids = rule, .links = true };
	struct weft_worst w, quick;
	uint32_t most = 0;

	for (uint32_t e = 0; e < f->nep; e++)
		if (f->ep[e].kind == WEFT_HOST)
			b.host[b.n++] = e;
	ASSERT(b.n <= MAX_HOSTS);
	b.uses = calloc((size_t)b.n * b.n * f->nch, sizeof(*b.uses));
	b.count = calloc(f->nch, sizeof(*b.count));
	b.most = calloc(f->nch, sizeof(*b.most));
	for (uint32_t s = 0; s < b.n; s++) {
		b.to[s] = s;
		for (uint32_t d = 0; d < b.n; d++)
			if (s != d)
				brute_pair(&b, r, rule, s, d);
	}
	permute(&b, 0);
	ASSERT_EQ(weft_worst_run(f, r, &spec, &w, NULL), 0);
	EXPECT_EQ(w.hosts, b.n);
	for (uint32_t ch = 0; ch < f->first_injection; ch++) {
		EXPECT_EQ(w.link[ch], b.most[ch]);
		if (b.most[ch] > most)
			most = b.most[ch];
	}
	EXPECT_EQ(w.load, most);
	check_witness(f, r, rule, &w);
	spec.links = false;
	ASSERT_EQ(weft_worst_run(f, r, &spec, &quick, NULL), 0);
	EXPECT_EQ(quick.load, most);
	check_witness(f, r, rule, &quick);
	weft_worst_free(&quick);
	weft_worst_free(&w);
	free(b.uses);
	free(b.count);
	free(b.most);
}

TEST(test_every_permutation)
{
	static const char *const specs[] = {
		"pgft:2;2,3;1,2;1,1", "pgft:2;3,2;1,1;1,2", "ring:6,hosts=1",
		"random:4,3,2,seed=5", "mesh:3x2,hosts=1", "chain:3,hosts=2",
		"random:6,4,1,seed=3", "star:3,hosts=2",
	};
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned k = 0; k < 4; k++) {
			struct weft_fabric *f = route_fabric(specs[i], k % 3);
			struct weft_routes r = { 0 };

			ASSERT_EQ(route_by("random", k & 1 ? "seed=2" : NULL, f,
				  &r, NULL), 0);
			r.lid_offset = k ? calloc(f->nep + 1, 1) : NULL;
			for (uint32_t e = 0; e < f->nep && k; e++)
				r.lid_offset[e] = weft_rng_below(rng, 8);
			/* The last round: tables with holes. */
			for (unsigned n = 0; n < 20 && k == 3; n++)
				weft_lft_row(&r.lft,
					weft_rng_below(rng, f->nsw))
					[weft_rng_below(rng, f->max_lid + 1)] =
					weft_rng_below(rng, 6);
			for (unsigned j = 0; j < 4; j++)
				compare(f, &r, rules[j]);
			weft_routes_free(&r);
			weft_fabric_free(f);
		}
	weft_rng_free(rng);
}

/* --- matchings ---------------------------------------------------------- */

enum { GROUPS = 6, DESTS = 14, SOURCES = GROUPS * 3 };

/* Looks for a chain from destination d, source by source (Kuhn). */
static bool chain(bool edge[DESTS][SOURCES], int *dest_of, bool *seen, int d)
{
	for (int s = 0; s < SOURCES; s++) {
		if (!edge[d][s] || seen[s])
			continue;
		seen[s] = true;
		if (dest_of[s] < 0 || chain(edge, dest_of, seen, dest_of[s])) {
			dest_of[s] = d;
			return true;
		}
	}
	return false;
}

TEST(test_matchings)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < 3000; i++) {
		bool edge[DESTS][SOURCES] = { { false } };
		uint32_t size[GROUPS], used[GROUPS] = { 0 }, found, n = 0;
		struct weft__reach reach[DESTS * GROUPS];
		struct weft__matching m;
		int dest_of[SOURCES];
		unsigned matched = 0;

		memset(dest_of, 0xff, sizeof(dest_of));
		for (unsigned g = 0; g < GROUPS; g++)
			size[g] = 1 + weft_rng_below(rng, 3);
		for (unsigned k = 0; k < DESTS * GROUPS; k++) {
			unsigned d = k / GROUPS, g = k % GROUPS;

			if (weft_rng_below(rng, 5))
				continue;
			reach[n++] = (struct weft__reach){ d, g };
			for (unsigned j = 0; j < size[g]; j++)
				edge[d][g * 3 + j] = true;
		}
		for (int d = 0; d < DESTS; d++) {
			bool seen[SOURCES] = { false };

			matched += chain(edge, dest_of, seen, d);
		}
		ASSERT_EQ(weft__matching_init(&m, GROUPS, size, DESTS), 0);
		found = weft__matching_run(&m, reach, n, UINT32_MAX);
		EXPECT_EQ(found, matched);
		for (unsigned k = 0; k < m.ndest; k++) {
			if (m.group[k] == WEFT_NONE)
				continue;
			EXPECT(edge[m.dest[k]][m.group[k] * 3]);
			EXPECT(++used[m.group[k]] <= size[m.group[k]]);
			found--;
		}
		EXPECT_EQ(found, 0);
		weft__matching_free(&m);
	}
	weft_rng_free(rng);
}

/* --- the paper ---------------------------------------------------------- */

static uint32_t worst_of(const char *engine, const char *option,
			 const struct weft_fabric *f, bool links)
{
	struct weft_worst_spec spec = { .links = links };
	struct weft_routes r = { 0 };
	struct weft_worst w;
	uint32_t load;

	ASSERT_EQ(route_by(engine, option, f, &r, NULL), 0);
	ASSERT_EQ(weft_worst_run(f, &r, &spec, &w, NULL), 0);
	check_witness(f, &r, spec.lids, &w);
	load = w.load;
	weft_worst_free(&w);
	weft_routes_free(&r);
	return load;
}

TEST(test_table_1)
{
	/* n, m, r, OPT, D-mod-k as printed (but for T(12+16,28)). */
	static const uint32_t rows[][5] = {
		{ 9, 9, 18, 3, 9 }, { 16, 16, 32, 4, 16 },
		{ 25, 25, 50, 5, 25 }, { 12, 12, 24, 4, 12 },
		{ 24, 24, 48, 6, 24 }, { 12, 4, 16, 6, 12 },
		{ 24, 9, 33, 8, 24 }, { 24, 16, 40, 6, 24 },
		{ 16, 8, 24, 8, 16 }, { 24, 8, 32, 12, 24 },
		{ 8, 16, 24, 2, 8 }, { 12, 16, 28, 3, 12 },
		{ 10, 25, 35, 2, 10 }, { 8, 24, 32, 2, 8 },
		{ 16, 32, 48, 4, 16 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const uint32_t *t = rows[i];
		struct weft_fabric *f;
		char spec[64];

		snprintf(spec, sizeof(spec), "pgft:2;%u,%u;1,%u;1,1", t[0],
			 t[2], t[1]);
		f = route_fabric(spec, 3);
		EXPECT_EQ(worst_of("opt", "balance=no", f, false), t[3]);
		EXPECT_EQ(worst_of("opt", "balance=yes", f, true), t[3]);
		EXPECT_EQ(worst_of("dmodk", NULL, f, false), t[4]);
		weft_fabric_free(f);
	}
}

/* The bound of the balanced form for every small m and n. */
TEST(test_bound)
{
	for (uint32_t n = 1; n <= 9; n++)
		for (uint32_t m = 1; m <= 12; m++) {
			struct weft_fabric *f;
			uint32_t k = 1;
			char spec[64];

			while ((k + 1) * (k + 1) <= m)
				k++;
			snprintf(spec, sizeof(spec),
				 "pgft:2;%u,4;1,%u;1,1,guids=shuffle,seed=%u",
				 n, m, n + m);
			f = route_fabric(spec, 4);
			EXPECT(worst_of("opt", "balance=yes", f, false) <= (n +
			       k - 1) / k);
			EXPECT(worst_of("opt", "balance=no", f, false) <= (n + k
			       - 1) / k);
			weft_fabric_free(f);
		}
}

/* Keeps what opt explains by theorem 1: the bound, 0 if none. */
static void hear_theorem(void *context, const char *line)
{
	const char *at = strstr(line, "permutation puts ");

	if (!strncmp(line, "theorem 1: ", 11) && at)
		*(unsigned *)context = strtoul(at + 17, NULL, 10);
}

static unsigned told(const struct weft_fabric *f)
{
	unsigned bound = 0;
	struct weft_diag d = {
		.explain = hear_theorem, .explain_context = &bound,
	};
	struct weft_routes r = { 0 };

	ASSERT_EQ(route_saying("opt", NULL, f, &r, &d), 0);
	weft_routes_free(&r);
	return bound;
}

/* Theorem 1: the bound that opt tells, which no routes are below, of any engine
 * with one route for each pair. */
TEST(test_theorem_1)
{
	static const struct { const char *spec; unsigned bound; } tree[] = {
		{ "gft:4+4,6", 2 }, { "gft:9+9,18", 3 }, { "gft:6+4,8", 3 },
		{ "gft:12+12,24", 3 }, { "gft:8+16,24", 2 },
		{ "gft:8+1,9", 8 }, { "gft:8+24,32", 1 },
		{ "gft:4+4,3", 0 },		/* r < n */
		{ "gft:2+4,8", 0 },		/* m >= n^2 */
		{ "gft:4+6,4", 0 },		/* (r - 1) n <= 2 m */
		{ "pgft:2;4,6;1,2;1,2", 0 },	/* parallel cables */
	};
	static const char *const engines[] = {
		"opt", "dmodk", "smodk", "random", "psssp", "minhop", "weave",
	};

	for (unsigned i = 0; i < sizeof(tree) / sizeof(*tree); i++) {
		struct weft_fabric *f = route_fabric(tree[i].spec, 5);

		EXPECT_EQ(told(f), tree[i].bound);
		for (unsigned e = 0; e < 7 && f->nep < 250; e++)
			EXPECT(worst_of(engines[e], NULL, f, false) >=
			       tree[i].bound);
		weft_fabric_free(f);
	}
}
