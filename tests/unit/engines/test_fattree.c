// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the fat-tree engines promise beyond what every engine does, on whole and
 * broken trees and on what is no tree: everyone reaches everyone, switches
 * included, and all of it, traffic between switches included, is free of credit
 * loops in one lane.  The loops are looked for by brute force.
 */
#include "../rebuild.h"
#include "../route.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { SEED = 20266 };

static const char *const engines[] = { "eftree", "beft", "sftree", "mftree",
					"vftree", "eft", NULL };

static const char *const fixtures[] = {
	"pgft:2;4,6;1,4;1,1",
	"pgft:2;4,6;1,2;1,2",
	"pgft:3;3,3,4;1,3,3;1,1,1",
	"pgft:3;4,4,4;1,4,2;1,1,2,guids=shuffle,seed=7",
	"pgft:4;2,2,2,3;1,2,2,2;1,1,1,1",
	"pgft:3;3,3,4;1,3,3;1,1,1,hosts=3:0",
	"pgft:3;3,3,4;1,3,3;1,1,1,total=5",
	"pgft:3;3,3,4;1,3,3;1,1,1,lmc=1",
	"rack216", "odin", "chic",
	"pgft:2;4,6;1,4;1,1,dual=yes", "pgft:2;5,4;1,2;1,2,dual=yes,lmc=1",
	"pgft:3;4,4,4;1,4,2;1,1,2,dual=yes,guids=shuffle,seed=7",
	"rack216,dual=yes",
	"torus:4x4,hosts=2", "hypercube:4,hosts=2", "ring:7,hosts=1",
	"chain:5,hosts=2", "star:6,hosts=3", "dragonfly:4,2,2,9",
	"random:20,5,4,seed=11", "deimos",
};
enum { NFIXTURES = sizeof(fixtures) / sizeof(fixtures[0]) };

static void complain(void *context, const struct weft_message *m)
{
	if (m->severity == WEFT_ERROR)
		printf("\n%s: %s", (const char *)context, m->text);
}

static bool arrives(const struct weft_fabric *f, const struct weft_lft *lft)
{
	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		if (weft_lid_owner(f, lid) == WEFT_NONE)
			continue;
		for (uint32_t s = 0; s < f->nsw; s++)
			if (weft_lft_walk(f, lft, s, lid,
					  (struct weft_walk_path){ 0 },
					  &(size_t){ 0 }) != WEFT_ARRIVED)
				return false;
	}
	return true;
}

/* Marks in waits[a * nch + b] that channel a waits for channel b. */
static void list_waits(const struct weft_fabric *f, const struct weft_lft *lft,
		       uint8_t *waits)
{
	uint32_t nch = f->first_injection;

	for (unsigned lid = 1; lid <= f->max_lid; lid++) {
		if (weft_lid_owner(f, lid) == WEFT_NONE)
			continue;
		for (uint32_t s = 0; s < f->nsw; s++) {
			uint32_t a = weft_channel(f, s,
					weft_lft_get(lft, s, lid));
			uint32_t t = f->peer[a];

			if (a == weft_channel(f, s, 0) || !weft_is_switch(t))
				continue;
			waits[(size_t)a * nch + weft_channel(f, t,
					weft_lft_get(lft, t, lid))] = 1;
		}
	}
}

/* Takes away who waits for nobody, again and again; is anybody left? */
static bool has_loop(const struct weft_fabric *f, const struct weft_lft *lft)
{
	uint32_t nch = f->first_injection, left = nch;
	uint8_t *waits = calloc(nch, nch), *gone = calloc(nch, 1);
	bool moved = true;

	list_waits(f, lft, waits);
	while (moved) {
		moved = false;
		for (uint32_t a = 0; a < nch; a++) {
			bool stuck = gone[a];

			for (uint32_t b = 0; b < nch && !stuck; b++)
				stuck = waits[(size_t)a * nch + b] && !gone[b];
			if (stuck)
				continue;
			gone[a] = 1;
			left--;
			moved = true;
		}
	}
	free(waits);
	free(gone);
	return left;
}

static void judge(const char *engine, const char *spec)
{
	struct weft_fabric *f = route_fabric(spec, -1);
	struct weft_diag d = { .emit = complain, .context = (void *)spec };
	struct weft_routes r = { 0 };
	bool fine;

	ASSERT_EQ(route_saying(engine, NULL, f, &r, &d), 0);
	fine = arrives(f, &r.lft) && !has_loop(f, &r.lft);
	EXPECT(fine);
	if (!fine)
		printf("\n%s on %s", engine, spec);
	EXPECT(r.layers.nvl <= 1 || !strcmp(engine, "vftree"));
	weft_routes_free(&r);
	weft_fabric_free(f);
}

TEST(test_fixtures)
{
	for (unsigned e = 0; engines[e]; e++)
		for (unsigned i = 0; i < NFIXTURES; i++)
			judge(engines[e], fixtures[i]);
}

/* Routes that converge would close a loop with those that turn in the valley. */
#define PLAIN "deimos,fail-links=3%"

TEST(test_plain)
{
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_fabric *f = route_fabric(PLAIN, -1);
	struct weft_routes r = { 0 };

	EXPECT_EQ(route_saying("beft", NULL, f, &r, &d), 0);
	EXPECT(strstr(w.text, "take these instead"));
	EXPECT(arrives(f, &r.lft) && !has_loop(f, &r.lft));
	weft_routes_free(&r);
	weft_fabric_free(f);
}

TEST(test_broken)
{
	static const char *const trees[] = {
		"pgft:2;3,6;1,4;1,1", "pgft:3;3,3,4;1,3,3;1,1,1",
		"pgft:3;2,4,4;1,2,4;1,2,1", "pgft:4;2,2,2,3;1,2,2,2;1,1,1,1",
		"rack216,hosts=6",
	};
	static const char *const faults[] = {
		"fail-links=1", "fail-links=20%", "fail-links=40%",
		"fail-switches=3",
	};
	char spec[128];
	unsigned n = 0;

	for (unsigned e = 0; engines[e]; e++)
		judge(engines[e],
		      "pgft:4;2,2,2,3;1,2,2,2;1,1,1,1,fail-links=10%,seed=28,guids=shuffle");
	for (unsigned e = 0; engines[e]; e++)
		judge(engines[e], PLAIN);
	for (unsigned e = 0; engines[e]; e++)
		for (unsigned t = 0; t < 5; t++)
			for (unsigned i = 0; i < 4; i++) {
				snprintf(spec, sizeof(spec),
					 "%s,%s,seed=%u,guids=shuffle",
					 trees[t], faults[i], ++n);
				judge(engines[e], spec);
			}
}

TEST(test_deterministic)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = route_fabric(fixtures[i], -1);
		struct weft_fabric *g = rebuild_shuffled(f, rng);

		for (unsigned e = 0; engines[e]; e++) {
			struct weft_routes a = { 0 }, b = { 0 };
			struct weft_lft_diff diff;

			EXPECT_EQ(route_by(engines[e], NULL, f, &a, NULL), 0);
			EXPECT_EQ(route_by(engines[e], NULL, g, &b, NULL), 0);
			weft_lft_compare(&a.lft, &b.lft, &diff);
			EXPECT_EQ(diff.entries, 0);
			weft_routes_free(&a);
			weft_routes_free(&b);
		}
		weft_fabric_free(g);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* The mean square of the loads of channels between switches, over the square of
 * their mean: 1 = all alike. */
static double unevenness(const char *engine, const char *spec)
{
	struct weft_proof_spec what = { .loads = true };
	struct weft_fabric *f = route_fabric(spec, -1);
	struct weft_routes r = { 0 };
	struct weft_proof p;
	double sum = 0, squares = 0;
	uint32_t n = f->adj_first[f->nsw];

	ASSERT_EQ(route_by(engine, NULL, f, &r, NULL), 0);
	ASSERT_EQ(weft_proof_run(f, &r, &what, &p, NULL), 0);
	for (uint32_t e = 0; e < n; e++) {
		double load = p.channel_load[f->adj[e]];

		sum += load;
		squares += load * load;
	}
	weft_proof_free(&p);
	weft_routes_free(&r);
	weft_fabric_free(f);
	return squares * n / (sum * sum);
}

TEST(test_balance)
{
	static const char *const sparse[] = {
		"switch648,hosts=9:9", "switch648,hosts=11:7",
		"switch648,hosts=13:5", "switch648,hosts=17:1",
		"pgft:3;6,6,6;1,6,6;1,1,1,hosts=3:3",
	};
	static const char *const full = "pgft:3;6,6,6;1,6,6;1,1,1";
	static const char *const shuffled =
		"pgft:3;6,6,6;1,6,6;1,1,1,guids=shuffle,seed=4";

	/* BEFT is better wherever leaves are not full ... */
	for (size_t i = 0; i < sizeof(sparse) / sizeof(sparse[0]); i++)
		EXPECT(unevenness("beft", sparse[i]) < unevenness("eft",
		       sparse[i]));
	/* Only what hosts send over a switch makes it a used one (1.54
	 * if not). */
	EXPECT(unevenness("eft", "rack216") < 1.3);
	/* ... and perfect where they are. */
	EXPECT(unevenness("eft", "switch648") < 1.0001);
	EXPECT(unevenness("beft", "switch648") < 1.0001);
	EXPECT_NEAR(unevenness("beft", full), unevenness("eft", full), 1e-9);
	EXPECT_NEAR(unevenness("beft", shuffled), unevenness("beft", full),
		    1e-9);
	EXPECT_NEAR(unevenness("eftree", shuffled), unevenness("beft", full),
		    1e-9);
}

/* Levels outlast damage that leaves more than one pair in a hundred without a shortest
 * way up and down: loads are hardly less even than in the whole, where an order by
 * closeness would lead all over one switch. */
TEST(test_damaged_levels)
{
	static const char *const whole[] = {
		"dragonfly+:4,6,4,2,9", "dragonfly+:8,8,8,3,16",
	};

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		char damaged[64];

		snprintf(damaged, sizeof(damaged), "%s,fail-links=2%%", whole[i]);
		EXPECT(unevenness("eftree", damaged) <
		       2 * unevenness("eftree", whole[i]));
	}
}

/* Lane of what the host of one leaf sends to one of another. */
static unsigned lane(const struct weft_fabric *f, const struct weft_routes *r,
		     uint32_t from, uint32_t to)
{
	uint32_t e = f->sw_endport[f->sw_ep_first[from]];
	uint32_t d = f->sw_endport[f->sw_ep_first[to]];

	return weft_layers_sl(&r->layers, f, WEFT_ENDPORT | e, f->ep[d].lid);
}

/* Figure 4a of the vFtree paper: three leaves with two hosts each. */
TEST(test_hot_spots)
{
	static const char *const how[] = { "algorithm=shared", "algorithm=paper" };
	struct weft_fabric *f = route_fabric("pgft:2;2,3;1,2;1,1", -1);

	for (unsigned i = 0; i < 2; i++) {
		const struct weft_engine *e = weft_engine_find("vftree");
		struct weft_routes r = { 0 };
		struct weft_options *o;

		ASSERT_EQ(weft_options_new(&o, e->options), 0);
		EXPECT_EQ(weft_options_parse(o, "lanes=3", NULL), 0);
		EXPECT_EQ(weft_options_parse(o, how[i], NULL), 0);
		ASSERT_EQ(e->route(f, o, &r, NULL), 0);
		EXPECT_EQ(r.layers.nvl, 3);
		EXPECT_EQ(lane(f, &r, 0, 1), 0);
		EXPECT_EQ(lane(f, &r, 0, 2), 1);
		EXPECT_EQ(lane(f, &r, 1, 2), 2);
		EXPECT_EQ(lane(f, &r, 1, 0), 0);
		EXPECT_EQ(lane(f, &r, 2, 0), 1);
		EXPECT_EQ(lane(f, &r, 2, 1), 2);
		weft_routes_free(&r);
		weft_options_free(o);
	}
	weft_fabric_free(f);
}

/* Figure 4b of the vFtree paper, and a 648-port tree with half of its roots:
 * destinations on a leaf that share a cable downwards have different lanes, and
 * each lane has as many. */
TEST(test_down_lanes)
{
	static const char *const specs[] = { "pgft:2;4,3;1,1;1,2",
					     "switch648,oversub=2" };

	for (unsigned k = 0; k < 2; k++) {
		struct weft_fabric *f = route_fabric(specs[k], -1);
		struct weft_routes r = { 0 };
		uint32_t has[2] = { 0 }, shared = 0;

		suite_case("%s", specs[k]);
		ASSERT_EQ(route_by("vftree", "algorithm=down", f, &r, NULL), 0);
		EXPECT_EQ(r.layers.form, WEFT_SL_DESTINATION);
		EXPECT(r.layers.one_way);
		for (uint32_t a = 0; a < f->nep; a++) {
			uint32_t s = f->ep[a].sw, from = f->nep - 1;

			has[r.layers.table[f->ep[a].lid]]++;
			if (f->ep[from].sw == s)
				from = 0;
			for (uint32_t b = 0; b < a; b++) {
				uint8_t x, y;

				if (f->ep[b].sw != s)
					continue;
				x = weft_lft_get(&r.lft, f->ep[from].sw,
						 f->ep[a].lid);
				y = weft_lft_get(&r.lft, f->ep[from].sw,
						 f->ep[b].lid);
				if (x != y)
					continue;
				shared++;
				EXPECT(r.layers.table[f->ep[a].lid] !=
				       r.layers.table[f->ep[b].lid]);
			}
		}
		EXPECT_EQ(shared, f->nep / 2);
		EXPECT_EQ(has[0], has[1]);
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
}

/* The paper's tables are those of eft, where hosts are spread unevenly, too. */
TEST(test_paper_base)
{
	struct weft_fabric *f = route_fabric("switch648,hosts=17:1", -1);
	struct weft_routes r[3] = { 0 };
	struct weft_lft_diff diff;

	ASSERT_EQ(route_by("vftree", "base=eft", f, &r[0], NULL), 0);
	ASSERT_EQ(route_by("eft", NULL, f, &r[1], NULL), 0);
	ASSERT_EQ(route_by("vftree", NULL, f, &r[2], NULL), 0);
	weft_lft_compare(&r[0].lft, &r[1].lft, &diff);
	EXPECT_EQ(diff.entries, 0);
	weft_lft_compare(&r[0].lft, &r[2].lft, &diff);
	EXPECT(diff.entries > 0);
	for (unsigned i = 0; i < 3; i++)
		weft_routes_free(&r[i]);
	weft_fabric_free(f);
}

/* Pairs of destinations that share the first cable of a leaf upwards and a
 * lane, over those that share the cable. */
static double sharing(const char *spec, const char *set)
{
	struct weft_fabric *f = route_fabric(spec, -1);
	struct weft_routes r = { 0 };
	uint64_t pairs = 0, both = 0;

	ASSERT_EQ(route_by("vftree", set, f, &r, NULL), 0);
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t from;

		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			continue;
		from = f->sw_endport[f->sw_ep_first[s]];
		for (uint32_t a = 0; a < f->nep; a++) {
			for (uint32_t b = 0; b < a; b++) {
				unsigned x = f->ep[a].lid, y = f->ep[b].lid;

				if (f->ep[a].sw == s || f->ep[b].sw == s ||
				    weft_lft_get(&r.lft, s, x) !=
				    weft_lft_get(&r.lft, s, y))
					continue;
				pairs++;
				both += weft_layers_sl(&r.layers, f,
						WEFT_ENDPORT | from, x) ==
					weft_layers_sl(&r.layers, f,
						WEFT_ENDPORT | from, y);
			}
		}
	}
	weft_routes_free(&r);
	weft_fabric_free(f);
	return (double)both / pairs;
}

TEST(test_lanes)
{
	static const char *const specs[] = {
		"pgft:2;6,12;1,6;1,1", "pgft:2;6,12;1,3;1,1",
		"pgft:3;4,4,4;1,4,4;1,1,1", "pgft:3;4,4,4;1,4,2;1,1,1",
	};

	for (unsigned i = 0; i < 4; i++) {
		double all = sharing(specs[i], "lanes=1");
		double two = sharing(specs[i], "lanes=2");
		double four = sharing(specs[i], "lanes=4");

		EXPECT_NEAR(all, 1, 0);
		EXPECT(two < 0.55);
		EXPECT(four < 0.32 && four < two);
	}
}

/* Everything on a captured fabric: no hole, and no loop in the one lane. */
static void prove(const char *engine, const struct weft_fabric *f)
{
	struct weft_proof_spec what = { .all_hosts = true, .switches = true,
		.between_switches = true, .credit_loops = true };
	struct weft_routes r = { 0 };
	struct weft_proof p;

	ASSERT_EQ(route_by(engine, NULL, f, &r, NULL), 0);
	ASSERT_EQ(weft_proof_run(f, &r, &what, &p, NULL), 0);
	EXPECT(weft_proof_holds(&p));
	EXPECT_EQ(p.cyclic_vls, 0);
	weft_proof_free(&p);
	weft_routes_free(&r);
}

TEST(test_captured)
{
	static const char *const names[] = { "mixed-fdr10", "ndr-pod",
		"selene-compute", "ufm-lab", "x5-hash-names" };
	const char *dir = getenv("WEFT_FABRICS");
	char path[512];

	if (!dir) {
		printf("no captures in $WEFT_FABRICS: skipped ");
		return;
	}
	for (unsigned i = 0; i < 5; i++) {
		struct weft_fabric *raw = NULL, *f = NULL;

		snprintf(path, sizeof(path), "%s/%s.ibnetdiscover", dir,
			 names[i]);
		if (access(path, R_OK)) {
			printf("no %s ", path);
			continue;
		}
		ASSERT_EQ(weft_io_read_fabric(path, &raw, NULL), 0);
		ASSERT_EQ(weft_fabric_assign_lids(raw, -1, &f, NULL), 0);
		prove("eftree", f);
		prove("beft", f);
		weft_fabric_free(f);
		weft_fabric_free(raw);
	}
}

/* Keeps the first explanation that has a text in it. */
struct sought {
	const char *text;
	char line[512];
};

static void seek(void *context, const char *line)
{
	struct sought *s = context;

	if (!s->line[0] && strstr(line, s->text))
		snprintf(s->line, sizeof(s->line), "%s", line);
}

/* What eftree says of a fabric with text in it, "" = nothing. */
static const char *said(const char *spec, const char *set, const char *text)
{
	static struct sought s;
	struct weft_diag d = { .explain = seek, .explain_context = &s };
	struct weft_fabric *f = route_fabric(spec, -1);
	struct weft_routes r = { 0 };

	s = (struct sought){ .text = text };
	EXPECT_EQ(route_saying("eftree", set, f, &r, &d), 0);
	weft_routes_free(&r);
	weft_fabric_free(f);
	return s.line;
}

TEST(test_levels)
{
	static const struct {
		const char *spec, *text, *starts;
	} expected[] = {
		{ "pgft:3;3,3,4;1,3,3;1,1,1", "level 2:", "level 2: 9 sw" },
		{ "pgft:3;3,3,4;1,3,3;1,1,1", "level 1:", "level 1: 12 sw" },
		{ "pgft:3;3,3,4;1,3,3;1,1,1", "level 0:",
		  "level 0: 12 switches, 36 hosts" },
		/* Leaves without hosts are leaves all the same. */
		{ "pgft:3;3,3,4;1,3,3;1,1,1,hosts=3:0", "level 0:",
		  "level 0: 12 switches, 18 hosts" },
		{ "pgft:2;4,6;1,4;1,1,hosts=4:0", "level 1:", "level 1: 4 sw" },
		{ "pgft:3;3,3,4;1,3,3;1,1,1,fail-links=8,seed=2", "level 2:",
		  "level 2: 9 sw" },
		{ "rack216", "level 0:",
		  "level 0: 18 switches, 216 hosts on 18 of them, 216 cables up, 108 cables across"
		  },
		{ "rack216", "rack of", "" },
		{ "rack216", "racks of",
		  "9 racks of 2 switches, joined by 12 cables, with 24 hosts and 24 cables up, as that of 0x"
		  },
		{ "juropa", "tree 2",
		  "tree 2 of 2, which cables across alone join to the others: 432 switches, 2,592 hosts, as 0x"
		  },
		{ "rack216,fail-links=5,seed=1", "(leaf-10)", "0x" },
		{ "rack216,fail-links=5,seed=1", "1; 17 cables up, most",
		  "0x025745460000" },
		{ "rack216,fail-links=5,seed=1", "rack of",
		  "1 rack of 2 switches, joined by 11 cables" },
		{ "pgft:3;3,3,4;1,3,3;1,1,1", "root 0x", "root 0x" },
		{ "pgft:3;3,3,4;1,3,3;1,1,1", "more root", "and 1 more root" },
		{ "pgft:3;3,3,4;1,3,3;1,1,1", "most have", "" },
		{ "switch648,fail-links=20%,seed=1", "no number",
		  "switches on level 1 have " },
		{ "torus:4x4,hosts=2", "no tree", "no tree" },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const char *starts = expected[i].starts;
		const char *line = said(expected[i].spec, "relief=0",
					expected[i].text);

		if (starts[0] ? strncmp(line, starts, strlen(starts)) :
		    line[0]) {
			printf("\n%s: '%s'", expected[i].spec, line);
			EXPECT_NEVER("another level");
		}
	}
}

/* Hosts where they do not belong change no level. */
TEST(test_hosts_above)
{
	static const char *const prefixes[] = { "spine", "mid", "root", "top",
						"sw" };
	unsigned tried = 0;

	for (unsigned i = 0; i < 5; i++) {
		struct sought s = { .text = "level 0:" };
		struct weft_diag d = { .explain = seek, .explain_context = &s };
		struct weft_fabric *f = route_with_hosts(
			"pgft:3;3,3,4;1,3,3;1,1,1", prefixes[i], 3);
		struct weft_routes r = { 0 };

		EXPECT_EQ(route_saying("eftree", NULL, f, &r, &d), 0);
		if (strncmp(s.line, "level 0: 12 switches, 36 ", 25)) {
			printf("\n%s: '%s'", prefixes[i], s.line);
			EXPECT_NEVER("another level");
		}
		EXPECT(arrives(f, &r.lft) && !has_loop(f, &r.lft));
		tried += f->nhosts > 36;
		weft_routes_free(&r);
		weft_fabric_free(f);
	}
	EXPECT(tried > 0);
}

/* Ranks say the same as words: 0 are roots, the highest leaves. */
static void test_ranks(const struct weft_fabric *f)
{
	struct weft_routes words = { 0 }, ranks = { 0 };
	struct weft_lft_diff diff;

	EXPECT_EQ(route_by("eftree", "roles=leaf-000=root+leaf-001=leaf", f,
		  &words, NULL), 0);
	EXPECT_EQ(route_by("eftree", "roles=leaf-000=0+leaf-001=2", f, &ranks,
		  NULL), 0);
	weft_lft_compare(&words.lft, &ranks.lft, &diff);
	EXPECT_EQ(diff.entries, 0);
	weft_routes_free(&ranks);
	EXPECT_EQ(route_by("eftree", "roles=spine-00=0+leaf-001=2", f, &ranks,
		  NULL), 0);
	weft_lft_compare(&words.lft, &ranks.lft, &diff);
	EXPECT(diff.entries > 0);
	weft_routes_free(&words);
	weft_routes_free(&ranks);
}

TEST(test_roles)
{
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_fabric *f = route_fabric("pgft:2;4,6;1,4;1,1", -1);
	struct weft_routes r = { 0 };

	EXPECT_EQ(route_saying("eftree", "roles=0x1=root+spine-00=root", f, &r,
		  &d), 0);
	EXPECT(strstr(w.text, "0x0000000000000001"));
	weft_routes_free(&r);
	EXPECT_EQ(route_saying("eftree", "roles=0x1=root", f, &r, &d), -EINVAL);
	test_ranks(f);
	EXPECT_EQ(route_saying("eftree", "roots=spine", f, &r, &d), -EINVAL);
	EXPECT_EQ(route_saying("eftree", "roles=0x1=stem", f, &r, &d), -EINVAL);
	EXPECT_EQ(route_saying("eftree", "keep-off=x", f, &r, &d), -EINVAL);
	EXPECT(!r.lft.port);
	weft_fabric_free(f);
}
