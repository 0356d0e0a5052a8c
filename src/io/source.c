// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Input text; see source.h. */
#include "io/source.h"

#include "core/grow.h"

#include <weft/diag.h>
#include <weft/io.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM_MAX ((size_t)4 << 30)	/* of what cannot be mapped */
#define RELEASE_BYTES ((size_t)4 << 20)	/* a multiple of the page size */
#define LOOK_BYTES 65536		/* at a time, for NUL bytes */
#define STREAM_FIRST ((size_t)1 << 20)

/*
 * What came from pipes, for those who open them again: a pipe gives its text
 * once, while finding a format and reading it, or several inputs with one set
 * of tables, are several looks.
 */
#define KEPT_MAX 16

static struct {
	dev_t device;
	ino_t inode;
	struct weft__source source;
} kept[KEPT_MAX];
static unsigned nkept;
static bool keeping;
static pthread_mutex_t keep_lock = PTHREAD_MUTEX_INITIALIZER;

void weft_io_keep_streams(void)
{
	keeping = true;
}

static int fail(struct weft_diag *diag, const char *name, const char *what,
		int err)
{
	weft_diag_at(diag, WEFT_ERROR, name, 0, "cannot %s: %s", what,
		     strerror(err));
	return -err;
}

bool weft__names_file(const char *text)
{
	struct stat st;

	return *text == '/' || !strncmp(text, "./", 2) ||
	       !strncmp(text, "../", 3) ||
	       (!stat(text, &st) && !S_ISDIR(st.st_mode));
}

/* Reads everything fd still gives; -EFBIG if that is max bytes or more. */
static int read_stream(int fd, size_t max, struct weft__source *source)
{
	size_t room = max < STREAM_FIRST ? max : STREAM_FIRST, size = 0;
	char *data = malloc(room);
	ssize_t n;

	if (!data)
		return -ENOMEM;
	while ((n = read(fd, data + size, room - size)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			goto free_data;
		size += (size_t)n;
		errno = size < max ? ENOMEM : EFBIG;
		if (size >= max ||
		    (size == room && weft__grow(&data, &room, room + 1)))
			goto free_data;
	}
	source->data = data;
	source->size = size;
	source->mapped = false;
	return 0;
free_data:
	n = errno;
	free(data);
	return -(int)n;
}

static bool map_file(int fd, size_t size, struct weft__source *source)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (data == MAP_FAILED)
		return false;
	madvise(data, size, MADV_SEQUENTIAL);
	source->data = data;
	source->size = size;
	source->mapped = true;
	return true;
}

/* What was kept of a pipe. */
static bool find_kept(const struct stat *st, struct weft__source *source)
{
	bool found = false;

	pthread_mutex_lock(&keep_lock);
	for (unsigned i = 0; i < nkept && !found; i++) {
		found = kept[i].device == st->st_dev &&
			kept[i].inode == st->st_ino;
		if (found)
			*source = kept[i].source;
	}
	pthread_mutex_unlock(&keep_lock);
	return found;
}

static void keep(const struct stat *st, struct weft__source *source)
{
	pthread_mutex_lock(&keep_lock);
	if (nkept < KEPT_MAX) {
		source->kept = true;
		kept[nkept].device = st->st_dev;
		kept[nkept].inode = st->st_ino;
		kept[nkept++].source = *source;
	}
	pthread_mutex_unlock(&keep_lock);
}

static int load(int fd, struct weft__source *source)
{
	struct stat st;
	int err;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	/* Size 0: empty, or one of those of /proc that only read() fills. */
	if (S_ISREG(st.st_mode) && st.st_size > 0 &&
	    (uintmax_t)st.st_size <= SIZE_MAX &&
	    lseek(fd, 0, SEEK_CUR) == 0 &&
	    map_file(fd, (size_t)st.st_size, source))
		return 0;
	err = read_stream(fd, STREAM_MAX, source);
	if (!err && keeping && !S_ISREG(st.st_mode))
		keep(&st, source);
	return err;
}

int weft__source_open(const char *path, struct weft__source *source,
		      struct weft_diag *diag)
{
	bool standard = !strcmp(path, "-");
	const char *name = standard ? "standard input" : path;
	struct weft__source opened = { .name = name };
	struct stat st;
	int fd, err;

	/* Before it is opened: a named pipe without a writer would block. */
	if (!(standard ? fstat(STDIN_FILENO, &st) : stat(path, &st)) &&
	    find_kept(&st, &opened)) {
		opened.name = name;
		*source = opened;
		return 0;
	}
	fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(diag, name, "open", errno);
	if (diag && diag->opened)
		diag->opened(diag->context, path);
	err = load(fd, &opened);
	opened.name = name;
	if (!standard)
		close(fd);
	if (err)
		return fail(diag, name, "read", -err);
	*source = opened;
	return 0;
}

const char *weft__no_file(mode_t mode)
{
	return S_ISREG(mode) ? NULL :
	       S_ISLNK(mode) ? "a symbolic link" :
	       S_ISDIR(mode) ? "a directory" :
	       S_ISFIFO(mode) ? "a pipe" :
	       S_ISSOCK(mode) ? "a socket" : "a device";
}

/* 0, or -errno after an error where a file is not one to be read. */
static int judge_plain(const char *path, const struct stat *st, size_t limit,
		       struct weft_diag *diag)
{
	const char *other = weft__no_file(st->st_mode);

	if (other)
		return weft_fail_at(diag, EINVAL, path, 0,
				    "this is %s: give a plain file", other);
	if (st->st_size < 0 || (uintmax_t)st->st_size >= limit)
		return weft_fail_at(diag, EFBIG, path, 0,
				    "%jd bytes, and what is read here has less than %zu: is it the right file?",
				    (intmax_t)st->st_size, limit);
	return 0;
}

int weft__source_open_plain(const char *path, size_t limit,
			    struct weft__source *source, struct weft_diag *diag)
{
	struct weft__source opened = { .name = path };
	struct stat st;
	int fd, err;

	/* Some devices act on being opened alone. */
	if (stat(path, &st))
		return fail(diag, path, "open", errno);
	err = judge_plain(path, &st, limit, diag);
	if (err)
		return err;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return fail(diag, path, "open", errno);
	err = fstat(fd, &st) ? fail(diag, path, "read", errno) :
			       judge_plain(path, &st, limit, diag);
	if (!err) {
		err = read_stream(fd, limit, &opened);
		if (err)
			fail(diag, path, "read", -err);
	}
	close(fd);
	if (!err)
		*source = opened;
	return err;
}

void weft__source_close(struct weft__source *source)
{
	if (source->mapped)
		munmap((void *)source->data, source->size);
	else if (!source->kept)
		free((void *)source->data);
	*source = (struct weft__source){ 0 };
}

void weft__source_release(const struct weft__source *source, const char *upto,
			  size_t *released)
{
	size_t done = (size_t)(upto - source->data) / RELEASE_BYTES *
		      RELEASE_BYTES;

	if (!source->mapped || done <= *released)
		return;
	madvise((void *)(source->data + *released), done - *released,
		MADV_DONTNEED);
	*released = done;
}

int weft__lines_look(struct weft__lines *lines, const char *end)
{
	const char *upto = lines->end - end > LOOK_BYTES ? end + LOOK_BYTES :
							   lines->end;
	const char *nul = memchr(lines->looked, 0,
				 (size_t)(upto - lines->looked));

	/* One behind this line is found again once it is its line's turn. */
	lines->looked = nul ? nul : upto;
	if (!nul || nul >= end)
		return 0;
	return weft_fail_at(lines->diag, EINVAL, lines->name, lines->number,
			    "a NUL byte: this is no text, or the file was damaged or is UTF-16; remove the byte, or convert the file to UTF-8");
}

int weft__source_check(const struct weft__source *source,
		       struct weft_diag *diag)
{
	struct weft__lines lines = weft__lines_begin(source, diag);
	struct weft__line line;
	int err = 0;

	while (weft__lines_next(&lines, &line, &err))
		;
	return err;
}

const char *weft__find_text(const struct weft__line *line, const char *text)
{
	return memmem(line->p, (size_t)(line->end - line->p), text,
		      strlen(text));
}

const char *weft__excerpt(const struct weft__line *line,
			  char buffer[WEFT__EXCERPT_SIZE])
{
	size_t length = (size_t)(line->end - line->p);
	bool cut = length > WEFT__EXCERPT_SIZE - 4;
	size_t n = cut ? WEFT__EXCERPT_SIZE - 4 : length;

	for (size_t i = 0; i < n; i++)
		buffer[i] = line->p[i] >= 0x20 && line->p[i] < 0x7f ?
			line->p[i] : '?';
	strcpy(buffer + n, cut ? "..." : "");
	return buffer;
}

void weft__trim(struct weft__line *line, const char *from)
{
	for (const char *p = from; p < line->end; p++)
		if (*p == '#' && weft__is_blank(p[-1]))
			line->end = p;
	while (line->end > from && weft__is_blank(line->end[-1]))
		line->end--;
}

bool weft__is_text(const struct weft__line *line, size_t most)
{
	for (const char *p = line->p; p < line->end; p++)
		if ((unsigned char)*p < 0x20 && *p != '\t')
			return false;
	return (size_t)(line->end - line->p) <= most;
}
