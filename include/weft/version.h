/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The version: at compile time by macros, at run time by a function.
 *
 * configure.ac reads the three numbers below, which stand nowhere else.
 *
 * Before 1.0 nothing about the binary interface is promised: structures are
 * public and may grow or change with every 0.x release.  A release that
 * changes what programs were compiled against has another soname, so that a
 * program never runs with a library whose structures it does not know; it is
 * compiled anew.
 */
#ifndef WEFT_VERSION_H
#define WEFT_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

#define WEFT__TEXT_(x) #x
#define WEFT__TEXT(x) WEFT__TEXT_(x)

/* "major.minor.patch" */
#define WEFT_VERSION WEFT__TEXT(WEFT_VERSION_MAJOR) "." \
	WEFT__TEXT(WEFT_VERSION_MINOR) "." WEFT__TEXT(WEFT_VERSION_PATCH)

/* One number to compare with: #if WEFT_VERSION_NUMBER >= 200 asks for 0.2.0. */
#define WEFT_VERSION_NUMBER (WEFT_VERSION_MAJOR * 10000 + \
			     WEFT_VERSION_MINOR * 100 + WEFT_VERSION_PATCH)

/* WEFT_VERSION of the library that the program runs with.  Static storage. */
const char *weft_version(void);

#ifdef __cplusplus
}
#endif
#endif
