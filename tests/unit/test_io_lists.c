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
	assert_int_equal(weft_options_new(&x->o, table), 0);
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

	assert_int_equal(weft_options_list(x->o, option, &list, NULL), 0);
	assert_non_null(list);
	for (uint32_t i = 0; i < list->n; i++) {
		const struct weft_list_entry *e = &list->entry[i];
		char guid[24];

		snprintf(guid, sizeof(guid), "0x%llx",
			 (unsigned long long)e->guid);
		sprintf(text + strlen(text), "%s%lu:%s%s%s", i ? " " : "",
			e->line, e->name ? e->name : guid,
			e->value ? "=" : "", e->value ? e->value : "");
	}
	assert_string_equal(text, words);
}

static int read_file(struct fixture *x, const char *option, const char *text)
{
	char set[300];

	/* The path is the same every time: no other option may name it. */
	weft_options_free(x->o);
	assert_int_equal(weft_options_new(&x->o, table), 0);
	snprintf(set, sizeof(set), "%s=%s", option,
		 file_with(text, strlen(text)));
	assert_int_equal(weft_options_parse(x->o, set, NULL), 0);
	return weft_io_read_lists(x->o, false, &x->heard.diag);
}

static void test_words(void **state)
{
	struct fixture *x = *state;
	const struct weft_list *list;

	assert_int_equal(weft_options_list(x->o, "roots", &list, NULL), 0);
	assert_null(list);
	assert_int_equal(weft_options_parse(x->o,
			"roots= 0x10,spine-1+\"sp 2+\"  00000000000000fF 10 ",
			NULL), 0);
	expect(x, "roots", "0:0x10 0:spine-1 0:sp 2+ 0:0xff 0:10");
	assert_int_equal(weft_options_parse(x->o,
			"roles=0x10=root+a=b=leaf+\"c d\"=3", NULL), 0);
	expect(x, "roles", "0:0x10=root 0:a=b=leaf 0:c d=3");
	assert_int_equal(weft_options_parse(x->o, "active=0x1,n=2+m", NULL), 0);
	expect(x, "active", "0:0x1 0:n=2 0:m");
	assert_int_equal(weft_io_read_lists(x->o, false, NULL), 0);
	expect(x, "active", "0:0x1 0:n=2 0:m");
	assert_int_equal(weft_options_parse(x->o, "roots=", NULL), 0);
	expect(x, "roots", "");
}

/* What is neither a list nor a file is an error with what it should be. */
static void test_bad_words(void **state)
{
	static const char *const bad[] = {
		"roots=0x12z", "roots=0x", "roots=\"open", "roots=\"a\"b",
		"roots=0x12345678901234567", "roots=\"\"",
		"roles=0x10", "roles=a=stem", "roles=\"a\"", "roles=a=1234",
		"roles==leaf", "active=n=x",
	};
	struct fixture *x = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		const struct weft_list *list;
		char name[8];

		snprintf(name, strcspn(bad[i], "=") + 1, "%s", bad[i]);
		assert_int_equal(weft_options_parse(x->o, bad[i], NULL), 0);
		assert_int_equal(weft_options_list(x->o, name, &list, NULL),
				 -EINVAL);
		heard_init(&x->heard);
		assert_int_equal(weft_io_read_lists(x->o, false,
						    &x->heard.diag), -EINVAL);
		assert_heard(&x->heard, WEFT_ERROR, 0, "is neither the GUID");
		assert_heard(&x->heard, WEFT_ERROR, 0, "name of a file");
		/* It is unset now. */
		assert_int_equal(weft_options_list(x->o, name, &list, NULL), 0);
		assert_null(list);
		assert_null(weft_options_text(x->o, name));
	}
}

static void test_files(void **state)
{
	struct fixture *x = *state;

	/* As OpenSM writes and reads its root_guid_file. */
	assert_int_equal(read_file(x, "roots", "# roots\n\n0x10\n  0x11 # b\r\n"
		"0x12\tspine \"2\" 3#4\n0000000000000013 x"), 0);
	expect(x, "roots", "3:0x10 4:0x11 5:0x12 6:0x13");
	assert_int_equal(read_file(x, "roots",
		"spine-1\n\tMF0;s:SB/U1  \na b c # d\n\"a # b\" # c\n\"0x10\"\n#\n x#y"), 0);
	expect(x, "roots",
	       "1:spine-1 2:MF0;s:SB/U1 3:a b c 4:a # b 5:0x10 7:x#y");
	assert_int_equal(read_file(x, "roles", "0x10 root\n0x11 spine 1 leaf\n"
		"0x12=3 # c\nleaf 4 leaf\nb=root\n\"c\" 0\n\"d\"=0\n"
		"0x13 = 1\n"), 0);
	expect(x, "roles",
	       "1:0x10=root 2:0x11=leaf 3:0x12=3 4:leaf 4=leaf 5:b=root 6:c=0 7:d=0 8:0x13=1");
	assert_int_equal(read_file(x, "active",
		"0x10 mlx5_0\n0x11 n 2\nhost 2\nhost mlx5_1\n3\nhost=1\n"), 0);
	expect(x, "active",
	       "1:0x10 2:0x11=2 3:host=2 4:host mlx5_1 5:3 6:host=1");
	assert_heard_count(&x->heard, 0, 0);
}

static void test_bad_files(void **state)
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
	struct fixture *x = *state;
	char longest[1100];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		heard_init(&x->heard);
		assert_int_equal(read_file(x, bad[i].option, bad[i].text),
				 -EINVAL);
		assert_heard(&x->heard, WEFT_ERROR, bad[i].line, bad[i].says);
		assert_heard_count(&x->heard, 0, 1);
		assert_null(weft_options_text(x->o, bad[i].option));
	}
	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(read_file(x, "roots", longest), -EINVAL);
}

static void test_no_file(void **state)
{
	struct fixture *x = *state;

	assert_int_equal(weft_options_parse(x->o, "roots=./nowhere", NULL), 0);
	assert_int_equal(weft_options_parse(x->o, "roles=/x/y", NULL), 0);
	assert_int_equal(weft_io_read_lists(x->o, false, &x->heard.diag),
			 -ENOENT);
	assert_heard_count(&x->heard, 0, 2);
	assert_int_equal(weft_io_read_list(x->o, "roots", "nowhere", true,
					   &x->heard.diag), -ENOENT);
}

/* Of an option that is unset, or that names nobody, there are no nodes. */
static void test_look_up(void **state)
{
	struct fixture *x = *state;
	struct weft_fabric *f = NULL;
	uint32_t other = 7;
	struct weft__listed at = { .vertex = &other };

	assert_int_equal(weft_gen("chain:2", &f, NULL), 0);
	assert_int_equal(weft__look_up(f, x->o, "roots", WEFT_LIST_SWITCHES,
				       &at, NULL), 0);
	assert_null(at.list);
	assert_null(at.vertex);
	assert_int_equal(weft_options_parse(x->o, "roots=0x99", NULL),
			 0);
	assert_int_equal(weft__look_up(f, x->o, "roots", WEFT_LIST_SWITCHES,
				       &at, &x->heard.diag), -EINVAL);
	assert_heard_count(&x->heard, 1, 1);
	assert_null(at.vertex);
	weft_fabric_free(f);
}

/* Copies keep the lists that were read. */
static void test_copy(void **state)
{
	struct fixture *x = *state;
	struct weft_options *other;

	assert_int_equal(read_file(x, "roles", "0x10 root\nb leaf\n"), 0);
	other = x->o;
	assert_int_equal(weft_options_new(&x->o, table), 0);
	assert_int_equal(weft_options_copy(x->o, other, "roots"), 0);
	assert_int_equal(weft_options_copy(x->o, other, "roles"), 0);
	weft_options_free(other);
	assert_null(weft_options_text(x->o, "roots"));
	expect(x, "roles", "1:0x10=root 2:b=leaf");
}

static int find(struct fixture *x, const struct weft_fabric *f,
		const char *option, unsigned kinds, bool lenient,
		uint32_t *vertex)
{
	const struct weft_list *list;

	heard_init(&x->heard);
	assert_int_equal(weft_io_read_lists(x->o, lenient, NULL), 0);
	assert_int_equal(weft_options_list(x->o, option, &list, NULL), 0);
	return weft_list_find(list, f, kinds, vertex, &x->heard.diag);
}

static void test_find(void **state)
{
	struct weft_fabric *f;
	struct fixture *x = *state;
	uint32_t v[8];
	char set[200];

	assert_int_equal(weft_gen("pgft:2;4,6;1,4;1,1,dual=yes", &f, NULL), 0);
	snprintf(set, sizeof(set), "roots=spine-01+0x%llx+leaf+host-0000+0x9",
		 (unsigned long long)f->sw[0].guid);
	assert_int_equal(weft_options_parse(x->o, set, NULL), 0);
	assert_int_equal(find(x, f, "roots", WEFT_LIST_SWITCHES, false, v), 0);
	assert_string_equal(f->sw[v[0]].name, "spine-01");
	assert_int_equal(v[1], 0);
	for (int i = 2; i < 5; i++)
		assert_int_equal(v[i], WEFT_NONE);
	assert_heard_count(&x->heard, 3, 0);
	assert_heard(&x->heard, WEFT_WARNING, 0, "no switch 'leaf'");
	assert_heard(&x->heard, WEFT_WARNING, 0, "'0x0000000000000009'");

	snprintf(set, sizeof(set),
		 "active=host-0000=2+0x%llx+host-0001+host-0002=3+0x%llx=1",
		 (unsigned long long)f->ep[f->node_endport[1]].guid,
		 (unsigned long long)f->node[3].guid);
	assert_int_equal(weft_options_parse(x->o, set, NULL), 0);
	assert_int_equal(find(x, f, "active", WEFT_LIST_ENDPORTS, false, v), 0);
	assert_int_equal(f->ep[v[0] & ~WEFT_ENDPORT].port, 2);
	assert_string_equal(f->node[f->ep[v[0] & ~WEFT_ENDPORT].node].name,
			    "host-0000");
	assert_int_equal(v[1], f->node_endport[1] | WEFT_ENDPORT);
	assert_int_equal(v[2], WEFT_NONE);
	assert_int_equal(v[3], WEFT_NONE);
	assert_int_equal(f->ep[v[4] & ~WEFT_ENDPORT].node, 3);
	assert_heard(&x->heard, WEFT_WARNING, 0, "has several ports");
	assert_heard(&x->heard, WEFT_WARNING, 0, "has no port of that number");
	weft_fabric_free(f);
}

/* Nobody there: an error, or in a lenient list a warning. */
static void test_nobody(void **state)
{
	struct weft_fabric *f = small_fabric();
	struct fixture *x = *state;
	uint32_t v[2];

	assert_int_equal(weft_options_parse(x->o, "roots=0x9+x", NULL), 0);
	assert_int_equal(find(x, f, "roots", WEFT_LIST_SWITCHES, false, v),
			 -EINVAL);
	assert_heard_count(&x->heard, 2, 1);
	assert_int_equal(find(x, f, "roots", WEFT_LIST_SWITCHES, true, v), 0);
	assert_heard_count(&x->heard, 3, 0);
	assert_int_equal(v[0], WEFT_NONE);
	assert_int_equal(v[1], WEFT_NONE);
	/* By the GUID of its port 0, too. */
	assert_int_equal(weft_options_parse(x->o, "roots=0x1020", NULL), 0);
	assert_int_equal(find(x, f, "roots", WEFT_LIST_SWITCHES, false, v), 0);
	assert_int_equal(f->sw[v[0]].guid, 0x20);
	weft_fabric_free(f);
}

/* First words count where no whole description fits; each fits one only. */
static void test_names(void **state)
{
	struct weft_builder *b = weft_builder_new();
	static const char *const names[] = { "a", "a b", "c d", "e f", "e g",
					     "h", "h" };
	struct weft_fabric *f;
	struct fixture *x = *state;
	uint32_t v[5];

	for (uint32_t i = 0; i < 7; i++)
		weft_builder_name(b, weft_builder_node(b, WEFT_NODE_SWITCH,
				  0x10 + i, 4), names[i], strlen(names[i]));
	assert_int_equal(weft_builder_finish(b, &f, NULL), 0);
	weft_builder_free(b);
	assert_int_equal(weft_options_parse(x->o, "roots=a+\"a b\"+c+e+h",
					    NULL), 0);
	assert_int_equal(find(x, f, "roots", WEFT_LIST_SWITCHES, false, v), 0);
	assert_int_equal(f->sw[v[0]].guid, 0x10);
	assert_int_equal(f->sw[v[1]].guid, 0x11);
	assert_int_equal(f->sw[v[2]].guid, 0x12);
	assert_int_equal(v[3], WEFT_NONE);
	assert_int_equal(v[4], WEFT_NONE);
	assert_heard(&x->heard, WEFT_WARNING, 0, "is the name of several");
	weft_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_words, begin, end),
		cmocka_unit_test_setup_teardown(test_bad_words, begin, end),
		cmocka_unit_test_setup_teardown(test_files, begin, end),
		cmocka_unit_test_setup_teardown(test_bad_files, begin, end),
		cmocka_unit_test_setup_teardown(test_no_file, begin, end),
		cmocka_unit_test_setup_teardown(test_look_up, begin, end),
		cmocka_unit_test_setup_teardown(test_copy, begin, end),
		cmocka_unit_test_setup_teardown(test_find, begin, end),
		cmocka_unit_test_setup_teardown(test_nobody, begin, end),
		cmocka_unit_test_setup_teardown(test_names, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
