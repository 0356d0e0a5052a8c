/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Kinds of hosts, what each is used for: compute, storage, service, or any
 * name that a site has.
 *
 * Hosts of a kind send most of all among themselves, so engines balance their
 * routes first of all among themselves, and ranks of the judge are ranks within
 * a kind.  Rules name the hosts; the first one that fits a host counts, and one
 * that none fits is "compute".
 */
#ifndef WEFT_KINDS_H
#define WEFT_KINDS_H

#include <weft/fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;

/* Hosts that others keep their data on have one of these kinds. */
static inline bool weft_kind_stores(const char *kind)
{
	return !__builtin_strcmp(kind, "storage") ||
	       !__builtin_strcmp(kind, "io");
}

struct weft_kinds;

struct weft_kinds *weft_kinds_new(void);	/* NULL: no memory */
void weft_kinds_free(struct weft_kinds *kinds);	/* NULL is fine */

/*
 * Adds a rule: who is of a kind.  who is a GUID of a port or a node ("0x..."),
 * or a pattern as of the shell ("io*", "n1 mlx5_4") that fits a whole node
 * description or the first word of one.  file and line are where it stands, for
 * messages (the name is copied).  -EINVAL: kind is no word of up to 31 letters,
 * digits, '-' and '_', or is the last of too many; -ENOMEM.
 */
int weft_kinds_add(struct weft_kinds *kinds, const char *who, const char *kind,
		   const char *file, unsigned long line,
		   struct weft_diag *diag);

/*
 * Gives the hosts of a fabric their kinds, before anybody else has it.  Warned
 * about: GUIDs that nobody has, and those told twice; patterns that fit nobody, or
 * only hosts that rules before them fit.  -ENOMEM.  O(GUIDs x log endports + patterns x nodes).
 */
int weft_kinds_apply(const struct weft_kinds *kinds,
		     struct weft_fabric *fabric, struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
