// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft-sweeps.jsonl: a line of JSON for each sweep, and room for more. */
#include "plugins/files/osm_files.h"
#include "plugins/sweep/osm_sweeps.h"

#include "shim_fixture.h"

#include <weft/weft.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define FILE_NAME "weft-sweeps.jsonl"

/* Waits for the thread and returns the number of lines; the last one is
 * *line. */
static unsigned read_lines(const struct fixture *x, const char *name,
			   json_t **line)
{
	char path[128], text[8192];
	unsigned n = 0;
	FILE *file;

	weft__shim_idle(x->re.context);
	path_in(x, name, path);
	file = fopen(path, "r");
	if (!file)
		return 0;
	while (fgets(text, sizeof(text), file)) {
		json_error_t error;
		json_t *one = json_loads(text, JSON_REJECT_DUPLICATES, &error);

		if (!one)
			ASSERT_NEVER("%s: %s", error.text, text);
		ASSERT_EQ(text[strlen(text) - 1], '\n');
		if (n++ && line)
			json_decref(*line);
		if (line)
			*line = one;
		else
			json_decref(one);
	}
	fclose(file);
	return n;
}

static json_int_t whole(json_t *line, const char *key, const char *in)
{
	json_t *of = in ? json_object_get(line, in) : line;

	ASSERT(json_is_integer(json_object_get(of, key)));
	return json_integer_value(json_object_get(of, key));
}

static void same_text(json_t *line, const char *key, const char *text)
{
	json_t *value = json_object_get(line, key);

	ASSERT(value);
	if (!text)
		ASSERT(json_is_null(value));
	else
		ASSERT_STR(json_string_value(value), text);
}

/* What the tables that OpenSM was given are worth, by themselves. */
static void same_bandwidth(const struct fixture *x, json_t *line)
{
	static const struct weft_saturation_spec spec = { .all_hosts = false };
	struct weft_routes routes = { .lid_offset = NULL };
	json_t *bandwidth = json_object_get(line, "bandwidth");
	struct weft_saturation s;

	ASSERT_EQ(weft_lft_init(&routes.lft, x->f->nsw, x->f->max_lid), 0);
	for (uint32_t i = 0; i < x->f->nsw; i++) {
		const osm_switch_t *sw = shim_switch(x->s, x->f->sw[i].guid);

		memcpy(weft_lft_row(&routes.lft, i), sw->new_lft,
		       x->f->max_lid + 1);
	}
	ASSERT_EQ(weft_saturation_run(x->f, &routes, &spec, &s, NULL), 0);
	ASSERT(fabs(json_real_value(json_object_get(bandwidth, "mean")) -
	       s.mean) < 1e-4);
	ASSERT(fabs(json_real_value(json_object_get(bandwidth, "even")) -
	       s.even) < 1e-4);
	weft_routes_free(&routes);
}

/* What OpenSM does once a switch has acknowledged its blocks. */
static void acknowledge(const struct fixture *x)
{
	for (uint32_t i = 0; i < x->s->nsw; i++) {
		osm_switch_t *sw = &x->s->sw[i];

		memcpy(sw->lft, sw->new_lft, sw->lft_size);
	}
}

TEST_WITH(test_lines, set_up, tear_down)
{
	struct fixture *x = suite_state;
	json_t *line = NULL;

	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(read_lines(x, FILE_NAME, &line), 1);
	ASSERT_EQ(whole(line, "sweep", NULL), 1);
	same_text(line, "engine", "psssp");
	same_text(line, "outcome", "routed");
	same_text(line, "error", NULL);
	same_text(line, "conf_error", NULL);
	ASSERT_EQ(whole(line, "hosts", NULL), x->f->nhosts);
	ASSERT_EQ(whole(line, "switches", NULL), x->f->nsw);
	ASSERT_EQ(whole(line, "cables", NULL), x->f->nlinks);
	ASSERT_EQ(whole(line, "switches", "changes"), x->f->nsw);
	ASSERT_EQ(whole(line, "blocks", "changes"), x->f->nsw);
	ASSERT(whole(line, "lanes", NULL) > 1);
	ASSERT(whole(line, "max_hops", NULL) >= 5);
	ASSERT(json_is_real(json_object_get(json_object_get(line, "seconds"),
	       "verify")));
	same_bandwidth(x, line);
	json_decref(line);

	/* The same again changes nothing. */
	acknowledge(x);
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(read_lines(x, FILE_NAME, &line), 2);
	ASSERT_EQ(whole(line, "sweep", NULL), 2);
	ASSERT_EQ(whole(line, "entries", "changes"), 0);
	ASSERT_EQ(whole(line, "blocks", "changes"), 0);
	ASSERT_EQ(whole(line, "switches", "changes"), 0);
	json_decref(line);
}

/* Entries that differ, counted one by one. */
TEST_WITH(test_changes, set_up, tear_down)
{
	struct fixture *x = suite_state;
	json_t *line = NULL;

	ASSERT_EQ(sweep(x), 0);
	acknowledge(x);
	x->s->sw[0].lft[1] ^= 1;
	x->s->sw[0].lft[x->f->max_lid] ^= 1;
	x->s->sw[3].lft[2] = OSM_NO_PATH;
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(read_lines(x, FILE_NAME, &line), 2);
	ASSERT_EQ(whole(line, "entries", "changes"), 3);
	ASSERT_EQ(whole(line, "switches", "changes"), 2);
	ASSERT_EQ(whole(line, "blocks", "changes"), x->f->max_lid < 64 ? 2 : 3);
	json_decref(line);
}

TEST_WITH(test_refused, set_up, tear_down)
{
	struct fixture *x = suite_state;
	json_t *line = NULL;

	write_conf(x, "[weft]\ndeadlock = refuse\n");
	ASSERT_NE(sweep(x), 0);
	ASSERT_EQ(read_lines(x, FILE_NAME, &line), 1);
	same_text(line, "outcome", "refused");
	same_text(line, "error_code", "5705");
	ASSERT(strstr(json_string_value(json_object_get(line, "error")),
	       "credit loop"));
	ASSERT(!json_object_get(line, "changes"));
	json_decref(line);

	/* A mistake in weft.conf is told, and what was read before holds. */
	write_conf(x, "[weft]\ndeadlock = \"non\\sense\"\n");
	ASSERT_NE(sweep(x), 0);
	ASSERT_EQ(read_lines(x, FILE_NAME, &line), 2);
	same_text(line, "error_code", "5705");
	ASSERT(strstr(json_string_value(json_object_get(line, "conf_error")),
	       "weft.conf:2: "));
	ASSERT_EQ(whole(line, "warnings", NULL), 1);
	json_decref(line);

	write_conf(x, "[weft]\ndeadlock = ignore\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(read_lines(x, FILE_NAME, &line), 3);
	same_text(line, "outcome", "routed");
	ASSERT(json_string_value(json_object_get(line, "credit_loop")));
	json_decref(line);
}

TEST_WITH(test_none, set_up, tear_down)
{
	struct fixture *x = suite_state;

	write_conf(x, "[weft]\nsweeps_size = 0\n");
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(read_lines(x, FILE_NAME, NULL), 0);
	write_conf(x, "");
	options(x)->dump_files_dir = NULL;
	ASSERT_EQ(sweep(x), 0);
	ASSERT_EQ(read_lines(x, FILE_NAME, NULL), 0);
}

/* A KiB holds a line of these or two; four files stay, and no line is lost but
 * with a file. */
TEST_WITH(test_rotation, set_up, tear_down)
{
	struct fixture *x = suite_state;
	unsigned lines = 0, number = 0, had = 1;
	char path[128], name[64];
	json_t *line = NULL;

	write_conf(x, "[weft]\nsweeps_size = 1\nsweeps_keep = 3\n");
	for (unsigned i = 0; i < 9; i++)
		ASSERT_EQ(sweep(x), 0);
	for (unsigned n = 0; n < 4; n++) {
		if (n)
			snprintf(name, sizeof(name), FILE_NAME ".%u", n);
		else
			snprintf(name, sizeof(name), FILE_NAME);
		had = read_lines(x, name, &line);
		ASSERT(had > 0);
		if (n)
			ASSERT_EQ(whole(line, "sweep", NULL), number - lines);
		else
			number = whole(line, "sweep", NULL);
		lines += had;
		json_decref(line);
		path_in(x, name, path);
		unlink(path);
	}
	ASSERT_EQ(number, 9);
	ASSERT_EQ(read_lines(x, FILE_NAME ".4", NULL), 0);
}

static void append(const char *path, const char *text, int want)
{
	ASSERT_EQ(weft__file_append(path, text, strlen(text), 100, 1), want);
}

/* What is no file of ours is left alone. */
TEST_WITH(test_others, set_up, tear_down)
{
	struct fixture *x = suite_state;
	char path[128], target[128];
	struct stat st;

	path_in(x, FILE_NAME, path);
	path_in(x, "weft-sl.psl", target);
	ASSERT_EQ(symlink(target, path), 0);
	append(path, "text\n", -ELOOP);
	ASSERT_EQ(stat(target, &st), -1);
	ASSERT_EQ(unlink(path), 0);
	ASSERT_EQ(mkfifo(path, 0600), 0);
	append(path, "text\n", -ENXIO);
	ASSERT_EQ(unlink(path), 0);
	ASSERT_EQ(mkdir(path, 0700), 0);
	append(path, "text\n", -EISDIR);
	/* Said once, and sweeps go on. */
	ASSERT_EQ(sweep(x), 0);
	weft__shim_idle(x->re.context);
	shim_expect_log("weft-sweeps.jsonl was not written: Is a directory");
	ASSERT_EQ(sweep(x), 0);
	weft__shim_idle(x->re.context);
	ASSERT(!strstr(shim_log, "was not written"));
	ASSERT_EQ(rmdir(path), 0);
	append("/dev/full", "text\n", -EINVAL);
	append("/no/such/folder", "text\n", -ENOENT);
}

/* Where there is room for a part of a line, none of it stays. */
TEST_WITH(test_full, set_up, tear_down)
{
	struct fixture *x = suite_state;
	struct rlimit before, limit;
	char path[128], text[30];
	struct stat st;

	path_in(x, FILE_NAME, path);
	append(path, "first\n", 0);
	/* Larger than what this program prints, which it limits as well. */
	ASSERT_EQ(truncate(path, 1 << 20), 0);
	memset(text, 'x', sizeof(text));
	ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = (1 << 20) + 10;
	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
	ASSERT_EQ(weft__file_append(path, text, sizeof(text), 1 << 30, 1),
		  -ENOSPC);
	ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
	ASSERT_EQ(stat(path, &st), 0);
	ASSERT_EQ(st.st_size, 1 << 20);
}
