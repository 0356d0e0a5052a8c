// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The plugin weft-subnets; see subnets.h. */
#include "plugins/subnets/subnets.h"

#include <stdlib.h>

#include <opensm/osm_router.h>

#define NAME "weft-subnets"

/* OpenSM's handler of PathRecord queries, which no header of it declares. */
void osm_pr_rcv_process(void *context, void *data);

void weft__subnets_log(struct weft__subnets_plugin *p, struct weft__log *log,
		       struct weft_diag *diag)
{
	*log = (struct weft__log){
		.log = &p->osm->log, .engine = NAME, .code = WEFT__ERR_SUBNETS,
	};
	*diag = (struct weft_diag){
		.emit = weft__log_emit, .context = log, .limit = 10,
	};
}

/* --- queries ----------------------------------------------------------- */

/* Returns true if a query is for a unicast GID of another subnet. */
static bool is_foreign(const osm_subn_t *subnet, const ib_sa_mad_t *mad)
{
	const ib_path_rec_t *pr = ib_sa_mad_get_payload_ptr(mad);

	return (mad->method == IB_MAD_METHOD_GET ||
		mad->method == IB_MAD_METHOD_GETTABLE) &&
	       mad->comp_mask & IB_PR_COMPMASK_DGID &&
	       !ib_gid_is_multicast(&pr->dgid) &&
	       !ib_gid_is_link_local(&pr->dgid) &&
	       ib_gid_get_subnet_prefix(&pr->dgid) !=
		       subnet->opt.subnet_prefix;
}

/* The handler in the place of OpenSM's. */
static void take_query(void *context, void *data)
{
	struct weft__subnets_plugin *p = context;
	osm_sa_t *sa = &p->osm->sa;
	osm_madw_t *madw = data;
	const ib_sa_mad_t *mad = osm_madw_get_sa_mad_ptr(madw);
	const ib_path_rec_t *pr = ib_sa_mad_get_payload_ptr(mad);
	struct weft__gateway gateway;

	if (!is_foreign(sa->p_subn, mad)) {
		osm_pr_rcv_process(sa, madw);
		return;
	}
	cl_plock_acquire(sa->p_lock);
	gateway = weft__subnets_find(p, &pr->dgid);
	if (gateway.n && weft__subnets_answer(p, madw, &gateway))
		return;
	cl_plock_release(sa->p_lock);
	osm_pr_rcv_process(sa, madw);
}

/* Takes the place of OpenSM's handler.  The SA does not answer yet, so that no
 * query is under way.  OpenSM unregisters the handle when it ends, before it
 * unloads plugins. */
static bool take_place(struct weft__subnets_plugin *p)
{
	osm_sa_t *sa = &p->osm->sa;

	cl_disp_unregister(sa->pr_disp_h);
	sa->pr_disp_h = cl_disp_register(&p->osm->disp,
					 OSM_MSG_MAD_PATH_RECORD, take_query,
					 p);
	if (sa->pr_disp_h != CL_DISP_INVALID_HANDLE)
		return true;
	sa->pr_disp_h = cl_disp_register(&p->osm->disp,
					 OSM_MSG_MAD_PATH_RECORD,
					 osm_pr_rcv_process, sa);
	return false;
}

/* --- sweeps ------------------------------------------------------------ */

/* Enters the ports of routers that OpenSM's own table lacks: second ports in
 * the subnet, and first ones that were down for a while.  Prefix routes to them
 * are of no use otherwise.  OpenSM removes entries itself.  Its lock is held.
 */
static void mend_table(struct weft__subnets_plugin *p)
{
	osm_subn_t *subnet = &p->osm->subn;
	cl_map_item_t *i;

	for (i = cl_qmap_head(&subnet->port_guid_tbl);
	     i != cl_qmap_end(&subnet->port_guid_tbl); i = cl_qmap_next(i)) {
		osm_port_t *port = (osm_port_t *)i;
		ib_net64_t guid = osm_port_get_guid(port);
		osm_router_t *router;

		if (osm_node_get_type(port->p_node) != IB_NODE_TYPE_ROUTER ||
		    cl_qmap_get(&subnet->rtr_guid_tbl, guid) !=
			    cl_qmap_end(&subnet->rtr_guid_tbl))
			continue;
		router = osm_router_new(port);
		if (!router)
			continue;
		cl_qmap_insert(&subnet->rtr_guid_tbl, guid, &router->map_item);
		osm_log(&p->osm->log, OSM_LOG_VERBOSE,
			NAME ": router port 0x%016" PRIx64
			" (%s) was missing in OpenSM's table of routers\n",
			cl_ntoh64(guid),
			port->p_node->print_desc);
	}
}

static void report(void *data, osm_epi_event_id_t event, void *event_data)
{
	struct weft__subnets_plugin *p = data;

	(void)event_data;
	if (event != OSM_EVENT_ID_UCAST_ROUTING_DONE)
		return;
	weft__subnets_reread(p);
	cl_plock_excl_acquire(&p->osm->lock);
	mend_table(p);
	weft__subnets_look(p);
	cl_plock_release(&p->osm->lock);
}

/* --- begin and end ----------------------------------------------------- */

static void delete(void *data)
{
	struct weft__subnets_plugin *p = data;

	weft__goals_free(&p->goals);
	free(p->gate);
	free(p->path);
	pthread_rwlock_destroy(&p->lock);
	free(p);
}

/* A lock with which a sweep does not wait for ever for a break between
 * queries. */
static bool init_lock(pthread_rwlock_t *lock)
{
	pthread_rwlockattr_t attr;
	bool ok;

	if (pthread_rwlockattr_init(&attr))
		return false;
	pthread_rwlockattr_setkind_np(
		&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	ok = !pthread_rwlock_init(lock, &attr);
	pthread_rwlockattr_destroy(&attr);
	return ok;
}

static void *create(struct osm_opensm *osm)
{
	struct weft__subnets_plugin *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->osm = osm;
	p->path = weft__routers_path(osm->subn.opt.event_plugin_options);
	if (!p->path || !init_lock(&p->lock)) {
		free(p->path);
		free(p);
		return NULL;
	}
	weft__subnets_reread(p);
	if (!take_place(p)) {
		delete(p);
		return NULL;
	}
	return p;
}

extern osm_event_plugin_t osm_event_plugin;

/* OpenSM looks for this symbol. */
osm_event_plugin_t osm_event_plugin = {
	.osm_version = OSM_VERSION,
	.create = create,
	.delete = delete,
	.report = report,
};
