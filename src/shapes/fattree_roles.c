// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The roles of switches as told from outside: by the node description
 * (role=leaf, role=middle or role=root in it, as a word of its own), and by the
 * options.
 */
#include "core/listed.h"
#include "shapes/fattree.h"

#include <weft/diag.h>
#include <weft/number.h>
#include <weft/options.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const role_names[] = {
	[WEFT_ROLE_UNKNOWN] = "unknown", [WEFT_ROLE_LEAF] = "leaf",
	[WEFT_ROLE_MIDDLE] = "middle", [WEFT_ROLE_ROOT] = "root",
};

/* Returns the role whose name is text[0..length-1], or WEFT_ROLE_UNKNOWN. */
static enum weft_role role_of(const char *text, size_t length)
{
	for (unsigned r = WEFT_ROLE_LEAF; r <= WEFT_ROLE_ROOT; r++)
		if (strlen(role_names[r]) == length &&
		    !strncmp(role_names[r], text, length))
			return r;
	return WEFT_ROLE_UNKNOWN;
}

/*
 * Returns the role that a switch carries in its node description.  This is the
 * only function that knows how a role is stored; another way to store it, such
 * as a vendor's attribute, would be asked for here.
 */
static enum weft_role described_role(const struct weft_switch *sw)
{
	static const char key[] = "role=", ends[] = " \t,;()[]\"'";
	const char *at = sw->name;

	while ((at = strstr(at, key))) {
		bool starts = at == sw->name || strchr(ends, at[-1]);

		at += sizeof(key) - 1;
		if (starts)
			return role_of(at, strcspn(at, ends));
	}
	return WEFT_ROLE_UNKNOWN;
}

static void warn_contradiction(const struct weft__fattree *t, uint32_t s,
			       enum weft_role role, struct weft_diag *diag)
{
	if (t->role[s] == WEFT_ROLE_UNKNOWN || t->role[s] == role)
		return;
	weft_diag_say(diag, WEFT_WARNING,
		"switch 0x%016" PRIx64
		" (%s): %s as %s, but listed as %s; the list counts",
		t->fabric->sw[s].guid,
		t->fabric->sw[s].name,
		t->source[s] == WEFT__FATTREE_LISTED ? "listed" : "described",
		role_names[t->role[s]], role_names[role]);
}

static void set_role(struct weft__fattree *t, uint32_t s, enum weft_role role,
		     struct weft_diag *diag)
{
	warn_contradiction(t, s, role, diag);
	t->role[s] = role;
	t->source[s] = WEFT__FATTREE_LISTED;
}

/* Returns the highest rank in a list, which is that of leaves. */
static uint64_t highest_rank(const struct weft_list *list)
{
	uint64_t highest = 0;

	for (uint32_t i = 0; i < list->n; i++) {
		const char *value = list->entry[i].value;
		uint64_t rank;

		/* else it is a word */
		if (value && weft_number_uint(value, UINT32_MAX, &rank) &&
		    rank > highest)
			highest = rank;
	}
	return highest;
}

/* Returns the role that an entry gives by a word or a rank. */
static enum weft_role listed_role(const struct weft_list_entry *entry,
				  uint64_t highest)
{
	enum weft_role role = role_of(entry->value, strlen(entry->value));
	uint64_t rank = 0;

	if (role != WEFT_ROLE_UNKNOWN)
		return role;
	weft_number_uint(entry->value, UINT32_MAX, &rank);
	return !rank ? WEFT_ROLE_ROOT : rank == highest ? WEFT_ROLE_LEAF :
							  WEFT_ROLE_MIDDLE;
}

/* Sets the roles of the switches in an option's list.  If role is
 * WEFT_ROLE_UNKNOWN, each entry has a role of its own. */
static int take_list(struct weft__fattree *t, const struct weft_options *o,
		     const char *option, enum weft_role role,
		     struct weft_diag *diag)
{
	struct weft__listed at;
	uint64_t highest;
	int err = weft__look_up(t->fabric, o, option, WEFT_LIST_SWITCHES, &at,
				diag);

	if (err || !at.list)
		return err;
	highest = highest_rank(at.list);
	for (uint32_t i = 0; i < at.list->n; i++)
		if (at.vertex[i] != WEFT_NONE)
			set_role(t, at.vertex[i],
				 role != WEFT_ROLE_UNKNOWN ? role :
				 listed_role(&at.list->entry[i], highest),
				 diag);
	free(at.vertex);
	return 0;
}

int weft__fattree_roles(struct weft__fattree *t, const struct weft_options *o,
			struct weft_diag *diag)
{
	int err;

	for (uint32_t s = 0; s < t->fabric->nsw; s++) {
		t->role[s] = described_role(&t->fabric->sw[s]);
		t->source[s] = t->role[s] == WEFT_ROLE_UNKNOWN ?
			WEFT__FATTREE_FOUND : WEFT__FATTREE_DESCRIBED;
	}
	if (!o)
		return 0;
	err = take_list(t, o, "roots", WEFT_ROLE_ROOT, diag);
	return err ? err : take_list(t, o, "roles", WEFT_ROLE_UNKNOWN, diag);
}
