/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A fabric against what it should be: which nodes and cables are missing, extra
 * or wrong.
 *
 * A device is a switch, by its id, or an adapter or router, by its node's id
 * plus the fabric's nsw.  Devices of the two fabrics are the same if they have
 * the same name, which neither fabric has twice, or else the same node GUID.
 */
#ifndef WEFT_AGAINST_H
#define WEFT_AGAINST_H

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;

enum weft_difference_kind {
	WEFT_NODE_MISSING,	/* planned, but not there */
	WEFT_NODE_EXTRA,	/* there, but not planned */
	WEFT_NODE_PORTS,	/* has another number of ports, a switch */
	WEFT_CABLES_SWAPPED,	/* two cables have changed places at one end */
	WEFT_CABLE_MOVED,	/* joins the planned nodes, by other ports */
	WEFT_CABLE_WRONG,	/* one end is where it should be */
	WEFT_CABLE_MISSING,
	WEFT_CABLE_EXTRA,
	WEFT_LINK_SLOWER,	/* than planned, by speed or width */
	WEFT_DIFFERENCES
};

struct weft_cable {
	uint32_t device[2];
	uint8_t port[2];
};

/* What is not as it should be.  Ids of planned are those of the plan; those of
 * found are the fabric's. */
struct weft_difference {
	enum weft_difference_kind kind;
	uint32_t device;	/* of node kinds: the plan's if it is missing,
				 * else the fabric's */
	uint32_t cables;	/* that a missing or extra node has */
	struct weft_cable planned[2];	/* the second one: of swapped cables */
	struct weft_cable found[2];
	uint32_t planned_rate, found_rate;	/* Mbit/s, or ports */
};

struct weft_against {
	uint32_t nodes, found_nodes;	/* of plan, and of fabric */
	uint32_t matched;		/* the same in both */
	uint32_t cables, found_cables;
	uint32_t equal;			/* cables as planned, though maybe
					 * slower */
	uint32_t count[WEFT_DIFFERENCES];
	struct weft_difference *difference;	/* [n] by kind, then by the
						 * ids of nodes */
	uint32_t n;
};

/*
 * Compares a fabric with its plan. any_port: it does not matter which ports of
 * two nodes their cables are on, only how many there are.  Cables of nodes that
 * are missing or extra are not listed, but counted with these.  Cables from a
 * switch to itself are left aside.  -EINVAL: no node is in both; -ENOMEM.
 * O((nodes + cables) log of that).
 */
int weft_against_run(const struct weft_fabric *plan,
		     const struct weft_fabric *fabric, bool any_port,
		     struct weft_against *out, struct weft_diag *diag);
void weft_against_free(struct weft_against *against);	/* zeroed is fine */

/* "missing node", "cable moved" and so on, in the plural if many. */
const char *weft_difference_name(enum weft_difference_kind kind);

/* Name and GUID of a device. */
const char *weft_device_name(const struct weft_fabric *f, uint32_t device);
uint64_t weft_device_guid(const struct weft_fabric *f, uint32_t device);

#ifdef __cplusplus
}
#endif
#endif
