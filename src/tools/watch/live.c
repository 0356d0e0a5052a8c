// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Captures for weft watch live, each by a weft capture of its own, so that one
 * that fails ends nothing. */
#include "tools/watch/watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool tool_watch_live_begin(struct tool *t, char directory[64])
{
	const char *tmp = getenv("TMPDIR");

	if (!tmp || strlen(tmp) > 40)
		tmp = "/tmp";
	snprintf(directory, 64, "%s/weft-watch.XXXXXX", tmp);
	if (mkdtemp(directory))
		return true;
	weft_diag_say(&t->diag, WEFT_ERROR, "cannot make a directory in %s",
		      tmp);
	return false;
}

bool tool_watch_live(struct tool *t, const char *directory)
{
	const struct watch_options *own = t->own;
	char port[32], *argv[12] = { "weft", "capture", "--quiet", "--force",
				     "--fresh", "--interval=1" };
	posix_spawn_file_actions_t to;
	unsigned n = 6;
	int status = 0;
	pid_t pid;

	snprintf(port, sizeof(port), "%lld", (long long)own->port);
	if (own->ca) {
		argv[n++] = "--Ca";
		argv[n++] = (char *)own->ca;
	}
	argv[n++] = "--Port";
	argv[n++] = port;
	argv[n++] = (char *)directory;
	argv[n] = NULL;
	tool_phase(t, "capturing");
	posix_spawn_file_actions_init(&to);
	posix_spawn_file_actions_addopen(&to, STDOUT_FILENO, "/dev/null",
					 O_WRONLY, 0);
	if (posix_spawn(&pid, "/proc/self/exe", &to, NULL, argv, environ))
		status = -1;
	posix_spawn_file_actions_destroy(&to);
	while (!status && waitpid(pid, &status, 0) < 0)
		;
	/* Status 1: something is missing, which the capture has said. */
	if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) <= 1)
		return true;
	weft_diag_say(&t->diag, WEFT_ERROR, "the fabric cannot be captured");
	return false;
}

void tool_watch_live_end(const char *directory)
{
	DIR *dir = opendir(directory);
	char path[PATH_MAX];
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		    snprintf(path, sizeof(path), "%s/%s", directory,
			     e->d_name) < (int)sizeof(path))
			unlink(path);
	if (dir)
		closedir(dir);
	rmdir(directory);
}
