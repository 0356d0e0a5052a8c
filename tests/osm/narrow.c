// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into opensm, before ibsim's library, all of whose ports are alike:
 * makes one port of a node report something else.  The environment tells which:
 *
 *   NARROW=0xGUID:PORT    that port of a switch has a single data lane (VLCap 1)
 *   FEWER=0xGUID:LMC      the first port of an adapter takes that LMC at most
 *
 * Answers to directed-route queries do not say whom they are from: the path to
 * the node is learnt from its NodeInfo.
 */
#include <opensm/osm_config.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iba/ib_types.h>
#include <infiniband/umad.h>

struct target {
	const char *variable;
	bool wanted, known;
	uint64_t guid;
	unsigned number;		/* after the colon */
	uint8_t hops, path[64];		/* to the node */
};

static struct target narrow = { .variable = "NARROW" };
static struct target fewer = { .variable = "FEWER" };

static bool parse(struct target *t)
{
	const char *text = t->wanted ? NULL : getenv(t->variable);
	char *end;

	if (text) {
		t->wanted = true;
		t->guid = strtoull(text, &end, 16);
		t->number = strtoul(end + 1, NULL, 10);
	}
	return t->wanted;
}

/* Whether that is the PortInfo of a port of the target. */
static bool is_port_info(struct target *t, const ib_smp_t *smp, unsigned *port)
{
	const ib_node_info_t *node = (const ib_node_info_t *)smp->data;

	if (!parse(t) || smp->mgmt_class != IB_MCLASS_SUBN_DIR)
		return false;
	if (smp->attr_id == IB_MAD_ATTR_NODE_INFO &&
	    cl_ntoh64(node->node_guid) == t->guid && !t->known) {
		t->hops = smp->hop_count;
		memcpy(t->path, smp->initial_path, sizeof(t->path));
		t->known = true;
	}
	*port = cl_ntoh32(smp->attr_mod) & 0xff;
	return smp->attr_id == IB_MAD_ATTR_PORT_INFO && t->known &&
	       smp->hop_count == t->hops &&
	       !memcmp(smp->initial_path, t->path, t->hops + 1);
}

static void look_at(ib_smp_t *smp)
{
	ib_port_info_t *info = (ib_port_info_t *)smp->data;
	unsigned port;

	if (is_port_info(&narrow, smp, &port) && port == narrow.number)
		info->vl_cap = 1 << 4 | (info->vl_cap & 0xf);
	if (is_port_info(&fewer, smp, &port) &&
	    ib_port_info_get_lmc(info) > fewer.number)
		ib_port_info_set_lmc(info, fewer.number);
}

int umad_recv(int fd, void *umad, int *length, int timeout)
{
	int (*next)(int, void *, int *, int) = dlsym(RTLD_NEXT, "umad_recv");
	int agent = next(fd, umad, length, timeout);

	if (agent >= 0)
		look_at(umad_get_mad(umad));
	return agent;
}
