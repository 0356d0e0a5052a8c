// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Multicast tables in all the ways that programs print them. */
#include "io_tables_util.h"

#include <weft/gen.h>
#include <weft/io.h>

#include <errno.h>
#include <string.h>

static int read_as(const struct weft_fabric *f, const char *text,
		   struct weft_multicast *m, struct heard *heard)
{
	char *path[] = { strdup(file_with(text, strlen(text))) };
	int err;

	heard_init(heard);
	err = weft_io_read_multicast(path, 1, f, m, &heard->diag);
	free(path[0]);
	return err;
}

#define G(n) "0x025745460000000" #n

TEST(test_texts)
{
	static const char *const text[] = {
		"\nSwitch " G(1) "\nLID    : Out Port(s)\n"
		"0xC000 : 0x001  0x003 \n\ndump_mcast: Switch " G(2) "\n"
		"LID    : Out Port(s)\n0xC000 : 0x000  0x002\n",
		"Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid " G(1)
		" (a):\n     Ports: 0 1 2 3 4 \n MLid\n"
		"0xc000        x   x   \n1 valid mlids dumped \n"
		"Multicast mlids [0xc000-0xc3ff] of switch DR path slid 0; dlid 0; 0,1 guid "
		G(2) " (b):\n     Ports: 0 1 2 3 4 \n MLid\n"
		"0xc000      x   x     \n",
		"Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid " G(1)
		" (a):\n MLid       Port Mask\n0xc000      000a\n"
		"1 valid mlids dumped \nMulticast mlids [0xc000-0xc3ff] of switch Lid 2 guid "
		G(2) " (b):\n MLid       Port Mask\n0xc000      0005\n",
		"guid,mlid,ports\n" G(1) ",0xc000,1 3\n" G(2) ",0xc000,0 2\n",
	};
	struct weft_fabric *f;
	struct weft_multicast m;
	struct heard heard;

	ASSERT_EQ(weft_gen("pgft:2;2,2;1,2;1,1", &f, NULL), 0);
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		suite_case("%zu", i);
		ASSERT_EQ(read_as(f, text[i], &m, &heard), 0);
		EXPECT_EQ(heard.n, 0);
		ASSERT_EQ(m.n, 2);
		EXPECT_EQ(m.entry[0].sw, 0);
		EXPECT_EQ(m.entry[0].mlid, 0xc000);
		EXPECT_EQ(m.entry[0].ports[0], 10);
		EXPECT_EQ(m.entry[1].sw, 1);
		EXPECT_EQ(m.entry[1].ports[0], 5);
		weft_multicast_free(&m);
	}
	weft_fabric_free(f);
}

TEST(test_defects)
{
	static const struct {
		const char *text, *says;
		int err;
	} bad[] = {
		{ "0xc000 : 0x001\n", "before any line that names a switch",
			-EINVAL },
		{ "Switch " G(1) "\n0xc000 : 1\n",
			"expected a port, 0x and hexadecimal digits", -EINVAL },
		{ "Switch " G(1) "\n     Ports: 0 1\n0xc000       x\n",
			"below the number of a port", -EINVAL },
		{ "Switch " G(1) "\n0xc000  00g1\n", "four hexadecimal digits",
			-EINVAL },
		{ "guid,mlid,ports\n" G(1) " 0xc000\n", "GUID, MLID and ports",
			-EINVAL },
		{ "Switch 0x77\n0xc000 : 0x001\n",
			"is not in the topology: its multicast table is left out",
			-EINVAL },
		{ "Switch " G(1) "\n0xc000 : 0x009\n", "has only 4 ports", 0 },
		{ "Switch " G(1) "\n0x0001 : 0x001\n", "is no multicast LID",
			0 },
	};
	struct weft_fabric *f;

	ASSERT_EQ(weft_gen("pgft:2;2,2;1,2;1,1", &f, NULL), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct weft_multicast m = { 0 };
		struct heard heard;

		suite_case("%zu", i);
		ASSERT_EQ(read_as(f, bad[i].text, &m, &heard), bad[i].err);
		ASSERT(heard.n > 0);
		EXPECT(strstr(heard.message[0].text, bad[i].says));
		weft_multicast_free(&m);
	}
	weft_fabric_free(f);
}
