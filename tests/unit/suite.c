// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The harness of the unit tests; see suite.h. */
#include "suite.h"

#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#define MOST 20		/* failures of a test that are printed */

void *suite_state;
static struct suite_test *tests, **end_of_tests = &tests;
static jmp_buf end_of_test;
static unsigned failed, before;	/* before: those of other tests */
static bool skipped;
static char words[256];		/* of the case */

/* --- running -------------------------------------------------------------- */

void suite_skip(void)
{
	skipped = true;
	longjmp(end_of_test, 1);
}

void suite_case(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(words, sizeof(words), format, ap);
	va_end(ap);
}

static void run(const struct suite_test *test)
{
	suite_state = NULL;
	skipped = false;
	*words = '\0';
	before = failed;
	printf("%s\n", test->name);
	fflush(stdout);
	if (!setjmp(end_of_test)) {
		if (test->set_up && test->set_up(&suite_state))
			ASSERT_NEVER("it cannot be set up");
		test->run();
	}
	if (test->tear_down && !setjmp(end_of_test) &&
	    test->tear_down(&suite_state))
		ASSERT_NEVER("it cannot be torn down");
	if (failed > before)
		printf("  FAILED\n");
	else if (skipped)
		printf("  skipped\n");
}

void suite_add(struct suite_test *test)
{
	*end_of_tests = test;
	end_of_tests = &test->next;
}

int suite_run(void)
{
	unsigned n = 0;

#ifdef M_PERTURB
	/* What nobody wrote is not 0, and what was freed is overwritten. */
	mallopt(M_PERTURB, 0x5a);
#endif
	for (const struct suite_test *t = tests; t; t = t->next, n++)
		run(t);
	printf("%u tests, %u failures\n", n, failed);
	return failed || !n ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* --- checks --------------------------------------------------------------- */

static void fail(struct suite_at at, const char *format, va_list ap)
{
	if (failed++ - before < MOST) {
		printf("  %s:%d: ", at.file, at.line);
		vprintf(format, ap);
		printf("%s%s\n", *words ? "; " : "", words);
		fflush(stdout);
	}
	if (at.fatal)
		longjmp(end_of_test, 1);
}

void suite_fail(struct suite_at at, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fail(at, format, ap);
	va_end(ap);
}

void suite_true(struct suite_at at, bool is, const char *what)
{
	if (!is)
		suite_fail(at, "not so: %s", what);
}

void suite_equal(struct suite_at at, long long a, long long b,
		 const char *what)
{
	if (a != b)
		suite_fail(at, "not so: %s: %lld, %lld", what, a, b);
}

void suite_equal_real(struct suite_at at, double a, double b, const char *what)
{
	if (!(a == b))
		suite_fail(at, "not so: %s: %.17g, %.17g", what, a, b);
}

void suite_differ(struct suite_at at, long long a, long long b,
		  const char *what)
{
	if (a == b)
		suite_fail(at, "not so: %s: both are %lld", what, a);
}

void suite_near(struct suite_at at, double a, double b, double by,
		const char *what)
{
	if (!(fabs(a - b) <= fabs(by)))
		suite_fail(at, "%s is %.9g, not %.9g +- %g", what, a, b, by);
}

void suite_within(struct suite_at at, long long value, long long least,
		  long long most, const char *what)
{
	if (value < least || value > most)
		suite_fail(at, "%s is %lld, not %lld to %lld", what, value,
			   least, most);
}

void suite_equal_text(struct suite_at at, const char *a, const char *b,
		      const char *what)
{
	if (!a || !b || strcmp(a, b))
		suite_fail(at, "%s is \"%s\", not \"%s\"", what,
			   a ? a : "(null)", b ? b : "(null)");
}

void suite_equal_bytes(struct suite_at at, const void *a, const void *b,
		       size_t n, const char *what)
{
	const unsigned char *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i]) {
			suite_fail(at, "byte %zu of %s is 0x%02x, not 0x%02x",
				   i, what, x[i], y[i]);
			return;
		}
}

void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

/* --- messages ------------------------------------------------------------- */

void suite_hear(void *context, const struct weft_message *m)
{
	struct suite_words *w = context;

	w->severity = m->severity;
	snprintf(w->file, sizeof(w->file), "%s", m->file ? m->file : "");
	w->line = m->line;
	snprintf(w->text, sizeof(w->text), "%s", m->text);
}
