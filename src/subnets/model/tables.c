// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What routers' own tables say, beside what is joined.  A router sends to the
 * subnets next to it and to those that its table of next hops has; packets for
 * any other prefix it drops.
 */
#include <weft/subnets.h>

#include <inttypes.h>

/* Returns whether any table of a router names a prefix; *told: it has one. */
static bool names(const struct weft_subnets *s, uint64_t router,
		  uint64_t prefix, bool *told)
{
	bool found = false;

	*told = false;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft_fabric *f = s->subnet[i].fabric;

		for (uint32_t e = 0; e < f->nrouter_entries; e++) {
			if (f->router_entry[e].router != router)
				continue;
			*told = true;
			found |= f->router_entry[e].prefix == prefix;
		}
	}
	return found;
}

/* Warns of subnets that a router has no entry for.  Returns how many. */
static uint32_t find_missing(const struct weft_subnets *s,
			     const struct weft_router *r,
			     struct weft_diag *diag)
{
	uint32_t missing = 0, first = 0;
	char gid[WEFT_GID_SIZE];
	bool told;

	for (uint32_t i = 0; i < s->n; i++) {
		if (names(s, r->guid, s->subnet[i].prefix, &told) || !told)
			continue;
		if (!missing++)
			first = i;
	}
	if (missing)
		weft_diag_say(diag, WEFT_WARNING,
			      "router %s (0x%016" PRIx64
			      ") has no entry for %s, such as %s (%s/64): it drops packets for them",
			      r->name, r->guid, WEFT_COUNT(missing, "subnet"),
			      s->subnet[first].name,
			      weft_gid_text(s->subnet[first].prefix, 0, gid));
	return missing;
}

static bool is_joined(const struct weft_subnets *s, uint64_t prefix)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->subnet[i].prefix == prefix)
			return true;
	return false;
}

/* Returns whether an entry of a subnet's file is the first one about a prefix
 * in all files. */
static bool is_first(const struct weft_subnets *s, uint32_t subnet,
		     uint32_t entry)
{
	uint64_t prefix = s->subnet[subnet].fabric->router_entry[entry].prefix;

	for (uint32_t i = 0; i <= subnet; i++) {
		const struct weft_fabric *f = s->subnet[i].fabric;
		uint32_t n = i < subnet ? f->nrouter_entries : entry;

		for (uint32_t e = 0; e < n; e++)
			if (f->router_entry[e].prefix == prefix)
				return false;
	}
	return true;
}

uint32_t weft_subnets_check_tables(const struct weft_subnets *s,
				   struct weft_diag *diag)
{
	uint32_t missing = 0;
	char gid[WEFT_GID_SIZE];

	for (uint32_t r = 0; r < s->nrouters; r++)
		missing += find_missing(s, &s->router[r], diag);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct weft_fabric *f = s->subnet[i].fabric;

		for (uint32_t e = 0; e < f->nrouter_entries; e++)
			if (!is_joined(s, f->router_entry[e].prefix) &&
			    is_first(s, i, e))
				weft_diag_say(
					diag, WEFT_WARNING,
					"routers lead to %s/64, which no input is",
					weft_gid_text(f->router_entry[e].prefix,
						      0, gid));
	}
	return missing;
}
