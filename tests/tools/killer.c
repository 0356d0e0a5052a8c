// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into a program: kills it before the KILL_AT-th call that changes a
 * directory, counted from 1.  A kill between two such calls leaves what one just
 * before the second leaves, so that all moments are tried by KILL_AT = 1, 2, ...
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>

static void count(void)
{
	static unsigned long calls, at;

	if (!calls++) {
		const char *text = getenv("KILL_AT");

		at = text ? strtoul(text, NULL, 10) : 0;
	}
	if (calls == at)
		raise(SIGKILL);
}

#define INSTEAD(name, parameters, arguments) \
	int name parameters; \
	int name parameters \
	{ \
		int (*next) parameters = \
			(int (*) parameters)dlsym(RTLD_NEXT, #name); \
		count(); \
		return next arguments; \
	}

INSTEAD(rename, (const char *from, const char *to), (from, to))
INSTEAD(unlink, (const char *path), (path))
INSTEAD(unlinkat, (int dir, const char *path, int flags),
	(dir, path, flags))
INSTEAD(remove, (const char *path), (path))
INSTEAD(rmdir, (const char *path), (path))
INSTEAD(mkdir, (const char *path, unsigned mode), (path, mode))
INSTEAD(mkostemp, (char *path, int flags), (path, flags))
INSTEAD(mkstemp, (char *path), (path))
