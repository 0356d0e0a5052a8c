/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Graphs with labels, and symmetries of them. */
#ifndef WEFT_FAULTS_SYMMETRY_H
#define WEFT_FAULTS_SYMMETRY_H

#include <stdbool.h>
#include <stdint.h>

struct weft__edge {
	uint32_t to;
	uint64_t label;
};

/* Each edge is there from both ends; edges of a vertex are sorted by end, then
 * label.  Labels and edges are what a symmetry keeps. */
struct weft__labelled {
	uint32_t n;
	uint64_t *label; /* [n] of vertices */
	uint32_t *first; /* [n + 1] */
	struct weft__edge *edge;
};

/* Sorts the edges of all vertices. */
void weft__labelled_sort(struct weft__labelled *g);
void weft__labelled_free(struct weft__labelled *g);

/* Mixes two numbers into one. */
static inline uint64_t weft__mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x2545f4914f6cdd1du;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/*
 * Vertices that a symmetry swaps while all others stay: same label, same edges,
 * none to themselves.  twin[i] becomes the lowest of those like i.  0 or
 * -ENOMEM.  O(edges log edges).
 */
int weft__twins(const struct weft__labelled *g, uint32_t *twin);

/*
 * Searches symmetries, and joins in vertex[n] and edge[edges] those that one
 * maps onto each other; both are sets (core/sets.h) that have begun.  An edge is
 * joined with itself from its other end.  The search ends after that many steps
 * (edges looked at).  0 or -ENOMEM.
 */
int weft__symmetries(const struct weft__labelled *g, uint64_t steps,
		     uint32_t *vertex, uint32_t *edge);

#endif
