/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Other names for everything in a fabric that tells whose it is: GUIDs, names
 * of nodes, LIDs.
 *
 * All come from a keyed hash (SipHash-2-4): who has the key gets the same
 * again, nobody else can tell what was there.  Ids, and so every figure, stay
 * as they are:
 *   GUIDs	the hashes of all, handed out in the order of the GUIDs
 *   names	likewise in the order of names, "host-" and ten letters; equal
 *		names stay equal, empty ones empty; what tells an aggregation
 *		node keeps its name
 *   LIDs	those of ports with the same LMC change places
 * What is left: cables, port numbers, rates, vendors and devices, and which of
 * two GUIDs or names comes first.
 */
#ifndef WEFT_ALIAS_H
#define WEFT_ALIAS_H

#include <weft/routes.h>

#ifdef __cplusplus
extern "C" {
#endif

struct weft_diag;
struct weft_aliases;

struct weft_alias_key {
	uint64_t word[2];
};

/* A key from text, which should be as hard to guess as 16 random bytes. */
struct weft_alias_key weft_alias_key_of(const void *text, size_t size);

/* 0, or -ENOMEM after an error.  The fabric must outlive the aliases.
 * O(n log n). */
int weft_aliases_new(const struct weft_fabric *fabric,
		     struct weft_alias_key key, struct weft_aliases **out,
		     struct weft_diag *diag);
void weft_aliases_free(struct weft_aliases *aliases); /* NULL is fine */

/* A GUID that the fabric does not have gets a hash, without order; 0
 * stays 0.  LIDs that nobody has stay as they are. */
uint64_t weft_alias_guid(const struct weft_aliases *aliases, uint64_t guid);
unsigned weft_alias_lid(const struct weft_aliases *aliases, unsigned lid);

/* The fabric under its aliases, with the same ids.  0 or -ENOMEM after an
 * error. */
int weft_alias_fabric(const struct weft_aliases *aliases,
		      struct weft_fabric **out, struct weft_diag *diag);
/* Routes of the fabric as routes of the other.  0 or -ENOMEM after an error;
 * *out is set on success only. */
int weft_alias_routes(const struct weft_aliases *aliases,
		      const struct weft_routes *routes, struct weft_routes *out,
		      struct weft_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
