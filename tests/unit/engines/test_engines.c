// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Properties that every engine has on every fixture: a route for everyone to
 * everyone, no loop, the hops it promises, the same bytes whatever order the
 * fabric was discovered in.
 */
#include "../route.h"
#include "../rebuild.h"
#include "../suite.h"

#include <weft/weft.h>

#include <errno.h>
#include <stdlib.h>

enum { SEED = 20261, MAX_ENGINES = 64 };

static const char *const fixtures[] = {
	"pgft:1;6;1;1",
	"pgft:2;4,6;1,4;1,1",
	"pgft:2;4,6;1,2;1,2",
	"pgft:3;3,3,4;1,3,3;1,1,1",
	"pgft:3;4,4,4;1,4,4;1,1,1,guids=shuffle,seed=7",
	"pgft:2;4,6;1,4;1,1,lmc=2",
	"pgft:2;4,6;1,3;1,2,lmc=3",
	"pgft:3;3,3,4;1,3,2;1,1,2,lmc=4",
	"pgft:2;6,6;1,6;1,1,fail-links=4,seed=3",
	"ring:8,hosts=2",
	"ring:7,hosts=1",
	"chain:5,hosts=2",
	"star:6,hosts=3",
	"torus:4x4,hosts=2",
	"torus:3x3x3,hosts=1",
	"mesh:4x3,hosts=2",
	"hypercube:4,hosts=2",
	"random:20,5,4,seed=11",
	"random:16,3,2,seed=12,guids=shuffle",
	"dragonfly:4,2,2,9",
	"odin",
	"pgft:2;4,6;1,4;1,1,dual=yes",
	/* trees that hang together by cables of one level, and racks whose own
	 * cables follow one another */
	"torus:4x4,hosts=0:2,fail-switches=4,seed=177",
	"hypercube:5,hosts=0:3,fail-links=12%,fail-switches=4,seed=65",
};
enum { NFIXTURES = sizeof(fixtures) / sizeof(fixtures[0]) };

static void complain(void *context, const struct weft_message *m)
{
	if (m->severity != WEFT_NOTE)
		printf("\n%s: %s", (const char *)context, m->text);
}

static struct weft_fabric *fixture(const char *spec)
{
	struct weft_diag d = { .emit = complain, .context = (void *)spec };
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_gen(spec, &f, &d), 0);
	ASSERT_EQ(weft_fabric_check(f, &d), 0);
	return f;
}

/* Engines that are for some fabrics alone. */
static bool may_refuse(const struct weft_engine *e)
{
	return e->needs & (WEFT_NEEDS_TREE | WEFT_NEEDS_LMC);
}

static int route(const struct weft_engine *e, const struct weft_fabric *f,
		 struct weft_routes *out)
{
	struct weft_diag d = { .emit = complain, .context = (void *)e->name };
	struct weft_options *o;
	int err;

	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	if (may_refuse(e))
		d.emit = NULL;
	err = e->route(f, o, out, &d);
	if (err == -ENOTSUP) {
		EXPECT(d.count[WEFT_ERROR] == 1);
		EXPECT(!out->lft.port);
	}
	weft_options_free(o);
	return err;
}

/* Whether the engine routes the fabric; it may refuse it only if it is made for
 * some fabrics alone. */
static bool routed(const struct weft_engine *e, const struct weft_fabric *f,
		   struct weft_routes *out)
{
	int err = route(e, f, out);

	ASSERT(!err || (err == -ENOTSUP && may_refuse(e)));
	return !err;
}

/* Every hop but the last is a load on a channel. */
static void check_loads(const struct weft_fabric *f, const struct weft_proof *p)
{
	uint64_t sum = 0;

	for (uint32_t ch = 0; ch < f->first_injection; ch++)
		if (weft_is_switch(f->peer[ch]))
			sum += p->channel_load[ch];
	EXPECT_EQ(sum, p->hops_sum - p->reached);
}

/*
 * Proves the tables for those whose packets a level of promises is about, and
 * returns whether these are free of credit loops.
 */
static bool prove(const struct weft_engine *e, const char *what,
		  enum weft_loopfree level, const struct weft_fabric *f,
		  const struct weft_routes *r)
{
	const struct weft_proof_spec spec = {
		.all_hosts = level >= WEFT_LOOPFREE_ENDPORTS,
		.switches = level >= WEFT_LOOPFREE_ALL,
		.between_switches = level >= WEFT_LOOPFREE_ALL,
		.minimal = true, .loads = true, .credit_loops = true,
	};
	struct weft_proof p;
	bool open;

	ASSERT_EQ(weft_proof_run(f, r, &spec, &p, NULL), 0);
	open = !p.cyclic_vls;
	if (p.unreachable || (e->minimal && p.nonminimal) ||
	    (e->loopfree >= level && !open)) {
		EXPECT_NEVER("a promise is broken: %s on %s: %lu unreachable, %lu not minimal, %u cyclic lanes at level %d",
			     e->name, what, (unsigned long)p.unreachable,
			     (unsigned long)p.nonminimal, p.cyclic_vls, level);
	}
	if (level == WEFT_LOOPFREE_ENDPORTS) {
		EXPECT(p.pairs > 0 || f->nep < 2);
		check_loads(f, &p);
	}
	weft_proof_free(&p);
	return open;
}

/* Whether tables are free of credit loops between hosts. */
static bool judge(const struct weft_engine *e, const char *what,
		  const struct weft_fabric *f, const struct weft_routes *r)
{
	bool open = prove(e, what, WEFT_LOOPFREE_HOSTS, f, r);

	prove(e, what, WEFT_LOOPFREE_ENDPORTS, f, r);
	prove(e, what, WEFT_LOOPFREE_ALL, f, r);
	return open;
}

static bool same_layers(const struct weft_fabric *f,
			const struct weft_layers *a,
			const struct weft_layers *b)
{
	if (a->form != b->form || a->nvl != b->nvl || a->one_way != b->one_way)
		return false;
	for (uint32_t i = 0; i < f->nsw + f->nep; i++) {
		uint32_t source = i < f->nsw ? i : (i - f->nsw) | WEFT_ENDPORT;

		for (unsigned lid = 1; lid <= f->max_lid; lid++)
			if (weft_layers_sl(a, f, source, lid) !=
			    weft_layers_sl(b, f, source, lid))
				return false;
	}
	return true;
}

static bool same_routes(const struct weft_fabric *f,
			const struct weft_routes *a,
			const struct weft_routes *b)
{
	struct weft_lft_diff diff;

	weft_lft_compare(&a->lft, &b->lft, &diff);
	if (diff.entries || !a->lid_offset != !b->lid_offset ||
	    !same_layers(f, &a->layers, &b->layers))
		return false;
	return !a->lid_offset || !memcmp(a->lid_offset, b->lid_offset, f->nep);
}

TEST(test_properties)
{
	unsigned nrouted[MAX_ENGINES] = { 0 }, closed[MAX_ENGINES] = { 0 };

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = fixture(fixtures[i]);

		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++) {
			struct weft_routes r = { 0 };

			if (!routed(*e, f, &r))
				continue;
			nrouted[e - weft_engines()]++;
			closed[e - weft_engines()] +=
				!judge(*e, fixtures[i], f, &r);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
	for (unsigned i = 0; weft_engines()[i]; i++) {
		EXPECT(nrouted[i] > 0);
		/* Who promises nothing could not have promised more. */
		EXPECT(weft_engines()[i]->loopfree || closed[i]);
	}
}

/* Value number n of an option, or false: those that are worth a try. */
static bool nth_value(const struct weft_option *o, unsigned n, char *text,
		      size_t size)
{
	const char *at = o->type == WEFT_OPT_BOOL ? "yes|no" : o->choices;

	if (o->type == WEFT_OPT_INT) {
		snprintf(text, size, "%ld", o->min + n);
		return n < 2 && o->min + (long)n <= o->max;
	}
	if (o->type != WEFT_OPT_BOOL && o->type != WEFT_OPT_ENUM)
		return false;
	for (; n && *at; n--) {
		at += strcspn(at, "|");
		at += *at == '|';
	}
	snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
	return *at;
}

/* Whether an option says that it gives up the promise of shortest routes. */
static bool gives_up_minimal(const struct weft_option *o, const char *value)
{
	return strstr(o->help, "routes may be longer") &&
	       strcmp(value, o->preset) != 0;
}

static void judge_with(const struct weft_engine *e, const char *spec,
		       const struct weft_fabric *f,
		       const struct weft_option *option, const char *value)
{
	struct weft_engine promises = *e;
	struct weft_routes r = { 0 };
	struct weft_options *o;
	char what[256];
	int err;

	snprintf(what, sizeof(what), "%s with %s=%s", spec, option->name,
		 value);
	promises.minimal &= !gives_up_minimal(option, value);
	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	EXPECT_EQ(weft_options_set(o, option->name, value, NULL, 0, NULL), 0);
	err = e->route(f, o, &r, NULL);
	/* A value can be for some fabrics alone, as a strategy of weave is. */
	EXPECT(!err || err == -ENOTSUP);
	if (!err)
		judge(&promises, what, f, &r);
	weft_options_free(o);
	weft_routes_free(&r);
}

/* Promises do not depend on options, but for those that say so. */
TEST(test_options)
{
	static const char *const specs[] = {
		"pgft:2;4,6;1,4;1,1,lmc=2", "torus:4x4,hosts=2",
		"random:16,3,2,seed=12,guids=shuffle", "rack216",
	};

	for (unsigned i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct weft_fabric *f = fixture(specs[i]);

		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++) {
			const struct weft_option *o = (*e)->options;
			char value[64];

			for (; o && o->type != WEFT_OPT_END; o++)
				for (unsigned n = 0; nth_value(o, n, value,
							sizeof(value)); n++)
					judge_with(*e, specs[i], f, o, value);
		}
		weft_fabric_free(f);
	}
}

TEST(test_deterministic)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = fixture(fixtures[i]);
		struct weft_fabric *g = rebuild_shuffled(f, rng);

		ASSERT(g);
		EXPECT_EQ(weft_fabric_check(g, NULL), 0);
		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++) {
			struct weft_routes a = { 0 }, b = { 0 };

			ASSERT_EQ(routed(*e, f, &a), routed(*e, g, &b));
			EXPECT(!a.lft.port || same_routes(f, &a, &b));
			weft_routes_free(&a);
			weft_routes_free(&b);
		}
		weft_fabric_free(g);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Two switches without a cable between them. */
TEST(test_parts)
{
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *f = NULL;

	for (unsigned i = 0; i < 2; i++) {
		uint32_t s = weft_builder_node(b, WEFT_NODE_SWITCH, 10 + i, 4);
		uint32_t h = weft_builder_node(b, WEFT_NODE_CA, 20 + i, 1);

		weft_builder_port(b, s, 0)->lid = 1 + i;
		weft_builder_port(b, h, 1)->lid = 3 + i;
		EXPECT_EQ(weft_builder_link(b, s, 1, h, 1, (struct weft_rate){
			  4, 1 }), 0);
	}
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		struct weft_routes r = { 0 };
		struct weft_options *o;

		ASSERT_EQ(weft_options_new(&o, (*e)->options), 0);
		EXPECT_EQ((*e)->route(f, o, &r, &d), -ENETUNREACH);
		EXPECT(strstr(w.text, "0x000000000000000b"));
		EXPECT(!r.lft.port);
		weft_options_free(o);
	}
	weft_fabric_free(f);
}

/* No switch at all, no LID at all, one switch without hosts. */
TEST(test_degenerate)
{
	for (unsigned kind = 0; kind < 3; kind++) {
		struct weft_builder *b = weft_builder_new();
		struct weft_fabric *f = NULL;

		for (unsigned i = 0; i < kind; i++) {
			uint32_t s = weft_builder_node(b, WEFT_NODE_SWITCH,
						       10 + i, 3);

			weft_builder_port(b, s, 0)->lid = kind == 1 ? 7 : 0;
		}
		if (kind == 2)
			EXPECT_EQ(weft_builder_link(b, 0, 1, 1, 1, (struct
				  weft_rate){ 4, 1 }), 0);
		ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
		weft_builder_free(b);
		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++) {
			struct weft_routes r = { 0 };

			if (routed(*e, f, &r) && kind == 1)
				EXPECT_EQ(weft_lft_get(&r.lft, 0, 7), 0);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

TEST(test_registry)
{
	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		EXPECT((weft_engine_find((*e)->name)) == (*e));
		EXPECT((*e)->summary);
		EXPECT_EQ(strcspn((*e)->name, " ,ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
			  strlen((*e)->name));
	}
	EXPECT(!weft_engine_find("PSSSP"));
	EXPECT(!weft_engine_find(""));
}

/* Reads the row of an engine from the manual's table of promises. */
static bool manual_row(const char *engine, char *shortest, char *loopfree)
{
	const char *dir = getenv("WEFT_SRCDIR");
	char path[4096], line[256], name[32];
	bool found = false;
	FILE *in;

	snprintf(path, sizeof(path), "%s/man/weft-engines.7", dir ? dir : ".");
	in = fopen(path, "r");
	ASSERT(in);
	while (!found && fgets(line, sizeof(line), in))
		found = sscanf(line, "%31s %7s %15s", name, shortest,
			       loopfree) == 3 && !strcmp(name, engine);
	fclose(in);
	return found;
}

TEST(test_manual)
{
	static const char *const whose[] = {
		[WEFT_LOOPFREE_NONE] = "nobody", [WEFT_LOOPFREE_HOSTS] = "hosts",
		[WEFT_LOOPFREE_ENDPORTS] = "endports",
		[WEFT_LOOPFREE_ALL] = "everyone",
	};

	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		char shortest[8], loopfree[16];

		ASSERT(manual_row((*e)->name, shortest, loopfree));
		EXPECT_STR(shortest, (*e)->minimal ? "yes" : "no");
		EXPECT_STR(loopfree, whose[(*e)->loopfree]);
	}
}

/* The most routes from a leaf to other leaves' own LIDs over one of its cables. */
static uint32_t most_to_switches(const char *engine, const char *option,
				 const struct weft_fabric *f)
{
	struct weft_routes r = { 0 };
	uint32_t most = 0;

	ASSERT_EQ(route_by(engine, option, f, &r, NULL), 0);
	for (uint32_t s = 0; s < f->nsw; s++) {
		uint32_t over[256] = { 0 };

		for (uint32_t t = 0; t < f->nsw; t++) {
			uint8_t port = weft_lft_get(&r.lft, s, f->sw[t].lid);

			if (s == t ||
			    f->sw_ep_first[s] == f->sw_ep_first[s + 1] ||
			    f->sw_ep_first[t] == f->sw_ep_first[t + 1])
				continue;
			over[port]++;
			most = over[port] > most ? over[port] : most;
		}
	}
	weft_routes_free(&r);
	return most;
}

/* Eight leaves reach seven others by four spines: two routes over a cable are
 * the least where they count. */
TEST(test_routes_to_switches_count)
{
	static const char *const engines[] = { "psssp", "eftree", "beft",
					       "weave", "mftree", "sftree" };
	struct weft_fabric *f = route_fabric("xgft:2;4,8;1,4", -1);

	for (unsigned i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
		EXPECT_EQ(most_to_switches(engines[i], "switches=yes", f), 2);
		EXPECT(most_to_switches(engines[i], NULL, f) >= 4);
	}
	weft_fabric_free(f);
}
