/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the tests of the table formats share. */
#ifndef TESTS_IO_TABLES_UTIL_H
#define TESTS_IO_TABLES_UTIL_H

#include "../suite.h"

#include <stdlib.h>
#include <string.h>

#include <weft/weft.h>

/* A receiver that keeps what it is told. */
#define HEARD_MAX 64
struct heard {
	struct weft_diag diag;
	unsigned n;
	struct {
		enum weft_severity severity;
		unsigned long line;
		char text[256];
	} message[HEARD_MAX];
};

void heard_init(struct heard *heard);
/* Fails unless a message of that severity and line contains text. */
#define assert_heard(heard, severity, line, text) \
	heard_expect(heard, severity, line, text, __FILE__, __LINE__)
void heard_expect(const struct heard *heard, enum weft_severity severity,
		  unsigned long line, const char *text, const char *file,
		  int at);
/* Fails unless that many warnings and errors, and no more, were heard. */
#define assert_heard_count(heard, warnings, errors) \
	heard_expect_count(heard, warnings, errors, __FILE__, __LINE__)
void heard_expect_count(const struct heard *heard, unsigned warnings,
			unsigned errors, const char *file, int at);

/* A temporary file that holds size bytes of text; the path is overwritten by
 * the next call. */
const char *file_with(const char *text, size_t size);
/* Its whole content, NUL-terminated, malloc()ed. */
char *file_content(const char *path, size_t *size);

/*
 *   host 0xa1        host 0xb1        host 0xc1
 *   lid 4 |p1        lid 5 |p1        lid 6 |p1
 *   switch 0x10 p2--p2 switch 0x20 p3--p3 switch 0x30
 *   lid 1              lid 2       p4--p4  lid 3
 *
 * Four ports each; port 0 of switch 0x20 has the port GUID 0x1020.
 */
struct weft_fabric *small_fabric(void);

/* A random connected fabric with LIDs, some of them skipped; endports answer to
 * 2^lmc LIDs.  Names hold quotes, brackets and '#'. */
struct weft_fabric *random_named_fabric(struct weft_rng *rng, unsigned lmc);

#endif
