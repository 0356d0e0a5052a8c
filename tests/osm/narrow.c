// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into opensm, before ibsim's library, all of whose ports are alike:
 * makes ports report something else.  The environment tells which:
 *
 *   NARROW=0xGUID:PORT    that port of a switch has a single data lane (VLCap 1)
 *   FEWER=0xGUID:LMC      the first port of an adapter takes that LMC at most
 *   SLOW=all              links run at 1x, though more is enabled: of all ports,
 *   SLOW=0xGUID:PORT,...  or of these ports of switches
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
	bool wanted, known;
	uint64_t guid;
	unsigned number;		/* after the colon */
	uint8_t hops, path[64];		/* to the node */
};

#define MAX_SLOW 8

static struct target narrow, fewer, slow[MAX_SLOW];

/* Reads the place of that number in the list of a variable. */
static bool parse(struct target *t, const char *variable, unsigned place)
{
	const char *text = t->wanted ? NULL : getenv(variable);
	char *end;

	while (text && place--) {
		text = strchr(text, ',');
		text = text ? text + 1 : NULL;
	}
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

	if (!t->wanted || smp->mgmt_class != IB_MCLASS_SUBN_DIR)
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

/* Whether that is the PortInfo of a port that is to be slow.  All targets learn
 * of their nodes. */
static bool is_slow(const ib_smp_t *smp)
{
	const char *text = getenv("SLOW");
	bool found = false;
	unsigned port;

	if (text && !strcmp(text, "all"))
		return smp->mgmt_class == IB_MCLASS_SUBN_DIR &&
		       smp->attr_id == IB_MAD_ATTR_PORT_INFO;
	for (unsigned i = 0; i < MAX_SLOW && parse(&slow[i], "SLOW", i); i++)
		found |= is_port_info(&slow[i], smp, &port) &&
			 port == slow[i].number;
	return found;
}

static void look_at(ib_smp_t *smp)
{
	ib_port_info_t *info = (ib_port_info_t *)smp->data;
	unsigned port;

	parse(&narrow, "NARROW", 0);
	parse(&fewer, "FEWER", 0);
	if (is_slow(smp))
		info->link_width_active = IB_LINK_WIDTH_ACTIVE_1X;
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
