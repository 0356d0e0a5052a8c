// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "weave_util.h"
#include "../suite.h"

#include "layers/traffic.h"

#include <stdlib.h>

const struct weft_proof_spec weave_everything = {
	.all_hosts = true, .switches = true, .between_switches = true,
	.credit_loops = true, .max_examples = 1,
};

const unsigned weave_lanes[WEAVE_COUNTS] = { 8, 4, 2, 1 };

static void complain(void *context, const struct weft_message *m)
{
	if (m->severity != WEFT_NOTE)
		printf("\n%s: %s", (const char *)context, m->text);
}

struct weft_fabric *weave_fabric(const char *spec)
{
	struct weft_diag d = { .emit = complain, .context = (void *)spec };
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_gen(spec, &f, &d), 0);
	return f;
}

unsigned weave_join(unsigned (*cable)[2], unsigned a, unsigned b,
		    unsigned times)
{
	for (unsigned i = 0; i < times; i++) {
		cable[i][0] = a;
		cable[i][1] = b;
	}
	return times;
}

int weave_route(const struct weft_fabric *f, unsigned lanes, const char *options,
		struct weft_routes *r, struct weft_diag *diag)
{
	const struct weft_engine *e = weft_engine_find("weave");
	struct weft_options *o;
	char text[8], *list = strdup(options ? options : ""), *rest = NULL;
	int err;

	snprintf(text, sizeof(text), "%u", lanes);
	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	EXPECT_EQ(weft_options_set(o, "lanes", text, NULL, 0, diag), 0);
	ASSERT(list);
	for (char *one = strtok_r(list, ",", &rest); one;
	     one = strtok_r(NULL, ",", &rest))
		EXPECT_EQ(weft_options_parse(o, one, diag), 0);
	free(list);
	err = e->route(f, o, r, diag);
	weft_options_free(o);
	return err;
}

void weave_judge(const char *what, const struct weft_fabric *f,
		 const struct weft_routes *r, unsigned lanes)
{
	struct weft_proof p;

	EXPECT(r->layers.nvl >= 1 && r->layers.nvl <= lanes);
	EXPECT((r->layers.nvl == 1) == (r->layers.form == WEFT_SL_ONE));
	if (r->layers.form == WEFT_SL_SWITCH_PAIR)
		for (uint32_t x = 0; x < f->nsw; x++)
			for (uint32_t y = 0; y < x; y++)
				EXPECT(r->layers.table[x * f->nsw + y] ==
				       r->layers.table[y * f->nsw + x]);
	ASSERT_EQ(weft_proof_run(f, r, &weave_everything, &p, NULL), 0);
	if (p.unreachable != p.no_lid || p.cyclic_vls) {
		printf("\n%s: %lu unreachable, %u cyclic lanes", what,
		       (unsigned long)(p.unreachable - p.no_lid),
		       p.cyclic_vls);
		EXPECT_NEVER("property violated");
	}
	weft_proof_free(&p);
}

bool weave_same(const struct weft_fabric *f, const struct weft_routes *a,
		const struct weft_routes *b)
{
	struct weft_lft_diff diff;

	weft_lft_compare(&a->lft, &b->lft, &diff);
	if (diff.entries || a->layers.nvl != b->layers.nvl ||
	    a->layers.form != b->layers.form)
		return false;
	return a->layers.form != WEFT_SL_SWITCH_PAIR ||
	       !memcmp(a->layers.table, b->layers.table,
		       (size_t)f->nsw * f->nsw);
}

double weave_worth(const struct weft_fabric *f, const struct weft_lft *lft)
{
	struct weft__traffic t;
	double worth = 0;

	ASSERT_EQ(weft__traffic_init(&t, f, lft, NULL), 0);
	EXPECT_EQ(weft__traffic_worth(&t, &worth), 0);
	weft__traffic_free(&t);
	return worth;
}

double weave_worth_of_psssp(const struct weft_fabric *f)
{
	const struct weft_engine *e = weft_engine_find("psssp");
	struct weft_routes r = { 0 };
	struct weft_options *o;
	double worth;

	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	ASSERT_EQ(e->route(f, o, &r, NULL), 0);
	worth = weave_worth(f, &r.lft);
	weft_options_free(o);
	weft_routes_free(&r);
	return worth;
}
