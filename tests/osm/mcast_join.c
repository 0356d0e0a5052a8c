// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * mcast_join PORT-GUID...: has each port join the IPoIB broadcast group as a
 * full member, by SubnAdmSet(MCMemberRecord) from the local port.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#define MAD_SIZE 256
#define CLASS_SA 3
#define METHOD_SET 2
#define METHOD_GET_RESP 0x81
#define ATTR_MCMEMBER 0x38
#define QKEY 0x80010000

/* Offsets in a MAD of subnet administration and in its MCMemberRecord. */
enum {
	OFF_STATUS = 4, OFF_TID = 8, OFF_ATTR = 16, OFF_MASK = 48,
	OFF_RECORD = 56,
	REC_MGID = 0, REC_PORT_GID = 16, REC_STATE = 48,
};
#define MASK_MGID (1 << 0)
#define MASK_PORT_GID (1 << 1)
#define MASK_JOIN_STATE (1 << 16)
#define FULL_MEMBER 1

static const uint8_t broadcast[16] = {
	0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 0, 0, 0, 0, 0, 0,
	0xff, 0xff, 0xff, 0xff,
};

static void put(uint8_t *p, uint64_t value, unsigned bytes)
{
	while (bytes--) {
		p[bytes] = value;
		value >>= 8;
	}
}

static void fill_request(uint8_t *mad, uint64_t guid)
{
	uint8_t *record = mad + OFF_RECORD;

	memset(mad, 0, MAD_SIZE);
	mad[0] = 1;		/* MAD version */
	mad[1] = CLASS_SA;
	mad[2] = 2;		/* version of the class */
	mad[3] = METHOD_SET;
	put(mad + OFF_TID, guid & UINT32_MAX, 8);
	put(mad + OFF_ATTR, ATTR_MCMEMBER, 2);
	put(mad + OFF_MASK, MASK_MGID | MASK_PORT_GID | MASK_JOIN_STATE, 8);
	memcpy(record + REC_MGID, broadcast, sizeof(broadcast));
	put(record + REC_PORT_GID, 0xfe80000000000000, 8);
	put(record + REC_PORT_GID + 8, guid, 8);
	record[REC_STATE] = FULL_MEMBER;
}

/* 0, or what went wrong. */
static const char *join(int port, int agent, unsigned sm_lid, uint64_t guid)
{
	void *umad = umad_alloc(1, umad_size() + MAD_SIZE);
	int length = MAD_SIZE;
	const char *error = NULL;
	uint8_t *mad;

	if (!umad)
		return "no memory";
	mad = umad_get_mad(umad);
	fill_request(mad, guid);
	umad_set_addr(umad, sm_lid, 1, 0, QKEY);
	if (umad_send(port, agent, umad, MAD_SIZE, 2000, 3) < 0)
		error = "cannot send";
	else if (umad_recv(port, umad, &length, 10000) != agent)
		error = "no answer";
	else if (mad[3] != METHOD_GET_RESP || mad[OFF_STATUS] ||
		 mad[OFF_STATUS + 1])
		error = "refused";
	umad_free(umad);
	return error;
}

int main(int argc, char **argv)
{
	umad_port_t local;
	int port, agent, failed = 0;

	if (umad_init() < 0 || umad_get_port(NULL, 0, &local) < 0 ||
	    (port = umad_open_port(NULL, 0)) < 0) {
		fprintf(stderr, "mcast_join: no port\n");
		return 1;
	}
	agent = umad_register(port, CLASS_SA, 2, 0, NULL);
	for (int i = 1; i < argc && agent >= 0; i++) {
		uint64_t guid = strtoull(argv[i], NULL, 16);
		const char *error = join(port, agent, local.sm_lid, guid);

		if (error)
			fprintf(stderr, "mcast_join: %s: %s\n", argv[i],
				error);
		failed |= error != NULL;
	}
	umad_close_port(port);
	return failed || agent < 0;
}
