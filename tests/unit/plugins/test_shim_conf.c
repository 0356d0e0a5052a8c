// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* weft.conf: where it is, what it may say, the words for what it may not. */
#include "shim_util.h"

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
	ASSERT_EQ(m->severity, WEFT_ERROR);
	if (m->file) {
		ASSERT_STR(m->file, path);
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

	ASSERT(file);
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

	ASSERT_NE(read_text(text, &conf), 0);
	if (strncmp(said, start, strlen(start)))
		ASSERT_NEVER("said \"%s\", not \"%s...\"", said, start);
	ASSERT_EQ(conf.deadlock, WEFT__REFUSE);	/* untouched */
	ASSERT(!conf.options);
}

static void expect_path(const char *words, const char *expected)
{
	char *found = weft__conf_path(words);

	if (expected) {
		ASSERT(found);
		ASSERT_STR(found, expected);
	} else {
		ASSERT(!found);
	}
	free(found);
}

TEST(test_path)
{
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

TEST(test_defaults)
{
	struct weft__conf conf;

	ASSERT_EQ(read_text("", &conf), 0);
	ASSERT_EQ(conf.deadlock, WEFT__LAYERS);
	ASSERT_EQ(conf.sl_dump, WEFT__SL_WEFT);
	ASSERT_EQ(conf.qos_levels, 1);
	ASSERT(!conf.opensm_multicast);
	ASSERT(!conf.router_weights);
	ASSERT(conf.standing);
	ASSERT(conf.adopt);
	ASSERT_EQ(conf.adopt_timeout, 5);
	ASSERT_EQ(weft_options_int(conf.options, "passes"), 1);
	ASSERT(!weft_options_text(conf.options, "name"));
	weft__conf_free(&conf);
	ASSERT(!conf.options);
}

TEST(test_values)
{
	struct weft__conf conf;

	ASSERT_EQ(read_text("# a comment\r\n" "; another\n" "[weft]\r\n"
		  "deadlock = refuse ; at once\n" "multicast=opensm\n"
		  "sl_dump = psl\n" "router_weights = yes\n" "standing = no\n"
		  "adopt = no\n" "adopt_timeout = 60\n" "rebalance = at 03:30\n"
		  "rebalance_after = 60\n" "changes = 99\n" "qos_levels = 4\n"
		  "hosts_by = system\n\n"
		  "  [testengine]\n" "  passes = 4\n"
		  "\tname: indented lines are lines\n" "[psssp]\n"
		  "unknown = judged by psssp\n", &conf), 0);
	ASSERT_STR(said, "");
	ASSERT_EQ(conf.deadlock, WEFT__REFUSE);
	ASSERT_EQ(conf.sl_dump, WEFT__SL_PSL);
	ASSERT_EQ(conf.qos_levels, 4);
	ASSERT_EQ(conf.machines_by, WEFT_MACHINES_SYSTEM);
	ASSERT(!conf.machines_path);
	ASSERT(conf.opensm_multicast);
	ASSERT(conf.router_weights);
	ASSERT(!conf.standing);
	ASSERT(!conf.adopt);
	ASSERT_EQ(conf.adopt_timeout, 60);
	ASSERT_EQ(conf.rebalance.when, WEFT__AT);
	ASSERT_EQ(conf.rebalance.minute, 210);
	ASSERT_EQ(conf.rebalance.after, 60);
	ASSERT_EQ(conf.rebalance.blocks, 99);
	ASSERT_EQ(weft_options_int(conf.options, "passes"), 4);
	ASSERT_STR(weft_options_text(conf.options, "name"),
		   "indented lines are lines");
	weft__conf_free(&conf);
}

TEST(test_errors)
{
	char longest[400];

	expect_error("[weft]\n\ndeadlock = perhaps\n", "3: ");
	expect_error("[weft]\nqos_levels = 9\n", "2: ");
	expect_error("[weft]\nrebalance = at 25:00\n", "2: ");
	expect_error("[weft]\n\nrebalance = nowhere\n", "3: ");
	expect_error("[weft]\nhosts_by = nobody\n",
		     "2: hosts_by cannot be nobody: it is auto, name, system, node or the path of a file");
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
TEST(test_nul)
{
	static const char text[] = "[weft]\n\ndeadlock = refuse\0never\n";
	struct weft__conf conf = { .deadlock = WEFT__LAYERS };

	ASSERT_EQ(read_bytes(text, sizeof(text) - 1, &conf), -EINVAL);
	ASSERT_EQ(strncmp(said, "3: a NUL byte", 13), 0);
	ASSERT_EQ(conf.deadlock, WEFT__LAYERS);
}

/* The first of several mistakes does not hide that there was one. */
TEST(test_error_then_good)
{
	expect_error("[testengine]\npasses = 0\nname = fine\n", "2: ");
}

TEST(test_missing_file)
{
	struct weft_diag diag = { .emit = hear };
	struct weft__conf conf;
	char words[100];

	unlink(path);
	snprintf(words, sizeof(words), "weft.conf=%s", path);
	ASSERT_EQ(weft__conf_read(words, &engine, &conf, &diag), -ENOENT);
	ASSERT_STR(said, "0: cannot open: No such file or directory");
}

/* Without a name there is a default place, and nothing need be there. */
TEST(test_default_file)
{
	struct weft_diag diag = { .emit = hear };
	struct weft__conf conf;

	if (!access(WEFT_SYSCONFDIR "/opensm/weft.conf", F_OK))
		suite_skip();
	ASSERT_EQ(weft__conf_read(NULL, &engine, &conf, &diag), 0);
	weft__conf_free(&conf);
	ASSERT_EQ(weft__conf_read("for=others", &engine, &conf, &diag), 0);
	weft__conf_free(&conf);
}

static int read_roots(const char *text, struct weft_options **o)
{
	struct weft_diag diag = { .emit = hear };
	FILE *file = fopen(path, "w");

	ASSERT(file);
	fputs(text, file);
	fclose(file);
	said[0] = '\0';
	ASSERT_EQ(weft_options_new(o, options), 0);
	return weft__conf_lists(*o, path, &diag);
}

static void expect_roots(struct weft_options *o, uint64_t first)
{
	const struct weft_list *list;

	ASSERT_EQ(weft_options_list(o, "roots", &list, NULL), 0);
	if (!first) {
		ASSERT(!list);
		return;
	}
	ASSERT(list);
	ASSERT(list->lenient);
	ASSERT_EQ(list->entry[0].guid, first);
}

static int read_objective(const char *text, struct weft_options **o)
{
	struct weft_diag diag = { .emit = hear };
	FILE *file = fopen(path, "w");

	ASSERT(file);
	fputs(text, file);
	fclose(file);
	said[0] = '\0';
	ASSERT_EQ(weft_options_new(o, options), 0);
	ASSERT_EQ(weft_options_set(*o, "objective", path, NULL, 0, NULL), 0);
	return weft__conf_lists(*o, NULL, &diag);
}

/* Files of objectives are read along with lists. */
TEST(test_objective)
{
	const struct weft_objective *objective;
	struct weft_options *o;

	ASSERT_EQ(read_objective("2 shift\n1 tree\n", &o), 0);
	ASSERT_EQ(weft_options_objective(o, "objective", &objective, NULL), 0);
	ASSERT(objective);
	ASSERT_EQ(objective->nparts, 2);
	weft_options_free(o);
	ASSERT_EQ(read_objective("2 shift\n1 treee\n", &o), -EINVAL);
	ASSERT_MEM(said, "2: no pattern 'treee'", 21);
	ASSERT_EQ(weft_options_objective(o, "objective", &objective, NULL), 0);
	ASSERT(!objective);
	weft_options_free(o);
}

/* OpenSM's root_guid_file. */
TEST(test_roots)
{
	static const char *const bad[] = { "\"spine\n", "0x1,0x2\n",
					   "0x12z\n", "spine-1\n0x1\n",
					   "\"0x1\"\n", "12\n", "GUID=0x1\n",
					   "spine-1 0x1\n" };
	struct weft_options *o;

	ASSERT_EQ(read_roots("# roots\n0x10 spine-1\n\n  0x1f\n", &o), 0);
	expect_roots(o, 0x10);
	weft_options_free(o);
	/* What is given counts, and is lenient as well; no file is none. */
	ASSERT_EQ(weft_options_new(&o, options), 0);
	ASSERT_EQ(weft__conf_lists(o, NULL, NULL), 0);
	expect_roots(o, 0);
	ASSERT_EQ(weft__conf_lists(o, "/nowhere", NULL), -ENOENT);
	expect_roots(o, 0);
	ASSERT_EQ(weft_options_parse(o, "roots=0x11", NULL), 0);
	ASSERT_EQ(weft__conf_lists(o, "/nowhere", NULL), 0);
	expect_roots(o, 0x11);
	ASSERT_EQ(weft_options_parse(o, "roots=/nowhere", NULL), 0);
	ASSERT_EQ(weft__conf_lists(o, NULL, NULL), -ENOENT);
	expect_roots(o, 0);
	weft_options_free(o);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ASSERT_EQ(read_roots(bad[i], &o), -EINVAL);
		ASSERT_MEM(said, "1: ", 3);
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
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	return f;
}

static void expect_weights(const struct weft_fabric *f, unsigned first,
			   unsigned second)
{
	for (uint32_t e = 0; e < f->nep; e++)
		ASSERT_EQ(f->ep[e].weight, f->ep[e].guid == 0x11 ? first :
			  f->ep[e].guid == 0x12 ? second : 1);
}

/* Router ports weigh as many GIDs as name them first; a mapping that cannot be
 * read changes nothing. */
TEST(test_weights)
{
	struct weft_diag diag = { .emit = NULL };
	struct weft_fabric *f = make_site();
	char words[100];
	FILE *file = fopen(path, "w");

	ASSERT(file);
	fputs("fec0::2:0:0:0:1 0x11 0x12\nfec0::2:0:0:0:2 0x12\n"
	      "fec0::2:0:0:0:3 0x11\nfec0::2:0:0:0:4 0x11\n* 0x12\n", file);
	fclose(file);
	snprintf(words, sizeof(words), "routers.map=%s", path);
	expect_weights(f, 1, 1);
	weft__weigh_routers(words, f, &diag);
	expect_weights(f, 3, 1);
	ASSERT_EQ(diag.count[WEFT_WARNING], 0);
	weft__weigh_routers("routers.map=/nowhere", f, &diag);
	expect_weights(f, 3, 1);
	ASSERT_EQ(diag.count[WEFT_WARNING], 1);
	weft_fabric_free(f);
}

int main(void)
{
	int failed, fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	failed = suite_run();
	unlink(path);
	return failed;
}
