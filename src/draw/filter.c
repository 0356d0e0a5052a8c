// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "draw/filter.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int start(char *const argv[], FILE *in, FILE *out, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return err;
	err = posix_spawn_file_actions_adddup2(&actions, fileno(in), 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, fileno(out),
						       1);
	if (!err)
		err = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

int weft__filter_run(char *const argv[], FILE *in, FILE *out)
{
	int status = 0, err = fflush(in) ? errno : 0;
	pid_t pid;

	rewind(in);
	if (!err)
		err = start(argv, in, out, &pid);
	if (err)
		return -err;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	rewind(out);
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EIO;
}
