// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables of routers that files tell, beside what is joined. */
#include "../io/io_tables_util.h"

/* Gives the fabric of a subnet a table of entries. */
static void tell(struct weft_subnets *s, uint32_t subnet,
		 const struct weft_router_entry *entry, uint32_t n)
{
	struct weft_fabric *f = s->subnet[subnet].fabric;

	f->router_entry = entry;
	f->nrouter_entries = n;
}

/* Three subnets, and two routers that join them all.  The first one's table is
 * told in two files, the second one's by what a case says. */
TEST(test_tables)
{
	struct weft_subnets *s = NULL;
	struct weft_router_entry first[3], last[3];
	struct heard heard;

	ASSERT_EQ(weft_subnets_gen(
		  "subnets:3,routers=2,ports=1,of=ring:3,hosts=1", &s, NULL),
		  0);
	heard_init(&heard);
	EXPECT_EQ(weft_subnets_check_tables(s, &heard.diag), 0);
	assert_heard_count(&heard, 0, 0);
	memset(first, 0, sizeof(first));
	memset(last, 0, sizeof(last));
	for (unsigned i = 0; i < 3; i++) {
		first[i].router = s->router[0].guid;
		first[i].prefix = s->subnet[i].prefix;
		last[i].router = s->router[1].guid;
		last[i].prefix = s->subnet[i].prefix;
	}
	/* all of the first, nothing of the second */
	tell(s, 0, first, 2);
	tell(s, 1, first + 2, 1);
	EXPECT_EQ(weft_subnets_check_tables(s, &heard.diag), 0);
	assert_heard_count(&heard, 0, 0);
	/* the second knows one subnet, and lacks two */
	tell(s, 2, last + 1, 1);
	EXPECT_EQ(weft_subnets_check_tables(s, &heard.diag), 2);
	assert_heard_count(&heard, 1, 0);
	assert_heard(&heard, WEFT_WARNING, 0, "no entry for 2 subnets");
	assert_heard(&heard, WEFT_WARNING, 0, s->subnet[0].name);
	assert_heard(&heard, WEFT_WARNING, 0, s->router[1].name);
	/* prefixes that are no subnet's are said once each, wherever */
	heard_init(&heard);
	first[0].prefix = 0xfec0aaaa00000000;
	last[0].prefix = 0xfec0aaaa00000000;
	last[2].prefix = 0xfec0bbbb00000000;
	tell(s, 2, last, 3);
	EXPECT_EQ(weft_subnets_check_tables(s, &heard.diag), 1 + 2);
	assert_heard_count(&heard, 4, 0);
	assert_heard(&heard, WEFT_WARNING, 0, "fec0:aaaa::/64");
	assert_heard(&heard, WEFT_WARNING, 0, "fec0:bbbb::/64");
	assert_heard(&heard, WEFT_WARNING, 0, "no entry for 1 subnet,");
	for (uint32_t i = 0; i < 3; i++)
		tell(s, i, NULL, 0);
	weft_subnets_free(s);
}
