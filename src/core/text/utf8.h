/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Bytes that are text, and bytes that are not. */
#ifndef WEFT_CORE_UTF8_H
#define WEFT_CORE_UTF8_H

#include <stddef.h>

/*
 * Length of the well-formed UTF-8 sequence that s begins with (1 to 4), 0 if
 * there is none.  s is NUL-terminated and not empty.
 */
size_t weft__utf8_length(const char *s);

#endif
