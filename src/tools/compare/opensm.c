// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The engines of the real opensm, which the script osm-run starts in the
 * simulator ibsim, as many at a time as there are processors.
 *
 * Whatever ends this program, nothing is left behind: the kernel then stops the
 * scripts, which clean up by themselves, and a shell that waits for this
 * program's end removes the directory that the tables are collected in.
 */
#include "tools/compare/compare.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NETWORK "fabric.ibnetdiscover"
#define MOST 60	  /* seconds that one engine may take */
#define LATE -2	  /* instead of a status: there was no time left */
#define CANNOT 77 /* status of osm-run: opensm or ibsim are missing */

static const struct stock {
	const char *name;
	bool levels; /* gives out service levels against credit loops */
} stock[] = {
	{ "minhop", false },	{ "updn", false },  { "dnup", false },
	{ "ftree", false },	{ "lash", true },   { "dor", false },
	{ "sssp", false },	{ "dfsssp", true }, { "nue", true },
	{ "torus-2QoS", true },
};

#define NSTOCK (sizeof(stock) / sizeof(stock[0]))

struct scene {
	struct tool *t;
	const struct weft_fabric *fabric;
	const char *script;
	char directory[PATH_MAX - 64];
	FILE *guard;
	unsigned lmc, vls; /* vls: of max_op_vls */
	double seconds;	   /* left at start */
	struct timespec start;
	pid_t pid[NSTOCK];
	int status[NSTOCK]; /* of exit, -1: a signal ended it */
};

/* A path within the directory of a scene. */
struct path {
	char text[PATH_MAX];
};

static struct path path_of(const struct scene *s, const char *name,
			   const char *end)
{
	struct path p;

	snprintf(p.text, sizeof(p.text), "%s/%s%s", s->directory, name, end);
	return p;
}

/* --- the directory -------------------------------------------------------- */

static bool make_directory(struct scene *s)
{
	const char *where = getenv("TMPDIR");
	char command[PATH_MAX + 64];

	snprintf(s->directory, sizeof(s->directory), "%s/weft-compare.XXXXXX",
		 where && *where ? where : "/tmp");
	if (!mkdtemp(s->directory)) {
		weft_diag_say(&s->t->diag, WEFT_ERROR, "%s: %s", s->directory,
			      strerror(errno));
		return false;
	}
	setenv("WEFT_COMPARE", s->directory, 1);
	snprintf(command, sizeof(command),
		 "trap '' INT TERM HUP QUIT; cat >/dev/null; rm -rf \"$WEFT_COMPARE\"");
	s->guard = popen(command, "we");
	return s->guard || tool_no_memory(s->t);
}

static bool write_network(struct scene *s)
{
	struct path p = path_of(s, NETWORK, "");
	FILE *out = fopen(p.text, "w");
	bool ok = out &&
		  !weft_io_write_ibnetdiscover(out, s->fabric, &s->t->diag);

	if (out && fclose(out))
		ok = false;
	if (!ok)
		weft_diag_say(&s->t->diag, WEFT_ERROR, "%s: %s", p.text,
			      strerror(errno));
	return ok;
}

/* --- the programs --------------------------------------------------------- */

/* The child: osm-run with these arguments, silent, which ends with us. */
static void become_script(const struct scene *s, const char *out,
			  char *const *argument)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() == 1 || !freopen("/dev/null", "r", stdin) ||
	    !freopen(out, "w", stdout) ||
	    dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
		_exit(CANNOT);
	execv(s->script, argument);
	_exit(CANNOT);
}

static pid_t start_script(const struct scene *s, const char *out,
			  char *const *argument)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		become_script(s, out, argument);
	return pid;
}

/* Returns how long an engine that starts now may take; 0: there is no time. */
static unsigned seconds_for_one(const struct scene *s)
{
	struct timespec now;
	double left;

	clock_gettime(CLOCK_MONOTONIC, &now);
	left = s->seconds - (now.tv_sec - s->start.tv_sec);
	return left < 1 ? 0 : left < MOST ? left : MOST;
}

static pid_t start(const struct scene *s, const char *engine, unsigned most)
{
	struct path net = path_of(s, NETWORK, ""), to = path_of(s, engine, "");
	struct path out = path_of(s, engine, ".out");
	char engines[64], lmc[16], seconds[16], vls[24];
	char *const argument[] = { (char *)s->script,
				   "-t",
				   seconds,
				   "-e",
				   engines,
				   "-c",
				   "qos TRUE",
				   "-c",
				   lmc,
				   "-o",
				   to.text,
				   net.text,
				   NULL };

	snprintf(engines, sizeof(engines), "%s no_fallback", engine);
	snprintf(lmc, sizeof(lmc), "lmc %u", s->lmc);
	snprintf(vls, sizeof(vls), "max_op_vls %u", s->vls);
	snprintf(seconds, sizeof(seconds), "%u", most);
	return start_script(s, out.text, argument);
}

static int status_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Waits for one of them to end. */
static bool await_one(struct scene *s)
{
	int status;
	pid_t pid = wait(&status);

	for (unsigned i = 0; i < NSTOCK; i++)
		if (s->pid[i] == pid) {
			s->pid[i] = 0;
			s->status[i] = status_of(status);
		}
	return pid > 0;
}

static bool run_all(struct scene *s)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), running = 0;
	unsigned most;

	clock_gettime(CLOCK_MONOTONIC, &s->start);
	for (unsigned i = 0; i < NSTOCK; i++) {
		tool_phase(s->t, "opensm with %s, engine %u of %zu",
			   stock[i].name, i + 1, NSTOCK);
		if (running >= (cpus > 1 ? cpus : 1)) {
			await_one(s);
			running--;
		}
		most = seconds_for_one(s);
		s->status[i] = LATE;
		if (!most)
			continue;
		s->pid[i] = start(s, stock[i].name, most);
		if (s->pid[i] < 0)
			return tool_no_memory(s->t);
		running++;
	}
	tool_phase(s->t, "the last engines of opensm");
	while (running--)
		await_one(s);
	return true;
}

/* Whether opensm and ibsim are installed; says so if not. */
static bool is_there(struct scene *s)
{
	struct path out = path_of(s, "look", ".out");
	char *const argument[] = { (char *)s->script, "-k", NULL };
	int status = -1;
	pid_t pid = start_script(s, out.text, argument);
	char line[512] = "";
	FILE *in;

	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return tool_no_memory(s->t);
	if (!status_of(status))
		return true;
	in = fopen(out.text, "r");
	if (in && fgets(line, sizeof(line), in))
		line[strcspn(line, "\n")] = '\0';
	if (in)
		fclose(in);
	weft_diag_say(&s->t->diag, WEFT_ERROR,
		      "--with-opensm needs opensm, ibsim and %s: %s", s->script,
		      *line ? line : "there is no such script");
	return false;
}

/* --- rows ----------------------------------------------------------------- */

/* Why an engine did not come to an end: what opensm or the script said last. */
static void read_reason(const struct scene *s, unsigned i, char *text,
			size_t size)
{
	struct path p = path_of(s, stock[i].name, ".out");
	FILE *in = fopen(p.text, "r");
	char line[512];

	snprintf(text, size, "it ended with status %d", s->status[i]);
	while (in && fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "osm-run: ", 9))
			snprintf(text, size, "%s", line + 9);
	}
	if (in)
		fclose(in);
}

/* Seconds of a log's line, "Nov 23 14:02:43 030218 ..."; < 0: none. */
static double log_time(const char *line)
{
	uint64_t h, m, s, us;

	for (unsigned word = 0; word < 2; word++) {
		line += strcspn(line, " ");
		line += strspn(line, " ");
	}
	if (!weft_number_uint_at(&line, ":", 23, &h) || !*line++ ||
	    !weft_number_uint_at(&line, ":", 59, &m) || !*line++ ||
	    !weft_number_uint_at(&line, " ", 60, &s) || !*line++ ||
	    !weft_number_uint_at(&line, " ", 999999, &us))
		return -1;
	return h * 3600.0 + m * 60 + s + us * 1e-6;
}

/* Seconds from the begin of routing to its end by opensm's log; < 0: it does
 * not tell. */
static double read_seconds(const struct scene *s, unsigned i)
{
	struct path p = path_of(s, stock[i].name, "/opensm.log");
	FILE *in = fopen(p.text, "r");
	double begin = -1, end = -1;
	char line[1024];

	while (in && fgets(line, sizeof(line), in)) {
		if (strstr(line, "building routing with"))
			begin = log_time(line);
		else if (strstr(line, "tables configured on all switches"))
			end = log_time(line);
	}
	if (in)
		fclose(in);
	return begin >= 0 && end >= begin ? end - begin : -1;
}

static uint64_t read_memory(const struct scene *s, unsigned i)
{
	struct path p = path_of(s, stock[i].name, "/opensm.status");

	return tool_compare_memory(p.text, "VmHWM:");
}

/* Judges what an engine left; a refusal is a row, too. */
static bool add_row(struct scene *s, struct weft_comparison *c, unsigned i)
{
	struct path p = path_of(s, stock[i].name, "");
	struct weft_input in;
	struct weft_diag silent = { .emit = NULL };
	char reason[512] = "there was no time left for it (--time)";
	struct weft_candidate k = {
		.label = stock[i].name,
		.engine = stock[i].name,
		.origin = WEFT_TABLES_OPENSM,
		.state = WEFT_COMPARE_LATE,
		.reason = reason,
		.seconds = -1,
		.hidden_levels = stock[i].levels,
	};
	bool ok;

	if (s->status[i] && s->status[i] != LATE) {
		k.state = WEFT_COMPARE_REFUSED;
		read_reason(s, i, reason, sizeof(reason));
	}
	if (s->status[i])
		return !weft_comparison_add(c, &k, &s->t->diag);
	if (weft_input_open(p.text, false, &in, &silent)) {
		k.state = WEFT_COMPARE_REFUSED;
		snprintf(reason, sizeof(reason), "its tables cannot be read");
		return !weft_comparison_add(c, &k, &s->t->diag);
	}
	k.state = WEFT_COMPARED;
	k.reason = NULL;
	k.fabric = in.fabric;
	k.routes = &in.routes;
	k.seconds = read_seconds(s, i);
	k.memory = read_memory(s, i);
	tool_phase(s->t, "worth of OpenSM's %s", stock[i].name);
	ok = !weft_comparison_add(c, &k, &s->t->diag);
	weft_input_close(&in);
	return ok;
}

/* Returns the value of OperationalVLs for at most that many lanes. */
static unsigned op_vls(unsigned lanes)
{
	return lanes >= 15 ? 5 :
	       lanes >= 8  ? 4 :
	       lanes >= 4  ? 3 :
	       lanes >= 2  ? 2 :
			     1;
}

/* Finds osm-run: the one that the environment names, the one that was
 * installed, or, for a weft that was not, that of its source.  buf[size] is
 * scratch. */
static const char *find_script(char *buf, size_t size)
{
	static const char *const near[] = { "/scripts/osm-run",
					    "/../scripts/osm-run" };
	const char *script = getenv("WEFT_OSM_RUN");
	ssize_t n = readlink("/proc/self/exe", buf, size - 1);
	char *libs;

	if (script)
		return script;
	buf[n > 0 ? n : 0] = '\0';
	libs = strstr(buf, "/.libs/");
	for (unsigned i = 0; libs && i < 2; i++) {
		snprintf(libs, size - (libs - buf), "%s", near[i]);
		if (!access(buf, X_OK))
			return buf;
	}
	return PKGLIBEXECDIR "/osm-run";
}

bool tool_compare_opensm(struct tool *t, struct weft_comparison *c,
			 const struct weft_fabric *fabric, unsigned lanes,
			 double seconds)
{
	char buf[PATH_MAX];
	struct scene s = {
		.t = t,
		.fabric = fabric,
		.script = find_script(buf, sizeof(buf)),
		.seconds = seconds,
		.lmc = weft_fabric_lmc(fabric),
		.vls = op_vls(lanes),
	};
	bool ok = make_directory(&s) && is_there(&s);

	if (ok)
		ok = write_network(&s) && run_all(&s);
	for (unsigned i = 0; ok && i < NSTOCK; i++)
		ok = add_row(&s, c, i);
	if (s.guard)
		pclose(s.guard);
	return ok;
}
