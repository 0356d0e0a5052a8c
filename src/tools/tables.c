// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables given with -t. */
#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads what a file of that format holds; others are left alone. */
static bool read_format(struct tool *t, const char *path,
			enum weft_format format, const struct weft_fabric *f,
			struct weft_routes *routes)
{
	switch (format) {
	case WEFT_FORMAT_LFTS:
	case WEFT_FORMAT_FDBS:
		return !weft_io_read_lft(path, f, &routes->lft, &t->diag);
	case WEFT_FORMAT_SL2VL:
		return !weft_io_read_sl2vl(path, f, &routes->layers, &t->diag);
	case WEFT_FORMAT_SL:
		return !weft_io_read_sl(path, f, &routes->layers, &t->diag);
	case WEFT_FORMAT_PATHS:
		return !weft_io_read_paths(path, f, routes, &t->diag);
	default:
		return true;
	}
}

static bool is_forwarding(enum weft_format format)
{
	return format == WEFT_FORMAT_LFTS || format == WEFT_FORMAT_FDBS;
}

static bool is_lanes(enum weft_format format)
{
	return format == WEFT_FORMAT_SL2VL || format == WEFT_FORMAT_SL ||
	       format == WEFT_FORMAT_PATHS;
}

static bool no_tables(struct tool *t, const char *path)
{
	weft_diag_at(&t->diag, WEFT_ERROR, path, 0,
		     "no forwarding tables here");
	return false;
}

static bool read_file(struct tool *t, const char *path,
		      const struct weft_fabric *f, struct weft_routes *routes)
{
	enum weft_format format;

	if (weft_io_detect(path, &format, &t->diag))
		return false;
	if (!is_forwarding(format))
		return no_tables(t, path);
	return read_format(t, path, format, f, routes);
}

static int no_dots(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Reads a file of a directory if it holds lanes, or forwarding tables in the
 * format *first, which the first such file sets. */
static bool read_entry(struct tool *t, const char *path,
		       const struct weft_fabric *f, struct weft_routes *routes,
		       enum weft_format *first)
{
	enum weft_format format;
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return true;
	if (weft_io_detect(path, &format, &t->diag))
		return false;
	if (is_forwarding(format)) {
		if (!*first)
			*first = format;
		if (format != *first)
			return true;
	}
	return read_format(t, path, format, f, routes);
}

/* All files of tables in a directory, by name.  The same tables may be there
 * in two formats: only one is read. */
static bool read_directory(struct tool *t, const char *path,
			   const struct weft_fabric *f,
			   struct weft_routes *routes)
{
	enum weft_format first = WEFT_FORMAT_UNKNOWN;
	struct dirent **entry;
	int n = scandir(path, &entry, no_dots, alphasort);
	bool ok = true;

	if (n < 0) {
		weft_diag_at(&t->diag, WEFT_ERROR, path, 0, "%s",
			     strerror(errno));
		return false;
	}
	for (int i = 0; i < n; i++) {
		char file[PATH_MAX];

		snprintf(file, sizeof(file), "%s/%s", path, entry[i]->d_name);
		free(entry[i]);
		ok = ok && read_entry(t, file, f, routes, &first);
	}
	free(entry);
	return ok && (first || no_tables(t, path));
}

/* Files of SLs and SL2VL tables that follow belong to the tables before. */
static bool read_lanes(struct tool *t, const struct tool_list *list,
		       unsigned *next, const struct weft_fabric *f,
		       struct weft_routes *routes)
{
	for (; *next < list->n; ++*next) {
		const char *path = list->item[*next];
		enum weft_format format;
		struct stat st;

		if (stat(path, &st) || S_ISDIR(st.st_mode))
			break;
		if (weft_io_detect(path, &format, &t->diag))
			return false;
		if (!is_lanes(format))
			break;
		if (!read_format(t, path, format, f, routes))
			return false;
	}
	return true;
}

bool tool_tables_read(struct tool *t, unsigned *next,
		      const struct weft_fabric *f, struct weft_routes *out)
{
	const struct tool_list *list = &t->args.table;
	const char *path = list->item[(*next)++];
	struct stat st;
	bool ok;

	*out = (struct weft_routes){ 0 };
	weft_layers_init(&out->layers);
	if (weft_io_lft_init(f, &out->lft))
		return tool_no_memory(t);
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		ok = read_directory(t, path, f, out);
	else
		ok = read_file(t, path, f, out);
	if (ok && read_lanes(t, list, next, f, out))
		return true;
	weft_routes_free(out);
	return false;
}
