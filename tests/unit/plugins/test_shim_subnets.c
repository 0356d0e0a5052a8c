// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The plugin weft-subnets in a stand-in for OpenSM: which router ports a query
 * is answered by, what becomes of ports and of the file, and what the log says
 * of it; eight threads of queries meanwhile. */
#include "shim_util.h"

#include "plugins/subnets/subnets.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <opensm/osm_router.h>

#define PORTS 6
#define HERE 0xfec0000000000001ULL
#define THERE 0xfec0000000000002ULL
#define CLIENTS 8
#define QUERIES 2500

extern osm_event_plugin_t osm_event_plugin;
void osm_pr_rcv_process(void *context, void *data);

/* Ports of routers with GUIDs 0xa1 and so on; the last one is a host's. */
struct stand_in {
	osm_opensm_t *osm;
	osm_node_t router, host;
	char words[100], path[64];
	osm_port_t port[PORTS];
	osm_physp_t physp[PORTS];
	osm_alias_guid_t alias[PORTS];
	cl_pfn_msgrcv_cb_t handler; /* of PathRecord queries */
	const void *context;
	void *plugin;
};

static struct stand_in it;

/* What became of a thread's last query. */
static _Thread_local struct weft__gateway last;
static _Thread_local bool by_opensm;

/* --- the symbols of opensm --------------------------------------------- */

void cl_disp_unregister(const cl_disp_reg_handle_t handle)
{
	(void)handle;
	it.handler = NULL;
}

cl_disp_reg_handle_t cl_disp_register(cl_dispatcher_t *const disp,
				      const cl_disp_msgid_t id,
				      cl_pfn_msgrcv_cb_t callback,
				      const void *const context)
{
	(void)disp;
	ASSERT_EQ(id, OSM_MSG_MAD_PATH_RECORD);
	it.handler = callback;
	it.context = context;
	return (cl_disp_reg_handle_t)&it;
}

void osm_pr_rcv_process(void *context, void *data)
{
	(void)data;
	if (context != &it.osm->sa)
		abort();
	by_opensm = true;
}

osm_alias_guid_t *osm_get_alias_guid_by_guid(const osm_subn_t *subnet,
					     ib_net64_t guid)
{
	(void)subnet;
	for (unsigned i = 0; i < PORTS; i++)
		if (it.alias[i].alias_guid == guid)
			return &it.alias[i];
	return NULL;
}

osm_router_t *osm_router_new(osm_port_t *port)
{
	osm_router_t *router = calloc(1, sizeof(*router));

	router->p_port = port;
	return router;
}

/* In the place of subnets_answer.c: there is a path from the port that is up.
 */
bool weft__subnets_answer(struct weft__subnets_plugin *p, osm_madw_t *madw,
			  const struct weft__gateway *gateway)
{
	(void)madw;
	last = *gateway;
	cl_plock_release(p->osm->sa.p_lock);
	return true;
}

/* --- a subnet ---------------------------------------------------------- */

static void set_port(unsigned i, bool up)
{
	ib_port_info_set_port_state(&it.physp[i].port_info,
				    up ? IB_LINK_ACTIVE : IB_LINK_DOWN);
}

static void add_port(unsigned i)
{
	osm_port_t *port = &it.port[i];

	port->guid = cl_hton64(0xa1 + i);
	port->p_node = i == PORTS - 1 ? &it.host : &it.router;
	port->p_physp = &it.physp[i];
	it.alias[i].alias_guid = port->guid;
	it.alias[i].p_base_port = port;
	set_port(i, true);
	cl_qmap_insert(&it.osm->subn.port_guid_tbl, port->guid,
		       &port->map_item);
}

/* Writes the mapping; another file, so that a reader keeps the one that it has.
 */
static void write_map(const char *text)
{
	char next[80];
	FILE *f;

	snprintf(next, sizeof(next), "%s.next", it.path);
	f = fopen(next, "w");
	ASSERT(f);
	fputs(text, f);
	fclose(f);
	ASSERT_EQ(rename(next, it.path), 0);
}

static void heavy_sweep(void)
{
	osm_event_plugin.report(it.plugin, OSM_EVENT_ID_UCAST_ROUTING_DONE,
				NULL);
}

static void start(const char *map)
{
	shim_log_clear();
	if (map)
		write_map(map);
	it.plugin = osm_event_plugin.create(it.osm);
	ASSERT(it.plugin);
}

static int set_up(void **state)
{
	(void)state;
	it = (struct stand_in){ .osm = calloc(1, sizeof(*it.osm)) };
	strcpy(it.path, "/tmp/weft-test-map.XXXXXX");
	close(mkstemp(it.path));
	unlink(it.path);
	snprintf(it.words, sizeof(it.words), "routers.map=%s", it.path);
	it.osm->subn.opt.event_plugin_options = it.words;
	it.osm->subn.opt.subnet_prefix = cl_hton64(HERE);
	it.osm->sa.p_subn = &it.osm->subn;
	it.osm->sa.p_lock = &it.osm->lock;
	ASSERT_EQ(cl_plock_init(&it.osm->lock), CL_SUCCESS);
	cl_qmap_init(&it.osm->subn.port_guid_tbl);
	cl_qmap_init(&it.osm->subn.rtr_guid_tbl);
	it.router.node_info.node_type = IB_NODE_TYPE_ROUTER;
	it.router.print_desc = "router";
	it.host.node_info.node_type = IB_NODE_TYPE_CA;
	for (unsigned i = 0; i < PORTS; i++)
		add_port(i);
	return 0;
}

static int tear_down(void **state)
{
	cl_qmap_t *routers = &it.osm->subn.rtr_guid_tbl;

	(void)state;
	osm_event_plugin.delete(it.plugin);
	while (cl_qmap_count(routers)) {
		cl_map_item_t *i = cl_qmap_head(routers);

		cl_qmap_remove_item(routers, i);
		free(i);
	}
	cl_plock_destroy(&it.osm->lock);
	free(it.osm);
	unlink(it.path);
	return 0;
}

/* --- queries ----------------------------------------------------------- */

/* Asks for the path to a GID; into last and by_opensm. */
static void ask_by(uint8_t method, ib_net64_t mask, uint64_t prefix,
		   uint64_t guid)
{
	union {
		ib_mad_t head;
		ib_sa_mad_t sa;
	} mad = { .sa = { .method = method, .comp_mask = mask } };
	ib_path_rec_t *pr = ib_sa_mad_get_payload_ptr(&mad.sa);
	osm_madw_t madw = { .p_mad = &mad.head };

	pr->dgid.unicast.prefix = cl_hton64(prefix);
	pr->dgid.unicast.interface_id = cl_hton64(guid);
	last = (struct weft__gateway){ .n = 0 };
	by_opensm = false;
	it.handler((void *)it.context, &madw);
}

static void ask(uint64_t prefix, uint64_t guid)
{
	ask_by(IB_MAD_METHOD_GET, IB_PR_COMPMASK_DGID, prefix, guid);
}

/* The GUIDs of the ports to be tried for a GID of the other subnet, as in
 * "a1 a2"; "opensm" where the query was handed on. */
static const char *ways(uint64_t guid)
{
	static char text[80];
	size_t used = 0;

	ask(THERE, guid);
	if (by_opensm)
		return "opensm";
	text[0] = '\0';
	for (unsigned i = 0; i < last.n; i++)
		used += snprintf(text + used, sizeof(text) - used, "%s%x",
				 i ? " " : "",
				 (unsigned)cl_ntoh64(last.port[i]->guid));
	return text;
}

static unsigned times_in_log(const char *words)
{
	unsigned n = 0;

	for (const char *p = shim_log; (p = strstr(p, words)); p++)
		n++;
	return n;
}

#define MAP                                                                    \
	"fec0::2:0:0:0:7 0xa1 0xa2\n"                                          \
	"fec0:0:0:2::/64 0xa2 0xa3 0xa2\n"                                     \
	"fec0::2:0:0:0:8 0xa6\n"                                               \
	"* 0xa4\n"

TEST_WITH(test_order, set_up, tear_down)
{
	start(MAP);
	ASSERT_STR(ways(7), "a1 a2 a3 a4");
	/* (a6 is no router's) */
	ASSERT_STR(ways(8), "a2 a3 a4");
	ASSERT_STR(ways(9), "a2 a3 a4");
	ask(0xfec0000000000003ULL, 7);
	ASSERT_EQ(last.n, 1);
	ASSERT_EQ(cl_ntoh64(last.port[0]->guid), 0xa4);
	ASSERT(!last.level);
}

TEST_WITH(test_not_ours, set_up, tear_down)
{
	start(MAP);
	ask(HERE, 7);
	ASSERT(by_opensm);
	ask(0xfe80000000000000ULL, 7);
	ASSERT(by_opensm);
	ask(0xfe80000000000002ULL, 7); /* link-local is a /10 */
	ASSERT(by_opensm);
	ask(0xff12401b00000000ULL, 7);
	ASSERT(by_opensm);
	ask_by(IB_MAD_METHOD_GETTABLE, IB_PR_COMPMASK_DGID, THERE, 7);
	ASSERT(!by_opensm);
	ask_by(IB_MAD_METHOD_SET, IB_PR_COMPMASK_DGID, THERE, 7);
	ASSERT(by_opensm);
	ask_by(IB_MAD_METHOD_GET, IB_PR_COMPMASK_DLID, THERE, 7);
	ASSERT(by_opensm);
}

TEST_WITH(test_ports_come_and_go, set_up, tear_down)
{
	start(MAP);
	heavy_sweep();
	/* The host's port, which is in the mapping. */
	shim_expect_log("0x00000000000000a6 is down: 1 lines");
	ASSERT_EQ(times_in_log("is down"), 1);
	set_port(0, false);
	ASSERT_STR(ways(7), "a2 a3 a4");
	heavy_sweep();
	heavy_sweep();
	shim_expect_log("0x00000000000000a1 is down: 1 lines");
	ASSERT_EQ(times_in_log("is down"), 2);
	set_port(1, false);
	set_port(2, false);
	set_port(3, false);
	ASSERT_STR(ways(7), "opensm");
	heavy_sweep();
	ASSERT_EQ(times_in_log("is down"), 5);
	for (unsigned i = 0; i < 4; i++)
		set_port(i, true);
	ASSERT_STR(ways(7), "a1 a2 a3 a4");
	heavy_sweep();
	heavy_sweep();
	ASSERT_EQ(times_in_log("is there"), 4);
}

TEST_WITH(test_table_of_routers, set_up, tear_down)
{
	cl_qmap_t *routers = &it.osm->subn.rtr_guid_tbl;
	cl_map_item_t *gone;

	start(MAP);
	heavy_sweep();
	ASSERT_EQ(cl_qmap_count(routers), PORTS - 1);
	heavy_sweep();
	ASSERT_EQ(cl_qmap_count(routers), PORTS - 1);
	gone = cl_qmap_remove(routers, cl_hton64(0xa2));
	ASSERT((((osm_router_t *)gone)->p_port) == (&it.port[1]));
	free(gone);
	heavy_sweep();
	ASSERT_EQ(cl_qmap_count(routers), PORTS - 1);
}

TEST_WITH(test_file, set_up, tear_down)
{
	start(NULL);
	ASSERT_STR(ways(7), "opensm");
	shim_expect_log("ERR 5709: ");
	shim_expect_log(it.path);
	shim_expect_log("no mapping: all queries are OpenSM's");
	heavy_sweep();
	ASSERT_EQ(times_in_log("ERR 5709"), 1);
	write_map(MAP);
	heavy_sweep();
	heavy_sweep();
	ASSERT_EQ(times_in_log("4 lines, 5 router ports"), 1);
	ASSERT_STR(ways(7), "a1 a2 a3 a4");

	shim_log_clear();
	write_map("fec0::2:0:0:0:7 0xa3\nnothing 0xa1\n");
	heavy_sweep();
	heavy_sweep();
	ASSERT_STR(ways(7), "a1 a2 a3 a4");
	shim_expect_log(".");
	shim_expect_log(":2: 'nothing' is neither a GID");
	shim_expect_log("the mapping read before stays in force");
	ASSERT_EQ(times_in_log("ERR 5709"), 1);
	/* Another mistake is another message. */
	write_map("fec0::2:0:0:0:7 0xa3\nfec0::2:0:0:0:8\n");
	heavy_sweep();
	heavy_sweep();
	shim_expect_log(":2: no router port");
	ASSERT_EQ(times_in_log("ERR 5709"), 2);
	/* So is that there is none any more. */
	write_map(MAP);
	heavy_sweep();
	ASSERT_EQ(times_in_log("4 lines, 5 router ports"), 1);

	unlink(it.path);
	heavy_sweep();
	ASSERT_EQ(times_in_log("ERR 5709"), 3);
	ASSERT_STR(ways(7), "a1 a2 a3 a4");
	write_map("# nothing\n");
	heavy_sweep();
	ASSERT_STR(ways(7), "opensm");
}

TEST_WITH(test_levels, set_up, tear_down)
{
	start("level fec0:0:0:2::/64 1 sl 5\n" MAP);
	ask(THERE, 7);
	ASSERT(last.level);
	ASSERT_EQ(last.sl, 5);
	ask(0xfec0000000000003ULL, 7);
	ASSERT(!last.level);
}

/* --- many at a time ---------------------------------------------------- */

static atomic_uint running, mistakes, answers;

/* Asks and looks whether the answer is wholly of one of two mappings. */
static void *client(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < QUERIES; i++) {
		bool second;

		ask(THERE, 7);
		if (by_opensm) {
			mistakes++;
			continue;
		}
		second = last.sl == 2;
		mistakes += !last.level || last.n < 1 || last.n > 2 ||
			    last.port[last.n - 1] != &it.port[second ? 3 : 1] ||
			    (last.n == 2 &&
			     last.port[0] != &it.port[second ? 2 : 0]);
		answers++;
	}
	running--;
	return NULL;
}

TEST_WITH(test_many_at_a_time, set_up, tear_down)
{
	static const char *const maps[] = {
		"fec0::2:0:0:0:7 0xa1 0xa2\nlevel fec0:0:0:2::/64 0 sl 1\n",
		("level fec0:0:0:2::/64 0 sl 2\n* 0xa5\n"
		 "fec0::2:0:0:0:7 0xa3 0xa4\nfec0::2:0:0:0:7 0xa3\n"),
		"fec0::2:0:0:0:7 0xa3 0xa4\nlevel fec0:0:0:2::/64 0 sl 2\n",
	};
	pthread_t thread[CLIENTS];
	unsigned sweeps = 0;

	start(maps[0]);
	running = CLIENTS;
	mistakes = answers = 0;
	for (unsigned i = 0; i < CLIENTS; i++)
		ASSERT_EQ(pthread_create(&thread[i], NULL, client, NULL), 0);
	while (running || sweeps < 30) {
		write_map(maps[sweeps % 3]);
		cl_plock_excl_acquire(&it.osm->lock);
		set_port(0, sweeps % 2);
		set_port(2, sweeps % 4 < 2);
		cl_plock_release(&it.osm->lock);
		heavy_sweep();
		shim_log_clear();
		sweeps++;
	}
	for (unsigned i = 0; i < CLIENTS; i++)
		pthread_join(thread[i], NULL);
	ASSERT_EQ(mistakes, 0);
	ASSERT_EQ(answers, CLIENTS * QUERIES);
}
