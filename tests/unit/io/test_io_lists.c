// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lists of nodes: in options, in files, and whom they mean in a fabric. */
#include "io_tables_util.h"

#include "core/listed.h"
#include "io/lists/list_read.h"

#include <errno.h>
#include <stdio.h>

static const struct weft_option table[] = {
	{ .name = "roots", .type = WEFT_OPT_LIST, .help = "switches" },
	{ .name = "roles", .type = WEFT_OPT_LIST, .min = 1,
	  .choices = "leaf|root|RANK", .help = "switches with a role" },
	{ .name = "active", .type = WEFT_OPT_LIST, .choices = "PORT",
	  .help = "ports" },
	{ .type = WEFT_OPT_END },
};

struct fixture {
	struct heard heard;
	struct weft_options *o;
};

static int begin(void **state)
{
	struct fixture *x = calloc(1, sizeof(*x));

	heard_init(&x->heard);
	ASSERT_EQ(weft_options_new(&x->o, table), 0);
	*state = x;
	return 0;
}

static int end(void **state)
{
	struct fixture *x = *state;

	weft_options_free(x->o);
	free(x);
	return 0;
}

/* The list in words: "1:0x10", "2:name=value", ... */
static void expect(struct fixture *x, const char *option, const char *words)
{
	const struct weft_list *list;
	char text[2000] = "";

	ASSERT_EQ(weft_options_list(x->o, option, &list, NULL), 0);
	ASSERT(list);
	for (uint32_t i = 0; i < list->n; i++) {
		const struct weft_list_entry *e = &list->entry[i];
		char guid[24];

		snprintf(guid, sizeof(guid), "0x%llx",
			 (unsigned long long)e->guid);
		sprintf(text + strlen(text), "%s%lu:%s%s%s", i ? " " : "",
			e->line, e->name ? e->name : guid,
			e->value ? "=" : "", e->value ? e->value : "");
	}
	ASSERT_STR(text, words);
}

static int read_file(struct fixture *x, const char *option, const char *text)
{
	char set[300];

	/* The path is the same every time: no other option may name it. */
	weft_options_free(x->o);
	ASSERT_EQ(weft_options_new(&x->o, table), 0);
	snprintf(set, sizeof(set), "%s=%s", option,
		 file_with(text, strlen(text)));
	ASSERT_EQ(weft_options_parse(x->o, set, NULL), 0);
	return weft_io_read_lists(x->o, false, &x->heard.diag);
}

TEST_WITH(test_words, begin, end)
{
	struct fixture *x = suite_state;
	const struct weft_list *list;

	ASSERT_EQ(weft_options_list(x->o, "roots", &list, NULL), 0);
	ASSERT(!list);
	ASSERT_EQ(weft_options_parse(x->o,
		  "roots= 0x10,spine-1+\"sp 2+\"  00000000000000fF 10 ", NULL),
		  0);
	expect(x, "roots", "0:0x10 0:spine-1 0:sp 2+ 0:0xff 0:10");
	ASSERT_EQ(weft_options_parse(x->o, "roles=0x10=root+a=b=leaf+\"c d\"=3",
		  NULL), 0);
	expect(x, "roles", "0:0x10=root 0:a=b=leaf 0:c d=3");
	ASSERT_EQ(weft_options_parse(x->o, "active=0x1,n=2+m", NULL), 0);
	expect(x, "active", "0:0x1 0:n=2 0:m");
	ASSERT_EQ(weft_io_read_lists(x->o, false, NULL), 0);
	expect(x, "active", "0:0x1 0:n=2 0:m");
	ASSERT_EQ(weft_options_parse(x->o, "roots=", NULL), 0);
	expect(x, "roots", "");
}

/* What is neither a list nor a file is an error with what it should be. */
TEST_WITH(test_bad_words, begin, end)
{
	static const char *const bad[] = {
		"roots=0x12z", "roots=0x", "roots=\"open", "roots=\"a\"b",
		"roots=0x12345678901234567", "roots=\"\"",
		"roles=0x10", "roles=a=stem", "roles=\"a\"", "roles=a=1234",
		"roles==leaf", "active=n=x",
	};
	struct fixture *x = suite_state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const struct weft_list *list;
		char name[8];

		snprintf(name, strcspn(bad[i], "=") + 1, "%s", bad[i]);
		ASSERT_EQ(weft_options_parse(x->o, bad[i], NULL), 0);
		ASSERT_EQ(weft_options_list(x->o, name, &list, NULL), -EINVAL);
		heard_init(&x->heard);
		ASSERT_EQ(weft_io_read_lists(x->o, false, &x->heard.diag),
			  -EINVAL);
		assert_heard(&x->heard, WEFT_ERROR, 0, "is neither the GUID");
		assert_heard(&x->heard, WEFT_ERROR, 0, "name of a file");
		/* It is unset now. */
		ASSERT_EQ(weft_options_list(x->o, name, &list, NULL), 0);
		ASSERT(!list);
		ASSERT(!weft_options_text(x->o, name));
	}
}

TEST_WITH(test_files, begin, end)
{
	struct fixture *x = suite_state;

	/* As OpenSM writes and reads its root_guid_file. */
	ASSERT_EQ(read_file(x, "roots", "# roots\n\n0x10\n  0x11 # b\r\n"
		  "0x12\tspine \"2\" 3#4\n0000000000000013 x"), 0);
	expect(x, "roots", "3:0x10 4:0x11 5:0x12 6:0x13");
	ASSERT_EQ(read_file(x, "roots",
		  "spine-1\n\tMF0;s:SB/U1  \na b c # d\n\"a # b\" # c\n\"0x10\"\n#\n x#y"),
		  0);
	expect(x, "roots",
	       "1:spine-1 2:MF0;s:SB/U1 3:a b c 4:a # b 5:0x10 7:x#y");
	ASSERT_EQ(read_file(x, "roles", "0x10 root\n0x11 spine 1 leaf\n"
		  "0x12=3 # c\nleaf 4 leaf\nb=root\n\"c\" 0\n\"d\"=0\n"
		  "0x13 = 1\n"), 0);
	expect(x, "roles",
	       "1:0x10=root 2:0x11=leaf 3:0x12=3 4:leaf 4=leaf 5:b=root 6:c=0 7:d=0 8:0x13=1");
	ASSERT_EQ(read_file(x, "active",
		  "0x10 mlx5_0\n0x11 n 2\nhost 2\nhost mlx5_1\n3\nhost=1\n"),
		  0);
	expect(x, "active",
	       "1:0x10 2:0x11=2 3:host=2 4:host mlx5_1 5:3 6:host=1");
	assert_heard_count(&x->heard, 0, 0);
}

TEST_WITH(test_bad_files, begin, end)
{
	static const struct {
		const char *option, *text;
		unsigned line;
		const char *says;
	} bad[] = {
		{ "roots", "", 0, "nothing in it" },
		{ "roots", "# none\n\n", 0, "a line has the GUID" },
		{ "roots", "0x1\n0x12z\n", 2, "\"0x12z\"" },
		{ "roots", "0x1,0x2\n", 1, "\"0x1,0x2\"" },
		{ "roots", "a\n\"b\n", 2, "not the GUID (0x...) or name" },
		{ "roots", "a\n\"\"\n", 2, "not the GUID" },
		{ "roots", "a\nb\001\n", 2, "this is no text" },
		{ "roles", "0x1 root\n0x2\n", 2, "then leaf|root|RANK" },
		{ "roles", "a stem\n", 1, "\"a stem\"" },
		{ "roles", "leaf\n", 1, "\"leaf\"" },
		{ "roles", "=leaf\n", 1, "\"=leaf\"" },
	};
	struct fixture *x = suite_state;
	char longest[1100];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		heard_init(&x->heard);
		ASSERT_EQ(read_file(x, bad[i].option, bad[i].text), -EINVAL);
		assert_heard(&x->heard, WEFT_ERROR, bad[i].line, bad[i].says);
		assert_heard_count(&x->heard, 0, 1);
		ASSERT(!weft_options_text(x->o, bad[i].option));
	}
	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	ASSERT_EQ(read_file(x, "roots", longest), -EINVAL);
}

TEST_WITH(test_no_file, begin, end)
{
	struct fixture *x = suite_state;

	ASSERT_EQ(weft_options_parse(x->o, "roots=./nowhere", NULL), 0);
	ASSERT_EQ(weft_options_parse(x->o, "roles=/x/y", NULL), 0);
	ASSERT_EQ(weft_io_read_lists(x->o, false, &x->heard.diag), -ENOENT);
	assert_heard_count(&x->heard, 0, 2);
	ASSERT_EQ(weft_io_read_list(x->o, "roots", "nowhere", true,
		  &x->heard.diag), -ENOENT);
}

/* Of an option that is unset, or that names nobody, there are no nodes. */
TEST_WITH(test_look_up, begin, end)
{
	struct fixture *x = suite_state;
	struct weft_fabric *f = NULL;
	uint32_t other = 7;
	struct weft__listed at = { .vertex = &other };

	ASSERT_EQ(weft_gen("chain:2", &f, NULL), 0);
	ASSERT_EQ(weft__look_up(f, x->o, "roots", WEFT_LIST_SWITCHES, &at,
		  NULL), 0);
	ASSERT(!at.list);
	ASSERT(!at.vertex);
	ASSERT_EQ(weft_options_parse(x->o, "roots=0x99", NULL), 0);
	ASSERT_EQ(weft__look_up(f, x->o, "roots", WEFT_LIST_SWITCHES, &at,
		  &x->heard.diag), -EINVAL);
	assert_heard_count(&x->heard, 1, 1);
	ASSERT(!at.vertex);
	weft_fabric_free(f);
}

/* Copies keep the lists that were read. */
TEST_WITH(test_copy, begin, end)
{
	struct fixture *x = suite_state;
	struct weft_options *other;

	ASSERT_EQ(read_file(x, "roles", "0x10 root\nb leaf\n"), 0);
	other = x->o;
	ASSERT_EQ(weft_options_new(&x->o, table), 0);
	ASSERT_EQ(weft_options_copy(x->o, other, "roots"), 0);
	ASSERT_EQ(weft_options_copy(x->o, other, "roles"), 0);
	weft_options_free(other);
	ASSERT(!weft_options_text(x->o, "roots"));
	expect(x, "roles", "1:0x10=root 2:b=leaf");
}

static int find(struct fixture *x, const struct weft_fabric *f,
		const char *option, unsigned kinds, bool lenient,
		uint32_t *vertex)
{
	const struct weft_list *list;

	heard_init(&x->heard);
	ASSERT_EQ(weft_io_read_lists(x->o, lenient, NULL), 0);
	ASSERT_EQ(weft_options_list(x->o, option, &list, NULL), 0);
	return weft_list_find(list, f, kinds, vertex, &x->heard.diag);
}

TEST_WITH(test_find, begin, end)
{
	struct weft_fabric *f;
	struct fixture *x = suite_state;
	uint32_t v[8];
	char set[200];

	ASSERT_EQ(weft_gen("pgft:2;4,6;1,4;1,1,dual=yes", &f, NULL), 0);
	snprintf(set, sizeof(set), "roots=spine-01+0x%llx+leaf+host-0000+0x9",
		 (unsigned long long)f->sw[0].guid);
	ASSERT_EQ(weft_options_parse(x->o, set, NULL), 0);
	ASSERT_EQ(find(x, f, "roots", WEFT_LIST_SWITCHES, false, v), 0);
	ASSERT_STR(f->sw[v[0]].name, "spine-01");
	ASSERT_EQ(v[1], 0);
	for (int i = 2; i < 5; i++)
		ASSERT_EQ(v[i], WEFT_NONE);
	assert_heard_count(&x->heard, 3, 0);
	assert_heard(&x->heard, WEFT_WARNING, 0, "no switch 'leaf'");
	assert_heard(&x->heard, WEFT_WARNING, 0, "'0x0000000000000009'");

	snprintf(set, sizeof(set),
		 "active=host-0000=2+0x%llx+host-0001+host-0002=3+0x%llx=1",
		 (unsigned long long)f->ep[f->node_endport[1]].guid,
		 (unsigned long long)f->node[3].guid);
	ASSERT_EQ(weft_options_parse(x->o, set, NULL), 0);
	ASSERT_EQ(find(x, f, "active", WEFT_LIST_ENDPORTS, false, v), 0);
	ASSERT_EQ(f->ep[v[0] & ~WEFT_ENDPORT].port, 2);
	ASSERT_STR(f->node[f->ep[v[0] & ~WEFT_ENDPORT].node].name, "host-0000");
	ASSERT_EQ(v[1], f->node_endport[1] | WEFT_ENDPORT);
	ASSERT_EQ(v[2], WEFT_NONE);
	ASSERT_EQ(v[3], WEFT_NONE);
	ASSERT_EQ(f->ep[v[4] & ~WEFT_ENDPORT].node, 3);
	assert_heard(&x->heard, WEFT_WARNING, 0, "has several ports");
	assert_heard(&x->heard, WEFT_WARNING, 0, "has no port of that number");
	weft_fabric_free(f);
}

/* Nobody there: an error, or in a lenient list a warning. */
TEST_WITH(test_nobody, begin, end)
{
	struct weft_fabric *f = small_fabric();
	struct fixture *x = suite_state;
	uint32_t v[2];

	ASSERT_EQ(weft_options_parse(x->o, "roots=0x9+x", NULL), 0);
	ASSERT_EQ(find(x, f, "roots", WEFT_LIST_SWITCHES, false, v), -EINVAL);
	assert_heard_count(&x->heard, 2, 1);
	ASSERT_EQ(find(x, f, "roots", WEFT_LIST_SWITCHES, true, v), 0);
	assert_heard_count(&x->heard, 3, 0);
	ASSERT_EQ(v[0], WEFT_NONE);
	ASSERT_EQ(v[1], WEFT_NONE);
	/* By the GUID of its port 0, too. */
	ASSERT_EQ(weft_options_parse(x->o, "roots=0x1020", NULL), 0);
	ASSERT_EQ(find(x, f, "roots", WEFT_LIST_SWITCHES, false, v), 0);
	ASSERT_EQ(f->sw[v[0]].guid, 0x20);
	weft_fabric_free(f);
}

/* First words count where no whole description fits; each fits one only. */
TEST_WITH(test_names, begin, end)
{
	struct weft_builder *b = weft_builder_new();
	static const char *const names[] = { "a", "a b", "c d", "e f", "e g",
					     "h", "h" };
	struct weft_fabric *f;
	struct fixture *x = suite_state;
	uint32_t v[5];

	for (uint32_t i = 0; i < 7; i++)
		weft_builder_name(b, weft_builder_node(b, WEFT_NODE_SWITCH,
				  0x10 + i, 4), names[i], strlen(names[i]));
	ASSERT_EQ(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	ASSERT_EQ(weft_options_parse(x->o, "roots=a+\"a b\"+c+e+h", NULL), 0);
	ASSERT_EQ(find(x, f, "roots", WEFT_LIST_SWITCHES, false, v), 0);
	ASSERT_EQ(f->sw[v[0]].guid, 0x10);
	ASSERT_EQ(f->sw[v[1]].guid, 0x11);
	ASSERT_EQ(f->sw[v[2]].guid, 0x12);
	ASSERT_EQ(v[3], WEFT_NONE);
	ASSERT_EQ(v[4], WEFT_NONE);
	assert_heard(&x->heard, WEFT_WARNING, 0, "is the name of several");
	weft_fabric_free(f);
}
