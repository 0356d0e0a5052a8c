// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files that appear as a whole; see temporary.h. */
#include "files/temporary.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".weft-"
#define RANDOM "XXXXXX"
#define ATTEMPTS 100

/* Where a file is: its directory with the slash behind it, and the beginning of
 * the names of its temporary files. */
struct place {
	char directory[PATH_MAX];
	char prefix[NAME_MAX + 1];
};

static int find_place(const char *path, struct place *p)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path) + 1 : 0;
	int most = NAME_MAX - (int)strlen("." MARK RANDOM);

	/* What is cut of a very long name matters to nobody. */
	snprintf(p->prefix, sizeof(p->prefix), ".%.*s" MARK, most,
		 path + folder);
	if (!path[folder] ||
	    snprintf(p->directory, sizeof(p->directory), "%.*s", folder,
		     path) >= PATH_MAX)
		return -ENAMETOOLONG;
	return 0;
}

/* Whether a name is the prefix and six letters or digits. */
static bool is_temporary(const struct place *p, const char *name)
{
	size_t n = strlen(p->prefix), i = 0;

	if (strncmp(name, p->prefix, n))
		return false;
	while (isalnum((unsigned char)name[n + i]))
		i++;
	return i == strlen(RANDOM) && !name[n + i];
}

/* Removes a temporary file of ours that nobody has locked.  The lock is held
 * while it goes, so that its owner, if that is about to lock it, sees. */
static void remove_stale(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK |
					 O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
	    st.st_uid == geteuid() && !flock(fd, LOCK_EX | LOCK_NB))
		unlinkat(directory, name, 0);
	close(fd);
}

static void remove_all_stale(const struct place *p)
{
	DIR *dir = opendir(*p->directory ? p->directory : ".");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_temporary(p, entry->d_name) &&
		    (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN))
			remove_stale(dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
}

/* Locks a file that was just made.  False: somebody took it for a stale one
 * before it was locked. */
static bool keep(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB))
		return errno != EWOULDBLOCK;
	return !fstat(fd, &st) && st.st_nlink;
}

int weft__temporary(const char *path, mode_t mode, char temp[PATH_MAX])
{
	struct place p;
	int fd, err = find_place(path, &p);

	if (err)
		return err;
	remove_all_stale(&p);
	for (int i = 0; i < ATTEMPTS; i++) {
		if (snprintf(temp, PATH_MAX, "%s%s" RANDOM, p.directory,
			     p.prefix) >= PATH_MAX)
			return -ENAMETOOLONG;
		fd = mkostemp(temp, O_CLOEXEC);
		if (fd < 0)
			return -errno;
		if (!keep(fd)) {
			close(fd);
			continue;
		}
		if (!fchmod(fd, mode))
			return fd;
		err = -errno;
		unlink(temp);
		close(fd);
		return err;
	}
	return -EAGAIN;
}
