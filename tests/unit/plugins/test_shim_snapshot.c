// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Snapshot: OpenSM's subnet becomes the fabric that it was made from. */
#include "shim_util.h"

#include <weft/gen.h>

#include <stdio.h>
#include <string.h>

/* Messages of a snapshot, one after the other. */
static char said[4096];

static void hear(void *context, const struct weft_message *m)
{
	size_t used = strlen(said);

	(void)context;
	snprintf(said + used, sizeof(said) - used, "%s\n", m->text);
}

static struct weft__snapshot take(struct shim_subnet *s)
{
	struct weft_diag diag = { .emit = hear };
	struct weft__snapshot snapshot;

	said[0] = '\0';
	ASSERT_EQ(weft__snapshot_take(&s->osm->subn, NULL, &snapshot, &diag),
		  0);
	ASSERT_EQ(weft_fabric_check(snapshot.fabric, &diag), 0);
	return snapshot;
}

static void compare_switches(const struct weft_fabric *a,
			     const struct weft_fabric *b)
{
	for (uint32_t s = 0; s < a->nsw; s++) {
		const struct weft_switch *x = &a->sw[s], *y = &b->sw[s];

		ASSERT_EQ(x->guid, y->guid);
		ASSERT_EQ(x->port_guid, y->port_guid);
		ASSERT_EQ(x->system_guid, y->system_guid);
		ASSERT_STR(x->name, y->name);
		ASSERT_EQ(x->lid, y->lid);
		ASSERT_EQ(x->lmc, y->lmc);
		ASSERT_EQ(x->nports, y->nports);
		ASSERT_EQ(x->enhanced, y->enhanced);
		ASSERT_EQ(x->vendor, y->vendor);
		ASSERT_EQ(x->device, y->device);
	}
}

static void compare_endports(const struct weft_fabric *a,
			     const struct weft_fabric *b)
{
	for (uint32_t e = 0; e < a->nep; e++) {
		const struct weft_endport *x = &a->ep[e], *y = &b->ep[e];

		ASSERT_EQ(x->guid, y->guid);
		ASSERT_EQ(x->sw, y->sw);
		ASSERT_EQ(x->sw_port, y->sw_port);
		ASSERT_EQ(x->port, y->port);
		ASSERT_EQ(x->lid, y->lid);
		ASSERT_EQ(x->lmc, y->lmc);
		ASSERT_EQ(x->kind, y->kind);
		ASSERT_EQ(a->node[x->node].guid, b->node[y->node].guid);
		ASSERT_STR(a->node[x->node].name, b->node[y->node].name);
	}
}

static void compare(const struct weft_fabric *a, const struct weft_fabric *b)
{
	ASSERT_EQ(a->nsw, b->nsw);
	ASSERT_EQ(a->nep, b->nep);
	ASSERT_EQ(a->nnodes, b->nnodes);
	ASSERT_EQ(a->nch, b->nch);
	ASSERT_EQ(a->nlinks, b->nlinks);
	ASSERT_EQ(a->nhosts, b->nhosts);
	ASSERT_EQ(a->max_lid, b->max_lid);
	compare_switches(a, b);
	compare_endports(a, b);
	ASSERT_MEM(a->peer, b->peer, a->nch * sizeof(*a->peer));
	ASSERT_MEM(a->peer_port, b->peer_port, a->nch);
	ASSERT_MEM(a->width, b->width, a->nch);
	ASSERT_MEM(a->speed, b->speed, a->nch);
	ASSERT_MEM(a->lid_owner, b->lid_owner,
		   (a->max_lid + 1) * sizeof(*a->lid_owner));
}

TEST(test_round_trip)
{
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct weft_fabric *f = shim_random_fabric(
			seed, 1 + seed % 40, seed % 6, seed % 3);
		struct shim_subnet *s = shim_subnet_new(f);
		struct weft__snapshot snapshot;

		printf("seed %u\n", seed);
		snapshot = take(s);
		ASSERT_STR(said, "");
		compare(f, snapshot.fabric);
		for (uint32_t i = 0; i < f->nsw; i++)
			ASSERT(snapshot.sw[i] == shim_switch(s, f->sw[i].guid));
		weft__snapshot_free(&snapshot);
		shim_subnet_free(s);
		weft_fabric_free(f);
	}
}

/* A fabric of which one port of a switch is looked at closer. */
struct fixture {
	struct weft_fabric *f;
	struct shim_subnet *s;
	osm_physp_t *between;	/* a switch's port to another switch */
	osm_physp_t *adapter;	/* a switch's port to an adapter */
};

static int set_up_lmc(void **state, unsigned lmc)
{
	static struct fixture x;

	x.f = shim_random_fabric(7, 8, 3, lmc);
	x.s = shim_subnet_new(x.f);
	x.between = x.adapter = NULL;
	for (uint32_t i = 0; i < x.s->nsw; i++)
		for (unsigned p = 1; p < x.s->sw[i].num_ports; p++) {
			osm_physp_t *port = osm_node_get_physp_ptr(
				x.s->node[i], p);
			osm_node_t *far = port->p_remote_physp ?
				port->p_remote_physp->p_node : NULL;

			if (far && far->sw && far != x.s->node[i])
				x.between = port;
			else if (far && !far->sw)
				x.adapter = port;
		}
	if (!x.between || !x.adapter)
		return -1;
	*state = &x;
	return 0;
}

static int set_up(void **state)
{
	return set_up_lmc(state, 0);
}

static int set_up_several(void **state)
{
	return set_up_lmc(state, 2);
}

static int tear_down(void **state)
{
	struct fixture *x = *state;

	shim_throttled_port = NULL;
	shim_subnet_free(x->s);
	weft_fabric_free(x->f);
	return 0;
}

/* Takes a snapshot that has that many links fewer; checks one port. */
static void expect_links(struct fixture *x, unsigned fewer,
			 const osm_physp_t *port, bool cabled)
{
	struct weft__snapshot snapshot = take(x->s);
	const struct weft_fabric *f = snapshot.fabric;
	uint32_t sw = weft_fabric_switch_by_guid(
		f, cl_ntoh64(osm_node_get_node_guid(port->p_node)));

	ASSERT_EQ(f->nlinks, x->f->nlinks - fewer);
	ASSERT_EQ(f->peer[weft_channel(f, sw, port->port_num)] != WEFT_NONE,
		  cabled);
	weft__snapshot_free(&snapshot);
}

static void set_state(osm_physp_t *port, uint8_t state, uint8_t physical)
{
	ib_port_info_set_port_state(&port->port_info, state);
	ib_port_info_set_port_phys_state(physical, &port->port_info);
}

TEST_WITH(test_down, set_up, tear_down)
{
	struct fixture *x = suite_state;

	set_state(x->between, IB_LINK_DOWN, IB_PORT_PHYS_STATE_LINKUP);
	expect_links(x, 1, x->between, false);
	ASSERT(strstr(said, "not up"));
	set_state(x->between, IB_LINK_ACTIVE, IB_PORT_PHYS_STATE_LINKUP);
	expect_links(x, 0, x->between, true);
	set_state(x->between->p_remote_physp, IB_LINK_DOWN,
		  IB_PORT_PHYS_STATE_POLLING);
	expect_links(x, 1, x->between, false);
}

TEST_WITH(test_error_recovery, set_up, tear_down)
{
	struct fixture *x = suite_state;

	set_state(x->between, IB_LINK_ACTIVE,
		  IB_PORT_PHYS_STATE_LINKERRRECOVER);
	set_state(x->adapter, IB_LINK_ACTIVE,
		  IB_PORT_PHYS_STATE_LINKERRRECOVER);
	expect_links(x, 1, x->between, false);
	expect_links(x, 1, x->adapter, true);
}

TEST_WITH(test_unhealthy, set_up, tear_down)
{
	struct fixture *x = suite_state;

	x->between->p_remote_physp->healthy = FALSE;
	x->adapter->healthy = FALSE;
	expect_links(x, 1, x->between, false);
	ASSERT(strstr(said, "unhealthy"));
	expect_links(x, 1, x->adapter, true);
}

TEST_WITH(test_throttled, set_up, tear_down)
{
	struct fixture *x = suite_state;

	shim_throttled_port = x->between;
	expect_links(x, 0, x->between, true);
	x->s->osm->subn.opt.avoid_throttled_links = TRUE;
	expect_links(x, 1, x->between, false);
	ASSERT(strstr(said, "throttled"));
	shim_throttled_port = x->adapter;
	expect_links(x, 0, x->adapter, true);
}

static void set_width(osm_physp_t *port, uint8_t active)
{
	osm_physp_t *end[] = { port, port->p_remote_physp };

	for (unsigned i = 0; i < 2; i++) {
		end[i]->port_info.link_width_enabled = IB_LINK_WIDTH_ACTIVE_4X;
		end[i]->port_info.link_width_active = active;
	}
}

/* Two switches with a host each and two cables between them: ports 1 and 2. */
static void set_up_pair(struct fixture *x)
{
	struct weft_builder *b = weft_builder_new();
	struct weft_fabric *bare;

	for (unsigned i = 0; i < 2; i++) {
		weft_builder_node(b, WEFT_NODE_SWITCH, 0x10 + i, 4);
		weft_builder_name(b, i, i ? "sw-b" : "sw-a", 4);
	}
	for (unsigned i = 0; i < 2; i++) {
		weft_builder_node(b, WEFT_NODE_CA, 0x20 + i, 1);
		weft_builder_link(b, i, 4, 2 + i, 1,
				  (struct weft_rate){ 4, WEFT_EDR });
		weft_builder_link(b, 0, 1 + i, 1, 1 + i,
				  (struct weft_rate){ 4, WEFT_EDR });
	}
	ASSERT_EQ(weft_builder_finish(b, &bare, NULL), 0);
	ASSERT_EQ(weft_fabric_assign_lids(bare, 0, &x->f, NULL), 0);
	weft_fabric_free(bare);
	weft_builder_free(b);
	x->s = shim_subnet_new(x->f);
	x->between = osm_node_get_physp_ptr(shim_node(x->s, 0x10), 1);
	x->s->osm->subn.opt.avoid_throttled_links = TRUE;
}

/* One cable is bad: the other one is used.  Both are: then both, unless one is
 * worse.  What is used though bad is named, with its real rate. */
TEST(test_last_resort)
{
	struct fixture x;
	osm_physp_t *second;

	set_up_pair(&x);
	second = osm_node_get_physp_ptr(shim_node(x.s, 0x11), 2);
	set_width(x.between, IB_LINK_WIDTH_ACTIVE_1X);
	expect_links(&x, 1, x.between, false);
	ASSERT_STR(said,
		   "1 degraded cable not in use: \"sw-a\" (0x0000000000000010):1 - \"sw-b\" (0x0000000000000011):1, 1x EDR, throttled\n");
	set_width(second, IB_LINK_WIDTH_ACTIVE_2X);
	expect_links(&x, 0, x.between, true);
	ASSERT_STR(said,
		   "2 degraded cables in use, where no better way joins the ends: \"sw-a\" (0x0000000000000010):1 - \"sw-b\" (0x0000000000000011):1, 1x EDR, throttled; "
		   "\"sw-a\" (0x0000000000000010):2 - \"sw-b\" (0x0000000000000011):2, 2x EDR, throttled\n");
	second->healthy = FALSE;
	expect_links(&x, 1, second, false);
	ASSERT(strstr(said, "1 degraded cable in use"));
	ASSERT(strstr(said, "1 degraded cable not in use"));
	ASSERT(strstr(said, "2x EDR, unhealthy"));
	set_state(x.between, IB_LINK_DOWN, IB_PORT_PHYS_STATE_POLLING);
	expect_links(&x, 1, second, true);
	set_state(second, IB_LINK_ACTIVE, IB_PORT_PHYS_STATE_LINKERRRECOVER);
	expect_links(&x, 1, second, true);
	ASSERT(strstr(said, "in use, where"));
	ASSERT(strstr(said, "not trained"));
	set_state(second, IB_LINK_DOWN, IB_PORT_PHYS_STATE_POLLING);
	expect_links(&x, 2, second, false);
	shim_subnet_free(x.s);
	weft_fabric_free(x.f);
}

/* What PortInfo says of speeds, the newest field first. */
TEST(test_speeds)
{
	static const struct {
		uint8_t ext2, ext, plain, capable, speed;
	} cases[] = {
		{ 0x00, 0x00, 0x10, 0x08, WEFT_SDR },
		{ 0x00, 0x00, 0x40, 0x08, WEFT_QDR },
		{ 0x00, 0x80, 0x40, 0x00, WEFT_NDR },
		{ 0x20, 0x80, 0x40, 0x08, WEFT_XDR },
		{ 0x20, 0x00, 0x10, 0x08, WEFT_XDR },
		/* another field, where nobody says that it is this one */
		{ 0x20, 0x80, 0x40, 0x00, WEFT_NDR },
		/* not the speed that the fields before would say */
		{ 0x40, 0x80, 0x10, 0x08, WEFT_SPEED_UNKNOWN },
		{ 0x60, 0x80, 0x10, 0x08, WEFT_SPEED_UNKNOWN },
		{ 0x00, 0xf0, 0x10, 0x08, WEFT_SPEED_UNKNOWN },
		{ 0x00, 0x30, 0x40, 0x08, WEFT_SPEED_UNKNOWN },
		{ 0x00, 0x00, 0x80, 0x08, WEFT_SPEED_UNKNOWN },
		{ 0x00, 0x00, 0x00, 0x08, WEFT_SPEED_UNKNOWN },
		/* what is only supported or enabled does not run */
		{ 0x1f, 0x8f, 0x4f, 0x08, WEFT_NDR },
	};
	struct fixture x;

	set_up_pair(&x);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ib_port_info_t *info = &x.between->port_info;
		osm_physp_t *first =
			osm_node_get_physp_ptr(x.between->p_node, 0);

		info->link_rt_latency =
			cl_hton32((uint32_t)cases[i].ext2 << 24 | 0xfedcba);
		info->link_speed_ext = cases[i].ext;
		info->link_speed = cases[i].plain;
		first->port_info.capability_mask2 =
			cl_hton16(cases[i].capable << 8);
		ASSERT_EQ(weft__rate_of(x.between).speed, cases[i].speed);
		ASSERT_EQ(weft__rate_of(x.between).width, 4);
	}
	shim_subnet_free(x.s);
	weft_fabric_free(x.f);
}

static void enable(osm_physp_t *port, uint8_t ext2, uint8_t ext, uint8_t plain)
{
	osm_physp_t *end[] = { port, port->p_remote_physp };

	for (unsigned i = 0; i < 2; i++) {
		ib_port_info_t *info = &end[i]->port_info;
		osm_physp_t *first = osm_node_get_physp_ptr(end[i]->p_node, 0);

		info->link_width_enabled = IB_LINK_WIDTH_ACTIVE_4X;
		info->link_speed = (info->link_speed & 0xf0) | plain;
		info->link_rt_latency = cl_hton32((uint32_t)ext2 << 24);
		info->link_speed_ext_enabled = ext;
		first->port_info.capability_mask2 = cl_hton16(0x0800);
	}
}

/* Cables that are slower than both ends have enabled are named, whatever
 * OpenSM thinks of their speeds; those that run at the best are not. */
TEST(test_below_enabled)
{
	struct fixture x;
	osm_physp_t *second;

	set_up_pair(&x);
	second = osm_node_get_physp_ptr(shim_node(x.s, 0x10), 2);
	x.s->osm->subn.opt.avoid_throttled_links = FALSE;
	enable(x.between, 0, 0x3, 0x7);		/* up to EDR, as it is */
	expect_links(&x, 0, x.between, true);
	ASSERT_STR(said, "");
	enable(x.between, 0, 0x7, 0x7);
	expect_links(&x, 0, x.between, true);
	ASSERT_STR(said,
		   "1 cable between switches below what both ends have enabled: \"sw-a\" (0x0000000000000010):1 - \"sw-b\" (0x0000000000000011):1, 4x EDR in place of 4x HDR; "
		   "routes weigh what cables carry: see to these, or set avoid_throttled_links\n");
	enable(second, 1, 0x1e, 0x7);		/* XDR; 30: no others */
	expect_links(&x, 0, x.between, true);
	ASSERT(strstr(said, "2 cables between switches below"));
	ASSERT(strstr(said, "4x EDR in place of 4x XDR"));
	/* One end is not able to. */
	second->p_remote_physp->port_info.link_rt_latency = 0;
	second->p_remote_physp->port_info.link_speed_ext_enabled = 0x3;
	second->port_info.link_speed_ext_enabled = 0x3;
	expect_links(&x, 0, x.between, true);
	ASSERT(strstr(said, "1 cable between switches below"));
	/* What nobody knows. */
	second->port_info.link_speed_ext = 0xf0;
	second->p_remote_physp->port_info.link_speed_ext = 0xf0;
	expect_links(&x, 0, x.between, true);
	ASSERT(strstr(said,
	       "1 cable between switches at a rate that is not known, which counts as the slowest: "));
	ASSERT(strstr(said, "4x of unknown speed"));
	/* OpenSM calls it throttled; it is as fast as it may be. */
	x.s->osm->subn.opt.avoid_throttled_links = TRUE;
	shim_throttled_port = x.between;
	enable(x.between, 0, 0x3, 0x7);
	expect_links(&x, 0, x.between, true);
	ASSERT(!strstr(said, "degraded"));
	enable(x.between, 0, 0x7, 0x7);
	expect_links(&x, 1, x.between, false);
	ASSERT(strstr(said, "1 degraded cable not in use"));
	shim_throttled_port = NULL;
	shim_subnet_free(x.s);
	weft_fabric_free(x.f);
}

/* One cable of a level is slower than the others: a speed of a later day, as it
 * may be.  Where levels differ, or many cables do, that is as it was meant. */
TEST(test_unlike_its_level)
{
	struct fixture x = { .s = NULL };
	struct weft__snapshot snapshot;
	osm_physp_t *port;

	ASSERT_EQ(weft_gen("pgft:3;4,4,4;1,4,4;1,1,1,speed=hdr", &x.f, NULL),
		  0);
	x.s = shim_subnet_new(x.f);
	snapshot = take(x.s);
	ASSERT_STR(said, "");
	port = osm_node_get_physp_ptr(snapshot.sw[0]->p_node,
				      x.f->adj[x.f->adj_first[0]] -
				      x.f->first_channel[0]);
	weft__snapshot_free(&snapshot);
	for (unsigned end = 0; end < 2; end++) {
		port->port_info.link_speed_ext = 0;
		port->port_info.link_speed = 0x11;
		port = port->p_remote_physp;
	}
	snapshot = take(x.s);
	ASSERT(strstr(said,
	       "1 cable between switches slower than most between the same levels: \"leaf-00"));
	ASSERT(strstr(said, ", 4x SDR; "));
	weft__snapshot_free(&snapshot);
	/* All cables between leaves and the rest. */
	for (uint32_t s = 0; s < x.f->nsw; s++)
		for (uint32_t e = x.f->adj_first[s]; e < x.f->adj_first[s + 1] &&
		     x.f->sw_ep_first[s] < x.f->sw_ep_first[s + 1]; e++) {
			port = osm_node_get_physp_ptr(
				shim_node(x.s, x.f->sw[s].guid),
				x.f->adj[e] - x.f->first_channel[s]);
			port->port_info.link_speed_ext = 2 << 4;
			port->p_remote_physp->port_info.link_speed_ext = 2 << 4;
		}
	snapshot = take(x.s);
	ASSERT_STR(said, "");
	weft__snapshot_free(&snapshot);
	shim_subnet_free(x.s);
	weft_fabric_free(x.f);
}

/* Only the first few cables are named. */
TEST_WITH(test_all_bad, set_up, tear_down)
{
	struct fixture *x = suite_state;
	struct weft__snapshot snapshot;

	x->s->osm->subn.opt.avoid_throttled_links = TRUE;
	for (uint32_t i = 0; i < x->s->nsw; i++)
		for (unsigned p = 1; p < x->s->sw[i].num_ports; p++) {
			osm_physp_t *port = osm_node_get_physp_ptr(
				x->s->node[i], p);

			if (port->p_remote_physp)
				set_width(port, IB_LINK_WIDTH_ACTIVE_1X);
		}
	snapshot = take(x->s);
	/* all but cables that loop back */
	ASSERT_EQ(snapshot.fabric->adj_first[x->f->nsw],
		  x->f->adj_first[x->f->nsw]);
	ASSERT_EQ(snapshot.fabric->nep, x->f->nep);
	ASSERT(strstr(said, "degraded cables in use"));
	ASSERT(strstr(said, "throttled; and "));
	weft__snapshot_free(&snapshot);
}

/* A switch that did not answer SwitchInfo is a node without an osm_switch_t. */
TEST_WITH(test_mute_switch, set_up, tear_down)
{
	struct fixture *x = suite_state;
	osm_node_t *node = x->between->p_node;
	osm_physp_t *far = x->between->p_remote_physp;
	struct weft__snapshot snapshot;
	unsigned fewer;

	cl_qmap_remove_item(&x->s->osm->subn.sw_guid_tbl, &node->sw->map_item);
	node->sw = NULL;
	snapshot = take(x->s);
	ASSERT_EQ(snapshot.fabric->nsw, x->f->nsw - 1);
	fewer = x->f->nlinks - snapshot.fabric->nlinks;
	weft__snapshot_free(&snapshot);
	expect_links(x, fewer, far, false);
}

TEST_WITH(test_port0_lmc, set_up, tear_down)
{
	struct fixture *x = suite_state;
	struct weft__snapshot snapshot;

	for (uint32_t i = 0; i < x->s->nsw; i++)
		ib_port_info_set_lmc(
			&x->s->node[i]->physp_table[0].port_info, 1);
	for (uint32_t i = 0; i < x->s->nsw; i++)
		x->s->node[i]->physp_table[0].port_info.base_lid =
			cl_hton16(1000 + 2 * i);
	snapshot = take(x->s);
	for (uint32_t i = 0; i < snapshot.fabric->nsw; i++)
		ASSERT_EQ(snapshot.fabric->sw[i].lmc,
			  snapshot.fabric->sw[i].enhanced);
	weft__snapshot_free(&snapshot);
}

TEST_WITH(test_bad_lids, set_up, tear_down)
{
	struct fixture *x = suite_state;
	struct weft__snapshot snapshot;
	osm_physp_t *adapter = x->adapter->p_remote_physp;
	uint32_t e;

	adapter->port_info.base_lid = 0xffff;
	snapshot = take(x->s);
	e = weft_fabric_endport_by_guid(snapshot.fabric,
					cl_ntoh64(adapter->port_guid));
	ASSERT_NE(e, WEFT_NONE);
	ASSERT_EQ(snapshot.fabric->ep[e].lid, 0);
	ASSERT(strcmp(said, ""));
	weft__snapshot_free(&snapshot);
}

/* A port that takes a lower LMC, and one that has no LID, though there is room
 * for all. */
TEST_WITH(test_lmc, set_up_several, tear_down)
{
	struct fixture *x = suite_state;
	osm_physp_t *adapter = x->adapter->p_remote_physp;
	struct weft__snapshot snapshot;
	uint32_t e;

	x->s->osm->subn.opt.lmc = 2;
	snapshot = take(x->s);
	ASSERT_STR(said, "");
	weft__snapshot_free(&snapshot);

	ib_port_info_set_lmc(&adapter->port_info, 1);
	snapshot = take(x->s);
	e = weft_fabric_endport_by_guid(snapshot.fabric,
					cl_ntoh64(adapter->port_guid));
	ASSERT_EQ(snapshot.fabric->ep[e].lmc, 1);
	ASSERT_STR(said, "");
	weft__snapshot_free(&snapshot);

	adapter->port_info.base_lid = 0;
	snapshot = take(x->s);
	ASSERT_STR(said, "");
	weft__snapshot_free(&snapshot);
}

TEST(test_lids_run_out)
{
	struct weft_fabric *f = shim_random_fabric(1, 30, 24, 0);
	struct shim_subnet *s = shim_subnet_new(f);
	struct weft__snapshot snapshot;
	char expected[160];

	ASSERT_WITHIN(f->nep, 384, 767);
	snprintf(expected, sizeof(expected),
		 "1 of %u ports have no LID: with LMC 7 there is room for 383 ports beside 30 switches, with LMC 6 for 767 (lmc in opensm.conf)",
		 f->nep);
	s->osm->subn.opt.lmc = 7;
	shim_node(s, f->node[0].guid)->physp_table[1].port_info.base_lid = 0;
	snapshot = take(s);
	ASSERT(strstr(said, expected));
	weft__snapshot_free(&snapshot);
	shim_subnet_free(s);
	weft_fabric_free(f);
}
