/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The channel-dependency graph, CDG: which buffers wait for which others.
 *
 * A vertex is one lane of one channel that leaves a switch: lane * nch +
 * channel.  It stands for the buffer at the far end of that channel.  An edge v
 * -> w says that a packet in v's buffer may have to wait for room in w's; hence
 * w's channel leaves the switch that v's channel enters.  A set of routes is
 * free of credit loops if this graph is acyclic (Dally and Seitz 1987).
 *
 * Channels from endports into the fabric wait for others, but no channel waits
 * for them, and channels to endports and port 0 wait for none.  Neither is ever
 * part of a cycle, so that no edge starts or ends there.  They keep their ids
 * as vertices to spare a translation in every inner loop.
 *
 * The edges out of a vertex are a bit for each port of the switch at the far
 * end, one row of words; with lanes that change on the way, one such row for
 * each lane of w. Inserting, removing and testing an edge cost one memory
 * access.  The edges into v need no store of their own: they can only come from
 * the channels that enter v's switch, which are the reverse channels of its
 * ports.  Orders or counts that an incremental algorithm keeps are arrays by
 * vertex beside this graph.
 */
#ifndef WEFT_GRAPH_CDG_H
#define WEFT_GRAPH_CDG_H

#include "core/arena.h"

#include <weft/fabric.h>

struct weft__cdg {
	const struct weft_fabric *fabric;
	uint32_t nch;		/* channels of a lane: those of switches */
	uint32_t nlanes;
	uint32_t nv;		/* vertices, nch * nlanes */
	uint32_t to_lanes;	/* rows of a vertex: 1 if packets stay in their
				 * lane, else nlanes */
	uint32_t words;		/* 64-bit words of a row */
	uint64_t *bits;		/* [nv][to_lanes][words] */
};

/* Makes a graph without edges. mixed: edges may lead to other lanes.
 * -ENOMEM. */
int weft__cdg_init(struct weft__cdg *g, const struct weft_fabric *fabric,
		   uint32_t nlanes, bool mixed);
void weft__cdg_free(struct weft__cdg *g);	/* a zeroed one is fine */
/* Adds the edges of another graph of the same fabric and lanes. */
void weft__cdg_join(struct weft__cdg *g, const struct weft__cdg *from);

/*
 * Adds the edge from vertex v to the channel by which port (1 and up) leaves
 * the switch behind it, on lane to; if lanes never mix, to is 0.
 */
static inline void weft__cdg_add(struct weft__cdg *g, uint32_t v, uint32_t to,
				 unsigned port)
{
	size_t row = (size_t)v * g->to_lanes + to;

	g->bits[row * g->words + (port - 1) / 64] |=
		1ull << (port - 1) % 64;
}

/* Does so while other threads do; most edges are there already. */
static inline void weft__cdg_add_shared(struct weft__cdg *g, uint32_t v,
					uint32_t to, unsigned port)
{
	size_t row = (size_t)v * g->to_lanes + to;
	uint64_t *word = &g->bits[row * g->words + (port - 1) / 64];
	uint64_t bit = 1ull << (port - 1) % 64;

	if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit))
		__atomic_fetch_or(word, bit, __ATOMIC_RELAXED);
}

/* Returns true if that edge is there; only if lanes never mix. */
static inline bool weft__cdg_has(const struct weft__cdg *g, uint32_t v,
				 unsigned port)
{
	return g->bits[(size_t)v * g->words + (port - 1) / 64] >>
		(port - 1) % 64 & 1;
}

/* Removes that edge; only if lanes never mix. */
static inline void weft__cdg_remove(struct weft__cdg *g, uint32_t v,
				    unsigned port)
{
	g->bits[(size_t)v * g->words + (port - 1) / 64] &=
		~(1ull << (port - 1) % 64);
}

/* Returns the vertex at the far end of v's edge to port; only if lanes never
 * mix. */
static inline uint32_t weft__cdg_head(const struct weft__cdg *g, uint32_t v,
				      unsigned port)
{
	uint32_t ch = v % g->nch;

	return v - ch + weft_channel(g->fabric, g->fabric->peer[ch], port);
}

/*
 * Steps through the successors of v, by lane, then port. *at is 0 at first and
 * the place to go on from afterwards.  Returns WEFT_NONE when there are no
 * more.
 */
uint32_t weft__cdg_next(const struct weft__cdg *g, uint32_t v, uint32_t *at);

/*
 * Finds the vertices that remain when those without a predecessor are removed
 * again and again, into rest[] (nv entries), ascending.  Returns how many; 0:
 * the graph is acyclic.  All that remain are on a cycle or behind one, with all
 * their successors. degree[]: scratch, nv entries.  O(vertices + edges).
 */
uint32_t weft__cdg_rest(const struct weft__cdg *g, uint32_t *rest,
			uint32_t *degree);

/* Returns how many successors of v weft__cdg_next() gives before w, which must
 * be one.  O(words of v's row). */
uint32_t weft__cdg_rank(const struct weft__cdg *g, uint32_t v, uint32_t w);

/* The vertices on cycles: the strongly connected components with an edge
 * inside. */
struct weft__knots {
	uint32_t n;
	uint32_t *of;		/* [nv] component; WEFT_NONE: on no cycle */
	/* Vertices, ascending within each component; components in the order of
	 * their lowest vertices. */
	uint32_t *first;	/* [n + 1] */
	uint32_t *vertex;	/* [first[n]] */
};

/* Finds them; n = 0 and no more memory in use if there are none.  Memory comes
 * from scratch. -ENOMEM.  O(vertices + edges). */
int weft__knots_find(const struct weft__cdg *g, struct weft__knots *out,
		     struct weft_arena *scratch);

#endif
