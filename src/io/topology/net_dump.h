/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the lines of ibdiagnet2.net_dump tell, before nodes are made of it. */
#ifndef WEFT_IO_TOPOLOGY_NET_DUMP_H
#define WEFT_IO_TOPOLOGY_NET_DUMP_H

#include <stddef.h>
#include <stdint.h>

struct weft__topology;

struct weft__dump_text {
	const char *p;
	size_t length;
};

struct weft__dump_row {
	struct weft__dump_text label, far_label, far_name;
	uint64_t far_guid;	/* 0 = not cabled */
	uint32_t far_lid, line;
	uint32_t far_node;	/* handle, once found */
	uint8_t port, far_port, width, speed;
};

struct weft__dump_block {
	uint64_t guid;
	struct weft__dump_text name;
	uint32_t lid, line;
	uint32_t first;		/* its rows: up to those of the next block */
};

struct weft__net_dump {
	struct weft__topology *t;
	struct weft__dump_row *row;	/* in the order of the text */
	struct weft__dump_block *block;	/* [nblocks], and room for one more */
	uint32_t nrows, nblocks;
};

/* Adds nodes, ports and claims to the topology; 0 or -errno (said).
 * O(rows log rows + rows * ports). */
int weft__net_dump_finish(struct weft__net_dump *d);

/* -EINVAL after an error about the label of the port at a row's far end. */
int weft__net_dump_bad_label(const struct weft__net_dump *d,
			     const struct weft__dump_row *row,
			     const char *expected);

#endif
