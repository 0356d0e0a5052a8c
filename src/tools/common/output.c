// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Outputs that are complete or absent.
 *
 * The list of open files is the program's one piece of global state: a signal
 * handler has no other way to know what to remove.
 */
#include "tools/common/tool.h"

#include "core/grow.h"
#include "files/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILES 16
#define BUFFER (256 * 1024)
#define STDOUT "standard output"

struct file {
	FILE *stream;		/* NULL: path is to be removed */
	char path[PATH_MAX];	/* final name, for messages as well */
	char temp[PATH_MAX];	/* "" = written directly */
	int lock;		/* keeps temp ours until it is renamed; -1 =
				 * none */
	bool key;		/* without it, the others are not read */
};

static struct file files[MAX_FILES];
static volatile sig_atomic_t nfiles;
static char made_directory[PATH_MAX];	/* by this run; "" = none */

/* What was read; for the main thread. */
static struct input {
	dev_t device;
	ino_t inode;
} *inputs;
static size_t ninputs;

/* Async-signal-safe. */
static void remove_all(void)
{
	for (int i = 0; i < nfiles; i++)
		if (files[i].temp[0])
			unlink(files[i].temp);
	if (made_directory[0])
		rmdir(made_directory);
}

static void on_signal(int number)
{
	remove_all();
	signal(number, SIG_DFL);
	raise(number);
}

static void block_signals(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, old);
}

void tool_output_prepare(void)
{
	static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction old, act = { .sa_handler = on_signal };

	/* A closed descriptor must not become some file: writing to it has to
	 * fail, not to end up there. */
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			_exit(TOOL_FAILED);
	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		if (!sigaction(fatal[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(fatal[i], &act, NULL);
	sigaction(SIGPIPE, &act, NULL);
	signal(SIGXFSZ, SIG_IGN);
}

void tool_output_input(void *context, const char *path)
{
	bool standard = !strcmp(path, "-");
	struct stat st;

	(void)context;
	if (standard ? fstat(STDIN_FILENO, &st) : stat(path, &st))
		return;
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return;
	if (weft__grow_one(&inputs, ninputs))
		abort();
	inputs[ninputs++] = (struct input){ st.st_dev, st.st_ino };
}

/* Whether a path is no input; an error message if it is. */
static bool is_spare(struct tool *t, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return true;
	for (size_t i = 0; i < ninputs; i++) {
		if (inputs[i].device != st.st_dev ||
		    inputs[i].inode != st.st_ino)
			continue;
		weft_diag_at(&t->diag, WEFT_ERROR, path, 0,
			     "this run reads it as an input, so nothing is "
			     "written there: give -o another name");
		return false;
	}
	return true;
}

static FILE *fail(struct tool *t, const char *what, const char *path)
{
	weft_diag_at(&t->diag, WEFT_ERROR, path, 0, "cannot %s: %s", what,
		     strerror(errno));
	return NULL;
}

/* Creates f->temp beside f->path, with the mode the file has or would get. */
static FILE *open_temp(struct file *f)
{
	struct stat st;
	mode_t mask = umask(0);
	FILE *stream = NULL;
	int fd;

	umask(mask);
	fd = weft__temporary(f->path, stat(f->path, &st) ? 0666 & ~mask :
							   st.st_mode & 0777,
			     f->temp);
	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	f->lock = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (f->lock >= 0)
		stream = fdopen(fd, "w");
	if (stream)
		return stream;
	unlink(f->temp);
	close(fd);
	return NULL;
}

/* f->path with symbolic links followed, so that a link stays one. */
static void follow(struct file *f, const char *path)
{
	if (!realpath(path, f->path))
		snprintf(f->path, sizeof(f->path), "%s", path);
}

bool tool_output_ends(const struct tool *t, const char *end)
{
	const char *path = t->args.output;
	size_t n = path ? strlen(path) : 0;

	return n > strlen(end) && !strcmp(path + n - strlen(end), end);
}

void tool_output_by_name(struct tool *t)
{
	if (t->args.json || t->args.csv)
		return;
	t->args.json = tool_output_ends(t, ".json");
	t->args.csv = tool_output_ends(t, ".csv");
}

FILE *tool_output_open(struct tool *t, const char *path)
{
	struct file *f = &files[nfiles];
	struct stat st;
	sigset_t old;

	if (!path || !strcmp(path, "-"))
		return stdout;
	if (nfiles == MAX_FILES || strlen(path) >= sizeof(f->path)) {
		errno = ENAMETOOLONG;
		return fail(t, "create", path);
	}
	if (!is_spare(t, path))
		return NULL;
	follow(f, path);
	f->temp[0] = '\0';
	f->lock = -1;
	f->key = false;
	block_signals(&old);
	if (stat(path, &st) || S_ISREG(st.st_mode))
		f->stream = open_temp(f);
	else
		f->stream = fopen(path, "w");
	nfiles += f->stream != NULL;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!f->stream)
		return fail(t, "create", path);
	setvbuf(f->stream, NULL, _IOFBF, BUFFER);
	return f->stream;
}

bool tool_output_directory(struct tool *t, const char *directory)
{
	sigset_t old;

	if (!is_spare(t, directory))
		return false;
	block_signals(&old);
	if (!mkdir(directory, 0777))
		snprintf(made_directory, sizeof(made_directory), "%s",
			 directory);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return true;
}

FILE *tool_output_open_in(struct tool *t, const char *directory,
			  const char *name)
{
	char path[PATH_MAX];

	if (!tool_output_directory(t, directory))
		return NULL;
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", directory, name) >=
	    sizeof(path)) {
		errno = ENAMETOOLONG;
		return fail(t, "create", directory);
	}
	return tool_output_open(t, path);
}

bool tool_output_drop(struct tool *t, const char *directory, const char *name)
{
	struct file *f = &files[nfiles];

	if (nfiles == MAX_FILES ||
	    (size_t)snprintf(f->path, sizeof(f->path), "%s/%s", directory,
			     name) >= sizeof(f->path)) {
		errno = ENAMETOOLONG;
		return fail(t, "remove", directory);
	}
	if (!is_spare(t, f->path))
		return false;
	f->stream = NULL;
	f->temp[0] = '\0';
	f->lock = -1;
	f->key = false;
	nfiles++;
	return true;
}

bool tool_output_drop_key(struct tool *t, const char *directory,
			  const char *name)
{
	if (!tool_output_drop(t, directory, name))
		return false;
	files[nfiles - 1].key = true;
	return true;
}

void tool_output_key(const FILE *stream)
{
	for (int i = 0; i < nfiles; i++)
		if (files[i].stream == stream)
			files[i].key = true;
}

const char *tool_output_name(const FILE *stream)
{
	for (int i = 0; i < nfiles; i++)
		if (files[i].stream == stream)
			return files[i].path;
	return STDOUT;
}

/* Writes out what is buffered; 0 or the reason why not. */
static int flush(FILE *stream)
{
	if (fflush(stream))
		return errno;
	return ferror(stream) ? EIO : 0;
}

/* Flushes and closes everything.  Whether all was written. */
static bool finish_streams(struct tool *t, bool keep)
{
	errno = flush(stdout);
	if (errno && keep) {
		fail(t, "write", STDOUT);
		keep = false;
	}
	for (int i = 0; i < nfiles; i++) {
		int err = files[i].stream ? flush(files[i].stream) : 0;

		if (!files[i].stream)
			continue;
		if (!fclose(files[i].stream) || err)
			errno = err;
		if (errno && keep) {
			fail(t, "write", files[i].path);
			keep = false;
		}
	}
	return keep;
}

/* Removes what has the name of a file.  Whether it worked. */
static bool remove_old(struct tool *t, const struct file *f)
{
	if (!unlink(f->path) || errno == ENOENT)
		return true;
	fail(t, "remove", f->path);
	return false;
}

/* Moves a file to its name, or removes the one of that name. */
static bool commit(struct tool *t, struct file *f)
{
	if (!f->stream)
		return remove_old(t, f);
	if (f->temp[0] && rename(f->temp, f->path)) {
		fail(t, "create", f->path);
		return false;
	}
	f->temp[0] = '\0';
	return true;
}

/*
 * Moves all files to their names.  Whether it worked.
 *
 * Nobody can rename several at once, and a kill may come between any two.  So
 * the key to a set, without which the others are not read, goes before them and
 * comes after them: what is there meanwhile is no set.  A file that is alone is
 * replaced at once.
 */
static bool rename_all(struct tool *t)
{
	bool ok = true;

	for (int i = 0; i < nfiles; i++)
		if (!is_spare(t, files[i].path))
			return false;
	for (int i = 0; i < nfiles && ok; i++)
		if (files[i].key && nfiles > 1 &&
		    (files[i].temp[0] || !files[i].stream))
			ok = remove_old(t, &files[i]);
	for (int i = 0; i < nfiles && ok; i++)
		ok = files[i].key || commit(t, &files[i]);
	for (int i = 0; i < nfiles && ok; i++)
		ok = !files[i].key || commit(t, &files[i]);
	if (ok)
		made_directory[0] = '\0';
	return ok;
}

static void unlock_all(void)
{
	for (int i = 0; i < nfiles; i++)
		if (files[i].lock >= 0)
			close(files[i].lock);
}

bool tool_output_close(struct tool *t, bool keep)
{
	bool written = finish_streams(t, keep);
	sigset_t old;

	block_signals(&old);
	if (written)
		written = rename_all(t);
	if (!written)
		remove_all();
	unlock_all();
	nfiles = 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return written || !keep;
}
