// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The path record of a pair: OpenSM's own to the router port, with the GIDs that
 * were asked for.  So MTU, rate, partition and service level are found and
 * checked as for any path, and the hop limit tells that it leaves the subnet.
 */
#include "subnets.h"

#include <opensm/osm_sa.h>

/* Returns true if the query names a LID to send to that is not the router
 * port's. */
static bool asks_for_other_lid(const ib_sa_mad_t *mad, const osm_port_t *port)
{
	const ib_path_rec_t *pr = ib_sa_mad_get_payload_ptr(mad);
	unsigned lid = cl_ntoh16(pr->dlid);
	unsigned base = cl_ntoh16(osm_port_get_base_lid(port));

	return mad->comp_mask & IB_PR_COMPMASK_DLID &&
	       (lid < base || lid >= base + (1u << osm_port_get_lmc(port)));
}

/* Has the routing engine move the SL of each record to the level that the
 * mapping tells, unless the client asked for an SL. */
static void set_levels(const osm_opensm_t *osm, const ib_sa_mad_t *mad,
		       cl_qlist_t *list, uint8_t hint)
{
	struct osm_routing_engine *re = osm->routing_engine_used;
	cl_list_item_t *i;

	if (mad->comp_mask & IB_PR_COMPMASK_SL)
		return;
	for (i = cl_qlist_head(list); i != cl_qlist_end(list);
	     i = cl_qlist_next(i)) {
		ib_path_rec_t *pr = &((osm_sa_item_t *)i)->resp.path_rec;
		uint8_t sl = hint;

		if (re && re->path_sl)
			sl = re->path_sl(re->context, hint, pr->slid, pr->dlid);
		ib_path_rec_set_sl(pr, sl);
	}
}

/* Finds the records from the source that is asked for, or from all, to a router
 * port.  There may be none, as while a port that has come back is not routed
 * yet. */
static void find_records(struct weft__subnets_plugin *p, osm_madw_t *madw,
			 const osm_port_t *requester, const osm_port_t *port,
			 cl_qlist_t *list)
{
	osm_sa_t *sa = &p->osm->sa;
	const ib_sa_mad_t *mad = osm_madw_get_sa_mad_ptr(madw);
	ib_path_rec_t *pr = ib_sa_mad_get_payload_ptr(mad);
	ib_sa_mad_t source = *mad;
	const osm_alias_guid_t *from = NULL, *none = NULL, *to;
	const osm_port_t *from_port = NULL, *no_port = NULL;
	const ib_gid_t *sgid = NULL, *no_gid = NULL;

	source.comp_mask &= ~(IB_PR_COMPMASK_DGID | IB_PR_COMPMASK_DLID);
	if (osm_pr_get_end_points(sa, &source, &from, &none, &from_port,
				  &no_port, &sgid, &no_gid) !=
	    IB_SA_MAD_STATUS_SUCCESS)
		return;
	to = osm_get_alias_guid_by_guid(sa->p_subn, osm_port_get_guid(port));
	if (!to)
		return;
	/* sgid may point into the copy. */
	if (sgid)
		sgid = &pr->sgid;
	if (from)
		osm_pr_process_pair(sa, mad, requester, from, to, sgid,
				    &pr->dgid, list);
	else
		osm_pr_process_half(sa, mad, requester, NULL, to, sgid,
				    &pr->dgid, list);
}

bool weft__subnets_answer(struct weft__subnets_plugin *p, osm_madw_t *madw,
			  const struct weft__gateway *gateway)
{
	osm_sa_t *sa = &p->osm->sa;
	const ib_sa_mad_t *mad = osm_madw_get_sa_mad_ptr(madw);
	osm_port_t *requester = osm_get_port_by_mad_addr(
		sa->p_log, sa->p_subn, osm_madw_get_mad_addr_ptr(madw));
	cl_qlist_t list;

	if (!requester)
		return false;
	if (asks_for_other_lid(mad, gateway->port[0])) {
		cl_plock_release(sa->p_lock);
		osm_sa_send_error(sa, madw, IB_SA_MAD_STATUS_REQ_INVALID);
		return true;
	}
	cl_qlist_init(&list);
	for (unsigned i = 0; i < gateway->n && cl_is_qlist_empty(&list); i++)
		find_records(p, madw, requester, gateway->port[i], &list);
	if (cl_is_qlist_empty(&list))
		return false;
	if (gateway->level)
		set_levels(p->osm, mad, &list, gateway->sl);
	cl_plock_release(sa->p_lock);
	osm_sa_respond(sa, madw, sizeof(ib_path_rec_t), &list);
	return true;
}
