/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The harness of the unit tests.  EXPECT_... note a failure and go on, ASSERT_...
 * end the test with it; both print where it was, the values, and the case that
 * suite_case() names.
 */
#ifndef WEFT_TESTS_SUITE_H
#define WEFT_TESTS_SUITE_H

#include <weft/diag.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct suite_test {
	const char *name;
	void (*run)(void);
	int (*set_up)(void **state);	/* 0: suite_state is ready */
	int (*tear_down)(void **state);
	struct suite_test *next;
};

/* A test, which stands before its block; those of a file run in its order. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down) \
	static void name(void); \
	__attribute__((constructor)) static void add_##name(void) \
	{ \
		static struct suite_test test = { #name, name, set_up, \
						  tear_down, NULL }; \
		suite_add(&test); \
	} \
	static void name(void)
void suite_add(struct suite_test *test);

/* What set_up() made for the test that runs. */
extern void *suite_state;

/* Runs all tests; the value for main() to return, which need not be written. */
int suite_run(void);
/* Ends a test that cannot be run here. */
void suite_skip(void);
/* Names the case that the checks to come are about, until the next one or the end
 * of the test. */
void suite_case(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- checks --------------------------------------------------------------- */

struct suite_at {
	const char *file;
	int line;
	bool fatal;
};
#define SUITE_AT(fatal) ((struct suite_at){ __FILE__, __LINE__, fatal })

void suite_fail(struct suite_at at, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void suite_true(struct suite_at at, bool is, const char *what);
void suite_equal(struct suite_at at, long long a, long long b,
		 const char *what);
void suite_equal_real(struct suite_at at, double a, double b,
		      const char *what);
void suite_differ(struct suite_at at, long long a, long long b,
		  const char *what);
void suite_near(struct suite_at at, double a, double b, double by,
		const char *what);
void suite_within(struct suite_at at, long long value, long long least,
		  long long most, const char *what);
void suite_equal_text(struct suite_at at, const char *a, const char *b,
		      const char *what);
void suite_equal_bytes(struct suite_at at, const void *a, const void *b,
		       size_t n, const char *what);

#define SUITE_EQ(fatal, a, b) \
	_Generic((a) + (b), float: suite_equal_real, double: suite_equal_real, \
		 default: suite_equal)(SUITE_AT(fatal), a, b, #a " == " #b)

#define EXPECT(x) suite_true(SUITE_AT(false), x, #x)
#define EXPECT_EQ(a, b) SUITE_EQ(false, a, b)
#define EXPECT_NE(a, b) suite_differ(SUITE_AT(false), a, b, #a " != " #b)
#define EXPECT_NEAR(a, b, by) suite_near(SUITE_AT(false), a, b, by, #a)
#define EXPECT_STR(a, b) suite_equal_text(SUITE_AT(false), a, b, #a)
#define ASSERT(x) suite_true(SUITE_AT(true), x, #x)
#define ASSERT_EQ(a, b) SUITE_EQ(true, a, b)
#define ASSERT_NE(a, b) suite_differ(SUITE_AT(true), a, b, #a " != " #b)
#define ASSERT_WITHIN(value, least, most) \
	suite_within(SUITE_AT(true), value, least, most, #value)
#define ASSERT_STR(a, b) suite_equal_text(SUITE_AT(true), a, b, #a)
#define ASSERT_MEM(a, b, n) suite_equal_bytes(SUITE_AT(true), a, b, n, #a)
#define EXPECT_NEVER(...) suite_fail(SUITE_AT(false), __VA_ARGS__)
#define ASSERT_NEVER(...) suite_fail(SUITE_AT(true), __VA_ARGS__)

/* Returns p, which memory is not refused for. */
void *need(void *p);

/* --- messages ------------------------------------------------------------- */

/* Keeps the last message, for tests of what was said. */
struct suite_words {
	enum weft_severity severity;
	char file[256];
	unsigned long line;
	char text[2048];
};

void suite_hear(void *context, const struct weft_message *message);

#endif
