/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which ranks run on which hosts.
 *
 * Hosts stand in an order; a subset of them may take part; the ranks are placed
 * on these in that order or at random.
 */
#ifndef WEFT_MAPPING_H
#define WEFT_MAPPING_H

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;

enum weft_order {
	WEFT_ORDER_RANDOM,	/* drawn anew for each sample */
	WEFT_ORDER_GUID,	/* ascending port GUID */
	WEFT_ORDER_NAME,	/* of the node, numbers by value; then GUID */
	WEFT_ORDER_LEAF,	/* by switch and its port */
	WEFT_ORDER_PORT,	/* by number of the port on its node, then
				 * NAME */
	WEFT_ORDER_GIVEN,	/* as listed by the caller */
};

struct weft_mapping_spec {
	enum weft_order order;
	bool all_hosts;		/* aggregation nodes and routers are hosts */
	uint32_t ranks;		/* 0 = one on every host */
	bool random_subset;	/* if fewer ranks than hosts: drawn anew for
				 * each sample, not the first ones */
	const uint32_t *given;	/* [ngiven] endports, in the order of the
				 * ranks; one may be listed repeatedly, for
				 * several ranks on a host.  With other orders
				 * than GIVEN: the hosts that may take part;
				 * NULL = all */
	uint32_t ngiven;
};

struct weft_mapping {
	uint32_t nslots;	/* places for a rank */
	uint32_t *endport;	/* [nslots] in the order asked for */
	uint32_t nranks;	/* <= nslots */
	bool random_order, random_subset;
};

/* -EINVAL when there are more ranks than places, or no host; -ENOMEM. */
int weft_mapping_init(struct weft_mapping *mapping,
		      const struct weft_fabric *fabric,
		      const struct weft_mapping_spec *spec,
		      struct weft_diag *diag);

/*
 * All hosts in the order that people count them in, a rank on each: by NAME
 * where the names tell all nodes with hosts apart, else by LEAF; *by_name says
 * which.  Where no endport is an ordinary host all count.  -EINVAL without any
 * host; -ENOMEM.
 */
int weft_mapping_natural(const struct weft_fabric *fabric, bool all_hosts,
			 struct weft_mapping *mapping, bool *by_name,
			 struct weft_diag *diag);
/*
 * Where ranks are that stand on these endports, for weft_traffic_seated(): seat
 * [n], machines in the order in which they come.  Storage is whoever is of such
 * a kind (weft/kinds.h).  -ENOMEM.  O(n + machines).
 */
struct weft_seat;
int weft_seats_find(const struct weft_fabric *fabric, const uint32_t *endport,
		    uint32_t n, struct weft_seat *seat);
/*
 * Makes a pattern by weft_traffic_seated() for n ranks on these endports.
 * NULL: nobody knows where they are, as when they are drawn for each sample.
 */
struct weft_traffic;
int weft_traffic_placed(const char *description,
			const struct weft_fabric *fabric,
			const uint32_t *endport, uint32_t n,
			struct weft_traffic **out, struct weft_diag *diag);
void weft_mapping_free(struct weft_mapping *mapping);	/* zeroed is fine */

#ifdef __cplusplus
}
#endif
#endif
