/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the fuzz targets of the table formats share. */
#ifndef TESTS_FUZZ_TABLES_UTIL_H
#define TESTS_FUZZ_TABLES_UTIL_H

#include <weft/weft.h>

#include "io/formats.h"
#include "io/tables/tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * The fabric that tables are read for, made once: switches 0x10, 0x20 (port
 * GUID 0x1020) and 0x30 with LIDs 1 to 3 in a row, a host on each with port
 * GUIDs 0xa1, 0xb1, 0xc1 and LIDs 4, 6 and 8, LMC 1.
 */
const struct weft_fabric *fuzz_fabric(void);

/* The input as a source. */
static inline struct weft__source fuzz_source(const uint8_t *data, size_t size)
{
	return weft__source_text("input", size ? (const char *)data : "",
				 size);
}

/* Whether there is a NUL byte in it, which every reader refuses. */
static inline bool fuzz_has_nul(const struct weft__source *source)
{
	return memchr(source->data, 0, source->size);
}

/* Stops the program where a promise is broken. */
#define fuzz_require(condition) \
	((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const char *condition, const char *file, int line);

#endif
