// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * gid_paths COUNT SGID FILE: asks subnet administration COUNT times for the
 * path from a GID to others, one after the other, those of FILE in turn: lines
 * "DGID LID...", the LIDs that are right to send to.  Says "COUNT asked", and
 * how many answers had the first LID, another one, and none; fails if there was
 * a LID that is none of them, or no answer.  COUNT 0: each GID once, and prints
 * "DGID LID SL hops" for each.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <infiniband/umad.h>

#define MAD_SIZE 256
#define CLASS_SA 3
#define METHOD_GET 1
#define METHOD_GET_RESP 0x81
#define ATTR_PATH 0x35
#define QKEY 0x80010000
#define NO_RECORDS 0x0300
#define MOST 4096 /* GIDs */
#define LIDS 8

/* Offsets in a MAD of subnet administration and in its PathRecord. */
enum {
	OFF_STATUS = 4, OFF_TID = 8, OFF_ATTR = 16, OFF_MASK = 48,
	OFF_RECORD = 56,
	REC_DGID = 8, REC_SGID = 24, REC_DLID = 40, REC_HOPS = 47,
	REC_NUMPATH = 49, REC_SL = 52,
};
#define MASK_DGID (1 << 2)
#define MASK_SGID (1 << 3)
#define MASK_NUMPATH (1 << 12)

struct client {
	int port, agent;
	unsigned sm_lid;
	void *umad;
	uint64_t tid;
	unsigned char sgid[16];
};

struct goal {
	char text[64];
	unsigned char gid[16];
	unsigned lid[LIDS], n;
};

static void put(uint8_t *p, uint64_t value, unsigned bytes)
{
	while (bytes--) {
		p[bytes] = value;
		value >>= 8;
	}
}

/* Asks for the path to a GID.  Returns the record, NULL if there is none. */
static const uint8_t *query(struct client *c, const unsigned char *dgid)
{
	uint8_t *mad = umad_get_mad(c->umad), *record = mad + OFF_RECORD;
	int length = MAD_SIZE;

	memset(mad, 0, MAD_SIZE);
	mad[0] = 1;		/* MAD version */
	mad[1] = CLASS_SA;
	mad[2] = 2;		/* version of the class */
	mad[3] = METHOD_GET;
	put(mad + OFF_TID, ++c->tid, 8);
	put(mad + OFF_ATTR, ATTR_PATH, 2);
	put(mad + OFF_MASK, MASK_DGID | MASK_SGID | MASK_NUMPATH, 8);
	memcpy(record + REC_DGID, dgid, 16);
	memcpy(record + REC_SGID, c->sgid, 16);
	record[REC_NUMPATH] = 0x80 | 1;
	umad_set_addr(c->umad, c->sm_lid, 1, 0, QKEY);
	if (umad_send(c->port, c->agent, c->umad, MAD_SIZE, 5000, 3) < 0 ||
	    umad_recv(c->port, c->umad, &length, 30000) != c->agent ||
	    mad[3] != METHOD_GET_RESP) {
		fprintf(stderr, "gid_paths: no answer\n");
		exit(1);
	}
	return mad[OFF_STATUS] || mad[OFF_STATUS + 1] ? NULL : record;
}

static unsigned read_goals(const char *path, struct goal *goal)
{
	FILE *f = fopen(path, "r");
	char line[512];
	unsigned n = 0;

	while (f && n < MOST && fgets(line, sizeof(line), f)) {
		struct goal *g = &goal[n];
		char *word = strtok(line, " \n");

		snprintf(g->text, sizeof(g->text), "%s", word ? word : "");
		if (inet_pton(AF_INET6, g->text, g->gid) != 1)
			continue;
		while (g->n < LIDS && (word = strtok(NULL, " \n")))
			g->lid[g->n++] = strtoul(word, NULL, 0);
		n++;
	}
	if (f)
		fclose(f);
	return n;
}

/* Asks for all, and prints what is answered. */
static int list(struct client *c, const struct goal *goal, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *r = query(c, goal[i].gid);

		if (r)
			printf("%s %u %u %u\n", goal[i].text,
			       r[REC_DLID] << 8 | r[REC_DLID + 1],
			       r[REC_SL + 1] & 0xf, r[REC_HOPS]);
		else
			printf("%s none\n", goal[i].text);
	}
	return 0;
}

static int ask(struct client *c, const struct goal *goal, unsigned n,
	       unsigned long count)
{
	unsigned long first = 0, other = 0, none = 0;

	for (unsigned long i = 0; i < count; i++) {
		const struct goal *g = &goal[i % n];
		const uint8_t *r = query(c, g->gid);
		unsigned lid = r ? r[REC_DLID] << 8 | r[REC_DLID + 1] : 0;
		unsigned k = 0;

		while (r && k < g->n && g->lid[k] != lid)
			k++;
		if (r && k == g->n) {
			fprintf(stderr, "gid_paths: %s: LID %u\n", g->text,
				lid);
			return 1;
		}
		none += !r;
		first += r && !k;
		other += r && k;
	}
	printf("%lu asked: first %lu, other %lu, none %lu\n", count, first,
	       other, none);
	return 0;
}

int main(int argc, char **argv)
{
	static struct goal goal[MOST];
	struct client c = { .port = -1 };
	umad_port_t local;
	unsigned n = argc == 4 ? read_goals(argv[3], goal) : 0;
	unsigned long count;
	int failed = 1;

	if (!n || inet_pton(AF_INET6, argv[2], c.sgid) != 1)
		return 2;
	count = strtoul(argv[1], NULL, 0);
	if (umad_init() < 0 || umad_get_port(NULL, 0, &local) < 0 ||
	    (c.port = umad_open_port(NULL, 0)) < 0 ||
	    !(c.umad = umad_alloc(1, umad_size() + MAD_SIZE))) {
		fprintf(stderr, "gid_paths: no port\n");
		return 1;
	}
	c.sm_lid = local.sm_lid;
	c.agent = umad_register(c.port, CLASS_SA, 2, 0, NULL);
	if (c.agent >= 0)
		failed = count ? ask(&c, goal, n, count) : list(&c, goal, n);
	umad_free(c.umad);
	umad_close_port(c.port);
	return failed;
}
