// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Arena, arrays that grow, diagnostics, options, random numbers, forwarding tables,
 * threads. */
#include "../suite.h"

#include "config.h"
#include "core/arena.h"
#include "core/grow.h"
#include "core/list.h"
#include "core/quiet_thread.h"

#include <weft/lft.h>
#include <weft/options.h>
#include <weft/rng.h>
#include <weft/version.h>

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

TEST(test_arena)
{
	struct weft_arena *a = weft__arena_new();
	unsigned char *p[300];

	/* Neighbours must not overlap, whatever their sizes. */
	for (unsigned i = 0; i < 300; i++) {
		size_t n = (i * 7919u) % 40000;

		p[i] = weft__arena_alloc(a, n, 1);
		ASSERT(p[i]);
		EXPECT((uintptr_t)p[i] % (n >= 64 ? 64 : 16) == 0);
		memset(p[i], (int)i, n);
	}
	for (unsigned i = 0; i < 300; i++)
		for (size_t k = 0; k < (i * 7919u) % 40000; k++)
			if (p[i][k] != (unsigned char)i)
				ASSERT_NEVER("overlap");
	EXPECT_EQ(weft__arena_error(a), 0);
	EXPECT(!weft__arena_alloc(a, SIZE_MAX, 2));
	EXPECT_EQ(weft__arena_error(a), -ENOMEM);
	EXPECT_EQ(weft__arena_error(NULL), -ENOMEM);
	EXPECT(!weft__arena_alloc(a, SIZE_MAX / 2 + 1, 1));
	EXPECT_STR(weft__arena_string(a, "abcdef", 3), "abc");
	weft__arena_free(a);
	weft__arena_free(NULL);
}

/* Room for what is asked at least, in few steps, or the array as it was. */
TEST(test_grow)
{
	uint64_t *a = NULL, *before;
	size_t room = 0, steps = 0, was;

	for (uint64_t n = 1; n < 100000; n++) {
		was = room;
		ASSERT(!weft__grow(&a, &room, n) && room >= n);
		steps += room != was;
		a[n - 1] = n;
	}
	EXPECT(steps < 20);
	for (uint64_t n = 1; n < 100000; n++)
		if (a[n - 1] != n)
			ASSERT_NEVER("lost");
	/* much more than twice at once */
	ASSERT(!weft__grow(&a, &room, 1000003) && room >= 1000003);
	a[1000002] = 1;
	before = a;
	was = room;
	EXPECT_EQ(weft__grow(&a, &room, SIZE_MAX / 8 + 2), -ENOMEM);
	EXPECT_EQ(weft__grow(&a, &room, UINT64_MAX), -ENOMEM);
	EXPECT_EQ(weft__resize(&a, PTRDIFF_MAX / 8 + 1ull), -ENOMEM);
	EXPECT(a == before && room == was && a[1000002] == 1);
	EXPECT(!weft__resize(&a, 0) && a);
	free(a);
}

/* One by one, without a record of the room. */
TEST(test_grow_one)
{
	uint32_t *a = NULL, steps = 0;

	for (uint32_t n = 0; n < 5000; n++) {
		uint32_t *before = a;

		ASSERT(!weft__grow_one(&a, n));
		steps += a != before;
		a[n] = n;
	}
	EXPECT(steps <= 14);
	for (uint32_t n = 0; n < 5000; n++)
		if (a[n] != n)
			ASSERT_NEVER("lost");
	free(a);
}

TEST(test_diag)
{
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w, .limit = 2 };

	weft_diag_at(&d, WEFT_WARNING, "f", 7, "%d bad", 3);
	EXPECT_STR(w.text, "3 bad");
	EXPECT_STR(w.file, "f");
	EXPECT_EQ(w.line, 7);
	for (int i = 0; i < 10; i++)
		weft_diag_say(&d, WEFT_WARNING, "w%d", i);
	EXPECT_STR(w.text, "w0");	/* the limit is two */
	EXPECT_EQ(d.count[WEFT_WARNING], 11);
	weft_diag_finish(&d);
	EXPECT_STR(w.text, "9 more warnings not shown");
	for (int i = 0; i < 5; i++)
		EXPECT_EQ(weft_fail(&d, EINVAL, "e%d", i), -EINVAL);
	EXPECT_STR(w.text, "e4");	/* errors are never held */
	EXPECT_EQ(weft_fail_at(&d, EIO, "g", 9, "%s", "cut"), -EIO);
	EXPECT_STR(w.text, "cut");
	EXPECT_STR(w.file, "g");
	EXPECT_EQ(w.line, 9);
	weft_diag_say(NULL, WEFT_ERROR, "nobody listens");
}

static const struct weft_option table[] = {
	{ .name = "n", .type = WEFT_OPT_INT, .preset = "4", .min = 1,
	  .max = 9, .help = "a number" },
	{ .name = "flag", .type = WEFT_OPT_BOOL, .preset = "no",
	  .help = "a flag" },
	{ .name = "r", .type = WEFT_OPT_REAL, .preset = "0.5",
	  .help = "a share" },
	{ .name = "s", .type = WEFT_OPT_STRING, .help = "a text" },
	{ .name = "mode", .type = WEFT_OPT_ENUM, .preset = "slow",
	  .choices = "slow|fast|fastest", .help = "a choice" },
	{ .type = WEFT_OPT_END },
};

/* A digest knows what differs from the defaults, and nothing else. */
static void expect_digests(void)
{
	static const char *const said[] = { "n=9", "s=a", "s=b", "n=5" };
	uint64_t digest[5];
	struct weft_options *o;

	for (unsigned i = 0; i < 5; i++) {
		ASSERT_EQ(weft_options_new(&o, table), 0);
		if (i)
			weft_options_parse(o, said[i - 1], NULL);
		digest[i] = weft__options_digest(o);
		for (unsigned k = 0; k < i; k++)
			EXPECT_NE(digest[i], digest[k]);
		weft_options_free(o);
	}
	ASSERT_EQ(weft_options_new(&o, table), 0);
	EXPECT_EQ(weft_options_parse(o, "n=4", NULL), 0);
	EXPECT_EQ(weft__options_digest(o), digest[0]);
	weft_options_free(o);
}

TEST(test_options)
{
	static const struct { const char *text; int err; } cases[] = {
		{ "n=9", 0 }, { "n=0", -EINVAL }, { "n=10", -EINVAL },
		{ "n=x", -EINVAL }, { "n=", -EINVAL }, { "n=5x", -EINVAL },
		{ "n", -EINVAL }, { "flag", 0 }, { "flag=off", 0 },
		{ "flag=maybe", -EINVAL }, { "r=0.25", 0 },
		{ "r=nan", -EINVAL }, { "r=inf", -EINVAL }, { "s=a=b", 0 },
		{ "mode=fast", 0 }, { "mode=fas", -EINVAL },
		{ "mode=fastestt", -EINVAL }, { "mode=", -EINVAL },
		{ "what=1", -ENOENT }, { "=1", -ENOENT }, { "", -ENOENT },
	};
	struct suite_words w = { 0 };
	struct weft_diag d = { .emit = suite_hear, .context = &w };
	struct weft_options *o;

	ASSERT_EQ(weft_options_new(&o, table), 0);
	EXPECT_EQ(weft_options_int(o, "n"), 4);
	EXPECT(!weft_options_text(o, "s"));
	EXPECT(!weft_options_given(o, "n"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		EXPECT_EQ(weft_options_parse(o, cases[i].text, &d),
			  cases[i].err);
	EXPECT_EQ(weft_options_int(o, "n"), 9);
	EXPECT(weft_options_given(o, "n"));
	EXPECT(!weft_options_bool(o, "flag"));
	EXPECT_EQ(weft_options_real(o, "r"), 0.25);
	EXPECT_STR(weft_options_text(o, "s"), "a=b");
	EXPECT_STR(weft_options_text(o, "mode"), "fast");
	for (unsigned i = 0; i < 5; i++) {
		if (table[i].type == WEFT_OPT_BOOL)
			continue;
		EXPECT_EQ(weft_options_parse(o, table[i].name, &d), -EINVAL);
		EXPECT(strstr(w.text, "needs a value"));
	}
	EXPECT_EQ(weft_options_set(o, "n", "77", "c.conf", 3, &d), -EINVAL);
	EXPECT_STR(w.file, "c.conf");
	EXPECT_EQ(w.line, 3);
	EXPECT(strstr(w.text, "from 1 to 9"));
	EXPECT_EQ(weft_options_set(o, "m", "1", NULL, 0, &d), -ENOENT);
	EXPECT(strstr(w.text, "n, flag, r, s, mode"));
	weft_options_free(o);
	expect_digests();
	ASSERT_EQ(weft_options_new(&o, NULL), 0);
	EXPECT_EQ(weft_options_parse(o, "n=1", &d), -ENOENT);
	weft_options_free(o);
}

/* The first numbers of MT19937's reference implementation, seed 5489. */
TEST(test_rng_reference)
{
	static const uint32_t first[] = { 3499211612u, 581869302u,
					  3890346734u, 3586334585u };
	struct weft_rng *r = weft_rng_new(5489);

	for (unsigned i = 0; i < 4; i++)
		EXPECT_EQ(weft_rng_u32(r), first[i]);
	weft_rng_free(r);
}

TEST(test_rng_uniform)
{
	enum { BINS = 12, DRAWS = 120000 };
	uint32_t count[BINS] = { 0 }, a[BINS], place[BINS] = { 0 };
	struct weft_rng *r = weft_rng_new(1);
	double chi = 0, chi_place = 0;

	for (unsigned i = 0; i < DRAWS; i++)
		count[weft_rng_below(r, BINS)]++;
	for (unsigned i = 0; i < DRAWS; i++) {
		for (unsigned k = 0; k < BINS; k++)
			a[k] = k;
		weft_rng_shuffle(r, a, BINS);
		place[a[3]]++;
	}
	for (unsigned k = 0; k < BINS; k++) {
		double e = (double)DRAWS / BINS;

		chi += (count[k] - e) * (count[k] - e) / e;
		chi_place += (place[k] - e) * (place[k] - e) / e;
	}
	/* 99.9 % of chi-square with 11 degrees of freedom is below 31.3. */
	EXPECT(chi < 31.3);
	EXPECT(chi_place < 31.3);
	EXPECT_EQ(weft_rng_below(r, 1), 0);
	weft_rng_free(r);
}

TEST(test_rng_samples)
{
	struct weft_rng *r = weft_rng_new(1);
	uint32_t a, b, c;

	weft_rng_seed_sample(r, 7, 100);
	a = weft_rng_u32(r);
	weft_rng_seed_sample(r, 7, 101);
	b = weft_rng_u32(r);
	weft_rng_seed_sample(r, 8, 100);
	c = weft_rng_u32(r);
	EXPECT(a != b && a != c && b != c);
	weft_rng_seed_sample(r, 7, 100);
	EXPECT_EQ(weft_rng_u32(r), a);
	weft_rng_free(r);
}

TEST(test_lft)
{
	struct weft_lft a, b;
	struct weft_lft_diff diff;
	uint8_t *columns = malloc(64 * 3);

	ASSERT_EQ(weft_lft_init(&a, 3, 130), 0);
	ASSERT_EQ(weft_lft_init(&b, 3, 63), 0);
	EXPECT_EQ(a.stride, 192);
	EXPECT_EQ(b.stride, 64);
	EXPECT_EQ(weft_lft_get(&b, 2, 64), WEFT_NO_PORT);
	weft_lft_compare(&a, &b, &diff);
	EXPECT_EQ(diff.entries, 0);
	weft_lft_row(&a, 1)[5] = 1;
	weft_lft_row(&a, 1)[6] = 2;
	weft_lft_row(&a, 2)[5] = 3;
	weft_lft_row(&a, 2)[130] = 4;
	weft_lft_compare(&a, &b, &diff);
	EXPECT_EQ(diff.entries, 4);
	EXPECT_EQ(diff.blocks, 3);
	EXPECT_EQ(diff.switches, 2);
	EXPECT_EQ(diff.lids, 3);
	weft_lft_columns(&a, 2, columns);
	EXPECT_EQ(columns[2 * 3 + 2], 4);
	EXPECT_EQ(columns[2 * 3 + 1], WEFT_NO_PORT);
	weft_lft_columns(&a, 0, columns);
	EXPECT_EQ(columns[5 * 3 + 1], 1);
	EXPECT_EQ(columns[5 * 3 + 2], 3);
	free(columns);
	weft_lft_free(&a);
	weft_lft_free(&b);
	weft_lft_free(&b);
}

/* One version, in the header, the library and the package. */
TEST(test_version)
{
	int number = 0, part[3];

	EXPECT_STR(weft_version(), WEFT_VERSION);
	EXPECT_STR(weft_version(), PACKAGE_VERSION);
	EXPECT_EQ(sscanf(weft_version(), "%d.%d.%d", &part[0], &part[1],
		  &part[2]), 3);
	for (unsigned i = 0; i < 3; i++)
		number = number * 100 + part[i];
	EXPECT_EQ(number, WEFT_VERSION_NUMBER);
}

static void *read_mask(void *context)
{
	pthread_sigmask(SIG_SETMASK, NULL, context);
	return NULL;
}

TEST(test_no_signal_wakes_a_thread)
{
	sigset_t its, mine;
	pthread_t thread;

	ASSERT(weft__thread_start(&thread, read_mask, &its));
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_SETMASK, NULL, &mine);
	EXPECT(sigismember(&its, SIGHUP) && sigismember(&its, SIGTERM));
	EXPECT(!sigismember(&mine, SIGHUP) && !sigismember(&mine, SIGTERM));
}
