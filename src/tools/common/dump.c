// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writing tables, in a form that every command reads back. */
#include "tools/common/tool.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SL2VL "opensm-sl2vl.dump"
#define PATHS "weft-paths.dump"

bool tool_dump_is_directory(const char *path)
{
	const char *base = strrchr(path, '/');
	struct stat st;

	if (!strcmp(path, "-"))
		return false;
	base = base ? base + 1 : path;
	if (!stat(path, &st))
		return S_ISDIR(st.st_mode);
	return !*base || !strchr(base + 1, '.');
}

bool tool_dump_write_file(struct tool *t, FILE *out, enum weft_file_kind kind,
			  const struct weft_fabric *f,
			  const struct weft_routes *routes)
{
	struct weft_diag *diag = &t->diag;
	int err;

	if (!out)
		return false;
	tool_talk_about(t, tool_output_name(out));
	if (kind == WEFT_FILE_TABLES)
		err = weft_io_write_lfts(out, f, &routes->lft, diag);
	else if (kind == WEFT_FILE_SL2VL)
		err = weft_io_write_sl2vl(out, f, &routes->layers, diag);
	else if (kind == WEFT_FILE_SL)
		err = weft_io_write_sl(out, f, routes, diag);
	else if (kind == WEFT_FILE_PATHS)
		err = weft_io_write_paths(out, f, routes, diag);
	else
		err = weft_io_write_ibnetdiscover(out, f, diag);
	tool_talk_about(t, NULL);
	return !err;
}

/* Whether that kind of file is to be written.  SL2VL tables are needed with
 * several lanes, and where others would be read with the new service levels. */
static bool is_needed(enum weft_file_kind kind, const char *directory,
		      const struct weft_routes *routes)
{
	char old[PATH_MAX];

	if (kind == WEFT_FILE_PATHS)
		return routes->lid_offset;
	if (kind != WEFT_FILE_SL2VL || routes->layers.nvl > 1)
		return true;
	return (size_t)snprintf(old, sizeof(old), "%s/" SL2VL, directory) <
		sizeof(old) && !access(old, F_OK);
}

static const struct {
	const char *name;
	enum weft_file_kind kind;
} files[] = {
	{ "fabric.ibnetdiscover", WEFT_FILE_TOPOLOGY },
	{ "opensm-lfts.dump", WEFT_FILE_TABLES },
	{ "weft-sl.dump", WEFT_FILE_SL },
	{ SL2VL, WEFT_FILE_SL2VL },
	{ PATHS, WEFT_FILE_PATHS },
};
#define NFILES (sizeof(files) / sizeof(files[0]))

/* In which order they take their names, the tables last: nothing is read without
 * those.  Service levels are first, as they tell which tables they are of,
 * should there be some of another name. */
static const unsigned char order[NFILES] = { 2, 3, 4, 0, 1 };

bool tool_dump_may_write(struct tool *t)
{
	const char *directory = t->args.output;
	char path[PATH_MAX], list[256] = "";
	size_t n = 0;

	if (t->args.force || !directory || !tool_dump_is_directory(directory))
		return true;
	for (size_t i = 0; i < NFILES; i++)
		if ((size_t)snprintf(path, sizeof(path), "%s/%s", directory,
				     files[i].name) < sizeof(path) &&
		    !access(path, F_OK))
			n += snprintf(list + n, sizeof(list) - n, "%s%s",
				      n ? ", " : "", files[i].name);
	if (n)
		weft_diag_at(&t->diag, WEFT_ERROR, directory, 0,
			     "there are tables already, which would be replaced: %s; --force replaces them",
			     list);
	return !n;
}

bool tool_dump_write(struct tool *t, const char *path,
		     const struct weft_fabric *f,
		     const struct weft_routes *routes)
{
	for (size_t i = 0; i < NFILES; i++) {
		enum weft_file_kind kind = files[order[i]].kind;
		FILE *out;

		if (!is_needed(kind, path, routes))
			continue;
		out = tool_output_open_in(t, path, files[order[i]].name);
		if (!tool_dump_write_file(t, out, kind, f, routes))
			return false;
		if (kind == WEFT_FILE_TABLES)
			tool_output_key(out);
	}
	/* Offsets of other tables must not stay. */
	return routes->lid_offset || tool_output_drop(t, path, PATHS);
}
