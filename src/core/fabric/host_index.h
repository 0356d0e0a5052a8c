/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Endports by the names that people give to hosts. */
#ifndef WEFT_CORE_HOST_INDEX_H
#define WEFT_CORE_HOST_INDEX_H

#include <weft/fabric.h>

struct weft__host_name {
	const char *name;	/* not NUL-terminated */
	size_t length;
	uint32_t endport;
};

/*
 * A node goes by its description, by the first word of it ("node17 HCA-1"),
 * and by that without its domain.  Of several endports of a name the lowest
 * id counts.
 */
struct weft__host_index {
	struct weft__host_name *entry;	/* sorted */
	size_t n;
};

/* 0 or -ENOMEM. */
int weft__host_index_init(struct weft__host_index *index,
			  const struct weft_fabric *fabric);
void weft__host_index_free(struct weft__host_index *index);

/* By name, with or without domain, or by GUID ("0x..."); WEFT_NONE if there is
 * none. */
uint32_t weft__host_index_find(const struct weft__host_index *index,
			       const struct weft_fabric *fabric,
			       const char *name, size_t length);

#endif
