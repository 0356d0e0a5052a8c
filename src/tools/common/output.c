// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Outputs that are complete or absent: here all are begun, committed and given
 * up.
 *
 * The list of what was begun is the program's one piece of global state: a
 * signal handler has no other way to know what to remove.  A signal may come to
 * any thread, so that a lock keeps the handler off while the list changes, and
 * while files are moved to their names; the signal waits until that is done.
 */
#include "tools/common/tool.h"

#include "core/grow.h"
#include "files/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER (256 * 1024)
#define MOST_LOCKS 256
#define STDOUT "standard output"

struct file {
	FILE *stream; /* NULL: sealed, or drop */
	bool drop;    /* path is to be removed */
	bool key;     /* without it, the others are not read */
	int lock;     /* keeps temp ours until it is renamed; -1 = none */
	char path[PATH_MAX]; /* final name, for messages as well */
	char temp[PATH_MAX]; /* "" = written directly */
};

static struct {
	struct file **file; /* [n] */
	char **made;	    /* [nmade] directories, by this run */
	size_t n, nmade;
} begun;
static atomic_int locked, pending;

/* What was read; for the main thread. */
static struct input {
	dev_t device;
	ino_t inode;
} *inputs;
static size_t ninputs;

/* --- the end by a signal -------------------------------------------------- */

/* Async-signal-safe, with the lock. */
static void remove_all(void)
{
	for (size_t i = 0; i < begun.n; i++)
		if (begun.file[i]->temp[0])
			unlink(begun.file[i]->temp);
	for (size_t i = begun.nmade; i--;)
		rmdir(begun.made[i]);
}

static void die(int number)
{
	remove_all();
	signal(number, SIG_DFL);
	raise(number);
}

/* Who has the lock looks at pending when it is given back. */
static void on_signal(int number)
{
	int was = errno;

	pending = number;
	if (!atomic_exchange(&locked, 1))
		die(number);
	errno = was;
}

static struct sigaction crash_was[NSIG];

/* A fault comes again on return, and ends the program as it would have; what
 * was sent does not. */
static void on_crash(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (!atomic_exchange(&locked, 1))
		remove_all();
	sigaction(number, &crash_was[number], NULL);
	if (info->si_code <= 0)
		raise(number);
}

static void lock(void)
{
	while (atomic_exchange(&locked, 1))
		pause(); /* the handler of another thread ends the program */
}

static void unlock(void)
{
	locked = 0;
	if (pending && !atomic_exchange(&locked, 1))
		die(pending);
}

void tool_output_prepare(void)
{
	static const int fatal[] = { SIGINT,  SIGTERM, SIGHUP,	SIGQUIT,
				     SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2 };
	static const int crash[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
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
	act.sa_sigaction = on_crash;
	act.sa_flags = SA_SIGINFO;
	for (size_t i = 0; i < sizeof(crash) / sizeof(crash[0]); i++)
		sigaction(crash[i], &act, &crash_was[crash[i]]);
}

/* --- inputs --------------------------------------------------------------- */

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
			     "this run reads it as an input, so nothing is written there: give -o another name");
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

/* --- to begin ------------------------------------------------------------- */

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
		f->temp[0] = '\0';
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

/* Starts a file with that path; NULL after an error message. */
static struct file *new_file(struct tool *t, const char *what, const char *path)
{
	struct file *f = calloc(1, sizeof(*f));

	if (!f) {
		tool_no_memory(t);
		return NULL;
	}
	f->lock = -1;
	if (strlen(path) < sizeof(f->path)) {
		snprintf(f->path, sizeof(f->path), "%s", path);
		return f;
	}
	free(f);
	errno = ENAMETOOLONG;
	fail(t, what, path);
	return NULL;
}

/* Adds f to what was begun, with the lock. */
static bool keep_file(struct file *f)
{
	if (weft__grow_one(&begun.file, begun.n))
		return false;
	begun.file[begun.n++] = f;
	return true;
}

/* Whether another output has the same name; an error message if so. */
static bool is_taken(struct tool *t, const struct file *f)
{
	for (size_t i = 0; i < begun.n; i++) {
		const struct file *other = begun.file[i];

		if (!other->temp[0] || strcmp(other->path, f->path))
			continue;
		weft_diag_at(&t->diag, WEFT_ERROR, f->path, 0,
			     "two outputs have this name: give each its own");
		return true;
	}
	return false;
}

/* Opens what f names, and lists it; false with errno.  A pipe, which may wait
 * for its reader, is opened without the lock: signals get through then. */
static bool begin_file(struct file *f, const char *path)
{
	struct stat st;
	bool direct = !stat(path, &st) && !S_ISREG(st.st_mode), ok;

	if (direct)
		f->stream = fopen(path, "w");
	lock();
	if (!direct)
		f->stream = open_temp(f);
	ok = f->stream && keep_file(f);
	if (!ok && f->stream && f->temp[0])
		unlink(f->temp);
	unlock();
	if (!ok && f->stream) {
		fclose(f->stream);
		errno = ENOMEM;
	}
	return ok;
}

FILE *tool_output_open(struct tool *t, const char *path)
{
	struct file *f;

	if (!path || !strcmp(path, "-"))
		return stdout;
	if (!is_spare(t, path))
		return NULL;
	f = new_file(t, "create", path);
	if (!f)
		return NULL;
	follow(f, path);
	if (is_taken(t, f)) {
		free(f);
		return NULL;
	}
	if (!begin_file(f, path)) {
		free(f);
		return fail(t, "create", path);
	}
	setvbuf(f->stream, NULL, _IOFBF, BUFFER);
	return f->stream;
}

/* Makes a directory and lists it, with the lock; false with errno. */
static bool make_directory(const char *directory)
{
	char *name = strdup(directory);
	bool made = name && !weft__grow_one(&begun.made, begun.nmade) &&
		    !mkdir(directory, 0777);

	if (made)
		begun.made[begun.nmade++] = name;
	else
		free(name);
	return made;
}

bool tool_output_directory(struct tool *t, const char *directory)
{
	bool made;

	if (!is_spare(t, directory))
		return false;
	lock();
	made = make_directory(directory);
	unlock();
	return made || errno == EEXIST ||
	       fail(t, "make the directory", directory);
}

/* Joins a directory and a name in path[PATH_MAX]; false after an error
 * message. */
static bool join(struct tool *t, const char *what, const char *directory,
		 const char *name, char *path)
{
	if ((size_t)snprintf(path, PATH_MAX, "%s/%s", directory, name) <
	    PATH_MAX)
		return true;
	errno = ENAMETOOLONG;
	return fail(t, what, directory);
}

FILE *tool_output_open_in(struct tool *t, const char *directory,
			  const char *name)
{
	char path[PATH_MAX];

	return tool_output_directory(t, directory) &&
			       join(t, "create", directory, name, path) ?
		       tool_output_open(t, path) :
		       NULL;
}

bool tool_output_drop(struct tool *t, const char *directory, const char *name)
{
	char path[PATH_MAX];
	struct file *f;
	bool ok;

	if (!join(t, "remove", directory, name, path) || !is_spare(t, path))
		return false;
	f = new_file(t, "remove", path);
	if (!f)
		return false;
	f->drop = true;
	lock();
	ok = keep_file(f);
	unlock();
	if (ok)
		return true;
	free(f);
	return fail(t, "remove", path);
}

void tool_output_key(const FILE *stream)
{
	for (size_t i = 0; i < begun.n; i++)
		if (begun.file[i]->stream == stream)
			begun.file[i]->key = true;
}

const char *tool_output_name(const FILE *stream)
{
	for (size_t i = 0; i < begun.n; i++)
		if (begun.file[i]->stream == stream)
			return begun.file[i]->path;
	return STDOUT;
}

/* --- to end --------------------------------------------------------------- */

/* Writes out what is buffered; 0 or the reason why not. */
static int flush(FILE *stream)
{
	if (fflush(stream))
		return errno;
	return ferror(stream) ? EIO : 0;
}

/* Lets go of the locks of all but that many files, lest descriptors run out: of
 * the rest, a run that writes the same names at the same time may take the
 * temporary files for left ones. */
static void release_locks(void)
{
	for (size_t i = MOST_LOCKS; i < begun.n; i++) {
		struct file *f = begun.file[i];

		if (f->lock >= 0 && !f->stream)
			close(f->lock);
		if (!f->stream)
			f->lock = -1;
	}
}

bool tool_output_seal(struct tool *t)
{
	bool written = true;

	for (size_t i = 0; i < begun.n; i++) {
		struct file *f = begun.file[i];
		int err = f->stream ? flush(f->stream) : 0;

		if (!f->stream)
			continue;
		if (fclose(f->stream) && !err)
			err = errno;
		f->stream = NULL;
		errno = err;
		if (err && written) {
			fail(t, "write", f->path);
			written = false;
		}
	}
	release_locks();
	return written;
}

/* Flushes and closes everything.  Whether all was written; keep unset: false,
 * and no word about what was not. */
static bool finish_streams(struct tool *t, bool keep)
{
	errno = flush(stdout);
	if (errno && keep) {
		fail(t, "write", STDOUT);
		keep = false;
	}
	if (keep)
		return tool_output_seal(t);
	for (size_t i = 0; i < begun.n; i++) {
		if (begun.file[i]->stream)
			fclose(begun.file[i]->stream);
		begun.file[i]->stream = NULL;
	}
	return false;
}

/* Removes what has the name of a file.  Whether it worked. */
static bool remove_old(struct tool *t, const struct file *f)
{
	return !unlink(f->path) || errno == ENOENT ||
	       fail(t, "remove", f->path);
}

/* Moves a file to its name, or removes the one of that name. */
static bool commit(struct tool *t, struct file *f)
{
	if (f->drop)
		return remove_old(t, f);
	if (f->temp[0] && rename(f->temp, f->path))
		return fail(t, "create", f->path);
	f->temp[0] = '\0';
	return true;
}

/*
 * Moves all files to their names.  Whether it worked.
 *
 * Nobody can rename several at once, and a kill may come between any two.  So
 * the key to a set, without which the others are not read, goes before them and
 * comes after them: what is there meanwhile is no set.  Where there are several
 * keys, the one to the sets of the others goes first and comes last, as it was
 * opened last.  A file that is alone is replaced at once.
 */
static bool rename_all(struct tool *t)
{
	bool ok = true;

	for (size_t i = 0; i < begun.n; i++)
		if (!is_spare(t, begun.file[i]->path))
			return false;
	for (size_t i = begun.n; i-- && ok;)
		if (begun.file[i]->key && begun.n > 1 && begun.file[i]->temp[0])
			ok = remove_old(t, begun.file[i]);
	for (size_t i = 0; i < begun.n && ok; i++)
		ok = begun.file[i]->key || commit(t, begun.file[i]);
	for (size_t i = 0; i < begun.n && ok; i++)
		ok = !begun.file[i]->key || commit(t, begun.file[i]);
	return ok;
}

/* Forgets what was begun, with the lock. */
static void forget_all(void)
{
	while (begun.n) {
		struct file *f = begun.file[--begun.n];

		if (f->lock >= 0)
			close(f->lock);
		free(f);
	}
	while (begun.nmade)
		free(begun.made[--begun.nmade]);
	free(begun.file);
	free(begun.made);
	begun.file = NULL;
	begun.made = NULL;
}

bool tool_output_close(struct tool *t, bool keep)
{
	bool written = finish_streams(t, keep);

	lock();
	if (written)
		written = rename_all(t);
	if (!written)
		remove_all();
	forget_all();
	unlock();
	return written || !keep;
}
