// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables given with -t. */
#include "tool.h"

#include <sys/stat.h>

/* Reads a file if it is one of service levels, SL2VL tables or paths; *met
 * tells. */
static bool read_layers(struct tool *t, const char *path,
			const struct weft_fabric *f,
			struct weft_routes *routes, bool *met)
{
	enum weft_format format;
	struct stat st;

	*met = false;
	if (stat(path, &st) || S_ISDIR(st.st_mode))
		return true;
	if (weft_io_detect(path, &format, &t->diag))
		return false;
	*met = true;
	switch (format) {
	case WEFT_FORMAT_SL2VL:
		return !weft_io_read_sl2vl(path, f, &routes->layers, &t->diag);
	case WEFT_FORMAT_SL:
		return !weft_io_read_sl(path, f, &routes->layers, &t->diag);
	case WEFT_FORMAT_PATHS:
		return !weft_io_read_paths(path, f, routes, &t->diag);
	default:
		*met = false;
		return true;
	}
}

bool tool_tables_read(struct tool *t, unsigned *next,
		      const struct weft_fabric *f, struct weft_routes *out)
{
	const struct tool_list *list = &t->args.table;
	bool met = true;

	if (weft_io_read_tables(list->item[(*next)++], f, out, &t->diag))
		return false;
	while (met && *next < list->n) {
		if (!read_layers(t, list->item[*next], f, out, &met)) {
			weft_routes_free(out);
			return false;
		}
		*next += met;
	}
	return true;
}
