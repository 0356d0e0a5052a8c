/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finding the switch that a table names.  Programs name it by its node GUID, by
 * the GUID of its port 0 (which is another one on some switches) or by its LID.
 */
#ifndef WEFT_IO_TABLES_SWITCH_INDEX_H
#define WEFT_IO_TABLES_SWITCH_INDEX_H

#include <weft/fabric.h>

struct weft__port_guid;

struct weft__switch_index {
	const struct weft_fabric *fabric;
	struct weft__port_guid *port_guid;	/* [nsw], ascending */
};

/* 0 or -ENOMEM.  O(n log n); the fabric must outlive the index. */
int weft__switch_index_init(struct weft__switch_index *index,
			    const struct weft_fabric *fabric);
void weft__switch_index_free(struct weft__switch_index *index);

/* By node GUID, then by port GUID; WEFT_NONE if unknown.  O(log n). */
uint32_t weft__switch_by_any_guid(const struct weft__switch_index *index,
				  uint64_t guid);
/* The switch that owns a LID; WEFT_NONE if no switch does. */
static inline uint32_t weft__switch_by_lid(const struct weft_fabric *fabric,
					   uint32_t lid)
{
	uint32_t owner = lid ? weft_lid_owner(fabric, lid) : WEFT_NONE;

	return weft_is_switch(owner) ? owner : WEFT_NONE;
}

#endif
