// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files of the plugins: whatever has the name of one, nothing hangs, nothing is
 * followed, nothing is spoilt. */
#include "plugins/files/osm_files.h"

#include "shim_fixture.h"

#include "io/tables/router_goals.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <signal.h>

/* What may be there in the place of a file. */
enum thing { LINK, DANGLING, FIFO, SOCKET, DIRECTORY, DEVICE, FULL, THINGS };

static char dir[64], victim[100];
static char said[2048];

static void hear(void *context, const struct weft_message *m)
{
	(void)context;
	snprintf(said, sizeof(said), "%s:%lu: %s", m->file ? m->file : "",
		 m->line, m->text);
}

static struct weft_diag diag = { .emit = hear };

static void put_text(const char *path, const void *text, size_t size)
{
	FILE *file = fopen(path, "w");

	ASSERT(file);
	ASSERT_EQ(fwrite(text, 1, size, file), size);
	ASSERT_EQ(fclose(file), 0);
}

static void expect_text(const char *path, const char *text)
{
	char buf[100] = "";
	struct stat st;
	FILE *file;

	ASSERT_EQ(lstat(path, &st), 0);
	ASSERT(S_ISREG(st.st_mode));
	file = fopen(path, "r");
	ASSERT(file);
	buf[fread(buf, 1, sizeof(buf) - 1, file)] = '\0';
	fclose(file);
	ASSERT_STR(buf, text);
}

static bool bind_socket(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	bool ok;

	snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	ok = fd >= 0 && !bind(fd, (struct sockaddr *)&at, sizeof(at));
	close(fd);
	return ok;
}

/* Puts a thing where a file would be.  False: not here, not by this user. */
static bool put(enum thing thing, const char *path)
{
	put_text(victim, "precious\n", 9);
	switch (thing) {
	case LINK:
		return !symlink(victim, path);
	case DANGLING:
		return !symlink("nothing-there", path);
	case FIFO:
		return !mkfifo(path, 0666);
	case SOCKET:
		return bind_socket(path);
	case DIRECTORY:
		return !mkdir(path, 0777);
	case DEVICE:
		return !mknod(path, S_IFCHR | 0666, makedev(1, 5));
	case FULL:
		return !mknod(path, S_IFCHR | 0666, makedev(1, 7));
	default:
		return false;
	}
}

/* The mode of what is there, 0 = nothing. */
static mode_t mode_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? 0 : st.st_mode;
}

static int set_up_dir(void **state)
{
	(void)state;
	/* A hang is the worst that there is. */
	alarm(120);
	snprintf(dir, sizeof(dir), "/tmp/weft-test-files.XXXXXX");
	ASSERT(mkdtemp(dir));
	snprintf(victim, sizeof(victim), "%s/victim", dir);
	said[0] = '\0';
	return 0;
}

static int tear_down_dir(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	ASSERT_EQ(system(command), 0);
	return 0;
}

static char *in_dir(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/* Whether the directory has a file that is neither of two. */
static bool has_other(const char *name, const char *other)
{
	char command[400];

	snprintf(command, sizeof(command),
		 "test -n \"$(find '%s' -mindepth 1 ! -name '%s' ! -name '%s')\"",
		 dir, name, other);
	return !system(command);
}

/* --- written ----------------------------------------------------------- */

static int write_file(const char *name, const char *text, int err)
{
	struct weft__file f;

	said[0] = '\0';
	weft__file_begin(&f, dir, name);
	if (f.stream)
		fputs(text, f.stream);
	weft__file_end(&f, err, &diag);
	return *said ? -1 : 0;
}

/* A link gives way, all else stays; either way the victim is whole. */
TEST_WITH(test_write, set_up_dir, tear_down_dir)
{
	char *path = in_dir("weft-sl.dump");

	for (int thing = 0; thing < THINGS; thing++) {
		bool link = thing == LINK || thing == DANGLING;
		mode_t before;

		if (!put(thing, path))
			continue;
		before = mode_of(path);
		ASSERT_EQ(write_file("weft-sl.dump", "new\n", 0),
			  link ? 0 : -1);
		expect_text(victim, "precious\n");
		if (link) {
			expect_text(path, "new\n");
		} else {
			ASSERT_EQ(mode_of(path), before);
			ASSERT(strstr(said, "weft-sl.dump was not written: "));
			ASSERT(strstr(said, "take it away"));
		}
		ASSERT(!has_other("weft-sl.dump", "victim"));
		ASSERT_EQ(remove(path), 0);
	}
}

/* Others may read a dump, and nobody else may write it. */
TEST_WITH(test_mode, set_up_dir, tear_down_dir)
{
	char *path = in_dir("weft-sl.dump");

	for (mode_t mask = 0; mask <= 0777; mask += 077) {
		mode_t old = umask(mask);

		write_file("weft-sl.dump", "text\n", 0);
		ASSERT_EQ(weft__file_append(in_dir("log"), "x\n", 2, 100, 1),
			  0);
		umask(old);
		ASSERT_EQ(mode_of(in_dir("log")), S_IFREG | 0644);
		path = in_dir("weft-sl.dump");
		ASSERT_EQ(mode_of(path), S_IFREG | 0644);
		unlink(path);
		unlink(in_dir("log"));
	}
}

/* What cannot be written leaves nothing of that name, nor of another. */
TEST_WITH(test_fails, set_up_dir, tear_down_dir)
{
	ASSERT_EQ(write_file("weft-sl.dump", "old\n", 0), 0);
	ASSERT_EQ(write_file("weft-sl.dump", "new\n", -ENOSPC), -1);
	ASSERT(strstr(said, "No space left"));
	ASSERT(!has_other(".", "."));
	write_file("weft-sl.dump", "old\n", 0);
	/* The disk is full. */
	put_text(victim, "precious\n", 9);
	if (!access("/dev/full", W_OK)) {
		struct weft__file f;
		int full = open("/dev/full", O_WRONLY);

		weft__file_begin(&f, dir, "weft-sl.dump");
		ASSERT(f.stream);
		ASSERT_EQ(dup2(full, fileno(f.stream)), fileno(f.stream));
		close(full);
		fputs("new\n", f.stream);
		weft__file_end(&f, 0, &diag);
		ASSERT(strstr(said, "No space left"));
		ASSERT(!has_other("victim", "victim"));
	}
}

TEST_WITH(test_same, set_up_dir, tear_down_dir)
{
	struct stat first, second;

	write_file("weft-sl.dump", "text\n", 0);
	ASSERT_EQ(stat(in_dir("weft-sl.dump"), &first), 0);
	write_file("weft-sl.dump", "text\n", 0);
	ASSERT_EQ(stat(in_dir("weft-sl.dump"), &second), 0);
	ASSERT_EQ(first.st_ino, second.st_ino);
	ASSERT(!has_other("weft-sl.dump", "weft-sl.dump"));
}

TEST_WITH(test_remove, set_up_dir, tear_down_dir)
{
	char *path = in_dir("weft-paths.dump");

	for (int thing = 0; thing < THINGS; thing++) {
		bool link = thing == LINK || thing == DANGLING;

		if (!put(thing, path))
			continue;
		weft__file_remove(dir, "weft-paths.dump");
		ASSERT_EQ(mode_of(path) == 0, link);
		expect_text(victim, "precious\n");
		remove(path);
	}
	weft__file_remove(dir, "weft-paths.dump");
	weft__file_remove(NULL, "weft-paths.dump");
}

/* Temporary files of a run that was killed go, those of one that is at it and
 * those of others stay. */
TEST_WITH(test_stale, set_up_dir, tear_down_dir)
{
	struct weft__file f;
	char *stale = in_dir(".weft-sl.dump.weft-a1b2c3");

	put_text(stale, "half", 4);
	write_file("weft-sl.dump", "text\n", 0);
	ASSERT_EQ(mode_of(stale), 0);
	put_text(in_dir(".weft-sl.dump.weft-a1b2c"), "no", 2);
	put_text(in_dir(".weft-sl.dump.weft-backup1"), "no", 2);
	put_text(in_dir("weft-sl.dump.weft-a1b2c3"), "no", 2);
	put_text(in_dir(".weft-sl.psl.weft-a1b2c3"), "no", 2);
	ASSERT_EQ(mkfifo(in_dir(".weft-sl.dump.weft-aaaaaa"), 0600), 0);
	put_text(victim, "precious\n", 9);
	ASSERT_EQ(symlink("victim", in_dir(".weft-sl.dump.weft-bbbbbb")), 0);
	weft__file_begin(&f, dir, "weft-sl.dump");
	ASSERT(f.stream);
	write_file("weft-sl.dump", "text of another\n", 0);
	ASSERT_EQ(mode_of(f.temp), S_IFREG | 0644);
	fputs("text\n", f.stream);
	weft__file_end(&f, 0, &diag);
	expect_text(in_dir("weft-sl.dump"), "text\n");
	expect_text(victim, "precious\n");
	ASSERT_NE(mode_of(in_dir(".weft-sl.dump.weft-a1b2c")), 0);
	ASSERT_NE(mode_of(in_dir(".weft-sl.dump.weft-backup1")), 0);
	ASSERT_NE(mode_of(in_dir("weft-sl.dump.weft-a1b2c3")), 0);
	ASSERT_NE(mode_of(in_dir(".weft-sl.psl.weft-a1b2c3")), 0);
	ASSERT_NE(mode_of(in_dir(".weft-sl.dump.weft-aaaaaa")), 0);
	ASSERT_NE(mode_of(in_dir(".weft-sl.dump.weft-bbbbbb")), 0);
}

/* --- appended to ------------------------------------------------------- */

TEST_WITH(test_append, set_up_dir, tear_down_dir)
{
	static const int errors[THINGS] = {
		[LINK] = -ELOOP, [DANGLING] = -ELOOP, [FIFO] = -ENXIO,
		[SOCKET] = -ENXIO, [DIRECTORY] = -EISDIR, [DEVICE] = -EINVAL,
		[FULL] = -EINVAL,
	};
	char *path = in_dir("weft-sweeps.jsonl");

	for (int thing = 0; thing < THINGS; thing++) {
		mode_t before;

		if (!put(thing, path))
			continue;
		before = mode_of(path);
		ASSERT_EQ(weft__file_append(path, "x\n", 2, 100, 1),
			  errors[thing]);
		expect_text(victim, "precious\n");
		ASSERT_EQ(mode_of(path), before);
		weft__file_warn(path, errors[thing], &diag);
		ASSERT(strstr(said, strerror(-errors[thing])));
		ASSERT(strstr(said, "take it away"));
		remove(path);
	}
}

/* Older files: as many as there is room for before what is none of ours. */
TEST_WITH(test_rotate, set_up_dir, tear_down_dir)
{
	char path[200], name[32];

	snprintf(path, sizeof(path), "%s", in_dir("log"));
	for (int thing = 0; thing < THINGS; thing++) {
		bool link = thing == LINK || thing == DANGLING;

		if (!put(thing, in_dir("log.2")))
			continue;
		for (int i = 0; i < 6; i++) {
			snprintf(name, sizeof(name), "line %d\n", i);
			ASSERT_EQ(weft__file_append(path, name, 7, 7, 3), 0);
		}
		expect_text(path, "line 5\n");
		expect_text(in_dir("log.1"), "line 4\n");
		expect_text(victim, "precious\n");
		if (link)
			expect_text(in_dir("log.3"), "line 2\n");
		else
			ASSERT_EQ(mode_of(in_dir("log.3")), 0);
		remove(path);
		for (int i = 1; i <= 4; i++) {
			snprintf(name, sizeof(name), "log.%d", i);
			remove(in_dir(name));
		}
	}
}

/* --- read -------------------------------------------------------------- */

static int read_goals(const char *path)
{
	struct weft__goals goals;
	int err = weft__goals_read(path, weft__file_open_list, &goals, &diag);

	if (!err)
		weft__goals_free(&goals);
	return err;
}

static int read_conf(const char *path)
{
	static const struct weft_option none[] = { { .type = WEFT_OPT_END } };
	static const struct weft_engine engine = {
		.name = "testengine", .options = none,
	};
	struct weft__conf conf;
	char words[300];
	int err;

	snprintf(words, sizeof(words), "weft.conf=%s", path);
	err = weft__conf_read(words, &engine, &conf, &diag);
	if (!err)
		weft__conf_free(&conf);
	return err;
}

static const struct weft_option lists[] = {
	{ .name = "roots", .type = WEFT_OPT_LIST, .help = "switches" },
	{ .name = "objective", .type = WEFT_OPT_OBJECTIVE, .preset = "basket",
	  .help = "patterns" },
	{ .name = "jobs", .type = WEFT_OPT_JOBS, .help = "jobs" },
	{ .type = WEFT_OPT_END },
};

/* By an option of weft.conf, or by OpenSM's. */
static int read_option(const char *option, const char *path)
{
	struct weft_options *o;
	int err;

	ASSERT_EQ(weft_options_new(&o, lists), 0);
	if (option)
		ASSERT_EQ(weft_options_set(o, option, path, NULL, 0, NULL), 0);
	err = weft__conf_lists(o, option ? NULL : path, &diag);
	weft_options_free(o);
	return err;
}

static int read_list(const char *path)
{
	return read_option("roots", path);
}

static int read_root_guids(const char *path)
{
	return read_option(NULL, path);
}

static int read_objective(const char *path)
{
	return read_option("objective", path);
}

static int read_jobs(const char *path)
{
	return read_option("jobs", path);
}

static const struct {
	const char *text;	/* that is fine */
	int (*read)(const char *path);
	off_t limit;
} readers[] = {
	{ "[weft]\ndeadlock = keep\n", read_conf, 1 << 20 },
	{ "0x10 spine\n", read_list, 64 << 20 },
	{ "0x10 spine\n", read_root_guids, 64 << 20 },
	{ "2 shift\n1 tree\n", read_objective, 64 << 20 },
	{ "train: n[1-4]\n", read_jobs, 64 << 20 },
	{ "* 0x12\n", read_goals, 64 << 20 },
};
#define READERS (sizeof(readers) / sizeof(*readers))

TEST_WITH(test_read, set_up_dir, tear_down_dir)
{
	char *path = in_dir("file");

	for (size_t i = 0; i < READERS; i++) {
		for (int thing = 0; thing < THINGS; thing++) {
			if (!put(thing, path))
				continue;
			put_text(victim, readers[i].text,
				 strlen(readers[i].text));
			said[0] = '\0';
			if (thing == LINK)
				ASSERT_EQ(readers[i].read(path), 0);
			else
				ASSERT(readers[i].read(path) < 0);
			ASSERT((thing == LINK) == !*said);
			remove(path);
		}
		ASSERT(readers[i].read("/dev/zero") < 0);
		ASSERT(strstr(said, "this is a device"));
	}
}

TEST_WITH(test_nul, set_up_dir, tear_down_dir)
{
	char text[100];

	for (size_t i = 0; i < READERS; i++) {
		size_t n = snprintf(text, sizeof(text), "# comment\n%s# and@",
				    readers[i].text);

		put_text(in_dir("file"), text, n);
		ASSERT_EQ(readers[i].read(in_dir("file")), 0);
		*strchr(text, '@') = '\0';
		put_text(in_dir("file"), text, n);
		ASSERT_EQ(readers[i].read(in_dir("file")), -EINVAL);
		ASSERT(strstr(said, "a NUL byte"));
		/* the last line, which has it */
		snprintf(text, sizeof(text), "file:%d: ", i == 0 || i == 3 ? 4 :
			 3);
		ASSERT(strstr(said, text));
	}
}

TEST_WITH(test_large, set_up_dir, tear_down_dir)
{
	for (size_t i = 0; i < READERS; i++) {
		put_text(in_dir("file"), readers[i].text,
			 strlen(readers[i].text));
		ASSERT_EQ(truncate(in_dir("file"), readers[i].limit), 0);
		ASSERT_EQ(readers[i].read(in_dir("file")), -EFBIG);
		ASSERT(strstr(said, "is it the right file?"));
	}
}

/* --- in a sweep -------------------------------------------------------- */

/* Two sweeps with a thing in the place of each dump; the second one waits for
 * the threads of the first. */
TEST_WITH(test_sweeps, set_up, tear_down)
{
	static const char *const names[] = {
		"weft-sl.dump", "weft-sl.psl", "weft-sweeps.jsonl",
	};
	struct fixture *x = suite_state;
	char path[128];

	alarm(120);
	snprintf(victim, sizeof(victim), "%s/victim", x->dir);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		write_conf(x, i == 1 ? "[weft]\nsl_dump = psl\n" : "");
		path_in(x, names[i], path);
		for (int thing = 0; thing < THINGS; thing++) {
			remove(path);
			if (!put(thing, path))
				continue;
			ASSERT_EQ(sweep(x), 0);
			weft__shim_idle(x->re.context);
			ASSERT_EQ(strstr(shim_log, "was not written") != NULL,
				  i == 2 || thing > DANGLING);
			ASSERT_EQ(sweep(x), 0);
			weft__shim_idle(x->re.context);
			expect_text(victim, "precious\n");
			remove(path);
			/* It can be written again. */
			ASSERT_EQ(sweep(x), 0);
			weft__shim_idle(x->re.context);
			ASSERT(!strstr(shim_log, "was not written"));
			ASSERT_EQ(mode_of(path), S_IFREG | 0644);
		}
		remove(path);
	}
	remove(victim);
}

/* What an earlier run left, or another form, is not judged with these. */
TEST_WITH(test_leftovers, set_up, tear_down)
{
	struct fixture *x = suite_state;
	char path[128];

	path_in(x, "weft-paths.dump", path);
	put_text(path, "old\n", 4);
	path_in(x, "weft-sl.psl", path);
	put_text(path, "old\n", 4);
	ASSERT_EQ(sweep(x), 0);
	weft__shim_idle(x->re.context);
	ASSERT_EQ(mode_of(path), 0);
	path_in(x, "weft-paths.dump", path);
	ASSERT_EQ(mode_of(path), 0);
	path_in(x, "weft-sl.dump", path);
	ASSERT_EQ(mode_of(path), S_IFREG | 0644);
	/* A sweep that is refused leaves none. */
	put_text(path, "old\n", 4);
	write_conf(x, "[weft]\ndeadlock = refuse\n");
	ASSERT_EQ(sweep(x), -1);
	weft__shim_idle(x->re.context);
	ASSERT_EQ(mode_of(path), 0);
}
