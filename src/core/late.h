/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Libraries that few runs need.  They are loaded when something of them is
 * called first: with what they depend on, librsvg and Clp would more than
 * double the time that each run of the command takes to start.
 *
 * A file lists the functions that it calls, LIST(WEFT__LATE), as members of a
 * struct of pointers, and LIST(WEFT__LATE_NAME) as their names, in the same
 * order.
 */
#ifndef WEFT_CORE_LATE_H
#define WEFT_CORE_LATE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define WEFT__LATE(function) __typeof__(function) *function;
#define WEFT__LATE_NAME(function) #function,

/* Fills calls, a struct of n pointers, with the functions of these names in a
 * library and in those that it depends on.  False if one is missing.  The
 * library stays. */
static inline bool weft__load_late(void *calls, const char *soname,
				   const char *const *names, size_t n)
{
	void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL), *function;

	for (size_t i = 0; library && i < n; i++) {
		function = dlsym(library, names[i]);
		if (!function)
			return false;
		memcpy((char *)calls + i * sizeof(function), &function,
		       sizeof(function));
	}
	return library;
}

#endif
