// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Properties that every engine has on every fixture: a route for everyone to
 * everyone, no loop, the hops it promises, the same bytes whatever order the
 * fabric was discovered in.
 */
#include "rebuild.h"
#include "suite.h"

#include <weft/weft.h>

#include <errno.h>

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

	CU_ASSERT_EQUAL_FATAL(weft_gen(spec, &f, &d), 0);
	CU_ASSERT_EQUAL_FATAL(weft_fabric_check(f, &d), 0);
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

	CU_ASSERT_EQUAL_FATAL(weft_options_new(&o, e->options), 0);
	if (may_refuse(e))
		d.emit = NULL;
	err = e->route(f, o, out, &d);
	if (err == -ENOTSUP) {
		CU_ASSERT(d.count[WEFT_ERROR] == 1);
		CU_ASSERT_PTR_NULL(out->lft.port);
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

	CU_ASSERT_FATAL(!err || (err == -ENOTSUP && may_refuse(e)));
	return !err;
}

/* Engines without credit loops between endports on any fabric.  For that they
 * go without some of the shortest routes. */
static bool promises_acyclic(const struct weft_engine *e)
{
	static const char *const names[] = { "updn", "eftree", "beft", "eft", "sftree",
					     "mftree", "vftree", "weave" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(e->name, names[i]))
			return true;
	return false;
}

/* Engines whose every route is a shortest one. */
static bool promises_minimal(const struct weft_engine *e)
{
	return !promises_acyclic(e);
}

static void judge(const struct weft_engine *e, const char *spec,
		  const struct weft_fabric *f, const struct weft_routes *r)
{
	struct weft_proof_spec what = { .all_hosts = true, .minimal = true,
					.loads = true, .credit_loops = true };
	struct weft_proof p;
	uint64_t sum = 0;

	for (int switches = 0; switches < 2; switches++) {
		what.switches = switches;
		CU_ASSERT_EQUAL_FATAL(weft_proof_run(f, r, &what, &p, NULL),
				      0);
		if (p.unreachable || (promises_minimal(e) && p.nonminimal) ||
		    (promises_acyclic(e) && !switches && p.cyclic_vls)) {
			printf("\n%s on %s: %lu unreachable, %lu not minimal,"
			       " %u cyclic lanes", e->name, spec,
			       (unsigned long)p.unreachable,
			       (unsigned long)p.nonminimal, p.cyclic_vls);
			CU_FAIL("property violated");
		}
		CU_ASSERT(p.pairs > 0 || f->nep < 2);
		if (!switches) {
			/* Every hop but the last is a load on a channel. */
			for (uint32_t ch = 0; ch < f->first_injection; ch++)
				if (weft_is_switch(f->peer[ch]))
					sum += p.channel_load[ch];
			CU_ASSERT_EQUAL(sum, p.hops_sum - p.reached);
		}
		weft_proof_free(&p);
	}
}

static bool same_routes(const struct weft_fabric *f,
			const struct weft_routes *a,
			const struct weft_routes *b)
{
	struct weft_lft_diff diff;

	weft_lft_compare(&a->lft, &b->lft, &diff);
	if (diff.entries || !a->lid_offset != !b->lid_offset)
		return false;
	return !a->lid_offset || !memcmp(a->lid_offset, b->lid_offset, f->nep);
}

static void test_properties(void)
{
	unsigned nrouted[MAX_ENGINES] = { 0 };

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = fixture(fixtures[i]);

		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++) {
			struct weft_routes r = { 0 };

			if (!routed(*e, f, &r))
				continue;
			nrouted[e - weft_engines()]++;
			judge(*e, fixtures[i], f, &r);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
	for (unsigned i = 0; weft_engines()[i]; i++)
		CU_ASSERT(nrouted[i] > 0);
}

static void test_deterministic(void)
{
	struct weft_rng *rng = weft_rng_new(SEED);

	for (unsigned i = 0; i < NFIXTURES; i++) {
		struct weft_fabric *f = fixture(fixtures[i]);
		struct weft_fabric *g = rebuild_shuffled(f, rng);

		CU_ASSERT_PTR_NOT_NULL_FATAL(g);
		CU_ASSERT_EQUAL(weft_fabric_check(g, NULL), 0);
		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++) {
			struct weft_routes a = { 0 }, b = { 0 };

			CU_ASSERT_EQUAL_FATAL(routed(*e, f, &a),
					      routed(*e, g, &b));
			CU_ASSERT(!a.lft.port || same_routes(f, &a, &b));
			weft_routes_free(&a);
			weft_routes_free(&b);
		}
		weft_fabric_free(g);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* Two switches without a cable between them. */
static void test_parts(void)
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
		CU_ASSERT_EQUAL(weft_builder_link(b, s, 1, h, 1, 4, 1), 0);
	}
	CU_ASSERT_EQUAL_FATAL(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		struct weft_routes r = { 0 };
		struct weft_options *o;

		CU_ASSERT_EQUAL_FATAL(weft_options_new(&o, (*e)->options), 0);
		CU_ASSERT_EQUAL((*e)->route(f, o, &r, &d), -ENETUNREACH);
		CU_ASSERT_PTR_NOT_NULL(strstr(w.text, "0x000000000000000b"));
		CU_ASSERT_PTR_NULL(r.lft.port);
		weft_options_free(o);
	}
	weft_fabric_free(f);
}

/* No switch at all, no LID at all, one switch without hosts. */
static void test_degenerate(void)
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
			CU_ASSERT_EQUAL(weft_builder_link(b, 0, 1, 1, 1, 4, 1),
					0);
		CU_ASSERT_EQUAL_FATAL(weft_builder_finish(b, &f, NULL), 0);
		weft_builder_free(b);
		for (const struct weft_engine *const *e = weft_engines(); *e;
		     e++) {
			struct weft_routes r = { 0 };

			if (routed(*e, f, &r) && kind == 1)
				CU_ASSERT_EQUAL(weft_lft_get(&r.lft, 0, 7), 0);
			weft_routes_free(&r);
		}
		weft_fabric_free(f);
	}
}

static void test_registry(void)
{
	for (const struct weft_engine *const *e = weft_engines(); *e; e++) {
		CU_ASSERT_PTR_EQUAL(weft_engine_find((*e)->name), *e);
		CU_ASSERT_PTR_NOT_NULL((*e)->summary);
		CU_ASSERT_EQUAL(strcspn((*e)->name, " ,ABCDEFGHIJKLMNOPQRSTUV"
					"WXYZ"), strlen((*e)->name));
	}
	CU_ASSERT_PTR_NULL(weft_engine_find("PSSSP"));
	CU_ASSERT_PTR_NULL(weft_engine_find(""));
}

int main(void)
{
	static const struct suite_test tests[] = {
		{ "the list of engines", test_registry },
		{ "routes have the promised properties", test_properties },
		{ "tables do not depend on discovery", test_deterministic },
		{ "a fabric in two parts is refused", test_parts },
		{ "next to nothing to route", test_degenerate },
		{ NULL, NULL },
	};

	printf("seed %d\n", SEED);
	return suite_run("engines", tests);
}
