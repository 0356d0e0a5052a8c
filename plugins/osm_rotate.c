// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A file that grows by lines and makes room before it is too large.
 *
 * The directory may be one that others write to: a symbolic link, a device or a
 * pipe of that name is an error.  A line is one write(), so that a reader never
 * sees a part of it but where the disk is full; then the part is cut off.
 */
#include "osm_sweeps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_regular(const char *path, struct stat *st)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW |
			    O_NONBLOCK | O_CLOEXEC, 0644);

	if (fd < 0)
		return -errno;
	if (!fstat(fd, st) && S_ISREG(st->st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

/* Renames path.(n-1) to path.n and so on; the last one goes. */
static int make_room(const char *path, unsigned keep)
{
	char from[PATH_MAX], to[PATH_MAX];

	if (!keep)
		return unlink(path) ? -errno : 0;
	for (unsigned n = keep; n; n--) {
		int length = snprintf(to, sizeof(to), "%s.%u", path, n);

		if (length < 0 || length >= (int)sizeof(to))
			return -ENAMETOOLONG;
		if (n > 1)
			snprintf(from, sizeof(from), "%s.%u", path, n - 1);
		else
			snprintf(from, sizeof(from), "%s", path);
		if (rename(from, to) && (errno != ENOENT || n == 1))
			return -errno;
	}
	return 0;
}

static int append(int fd, const char *text, size_t length, off_t before)
{
	ssize_t n = write(fd, text, length);
	int err = n < 0 ? -errno : (size_t)n < length ? -ENOSPC : 0;

	if (n > 0 && err && ftruncate(fd, before))
		return -errno;
	return err;
}

int weft__append_rotating(const char *path, const char *text, size_t length,
			  uint64_t size, unsigned keep)
{
	struct stat st;
	int fd = open_regular(path, &st), err = 0;

	if (fd >= 0 && st.st_size && st.st_size + length > size) {
		close(fd);
		err = make_room(path, keep);
		if (err)
			return err;
		fd = open_regular(path, &st);
	}
	if (fd < 0)
		return fd;
	err = append(fd, text, length, st.st_size);
	if (close(fd) && !err)
		err = -errno;
	return err;
}
