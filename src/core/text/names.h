/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The order of names as people count. */
#ifndef WEFT_CORE_NAMES_H
#define WEFT_CORE_NAMES_H

/* Compares names, and numbers in them by value: node9 is before node10.  0 for
 * equal ones only. */
int weft__compare_names(const char *a, const char *b);

#endif
