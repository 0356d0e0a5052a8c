// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "shim_util.h"

#include <opensm/osm_ucast_cache.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weft/rng.h>

/* --- the symbols of opensm --------------------------------------------- */

char shim_log[16384];
struct shim_module shim_modules[SHIM_MODULES];
unsigned shim_nmodules;
cl_status_t shim_register_status = CL_SUCCESS;
const osm_physp_t *shim_throttled_port;
unsigned shim_purged;

void shim_log_clear(void)
{
	shim_log[0] = '\0';
}

void shim_expect_log(const char *words)
{
	if (!strstr(shim_log, words))
		ASSERT_NEVER("no \"%s\" in the log:\n%s", words, shim_log);
}

void shim_modules_clear(void)
{
	shim_nmodules = 0;
}

void osm_log(osm_log_t *log, osm_log_level_t level, const char *format, ...)
{
	size_t used = strlen(shim_log);
	va_list args;

	(void)log;
	if (!(level & (OSM_LOG_ERROR | OSM_LOG_INFO | OSM_LOG_VERBOSE)))
		ASSERT_NEVER("osm_log: level 0x%x", level);
	va_start(args, format);
	vsnprintf(shim_log + used, sizeof(shim_log) - used, format, args);
	va_end(args);
}

cl_status_t osm_register_external_routing_engine(
	osm_opensm_t *osm, const external_routing_engine_module_t *module,
	void *context)
{
	cl_status_t status = shim_register_status;
	struct shim_module *m = &shim_modules[shim_nmodules];

	shim_register_status = CL_SUCCESS;
	ASSERT(osm);
	ASSERT_WITHIN(shim_nmodules, 0, SHIM_MODULES - 1);
	if (status != CL_SUCCESS)
		return status;
	snprintf(m->name, sizeof(m->name), "%s", module->name);
	m->setup = module->setup;
	m->context = context;
	shim_nmodules++;
	return CL_SUCCESS;
}

boolean_t osm_link_is_healthy(const osm_physp_t *port)
{
	return port->healthy && port->p_remote_physp->healthy;
}

/* OpenSM's compares speeds, too.  Each port of a stand-in has one width enabled
 * or none. */
boolean_t osm_link_is_throttled(osm_physp_t *port, const boolean_t fdr10)
{
	const ib_port_info_t *here = &port->port_info,
			     *there = &port->p_remote_physp->port_info;
	uint8_t enabled = here->link_width_enabled & there->link_width_enabled;

	(void)fdr10;
	return port == shim_throttled_port ||
	       port->p_remote_physp == shim_throttled_port ||
	       (enabled && here->link_width_active != enabled);
}

atomic_uint shim_asked;

void osm_sm_sweep(struct osm_sm *sm)
{
	(void)sm;
	shim_asked++;
}

void osm_purge_mtree(struct osm_sm *sm, osm_mgrp_box_t *box)
{
	(void)sm;
	(void)box;
	shim_purged++;
}

volatile unsigned int osm_exit_flag;
bool (*shim_answer)(const osm_switch_t *sw, unsigned block, uint8_t entry[64]);
unsigned shim_questions;

/* Asks, and stores the answer, which OpenSM does in another thread. */
/* OpenSM's cache of routes is not used here. */
void osm_ucast_cache_invalidate(osm_ucast_mgr_t *manager)
{
	manager->cache_valid = FALSE;
}

ib_api_status_t osm_req_get(osm_sm_t *sm, const osm_dr_path_t *path,
			    ib_net16_t attribute, ib_net32_t modifier,
			    boolean_t find_mkey, ib_net64_t m_key,
			    uint32_t timeout, cl_disp_msgid_t err_msg,
			    const osm_madw_context_t *context)
{
	osm_switch_t *sw = osm_get_switch_by_guid(
		sm->p_subn, context->lft_context.node_guid);
	unsigned block = cl_ntoh32(modifier);

	(void)path;
	(void)m_key;
	(void)timeout;
	(void)err_msg;
	ASSERT_EQ(attribute, IB_MAD_ATTR_LIN_FWD_TBL);
	ASSERT(find_mkey);
	ASSERT(sw);
	ASSERT_WITHIN(64 * block + 63, 63, sw->lft_size - 1);
	shim_questions++;
	if (shim_answer)
		shim_answer(sw, block, sw->lft + (size_t)64 * block);
	return IB_SUCCESS;
}

const char *shim_policy_level;
uint8_t shim_policy_sl;

/* Stands in for reading the file: a policy with the level that is set. */
int osm_qos_parse_policy_file(osm_subn_t *subnet)
{
	static osm_qos_policy_t policy;
	static osm_qos_level_t level;

	if (!shim_policy_level)
		return 0;
	level = (osm_qos_level_t){ .name = (char *)shim_policy_level,
				   .sl = shim_policy_sl, .sl_set = TRUE };
	cl_list_construct(&policy.qos_match_rules);
	cl_list_init(&policy.qos_match_rules, 1);
	cl_list_construct(&policy.qos_levels);
	cl_list_init(&policy.qos_levels, 1);
	cl_list_insert_tail(&policy.qos_levels, &level);
	subnet->p_qos_policy = &policy;
	return 0;
}

osm_switch_t *osm_get_switch_by_guid(const osm_subn_t *subnet, ib_net64_t guid)
{
	cl_map_item_t *item = cl_qmap_get(&subnet->sw_guid_tbl, guid);

	return item != cl_qmap_end(&subnet->sw_guid_tbl) ?
		(osm_switch_t *)item : NULL;
}

/* Multicast tables are of one MLID: the masks of 16 ports each. */
#define MCAST_ROW ((IB_MCAST_POSITION_MAX + 1) * sizeof(uint16_t))

void osm_mcast_tbl_set(osm_mcast_tbl_t *table, uint16_t mlid, uint8_t port)
{
	ASSERT_EQ(mlid, 0xc000);
	ASSERT_WITHIN(port, 0, table->num_ports - 1);
	(*table->p_mask_tbl)[0][port / 16] |= 1 << port % 16;
}

/* --- a subnet ---------------------------------------------------------- */

static void *zalloc(size_t size)
{
	void *p = calloc(1, size);

	if (!p)
		abort();
	return p;
}

/* What PortInfo says of a link's rate. */
static void set_rate(osm_physp_t *port, uint8_t width, uint8_t speed)
{
	static const uint8_t code[13] = {
		[1] = IB_LINK_WIDTH_ACTIVE_1X, [2] = IB_LINK_WIDTH_ACTIVE_2X,
		[4] = IB_LINK_WIDTH_ACTIVE_4X, [8] = IB_LINK_WIDTH_ACTIVE_8X,
		[12] = IB_LINK_WIDTH_ACTIVE_12X,
	};
	static const uint8_t plain[] = {
		[WEFT_SDR] = 1, [WEFT_DDR] = 2, [WEFT_QDR] = 4,
		[WEFT_FDR10] = 4, [WEFT_FDR] = 4, [WEFT_EDR] = 4,
		[WEFT_HDR] = 4, [WEFT_NDR] = 4,
	};
	static const uint8_t extended[] = {
		[WEFT_FDR] = 1, [WEFT_EDR] = 2, [WEFT_HDR] = 4, [WEFT_NDR] = 8,
	};
	ib_port_info_t *info = &port->port_info;

	info->link_width_active = code[width];
	info->link_speed = speed < sizeof(plain) ? plain[speed] << 4 : 0;
	if (speed < sizeof(extended))
		info->link_speed_ext = extended[speed] << 4;
	port->ext_port_info.link_speed_active = speed == WEFT_FDR10;
}

/* VLCap and OperationalVLs: 4 = VL 0 to 7. */
static void set_lanes(osm_physp_t *port, uint8_t code)
{
	port->port_info.vl_cap = code << 4;
	port->port_info.vl_enforce = code << 4;
}

static void init_port(osm_node_t *node, unsigned number, uint64_t guid,
		      uint16_t lid, uint8_t lmc)
{
	osm_physp_t *port = &node->physp_table[number];

	port->port_guid = cl_hton64(guid);
	port->port_num = number;
	port->p_node = node;
	port->healthy = TRUE;
	port->port_info.base_lid = cl_hton16(lid);
	ib_port_info_set_lmc(&port->port_info, lmc);
	ib_port_info_set_port_state(&port->port_info, IB_LINK_DOWN);
}

static osm_node_t *new_node(uint64_t guid, uint8_t type, unsigned nports,
			    const char *name)
{
	osm_node_t *node = zalloc(sizeof(*node) +
				  nports * sizeof(node->physp_table[0]));

	node->node_info.node_guid = cl_hton64(guid);
	node->node_info.node_type = type;
	node->node_info.num_ports = nports;
	node->physp_tbl_size = nports + 1;
	node->print_desc = strdup(name);
	return node;
}

static void describe(osm_node_t *node, uint64_t system_guid, uint32_t vendor,
		     uint32_t device)
{
	node->node_info.sys_guid = cl_hton64(system_guid);
	node->node_info.port_num_vendor_id = cl_hton32(vendor);
	node->node_info.device_id = cl_hton16(device);
}

static void add_switch(struct shim_subnet *s, const struct weft_switch *from,
		       uint32_t i)
{
	osm_node_t *node = new_node(from->guid, IB_NODE_TYPE_SWITCH,
				    from->nports, from->name);
	osm_switch_t *sw = &s->sw[i];

	describe(node, from->system_guid, from->vendor, from->device);
	init_port(node, 0, from->port_guid, from->lid, from->lmc);
	for (unsigned p = 1; p <= from->nports; p++)
		init_port(node, p, from->port_guid, 0, 0);
	node->discovery_count = 1;
	node->sw = sw;
	sw->p_node = node;
	sw->num_ports = from->nports + 1;
	sw->mcast_tbl.num_ports = sw->num_ports;
	sw->mcast_tbl.p_mask_tbl = zalloc(MCAST_ROW);
	sw->switch_info.mcast_cap = cl_hton16(1024);
	if (from->enhanced)
		sw->switch_info.flags |= 0x08;
	s->node[i] = node;
	cl_qmap_insert(&s->osm->subn.sw_guid_tbl, cl_hton64(from->guid),
		       &sw->map_item);
	cl_qmap_insert(&s->osm->subn.node_guid_tbl, cl_hton64(from->guid),
		       &node->map_item);
}

static void add_adapter(struct shim_subnet *s, const struct weft_fabric *f,
			uint32_t i)
{
	const struct weft_node *from = &f->node[i];
	osm_node_t *node = new_node(from->guid, from->kind == WEFT_ROUTER ?
				    IB_NODE_TYPE_ROUTER : IB_NODE_TYPE_CA,
				    from->nports, from->name);

	describe(node, from->system_guid, from->vendor, from->device);
	for (uint32_t e = 0; e < from->nendports; e++) {
		const struct weft_endport *ep =
			&f->ep[f->node_endport[from->first_endport + e]];

		init_port(node, ep->port, ep->guid, ep->lid, ep->lmc);
	}
	s->node[f->nsw + i] = node;
	cl_qmap_insert(&s->osm->subn.node_guid_tbl, cl_hton64(from->guid),
		       &node->map_item);
}

/* The port at one end of a channel that leaves a switch, or at its far end. */
static osm_physp_t *port_at(const struct shim_subnet *s,
			    const struct weft_fabric *f, uint32_t vertex,
			    unsigned port)
{
	uint64_t guid = weft_is_switch(vertex) ? f->sw[vertex].guid :
		f->node[f->ep[vertex & ~WEFT_ENDPORT].node].guid;

	return &shim_node(s, guid)->physp_table[port];
}

static void add_cable(struct shim_subnet *s, const struct weft_fabric *f,
		      uint32_t sw, unsigned p)
{
	uint32_t ch = weft_channel(f, sw, p);
	osm_physp_t *end[2];

	if (f->peer[ch] == WEFT_NONE)
		return;
	end[0] = port_at(s, f, sw, p);
	end[1] = port_at(s, f, f->peer[ch], f->peer_port[ch]);
	for (unsigned i = 0; i < 2; i++) {
		end[i]->p_remote_physp = end[1 - i];
		set_rate(end[i], f->width[ch], f->speed[ch]);
		set_lanes(end[i], 4);
		ib_port_info_set_port_state(&end[i]->port_info, IB_LINK_INIT);
		ib_port_info_set_port_phys_state(IB_PORT_PHYS_STATE_LINKUP,
						 &end[i]->port_info);
	}
}

struct shim_subnet *shim_subnet_new(const struct weft_fabric *f)
{
	struct shim_subnet *s = zalloc(sizeof(*s));

	/* OpenSM's cache: none, unless a test has one. */
	setenv("OSM_CACHE_DIR", "/dev/null", 1);
	s->osm = zalloc(sizeof(*s->osm));
	cl_qmap_init(&s->osm->subn.sw_guid_tbl);
	cl_qmap_init(&s->osm->subn.node_guid_tbl);
	cl_qmap_init(&s->osm->subn.prtn_pkey_tbl);
	s->osm->sm.p_subn = &s->osm->subn;
	s->osm->subn.opt.max_op_vls = OSM_DEFAULT_MAX_OP_VLS;
	s->osm->subn.opt.nue_max_num_vls = 1;
	s->osm->subn.max_ucast_lid_ho = f->max_lid;
	s->nsw = f->nsw;
	s->nnodes = f->nsw + f->nnodes;
	s->sw = zalloc((f->nsw + 1) * sizeof(*s->sw));
	s->node = zalloc((s->nnodes + 1) * sizeof(*s->node));
	for (uint32_t i = 0; i < f->nsw; i++)
		add_switch(s, &f->sw[f->nsw - 1 - i], i);
	for (uint32_t i = 0; i < f->nnodes; i++)
		add_adapter(s, f, i);
	for (uint32_t sw = 0; sw < f->nsw; sw++)
		for (unsigned p = 1; p <= f->sw[sw].nports; p++)
			add_cable(s, f, sw, p);
	return s;
}

void shim_subnet_prepare(struct shim_subnet *s)
{
	unsigned max_lid = s->osm->subn.max_ucast_lid_ho;

	for (uint32_t i = 0; i < s->nsw; i++) {
		osm_switch_t *sw = &s->sw[i];

		sw->max_lid_ho = max_lid;
		if (!sw->lft) {
			sw->lft_size = (max_lid / 64 + 1) * 64;
			sw->lft = zalloc(sw->lft_size);
			memset(sw->lft, OSM_NO_PATH, sw->lft_size);
		}
		if (!sw->new_lft)
			sw->new_lft = zalloc(sw->lft_size);
		memset(sw->new_lft, OSM_NO_PATH, sw->lft_size);
		if (!sw->hops)
			sw->hops = zalloc((max_lid + 1) * sizeof(*sw->hops));
		sw->num_hops = max_lid + 1;
		for (unsigned lid = 0; lid <= max_lid; lid++)
			if (sw->hops[lid])
				memset(sw->hops[lid], OSM_NO_PATH,
				       sw->num_ports);
	}
}

unsigned long shim_send(struct shim_subnet *s)
{
	unsigned long n = 0;

	for (uint32_t i = 0; i < s->nsw; i++) {
		osm_switch_t *sw = &s->sw[i];

		for (unsigned k = 0; k < sw->lft_size; k += 64)
			n += memcmp(sw->lft + k, sw->new_lft + k, 64) != 0;
		memcpy(sw->lft, sw->new_lft, sw->lft_size);
	}
	return n;
}

void shim_set_cable(struct shim_subnet *s, const struct weft_fabric *f,
		    uint32_t channel, bool there)
{
	uint32_t sw = weft_channel_switch(f, channel);
	osm_physp_t *a = port_at(s, f, sw, channel - f->first_channel[sw]);
	osm_physp_t *b = port_at(s, f, f->peer[channel],
				 f->peer_port[channel]);

	a->p_remote_physp = there ? b : NULL;
	b->p_remote_physp = there ? a : NULL;
}

int shim_sweep(struct shim_subnet *s, struct osm_routing_engine *re)
{
	int ret;

	shim_log_clear();
	shim_subnet_prepare(s);
	ret = re->build_lid_matrices(re->context);
	return ret < 0 ? ret : re->ucast_build_fwd_tables(re->context);
}

void shim_subnet_free(struct shim_subnet *s)
{
	for (uint32_t i = 0; i < s->nsw; i++) {
		for (unsigned lid = 0; lid < s->sw[i].num_hops; lid++)
			free(s->sw[i].hops[lid]);
		free(s->sw[i].hops);
		free(s->sw[i].lft);
		free(s->sw[i].new_lft);
		free(s->sw[i].mcast_tbl.p_mask_tbl);
	}
	for (uint32_t i = 0; i < s->nnodes; i++) {
		free(s->node[i]->print_desc);
		free(s->node[i]);
	}
	free(s->node);
	free(s->sw);
	free(s->osm);
	free(s);
}

bool shim_sends(const osm_switch_t *sw, uint16_t mlid, unsigned port)
{
	ASSERT_EQ(mlid, 0xc000);
	return (*sw->mcast_tbl.p_mask_tbl)[0][port / 16] >> port % 16 & 1;
}

void shim_clear_multicast(struct shim_subnet *s)
{
	for (uint32_t i = 0; i < s->nsw; i++)
		memset(s->sw[i].mcast_tbl.p_mask_tbl, 0, MCAST_ROW);
}

osm_node_t *shim_node(const struct shim_subnet *s, uint64_t guid)
{
	cl_qmap_t *table = &s->osm->subn.node_guid_tbl;
	cl_map_item_t *item = cl_qmap_get(table, cl_hton64(guid));

	return item != cl_qmap_end(table) ? (osm_node_t *)item : NULL;
}

osm_switch_t *shim_switch(const struct shim_subnet *s, uint64_t guid)
{
	osm_node_t *node = shim_node(s, guid);

	return node ? node->sw : NULL;
}

/* --- random fabrics ---------------------------------------------------- */

struct sketch {
	struct weft_builder *b;
	struct weft_rng *rng;
	unsigned nsw, hosts;
	unsigned char used[64];	/* ports of each switch that are cabled */
};

#define SWITCH_PORTS 40

static void cable(struct sketch *k, unsigned a, unsigned b)
{
	unsigned port_a, port_b;

	if (k->used[a] + 2 > SWITCH_PORTS || k->used[b] + 2 > SWITCH_PORTS)
		return;
	port_a = ++k->used[a];
	port_b = ++k->used[b];
	weft_builder_link(
		k->b, a, port_a, b, port_b,
		(struct weft_rate){ 4, WEFT_SDR + weft_rng_below(k->rng, 8) });
}

/* An adapter of one or two ports on switch sw (and the next one). */
static void adapter(struct sketch *k, unsigned sw, uint64_t guid)
{
	unsigned ports = 1 + weft_rng_below(k->rng, 2);
	bool router = !weft_rng_below(k->rng, 10);
	uint32_t h = weft_builder_node(k->b, router ? WEFT_NODE_ROUTER :
				       WEFT_NODE_CA, guid, ports);
	char name[32];

	weft_builder_spec(k->b, h)->system_guid = guid + 9;
	weft_builder_name(k->b, h, name,
			  snprintf(name, sizeof(name), "host %#x",
				   (unsigned)guid));
	for (unsigned p = 1; p <= ports; p++) {
		unsigned on = (sw + p - 1) % k->nsw;

		weft_builder_port(k->b, h, p)->guid = guid + p;
		weft_builder_link(
			k->b, h, p, on, ++k->used[on],
			(struct weft_rate){ 1 << weft_rng_below(k->rng, 3),
					    WEFT_EDR });
	}
}

static void sketch_switches(struct sketch *k)
{
	for (unsigned i = 0; i < k->nsw; i++) {
		uint64_t guid = 0x2c90000000000 +
			(i * 7919ull % 65521) * 0x1000003;
		uint32_t h = weft_builder_node(k->b, WEFT_NODE_SWITCH, guid,
					       SWITCH_PORTS);
		struct weft_node_spec *spec = weft_builder_spec(k->b, h);

		spec->vendor = 0x2c9;
		spec->device = 0xd000 + i;
		spec->enhanced = i % 3 == 0;
		weft_builder_name(k->b, h, "a switch", 8);
		weft_builder_port(k->b, h, 0)->guid = guid + i % 2;
	}
	for (unsigned i = 0; i < k->nsw; i++) {
		if (k->nsw > 1)
			cable(k, i, (i + 1) % k->nsw);
		cable(k, i, weft_rng_below(k->rng, k->nsw));
	}
}

struct weft_fabric *shim_random_fabric(uint32_t seed, unsigned nsw,
				       unsigned hosts, int lmc)
{
	struct sketch k = { .nsw = nsw, .hosts = hosts };
	struct weft_fabric *bare, *f;

	k.b = weft_builder_new();
	k.rng = weft_rng_new(seed);
	if (!k.b || !k.rng || nsw > sizeof(k.used))
		abort();
	sketch_switches(&k);
	for (unsigned i = 0; i < nsw; i++)
		for (unsigned h = weft_rng_below(k.rng, hosts + 1); h; h--)
			adapter(&k, i, 0xace0000 + (h * 64 + i) * 0x10);
	if (weft_builder_finish(k.b, &bare, NULL) ||
	    weft_fabric_assign_lids(bare, lmc, &f, NULL))
		abort();
	weft_fabric_free(bare);
	weft_builder_free(k.b);
	weft_rng_free(k.rng);
	return f;
}
