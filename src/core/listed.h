/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Nodes of a fabric that an option lists. */
#ifndef WEFT_CORE_LISTED_H
#define WEFT_CORE_LISTED_H

#include <weft/fabric.h>
#include <weft/list.h>
#include <weft/options.h>

/* A list and its nodes; both are NULL where the option is unset. */
struct weft__listed {
	const struct weft_list *list;
	uint32_t *vertex;	/* [list->n] as from weft_list_find() */
};

/* Finds the nodes of an option's list in the fabric.  The caller frees
 * out->vertex.  Returns 0 or -errno with an error. */
int weft__look_up(const struct weft_fabric *fabric,
		  const struct weft_options *options, const char *option,
		  unsigned kinds, struct weft__listed *out,
		  struct weft_diag *diag);

/*
 * Sets member[switch] = 1 for each switch of the fabric in an option's list.
 * *any tells if there is one.  Returns 0 or -errno with an error.
 */
int weft__listed_switches(const struct weft_fabric *fabric,
			  const struct weft_options *options,
			  const char *option, uint8_t *member, bool *any,
			  struct weft_diag *diag);

/* The option that lists switches at the top. */
#define WEFT__ROOTS_OPTION \
	{ .name = "roots", .type = WEFT_OPT_LIST, \
	  .help = "the switches at the top by GUID or name, separated by " \
		  "blanks or '+', or a file that lists them" }

#endif
