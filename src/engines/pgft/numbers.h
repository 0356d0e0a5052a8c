/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers of hosts that tell their ways up in a fat tree. */
#ifndef WEFT_ENGINES_PGFT_NUMBERS_H
#define WEFT_ENGINES_PGFT_NUMBERS_H

#include "shapes/pgft.h"

#include <stdbool.h>

struct weft_arena;

/* How hosts are to be numbered. */
struct weft__numbering {
	const uint32_t *rank;	/* [nep] group by group, as programs count */
	bool aligned;		/* leaves, and subtrees that fill their ways up,
				 * begin with the first one */
	bool separate;		/* groups, as the ports of machines, part at the
				 * leaf, not only at the top */
};

/* True if subtrees of that level, below the top, have on average as many of the
 * hosts as ways up: if each begins with its first way, the last ones serve
 * somebody. */
bool weft__hosts_fill_ways(const struct weft__pgft_form *form, uint32_t hosts,
			   unsigned level);

/*
 * Numbers the hosts on leaves for a rule of engines/pgft/tables.h: number, as
 * the form numbers them, is replaced.  *in_a_row: whether subtrees that each
 * begin anew are numbered as if they ran on.  Returns false without memory.
 * O(hosts log hosts x levels) time.
 */
bool weft__number_hosts(const struct weft_fabric *fabric,
			const struct weft__pgft_form *form,
			const struct weft__numbering *how,
			struct weft_arena *arena, uint32_t *number,
			bool *in_a_row);

#endif
