// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What is known about switches from outside: their roles, as the node
 * description carries them (role=leaf, role=middle or role=root in it, a word
 * of its own), and as the options list them.
 */
#include "engines/fattree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const role_names[] = {
	[WEFT_ROLE_UNKNOWN] = "unknown", [WEFT_ROLE_LEAF] = "leaf",
	[WEFT_ROLE_MIDDLE] = "middle", [WEFT_ROLE_ROOT] = "root",
};

/* Role whose name is text[0..length-1], WEFT_ROLE_UNKNOWN if there is none. */
static enum weft_role role_of(const char *text, size_t length)
{
	for (unsigned r = WEFT_ROLE_LEAF; r <= WEFT_ROLE_ROOT; r++)
		if (strlen(role_names[r]) == length &&
		    !strncmp(role_names[r], text, length))
			return r;
	return WEFT_ROLE_UNKNOWN;
}

/*
 * The one place that knows how a switch carries its role: here in its node
 * description.  Another way to store it (an attribute of a vendor's, say) would
 * be asked here.
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

static void contradict(const struct weft__fattree *t, uint32_t s,
		       enum weft_role role, struct weft_diag *diag)
{
	if (t->role[s] == WEFT_ROLE_UNKNOWN || t->role[s] == role)
		return;
	weft_diag_say(diag, WEFT_WARNING,
		"switch 0x%016" PRIx64 " (%s): %s as %s, but listed as %s; "
		"the list counts", t->fabric->sw[s].guid,
		t->fabric->sw[s].name,
		t->source[s] == WEFT__FATTREE_LISTED ? "listed" : "described",
		role_names[t->role[s]], role_names[role]);
}

static void set_role(struct weft__fattree *t, uint32_t s, enum weft_role role,
		     struct weft_diag *diag)
{
	contradict(t, s, role, diag);
	t->role[s] = role;
	t->source[s] = WEFT__FATTREE_LISTED;
}

/* One word of an option: GUID, or GUID=role where role is WEFT_ROLE_UNKNOWN. */
static int take_word(struct weft__fattree *t, const char *option,
		     const char *word, size_t length, enum weft_role role,
		     struct weft_diag *diag)
{
	char *end;
	uint64_t guid = strtoull(word, &end, 16);
	uint32_t s = weft_fabric_switch_by_guid(t->fabric, guid);
	size_t used = end - word;

	if (role == WEFT_ROLE_UNKNOWN && used && used < length && *end == '=') {
		role = role_of(end + 1, length - used - 1);
		used = length;
	}
	if (used != length || role == WEFT_ROLE_UNKNOWN)
		return weft_fail(diag, EINVAL,
			"%s: '%.*s' is not %s", option, (int)length, word,
			role == WEFT_ROLE_UNKNOWN ?
			"GUID=leaf, GUID=middle or GUID=root" : "a GUID");
	if (s == WEFT_NONE) {
		/* Lists outlive switches: one that is gone is no error. */
		weft_diag_say(diag, WEFT_WARNING, "%s: the fabric has no "
			"switch 0x%016" PRIx64, option, guid);
		return 0;
	}
	set_role(t, s, role, diag);
	return 0;
}

static int take_list(struct weft__fattree *t, const struct weft_options *o,
		     const char *option, enum weft_role role,
		     struct weft_diag *diag)
{
	static const char separators[] = " \t\r\n,+";
	const char *text = weft_options_text(o, option);
	int err = 0;

	for (text = text ? text + strspn(text, separators) : ""; *text && !err;
	     text += strspn(text, separators)) {
		size_t length = strcspn(text, separators);

		err = take_word(t, option, text, length, role, diag);
		text += length;
	}
	return err;
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
	err = take_list(t, o, "roots", WEFT_ROLE_ROOT, diag);
	return err ? err : take_list(t, o, "roles", WEFT_ROLE_UNKNOWN, diag);
}
