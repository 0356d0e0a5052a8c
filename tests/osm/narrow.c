// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Preloaded into opensm, before ibsim's library: makes one switch port, that
 * which the environment names as NARROW=0xGUID:PORT, report a single data lane
 * (VLCap 1).  All ports of ibsim are alike otherwise.
 *
 * Answers to directed-route queries do not say whom they are from: the path to
 * the switch is learnt from its NodeInfo.
 */
#include <opensm/osm_config.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <iba/ib_types.h>
#include <infiniband/umad.h>

static const char *wanted;	/* NARROW */
static uint64_t guid;
static unsigned port;

static bool known;
static uint8_t hops, path[64];	/* to the switch */

static bool parse(void)
{
	char *end;

	if (wanted)
		return true;
	wanted = getenv("NARROW");
	if (!wanted)
		return false;
	guid = strtoull(wanted, &end, 16);
	port = strtoul(end + 1, NULL, 10);
	return true;
}

static void look_at(ib_smp_t *smp)
{
	ib_node_info_t *node = (ib_node_info_t *)smp->data;
	ib_port_info_t *info = (ib_port_info_t *)smp->data;

	if (smp->mgmt_class != IB_MCLASS_SUBN_DIR)
		return;
	if (smp->attr_id == IB_MAD_ATTR_NODE_INFO &&
	    cl_ntoh64(node->node_guid) == guid && !known) {
		hops = smp->hop_count;
		memcpy(path, smp->initial_path, sizeof(path));
		known = true;
	} else if (smp->attr_id == IB_MAD_ATTR_PORT_INFO && known &&
		   smp->hop_count == hops &&
		   !memcmp(smp->initial_path, path, hops + 1) &&
		   (cl_ntoh32(smp->attr_mod) & 0xff) == port) {
		info->vl_cap = 1 << 4 | (info->vl_cap & 0xf);
	}
}

int umad_recv(int fd, void *umad, int *length, int timeout)
{
	int (*next)(int, void *, int *, int) = dlsym(RTLD_NEXT, "umad_recv");
	int agent = next(fd, umad, length, timeout);

	if (agent >= 0 && parse())
		look_at(umad_get_mad(umad));
	return agent;
}
