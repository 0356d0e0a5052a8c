// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Results of simulations as bytes, and back. */
#include "sim_util.h"

#include "tools/sim/ship.h"

#include <errno.h>

#define US 1000000ull /* ps */

/* Compares arrays of n elements; the copy is no part of the original. */
#define CHECK_ARRAY(a, b, field, n)                                            \
	do {                                                                   \
		ASSERT_EQ(!(a)->field, !(b)->field);               \
		EXPECT(!(a)->field || (a)->field != (b)->field);            \
		EXPECT(!(a)->field ||                                       \
			  !memcmp((a)->field, (b)->field,                      \
				  (n) * sizeof(*(a)->field)));                 \
	} while (0)

static void check_arrays(const struct weft_sim *a, const struct weft_sim *b)
{
	const uint64_t lanes = (uint64_t)a->channels * a->lanes;

	CHECK_ARRAY(a, b, host, a->hosts);
	CHECK_ARRAY(a, b, lane_bytes, lanes);
	CHECK_ARRAY(a, b, packet_bin, a->packet_bins);
	CHECK_ARRAY(a, b, message_bin, a->message_bins);
	CHECK_ARRAY(a, b, flow, a->flows);
	CHECK_ARRAY(a, b, part, a->parts);
	CHECK_ARRAY(a, b, part_bin, a->part_bins);
	CHECK_ARRAY(a, b, round_ps, a->rounds);
	CHECK_ARRAY(a, b, job_began, a->jobs);
	CHECK_ARRAY(a, b, job_done, a->jobs);
	CHECK_ARRAY(a, b, deadlock.channel, a->deadlock.n);
	CHECK_ARRAY(a, b, deadlock.lane, a->deadlock.n);
	CHECK_ARRAY(a, b, deadlock.packet, a->deadlock.n);
	CHECK_ARRAY(a, b, deadlock.lid, a->deadlock.n);
	CHECK_ARRAY(a, b, deadlock.sl, a->deadlock.n);
	CHECK_ARRAY(a, b, trace.stop, a->trace.n);
}

/*
 * What two runs of the same differ in is pointers, whichever fields there are:
 * those of the copy are its own, or NULL, and all else is the same.
 */
static void check_words(const struct weft_sim *a, const struct weft_sim *again,
			const struct weft_sim *copy)
{
	for (size_t i = 0; i < sizeof(*a); i += sizeof(uintptr_t)) {
		uintptr_t word[3];

		memcpy(&word[0], (const char *)a + i, sizeof(word[0]));
		memcpy(&word[1], (const char *)again + i, sizeof(word[0]));
		memcpy(&word[2], (const char *)copy + i, sizeof(word[0]));
		EXPECT_EQ(word[0] == word[1], word[0] == word[2]);
	}
}

/* Each beginning of it is refused, and what has something behind it. */
static void check_cut(const char *bytes, size_t n)
{
	struct weft_sim out = { .hosts = 77 };
	char *longer = calloc(n + 1, 1);

	ASSERT(longer);
	memcpy(longer, bytes, n);
	EXPECT_EQ(tool_sim_unpack(longer, n + 1, &out), -EINVAL);
	free(longer);
	for (size_t i = 0; i < n; i++) {
		/* a block of its own, so that reading on is noticed */
		char *part = malloc(i + 1);

		memcpy(part, bytes, i);
		EXPECT_EQ(tool_sim_unpack(part, i, &out), -EINVAL);
		free(part);
	}
	EXPECT_EQ(out.hosts, 77);
}

/* Ships a result, of which there is another one; frees both. */
static void ship(struct weft_sim *a, struct weft_sim *again)
{
	size_t n = tool_sim_pack(a, NULL);
	struct weft_sim copy = { 0 };
	char *bytes = malloc(n);

	ASSERT(bytes);
	EXPECT_EQ(tool_sim_pack(a, bytes), n);
	ASSERT_EQ(tool_sim_unpack(bytes, n, &copy), 0);
	check_arrays(a, &copy);
	check_words(a, again, &copy);
	check_cut(bytes, n);
	free(bytes);
	weft_sim_free(&copy);
	weft_sim_free(a);
	weft_sim_free(again);
}

TEST(test_deadlock)
{
	struct sim_case c = sim_make("ring:4,hosts=2", "minhop");
	struct weft_sim a, again;

	c.spec.time = 1000 * US;
	a = sim_run(&c);
	again = sim_run(&c);
	EXPECT(a.deadlocked && a.deadlock.n == 4);
	ship(&a, &again);
	sim_free(&c);
}

/* Messages of several packets, one of which is followed, or would be, and
 * latencies of all parts. */
TEST(test_trace)
{
	struct sim_case c = sim_make("pgft:2;2,2;1,2;1,1", "weave");

	c.spec.time = 100 * US;
	c.spec.bytes = 5000;
	c.spec.parts = true;
	c.spec.trace_to = c.f->nep - 1;
	for (uint64_t number = 3; number < 4000; number += 2000) {
		struct weft_sim a, again;

		c.spec.trace_number = number;
		a = sim_run(&c);
		again = sim_run(&c);
		EXPECT(a.packet_bins && a.message_bins);
		EXPECT(a.parts && a.part_bins);
		EXPECT(a.trace.stop);
		EXPECT_EQ(!a.trace.n, number > 3);
		ship(&a, &again);
	}
	sim_free(&c);
}

TEST(test_pairs)
{
	const struct weft_pair pair[] = { { 0, 2 }, { 1, 2 } };
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");

	c.spec.time = 100 * US;
	for (int endless = 0; endless < 2; endless++) {
		struct weft_sim a, again;

		c.spec.endless = endless;
		a = sim_pairs(&c, pair, 2, 10000);
		again = sim_pairs(&c, pair, 2, 10000);
		EXPECT_EQ(a.flows, endless ? 2 : 0);
		EXPECT_EQ(a.rounds, endless ? 0 : 1);
		ship(&a, &again);
	}
	sim_free(&c);
}

TEST(test_schedule)
{
	struct sim_case c = sim_make("pgft:1;4;1;1", "minhop");
	struct weft_sim_schedule schedule;
	struct weft_traffic *t;
	struct weft_sim a, again;

	ASSERT_EQ(weft_traffic_new("shift", 4, &t, NULL), 0);
	ASSERT_EQ(weft_sim_schedule_rounds(t, 3000, WEFT_SIM_SYNC_RANK, true, 1,
		  1, &schedule), 0);
	c.spec.schedule = &schedule;
	a = sim_run(&c);
	again = sim_run(&c);
	EXPECT(a.jobs >= 24);
	ship(&a, &again);
	weft_sim_schedule_free(&schedule);
	weft_traffic_free(t);
	sim_free(&c);
}

/* Counts that no buffer has, also where their product is more than there are
 * numbers. */
TEST(test_counts)
{
	struct weft_sim_flow flow = { 0 };
	struct weft_sim out, sim = { .flow = &flow };
	uint64_t bytes;

	sim.flows = UINT64_MAX;
	EXPECT_EQ(tool_sim_unpack(&sim, sizeof(sim), &out), -EINVAL);
	sim = (struct weft_sim){ .lane_bytes = &bytes,
				 .channels = UINT32_MAX,
				 .lanes = UINT32_MAX };
	EXPECT_EQ(tool_sim_unpack(&sim, sizeof(sim), &out), -EINVAL);
}
