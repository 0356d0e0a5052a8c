// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Safe orders of switches, against tables that are written switch by switch, and all
 * orders there are. */
#include "pairs.h"

static unsigned found_orders;

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

/* Orders that neither the first attempt, by ids, finds nor the second, backward. */
TEST(test_attempts)
{
	static const char *const set[][3] = {
		{ "285", "trees:7", "random:seed=3" },
		{ "294", "trees:7", "random:seed=4" },
		{ "954", "minhop", "trees:8" },
		{ "1292", "random:seed=4", "holes:4" },
	};

	for (unsigned i = 0; i < N(set); i++) {
		struct pair p;
		char spec[80];

		snprintf(spec, sizeof(spec), "pgft:3;3,3,3;1,3,3;1,1,1,"
			 "fail-links=10%%,seed=%s", set[i][0]);
		open_pair(&p, spec, set[i][1], set[i][2]);
		suite_case("seed %s", set[i][0]);
		EXPECT_EQ(p.found.verdict, WEFT_ORDER_FOUND);
		check_order(&p);
		close_pair(&p);
	}
}

/* Whether the tables without a switch's new ones harm nobody, and have no credit
 * loop together with the new ones. */
static bool last_is_safe(struct pair *p, uint32_t s, bool waits)
{
	bool safe = true;

	for (uint32_t e = 0; e < p->fabric->nep; e++)
		safe &= !harm(p, p->fabric->ep[e].lid);
	return safe && step_is_safe(p, s, waits);
}

static unsigned stuck_first, stuck_last, stuck_loops, stuck_circles;

/* Where there is no order no switch can be the first, or none the last; and the one
 * that is named cannot be it, for the reason that is said. */
static void check_stuck(struct pair *p)
{
	const struct weft_transition *t = &p->found;
	bool first = !t->stuck_after, any = false;
	unsigned all = 0, lid;

	if (t->verdict != WEFT_ORDER_NONE)
		return;
	EXPECT(first || t->stuck_after == t->switches - 1);
	for (uint32_t s = 0; s < p->fabric->nsw; s++) {
		/* all others before it */
		for (uint32_t k = 0; k < p->fabric->nsw && !first; k++)
			write_switch(p, k, k == s ? &p->before.lft :
						    &p->after.lft);
		any |= memcmp(weft_lft_row(&p->before.lft, s),
			      weft_lft_row(&p->after.lft, s),
			      p->now.lft.stride) &&
			(first ? step_is_safe(p, s, t->order_waits) :
				 last_is_safe(p, s, t->order_waits));
		if (first)
			write_switch(p, s, &p->before.lft);
	}
	EXPECT(!any);
	for (uint32_t s = 0; s < p->fabric->nsw; s++)
		write_switch(p, s, (s == t->stuck_sw) == first ?
			     &p->after.lft : &p->before.lft);
	for (uint32_t e = 0; e < p->fabric->nep; e++)
		all |= harm(p, p->fabric->ep[e].lid);
	lid = t->stuck_lid;
	if (lid)
		EXPECT(harm(p, lid) & (t->stuck_loop ? LOOPS : LOST));
	else
		EXPECT(!all && t->order_waits);
	EXPECT(!t->stuck_loop || !(harm(p, lid) & LOST));
	stuck_first += first;
	stuck_last += !first;
	stuck_loops += t->stuck_loop;
	stuck_circles += !lid;
}

TEST(test_stuck)
{
	stuck_first = stuck_last = stuck_loops = stuck_circles = 0;
	each_pair(check_stuck);
	for (unsigned i = 0; i < 200; i++) {
		char before[32], after[32], spec[64];
		struct pair p;

		snprintf(before, sizeof(before), i % 3 ? "holes:%u" :
			 "random:seed=%u", 2 * i + 1);
		snprintf(after, sizeof(after), i % 2 ? "trees:%u" : "holes:%u",
			 2 * i + 2);
		snprintf(spec, sizeof(spec), "random:%ux2,5,seed=%u", 6 + i % 2 * 2,
			 i);
		suite_case("round %u", i);
		open_pair(&p, spec, before, after);
		check_stuck(&p);
		close_pair(&p);
	}
	EXPECT(stuck_first > 10 && stuck_last > 0);
	EXPECT(stuck_loops > 0 && stuck_circles > 0);
}

/* Who has no work to do it with finds nothing; nobody asks, nobody looks. */
TEST(test_work)
{
	struct weft_transition_spec spec = { .search = true, .work = 1 };
	struct weft_transition t;
	struct pair p;

	open_pair(&p, "pgft:3;3,3,3;1,3,3;1,1,1,fail-links=10%,seed=2",
		  "minhop", "updn");
	EXPECT_EQ(p.found.verdict, WEFT_ORDER_FOUND);
	ASSERT_EQ(weft_transition_run(p.fabric, &p.before, &p.after, &spec, &t,
				      NULL), 0);
	EXPECT_EQ(t.verdict, WEFT_ORDER_UNKNOWN);
	EXPECT_EQ(t.norder, 0);
	weft_transition_free(&t);
	spec.search = false;
	ASSERT_EQ(weft_transition_run(p.fabric, &p.before, &p.after, &spec, &t,
				      NULL), 0);
	EXPECT_EQ(t.verdict, WEFT_ORDER_UNASKED);
	weft_transition_free(&t);
	close_pair(&p);
}
