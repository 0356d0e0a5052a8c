// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The path record of a pair: OpenSM's own to the router port, with the GIDs
 * that were asked for.  So MTU, rate, partition and service level are found and
 * checked as for any path, and the hop limit tells that it leaves the subnet.
 */
#include "plugins/subnets/subnets.h"

#include <stdlib.h>

#include <opensm/osm_helper.h>
#include <opensm/osm_sa.h>

/* What a query tells of its two ends, but for the GID that it is about. */
struct ends {
	const osm_alias_guid_t *from; /* by its GID; NULL: not told */
	const osm_port_t *from_port;  /* by its LID; NULL: not told */
	const osm_port_t *to_port;    /* by its LID; NULL: not told */
	const ib_gid_t *sgid;
};

/* Returns true if OpenSM refuses a query before it looks for paths. */
static bool is_refused(const ib_sa_mad_t *mad)
{
	const ib_net64_t rate = IB_PR_COMPMASK_RATESELEC | IB_PR_COMPMASK_RATE;
	const ib_net64_t mtu = IB_PR_COMPMASK_MTUSELEC | IB_PR_COMPMASK_MTU;
	const ib_path_rec_t *pr = ib_sa_mad_get_payload_ptr(mad);
	ib_net64_t service = mad->comp_mask & IB_PR_COMPMASK_SERVICEID;

	return ((mad->comp_mask & rate) == rate &&
		!ib_rate_is_valid(ib_path_rec_rate(pr))) ||
	       ((mad->comp_mask & mtu) == mtu &&
		!ib_mtu_is_valid(ib_path_rec_mtu(pr))) ||
	       (service && service != IB_PR_COMPMASK_SERVICEID);
}

/* Finds the ends of a query.  Returns false if one of them does not exist. */
static bool find_ends(osm_sa_t *sa, const ib_sa_mad_t *mad, struct ends *e)
{
	const ib_path_rec_t *pr = ib_sa_mad_get_payload_ptr(mad);
	ib_sa_mad_t without = *mad;
	const osm_alias_guid_t *to;
	const ib_gid_t *dgid;

	*e = (struct ends){ .sgid = NULL };
	without.comp_mask &= ~IB_PR_COMPMASK_DGID;
	if (osm_pr_get_end_points(sa, &without, &e->from, &to, &e->from_port,
				  &e->to_port, &e->sgid,
				  &dgid) != IB_SA_MAD_STATUS_SUCCESS)
		return false;
	/* It points into the copy. */
	if (e->sgid)
		e->sgid = &pr->sgid;
	return true;
}

/* Returns true if GIDs and LIDs of a query are not about the same ports.  The
 * LID to send to has to be the first router port's. */
static bool contradict(const struct ends *e,
		       const struct weft__gateway *gateway)
{
	return (e->from && e->from_port &&
		e->from->p_base_port != e->from_port) ||
	       (e->to_port && e->to_port != gateway->port[0]);
}

/* Finds the records from a port that is told by its LID alone: from all of its
 * GUIDs, or from the first that has one. */
static void find_from_port(osm_sa_t *sa, const ib_sa_mad_t *mad,
			   const osm_port_t *requester, const struct ends *e,
			   const osm_alias_guid_t *to, cl_qlist_t *list)
{
	const ib_path_rec_t *pr = ib_sa_mad_get_payload_ptr(mad);
	const cl_qmap_t *aliases = &sa->p_subn->alias_port_guid_tbl;

	for (const cl_map_item_t *i = cl_qmap_head(aliases);
	     i != cl_qmap_end(aliases) &&
	     (mad->method != IB_MAD_METHOD_GET || cl_is_qlist_empty(list));
	     i = cl_qmap_next(i)) {
		const osm_alias_guid_t *from = (const osm_alias_guid_t *)i;

		if (from->p_base_port == e->from_port)
			osm_pr_process_pair(sa, mad, requester, from, to, NULL,
					    &pr->dgid, list);
	}
}

/* Finds the records from the source that is asked for, or from all, to a router
 * port.  There may be none, as while a port that has come back is not routed
 * yet. */
static void find_records(osm_sa_t *sa, const ib_sa_mad_t *mad,
			 const osm_port_t *requester, const struct ends *e,
			 const osm_port_t *port, cl_qlist_t *list)
{
	const ib_path_rec_t *pr = ib_sa_mad_get_payload_ptr(mad);
	const osm_alias_guid_t *to =
		osm_get_alias_guid_by_guid(sa->p_subn, osm_port_get_guid(port));

	if (!to || (e->to_port && e->to_port != port))
		return;
	if (e->from)
		osm_pr_process_pair(sa, mad, requester, e->from, to, e->sgid,
				    &pr->dgid, list);
	else if (e->from_port)
		find_from_port(sa, mad, requester, e, to, list);
	else
		osm_pr_process_half(sa, mad, requester, NULL, to, NULL,
				    &pr->dgid, list);
}

/* Has the routing engine move the SL of each record to the level that the
 * mapping tells.  Where the client asked for an SL, records with another one
 * are dropped, as OpenSM does. */
static void set_levels(const osm_opensm_t *osm, const ib_sa_mad_t *mad,
		       cl_qlist_t *list, uint8_t hint)
{
	const struct osm_routing_engine *re = osm->routing_engine_used;
	cl_list_item_t *i = cl_qlist_head(list), *next;

	for (; i != cl_qlist_end(list); i = next) {
		ib_path_rec_t *pr = &((osm_sa_item_t *)i)->resp.path_rec;
		uint8_t sl = hint;

		next = cl_qlist_next(i);
		if (re && re->path_sl)
			sl = re->path_sl(re->context, hint, pr->slid, pr->dlid);
		if (!(mad->comp_mask & IB_PR_COMPMASK_SL)) {
			ib_path_rec_set_sl(pr, sl);
		} else if (ib_path_rec_sl(pr) != sl) {
			cl_qlist_remove_item(list, i);
			free(i);
		}
	}
}

bool weft__subnets_answer(struct weft__subnets_plugin *p, osm_madw_t *madw,
			  const struct weft__gateway *gateway)
{
	osm_sa_t *sa = &p->osm->sa;
	const ib_sa_mad_t *mad = osm_madw_get_sa_mad_ptr(madw);
	osm_port_t *requester = osm_get_port_by_mad_addr(
		sa->p_log, sa->p_subn, osm_madw_get_mad_addr_ptr(madw));
	struct ends ends;
	cl_qlist_t list;

	if (!requester || is_refused(mad) || !find_ends(sa, mad, &ends))
		return false;
	if (contradict(&ends, gateway)) {
		cl_plock_release(sa->p_lock);
		osm_sa_send_error(sa, madw, IB_SA_MAD_STATUS_REQ_INVALID);
		return true;
	}
	cl_qlist_init(&list);
	for (unsigned i = 0; i < gateway->n && cl_is_qlist_empty(&list); i++)
		find_records(sa, mad, requester, &ends, gateway->port[i],
			     &list);
	if (cl_is_qlist_empty(&list))
		return false;
	if (gateway->level)
		set_levels(p->osm, mad, &list, gateway->sl);
	cl_plock_release(sa->p_lock);
	osm_sa_respond(sa, madw, sizeof(ib_path_rec_t), &list);
	return true;
}
