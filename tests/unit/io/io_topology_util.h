/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the tests of the topology formats share. */
#ifndef TESTS_IO_TOPOLOGY_UTIL_H
#define TESTS_IO_TOPOLOGY_UTIL_H

#include "io_tables_util.h"

#include <stdio.h>

#include "io/formats.h"
#include "io/topology/topology.h"

/* Reads a text that is in memory, under the name "text".  Returns what the
 * reader returned; *fabric NULL unless that is 0.  Starts heard anew. */
int read_text(const char *text, size_t size, struct weft_fabric **fabric,
	      struct heard *heard);

/* Fails unless the text loads; warnings and notes are kept in heard. */
struct weft_fabric *load_text(const char *text, struct heard *heard);
/* Fails unless it does not, with -EINVAL and one error that has a line. */
void assert_refused(const char *text, unsigned long line, const char *says);

/* Fails unless the cable at port 1 of the first switch is of 2x and of that
 * speed, with that many warnings. */
void assert_rate(const char *text, unsigned speed, unsigned warnings);

/* The fabric in ibnetdiscover's layout, malloc()ed. */
char *written(const struct weft_fabric *fabric);
/* Fails unless two fabrics are written alike. */
void assert_same_fabric(const struct weft_fabric *a,
			const struct weft_fabric *b);

#define assert_counts(f, switches, nodes, endports, links) \
	do { \
		ASSERT_EQ(weft_fabric_check((f), NULL), 0); \
		ASSERT_EQ((f)->nsw, (switches)); \
		ASSERT_EQ((f)->nnodes, (nodes)); \
		ASSERT_EQ((f)->nep, (endports)); \
		ASSERT_EQ((f)->nlinks, (links)); \
	} while (0)

/*
 * The fabric that most tests read, in pieces.  Two switches joined by a cable,
 * a cable looped between two ports of the first, three adapters of which one
 * has both its ports cabled, to both switches.
 *
 *   port 3 and 4                            port 129
 *   looped  ==== S-a0 [1] ------- [1] S-c0 ---------- [1] H-b0
 *                [2]                  [2]
 *                 +--- [1] H-d0 [2] ---+
 */
#define TEXT_SWITCH_A \
	"vendid=0x2c9\n" \
	"devid=0xd2f0\n" \
	"sysimgguid=0xaf\n" \
	"switchguid=0xa0(a1)\n" \
	"Switch\t4 \"S-00000000000000a0\"\t\t# \"leaf \\\"#1\\\"\" " \
		"enhanced port 0 lid 1 lmc 0\n" \
	"[1]\t\"S-00000000000000c0\"[1]\t\t# \"spine\" lid 2 4xHDR\n" \
	"[2]\t\"H-00000000000000d0\"[1](d1) \t\t# \"dual\" lid 8 4xEDR\n" \
	"[3]\t\"S-00000000000000a0\"[4]\t\t# \"leaf\" lid 1 1xXDR\n" \
	"[4]\t\"S-00000000000000a0\"[3]\t\t# \"leaf\" lid 1 1xXDR\n"
#define TEXT_SWITCH_C \
	"vendid=0x2c9\n" \
	"devid=0xd2f0\n" \
	"switchguid=0xc0(c0)\n" \
	"Switch\t129 \"S-00000000000000c0\"\t\t# \"spine\" " \
		"base port 0 lid 2 lmc 0\n" \
	"[1]\t\"S-00000000000000a0\"[1]\t\t# \"leaf\" lid 1 4xHDR\n" \
	"[2]\t\"H-00000000000000d0\"[2](d2) \t\t# \"dual\" lid 12 4xEDR\n" \
	"[129]\t\"H-00000000000000b0\"[1](b1) \t\t# \"host\" lid 4 12xQDR\n"
#define TEXT_HOST_B \
	"vendid=0x2c9\n" \
	"devid=0x1003\n" \
	"sysimgguid=0xbf\n" \
	"caguid=0xb0\n" \
	"Ca\t2 \"H-00000000000000b0\"\t\t# \"host\"\n" \
	"[1](b1) \t\"S-00000000000000c0\"[129]\t\t" \
		"# lid 4 lmc 2 \"spine\" lid 2 12xQDR\n"
#define TEXT_HOST_D \
	"vendid=0x2c9\n" \
	"devid=0x1003\n" \
	"caguid=0xd0\n" \
	"Ca\t2 \"H-00000000000000d0\"\t\t# \"dual\"\n" \
	"[2](d2) \t\"S-00000000000000c0\"[2]\t\t" \
		"# lid 12 lmc 2 \"spine\" lid 2 4xEDR\n" \
	"[1](d1) \t\"S-00000000000000a0\"[2]\t\t" \
		"# lid 8 lmc 2 \"leaf\" lid 1 4xEDR\n"
#define TEXT_HEAD \
	"#\n# Topology file: generated on Tue Jun  5 14:15:10 2007\n#\n" \
	"# Initiated from node 00000000000000b0 port 00000000000000b1\n"
#define TEXT TEXT_HEAD "\n" TEXT_SWITCH_A "\n" TEXT_SWITCH_C "\n" \
	TEXT_HOST_B "\n" TEXT_HOST_D
#define assert_text_counts(f) assert_counts(f, 2, 2, 3, 5)

/* Cuts text at its empty lines; at most max sections, returns how many. */
uint32_t split_sections(char *text, char **section, uint32_t max);
/* Joins them again, malloc()ed. */
char *join_sections(char *const *section, const uint32_t *order, uint32_t n);

/* text with every occurrence of from replaced, malloc()ed; at least one. */
char *replaced(const char *text, const char *from, const char *to);

#endif
