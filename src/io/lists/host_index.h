/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Endports by the names that people give to hosts. */
#ifndef WEFT_IO_LISTS_HOST_INDEX_H
#define WEFT_IO_LISTS_HOST_INDEX_H

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

struct weft__source;
struct weft__line;
struct weft_diag;

/* weft_io_read_hosts() of a text that is in memory. */
int weft__read_hosts(const struct weft__source *source,
		     const struct weft_fabric *fabric, uint32_t **endport,
		     uint32_t *n, struct weft_diag *diag);

/* Hosts of what is left of a line: Slurm's list, as often as they are in it. */
int weft__read_host_list(const struct weft__source *source,
			 const struct weft_fabric *fabric,
			 const struct weft__host_index *index,
			 const struct weft__line *line, uint32_t **endport,
			 uint32_t *n, struct weft_diag *diag);

/* weft_io_read_groups() of a text that is in memory. */
struct weft_host_groups;
int weft__read_groups(const struct weft__source *source,
		      const struct weft_fabric *fabric,
		      struct weft_host_groups *out, struct weft_diag *diag);

#endif
