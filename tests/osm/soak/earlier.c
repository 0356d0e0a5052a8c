// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into opensm: the tables that it dumped last stay when it dumps others,
 * as opensm-lfts.dump.1, .2 and so on, so that each write can be judged where a
 * sweep asks for another one at once.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void keep(const char *path)
{
	const char *name = strrchr(path, '/');
	char to[4096];
	unsigned n = 0;

	if (!name || strcmp(name, "/opensm-lfts.dump"))
		return;
	do
		snprintf(to, sizeof(to), "%s.%u", path, ++n);
	while (!access(to, F_OK));
	rename(path, to);
}

typedef FILE *opener(const char *, const char *);

static FILE *keep_and_open(const char *by, const char *path, const char *mode)
{
	opener *next = (opener *)dlsym(RTLD_NEXT, by);

	if (*mode == 'w')
		keep(path);
	return next ? next(path, mode) : NULL;
}

FILE *fopen(const char *path, const char *mode)
{
	return keep_and_open("fopen", path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	return keep_and_open("fopen64", path, mode);
}
