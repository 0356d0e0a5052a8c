// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft-standing: what an opensm that is started again goes on with. */
#include "shim_fixture.h"

#include "plugins/standing/osm_flaps.h"
#include "plugins/standing/osm_stored.h"

#include <weft/stored.h>

#include <sys/stat.h>

#define NAME "weft-standing"
#define KNOWN "what stood before is known"

static int set_up_cache(void **state)
{
	static struct fixture x;

	open_fixture(&x, "torus:4x4,hosts=2");
	setenv("OSM_CACHE_DIR", x.dir, 1);
	*state = &x;
	return 0;
}

static int tear_down_cache(void **state)
{
	struct fixture *x = *state;
	char path[128];

	weft__shim_idle(x->re.context);
	path_in(x, NAME, path);
	unlink(path);
	close_fixture(x);
	return 0;
}

static void restart(struct fixture *x)
{
	x->re.destroy(x->re.context);
	x->re = (struct osm_routing_engine){
		.context = (void *)weft_engine_find("psssp"),
	};
	ASSERT_EQ(weft__shim_setup(&x->re, x->s->osm), 0);
	ASSERT_EQ(sweep(x), 0);
	weft__shim_idle(x->re.context);
}

static void expect_no_log(const char *words)
{
	if (strstr(shim_log, words))
		ASSERT_NEVER("the log has \"%s\"", words);
}

static bool stored(const struct fixture *x, struct weft_stored *out)
{
	char path[128];

	path_in(x, NAME, path);
	return !weft_stored_read(path, out, NULL);
}

/* What is written is read, and written again as it was. */
TEST_WITH(test_restart, set_up_cache, tear_down_cache)
{
	struct fixture *x = suite_state;
	struct weft_stored before, after;

	ASSERT_EQ(sweep(x), 0);
	expect_no_log(KNOWN);
	weft__shim_idle(x->re.context);
	ASSERT(stored(x, &before));
	ASSERT_STR(before.engine, "psssp");
	ASSERT(!before.home.fabric);
	restart(x);
	shim_expect_log(KNOWN);
	shim_expect_log("tables stand: 0 entries mended");
	ASSERT(stored(x, &after));
	ASSERT_EQ(before.now.since, after.now.since);
	ASSERT(after.home.fabric);
	weft_stored_free(&before);
	weft_stored_free(&after);
	ASSERT_EQ(sweep(x), 0);
	expect_no_log(KNOWN);
}

/* One that was a standby does not know what the master did. */
TEST_WITH(test_standby, set_up_cache, tear_down_cache)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(sweep(x), 0);
	x->s->osm->subn.coming_out_of_standby = TRUE;
	restart(x);
	expect_no_log(KNOWN);
	x->s->osm->subn.coming_out_of_standby = FALSE;
	ASSERT_EQ(sweep(x), 0);
	expect_no_log(KNOWN);
}

TEST_WITH(test_options, set_up_cache, tear_down_cache)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(sweep(x), 0);
	weft__shim_idle(x->re.context);
	write_conf(x, "[psssp]\npasses = 2\n");
	restart(x);
	shim_expect_log("routed anew: options have changed");
	/* defaults that are told are no change */
	write_conf(x, "[weft]\nqos_levels = 1\n[psssp]\npasses = 2\n");
	restart(x);
	shim_expect_log("tables stand");
	options(x)->qos = FALSE;
	restart(x);
	shim_expect_log("routed anew: options have changed");
}

TEST_WITH(test_no, set_up_cache, tear_down_cache)
{
	struct fixture *x = suite_state;
	struct weft_stored got;

	ASSERT_EQ(sweep(x), 0);
	write_conf(x, "[weft]\nstanding = no\n");
	restart(x);
	expect_no_log(KNOWN);
	ASSERT(!stored(x, &got));
}

/* Has the file tell a debt.  Returns whether it is the same file as before. */
static bool tell_debt(const struct fixture *x, struct weft__storing *s,
		      const struct weft__held *held, struct weft__debt *debt)
{
	struct weft_stored got;
	struct stat was, is;
	char path[128];

	path_in(x, NAME, path);
	debt->entries++;
	ASSERT_EQ(stat(path, &was), 0);
	weft__stored_debt(s, held, debt);
	weft__storing_wait(s);
	ASSERT(stored(x, &got));
	ASSERT_EQ(got.debt.entries, debt->entries);
	weft_stored_free(&got);
	ASSERT_EQ(stat(path, &is), 0);
	return was.st_ino == is.st_ino;
}

/* A file of the same size that is not the one that was written. */
static void replace_file(const struct fixture *x)
{
	char path[128], *bytes;
	struct stat st;
	FILE *file;

	path_in(x, NAME, path);
	ASSERT_EQ(stat(path, &st), 0);
	bytes = calloc(1, st.st_size);
	file = fopen(path, "w");
	ASSERT(file);
	ASSERT_EQ(fwrite(bytes, 1, st.st_size, file), st.st_size);
	fclose(file);
	free(bytes);
}

/* A debt that is found while what it is of waits to be written is written with
 * it; one that is found later, into the file that is there. */
TEST_WITH(test_debt, set_up_cache, tear_down_cache)
{
	struct fixture *x = suite_state;
	struct weft__held *held = weft__held_new();
	struct weft_routes routes = { .lid_offset = NULL };
	struct weft_options *o = NULL;
	struct weft_fabric *f;
	const struct weft__stood stood = { .now = held, .home = held };
	const struct weft__flaps flaps = { .n = 0 };
	struct weft__debt debt = { .known = true, .since = 1, .worth = .5,
				   .anew = .75 };
	const struct weft__debt unknown = { .known = false };
	const struct weft__storing_news news = { &stood, &unknown, &flaps, 0 };
	const struct weft__log log = { .log = &x->s->osm->log,
				       .engine = "psssp" };
	const struct weft_engine *e = weft_engine_find("psssp");
	struct weft__conf conf;
	struct weft__storing s;
	struct weft_stored got;

	ASSERT_EQ(weft_fabric_assign_lids(x->f, 0, &f, NULL), 0);
	ASSERT_EQ(weft_options_new(&o, e->options), 0);
	ASSERT_EQ(weft_route(e, f, o, &routes, NULL), 0);
	weft_options_free(o);
	weft__held_fill(held, &f, &routes);
	ASSERT_EQ(weft__conf_read(x->words, e, &conf, NULL), 0);
	weft__storing_init(&s);
	for (unsigned i = 1; i <= 100; i++) {
		debt.entries = i;
		weft__stored_start(&s, &news, &conf, &log);
		weft__stored_debt(&s, held, &debt);
	}
	weft__storing_wait(&s);
	ASSERT(stored(x, &got));
	ASSERT_EQ(got.debt.entries, 100);
	ASSERT_EQ(got.nflaps, 0);
	weft_stored_free(&got);
	ASSERT(tell_debt(x, &s, held, &debt));
	ASSERT(tell_debt(x, &s, held, &debt));
	replace_file(x);
	ASSERT(!tell_debt(x, &s, held, &debt));
	ASSERT(tell_debt(x, &s, held, &debt));
	weft__storing_free(&s);
	weft__conf_free(&conf);
	weft__let_go(held);
}
