/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All-to-all traffic by the channels that it takes.
 *
 * A flow is all that the hosts of one switch send to one LID: they share their
 * route.  One pass over the destination trees finds the load of each channel
 * and the flows that take it; what a failure changes follows from the flows of
 * the channels that fail, without a look at any others.
 */
#ifndef WEFT_FAULTS_FLOWS_H
#define WEFT_FAULTS_FLOWS_H

#include "worth/model/paths.h"

#include <weft/faults.h>

/* Rows to which the same hosts of each switch send as much: they have the
 * capacity of the destination and the offset of the LID in common. */
struct weft__flow_kind {
	uint32_t capacity;
	uint8_t offset, mask;
	uint32_t *sends; /* [nsrc] hosts that send there */
	uint64_t *much;	 /* [nsrc] Mbit/s of these together */
};

struct weft__flows {
	const struct weft_fabric *f;
	const uint8_t *lid_offset; /* [nep] or NULL */
	struct weft__paths paths;
	uint32_t nsrc;
	uint32_t *src;	     /* [nsrc] switches with hosts */
	uint32_t *src_of;    /* [nsw] number in src, or WEFT_NONE */
	uint32_t *src_first; /* [nsrc + 1] hosts of a source: src_host[] */
	uint32_t *src_host;  /* [hosts] numbers in paths */
	uint32_t *capacity;  /* [hosts] Mbit/s of their cable */
	bool *uniform;	     /* [nsrc] all hosts of it have one capacity, and
			      * send to the same LIDs */
	uint32_t nrows;	     /* LIDs of hosts */
	uint32_t *row_first; /* [hosts + 1] rows of a host */
	uint32_t *row_dest;  /* [nrows] host */
	uint32_t *row_kind;  /* [nrows] */
	struct weft__flow_kind *kind;
	uint32_t nkinds;

	/* A flow's number is row * nsrc + source. */
	uint64_t *load;	 /* [first_injection] Mbit/s, if every host sends
			  * all it can to every other one */
	uint64_t *index; /* [first_injection + 1] */
	uint32_t *flow;	 /* flows that take channel c: flow[index[c]] ..
			  * flow[index[c + 1] - 1], ascending */
	uint32_t *lost;	 /* [nlost] flows without a route */
	uint32_t nlost;
	uint32_t *busiest; /* [nbusy] channels with load, by load for
			    * capacity, most first */
	uint32_t nbusy;
	double *got; /* [hosts] sum of what comes through of what a
		      * host sends to the others, in full
		      * bandwidths */
	uint64_t lost_pairs;
	struct weft_fault_bandwidth base;
};

/* 0, -ENOMEM or -EFBIG; must be freed in any case. */
int weft__flows_init(struct weft__flows *w, const struct weft_fabric *fabric,
		     const struct weft_routes *routes, bool all_hosts);
void weft__flows_free(struct weft__flows *w);

/* Whether a host sends to a row: by the offset that the routes tell it. */
static inline bool weft__flows_sends(const struct weft__flows *w, uint32_t host,
				     uint32_t row)
{
	const struct weft__flow_kind *k = &w->kind[w->row_kind[row]];

	return !w->lid_offset ||
	       (w->lid_offset[w->paths.endport[host]] & k->mask) == k->offset;
}

static inline const uint8_t *weft__flows_row(const struct weft__flows *w,
					     uint32_t row)
{
	uint32_t dest = w->row_dest[row];

	return weft__paths_row(&w->paths, dest, row - w->row_first[dest]);
}

/* Share of its own full bandwidth that what host sends to dest is, if all of it
 * comes through: 1, or more where dest is slower. */
static inline double weft__flows_worth(const struct weft__flows *w,
				       uint32_t host, uint32_t dest)
{
	double own = w->capacity[host], full = w->capacity[dest];

	return own < full ? 1 : full / own;
}

#endif
