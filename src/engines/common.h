/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What destination-based engines have in common. */
#ifndef WEFT_ENGINES_COMMON_H
#define WEFT_ENGINES_COMMON_H

#include "trees/bfs.h"

#include <weft/engine.h>
#include <weft/list.h>

/*
 * 0 if every switch can reach every other one by cable; else -ENETUNREACH and
 * an error that names one switch of each part.
 */
int weft__require_connected(const struct weft_fabric *fabric,
			    struct weft_diag *diag);

/* The adjacency entry for the other direction of a cable.  O(cables of the
 * switch there). */
static inline uint32_t weft__back_entry(const struct weft_fabric *f, uint32_t e)
{
	uint32_t back = f->reverse[f->adj[e]];
	uint32_t at = f->adj_first[f->peer[f->adj[e]]];

	while (f->adj[at] != back)
		at++;
	return at;
}

/*
 * Who an option's list means in the fabric: *vertex as from weft_list_find(),
 * which the caller frees.  Both are NULL where the option is unset.  0 or -errno
 * with an error.
 */
int weft__look_up(const struct weft_fabric *fabric,
		  const struct weft_options *options, const char *option,
		  unsigned kinds, const struct weft_list **list,
		  uint32_t **vertex, struct weft_diag *diag);

/*
 * Sets member[switch] = 1 for each switch of the fabric in an option's list;
 * *any tells whether there is one.  0 or -errno with an error.
 */
int weft__listed_switches(const struct weft_fabric *fabric,
			  const struct weft_options *options,
			  const char *option, uint8_t *member, bool *any,
			  struct weft_diag *diag);

/* An option that lists switches at the top. */
#define WEFT__ROOTS_OPTION \
	{ .name = "roots", .type = WEFT_OPT_LIST, \
	  .help = "the switches at the top by GUID or name, separated by " \
		  "blanks or '+', or a file that lists them" }

#endif
