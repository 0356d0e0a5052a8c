// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files of kinds of hosts, and what they make of a fabric. */
#include "io_tables_util.h"

#include "io/lists/kinds_read.h"

#include <errno.h>

static int apply(const char *text, struct weft_fabric *f, struct heard *h)
{
	struct weft_kinds *kinds = weft_kinds_new();
	int err;

	heard_init(h);
	err = weft_io_read_kinds(file_with(text, strlen(text)), kinds,
				 &h->diag);
	if (!err)
		err = weft_kinds_apply(kinds, f, &h->diag);
	weft_kinds_free(kinds);
	return err;
}

static struct weft_fabric *make(void)
{
	struct weft_fabric *f = NULL;

	ASSERT_EQ(weft_gen("pgft:2;3,2;1,2;1,1,names=hca", &f, NULL), 0);
	return f;
}

/* The kind of the host with that name. */
static const char *kind_of(const struct weft_fabric *f, const char *name)
{
	for (uint32_t e = 0; e < f->nep; e++)
		if (!strcmp(f->node[f->ep[e].node].name, name))
			return f->use_name[f->ep[e].use];
	return "nobody";
}

TEST(kinds)
{
	struct weft_fabric *f = make();
	struct heard h;
	char text[512];
	const char *name = f->node[f->ep[4].node].name;

	snprintf(text, sizeof(text),
		 "# what for\n\n0x%llx anything service # by GUID\n"
		 "\"%s\"\tstorage\n*0 io\n", (unsigned long long)f->ep[3].guid,
		 name);
	EXPECT_EQ(apply(text, f, &h), 0);
	EXPECT_EQ(h.n, 0);
	ASSERT_EQ(weft_fabric_check(f, NULL), 0);
	EXPECT_STR(f->use_name[f->ep[3].use], "service");
	EXPECT_STR(kind_of(f, name), "storage");
	EXPECT_STR(f->use_name[f->ep[1].use], "compute");
	weft_fabric_free(f);
}

TEST(first_rule_counts)
{
	struct weft_fabric *f = make();
	struct heard h;

	EXPECT_EQ(apply("* one\n* two\n", f, &h), 0);
	EXPECT_STR(f->use_name[f->ep[0].use], "one");
	EXPECT_EQ(f->ngroups, 1);
	weft_fabric_free(f);
}

TEST(warnings)
{
	struct weft_fabric *f = make();
	struct heard h;
	char text[256];

	snprintf(text, sizeof(text),
		 "0x99 service\n0x98 service\nghost* idle\n0x%llx a\n0x%llx b\n",
		 (unsigned long long)f->ep[0].guid,
		 (unsigned long long)f->ep[0].guid);
	EXPECT_EQ(apply(text, f, &h), 0);
	EXPECT_EQ(h.n, 3);
	assert_heard(&h, WEFT_WARNING, 1, "in all 2");
	assert_heard(&h, WEFT_WARNING, 3, "'ghost*' fits the name of no host");
	assert_heard(&h, WEFT_WARNING, 5, "is a by line 4");
	weft_fabric_free(f);
}

TEST(lines_that_have_no_effect)
{
	struct weft_fabric *f = make();
	struct heard h;
	char text[256];

	snprintf(text, sizeof(text), "0x%llx a\n0x%llx a\n* b\n* b\n?* c\n",
		 (unsigned long long)f->ep[0].guid,
		 (unsigned long long)f->ep[0].guid);
	EXPECT_EQ(apply(text, f, &h), 0);
	EXPECT_EQ(h.n, 2);
	assert_heard(&h, WEFT_WARNING, 2, "is a by line 1");
	assert_heard(&h, WEFT_WARNING, 5, "'?*' makes nobody c: lines before");
	weft_fabric_free(f);
}

TEST(errors)
{
	static const struct {
		const char *text, *says;
		unsigned long line;
	} cases[] = {
		{ "\n\n", "no kinds of hosts in it", 0 },
		{ "io* storage\nio1\n", "not a host, or a pattern", 2 },
		{ "io* sto/rage\n", "is no kind of hosts", 1 },
		{ "io*\x01 storage\n", "this is no text", 1 },
	};
	struct weft_fabric *f = make();
	struct heard h;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		suite_case("%zu", i);
		EXPECT_EQ(apply(cases[i].text, f, &h), -EINVAL);
		assert_heard(&h, WEFT_ERROR, cases[i].line, cases[i].says);
	}
	weft_fabric_free(f);
}

TEST(too_many)
{
	struct weft_fabric *f = make();
	struct heard h;
	char text[2048] = "";

	for (unsigned i = 0; i < WEFT_MAX_USES; i++)
		sprintf(text + strlen(text), "host%u kind%u\n", i, i);
	EXPECT_EQ(apply(text, f, &h), -EINVAL);
	assert_heard(&h, WEFT_ERROR, WEFT_MAX_USES, "one kind of hosts too many");
	weft_fabric_free(f);
}

TEST(lists_of_guids)
{
	struct weft_kinds *kinds = weft_kinds_new();
	static const char good[] = "0x10 node1\n11\n", bad[] = "0x10\nnode1\n";
	struct heard h;

	heard_init(&h);
	EXPECT_EQ(weft__kinds_guids(file_with(good, strlen(good)), "compute",
				    weft__source_open, kinds, &h.diag), 0);
	EXPECT_EQ(weft__kinds_guids(file_with(bad, strlen(bad)), "compute",
				    weft__source_open, kinds, &h.diag),
		  -EINVAL);
	assert_heard(&h, WEFT_ERROR, 2, "none of this file is used");
	weft_kinds_free(kinds);
}
