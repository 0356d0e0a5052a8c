/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The exact form of a parallel-ports generalised fat tree, found in the graph.
 *
 * PGFT(h; m_1..m_h; w_1..w_h; p_1..p_h) has h levels of switches.  A switch of
 * level l has m_l children and w_l+1 parents, and p_l cables to each child.
 * Switches of one level in one subtree differ in their place; places that are
 * cabled alike have the same number in all subtrees (Zahavi, "D-Mod-K Routing
 * Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat
 * Trees", CCIT 776, 2010).  Numbers follow GUIDs and ports, not the order of
 * discovery.
 */
#ifndef WEFT_SHAPES_PGFT_H
#define WEFT_SHAPES_PGFT_H

#include <weft/diag.h>
#include <weft/fabric.h>

struct weft_arena;

#define WEFT__PGFT_LEVELS 12

/*
 * The subtrees of a level are numbered such that those of one parent are in a
 * row: leaf i is in subtree i / leaves[l] of level l.  All memory is the
 * arena's.
 */
struct weft__pgft_form {
	unsigned h;		/* levels of switches, 1..WEFT__PGFT_LEVELS */
	/* Indexed by level, 1..h; m[1] is n, w[1] = p[1] = 1. */
	uint32_t m[WEFT__PGFT_LEVELS + 1];
	uint32_t w[WEFT__PGFT_LEVELS + 1];
	uint32_t p[WEFT__PGFT_LEVELS + 1];
	uint32_t leaves[WEFT__PGFT_LEVELS + 1];	/* of a subtree of level l */

	uint32_t n;		/* most hosts on one leaf */
	uint8_t *level;		/* [nsw] 1 = leaf */
	uint32_t *subtree;	/* [nsw] */
	uint32_t *place;	/* [nsw] less than w_2 * ... * w_level */

	/*
	 * Ports of switch s from [first_channel[s]] on: cable k to the parent
	 * with place digit b is at [b + w * k], and to child a at [a * p + k].
	 * Both ends of a cable have the same k.
	 */
	uint8_t *up, *down;	/* [first_injection] */

	/*
	 * [nep] of an endport on a leaf: n * leaf + its rank among the leaf's
	 * hosts by port; endports that are no hosts come after them.  WEFT_NONE
	 * for an endport elsewhere.
	 */
	uint32_t *number;
};

/*
 * Finds the form.  Leaves are the switches with hosts.  Returns 0; -ENOMEM; or
 * -ENOTSUP if the fabric, which has to be connected, is no PGFT, with an error
 * that names the switch that breaks the form.  Leaves may have fewer hosts than
 * others (a warning names the first).  *out is set on success only.  O(cables x
 * ports) time.
 */
int weft__pgft_detect(const struct weft_fabric *fabric,
		      struct weft_arena *arena, struct weft__pgft_form *out,
		      struct weft_diag *diag);

/*
 * Finds the form of a tree of which cables or switches may be missing, as far as
 * the others tell it.  Where a cable is missing its ports in up[] and down[] are
 * 0; *share is that of the form's cables that are missing, a quarter at most.
 * Returns as weft__pgft_detect().
 */
int weft__pgft_detect_torn(const struct weft_fabric *fabric,
			   struct weft_arena *arena,
			   struct weft__pgft_form *out, double *share,
			   struct weft_diag *diag);

/*
 * Finds place[] and the ports to parents and children from level[] and
 * subtree[]; a part of weft__pgft_detect().  Returns -ENOTSUP if subtrees are
 * not cabled alike.
 */
int weft__pgft_places(const struct weft_fabric *fabric,
		      struct weft_arena *arena, struct weft__pgft_form *form,
		      struct weft_diag *diag);

/* Reports the error that switch s breaks the form, and returns -ENOTSUP; "how"
 * says in which way, "it ...". */
int weft__pgft_breaks(const struct weft_fabric *fabric, uint32_t s,
		      struct weft_diag *diag, const char *how, ...)
	__attribute__((format(printf, 4, 5)));

#endif
