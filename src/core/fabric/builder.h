/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inside of the builder, for builder.c and fabric_build.c only. */
#ifndef WEFT_CORE_BUILDER_H
#define WEFT_CORE_BUILDER_H

#include "core/arena.h"

#include <weft/fabric.h>

struct weft__builder_node {
	struct weft_node_spec spec;
	uint32_t first_port;	/* port p is port[first_port + p] */
};

struct weft_builder {
	struct weft__builder_node *node;
	struct weft_port_spec *port;
	uint32_t nnodes, nports;
	size_t node_capacity, port_capacity;
	uint32_t *slot;		/* GUID index */
	uint32_t nslots;	/* a power of two, 0 before the first node */
	struct weft_arena *strings;
	const char *file;
	uint64_t prefix;
	struct weft_router_entry *entry;
	uint32_t nentries;
	const char **use_name;	/* [nuses] in strings */
	uint32_t nuses;
	enum weft_machines_by machines_by;
	bool no_memory;
};

#endif
