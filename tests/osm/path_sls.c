// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * path_sls [once] [pkey=N] LID...: asks subnet administration for the path
 * between every two of the LIDs, both ways, in a partition if told so, and
 * prints "source dest sl" for each.  Unless told once, then asks again for a
 * path of that SL: one that may go by one SL there and by another back, or an
 * SL that OpenSM would not confirm, fails.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#define MAD_SIZE 256
#define CLASS_SA 3
#define METHOD_GET 1
#define METHOD_GET_RESP 0x81
#define ATTR_PATH 0x35
#define QKEY 0x80010000

/* Offsets in a MAD of subnet administration and in its PathRecord. */
enum {
	OFF_STATUS = 4, OFF_TID = 8, OFF_ATTR = 16, OFF_MASK = 48,
	OFF_RECORD = 56,
	REC_DLID = 40, REC_SLID = 42, REC_NUMPATH = 49, REC_PKEY = 50,
	REC_SL = 52,
};
#define MASK_DLID (1 << 4)
#define MASK_SLID (1 << 5)
#define MASK_REVERSIBLE (1 << 11)
#define MASK_NUMPATH (1 << 12)
#define MASK_PKEY (1 << 13)
#define MASK_SL (1 << 15)
#define ANY_SL 16

struct client {
	int port, agent;
	unsigned sm_lid, pkey;	/* pkey: 0 = any */
	void *umad;
	uint64_t tid;
	bool once;
};

static void put(uint8_t *p, uint64_t value, unsigned bytes)
{
	while (bytes--) {
		p[bytes] = value;
		value >>= 8;
	}
}

/* The SL of a path, of the SL asked for unless that is ANY_SL; -1 after a
 * message. */
static int query(struct client *c, unsigned slid, unsigned dlid, unsigned sl)
{
	uint8_t *mad = umad_get_mad(c->umad), *record = mad + OFF_RECORD;
	uint64_t mask = MASK_DLID | MASK_SLID | MASK_REVERSIBLE | MASK_NUMPATH;
	int length = MAD_SIZE;

	memset(mad, 0, MAD_SIZE);
	mad[0] = 1;		/* MAD version */
	mad[1] = CLASS_SA;
	mad[2] = 2;		/* version of the class */
	mad[3] = METHOD_GET;
	put(mad + OFF_TID, ++c->tid, 8);
	put(mad + OFF_ATTR, ATTR_PATH, 2);
	mask |= (sl < ANY_SL ? MASK_SL : 0) | (c->pkey ? MASK_PKEY : 0);
	put(mad + OFF_MASK, mask, 8);
	put(record + REC_PKEY, c->pkey, 2);
	put(record + REC_DLID, dlid, 2);
	put(record + REC_SLID, slid, 2);
	record[REC_NUMPATH] = 0x80 | 1;
	put(record + REC_SL, sl < ANY_SL ? sl : 0, 2);
	umad_set_addr(c->umad, c->sm_lid, 1, 0, QKEY);
	if (umad_send(c->port, c->agent, c->umad, MAD_SIZE, 2000, 3) < 0 ||
	    umad_recv(c->port, c->umad, &length, 10000) != c->agent ||
	    mad[3] != METHOD_GET_RESP || mad[OFF_STATUS] ||
	    mad[OFF_STATUS + 1]) {
		fprintf(stderr, "path_sls: %u to %u, SL %u: no answer\n",
			slid, dlid, sl);
		return -1;
	}
	return record[REC_SL + 1] & 0xf;
}

static int ask(struct client *c, unsigned slid, unsigned dlid)
{
	int sl = query(c, slid, dlid, ANY_SL);

	if (sl < 0)
		return -1;
	printf("%u %u %d\n", slid, dlid, sl);
	return c->once || query(c, slid, dlid, sl) == sl ? 0 : -1;
}

int main(int argc, char **argv)
{
	struct client c = { .port = -1 };
	umad_port_t local;
	int failed = 0;

	if (argc > 1 && !strcmp(argv[1], "once")) {
		c.once = true;
		argc--;
		argv++;
	}
	if (argc > 1 && !strncmp(argv[1], "pkey=", 5)) {
		c.pkey = strtoul(argv[1] + 5, NULL, 0);
		argc--;
		argv++;
	}
	if (umad_init() < 0 || umad_get_port(NULL, 0, &local) < 0 ||
	    (c.port = umad_open_port(NULL, 0)) < 0 ||
	    !(c.umad = umad_alloc(1, umad_size() + MAD_SIZE))) {
		fprintf(stderr, "path_sls: no port\n");
		return 1;
	}
	c.sm_lid = local.sm_lid;
	c.agent = umad_register(c.port, CLASS_SA, 2, 0, NULL);
	for (int i = 1; i < argc && c.agent >= 0; i++)
		for (int k = 1; k < argc; k++)
			if (ask(&c, strtoul(argv[i], NULL, 0),
				strtoul(argv[k], NULL, 0)))
				failed = 1;
	umad_free(c.umad);
	umad_close_port(c.port);
	return failed || c.agent < 0;
}
