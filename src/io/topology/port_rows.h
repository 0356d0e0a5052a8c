/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Topologies whose text has a row for each port, with what is known of both
 * ends of its cable, and tells ports apart by GUID, but not nodes:
 *
 *   switch    all its rows have the GUID of port 0, which serves as node GUID;
 *             its number of ports is the highest that occurs
 *   adapter   ports that carry the same name and whose GUIDs differ by as much
 *             as their numbers are one node (adapters with one node for several
 *             ports number their GUIDs so), and so are ports that share a GUID
 *             (planes); the node gets the lowest port's GUID
 *
 * Rows are collected first, then their ends are sorted by GUID to find the
 * nodes, then the rows become claims.
 */
#ifndef WEFT_IO_TOPOLOGY_PORT_ROWS_H
#define WEFT_IO_TOPOLOGY_PORT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weft__topology;

struct weft__port_end {
	uint64_t guid;
	uint64_t base;		/* the same for all ends of one node */
	const char *name;	/* in the text */
	uint32_t name_length;
	uint32_t lid;
	uint32_t line;
	uint32_t node;		/* handle, once found */
	uint8_t type, port;
	bool own;		/* the end that the row is about */
	bool unsure;		/* of its name, which other rows may tell */
};

struct weft__port_row {
	uint8_t width, speed;
	bool cabled;
};

/* All zero but t at first. */
struct weft__port_rows {
	struct weft__topology *t;
	struct weft__port_row *row;
	struct weft__port_end *end;	/* two for each row, its own first; that
					 * of the far end is unused where the
					 * port is not cabled */
	uint32_t n;
	size_t capacity;
	bool may_be_switches_only; /* no adapter has a row then, and that is
				    * no defect */
};

/* 0 or -ENOMEM (said). */
int weft__port_rows_add(struct weft__port_rows *r,
			const struct weft__port_row *row,
			const struct weft__port_end *own,
			const struct weft__port_end *far);
/* Adds nodes, ports and claims to the topology; 0 or -errno (said).
 * O(rows log rows). */
int weft__port_rows_finish(struct weft__port_rows *r);
void weft__port_rows_free(struct weft__port_rows *r);

#endif
