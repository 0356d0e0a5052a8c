// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The node name map of infiniband-diags and OpenSM: a line 0xGUID "name" for
 * each node that is to be called so, '#' before a comment.
 */
#include "core/fabric/fabric_build.h"
#include "core/grow.h"
#include "io/notice.h"
#include "io/source.h"

#include <weft/io.h>

#include <errno.h>
#include <stdlib.h>

struct entry {
	uint64_t guid;
	const char *name;	/* not NUL-terminated, in the text */
	size_t length;
};

struct map {
	struct entry *entry;
	size_t n, room;
};

static int by_guid(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->guid > y->guid) - (x->guid < y->guid);
}

static int add(struct map *map, const struct entry *entry)
{
	if (weft__grow(&map->entry, &map->room, map->n + 1))
		return -ENOMEM;
	map->entry[map->n++] = *entry;
	return 0;
}

/* Whether a line is an entry; false with nothing in it for an empty one. */
static bool scan(struct weft__line *line, struct entry *entry)
{
	const char *end;

	entry->name = NULL;
	weft__skip_blanks(line);
	if (weft__at_end(line) || *line->p == '#')
		return false;
	entry->name = line->p;
	if (!weft__skip_0x(line, &entry->guid))
		return false;
	weft__skip_blanks(line);
	if (!weft__skip_char(line, '"'))
		return false;
	end = weft__find_char(line, '"');
	if (!end)
		return false;
	entry->name = line->p;
	entry->length = end - line->p;
	return true;
}

/* infiniband-diags passes over what it does not understand, too. */
static int read_map(const struct weft__source *source, struct map *map,
		    struct weft_diag *diag)
{
	struct weft__lines lines = weft__lines_begin(source, diag);
	struct weft__notice odd = { .severity = WEFT_WARNING };
	struct weft__line line;
	int err = 0;

	while (!err && weft__lines_next(&lines, &line, &err)) {
		char excerpt[WEFT__EXCERPT_SIZE];
		struct weft__line whole = line;
		struct entry entry;

		if (scan(&line, &entry))
			err = add(map, &entry);
		else if (entry.name)
			weft__notice_add(&odd, line.number,
					 "left out: \"%s\" is not 0xGUID \"name\"",
					 weft__excerpt(&whole, excerpt));
	}
	weft__notices_say(&odd, 1, source->name, diag);
	if (map->n)
		qsort(map->entry, map->n, sizeof(*map->entry), by_guid);
	return err;
}

/* The name that the map has for a node, copied, or the one that it had; NULL
 * without memory. */
static const char *name_of(const struct map *map, struct weft_fabric *f,
			   uint64_t guid, const char *old)
{
	const struct entry key = { .guid = guid };
	const struct entry *e = !map->n ? NULL :
		bsearch(&key, map->entry, map->n, sizeof(key), by_guid);

	return e ? weft__arena_string(f->arena, e->name, e->length) : old;
}

static int rename_nodes(const struct map *map, struct weft_fabric *f)
{
	struct weft_switch *sw = WEFT_WRITABLE(struct weft_switch, f->sw);
	struct weft_node *node = WEFT_WRITABLE(struct weft_node, f->node);
	bool good = true;

	for (uint32_t i = 0; i < f->nsw && good; i++) {
		sw[i].name = name_of(map, f, sw[i].guid, sw[i].name);
		good = sw[i].name;
	}
	for (uint32_t i = 0; i < f->nnodes && good; i++) {
		node[i].name = name_of(map, f, node[i].guid, node[i].name);
		good = node[i].name;
	}
	return good ? 0 : -ENOMEM;
}

int weft_io_name_nodes(const char *path, struct weft_fabric *fabric,
		       struct weft_diag *diag)
{
	struct weft__source source;
	struct map map = { 0 };
	int err = weft__source_open(path, &source, diag);

	if (err)
		return err;
	err = read_map(&source, &map, diag);
	if (!err)
		err = rename_nodes(&map, fabric);
	if (err)
		weft_diag_at(diag, WEFT_ERROR, path, 0, "%s",
			     strerror(-err));
	free(map.entry);
	weft__source_close(&source);
	return err;
}
