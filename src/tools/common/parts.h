/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cables and switches as people name them. */
#ifndef WEFT_TOOLS_COMMON_PARTS_H
#define WEFT_TOOLS_COMMON_PARTS_H

#include "tools/common/tool.h"

/* Parts as of weft/faults.h, each once. */
struct tool_parts {
	uint32_t *part;
	uint32_t n;
};
void tool_parts_free(struct tool_parts *parts);

/*
 * Adds what text names: a switch by name or GUID; a cable as SWITCH:PORT, with
 * " -> " and its other end behind that, which is checked, if one likes; the
 * cables of a host by its name or GUID, or that of one port as HOST:PORT.
 * *added: how many, 0 if all were there already.  false: why[] says why not.
 */
bool tool_parts_find(const struct weft_fabric *f, const char *text,
		     struct tool_parts *out, uint32_t *added, char why[256]);

/*
 * Reads the list that an option was given: a file with a part a line, '#' and
 * what follows is left aside; or the parts themselves, with commas between
 * them.  Names all parts that the fabric does not have; false then.  Warns of
 * those that are there twice.
 */
bool tool_parts_read(struct tool *t, const char *option,
		     const struct weft_fabric *f, const char *list,
		     struct tool_parts *out);

/* "leaf-0:13 - spine-1:2" or the name of a switch. */
const char *tool_part_text(const struct weft_fabric *f, uint32_t part,
			   char *buf, size_t size);
/* An object with the key kind, "cable" or "switch". */
json_t *tool_part_json(const struct weft_fabric *f, uint32_t part);

#endif
