/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Running a table of CUnit tests, and a receiver that keeps messages. */
#ifndef WEFT_TESTS_SUITE_H
#define WEFT_TESTS_SUITE_H

#include <weft/diag.h>

#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

struct suite_test {
	const char *name;
	void (*run)(void);
};

/* Runs tests[] (ends with a NULL name); the value for main() to return. */
static inline int suite_run(const char *name, const struct suite_test *tests)
{
	CU_pSuite suite;
	unsigned failed;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	suite = CU_add_suite(name, NULL, NULL);
	for (; suite && tests->name; tests++)
		if (!CU_add_test(suite, tests->name, tests->run))
			suite = NULL;
	if (!suite) {
		CU_cleanup_registry();
		return 1;
	}
	CU_basic_set_mode(CU_BRM_VERBOSE);
	CU_basic_run_tests();
	failed = CU_get_number_of_failures();
	CU_cleanup_registry();
	return failed ? 1 : 0;
}

/* Keeps the last message, for tests of what was said. */
struct suite_words {
	enum weft_severity severity;
	char file[256];
	unsigned long line;
	char text[2048];
};

static inline void suite_hear(void *context, const struct weft_message *m)
{
	struct suite_words *w = context;

	w->severity = m->severity;
	snprintf(w->file, sizeof(w->file), "%s", m->file ? m->file : "");
	w->line = m->line;
	snprintf(w->text, sizeof(w->text), "%s", m->text);
}

#endif
