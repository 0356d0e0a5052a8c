// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files of the plugins; see osm_files.h. */
#include "plugins/files/osm_files.h"

#include "files/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONF_MAX ((size_t)1 << 20)
#define LIST_MAX ((size_t)64 << 20)
#define MODE 0644		/* whatever the umask: others read them */

/* --- reading ----------------------------------------------------------- */

int weft__file_open_conf(const char *path, struct weft__source *source,
			 struct weft_diag *diag)
{
	return weft__source_open_plain(path, CONF_MAX, source, diag);
}

int weft__file_open_list(const char *path, struct weft__source *source,
			 struct weft_diag *diag)
{
	return weft__source_open_plain(path, LIST_MAX, source, diag);
}

int weft__file_check_own(const char *path, struct weft_diag *diag)
{
	struct stat st;

	if (lstat(path, &st) || !S_ISLNK(st.st_mode))
		return 0;
	return weft_fail_at(diag, ELOOP, path, 0, "this is %s",
			    weft__no_file(st.st_mode));
}

bool weft__file_is_plain(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* --- what is in the way ------------------------------------------------ */

/* What has the name of a file that is to be written but is none and has to
 * stay, in words; NULL if nothing is in the way.  link: nor a link. */
static const char *obstacle(const char *path, bool link)
{
	struct stat st;

	if (lstat(path, &st) || (link && S_ISLNK(st.st_mode)))
		return NULL;
	return weft__no_file(st.st_mode);
}

/* 0, or what opening such a thing for writing would say; but it is not opened,
 * since some devices act on that alone. */
static int blocked(const char *path, bool link)
{
	struct stat st;

	if (!obstacle(path, link) || lstat(path, &st))
		return 0;
	return S_ISLNK(st.st_mode) ? -ELOOP :
	       S_ISDIR(st.st_mode) ? -EISDIR :
	       S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) ? -ENXIO : -EINVAL;
}

void weft__file_warn(const char *path, int err, struct weft_diag *diag)
{
	const char *other = obstacle(path, err != -ELOOP);

	if (other)
		weft_diag_say(diag, WEFT_WARNING,
			      "%s was not written: %s; %s has this name, and is left alone: take it away",
			      path, strerror(-err),
			      other);
	else
		weft_diag_say(diag, WEFT_WARNING, "%s was not written: %s",
			      path, strerror(-err));
}

/* --- whole files ------------------------------------------------------- */

static bool join(char path[PATH_MAX], const char *directory, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s", directory, name) < PATH_MAX;
}

static void remove_file(const char *path)
{
	if (!obstacle(path, true))
		unlink(path);
}

void weft__file_remove(const char *directory, const char *name)
{
	char path[PATH_MAX];

	if (directory && join(path, directory, name))
		remove_file(path);
}

void weft__file_begin(struct weft__file *f, const char *directory,
		      const char *name)
{
	int fd = -ENAMETOOLONG;

	*f = (struct weft__file){ .stream = NULL };
	if (join(f->path, directory, name))
		fd = blocked(f->path, true);
	if (!fd)
		fd = weft__temporary(f->path, MODE, f->temp);
	if (fd < 0) {
		f->err = fd;
		return;
	}
	f->stream = fdopen(fd, "w+");
	if (f->stream)
		return;
	f->err = -errno;
	close(fd);
	unlink(f->temp);
}

static bool same_bytes(FILE *a, FILE *b)
{
	char x[4096], y[4096];
	size_t n, m;

	rewind(a);
	do {
		n = fread(x, 1, sizeof(x), a);
		m = fread(y, 1, sizeof(y), b);
	} while (n == m && n && !memcmp(x, y, n));
	return !n && !m && !ferror(a) && !ferror(b);
}

/* Whether the file of that name says the same. */
static bool already_there(struct weft__file *f)
{
	int fd = open(f->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
			       O_CLOEXEC);
	struct stat st;
	FILE *old = fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) ?
			    NULL : fdopen(fd, "r");
	bool same = old && same_bytes(f->stream, old);

	if (old)
		fclose(old);
	else if (fd >= 0)
		close(fd);
	return same;
}

/* Gives the file its name.  It is closed after that: it holds the lock that
 * makes the temporary one ours. */
static int put_in_place(struct weft__file *f)
{
	int err;

	if (fflush(f->stream))
		return -errno;
	if (ferror(f->stream))
		return -EIO;
	err = blocked(f->path, true);
	if (err)
		return err;
	if (already_there(f))
		return unlink(f->temp) ? -errno : 0;
	return rename(f->temp, f->path) ? -errno : 0;
}

void weft__file_end(struct weft__file *f, int err, struct weft_diag *diag)
{
	if (!f->stream)
		err = f->err;
	else if (!err)
		err = put_in_place(f);
	if (err && f->stream)
		unlink(f->temp);
	if (f->stream)
		fclose(f->stream);
	f->stream = NULL;
	if (!err)
		return;
	weft__file_warn(f->path, err, diag);
	remove_file(f->path);
}

/* --- the end of a file ------------------------------------------------- */

static int amend(int fd, const struct weft__file_tail *tail)
{
	const size_t n = sizeof(tail->bytes), m = sizeof(tail->mark);
	uint8_t mark[sizeof(tail->mark)];
	off_t at = tail->size - n;
	struct stat st;
	ssize_t done;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size != tail->size || tail->size < n + m ||
	    pread(fd, mark, m, at - m) != (ssize_t)m ||
	    memcmp(mark, tail->mark, m))
		return -ESTALE;
	done = pwrite(fd, tail->bytes, n, at);
	return done < 0 ? -errno : (size_t)done < n ? -EIO : 0;
}

int weft__file_amend(const char *directory, const char *name,
		     const struct weft__file_tail *tail)
{
	char path[PATH_MAX];
	int fd, err;

	if (!join(path, directory, name))
		return -ENAMETOOLONG;
	err = blocked(path, true);
	if (err)
		return err;
	fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
			O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = amend(fd, tail);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/* --- files that grow --------------------------------------------------- */

static int open_to_append(const char *path, struct stat *st)
{
	int fd = blocked(path, false);

	if (fd)
		return fd;
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW |
			O_NONBLOCK | O_NOCTTY | O_CLOEXEC, MODE);
	if (fd < 0)
		return -errno;
	if (!fstat(fd, st) && S_ISREG(st->st_mode) &&
	    (st->st_size || !fchmod(fd, MODE)))
		return fd;
	close(fd);
	return -EINVAL;
}

/* The name of the n-th older file; of path itself for 0. */
static bool older(char name[PATH_MAX], const char *path, unsigned n)
{
	return snprintf(name, PATH_MAX, n ? "%s.%u" : "%s", path, n) < PATH_MAX;
}

/* Renames path.(n-1) to path.n and so on; the last one goes.  There are none
 * beyond a name that is taken by what is no file. */
static int make_room(const char *path, unsigned keep)
{
	char from[PATH_MAX], to[PATH_MAX];
	unsigned last = 0;

	while (last < keep && older(to, path, last + 1) &&
	       !obstacle(to, true))
		last++;
	if (!last)
		return unlink(path) ? -errno : 0;
	for (unsigned n = last; n; n--) {
		older(from, path, n - 1);
		older(to, path, n);
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

int weft__file_append(const char *path, const char *text, size_t length,
		      uint64_t size, unsigned keep)
{
	struct stat st;
	int fd = open_to_append(path, &st), err = 0;

	if (fd >= 0 && st.st_size && st.st_size + length > size) {
		close(fd);
		err = make_room(path, keep);
		if (err)
			return err;
		fd = open_to_append(path, &st);
	}
	if (fd < 0)
		return fd;
	err = append(fd, text, length, st.st_size);
	if (close(fd) && !err)
		err = -errno;
	return err;
}
