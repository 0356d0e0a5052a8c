/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names on their way out: a node description may hold any byte but NUL. */
#ifndef WEFT_IO_TEXT_H
#define WEFT_IO_TEXT_H

#include <stddef.h>
#include <stdio.h>

struct weft_diag;

/* A copy in which every byte that is not UTF-8 has become '?'; NULL without
 * memory.  The caller frees it. */
char *weft__utf8_copy(const char *s);

/*
 * A name as one line of a dump can hold it: control characters become '?', and
 * what exceeds 64 bytes, a node description, is cut, as OpenSM reads lines of
 * 1 KiB.  Returns buffer.
 */
#define WEFT__NAME_SIZE 65
const char *weft__clean_name(const char *name, char buffer[WEFT__NAME_SIZE]);

/* A double-quoted string of the DOT language. */
void weft__put_dot_string(FILE *out, const char *s);

/* weft_io_csv_quoted(), in quotes only where RFC 4180 demands them. */
void weft__put_csv_field(FILE *out, const char *s);

/* Flushes: 0, or -errno after an error if anything written was lost. */
int weft__finish_output(FILE *out, struct weft_diag *diag);

#endif
