/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Machines, their rails, and groups of endports; for a fabric in the making. */
#ifndef WEFT_CORE_MACHINES_H
#define WEFT_CORE_MACHINES_H

#include "core/fabric/fabric_build.h"

/*
 * Lists the endports by the switch, node or machine, one of n, whose id is in
 * the member of struct weft_endport at that offset: list[first[i] ..] are those
 * of i, ascending.  Returns false without memory.
 */
bool weft__list_by_owner(struct weft_fabric *f, size_t owner, uint32_t n,
			 const uint32_t **first, const uint32_t **list);

/* Finds the machines and rails of a fabric whose nodes and endports are there.
 * Returns 0 or -ENOMEM.  O(endports x log labels). */
int weft__find_machines(struct weft_fabric *fabric);

/* Copies the names of the kinds.  Returns 0 or -ENOMEM. */
int weft__copy_uses(struct weft_fabric *fabric, const char *const *name,
		    uint32_t n);

/* Lists the groups by kinds and rails, and says of each endport which it is
 * in.  Returns 0 or -ENOMEM.  O(endports). */
int weft__find_groups(struct weft_fabric *fabric);

#endif
