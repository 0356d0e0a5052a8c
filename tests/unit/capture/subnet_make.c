// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The nodes of the subnet of subnet_util.h, as libibnetdisc tells of them, and
 * captures of it. */
#include "subnet_util.h"

static void set(ibnd_port_t *port, enum MAD_FIELDS field, uint32_t value)
{
	mad_set_field(port->info, 0, field, value);
}

static ibnd_port_t *add_port(unsigned node, unsigned p, unsigned lid,
			     unsigned lmc)
{
	ibnd_port_t *port = &subnet.port[node][p];

	subnet.ports[node][p] = port;
	*port = (ibnd_port_t){
		.guid = 0x1000 * p + subnet.node[node].guid,
		.portnum = (int)p,
		.node = &subnet.node[node],
		.base_lid = (uint16_t)lid,
		.lmc = (uint8_t)lmc,
	};
	set(port, IB_PORT_STATE_F, 1);
	set(port, IB_PORT_PHYS_STATE_F, 2);
	return port;
}

static void add_node(unsigned node, int type, uint64_t guid, int nports,
		     const char *name)
{
	ibnd_node_t *n = &subnet.node[node];

	*n = (ibnd_node_t){ .guid = guid, .type = type, .numports = nports,
			    .ports = subnet.ports[node] };
	strcpy(n->nodedesc, name);
	mad_set_field64(n->info, 0, IB_NODE_SYSTEM_GUID_F, guid + 1);
	mad_set_field(n->info, 0, IB_NODE_VENDORID_F, 0x2c9);
	mad_set_field(n->info, 0, IB_NODE_DEVID_F, 0xc000 + node);
	mad_set_field(n->info, 0, IB_NODE_LOCAL_PORT_F, 1);
}

static void add_switch(unsigned node, uint64_t guid, int nports, unsigned lid,
		       const char *name)
{
	add_node(node, IB_NODE_SWITCH, guid, nports, name);
	subnet.node[node].smalid = (uint16_t)lid;
	for (int p = 0; p <= nports; p++)
		add_port(node, (unsigned)p, p ? 0 : lid, 0);
}

/* Joins two ports: four lanes, whose speed and the lanes' number differ. */
static void join(unsigned a, unsigned p, unsigned b, unsigned q, unsigned lanes)
{
	ibnd_port_t *end[2] = { &subnet.port[a][p], &subnet.port[b][q] };

	for (unsigned i = 0; i < 2; i++) {
		end[i]->remoteport = end[!i];
		set(end[i], IB_PORT_STATE_F, 4);
		set(end[i], IB_PORT_PHYS_STATE_F, 5);
		set(end[i], IB_PORT_LINK_WIDTH_ACTIVE_F, 2);
		set(end[i], IB_PORT_LINK_SPEED_ACTIVE_F, 4); /* QDR */
		set(end[i], IB_PORT_NEIGHBOR_MTU_F, 5);
		set(end[i], IB_PORT_OPER_VLS_F, lanes);
		set(end[i], IB_PORT_VL_ARBITRATION_LOW_CAP_F, 8);
		if (!end[i]->base_lid)
			continue;
		set(end[i], IB_PORT_SMLID_F, 4);
		set(end[i], IB_PORT_SMSL_F, 3);
	}
}

static void set_path(unsigned node, unsigned hops, uint8_t first,
		     uint8_t second, uint8_t third)
{
	ib_dr_path_t *path = &subnet.node[node].path_portid.drpath;

	path->cnt = (int)hops;
	path->p[1] = first;
	path->p[2] = second;
	path->p[3] = third;
}

static void set_switch(unsigned node, unsigned top, unsigned cap,
		       unsigned mcast_top)
{
	uint8_t *info = subnet.node[node].switchinfo;

	mad_set_field(info, 0, IB_SW_LINEAR_FDB_TOP_F, top);
	mad_set_field(info, 0, IB_SW_MCAST_FDB_CAP_F, cap);
	mad_set_field(info, 0, IB_SW_MCAST_FDB_TOP_F, mcast_top);
}

static void set_arbitration(unsigned node, unsigned p, unsigned low,
			    unsigned high)
{
	set(&subnet.port[node][p], IB_PORT_VL_ARBITRATION_LOW_CAP_F, low);
	set(&subnet.port[node][p], IB_PORT_VL_ARBITRATION_HIGH_CAP_F, high);
}

void subnet_init(void)
{
	static const unsigned list[NODES] = { H1, R, A, H2, B };

	memset(&subnet, 0, sizeof(subnet));
	subnet.now = 5000;
	subnet.delay = 2;
	add_switch(A, 0x20, 18, 1, "leaf");
	add_switch(B, 0x10, 4, 2, "spine");
	add_node(H1, IB_NODE_CA, 0x30, 1, "here");
	add_node(H2, IB_NODE_CA, 0x40, 2, "there");
	add_node(R, IB_NODE_ROUTER, 0x50, 1, "gate");
	add_port(H1, 1, 4, 0);
	add_port(H2, 1, 5, 0);
	add_port(H2, 2, 66, 1);
	add_port(R, 1, 130, 0);
	join(A, 1, H1, 1, 1);
	join(A, 2, H2, 1, 2);
	join(A, 17, B, 1, 4);
	join(B, 2, H2, 2, 3);
	join(B, 3, R, 1, 5);
	set(&subnet.port[B][4], IB_PORT_PHYS_STATE_F, 5);
	set_path(H1, 0, 0, 0, 0);
	set_path(A, 1, 1, 0, 0);
	set_path(B, 2, 1, 17, 0);
	set_path(H2, 2, 1, 2, 0);
	set_path(R, 3, 1, 17, 3);
	/* three blocks and one; two blocks of groups, and none */
	set_switch(A, 130, 100, 0xc000 + 33);
	set_switch(B, 63, 100, 0xbfff);
	subnet.node[B].smaenhsp0 = 1;
	set_arbitration(A, 2, 64, 33);
	set_arbitration(A, 17, 32, 0);
	set_arbitration(H2, 2, 33, 1);
	set(&subnet.port[H1][1], IB_PORT_CAPMASK_F, 0x02510a6a);
	set(&subnet.port[H2][2], IB_PORT_CAPMASK_F, 2);
	set(&subnet.port[R][1], IB_PORT_CAPMASK_F, ~2u);
	set(&subnet.port[A][0], IB_PORT_CAPMASK_F, 2);
	for (unsigned i = NODES; i-- > 0;) {
		subnet.node[list[i]].next = subnet.fabric.nodes;
		subnet.fabric.nodes = &subnet.node[list[i]];
	}
}

struct weft__capture_spec subnet_spec(void)
{
	return (struct weft__capture_spec){
		.mads = { .timeout_ms = 100, .retries = 2, .outstanding = 8 },
		.interval_ms = 1000,
	};
}

struct weft__capture *subnet_capture(const struct weft__capture_spec *spec,
				     struct heard *heard)
{
	struct weft__capture *c = NULL;

	heard_init(heard);
	if (weft__capture_run(spec, &c, &heard->diag))
		ASSERT(!c);
	return c;
}

unsigned subnet_asked(unsigned node, unsigned attribute, unsigned modifier)
{
	unsigned n = 0;

	for (size_t i = 0; i < subnet.n; i++)
		n += subnet.log[i].node == node &&
		     subnet.log[i].attribute == attribute &&
		     subnet.log[i].modifier == modifier;
	return n;
}

unsigned subnet_count(unsigned node, unsigned attribute)
{
	unsigned n = 0;

	for (size_t i = 0; i < subnet.n; i++)
		n += subnet.log[i].node == node &&
		     subnet.log[i].attribute == attribute;
	return n;
}
