/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof by brute force: every pair walked on its own, every dependency
 * entered one by one into a matrix.  Shares nothing with the library's proof
 * but the tables' accessors.
 */
#ifndef WEFT_TESTS_PROOF_BRUTE_H
#define WEFT_TESTS_PROOF_BRUTE_H

#include <weft/weft.h>

struct brute {
	const struct weft_fabric *fabric;
	const struct weft_routes *routes;
	const struct weft_proof_spec *spec;

	uint64_t pairs, reached;
	uint64_t found[WEFT_FIND_KINDS];
	uint64_t *hops;			/* [nsw + 1] */
	uint64_t *load;			/* [first_injection] */
	struct weft_finding *example;	/* [WEFT_FIND_KINDS][max_examples] */
	uint32_t kept[WEFT_FIND_KINDS];

	uint32_t *cables;		/* [nsw][nsw], WEFT_NONE = no way */
	uint32_t *id;			/* [lane * nch + channel], WEFT_NONE =
					 * not in use */
	uint32_t nv;			/* vertices in use */
	uint32_t *vertex;		/* [nv], lane * nch + channel */
	bool *edge;			/* [MAX][MAX] by id */
	uint32_t max;
	uint32_t *length;		/* [nv] of the shortest cycle through
					 * each, 0 = none */
	uint32_t *knot;			/* [nv] lowest of vertex[] of its
					 * strongly connected component,
					 * WEFT_NONE = on no cycle */
};

/* Fills in everything from the first three members.  Aborts without memory. */
void brute_run(struct brute *b);
void brute_free(struct brute *b);

/* Whether channel x on lane vx waits for channel y on lane vy. */
bool brute_waits(const struct brute *b, uint32_t x, unsigned vx, uint32_t y,
		 unsigned vy);

/* Whether anything is sent from a vertex to a LID that dependencies are to be
 * counted of. */
bool brute_sends(const struct brute *b, uint32_t source, unsigned lid);
/* The (lane * nch + channel) that a packet takes between switches, in order,
 * into way[3 * nsw]; returns how many. */
uint32_t brute_way(const struct brute *b, uint32_t source, unsigned lid,
		   uint32_t *way);
/* Whether the n x n matrix holds a cycle. */
bool brute_cyclic(const bool *edge, uint32_t n);

#endif
