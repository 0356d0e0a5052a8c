// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Files of tables that stand: what is written is read, byte for byte and entry
 * for entry, and what is not whole is refused.
 */
#include "../route.h"
#include "stored_util.h"

#include "diff/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SMALL "pgft:2;2,2;1,2;1,1"

static const struct {
	const char *spec, *engine, *option;
	int lmc;
} families[] = {
	{ SMALL, "eftree", NULL, -1 },
	{ "pgft:3;3,4,4;1,3,3;1,1,1", "weave", "lanes=1", -1 },
	{ "pgft:2;6,6;1,4;1,1", "opt", NULL, 2 },
	{ "torus:4x4,hosts=2", "weave", "lanes=8", -1 },
	{ "dragonfly:4,2,2,9", "weave", "lanes=8", -1 },
	{ "random:20,5,3", "weave", "lanes=4", 1 },
	{ "ring:7,hosts=2", "lash", NULL, -1 },
	{ "ring:5,hosts=0", "minhop", NULL, -1 },
};
#define NFAMILIES (sizeof(families) / sizeof(*families))

/* --- what stands ------------------------------------------------------- */

/* Tables of a family; false: the engine is not there, or refuses. */
static bool make_home(unsigned i, struct weft_stored *s)
{
	*s = (struct weft_stored){ .told = 0x123456789abcdef0 + i };
	if (!weft_engine_find(families[i].engine))
		return false;
	s->engine = strdup(families[i].engine);
	s->options = families[i].option ? strdup(families[i].option) : NULL;
	s->now.fabric = route_fabric(families[i].spec, families[i].lmc);
	s->now.since = 1764000000 + i;
	if (!route_by(families[i].engine, families[i].option, s->now.fabric,
		      &s->now.routes, NULL))
		return true;
	weft_stored_free(s);
	return false;
}

/* Has a switch's cable go, and the tables stand. */
static void go_away(struct weft_stored *s)
{
	struct weft_standing_spec spec = { .changes = WEFT_STANDING_CHANGES,
					   .lanes = 8 };
	struct weft_standing what;
	const struct weft_fabric *f = s->now.fabric;
	uint32_t gone[2] = { f->adj[0], f->first_injection };

	s->debt = (struct weft_stored_debt){ 1764000090, .479, .4866, 12, 4 };
	s->owed = 7;
	s->flap = calloc(1, sizeof(*s->flap));
	ASSERT(s->flap);
	s->flap[0] = (struct weft_stored_flap){
		{ f->sw[0].guid, UINT64_MAX }, { 1, 255 }, 3, false, true,
		1764000060,
	};
	s->nflaps = 1;
	s->home = s->now;
	s->now = (struct weft_stored_tables){ .since = s->home.since + 60 };
	ASSERT_EQ(weft_fabric_without(s->home.fabric, gone, 1 + (f->nep > 0),
		  &s->now.fabric, NULL), 0);
	spec.standing = (struct weft_diff_side){ s->home.fabric,
						 &s->home.routes };
	ASSERT_EQ(weft_standing_run(s->now.fabric, &spec, &s->now.routes, &what,
		  NULL), 0);
}

/* --- the same ---------------------------------------------------------- */

static bool same_names(const struct weft_fabric *a, const struct weft_fabric *b)
{
	for (uint32_t s = 0; s < a->nsw; s++)
		if (strcmp(a->sw[s].name, b->sw[s].name) ||
		    a->sw[s].system_guid != b->sw[s].system_guid ||
		    a->sw[s].role != b->sw[s].role ||
		    a->sw[s].lmc != b->sw[s].lmc)
			return false;
	for (uint32_t n = 0; n < a->nnodes; n++)
		if (strcmp(a->node[n].name, b->node[n].name) ||
		    a->node[n].kind != b->node[n].kind ||
		    a->node[n].nports != b->node[n].nports)
			return false;
	return true;
}

static void expect_same_fabric(const struct weft_fabric *a,
			       const struct weft_fabric *b)
{
	struct weft__match m;

	ASSERT_EQ(weft__match_make(&m, a, b), 0);
	EXPECT(m.equal);
	weft__match_free(&m);
	EXPECT_EQ(weft_fabric_check(b, NULL), 0);
	ASSERT_EQ(a->nch, b->nch);
	ASSERT_EQ(a->nnodes, b->nnodes);
	EXPECT_EQ(a->nhosts, b->nhosts);
	EXPECT_EQ(a->nlinks, b->nlinks);
	EXPECT(same_names(a, b));
	EXPECT(!memcmp(a->capacity, b->capacity, a->nch * 4));
	EXPECT(!memcmp(a->width, b->width, a->nch));
	EXPECT(!memcmp(a->speed, b->speed, a->nch));
	EXPECT(!memcmp(a->ep, b->ep, a->nep * sizeof(*a->ep)));
	ASSERT_EQ(!a->vls, !b->vls);
	EXPECT(!a->vls || !memcmp(a->vls, b->vls, a->nch));
}

static void expect_same_tables(const struct weft_stored_tables *a,
			       const struct weft_stored_tables *b)
{
	const struct weft_layers *x = &a->routes.layers, *y = &b->routes.layers;
	struct weft_lft_diff d;

	EXPECT_EQ(a->since, b->since);
	expect_same_fabric(a->fabric, b->fabric);
	weft_lft_compare(&a->routes.lft, &b->routes.lft, &d);
	EXPECT_EQ(d.entries, 0);
	EXPECT_EQ(a->routes.lft.max_lid, b->routes.lft.max_lid);
	EXPECT_STR(a->routes.how, b->routes.how);
	EXPECT_EQ(!a->routes.lid_offset, !b->routes.lid_offset);
	EXPECT(!a->routes.lid_offset || !memcmp(a->routes.lid_offset,
	       b->routes.lid_offset, a->fabric->nep));
	EXPECT_EQ(x->nvl, y->nvl);
	EXPECT_EQ(x->one_way, y->one_way);
	for (uint32_t e = 0; e < a->fabric->nep; e++)
		for (unsigned lid = 1; lid <= a->fabric->max_lid; lid++)
			if (weft_layers_sl(x, a->fabric, e | WEFT_ENDPORT, lid)
			    != weft_layers_sl(y, b->fabric, e | WEFT_ENDPORT,
					      lid))
				EXPECT_NEVER("a service level");
}

static void expect_same_state(const struct weft_stored *a,
			      const struct weft_stored *b)
{
	EXPECT_EQ(a->debt.since, b->debt.since);
	EXPECT_NEAR(a->debt.worth, b->debt.worth, 1e-6);
	EXPECT_NEAR(a->debt.anew, b->debt.anew, 1e-6);
	EXPECT_EQ(a->debt.entries, b->debt.entries);
	EXPECT_EQ(a->debt.blocks, b->debt.blocks);
	EXPECT_EQ(a->owed, b->owed);
	ASSERT_EQ(a->nflaps, b->nflaps);
	for (uint32_t i = 0; i < a->nflaps; i++) {
		const struct weft_stored_flap *x = &a->flap[i];
		const struct weft_stored_flap *y = &b->flap[i];

		for (unsigned end = 0; end < 2; end++) {
			EXPECT_EQ(x->guid[end], y->guid[end]);
			EXPECT_EQ(x->port[end], y->port[end]);
		}
		EXPECT_EQ(x->times, y->times);
		EXPECT_EQ(x->there, y->there);
		EXPECT_EQ(x->out, y->out);
		EXPECT_EQ(x->since, y->since);
	}
}

/* --- files ------------------------------------------------------------- */

static uint8_t *written(const struct weft_stored *s, size_t *size)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, size);

	ASSERT(out);
	ASSERT_EQ(weft_stored_write(out, s, NULL), 0);
	fclose(out);
	return (uint8_t *)bytes;
}

/* Reads bytes; words keeps what was said. */
static int reading(const uint8_t *bytes, size_t size, struct weft_stored *out,
		   struct suite_words *words)
{
	struct weft__source source = weft__source_text("weft-standing",
						       (const char *)bytes,
						       size);
	struct weft_diag d = { .emit = suite_hear, .context = words };
	int err = weft__stored_parse(&source, out, &d);

	EXPECT_EQ(!err, !d.count[WEFT_ERROR]);
	EXPECT(d.count[WEFT_ERROR] <= 1);
	EXPECT(!err || !strcmp(words->file, "weft-standing"));
	return err;
}

static void expect_round(const struct weft_stored *s)
{
	struct suite_words words;
	struct weft_stored again;
	size_t size, size2;
	uint8_t *bytes = written(s, &size), *bytes2;

	ASSERT_EQ(reading(bytes, size, &again, &words), 0);
	EXPECT_STR(again.engine, s->engine);
	EXPECT_STR(again.options, s->options ? s->options : "");
	EXPECT_EQ(again.told, s->told);
	expect_same_state(s, &again);
	expect_same_tables(&s->now, &again.now);
	ASSERT_EQ(!s->home.fabric, !again.home.fabric);
	if (s->home.fabric)
		expect_same_tables(&s->home, &again.home);
	ASSERT_EQ(!s->were, !again.were);
	if (s->were)
		expect_same_fabric(s->were, again.were);
	bytes2 = written(&again, &size2);
	ASSERT_EQ(size, size2);
	EXPECT(!memcmp(bytes, bytes2, size));
	free(bytes);
	free(bytes2);
	weft_stored_free(&again);
}

/* --- tests ------------------------------------------------------------- */

TEST(test_rounds)
{
	unsigned tried = 0;

	for (unsigned i = 0; i < NFAMILIES; i++) {
		struct weft_stored s;
		size_t home, both;

		if (!make_home(i, &s))
			continue;
		tried++;
		expect_round(&s);
		free(written(&s, &home));
		if (s.now.fabric->nep) {
			go_away(&s);
			expect_round(&s);
			/* tables of home are there once */
			free(written(&s, &both));
			EXPECT(both < 2 * home);
			/* entries wait */
			ASSERT_EQ(weft_fabric_without(s.home.fabric,
						      s.home.fabric->adj, 1,
						      &s.were, NULL), 0);
			expect_round(&s);
		}
		weft_stored_free(&s);
	}
	EXPECT(tried >= 4);
}

/* A cable and a host are missing, and known to be. */
TEST(test_away)
{
	for (unsigned i = 0; i < NFAMILIES; i++) {
		struct weft_stored s;
		struct weft_diff_side home, now;
		struct weft_away a;
		uint64_t entries = 0;

		if (!make_home(i, &s))
			continue;
		if (s.now.fabric->nep)
			go_away(&s);
		now = (struct weft_diff_side){ s.now.fabric, &s.now.routes };
		ASSERT_EQ(weft_away_find(&now, &now, &a), 0);
		EXPECT(a.entries > 0);
		EXPECT_EQ(a.away + a.missing + a.nparts, 0);
		weft_away_free(&a);
		home = (struct weft_diff_side){ s.home.fabric, &s.home.routes };
		if (!home.fabric) {
			weft_stored_free(&s);
			continue;
		}
		ASSERT_EQ(weft_away_find(&now, &home, &a), 0);
		ASSERT_EQ(a.nparts, 2);
		EXPECT_EQ(a.part[0].channel, home.fabric->adj[0]);
		EXPECT_EQ(a.part[0].vertex, WEFT_NONE);
		EXPECT_EQ(a.part[1].vertex, WEFT_ENDPORT);
		EXPECT(!a.part[1].moved);
		for (uint32_t k = 0; k < a.nparts; k++)
			entries += a.part[k].entries;
		EXPECT_EQ(entries, a.missing);
		EXPECT(a.missing > 0 && a.missing <= a.away);
		EXPECT_EQ(a.switches + a.cables + a.endports, 0);
		weft_away_free(&a);
		/* the other way round they are new */
		ASSERT_EQ(weft_away_find(&home, &now, &a), 0);
		EXPECT_EQ(a.nparts + a.missing + a.switches, 0);
		EXPECT_EQ(a.cables, 1);
		EXPECT_EQ(a.endports, 1);
		weft_away_free(&a);
		weft_stored_free(&s);
	}
}

/* What a fabric may have beside nodes and cables. */
TEST(test_facts)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_router_entry entry = { 0x30, 0xfe80000000000001, true };
	struct weft_stored s = { .engine = strdup("null"), .told = 1 };
	uint32_t sw, other, router, unit;
	struct weft_port_spec *p;

	sw = weft_builder_node(b, WEFT_NODE_SWITCH, 0x10, 8);
	other = weft_builder_node(b, WEFT_NODE_SWITCH, 0x20, 4);
	router = weft_builder_node(b, WEFT_NODE_ROUTER, 0x30, 2);
	unit = weft_builder_node(b, WEFT_NODE_CA, 0x40, 1);
	weft_builder_node(b, WEFT_NODE_CA, 0x50, 1);
	weft_builder_spec(b, unit)->aggregation = 1;
	weft_builder_spec(b, sw)->system_guid = 0x11;
	weft_builder_spec(b, sw)->role = WEFT_ROLE_LEAF;
	weft_builder_spec(b, sw)->vendor = 0x2c9;
	weft_builder_name(b, sw, "S\nwith \xff", 8);
	p = weft_builder_port(b, sw, 0);
	*p = (struct weft_port_spec){ .guid = 0x12, .lid = 4, .lmc = 1,
				      .peer = WEFT_NONE };
	weft_builder_port(b, router, 1)->weight = 77;
	weft_builder_port(b, router, 1)->lid = 9;
	weft_builder_port(b, sw, 1)->vls = 4;
	weft_builder_link(b, sw, 1, other, 2, (struct weft_rate){ 4, WEFT_HDR });
	weft_builder_link(b, sw, 2, sw, 3, (struct weft_rate){ 1, WEFT_SDR });
	weft_builder_link(b, sw, 4, router, 1, (struct weft_rate){ 0, 0 });
	weft_builder_link(b, other, 1, router, 2,
			  (struct weft_rate){ 12, WEFT_NDR });
	weft_builder_link(b, other, 3, unit, 1,
			  (struct weft_rate){ 2, WEFT_EDR });
	weft_builder_prefix(b, 0xfe80000000000000);
	weft_builder_router_entry(b, &entry);
	ASSERT_EQ(weft_builder_finish(b, &s.now.fabric, NULL), 0);
	weft_builder_free(b);
	ASSERT_EQ(weft_lft_init(&s.now.routes.lft, 2, 20), 0);
	weft_layers_init(&s.now.routes.layers);
	expect_round(&s);
	weft_stored_free(&s);
}

TEST(test_misfits)
{
	struct suite_words words;
	struct weft_diag d = { .emit = suite_hear, .context = &words };
	struct weft_stored s;
	size_t size;
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, &size);

	ASSERT(make_home(0, &s));
	weft_lft_row(&s.now.routes.lft, 0)[2] = 200;
	EXPECT_EQ(weft_stored_write(out, &s, &d), -EINVAL);
	EXPECT(strstr(words.text, "a port that is not there"));
	s.now.routes.lft.nsw--;
	EXPECT_EQ(weft_stored_write(out, &s, &d), -EINVAL);
	s.now.routes.lft.nsw++;
	weft_lft_row(&s.now.routes.lft, 0)[2] = 0;
	s.now.routes.layers.sl = 16;
	EXPECT_EQ(weft_stored_write(out, &s, &d), -EINVAL);
	fclose(out);
	EXPECT_EQ(size, 0);
	free(bytes);
	weft_stored_free(&s);
}

static void expect_said(const uint8_t *bytes, size_t size, const char *text)
{
	struct suite_words words;
	struct weft_stored s;

	EXPECT_EQ(reading(bytes, size, &s, &words), -EINVAL);
	if (!strstr(words.text, text))
		printf("\n'%s' instead of '%s'\n", words.text, text);
	EXPECT(strstr(words.text, text));
}

/* Of a file whose last bytes are not what was written all is known but those. */
static void expect_late_gone(const uint8_t *bytes, size_t size)
{
	struct suite_words words;
	struct weft_stored got;

	ASSERT_EQ(reading(bytes, size, &got, &words), 0);
	EXPECT_EQ(got.debt.since, 0);
	EXPECT_EQ(got.owed, 0);
	EXPECT_EQ(got.nflaps, 1);
	weft_stored_free(&got);
}

/* A file that is cut off anywhere, or has another byte anywhere. */
TEST(test_damage)
{
	struct suite_words words;
	struct weft_stored s, got;
	uint8_t *bytes;
	size_t size;

	ASSERT(make_home(0, &s));
	go_away(&s);
	bytes = written(&s, &size);
	for (size_t n = 0; n < size; n++)
		EXPECT_EQ(reading(bytes, n, &got, &words), -EINVAL);
	for (size_t i = 0; i < size; i++) {
		for (unsigned bit = 0; bit < 8; bit += 7) {
			bytes[i] ^= 1 << bit;
			if (i >= size - WEFT__STORED_LATE) {
				expect_late_gone(bytes, size);
			} else {
				EXPECT_EQ(reading(bytes, size, &got, &words),
					  -EINVAL);
			}
			bytes[i] ^= 1 << bit;
		}
	}
	expect_said(bytes, 3, "no file of tables that stand");
	expect_said((const uint8_t *)"# a text\n", 9,
		    "no file of tables that stand");
	expect_said(bytes, STORED_HEAD, "is cut off");
	expect_said(bytes, size - 1, " bytes");
	bytes[size / 2] ^= 1;
	expect_said(bytes, size, "damaged");
	bytes[STORED_VERSION_AT] = 9;
	expect_said(bytes, size, "version 9");
	free(bytes);
	weft_stored_free(&s);
}

/* What is late takes the place of what was there, in any mixture. */
TEST(test_late)
{
	struct weft__stored_seal seal;
	uint8_t late[WEFT__STORED_LATE];
	struct suite_words words;
	struct weft_stored s, got;
	char *bytes = NULL;
	uint8_t *end;
	size_t size;
	FILE *out = open_memstream(&bytes, &size);

	ASSERT(make_home(0, &s));
	go_away(&s);
	ASSERT_EQ(weft__stored_write(out, &s, &seal, NULL), 0);
	fclose(out);
	ASSERT_EQ(seal.size, size);
	end = (uint8_t *)bytes + size - WEFT__STORED_LATE;
	s.debt = (struct weft_stored_debt){ 1764000200, .25, .5, 99, 98 };
	s.owed = 0;
	weft__stored_late(&s, seal.sum, late);
	for (size_t n = 1; n < WEFT__STORED_LATE; n++) {
		uint8_t had = end[n - 1];

		end[n - 1] = late[n - 1];
		if (late[n - 1] != had)
			expect_late_gone((uint8_t *)bytes, size);
	}
	memcpy(end, late, WEFT__STORED_LATE);
	ASSERT_EQ(reading((uint8_t *)bytes, size, &got, &words), 0);
	expect_same_state(&s, &got);
	weft_stored_free(&got);
	/* that of another file */
	weft__stored_late(&s, seal.sum + 1, end);
	expect_late_gone((uint8_t *)bytes, size);
	free(bytes);
	weft_stored_free(&s);
}

/* What nobody wrote, under a checksum that is right: an error, or tables that
 * fit a fabric. */
static void try_sealed(uint8_t *bytes, size_t size)
{
	struct suite_words words;
	struct weft_stored got;

	stored_seal(bytes, size);
	if (reading(bytes, size, &got, &words))
		return;
	EXPECT_EQ(weft_fabric_check(got.now.fabric, NULL), 0);
	EXPECT(!weft__stored_misfit(&got.now));
	weft_stored_free(&got);
}

TEST(test_lies)
{
	static const uint8_t value[] = { 0, 1, 127, 255 };
	struct weft_stored s;
	uint8_t *bytes, *copy;
	size_t size;

	ASSERT(make_home(0, &s));
	go_away(&s);
	bytes = written(&s, &size);
	copy = malloc(size);
	for (size_t i = STORED_HEAD - 8;
	     i < size - WEFT__STORED_LATE - STORED_TAIL; i++) {
		for (unsigned v = 0; v < sizeof(value); v++) {
			memcpy(copy, bytes, size);
			copy[i] = value[v];
			try_sealed(copy, size);
		}
	}
	for (size_t n = STORED_HEAD; n < size; n++) {
		memcpy(copy, bytes, n);
		try_sealed(copy, n);
	}
	free(copy);
	free(bytes);
	weft_stored_free(&s);
}

/* The version before is read, with its debt. */
static void test_version_2(const char *dir)
{
	struct weft_stored got;
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/fuzz/seeds/fuzz_stored/version-2",
		 dir);
	ASSERT_EQ(weft_stored_read(path, &got, NULL), 0);
	EXPECT_EQ(got.debt.entries, 12);
	EXPECT_EQ(got.owed, 0);
	EXPECT_EQ(got.nflaps, 1);
	EXPECT(got.home.fabric);
	weft_stored_free(&got);
}

/* Files that fuzzing starts from, which weft standing is tried on, too, are of
 * the format as it is. */
TEST(test_seeds)
{
	const char *dir = getenv("WEFT_SRCDIR");
	const char *const name[] = { "home", "away" };
	struct weft_stored s;

	ASSERT(make_home(0, &s));
	for (unsigned i = 0; dir && i < 2; i++) {
		struct weft_stored got;
		char path[4096];
		size_t size;
		uint8_t *bytes;
		FILE *file;

		if (i)
			go_away(&s);
		bytes = written(&s, &size);
		snprintf(path, sizeof(path),
			 "%s/tests/fuzz/seeds/fuzz_stored/%s", dir, name[i]);
		if (getenv("WEFT_UPDATE")) {
			file = fopen(path, "w");
			ASSERT(file);
			fwrite(bytes, 1, size, file);
			fclose(file);
		}
		EXPECT_EQ(weft_stored_read(path, &got, NULL), 0);
		expect_same_fabric(s.now.fabric, got.now.fabric);
		weft_stored_free(&got);
		free(bytes);
	}
	if (dir)
		test_version_2(dir);
	weft_stored_free(&s);
}

/* A switch is missing, with its hosts. */
TEST(test_switch_away)
{
	static const char *const specs[] = { "torus:3x3,hosts=2",
					     "torus:3x3,hosts=2,fail-switches=1" };
	struct weft_fabric *f[2];
	struct weft_routes r[2] = { 0 };
	struct weft_diff_side home, now;
	struct weft_away a;

	for (unsigned i = 0; i < 2; i++) {
		f[i] = route_fabric(specs[i], -1);
		ASSERT_EQ(route_by("updn", NULL, f[i], &r[i], NULL), 0);
	}
	home = (struct weft_diff_side){ f[0], &r[0] };
	now = (struct weft_diff_side){ f[1], &r[1] };
	ASSERT_EQ(weft_away_find(&now, &home, &a), 0);
	ASSERT_EQ(a.nparts, 1);
	EXPECT(weft_is_switch(a.part[0].vertex));
	EXPECT_EQ(a.part[0].endports, 2);
	weft_away_free(&a);
	for (unsigned i = 0; i < 2; i++) {
		weft_routes_free(&r[i]);
		weft_fabric_free(f[i]);
	}
}
