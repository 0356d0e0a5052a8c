/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Programs that read what is written for them and write what they make of it.
 */
#ifndef WEFT_DRAW_FILTER_H
#define WEFT_DRAW_FILTER_H

#include <stdio.h>

/*
 * Runs a program, argv[0], found by $PATH, with what is in "in" as its standard
 * input and "out", which is rewound then, as its standard output.  Both are
 * files, so that no pipe can break half-way.  0; -ENOENT: there is no such
 * program; -EIO: it failed; another -errno.
 */
int weft__filter_run(char *const argv[], FILE *in, FILE *out);

#endif
