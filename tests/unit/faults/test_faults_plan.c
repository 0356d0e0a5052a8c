// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which sets are judged, in what order, by how many threads, until when; and plans for
 * maintenance, against fabrics from which the parts are really taken. */
#include "faults_util.h"

#include <errno.h>

TEST(test_draw)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,4;1,4;1,1", -1);
	struct weft_fault_draw draw = {
		.cables = 3,
		.switches = 2,
		.sets = 50,
		.seed = 7,
	};
	struct weft_fault_sets a, b;
	struct suite_words words = { .text = "" };
	struct weft_diag diag = { .emit = suite_hear, .context = &words };
	uint32_t *part;

	weft_fault_parts(f, WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES, &part,
			 &draw.nparts);
	EXPECT_EQ(draw.nparts, 16 + 8);
	draw.part = part;
	ASSERT_EQ(weft_fault_draw(&draw, &a, NULL), 0);
	draw.sets = 20;
	ASSERT_EQ(weft_fault_draw(&draw, &b, NULL), 0);
	EXPECT_EQ(memcmp(a.part, b.part, 100 * sizeof(*a.part)), 0);
	for (uint32_t i = 0; i < 250; i++) {
		EXPECT_EQ(i % 5 > 2, !!(a.part[i] & WEFT_PART_SWITCH));
		for (uint32_t k = i - i % 5; k < i; k++)
			EXPECT_NE(a.part[i], a.part[k]);
	}
	weft_fault_sets_free(&a);
	weft_fault_sets_free(&b);
	draw.cables = 17;
	EXPECT_EQ(weft_fault_draw(&draw, &a, &diag), -EINVAL);
	EXPECT(strstr(words.text, "17 cables"));
	free(part);
	weft_fabric_free(f);
}

struct brake {
	unsigned after, asked;
};

static bool stop(void *context)
{
	struct brake *b = context;

	return b->asked++ >= b->after;
}

static void run_singles(const char *fabric, struct weft_faults_spec spec,
			struct weft_faults *out)
{
	struct weft_fabric *f = route_fabric(fabric, -1);
	struct weft_fault_sets sets;
	struct weft_routes routes;
	uint32_t *part, n;

	spec.options = defaults("eftree");
	route_whole("eftree", f, &routes);
	weft_fault_parts(f, WEFT_PARTS_CABLES | WEFT_PARTS_SWITCHES, &part, &n);
	weft_fault_singles(part, n, &sets);
	ASSERT_EQ(weft_faults_run(f, &routes, &sets, &spec, out, NULL), 0);
	weft_options_free((struct weft_options *)spec.options);
	weft_fault_sets_free(&sets);
	weft_routes_free(&routes);
	weft_fabric_free(f);
	free(part);
}

TEST(test_threads)
{
	struct weft_faults_spec spec = {
		.engine = weft_engine_find("eftree"),
		.threads = 1,
	};
	struct weft_faults a, b;

	run_singles("pgft:2;6,4;1,4;1,1", spec, &a);
	spec.threads = 5;
	run_singles("pgft:2;6,4;1,4;1,1", spec, &b);
	EXPECT_EQ(a.n, 16 + 8);
	EXPECT_EQ(a.classes, 3);
	EXPECT_EQ(a.routed, 3);
	EXPECT_EQ(memcmp(a.fault, b.fault, a.n * sizeof(*a.fault)), 0);
	weft_faults_free(&a);
	weft_faults_free(&b);
}

TEST(test_stop)
{
	struct brake brake = { .after = 5 };
	struct weft_faults_spec spec = {
		.threads = 1,
		.stop = stop,
		.context = &brake,
	};
	struct weft_faults x;
	uint32_t set[24];

	run_singles("pgft:2;6,4;1,4;1,1", spec, &x);
	EXPECT_EQ(x.judged, 5);
	EXPECT_EQ(weft_faults_rank(&x, set), 5);
	for (uint32_t i = 0; i < x.n; i++)
		EXPECT_EQ(x.fault[i].judged, i < 5);
	weft_faults_free(&x);
}

TEST(test_rank)
{
	struct weft_faults_spec spec = { .threads = 1 };
	struct weft_faults x;
	uint32_t set[24];

	run_singles("pgft:2;6,4;1,4;1,1", spec, &x);
	ASSERT_EQ(weft_faults_rank(&x, set), 24);
	/* leaves cut off hosts, then spines break more than cables */
	for (uint32_t i = 0; i < 24; i++) {
		const struct weft_fault_loss *l = &x.fault[set[i]].loss;

		EXPECT_EQ(l->cut, i < 4 ? 6 : 0);
		EXPECT_EQ(set[i] >= 16, i < 8);
		if (i > 4)
			EXPECT(l->bandwidth.mean <= 1e-9 + x.fault[set[i + 1 <
			       24 ? i + 1 : i]] .loss.bandwidth.mean);
	}
	weft_faults_free(&x);
}

/* --- plans ---------------------------------------------------------------- */

static void plan_for(const char *fabric, const uint32_t *part, uint32_t n,
		     double keep, struct weft_fault_plan *out)
{
	struct weft_fabric *f = route_fabric(fabric, -1);
	struct weft_options *options = defaults("eftree");
	const struct weft_faults_spec spec = {
		.engine = weft_engine_find("eftree"),
		.options = options,
		.threads = 1,
	};
	struct weft_fault_plan_spec plan = { part, n, keep };
	struct weft_routes routes;

	route_whole("eftree", f, &routes);
	ASSERT_EQ(weft_faults_plan(f, &routes, &plan, &spec, out, NULL), 0);
	weft_options_free(options);
	weft_routes_free(&routes);
	weft_fabric_free(f);
}

TEST(test_plan)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,4;1,4;1,1", -1);
	uint32_t spine[4], leaf = 0, nspines = 0;
	struct weft_fault_plan x;

	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			spine[nspines++] = s | WEFT_PART_SWITCH;
		else
			leaf = s | WEFT_PART_SWITCH;
	ASSERT_EQ(nspines, 4);
	/* three of four spines, and a leaf: only its own hosts suffer */
	plan_for("pgft:2;4,4;1,4;1,1",
		 (uint32_t[]){ spine[0], spine[1], leaf, spine[2] }, 4, 0, &x);
	EXPECT(x.all.safe && !x.ngroups);
	EXPECT_EQ(x.all.fault.loss.cut, 4);
	weft_fault_plan_free(&x);
	/* all four: nobody is left to talk to */
	plan_for("pgft:2;4,4;1,4;1,1", spine, 4, 0, &x);
	EXPECT(!x.all.safe);
	EXPECT_EQ(x.all.more, 12);
	ASSERT_EQ(x.ngroups, 2);
	EXPECT_EQ(x.group[0].nparts, 3);
	EXPECT_EQ(x.group[1].part[0], spine[3]);
	EXPECT(x.group[0].safe && x.group[1].safe);
	weft_fault_plan_free(&x);
	/* half of the bandwidth: two and two; all of it: none is safe */
	plan_for("pgft:2;4,4;1,4;1,1", spine, 4, .5, &x);
	ASSERT_EQ(x.ngroups, 2);
	EXPECT_EQ(x.group[0].nparts, 2);
	weft_fault_plan_free(&x);
	plan_for("pgft:2;4,4;1,4;1,1", spine, 4, 1, &x);
	ASSERT_EQ(x.ngroups, 4);
	EXPECT(!x.group[0].safe);
	weft_fault_plan_free(&x);
	weft_fabric_free(f);
}

/* Whether parts may be taken out together: who is cut off is so by one of them alone,
 * and the tables that the engine makes of the rest keep enough; *more: others who
 * are cut off. */
static bool is_safe(const struct weft_fabric *f, const uint32_t *part,
		    uint32_t n, double least, uint32_t *more)
{
	const struct weft_saturation_spec spec = { .all_hosts = false };
	struct weft_fabric *left = take_away(f, part, n);
	bool *alone = need(calloc(f->nnodes, sizeof(*alone))), safe;
	uint32_t *node, count;
	struct weft_saturation s;
	struct weft_routes r;

	for (uint32_t i = 0; i < n; i++) {
		ASSERT_EQ(weft_fault_cut(f, part + i, 1, false, &node, &count),
			  0);
		for (uint32_t k = 0; k < count; k++)
			alone[node[k]] = true;
		free(node);
	}
	ASSERT_EQ(weft_fault_cut(f, part, n, false, &node, &count), 0);
	*more = 0;
	for (uint32_t k = 0; k < count; k++)
		*more += !alone[node[k]];
	free(node);
	free(alone);
	safe = !*more && !route_left("eftree", left, &r);
	if (safe) {
		ASSERT_EQ(weft_saturation_run(left, &r, &spec, &s, NULL), 0);
		safe = s.mean >= least - 1e-9;
		weft_routes_free(&r);
	}
	weft_fabric_free(left);
	return safe;
}

/* A plan is what comes of putting each part, in turn, into the first group that stays
 * safe with it. */
static void expect_plan(const char *fabric, const uint32_t *part, uint32_t n,
			double keep)
{
	struct weft_fabric *f = route_fabric(fabric, -1);
	uint32_t group[16][16], size[16] = { 0 }, ngroups = 0, more;
	bool safe[16], all;
	struct weft_fault_plan x;

	plan_for(fabric, part, n, keep, &x);
	all = is_safe(f, part, n, keep * x.before.mean, &more);
	EXPECT_EQ(x.all.safe, all);
	EXPECT_EQ(x.all.more, more);
	EXPECT_EQ(x.all.nparts, n);
	ASSERT_MEM(x.all.part, part, n * sizeof(*part));
	for (uint32_t i = 0; i < n && !all; i++) {
		uint32_t g = 0;

		for (; g < ngroups; g++) {
			group[g][size[g]] = part[i];
			if (safe[g] && is_safe(f, group[g], size[g] + 1,
					       keep * x.before.mean, &more))
				break;
		}
		group[g][size[g]++] = part[i];
		if (g == ngroups)
			safe[ngroups++] = is_safe(f, &part[i], 1,
						  keep * x.before.mean, &more);
	}
	EXPECT(!x.stopped);
	ASSERT_EQ(x.ngroups, ngroups);
	for (uint32_t g = 0; g < ngroups; g++) {
		EXPECT_EQ(x.group[g].safe, safe[g]);
		ASSERT_EQ(x.group[g].nparts, size[g]);
		ASSERT_MEM(x.group[g].part, group[g], size[g] * sizeof(*part));
		EXPECT(x.group[g].fault.judged);
	}
	weft_fault_plan_free(&x);
	weft_fabric_free(f);
}

TEST(test_plan_random)
{
	static const char *const fabrics[] = {
		"pgft:2;4,4;1,4;1,1", "pgft:2;3,4;1,2;1,2",
		"pgft:3;2,3,3;1,2,2;1,1,1",
	};
	static const double keep[] = { 0, .5, .8 };
	struct weft_rng *rng = weft_rng_new(3);

	for (unsigned i = 0; i < 36; i++) {
		struct weft_fabric *f = route_fabric(fabrics[i % 3], -1);
		uint32_t *part, nparts, n = 2 + weft_rng_below(rng, 5);

		ASSERT_EQ(weft_fault_parts(f, WEFT_PARTS_CABLES |
					   WEFT_PARTS_SWITCHES | WEFT_PARTS_LINKS,
					   &part, &nparts), 0);
		weft_rng_shuffle(rng, part, nparts);
		suite_case("%s, round %u", fabrics[i % 3], i);
		expect_plan(fabrics[i % 3], part, n, keep[i / 3 % 3]);
		free(part);
		weft_fabric_free(f);
	}
	weft_rng_free(rng);
}

/* What progress says. */
struct told {
	struct brake brake;	/* the context that both get begins with it */
	uint64_t calls;
};

static void progress(void *context, bool rerouting, uint64_t done, uint64_t all)
{
	struct told *t = context;

	t->calls++;
	EXPECT(!rerouting);
	EXPECT_EQ(done, t->calls);
	EXPECT_EQ(all, 4);
}

/* Of what does not fit at once each part is told of, until it is stopped. */
TEST(test_plan_stops)
{
	struct weft_fabric *f = route_fabric("pgft:2;4,4;1,4;1,1", -1);
	struct weft_routes routes;
	uint32_t spine[4], n = 0;

	route_whole("eftree", f, &routes);
	for (uint32_t s = 0; s < f->nsw; s++)
		if (f->sw_ep_first[s] == f->sw_ep_first[s + 1])
			spine[n++] = s | WEFT_PART_SWITCH;
	for (unsigned after = 0; after < 6; after++) {
		struct told told = { .brake = { .after = after } };
		const struct weft_faults_spec spec = {
			.threads = 1, .stop = stop, .progress = progress,
			.context = &told,
		};
		const struct weft_fault_plan_spec plan = { spine, n, 0 };
		struct weft_fault_plan x;

		ASSERT_EQ(weft_faults_plan(f, &routes, &plan, &spec, &x, NULL),
			  0);
		EXPECT_EQ(x.stopped, after < 4);
		EXPECT_EQ(told.calls, after < 4 ? after : 4);
		EXPECT_EQ(x.ngroups, (after < 4 ? after : 4) == 0 ? 0 :
			  after < 4 ? 1 : 2);
		weft_fault_plan_free(&x);
	}
	weft_routes_free(&routes);
	weft_fabric_free(f);
}
