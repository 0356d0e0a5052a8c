// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft.conf: where it is, what it may say, the words for what it may not. */
#include "unit/shim_util.h"

#include <weft/list.h>
#include <weft/worth.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct weft_option options[] = {
	{ .name = "passes", .type = WEFT_OPT_INT, .preset = "1", .min = 1,
	  .max = 9, .help = "how often" },
	{ .name = "name", .type = WEFT_OPT_STRING, .help = "any text" },
	{ .name = "roots", .type = WEFT_OPT_LIST, .help = "switches" },
	{ .name = "objective", .type = WEFT_OPT_OBJECTIVE, .preset = "basket",
	  .help = "patterns" },
	{ .type = WEFT_OPT_END },
};

static const struct weft_engine engine = {
	.name = "testengine", .options = options,
};

/* The last message, "line: text" or "text". */
static char said[1024];
static char path[] = "/tmp/weft-test-conf.XXXXXX";

static void hear(void *context, const struct weft_message *m)
{
	(void)context;
	assert_int_equal(m->severity, WEFT_ERROR);
	if (m->file) {
		assert_string_equal(m->file, path);
		snprintf(said, sizeof(said), "%lu: %s", m->line, m->text);
	} else {
		snprintf(said, sizeof(said), "%s", m->text);
	}
}

static int read_bytes(const char *text, size_t size, struct weft__conf *conf)
{
	struct weft_diag diag = { .emit = hear };
	char words[100];
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fwrite(text, 1, size, file);
	fclose(file);
	said[0] = '\0';
	snprintf(words, sizeof(words), "weft.conf=%s", path);
	return weft__conf_read(words, &engine, conf, &diag);
}

static int read_text(const char *text, struct weft__conf *conf)
{
	return read_bytes(text, strlen(text), conf);
}

static void expect_error(const char *text, const char *start)
{
	struct weft__conf conf = { .deadlock = WEFT__REFUSE };

	assert_int_not_equal(read_text(text, &conf), 0);
	if (strncmp(said, start, strlen(start)))
		fail_msg("said \"%s\", not \"%s...\"", said, start);
	assert_int_equal(conf.deadlock, WEFT__REFUSE);	/* untouched */
	assert_null(conf.options);
}

static void expect_path(const char *words, const char *expected)
{
	char *found = weft__conf_path(words);

	if (expected) {
		assert_non_null(found);
		assert_string_equal(found, expected);
	} else {
		assert_null(found);
	}
	free(found);
}

static void test_path(void **state)
{
	(void)state;
	expect_path(NULL, NULL);
	expect_path("", NULL);
	expect_path("  ", NULL);
	expect_path("/etc/weft.conf", "/etc/weft.conf");
	expect_path("  /etc/weft.conf ", "/etc/weft.conf");
	expect_path("weft.conf=/a/b", "/a/b");
	expect_path("engine.conf=/a/b", "/a/b");
	expect_path("other=1 weft.conf=/a/b,third=2", "/a/b");
	expect_path("other=1;engine.conf=/a/b", "/a/b");
	expect_path("ccmgr --conf_file /etc/cc.conf", NULL);
	expect_path("/etc/one.conf /etc/two.conf", NULL);
	expect_path("my-weft.conf=/a", NULL);
	expect_path("weft.conf=", NULL);
	expect_path("relative.conf", NULL);
}

static void test_defaults(void **state)
{
	struct weft__conf conf;

	(void)state;
	assert_int_equal(read_text("", &conf), 0);
	assert_int_equal(conf.deadlock, WEFT__LAYERS);
	assert_int_equal(conf.sl_dump, WEFT__SL_WEFT);
	assert_int_equal(conf.qos_levels, 1);
	assert_false(conf.opensm_multicast);
	assert_false(conf.router_weights);
	assert_true(conf.standing);
	assert_true(conf.adopt);
	assert_int_equal(conf.adopt_timeout, 5);
	assert_int_equal(weft_options_int(conf.options, "passes"), 1);
	assert_null(weft_options_text(conf.options, "name"));
	weft__conf_free(&conf);
	assert_null(conf.options);
}

static void test_values(void **state)
{
	struct weft__conf conf;

	(void)state;
	assert_int_equal(read_text("# a comment\r\n"
				   "; another\n"
				   "[weft]\r\n"
				   "deadlock = refuse ; at once\n"
				   "multicast=opensm\n"
				   "sl_dump = psl\n"
				   "router_weights = yes\n"
				   "standing = no\n"
				   "adopt = no\n"
				   "adopt_timeout = 60\n"
				   "rebalance = at 03:30\n"
				   "rebalance_after = 60\n"
				   "changes = 99\n"
				   "qos_levels = 4\n\n"
				   "  [testengine]\n"
				   "  passes = 4\n"
				   "\tname: indented lines are lines\n"
				   "[psssp]\n"
				   "unknown = judged by psssp\n", &conf), 0);
	assert_string_equal(said, "");
	assert_int_equal(conf.deadlock, WEFT__REFUSE);
	assert_int_equal(conf.sl_dump, WEFT__SL_PSL);
	assert_int_equal(conf.qos_levels, 4);
	assert_true(conf.opensm_multicast);
	assert_true(conf.router_weights);
	assert_false(conf.standing);
	assert_false(conf.adopt);
	assert_int_equal(conf.adopt_timeout, 60);
	assert_int_equal(conf.rebalance.when, WEFT__AT);
	assert_int_equal(conf.rebalance.minute, 210);
	assert_int_equal(conf.rebalance.after, 60);
	assert_int_equal(conf.rebalance.blocks, 99);
	assert_int_equal(weft_options_int(conf.options, "passes"), 4);
	assert_string_equal(weft_options_text(conf.options, "name"),
			    "indented lines are lines");
	weft__conf_free(&conf);
}

static void test_errors(void **state)
{
	char longest[400];

	(void)state;
	expect_error("[weft]\n\ndeadlock = perhaps\n", "3: ");
	expect_error("[weft]\nqos_levels = 9\n", "2: ");
	expect_error("[weft]\nrebalance = at 25:00\n", "2: ");
	expect_error("[weft]\n\nrebalance = nowhere\n", "3: ");
	expect_error("[weft]\nsl_dump = yes\n", "2: ");
	expect_error("[weft]\ndedlock = refuse\n", "2: ");
	expect_error("[testengine]\npasses = many\n", "2: ");
	expect_error("[testengine]\npasses = 10\n", "2: ");
	expect_error("[testengine]\n# passes\n\n  pass = 1\n", "4: ");
	expect_error("passes = 1\n", "1: passes is in no section");
	expect_error("[weft]\n[pssssp]\npasses = 1\n",
		     "3: no section can be called [pssssp]");
	expect_error("[weft]\nrefuse\n", "2: neither");
	expect_error("[weft\n", "1: neither");
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	expect_error(longest, "1: longer than");
}

/* What stands behind it would not be seen. */
static void test_nul(void **state)
{
	static const char text[] = "[weft]\n\ndeadlock = refuse\0never\n";
	struct weft__conf conf = { .deadlock = WEFT__LAYERS };

	(void)state;
	assert_int_equal(read_bytes(text, sizeof(text) - 1, &conf), -EINVAL);
	assert_int_equal(strncmp(said, "3: a NUL byte", 13), 0);
	assert_int_equal(conf.deadlock, WEFT__LAYERS);
}

/* The first of several mistakes does not hide that there was one. */
static void test_error_then_good(void **state)
{
	(void)state;
	expect_error("[testengine]\npasses = 0\nname = fine\n", "2: ");
}

static void test_missing_file(void **state)
{
	struct weft_diag diag = { .emit = hear };
	struct weft__conf conf;
	char words[100];

	(void)state;
	unlink(path);
	snprintf(words, sizeof(words), "weft.conf=%s", path);
	assert_int_equal(weft__conf_read(words, &engine, &conf, &diag),
			 -ENOENT);
	assert_string_equal(said, "0: cannot open: No such file or directory");
}

/* Without a name there is a default place, and nothing need be there. */
static void test_default_file(void **state)
{
	struct weft_diag diag = { .emit = hear };
	struct weft__conf conf;

	(void)state;
	if (!access(WEFT_SYSCONFDIR "/opensm/weft.conf", F_OK))
		skip();
	assert_int_equal(weft__conf_read(NULL, &engine, &conf, &diag), 0);
	weft__conf_free(&conf);
	assert_int_equal(weft__conf_read("for=others", &engine, &conf, &diag),
			 0);
	weft__conf_free(&conf);
}

static int read_roots(const char *text, struct weft_options **o)
{
	struct weft_diag diag = { .emit = hear };
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	said[0] = '\0';
	assert_int_equal(weft_options_new(o, options), 0);
	return weft__conf_lists(*o, path, &diag);
}

static void expect_roots(struct weft_options *o, uint64_t first)
{
	const struct weft_list *list;

	assert_int_equal(weft_options_list(o, "roots", &list, NULL), 0);
	if (!first) {
		assert_null(list);
		return;
	}
	assert_non_null(list);
	assert_true(list->lenient);
	assert_int_equal(list->entry[0].guid, first);
}

static int read_objective(const char *text, struct weft_options **o)
{
	struct weft_diag diag = { .emit = hear };
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	said[0] = '\0';
	assert_int_equal(weft_options_new(o, options), 0);
	assert_int_equal(weft_options_set(*o, "objective", path, NULL, 0, NULL),
			 0);
	return weft__conf_lists(*o, NULL, &diag);
}

/* Files of objectives are read along with lists. */
static void test_objective(void **state)
{
	const struct weft_objective *objective;
	struct weft_options *o;

	(void)state;
	assert_int_equal(read_objective("2 shift\n1 tree\n", &o), 0);
	assert_int_equal(weft_options_objective(o, "objective", &objective,
						NULL), 0);
	assert_non_null(objective);
	assert_int_equal(objective->nparts, 2);
	weft_options_free(o);
	assert_int_equal(read_objective("2 shift\n1 treee\n", &o), -EINVAL);
	assert_memory_equal(said, "2: no pattern 'treee'", 21);
	assert_int_equal(weft_options_objective(o, "objective", &objective,
						NULL), 0);
	assert_null(objective);
	weft_options_free(o);
}

/* OpenSM's root_guid_file. */
static void test_roots(void **state)
{
	static const char *const bad[] = { "\"spine\n", "0x1,0x2\n",
					   "0x12z\n", "spine-1\n0x1\n",
					   "\"0x1\"\n", "12\n", "GUID=0x1\n",
					   "spine-1 0x1\n" };
	struct weft_options *o;

	(void)state;
	assert_int_equal(read_roots("# roots\n0x10 spine-1\n\n  0x1f\n", &o),
			 0);
	expect_roots(o, 0x10);
	weft_options_free(o);
	/* What is given counts, and is lenient as well; no file is none. */
	assert_int_equal(weft_options_new(&o, options), 0);
	assert_int_equal(weft__conf_lists(o, NULL, NULL), 0);
	expect_roots(o, 0);
	assert_int_equal(weft__conf_lists(o, "/nowhere", NULL), -ENOENT);
	expect_roots(o, 0);
	assert_int_equal(weft_options_parse(o, "roots=0x11", NULL), 0);
	assert_int_equal(weft__conf_lists(o, "/nowhere", NULL), 0);
	expect_roots(o, 0x11);
	assert_int_equal(weft_options_parse(o, "roots=/nowhere", NULL), 0);
	assert_int_equal(weft__conf_lists(o, NULL, NULL), -ENOENT);
	expect_roots(o, 0);
	weft_options_free(o);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(read_roots(bad[i], &o), -EINVAL);
		assert_memory_equal(said, "1: ", 3);
		expect_roots(o, 0);
		weft_options_free(o);
	}
}

/* A switch with a host and a router that has two ports. */
static struct weft_fabric *make_site(void)
{
	struct weft_builder *b = weft_builder_new();
	uint32_t sw = weft_builder_node(b, WEFT_NODE_SWITCH, 1, 4);
	uint32_t host = weft_builder_node(b, WEFT_NODE_CA, 2, 1);
	uint32_t router = weft_builder_node(b, WEFT_NODE_ROUTER, 0x10, 2);
	struct weft_fabric *f = NULL;
	const struct weft_rate rate = { 4, WEFT_QDR };

	weft_builder_port(b, router, 1)->guid = 0x11;
	weft_builder_port(b, router, 2)->guid = 0x12;
	weft_builder_link(b, sw, 1, host, 1, rate);
	weft_builder_link(b, sw, 2, router, 1, rate);
	weft_builder_link(b, sw, 3, router, 2, rate);
	assert_int_equal(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

static void expect_weights(const struct weft_fabric *f, unsigned first,
			   unsigned second)
{
	for (uint32_t e = 0; e < f->nep; e++)
		assert_int_equal(f->ep[e].weight,
				 f->ep[e].guid == 0x11 ? first :
				 f->ep[e].guid == 0x12 ? second : 1);
}

/* Router ports weigh as many GIDs as name them first; a mapping that cannot be
 * read changes nothing. */
static void test_weights(void **state)
{
	struct weft_diag diag = { .emit = NULL };
	struct weft_fabric *f = make_site();
	char words[100];
	FILE *file = fopen(path, "w");

	(void)state;
	assert_non_null(file);
	fputs("fec0::2:0:0:0:1 0x11 0x12\nfec0::2:0:0:0:2 0x12\n"
	      "fec0::2:0:0:0:3 0x11\nfec0::2:0:0:0:4 0x11\n* 0x12\n", file);
	fclose(file);
	snprintf(words, sizeof(words), "routers.map=%s", path);
	expect_weights(f, 1, 1);
	weft__weigh_routers(words, f, &diag);
	expect_weights(f, 3, 1);
	assert_int_equal(diag.count[WEFT_WARNING], 0);
	weft__weigh_routers("routers.map=/nowhere", f, &diag);
	expect_weights(f, 3, 1);
	assert_int_equal(diag.count[WEFT_WARNING], 1);
	weft_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nul),
		cmocka_unit_test(test_error_then_good),
		cmocka_unit_test(test_default_file),
		cmocka_unit_test(test_missing_file),
		cmocka_unit_test(test_roots),
		cmocka_unit_test(test_objective),
		cmocka_unit_test(test_weights),
	};
	int failed, fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
