/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What opensm dumps, read by code of its own: what judges the plugins shares
 * nothing with them, neither readers nor graphs nor proofs.
 */
#ifndef WEFT_TESTS_SOAK_DUMPS_H
#define WEFT_TESTS_SOAK_DUMPS_H

#include <stdbool.h>
#include <stdint.h>

#define NO_PORT 255
#define SLS 16
#define PORTS 256
#define LIDS 49152

/* What a port leads to. */
enum far { NOWHERE, TO_SWITCH, TO_HOST };

struct port {
	enum far far;
	uint32_t to;		/* index of a switch or of a host */
	uint8_t far_port;
};

struct sw {
	uint64_t guid;
	uint32_t lid;		/* 0: nobody told */
	unsigned nports;	/* the highest one with a cable */
	struct port port[PORTS];
	uint8_t *lft;		/* [LIDS] */
	uint8_t (*vl)[PORTS][SLS];	/* [in][out], NULL: not dumped */
};

/* A port of a host. */
struct host {
	uint64_t guid;
	uint32_t lid, sw;
	uint8_t port;		/* of the switch */
	uint8_t *sl;		/* [LIDS], to each; NULL: none are dumped */
};

struct dumps {
	struct sw *sw;
	uint32_t nsw;
	struct host *host;
	uint32_t nhost;
	unsigned lanes;		/* of which weft-sl.dump tells, or 1 */
};

/* Reads opensm-subnet.lst and opensm-lfts.dump of a directory and, with lanes,
 * weft-sl.dump and opensm-sl2vl.dump, if they are there.  False: the first two
 * are not, or not whole. */
bool dumps_read(struct dumps *d, const char *directory, bool lanes);
void dumps_free(struct dumps *d);

uint32_t dumps_switch(const struct dumps *d, uint64_t guid);	/* or nsw */
uint32_t dumps_host(const struct dumps *d, uint64_t guid);	/* or nhost */

/* What differs between two states of a fabric. */
struct changes {
	unsigned long entries;	/* of switches and LIDs that are in both, and
				 * have the same owner there */
	unsigned long dead;	/* of all of these, those whose old port leads
				 * elsewhere now */
	unsigned long blocks, switches;		/* with any difference */
};
void changes_count(const struct dumps *was, const struct dumps *now,
		   unsigned lmc, struct changes *out);

#endif
