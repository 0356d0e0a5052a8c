/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Nodes that a text knows by names instead of GUIDs: cables name their far end
 * (peer_name of the claim), and it is looked up when the text has ended, as it
 * may be described further down.
 */
#ifndef WEFT_IO_TOPOLOGY_NAMED_H
#define WEFT_IO_TOPOLOGY_NAMED_H

#include "io/topology/topology.h"

struct weft__named {
	const char *name;	/* in the text */
	uint32_t length;
	uint32_t node;		/* handle */
	uint32_t line;
};

struct weft__by_name {
	struct weft__named *named;
	uint32_t n;
	size_t capacity;
};

/* Adds a node under the name that the text has for it.  0 or -ENOMEM (said). */
int weft__named_add(struct weft__by_name *names, struct weft__topology *t,
		    const struct weft__named *named);
/*
 * Gives every claim the GUID and the type of the node that it names.  -EINVAL
 * (said) where two nodes have one name, or none has it.  O(n log n).
 */
int weft__named_resolve(struct weft__by_name *names, struct weft__topology *t);
/* The node of that name, NULL: none.  Names were added in ascending order, or
 * have been resolved.  O(log n). */
const struct weft__named *weft__named_find(const struct weft__by_name *names,
					   const char *name, size_t length);
/* As strcmp(), of texts with lengths. */
int weft__named_compare(const char *a, size_t na, const char *b, size_t nb);
void weft__named_free(struct weft__by_name *names);

#endif
