// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ends of routes by LID, GUID or name; see places.h. */
#include "tools/common/places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES 10	/* that an error message lists */

/* How well a name fits, best first. */
enum fit { WHOLE, FIRST_WORD, PART, NOT_AT_ALL };

static bool found(const struct weft_fabric *f, uint32_t vertex, unsigned lid,
		  struct tool_place *out)
{
	*out = (struct tool_place){
		vertex, lid ? lid : tool_vertex_lid(f, vertex), lid != 0
	};
	return true;
}

static bool none(struct tool *t, const char *what, const char *text)
{
	weft_diag_say(&t->diag, WEFT_ERROR, "no %s '%s' in the fabric", what,
		      text);
	return false;
}

static bool by_lid(struct tool *t, const struct weft_fabric *f,
		   const char *text, uint64_t lid, struct tool_place *out)
{
	uint32_t vertex = lid <= WEFT_MAX_LID ? weft_lid_owner(f, lid) :
						WEFT_NONE;

	return vertex == WEFT_NONE ? none(t, "LID", text) :
				     found(f, vertex, lid, out);
}

static bool by_guid(struct tool *t, const struct weft_fabric *f,
		    const char *text, uint64_t guid, struct tool_place *out)
{
	uint32_t id = weft_fabric_switch_by_guid(f, guid);

	if (id != WEFT_NONE)
		return found(f, id, 0, out);
	id = weft_fabric_endport_by_guid(f, guid);
	if (id != WEFT_NONE)
		return found(f, id | WEFT_ENDPORT, 0, out);
	return none(t, "GUID", text);
}

static enum fit fits(const char *name, const char *text)
{
	size_t n = strlen(text);

	if (!strcmp(name, text))
		return WHOLE;
	if (!strncmp(name, text, n) && name[n] == ' ')
		return FIRST_WORD;
	return strcasestr(name, text) ? PART : NOT_AT_ALL;
}

/* Vertex i of all: the switches, then the endports. */
static uint32_t nth_vertex(const struct weft_fabric *f, uint32_t i)
{
	return i < f->nsw ? i : (i - f->nsw) | WEFT_ENDPORT;
}

/* Lists who fits as well as best. */
static bool ambiguous(struct tool *t, const struct weft_fabric *f,
		      const char *text, enum fit best, uint32_t n)
{
	uint32_t shown = 0;

	weft_diag_say(&t->diag, WEFT_ERROR,
		      "'%s' may be any of %u; name one by its LID or GUID:",
		      text, n);
	for (uint32_t i = 0; i < f->nsw + f->nep && shown < CANDIDATES; i++) {
		uint32_t v = nth_vertex(f, i);
		char name[128];

		if (fits(tool_vertex_name(f, v), text) != best)
			continue;
		fprintf(stderr, "  lid %-5u guid 0x%016" PRIx64 "  %s\n",
			tool_vertex_lid(f, v), tool_vertex_guid(f, v),
			tool_text_vertex(f, v, name, sizeof(name)));
		shown++;
	}
	if (n > shown)
		fprintf(stderr, "  ... and %u more\n", n - shown);
	return false;
}

static bool unknown_name(struct tool *t, const struct weft_fabric *f,
			 const char *text)
{
	uint32_t n = f->nsw + f->nep;
	const char **names = malloc((n + (size_t)1) * sizeof(*names));
	const char *near = NULL;
	char buf[128];

	for (uint32_t i = 0; names && i < n; i++)
		names[i] = tool_vertex_name(f, nth_vertex(f, i));
	if (names) {
		names[n] = NULL;
		near = weft_diag_suggest(text, names);
	}
	if (near)
		weft_diag_say(&t->diag, WEFT_ERROR,
			      "no name '%s' in the fabric; did you mean '%s'?",
			      text,
			      weft_diag_printable(buf, sizeof(buf), near));
	else
		none(t, "name", text);
	free(names);
	return false;
}

static bool by_name(struct tool *t, const struct weft_fabric *f,
		    const char *text, struct tool_place *out)
{
	uint32_t n[NOT_AT_ALL + 1] = { 0 }, first[NOT_AT_ALL + 1];

	for (uint32_t i = 0; i < f->nsw + f->nep; i++) {
		uint32_t v = nth_vertex(f, i);
		enum fit fit = fits(tool_vertex_name(f, v), text);

		if (!n[fit]++)
			first[fit] = v;
	}
	for (enum fit fit = WHOLE; fit < NOT_AT_ALL && *text; fit++) {
		if (n[fit] == 1)
			return found(f, first[fit], 0, out);
		if (n[fit])
			return ambiguous(t, f, text, fit, n[fit]);
	}
	return unknown_name(t, f, text);
}

/* Decimal, or hexadecimal behind "0x". */
static bool number(const char *text, uint64_t *out)
{
	return weft_number_0x(text, out) ||
	       weft_number_uint(text, UINT64_MAX, out);
}

/* 16 hexadecimal digits, perhaps after "S-" or "H-" as ibnetdiscover has it. */
static bool looks_like_guid(const char *text, uint64_t *out)
{
	if (text[0] && strchr("SHR", text[0]) && text[1] == '-')
		text += 2;
	return strlen(text) == 16 && weft_number_hex(text, out);
}

bool tool_place_find(struct tool *t, const struct weft_fabric *f,
		     const char *text, struct tool_place *out)
{
	uint64_t n;

	if (!strncmp(text, "name:", 5))
		return by_name(t, f, text + 5, out);
	if (!strncmp(text, "lid:", 4))
		return number(text + 4, &n) ? by_lid(t, f, text, n, out) :
					      none(t, "LID", text);
	if (!strncmp(text, "guid:", 5))
		return weft_number_0x(text + 5, &n) ||
				       weft_number_hex(text + 5, &n) ?
			       by_guid(t, f, text, n, out) :
			       none(t, "GUID", text);
	if (looks_like_guid(text, &n))
		return by_guid(t, f, text, n, out);
	if (!number(text, &n))
		return by_name(t, f, text, out);
	return n <= WEFT_MAX_LID ? by_lid(t, f, text, n, out) :
				   by_guid(t, f, text, n, out);
}
