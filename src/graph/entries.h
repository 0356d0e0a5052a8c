/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Look-ups in the neighbourhood of switches and endports. */
#ifndef WEFT_GRAPH_ENTRIES_H
#define WEFT_GRAPH_ENTRIES_H

#include <weft/fabric.h>
#include <weft/lft.h>

struct weft_arena;

/* Returns for each adjacency entry, [edges], the one of the opposite direction
 * of its cable; NULL without memory.  O(channels). */
uint32_t *weft__back_entries(const struct weft_fabric *fabric,
			     struct weft_arena *arena);

/* Returns the position of that entry among those of its switch, [edges]. */
uint8_t *weft__back_positions(const struct weft_fabric *fabric,
			      struct weft_arena *arena);

/* Counts the endports on a switch that count as hosts: channel adapters and,
 * with all, aggregation nodes and routers. */
static inline uint32_t weft__hosts_on(const struct weft_fabric *f, uint32_t s,
				      bool all)
{
	uint32_t n = 0;

	for (uint32_t i = f->sw_ep_first[s]; i < f->sw_ep_first[s + 1]; i++)
		n += weft_endport_is_host(&f->ep[f->sw_endport[i]], all);
	return n;
}

/* Returns the most endports that a machine has.  O(machines). */
static inline uint32_t weft__most_ports(const struct weft_fabric *f)
{
	uint32_t most = 0;

	for (uint32_t m = 0; m < f->nmachines; m++) {
		uint32_t n = f->machine_first[m + 1] - f->machine_first[m];

		most = n > most ? n : most;
	}
	return most;
}

/* Returns the port by which a vertex's own switch delivers to it. */
static inline uint8_t weft__delivery_port(const struct weft_fabric *f,
					  uint32_t vertex)
{
	return weft_is_switch(vertex) ? 0 :
					f->ep[vertex & ~WEFT_ENDPORT].sw_port;
}

/* Whether tables have the switch at the far end of an adjacency entry send what
 * is for a LID by that cable. */
static inline bool weft__sends_by(const struct weft_fabric *f,
				  const struct weft_lft *lft, uint32_t entry,
				  unsigned lid)
{
	uint32_t from = f->peer[f->adj[entry]];

	return weft_lft_get(lft, from, lid) ==
	       f->reverse[f->adj[entry]] - f->first_channel[from];
}

/* Returns the port number of a channel that leaves switch sw. */
static inline uint8_t weft__port(const struct weft_fabric *f, uint32_t sw,
				 uint32_t channel)
{
	return channel - f->first_channel[sw];
}

#endif
